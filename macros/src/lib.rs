//! The `gpu_graph!` macro.
//!
//! ```text
//! parse ──▶ syntax tree ──▶ lower ──▶ analysis::Model ──▶ analysis ──▶ Plan, Record, Faults
//!                             │                                          │
//!                             └──────▶ SOURCE ──▶ codegen ◀──────────────┤
//!                                                                        ▼
//!                                                                     report
//! ```
//!
//! Nothing is decided here: what is wrong, and what a user reads of it, is found by
//! `gpu_graph_analysis`.

mod ast;
mod codegen;
mod dump;
#[cfg(test)]
mod expanded;
mod facade_path;
mod lower;
mod naming;
mod parse;
mod profile;
mod report;
mod span;

use std::cell::Cell;

use dump::Dump;
use gpu_graph_analysis::Analysis;
use gpu_graph_analysis::fault::sizes::{HALVINGS, unbounded_beyond_budget};
use gpu_graph_analysis::fault::{BUDGET, Fault, UNBOUNDED_DIM};
use gpu_graph_analysis::variants::{self, Combination};
use gpu_graph_analysis::workspace;
use lower::{Cx, Decls, Lowered};
use proc_macro2::TokenStream;

#[doc = include_str!("language.md")]
#[proc_macro]
pub fn gpu_graph(input: proc_macro::TokenStream) -> proc_macro::TokenStream {
    let (facade, input) = facade_path::split(input.into());
    let out = expand(input);
    match facade {
        Some(path) => facade_path::renamed(out, &path),
        None => out,
    }
    .into()
}

fn expand(input: TokenStream) -> TokenStream {
    let mut cx = Cx::default();
    let (mut out, faults) = expansion(&input, &mut cx);
    out.extend(report::compile_errors(&faults, &cx.sites, &input));
    out
}

/// What `input` expands to beside its errors, and the faults of all its items.
fn expansion(input: &TokenStream, cx: &mut Cx) -> (TokenStream, Vec<Fault>) {
    let mut out = TokenStream::new();
    let mut items = parse::items(input.clone(), &mut cx.sites, &mut cx.errors);
    cx.partial = items.unnamed;
    lower::renamed(&mut items, cx);
    lower::distinct(&mut items, cx);
    lower::consts(&items.consts, cx);
    for (constant, known) in items.consts.iter().zip(&cx.consts) {
        out.extend(codegen::constant(constant, known.value));
    }
    let kernels = lower::kernels(&items.kernels, cx);
    let alone = kernels.iter();
    let alone = alone.filter(|kernel| !cx.shared.contains(&lower::text(&kernel.ast.name)));
    let alone: Vec<_> = alone.collect();
    for kernel in &alone {
        out.extend(codegen::kernel(kernel, &alone));
    }
    let stages = lower::stages(&items.stages, cx);
    let decls = Decls::new(&kernels, &stages);
    let mut faults = cx.errors.take();
    if !items.graphs.is_empty() {
        out.extend(dump::tracked());
    }
    for graph in &items.graphs {
        let module = lower::text(&naming::module(&graph.name));
        if cx.shared.contains(&module) {
            let both = kernels.iter().find(|k| lower::text(&k.ast.name) == module);
            proved(graph, &decls, cx);
            faults.extend(cx.errors.take());
            out.extend(codegen::refused(graph, both));
            continue;
        }
        out.extend(match proved(graph, &decls, cx) {
            Some(variants) => {
                let dumps = variants.iter().map(|(graph, found)| Dump {
                    graph,
                    kernels: &kernels,
                    found,
                });
                dump::on_request(&lower::text(&graph.name), dumps);
                lower::forms(&variants, &kernels, cx);
                codegen::graph(graph, &variants, &kernels)
            }
            None => codegen::refused(graph, None),
        });
        faults.extend(cx.errors.take());
    }
    lower::uncalled(&decls, cx);
    faults.extend(cx.errors.take());
    // Where a name is misspelt, another is not used.
    if faults.is_empty() {
        lower::unused(&stages, cx);
        faults.extend(cx.errors.take());
    }
    report::settle(&mut faults, input, &mut cx.sites);
    (out, faults)
}

