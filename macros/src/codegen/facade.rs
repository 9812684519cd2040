//! The typed facade of a graph: its type, and the module with what belongs to it.

use gpu_graph_analysis::model::Elem;
use proc_macro2::{Ident, Span, TokenStream};
use quote::{format_ident, quote, quote_spanned};

use super::doc;
use super::kernel::{elem_name, primitive};
use super::parts::Parts;
use crate::ast::{Declare, Dim, Extent, ExtentKind, Tensor};
use crate::lower::{show, text};

/// The record of a graph as text.
#[derive(Default)]
pub struct RecordText {
    /// For people.
    pub text: String,
    /// In DOT.
    pub dot: String,
    /// What questions about it are answered from.
    pub facts: String,
    /// No layout is smaller, in bytes.
    pub lower_bound: u64,
}

/// The graph's type and module. Its tables are a constant of that type, made elsewhere.
/// `more` stands in the module, too.
pub fn expand(parts: &Parts<'_>, record: &RecordText, more: &TokenStream) -> TokenStream {
    let Parts { graph, module, .. } = parts;
    let (name, vis) = (&graph.name, &graph.vis);
    let attrs = doc::attrs(&graph.attrs, || format!("Graph `{name}`."));
    let cfgs: Vec<_> = doc::cfgs(&graph.attrs).collect();
    let about = format!("What belongs to the graph `{name}`.");
    let methods = methods(parts, record);
    let (dims, inputs, run) = (dims(parts), inputs(parts), run(parts));
    let lane = if parts.depth > 1 {
        lane(parts)
    } else {
        TokenStream::new()
    };
    quote! {
        #attrs
        #[::core::prelude::v1::derive(::core::fmt::Debug)]
        #vis struct #name { graph: ::gpu_graph::__private::Graph }

        #(#cfgs)*
        impl #name { #methods }

        #(#cfgs)*
        #[doc = #about]
        #vis mod #module { #dims #inputs #run #lane #more }
    }
}

