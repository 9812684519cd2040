//! Kernels that `generate.rs` makes.

pub mod casts;
pub mod methods;
pub mod operators;
pub mod random_0;
pub mod random_1;
pub mod random_2;
pub mod rough;
