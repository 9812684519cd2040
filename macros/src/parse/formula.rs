//! The body of an expression kernel, by precedence climbing.

mod operator;

use gpu_graph_analysis::calls;
use gpu_graph_analysis::fault::Edit;
use gpu_graph_analysis::formula::{Syntax, SyntaxKind, Unary};
use proc_macro2::{Delimiter, Ident, Spacing};
use syn::Token;
use syn::buffer::Cursor;
use syn::parse::ParseStream;

use super::fail::{Fail, Result};
use super::item::begins_with;
use super::literal::{negated, number_at};
use super::stream::{next_word, skip_one, take, with_cursor};
use super::tensor::elem;
use super::words::is_keyword;
use crate::ast::{Formula, Literal, Value};
use crate::lower::text;
use crate::span::Region;
use operator::operator;

const WHAT: &str = "an operand";

/// An expression, up to what stands behind it.
pub fn formula(input: ParseStream) -> Result<Formula> {
    let formula = with_cursor(input, |cursor| {
        let (tree, rest) = operators(cursor, 0, 0)?;
        // Behind a comma stands a clause.
        let ends = rest
            .punct()
            .is_some_and(|(p, _)| matches!(p.as_char(), ';' | ','));
        if ends || over(rest) {
            return Ok((tree.formula, rest));
        }
        Err(match rest.ident() {
            Some((word, _)) if word == "cost" => Fail::expected(rest, "`,` or `;`")
                .fix("write `{}` before it", [Edit::behind(tree.outer, ",")]),
            _ => unread(rest),
        })
    })?;
    Ok(formula)
}

/// Takes the semicolon behind an expression and its clauses.
pub fn end(input: ParseStream) -> Result<()> {
    let cursor = input.cursor();
    if take::<Token![;]>(input) {
        return Ok(());
    }
    Err(if over(cursor) {
        Fail::new(cursor.prev_span(), "expected `;` behind this").between()
    } else {
        Fail::expected(cursor, "`;`")
    })
}

/// Another item begins, perhaps with attributes, or nothing follows.
fn over(cursor: Cursor) -> bool {
    let attribute = cursor.punct().is_some_and(|(punct, rest)| {
        punct.as_char() == '#' && rest.group(Delimiter::Bracket).is_some()
    });
    let item = cursor.ident();
    attribute || cursor.eof() || item.is_some_and(|(word, _)| begins_with(&word.to_string()))
}

