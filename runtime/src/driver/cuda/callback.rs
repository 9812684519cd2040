//! Tasks that are host code, and what is known of a run.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use super::super::DriverError;
use super::super::host::panicked;
use super::core::lock;
use crate::exec::Executable;
use crate::sync::Inside;
use crate::table::Form;

/// What is known of the last run of an instance, also by its callbacks.
#[derive(Debug, Default)]
pub(super) struct State {
    /// The run under way.
    pub(super) run: AtomicU64,
    /// The last run that failed.
    pub(super) failed: AtomicU64,
    /// The last run of which a part was refused: its events say nothing, its streams do.
    pub(super) broken: AtomicU64,
    pub(super) failure: Mutex<Option<(u64, DriverError)>>,
}

impl State {
    /// Keeps the first failure of a run.
    #[cold]
    pub(super) fn fail(&self, run: u64, error: DriverError) {
        let mut failure = lock(&self.failure);
        if failure.as_ref().is_none_or(|(failed, _)| *failed < run) {
            *failure = Some((run, error));
        }
        drop(failure);
        self.failed.fetch_max(run, Ordering::AcqRel);
    }
}

/// A task that is host code.
#[derive(Debug)]
pub(super) struct Callback {
    pub(super) exec: Arc<Executable>,
    pub(super) state: Arc<State>,
    pub(super) task: u32,
    pub(super) form: Form,
}

/// Runs a callback, on a thread of the driver.
///
/// # Safety
/// `data` is a [`Callback`] that lives until this returns, called where the program has its task.
pub(super) unsafe extern "C" fn call_back(data: *mut std::ffi::c_void) {
    // SAFETY: the caller's.
    let callback = unsafe { &*data.cast::<Callback>() };
    let run = callback.state.run.load(Ordering::Acquire);
    if callback.state.failed.load(Ordering::Relaxed) == run {
        return;
    }
    let _inside = Inside::enter();
    // SAFETY: the program has passed the verifier, and the stream or the edges keep its order; the
    // task touches pinned memory alone, which the host reaches.
    let call = AssertUnwindSafe(|| unsafe { callback.exec.call(callback.task, callback.form) });
    if let Err(payload) = catch_unwind(call) {
        let error = panicked(callback.task, payload);
        callback.state.fail(run, error);
    }
}

/// What callbacks are given, for each op that is one.
pub(super) struct Calls<'a> {
    pub(super) callbacks: &'a [Callback],
    pub(super) by_op: &'a [Option<usize>],
}

impl Calls<'_> {
    /// What the callback of that op is given.
    pub(super) fn of(&self, op: usize) -> *mut std::ffi::c_void {
        let callback = self.by_op[op].map(|at| &self.callbacks[at]);
        callback.map_or(std::ptr::null_mut(), |callback| {
            std::ptr::from_ref(callback).cast_mut().cast()
        })
    }
}
