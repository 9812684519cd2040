//! Runtime of gpu-graph.
pub mod driver;
pub mod exec;
pub mod graph;
#[cfg(loom)]
#[doc(hidden)]
pub mod sync;
#[cfg(not(loom))]
mod sync;
pub mod table;
pub mod verify;
