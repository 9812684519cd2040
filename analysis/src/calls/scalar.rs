//! Scalar arguments: literals, scalars of the graph, extents.

use super::{Arg, ArgKind, Literal, ScalarArg, Value};
use crate::expr::Expr;
use crate::fault::Fault;
use crate::fault::calls::{Declared, argument_kind, scalar_type, value_range};
use crate::model::{Dim, Elem, Resource, Site};

/// A scalar parameter and what stands for it.
pub(super) struct Slot<'a> {
    pub(super) elem: Elem,
    pub(super) declared: Declared<'a>,
    pub(super) resources: &'a [Resource],
    pub(super) dims: &'a [Dim],
}

/// A value, or what is wrong with it.
type Answer = Result<ScalarArg, Box<Fault>>;

impl Slot<'_> {
    /// The value of `arg` at this parameter.
    pub(super) fn bind(&self, arg: &Arg) -> Answer {
        match &arg.kind {
            ArgKind::Literal(value) => self.literal(arg.site, value),
            ArgKind::Scalar { index, elem, .. } if *elem == self.elem => {
                Ok(ScalarArg::Param(*index))
            }
            ArgKind::Scalar { name, elem, .. } => {
                let mend = format!("declare `scalar {name}: {};`", self.elem);
                self.mistyped(arg.site, name, &format!("`{elem}`"), &mend)
            }
            ArgKind::Extent(value) => self.extent(arg.site, value),
            ArgKind::Ref { place, .. } => self.resource(arg.site, place.resource.0),
            ArgKind::Bare(id) => self.resource(arg.site, id.0),
        }
    }

    fn mistyped(&self, site: Site, text: &str, found: &str, mend: &str) -> Answer {
        let fault = scalar_type(site, self.declared, self.elem, text, found);
        Err(Box::new(fault.help(mend)))
    }

    fn unfit(&self, site: Site, text: &str, range: Option<(i128, i128)>) -> Answer {
        let fault = value_range(site, self.declared, self.elem, text, range);
        Err(Box::new(fault))
    }

    fn resource(&self, site: Site, id: u32) -> Answer {
        let name = self
            .resources
            .get(id as usize)
            .map_or("", |r| r.name.as_str());
        let wanted = format!("a scalar of type `{}`", self.elem);
        let found = format!("the resource `{name}`");
        Err(Box::new(argument_kind(
            site,
            self.declared,
            &wanted,
            &found,
            None,
        )))
    }

    fn literal(&self, site: Site, literal: &Literal) -> Answer {
        let text = literal.to_string();
        if let Some(suffix) = literal.suffix
            && suffix != self.elem
        {
            let bare = Literal {
                suffix: None,
                ..literal.clone()
            };
            let mend = format!("write `{bare}{}`", self.elem);
            return self.mistyped(site, &text, &format!("`{suffix}`"), &mend);
        }
        match (&literal.value, self.elem.int_range()) {
            (Value::Int(value), Some((min, max))) if (min..=max).contains(value) => {
                Ok(ScalarArg::Const(int_bits(*value, self.elem)))
            }
            (Value::Int(_), Some(_)) => self.unfit(site, &text, None),
            // `1f32` is a float, `1` is not.
            (Value::Int(value), None) if literal.suffix.is_some() => {
                self.float(site, &value.to_string(), &text)
            }
            (Value::Int(value), None) => {
                self.mistyped(site, &text, "an integer", &format!("write `{value}.0`"))
            }
            (Value::Float(_), Some(_)) => self.mistyped(site, &text, "a float", "write an integer"),
            (Value::Float(value), None) => self.float(site, value, &text),
        }
    }

    fn float(&self, site: Site, value: &str, text: &str) -> Answer {
        let bits = match self.elem {
            Elem::F32 => {
                let value = value.parse().ok().filter(|v: &f32| v.is_finite());
                value.map(|v| v.to_bits().into())
            }
            _ => value
                .parse()
                .ok()
                .filter(|v: &f64| v.is_finite())
                .map(f64::to_bits),
        };
        bits.map_or_else(
            || self.unfit(site, text, None),
            |bits| Ok(ScalarArg::Const(bits)),
        )
    }

    fn extent(&self, site: Site, value: &Expr) -> Answer {
        let text = value.display(self.dims).to_string();
        let Some((least, most)) = self.elem.int_range() else {
            return self.mistyped(site, &text, "an integer", "pass a scalar");
        };
        if let Some(value) = value.as_constant().map(i128::from) {
            return if (least..=most).contains(&value) {
                Ok(ScalarArg::Const(int_bits(value, self.elem)))
            } else {
                self.unfit(site, &text, None)
            };
        }
        // The tables hold extents, and those are natural numbers.
        let (min, max) = value.range_over(self.dims);
        if min < 0 || max > most {
            return self.unfit(site, &text, Some((min, max)));
        }
        Ok(ScalarArg::Extent(value.clone()))
    }
}

/// The low bits of a value in range, zero-extended from the size of `elem`.
fn int_bits(value: i128, elem: Elem) -> u64 {
    let bits = value as u64;
    match elem.size() {
        8 => bits,
        size => bits & ((1 << (8 * size)) - 1),
    }
}
