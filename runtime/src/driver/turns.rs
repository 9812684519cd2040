//! What drivers check before they issue a run.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use super::{DriverError, invalid};
use crate::exec::Executable;
use crate::sync::Inside;
use crate::table::{MAX_STREAMS, Op, Program};

/// No run has a number as large.
pub(super) const LAST: u64 = 1 << 62;

/// Which runs have been started.
#[derive(Debug)]
pub(super) struct Turns {
    /// By instance, the last run.
    started: Box<[AtomicU64]>,
    /// Runs of all instances, where the program waits for events of the previous run: instances
    /// then take turns.
    rotation: Option<AtomicU64>,
    /// Whether each event is recorded at all.
    recorded: Box<[bool]>,
}

impl Turns {
    /// Checks the instances and finds their program.
    pub(super) fn new(
        instances: &[Arc<Executable>],
    ) -> Result<(Self, &'static Program<'static>), DriverError> {
        let fail = |what| Err(invalid("instantiate", what));
        let Some(first) = instances.first() else {
            return fail("the number of instances");
        };
        let program = first.image().program;
        if instances.len() != program.ring as usize {
            return fail("the number of instances");
        }
        let same = |p: &Program<'_>| std::ptr::eq(p, program) || p == program;
        if !instances.iter().all(|i| same(i.image().program)) {
            return fail("an instance of another program");
        }
        let streams = usize::from(program.streams);
        if streams == 0 || streams * instances.len() > MAX_STREAMS {
            return fail("the number of streams");
        }
        let tasks = first.image().source.tasks.len();
        let mut recorded = vec![false; program.events as usize];
        let mut rotates = false;
        for op in program.issue {
            let (stream, event, task) = match *op {
                Op::Gate { event } => (0, Some(event), None),
                Op::Acquire { .. } | Op::Release { .. } => continue,
                Op::Launch { task, stream, .. } => (stream, None, Some(task)),
                Op::Record { event, stream }
                | Op::Wait { stream, event }
                | Op::WaitPrev { stream, event } => (stream, Some(event), None),
            };
            if usize::from(stream) >= streams
                || event.is_some_and(|e| e >= program.events)
                || task.is_some_and(|t| t as usize >= tasks)
            {
                return fail("an op of the program");
            }
            rotates |= matches!(op, Op::WaitPrev { .. });
            if let Op::Record { event, .. } = *op {
                recorded[event as usize] = true;
            }
        }
        let turns = Self {
            started: instances.iter().map(|_| AtomicU64::new(0)).collect(),
            rotation: rotates.then(|| AtomicU64::new(0)),
            recorded: recorded.into(),
        };
        Ok((turns, program))
    }

    /// Last run of an instance that was started.
    pub(super) fn started(&self, instance: usize) -> u64 {
        self.started[instance].load(Ordering::Acquire)
    }

    /// Notes that a run starts, if it may.
    pub(super) fn take(&self, instance: u32, generation: u64) -> Result<usize, DriverError> {
        const CALL: &str = "start";
        if Inside::is() {
            return Err(DriverError::InsideKernel { call: CALL });
        }
        let index = instance as usize;
        let started = self
            .started
            .get(index)
            .ok_or(invalid(CALL, "the instance"))?;
        if generation == 0
            || generation >= LAST
            || started.load(Ordering::Acquire) != generation - 1
        {
            return Err(invalid(CALL, "the generation"));
        }
        if let Some(rotation) = &self.rotation {
            let run = (generation - 1) * self.started.len() as u64 + index as u64;
            rotation
                .compare_exchange(run, run + 1, Ordering::AcqRel, Ordering::Relaxed)
                .map_err(|_| invalid(CALL, "the order of instances"))?;
        }
        started
            .compare_exchange(
                generation - 1,
                generation,
                Ordering::AcqRel,
                Ordering::Relaxed,
            )
            .map_err(|_| invalid(CALL, "the generation"))?;
        Ok(index)
    }

    /// Takes back that a run starts, of which nothing was issued.
    #[cfg(feature = "cuda")]
    pub(super) fn give_back(&self, index: usize, generation: u64) {
        self.started[index].store(generation - 1, Ordering::Release);
        if let Some(rotation) = &self.rotation {
            let run = (generation - 1) * self.started.len() as u64 + index as u64;
            rotation.store(run, Ordering::Release);
        }
    }

    /// The run before that one: its instance and its generation, 0 before the first. Run `k` of a
    /// program uses instance `k % ring`.
    pub(super) fn previous(&self, instance: usize, generation: u64) -> (usize, u64) {
        match instance.checked_sub(1) {
            Some(previous) => (previous, generation),
            None => (self.started.len() - 1, generation - 1),
        }
    }

    /// Whether an event of a run will ever complete.
    pub(super) fn check_wait(
        &self,
        instance: u32,
        generation: u64,
        event: u32,
    ) -> Result<(usize, usize), DriverError> {
        const CALL: &str = "wait";
        if Inside::is() {
            return Err(DriverError::InsideKernel { call: CALL });
        }
        let index = instance as usize;
        let started = self
            .started
            .get(index)
            .ok_or(invalid(CALL, "the instance"))?;
        if self.recorded.get(event as usize) != Some(&true) {
            return Err(invalid(CALL, "an event that is never recorded"));
        }
        if generation > started.load(Ordering::Acquire) {
            return Err(invalid(CALL, "a run that has not been started"));
        }
        Ok((index, event as usize))
    }
}
