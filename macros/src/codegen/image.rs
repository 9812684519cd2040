//! The tables of a graph and the proof that stands beside them.

use gpu_graph_analysis::Analysis;
use gpu_graph_analysis::model::{Model, TaskKind};
use gpu_graph_analysis::plan::Plan;
use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};

use super::text::Text;
use super::{doc, program, source};
use crate::ast;
use crate::lower::{Foreign, KernelDecl, KernelInfo, Launched, Lowered};
use crate::span::Region;

/// The tables as a constant of the graph's type, and the proof at the graph's name, for each
/// combination of its variants, and beside these that all of them may take turns in one memory.
///
/// The tables stand in a module of their own, where no name of the user is in scope; the code of
/// kernels stands outside it, because it is named by the user's names.
pub fn expand(
    graph: &ast::Graph,
    variants: &[(Lowered<'_>, Analysis)],
    decls: &[KernelDecl<'_>],
) -> TokenStream {
    let images = variants
        .iter()
        .map(|(graph, found)| one(graph, decls, &found.plan));
    implemented(graph, &images.collect::<Vec<_>>())
}

/// What `SOURCE` says of each kernel that is launched.
pub fn infos<'a>(graph: &Lowered<'_>, decls: &'a [KernelDecl<'_>]) -> Vec<KernelInfo<'a>> {
    let info = |kernel: &'_ Launched| match kernel {
        Launched::Here(k) => decls[*k].signature.as_ref().map(KernelInfo::from),
        // Stands in for what the kernel's own macro call says of it.
        Launched::Elsewhere(_) => Some(KernelInfo::default()),
    };
    graph.kernels.iter().filter_map(info).collect()
}

