//! One graph's tables in readable form, on request.
//!
//! `GPU_GRAPH_EXPAND=Edges cargo check` prints those of the graph `Edges` on standard error;
//! `GPU_GRAPH_EXPAND=Edges=/tmp/edges.txt` writes them to a file, from the folder of the workspace
//! where the path is relative. Without the variable nothing is printed or written.

mod tasks;

use std::fmt::{self, Display, Formatter};

use gpu_graph_analysis::Analysis;
use gpu_graph_analysis::fault::counted;
use gpu_graph_analysis::model::Class;
use gpu_graph_analysis::plan::{HostOp, Op};
use proc_macro2::TokenStream;
use quote::quote;

use crate::lower::{KernelDecl, Lowered};

const VARIABLE: &str = "GPU_GRAPH_EXPAND";

/// Lets the build know of the variable, so that a crate is built again when it changes: a stable
/// procedural macro has no other way to say so.
pub fn tracked() -> TokenStream {
    quote! {
        const _: ::core::option::Option<&::core::primitive::str> =
            ::core::option_env!(#VARIABLE);
    }
}

/// Prints or writes the tables of each combination of a graph's variants, if the variable names it.
pub fn on_request(graph: &str, dumps: impl Iterator<Item = impl Display>) {
    let Ok(value) = std::env::var(VARIABLE) else {
        return;
    };
    let Some(target) = target(&value, graph) else {
        return;
    };
    let text: Vec<String> = dumps.map(|dump| dump.to_string()).collect();
    let text = text.join("\n");
    match target {
        None => eprint!("{text}"),
        Some(path) => {
            if let Err(error) = std::fs::write(path, text) {
                eprintln!("gpu-graph: `{path}` of `{VARIABLE}` cannot be written: {error}");
            }
        }
    }
}

/// Where the tables of `graph` go, if they are asked for: to a file, or to standard error.
fn target<'a>(value: &'a str, graph: &str) -> Option<Option<&'a str>> {
    let (name, path) = match value.split_once('=') {
        Some((name, path)) => (name, Some(path)),
        None => (value, None),
    };
    (name == graph).then_some(path)
}

/// A graph that was accepted.
pub struct Dump<'a> {
    /// The graph.
    pub graph: &'a Lowered<'a>,
    /// The kernels of its macro call.
    pub kernels: &'a [KernelDecl<'a>],
    /// What was found of it.
    pub found: &'a Analysis,
}

impl Display for Dump<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let (model, plan) = (&self.graph.model, &self.found.plan);
        write!(f, "graph {}", model.name)?;
        if !self.graph.combination.is_empty() {
            write!(f, " where {}", self.graph.combination)?;
        }
        for (i, d) in model.declared_dims().enumerate() {
            let mark = if i == 0 { ":" } else { "," };
            write!(f, "{mark} {} in {}..={}", d.name, d.min, d.max)?;
        }
        write!(f, "\n  instances {}, each of ", plan.ring)?;
        write!(f, "{} bytes, {} at least", plan.arena, plan.lower_bound)?;
        let streams = counted(plan.streams.into(), "stream");
        writeln!(f, ", {streams}, {}", counted(plan.events as usize, "event"))?;
        if plan.store > 0 {
            let (store, from) = (plan.store, plan.arena);
            writeln!(f, "  store {store} bytes, one copy, from offset {from}")?;
        }
        if plan.pinned > 0 {
            let (pinned, from) = (plan.pinned, plan.arena + plan.store);
            writeln!(f, "  staging {pinned} bytes, from offset {from}")?;
        }
        if let Some(budget) = &model.budget {
            writeln!(f, "  budget {} bytes", budget.bytes)?;
        }
        self.resources(f)?;
        self.tasks(f)?;
        self.demands(f)?;
        self.issue(f)
    }
}

impl Dump<'_> {
    fn resources(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let model = &self.graph.model;
        writeln!(f, "\nresources")?;
        for (i, (r, slot)) in model
            .resources
            .iter()
            .zip(&self.found.plan.slots)
            .enumerate()
        {
            let class = match r.class {
                Class::Input => "input",
                Class::InputMut => "input mut",
                Class::Transient => "let",
                Class::Output => "output",
                Class::Resident => "resident input",
                Class::Inout => "inout",
                Class::Workspace => "workspace",
                Class::Staging => "staging",
                Class::Escape => "escape",
                Class::Reconstructable => "recompute let",
            };
            let extents = r.shape.iter().map(|e| e.display(&model.dims).to_string());
            let extents = extents.collect::<Vec<_>>().join(", ");
            let end = slot.offset.saturating_add(slot.bytes);
            write!(f, "  {i} {class} {}: [{}; {extents}]", r.name, r.elem)?;
            write!(f, ", bytes {}..{end}", slot.offset)?;
            if r.domain > 0 {
                write!(f, ", in domain {}", model.domains[usize::from(r.domain)])?;
            }
            writeln!(f)?;
        }
        Ok(())
    }

    fn demands(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let model = &self.graph.model;
        if model.orders.len() + model.aliases.len() + model.separate.len() > 0 {
            writeln!(f, "\ndemands")?;
        }
        for order in &model.orders {
            writeln!(f, "  order {} -> {}", order.before.0, order.after.0)?;
        }
        let name = |r: gpu_graph_analysis::model::ResourceId| &model.resources[r.0 as usize].name;
        for pair in &model.aliases {
            writeln!(f, "  alias {} with {}", name(pair.a), name(pair.b))?;
        }
        for pair in &model.separate {
            writeln!(f, "  separate {}, {}", name(pair.a), name(pair.b))?;
        }
        Ok(())
    }

    fn issue(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let (model, plan) = (&self.graph.model, &self.found.plan);
        let name = |resource: u32| &model.resources[resource as usize].name;
        writeln!(f, "\nissue")?;
        for op in &plan.issue {
            match *op {
                Op::Gate { event } => writeln!(f, "  gate on event {event}")?,
                Op::Acquire { resource } => writeln!(f, "  acquire {}", name(resource))?,
                Op::Release { resource } => writeln!(f, "  release {}", name(resource))?,
                Op::Launch {
                    task,
                    stream,
                    in_place,
                } => {
                    let name = &model.tasks[task as usize].name;
                    let form = if in_place { ", in place" } else { "" };
                    writeln!(f, "  stream {stream}: launch {task} `{name}`{form}")?;
                }
                Op::Record { event, stream } => {
                    writeln!(f, "  stream {stream}: record event {event}")?;
                }
                Op::Wait { stream, event } => {
                    writeln!(f, "  stream {stream}: wait for event {event}")?;
                }
            }
        }
        writeln!(f, "\ncollect")?;
        for op in &plan.collect {
            match *op {
                HostOp::Wait { event } => writeln!(f, "  wait for event {event}")?,
                HostOp::Read { resource } => writeln!(f, "  read {}", name(resource))?,
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::target;

    #[test]
    fn the_variable_names_a_graph_and_where_its_tables_go() {
        assert_eq!(target("Edges", "Edges"), Some(None));
        assert_eq!(target("Edges=/a=b", "Edges"), Some(Some("/a=b")));
        assert_eq!(target("Edges", "Edge"), None);
        assert_eq!(target("", "Edges"), None);
    }
}
