//! What can be called.

use std::collections::BTreeMap;

use gpu_graph_analysis::calls::{ParamKind, Transfer};
use gpu_graph_analysis::fault::names::{self, Kind};
use quote::ToTokens;

use super::foreign::is_foreign;
use super::{Cx, KernelDecl, StageDecl, text};
use crate::ast;

/// Kernels and stages of a macro call.
pub struct Decls<'a> {
    /// Kernels, in order.
    pub kernels: &'a [KernelDecl<'a>],
    /// Stages, in order.
    pub stages: &'a [StageDecl<'a>],
    names: BTreeMap<String, Callee>,
}

/// One of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Callee {
    /// The kernel of that index.
    Kernel(usize),
    /// The stage of that index.
    Stage(usize),
    /// A kernel that another macro call declares.
    Foreign,
    /// A copy between the sides, which is no item and has no other use of its name.
    Copy(Transfer),
}

impl<'a> Decls<'a> {
    /// By their names.
    pub fn new(kernels: &'a [KernelDecl<'a>], stages: &'a [StageDecl<'a>]) -> Self {
        let mut names = BTreeMap::new();
        for (i, decl) in kernels.iter().enumerate() {
            names
                .entry(text(&decl.ast.name))
                .or_insert(Callee::Kernel(i));
        }
        for (i, decl) in stages.iter().enumerate() {
            names
                .entry(text(&decl.ast.name))
                .or_insert(Callee::Stage(i));
        }
        Self {
            kernels,
            stages,
            names,
        }
    }

    /// What the parameter of that position takes, where that is known.
    pub fn param(&self, callee: Callee, position: usize) -> Option<&'a ParamKind> {
        let signature = match callee {
            Callee::Kernel(index) => self.kernels[index].signature.as_ref(),
            Callee::Stage(index) => self.stages[index].signature.as_ref(),
            Callee::Foreign | Callee::Copy(_) => None,
        };
        signature?.params.get(position).map(|param| &param.kind)
    }

    /// What `path` names, if it is here.
    pub fn find(&self, path: &syn::Path) -> Option<Callee> {
        self.names.get(&shown(path)).copied()
    }

    /// What `call` calls; reported where it is nowhere.
    pub fn get(&self, call: &ast::Call, cx: &mut Cx) -> Option<Callee> {
        let path = &call.path;
        let copy = || {
            let name = path.get_ident().map(text)?;
            Transfer::called(&name).map(Callee::Copy)
        };
        let found = match is_foreign(call) {
            true => Some(Callee::Foreign),
            false => self.find(path).or_else(copy),
        };
        if found.is_some() || cx.partial {
            return found;
        }
        let (site, name) = (cx.sites.push(path), shown(path));
        let known = self.kernels.iter().map(|decl| text(&decl.ast.name));
        let known = known.chain(self.stages.iter().map(|decl| text(&decl.ast.name)));
        let known: Vec<_> = known.collect();
        let known = known.iter().map(String::as_str);
        cx.errors
            .push(names::unknown(site, Kind::Kernel, &name, known));
        None
    }
}

/// The path as one would write it.
pub fn shown(path: &syn::Path) -> String {
    match path.get_ident() {
        Some(name) => text(name),
        None => path.to_token_stream().to_string().replace(" :: ", "::"),
    }
}
