//! Runtime of gpu-graph.
pub mod exec;
pub mod driver;
#[cfg(loom)]
#[doc(hidden)]
pub mod sync;
#[cfg(not(loom))]
mod sync;
pub mod table;
