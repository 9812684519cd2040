//! A graph as the analysis sees it.

use gpu_graph_analysis::calls::ScalarArg;
use gpu_graph_analysis::fault::ARGUMENT_COUNT;
use gpu_graph_analysis::fault::names::Kind;
use gpu_graph_analysis::fault::{calls, facade, sizes, storage, variants};
use gpu_graph_analysis::limits;
use gpu_graph_analysis::model::{Budget, Class, Model, TaskKind};

use super::declared::kept;
use super::scope::Scope;
use super::task::{Done, Tasks};
use super::variant::{self, Choice};
use super::{Cx, Decls, Launched, Lowered, TaskArgs, count, dims, escape, recompute, text};
use crate::ast;

/// Streams of one instance where none are declared.
const STREAMS: u32 = 4;

/// The graph as the analysis sees it where `choice` is chosen, or `None` where something of it, or
/// of a kernel that it calls, was reported, unless the model is whole without that.
pub fn graph<'a>(
    ast: &'a ast::Graph,
    choice: &Choice,
    decls: &Decls<'_>,
    cx: &mut Cx,
) -> Option<Lowered<'a>> {
    let site = cx.sites.push(&ast.name);
    let begun = cx.errors.len();
    if !count::check(&ast.body, decls, cx) {
        return None;
    }
    let scope = declared(ast, cx);
    // Faults that leave the model whole: a bound was out of range, something is not used, a demand
    // that could only refuse more is not understood.
    let mut beside = 0;
    let mut since = cx.errors.len();
    let (depth, streams) = settings(ast, cx);
    beside += cx.errors.len() - since;
    let inputs = inputs_and_outputs(ast, cx);
    let mut tasks = Tasks::new(scope, decls, inputs);
    tasks.graph = Some((ast, choice));
    tasks.done.matched = vec![false; ast.variants.len()];
    tasks.statements(&ast.body, cx);
    tasks.flatten(cx);
    beside += tasks.demands.beside;
    since = cx.errors.len();
    // An argument that is missing may be what was to name one.
    let found = cx.errors.since(begun);
    let missing = found.iter().any(|fault| fault.code == ARGUMENT_COUNT);
    if !tasks.done.unseen && !missing {
        let named = tasks.scope.named.borrow();
        for (i, scalar) in ast.scalars.iter().enumerate() {
            if !named.contains(&(i as u32)) {
                let site = cx.sites.push(&scalar.name);
                cx.errors
                    .push(storage::unused_scalar(site, &text(&scalar.name)));
            }
        }
        variant::unmatched(ast, &tasks.done.matched, cx);
    }
    rings(ast, &tasks.scope, depth, cx);
    collectives(ast, &tasks.done, decls, depth, cx);
    if tasks.done.complete && tasks.scope.sound {
        unused_dims(ast, &tasks.scope, cx);
    }
    escape::escapes(ast, &mut tasks.scope, cx);
    let stable = escape::stable(ast, &tasks.scope, cx);
    let (kernels, scope) = (&tasks.done.kernels, &tasks.scope);
    let declared = kept(ast, decls, kernels, scope, cx);
    beside += cx.errors.len() - since;
    recompute::functions(&tasks.scope, &tasks.done, &tasks.demands, decls, cx);
    let orders = tasks.demands.orders(cx);
    let mut again = tasks.demands.again(&tasks.done, tasks.before_calls(), cx);
    // That it cannot be made again is reported of what is handed out.
    let escapes = |name: &str| ast.escapes.iter().any(|escape| text(&escape.name) == name);
    again.retain(|of| !escapes(&tasks.scope.resources[of.value.0 as usize].name));
    let budget = ast.budget.map(|b| Budget {
        bytes: b.bytes,
        beside: Default::default(),
        site: cx.sites.push(b.region),
    });
    if cx.errors.len() > beside || !tasks.done.complete || !tasks.scope.sound {
        return None;
    }
    let mut all: Vec<_> = tasks.uploads().collect();
    let mut args: Vec<_> = all.iter().map(|_| TaskArgs::default()).collect();
    all.extend(tasks.done.tasks);
    args.extend(tasks.done.args);
    cx.domains.clone_from(&tasks.scope.domains);
    let model = Model {
        name: text(&ast.name),
        site,
        dims: tasks.scope.dims,
        domains: tasks.scope.domains,
        resources: tasks.scope.resources,
        extents: tasks.scope.written,
        tasks: all,
        orders,
        again,
        aliases: tasks.demands.aliases,
        separate: tasks.demands.separate,
        stable,
        budget,
        depth,
        streams,
        workspaces: tasks.scope.workspaces.list,
        declared,
    };
    Some(Lowered {
        combination: variant::shown(&choice.names(ast)),
        ast,
        model,
        args,
        kernels: tasks.done.kernels,
    })
}

