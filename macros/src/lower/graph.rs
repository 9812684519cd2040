//! A graph as the analysis sees it.

use gpu_graph_analysis::fault::{sizes, storage};
use gpu_graph_analysis::limits;
use gpu_graph_analysis::model::Budget;
use gpu_graph_analysis::model::Model;

use super::scope::Scope;
use super::task::Tasks;
use super::{Cx, KernelDecl, Lowered, demand, text};
use crate::ast;

/// Streams of one instance where none are declared.
const STREAMS: u32 = 4;

/// The graph as the analysis sees it, or `None` where something of it, or of a kernel that it
/// calls, was reported, unless the model is whole without that.
pub fn graph<'a>(
    ast: &'a ast::Graph,
    kernels: &[KernelDecl<'_>],
    cx: &mut Cx,
) -> Option<Lowered<'a>> {
    let site = cx.sites.push(&ast.name);
    let scope = Scope::new(ast, cx);
    // Faults that leave the model whole: a bound was out of range, something is not used, a demand
    // that could only refuse more is not understood.
    let mut beside = 0;
    let mut since = cx.errors.len();
    let (depth, streams) = settings(ast, cx);
    beside += cx.errors.len() - since;
    let mut tasks = Tasks::new(&scope, kernels);
    tasks.uploads();
    tasks.statements(&ast.stmts, cx);
    let tasks = tasks.finish();
    since = cx.errors.len();
    for (scalar, used) in ast.scalars.iter().zip(&tasks.used) {
        if !used && tasks.complete {
            let site = cx.sites.push(&scalar.name);
            cx.errors
                .push(storage::unused_scalar(site, &text(&scalar.name)));
        }
    }
    beside += cx.errors.len() - since;
    let orders = demand::orders(&ast.orders, &tasks.labels, cx);
    since = cx.errors.len();
    let aliases = demand::pairs(&ast.aliases, &scope.names, cx);
    let separate = demand::pairs(&ast.separate, &scope.names, cx);
    beside += cx.errors.len() - since;
    let budget = ast.budget.map(|b| Budget {
        bytes: b.bytes,
        site: cx.sites.push(b.region),
    });
    if cx.errors.len() > beside || !tasks.complete {
        return None;
    }
    let model = Model {
        name: text(&ast.name),
        site,
        dims: scope.dims,
        resources: scope.resources,
        tasks: tasks.tasks,
        orders,
        aliases,
        separate,
        budget,
        depth,
        streams,
    };
    Some(Lowered {
        ast,
        model,
        args: tasks.args,
        kernels: tasks.kernels,
    })
}

/// Runs in flight, and streams of each.
fn settings(ast: &ast::Graph, cx: &mut Cx) -> (u32, u32) {
    let mut setting = |count: Option<ast::Count>, word| {
        let count = count?;
        let value = count.count.value;
        match u32::try_from(value) {
            Ok(value @ 1..=limits::STREAMS) => Some((value, count.region)),
            _ => {
                let site = cx.sites.push(count.region);
                let most = limits::STREAMS.into();
                cx.errors.push(sizes::count(site, word, value, 1, most));
                None
            }
        }
    };
    let depth = setting(ast.pipelined, "pipelined").map_or(1, |(depth, _)| depth);
    let streams = setting(ast.streams, "streams");
    let most = limits::STREAMS / depth;
    match streams {
        None => (depth, STREAMS.min(most)),
        Some((streams, _)) if streams <= most => (depth, streams),
        Some((streams, region)) => {
            let site = cx.sites.push(region);
            cx.errors
                .push(sizes::streams(site, depth, streams, limits::STREAMS));
            (depth, most)
        }
    }
}
