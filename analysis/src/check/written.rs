//! What is read has been written: by statement order, row by row, for all admitted dims.

use std::collections::BTreeMap;

use super::{Uses, shown};
use crate::expr::{Expr, corner};
use crate::fault::Fault;
use crate::fault::storage::{
    Shown, escape_not_written, input_written, never_filled, output_not_written, read_before_write,
};
use crate::model::{
    Access, Class, Dim, Mode, Model, Order, Resource, Rows, Task, TaskId, TaskKind,
};

pub(super) fn check(model: &Model, uses: &Uses<'_>, faults: &mut Vec<Fault>) {
    for (resource, uses) in model.resources.iter().zip(&uses.0) {
        let mut written = Written::new(&model.dims);
        if resource.class.persists() {
            written.add(&Rows::All, resource, &model.dims);
        }
        let mut at = 0;
        while at < uses.len() {
            let end = at + uses[at..].iter().take_while(|u| u.0 == uses[at].0).count();
            // A task reads before it writes.
            for (i, (_, access)) in uses.iter().enumerate().take(end).skip(at) {
                let reads = access.mode != Mode::Overwrite;
                if reads && !written.covers(&access.rows, resource, &model.dims) {
                    // What one call reads and makes is refused for that.
                    if made_by_itself(&uses[at..end], access, resource, &model.dims) {
                        written.add(&Rows::All, resource, &model.dims);
                        continue;
                    }
                    let write = |u: &&(usize, &crate::model::Access)| u.1.mode == Mode::Overwrite;
                    let before: Vec<_> = uses[..at]
                        .iter()
                        .filter(write)
                        .map(|u| shown(model, u.1))
                        .collect();
                    let later = uses[i..].iter().find(write).map(|u| shown(model, u.1));
                    let only_read = uses.iter().all(|u| u.1.mode == Mode::Read);
                    let read = shown(model, access);
                    let (name, site) = (&resource.name, resource.site);
                    faults.push(match resource.class {
                        Class::Staging if only_read => {
                            let copied = copied(model, uses);
                            never_filled(name, site, &read, copied)
                        }
                        _ => {
                            let later = later.as_ref();
                            read_before_write(name, site, &read, &before, later, only_read)
                        }
                    });
                    // Said once is enough.
                    written.add(&Rows::All, resource, &model.dims);
                }
            }
            for (task, access) in &uses[at..end] {
                if access.mode == Mode::Overwrite {
                    written.add(&access.rows, resource, &model.dims);
                }
                let upload = matches!(model.tasks[*task].kind, TaskKind::Upload);
                let read_only = resource.class.is_callers();
                if read_only && access.mode != Mode::Read && !upload {
                    let write = shown(model, access);
                    faults.push(input_written(
                        &resource.name,
                        resource.class,
                        resource.site,
                        &write,
                    ));
                }
            }
            at = end;
        }
        if resource.class.is_handed_out() && !written.covers(&Rows::All, resource, &model.dims) {
            let writes: Vec<Shown> = uses.iter().map(|u| shown(model, u.1)).collect();
            faults.push(match resource.class {
                Class::Escape => escape_not_written(&resource.name, resource.site, &writes),
                _ => output_not_written(&resource.name, resource.site, &writes),
            });
        }
    }
}

/// The task of `uses` overwrites rows of `resource` that `access` of the same task may be of.
fn made_by_itself(
    uses: &[(usize, &Access)],
    access: &Access,
    resource: &Resource,
    dims: &[Dim],
) -> bool {
    let mut others = uses.iter().filter(|(_, of)| of.mode == Mode::Overwrite);
    others.any(|(_, of)| !of.rows.disjoint(&access.rows, &resource.shape[0], dims))
}

