//! The typed facade of a graph: its type, and the module with what belongs to it.

mod inputs;
mod load;
mod record;

use gpu_graph_analysis::model::Elem;
use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};

use super::doc;
use super::kernel::rust_type;
use super::parts::{Address, Parts};
use super::variant;
use crate::ast::{Dim, Extent, ExtentKind, Tensor};
use crate::lower::{show, text};
use inputs::{generics, inputs};
use load::{load, load_in, reset, set};
pub use record::{RecordText, Records};

/// The graph's type and module. Its tables are a constant of that type, made elsewhere.
/// `more` stands in the module, too.
pub fn expand(parts: &Parts<'_>, record: &Records, more: &TokenStream) -> TokenStream {
    let Parts { graph, module, .. } = parts;
    let (name, vis) = (&graph.name, &graph.vis);
    let attrs = doc::attrs(&graph.attrs, || format!("Graph `{name}`."));
    let cfgs: Vec<_> = doc::cfgs(&graph.attrs).collect();
    let about = format!("What belongs to the graph `{name}`.");
    let methods = methods(parts, record);
    let (dims, inputs, run) = (dims(parts), inputs(parts), run(parts));
    let variants = variant::types(parts);
    let lane = if parts.depth > 1 {
        lane(parts)
    } else {
        TokenStream::new()
    };
    let graph_mod = quote! {
        pub(super) mod __graph {
            #attrs
            #[::core::prelude::v1::derive(::core::fmt::Debug)]
            pub struct #name { graph: ::gpu_graph::__private::Graph }

            impl #name { #methods }
        }
    };
    quote! {
        #(#cfgs)*
        #vis use #module::__graph::#name;

        #(#cfgs)*
        #[doc = #about]
        #vis mod #module { #dims #variants #inputs #run #lane #more #graph_mod }
    }
}

