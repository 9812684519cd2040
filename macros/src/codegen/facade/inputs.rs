//! `Inputs` of a graph: what one run is given.

use proc_macro2::{Span, TokenStream};
use quote::{format_ident, quote, quote_spanned};

use super::{doc, rust_type, shape};
use crate::codegen::parts::Parts;
use crate::codegen::variant;
use crate::lower::text;

/// `I0, I1` and `I0: IntoInput<f32>, I1: …`; of what only the name is known, anything is taken.
pub fn generics(parts: &Parts<'_>) -> (TokenStream, TokenStream) {
    let params: Vec<_> = (0..parts.inputs.len())
        .map(|i| format_ident!("I{i}"))
        .collect();
    let lost: Vec<_> = (0..parts.lost.len())
        .map(|i| format_ident!("L{i}"))
        .collect();
    let bounds = parts.inputs.iter().zip(&params).map(|(input, param)| {
        let elem = rust_type(input.tensor.elem.elem);
        // Where the bound is not met, the declaration of the input is shown.
        let span = input.name.span().resolved_at(Span::mixed_site());
        quote_spanned!(span=> #param: ::gpu_graph::__private::IntoInput<#elem>)
    });
    let bounds = bounds.chain(lost.iter().map(|param| quote!(#param)));
    (quote!(#(#params,)* #(#lost),*), quote!(#(#bounds),*))
}

pub fn inputs(parts: &Parts<'_>) -> TokenStream {
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
        let (name, ty) = (&scalar.name, rust_type(scalar.ty.elem));
        let docs = doc::only(&scalar.attrs);
        let finite = if scalar.finite { ", finite" } else { "" };
        let about = format!("Scalar `{name}`{finite}.");
        quote!(#docs #[doc = #about] pub #name: #ty)
    });
    let lost = parts.lost.iter().enumerate().map(|(i, name)| {
        let ty = format_ident!("L{i}");
        let about = format!("Input or scalar `{name}`, whose type could not be read.");
        quote!(#[doc = #about] pub #name: #ty)
    });
    let fields = inputs.chain(scalars).chain(lost);
    let fields = fields.chain(variant::fields(parts));
    let choose = variant::choose(parts);
    let input_names: Vec<_> = parts.inputs.iter().map(|i| &i.name).collect();
    let input_types = parts.inputs.iter().map(|i| rust_type(i.tensor.elem.elem));
    let input_types: Vec<_> = input_types.collect();
    let finite = parts.scalars.iter().filter(|scalar| scalar.finite);
    let finite = finite.map(|scalar| {
        let (name, said) = (&scalar.name, text(&scalar.name));
        quote! {
            let begin = begin.finite(
                #said, ::core::convert::Into::<::core::primitive::f64>::into(self.#name),
            )?;
        }
    });
    let scalar_names = parts.scalars.iter().map(|s| &s.name);
    let scalar_types = parts.scalars.iter().map(|s| rust_type(s.ty.elem));
    quote! {
        #[doc = #about]
        #[::core::prelude::v1::derive(
            ::core::clone::Clone, ::core::marker::Copy, ::core::fmt::Debug,
        )]
        pub struct Inputs<#params> { #(#fields),* }

        impl<#bounds> Inputs<#params> {
            fn check<'g>(
                &self,
                begin: ::gpu_graph::__private::Begin<'g>,
            ) -> ::core::result::Result<
                ::gpu_graph::__private::Begin<'g>, ::gpu_graph::__private::RunError,
            > {
                #choose
                #(let begin = begin.check::<#input_types, _>(&self.#input_names)?;)*
                #(#finite)*
                ::core::result::Result::Ok(begin)
            }

            fn start<'g>(
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
