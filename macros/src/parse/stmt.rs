//! Statements of a graph: one row for each that begins with a word, and tasks.

use gpu_graph_analysis::model::Class;
use proc_macro2::{Delimiter, Ident};
use syn::parse::ParseStream;
use syn::{Lifetime, Token};

use super::attr::{self, attrs};
use super::context::Context;
use super::declare::{declare, scalar};
use super::demand::{alias, order, separate};
use super::fail::{Fail, Result};
use super::limit::{budget, pipelined, streams};
use super::setting::dim;
use super::stream::{next_word, punct, skip_to_semicolon, take};
use super::task::task;
use super::words::{Word, is_keyword, keyword};
use crate::ast::{Attr, Graph, Stmt};
use crate::span::ends_line;

/// What stands before the rest of a statement.
pub struct Head {
    /// Attributes.
    pub attrs: Vec<Attr>,
    /// A label.
    pub label: Option<Lifetime>,
    /// The word that says what it is.
    pub word: Ident,
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
    Row { word: "resident", read: |graph, head, input| {
        keyword(input, "input")?;
        declare(graph, head, Class::Resident, input)
    } },
    Row { word: "inout", read: |graph, head, input| declare(graph, head, Class::Inout, input) },
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
    attr::only_docs(&attrs)?;
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
        let task = task(label, input)?;
        graph.stmts.push(Stmt::Task(task));
    }
    semicolon(input)
}

/// The next token is a word of the language, or a misspelt one, rather than the name of what is
/// called or assigned to.
fn begins_with_word(input: ParseStream) -> bool {
    let Some((name, next)) = input.cursor().ident() else {
        return false;
    };
    let word = name.to_string();
    if is_keyword(&word) {
        return !matches!(&*word, "self" | "super" | "crate");
    }
    let groups = [Delimiter::Parenthesis, Delimiter::Bracket];
    if groups
        .into_iter()
        .any(|delimiter| next.group(delimiter).is_some())
    {
        return false;
    }
    if input.peek2(Token![=]) || input.peek2(Token![::]) {
        return false;
    }
    // A name before any other operator is a slip in an assignment, but `dim` is `dim`.
    let operator = next
        .punct()
        .is_some_and(|(punct, _)| punct.as_char() != ';');
    !operator || STATEMENTS.iter().any(|row| row.word == word)
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
    /// No label stands before this.
    pub fn no_label(&self) -> Result<()> {
        match &self.label {
            Some(label) => Err(Fail::new(
                label,
                format!("`{}` takes no label: it is no task", self.word),
            )),
            None => Ok(()),
        }
    }

    /// Neither a label nor attributes stand before this.
    pub fn bare(&self) -> Result<()> {
        self.no_label()?;
        attr::none(&self.attrs, &self.word)
    }
}