/// Skips what could not be read of an expression, but not the item behind it.
pub fn skip_formula(input: ParseStream) {
    while !input.is_empty() && !take::<Token![;]>(input) {
        let item = next_word(input).is_some_and(|word| begins_with(&word));
        if item || input.peek(Token![#]) || !skip_one(input) {
            break;
        }
    }
}

/// What stands behind a whole expression and is no operator.
fn unread(cursor: Cursor) -> Fail {
    let fail = Fail::outside(cursor);
    let Some((_, span, _)) = cursor.group(Delimiter::Bracket) else {
        return fail;
    };
    let brackets = Region::from(span.open()).to(span.close());
    fail.note("a tensor is read at the index of the element that is computed")
        .fix("drop the brackets", [Edit::remove(brackets)])
}

/// An expression, and how deep it is.
struct Tree {
    formula: Formula,
    /// With parentheses that stand around it.
    outer: Region,
    depth: usize,
}

impl Tree {
    fn new(kind: SyntaxKind<Region>, region: Region, depth: usize) -> Result<Tree> {
        check(depth, region)?;
        Ok(Tree {
            formula: Syntax { kind, site: region },
            outer: region,
            depth,
        })
    }
}

fn check(depth: usize, region: impl Into<Region>) -> Result<()> {
    if depth < Formula::MAX_DEPTH {
        return Ok(());
    }
    Err(
        Fail::new(region, "this expression is too long").note(format!(
            "an expression is at most {} operators deep",
            Formula::MAX_DEPTH
        )),
    )
}

/// Operators that bind at least as tight as `least`, with operands `level` groups and signs deep.
fn operators(cursor: Cursor, least: u8, level: usize) -> Result<(Tree, Cursor)> {
    let (mut left, mut cursor) = cast(cursor, level)?;
    let mut compared = false;
    while let Some((operator, region, rest)) = operator(cursor)?
        && operator.strength() >= least
    {
        if operator.compares() && compared {
            return Err(Fail::outside_of(region, "a chain of comparisons")
                .help("join two comparisons with `&&`"));
        }
        compared = operator.compares();
        behind(region, rest)?;
        let (right, rest) = operators(rest, operator.strength() + 1, level)?;
        let depth = left.depth.max(right.depth) + 1;
        let whole = left.outer.to(right.outer);
        let (a, b) = (Box::new(left.formula), Box::new(right.formula));
        left = Tree::new(SyntaxKind::Binary(a, operator, region, b), whole, depth)?;
        cursor = rest;
    }
    Ok((left, cursor))
}

/// Refuses that nothing stands behind the operator at `region`: what stands there is of something else.
fn behind(region: Region, cursor: Cursor) -> Result<()> {
    let ends = cursor
        .punct()
        .is_some_and(|(punct, _)| ",;".contains(punct.as_char()));
    match ends || over(cursor) {
        true => Err(Fail::new(region, format!("expected {WHAT} behind this"))),
        false => Ok(()),
    }
}

/// `x as u8`.
fn cast(cursor: Cursor, level: usize) -> Result<(Tree, Cursor)> {
    let (mut tree, mut cursor) = prefix(cursor, level)?;
    while let Some((_, rest)) = word(cursor, "as") {
        let Some((name, rest)) = rest.ident() else {
            return Err(Fail::expected(rest, "an element type"));
        };
        let ty = elem("", &text(&name), name.span())?;
        let region = tree.outer.to(&name);
        let kind = SyntaxKind::Cast(Box::new(tree.formula), ty.elem);
        tree = Tree::new(kind, region, tree.depth + 1)?;
        cursor = rest;
    }
    Ok((tree, cursor))
}

/// `-x`, `!x`.
fn prefix(cursor: Cursor, level: usize) -> Result<(Tree, Cursor)> {
    check(level, cursor.span())?;
    let Some((punct, rest)) = cursor.punct() else {
        return postfix(cursor, level);
    };
    let unary = match punct.as_char() {
        '-' => Unary::Neg,
        '!' => Unary::Not,
        _ => return postfix(cursor, level),
    };
    let sign = Region::from(punct.span());
    // The sign belongs to a number, so that the smallest integer can be written.
    if unary == Unary::Neg
        && let Some((number, after)) = number_at(rest)?
        && after.punct().is_none_or(|(p, _)| p.as_char() != '.')
    {
        let number = Literal {
            value: negated(number.value),
            region: sign.to(number.region),
            ..number
        };
        return Ok((literal(number)?, after));
    }
    behind(sign, rest)?;
    let (of, rest) = prefix(rest, level + 1)?;
    let region = sign.to(of.outer);
    let kind = SyntaxKind::Unary(unary, sign, Box::new(of.formula));
    Ok((Tree::new(kind, region, of.depth + 1)?, rest))
}

/// `x.min(y)`.
fn postfix(cursor: Cursor, level: usize) -> Result<(Tree, Cursor)> {
    let (mut tree, mut cursor) = operand(cursor, level)?;
    while let Some((dot, rest)) = cursor.punct()
        && dot.as_char() == '.'
        && dot.spacing() == Spacing::Alone
    {
        let Some((name, rest)) = rest.ident() else {
            return Err(Fail::outside(rest));
        };
        let Some((inside, span, rest)) = rest.group(Delimiter::Parenthesis) else {
            return Err(Fail::outside_of(&name, format!("the field `{name}`")));
        };
        let (args, depth) = arguments(inside, level)?;
        let region = tree.outer.to(span.close());
        let of = Box::new(tree.formula);
        let kind = SyntaxKind::Method(of, text(&name), Region::from(&name), args);
        tree = Tree::new(kind, region, tree.depth.max(depth) + 1)?;
        cursor = rest;
    }
    Ok((tree, cursor))
}

/// Arguments with commas between them, and the depth of the deepest.
fn arguments(mut cursor: Cursor, level: usize) -> Result<(Vec<Formula>, usize)> {
    let (mut args, mut depth) = (Vec::new(), 0);
    while !cursor.eof() {
        let (tree, rest) = operators(cursor, 0, level + 1)?;
        depth = depth.max(tree.depth);
        args.push(tree.formula);
        cursor = match rest.punct() {
            Some((comma, rest)) if comma.as_char() == ',' => rest,
            _ if rest.eof() => rest,
            _ => return Err(unread(rest)),
        };
    }
    Ok((args, depth))
}

fn operand(cursor: Cursor, level: usize) -> Result<(Tree, Cursor)> {
    check(level, cursor.span())?;
    // A fragment of a `macro_rules!` is a group without delimiters; it binds as if it had some.
    for delimiter in [Delimiter::None, Delimiter::Parenthesis] {
        if let Some((inside, span, rest)) = cursor.group(delimiter) {
            let mut tree = whole(inside, level)?;
            if delimiter == Delimiter::Parenthesis {
                tree.outer = Region::from(span.open()).to(span.close());
            }
            return Ok((tree, rest));
        }
    }
    if let Some((number, rest)) = number_at(cursor)? {
        return Ok((literal(number)?, rest));
    }
    if let Some((keyword, rest)) = word(cursor, "if") {
        return branches(&keyword, rest, level);
    }
    let Some((name, rest)) = cursor.ident() else {
        let ends = cursor.eof()
            || cursor
                .punct()
                .is_some_and(|(p, _)| ",;".contains(p.as_char()));
        return Err(if ends {
            Fail::expected(cursor, WHAT)
        } else {
            Fail::outside(cursor)
        });
    };
    if is_keyword(&name.to_string()) {
        return Err(Fail::outside(cursor));
    }
    let region = Region::from(&name);
    if let Some((inside, span, rest)) = rest.group(Delimiter::Parenthesis) {
        let (args, depth) = arguments(inside, level)?;
        let kind = SyntaxKind::Call(text(&name), region, args);
        return Ok((Tree::new(kind, region.to(span.close()), depth + 1)?, rest));
    }
    Ok((Tree::new(SyntaxKind::Name(text(&name)), region, 0)?, rest))
}

/// All of a group.
fn whole(inside: Cursor, level: usize) -> Result<Tree> {
    let (tree, end) = operators(inside, 0, level + 1)?;
    if end.eof() {
        Ok(tree)
    } else {
        Err(unread(end))
    }
}

/// `if c { a } else { b }`, behind the `if`.
fn branches<'c>(keyword: &Ident, cursor: Cursor<'c>, level: usize) -> Result<(Tree, Cursor<'c>)> {
    let (condition, rest) = operators(cursor, 0, level + 1)?;
    let (yes, _, rest) = block(rest, level)?;
    let Some((_, rest)) = word(rest, "else") else {
        return Err(Fail::expected(rest, "`else`")
            .note("an `if` has a value, whether its condition holds or not"));
    };
    let (no, end, rest) = match word(rest, "if") {
        Some((nested, behind)) => {
            check(level + 1, &nested)?;
            let (tree, rest) = branches(&nested, behind, level + 1)?;
            let end = tree.outer;
            (tree, end, rest)
        }
        None => block(rest, level)?,
    };
    let depth = condition.depth.max(yes.depth).max(no.depth) + 1;
    let parts = [condition, yes, no].map(|tree| tree.formula);
    let region = Region::from(keyword).to(end);
    let tree = Tree::new(SyntaxKind::If(Box::new(parts)), region, depth)?;
    Ok((tree, rest))
}

/// `{ a }`.
fn block(cursor: Cursor, level: usize) -> Result<(Tree, Region, Cursor)> {
    let Some((inside, span, rest)) = cursor.group(Delimiter::Brace) else {
        return Err(Fail::expected(cursor, "`{`"));
    };
    Ok((whole(inside, level)?, span.close().into(), rest))
}

fn word<'c>(cursor: Cursor<'c>, expected: &str) -> Option<(Ident, Cursor<'c>)> {
    cursor.ident().filter(|(word, _)| word == expected)
}

fn literal(literal: Literal) -> Result<Tree> {
    let value = match literal.value {
        Value::Int {
            negative,
            magnitude,
        } => {
            let magnitude = i128::from(magnitude);
            calls::Value::Int(if negative { -magnitude } else { magnitude })
        }
        Value::Float(text) => calls::Value::Float(text),
    };
    let suffix = literal.suffix.map(|ty| ty.elem);
    let kind = SyntaxKind::Literal(calls::Literal { value, suffix });
    Tree::new(kind, literal.region, 0)
}
