//! Expression kernels: in graphs, and the host functions against the meaning of the CUDA text.
#![forbid(unsafe_code)]

#[path = "formula/graphs.rs"]
mod graphs;