/// What stands in the user's scope: its parameters have names that no constant of the user's has,
/// which a pattern would mean.
fn methods(parts: &Parts<'_>, record: &RecordText) -> TokenStream {
    let (name, module) = (&parts.graph.name, &parts.module);
    let RecordText {
        text,
        dot,
        facts,
        lower_bound,
    } = record;
    let values = parts.dims.iter().map(|d| &d.name);
    // A parameter that nothing uses would be a warning.
    let unused = parts.dims.is_empty().then(|| quote!(let _ = __dims;));
    let record = quote! {
        /// What was decided about the graph, and why.
        pub const RECORD: ::gpu_graph::__private::Record =
            ::gpu_graph::__private::Record::new(
                #text, #dot, #facts, #lower_bound,
                <Self as ::gpu_graph::__private::DeclaredGraph>::IMAGE,
            );
    };
    let load = quote! {
        /// Loads the graph on this device at these dims: takes its memory and proves its program for
        /// them again.
        ///
        /// # Errors
        /// Where a dim is outside its bounds, or where the device has no room or fails.
        pub fn load(
            __device: &::gpu_graph::__private::Device,
            __dims: #module::Dims,
        ) -> ::core::result::Result<Self, ::gpu_graph::__private::LoadError> {
            #unused
            ::core::result::Result::Ok(Self {
                graph: ::gpu_graph::__private::Graph::load(
                    __device,
                    <#name as ::gpu_graph::__private::DeclaredGraph>::IMAGE,
                    &[#(__dims.#values as ::core::primitive::u64),*],
                )?,
            })
        }
    };
    let load = match parts.collectives {
        Some(true) => load_in(parts),
        Some(false) => load,
        // Stubs have both.
        None => {
            let load_in = load_in(parts);
            quote!(#load #load_in)
        }
    };
    let load = quote!(#record #load);
    let sets = parts.residents.iter().enumerate();
    let sets = sets.map(|(index, resident)| set(index, resident));
    let load = quote!(#load #(#sets)*);
    let reset = parts.inouts.then(reset);
    let load = quote!(#load #reset);
    if parts.depth == 1 {
        let runs = runs(parts, quote!(#module::), quote!(self.graph));
        return quote!(#load #runs);
    }
    let depth = parts.depth;
    let about = format!(
        "The {depth} lanes of the graph. Each has at most one run in flight, whatever the others do."
    );
    quote! {
        #load

        #[doc = #about]
        pub fn lanes(&mut self) -> [#module::Lane<'_>; #depth] {
            self.graph.lanes::<#depth>().map(|__core| #module::Lane { core: __core })
        }
    }
}

/// `load_in` of a graph with collectives.
fn load_in(parts: &Parts<'_>) -> TokenStream {
    let (name, module) = (&parts.graph.name, &parts.module);
    let values = parts.dims.iter().map(|d| &d.name);
    let unused = parts.dims.is_empty().then(|| quote!(let _ = __dims;));
    quote! {
        /// Loads the graph on this device at these dims, as one rank of a group: takes its memory
        /// and proves its program for them again. Each rank is run by a thread of its own, as often
        /// as the others: a collective waits for all of them.
        ///
        /// # Errors
        /// Where a dim is outside its bounds, where another rank loaded another graph or this one
        /// at other dims, or where the device has no room or fails. The group ends then.
        pub fn load_in(
            __device: &::gpu_graph::__private::Device,
            __dims: #module::Dims,
            __rank: ::gpu_graph::__private::Rank,
        ) -> ::core::result::Result<Self, ::gpu_graph::__private::LoadError> {
            #unused
            ::core::result::Result::Ok(Self {
                graph: ::gpu_graph::__private::Graph::load_in(
                    __device,
                    <#name as ::gpu_graph::__private::DeclaredGraph>::IMAGE,
                    &[#(__dims.#values as ::core::primitive::u64),*],
                    __rank,
                )?,
            })
        }
    }
}

/// `set_x` of a resident input.
fn set(index: usize, resident: &Declare) -> TokenStream {
    let name = format_ident!("set_{}", text(&resident.name), span = resident.name.span());
    let elem = primitive(resident.tensor.elem.elem);
    let docs = doc::only(&resident.attrs);
    let about = format!(
        "Sets the resident input `{}`: `{}`, row by row, for all runs from the next one on. Waits \
         until no run is in flight.\n\n\
         # Errors\nWhere it has another length than declared, inside a kernel, or where the device \
         fails; it stays as it was then.",
        resident.name,
        shape(&resident.tensor)
    );
    quote! {
        #docs
        #[doc = #about]
        pub fn #name(
            &mut self,
            __data: impl ::gpu_graph::__private::IntoInput<#elem>,
        ) -> ::core::result::Result<(), ::gpu_graph::__private::RunError> {
            self.graph.set::<#elem, _>(#index, __data)
        }
    }
}

fn reset() -> TokenStream {
    quote! {
        /// Sets every inout to zero, as it was when the graph was loaded, also after a run that
        /// failed. Waits until no run is in flight.
        ///
        /// # Errors
        /// Inside a kernel, or where the device fails.
        pub fn reset(
            &mut self,
        ) -> ::core::result::Result<(), ::gpu_graph::__private::RunError> {
            self.graph.reset()
        }
    }
}

/// `run` and `try_run` on `begins`, with the module's types behind `path`.
fn runs(parts: &Parts<'_>, path: TokenStream, begins: TokenStream) -> TokenStream {
    let (params, bounds) = generics(parts);
    let method = |name: Ident, gate: Ident, about: &str| {
        quote! {
            #[doc = #about]
            pub fn #name<#bounds>(
                &mut self,
                __inputs: #path Inputs<#params>,
            ) -> ::core::result::Result<#path Run<'_>, ::gpu_graph::__private::RunError> {
                let __setup = __inputs.__check(#begins.begin())?.#gate()?;
                __inputs.__start(__setup)
            }
        }
    };
    let run = "Starts a run. Waits while the run before it, in the same place, is in flight. On \
               the host this thread then drives the first stream.\n\n\
               # Errors\nWhere an input has another length than declared, inside a kernel, or where \
               the device fails.";
    let try_run = "Starts a run, unless the run before it, in the same place, is still in flight.\n\n\
                   # Errors\n`RunError::InFlight` where it is, and as `run`.";
    let run = method(format_ident!("run"), format_ident!("gate"), run);
    let try_run = method(format_ident!("try_run"), format_ident!("try_gate"), try_run);
    quote!(#run #try_run)
}

/// `I0, I1` and `I0: IntoInput<f32>, I1: …`.
fn generics(parts: &Parts<'_>) -> (TokenStream, TokenStream) {
    let params: Vec<_> = (0..parts.inputs.len())
        .map(|i| format_ident!("I{i}"))
        .collect();
    let bounds = parts.inputs.iter().zip(&params).map(|(input, param)| {
        let elem = primitive(input.tensor.elem.elem);
        // Where the bound is not met, the declaration of the input is shown.
        let span = input.name.span().resolved_at(Span::mixed_site());
        quote_spanned!(span=> #param: ::gpu_graph::__private::IntoInput<#elem>)
    });
    (quote!(#(#params),*), quote!(#(#bounds),*))
}

fn dims(parts: &Parts<'_>) -> TokenStream {
    let about = format!(
        "Dims of the graph `{}`, given when it is loaded.",
        parts.graph.name
    );
    let fields = parts.dims.iter().map(|dim| {
        let name = &dim.name;
        let about = format!("Dim `{name}`{}.", bounds(dim));
        let docs = doc::only(&dim.attrs);
        quote!(#docs #[doc = #about] pub #name: ::core::primitive::usize)
    });
    quote! {
        #[doc = #about]
        #[::core::prelude::v1::derive(
            ::core::clone::Clone, ::core::marker::Copy, ::core::fmt::Debug,
            ::core::cmp::PartialEq, ::core::cmp::Eq,
        )]
        pub struct Dims { #(#fields),* }
    }
}

/// `, from 16 to 8192`; in the words of the user where a bound is not a number.
fn bounds(dim: &Dim) -> String {
    let number = |extent: &Extent| match &extent.kind {
        ExtentKind::Int(int) => Some(int.value),
        _ => None,
    };
    let Some(end) = &dim.end else {
        return String::new();
    };
    let min = dim.min.as_ref().map_or(Some(0), number);
    let max = number(end).and_then(|end| end.checked_sub((!dim.inclusive).into()));
    match (min, max) {
        (Some(min), Some(max)) => format!(", from {min} to {max}"),
        _ => {
            let min = dim.min.as_ref().map_or(String::new(), show);
            let sign = if dim.inclusive { "..=" } else { ".." };
            format!(", in `{min}{sign}{}`", show(end))
        }
    }
}

fn inputs(parts: &Parts<'_>) -> TokenStream {
    let about = format!(
        "Inputs and scalars of one run of the graph `{}`.",
        parts.graph.name
    );
    let (params, bounds) = generics(parts);
    let inputs = parts.inputs.iter().enumerate().map(|(i, input)| {
        let (name, ty) = (&input.name, format_ident!("I{i}"));
        let docs = doc::only(&input.attrs);
        let about = format!("Input `{name}`: `{}`, row by row.", shape(&input.tensor));
        quote!(#docs #[doc = #about] pub #name: #ty)
    });
    let scalars = parts.scalars.iter().map(|scalar| {
        let (name, ty) = (&scalar.name, primitive(scalar.ty.elem));
        let docs = doc::only(&scalar.attrs);
        let about = format!("Scalar `{name}`.");
        quote!(#docs #[doc = #about] pub #name: #ty)
    });
    let fields = inputs.chain(scalars);
    let input_names: Vec<_> = parts.inputs.iter().map(|i| &i.name).collect();
    let input_types = parts.inputs.iter().map(|i| primitive(i.tensor.elem.elem));
    let input_types: Vec<_> = input_types.collect();
    let scalar_names = parts.scalars.iter().map(|s| &s.name);
    let scalar_types = parts.scalars.iter().map(|s| primitive(s.ty.elem));
    quote! {
        #[doc = #about]
        #[::core::prelude::v1::derive(
            ::core::clone::Clone, ::core::marker::Copy, ::core::fmt::Debug,
        )]
        pub struct Inputs<#params> { #(#fields),* }

        impl<#bounds> Inputs<#params> {
            pub(super) fn __check<'g>(
                &self,
                begin: ::gpu_graph::__private::Begin<'g>,
            ) -> ::core::result::Result<
                ::gpu_graph::__private::Begin<'g>, ::gpu_graph::__private::RunError,
            > {
                #(let begin = begin.check::<#input_types, _>(&self.#input_names)?;)*
                ::core::result::Result::Ok(begin)
            }

            pub(super) fn __start<'g>(
                self,
                setup: ::gpu_graph::__private::Setup<'g>,
            ) -> ::core::result::Result<Run<'g>, ::gpu_graph::__private::RunError> {
                #(let setup = setup.input::<#input_types, _>(self.#input_names)?;)*
                #(let setup = setup.scalar::<#scalar_types>(self.#scalar_names);)*
                ::core::result::Result::Ok(Run { core: setup.start()? })
            }
        }
    }
}

fn run(parts: &Parts<'_>) -> TokenStream {
    let about = format!(
        "A run of the graph `{}`, in flight or ended. Dropping it neither waits nor stops it.",
        parts.graph.name
    );
    let outputs = parts.outputs.iter().enumerate().map(|(index, output)| {
        let (name, ty) = (&output.name, primitive(output.tensor.elem.elem));
        let docs = doc::only(&output.attrs);
        let about = format!(
            "Output `{name}`: `{}`, row by row. Waits until it is ready, and for nothing else.\n\n\
             # Errors\nWhere a kernel of the run panicked, inside a kernel, or where the device fails.",
            shape(&output.tensor)
        );
        quote! {
            #docs
            #[doc = #about]
            pub fn #name(&self) -> ::core::result::Result<
                ::gpu_graph::__private::Output<'g, #ty>, ::gpu_graph::__private::RunError,
            > {
                self.core.output::<#ty>(#index)
            }
        }
    });
    quote! {
        #[doc = #about]
        #[::core::prelude::v1::derive(::core::fmt::Debug)]
        pub struct Run<'g> { core: ::gpu_graph::__private::RunCore<'g> }

        impl<'g> Run<'g> {
            #(#outputs)*

            /// Waits until all of the run has ended.
            ///
            /// # Errors
            /// Where a kernel of the run panicked, inside a kernel, or where the device fails.
            pub fn wait(&self) -> ::core::result::Result<(), ::gpu_graph::__private::RunError> {
                self.core.wait()
            }

            /// Whether all of the run has ended, in whatever way.
            pub fn is_finished(&self) -> ::core::primitive::bool {
                self.core.is_finished()
            }
        }
    }
}

fn lane(parts: &Parts<'_>) -> TokenStream {
    let about = format!(
        "One of the runs that the graph `{}` may have in flight.",
        parts.graph.name
    );
    let runs = runs(parts, TokenStream::new(), quote!(self.core));
    quote! {
        #[doc = #about]
        #[::core::prelude::v1::derive(::core::fmt::Debug)]
        pub struct Lane<'g> { pub(super) core: ::gpu_graph::__private::LaneCore<'g> }

        impl Lane<'_> { #runs }
    }
}

/// `[f32; h, w]`.
fn shape(tensor: &Tensor) -> String {
    let elem: Elem = tensor.elem.elem;
    let extents: Vec<_> = tensor.extents.iter().map(show).collect();
    format!("[{}; {}]", elem_name(elem), extents.join(", "))
}
