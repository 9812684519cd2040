//! Attributes of generated items.

use proc_macro2::TokenStream;
use quote::quote;

use crate::ast::Attr;

/// The user's attributes; documented with `about` where the user wrote no documentation.
pub fn attrs(attrs: &[Attr], about: impl FnOnce() -> String) -> TokenStream {
    let doc = if attrs.iter().any(Attr::is_doc) {
        TokenStream::new()
    } else {
        let about = about();
        quote!(#[doc = #about])
    };
    quote!(#doc #(#attrs)*)
}

/// The attributes that say whether the item is there at all.
pub fn cfgs(attrs: &[Attr]) -> impl Iterator<Item = &Attr> {
    attrs.iter().filter(|a| a.name == "cfg")
}

/// The user's documentation and an empty line, ahead of what is generated.
pub fn only(attrs: &[Attr]) -> TokenStream {
    let mut docs = attrs.iter().filter(|a| a.is_doc()).peekable();
    if docs.peek().is_none() {
        return TokenStream::new();
    }
    quote!(#(#docs)* #[doc = ""])
}
