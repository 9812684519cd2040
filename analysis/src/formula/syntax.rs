//! What was written, before any meaning.

use super::{Operator, Unary};
use crate::calls::Literal;
use crate::model::{Elem, Site};

/// An expression, at most [`MAX_DEPTH`](Self::MAX_DEPTH) deep, so that it may be walked by recursion.
/// `P` is what a place is to whoever holds it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Syntax<P = Site> {
    /// What it is.
    pub kind: SyntaxKind<P>,
    /// All of it, without parentheses around it.
    pub site: P,
}

/// See [`Syntax`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SyntaxKind<P = Site> {
    /// `2.5f32`, `-3i8`.
    Literal(Literal),
    /// `x`.
    Name(String),
    /// `-x`; the sign stands at the site.
    Unary(Unary, P, Box<Syntax<P>>),
    /// `x + y`; the operator stands at the site.
    Binary(Box<Syntax<P>>, Operator, P, Box<Syntax<P>>),
    /// `if c { a } else { b }`.
    If(Box<[Syntax<P>; 3]>),
    /// `x as u8`.
    Cast(Box<Syntax<P>>, Elem),
    /// `x.min(y)`; the name stands at the site.
    Method(Box<Syntax<P>>, String, P, Vec<Syntax<P>>),
    /// `sum(x)`; the name stands at the site.
    Call(String, P, Vec<Syntax<P>>),
}

impl<P> Syntax<P> {
    /// Most levels of a tree; deeper ones are refused as they are read.
    pub const MAX_DEPTH: usize = 100;

    /// What it is made of, if that is more than one word.
    pub(super) fn inside(&self) -> Vec<&Self> {
        match &self.kind {
            SyntaxKind::Literal(_) | SyntaxKind::Name(_) => Vec::new(),
            SyntaxKind::Unary(_, _, of) | SyntaxKind::Cast(of, _) => vec![of],
            SyntaxKind::Binary(left, _, _, right) => vec![left, right],
            SyntaxKind::If(parts) => parts.iter().collect(),
            SyntaxKind::Method(of, _, _, args) => std::iter::once(&**of).chain(args).collect(),
            SyntaxKind::Call(_, _, args) => args.iter().collect(),
        }
    }

    /// The same expression with other places.
    pub fn map<Q>(self, place: &mut dyn FnMut(P) -> Q) -> Syntax<Q> {
        let site = place(self.site);
        let kind = match self.kind {
            SyntaxKind::Literal(literal) => SyntaxKind::Literal(literal),
            SyntaxKind::Name(name) => SyntaxKind::Name(name),
            SyntaxKind::Unary(unary, at, of) => {
                SyntaxKind::Unary(unary, place(at), Box::new(of.map(place)))
            }
            SyntaxKind::Binary(left, operator, at, right) => {
                let left = Box::new(left.map(place));
                SyntaxKind::Binary(left, operator, place(at), Box::new(right.map(place)))
            }
            SyntaxKind::If(parts) => SyntaxKind::If(Box::new(parts.map(|part| part.map(place)))),
            SyntaxKind::Cast(of, elem) => SyntaxKind::Cast(Box::new(of.map(place)), elem),
            SyntaxKind::Method(of, name, at, args) => {
                let of = Box::new(of.map(place));
                let args = args.into_iter().map(|arg| arg.map(place)).collect();
                SyntaxKind::Method(of, name, place(at), args)
            }
            SyntaxKind::Call(name, at, args) => {
                let args = args.into_iter().map(|arg| arg.map(place)).collect();
                SyntaxKind::Call(name, place(at), args)
            }
        };
        Syntax { kind, site }
    }
}
