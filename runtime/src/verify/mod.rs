//! Holds a [`Program`] against its [`Source`], knowing nothing of the planner that made it.
//!
//! The same `const fn`s run inside rustc at every expansion, for the largest and the smallest dims,
//! and again when a graph is loaded, for the actual ones ([`verify`]).
//!
//! # What is proved
//! For the dims at hand, in every execution that streams and events admit:
//! - each task of the source is issued exactly once per run;
//! - each byte that a task or the host reads holds what the source's sequential meaning says: the
//!   right resource, the right run, the right writer;
//! - two accesses of one byte of the arena, one of them a write, are ordered, also where different
//!   resources share it; within a task they do not overlap, but for the operand and the result of
//!   an in-place launch, which are one range;
//! - what outlives a run (resident inputs, inouts) lies in the store, where slots share nothing; a
//!   run touches it between its acquire and its release only, and leaves the source's last version;
//!   a graph with several instances updates none of it;
//! - no byte of arena or pinned memory is used in two isolation domains; callbacks touch staging and
//!   other kernels do not; what a hold names stays as it was until the hold;
//! - a task that makes a value again does what makes it the first time, with what was passed then,
//!   and whoever reads the copy reads what the value would be ([`Source::again`]);
//! - demanded orders, aliases and separations hold; events are recorded once per run and waited for
//!   only after that; inputs are written by their upload alone, outputs fully written and collected
//!   once;
//! - slots are aligned, inside the arena and large enough; arenas fit the budget; grids, blocks,
//!   shared memory and parameter blocks are within the launch limits; every index is in range. A
//!   malformed table is a [`Violation`], never a panic.
//!
//! # How
//! Resources are cut into *pieces* at the borders of their accesses. One walk over the source in
//! statement order gives each piece of each reading access the version (the last writer) it must
//! see. One walk over the program in issue order keeps a vector clock per stream and event, and a
//! shadow of the arena: who holds each byte, who wrote it last, who has read it since. A piece's
//! first write takes its bytes from their holders, whose accesses must all be in the task's clock.
//! An access that is empty for the dims at hand covers no piece: it reads, writes and orders nothing.
//!
//! # Why one run decides for all
//! A launch reads more than the arena: where its arguments are, and scalars, which the host sets
//! for each run of an instance once that run's gates are passed. So the gates have to show that
//! *everything* the instance last ran is over, and that is checked
//! ([`StillRunning`](Violation::StillRunning)). Gates reach back `depth` runs and an instance is
//! used again after `ring`, so these are equal ([`Ring`](Violation::Ring)). Instances
//! share neither arena nor streams nor events. By induction every run then starts as the first one
//! did: alone in an arena whose former accesses are all over, tasks and the host's reads alike,
//! since the host is one thread and reads a run's outputs before it passes the instance's next gate.
//! What the host may have waited for when it read an output is relied on by nobody: it may never
//! read. The store is the host's between a release and the next acquire: an update of it comes with
//! a ring of one, whose gates show that the run before is over, and the host sets it only while no
//! instance runs. [`WaitPrev`](crate::table::Op::WaitPrev) only adds order, on an event that
//! stands until the same run records it again.
//!
//! # Variants
//! The programs of one graph's variants take turns in one arena and one block of pinned memory, and each
//! is proved by itself. [`turns`] holds them against each other: no byte is used in two isolation domains
//! by any two of them, and the budget has room for the most that any takes of each.
//!
//! # Limits
//! The proof trusts what kernels declare of their effects, the drivers' event semantics and rustc.
//! It is made for given dims: at build time for the corners of the dims' box, at load for the
//! actual ones. It trusts that what no pair of `again` names is the graph as it was written. That a caller reads outputs between issue and the next gate of the instance
//! is the facade's to keep.
//!
//! # At build time
//! There is no heap in rustc's evaluator, so scratch memory is an array whose length an earlier
//! constant computes. [`prove!`](crate::prove) writes this out:
//!
//! ```
//! use gpu_graph_runtime::table::*;
//! static SOURCE: Source<'static> = Source {
//!     name: "Copy", dims: &[], products: &[], exprs: &[Expr { constant: 8, terms: &[] }],
//!     resources: &[
//!         Resource { name: "x", class: Class::Input, elem: Elem::F32, domain: 0, shape: &[0] },
//!         Resource { name: "y", class: Class::Output, elem: Elem::F32, domain: 0, shape: &[0] },
//!     ],
//!     kernels: &[Kernel { name: "copy", over: &[], block: &[], shared: 0, params: 16, callback: false, in_place: None }],
//!     tasks: &[
//!         Task { kind: TaskKind::Upload, accesses: Span::new(0, 1), scalars: Span::new(0, 0), dims: Span::new(0, 0) },
//!         Task { kind: TaskKind::Kernel(0), accesses: Span::new(1, 2), scalars: Span::new(0, 0), dims: Span::new(0, 0) },
//!     ],
//!     accesses: &[
//!         Access { resource: 0, mode: Mode::Overwrite, rows: Rows::All },
//!         Access { resource: 0, mode: Mode::Read, rows: Rows::All },
//!         Access { resource: 1, mode: Mode::Overwrite, rows: Rows::All },
//!     ],
//!     scalars: &[], bindings: &[], params: 0, orders: &[], aliases: &[], separate: &[], again: &[],
//!     depth: 1, budget: None,
//! };
//! static PROGRAM: Program<'static> = Program {
//!     ring: 1, streams: 1, events: 1, arena: 512, store: 0, pinned: 0, issue_as: Issue::Streams,
//!     slots: &[Slot { offset: 0, bytes: 32 }, Slot { offset: 256, bytes: 32 }],
//!     issue: &[
//!         Op::Gate { event: 0 },
//!         Op::Launch { task: 0, stream: 0, form: Form::Apart },
//!         Op::Launch { task: 1, stream: 0, form: Form::Apart },
//!         Op::Record { event: 0, stream: 0 },
//!     ],
//!     collect: &[HostOp::Wait { event: 0 }, HostOp::Read { resource: 1 }],
//! };
//! gpu_graph_runtime::prove!(SOURCE, PROGRAM);
//! ```
//!
//! A program that is wrong does not compile; here the second task reads what nothing wrote yet:
//!
//! ```compile_fail,E0080
//! # use gpu_graph_runtime::table::*;
//! # static SOURCE: Source<'static> = Source {
//! #     name: "Copy", dims: &[], products: &[], exprs: &[Expr { constant: 8, terms: &[] }],
//! #     resources: &[
//! #         Resource { name: "x", class: Class::Input, elem: Elem::F32, domain: 0, shape: &[0] },
//! #         Resource { name: "y", class: Class::Output, elem: Elem::F32, domain: 0, shape: &[0] },
//! #     ],
//! #     kernels: &[Kernel { name: "copy", over: &[], block: &[], shared: 0, params: 16, callback: false, in_place: None }],
//! #     tasks: &[
//! #         Task { kind: TaskKind::Upload, accesses: Span::new(0, 1), scalars: Span::new(0, 0), dims: Span::new(0, 0) },
//! #         Task { kind: TaskKind::Kernel(0), accesses: Span::new(1, 2), scalars: Span::new(0, 0), dims: Span::new(0, 0) },
//! #     ],
//! #     accesses: &[
//! #         Access { resource: 0, mode: Mode::Overwrite, rows: Rows::All },
//! #         Access { resource: 0, mode: Mode::Read, rows: Rows::All },
//! #         Access { resource: 1, mode: Mode::Overwrite, rows: Rows::All },
//! #     ],
//! #     scalars: &[], bindings: &[], params: 0, orders: &[], aliases: &[], separate: &[], again: &[],
//! #     depth: 1, budget: None,
//! # };
//! static PROGRAM: Program<'static> = Program {
//!     ring: 1, streams: 1, events: 1, arena: 512, store: 0, pinned: 0, issue_as: Issue::Streams,
//!     slots: &[Slot { offset: 0, bytes: 32 }, Slot { offset: 256, bytes: 32 }],
//!     issue: &[
//!         Op::Gate { event: 0 },
//!         Op::Launch { task: 1, stream: 0, form: Form::Apart },
//!         Op::Launch { task: 0, stream: 0, form: Form::Apart },
//!         Op::Record { event: 0, stream: 0 },
//!     ],
//!     collect: &[HostOp::Wait { event: 0 }, HostOp::Read { resource: 1 }],
//! };
//! gpu_graph_runtime::prove!(SOURCE, PROGRAM);
//! ```