/// Each instance has its own copy of what is staged: rings are as deep as runs are in flight.
fn rings(ast: &ast::Graph, scope: &Scope, depth: u32, cx: &mut Cx) {
    for ring in &scope.rings {
        if ring.depth != u64::from(depth) {
            let pipelined = ast.pipelined.map(|count| cx.sites.push(count.region));
            let fault = sizes::ring(ring.site, &ring.name, ring.depth, depth, pipelined);
            cx.errors.push(fault);
        }
    }
}

/// Reports the dims that nothing was said with.
fn unused_dims(graph: &ast::Graph, scope: &Scope, cx: &mut Cx) {
    let said = scope.said.borrow();
    for dim in &graph.dims {
        let name = text(&dim.name);
        let declared = scope.get(&name);
        if let Some(dim) = declared.filter(|dim| !said.contains(&dim.index)) {
            cx.errors.push(storage::unused_dim(dim.site, &name));
        }
    }
}

/// The scope in which the statements of `graph` stand: its constants, dims and scalars.
fn declared(graph: &ast::Graph, cx: &mut Cx) -> Scope {
    let mut scope = Scope::new(cx);
    for constant in &graph.body.consts {
        scope.constant_of(constant, cx);
    }
    for dim in &graph.dims {
        dims::declare(dim, &mut scope, cx);
    }
    for (i, scalar) in graph.scalars.iter().enumerate() {
        let value = ScalarArg::Param(i as u32);
        scope.scalar(&scalar.name, scalar.ty.elem, value, cx);
    }
    for (i, variant) in graph.variants.iter().enumerate() {
        scope.declare(Kind::Variant, i, &variant.name, cx);
    }
    scope
}

/// How many inputs there are; outputs that cannot be called so are reported.
fn inputs_and_outputs(graph: &ast::Graph, cx: &mut Cx) -> usize {
    let mut inputs = 0;
    for declare in graph.body.declares() {
        inputs += usize::from(declare.class.is_input());
        let name = text(&declare.name);
        if declare.class == Class::Output && facade::RUN_METHODS.contains(&name.as_str()) {
            let site = cx.sites.push(&declare.name);
            cx.errors.push(facade::method_clash(site, &name));
        }
    }
    inputs
}

/// Lanes run in any order, so collectives in them would meet in different runs; and ranks that choose
/// different variants would not meet at all.
fn collectives(ast: &ast::Graph, done: &Done, decls: &Decls<'_>, depth: u32, cx: &mut Cx) {
    let pipelined = ast.pipelined.filter(|_| depth > 1);
    for task in &done.tasks {
        let TaskKind::Kernel(launch) = &task.kind else {
            continue;
        };
        let kernel = &done.kernels[launch.kernel as usize];
        let Launched::Here(k) = kernel else { continue };
        if decls.kernels[*k].ast.kind != ast::KernelKind::Collective {
            continue;
        }
        if let Some(pipelined) = pipelined {
            let declared = cx.sites.push(pipelined.region);
            let fault = calls::collective_lanes(task.site, &launch.name, depth, declared);
            cx.errors.push(fault);
        }
        if let Some(variant) = ast.variants.first() {
            let declared = cx.sites.push(&variant.name);
            let fault = variants::collective(task.site, &launch.name, declared);
            cx.errors.push(fault);
        }
    }
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
