//! What an expression kernel is once it has a meaning.

use super::{Axis, Function, Operator, Reduction, Ty, Unary};
use crate::model::Elem;

/// An expression kernel that is in order. Only parameters, casts and the value are of the types
/// `f16` and `bf16`: what is computed with is an `f32`.
#[derive(Clone, Debug, PartialEq)]
pub struct Formula {
    /// What it writes.
    pub target: Target,
    /// Axes of each parameter, slowest first; `None` for a scalar.
    pub operands: Vec<Option<Vec<Axis>>>,
    /// Its reductions, each over what stands before it.
    pub reductions: Vec<Reduction>,
    /// The value of one element.
    pub value: Node,
    /// The parameter that can become the result: one that is read like the target is written.
    pub in_place: Option<usize>,
}

/// What an expression kernel writes.
#[derive(Clone, Debug, PartialEq)]
pub struct Target {
    /// The parameter that is `&mut`; `None` for a result.
    pub param: Option<usize>,
    /// Type of its elements.
    pub elem: Elem,
    /// Its axes, slowest first.
    pub axes: Vec<Axis>,
}

impl Target {
    /// Its dims, slowest first, without axes of extent 1.
    pub fn dims(&self) -> Vec<usize> {
        self.axes.iter().filter_map(|axis| axis.dim()).collect()
    }
}

/// A typed expression.
#[derive(Clone, Debug, PartialEq)]
pub struct Node {
    /// What it is.
    pub kind: NodeKind,
    /// Its type.
    pub ty: Ty,
}

/// See [`Node`].
#[derive(Clone, Debug, PartialEq)]
pub enum NodeKind {
    /// The bits of a number, zero-extended to 64.
    Literal(u64),
    /// A scalar parameter, or the element of a tensor at the index at hand.
    Param(usize),
    /// The value of a reduction, by its index.
    Reduced(usize),
    /// An operator in front.
    Unary(Unary, Box<Node>),
    /// An operator between two of one type.
    Binary(Box<Node>, Operator, Box<Node>),
    /// Condition, value where it holds, value where it does not.
    If(Box<[Node; 3]>),
    /// A number in another type, as Rust's `as` gives it; to a half, rounded once from what it is.
    Cast(Box<Node>),
    /// A method, its receiver first.
    Method(Function, Vec<Node>),
}

impl Node {
    /// Calls `see` with every part, the inner ones first.
    pub fn walk(&self, see: &mut dyn FnMut(&Node)) {
        match &self.kind {
            NodeKind::Literal(_) | NodeKind::Param(_) | NodeKind::Reduced(_) => {}
            NodeKind::Unary(_, of) | NodeKind::Cast(of) => of.walk(see),
            NodeKind::Binary(left, _, right) => {
                left.walk(see);
                right.walk(see);
            }
            NodeKind::If(parts) => parts.iter().for_each(|part| part.walk(see)),
            NodeKind::Method(_, parts) => parts.iter().for_each(|part| part.walk(see)),
        }
        see(self);
    }

    /// Its type, which a check has found to be a number's.
    pub fn elem(&self) -> Elem {
        match self.ty {
            Ty::Elem(elem) => elem,
            Ty::Bool => Elem::U8,
        }
    }
}
