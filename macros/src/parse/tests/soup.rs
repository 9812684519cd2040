//! Whatever the tokens, reading ends, and says so once for each thing that is wrong.

use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};

use super::parse_tokens;

/// Numbers that look random and are the same in every run.
pub struct Numbers(pub u64);

impl Numbers {
    pub fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 16) as usize % end
    }

    fn pick(&mut self, from: &[TokenStream]) -> TokenStream {
        from[self.below(from.len())].clone()
    }
}

const TOKENS: &[&str] = &[
    "kernel",
    "callback",
    "opaque",
    "retains",
    "until",
    "completion",
    "unknown",
    "escape",
    "as",
    "owned",
    "by",
    "run",
    "stable",
    "address",
    "view",
    "staging",
    "ring",
    "stage",
    "const",
    "usize",
    "graph",
    "pub",
    "dim",
    "in",
    "budget",
    "GiB",
    "pipelined",
    "streams",
    "input",
    "scalar",
    "let",
    "output",
    "order",
    "alias",
    "with",
    "separate",
    "over",
    "block",
    "cuda",
    "host",
    "place",
    "shared",
    "workspace",
    "bytes",
    "unknown",
    "zeroed",
    "per_task",
    "domain",
    "scope",
    "profile",
    "minimize",
    "then",
    "peak",
    "critical_path",
    "target",
    "issue",
    "tolerance",
    "cost",
    "finite",
    "for",
    "match",
    "variant",
    "resident",
    "if",
    "else",
    "as",
    "f32",
    "f16",
    "u8",
    "x",
    "h",
    "_",
    "self",
    "crate",
    "r#type",
    "mut",
    "true",
    "'a",
    "'static",
    "0",
    "1",
    "16",
    "1.5",
    "2i32",
    "1f16",
    "0x",
    "1e400",
    "99999999999999999999",
    "\"a.cu\"",
    "r#\"t\"#",
    "'c'",
    "b\"x\"",
    "c\"x\"",
    "+",
    "-",
    "*",
    "/",
    "&",
    "&&",
    "=",
    "==",
    "..",
    "..=",
    "...",
    "->",
    "=>",
    ":",
    "::",
    ";",
    ",",
    ".",
    "#",
    "!",
    "<",
    ">",
    "?",
    "$",
    "@",
    "|",
    "%",
    "^",
    "~",
];

/// Statements and items from which pieces are taken.
const WHOLE: &[&str] = &[
    "kernel f(x: &[f32; h, w], s: f32) -> [f32; h] { over [h] block [8], host k::f, shared 1 KiB }",
    "pub graph G { dim h in 1..=8; input x: [f32; h]; 'a: let y: [f32; h] = f(&x[1..h / 2], -1.5); }",
    "graph H { order 'a -> 'b; alias x with y; separate x, y; x[..2] = f(&mut y); budget 2 GiB; }",
    "kernel e(x: &[f32; n], y: &mut [f32; n], a: f32) = if x < a && !(y >= 1f32) { sum(x * a) } else { x as u8 as f32 };",
    "kernel r(x: &[u8; n]) -> [u8; n] = (x << 3u8 | 1u8).min(-x.abs()) % 7u8;",
    "kernel g(x: &mut [u8; 2 * (n + 1)]) { in place x host k::g, cuda r\"void f() {}\" }",
    "callback c(x: &[u8; n]) -> [u8; n] { host k::c } graph J { staging s: [u8; n] ring 2 = download(&x); c(&s); }",
    "opaque o(x: &[u8; n]) { host k::o, retains x, completion unknown } graph K { view v = &x[1..n]; 'o: o(&v) retains v until 'p, x until 'p; escape x as p owned by run; stable address x; }",
    "const N: usize = 2 * (M + 1); stage s(x: &mut [f32; n], e: f32) -> [f32; N] { f(&x, e); g(&x) }",
    "graph J { variant m { a, b } match m { a => { let t: [f32; 2] = f(&x); } b => { for i in 0..2 { y = f(&x); } }, _ => {} } }",
    "graph I { const M: u8 = 2; for l in 0..M { for m in l..=M { 'a: let t: [f32; m] = f(&x); order 'a -> 'b; } } }",
    "dim h in 16..=8192; scalar s: u32; streams 4; pipelined 2; output o: [u8; h];",
];

