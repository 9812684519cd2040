//! Analysis of GPU task graphs, without a compiler or a GPU.

pub mod calls;
pub mod check;
pub mod expr;
pub mod fault;
pub mod limits;
pub mod model;
pub mod plan;
mod rows;
