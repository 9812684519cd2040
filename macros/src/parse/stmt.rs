//! Statements of a graph: one row for each that begins with a word, and tasks.

use gpu_graph_analysis::model::Class;
use proc_macro2::Ident;
use syn::parse::ParseStream;
use syn::{Lifetime, Path, Token};

use super::attr::{self, attrs};
use super::call::{arguments, call, rest_of_view};
use super::context::Context;
use super::fail::{Fail, Result};
use super::kernel::finite;
use super::literal::int;
use super::setting::{bytes, dim};
use super::stream::{label, name, next_word, punct, skip_to_semicolon, take};
use super::tensor::{elem_type, tensor};
use super::words::{Word, is_keyword, keyword};
use crate::ast::{Attr, Count, Declare, Graph, Order, Pair, ScalarDecl, Stmt, Task};
use crate::span::{Region, ends_line};

/// What stands before the rest of a statement.
struct Head {
    attrs: Vec<Attr>,
    label: Option<Lifetime>,
    word: Ident,
}

/// A statement: its word, and what reads the rest into the graph.
struct Row {
    word: &'static str,
    read: fn(&mut Graph, Head, ParseStream) -> Result<()>,
}

#[rustfmt::skip]
const STATEMENTS: &[Row] = &[
    Row { word: "dim", read: |graph, head, input| {
        head.no_label()?;
        graph.dims.push(dim(head.attrs, input)?);
        Ok(())
    } },
    Row { word: "input", read: |graph, head, input| declare(graph, head, Class::Input, input) },
    Row { word: "scalar", read: scalar },
    Row { word: "let", read: |graph, head, input| declare(graph, head, Class::Transient, input) },
    Row { word: "output", read: |graph, head, input| declare(graph, head, Class::Output, input) },
    Row { word: "order", read: order },
    Row { word: "alias", read: alias },
    Row { word: "separate", read: separate },
    Row { word: "budget", read: budget },
    Row { word: "pipelined", read: pipelined },
    Row { word: "streams", read: streams },
];

/// All statements, up to the end.
pub fn stmts(graph: &mut Graph, input: ParseStream, cx: &mut Context) {
    while !input.is_empty() {
        let Err(fail) = stmt(graph, input) else {
            continue;
        };
        graph.broken = true;
        if !fail.is_between() {
            skip_to_semicolon(input);
        }
        cx.report(fail);
    }
}

fn stmt(graph: &mut Graph, input: ParseStream) -> Result<()> {
    let attrs = attrs(input)?;
    let label = if input.peek(Lifetime) {
        let label: Lifetime = input.parse()?;
        punct::<Token![:]>(input, ":")?;
        Some(label)
    } else {
        None
    };
    if begins_with_word(input)
        && let Some(word) = Word::take(input)
    {
        let Some(row) = STATEMENTS.iter().find(|row| row.word == word.text) else {
            let known: Vec<_> = STATEMENTS.iter().map(|row| row.word).collect();
            return Err(word.refuse(input, "statement", &known));
        };
        let head = Head {
            attrs,
            label,
            word: word.name,
        };
        (row.read)(graph, head, input)?;
    } else {
        let task = task(attrs, label, input)?;
        graph.stmts.push(Stmt::Task(task));
    }
    semicolon(input)
}

/// The next token is a word of the language, rather than the name of what is called or assigned to.
fn begins_with_word(input: ParseStream) -> bool {
    match next_word(input).as_deref() {
        None | Some("self" | "super" | "crate") => false,
        Some(word) => {
            let named = input.peek2(syn::token::Paren)
                || input.peek2(syn::token::Bracket)
                || input.peek2(Token![=])
                || input.peek2(Token![::]);
            is_keyword(word) || !named
        }
    }
}

fn semicolon(input: ParseStream) -> Result<()> {
    if take::<Token![;]>(input) {
        return Ok(());
    }
    let cursor = input.cursor();
    let last = cursor.prev_span();
    let fail = if input.is_empty() || ends_line(last, input.span()) {
        Fail::new(last, "expected `;` behind this")
    } else {
        Fail::expected(cursor, "`;`")
    };
    let next = next_word(input);
    let starts = next.is_some_and(|next| STATEMENTS.iter().any(|row| row.word == next));
    Err(if starts || input.peek(Lifetime) {
        fail.between()
    } else {
        fail
    })
}

impl Head {
    fn no_label(&self) -> Result<()> {
        match &self.label {
            Some(label) => Err(Fail::new(
                label,
                format!("`{}` takes no label: it is no task", self.word),
            )),
            None => Ok(()),
        }
    }

    /// Neither a label nor attributes stand before this.
    fn bare(&self) -> Result<()> {
        self.no_label()?;
        attr::none(&self.attrs, &self.word)
    }
}

