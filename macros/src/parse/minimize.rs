//! `minimize`: what is planned for.

use gpu_graph_analysis::fault::{Edit, closest};
use gpu_graph_analysis::policy::Metric;
use proc_macro2::Ident;
use syn::Token;
use syn::parse::ParseStream;

use super::fail::{Fail, Result};
use super::literal::number_at;
use super::stmt::Head;
use super::stream::{next_word, punct, take, with_cursor};
use super::words::{Word, keyword, list};
use crate::ast::{Graph, Literal, Minimize, Value, Weight};
use crate::span::Region;

/// `peak, then critical_path`, or `2 / GiB * peak + 3 * launches`.
pub fn minimize(graph: &mut Graph, head: Head, input: ParseStream) -> Result<()> {
    head.bare()?;
    let minimize = match input.cursor().literal() {
        Some(_) => Minimize::Weights(weights(input)?),
        None => Minimize::Order(order(input)?),
    };
    if let Some((_, first)) = &graph.declared.minimize {
        return Err(Fail::repeated(&head.word, "minimize", *first));
    }
    graph.declared.minimize = Some((minimize, (&head.word).into()));
    Ok(())
}

fn order(input: ParseStream) -> Result<Vec<(Metric, Ident)>> {
    let mut found: Vec<(Metric, Ident)> = Vec::new();
    let mut fails = Vec::new();
    loop {
        match metric(input) {
            Ok((metric, word)) => match found.iter().find(|(known, _)| *known == metric) {
                Some((_, first)) => fails.push(twice(&word, first)),
                None => found.push((metric, word)),
            },
            Err(fail) => fails.push(fail),
        }
        if input.is_empty() || input.peek(Token![;]) || !fails.is_empty() && !input.peek(Token![,])
        {
            return all_or(found, fails);
        }
        if !take::<Token![,]>(input) {
            return Err(unlisted(input));
        }
        let next = Region::from(input.span());
        if let Err(fail) = keyword(input, "then") {
            fails.push(match input.cursor().ident() {
                Some(_) => fail.fix("write `{}` before it", [Edit::before(next, "then ")]),
                None => return all_or(found, fails.into_iter().chain([fail]).collect()),
            });
        }
    }
}

/// What stands behind a figure is neither the next one nor the end.
fn unlisted(input: ParseStream) -> Fail {
    let fail = Fail::expected(input.cursor(), "`, then` or `;`");
    let last = Region::from(input.cursor().prev_span());
    if input.peek(Token![+]) {
        let sign = Edit::replace(input.span().into(), ", then");
        return fail
            .note("a sum has weights, as in `2 / GiB * peak + 1 / ms * critical_path`")
            .fix("write `{}` in its place", [sign]);
    }
    match next_word(input).as_deref() {
        Some("then") => fail.fix("write `{}` before it", [Edit::behind(last, ",")]),
        Some(_) => fail.fix("write `{}` before it", [Edit::behind(last, ", then")]),
        None => fail,
    }
}

fn weights(input: ParseStream) -> Result<Vec<Weight>> {
    let mut found: Vec<Weight> = Vec::new();
    let mut fails = Vec::new();
    loop {
        match weight(input) {
            Ok(weight) => match found.iter().find(|known| known.metric == weight.metric) {
                Some(first) => fails.push(twice(&weight.word, &first.word)),
                None => found.push(weight),
            },
            Err(fail) => fails.push(fail),
        }
        if input.is_empty() || input.peek(Token![;]) || !fails.is_empty() && !input.peek(Token![+])
        {
            return all_or(found, fails);
        }
        punct::<Token![+]>(input, "+")?;
    }
}

/// What was read, or all that is wrong with it.
fn all_or<T>(found: Vec<T>, fails: Vec<Fail>) -> Result<Vec<T>> {
    let mut fails = fails.into_iter();
    match fails.next() {
        None => Ok(found),
        Some(first) => Err(first.beside(fails)),
    }
}

fn twice(word: &Ident, first: &Ident) -> Fail {
    Fail::repeated(word, &word.to_string(), first)
}

