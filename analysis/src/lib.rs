//! Analysis of GPU task graphs, without a compiler or a GPU.

pub mod expr;
pub mod fault;
pub mod model;
pub mod plan;
mod rows;
