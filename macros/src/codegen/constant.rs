//! Constants, as Rust has them.

use proc_macro2::{Literal, TokenStream};
use quote::{format_ident, quote};

use super::doc;
use crate::ast::Const;

/// The constant with its value; 0 where that was refused, which nothing can build on. Nothing, where
/// it could not be read.
pub fn expand(constant: &Const, value: Option<i64>) -> TokenStream {
    let Const { name, vis, is, .. } = constant;
    let Some((ty, _)) = is else {
        return TokenStream::new();
    };
    let attrs = doc::attrs(&constant.attrs, || format!("Constant `{name}`."));
    let ty = format_ident!("{}", ty.name);
    let value = value.unwrap_or(0);
    let sign = (value < 0).then(|| quote!(-));
    let value = Literal::u64_unsuffixed(value.unsigned_abs());
    quote! {
        #attrs
        #[allow(dead_code)]
        #vis const #name: ::core::primitive::#ty = #sign #value;
    }
}
