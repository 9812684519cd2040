//! The same, issued as a graph.

#[path = "../../../../examples/edges/filters.rs"]
mod filters;
#[path = "../../../../examples/edges/labels.rs"]
mod labels;
pub mod graph {
    include!(concat!(env!("OUT_DIR"), "/edges.rs"));
}
