//! Instances that run as a whole: one static list of steps for each stream.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use super::super::turns::Turns;
use super::super::{DriverError, Exec, Timeline};
use crate::exec::{Executable, GroupError};
use crate::sync::{Inside, Signal};
use crate::table::{Form, Op, Program};

/// Set in a token once no more runs come.
const CLOSED: u64 = 1 << 63;

/// One step of one stream.
#[derive(Clone, Copy, Debug)]
enum Step {
    Launch { task: u32, form: Form },
    Record { event: u32 },
    Wait { event: u32 },
    WaitPrev { event: u32 },
}

/// One copy of arena, streams and events.
#[derive(Debug)]
struct Instance {
    exec: Arc<Executable>,
    /// Last run that was started; what its workers wait for.
    token: Signal,
    /// Last run in which each event completed.
    events: Box<[Signal]>,
    /// Last run that failed.
    failed: AtomicU64,
    failure: Mutex<Option<(u64, DriverError)>>,
}

/// What the workers and the handle own together.
#[derive(Debug)]
struct Shared {
    instances: Box<[Instance]>,
    /// By stream.
    steps: Box<[Box<[Step]>]>,
    turns: Turns,
}

/// The instances of one program on this machine. Stream 0 runs on the thread that calls
/// [`start`](Exec::start), each other stream on a thread of its own.
#[derive(Debug)]
pub(super) struct HostExec {
    shared: Arc<Shared>,
}

fn split(program: &Program<'_>) -> Box<[Box<[Step]>]> {
    let mut steps = vec![Vec::new(); usize::from(program.streams)];
    for op in program.issue {
        let (stream, step) = match *op {
            // The host's own business: gates are passed before the start, and behind them what
            // outlives runs is at hand.
            Op::Gate { .. } | Op::Acquire { .. } | Op::Release { .. } => continue,
            Op::Launch { task, stream, form } => (stream, Step::Launch { task, form }),
            Op::Record { event, stream } => (stream, Step::Record { event }),
            Op::Wait { stream, event } => (stream, Step::Wait { event }),
            Op::WaitPrev { stream, event } => (stream, Step::WaitPrev { event }),
        };
        steps[usize::from(stream)].push(step);
    }
    steps.into_iter().map(Vec::into_boxed_slice).collect()
}

impl HostExec {
    /// # Safety
    /// As [`Driver::instantiate`](super::super::Driver::instantiate).
    pub(super) unsafe fn new(instances: Vec<Arc<Executable>>) -> Result<Self, DriverError> {
        let (turns, program) = Turns::new(&instances)?;
        let instances = instances.into_iter().map(|exec| Instance {
            exec,
            token: Signal::new(0),
            events: (0..program.events).map(|_| Signal::new(0)).collect(),
            failed: AtomicU64::new(0),
            failure: Mutex::new(None),
        });
        let exec = Self {
            shared: Arc::new(Shared {
                instances: instances.collect(),
                steps: split(program),
                turns,
            }),
        };
        for instance in 0..exec.shared.instances.len() {
            for stream in 1..exec.shared.steps.len() {
                let shared = Arc::clone(&exec.shared);
                // Dropping `exec` on failure ends the workers that exist.
                thread::Builder::new()
                    .name(format!("gpu-graph {instance}.{stream}"))
                    .spawn(move || shared.work(instance, stream))
                    .map_err(|e| DriverError::System {
                        call: "instantiate",
                        code: e.raw_os_error().unwrap_or(0),
                    })?;
            }
        }
        Ok(exec)
    }
}

impl Shared {
    /// A worker's life: each run that is started, in order, until the handle is gone.
    fn work(&self, instance: usize, stream: usize) {
        let mut done = 0;
        loop {
            let token = &self.instances[instance].token;
            token.wait(done + 1);
            if token.get() == CLOSED | done {
                return;
            }
            done += 1;
            self.drive(instance, stream, done);
        }
    }

    /// Runs all steps of a stream for one run. Does not unwind.
    fn drive(&self, index: usize, stream: usize, run: u64) {
        let _inside = Inside::enter();
        let steps = &self.steps[stream];
        let mut at = 0;
        while at < steps.len() {
            let Err(payload) =
                catch_unwind(AssertUnwindSafe(|| self.steps(index, steps, run, &mut at)))
            else {
                return;
            };
            if let Some(&Step::Launch { task, .. }) = steps.get(at) {
                self.instances[index].fail(run, task, payload);
            }
            at += 1;
        }
    }

