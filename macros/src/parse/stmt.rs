//! Statements: one row for each that begins with a word, and tasks.

mod slip;

use gpu_graph_analysis::fault::Edit;
use gpu_graph_analysis::model::Class;
use proc_macro2::{Delimiter, Ident};
use syn::parse::ParseStream;
use syn::{Lifetime, Token};

use super::attr::{self, attrs};
use super::block::{Block, Value};
use super::constant;
use super::context::Context;
use super::declare::{declare, scalar};
use super::declared::{issue, profile, scope, target, tolerance};
use super::demand::{alias, order, recompute, separate};
use super::escape::{escape, named_view, stable};
use super::fail::{Fail, Result};
use super::limit::{budget, pipelined, streams};
use super::minimize::minimize;
use super::repeat::repeat;
use super::setting::dim;
use super::stream::{next_word, punct, skip_to_semicolon, take};
use super::task::{Stated, task};
use super::variant::{choose, choose_at_end, valued, variant};
use super::words::{Word, is_keyword, keyword};
use super::workspace::workspace;
use crate::ast::{Attr, Body, Graph, Stmt, View};
use crate::span::{Region, ends_line};
use slip::{assigned, item, misplaced};

/// What stands before the rest of a statement.
pub struct Head {
    /// Attributes.
    pub attrs: Vec<Attr>,
    /// A label.
    pub label: Option<Lifetime>,
    /// The word that says what it is.
    pub word: Ident,
}

/// A statement: its word, and what reads the rest.
struct Row {
    word: &'static str,
    read: Read,
}

/// Reads the rest of a statement.
enum Read {
    /// Into a graph, and only there.
    Graph(fn(&mut Graph, Head, ParseStream) -> Result<()>),
    /// The same, with braces at the end instead of a semicolon.
    Braced(fn(&mut Graph, Head, ParseStream) -> Result<()>),
    /// Into any block.
    Body(fn(&mut Body, Head, ParseStream) -> Result<()>),
    /// Into any block, with a block of its own at the end instead of a semicolon.
    Nested(fn(&mut Body, Head, ParseStream, &mut Context) -> Result<()>),
}

#[rustfmt::skip]
const STATEMENTS: &[Row] = &[
    Row { word: "const", read: Read::Body(constant::stmt) },
    Row { word: "dim", read: Read::Graph(|graph, head, input| {
        head.no_label()?;
        dim(&mut graph.dims, head.attrs, input)
    }) },
    Row { word: "input", read: Read::Graph(|graph, head, input| declare(&mut graph.body, head, Class::Input, input)) },
    Row { word: "resident", read: Read::Graph(|graph, head, input| {
        keyword(input, "input")?;
        declare(&mut graph.body, head, Class::Resident, input)
    }) },
    Row { word: "inout", read: Read::Graph(|graph, head, input| declare(&mut graph.body, head, Class::Inout, input)) },
    Row { word: "scalar", read: Read::Graph(scalar) },
    Row { word: "variant", read: Read::Braced(variant) },
    Row { word: "let", read: Read::Body(|body, head, input| declare(body, head, Class::Transient, input)) },
    Row { word: "recompute", read: Read::Body(recompute) },
    Row { word: "staging", read: Read::Body(|body, head, input| declare(body, head, Class::Staging, input)) },
    Row { word: "output", read: Read::Graph(|graph, head, input| declare(&mut graph.body, head, Class::Output, input)) },
    Row { word: "workspace", read: Read::Body(workspace) },
    Row { word: "for", read: Read::Nested(repeat) },
    Row { word: "view", read: Read::Body(named_view) },
    Row { word: "escape", read: Read::Graph(escape) },
    Row { word: "stable", read: Read::Graph(stable) },
    Row { word: "match", read: Read::Nested(choose) },
    Row { word: "order", read: Read::Body(order) },
    Row { word: "alias", read: Read::Body(alias) },
    Row { word: "separate", read: Read::Body(separate) },
    Row { word: "budget", read: Read::Graph(budget) },
    Row { word: "minimize", read: Read::Graph(minimize) },
    Row { word: "pipelined", read: Read::Graph(pipelined) },
    Row { word: "streams", read: Read::Graph(streams) },
    Row { word: "issue", read: Read::Graph(issue) },
    Row { word: "profile", read: Read::Graph(profile) },
    Row { word: "scope", read: Read::Graph(scope) },
    Row { word: "target", read: Read::Graph(target) },
    Row { word: "tolerance", read: Read::Graph(tolerance) },
];

/// Words that begin what stands beside graphs.
const ITEMS: &[&str] = &[
    "callback",
    "collective",
    "fn",
    "graph",
    "kernel",
    "opaque",
    "stage",
];

/// All statements, up to the end.
pub fn stmts(block: &mut Block<'_>, input: ParseStream, cx: &mut Context) {
    while !input.is_empty() {
        let Err(fail) = stmt(block, input, cx) else {
            continue;
        };
        block.body().broken = true;
        if !fail.is_between() {
            skip_to_semicolon(input);
        }
        cx.report(fail);
    }
}

