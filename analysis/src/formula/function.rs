//! Methods, and how exact they are.

use super::types::{is_float, is_signed};
use crate::model::Elem;

/// A method of a number; its arguments have the receiver's type, and so has what it gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "each variant is the Rust method of that name")]
pub enum Function {
    /// Wraps at the smallest integer.
    Abs,
    /// Rounds once.
    Sqrt,
    Floor,
    Ceil,
    Trunc,
    /// Halves away from zero.
    Round,
    /// The smaller one. A NaN gives way to the other operand; of two equal ones it is the second.
    Min,
    /// The larger one, in the same way.
    Max,
    /// `a * b + c`, rounded once.
    MulAdd,
    Exp,
    Exp2,
    Ln,
    Log2,
    Log10,
    Sin,
    Cos,
    Tan,
    Sinh,
    Cosh,
    Tanh,
    Asin,
    Acos,
    Atan,
    Atan2,
    Powf,
}

const NAMES: [(&str, Function); 25] = [
    ("abs", Function::Abs),
    ("sqrt", Function::Sqrt),
    ("floor", Function::Floor),
    ("ceil", Function::Ceil),
    ("trunc", Function::Trunc),
    ("round", Function::Round),
    ("min", Function::Min),
    ("max", Function::Max),
    ("mul_add", Function::MulAdd),
    ("exp", Function::Exp),
    ("exp2", Function::Exp2),
    ("ln", Function::Ln),
    ("log2", Function::Log2),
    ("log10", Function::Log10),
    ("sin", Function::Sin),
    ("cos", Function::Cos),
    ("tan", Function::Tan),
    ("sinh", Function::Sinh),
    ("cosh", Function::Cosh),
    ("tanh", Function::Tanh),
    ("asin", Function::Asin),
    ("acos", Function::Acos),
    ("atan", Function::Atan),
    ("atan2", Function::Atan2),
    ("powf", Function::Powf),
];

impl Function {
    /// The method of that name.
    pub fn of(name: &str) -> Option<Self> {
        let found = NAMES.iter().find(|(known, _)| *known == name);
        found.map(|(_, function)| *function)
    }

    /// Its name in Rust.
    pub fn name(self) -> &'static str {
        let found = NAMES.iter().find(|(_, known)| *known == self);
        found.map_or("", |(name, _)| name)
    }

    /// Every name, in order.
    pub fn names() -> impl Iterator<Item = &'static str> {
        NAMES.iter().map(|(name, _)| *name)
    }

    /// Arguments behind the receiver.
    pub fn arguments(self) -> usize {
        match self {
            Function::MulAdd => 2,
            Function::Min | Function::Max | Function::Atan2 | Function::Powf => 1,
            _ => 0,
        }
    }

    /// `elem` has it.
    pub fn takes(self, elem: Elem) -> bool {
        match self {
            Function::Min | Function::Max => true,
            Function::Abs => is_signed(elem),
            _ => is_float(elem),
        }
    }

    /// How far what it gives may lie from the exact value, on either side, in units of the last
    /// place; `None` where it is one number, the same on both sides. The bounds are those that CUDA
    /// documents, rounded up to one figure for both float types, which the systems' mathematics
    /// libraries keep too.
    pub fn tolerance(self) -> Option<u32> {
        match self {
            Function::Abs
            | Function::Sqrt
            | Function::Floor
            | Function::Ceil
            | Function::Trunc
            | Function::Round
            | Function::Min
            | Function::Max
            | Function::MulAdd => None,
            Function::Powf => Some(16),
            _ => Some(4),
        }
    }
}
