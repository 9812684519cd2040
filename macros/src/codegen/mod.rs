//! From what was proved to Rust: tables, the proof, and the typed facade. Nothing can fail here.

mod constant;
mod cuda;
mod doc;
mod facade;
mod foreign;
mod formula;
mod image;
mod kernel;
mod parts;
mod program;
mod source;
mod text;
mod variant;

pub use constant::expand as constant;
pub use cuda::{ascii, is_image};
pub use kernel::expand as kernel;
pub use parts::TYPES;

use gpu_graph_analysis::Analysis;
use gpu_graph_analysis::digest::Digest;
use gpu_graph_analysis::model::{Model, Site};
use gpu_graph_analysis::plan::Plan;
use gpu_graph_analysis::record::Variants;
use proc_macro2::TokenStream;
use quote::quote;

use crate::ast::{self, KernelKind};
use crate::lower::{KernelDecl, Launched, Lowered};
use facade::{RecordText, Records};
use parts::Parts;

/// A graph that was accepted, in each combination of its variants.
pub fn graph(
    graph: &ast::Graph,
    variants: &[(Lowered<'_>, Analysis)],
    kernels: &[KernelDecl<'_>],
) -> TokenStream {
    let mut parts = Parts::new(graph);
    let collective = |k: &Launched| match k {
        Launched::Here(k) => kernels[*k].ast.kind == KernelKind::Collective,
        Launched::Elsewhere(_) => false,
    };
    let mut launched = variants.iter().flat_map(|(graph, _)| &graph.kernels);
    parts.collectives = Some(launched.any(collective));
    let mut out = facade::expand(&parts, &records(variants), &TokenStream::new());
    out.extend(image::expand(graph, variants, kernels));
    if let Some(profile) = &graph.declared.profile {
        let (file, cfgs) = (kernel::in_crate(&profile.value()), doc::cfgs(&graph.attrs));
        // A new profile builds anew.
        out.extend(quote! {
            #(#cfgs)*
            const _: &[::core::primitive::u8] = ::core::include_bytes!(#file);
        });
    }
    out
}

/// What the source of a graph is known by: `SOURCE` but for its name and budget, which say nothing
/// of what runs, and the code of its kernels as far as it is seen.
pub fn digest(graph: &Lowered<'_>, kernels: &[KernelDecl<'_>]) -> Digest {
    let infos = image::infos(graph, kernels);
    let scalars = graph.ast.scalars.len();
    let mut digester = source::digest(&graph.model, &graph.args, &infos, scalars);
    for kernel in &graph.kernels {
        match kernel {
            Launched::Here(k) => digester.text(&kernels[*k].code.to_string()),
            Launched::Elsewhere(foreign) => {
                let path = foreign.path.to_string();
                digester.text(&path.split_whitespace().collect::<String>());
            }
        }
    }
    digester.finish()
}

fn records(variants: &[(Lowered<'_>, Analysis)]) -> Records {
    let each = variants.iter().map(|(graph, found)| {
        let record = RecordText {
            text: found.record.to_string(),
            dot: found.record.dot(),
            facts: found.record.facts(),
            lower_bound: found.plan.lower_bound,
            peaks: found.record.peak.ends(),
        };
        (graph.combination.clone(), record)
    });
    let named = variants.iter();
    let all = Variants(
        named
            .map(|(g, found)| (&*g.combination, &found.record))
            .collect(),
    );
    Records {
        text: all.to_string(),
        dot: all.dot(),
        each: each.collect(),
    }
}

/// A graph that was refused: the same items with the same types, so that nothing else is reported
/// of the code that uses them. `shares` is a kernel that would have the same module.
pub fn refused(graph: &ast::Graph, shares: Option<&KernelDecl<'_>>) -> TokenStream {
    let parts = Parts::new(graph);
    let more = shares.map_or(TokenStream::new(), kernel::dims_behind);
    let mut out = facade::expand(&parts, &Records::default(), &more);
    let model = Model {
        name: crate::lower::text(&graph.name),
        site: Site(0),
        dims: Vec::new(),
        domains: Vec::new(),
        resources: Vec::new(),
        extents: Default::default(),
        tasks: Vec::new(),
        orders: Vec::new(),
        again: Vec::new(),
        aliases: Vec::new(),
        separate: Vec::new(),
        stable: Vec::new(),
        budget: None,
        depth: 1,
        streams: 1,
        workspaces: Vec::new(),
        declared: Default::default(),
    };
    let plan = Plan {
        graph: None,
        slots: Vec::new(),
        arena: 0,
        store: 0,
        pinned: 0,
        lower_bound: 0,
        ring: 1,
        streams: 1,
        events: 0,
        issue: Vec::new(),
        collect: Vec::new(),
    };
    out.extend(image::refused(graph, &model, &plan));
    out
}