/// The methods of the graph's type. They stand in a module of its own inside of the graph's, so that
/// no name of the user's is in scope, and what the type is made of is out of reach.
fn methods(parts: &Parts<'_>, record: &Records) -> TokenStream {
    let record = record::value(parts, record);
    let record = quote! {
        /// What was decided about the graph, and why.
        pub const RECORD: ::gpu_graph::__private::Record = #record;
    };
    let load = match parts.collectives {
        Some(true) => load_in(parts),
        Some(false) => load(parts),
        // Stubs have both.
        None => {
            let (load, load_in) = (load(parts), load_in(parts));
            quote!(#load #load_in)
        }
    };
    let load = quote!(#record #load);
    let sets = parts.residents.iter().enumerate();
    let sets = sets.map(|(index, resident)| set(index, resident));
    let load = quote!(#load #(#sets)*);
    let load = quote! {
        #load

        /// How much memory the graph takes at the dims that it was loaded with, and why.
        pub fn memory(&self) -> &::gpu_graph::__private::Memory {
            self.graph.memory()
        }

        /// Says whether runs from the next one on are timed, task by task, for their `profile()`.
        ///
        /// # Errors
        /// Where the device refuses what that takes. No run is timed then.
        pub fn profile(&mut self, on: ::core::primitive::bool) -> ::core::result::Result<
            (), ::gpu_graph::__private::RunError,
        > {
            self.graph.profile(on)
        }
    };
    let reset = parts.inouts.then(reset);
    let addresses = parts.of_graph.iter().map(|address| {
        let about = "The same as long as the graph is loaded. Waits until no run is in flight.";
        let (docs, name, elem, about) = self::address(address, about);
        let index = address.index;
        quote! {
            #docs
            #[doc = #about]
            pub fn #name(&mut self) -> ::core::result::Result<
                ::gpu_graph::__private::Escaped<'_, #elem>, ::gpu_graph::__private::RunError,
            > {
                self.graph.escape::<#elem>(#index)
            }
        }
    });
    let load = quote!(#load #reset #(#addresses)*);
    if parts.depth == 1 {
        let runs = runs(parts, quote!(super::), quote!(self.graph));
        return quote!(#load #runs);
    }
    let depth = parts.depth;
    let about = format!(
        "The {depth} lanes of the graph. Each has at most one run in flight, whatever the others do."
    );
    quote! {
        #load

        #[doc = #about]
        pub fn lanes(&mut self) -> [super::Lane<'_>; #depth] {
            self.graph.lanes::<#depth>().map(|core| super::Lane { core })
        }

        /// Lanes have it, and the graph does not: a call of this says so.
        #[doc(hidden)]
        pub fn run<Inputs: ::gpu_graph::__private::InNoLane>(
            &mut self,
            inputs: Inputs,
        ) -> ::core::result::Result<super::Run<'_>, ::gpu_graph::__private::RunError> {
            match inputs.never() {}
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
                inputs: #path Inputs<#params>,
            ) -> ::core::result::Result<#path Run<'_>, ::gpu_graph::__private::RunError> {
                let setup = inputs.check(#begins.begin())?.#gate()?;
                inputs.start(setup)
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

fn run(parts: &Parts<'_>) -> TokenStream {
    let about = format!(
        "A run of the graph `{}`, in flight or ended. Dropping it neither waits nor stops it.",
        parts.graph.name
    );
    let graph = &parts.graph.name;
    let outputs = parts.outputs.iter().map(|(index, output)| {
        let (name, ty) = (&output.name, rust_type(output.tensor.elem.elem));
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
    let addresses = parts.of_run.iter().map(|address| {
        let about =
            "Waits until it is ready. The lane does not run again while the address is borrowed.";
        let (docs, name, elem, about) = self::address(address, about);
        let index = address.index;
        quote! {
            #docs
            #[doc = #about]
            pub fn #name(&self) -> ::core::result::Result<
                ::gpu_graph::__private::Escaped<'g, #elem>, ::gpu_graph::__private::RunError,
            > {
                self.core.escape::<#elem>(#index)
            }
        }
    });
    quote! {
        #[doc = #about]
        #[::core::prelude::v1::derive(::core::fmt::Debug)]
        pub struct Run<'g> { core: ::gpu_graph::__private::RunCore<'g> }

        impl<'g> Run<'g> {
            #(#outputs)*
            #(#addresses)*

            /// Waits until all of the run has ended.
            ///
            /// # Errors
            /// Where a kernel of the run panicked, inside a kernel, or where the device fails.
            pub fn wait(&self) -> ::core::result::Result<(), ::gpu_graph::__private::RunError> {
                self.core.wait()
            }

            /// What was seen of the run, if the graph is profiled. Waits until all of it has ended.
            ///
            /// # Errors
            /// As `wait`, and where the device cannot tell its times.
            pub fn profile(&self) -> ::core::result::Result<
                ::core::option::Option<::gpu_graph::__private::Profile>,
                ::gpu_graph::__private::RunError,
            > {
                self.core.profile(&__graph::#graph::RECORD)
            }

            /// Whether all of the run has ended, in whatever way.
            pub fn is_finished(&self) -> ::core::primitive::bool {
                self.core.is_finished()
            }
        }
    }
}

/// Documentation, name, element type and description of a method that hands out an address.
fn address<'a>(
    address: &'a Address<'_>,
    about: &str,
) -> (TokenStream, &'a Ident, TokenStream, String) {
    let declare = address.declare;
    let about = format!(
        "Address of `{}`: `{}`, row by row. {about}\n\n\
         # Errors\nWhere a kernel of the run panicked, inside a kernel, or where the device fails.",
        declare.name,
        shape(&declare.tensor)
    );
    let elem = rust_type(declare.tensor.elem.elem);
    let docs = doc::only(&address.escape.attrs);
    (quote!(#docs), &address.escape.pointer, elem, about)
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
        pub struct Lane<'g> { core: ::gpu_graph::__private::LaneCore<'g> }

        impl Lane<'_> { #runs }
    }
}

/// `[f32; h, w]`.
fn shape(tensor: &Tensor) -> String {
    let elem: Elem = tensor.elem.elem;
    let extents: Vec<_> = tensor.extents.iter().map(show).collect();
    format!("[{}; {}]", elem.name(), extents.join(", "))
}
