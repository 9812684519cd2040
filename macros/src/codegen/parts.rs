//! What of a graph its users see. Taken from the syntax tree alone, so that it is there for a graph
//! that was refused, too.

use std::collections::BTreeSet;

use gpu_graph_analysis::fault::facade::RUN_METHODS;
use gpu_graph_analysis::model::Class;
use gpu_graph_analysis::workspace::Content;
use proc_macro2::Ident;

use crate::ast::{self, Declare, Dim, ScalarDecl, Stmt};
use crate::lower::text;
use crate::naming::module;

/// The parts of a graph's facade. No two of one list have one name.
pub struct Parts<'a> {
    /// The graph.
    pub graph: &'a ast::Graph,
    /// The module, `edges` for `Edges`.
    pub module: Ident,
    /// Dims in order.
    pub dims: Vec<&'a Dim>,
    /// Inputs in order.
    pub inputs: Vec<&'a Declare>,
    /// Scalars in order.
    pub scalars: Vec<&'a ScalarDecl>,
    /// Resident inputs in order.
    pub residents: Vec<&'a Declare>,
    /// It has collectives; `None` where that is not known.
    pub collectives: Option<bool>,
    /// It has inouts, or preserved workspaces.
    pub inouts: bool,
    /// Outputs in order.
    pub outputs: Vec<&'a Declare>,
    /// Inputs and scalars of which only the names are known.
    pub lost: Vec<&'a Ident>,
    /// Runs in flight.
    pub depth: usize,
}

impl<'a> Parts<'a> {
    /// The parts of `graph`.
    pub fn new(graph: &'a ast::Graph) -> Self {
        let declares = |class| {
            graph.body.stmts.iter().filter_map(move |stmt| match stmt {
                Stmt::Declare(declare) if declare.class == class => Some(declare),
                _ => None,
            })
        };
        let mut fields = BTreeSet::new();
        let mut field = |name: &Ident| fields.insert(text(name));
        let inputs = declares(Class::Input).filter(|i| field(&i.name)).collect();
        let scalars = graph.scalars.iter().filter(|s| field(&s.name)).collect();
        let lost = graph.body.lost.iter().filter(|name| field(name)).collect();
        let mut names = BTreeSet::new();
        let dims = graph
            .dims
            .iter()
            .filter(|d| names.insert(text(&d.name)))
            .collect();
        let mut methods: BTreeSet<String> = RUN_METHODS.iter().map(|m| (*m).to_owned()).collect();
        let outputs = declares(Class::Output)
            .filter(|o| methods.insert(text(&o.name)))
            .collect();
        let mut names = BTreeSet::new();
        let residents = declares(Class::Resident)
            .filter(|r| names.insert(text(&r.name)))
            .collect();
        let preserved = declares(Class::Workspace).any(|d| {
            let workspace = d.workspace.as_ref();
            workspace.is_some_and(|w| w.content.0 == Content::Preserved)
        });
        // A depth beyond the limit was refused; what stands here only has to be well formed.
        let depth = graph.pipelined.map_or(1, |p| p.count.value.clamp(1, 16));
        Self {
            graph,
            module: module(&graph.name),
            dims,
            inputs,
            scalars,
            residents,
            collectives: None,
            inouts: declares(Class::Inout).next().is_some() || preserved,
            outputs,
            lost,
            depth: depth as usize,
        }
    }
}
