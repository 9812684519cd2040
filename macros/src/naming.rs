//! Names of generated items.

use proc_macro2::Ident;
use quote::format_ident;

use crate::lower::text;

/// The name of a graph's module: the graph's in snake case.
pub fn module(graph: &Ident) -> Ident {
    let name = snake(&text(graph));
    let span = graph.span();
    // A graph called `Type` has a module `r#type`.
    match syn::parse_str::<Ident>(&name) {
        Ok(_) => format_ident!("{name}", span = span),
        Err(_) if matches!(name.as_str(), "self" | "super" | "crate" | "_") => {
            format_ident!("{name}_", span = span)
        }
        Err(_) => Ident::new_raw(&name, span),
    }
}

/// `HttpServer2D` to `http_server2_d`, `HTTPServer` to `http_server`.
fn snake(name: &str) -> String {
    let chars: Vec<char> = name.chars().collect();
    let mut out = String::new();
    for (i, &c) in chars.iter().enumerate() {
        let before = i.checked_sub(1).map(|b| chars[b]);
        let after_small = before.is_some_and(|b| b.is_lowercase() || b.is_numeric());
        let ends_capitals = before.is_some_and(char::is_uppercase)
            && chars.get(i + 1).is_some_and(|n| n.is_lowercase());
        if c.is_uppercase() && (after_small || ends_capitals) {
            out.push('_');
        }
        out.extend(c.to_lowercase());
    }
    out
}

/// The name of a variant's type, or of one of its values: in upper camel case.
pub fn camel(name: &Ident) -> Ident {
    let mut out = String::new();
    for part in text(name).split('_').filter(|part| !part.is_empty()) {
        let mut letters = part.chars();
        out.extend(letters.next().into_iter().flat_map(char::to_uppercase));
        out.push_str(letters.as_str());
    }
    // `self_` and `_2` have no other way to be written.
    let span = name.span();
    match syn::parse_str::<Ident>(&out) {
        Ok(_) => format_ident!("{out}", span = span),
        Err(_) if out == "Self" => format_ident!("{out}0", span = span),
        Err(_) => format_ident!("V{out}", span = span),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variants_are_in_upper_camel_case() {
        let camel = |name| camel(&format_ident!("{}", name)).to_string();
        assert_eq!(camel("mode"), "Mode");
        assert_eq!(camel("with_cache"), "WithCache");
        assert_eq!(camel("already_Camel"), "AlreadyCamel");
        assert_eq!(camel("self_"), "Self0");
        assert_eq!(camel("_2d"), "V2d");
        assert_eq!(camel("__"), "V");
    }

    #[test]
    fn modules_are_in_snake_case() {
        let module = |name| module(&format_ident!("{}", name)).to_string();
        assert_eq!(module("Edges"), "edges");
        assert_eq!(module("UnsharpMask"), "unsharp_mask");
        assert_eq!(module("HTTPServer"), "http_server");
        assert_eq!(module("Conv2D"), "conv2_d");
        assert_eq!(module("already_snake"), "already_snake");
        assert_eq!(module("Type"), "r#type");
        assert_eq!(module("Super"), "super_");
    }
}