/// Unwraps a result inside a `const fn`, where `?` does not exist.
macro_rules! tri {
    ($e:expr) => {
        match $e {
            Ok(value) => value,
            Err(violation) => return Err(violation),
        }
    };
}

mod again;
mod clocks;
mod cut;
mod in_place;
mod issue;
mod limits;
mod measure;
mod proof;
mod report;
mod run;
mod shadow;
mod sort;
mod starts;
mod storage;
mod turns;
mod versions;
mod violation;

pub use cut::Counts;
pub use limits::{MAX_BLOCK, MAX_GRID, MAX_PARAMS, MAX_SHARED, MAX_THREADS};
pub use proof::{Corner, Cut, cut_words, prove, walk_words};
pub use turns::{prove_turns, turns};
pub use violation::{Table, Violation};

use crate::table::{Program, Source};

/// Holds `program` against `source` for `dims`, as a load does.
///
/// # Errors
/// The first [`Violation`] found.
pub fn verify(source: &Source<'_>, program: &Program<'_>, dims: &[u64]) -> Result<(), Violation> {
    let spans = cut::spans(source);
    let mut words = vec![0; cut::words(source, spans)];
    let counts = cut::cut(source, dims, spans, &mut words)?;
    let mut scratch = vec![0; proof::words(source, program, counts)?];
    proof::check(
        source,
        program,
        &cut::view(source, counts, &words),
        counts,
        &mut scratch,
    )
}
