//! A run, op by op.

use std::ffi::c_void;
use std::sync::Arc;

use cudarc::driver::sys::{CUevent, CUfunction, CUstream};

use super::super::{Culprit, DriverError};
use super::callback::{Calls, call_back};
use super::context::{Context, Raw};
use super::geometry::Geometry;
use super::marks::Marks;
use super::objects::{Event, Stream};
use super::pack::Packed;
use super::prepare::{Work, culprit};
use super::status::SUCCESS;
use crate::exec::Executable;
use crate::table::{Op, Program};

/// One call of the driver, or several.
#[derive(Clone, Copy, Debug)]
enum Call {
    /// Launches that follow each other, which are these: a loop of its own makes no choice between them.
    Kernels {
        from: u32,
        to: u32,
    },
    Upload {
        to: u64,
        resource: u32,
        bytes: usize,
    },
    Copy {
        to: u64,
        from: u64,
        bytes: usize,
    },
    Fill {
        to: u64,
        bytes: usize,
    },
    Callback {
        data: Raw<*mut c_void>,
    },
    Record {
        event: Raw<CUevent>,
    },
    Wait {
        event: Raw<CUevent>,
    },
    /// For the run before, if there was one.
    WaitPrevious {
        event: Raw<CUevent>,
    },
}

/// A launch of a kernel.
#[derive(Clone, Copy, Debug)]
struct Launch {
    function: Raw<CUfunction>,
    stream: Raw<CUstream>,
    params: Raw<*mut *mut c_void>,
    geometry: Geometry,
    /// The op of the program that it is.
    op: u32,
}

/// A call, and the stream that it is for.
#[derive(Clone, Copy, Debug)]
struct Step {
    stream: Raw<CUstream>,
    /// The op of the program that it is, or the first of several, or that it times.
    op: u32,
    call: Call,
}

/// The op of what is before all ops of a program.
const NONE: u32 = u32::MAX;

/// The calls of a run, in order.
#[derive(Debug)]
pub(super) struct Steps {
    steps: Box<[Step]>,
    launches: Box<[Launch]>,
    exec: Arc<Executable>,
    /// What parameters of launches point to.
    _packed: Packed,
    waits: bool,
}

impl Steps {
    /// The calls of an instance whose streams and events these are, with a record before and behind each
    /// task where there are marks.
    pub(super) fn new(
        (exec, work, packed): (&Arc<Executable>, &[Work], Packed),
        calls: &Calls<'_>,
        streams: &[Arc<Stream>],
        events: &[Option<Event>],
        marks: Option<&Marks>,
    ) -> Self {
        let program = exec.image().program;
        let mut steps: Vec<Step> = Vec::with_capacity(work.len());
        let mut launches = Vec::new();
        let mut waits = false;
        let null = || Raw(std::ptr::null_mut());
        let event = |event: u32| {
            events[event as usize]
                .as_ref()
                .map_or_else(null, Event::raw)
        };
        let step = |stream: u8, op: u32, call: Call| Step {
            stream: streams[usize::from(stream)].raw(),
            op,
            call,
        };
        if let Some(Marks { base, .. }) = marks {
            let event = base.raw();
            steps.push(step(0, NONE, Call::Record { event }));
            let others = 1..program.streams;
            steps.extend(others.map(|stream| step(stream, NONE, Call::Wait { event })));
        }
        for (op, (entry, work)) in program.issue.iter().zip(work).enumerate() {
            let mut end = None;
            if let (Some(marks), Op::Launch { task, stream, .. }) = (marks, *entry)
                && let Some(mark) = marks.of(task)
            {
                let record =
                    |event: &Event| step(stream, op as u32, Call::Record { event: event.raw() });
                steps.push(record(&mark.begin));
                end = mark.end.as_ref().map(record);
            }
            let (stream, call) = match *entry {
                // The host's own business: gates are passed before the start.
                Op::Gate { .. } | Op::Acquire { .. } | Op::Release { .. } => continue,
                Op::Launch { stream, .. } => {
                    if let Work::Kernel {
                        function,
                        geometry,
                        ref params,
                    } = *work
                    {
                        launches.push(Launch {
                            function,
                            stream: streams[usize::from(stream)].raw(),
                            params: Raw(packed.of(params)),
                            geometry,
                            op: op as u32,
                        });
                        let count = launches.len() as u32;
                        if let Some(Step {
                            call: Call::Kernels { to, .. },
                            ..
                        }) = steps.last_mut()
                        {
                            *to = count;
                            continue;
                        }
                        let (from, to) = (count - 1, count);
                        (stream, Call::Kernels { from, to })
                    } else {
                        match launch(work, calls.of(op)) {
                            Some(call) => (stream, call),
                            None => continue,
                        }
                    }
                }
                Op::Record { event: e, stream } => (stream, Call::Record { event: event(e) }),
                Op::Wait { stream, event: e } => (stream, Call::Wait { event: event(e) }),
                Op::WaitPrev { stream, event: e } => {
                    waits = true;
                    (stream, Call::WaitPrevious { event: event(e) })
                }
            };
            steps.push(step(stream, op as u32, call));
            steps.extend(end);
        }
        Self {
            steps: steps.into(),
            launches: launches.into(),
            exec: Arc::clone(exec),
            _packed: packed,
            waits,
        }
    }

