//! The record of a graph, and of each combination of its variants.

use proc_macro2::TokenStream;
use quote::quote;

use crate::codegen::parts::Parts;

/// The record of a graph as text.
#[derive(Default)]
pub struct Records {
    /// All of it, for people.
    pub text: String,
    /// All of it in DOT.
    pub dot: String,
    /// Of each combination of variants, with its name.
    pub each: Vec<(String, RecordText)>,
}

/// The record of a graph in one combination of its variants.
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
    /// Ends of the least and the greatest peak, and of the demand of workspaces.
    pub peaks: [[u64; 2]; 3],
}

/// What `RECORD` is.
pub fn value(parts: &Parts<'_>, record: &Records) -> TokenStream {
    let new = |record: &RecordText, graph: TokenStream, image: TokenStream| {
        let RecordText {
            text,
            dot,
            facts,
            lower_bound,
            peaks: [[a, b], [c, d], [e, f]],
        } = record;
        quote! {
            ::gpu_graph::__private::Record::new(
                #text, #dot, #facts, #lower_bound,
                <#graph as ::gpu_graph::__private::DeclaredGraph>::#image,
            )
            .with_peaks([[#a, #b], [#c, #d], [#e, #f]])
        }
    };
    if parts.graph.variants.is_empty() || record.each.is_empty() {
        let none = RecordText::default();
        let only = record.each.first().map_or(&none, |(_, only)| only);
        return new(only, quote!(Self), quote!(IMAGE));
    }
    let (text, dot, name) = (&record.text, &record.dot, &parts.graph.name);
    let each = record.each.iter().enumerate();
    let each = each.map(|(i, (combination, record))| {
        let record = new(record, quote!(#name), quote!(IMAGES[#i]));
        quote!((#combination, #record))
    });
    quote! {
        {
            const EACH: &[(&::core::primitive::str, ::gpu_graph::__private::Record)] =
                &[#(#each),*];
            ::gpu_graph::__private::Record::of_variants(#text, #dot, EACH)
        }
    }
}
