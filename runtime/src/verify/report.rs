//! Violations in words.

mod names;

use std::fmt;

use super::Violation;
use crate::table::Source;
use names::{What, name};

/// A violation, with names where the source is known.
pub(super) struct Named<'a> {
    pub(super) violation: &'a Violation,
    pub(super) source: Option<&'a Source<'a>>,
}

impl fmt::Display for Named<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        use Violation as V;
        let task = |i: u32| self.say(What::Task(i));
        let resource = |i: u32| self.say(What::Resource(i));
        let kernel = |i: u32| self.say(What::Kernel(i));
        match *self.violation {
            V::DimCount { expected, found } => {
                write!(f, "the graph has {expected} dims, {found} were given")
            }
            V::DimRange { dim, value } => {
                let name = self.say(What::Dim(dim));
                match self.source.and_then(|s| s.dims.get(dim as usize)) {
                    Some(d) => write!(f, "{name} is {value}, outside {}..={}", d.min, d.max),
                    None => write!(f, "{name} is {value}, outside its bounds"),
                }
            }
            V::TooMany { table } => write!(f, "{} has too many entries", name(table)),
            V::Dangling { table, entry } => {
                write!(
                    f,
                    "entry {entry} of {} names something that is not there",
                    name(table)
                )
            }
            V::NoProduct { product } => write!(
                f,
                "product {product} of dims overflows or has a negative factor for these dims"
            ),
            V::NoValue { expr } => {
                write!(f, "extent {expr} is negative or overflows for these dims")
            }
            V::Size { resource: r } => {
                write!(f, "{} has no extent, or its size overflows", resource(r))
            }
            V::Rows { access } => {
                write!(
                    f,
                    "the rows of {} leave the resource",
                    self.say(What::Access(access))
                )
            }
            V::Streams {
                depth,
                ring,
                streams,
            } => write!(
                f,
                "depth {depth}, {ring} instances of {streams} streams: each is at least 1, and at \
                 most 16 streams in all"
            ),
            V::Ring { ring, depth } => write!(
                f,
                "{depth} runs may be in flight, which takes as many instances, and there are {ring}"
            ),
            V::SlotAlign { resource: r } => {
                write!(f, "{} has no slot, or one that is not aligned", resource(r))
            }
            V::SlotBounds { resource: r } => {
                write!(f, "the slot of {} leaves the arena", resource(r))
            }
            V::SlotShared { resource: r } => write!(
                f,
                "the slot of {} is not its own, and its content outlives runs",
                resource(r)
            ),
            V::Domain { resource: r } => write!(
                f,
                "the slot of {} is not its isolation domain's alone",
                resource(r)
            ),
            V::SharedUpdate { resource: r } => write!(
                f,
                "{} is updated by runs of which several may be in flight",
                resource(r)
            ),
            V::SlotSize { resource: r } => {
                write!(
                    f,
                    "the slot of {} is smaller than the resource",
                    resource(r)
                )
            }
            V::Budget { arena, ring } => {
                write!(f, "{ring} arenas of {arena} bytes exceed the budget")
            }
            V::NotAliased { a, b } => {
                write!(f, "{} must start where {} does", resource(a), resource(b))
            }
            V::NotSeparate { a, b } => {
                write!(
                    f,
                    "{} and {} must not share storage",
                    resource(a),
                    resource(b)
                )
            }
            V::SharedAccesses { task: t } => {
                write!(
                    f,
                    "the accesses of {} begin among those of a task before it",
                    task(t)
                )
            }
            V::Upload { task: t } => {
                write!(f, "{} is not one full overwrite of one input", task(t))
            }
            V::Uploads { resource: r } => {
                write!(f, "{} does not have exactly one upload", resource(r))
            }
            V::Fill { task: t } => write!(f, "{} is not one overwrite", task(t)),
            V::Copy { task: t } => {
                write!(
                    f,
                    "{} is not one read and one overwrite of as many bytes",
                    task(t)
                )
            }
            V::Hold { task: t } => {
                write!(f, "{} overwrites, or holds for a later task", task(t))
            }
            V::Space {
                task: t,
                resource: r,
            } => write!(
                f,
                "{} cannot reach {}, which is on the other side",
                task(t),
                resource(r)
            ),
            V::Retained {
                hold,
                resource: r,
                task: t,
            } => write!(
                f,
                "{} writes {}, which {} still holds",
                task(t),
                resource(r),
                task(hold)
            ),
            V::Unfinished { hold, resource: r } => write!(
                f,
                "{} is used before {}, until which it is being written",
                resource(r),
                task(hold)
            ),
            V::InputWritten {
                task: t,
                resource: r,
            } => {
                write!(f, "{} writes the input {}", task(t), resource(r))
            }
            V::Shared { kernel: k } => {
                write!(
                    f,
                    "{} needs more shared memory than a block can have",
                    kernel(k)
                )
            }
            V::Params { kernel: k } => write!(f, "the parameters of {} are too large", kernel(k)),
            V::Arguments { task: t } => {
                write!(
                    f,
                    "{} passes more than the parameters of its kernel hold",
                    task(t)
                )
            }
            V::Block { kernel: k } => write!(f, "the block of {} exceeds the limits", kernel(k)),
            V::Grid { task: t } => write!(f, "the grid of {} exceeds the limits", task(t)),
            V::Unwritten {
                task: t,
                resource: r,
            } => {
                write!(
                    f,
                    "{} reads {}, which nothing before it wrote",
                    task(t),
                    resource(r)
                )
            }
            V::OutputUnwritten { resource: r } => {
                write!(f, "the output {} is not fully written", resource(r))
            }
            V::Overlap {
                task: t,
                resource: r,
                other,
            } => write!(
                f,
                "{} writes {} where it also uses {}",
                task(t),
                resource(r),
                resource(other)
            ),
            V::Original { entry } => write!(
                f,
                "entry {entry} of the tasks that make a value again has no task before it that made it"
            ),
            V::NotAgain { task: t, of } => write!(
                f,
                "{} is to do what {} does, and is passed something else",
                task(t),
                task(of)
            ),
            V::NotOwn {
                task: t,
                resource: r,
            } => write!(
                f,
                "{} writes {}, which is not one value that is made again",
                task(t),
                resource(r)
            ),
            V::ReadsOther {
                task: t,
                of,
                resource: r,
            } => write!(
                f,
                "{} is to do what {} does, and reads other content in {}",
                task(t),
                task(of),
                resource(r)
            ),
            V::NotCopy {
                task: t,
                resource: r,
                of,
            } => write!(
                f,
                "{} reads {} as a copy of {}, which holds something else then",
                task(t),
                resource(r),
                resource(of)
            ),
            V::IssuedTwice { task: t } => write!(f, "{} is issued twice", task(t)),
            V::NotIssued { task: t } => write!(f, "{} is not issued", task(t)),
            V::InPlace { task: t } => {
                write!(
                    f,
                    "{} runs in place, but operand and result are not one range",
                    task(t)
                )
            }
            V::LateGate { op } => write!(f, "op {op} is a gate after other ops"),
            V::RecordedTwice { op, event } => {
                write!(f, "op {op} records event {event} a second time in one run")
            }
            V::WaitBeforeRecord { op, event } => {
                write!(f, "op {op} waits for event {event} before its record")
            }
            V::NeverRecorded { event } => {
                write!(f, "event {event} is waited for, and no run records it")
            }
            V::Overtaken { op, event } => write!(
                f,
                "op {op} waits for event {event} of the previous run after this run recorded it"
            ),
            V::Absent {
                task: t,
                resource: r,
            } => {
                write!(
                    f,
                    "{} reads {}, whose content is not there",
                    task(t),
                    resource(r)
                )
            }
            V::WrongVersion {
                task: t,
                resource: r,
                expected,
                found,
            } => write!(
                f,
                "{} reads {} as {} left it, not as {} did",
                task(t),
                resource(r),
                task(found),
                task(expected)
            ),
            V::Race {
                task: t,
                resource: r,
                other,
            } => {
                write!(
                    f,
                    "{} and {} both use {}, unordered",
                    task(t),
                    task(other),
                    resource(r)
                )
            }
            V::EarlyReuse {
                task: t,
                resource: r,
                previous,
                other,
            } => write!(
                f,
                "{} writes {} over {}, which {} may still use",
                task(t),
                resource(r),
                resource(previous),
                task(other)
            ),
            V::Unordered { before, after } => {
                write!(
                    f,
                    "{} must complete before {} starts",
                    task(before),
                    task(after)
                )
            }
            V::StillRunning { stream } => write!(
                f,
                "the gates do not wait for all of stream {stream} before its instance runs again"
            ),
            V::NotPersistent { resource: r } => write!(
                f,
                "{} is acquired or released, and ends with its run",
                resource(r)
            ),
            V::Acquire { resource: r } => write!(
                f,
                "{} is not acquired once, before all that touches it",
                resource(r)
            ),
            V::Release { resource: r } => write!(
                f,
                "{} is not released once, behind all that touches it",
                resource(r)
            ),
            V::ReleasedVersion {
                resource: r,
                expected,
                found,
            } => write!(
                f,
                "the run leaves {} as {} left it, not as {} did",
                resource(r),
                task(found),
                task(expected)
            ),
            V::NotOutput { resource: r } => {
                write!(f, "the host reads {}, which is no output", resource(r))
            }
            V::CollectedTwice { resource: r } => {
                write!(f, "the output {} is collected twice", resource(r))
            }
            V::NotCollected { resource: r } => {
                write!(f, "the output {} is not collected", resource(r))
            }
            V::OutputLost { resource: r } => {
                write!(
                    f,
                    "the storage of the output {} is taken in its run",
                    resource(r)
                )
            }
            V::OutputVersion {
                resource: r,
                expected,
                found,
            } => write!(
                f,
                "the host reads {} as {} left it, not as {} did",
                resource(r),
                task(found),
                task(expected)
            ),
            V::OutputRace {
                resource: r,
                writer,
            } => {
                write!(
                    f,
                    "the host reads {} without waiting for {}",
                    resource(r),
                    task(writer)
                )
            }
        }
    }
}