    /// Waits for the run before are for these events.
    pub(super) fn link(&mut self, program: &Program<'_>, events: &[Option<Raw<CUevent>>]) {
        for step in &mut self.steps {
            if let Some(&Op::WaitPrev { event, .. }) = program.issue.get(step.op as usize)
                && let Some(event) = events[event as usize]
            {
                step.call = Call::WaitPrevious { event };
            }
        }
    }

    /// Whether a run waits for the one before.
    pub(super) fn waits(&self) -> bool {
        self.waits
    }

    /// Makes the calls. `follows` says that there was a run before.
    ///
    /// # Errors
    /// With whether any call before was taken.
    pub(super) fn issue(
        &self,
        context: &Context,
        follows: bool,
    ) -> Result<(), (bool, DriverError)> {
        for (at, step) in self.steps.iter().enumerate() {
            let (taken, op, code) = match step.call {
                Call::Kernels { from, to } => {
                    let launches = &self.launches[from as usize..to as usize];
                    match Self::launch(context, launches) {
                        Ok(()) => continue,
                        Err((taken, op, code)) => (at > 0 || taken, op, code),
                    }
                }
                _ => (at > 0, step.op, self.make(context, step, follows)),
            };
            if code != SUCCESS {
                let launch = match self.exec.image().program.issue.get(op as usize) {
                    Some(&Op::Launch { task, .. }) => Some(culprit(&self.exec, task)),
                    _ => None,
                };
                return Err((taken, refused(context, step, code, launch)));
            }
        }
        Ok(())
    }

    /// # Errors
    /// With whether one before was taken, the op that was not, and why.
    #[inline]
    fn launch(context: &Context, launches: &[Launch]) -> Result<(), (bool, u32, u32)> {
        let api = context.api;
        for (at, launch) in launches.iter().enumerate() {
            let Geometry { grid, block } = launch.geometry;
            let ([gx, gy, gz], [bx, by, bz]) = (grid, block);
            let (function, stream, params) = (launch.function.0, launch.stream.0, launch.params.0);
            let none = std::ptr::null_mut();
            // SAFETY: functions and streams live as long as this, and so do the parameters, which
            // are as many as the function takes and of its types, by what the kernel declares. The
            // order is that of a program which has passed the verifier.
            let code = unsafe {
                api.cuLaunchKernel(function, gx, gy, gz, bx, by, bz, 0, stream, params, none)
            };
            if code != SUCCESS {
                return Err((at > 0, launch.op, code));
            }
        }
        Ok(())
    }

    #[inline]
    fn make(&self, context: &Context, step: &Step, follows: bool) -> u32 {
        let (api, stream) = (context.api, step.stream.0);
        // SAFETY: streams and events live as long as this, and so does what callbacks are given.
        // Ranges are those of the tables, in memory that the executable keeps; what is copied from
        // is where the input was set. The order is that of a program which has passed the verifier.
        unsafe {
            match step.call {
                Call::Kernels { .. } => unreachable!("launches are made by a loop of their own"),
                Call::Upload {
                    to,
                    resource,
                    bytes,
                } => {
                    let from = self.exec.source(resource).expose_provenance() as u64;
                    api.cuMemcpyAsync(to, from, bytes, stream)
                }
                Call::Copy { to, from, bytes } => api.cuMemcpyAsync(to, from, bytes, stream),
                Call::Fill { to, bytes } => api.cuMemsetD8Async(to, 0, bytes, stream),
                Call::Callback { data } => api.cuLaunchHostFunc(stream, Some(call_back), data.0),
                Call::Record { event } => api.cuEventRecord(event.0, stream),
                Call::WaitPrevious { .. } if !follows => SUCCESS,
                Call::Wait { event } | Call::WaitPrevious { event } => {
                    api.cuStreamWaitEvent(stream, event.0, 0)
                }
            }
        }
    }
}

/// The call of a launch that is none of a kernel.
fn launch(work: &Work, data: *mut c_void) -> Option<Call> {
    Some(match *work {
        Work::Nothing | Work::Kernel { .. } => return None,
        Work::Upload {
            to,
            resource,
            bytes,
        } => Call::Upload {
            to,
            resource,
            bytes,
        },
        Work::Copy {
            to: (to, _),
            from: (from, _),
            bytes,
        } => Call::Copy { to, from, bytes },
        Work::Fill { to, bytes } => Call::Fill { to, bytes },
        Work::Callback { .. } => Call::Callback { data: Raw(data) },
    })
}

#[cold]
fn refused(context: &Context, step: &Step, code: u32, of: Option<Culprit>) -> DriverError {
    let call = match step.call {
        Call::Kernels { .. } => "cuLaunchKernel",
        Call::Upload { .. } | Call::Copy { .. } => "cuMemcpyAsync",
        Call::Fill { .. } => "cuMemsetD8Async",
        Call::Callback { .. } => "cuLaunchHostFunc",
        Call::Record { .. } => "cuEventRecord",
        Call::Wait { .. } | Call::WaitPrevious { .. } => "cuStreamWaitEvent",
    };
    context.refused(call, code, of)
}
