//! `escape x as p owned by run` and `stable address x`.

use gpu_graph_analysis::fault::recompute::{self, Remade};
use gpu_graph_analysis::fault::{escapes, facade, variants};
use gpu_graph_analysis::model::{Class, ResourceId};

use super::scope::Scope;
use super::{Cx, text};
use crate::ast::{self, Owner};

/// Makes what a run hands out known, and refuses what nobody keeps.
pub fn escapes(ast: &ast::Graph, scope: &mut Scope, cx: &mut Cx) {
    for escape in &ast.escapes {
        clash(ast, escape, cx);
        let Some(id) = scope.resource(&escape.name, cx) else {
            continue;
        };
        let resource = &mut scope.resources[id.0 as usize];
        let (name, class, declared) = (text(&escape.name), resource.class, resource.site);
        let pointer = text(&escape.pointer);
        let fitting = match class {
            Class::Inout => "graph",
            _ => "run",
        };
        let Some((owner, word)) = &escape.owner else {
            let site = cx.sites.push(&escape.pointer);
            cx.errors
                .push(escapes::no_owner(site, &name, &pointer, fitting));
            continue;
        };
        let site = cx.sites.push(word);
        match (owner, class) {
            (Owner::Unknown, _) => {
                let fault = escapes::consumer_unknown(site, &pointer, fitting);
                cx.errors.push(fault);
            }
            (Owner::Run, Class::Transient) => resource.class = Class::Escape,
            (Owner::Run, Class::Reconstructable) => {
                let site = cx.sites.push(&escape.name);
                let again = ast.body.recomputes.iter();
                let again = again.filter(|demand| demand.name == escape.name);
                let demanded: Vec<_> = again.map(|d| cx.sites.push(&d.name)).collect();
                let value = Remade {
                    name: &name,
                    declared,
                    demanded: &demanded,
                };
                cx.errors.push(recompute::handed_out(site, value));
            }
            (Owner::Run, Class::Output | Class::Escape) | (Owner::Graph, Class::Inout) => {}
            (Owner::Run | Owner::Graph, _) => {
                let owner = word.to_string();
                let fault = escapes::cannot_escape(site, &name, class, &owner, declared);
                cx.errors.push(fault);
            }
        }
    }
}

/// Refuses an address that is called like something else that the run or the graph has.
fn clash(ast: &ast::Graph, escape: &ast::Escape, cx: &mut Cx) {
    let pointer = text(&escape.pointer);
    let of_graph = |escape: &ast::Escape| matches!(escape.owner, Some((Owner::Graph, _)));
    let declares = |class| {
        let of = ast.body.declares().filter(move |d| d.class == class);
        of.map(|declare| text(&declare.name))
    };
    let (of, taken) = match of_graph(escape) {
        true => {
            let set = declares(Class::Resident).any(|name| format!("set_{name}") == pointer);
            ("graph", set || facade::GRAPH_METHODS.contains(&&*pointer))
        }
        false => {
            let output = declares(Class::Output).any(|name| name == pointer);
            ("run", output || facade::RUN_METHODS.contains(&&*pointer))
        }
    };
    let before = ast.escapes.iter().take_while(|e| !std::ptr::eq(*e, escape));
    let twice = before
        .filter(|e| of_graph(e) == of_graph(escape))
        .any(|e| text(&e.pointer) == pointer);
    if taken || twice {
        let site = cx.sites.push(&escape.pointer);
        cx.errors.push(facade::address_clash(site, &pointer, of));
    }
}

/// The resources whose address is to be the same in every run, where it is.
pub fn stable(ast: &ast::Graph, scope: &Scope, cx: &mut Cx) -> Vec<ResourceId> {
    let mut found = Vec::new();
    for name in &ast.stable {
        let Some(id) = scope.resource(name, cx) else {
            continue;
        };
        let resource = &scope.resources[id.0 as usize];
        let (site, shown) = (cx.sites.push(name), text(name));
        let fault = match (resource.class, ast.pipelined) {
            (Class::Input | Class::Resident, _) => {
                escapes::unstable(site, &shown, resource.class, resource.site)
            }
            (_, Some(lanes)) if lanes.count.value > 1 => {
                let lanes = cx.sites.push(lanes.region);
                escapes::unstable_lanes(site, &shown, lanes)
            }
            // Each combination of variants has a layout of its own, but for what outlives runs.
            (class, _) if !class.persists() && !ast.variants.is_empty() => {
                let variant = cx.sites.push(&ast.variants[0].name);
                variants::unstable(site, &shown, variant)
            }
            _ => {
                found.push(id);
                continue;
            }
        };
        cx.errors.push(fault);
    }
    found
}