/// What is declared as a copy of all of a resource, of which that copy is the only use.
fn copied<'m>(model: &'m Model, uses: &[(usize, &Access)]) -> Option<&'m str> {
    let [(task, read)] = uses else {
        return None;
    };
    let id = TaskId(u32::try_from(*task).ok()?);
    let Task { kind, accesses, .. } = &model.tasks[*task];
    let copy = accesses.iter().find(|a| a.mode == Mode::Overwrite)?;
    let to = model.resources.get(copy.resource.0 as usize)?;
    // The statement goes as a whole: nothing may be ordered by it.
    let ordered = |o: &Order| o.before == id || o.after == id;
    let alone = *kind == TaskKind::Copy
        && read.rows == Rows::All
        && copy.rows == Rows::All
        && copy.site == to.site
        && to.class == Class::Transient
        && !model.orders.iter().any(ordered);
    alone.then_some(&*to.name)
}

/// Rows known to be written: ranges, joined where they are known to touch.
struct Written {
    maxima: Vec<u64>,
    all: bool,
    /// By the value of the lower bound at the dims' maxima, and a number to tell equals apart.
    spans: BTreeMap<(i128, u32), Span>,
    /// The longest of `spans` at the dims' maxima: no span that begins further below can touch.
    longest: i128,
    count: u32,
}

struct Span {
    lo: Expr,
    hi: Expr,
    /// Value of `hi` at the dims' maxima.
    end: i128,
}

impl Written {
    fn new(dims: &[Dim]) -> Self {
        let maxima = corner(dims, |d| d.max).unwrap_or_default();
        Self {
            maxima,
            all: false,
            spans: BTreeMap::new(),
            longest: 0,
            count: 0,
        }
    }

    fn covers(&self, rows: &Rows, resource: &Resource, dims: &[Dim]) -> bool {
        if self.all {
            return true;
        }
        let extent = &resource.shape[0];
        let (lo, hi) = rows.bounds(extent);
        let within = |s: &Span| s.lo.always_le(&lo, dims) && hi.always_le(&s.hi, dims);
        rows.is_empty(extent, dims)
            || self
                .near(self.key(&lo), self.key(&hi))
                .any(|(_, s)| within(s))
    }

    fn add(&mut self, rows: &Rows, resource: &Resource, dims: &[Dim]) {
        let extent = &resource.shape[0];
        if self.all {
            return;
        } else if *rows == Rows::All {
            return self.add_all();
        }
        let (mut lo, mut hi) = rows.bounds(extent);
        loop {
            let (start, end) = (self.key(&lo), self.key(&hi));
            // What joins may make the next one join.
            let touches = |s: &Span| {
                lo.always_le(&s.hi, dims)
                    && s.lo.always_le(&hi, dims)
                    && comparable(&s.lo, &lo, dims)
                    && comparable(&s.hi, &hi, dims)
            };
            let touching = self
                .near(start, end)
                .find(|(_, s)| touches(s))
                .map(|(key, _)| *key);
            let Some(span) = touching.and_then(|key| self.spans.remove(&key)) else {
                self.longest = self.longest.max(end.saturating_sub(start));
                self.count += 1;
                if Rows::Span(lo.clone(), hi.clone()).is_all(extent, dims) {
                    return self.add_all();
                }
                self.spans.insert((start, self.count), Span { lo, hi, end });
                return;
            };
            if span.lo.always_le(&lo, dims) {
                lo = span.lo;
            }
            if hi.always_le(&span.hi, dims) {
                hi = span.hi;
            }
        }
    }

    /// The value at the dims' maxima. Where it overflows, all spans have one key.
    fn key(&self, e: &Expr) -> i128 {
        e.eval(&self.maxima).unwrap_or(0)
    }

    fn add_all(&mut self) {
        self.all = true;
        self.spans.clear();
    }

    /// The spans that touch `start..end` at the dims' maxima, the last first. Others touch it
    /// nowhere for sure.
    fn near(&self, start: i128, end: i128) -> impl Iterator<Item = (&(i128, u32), &Span)> {
        let from = start.saturating_sub(self.longest).min(end);
        let range = self.spans.range((from, 0)..=(end, u32::MAX));
        range.rev().filter(move |(_, s)| s.end >= start)
    }
}

fn comparable(a: &Expr, b: &Expr, dims: &[Dim]) -> bool {
    a.always_le(b, dims) || b.always_le(a, dims)
}
