mod accept;
mod formula;
mod fragments;
mod fuzz;
mod recover;
mod refuse;
mod show;
mod soup;

use gpu_graph_analysis::fault::Fault;
use proc_macro2::TokenStream;

use crate::ast::Items;
use crate::report::{Errors, SiteTable};

/// What was read, and the faults with the text each points to.
struct Parsed {
    items: Items,
    faults: Vec<(Fault, String)>,
}

fn parse(source: &str) -> Parsed {
    let tokens: TokenStream = source.parse().expect("the test's text is made of tokens");
    let mut parsed = parse_tokens(tokens);
    let lines: Vec<Vec<char>> = source.lines().map(|line| line.chars().collect()).collect();
    for (text, region) in parsed.regions {
        let (start, end) = (region.first.start(), region.last.end());
        let line = &lines[start.line - 1];
        let end = if end.line == start.line {
            end.column
        } else {
            line.len()
        };
        parsed.parsed.faults[text].1 = line[start.column..end].iter().collect();
    }
    parsed.parsed
}

struct Regions {
    parsed: Parsed,
    regions: Vec<(usize, crate::span::Region)>,
}

fn parse_tokens(tokens: TokenStream) -> Regions {
    let (mut sites, mut errors) = (SiteTable::default(), Errors::default());
    let items = super::items(tokens, &mut sites, &mut errors);
    let faults: Vec<_> = errors.take();
    let place = |(i, fault): (usize, &Fault)| (i, sites.region(fault.site));
    Regions {
        regions: faults.iter().enumerate().map(place).collect(),
        parsed: Parsed {
            items,
            faults: faults.into_iter().map(|f| (f, String::new())).collect(),
        },
    }
}

/// The statements of a graph, as text, where all of them can be read.
fn statements(source: &str) -> String {
    let parsed = parse(&format!("graph G {{ {source} }}"));
    assert!(parsed.faults.is_empty(), "{source}: {:?}", parsed.faults);
    show::graph(&parsed.items.graphs[0])
}

/// A kernel as text, where it can be read.
fn kernel(source: &str) -> String {
    let parsed = parse(source);
    assert!(parsed.faults.is_empty(), "{source}: {:?}", parsed.faults);
    show::kernel(&parsed.items.kernels[0])
}

/// The only fault: where it points to, and its message.
#[track_caller]
fn only(source: &str) -> (String, String, Fault) {
    let mut faults = parse(source).faults;
    assert_eq!(faults.len(), 1, "{source}: {faults:?}");
    let (fault, text) = faults.remove(0);
    (text, fault.message.clone(), fault)
}
