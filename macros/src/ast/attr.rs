//! `#[doc = "…"]` and other attributes.

use proc_macro2::{Ident, TokenStream};
use quote::ToTokens;

use crate::span::Region;

/// An outer attribute, kept as it was written.
#[derive(Clone)]
pub struct Attr {
    /// Its first word, as in `doc` and `cfg`.
    pub name: Ident,
    /// All of it, `#` included.
    pub tokens: TokenStream,
    /// All of it.
    pub region: Region,
}

impl Attr {
    /// It is documentation.
    pub fn is_doc(&self) -> bool {
        self.name == "doc"
    }
}

impl ToTokens for Attr {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        tokens.extend(self.tokens.clone());
    }
}
