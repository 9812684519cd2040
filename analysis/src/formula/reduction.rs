//! Reductions, and the order that is part of their meaning.

use super::{Function, Node, Operator};

/// Accumulators of a reduction, as many as a warp has threads.
///
/// Over the reduced dims, in the order in which the signature first names them, lane `l` takes the
/// elements whose index in the last of these dims is `l` modulo 32, in ascending order of all
/// indices. Each lane begins with the neutral element. Then lanes `l` and `l + 16` become lane `l`,
/// then `l` and `l + 8`, down to one.
pub const LANES: usize = 32;

/// What is done with the elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Reduce {
    /// Adds them: integers wrap; from 0.
    Sum,
    /// Multiplies them; from 1.
    Product,
    /// The smallest one, as [`Function::Min`]; from the largest value of the type, or infinity.
    Min,
    /// The largest one.
    Max,
}

/// How two values become one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// By an operator.
    Operator(Operator),
    /// By a method.
    Function(Function),
}

const NAMES: [(&str, Reduce); 4] = [
    ("sum", Reduce::Sum),
    ("product", Reduce::Product),
    ("min", Reduce::Min),
    ("max", Reduce::Max),
];

impl Reduce {
    /// The reduction of that name.
    pub fn of(name: &str) -> Option<Self> {
        let found = NAMES.iter().find(|(known, _)| *known == name);
        found.map(|(_, reduce)| *reduce)
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        let found = NAMES.iter().find(|(_, known)| *known == self);
        found.map_or("", |(name, _)| name)
    }

    /// Every name, in order.
    pub fn names() -> impl Iterator<Item = &'static str> {
        NAMES.iter().map(|(name, _)| *name)
    }

    /// How an accumulator takes an element.
    pub fn step(self) -> Step {
        match self {
            Reduce::Sum => Step::Operator(Operator::Add),
            Reduce::Product => Step::Operator(Operator::Mul),
            Reduce::Min => Step::Function(Function::Min),
            Reduce::Max => Step::Function(Function::Max),
        }
    }
}

/// One reduction of a formula.
#[derive(Clone, Debug, PartialEq)]
pub struct Reduction {
    /// What is done.
    pub reduce: Reduce,
    /// Over the elements of this.
    pub of: Node,
    /// The dims that it runs over, in the order of the signature; at least one.
    pub over: Vec<usize>,
    /// The dims of the target that it depends on, in the order of the signature.
    pub given: Vec<usize>,
}
