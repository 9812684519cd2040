//! What is read has been written: by statement order, row by row, for all admitted dims.

use super::{Uses, shown};
use crate::expr::Expr;
use crate::fault::Fault;
use crate::fault::storage::{Shown, input_written, output_not_written, read_before_write};
use crate::model::{Class, Dim, Mode, Model, Resource, Rows, TaskKind};

pub(super) fn check(model: &Model, uses: &Uses<'_>, faults: &mut Vec<Fault>) {
    for (resource, uses) in model.resources.iter().zip(&uses.0) {
        let mut written = Written::default();
        let mut at = 0;
        while at < uses.len() {
            let end = at + uses[at..].iter().take_while(|u| u.0 == uses[at].0).count();
            // A task reads before it writes.
            for (i, (_, access)) in uses.iter().enumerate().take(end).skip(at) {
                let reads = access.mode != Mode::Overwrite;
                if reads && !written.covers(&access.rows, resource, &model.dims) {
                    let write = |u: &&(usize, &crate::model::Access)| u.1.mode == Mode::Overwrite;
                    let before: Vec<_> = uses[..at]
                        .iter()
                        .filter(write)
                        .map(|u| shown(model, u.1))
                        .collect();
                    let later = uses[i..].iter().find(write).map(|u| shown(model, u.1));
                    let read = shown(model, access);
                    let (name, site) = (&resource.name, resource.site);
                    faults.push(read_before_write(
                        name,
                        site,
                        &read,
                        &before,
                        later.as_ref(),
                    ));
                    // Said once is enough.
                    written.add(&Rows::All, resource, &model.dims);
                }
            }
            for (task, access) in &uses[at..end] {
                if access.mode == Mode::Overwrite {
                    written.add(&access.rows, resource, &model.dims);
                }
                let upload = matches!(model.tasks[*task].kind, TaskKind::Upload);
                if resource.class == Class::Input && access.mode != Mode::Read && !upload {
                    let write = shown(model, access);
                    faults.push(input_written(&resource.name, resource.site, &write));
                }
            }
            at = end;
        }
        if resource.class == Class::Output && !written.covers(&Rows::All, resource, &model.dims) {
            let writes: Vec<Shown> = uses.iter().map(|u| shown(model, u.1)).collect();
            faults.push(output_not_written(&resource.name, resource.site, &writes));
        }
    }
}

/// Rows known to be written: ranges, joined where they are known to touch.
#[derive(Default)]
struct Written {
    all: bool,
    spans: Vec<(Expr, Expr)>,
}

impl Written {
    fn covers(&self, rows: &Rows, resource: &Resource, dims: &[Dim]) -> bool {
        if self.all {
            return true;
        }
        let extent = &resource.shape[0];
        let (lo, hi) = rows.bounds(extent);
        rows.is_empty(extent, dims)
            || self
                .spans
                .iter()
                .rev()
                .any(|(a, b)| a.always_le(&lo, dims) && hi.always_le(b, dims))
    }

    fn add(&mut self, rows: &Rows, resource: &Resource, dims: &[Dim]) {
        let extent = &resource.shape[0];
        if self.all {
            return;
        } else if *rows == Rows::All {
            self.all = true;
            self.spans.clear();
            return;
        }
        let (mut lo, mut hi) = rows.bounds(extent);
        // What joins may make the next one join; bands written in order join the last one at once.
        while let Some(at) = self.spans.iter().rposition(|(a, b)| {
            let touch = lo.always_le(b, dims) && a.always_le(&hi, dims);
            touch && least(a, &lo, dims).is_some() && least(b, &hi, dims).is_some()
        }) {
            let (a, b) = self.spans.remove(at);
            if a.always_le(&lo, dims) {
                lo = a;
            }
            if hi.always_le(&b, dims) {
                hi = b;
            }
        }
        self.all = Rows::Span(lo.clone(), hi.clone()).is_all(extent, dims);
        self.spans.push((lo, hi));
    }
}

/// The smaller of two, where one is for all admitted dims.
fn least<'a>(a: &'a Expr, b: &'a Expr, dims: &[Dim]) -> Option<&'a Expr> {
    if a.always_le(b, dims) {
        Some(a)
    } else if b.always_le(a, dims) {
        Some(b)
    } else {
        None
    }
}
