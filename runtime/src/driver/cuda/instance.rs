//! One instance of a program: streams and events of its own, and the ways in which it is issued.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use super::super::{DriverError, Timeline};
use super::callback::{Callback, Calls, State};
use super::core::Core;
use super::edges::last;
use super::graph::Built;
use super::issue::Steps;
use super::marks::{Marks, Zero};
use super::objects::{Event, Module, Stream};
use super::prepare::{Prepared, Work};
use super::scalars::Scalars;
use crate::exec::Executable;
use crate::table::{Issue, Op, Program};

/// How an instance is issued.
#[derive(Debug)]
pub(super) enum How {
    Streams(Steps),
    Graph(Built),
}

/// How it is issued where its tasks are timed.
#[derive(Debug)]
struct Timing {
    how: How,
    marks: Marks,
    zero: Arc<Zero>,
    /// The last run that was issued so.
    run: AtomicU64,
}

/// One copy of streams and events, and all that its runs use.
#[derive(Debug)]
pub(super) struct Instance {
    how: How,
    /// Once somebody has asked for it. Before the events of a program, which its steps wait for.
    timing: Option<Timing>,
    /// None in a graph, of which the stream tells: whether an event of a node counts as recorded from
    /// the launch on, or only once the node runs, CUDA's documentation leaves open.
    pub(super) events: Box<[Option<Event>]>,
    /// The event that is complete once a run is over, and the last run that was seen to be.
    pub(super) end: Option<u32>,
    pub(super) ended: AtomicU64,
    /// Of each event, whether a gate asks for it.
    gates: Box<[bool]>,
    /// Of each event, the last run that it was seen complete in.
    pub(super) seen: Box<[AtomicU64]>,
    /// The block of a graph whose kernels read scalars of the run.
    scalars: Option<Arc<Scalars>>,
    /// What callbacks are given points here.
    callbacks: Box<[Callback]>,
    /// By op, its callback.
    by_op: Box<[Option<usize>]>,
    _modules: Vec<Arc<Module>>,
    pub(super) state: Arc<State>,
    pub(super) streams: Vec<Arc<Stream>>,
    /// Last: the memory of all of it.
    exec: Arc<Executable>,
}

/// Whether a program is one launch of a graph.
fn is_graph(program: &Program<'_>) -> bool {
    program.issue_as == Issue::Graph
}

/// What instances have before they can be issued.
struct Parts<'a> {
    core: &'a Core,
    exec: &'a Arc<Executable>,
    calls: Calls<'a>,
    streams: &'a [Arc<Stream>],
    events: &'a [Option<Event>],
    scalars: Option<&'a Arc<Scalars>>,
}

impl How {
    /// With a record before and behind each task, where there are marks.
    fn new(
        parts: &Parts<'_>,
        Prepared { work, packing, .. }: Prepared,
        marks: Option<&Marks>,
    ) -> Result<Self, DriverError> {
        let of = (parts.exec, &work[..], packing.finish(parts.exec));
        Ok(match is_graph(parts.exec.image().program) {
            true => {
                let scalars = parts.scalars.cloned();
                Self::Graph(Built::new(parts.core, of, scalars, &parts.calls, marks)?)
            }
            false => {
                let (streams, events) = (parts.streams, parts.events);
                Self::Streams(Steps::new(of, &parts.calls, streams, events, marks))
            }
        })
    }
}

impl Instance {
    pub(super) fn new(
        core: &Arc<Core>,
        program: &Program<'_>,
        exec: Arc<Executable>,
    ) -> Result<Self, DriverError> {
        let context = &core.context;
        let graph = is_graph(program);
        // The launches of a graph come one after the other on one stream.
        let count = if graph { 1 } else { program.streams };
        let streams = (0..count).map(|_| Stream::new(context).map(Arc::new));
        let streams = streams.collect::<Result<Vec<_>, _>>()?;
        let event = |_| match graph {
            true => Ok(None),
            false => Event::new(context).map(Some),
        };
        let events = (0..program.events).map(event);
        let events = events.collect::<Result<Box<[_]>, _>>()?;
        let mut gates = vec![false; events.len()];
        for op in program.issue {
            if let Op::Gate { event } = *op {
                gates[event as usize] = true;
            }
        }
        let scalars = match graph {
            true => Scalars::of(core, &exec, &streams[0])?.map(Arc::new),
            false => None,
        };
        let mut prepared = Prepared::of(core, &exec, scalars.as_deref())?;
        let state = Arc::<State>::default();
        let mut by_op = Vec::with_capacity(prepared.work.len());
        let mut callbacks = Vec::new();
        for (op, work) in program.issue.iter().zip(&prepared.work) {
            by_op.push(match (op, work) {
                (&Op::Launch { task, .. }, &Work::Callback { form }) => {
                    callbacks.push(Callback {
                        exec: Arc::clone(&exec),
                        state: Arc::clone(&state),
                        task,
                        form,
                    });
                    Some(callbacks.len() - 1)
                }
                _ => None,
            });
        }
        let (callbacks, by_op) = (callbacks.into_boxed_slice(), by_op.into_boxed_slice());
        let modules = std::mem::take(&mut prepared.modules);
        let parts = Parts {
            core,
            exec: &exec,
            calls: Calls {
                callbacks: &callbacks,
                by_op: &by_op,
            },
            streams: &streams,
            events: &events,
            scalars: scalars.as_ref(),
        };
        let how = How::new(&parts, prepared, None)?;
        let seen = events.iter().map(|_| AtomicU64::new(0)).collect();
        Ok(Self {
            how,
            timing: None,
            events,
            end: last(program),
            ended: AtomicU64::new(0),
            gates: gates.into(),
            seen,
            scalars,
            callbacks,
            by_op,
            _modules: modules,
            state,
            streams,
            exec,
        })
    }

