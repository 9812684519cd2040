//! Expression kernels: in graphs, and the host functions against the meaning of the CUDA text.
#![forbid(unsafe_code)]

#[path = "formula/agree.rs"]
mod agree;
#[path = "formula/case.rs"]
mod case;
#[path = "formula/cuda/mod.rs"]
mod cuda;
#[path = "formula/generate.rs"]
mod generate;
#[path = "formula/graphs.rs"]
mod graphs;
#[path = "formula/kernels/mod.rs"]
mod kernels;
#[path = "formula/operands.rs"]
mod operands;
#[path = "formula/shapes.rs"]
mod shapes;
