//! Operators, and what they apply to.

use super::Ty;
use super::types::{is_float, is_signed};

/// An operator in front of its operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unary {
    /// `-`: wraps at the smallest integer, flips the sign of a float.
    Neg,
    /// `!`: every bit of an integer, or a condition.
    Not,
}

impl Unary {
    /// As it is written.
    pub fn sign(self) -> &'static str {
        match self {
            Unary::Neg => "-",
            Unary::Not => "!",
        }
    }

    /// It applies to `ty`.
    pub fn takes(self, ty: Ty) -> bool {
        match (self, ty) {
            (Unary::Neg, Ty::Elem(elem)) => is_signed(elem),
            (Unary::Not, Ty::Elem(elem)) => !is_float(elem),
            (Unary::Neg, Ty::Bool) => false,
            (Unary::Not, Ty::Bool) => true,
        }
    }
}

/// An operator between two operands of one type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(
    missing_docs,
    reason = "each variant is the Rust operator of that trait"
)]
pub enum Operator {
    /// Wraps on integers.
    Add,
    /// Wraps on integers.
    Sub,
    /// Wraps on integers.
    Mul,
    /// Integers: `x / 0` is 0, and the smallest integer by `-1` is itself.
    Div,
    /// Integers: `x % 0` is `x`, and the smallest integer by `-1` is 0. Floats: what is left of a
    /// division towards zero, exact.
    Rem,
    BitAnd,
    BitOr,
    BitXor,
    /// By the low bits of the amount: 3 of them for 8 bits, 6 for 64.
    Shl,
    /// The same; a signed integer keeps its sign.
    Shr,
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
    /// `&&`.
    And,
    /// `||`.
    Or,
}

/// Every operator with its sign, the longer ones first.
const SIGNS: [(&str, Operator); 18] = [
    ("<<", Operator::Shl),
    (">>", Operator::Shr),
    ("==", Operator::Eq),
    ("!=", Operator::Ne),
    ("<=", Operator::Le),
    (">=", Operator::Ge),
    ("&&", Operator::And),
    ("||", Operator::Or),
    ("+", Operator::Add),
    ("-", Operator::Sub),
    ("*", Operator::Mul),
    ("/", Operator::Div),
    ("%", Operator::Rem),
    ("&", Operator::BitAnd),
    ("|", Operator::BitOr),
    ("^", Operator::BitXor),
    ("<", Operator::Lt),
    (">", Operator::Gt),
];

impl Operator {
    /// The operator that is written so.
    pub fn of(sign: &str) -> Option<Self> {
        let found = SIGNS.iter().find(|(known, _)| *known == sign);
        found.map(|(_, operator)| *operator)
    }

    /// As it is written.
    pub fn sign(self) -> &'static str {
        let found = SIGNS.iter().find(|(_, known)| *known == self);
        found.map_or("", |(sign, _)| sign)
    }

    /// How tight it binds, as in Rust: 1 for `||` up to 9 for `*`.
    pub fn strength(self) -> u8 {
        match self {
            Operator::Or => 1,
            Operator::And => 2,
            _ if self.compares() => 3,
            Operator::BitOr => 4,
            Operator::BitXor => 5,
            Operator::BitAnd => 6,
            Operator::Shl | Operator::Shr => 7,
            Operator::Add | Operator::Sub => 8,
            _ => 9,
        }
    }

    /// It gives a condition of two numbers.
    pub fn compares(self) -> bool {
        matches!(
            self,
            Operator::Eq | Operator::Ne | Operator::Lt | Operator::Le | Operator::Gt | Operator::Ge
        )
    }

    /// What it gives of two operands of type `ty`; `None` where it does not apply to them.
    pub fn gives(self, ty: Ty) -> Option<Ty> {
        match (self, ty) {
            (Operator::And | Operator::Or, Ty::Bool) => Some(Ty::Bool),
            (Operator::And | Operator::Or, Ty::Elem(_)) | (_, Ty::Bool) => None,
            (
                Operator::BitAnd
                | Operator::BitOr
                | Operator::BitXor
                | Operator::Shl
                | Operator::Shr,
                Ty::Elem(elem),
            ) => (!is_float(elem)).then_some(ty),
            _ if self.compares() => Some(Ty::Bool),
            _ => Some(ty),
        }
    }
}