/// What runs in one combination of its variants.
fn one(graph: &Lowered<'_>, decls: &[KernelDecl<'_>], plan: &Plan) -> TokenStream {
    let infos = infos(graph, decls);
    let mut text = Text::default();
    let again = plan.graph.as_ref().map_or(Vec::new(), |of| of.again());
    source::write(
        &mut text,
        &graph.model,
        &graph.args,
        &infos,
        graph.ast.scalars.len(),
        &again,
    );
    let issue = graph.model.declared.issue;
    program::write(&mut text, plan, issue.unwrap_or_default());
    let path = |kernel: &Launched| match kernel {
        Launched::Here(k) => decls[*k].ast.name.to_token_stream(),
        Launched::Elsewhere(foreign) => foreign.path.clone(),
    };
    let kernels: Vec<_> = graph.kernels.iter().map(path).collect();
    let program = quote!(__gpu_graph_tables::PROGRAM);
    let (source, program, completed) = match completed(graph) {
        Some(completed) => (
            quote!(__GPU_GRAPH_SOURCE),
            quote!(__GPU_GRAPH_PROGRAM),
            completed,
        ),
        None => (
            quote!(__gpu_graph_tables::SOURCE),
            program,
            TokenStream::new(),
        ),
    };
    let name = &graph.ast.name;
    let span = name.span().resolved_at(Span::mixed_site());
    let proof = quote_spanned! {span=>
        ::gpu_graph::__private::prove!(#source, #program);
    };
    let proof = quote!(#completed #proof);
    image(&text.tokens(), &kernels, [&source, &program], &proof)
}

/// The tables with what other macro calls say of their kernels, and what is asserted of those;
/// `None` where all kernels are of this one. Where an assertion fails, which is an error by itself,
/// nothing is left to prove.
fn completed(graph: &Lowered<'_>) -> Option<TokenStream> {
    let kernels = &graph.kernels;
    let foreign: Vec<_> = kernels
        .iter()
        .zip(measured(graph))
        .filter_map(|(kernel, name)| match kernel {
            Launched::Here(_) => None,
            Launched::Elsewhere(foreign) => Some((foreign, name)),
        })
        .collect();
    if foreign.is_empty() {
        return None;
    }
    let asserted = super::foreign::asserted(foreign);
    let signatures = kernels.iter().enumerate().map(|(i, kernel)| match kernel {
        Launched::Here(_) => quote!(__gpu_graph_tables::SOURCE.kernels[#i]),
        Launched::Elsewhere(Foreign { path, .. }) => quote! {
            <#path::Dims as ::gpu_graph::__private::DeclaredKernel>::SIGNATURE.kernel
        },
    });
    Some(quote! {
        #asserted
        static __GPU_GRAPH_SOURCE: ::gpu_graph::__private::table::Source<'static> =
            if __GPU_GRAPH_HOLDS {
                ::gpu_graph::__private::table::Source {
                    kernels: &[#(#signatures),*],
                    ..__gpu_graph_tables::SOURCE
                }
            } else {
                ::gpu_graph::__private::table::Source::EMPTY
            };
        static __GPU_GRAPH_PROGRAM: ::gpu_graph::__private::table::Program<'static> =
            if __GPU_GRAPH_HOLDS {
                __gpu_graph_tables::PROGRAM
            } else {
                ::gpu_graph::__private::table::Program::EMPTY
            };
    })
}

/// What the profile of a graph, if there is one that is used, calls each kernel, and where it is named.
fn measured<'a>(graph: &'a Lowered<'_>) -> Vec<Option<(Region, &'a str)>> {
    let mut names = vec![None; graph.kernels.len()];
    let declared = &graph.model.declared;
    let Some((named, measured)) = graph.ast.declared.profile.as_ref().zip(declared.measured())
    else {
        return names;
    };
    for (t, task) in graph.model.tasks.iter().enumerate() {
        if let TaskKind::Kernel(launch) = &task.kind
            && let Some(seen) = measured.of(t)
            && let Some(name) = names.get_mut(launch.kernel as usize)
        {
            *name = Some((Region::from(named.span()), &*seen.kernel));
        }
    }
    names
}

/// What stands in for the tables of a graph that was refused: none, which nothing can load.
pub fn refused(graph: &ast::Graph, model: &Model, plan: &Plan) -> TokenStream {
    let mut text = Text::default();
    source::write(&mut text, model, &[], &[], 0, &[]);
    program::write(&mut text, plan, Default::default());
    let source = quote!(__gpu_graph_tables::SOURCE);
    let program = quote!(__gpu_graph_tables::PROGRAM);
    let tables = [&source, &program];
    let image = image(&text.tokens(), &[], tables, &TokenStream::new());
    implemented(graph, &[image])
}

fn implemented(graph: &ast::Graph, images: &[TokenStream]) -> TokenStream {
    let name = &graph.name;
    let cfgs: Vec<_> = doc::cfgs(&graph.attrs).collect();
    let Some((first, others)) = images.split_first() else {
        return TokenStream::new();
    };
    let all = (!others.is_empty()).then(|| {
        quote! {
            const IMAGES: &'static [::gpu_graph::__private::Image] =
                &[<Self as ::gpu_graph::__private::DeclaredGraph>::IMAGE, #(#others),*];
        }
    });
    let span = name.span().resolved_at(Span::mixed_site());
    let turns = (!others.is_empty()).then(|| {
        let each = (0..images.len()).map(|i| {
            let image = quote!(<#name as ::gpu_graph::__private::DeclaredGraph>::IMAGES[#i]);
            quote!((#image.source, #image.program))
        });
        quote_spanned! {span=>
            #(#cfgs)*
            const _: () = ::gpu_graph::__private::verify::prove_turns(&[#(#each),*]);
        }
    });
    quote! {
        #turns
        #(#cfgs)*
        impl ::gpu_graph::__private::DeclaredGraph for #name {
            const IMAGE: ::gpu_graph::__private::Image = #first;
            #all
        }
    }
}

fn image(
    tables: &TokenStream,
    kernels: &[TokenStream],
    [source, program]: [&TokenStream; 2],
    proof: &TokenStream,
) -> TokenStream {
    let count = kernels.len();
    quote! {
        {
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
                source: &#source,
                program: &#program,
                code: &__GPU_GRAPH_CODE,
            }
        }
    }
}