    /// Runs the steps from `at` on; `at` names the one that unwound, if one did.
    #[inline]
    fn steps(&self, index: usize, steps: &[Step], run: u64, at: &mut usize) {
        let instance = &self.instances[index];
        let exec = &*instance.exec;
        while let Some(step) = steps.get(*at) {
            match *step {
                Step::Launch { task, form } => {
                    // What an ordered predecessor saw failed is seen here too: the order makes the
                    // store visible. Else the task runs in vain, on bytes that are all values.
                    if instance.failed.load(Ordering::Relaxed) != run {
                        // SAFETY: the program has passed the verifier, so the events waited for
                        // above and the order of this list cover all that the task is ordered
                        // after; `Signal` makes it visible. Inputs are set: `start` says so.
                        unsafe { exec.call(task, form) }
                    }
                }
                Step::Record { event } => instance.events[event as usize].set(run),
                Step::Wait { event } => instance.events[event as usize].wait(run),
                Step::WaitPrev { event } => self.wait_previous(index, event, run),
            }
            *at += 1;
        }
    }

    fn wait_previous(&self, index: usize, event: u32, run: u64) {
        // Generation 0 is reached from the start: the first run waits for nothing.
        let (index, run) = self.turns.previous(index, run);
        self.instances[index].events[event as usize].wait(run);
    }
}

impl Instance {
    /// Keeps the first failure of a run.
    #[cold]
    fn fail(&self, run: u64, task: u32, payload: Box<dyn Any + Send>) {
        let error = panicked(task, payload);
        let mut failure = self.failure.lock().unwrap_or_else(PoisonError::into_inner);
        if failure.as_ref().is_none_or(|(failed, _)| *failed < run) {
            *failure = Some((run, error));
        }
        drop(failure);
        // Released by every record that follows on this stream.
        self.failed.fetch_max(run, Ordering::AcqRel);
    }
}

/// What a panic said. Does not unwind.
pub(in crate::driver) fn panicked(task: u32, payload: Box<dyn Any + Send>) -> DriverError {
    if let Some(&source) = payload.downcast_ref::<GroupError>() {
        return DriverError::Group { task, source };
    }
    let message = match (
        payload.downcast_ref::<&str>(),
        payload.downcast_ref::<String>(),
    ) {
        (Some(text), _) => (*text).to_owned(),
        (_, Some(text)) => text.clone(),
        _ => "no message".to_owned(),
    };
    // A payload may panic in its own drop, and what that throws is not looked at again.
    if let Err(second) = catch_unwind(AssertUnwindSafe(|| drop(payload))) {
        std::mem::forget(second);
    }
    DriverError::Panicked { task, message }
}

// SAFETY: each stream runs its ops in their order, waits at `Wait` for the record of the same run, and
// an event is set by its record alone, after all that its stream ran before. Workers own `Shared`, and
// with it every `Executable`, until they end; the caller of `start` borrows it.
unsafe impl Exec for HostExec {
    unsafe fn start(&self, instance: u32, generation: u64) -> Result<(), DriverError> {
        let index = self.shared.turns.take(instance, generation)?;
        if self.shared.steps.len() > 1 {
            self.shared.instances[index].token.set(generation);
        }
        self.shared.drive(index, 0, generation);
        Ok(())
    }

    fn started(&self, instance: u32) -> u64 {
        self.shared.turns.started(instance as usize)
    }

    fn query(&self, instance: u32, generation: u64, event: u32) -> bool {
        let instance = self.shared.instances.get(instance as usize);
        let event = instance.and_then(|i| i.events.get(event as usize));
        event.is_some_and(|e| e.reached(generation))
    }

    fn wait(&self, instance: u32, generation: u64, event: u32) -> Result<(), DriverError> {
        let (index, event) = self.shared.turns.check_wait(instance, generation, event)?;
        self.shared.instances[index].events[event].wait(generation);
        Ok(())
    }

    fn failure(&self, instance: u32) -> Option<DriverError> {
        let index = instance as usize;
        let instance = self.shared.instances.get(index)?;
        let failed = instance.failed.load(Ordering::Acquire);
        if failed == 0 || failed != self.shared.turns.started(index) {
            return None;
        }
        let failure = instance
            .failure
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        failure.as_ref().map(|(_, error)| error.clone())
    }

    fn time(&mut self, on: bool) -> Result<(), DriverError> {
        let instances = self.shared.instances.iter();
        instances.for_each(|instance| instance.exec.time(on));
        Ok(())
    }

    fn times(&self, instance: u32, generation: u64) -> Result<Option<Timeline>, DriverError> {
        let index = instance as usize;
        let last = self.shared.turns.started(index) == generation;
        let instance = self.shared.instances.get(index).filter(|_| last);
        Ok(instance.and_then(|instance| instance.exec.times()))
    }
}

impl Drop for HostExec {
    fn drop(&mut self) {
        for (index, instance) in self.shared.instances.iter().enumerate() {
            // Workers end after the runs that were started; nobody waits for them.
            instance
                .token
                .set(CLOSED | self.shared.turns.started(index));
        }
    }
}
