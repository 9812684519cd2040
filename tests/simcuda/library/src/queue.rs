//! Streams and events.

use std::ffi::c_uint;
use std::sync::Arc;

use cudarc::driver::sys::{CUcontext, CUevent, CUstream};
use gpu_graph_runtime::driver::sim::SimDriver;
use gpu_graph_runtime::driver::{Driver, DriverError, EventId, StreamId};

use crate::call::{calls, fault, note};
use crate::status::{
    Answer, INVALID_HANDLE, INVALID_VALUE, LAUNCH_TIMEOUT, NOT_READY, NOT_SUPPORTED, of,
};
use crate::world::{Lost, World, handle, put};

#[derive(Clone, Copy, Debug)]
pub(crate) struct Stream {
    pub(crate) context: usize,
    id: StreamId,
    /// It is ordered with the legacy stream.
    blocking: bool,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Event {
    pub(crate) context: usize,
    pub(crate) id: EventId,
    timed: bool,
}

/// A stream that work can be issued to.
#[derive(Clone, Debug)]
pub(crate) struct Queue {
    pub(crate) context: usize,
    pub(crate) device: usize,
    pub(crate) driver: Arc<SimDriver>,
    pub(crate) id: StreamId,
    pub(crate) lost: Lost,
    legacy: bool,
}

const NON_BLOCKING: c_uint = 1;
const EVENT_FLAGS: c_uint = 1 | 2 | 4;
const DISABLE_TIMING: c_uint = 2;

/// `to` goes on after all that was issued to `from`.
fn join(driver: &SimDriver, from: StreamId, to: StreamId) -> Result<(), DriverError> {
    let event = driver.create_event()?;
    driver.record(event, from)?;
    driver.wait(to, event)?;
    driver.destroy_event(event)
}

impl World {
    /// The stream of that handle: null and 1 are the legacy stream of the current context.
    pub(crate) fn queue(&mut self, stream: CUstream) -> Answer<Queue> {
        let legacy = match stream.addr() {
            0 | 1 => true,
            2 => return Err(NOT_SUPPORTED),
            _ => false,
        };
        let (context, id) = if legacy {
            note("legacy");
            let context = self.current()?.0;
            (context, self.legacy(context)?)
        } else {
            let stream = self.streams.get(stream)?;
            (stream.context, stream.id)
        };
        let found = self.context(context)?;
        Ok(Queue {
            context,
            device: found.device,
            driver: Arc::clone(&self.devices[found.device]),
            id,
            lost: found.lost.clone(),
            legacy,
        })
    }

    fn legacy(&mut self, context: usize) -> Answer<StreamId> {
        let devices = &self.devices;
        let context = self.contexts.get_mut(&context).ok_or(INVALID_HANDLE)?;
        if let Some(id) = context.legacy {
            return Ok(id);
        }
        let id = devices[context.device].create_stream().map_err(of)?;
        context.legacy = Some(id);
        Ok(id)
    }

    fn blocking(&self, context: usize) -> Vec<StreamId> {
        let all = self.streams.0.values();
        let blocking = all.filter(|s| s.blocking && s.context == context);
        blocking.map(|s| s.id).collect()
    }

    /// Issues to a stream. What goes to the legacy stream comes after all that blocking streams of
    /// its context have, and before what they get from here on.
    pub(crate) fn issue<T>(
        &self,
        queue: &Queue,
        f: impl FnOnce(&SimDriver, StreamId) -> Result<T, DriverError>,
    ) -> Answer<T> {
        let around = if queue.legacy {
            self.blocking(queue.context)
        } else {
            Vec::new()
        };
        for &other in &around {
            join(&queue.driver, other, queue.id).map_err(of)?;
        }
        let answer = f(&queue.driver, queue.id).map_err(of)?;
        for &other in &around {
            join(&queue.driver, queue.id, other).map_err(of)?;
        }
        Ok(answer)
    }