/// `2 / GiB * peak`, `3 * launches`.
fn weight(input: ParseStream) -> Result<Weight> {
    let number = with_cursor(input, |cursor| {
        let what = "a weight, as in `2 / GiB * peak`";
        number_at(cursor)?.ok_or_else(|| Fail::expected(cursor, what))
    })?;
    let each = positive(&number)?;
    let unit = match take::<Token![/]>(input) {
        true => match Word::take(input) {
            Some(word) => Some(word),
            None => {
                return Err(Fail::expected(
                    input.cursor(),
                    "a unit, as in `GiB` or `ms`",
                ));
            }
        },
        false => None,
    };
    punct::<Token![*]>(input, "*")?;
    let (metric, word) = metric(input)?;
    let text = text(&number.value);
    let known = metric.units();
    let names: Vec<&str> = known.iter().map(|(name, _)| *name).collect();
    let (factor, text) = match unit {
        None if known.is_empty() => (1, format!("{text} * {metric}")),
        None => {
            let fail = Fail::new(&word, format!("`{metric}` is weighed per unit"));
            let unit = names[names.len() - 1];
            let edit = Edit::behind(number.region, format!(" / {unit}"));
            let fail = fail.note(format!("the units are {}", all(&names)));
            return Err(fail.fix(&format!("write `{text} {{}} * {metric}`"), [edit]));
        }
        Some(unit) => {
            let Some((_, factor)) = known.iter().find(|(name, _)| *name == unit.text) else {
                return Err(foreign(&number, &unit, metric, &names));
            };
            (*factor, format!("{text} / {} * {metric}", unit.text))
        }
    };
    Ok(Weight {
        metric,
        each,
        per: factor,
        text,
        word,
    })
}

fn foreign(number: &Literal, unit: &Word, metric: Metric, names: &[&str]) -> Fail {
    let fail = Fail::new(
        &unit.name,
        format!("`{metric}` is not counted in `{}`", unit.text),
    );
    if names.is_empty() {
        return fail.note("it has no unit");
    }
    let fail = fail.note(format!("its units are {}", all(names)));
    // A letter makes `ns` of `s`, and a weight of it 10^9 times another.
    if unit.text == "s" && names.contains(&"ms") {
        let weight = text(&number.value);
        if weight.contains(['e', 'E']) {
            return fail.help("weigh it per `ms`: a thousandth for each");
        }
        let number = Edit::replace(number.region, format!("{weight}e-3"));
        let unit = Edit::replace((&unit.name).into(), "ms");
        return fail.fix("write `{} / {}`", [number, unit]);
    }
    match closest(&unit.text, names.iter().copied()) {
        Some(near) => fail.fix(
            "did you mean `{}`?",
            [Edit::replace((&unit.name).into(), near)],
        ),
        None => {
            let (weight, unit_of) = (text(&number.value), names[names.len() - 1]);
            let edit = Edit::replace((&unit.name).into(), unit_of);
            fail.fix(&format!("write `{weight} / {{}} * {metric}`"), [edit])
        }
    }
}

fn all(names: &[&str]) -> String {
    list(names).replace(" or ", " and ")
}

fn text(value: &Value) -> String {
    match value {
        Value::Int { magnitude, .. } => magnitude.to_string(),
        Value::Float(text) => text.clone(),
    }
}

/// A weight is a number above zero.
fn positive(number: &Literal) -> Result<f64> {
    if number.suffix.is_some() {
        return Err(Fail::new(number.region, "a weight has no suffix"));
    }
    let value: f64 = text(&number.value).parse().unwrap_or(0.0);
    match value.is_finite() && value > 0.0 {
        true => Ok(value),
        false => {
            let fail = Fail::new(number.region, "a weight is a number above zero");
            Err(fail.note("what does not count is left out"))
        }
    }
}

fn metric(input: ParseStream) -> Result<(Metric, Ident)> {
    let names = Metric::ALL.map(Metric::name);
    let Some(word) = Word::take(input) else {
        return Err(Fail::expected(input.cursor(), &list(&names)));
    };
    let found = Metric::ALL.into_iter().find(|m| m.name() == word.text);
    match found {
        Some(metric) => Ok((metric, word.name)),
        None => Err(word.unknown("figure", &names)),
    }
}
