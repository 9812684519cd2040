//! Graphs that run: what generated types are made of, and what users hold.
//!
//! A [`Graph`] owns the storage of one program at actual dims, once per instance of its ring. Each
//! run goes through four types, one for each thing that must have happened before the next:
//!
//! ```text
//! LaneCore ──begin──▶ Begin ──check…, gate──▶ Setup ──input…, scalar…, start──▶ RunCore ──▶ Output
//!                     lengths are checked     the instance is free,             borrows the lane
//!                     before anything is      inputs may be replaced
//!                     taken or waited for
//! ```
//!
//! A graph with variants has a program for each combination of them, of which each run chooses one
//! before anything else ([`Begin::variant`]); an instance runs one at a time.
//!
//! Nothing relies on a handle being dropped: what a run in flight needs is owned by the
//! [`Executable`](crate::exec::Executable) that the driver keeps, and whether it has ended is asked
//! at the gate of the next run on that instance.

mod arena;
mod declared;
mod detached;
mod device;
mod error;
mod escaped;
#[doc(hidden)]
pub mod foreign;
mod input;
mod instance;
mod lane;
mod load;
mod loads;
mod memory;
mod output;
mod ports;
mod profile;
mod record;
mod run;
mod staging;
mod store;
mod variant;

pub use declared::{DeclaredGraph, DeclaredKernel};
pub use detached::Detached;
#[cfg(feature = "cuda")]
pub use device::cuda;
pub use device::{Device, host};
pub use error::{LoadError, NonFinite, RunError};
pub use escaped::Escaped;
pub use input::IntoInput;
pub use lane::{Begin, InNoLane, LaneCore, Setup};
pub use load::Graph;
pub use loads::{Load, Loads};
pub use memory::{Bytes, Guarded, Kept, Memory};
pub use output::Output;
pub use profile::{KernelTime, Profile, TaskTime};
#[cfg(feature = "report")]
pub(crate) use profile::{Launch, Ran};
#[cfg(feature = "report")]
pub(crate) use record::admits;
pub use record::{
    Blocker, Explanation, InPlace, Obstacle, ProfileUse, Record, Relation, Storage, UnknownResource,
};
pub use run::RunCore;