    fn make_stream(flags: c_uint) -> Answer<*mut cudarc::driver::sys::CUstream_st> {
        if flags > NON_BLOCKING {
            return Err(INVALID_VALUE);
        }
        Self::ask(|world| {
            let (context, found) = world.current()?;
            let driver = Arc::clone(&world.devices[found.device]);
            let legacy = found.legacy;
            let id = driver.create_stream().map_err(of)?;
            let blocking = flags & NON_BLOCKING == 0;
            if let (true, Some(legacy)) = (blocking, legacy) {
                join(&driver, legacy, id).map_err(of)?;
            }
            let stream = Stream {
                context,
                id,
                blocking,
            };
            Ok(handle(world.streams.insert(stream)))
        })
    }
}

/// The end of all that was issued to a stream, as an event to ask or to wait for.
fn end_of(stream: CUstream) -> Answer<(Queue, EventId)> {
    World::ask(|world| {
        let queue = world.queue(stream)?;
        let event = queue.driver.create_event().map_err(of)?;
        world.issue(&queue, |driver, id| driver.record(event, id))?;
        Ok((queue, event))
    })
}

/// Waits for an event, without holding the world: work that runs meanwhile may call back.
pub(crate) fn wait_for(driver: &SimDriver, event: EventId, device: usize) -> Answer {
    match driver.synchronize(event) {
        Ok(()) => {}
        Err(DriverError::Invalid { .. }) => return Err(LAUNCH_TIMEOUT),
        Err(other) => return Err(of(other)),
    }
    World::with(|world| world.release_idle(device));
    Ok(())
}

/// Waits for all that was issued to a stream.
pub(crate) fn drain(stream: CUstream) -> Answer {
    let (queue, event) = end_of(stream)?;
    let waited = wait_for(&queue.driver, event, queue.device);
    let _ = queue.driver.destroy_event(event);
    waited.and_then(|()| queue.lost.check())
}

/// The event, its device, and how its context is.
fn event_of(event: CUevent) -> Answer<(Event, usize, Arc<SimDriver>, Lost)> {
    World::ask(|world| {
        let event = *world.events.get(event)?;
        let context = world.context(event.context)?;
        let driver = Arc::clone(&world.devices[context.device]);
        Ok((event, context.device, driver, context.lost.clone()))
    })
}

fn record(event: CUevent, stream: CUstream) -> Answer {
    World::ask(|world| {
        let queue = world.queue(stream)?;
        let event = *world.events.get(event)?;
        if event.context != queue.context {
            return Err(INVALID_HANDLE);
        }
        if event.timed {
            note("timed");
        }
        world.issue(&queue, |driver, id| driver.record(event.id, id))
    })
}

/// Milliseconds between two events, which keep times, are of one context, and were recorded, and whose
/// records have been executed. Whoever asks for anything else has lost track: it is reported.
fn elapsed(start: CUevent, end: CUevent) -> Answer<f32> {
    let lost_track = |status, what: &str| {
        fault("elapsed", &format!("the time to an event that {what}"));
        status
    };
    let (from, _, driver, lost) = event_of(start)?;
    let (to, ..) = event_of(end)?;
    if !from.timed || !to.timed {
        return Err(lost_track(INVALID_HANDLE, "keeps none"));
    }
    if from.context != to.context {
        return Err(lost_track(INVALID_HANDLE, "is of another context"));
    }
    let recorded = |event: Event| driver.is_recorded(event.id).map_err(of);
    if !recorded(from)? || !recorded(to)? {
        return Err(lost_track(INVALID_HANDLE, "was never recorded"));
    }
    let mut moments = [0; 2];
    for (moment, event) in moments.iter_mut().zip([from, to]) {
        let found = driver.moment(event.id).map_err(of)?;
        *moment = found.ok_or_else(|| lost_track(NOT_READY, "is not complete"))?;
    }
    lost.check()?;
    if moments[1] < moments[0] {
        // CUDA does not say what it answers.
        lost_track(0, "came first");
    }
    let [from, to] = moments.map(|steps| steps as f64);
    Ok(((to - from) / 1000.0) as f32)
}

calls! {
    /// A stream of the current context.
    fn cuStreamCreate(stream: *mut CUstream, flags: c_uint) {
        put(stream, World::make_stream(flags)?)
    }

    /// As [`cuStreamCreate`]; priorities are taken and ignored.
    fn cuStreamCreateWithPriority(stream: *mut CUstream, flags: c_uint, _priority: i32) {
        put(stream, World::make_stream(flags)?)
    }

    /// What was issued goes on to its end.
    fn cuStreamDestroy_v2(stream: CUstream) {
        World::ask(|world| {
            let gone = world.streams.remove(stream)?;
            let device = world.context(gone.context)?.device;
            world.devices[device].destroy_stream(gone.id).map_err(of)
        })
    }

    /// Waits for all that was issued to it.
    fn cuStreamSynchronize(stream: CUstream) {
        drain(stream)
    }

    /// Whether all that was issued to it has ended.
    fn cuStreamQuery(stream: CUstream) {
        let queue = World::ask(|world| world.queue(stream))?;
        let idle = queue.driver.is_idle(queue.id).map_err(of);
        queue.lost.check()?;
        if idle? { Ok(()) } else { Err(NOT_READY) }
    }

    /// The context that it is of.
    fn cuStreamGetCtx(stream: CUstream, context: *mut CUcontext) {
        let of = World::ask(|world| Ok(world.queue(stream)?.context))?;
        put(context, handle(of))
    }

    /// After the event as it was last recorded; at once where it never was.
    fn cuStreamWaitEvent(stream: CUstream, event: CUevent, flags: c_uint) {
        if flags > 1 {
            return Err(INVALID_VALUE);
        }
        World::ask(|world| {
            let queue = world.queue(stream)?;
            let event = world.events.get(event)?.id;
            world.issue(&queue, |driver, id| driver.wait(id, event))
        })
    }

    /// An event of the current context.
    fn cuEventCreate(event: *mut CUevent, flags: c_uint) {
        if flags & !EVENT_FLAGS != 0 {
            return Err(INVALID_VALUE);
        }
        let made = World::ask(|world| {
            let (context, found) = world.current()?;
            let id = world.devices[found.device].create_event().map_err(of)?;
            let timed = flags & DISABLE_TIMING == 0;
            Ok(world.events.insert(Event { context, id, timed }))
        })?;
        put(event, handle(made))
    }

    /// Stands for all that was issued to the stream; both are of one context.
    fn cuEventRecord(event: CUevent, stream: CUstream) {
        record(event, stream)
    }

    /// As [`cuEventRecord`].
    fn cuEventRecordWithFlags(event: CUevent, stream: CUstream, flags: c_uint) {
        if flags > 1 {
            return Err(INVALID_VALUE);
        }
        record(event, stream)
    }

    /// Whether what it stands for has ended.
    fn cuEventQuery(event: CUevent) {
        let (event, _, driver, lost) = event_of(event)?;
        let complete = driver.query(event.id).map_err(of);
        lost.check()?;
        if complete? { Ok(()) } else { Err(NOT_READY) }
    }

    /// Waits until what it stands for has ended.
    fn cuEventSynchronize(event: CUevent) {
        let (event, device, driver, lost) = event_of(event)?;
        wait_for(&driver, event.id, device)?;
        lost.check()
    }

    /// Waits that were issued hold.
    fn cuEventDestroy_v2(event: CUevent) {
        World::ask(|world| {
            let gone = world.events.remove(event)?;
            let device = world.context(gone.context)?.device;
            world.devices[device].destroy_event(gone.id).map_err(of)
        })
    }

    /// A step of the simulated devices is a microsecond.
    fn cuEventElapsedTime like cuEventElapsedTime_v2 (milliseconds: *mut f32, start: CUevent, end: CUevent) {
        put(milliseconds, elapsed(start, end)?)
    }

    /// As [`cuEventElapsedTime`].
    fn cuEventElapsedTime_v2(milliseconds: *mut f32, start: CUevent, end: CUevent) {
        put(milliseconds, elapsed(start, end)?)
    }
}

/// Waits for all that was issued to any stream of a context.
pub(crate) fn drain_context(context: usize) -> Answer {
    let (device, driver, lost, ends) = World::ask(|world| {
        let found = world.context(context)?;
        let (device, lost, legacy) = (found.device, found.lost.clone(), found.legacy);
        let driver = Arc::clone(&world.devices[device]);
        let mine = world.streams.0.values().filter(|s| s.context == context);
        let end = |stream| {
            let event = driver.create_event()?;
            driver.record(event, stream)?;
            Ok(event)
        };
        let ends = mine.map(|s| s.id).chain(legacy).map(end);
        let ends = ends.collect::<Result<Vec<_>, _>>().map_err(of)?;
        Ok((device, driver, lost, ends))
    })?;
    for event in ends {
        wait_for(&driver, event, device)?;
        let _ = driver.destroy_event(event);
    }
    lost.check()
}
