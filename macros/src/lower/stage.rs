//! Stages: their signatures, and that none of them calls itself.

use std::collections::BTreeMap;

use gpu_graph_analysis::calls;
use gpu_graph_analysis::fault::names::{self, Kind};
use gpu_graph_analysis::fault::stages;
use gpu_graph_analysis::limits;
use gpu_graph_analysis::model::KernelKind;
use proc_macro2::Ident;

use super::kernel::{self, Dims};
use super::mentions::mentions;
use super::names::Names;
use super::{Cx, text};
use crate::ast::{self, Body, Stmt};
use crate::span::Region;

/// A stage and what became of it.
pub struct StageDecl<'a> {
    /// As it was written.
    pub ast: &'a ast::Stage,
    /// Its dims in order of first use, each as it is first written.
    pub dims: Vec<Ident>,
    /// What calls are checked against, like those of a kernel; `None` where the stage was refused.
    pub signature: Option<calls::Kernel>,
}

/// All stages of a macro call. Those that are refused stay in the list, so that calls of them are
/// not reported as well.
pub fn stages<'a>(stages: &'a [ast::Stage], cx: &mut Cx) -> Vec<StageDecl<'a>> {
    let mut decls: Vec<_> = stages.iter().map(|stage| lower(stage, cx)).collect();
    Cycles::new(&decls).refuse(&mut decls, cx);
    decls
}

fn lower<'a>(ast: &'a ast::Stage, cx: &mut Cx) -> StageDecl<'a> {
    let mut dims = Dims::default();
    let signature = signature(ast, &mut dims, cx).filter(|_| !ast.broken);
    StageDecl {
        ast,
        dims: dims.names,
        signature,
    }
}

/// Reports the parameters that a stage makes nothing of.
pub fn unused(decls: &[StageDecl<'_>], cx: &mut Cx) {
    for StageDecl { ast, .. } in decls {
        let used = mentions(&ast.body);
        for param in &ast.params {
            let name = text(&param.name);
            if !used.contains(&name) {
                let site = cx.sites.push(&param.name);
                let fault = stages::unused_param(site, &text(&ast.name), &name);
                cx.errors.push(fault);
            }
        }
    }
}

fn signature(ast: &ast::Stage, dims: &mut Dims, cx: &mut Cx) -> Option<calls::Kernel> {
    let site = cx.sites.push(&ast.name);
    let mut scope = Names::default();
    let params = kernel::params(&ast.params, dims, &mut scope, cx);
    let result = match &ast.result {
        Some(tensor) => Some(dims.tensor(tensor, cx)?),
        None => None,
    };
    let signature = calls::Kernel {
        name: text(&ast.name),
        params: params?,
        result,
        over: None,
        shared: None,
        in_place: None,
        kind: KernelKind::Kernel,
        zeroed: Vec::new(),
        dims: std::mem::take(&mut dims.declared),
        site,
    };
    let before = cx.errors.len();
    // Both are names of the body.
    for dim in &signature.dims {
        if let Some(param) = scope.get(&dim.name) {
            let fault = names::duplicate(param.site, Kind::Parameter, &dim.name, dim.site);
            cx.errors.push(fault.note("an extent declares it as a dim"));
        }
    }
    cx.errors.extend(signature.unbound_dims());
    if let Some(result) = &ast.result
        && !ast.broken
        && let Some(end) = unvalued(&ast.body, ast.close.into())
    {
        let (end, at) = (cx.sites.push(end), cx.sites.push(result.region));
        let ty = signature.show_result();
        cx.errors
            .push(stages::no_tail(end, &signature.name, at, &ty));
    }
    (cx.errors.len() == before).then_some(signature)
}

/// Where a last call is missing in `body`, which ends at `close`; `None` where none is.
fn unvalued(body: &Body, close: Region) -> Option<Region> {
    if body.valued {
        return None;
    }
    let Some(Stmt::Match(inner)) = body.stmts.last() else {
        return Some(close);
    };
    // Where no arm ends with a call, the match is a statement.
    if inner.arms.iter().all(|arm| !arm.body.valued) {
        return Some(close);
    }
    let mut open = inner.arms.iter().filter(|arm| !arm.body.valued);
    open.find_map(|arm| unvalued(&arm.body, arm.close))
}

/// A call of a stage in the body of another.
struct Edge<'a> {
    to: usize,
    path: &'a syn::Path,
}

/// Who calls whom.
struct Cycles<'a> {
    names: Vec<String>,
    edges: Vec<Vec<Edge<'a>>>,
}

