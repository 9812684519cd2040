//! `#![crate = gg]`: where the facade is, for a crate that has it under another name.

use proc_macro2::{Group, TokenStream, TokenTree};

/// The path that the input begins with, and the rest; without one, all of it.
pub fn split(input: TokenStream) -> (Option<TokenStream>, TokenStream) {
    let mut tokens = input.clone().into_iter();
    let mark = |token: Option<TokenTree>, c: char| matches!(token, Some(TokenTree::Punct(p)) if p.as_char() == c);
    if !mark(tokens.next(), '#') || !mark(tokens.next(), '!') {
        return (None, input);
    }
    let Some(TokenTree::Group(group)) = tokens.next() else {
        return (None, input);
    };
    let mut inside = group.stream().into_iter();
    let named = matches!(inside.next(), Some(TokenTree::Ident(name)) if name == "crate");
    if !named || !mark(inside.next(), '=') {
        return (None, input);
    }
    (Some(inside.collect()), tokens.collect())
}

/// `tokens` with `path` in place of `::gpu_graph`, wherever `::__private` follows.
pub fn renamed(tokens: TokenStream, path: &TokenStream) -> TokenStream {
    let mut out = Vec::new();
    for token in tokens {
        out.push(match token {
            TokenTree::Group(group) => {
                let mut inner = Group::new(group.delimiter(), renamed(group.stream(), path));
                inner.set_span(group.span());
                inner.into()
            }
            token => token,
        });
        if ends_with_facade(&out) {
            // `:: gpu_graph :: __private`, of which the first three go.
            let tail = out.split_off(out.len() - 3);
            out.truncate(out.len() - 3);
            out.extend(path.clone());
            out.extend(tail);
        }
    }
    out.into_iter().collect()
}

fn ends_with_facade(tokens: &[TokenTree]) -> bool {
    let Some(tail) = tokens.len().checked_sub(6).map(|from| &tokens[from..]) else {
        return false;
    };
    let colon = |t: &TokenTree| matches!(t, TokenTree::Punct(p) if p.as_char() == ':');
    let name = |t: &TokenTree, is: &str| matches!(t, TokenTree::Ident(name) if name == is);
    colon(&tail[0])
        && colon(&tail[1])
        && name(&tail[2], "gpu_graph")
        && colon(&tail[3])
        && colon(&tail[4])
        && name(&tail[5], "__private")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_facade_is_renamed_in_generated_paths_alone() {
        let (path, rest) = split("#![crate = crate::gg] kernel a".parse().unwrap());
        assert_eq!(rest.to_string(), "kernel a");
        let code = "x(::gpu_graph::__private::T, gpu_graph::host(), ::gpu_graph::host())";
        let code = renamed(code.parse().unwrap(), &path.unwrap()).to_string();
        let expected: TokenStream =
            "x(crate::gg::__private::T, gpu_graph::host(), ::gpu_graph::host())"
                .parse()
                .unwrap();
        assert_eq!(code.replace(' ', ""), expected.to_string().replace(' ', ""));
        assert!(split("kernel a".parse().unwrap()).0.is_none());
    }
}
