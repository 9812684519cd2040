//! Extents and bounds, by precedence climbing.

use proc_macro2::Delimiter;
use syn::buffer::Cursor;
use syn::parse::ParseStream;

use super::fail::{Fail, Result};
use super::literal::int_at;
use super::stream::{no_name, with_cursor};
use super::words::is_keyword;
use crate::ast::{Binary, Extent, ExtentKind};
use crate::span::Region;

/// What an extent is called where nothing better is known.
pub const WHAT: &str = "an extent";

/// An extent.
pub fn extent(input: ParseStream) -> Result<Extent> {
    extent_as(input, WHAT)
}

/// An extent that is asked for as `what` where none stands.
pub fn extent_as(input: ParseStream, what: &str) -> Result<Extent> {
    with_cursor(input, |cursor| extent_at(cursor, what))
}

/// The same, with a cursor.
pub fn extent_at<'c>(cursor: Cursor<'c>, what: &str) -> Result<(Extent, Cursor<'c>)> {
    let (tree, rest) = sum(cursor, 0, 0, what)?;
    Ok((tree.extent, rest))
}

/// An extent, and how deep it is.
struct Tree {
    extent: Extent,
    /// With the parentheses around it.
    region: Region,
    depth: usize,
}

/// Operators that bind at least as tight as `least`, with operands `level` groups and signs deep.
fn sum<'c>(cursor: Cursor<'c>, least: u8, level: usize, what: &str) -> Result<(Tree, Cursor<'c>)> {
    let (mut left, mut cursor) = operand(cursor, level, what)?;
    while let Some((operator, strength, rest)) = operator(cursor)
        && strength >= least
    {
        let ends = rest.punct().is_some_and(|(p, _)| p.as_char() != '-');
        if ends || rest.eof() {
            let sign = cursor.span();
            return Err(Fail::new(sign, format!("expected {WHAT} behind this")));
        }
        let (right, rest) = sum(rest, strength + 1, level, WHAT)?;
        let region = left.region.to(right.region);
        left = Tree {
            depth: left.depth.max(right.depth) + 1,
            region,
            extent: Extent {
                region,
                kind: ExtentKind::Binary(Box::new(left.extent), operator, Box::new(right.extent)),
            },
        };
        check(left.depth, region)?;
        cursor = rest;
    }
    Ok((left, cursor))
}

fn operator(cursor: Cursor) -> Option<(Binary, u8, Cursor)> {
    let (punct, rest) = cursor.punct()?;
    let (operator, strength) = match punct.as_char() {
        '+' => (Binary::Add, 0),
        '-' => (Binary::Sub, 0),
        '*' => (Binary::Mul, 1),
        '/' => (Binary::Div, 1),
        _ => return None,
    };
    Some((operator, strength, rest))
}

fn operand<'c>(cursor: Cursor<'c>, level: usize, what: &str) -> Result<(Tree, Cursor<'c>)> {
    check(level, cursor.span())?;
    // A fragment of a `macro_rules!` is a group without delimiters; it binds as if it had some.
    for delimiter in [Delimiter::None, Delimiter::Parenthesis] {
        if let Some((inside, span, rest)) = cursor.group(delimiter) {
            let (mut tree, end) = sum(inside, 0, level + 1, what)?;
            if end.eof() {
                if delimiter == Delimiter::Parenthesis {
                    tree.region = Region::from(span.open()).to(span.close());
                }
                return Ok((tree, rest));
            }
            // Such a fragment may hold more than an extent, as `a..b` does.
            if delimiter == Delimiter::Parenthesis {
                return Err(Fail::unexpected(end));
            }
        }
    }
    if let Some((punct, rest)) = cursor.punct()
        && punct.as_char() == '-'
    {
        let (inner, rest) = operand(rest, level + 1, WHAT)?;
        let region = Region::from(punct.span()).to(inner.region);
        let tree = Tree {
            depth: inner.depth + 1,
            region,
            extent: Extent {
                region,
                kind: ExtentKind::Neg(Box::new(inner.extent)),
            },
        };
        check(tree.depth, region)?;
        return Ok((tree, rest));
    }
    if let Some((name, rest)) = cursor.ident() {
        let text = name.to_string();
        if text == "true" || text == "false" {
            return Err(Fail::not_yet(&name, text));
        }
        if is_keyword(&text) {
            return Err(no_name(cursor, what));
        }
        let region = Region::from(&name);
        return Ok((leaf(ExtentKind::Name(name), region), rest));
    }
    let (int, rest) = int_at(cursor, what)?;
    Ok((leaf(ExtentKind::Int(int), int.span.into()), rest))
}

fn leaf(kind: ExtentKind, region: Region) -> Tree {
    Tree {
        extent: Extent { kind, region },
        region,
        depth: 0,
    }
}

fn check(depth: usize, region: impl Into<Region>) -> Result<()> {
    if depth < Extent::MAX_DEPTH {
        return Ok(());
    }
    Err(Fail::new(region, "this extent is too long").note(format!(
        "an extent is at most {} operators deep",
        Extent::MAX_DEPTH
    )))
}
