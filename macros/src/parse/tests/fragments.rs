//! What a `macro_rules!` hands on comes in groups without delimiters.

use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};
use quote::quote;

use super::{parse_tokens, show};

fn fragment(tokens: TokenStream) -> TokenStream {
    TokenTree::from(Group::new(Delimiter::None, tokens)).into()
}

fn graph(tokens: TokenStream) -> String {
    let parsed = parse_tokens(tokens).parsed;
    assert!(parsed.faults.is_empty(), "{:?}", parsed.faults);
    show::graph(&parsed.items.graphs[0])
}

#[test]
fn an_expression_binds_as_one() {
    let sum = fragment(quote!(h + 1));
    let shown = graph(quote!(graph G { input x: [f32; 2 * #sum, #sum]; f(#sum); }));
    assert_eq!(shown, "input x: [f32; (2 * (h + 1)), (h + 1)]\nf((h + 1))");
}

#[test]
fn every_kind_of_fragment_is_read() {
    let (vis, name) = (fragment(quote!()), fragment(quote!(x)));
    let ty = fragment(quote!([f32; h]));
    let literal = fragment(quote!(-2i32));
    let path = fragment(quote!(k::blur));
    let arg = fragment(quote!(&mut x[1..h]));
    let range = fragment(quote!(1..h / 2));
    let attr = fragment(quote!(doc = "x"));
    let bound = fragment(quote!(16));
    let shown = graph(quote! {
        #[#attr]
        #vis graph G {
            dim h in #bound..=#bound;
            let #name: #ty = #path(#literal, #arg, &x[#range], &#name[..#bound]);
            budget #bound KiB;
        }
    });
    let expected = "dim h 16..=16
let x: [f32; h] = k::blur(#-2i32, &mut x[1..h], &x[1..(h / 2)], &x[..16])
budget 16384";
    assert_eq!(shown, expected);
}

#[test]
fn constants_and_ranges_may_be_fragments() {
    let (name, sum) = (fragment(quote!(N)), fragment(quote!(1 + 2)));
    let range = fragment(quote!(0..2));
    let shown = graph(quote! {
        graph G {
            const #name: usize = 2 * #sum;
            for i in #range { f(#sum); }
            for i in #sum..#name { f(); }
        }
    });
    let expected = "const N: usize = (2 * (1 + 2))
for i in 0..2 { f((1 + 2)) }
for i in (1 + 2)..N { f() }";
    assert_eq!(shown, expected);
}

#[test]
fn a_call_and_a_place_may_be_fragments() {
    let (call, place) = (fragment(quote!(f(&x))), fragment(quote!(y[..2])));
    let nested = fragment(fragment(call.clone()));
    let shown = graph(quote!(graph G { #place = #call; #nested; }));
    assert_eq!(shown, "y[..2] = f(&x)\nf(&x)");
}
