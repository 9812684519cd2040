//! Runtime of gpu-graph: what a graph is once the macro has planned it, and what runs it.
//!
//! - [`table`]: `SOURCE`, what was written, and `PROGRAM`, what is issued;
//! - [`verify`](mod@verify): holds one against the other, in rustc and at load;
//! - [`exec`]: a program at actual dims and addresses, task by task;
//! - [`driver`]: what a device can do; the host and a simulated device;
//! - [`formula`]: what generated host code of expression kernels calls;
//! - [`graph`]: loading and running, as users hold it;
//! - `report`, with the feature of that name: the record of a graph as data, for export.
//!
//! Users name the `gpu-graph` crate, which re-exports what they need.

pub mod driver;
pub mod exec;
pub mod formula;
pub mod graph;
#[cfg(feature = "report")]
pub mod report;
mod rng;
#[cfg(loom)]
#[doc(hidden)]
pub mod sync;
#[cfg(not(loom))]
mod sync;
pub mod table;
mod time;
pub mod verify;

pub use half::{bf16, f16};
