//! The graph of the example `edges`.

#[path = "../../../../examples/edges/filters.rs"]
mod filters;
#[path = "../../../../examples/edges/graph.rs"]
mod graph;
#[path = "../../../../examples/edges/labels.rs"]
mod labels;

pub use graph::Edges;
