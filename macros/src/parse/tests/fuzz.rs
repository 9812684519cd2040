//! Real programs, damaged and crossed with each other: whatever comes of it, expansion ends, with a
//! message or without, and renders what it found.

use std::fs;
use std::path::Path;

use proc_macro2::{Delimiter, Group, Literal, TokenStream, TokenTree};

use super::soup::Numbers;

/// Inputs in the test command; `GPU_GRAPH_CASES` says another number.
const CASES: usize = 400;

/// What stands between the delimiters of each `gpu_graph!` of the project.
fn corpus() -> Vec<TokenStream> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut files = Vec::new();
    for folder in ["ui-tests", "tests", "examples"] {
        collect(&root.join(folder), &mut files);
    }
    files.sort();
    let texts = files
        .iter()
        .filter_map(|path| fs::read_to_string(path).ok());
    let streams = texts.filter_map(|text| text.parse::<TokenStream>().ok());
    let mut bodies = Vec::new();
    streams.for_each(|stream| find(stream, &mut bodies));
    bodies
}

fn collect(folder: &Path, files: &mut Vec<std::path::PathBuf>) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() && !path.ends_with("target") {
            collect(&path, files);
        } else if path.extension().is_some_and(|e| e == "rs") {
            files.push(path);
        }
    }
}

/// Groups behind `gpu_graph!`, wherever they stand.
fn find(stream: TokenStream, bodies: &mut Vec<TokenStream>) {
    let (mut named, mut called) = (false, false);
    for token in stream {
        match token {
            TokenTree::Group(group) if called => {
                bodies.push(group.stream());
                (named, called) = (false, false);
            }
            TokenTree::Group(group) => {
                find(group.stream(), bodies);
                (named, called) = (false, false);
            }
            TokenTree::Punct(mark) => {
                called = named && mark.as_char() == '!';
                named = false;
            }
            TokenTree::Ident(name) => (named, called) = (name == "gpu_graph", false),
            TokenTree::Literal(_) => (named, called) = (false, false),
        }
    }
}

/// Every token of a program, groups included.
fn tokens(stream: TokenStream, out: &mut Vec<TokenTree>) {
    for token in stream {
        if let TokenTree::Group(group) = &token {
            tokens(group.stream(), out);
        }
        out.push(token);
    }
}

/// `tokens` with five in `of` of them dropped, doubled, exchanged with neighbours or with parts of
/// `other`.
fn damaged(
    numbers: &mut Numbers,
    of: usize,
    other: &[TokenTree],
    stream: TokenStream,
) -> TokenStream {
    let mut out: Vec<TokenTree> = Vec::new();
    for token in stream {
        let token = match token {
            TokenTree::Group(group) => {
                let inside = damaged(numbers, of, other, group.stream());
                let delimiter = match numbers.below(3 * of) {
                    0 => Delimiter::Parenthesis,
                    1 => Delimiter::Bracket,
                    2 => Delimiter::Brace,
                    3 => Delimiter::None,
                    _ => group.delimiter(),
                };
                Group::new(delimiter, inside).into()
            }
            TokenTree::Literal(_) if numbers.below(of) < of.min(80) / 12 => {
                let extremes = [0, 1, 2, 3, 255, 65_536, u64::MAX / 2, u64::MAX];
                Literal::u64_unsuffixed(extremes[numbers.below(extremes.len())]).into()
            }
            token => token,
        };
        match numbers.below(of) {
            0 => {}
            1 => out.extend([token.clone(), token]),
            2 if !other.is_empty() => out.push(other[numbers.below(other.len())].clone()),
            3 if !other.is_empty() => {
                let from = numbers.below(other.len());
                out.push(token);
                out.extend(other[from..].iter().take(numbers.below(12)).cloned());
            }
            4 if !out.is_empty() => {
                let at = out.len() - 1;
                out.insert(at, token);
            }
            _ => out.push(token),
        }
    }
    out.into_iter().collect()
}

/// Prints the input where the test panics with it at hand.
struct Shown<'a>(&'a TokenStream);

impl Drop for Shown<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            eprintln!("the input was:\n{}", self.0);
        }
    }
}

#[test]
fn damaged_programs_are_expanded_to_the_end() {
    let cases = std::env::var("GPU_GRAPH_CASES");
    let cases = cases.ok().and_then(|n| n.parse().ok()).unwrap_or(CASES);
    let corpus = corpus();
    assert!(
        corpus.len() > 100,
        "programs of the project: {}",
        corpus.len()
    );
    let mut numbers = Numbers(0x5851_F42D_4C95_7F2D);
    let (mut refused, mut accepted) = (0, 0);
    for _ in 0..cases {
        let program = corpus[numbers.below(corpus.len())].clone();
        let mut other = Vec::new();
        tokens(corpus[numbers.below(corpus.len())].clone(), &mut other);
        // Some of them hardly.
        let of = [80, 80, 80, 4_000][numbers.below(4)];
        let input = damaged(&mut numbers, of, &other, program);
        let shown = Shown(&input);
        let mut cx = crate::lower::Cx::default();
        let (_, faults) = crate::expansion(&input, &mut cx);
        crate::report::compile_errors(&faults, &cx.sites, &input);
        drop(shown);
        refused += usize::from(!faults.is_empty());
        accepted += usize::from(faults.is_empty());
    }
    assert!(
        refused > cases / 4 && accepted > 0,
        "{refused} refused, {accepted} not"
    );
}