fn stmt(block: &mut Block<'_>, input: ParseStream, cx: &mut Context) -> Result<()> {
    let attrs = attrs(input)?;
    attr::only_docs(&attrs)?;
    let label = if input.peek(Lifetime) {
        let label: Lifetime = input.parse()?;
        punct::<Token![:]>(input, ":")?;
        Some(label)
    } else {
        None
    };
    if let Some(fail) = assigned(input.cursor()) {
        return Err(fail);
    }
    if begins_with_word(input)
        && let Some(word) = Word::take(input)
    {
        if ITEMS.contains(&&*word.text) {
            return Err(item(&word));
        }
        let Some(row) = STATEMENTS.iter().find(|row| row.word == word.text) else {
            let known: Vec<_> = STATEMENTS.iter().map(|row| row.word).collect();
            return Err(word.refuse("statement", &known));
        };
        let head = Head {
            attrs,
            label,
            word: word.name,
        };
        match (&row.read, &mut *block) {
            (Read::Graph(read), Block::Graph(graph)) => read(graph, head, input)?,
            (Read::Braced(read), Block::Graph(graph)) => return read(graph, head, input),
            (Read::Graph(_) | Read::Braced(_), block) => {
                return Err(misplaced(&head.word, block.what()));
            }
            (Read::Body(read), block) => read(block.body(), head, input)?,
            (Read::Nested(_), Block::Arm(body, value)) if head.word == "match" && ends(input) => {
                let value = *value;
                return choose_at_end(body, head, value, input, cx);
            }
            (Read::Nested(_), Block::Stage(body)) if head.word == "match" && ends(input) => {
                return choose_at_end(body, head, Value::Result, input, cx);
            }
            (Read::Nested(read), block) => return read(block.body(), head, input, cx),
        }
        // `let x: [f32; n] = match …`.
        if let Some(Stmt::Declare(declare)) = block.body().stmts.last()
            && declare.matched
            && next_word(input).as_deref() == Some("match")
        {
            let place = View::from(&declare.name);
            valued(block.body(), Value::Place(&place), input, cx)?;
        }
        return semicolon(input);
    }
    let task = match task(label, input)? {
        Stated::Task(task) => *task,
        Stated::Match(place) => {
            valued(block.body(), Value::Place(&place), input, cx)?;
            return semicolon(input);
        }
    };
    if input.is_empty() && block.is_valued_by(&task) {
        block.end_with(task);
        return Ok(());
    }
    block.body().stmts.push(Stmt::Task(task));
    semicolon(input)
}

/// The only call of an arm without braces.
pub fn lone(block: &mut Block<'_>, input: ParseStream) -> Result<()> {
    let starts = |word: String| STATEMENTS.iter().any(|row| row.word == word);
    if begins_with_word(input) && next_word(input).is_some_and(starts) {
        return Err(braced(input));
    }
    match task(None, input)? {
        Stated::Match(place) => Err(Fail::new(place.region, "the arm needs braces").note(LONE)),
        Stated::Task(task) => {
            block.end_with(*task);
            Ok(())
        }
    }
}

const LONE: &str = "without braces an arm is one call";

/// Another statement than a call is an arm without braces.
fn braced(input: ParseStream) -> Fail {
    let first = Region::from(input.span());
    let fail = Fail::new(first, "the arm needs braces").note(LONE);
    let mut rest = input.cursor();
    let nested = matches!(next_word(input).as_deref(), Some("for" | "match"));
    while nested && let Some((_, next)) = rest.token_tree() {
        if let Some((_, span, _)) = rest.group(Delimiter::Brace) {
            let close = Edit::behind(span.close().into(), " }");
            return fail.fix("put it in braces", [Edit::before(first, "{ "), close]);
        }
        rest = next;
    }
    fail.help("put what the arm does in braces")
}

/// Behind the word `match` stand a name and braces, and nothing else.
fn ends(input: ParseStream) -> bool {
    let name = input.cursor().ident();
    let arms = name.and_then(|(_, rest)| rest.group(Delimiter::Brace));
    arms.is_some_and(|(_, _, rest)| rest.eof())
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
    if input.peek2(Token![=]) || input.peek2(Token![::]) || input.peek2(Token![as]) {
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
    let starts = |word: &str| STATEMENTS.iter().any(|row| row.word == word);
    if let Some((comma, rest)) = cursor.punct()
        && comma.as_char() == ','
        && rest
            .ident()
            .is_some_and(|(name, _)| starts(&name.to_string()))
    {
        let comma = Edit::replace(input.span().into(), ";");
        take::<Token![,]>(input);
        return Err(fail.fix("write `{}`", [comma]).between());
    }
    // A word before a semicolon is no statement.
    let next = next_word(input).filter(|_| !input.peek2(Token![;]));
    Err(
        if next.is_some_and(|next| starts(&next)) || input.peek(Lifetime) {
            fail.between()
        } else {
            fail
        },
    )
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
