//! A small Llama.

#[path = "../../../../examples/story/attention.rs"]
mod attention;
#[path = "../../../../examples/story/exp.rs"]
mod exp;
#[path = "../../../../examples/story/graph.rs"]
pub mod graph;
#[path = "../../../../examples/story/kernels.rs"]
mod kernels;
#[path = "../../../../examples/story/matrix.rs"]
mod matrix;