#[derive(Clone, Copy, PartialEq)]
enum Seen {
    No,
    Open,
    Done,
}

impl<'a> Cycles<'a> {
    fn new(decls: &[StageDecl<'a>]) -> Self {
        let names: Vec<_> = decls.iter().map(|decl| text(&decl.ast.name)).collect();
        let known = names.iter().enumerate().map(|(i, name)| (name.as_str(), i));
        let known: BTreeMap<_, _> = known.collect();
        let edges = decls.iter().map(|decl| {
            let mut edges = Vec::new();
            collect(&decl.ast.body, &known, &mut edges);
            edges
        });
        Self {
            edges: edges.collect(),
            names,
        }
    }

    /// Refuses each stage on a cycle, once for each call that closes one, and stages that are too
    /// deep. The search keeps its own stack: however many stages there are, it ends.
    fn refuse(&self, decls: &mut [StageDecl<'a>], cx: &mut Cx) {
        let mut seen = vec![Seen::No; decls.len()];
        let mut depth = vec![0; decls.len()];
        for root in 0..decls.len() {
            if seen[root] != Seen::No {
                continue;
            }
            seen[root] = Seen::Open;
            let mut path = vec![(root, 0)];
            while let Some((stage, next)) = path.last_mut() {
                let stage = *stage;
                let Some(edge) = self.edges[stage].get(*next) else {
                    seen[stage] = Seen::Done;
                    path.pop();
                    if let Some((caller, at)) = path.last() {
                        let edge = &self.edges[*caller][*at - 1];
                        depth[*caller] = depth[*caller].max(depth[stage] + 1);
                        self.check_depth(*caller, edge, &mut depth, decls, cx);
                    }
                    continue;
                };
                *next += 1;
                match seen[edge.to] {
                    Seen::No => {
                        seen[edge.to] = Seen::Open;
                        path.push((edge.to, 0));
                    }
                    Seen::Open => {
                        let stages: Vec<_> = path.iter().map(|(stage, _)| *stage).collect();
                        let from = stages.iter().position(|s| *s == edge.to);
                        self.report(&path[from.unwrap_or(0)..], edge, cx);
                        for stage in &stages[from.unwrap_or(0)..] {
                            decls[*stage].signature = None;
                        }
                    }
                    Seen::Done => {
                        depth[stage] = depth[stage].max(depth[edge.to] + 1);
                        self.check_depth(stage, edge, &mut depth, decls, cx);
                    }
                }
            }
        }
    }

    /// Refuses `caller` where the call at `edge` makes it too deep.
    fn check_depth(
        &self,
        caller: usize,
        edge: &Edge<'_>,
        depth: &mut [usize],
        decls: &mut [StageDecl<'a>],
        cx: &mut Cx,
    ) {
        if depth[caller] >= limits::STAGE_DEPTH {
            let site = cx.sites.push(edge.path);
            cx.errors
                .push(stages::stage_depth(site, &self.names[edge.to]));
            decls[caller].signature = None;
            // Those that call it are not reported as well.
            depth[caller] = 0;
        }
    }

    /// `cycle` is the path from the stage that `closing` calls, with the calls that it takes.
    fn report(&self, cycle: &[(usize, usize)], closing: &Edge<'_>, cx: &mut Cx) {
        let mut names: Vec<_> = cycle.iter().map(|(s, _)| self.names[*s].as_str()).collect();
        names.push(&self.names[closing.to]);
        let calls = cycle.iter().take(cycle.len() - 1).map(|(stage, next)| {
            let edge = &self.edges[*stage][*next - 1];
            (cx.sites.push(edge.path), self.names[edge.to].clone())
        });
        let calls: Vec<_> = calls.collect();
        let site = cx.sites.push(closing.path);
        cx.errors.push(stages::recursion(site, &names, &calls));
    }
}

/// The calls of stages in `body`.
fn collect<'a>(body: &'a Body, known: &BTreeMap<&str, usize>, edges: &mut Vec<Edge<'a>>) {
    for stmt in &body.stmts {
        match stmt {
            Stmt::For(inner) => collect(&inner.body, known, edges),
            Stmt::Match(inner) => {
                for arm in &inner.arms {
                    collect(&arm.body, known, edges);
                }
            }
            _ => {}
        }
        let Some(call) = stmt.call() else { continue };
        let name = call.path.get_ident().map(text).unwrap_or_default();
        if let Some(to) = known.get(name.as_str()) {
            edges.push(Edge {
                to: *to,
                path: &call.path,
            });
        }
    }
}
