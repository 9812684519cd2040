//! Operations in a queue, and what running one does to memory.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, OnceLock};

use super::super::host::panicked;
use super::super::pool::Complete;
use super::super::{Address, DriverError};
use super::clock::Clock;
use super::raw::RawTask;
use super::shadow::{Access, Owner};
use crate::exec::Executable;
use crate::sync::Inside;
use crate::table::{Form, Mode};

/// Storage that is released or made is filled with this.
const POISON: u8 = 0xa5;

/// Larger storage is not filled: that would make the system back all of it.
const POISON_UP_TO: usize = 64 << 20;

/// The end of all that was issued to a stream up to some point.
#[derive(Debug, Default)]
pub(super) struct Done {
    /// What is known to have happened by then.
    pub(super) at: OnceLock<Clock>,
    pub(super) error: OnceLock<DriverError>,
    /// How many steps had been taken by then, in the whole world.
    pub(super) moment: OnceLock<u64>,
}

impl Complete for Arc<Done> {
    fn is_complete(&self) -> bool {
        self.at.get().is_some()
    }
}

/// What the tasks of one run share.
#[derive(Debug)]
pub(super) struct Run {
    pub(super) generation: u64,
    pub(super) failed: OnceLock<DriverError>,
}

#[derive(Debug)]
pub(super) enum Work {
    Launch {
        exec: Arc<Executable>,
        task: u32,
        form: Form,
        run: Option<Arc<Run>>,
    },
    Copy {
        to: Address,
        from: Address,
        bytes: usize,
    },
    Fill {
        to: Address,
        value: u8,
        bytes: usize,
    },
    /// What its caller describes.
    Raw(Arc<RawTask>),
    Record(Arc<Done>),
    Wait(Arc<Done>),
    Allocate {
        at: Address,
        bytes: usize,
        pool: usize,
    },
    Free {
        at: Address,
        bytes: usize,
        done: Arc<Done>,
    },
}

/// What a task touches, by the tables, and what an upload reads.
pub(super) fn accesses(exec: &Arc<Executable>, task: u32, run: u64) -> Vec<Access> {
    let resources = exec.image().source.resources;
    let mut all: Vec<Access> = exec
        .touches(task)
        .map(|t| Access {
            start: t.start.addr(),
            bytes: t.bytes,
            mode: t.mode,
            owner: Some(match resources[t.resource as usize].class.persists() {
                // What outlives runs is of none, and all variants of a graph mean one by it: it is
                // known by its place.
                true => Owner {
                    exec: exec.base(t.resource).addr(),
                    resource: 0,
                    run: 0,
                },
                false => Owner {
                    exec: Arc::as_ptr(exec).addr(),
                    resource: t.resource,
                    run,
                },
            }),
            via: None,
            strict: false,
        })
        .collect();
    all.extend(
        exec.upload_source(task)
            .map(|(start, bytes)| Access::plain(start.addr(), bytes, Mode::Read)),
    );
    all
}

/// Fills storage whose content nobody may rely on.
pub(super) fn poison(at: Address, bytes: usize) {
    if bytes <= POISON_UP_TO {
        // SAFETY: callers own these bytes: they are mapped, and no work on them is under way, as
        // one step is run at a time.
        unsafe { at.0.write_bytes(POISON, bytes) }
    }
}

/// A step that has been judged, and what is left to do for it.
#[derive(Debug)]
pub(super) struct Step {
    pub(super) lane: usize,
    pub(super) work: Work,
    /// It touches memory; of raw work, that what it touches is there.
    pub(super) runs: bool,
}

impl Step {
    /// Does what the step does to memory. Answers a failure and whether the stream fails with it.
    pub(super) fn run(&self) -> Option<DriverError> {
        if let Work::Raw(task) = &self.work {
            let _inside = Inside::enter();
            task.act.act(self.runs);
            return None;
        }
        if !self.runs {
            return None;
        }
        match &self.work {
            Work::Launch {
                exec,
                task,
                form,
                run,
            } => {
                let _inside = Inside::enter();
                // SAFETY: one step is run at a time, so nothing is raced; all that the task touches
                // is there, or the shadow would have said no; inputs are set before a start.
                let call = AssertUnwindSafe(|| unsafe { exec.call(*task, *form) });
                let error = catch_unwind(call)
                    .err()
                    .map(|payload| panicked(*task, payload))?;
                match run {
                    Some(run) => {
                        let _ = run.failed.set(error);
                        None
                    }
                    None => Some(error),
                }
            }
            Work::Copy { to, from, bytes } => {
                // SAFETY: as above; the caller of `copy` promised two ranges that are apart.
                unsafe { std::ptr::copy_nonoverlapping(from.0, to.0, *bytes) };
                None
            }
            Work::Fill { to, value, bytes } => {
                // SAFETY: as above.
                unsafe { to.0.write_bytes(*value, *bytes) };
                None
            }
            Work::Allocate { at, bytes, .. } | Work::Free { at, bytes, .. } => {
                poison(*at, *bytes);
                None
            }
            Work::Record(_) | Work::Wait(_) | Work::Raw(_) => None,
        }
    }
}
