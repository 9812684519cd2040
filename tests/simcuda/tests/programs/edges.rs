//! Canny's method.

#[path = "../../../../examples/edges/filters.rs"]
mod filters;
#[path = "../../../../examples/edges/graph.rs"]
pub mod graph;
#[path = "../../../../examples/edges/labels.rs"]
mod labels;
