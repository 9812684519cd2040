//! Literals: each says its type.

use super::{Node, NodeKind, Ty, Value};
use crate::calls::{self, Literal};
use crate::fault::{Fault, formulas};
use crate::model::{Elem, Site};

/// The number that `literal` is. `hint` is the type that its place seems to want.
pub(super) fn node(literal: &Literal, site: Site, hint: Option<Elem>) -> Result<Node, Box<Fault>> {
    let text = literal.to_string();
    let Some(elem) = literal.suffix else {
        let mend = suffixed(literal, hint);
        return Err(Box::new(formulas::unsuffixed(site, &text, &mend)));
    };
    let value = match &literal.value {
        calls::Value::Int(value) => Value::from_int(*value, elem),
        calls::Value::Float(value) => Value::from_decimal(value, elem),
    };
    match value {
        Some(value) => Ok(Node {
            kind: NodeKind::Literal(value.to_bits()),
            ty: Ty::Elem(elem),
        }),
        None => {
            let nearest = match (&literal.value, elem.int_range()) {
                (calls::Value::Int(value), Some((min, max))) => Some(*value.clamp(&min, &max)),
                _ => None,
            };
            Err(Box::new(formulas::literal_range(
                site, &text, elem, nearest,
            )))
        }
    }
}

/// It with a suffix: the type that is wanted, if a literal that is written so can be of it.
pub(super) fn suffixed(literal: &Literal, wanted: Option<Elem>) -> String {
    match &literal.value {
        calls::Value::Int(value) => {
            let fits = |elem: &Elem| {
                elem.int_range()
                    .is_none_or(|(min, max)| (min..=max).contains(value))
            };
            let elem = wanted.filter(fits).unwrap_or(Elem::I32);
            format!("{value}{elem}")
        }
        calls::Value::Float(text) => {
            let float = |elem: &Elem| elem.int_range().is_none();
            let elem = wanted.filter(float).unwrap_or(Elem::F32);
            // `1.f32` would be a method.
            let zero = if text.ends_with('.') { "0" } else { "" };
            format!("{text}{zero}{elem}")
        }
    }
}
