//! gpu-graph
