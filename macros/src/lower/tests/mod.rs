mod calls;
mod faults;
mod flatten;
mod generate;
mod names;
mod nested;
mod program;
mod reduced;
mod reshaped;
mod stages;
mod variants;

use gpu_graph_analysis::fault::Fault;
use gpu_graph_analysis::model::{Model, Rows, Site, TaskKind};

use super::{Cx, Decls, TaskArgs};
use crate::report::{Located, merged};

/// The graphs of a text, and what is wrong with it, in the order of the text, with what each
/// fault points to.
struct Lowered {
    models: Vec<(Model, Vec<TaskArgs>)>,
    faults: Vec<(Fault, String)>,
}

fn lower(source: &str) -> Lowered {
    let tokens = source.parse().expect("the test's text is made of tokens");
    let mut cx = Cx::default();
    let mut items = crate::parse::items(tokens, &mut cx.sites, &mut cx.errors);
    cx.partial = items.unnamed;
    super::distinct(&mut items, &mut cx);
    super::consts(&items.consts, &mut cx);
    let kernels = super::kernels(&items.kernels, &mut cx);
    let stages = super::stages(&items.stages, &mut cx);
    let decls = Decls::new(&kernels, &stages);
    let mut faults = cx.errors.take();
    let mut models = Vec::new();
    for graph in &items.graphs {
        if !graph.broken {
            for choice in super::combinations(graph, &mut cx).unwrap_or_default() {
                let lowered = super::graph(graph, &choice, &decls, &mut cx);
                faults.extend(cx.errors.take());
                models.extend(lowered.map(|lowered| (lowered.model, lowered.args)));
            }
        }
        faults.extend(cx.errors.take());
    }
    super::uncalled(&decls, &mut cx);
    faults.extend(cx.errors.take());
    if faults.is_empty() {
        super::unused(&stages, &mut cx);
        faults.extend(cx.errors.take());
    }
    let text = |site: Site| {
        let region = cx.sites.region(site);
        let (start, end) = (
            region.first.byte_range().start,
            region.last.byte_range().end,
        );
        source[start..end].to_owned()
    };
    let faults = merged(&faults, &Located(&cx.sites));
    let faults = faults.into_iter().map(|fault| {
        let at = text(fault.site);
        (fault, at)
    });
    Lowered {
        faults: faults.collect(),
        models,
    }
}

/// The only graph of a text in which nothing is wrong.
#[track_caller]
fn model(source: &str) -> (Model, Vec<TaskArgs>) {
    let mut lowered = lower(source);
    assert!(lowered.faults.is_empty(), "{source}\n{:?}", lowered.faults);
    lowered.models.pop().expect("there is a graph")
}

/// All that a graph means, without names and places.
fn meaning((model, args): &(Model, Vec<TaskArgs>)) -> Vec<String> {
    let rows = |rows: &Rows| match rows {
        Rows::All => "all".to_owned(),
        Rows::Span(a, b) => format!("{}..{}", a.display(&model.dims), b.display(&model.dims)),
    };
    let mut lines = Vec::new();
    for r in &model.resources {
        let shape = r.shape.iter().map(|e| e.display(&model.dims).to_string());
        let shape: Vec<_> = shape.collect();
        lines.push(format!("{:?} {} {shape:?}", r.class, r.elem));
    }
    for (task, args) in model.tasks.iter().zip(args) {
        let accesses: Vec<_> = task
            .accesses
            .iter()
            .map(|a| format!("{:?} {} {}", a.mode, a.resource.0, rows(&a.rows)))
            .collect();
        let what = match &task.kind {
            TaskKind::Kernel(launch) => format!("{launch:?}"),
            other => format!("{other:?}"),
        };
        lines.push(format!(
            "{what} {accesses:?} {:?} {:?}",
            args.scalars, args.dims
        ));
    }
    let mut demands: Vec<_> = model
        .orders
        .iter()
        .map(|o| format!("order {} {}", o.before.0, o.after.0))
        .collect();
    let aliases = model.aliases.iter().map(|p| ("alias", p));
    let separate = model.separate.iter().map(|p| ("separate", p));
    demands.extend(
        aliases
            .chain(separate)
            .map(|(word, p)| format!("{word} {} {}", p.a.0, p.b.0)),
    );
    demands.sort();
    lines.extend(demands);
    lines
}
