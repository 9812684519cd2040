//! Times of tasks: events that keep them, before and behind each.
//!
//! They are made when somebody asks for times, and are recorded by profiled runs alone, which are issued
//! in a way of their own: as steps or as a graph with a record more at both sides of every task. A run
//! that is not profiled makes the calls that it made before.
//!
//! CUDA tells what lies between two events of one context, whichever streams they were recorded on, in
//! milliseconds of single precision, and calls the resolution around half a microsecond. It warns that
//! this may be more than what was issued between the two takes, since work of other streams may come in
//! between, and answers `INVALID_HANDLE` for events that were not recorded or keep no time, and `NOT_READY`
//! for those that are not complete
//! ([`cuEventElapsedTime`](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__EVENT.html)). What it
//! answers where the second came first it does not say. So all times of a run are asked for from one event,
//! which is recorded before all else in it, on the first stream; the other streams wait for it. In a graph
//! it is the node that all others come behind.

use std::sync::Arc;

use super::super::{DriverError, Timeline, invalid};
use super::context::Context;
use super::objects::{Event, Stream};
use super::prepare::Work;
use crate::exec::{Executable, instant};
use crate::table::Op;

/// What CUDA says of the resolution, in nanoseconds.
const RESOLUTION: u64 = 500;

/// The events of one instance.
#[derive(Debug)]
pub(super) struct Marks {
    /// Before all tasks of a run.
    pub(super) base: Event,
    /// By task.
    tasks: Box<[Option<Mark>]>,
}

/// The events of one task.
#[derive(Debug)]
pub(super) struct Mark {
    pub(super) begin: Event,
    /// None of a task that does nothing on the device: it begins and ends at once.
    pub(super) end: Option<Event>,
}

/// An instant that runs of all instances are told from.
#[derive(Debug)]
pub(super) struct Zero {
    event: Event,
    /// When it was, in nanoseconds of the host's clock.
    at: u64,
}

/// What lies between two events.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Elapsed {
    nanos: u64,
    /// From this to the next that the same number of bits can tell, in nanoseconds.
    step: u64,
}

impl Elapsed {
    fn of(milliseconds: f32) -> Self {
        let nanos = |milliseconds: f32| f64::from(milliseconds) * 1e6;
        let step = nanos(milliseconds.next_up()) - nanos(milliseconds);
        Self {
            // What is below 0, or no number, becomes 0.
            nanos: nanos(milliseconds).round() as u64,
            step: step.ceil() as u64,
        }
    }

    fn between(context: &Context, from: &Event, to: &Event) -> Result<Self, DriverError> {
        let mut found = 0f32;
        // SAFETY: both events are there, and one number is written.
        let code = unsafe {
            let (from, to) = (from.raw().0, to.raw().0);
            context.api.cuEventElapsedTime(&raw mut found, from, to)
        };
        context.answer("cuEventElapsedTime", code)?;
        Ok(Self::of(found))
    }
}

impl Zero {
    /// Now, as the device has it. Waits until that has read its clock, on a stream that has nothing else
    /// to do.
    pub(super) fn new(context: &Arc<Context>) -> Result<Self, DriverError> {
        let (stream, event) = (Stream::new(context)?, Event::timed(context)?);
        // SAFETY: both are there.
        let code = unsafe { context.api.cuEventRecord(event.raw().0, stream.raw().0) };
        context.answer("cuEventRecord", code)?;
        // SAFETY: as above.
        let code = unsafe { context.api.cuEventSynchronize(event.raw().0) };
        context.answer("cuEventSynchronize", code)?;
        let at = instant();
        Ok(Self { event, at })
    }
}

impl Marks {
    /// For what an instance launches; `work` is what its ops are.
    pub(super) fn new(
        context: &Arc<Context>,
        exec: &Executable,
        work: &[Work],
    ) -> Result<Self, DriverError> {
        let image = exec.image();
        let base = Event::timed(context)?;
        let mut tasks: Box<[_]> = image.source.tasks.iter().map(|_| None).collect();
        for (op, work) in image.program.issue.iter().zip(work) {
            if let Op::Launch { task, .. } = *op {
                let begin = Event::timed(context)?;
                let end = match work {
                    Work::Nothing => None,
                    _ => Some(Event::timed(context)?),
                };
                tasks[task as usize] = Some(Mark { begin, end });
            }
        }
        Ok(Self { base, tasks })
    }

    /// Those of a task that is launched.
    pub(super) fn of(&self, task: u32) -> Option<&Mark> {
        self.tasks[task as usize].as_ref()
    }

    /// What they say of the run that recorded them last, all of which is over.
    pub(super) fn read(&self, context: &Context, zero: &Zero) -> Result<Timeline, DriverError> {
        context.reenter("profile")?;
        let from = Elapsed::between(context, &zero.event, &self.base)?;
        let start = zero.at + from.nanos;
        let mut step = 0;
        let mut when = |event: &Event| {
            let found = Elapsed::between(context, &self.base, event)?;
            step = step.max(found.step);
            Ok(start + found.nanos)
        };
        let mut tasks = Vec::with_capacity(self.tasks.len());
        for mark in &self.tasks {
            // The verifier has seen that each is launched.
            let mark = mark.as_ref().ok_or(invalid("profile", "a task"))?;
            let begin = when(&mark.begin)?;
            let end = mark.end.as_ref().map_or(Ok(begin), &mut when)?;
            tasks.push((begin, end));
        }
        // Both ends are rounded, by half a step each, once within the run and once to its start.
        let resolution = RESOLUTION + step + from.step;
        Ok(Timeline { tasks, resolution })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_is_told_as_finely_as_single_precision_has_it() {
        for (milliseconds, nanos, step) in [
            (0.0, 0, 1),
            (0.0005, 500, 1),
            (1.5, 1_500_000, 1),
            (1000.0, 1_000_000_000, 62),
            (3_600_000.0, 3_600_000_000_000, 250_000),
            (-1.0, 0, 1),
            (f32::NAN, 0, 0),
        ] {
            let found = Elapsed::of(milliseconds);
            assert_eq!((found.nanos, found.step), (nanos, step), "{milliseconds}");
        }
    }

    #[test]
    fn what_came_later_is_told_to_be_no_earlier() {
        let mut before = Elapsed::default();
        for ticks in 0..200_000u32 {
            // Half a microsecond each, some seconds on.
            let found = Elapsed::of((8_000_000.0 + f64::from(ticks) * 0.5) as f32 / 1000.0);
            assert!(found.nanos >= before.nanos, "{ticks}");
            before = found;
        }
    }
}
