//! What of a graph its users see. Taken from the syntax tree alone, so that it is there for a graph
//! that was refused, too.

use std::collections::BTreeSet;

use gpu_graph_analysis::fault::facade::{GRAPH_METHODS, RUN_METHODS};
use gpu_graph_analysis::model::Class;
use gpu_graph_analysis::workspace::Content;
use proc_macro2::Ident;

use crate::ast::{self, Declare, Dim, Escape, Owner, ScalarDecl, Variant, VariantValue};
use crate::lower::text;
use crate::naming::{camel, module};

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
    /// Variants in order.
    pub variants: Vec<VariantPart<'a>>,
    /// Resident inputs in order.
    pub residents: Vec<&'a Declare>,
    /// It has collectives; `None` where that is not known.
    pub collectives: Option<bool>,
    /// It has inouts, or preserved workspaces.
    pub inouts: bool,
    /// Outputs in order, each with its place among all that runs hand out.
    pub outputs: Vec<(usize, &'a Declare)>,
    /// Addresses that runs hand out, likewise.
    pub of_run: Vec<Address<'a>>,
    /// Addresses that the graph hands out, each with its place among its inouts.
    pub of_graph: Vec<Address<'a>>,
    /// Inputs and scalars of which only the names are known.
    pub lost: Vec<&'a Ident>,
    /// Runs in flight.
    pub depth: usize,
}

/// An address that escapes.
pub struct Address<'a> {
    /// Which of its kind it points to.
    pub index: usize,
    /// As it was written.
    pub escape: &'a Escape,
    /// What it points to.
    pub declare: &'a Declare,
}

/// Addresses of `declares`, in their order, with names that are not taken. One that was refused for
/// its owner, or for what it points to, is handed out all the same: the graph is a stub then.
fn addresses<'a>(
    graph: &'a ast::Graph,
    declares: &[&'a Declare],
    of_graph: bool,
    taken: &mut BTreeSet<String>,
) -> Vec<Address<'a>> {
    let owned = |escape: &&Escape| match escape.owner {
        Some((Owner::Graph, _)) => of_graph,
        Some((Owner::Run, _)) => !of_graph,
        Some((Owner::Unknown, _)) | None => true,
    };
    let escapes = graph.escapes.iter().filter(owned).filter_map(|escape| {
        let name = text(&escape.name);
        let index = declares.iter().position(|d| text(&d.name) == name);
        let mut all = graph.body.declares();
        let declare = all.find(|d| text(&d.name) == name)?;
        Some(Address {
            index: index.unwrap_or_default(),
            escape,
            declare,
        })
    });
    escapes
        .filter(|address| taken.insert(text(&address.escape.pointer)))
        .collect()
}

/// A variant, and what it becomes.
pub struct VariantPart<'a> {
    /// As it was written.
    pub ast: &'a Variant,
    /// Its type.
    pub ty: Ident,
    /// Its values, each with its name there.
    pub values: Vec<(&'a VariantValue, Ident)>,
}

impl<'a> VariantPart<'a> {
    fn new(ast: &'a Variant) -> Self {
        let mut names = BTreeSet::new();
        let values = ast.values.iter().map(|value| (value, camel(&value.name)));
        Self {
            ast,
            ty: camel(&ast.name),
            values: values
                .filter(|(_, name)| names.insert(text(name)))
                .collect(),
        }
    }
}

/// Types that stand in the module of a graph.
pub const TYPES: [&str; 4] = ["Dims", "Inputs", "Lane", "Run"];

impl<'a> Parts<'a> {
    /// The parts of `graph`.
    pub fn new(graph: &'a ast::Graph) -> Self {
        let declares = |class| graph.body.declares().filter(move |d| d.class == class);
        let mut fields = BTreeSet::new();
        let mut field = |name: &Ident| fields.insert(text(name));
        let inputs = graph.body.declares().filter(|d| d.class.is_input());
        let inputs = inputs.filter(|i| field(&i.name)).collect();
        let scalars = graph.scalars.iter().filter(|s| field(&s.name)).collect();
        let lost = graph.body.lost.iter().filter(|name| field(name)).collect();
        let mut types: BTreeSet<String> = TYPES.iter().map(|t| (*t).to_owned()).collect();
        let variants = graph.variants.iter().filter(|v| field(&v.name));
        let variants = variants.map(VariantPart::new);
        let variants = variants.filter(|v| types.insert(text(&v.ty))).collect();
        let mut names = BTreeSet::new();
        let dims = graph
            .dims
            .iter()
            .filter(|d| names.insert(text(&d.name)))
            .collect();
        let mut methods: BTreeSet<String> = RUN_METHODS.iter().map(|m| (*m).to_owned()).collect();
        // Of one class in the tables, and there in order.
        let run_owned = |d: &&Declare| {
            let name = text(&d.name);
            let escapes = graph.escapes.iter().any(|escape| {
                text(&escape.name) == name && matches!(escape.owner, Some((Owner::Run, _)))
            });
            d.class == Class::Output || d.class == Class::Transient && escapes
        };
        let handed_out: Vec<_> = graph.body.declares().filter(run_owned).collect();
        let outputs = handed_out.iter().copied().enumerate();
        let outputs = outputs
            .filter(|(_, d)| d.class == Class::Output && methods.insert(text(&d.name)))
            .collect();
        let of_run = addresses(graph, &handed_out, false, &mut methods);
        let inouts: Vec<_> = declares(Class::Inout).collect();
        let mut methods: BTreeSet<_> = GRAPH_METHODS.iter().map(|m| (*m).to_owned()).collect();
        methods.extend(declares(Class::Resident).map(|r| format!("set_{}", text(&r.name))));
        let of_graph = addresses(graph, &inouts, true, &mut methods);
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
            variants,
            residents,
            collectives: None,
            inouts: !inouts.is_empty() || preserved,
            outputs,
            lost,
            of_run,
            of_graph,
            depth: depth as usize,
        }
    }
}
