//! Models built by hand: indices and ranks, uploads, and dims that admit no value.

use crate::expr::{Expr, rebound};
use crate::fault::{Fault, MALFORMED, sizes};
use crate::model::{Mode, Model, Rows, Site, Task, TaskKind};

/// What later rules rely on. Those do not run if this finds anything.
pub(super) fn check(model: &Model) -> Vec<Fault> {
    let mut faults = Vec::new();
    let mut bad = |site: Site, text: String| faults.push(Fault::new(MALFORMED, site, text));
    for r in &model.resources {
        if r.shape.is_empty() {
            bad(r.site, format!("`{}` has no extent", r.name));
        }
        exprs(model, r.site, &r.shape, &mut bad);
    }
    let (resources, tasks) = (model.resources.len(), model.tasks.len());
    let mut uploads = vec![0u32; resources];
    for (t, task) in model.tasks.iter().enumerate() {
        for access in &task.accesses {
            if access.resource.0 as usize >= resources {
                bad(
                    access.site,
                    format!("there is no resource {}", access.resource.0),
                );
            }
            if let Rows::Span(a, b) = &access.rows {
                exprs(model, access.site, [a, b], &mut bad);
            }
        }
        match &task.kind {
            TaskKind::Upload => match uploaded(model, task) {
                Some(resource) => uploads[resource] += 1,
                None => bad(
                    task.site,
                    format!("`{}` is no upload of an input", task.name),
                ),
            },
            TaskKind::Fill | TaskKind::Copy | TaskKind::Hold { .. } => {
                if let Some(text) = moved(task, t) {
                    bad(task.site, text);
                }
            }
            TaskKind::Kernel(launch) => {
                exprs(model, task.site, &launch.over, &mut bad);
                if launch
                    .in_place
                    .is_some_and(|i| i + 1 >= task.accesses.len())
                {
                    bad(
                        task.site,
                        format!("`{}` has no such operand in place", task.name),
                    );
                }
            }
        }
    }
    for (r, uploads) in model.resources.iter().zip(uploads) {
        if uploads != u32::from(r.class.is_input()) {
            bad(r.site, format!("`{}` has {uploads} uploads", r.name));
        }
    }
    for order in &model.orders {
        if order.before.0 as usize >= tasks || order.after.0 as usize >= tasks {
            bad(
                order.site,
                "the order names a task that is not there".to_owned(),
            );
        }
    }
    for pair in model.aliases.iter().chain(&model.separate) {
        if pair.a.0 as usize >= resources || pair.b.0 as usize >= resources {
            bad(
                pair.site,
                "the pair names a resource that is not there".to_owned(),
            );
        }
    }
    let mut bounded = model.dims.clone();
    rebound(&mut bounded);
    for (i, (dim, bounded)) in model.dims.iter().zip(&bounded).enumerate() {
        let mut terms = dim.product.iter().flat_map(|factor| factor.terms());
        if terms.any(|term| usize::from(term.dim) >= i) || dim != bounded {
            let text = format!("`{}` is no product of dims before it", dim.name);
            faults.push(Fault::new(MALFORMED, dim.site, text));
        } else if dim.min > dim.max {
            let range = format!("{}..={}", dim.min, dim.max);
            faults.push(sizes::empty_dim(
                dim.site, &dim.name, &range, dim.min, dim.max,
            ));
        }
    }
    faults
}

/// What is wrong with a fill, a copy or a hold, task `t`.
fn moved(task: &Task, t: usize) -> Option<String> {
    let modes: Vec<Mode> = task.accesses.iter().map(|a| a.mode).collect();
    let fits = match task.kind {
        TaskKind::Fill => modes == [Mode::Overwrite],
        TaskKind::Copy => modes == [Mode::Read, Mode::Overwrite],
        TaskKind::Hold { since } => {
            (since.0 as usize) < t && modes.iter().all(|m| *m != Mode::Overwrite)
        }
        TaskKind::Upload | TaskKind::Kernel(_) => true,
    };
    (!fits).then(|| format!("`{}` is no fill, copy or hold", task.name))
}

/// The input that `task` uploads, if it is a whole overwrite of one and nothing else.
fn uploaded(model: &Model, task: &Task) -> Option<usize> {
    let [access] = &task.accesses[..] else {
        return None;
    };
    let resource = access.resource.0 as usize;
    let whole = access.mode == Mode::Overwrite && access.rows == Rows::All;
    let input = model.resources.get(resource)?.class.is_input();
    (whole && input).then_some(resource)
}

fn exprs<'a>(
    model: &Model,
    site: Site,
    exprs: impl IntoIterator<Item = &'a Expr>,
    bad: &mut impl FnMut(Site, String),
) {
    for term in exprs.into_iter().flat_map(|e| e.terms()) {
        if usize::from(term.dim) >= model.dims.len() {
            bad(site, format!("there is no dim {}", term.dim));
        }
    }
}