/// The graph in each combination of its variants and what was found of it then, or `None` where
/// something was reported. Of dims without a largest value, one is found that the graph is accepted with.
fn proved<'a>(
    graph: &'a ast::Graph,
    decls: &Decls<'_>,
    cx: &mut Cx,
) -> Option<Vec<(Lowered<'a>, Analysis)>> {
    let before = cx.errors.take();
    let found = judged(graph, decls, cx);
    let mut faults = cx.errors.take();
    if faults.iter().any(|fault| fault.code == UNBOUNDED_DIM) {
        let beyond = Cell::new(false);
        let mut accepts = |halvings: u32| {
            (cx.assumed, cx.halvings) = (true, halvings);
            let right = judged(graph, decls, cx).is_some();
            let found = cx.errors.take();
            beyond.set(found.iter().any(|fault| fault.code == BUDGET));
            right & found.is_empty()
        };
        // What a smaller bound makes right is right with a smaller one.
        let (mut wrong, mut right) = (0, HALVINGS);
        let (first, last) = (accepts(wrong), accepts(right));
        if !first && beyond.get() {
            let advised = |fault: Fault| match fault.code == UNBOUNDED_DIM {
                true => unbounded_beyond_budget(fault),
                false => fault,
            };
            faults = faults.into_iter().map(advised).collect();
        } else if !first && last {
            while right - wrong > 1 {
                let middle = right.midpoint(wrong);
                match accepts(middle) {
                    true => right = middle,
                    false => wrong = middle,
                }
            }
            (cx.assumed, cx.halvings) = (false, right);
            judged(graph, decls, cx);
            faults = cx.errors.take();
        }
        (cx.assumed, cx.halvings) = (false, 0);
    }
    cx.errors.extend(before);
    cx.errors.extend(faults);
    found
}

fn judged<'a>(
    graph: &'a ast::Graph,
    decls: &Decls<'_>,
    cx: &mut Cx,
) -> Option<Vec<(Lowered<'a>, Analysis)>> {
    // What was not read of it may be what the rest refers to.
    if graph.broken {
        return None;
    }
    cx.domains.clear();
    let choices = lower::combinations(graph, cx)?;
    let names = choices.iter().map(|choice| choice.names(graph));
    let names: Vec<_> = names.collect();
    let shown: Vec<String> = names.iter().map(|names| lower::shown(names)).collect();
    let first = cx.sites.combinations(names);
    // Neither in one of the combinations.
    let before = cx.errors.take();
    let mut wrong = None;
    let (profile, mut beside) = (lower::profile(graph, cx), cx.errors.take());
    cx.errors.extend(before);
    let lowered = choices.iter().enumerate().map(|(number, choice)| {
        let outside = match graph.variants.is_empty() {
            true => cx.sites.current(),
            false => cx.sites.choose(first + number),
        };
        let mut lowered = lower::graph(graph, choice, decls, cx);
        if let Some(lowered) = &mut lowered {
            cx.errors.extend(workspace::settle(&mut lowered.model));
            let source = codegen::digest(lowered, decls.kernels);
            let of = lower::profile_of(lowered, source, &shown, decls.kernels);
            let found = profile.as_ref().map(|profile| profile.of(&of)).transpose();
            let found = found.unwrap_or_else(|why| {
                wrong.get_or_insert(why);
                None
            });
            let declared = &mut lowered.model.declared;
            declared.source = Some(source);
            declared.profile_refused = graph.declared.profile.is_some() && found.is_none();
            declared.profile = found;
        }
        cx.sites.leave(outside);
        // What was reported stood beside the model, if there is one.
        (lowered, cx.errors.take())
    });
    let (lowered, faults): (Vec<_>, Vec<_>) = lowered.unzip();
    beside.extend(wrong.and_then(|wrong| lower::contradicts(graph, &wrong, cx)));
    let combinations = lowered
        .iter()
        .zip(faults)
        .zip(&shown)
        .map(|((lowered, faults), name)| Combination {
            name,
            model: lowered.as_ref().map(|lowered| &lowered.model),
            faults,
        });
    let found = variants::analyse(combinations.collect(), |site| cx.sites.region(site).key());
    let found = match (found, beside.is_empty()) {
        (found, true) => found,
        (Ok(_), false) => Err(beside),
        (Err(faults), false) => Err(beside.into_iter().chain(faults).collect()),
    };
    match found {
        Ok(found) => {
            let lowered = lowered.into_iter().flatten().zip(found);
            Some(
                lowered
                    .map(|(graph, found)| (planned(graph, &found), found))
                    .collect(),
            )
        }
        Err(faults) => {
            cx.errors.extend(faults);
            None
        }
    }
}

/// The graph as it is planned: with a task more for each value that is made again.
fn planned<'a>(graph: Lowered<'a>, found: &Analysis) -> Lowered<'a> {
    match &found.plan.graph {
        None => graph,
        Some(again) => Lowered {
            args: lower::handed_over(again, &graph.args),
            model: again.model.clone(),
            ..graph
        },
    }
}
