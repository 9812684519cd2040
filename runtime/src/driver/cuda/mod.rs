//! NVIDIA GPUs.
//!
//! - [`CudaDriver`] is the driver of one, opened by its ordinal;
//! - [`SYMBOLS`] are the functions of the driver library that are called, and no others.

mod callback;
pub mod compile;
mod context;
mod core;
mod device;
mod edges;
mod error;
mod exec;
mod geometry;
mod graph;
mod instance;
mod issue;
mod library;
mod marks;
mod memory;
mod modules;
mod nodes;
mod objects;
mod pack;
mod pins;
mod pool;
mod prepare;
mod retire;
mod scalars;
mod single;
mod status;
mod symbols;

pub use device::CudaDriver;
pub use error::CudaError;
pub use symbols::SYMBOLS;
