//! What is declared twice where something is used that nothing declares: the second was most likely
//! to be called so. It is, from then on, and nothing else is reported of it.

use std::collections::BTreeMap;

use gpu_graph_analysis::calls::Transfer;
use gpu_graph_analysis::fault::names::{self, Kind};
use proc_macro2::Ident;

use super::{Cx, text};
use crate::ast::{ArgKind, Body, Graph, Items, Stmt};

/// Names by their text, each where it stands first.
type Used = BTreeMap<String, Ident>;

/// Renames the second kernel, or the second resource of a graph, of one name.
pub fn renamed(items: &mut Items, cx: &mut Cx) {
    if items.unnamed {
        return;
    }
    kernels(items, cx);
    let outside: Vec<String> = items.consts.iter().map(|of| text(&of.name)).collect();
    for graph in items.graphs.iter_mut().filter(|graph| !graph.broken) {
        resources(graph, &outside, cx);
    }
}

fn kernels(items: &mut Items, cx: &mut Cx) {
    let Some((first, again)) = twice(items.kernels.iter().map(|kernel| &kernel.name)) else {
        return;
    };
    let stages = items.stages.iter().map(|stage| &stage.body);
    let graphs = items.graphs.iter().map(|graph| &graph.body);
    let mut used = Used::new();
    for body in stages.chain(graphs) {
        each(&body.stmts, &mut |stmt| {
            let call = stmt.call().filter(|call| call.dims.is_none());
            if let Some(name) = call.and_then(|call| call.path.get_ident()) {
                used.entry(text(name)).or_insert_with(|| name.clone());
            }
        });
    }
    let kernels = items.kernels.iter().map(|kernel| &kernel.name);
    for name in kernels.chain(items.stages.iter().map(|stage| &stage.name)) {
        used.remove(&text(name));
    }
    used.retain(|name, _| Transfer::called(name).is_none());
    if let Some(meant) = only(used) {
        let first = items.kernels[first].name.clone();
        rename(
            &first,
            &mut items.kernels[again].name,
            Kind::Kernel,
            meant,
            cx,
        );
    }
}

fn resources(graph: &mut Graph, outside: &[String], cx: &mut Cx) {
    let body = &graph.body;
    let Some((first, again)) = twice(body.declares().map(|declare| &declare.name)) else {
        return;
    };
    if body.broken || !body.lost.is_empty() {
        return;
    }
    let first = body
        .declares()
        .nth(first)
        .map(|declare| declare.name.clone());
    let declares = body.stmts.iter().enumerate();
    let mut declares = declares.filter(|(_, stmt)| matches!(stmt, Stmt::Declare(_)));
    let (Some(first), Some((at, _))) = (first, declares.nth(again)) else {
        return;
    };
    let mut used = Used::new();
    each(&body.stmts[at..], &mut |stmt| {
        for arg in stmt.call().iter().flat_map(|call| &call.args) {
            if let ArgKind::Ref(_, view) = &arg.kind {
                used.entry(text(&view.name))
                    .or_insert_with(|| view.name.clone());
            }
        }
    });
    let mut known = outside.to_vec();
    known.extend(graph.dims.iter().map(|dim| text(&dim.name)));
    known.extend(graph.scalars.iter().map(|scalar| text(&scalar.name)));
    known.extend(graph.variants.iter().map(|variant| text(&variant.name)));
    declared(body, &mut known);
    used.retain(|name, _| !known.contains(name));
    if let (Some(meant), Stmt::Declare(declare)) = (only(used), &mut graph.body.stmts[at]) {
        rename(&first, &mut declare.name, Kind::Resource, meant, cx);
    }
}

/// Reports `again`, which is called like `first`, and calls it as was `meant`.
fn rename(first: &Ident, again: &mut Ident, kind: Kind, mut meant: Ident, cx: &mut Cx) {
    let [site, first] = [&*again, first].map(|name| cx.sites.push(name));
    let fault = names::misnamed(site, kind, &text(again), first, &text(&meant));
    cx.errors.push(fault);
    meant.set_span(again.span());
    *again = meant;
}

/// The positions of the two that have one name, if there is one such pair.
fn twice<'a>(names: impl Iterator<Item = &'a Ident>) -> Option<(usize, usize)> {
    let mut seen = BTreeMap::new();
    let mut pairs = Vec::new();
    for (i, name) in names.enumerate() {
        match seen.get(&text(name)) {
            Some(first) => pairs.push((*first, i)),
            None => drop(seen.insert(text(name), i)),
        }
    }
    match pairs[..] {
        [pair] => Some(pair),
        _ => None,
    }
}

fn only(used: Used) -> Option<Ident> {
    let mut all = used.into_values();
    let one = all.next()?;
    all.next().is_none().then_some(one)
}

/// Calls `f` with each of `stmts`, and those in loops and arms.
fn each<'a>(stmts: &'a [Stmt], f: &mut impl FnMut(&'a Stmt)) {
    for stmt in stmts {
        f(stmt);
        match stmt {
            Stmt::For(of) => each(&of.body.stmts, f),
            Stmt::Match(of) => of.arms.iter().for_each(|arm| each(&arm.body.stmts, f)),
            Stmt::Declare(_) | Stmt::Task(_) | Stmt::Tail(_) | Stmt::View(_) => {}
        }
    }
}

/// The names that statements of `body` declare, and those in loops and arms.
fn declared(body: &Body, names: &mut Vec<String>) {
    names.extend(body.consts.iter().map(|constant| text(&constant.name)));
    for stmt in &body.stmts {
        match stmt {
            Stmt::Declare(declare) => names.push(text(&declare.name)),
            Stmt::View(view) => names.push(text(&view.name)),
            Stmt::For(of) => {
                names.push(text(&of.var));
                declared(&of.body, names);
            }
            Stmt::Match(of) => of.arms.iter().for_each(|arm| declared(&arm.body, names)),
            Stmt::Task(_) | Stmt::Tail(_) => {}
        }
    }
}
