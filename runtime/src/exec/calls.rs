//! Tasks, ready to be called.

use std::ops::Range;

use super::args::NO_OPERAND;
use super::resolve::{Bound, ResolveError, fail};
use super::{HostFn, Image};
use crate::table::{Form, Mode, Op, Rows, Span, Task, TaskKind};

/// A task, ready to be called.
pub(super) struct Call {
    /// `None` where no kernel is launched.
    pub(super) host: Option<HostFn>,
    pub(super) in_place: Option<HostFn>,
    /// Access that the in-place form updates, counted within the task.
    pub(super) operand: u32,
    pub(super) accesses: Range<u32>,
    pub(super) scalars: Range<u32>,
    pub(super) dims: Range<u32>,
}

/// Whether every task and launch finds what it names, and inputs that may stay with the caller are
/// written by uploads alone, the resident ones by nothing: their memory may be shared with others.
pub(super) fn check(image: &Image, bounds: &[Bound]) -> Result<(), ResolveError> {
    let source = image.source;
    if image.code.len() != source.kernels.len() {
        return fail("code", image.code.len());
    }
    let inside = |span: Span, len: usize| {
        span.start
            .checked_add(span.len)
            .is_some_and(|end| end as usize <= len)
    };
    for (i, t) in source.tasks.iter().enumerate() {
        if !inside(t.accesses, source.accesses.len())
            || !inside(t.scalars, source.scalars.len())
            || !inside(t.dims, source.bindings.len())
        {
            return fail("task", i);
        }
        let accesses = &source.accesses[t.accesses.start as usize..][..t.accesses.len as usize];
        let class = |resource: u32| source.resources[resource as usize].class;
        let read_only = |resource: u32| class(resource).is_callers();
        let fits = match t.kind {
            TaskKind::Upload => {
                accesses.len() == 1
                    && accesses[0].mode == Mode::Overwrite
                    && accesses[0].rows == Rows::All
                    && class(accesses[0].resource).is_input()
            }
            TaskKind::Fill => {
                accesses.len() == 1
                    && accesses[0].mode == Mode::Overwrite
                    && !read_only(accesses[0].resource)
            }
            TaskKind::Copy => {
                let at = t.accesses.start as usize;
                accesses.len() == 2
                    && (accesses[0].mode, accesses[1].mode) == (Mode::Read, Mode::Overwrite)
                    && !read_only(accesses[1].resource)
                    && bounds[at].bytes() == bounds[at + 1].bytes()
            }
            TaskKind::Hold { .. } => accesses
                .iter()
                .all(|a| a.mode == Mode::Read || !read_only(a.resource)),
            TaskKind::Kernel(k) => {
                (k as usize) < source.kernels.len()
                    && accesses
                        .iter()
                        .all(|a| a.mode == Mode::Read || !read_only(a.resource))
            }
        };
        if !fits {
            return fail("task", i);
        }
    }
    for (i, op) in image.program.issue.iter().enumerate() {
        let Op::Launch { task, form, .. } = *op else {
            continue;
        };
        let Some(task) = source.tasks.get(task as usize) else {
            return fail("op", i);
        };
        if form == Form::InPlace {
            let TaskKind::Kernel(k) = task.kind else {
                return fail("op", i);
            };
            let kernel = &source.kernels[k as usize];
            if image.code[k as usize].in_place.is_none() || kernel.in_place.is_none() {
                return fail("op", i);
            }
        }
    }
    Ok(())
}

/// The tasks, once [`check`] has found them whole.
pub(super) fn calls(image: &Image) -> Box<[Call]> {
    let range = |span: Span| span.start..span.start + span.len;
    let call = |task: &Task| {
        let kernel = match task.kind {
            TaskKind::Kernel(k) => Some(k as usize),
            _ => None,
        };
        let operand = kernel.and_then(|k| image.source.kernels[k].in_place);
        Call {
            host: kernel.map(|k| image.code[k].host),
            in_place: kernel.and_then(|k| image.code[k].in_place),
            operand: operand.map_or(NO_OPERAND, u32::from),
            accesses: range(task.accesses),
            scalars: range(task.scalars),
            dims: range(task.dims),
        }
    };
    image.source.tasks.iter().map(call).collect()
}

/// Of each input that may stay with the caller, resident or not, the accesses of kernels.
pub(super) fn reads(image: &Image) -> Box<[Box<[u32]>]> {
    let mut reads = vec![Vec::new(); image.source.resources.len()];
    for (i, access) in (0..).zip(image.source.accesses) {
        let resource = access.resource as usize;
        let class = image.source.resources[resource].class;
        if access.mode == Mode::Read && class.is_callers() {
            reads[resource].push(i);
        }
    }
    reads.into_iter().map(Vec::into_boxed_slice).collect()
}
