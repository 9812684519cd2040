//! A run as one launch of a CUDA graph.
//!
//! The graph is built node by node, for one instance, and is launched by it alone. What changes from
//! run to run is in pinned memory at places that never change: inputs in the staging, scalars in a
//! block that the first node copies to the device. So no node is ever changed. What the graph points
//! to is owned by its instance and goes behind it.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use cudarc::driver::sys::{CUgraph, CUgraphNode};

use super::super::{Culprit, DriverError, RangeId, invalid};
use super::callback::Calls;
use super::context::{Context, Raw};
use super::core::Core;
use super::edges::{Missing, Node, Shape, What, check, derive};
use super::marks::Marks;
use super::nodes::Adding;
use super::objects::{GraphExec, Stream};
use super::pack::Packed;
use super::prepare::{Side, Work, block, culprit, reads_scalars};
use crate::exec::Executable;
use crate::table::Op;

/// The scalars of an instance, on both sides.
#[derive(Debug)]
pub(super) struct Scalars {
    core: Arc<Core>,
    /// The stream that the graph is launched on, and the device's side was allocated on.
    stream: Arc<Stream>,
    pinned: Option<RangeId>,
    host: Raw<*mut u64>,
    pooled: Option<RangeId>,
    device: u64,
    bytes: usize,
}

impl Scalars {
    /// Those of an instance, if its kernels read any of the run.
    pub(super) fn of(
        core: &Arc<Core>,
        exec: &Executable,
        stream: &Arc<Stream>,
    ) -> Result<Option<Self>, DriverError> {
        let values = block(exec);
        values
            .map(|values| Self::new(core, stream, &values))
            .transpose()
    }

    /// Where kernels read them.
    pub(super) fn device(&self) -> u64 {
        self.device
    }

    /// Room for both sides, and what never changes on the host's.
    fn new(core: &Arc<Core>, stream: &Arc<Stream>, values: &[u64]) -> Result<Self, DriverError> {
        let bytes = size_of_val(values);
        let mut scalars = Self {
            core: Arc::clone(core),
            stream: Arc::clone(stream),
            pinned: None,
            host: Raw(std::ptr::null_mut()),
            pooled: None,
            device: 0,
            bytes,
        };
        // From here on dropping it gives both back.
        let pinned = core.pin(bytes as u64)?;
        scalars.pinned = Some(pinned);
        let host = core.address(pinned)?.0;
        scalars.host = Raw(host.cast());
        // SAFETY: the pinned memory has that many bytes, aligned, and nobody else has it.
        unsafe { std::ptr::copy_nonoverlapping(values.as_ptr(), host.cast(), values.len()) };
        let pooled = core.allocate(stream, bytes as u64)?;
        scalars.pooled = Some(pooled);
        let device = core.address(pooled)?.0;
        scalars.device = device.addr() as u64;
        Ok(scalars)
    }
}

impl Drop for Scalars {
    fn drop(&mut self) {
        // Launches of the graph are over; nobody is left to be told of an error.
        if let Some(range) = self.pooled {
            let _ = self.core.free(&self.stream, range.0);
        }
        if let Some(range) = self.pinned {
            let _ = self.core.unpin(range);
        }
    }
}

/// A graph that can be launched, and what its nodes point to.
#[derive(Debug)]
pub(super) struct Built {
    launch: GraphExec,
    /// Where each input has to be, as the graph has it.
    uploads: Box<[(u32, Raw<*mut u8>)]>,
    scalars: Option<Arc<Scalars>>,
    exec: Arc<Executable>,
}

/// A template, given back once it is instantiated.
struct Template<'a> {
    context: &'a Context,
    raw: CUgraph,
}

impl Template<'_> {
    /// A node that comes behind these.
    fn behind<'b>(&'b self, after: &'b [CUgraphNode]) -> Adding<'b> {
        Adding {
            context: self.context,
            graph: self.raw,
            after,
        }
    }
}

impl Drop for Template<'_> {
    fn drop(&mut self) {
        // SAFETY: made by `Built::new`, and given back once.
        unsafe { self.context.api.cuGraphDestroy(self.raw) };
    }
}

impl Built {
    /// Builds the graph of an instance, once its edges are seen to order what its program orders. With
    /// marks each task has a record before and behind it, which the edges go through.
    pub(super) fn new(
        core: &Core,
        (exec, work, packed): (&Arc<Executable>, &[Work], Packed),
        scalars: Option<Arc<Scalars>>,
        calls: &Calls<'_>,
        marks: Option<&Marks>,
    ) -> Result<Self, DriverError> {
        let context = &*core.context;
        let nodes = ordered(exec, work, marks.is_some())?;
        let mut raw = std::ptr::null_mut();
        // SAFETY: one handle is written.
        let code = unsafe { context.api.cuGraphCreate(&raw mut raw, 0) };
        context.answer("cuGraphCreate", code)?;
        let template = Template { context, raw };
        let base = marks.map(|marks| template.behind(&[]).record(marks.base.raw().0, None));
        let base = base.transpose()?;
        let mut adder = Adder {
            exec,
            work,
            packed: &packed,
            calls,
            scalars: scalars.as_deref(),
            uploads: Vec::new(),
        };
        // Of each node the one that those behind it wait for.
        let mut made: Vec<CUgraphNode> = Vec::with_capacity(nodes.len());
        for node in &nodes {
            let mut after: Vec<_> = node.after.iter().map(|&n| made[n as usize]).collect();
            if after.is_empty() {
                after.extend(base);
            }
            let of = adder.culprit(node.what);
            let mark = marks.zip(of).and_then(|(marks, of)| marks.of(of.task));
            let Some(mark) = mark else {
                made.push(adder.add(&template.behind(&after), node.what, of)?);
                continue;
            };
            let mut last = template.behind(&after).record(mark.begin.raw().0, of)?;
            if let Some(end) = &mark.end {
                last = adder.add(&template.behind(&[last]), node.what, of)?;
                last = template.behind(&[last]).record(end.raw().0, of)?;
            }
            made.push(last);
        }
        let uploads = adder.uploads;
        let mut launch = std::ptr::null_mut();
        // SAFETY: the graph is whole; one handle is written.
        let code = unsafe {
            let api = context.api;
            api.cuGraphInstantiateWithFlags(&raw mut launch, template.raw, 0)
        };
        context.answer("cuGraphInstantiateWithFlags", code)?;
        Ok(Self {
            launch: GraphExec::of(&core.context, launch),
            uploads: uploads.into(),
            scalars,
            exec: Arc::clone(exec),
        })
    }

