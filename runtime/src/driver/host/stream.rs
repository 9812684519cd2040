//! Streams that are given one operation at a time: a bounded queue and a thread for each.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, OnceLock};
use std::thread;

use super::super::pool::Complete;
use super::super::{Address, DriverError};
use super::exec::panicked;
use super::places::Places;
use crate::exec::Executable;
use crate::sync::{Inside, Queue, Signal};
use crate::table::Form;

/// Operations that a stream takes before its callers wait for room.
const CAPACITY: usize = 1024;

/// The end of all that was issued to a stream up to some point. Each record makes one of its own,
/// so recording an event again takes nothing from those who wait for it.
#[derive(Debug)]
pub(super) struct Done {
    reached: Signal,
    /// Set before `reached` is.
    error: OnceLock<DriverError>,
}

impl Done {
    pub(super) fn new() -> Arc<Self> {
        Arc::new(Self {
            reached: Signal::new(0),
            error: OnceLock::new(),
        })
    }

    /// Waits, and says what failed before it.
    pub(super) fn wait(&self) -> Result<(), DriverError> {
        self.reached.wait(1);
        self.error.get().map_or(Ok(()), |e| Err(e.clone()))
    }
}

impl Complete for Arc<Done> {
    fn is_complete(&self) -> bool {
        self.reached.reached(1)
    }
}

/// One operation.
#[derive(Debug)]
pub(super) enum Work {
    Launch {
        exec: Arc<Executable>,
        task: u32,
        form: Form,
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
    Record(Arc<Done>),
    Wait(Arc<Done>),
}

/// The producers' side of a stream. The queue closes with the last of its owners, after which the
/// thread works off what is left and ends.
#[derive(Debug)]
pub(super) struct Stream {
    queue: Arc<Queue<Work>>,
}

impl Stream {
    /// `places` lives as long as the stream's thread: queued work may touch it.
    pub(super) fn new(places: Arc<Places>) -> Result<Self, DriverError> {
        let queue = Arc::new(Queue::new(CAPACITY));
        let own = Arc::clone(&queue);
        thread::Builder::new()
            .name("gpu-graph stream".to_owned())
            .spawn(move || {
                work(&own);
                drop(places);
            })
            .map_err(|e| DriverError::System {
                call: "create_stream",
                code: e.raw_os_error().unwrap_or(0),
            })?;
        Ok(Self { queue })
    }

    /// Issues `work`; waits for room where the queue is full, except inside a kernel.
    pub(super) fn post(&self, call: &'static str, work: Work) -> Result<(), DriverError> {
        match self.queue.try_push(work) {
            Ok(()) => Ok(()),
            Err(_) if Inside::is() => Err(DriverError::InsideKernel { call }),
            Err(work) => {
                self.queue.push(work);
                Ok(())
            }
        }
    }
}

impl Drop for Stream {
    fn drop(&mut self) {
        self.queue.close();
    }
}

/// A stream's life. After a failure, its own or that of an event it waits for, it skips all but
/// records, which carry the failure on.
fn work(queue: &Queue<Work>) {
    let _inside = Inside::enter();
    let mut taken = 0;
    let mut failed: Option<DriverError> = None;
    while let Some(work) = queue.pop(&mut taken) {
        match work {
            Work::Record(done) => {
                if let Some(error) = &failed {
                    // Recorded once, so it is not set yet.
                    let _ = done.error.set(error.clone());
                }
                done.reached.set(1);
            }
            Work::Wait(done) => {
                let waited = done.wait();
                failed = failed.or(waited.err());
            }
            _ if failed.is_some() => {}
            Work::Launch { exec, task, form } => {
                // SAFETY: the caller of `launch` orders the task against all that conflicts.
                let call = AssertUnwindSafe(|| unsafe { exec.call(task, form) });
                if let Err(payload) = catch_unwind(call) {
                    failed = Some(panicked(task, payload));
                }
            }
            Work::Copy { to, from, bytes } => {
                // SAFETY: the caller of `copy` promised both ranges, apart, live and unraced.
                unsafe { std::ptr::copy_nonoverlapping(from.0, to.0, bytes) }
            }
            Work::Fill { to, value, bytes } => {
                // SAFETY: the caller of `fill` promised the range, live and unraced.
                unsafe { to.0.write_bytes(value, bytes) }
            }
        }
    }
}