fn declare(graph: &mut Graph, head: Head, class: Class, input: ParseStream) -> Result<()> {
    if input.peek(Token![mut]) {
        let fail = Fail::expected(input.cursor(), "the name of a resource");
        return Err(fail.help("drop `mut`: what a task writes is said where it is called"));
    }
    let name = name(input, "the name of a resource")?;
    if input.peek(Token![=]) {
        let help = format!("write `{} {name}: [f32; n] = …`", head.word);
        let fail = Fail::expected(input.cursor(), "`:` and a type");
        return Err(fail
            .note("the type of a resource is not inferred")
            .help(help));
    }
    punct::<Token![:]>(input, ":")?;
    let tensor = tensor(input)?;
    let mut declare = Declare {
        attrs: head.attrs,
        label: head.label,
        class,
        name,
        tensor,
        call: None,
    };
    // What is declared stays, also where the call cannot be read.
    let read = filled(&mut declare, input);
    graph.stmts.push(Stmt::Declare(declare));
    read
}

fn filled(declare: &mut Declare, input: ParseStream) -> Result<()> {
    if !input.peek(Token![=]) {
        return match &declare.label {
            Some(label) => Err(Fail::new(label, "a label needs a task")
                .note("without a call, a declaration is no task")),
            None => Ok(()),
        };
    }
    if declare.class == Class::Input {
        return Err(Fail::new(input.span(), "an input is filled by the caller")
            .help("drop the call, or write `let`"));
    }
    punct::<Token![=]>(input, "=")?;
    declare.call = Some(call(input)?);
    Ok(())
}

fn scalar(graph: &mut Graph, head: Head, input: ParseStream) -> Result<()> {
    head.no_label()?;
    let name = name(input, "the name of a scalar")?;
    punct::<Token![:]>(input, ":")?;
    if input.peek(syn::token::Bracket) {
        return Err(Fail::expected(input.cursor(), "a scalar type, as in `f32`")
            .help(format!("a tensor is an `input`: `input {name}: […];`")));
    }
    let ty = elem_type(input)?;
    finite(input)?;
    graph.scalars.push(ScalarDecl {
        attrs: head.attrs,
        name,
        ty,
    });
    Ok(())
}

fn order(graph: &mut Graph, head: Head, input: ParseStream) -> Result<()> {
    head.bare()?;
    let first = label(input, "the label of a task")?;
    let mut region = Region::from(&head.word).to(&first);
    let mut labels = vec![first];
    while labels.len() < 2 || input.peek(Token![->]) {
        punct::<Token![->]>(input, "->")?;
        let next = label(input, "the label of a task")?;
        region = region.to(&next);
        labels.push(next);
    }
    graph.orders.push(Order { labels, region });
    Ok(())
}

fn alias(graph: &mut Graph, head: Head, input: ParseStream) -> Result<()> {
    head.bare()?;
    let a = name(input, "the name of a resource")?;
    keyword(input, "with")?;
    graph.aliases.push(pair(&head.word, a, input)?);
    Ok(())
}

fn separate(graph: &mut Graph, head: Head, input: ParseStream) -> Result<()> {
    head.bare()?;
    let a = name(input, "the name of a resource")?;
    punct::<Token![,]>(input, ",")?;
    graph.separate.push(pair(&head.word, a, input)?);
    Ok(())
}

fn pair(word: &Ident, a: Ident, input: ParseStream) -> Result<Pair> {
    let b = name(input, "the name of a resource")?;
    let region = Region::from(word).to(&b);
    Ok(Pair { a, b, region })
}

fn budget(graph: &mut Graph, head: Head, input: ParseStream) -> Result<()> {
    head.bare()?;
    let bytes = bytes(input, false)?;
    if let Some(first) = &graph.budget {
        return Err(Fail::repeated(&head.word, "budget", first.region));
    }
    graph.budget = Some(bytes);
    Ok(())
}

fn pipelined(graph: &mut Graph, head: Head, input: ParseStream) -> Result<()> {
    head.bare()?;
    count(
        &mut graph.pipelined,
        &head.word,
        "a number of runs in flight",
        input,
    )
}

fn streams(graph: &mut Graph, head: Head, input: ParseStream) -> Result<()> {
    head.bare()?;
    count(&mut graph.streams, &head.word, "a number of streams", input)
}

fn count(slot: &mut Option<Count>, word: &Ident, what: &str, input: ParseStream) -> Result<()> {
    let count = int(input, what)?;
    if let Some(first) = slot {
        return Err(Fail::repeated(word, &word.to_string(), first.region));
    }
    *slot = Some(Count {
        region: Region::from(word).to(count.span),
        count,
    });
    Ok(())
}

/// `call` or `place = call`.
fn task(attrs: Vec<Attr>, label: Option<Lifetime>, input: ParseStream) -> Result<Task> {
    if next_word(input).is_none() && !input.peek(Token![::]) {
        return Err(Fail::expected(input.cursor(), "a statement"));
    }
    let mut path = input.call(Path::parse_mod_style)?;
    let alone = path.segments.len() == 1 && path.leading_colon.is_none();
    let place = match path.segments.pop() {
        Some(last) if alone && (input.peek(syn::token::Bracket) || input.peek(Token![=])) => {
            Some(rest_of_view(last.ident, input)?)
        }
        Some(last) => {
            path.segments.push_value(last);
            None
        }
        None => None,
    };
    let call = if place.is_some() {
        punct::<Token![=]>(input, "=")?;
        call(input)?
    } else {
        arguments(path, input)?
    };
    Ok(Task {
        attrs,
        label,
        place,
        call,
    })
}