    /// Starts a run: one call of the driver.
    pub(super) fn launch(&self, context: &Context, stream: &Stream) -> Result<(), DriverError> {
        let exec = &self.exec;
        if self.uploads.iter().any(|&(r, at)| exec.source(r) != at.0) {
            return Err(invalid(
                "start",
                "an input that is not where it was at load",
            ));
        }
        if let Some(scalars) = &self.scalars {
            for index in 0..exec.image().source.params {
                let value = exec.param(index).load(Ordering::Relaxed);
                // SAFETY: the block begins with as many as the graph has. The gates of the run
                // before have been passed, so nothing reads it now.
                unsafe { scalars.host.0.add(index as usize).write(value) };
            }
        }
        // SAFETY: the graph lives as long as this, and so does all that its nodes point to; it is
        // not launched anywhere else, and on this stream launches come one after the other.
        let code = unsafe {
            context
                .api
                .cuGraphLaunch(self.launch.raw().0, stream.raw().0)
        };
        context.answer("cuGraphLaunch", code)
    }
}

/// What nodes are made of.
struct Adder<'a> {
    exec: &'a Executable,
    work: &'a [Work],
    packed: &'a Packed,
    calls: &'a Calls<'a>,
    scalars: Option<&'a Scalars>,
    /// Where each input has to be.
    uploads: Vec<(u32, Raw<*mut u8>)>,
}

impl Adder<'_> {
    /// The task of a node.
    fn culprit(&self, what: What) -> Option<Culprit> {
        match what {
            What::Launch(op) => match self.exec.image().program.issue[op] {
                Op::Launch { task, .. } => Some(culprit(self.exec, task)),
                _ => None,
            },
            What::Scalars => None,
        }
    }

    fn add(
        &mut self,
        adding: &Adding<'_>,
        what: What,
        of: Option<Culprit>,
    ) -> Result<CUgraphNode, DriverError> {
        let op = match what {
            What::Launch(op) => op,
            What::Scalars => {
                let scalars = self.scalars;
                let scalars = scalars.ok_or(invalid("instantiate", "the block of scalars"))?;
                let from = (scalars.host.0.expose_provenance() as u64, Side::Host);
                let to = (scalars.device, Side::Device);
                return adding.copy(to, from, scalars.bytes, None);
            }
        };
        match self.work[op] {
            Work::Kernel {
                function,
                geometry,
                ref params,
            } => adding.kernel(function.0, geometry, self.packed.of(params), of),
            Work::Upload {
                to,
                resource,
                bytes,
            } => {
                let from = self.exec.source(resource);
                if from.is_null() {
                    return Err(invalid("instantiate", "an input without a place"));
                }
                self.uploads.push((resource, Raw(from)));
                let from = (from.expose_provenance() as u64, Side::Host);
                adding.copy((to, Side::Device), from, bytes, of)
            }
            Work::Copy { to, from, bytes } => adding.copy(to, from, bytes, of),
            Work::Fill { to, bytes } => adding.fill(to, bytes, of),
            Work::Callback { .. } => adding.call(self.calls.of(op), of),
            Work::Nothing => Err(invalid("instantiate", "a node")),
        }
    }
}

/// The nodes of an instance, whose edges order what its program orders. Without `all`, what does
/// nothing has none.
fn ordered(exec: &Executable, work: &[Work], all: bool) -> Result<Vec<Node>, DriverError> {
    let (source, program) = (exec.image().source, exec.image().program);
    let mut present = vec![false; source.tasks.len()];
    let mut scalars = vec![false; source.tasks.len()];
    for (op, work) in program.issue.iter().zip(work) {
        if let Op::Launch { task, .. } = *op {
            present[task as usize] = all || !matches!(work, Work::Nothing);
            scalars[task as usize] =
                matches!(work, Work::Kernel { .. }) && reads_scalars(exec, task);
        }
    }
    let shape = Shape {
        program,
        present: &present,
        scalars: &scalars,
    };
    let nodes = derive(&shape);
    check(&shape, &nodes).map_err(|missing| DriverError::Unordered {
        what: said(exec, missing),
    })?;
    Ok(nodes)
}

/// What is missing, in words.
fn said(exec: &Executable, missing: Missing) -> String {
    let name = |op: usize| match exec.image().program.issue.get(op) {
        Some(&Op::Launch { task, .. }) => {
            let Culprit { task, what, .. } = culprit(exec, task);
            format!("task {task} (`{what}`)")
        }
        Some(_) => format!("op {op}"),
        None => "the end of the run".to_owned(),
    };
    match missing {
        Missing::Launch { before, after } => {
            format!("{} has no path to {}", name(before), name(after))
        }
        Missing::Scalars { after } => {
            format!("the scalars of the run have no path to {}", name(after))
        }
        Missing::Node { op } => format!("{} has no node in its place", name(op)),
    }
}
