//! What the operating system gives: address ranges, protection, and memory that can be mapped at
//! several places.
//!
//! All variants have the same functions. `heap` stands in where the interpreter Miri runs: it has
//! no protection, so nothing faults there. Other systems than Unix answer `Unsupported`.

#[cfg(miri)]
#[path = "heap.rs"]
mod system;
#[cfg(all(unix, not(miri)))]
#[path = "unix.rs"]
mod system;
#[cfg(not(any(unix, miri)))]
#[path = "absent.rs"]
mod system;

pub(in crate::driver) use system::{File, Parked, Reservation};

/// Unit of mapping: a multiple of every usual page size.
pub(in crate::driver) const GRANULARITY: u64 = 64 << 10;