    /// What its tasks are timed with, where that is not there yet.
    fn timing(&self, core: &Core, zero: &Arc<Zero>) -> Result<Timing, DriverError> {
        let prepared = Prepared::of(core, &self.exec, self.scalars.as_deref())?;
        let marks = Marks::new(&core.context, &self.exec, &prepared.work)?;
        let parts = Parts {
            core,
            exec: &self.exec,
            calls: Calls {
                callbacks: &self.callbacks,
                by_op: &self.by_op,
            },
            streams: &self.streams,
            events: &self.events,
            scalars: self.scalars.as_ref(),
        };
        Ok(Timing {
            how: How::new(&parts, prepared, Some(&marks))?,
            marks,
            zero: Arc::clone(zero),
            run: AtomicU64::new(0),
        })
    }

    /// Makes all of these ready to be timed, from `zero` on.
    ///
    /// # Errors
    /// What the driver refuses. They are as they were then.
    pub(super) fn time(all: &mut [Self], core: &Core, zero: &Arc<Zero>) -> Result<(), DriverError> {
        let new = |instance: &Self| match instance.timing {
            Some(_) => Ok(None),
            None => instance.timing(core, zero).map(Some),
        };
        let new = all.iter().map(new).collect::<Result<Vec<_>, _>>()?;
        for (instance, new) in all.iter_mut().zip(new) {
            match (&mut instance.timing, new) {
                (Some(timing), _) => timing.zero = Arc::clone(zero),
                (none, new) => *none = new,
            }
        }
        Ok(())
    }

    /// How its next run is issued.
    pub(super) fn how(&self, timed: bool) -> &How {
        match &self.timing {
            Some(timing) if timed => &timing.how,
            _ => &self.how,
        }
    }

    /// That run was issued with its tasks timed.
    pub(super) fn note_timed(&self, generation: u64) {
        if let Some(timing) = &self.timing {
            timing.run.store(generation, Ordering::Release);
        }
    }

    /// When the tasks of that run began and ended, if it was timed and is the last that was.
    pub(super) fn times(
        &self,
        core: &Core,
        generation: u64,
    ) -> Result<Option<Timeline>, DriverError> {
        match &self.timing {
            Some(timing) if timing.run.load(Ordering::Acquire) == generation => {
                timing.marks.read(&core.context, &timing.zero).map(Some)
            }
            _ => Ok(None),
        }
    }

    /// All steps that wait for a run before.
    pub(super) fn steps(&mut self) -> impl Iterator<Item = &mut Steps> {
        let timed = self.timing.as_mut().map(|timing| &mut timing.how);
        let all = [Some(&mut self.how), timed].into_iter().flatten();
        all.filter_map(|how| match how {
            How::Streams(steps) => Some(steps),
            How::Graph(_) => None,
        })
    }

    /// Whether that run, of which all was issued, is over, if one question tells.
    fn over(&self, generation: u64) -> bool {
        let event = self.end.and_then(|end| self.events[end as usize].as_ref());
        let over = match &self.how {
            How::Graph(_) => self.idle(),
            How::Streams(_) => event.is_some_and(Event::over),
        };
        if over {
            self.ended.fetch_max(generation, Ordering::AcqRel);
        }
        over
    }

    /// Whether that event of a run that was started, the last, is complete.
    pub(super) fn complete(&self, generation: u64, event: usize) -> bool {
        if self.state.broken.load(Ordering::Acquire) == generation {
            return self.idle();
        }
        let Some(own) = &self.events[event] else {
            return self.over(generation);
        };
        // A gate asks for every stream's end: where one event knows of all, it is asked alone.
        let end = self.end.is_some_and(|end| end as usize == event);
        if self.gates[event] || end {
            return self.over(generation) || (!end && own.over());
        }
        own.over()
    }

    /// Whether its streams have nothing left to do.
    pub(super) fn idle(&self) -> bool {
        self.streams.iter().all(|stream| stream.idle())
    }
}
