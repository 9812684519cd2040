//! The same, issued as a graph.

#[path = "../../../../examples/story/attention.rs"]
mod attention;
#[path = "../../../../examples/story/exp.rs"]
mod exp;
#[path = "../../../../examples/story/kernels.rs"]
mod kernels;
#[path = "../../../../examples/story/matrix.rs"]
mod matrix;
pub mod graph {
    include!(concat!(env!("OUT_DIR"), "/story.rs"));
}
