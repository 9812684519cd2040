//! The names that statements use.

use std::collections::BTreeSet;

use super::text;
use crate::ast::{ArgKind, Body, Call, Extent, Stmt, View};

/// The names that the calls in `body` take or write, and those in bounds of what they take.
pub fn mentions(body: &Body) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    of_body(body, &mut names);
    names
}

fn of_body(body: &Body, names: &mut BTreeSet<String>) {
    for stmt in &body.stmts {
        match stmt {
            Stmt::For(inner) => of_body(&inner.body, names),
            Stmt::Match(inner) => inner.arms.iter().for_each(|arm| of_body(&arm.body, names)),
            Stmt::Task(task) => {
                if let Some(view) = &task.place {
                    of_view(view, names);
                }
            }
            Stmt::View(view) => of_view(&view.of, names),
            Stmt::Declare(_) | Stmt::Tail(_) => {}
        }
        if let Some(call) = stmt.call() {
            of_call(call, names);
        }
    }
}

fn of_call(call: &Call, names: &mut BTreeSet<String>) {
    for arg in &call.args {
        match &arg.kind {
            ArgKind::Ref(_, view) => of_view(view, names),
            ArgKind::Extent(extent) => of_extent(extent, names),
            ArgKind::Literal(_) => {}
        }
    }
}

fn of_view(view: &View, names: &mut BTreeSet<String>) {
    names.insert(text(&view.name));
    let seen = view.seen.as_deref();
    for rows in view
        .rows
        .iter()
        .chain(seen.and_then(|seen| seen.rows.as_ref()))
    {
        for bound in [&rows.start, &rows.end].into_iter().flatten() {
            of_extent(bound, names);
        }
    }
    for extent in seen.iter().flat_map(|seen| &seen.shape.extents) {
        of_extent(extent, names);
    }
}

fn of_extent(extent: &Extent, names: &mut BTreeSet<String>) {
    extent.names(&mut |name| {
        names.insert(text(name));
    });
}
