//! The instances of a program on a GPU.
//!
//! All that a run needs is made before the first: functions are found, parameters are laid out,
//! streams and events are there. A start makes the calls of the driver that the program is, and
//! allocates nothing, locks nothing and waits for nothing.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use super::super::turns::Turns;
use super::super::{DriverError, Exec, Timeline, invalid};
use super::core::{Core, lock};
use super::instance::{How, Instance};
use super::marks::Zero;
use super::objects::Event;
use super::retire::Over;
use crate::exec::Executable;
use crate::sync::Inside;
use crate::table::{Issue, Op, Program};

/// The instances of one program on a GPU.
#[derive(Debug)]
pub(super) struct CudaExec {
    instances: Vec<Instance>,
    turns: Turns,
    program: &'static Program<'static>,
    /// Runs are timed from the next one on.
    timed: bool,
    core: Arc<Core>,
}

impl CudaExec {
    /// # Safety
    /// As [`Driver::instantiate`](super::super::Driver::instantiate).
    pub(super) unsafe fn new(
        core: &Arc<Core>,
        execs: Vec<Arc<Executable>>,
    ) -> Result<Self, DriverError> {
        const CALL: &str = "instantiate";
        let (turns, program) = Turns::new(&execs)?;
        if execs.iter().any(|exec| exec.in_group()) {
            return Err(DriverError::Unsupported {
                call: "a collective",
            });
        }
        let waits = program
            .issue
            .iter()
            .any(|op| matches!(op, Op::WaitPrev { .. }));
        let graph = program.issue_as == Issue::Graph;
        if graph && waits && execs.len() > 1 {
            return Err(DriverError::Unsupported { call: CALL });
        }
        let mut made = Self {
            instances: Vec::new(),
            turns,
            program,
            timed: false,
            core: Arc::clone(core),
        };
        for exec in execs {
            let instance = Instance::new(core, program, exec)?;
            made.instances.push(instance);
        }
        made.link();
        Ok(made)
    }

    /// Where an instance waits for the run before, of which instance that is.
    fn link(&mut self) {
        let raw = |instance: &Instance| -> Vec<_> {
            let events = instance.events.iter();
            events.map(|event| event.as_ref().map(Event::raw)).collect()
        };
        let events: Vec<_> = self.instances.iter().map(raw).collect();
        let count = events.len();
        for (index, instance) in self.instances.iter_mut().enumerate() {
            for steps in instance.steps() {
                steps.link(self.program, &events[(index + count - 1) % count]);
            }
        }
    }

    fn part(&self, instance: usize) -> Option<&Instance> {
        self.instances.get(instance)
    }

    /// Whether the run before that one leaves nothing to wait for but its events.
    fn follows(&self, index: usize, generation: u64) -> Result<bool, DriverError> {
        let (before, run) = self.turns.previous(index, generation);
        let broken = self.instances[before].state.broken.load(Ordering::Acquire);
        if run > 0 && broken == run && !self.instances[before].idle() {
            return Err(invalid(
                "start",
                "a run behind one that was refused half-way",
            ));
        }
        Ok(run > 0)
    }
}

// SAFETY: calls are issued in the order of the program, each to the stream that it says; in a graph
// the edges were held against that order. An event is CUDA's own, recorded where the program has it,
// and is taken for complete once CUDA says so, or where nothing runs any more, as always in a graph.
// What a run uses is kept until its streams are idle.
unsafe impl Exec for CudaExec {
    unsafe fn start(&self, instance: u32, generation: u64) -> Result<(), DriverError> {
        // On the way nothing is counted before it is known that the driver can be called.
        if Inside::is() {
            return Err(DriverError::InsideKernel { call: "start" });
        }
        self.core.context.reenter("start")?;
        let index = self.turns.take(instance, generation)?;
        let part = &self.instances[index];
        part.state.run.store(generation, Ordering::Release);
        let context = &self.core.context;
        let issued = match part.how(self.timed) {
            How::Graph(built) => built
                .launch(context, &part.streams[0])
                .map_err(|e| (false, e)),
            How::Streams(steps) => match steps.waits() {
                true => self.follows(index, generation).map_err(|e| (false, e)),
                false => Ok(false),
            }
            .and_then(|follows| steps.issue(context, follows)),
        };
        if self.timed && issued.is_ok() {
            part.note_timed(generation);
        }
        issued.map_err(|(part_of_it, error)| {
            match part_of_it {
                true => {
                    part.state.broken.store(generation, Ordering::Release);
                    part.state.fail(generation, error.clone());
                }
                false => self.turns.give_back(index, generation),
            }
            error
        })
    }

