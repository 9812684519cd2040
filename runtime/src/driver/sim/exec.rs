//! Instances on the simulated driver: all ops of a run are queued by its start.

use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use super::super::pool::Complete;
use super::super::turns::Turns;
use super::super::{DriverError, Exec, Timeline};
use super::Shared;
use super::step::{Done, Run, Work};
use crate::exec::Executable;
use crate::table::{HostOp, Op, Program};

/// One run: its events, by index.
#[derive(Debug)]
struct Issued {
    run: Arc<Run>,
    events: Vec<Arc<Done>>,
}

/// The instances of one program.
#[derive(Debug)]
pub(super) struct SimExec {
    shared: Arc<Shared>,
    device: usize,
    program: &'static Program<'static>,
    instances: Vec<Arc<Executable>>,
    turns: Turns,
    /// By instance and stream.
    lanes: Vec<Vec<usize>>,
    /// By instance, every run so far.
    runs: Mutex<Vec<Vec<Issued>>>,
}

impl SimExec {
    pub(super) fn new(
        shared: &Arc<Shared>,
        device: usize,
        instances: Vec<Arc<Executable>>,
    ) -> Result<Self, DriverError> {
        let (turns, program) = Turns::new(&instances)?;
        let mut world = shared.world();
        let lanes = instances
            .iter()
            .map(|_| (0..program.streams).map(|_| world.lane(device)).collect());
        let lanes = lanes.collect();
        drop(world);
        let runs = Mutex::new(instances.iter().map(|_| Vec::new()).collect());
        Ok(Self {
            shared: Arc::clone(shared),
            device,
            program,
            instances,
            turns,
            lanes,
            runs,
        })
    }

    fn runs(&self) -> std::sync::MutexGuard<'_, Vec<Vec<Issued>>> {
        self.runs.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The host reads the outputs of the last run that it may read by now.
    fn look(&self, index: usize, generation: u64) {
        let runs = self.runs();
        let Some(issued) = runs[index].last() else {
            return;
        };
        if issued.run.generation != generation || issued.run.failed.get().is_some() {
            return;
        }
        let mut world = self.shared.world();
        for op in self.program.collect {
            match *op {
                HostOp::Wait { event } => {
                    let done = issued.events.get(event as usize);
                    if !done.is_some_and(|d| d.is_complete() && world.has_seen(d)) {
                        return;
                    }
                }
                HostOp::Read { resource } => {
                    world.read_output(self.device, &self.instances[index], resource, generation);
                }
            }
        }
    }

    fn event(&self, instance: usize, generation: u64, event: usize) -> Option<Arc<Done>> {
        let runs = self.runs();
        let issued = runs
            .get(instance)?
            .get(generation.checked_sub(1)? as usize)?;
        issued.events.get(event).cloned()
    }
}

// SAFETY: a lane's work is run in its order, a wait only after its record, and a record marks its
// event when its turn comes. Queued work owns its `Executable`.
unsafe impl Exec for SimExec {
    unsafe fn start(&self, instance: u32, generation: u64) -> Result<(), DriverError> {
        let index = self.turns.take(instance, generation)?;
        let events: Vec<Arc<Done>> = (0..self.program.events).map(|_| Arc::default()).collect();
        let run = Arc::new(Run {
            generation,
            failed: OnceLock::new(),
        });
        let mut runs = self.runs();
        let mut world = self.shared.world();
        for op in self.program.issue {
            let (stream, work) = match *op {
                Op::Gate { .. } | Op::Acquire { .. } | Op::Release { .. } => continue,
                Op::Launch { task, stream, form } => {
                    let exec = Arc::clone(&self.instances[index]);
                    let run = Some(Arc::clone(&run));
                    (
                        stream,
                        Work::Launch {
                            exec,
                            task,
                            form,
                            run,
                        },
                    )
                }
                Op::Record { event, stream } => {
                    (stream, Work::Record(Arc::clone(&events[event as usize])))
                }
                Op::Wait { stream, event } => {
                    (stream, Work::Wait(Arc::clone(&events[event as usize])))
                }
                Op::WaitPrev { stream, event } => {
                    let (previous, before) = self.turns.previous(index, generation);
                    let Some(issued) = before
                        .checked_sub(1)
                        .and_then(|b| runs[previous].get(b as usize))
                    else {
                        continue;
                    };
                    (
                        stream,
                        Work::Wait(Arc::clone(&issued.events[event as usize])),
                    )
                }
            };
            world.issue(self.lanes[index][usize::from(stream)], work, &[]);
        }
        runs[index].push(Issued { run, events });
        Ok(())
    }

    fn started(&self, instance: u32) -> u64 {
        self.turns.started(instance as usize)
    }

    fn query(&self, instance: u32, generation: u64, event: u32) -> bool {
        let Some(done) = self.event(instance as usize, generation, event as usize) else {
            return false;
        };
        self.shared.some_steps();
        let complete = done.is_complete();
        self.shared.world().seen(&done);
        complete
    }

    fn wait(&self, instance: u32, generation: u64, event: u32) -> Result<(), DriverError> {
        let (index, at) = self.turns.check_wait(instance, generation, event)?;
        match self.event(index, generation, at) {
            Some(done) => {
                self.shared.until("wait", &done)?;
                self.look(index, generation);
                Ok(())
            }
            None => Ok(()),
        }
    }

    fn failure(&self, instance: u32) -> Option<DriverError> {
        let runs = self.runs();
        runs.get(instance as usize)?
            .last()?
            .run
            .failed
            .get()
            .cloned()
    }

    fn time(&mut self, on: bool) -> Result<(), DriverError> {
        self.instances.iter().for_each(|exec| exec.time(on));
        Ok(())
    }

    fn times(&self, instance: u32, generation: u64) -> Result<Option<Timeline>, DriverError> {
        let index = instance as usize;
        let last = self.turns.started(index) == generation;
        let exec = self.instances.get(index).filter(|_| last);
        Ok(exec.and_then(|exec| exec.times()))
    }
}
