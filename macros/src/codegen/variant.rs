//! Variants as types that a run chooses with.

use proc_macro2::TokenStream;
use quote::quote;

use super::doc;
use super::parts::{Parts, VariantPart};

/// A type for each variant.
pub fn types(parts: &Parts<'_>) -> TokenStream {
    parts.variants.iter().map(one).collect()
}

fn one(part: &VariantPart<'_>) -> TokenStream {
    let (name, variant) = (&part.ty, &part.ast.name);
    let docs = doc::only(&part.ast.attrs);
    let about = format!("What a run chooses of the variant `{variant}`.");
    let values = part.values.iter().map(|(value, name)| {
        let docs = doc::only(&value.attrs);
        let about = format!("`{}`.", value.name);
        quote!(#docs #[doc = #about] #name)
    });
    quote! {
        #docs
        #[doc = #about]
        #[::core::prelude::v1::derive(
            ::core::clone::Clone, ::core::marker::Copy, ::core::fmt::Debug,
            ::core::cmp::PartialEq, ::core::cmp::Eq, ::core::hash::Hash,
        )]
        pub enum #name { #(#values),* }
    }
}

/// The fields of `Inputs`.
pub fn fields(parts: &Parts<'_>) -> impl Iterator<Item = TokenStream> {
    parts.variants.iter().map(|part| {
        let (name, ty) = (&part.ast.name, &part.ty);
        let docs = doc::only(&part.ast.attrs);
        let about = format!("Variant `{name}`.");
        quote!(#docs #[doc = #about] pub #name: #ty)
    })
}

/// Chooses on `begin` what the fields say: the last variant changes fastest.
pub fn choose(parts: &Parts<'_>) -> TokenStream {
    let chosen = parts.variants.iter().filter(|part| !part.values.is_empty());
    let index = chosen.fold(None, |outer: Option<TokenStream>, part| {
        let (name, count) = (&part.ast.name, part.values.len());
        let own = quote!(self.#name as ::core::primitive::usize);
        Some(match outer {
            None => own,
            Some(outer) => quote!((#outer) * #count + (#own)),
        })
    });
    match index {
        Some(index) => quote!(let begin = begin.variant(#index);),
        None => TokenStream::new(),
    }
}
