//! Statements and clauses that say what a graph is for, what is known of it, and how it is issued.

use gpu_graph_analysis::declared::{Cost, Issue, Target};
use gpu_graph_analysis::fault::Edit;
use proc_macro2::Ident;
use syn::parse::ParseStream;
use syn::{LitStr, Token};

use super::fail::{Fail, Result};
use super::literal::{amount, no_unit, number_at, seconds};
use super::stmt::Head;
use super::stream::{name, punct, with_cursor};
use super::words::{Word, list};
use crate::ast::{Graph, Kernel, Tolerance, Value};
use crate::span::Region;

/// `"one frame of a camera"`.
pub fn scope(graph: &mut Graph, head: Head, input: ParseStream) -> Result<()> {
    head.bare()?;
    if !input.peek(LitStr) {
        let what = "the workload in quotes, as in `\"one token\"`";
        return Err(Fail::expected(input.cursor(), what));
    }
    let text: LitStr = input.parse()?;
    if text.value().trim().is_empty() || text.value().contains(['\n', '\r']) {
        let fail = Fail::new(text.span(), "the workload is one line of text");
        return Err(fail.note("it stands in the record"));
    }
    if let Some(first) = &graph.declared.scope {
        return Err(Fail::repeated(text.span(), "scope", first.span()));
    }
    graph.declared.scope = Some(text);
    Ok(())
}

/// `"edges.profile.json"`.
pub fn profile(graph: &mut Graph, head: Head, input: ParseStream) -> Result<()> {
    head.bare()?;
    if !input.peek(LitStr) {
        let what = "the file of a profile in quotes, as in `\"g.profile.json\"`";
        return Err(Fail::expected(input.cursor(), what));
    }
    let file: LitStr = input.parse()?;
    if file.value().is_empty() {
        return Err(Fail::new(file.span(), "the path is empty"));
    }
    if let Some(first) = &graph.declared.profile {
        return Err(Fail::repeated(file.span(), "profile", first.span()));
    }
    graph.declared.profile = Some(file);
    Ok(())
}

const TARGETS: &[(&str, Target)] = &[
    ("latency", Target::Latency),
    ("throughput", Target::Throughput),
];

/// `latency`.
pub fn target(graph: &mut Graph, head: Head, input: ParseStream) -> Result<()> {
    one_of(&mut graph.declared.target, TARGETS, head, input)
}

const ISSUES: &[(&str, Issue)] = &[("streams", Issue::Streams), ("graph", Issue::Graph)];

/// `graph`.
pub fn issue(graph: &mut Graph, head: Head, input: ParseStream) -> Result<()> {
    one_of(&mut graph.declared.issue, ISSUES, head, input)
}

/// One of the words of `table`, once in a graph.
fn one_of<T: Copy>(
    slot: &mut Option<(T, Region)>,
    table: &[(&str, T)],
    head: Head,
    input: ParseStream,
) -> Result<()> {
    head.bare()?;
    let words: Vec<_> = table.iter().map(|(word, _)| *word).collect();
    let Some(word) = Word::take(input) else {
        return Err(Fail::expected(input.cursor(), &list(&words)));
    };
    let kind = head.word.to_string();
    let Some((_, value)) = table.iter().find(|(known, _)| *known == word.text) else {
        return Err(word.unknown(&kind, &words));
    };
    if let Some((_, first)) = slot {
        return Err(Fail::repeated(&word.name, &kind, *first));
    }
    *slot = Some((*value, (&word.name).into()));
    Ok(())
}

/// `x: 1e-5`.
pub fn tolerance(graph: &mut Graph, head: Head, input: ParseStream) -> Result<()> {
    head.bare()?;
    let output = name(input, "the name of an output")?;
    punct::<Token![:]>(input, ":")?;
    let what = "a tolerance, as in `1e-5`";
    let text = with_cursor(input, |cursor| {
        let Some((literal, rest)) = number_at(cursor)? else {
            return Err(Fail::expected(cursor, what));
        };
        if literal.suffix.is_some() {
            let fail = Fail::new(literal.region, "a tolerance has no suffix");
            return Err(fail.note("it is of the type of the output"));
        }
        let text = match literal.value {
            Value::Int { magnitude, .. } => magnitude.to_string(),
            Value::Float(text) => text,
        };
        let value: f64 = text.parse().unwrap_or(f64::INFINITY);
        if !value.is_finite() {
            let fail = Fail::new(literal.region, "this tolerance is no finite number");
            return Err(fail.note(format!("the largest one is {:e}", f64::MAX)));
        }
        Ok((text, rest))
    })?;
    let mut known = graph.declared.tolerances.iter();
    if let Some(first) = known.find(|first| first.output == output) {
        return Err(Fail::repeated(&output, "tolerance", &first.output));
    }
    graph.declared.tolerances.push(Tolerance { output, text });
    Ok(())
}

const UNITS: &[(&str, u64)] = &[("ns", 1), ("us", 1_000), ("ms", 1_000_000)];

/// `12 us`.
pub fn cost(kernel: &mut Kernel, _: Ident, input: ParseStream) -> Result<()> {
    let units: Vec<_> = UNITS.iter().map(|(unit, _)| *unit).collect();
    let amount = amount(input, "a time, as in `12 us`", &units)?;
    let Some(unit) = Word::take(input) else {
        return Err(no_unit(&amount, "us", &units, input));
    };
    let region = Region::from(amount.span).to(&unit.name);
    let Some((_, factor)) = UNITS.iter().find(|(known, _)| *known == unit.text) else {
        let fail = Fail::new(&unit.name, format!("unknown unit `{}`", unit.text));
        let fail = fail.note(format!(
            "the units are {}",
            list(&units).replace(" or ", " and ")
        ));
        return Err(match seconds(amount.value, &unit.text, &units) {
            Some(same) => fail.fix("write `{}`", [Edit::replace(region, same)]),
            None => fail,
        });
    };
    let nanos = amount.value.checked_mul(*factor);
    let Some(nanos) = nanos.filter(|nanos| *nanos <= Cost::MOST) else {
        let most = format!("a launch takes {} ms at most", Cost::MOST / 1_000_000);
        return Err(Fail::new(region, "this time is too long").note(most));
    };
    if let Some((_, first)) = &kernel.cost {
        return Err(Fail::repeated_clause(region, "cost", *first));
    }
    let text = format!("{} {}", amount.value, unit.text);
    kernel.cost = Some((Cost { nanos, text }, region));
    Ok(())
}
