//! Items that can stand side by side.

use std::collections::BTreeMap;

use gpu_graph_analysis::fault::facade;
use gpu_graph_analysis::fault::names::Kind;
use gpu_graph_analysis::model::Site;
use proc_macro2::Ident;

use super::names::Names;
use super::{Cx, text};
use crate::ast::Items;
use crate::naming::module;

/// Drops the items that would expand to a name that an earlier one has, and reports them. A graph
/// whose module a kernel has stays, as a stub.
pub fn distinct(items: &mut Items, cx: &mut Cx) {
    let mut taken = Taken::default();
    items
        .consts
        .retain(|constant| taken.name(Kind::Const, &constant.name, cx).1);
    items
        .kernels
        .retain(|kernel| taken.take(Kind::Kernel, &kernel.name, text(&kernel.name), cx));
    items
        .stages
        .retain(|stage| taken.name(Kind::Stage, &stage.name, cx).1);
    items.graphs.retain(|graph| {
        let module = text(&module(&graph.name));
        if module == text(&graph.name) {
            let site = cx.sites.push(&graph.name);
            cx.errors.push(facade::own_module(site, &module));
            return false;
        }
        let shared = taken.modules.get(&module).map(|taken| taken.kind);
        let new = taken.take(Kind::Graph, &graph.name, module.clone(), cx);
        // What both expand to can stand in one module, so that nothing else is reported.
        let both = shared == Some(Kind::Kernel) && !cx.shared.contains(&module);
        if both {
            cx.shared.insert(module);
        }
        new || both
    });
}

#[derive(Default)]
struct Taken {
    names: Names,
    modules: BTreeMap<String, Module>,
}

/// A module that an item expands to.
struct Module {
    kind: Kind,
    site: Site,
    item: String,
}

impl Taken {
    /// Declares a name, whose place among its kind nothing asks for; false where an item has it
    /// already.
    fn name(&mut self, kind: Kind, name: &Ident, cx: &mut Cx) -> (Site, bool) {
        let own = text(name);
        let new = self.names.get(&own).is_none();
        (self.names.declare(kind, 0, own, name, cx), new)
    }

    fn take(&mut self, kind: Kind, name: &Ident, module: String, cx: &mut Cx) -> bool {
        let own = text(name);
        let (site, new) = self.name(kind, name, cx);
        if !new {
            return false;
        }
        if let Some(first) = self.modules.get(&module) {
            cx.errors.push(facade::module_clash(
                site,
                &own,
                &module,
                first.site,
                &first.item,
            ));
            return false;
        }
        let item = Module {
            kind,
            site,
            item: own,
        };
        self.modules.insert(module, item);
        true
    }
}
