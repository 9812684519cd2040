//! Halves are kept in 16 bits and computed as `f32`.
//!
//! What was written has their types everywhere, for only those are checked. What it means has them
//! where a number is read and where it is rounded, each a cast of its own, and `f32` in between.

use super::{Node, NodeKind, Ty, Value};
use crate::half::Half;
use crate::model::Elem;

/// The number that `node` is while it is computed with.
pub(super) fn carried(node: Node) -> Node {
    let half = match node.ty {
        Ty::Elem(elem) if Half::of(elem).is_some() => Some(elem),
        _ => None,
    };
    let ty = half.map_or(node.ty, |_| Ty::Elem(Elem::F32));
    let boxed = |node: Box<Node>| Box::new(carried(*node));
    let kind = match (node.kind, half) {
        (NodeKind::Param(index), Some(_)) => {
            let kind = NodeKind::Param(index);
            return widened(Node { kind, ..node });
        }
        (NodeKind::Literal(bits), Some(elem)) => {
            let wide = Value::from_bits(bits, elem).cast(Elem::F32);
            NodeKind::Literal(wide.map_or(0, Value::to_bits))
        }
        (NodeKind::Cast(of), half) => {
            let of = carried(*of);
            return match half {
                Some(elem) => widened(kept(of, elem)),
                None if of.ty == ty => of,
                None => Node {
                    kind: NodeKind::Cast(Box::new(of)),
                    ty,
                },
            };
        }
        (NodeKind::Unary(unary, of), _) => NodeKind::Unary(unary, boxed(of)),
        (NodeKind::Binary(left, operator, right), _) => {
            NodeKind::Binary(boxed(left), operator, boxed(right))
        }
        (NodeKind::If(parts), _) => NodeKind::If(Box::new(parts.map(carried))),
        (NodeKind::Method(function, parts), _) => {
            NodeKind::Method(function, parts.into_iter().map(carried).collect())
        }
        (kind @ (NodeKind::Literal(_) | NodeKind::Param(_) | NodeKind::Reduced(_)), _) => kind,
    };
    Node { kind, ty }
}

/// What is kept of a number that was computed, in an element of type `elem`.
pub(super) fn kept(node: Node, elem: Elem) -> Node {
    let ty = Ty::Elem(elem);
    match node.kind {
        _ if node.ty == ty => node,
        // It has been one already, and not changed since.
        NodeKind::Cast(of) if of.ty == ty => *of,
        kind => Node {
            kind: NodeKind::Cast(Box::new(Node { kind, ..node })),
            ty,
        },
    }
}

fn widened(half: Node) -> Node {
    Node {
        kind: NodeKind::Cast(Box::new(half)),
        ty: Ty::Elem(Elem::F32),
    }
}