/// Items that belong together, most of them right.
const NESTED: &[&str] = &[
    "const N: usize = 2; const M: usize = N * (N + 1); kernel f(x: &[f32; n]) -> [f32; n] { host k::f }",
    "kernel g(x: &mut [f32; h], by: u32) { host k::g } stage s(x: &mut [f32; n], e: u32) -> [f32; n] { g(&mut x, e); f(&x) }",
    "stage t(x: &[f32; n, 4]) { const A: u8 = 3; for i in 0..A { let y: [f32; 1, 4] = f(&x[i..i + 1]); } t(&x); }",
    "graph G { dim h in M..=8 * N; scalar e: u32; input x: [f32; h]; let y: [f32; h] = f(&x); for l in 0..N { let z: [f32; h] = s(&mut y, l); 'a: g(&mut y[l..], e); separate y, z; } }",
    "graph H { input x: [f32; N]; 'a: output y: [f32; M / 3] = f(&x); for l in 0..=N { for m in l..N { g(&mut y, m * l); } } order 'a -> 'a; }",
];

/// What can be a token of each text: `0x` can be none.
fn tokens_of(texts: &[&str]) -> Vec<TokenStream> {
    texts.iter().filter_map(|text| text.parse().ok()).collect()
}

fn soup(numbers: &mut Numbers, tokens: &[TokenStream], depth: usize) -> TokenStream {
    let mut out = TokenStream::new();
    for _ in 0..numbers.below(12) {
        let group = [
            Delimiter::Parenthesis,
            Delimiter::Bracket,
            Delimiter::Brace,
            Delimiter::None,
        ];
        if depth > 0 && numbers.below(4) == 0 {
            let inside = soup(numbers, tokens, depth - 1);
            let group = Group::new(group[numbers.below(4)], inside);
            out.extend([TokenTree::from(group)]);
        } else {
            out.extend(numbers.pick(tokens));
        }
    }
    out
}

/// A piece of good text with tokens dropped, doubled, swapped for others or put in a group.
fn mutated(numbers: &mut Numbers, any: &[TokenStream], tokens: TokenStream) -> TokenStream {
    let mut out = TokenStream::new();
    for token in tokens {
        let token = match token {
            TokenTree::Group(group) => {
                let inside = mutated(numbers, any, group.stream());
                Group::new(group.delimiter(), inside).into()
            }
            token => token,
        };
        match numbers.below(40) {
            0 => {}
            1 => out.extend([token.clone(), token]),
            2 => out.extend(numbers.pick(any)),
            3 => out.extend([TokenTree::from(Group::new(Delimiter::None, token.into()))]),
            _ => out.extend([token]),
        }
    }
    out
}

#[test]
fn random_tokens_are_read_to_the_end() {
    let mut numbers = Numbers(0x9E37_79B9_7F4A_7C15);
    let tokens = tokens_of(TOKENS);
    for _ in 0..3_000 {
        parse_tokens(soup(&mut numbers, &tokens, 4));
    }
}

#[test]
fn damaged_text_is_read_to_the_end() {
    let mut numbers = Numbers(0xD1B5_4A32_D192_ED03);
    let (tokens, whole) = (tokens_of(TOKENS), tokens_of(WHOLE));
    let mut refused = 0;
    for _ in 0..3_000 {
        let good: TokenStream = (0..3).map(|_| numbers.pick(&whole)).collect();
        let bad = mutated(&mut numbers, &tokens, good);
        refused += usize::from(!parse_tokens(bad).parsed.faults.is_empty());
    }
    assert!(refused > 1_000, "most damage is seen: {refused}");
}

#[test]
fn damaged_text_is_expanded_to_the_end() {
    let mut numbers = Numbers(0xA076_1D64_78BD_642F);
    let (tokens, whole) = (tokens_of(TOKENS), tokens_of(NESTED));
    let mut found = 0;
    for _ in 0..1_000 {
        let good: TokenStream = (0..3).map(|_| numbers.pick(&whole)).collect();
        let bad = mutated(&mut numbers, &tokens, good);
        let (_, faults) = crate::expansion(&bad, &mut crate::lower::Cx::default());
        found += usize::from(!faults.is_empty());
    }
    assert!(found > 500, "most damage is seen: {found}");
}

#[test]
fn a_fault_is_reported_for_soup_in_a_graph_that_holds_no_statement() {
    let mut numbers = Numbers(0x0123_4567_89AB_CDEF);
    let tokens = tokens_of(TOKENS);
    for _ in 0..1_000 {
        let inside = soup(&mut numbers, &tokens, 3);
        let graph = quote::quote!(graph G { #inside });
        let parsed = parse_tokens(graph).parsed;
        let graph = &parsed.items.graphs[0];
        assert_eq!(graph.broken, !parsed.faults.is_empty());
    }
}
