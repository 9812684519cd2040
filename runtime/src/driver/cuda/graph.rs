//! A run as one launch of a CUDA graph.
//!
//! The graph is built node by node, for one instance, and is launched by it alone. What changes from
//! run to run is in pinned memory at places that never change: inputs in the staging, scalars in a
//! block that the first node copies to the device. So no node is ever changed. What the graph points
//! to is owned by its instance and goes behind it.

use std::sync::Arc;

use cudarc::driver::sys::{CUgraph, CUgraphNode};

use super::super::{Culprit, DriverError, invalid};
use super::callback::Calls;
use super::context::{Context, Raw};
use super::core::Core;
use super::edges::{Missing, Node, Shape, What, check, derive};
use super::marks::Marks;
use super::nodes::Adding;
use super::objects::{GraphExec, Stream};
use super::pack::Packed;
use super::prepare::{Side, Work, culprit};
use super::scalars::{Scalars, reads};
use crate::exec::Executable;
use crate::table::Op;

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
            // SAFETY: the gates of the run before have been passed.
            unsafe { scalars.set(exec) };
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
                let (from, bytes) = scalars.host();
                let to = (scalars.device(), Side::Device);
                return adding.copy(to, (from, Side::Host), bytes, None);
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
            scalars[task as usize] = matches!(work, Work::Kernel { .. }) && reads(exec, task);
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
