//! What a graph declares for its record.

use gpu_graph_analysis::declared::{Declared, Tolerance};
use gpu_graph_analysis::fault::names;
use gpu_graph_analysis::model::Class;
use gpu_graph_analysis::policy::{Minimize, Weight};

use super::scope::Scope;
use super::{Cx, Decls, Launched, text};
use crate::ast;

/// All that `graph` declares; `kernels` are those that its tasks launch.
pub fn kept(
    graph: &ast::Graph,
    decls: &Decls<'_>,
    kernels: &[Launched],
    scope: &Scope,
    cx: &mut Cx,
) -> Declared {
    let costs = kernels.iter().map(|kernel| match kernel {
        Launched::Here(index) => {
            let kernel = decls.kernels[*index].ast;
            let cost = kernel.cost.as_ref().map(|(cost, _)| cost.clone());
            (text(&kernel.name), cost)
        }
        Launched::Elsewhere(kernel) => {
            let path = kernel.path.to_string().replace(' ', "");
            (path, None)
        }
    });
    let finite = graph.scalars.iter().filter(|scalar| scalar.finite);
    Declared {
        minimize: minimize(graph, cx),
        scope: graph.declared.scope.as_ref().map(syn::LitStr::value),
        target: graph.declared.target.map(|(target, _)| target),
        issue: graph.declared.issue.map(|(issue, _)| issue),
        tolerances: tolerances(graph, scope, cx),
        finite: finite.map(|scalar| text(&scalar.name)).collect(),
        costs: costs.collect(),
        // Both need the whole model.
        profile: None,
        profile_refused: false,
        source: None,
    }
}

fn minimize(graph: &ast::Graph, cx: &mut Cx) -> Option<Minimize> {
    let (minimize, _) = graph.declared.minimize.as_ref()?;
    Some(match minimize {
        ast::Minimize::Order(list) => {
            let each = list.iter();
            Minimize::Order(each.map(|(m, word)| (*m, cx.sites.push(word))).collect())
        }
        ast::Minimize::Weights(list) => {
            let each = list.iter().map(|weight| Weight {
                metric: weight.metric,
                each: weight.each,
                per: weight.per,
                text: weight.text.clone(),
                site: cx.sites.push(&weight.word),
            });
            Minimize::Weights(each.collect())
        }
    })
}

fn tolerances(graph: &ast::Graph, scope: &Scope, cx: &mut Cx) -> Vec<Tolerance> {
    let mut found = Vec::new();
    for tolerance in &graph.declared.tolerances {
        let Some(resource) = scope.resource(&tolerance.output, cx) else {
            continue;
        };
        let resource = &scope.resources[resource.0 as usize];
        if resource.class != Class::Output {
            let site = cx.sites.push(&tolerance.output);
            let (name, declared) = (&resource.name, resource.site);
            cx.errors
                .push(names::not_output(site, "tolerance", name, declared));
            continue;
        }
        found.push(Tolerance {
            output: resource.name.clone(),
            text: tolerance.text.clone(),
        });
    }
    found
}
