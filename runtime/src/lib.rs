//! Runtime of gpu-graph.
pub mod exec;
pub mod driver;
pub mod table;
