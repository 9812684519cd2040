//! The tables of a graph and the proof that stands beside them.

use gpu_graph_analysis::model::Model;
use gpu_graph_analysis::plan::Plan;
use proc_macro2::{Ident, Span, TokenStream};
use quote::{quote, quote_spanned};

use super::text::Text;
use super::{doc, program, source};
use crate::ast;
use crate::lower::{KernelDecl, KernelInfo, Lowered};

/// The tables as a constant of the graph's type, and the proof at the graph's name.
///
/// The tables stand in a module of their own, where no name of the user is in scope; the code of
/// kernels stands outside it, because it is named by the user's names.
pub fn expand(graph: &Lowered<'_>, decls: &[KernelDecl<'_>], plan: &Plan) -> TokenStream {
    let launched = graph.kernels.iter().map(|&k| &decls[k]);
    let infos = launched
        .clone()
        .filter_map(|k| k.signature.as_ref().map(KernelInfo::from));
    let infos: Vec<_> = infos.collect();
    let mut text = Text::default();
    source::write(
        &mut text,
        &graph.model,
        &graph.args,
        &infos,
        graph.ast.scalars.len(),
    );
    program::write(&mut text, plan);
    let kernels: Vec<_> = launched.map(|k| &k.ast.name).collect();
    let name = &graph.ast.name;
    let span = name.span().resolved_at(Span::mixed_site());
    let proof = quote_spanned! {span=>
        ::gpu_graph::__private::prove!(__gpu_graph_tables::SOURCE, __gpu_graph_tables::PROGRAM);
    };
    image(graph.ast, &text.tokens(), &kernels, &proof)
}

/// What stands in for the tables of a graph that was refused: none, which nothing can load.
pub fn refused(graph: &ast::Graph, model: &Model, plan: &Plan) -> TokenStream {
    let mut text = Text::default();
    source::write(&mut text, model, &[], &[], 0);
    program::write(&mut text, plan);
    image(graph, &text.tokens(), &[], &TokenStream::new())
}

fn image(
    graph: &ast::Graph,
    tables: &TokenStream,
    kernels: &[&Ident],
    proof: &TokenStream,
) -> TokenStream {
    let (name, count) = (&graph.name, kernels.len());
    let cfgs = doc::cfgs(&graph.attrs);
    quote! {
        #(#cfgs)*
        impl ::gpu_graph::__private::DeclaredGraph for #name {
            const IMAGE: ::gpu_graph::__private::Image = {
                #[allow(long_running_const_eval)]
                mod __gpu_graph_tables {
                    use ::core::option::Option as o;
                    use ::gpu_graph::__private::table::{self as t, packed as p};
                    #tables
                }
                #proof
                static __GPU_GRAPH_CODE: [::gpu_graph::__private::Code; #count] = [
                    #(<#kernels::Dims as ::gpu_graph::__private::DeclaredKernel>::CODE),*
                ];
                ::gpu_graph::__private::Image {
                    source: &__gpu_graph_tables::SOURCE,
                    program: &__gpu_graph_tables::PROGRAM,
                    code: &__GPU_GRAPH_CODE,
                }
            };
        }
    }
}
