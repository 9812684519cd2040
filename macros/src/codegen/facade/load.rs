//! How a graph is loaded, and what of it is set between runs.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};

use super::{doc, rust_type, shape, text};
use crate::ast::Declare;
use crate::codegen::parts::Parts;

/// `load` of a graph that runs for itself.
pub fn load(parts: &Parts<'_>) -> TokenStream {
    let (of_graph, images) = match parts.graph.variants.is_empty() {
        true => (quote!(load), quote!(IMAGE)),
        false => (quote!(load_variants), quote!(IMAGES)),
    };
    let body = body(parts, &of_graph, &images, None);
    quote! {
        /// Loads the graph on this device at these dims: takes its memory and proves its program for
        /// them again.
        ///
        /// # Errors
        /// Where a dim is outside its bounds, or where the device has no room or fails.
        pub fn load(
            device: &::gpu_graph::__private::Device,
            dims: super::Dims,
        ) -> ::core::result::Result<Self, ::gpu_graph::__private::LoadError> {
            #body
        }
    }
}

/// `load_in` of a graph with collectives.
pub fn load_in(parts: &Parts<'_>) -> TokenStream {
    let body = body(parts, &quote!(load_in), &quote!(IMAGE), Some(quote!(rank,)));
    quote! {
        /// Loads the graph on this device at these dims, as one rank of a group: takes its memory
        /// and proves its program for them again. Each rank is run by a thread of its own, as often
        /// as the others: a collective waits for all of them.
        ///
        /// # Errors
        /// Where a dim is outside its bounds, where another rank loaded another graph or this one
        /// at other dims, or where the device has no room or fails. The group ends then.
        pub fn load_in(
            device: &::gpu_graph::__private::Device,
            dims: super::Dims,
            rank: ::gpu_graph::__private::Rank,
        ) -> ::core::result::Result<Self, ::gpu_graph::__private::LoadError> {
            #body
        }
    }
}

/// The call of `of_graph` with what was generated, the dims, and `more`.
fn body(
    parts: &Parts<'_>,
    of_graph: &TokenStream,
    images: &TokenStream,
    more: Option<TokenStream>,
) -> TokenStream {
    let name = &parts.graph.name;
    let values = parts.dims.iter().map(|d| &d.name);
    // A parameter that nothing uses would be a warning.
    let unused = parts.dims.is_empty().then(|| quote!(let _ = dims;));
    quote! {
        #unused
        ::core::result::Result::Ok(Self {
            graph: ::gpu_graph::__private::Graph::#of_graph(
                device,
                <#name as ::gpu_graph::__private::DeclaredGraph>::#images,
                &[#(dims.#values as ::core::primitive::u64),*],
                #more
            )?,
        })
    }
}

/// `set_x` of a resident input.
pub fn set(index: usize, resident: &Declare) -> TokenStream {
    let name = format_ident!("set_{}", text(&resident.name), span = resident.name.span());
    let elem = rust_type(resident.tensor.elem.elem);
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
            data: impl ::gpu_graph::__private::IntoInput<#elem>,
        ) -> ::core::result::Result<(), ::gpu_graph::__private::RunError> {
            self.graph.set::<#elem, _>(#index, data)
        }
    }
}

pub fn reset() -> TokenStream {
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