    fn started(&self, instance: u32) -> u64 {
        let index = instance as usize;
        self.part(index).map_or(0, |_| self.turns.started(index))
    }

    fn query(&self, instance: u32, generation: u64, event: u32) -> bool {
        let Some(part) = self.part(instance as usize) else {
            return false;
        };
        let Some(seen) = part.seen.get(event as usize) else {
            return false;
        };
        let started = self.turns.started(instance as usize);
        // A later run has passed the gates of that one.
        if generation < started
            || seen.load(Ordering::Acquire) >= generation
            || part.ended.load(Ordering::Acquire) >= generation
        {
            return true;
        }
        if generation > started {
            return false;
        }
        let complete = part.complete(generation, event as usize);
        if complete {
            seen.fetch_max(generation, Ordering::AcqRel);
        }
        complete
    }

    fn wait(&self, instance: u32, generation: u64, event: u32) -> Result<(), DriverError> {
        let (index, at) = self.turns.check_wait(instance, generation, event)?;
        let part = &self.instances[index];
        if generation < self.turns.started(index)
            || part.seen[at].load(Ordering::Acquire) >= generation
            || part.ended.load(Ordering::Acquire) >= generation
        {
            return Ok(());
        }
        let context = &self.core.context;
        context.reenter("wait")?;
        match &part.events[at] {
            Some(event) if part.state.broken.load(Ordering::Acquire) != generation => {
                // SAFETY: the event is there as long as this is borrowed.
                let code = unsafe { context.api.cuEventSynchronize(event.raw().0) };
                context.answer("cuEventSynchronize", code)?;
                if part.end.is_some_and(|end| end as usize == at) {
                    part.ended.fetch_max(generation, Ordering::AcqRel);
                }
            }
            _ => {
                for stream in &part.streams {
                    // SAFETY: as above.
                    let code = unsafe { context.api.cuStreamSynchronize(stream.raw().0) };
                    context.answer("cuStreamSynchronize", code)?;
                }
                part.ended.fetch_max(generation, Ordering::AcqRel);
            }
        }
        part.seen[at].fetch_max(generation, Ordering::AcqRel);
        Ok(())
    }

    fn failure(&self, instance: u32) -> Option<DriverError> {
        let part = self.part(instance as usize)?;
        if let Err(lost) = self.core.context.usable() {
            return Some(lost);
        }
        let failed = part.state.failed.load(Ordering::Acquire);
        if failed == 0 || failed != self.turns.started(instance as usize) {
            return None;
        }
        let failure = lock(&part.state.failure);
        failure.as_ref().map(|(_, error)| error.clone())
    }

    fn time(&mut self, on: bool) -> Result<(), DriverError> {
        if on && !self.timed {
            let context = &self.core.context;
            context.enter("profile")?;
            // Times are told the better the nearer this is.
            let zero = Arc::new(Zero::new(context)?);
            Instance::time(&mut self.instances, &self.core, &zero)?;
            self.link();
        }
        self.timed = on;
        Ok(())
    }

    fn times(&self, instance: u32, generation: u64) -> Result<Option<Timeline>, DriverError> {
        match self.part(instance as usize).filter(|_| self.timed) {
            Some(part) => part.times(&self.core, generation),
            None => Ok(None),
        }
    }
}

impl Drop for CudaExec {
    fn drop(&mut self) {
        // No call of the driver, and no wait: runs in flight go on, and keep what they use.
        for instance in std::mem::take(&mut self.instances) {
            let over = Over::Streams(instance.streams.clone());
            self.core.retired.push(over, Box::new(instance));
        }
    }
}
