//! Expressions as one would write them.

use std::fmt;

use super::{Syntax, SyntaxKind};
use crate::fault::raw;

/// Strength of `as`, which binds tighter than every operator between two operands.
const CAST: u8 = 10;
const PREFIX: u8 = 11;
const POSTFIX: u8 = 12;

impl<P> Syntax<P> {
    /// As an operand of something that binds with `least`: in parentheses where it binds less.
    fn at(&self, least: u8) -> String {
        if self.strength() < least {
            format!("({self})")
        } else {
            self.to_string()
        }
    }

    /// As the operand of `as`.
    pub(super) fn before_cast(&self) -> String {
        self.at(CAST)
    }

    /// As the receiver of a method.
    pub(super) fn before_method(&self) -> String {
        self.at(POSTFIX)
    }

    /// As an operand of a product.
    pub(super) fn as_factor(&self) -> String {
        self.at(CAST)
    }

    fn strength(&self) -> u8 {
        match &self.kind {
            SyntaxKind::If(_) => 0,
            SyntaxKind::Binary(_, operator, ..) => operator.strength(),
            SyntaxKind::Cast(..) => CAST,
            SyntaxKind::Unary(..) => PREFIX,
            // A sign binds less than a method.
            SyntaxKind::Literal(literal) if literal.to_string().starts_with('-') => PREFIX,
            _ => POSTFIX,
        }
    }
}

impl<P> fmt::Display for Syntax<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let list = |args: &[Syntax<P>]| {
            let args: Vec<_> = args.iter().map(ToString::to_string).collect();
            args.join(", ")
        };
        match &self.kind {
            SyntaxKind::Literal(literal) => literal.fmt(f),
            SyntaxKind::Name(name) => f.write_str(&raw(name)),
            SyntaxKind::Unary(unary, _, of) => write!(f, "{}{}", unary.sign(), of.at(PREFIX)),
            SyntaxKind::Binary(left, operator, _, right) => {
                let strength = operator.strength();
                let least = strength + u8::from(operator.compares());
                let (left, right) = (left.at(least), right.at(strength + 1));
                write!(f, "{left} {} {right}", operator.sign())
            }
            SyntaxKind::If(parts) => {
                let [condition, yes, no] = &**parts;
                write!(f, "if {condition} {{ {yes} }} else {{ {no} }}")
            }
            SyntaxKind::Cast(of, elem) => write!(f, "{} as {elem}", of.at(CAST)),
            SyntaxKind::Method(of, name, _, args) => {
                write!(f, "{}.{name}({})", of.at(POSTFIX), list(args))
            }
            SyntaxKind::Call(name, _, args) => write!(f, "{name}({})", list(args)),
        }
    }
}
