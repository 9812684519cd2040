//! The CUDA driver's functions over simulated devices.
//!
//! Built as a shared library whose name is the driver's, opened before anybody looks for that, so
//! that unmodified callers are served by it. Work is queued and run where the host waits or asks, one
//! piece at a time, from a ready stream that a seed picks; every access is held against vector
//! clocks ([`gpu_graph_runtime::driver::sim`]). Kernels are functions of the host that a test
//! registers, with what they touch: [`simcuda`] is the test's side.
//!
//! # How CUDA is read here
//! A real GPU has the last word. Where the documentation leaves room, the worse reading is taken.
//! - **Streams** run in order of issue and are otherwise unordered. Null and 1 are the legacy stream
//!   of the current context: what goes there comes after all that blocking streams of the context
//!   have, and before what they get later; non-blocking streams know nothing of it.
//! - **Events** stand for what was issued before their latest record *call*; a wait takes them as they
//!   are when it is *called*; never recorded, they are complete. Event and stream of a record are of
//!   one context, those of a wait need not be. Destroyed, waits that were issued hold.
//! - **Times** are steps of the simulated devices, a microsecond each, at which records were executed.
//!   Between events that keep none, or were never recorded, there is none: `INVALID_HANDLE`; where one
//!   has not been executed: `NOT_READY`. What is answered where the second came first is left open. Who
//!   asks so is reported.
//! - **Contexts**: primary ones, retained and released by count; the current one is a thread's own. A
//!   launch needs the context of function and stream to be current and one, else
//!   `INVALID_HANDLE`; copies, fills, waits and queries do not. None is current: `INVALID_CONTEXT`.
//!   It is gone: `CONTEXT_IS_DESTROYED`.
//! - **Copies**: addresses say which way. From memory that is not pinned the asynchronous ones read
//!   at any time until they end; into it they end before the call does. The synchronous ones from
//!   such memory return once it has been read, while the rest is under way on the legacy stream.
//!   The log says `pageable` of all of these. What a queued copy will read from pinned memory, the
//!   host must not write: if it changed, that is reported.
//!   A copy of pool memory wants the stream's context to be current, which `cuMemcpyPeerAsync` does
//!   not.
//! - **Pools** are stream-ordered: memory is there for what comes after its allocation on that stream
//!   and gone for all that is not before its free. It is reused where the free has been executed or
//!   lies on the same stream. A pool is reached by its own device and those that were given access.
//!   At a synchronisation what is idle above the release threshold goes back; addresses of it are
//!   then unmapped, whatever graph holds them.
//! - **Virtual memory** is mapped whole, without access until a device is given it; unmapping does not
//!   wait. Units are 64 KiB, to be asked for, not assumed.
//! - **Graphs**: nodes run in any order that edges admit, behind all that the launching stream has and
//!   before what it gets later; arguments are read when a node is added; an executable is a copy of
//!   the graph, and its next launch is ordered behind its last (the log says `serialized` where
//!   that had not ended). Destroyed in flight, it goes on to its end.
//! - **Freeing** pinned memory and unloading modules do not wait; work that still uses them is
//!   reported.
//! - **Errors**: a call that is refused changes nothing. What a kernel does wrong is answered by a
//!   later call; 700, 702, 714 to 719 are for ever: every later call on the context answers them.
//! - **Functions of the host** in a stream must not call the driver: `NOT_PERMITTED`.
//!
//! # Limits
//! Kernels are believed in what they say they touch, but for outputs that they leave unwritten. Reuse
//! by a pool's hidden dependencies, priorities, capture, managed memory, arrays and peer distances are
//! not there. What threads of the host do counts as done by one.

#![allow(
    non_snake_case,
    reason = "functions are called as the driver calls them"
)]
#![allow(
    clippy::missing_safety_doc,
    reason = "the macro that exports them says it"
)]

mod act;
mod call;
mod control;
mod device;
mod graph;
mod launch;
mod memory;
mod module;
mod never;
mod node;
mod pool;
mod queue;
mod status;
mod task;
mod vm;
mod world;

/// Every function of the driver that is exported.
pub(crate) fn symbols() -> impl Iterator<Item = &'static str> {
    let files = [
        device::NAMES,
        queue::NAMES,
        memory::NAMES,
        vm::NAMES,
        pool::NAMES,
        module::NAMES,
        launch::NAMES,
        graph::NAMES,
        node::NAMES,
        never::NAMES,
    ];
    files.into_iter().flatten().copied()
}
