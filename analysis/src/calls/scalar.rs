//! Scalar arguments: literals, scalars of the graph, extents.

use super::{Arg, ArgKind, Literal, ScalarArg, Value};
use crate::expr::Expr;
use crate::fault::calls::{Declared, argument_kind};
use crate::fault::narrow::narrowed;
use crate::fault::scalars::{scalar_type, underflow, value_range};
use crate::fault::{Edit, Fault, Fix, Part, raw};
use crate::half::Half;
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
            ArgKind::Scalar {
                name,
                elem,
                declared,
                ..
            } => {
                let words = format!("declare `scalar {}: {{}};`", raw(name));
                let edit = Edit::replace(*declared, self.elem.name()).of(Part::TypeBehind);
                let mend = Some(Fix::new(&words, [edit]));
                self.mistyped(arg.site, name, &format!("`{elem}`"), mend)
            }
            ArgKind::Extent(value) => self.extent(arg.site, value),
            ArgKind::Ref { place, .. } => self.resource(arg.site, place.resource.0),
            ArgKind::Bare(id) => self.resource(arg.site, id.0),
        }
    }

    fn mistyped(&self, site: Site, text: &str, found: &str, mend: Option<Fix>) -> Answer {
        let fault = scalar_type(site, self.declared, self.elem, text, found);
        Err(Box::new(match mend {
            Some(mend) => fault.with(mend),
            None => fault.help(format!(
                "declare a `scalar` of type `{}`, and pass that",
                self.elem
            )),
        }))
    }

    fn unfit(
        &self,
        site: Site,
        text: &str,
        range: Option<(i128, i128)>,
        mend: Option<Fix>,
    ) -> Answer {
        let fault = value_range(site, self.declared, self.elem, text, range, mend);
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
            let mend = self.fitting(&literal.value).map(|text| write(site, text));
            return self.mistyped(site, &text, &format!("`{suffix}`"), mend);
        }
        match (&literal.value, self.elem.int_range()) {
            (Value::Int(value), Some((min, max))) if (min..=max).contains(value) => {
                Ok(ScalarArg::Const(int_bits(*value, self.elem)))
            }
            (value @ Value::Int(_), Some(_)) => {
                let mend = self.fitting(value).map(|text| write(site, text));
                self.unfit(site, &text, None, mend)
            }
            // `1f32` is a float, `1` is not.
            (Value::Int(value), None) if literal.suffix.is_some() => {
                self.float(site, &value.to_string(), &text)
            }
            (value @ Value::Int(_), None) => {
                let mend = self.fitting(value).map(|text| write(site, text));
                self.mistyped(site, &text, "an integer", mend)
            }
            (value @ Value::Float(_), Some(_)) => {
                let mend = self.fitting(value).map(|text| write(site, text));
                self.mistyped(site, &text, "a float", mend)
            }
            (Value::Float(value), None) => self.float(site, value, &text),
        }
    }

    /// The value, or the nearest one, as a literal of the parameter's type.
    fn fitting(&self, value: &Value) -> Option<String> {
        Some(match (value, self.elem.int_range()) {
            (Value::Int(value), Some((min, max))) => (*value).clamp(min, max).to_string(),
            (Value::Int(value), None) => format!("{value}.0"),
            (Value::Float(value), Some((min, max))) => {
                let near: f64 = value.parse().ok()?;
                (near.trunc() as i128).clamp(min, max).to_string()
            }
            // Another width: whether it fits is seen when it is written.
            (Value::Float(value), None) if value.contains(['.', 'e', 'E']) => value.clone(),
            (Value::Float(value), None) => format!("{value}.0"),
        })
    }

    fn float(&self, site: Site, value: &str, text: &str) -> Answer {
        // Each rounds once, from the text; the largest one in digits that read back as itself.
        let (bits, rounded, largest) = match (self.elem, Half::of(self.elem)) {
            (_, Some(half)) => {
                let bits = half.of_decimal(value);
                let v = half.widen(bits);
                (bits.into(), v.into(), format!("{:e}", half.largest()))
            }
            (Elem::F32, None) => {
                let v: f32 = value.parse().unwrap_or(f32::NAN);
                (v.to_bits().into(), v.into(), format!("{:e}", f32::MAX))
            }
            _ => {
                let v: f64 = value.parse().unwrap_or(f64::NAN);
                (v.to_bits(), v, format!("{:e}", f64::MAX))
            }
        };
        if !rounded.is_finite() {
            let sign = if value.starts_with('-') { "-" } else { "" };
            return self.unfit(
                site,
                text,
                None,
                Some(write(site, format!("{sign}{largest}"))),
            );
        }
        let digits = value.split(['e', 'E']).next().unwrap_or_default();
        if rounded == 0.0 && digits.contains(|c: char| matches!(c, '1'..='9')) {
            let zero = if value.starts_with('-') {
                "-0.0"
            } else {
                "0.0"
            };
            let fault = underflow(site, self.declared, self.elem, text, zero);
            return Err(Box::new(fault));
        }
        Ok(ScalarArg::Const(bits))
    }

    fn extent(&self, site: Site, value: &Expr) -> Answer {
        let text = value.display(self.dims).to_string();
        let Some((least, most)) = self.elem.int_range() else {
            return self.mistyped(site, &text, "an integer", None);
        };
        if let Some(value) = value.as_constant().map(i128::from) {
            return if (least..=most).contains(&value) {
                Ok(ScalarArg::Const(int_bits(value, self.elem)))
            } else {
                let mend = write(site, value.clamp(least, most).to_string());
                self.unfit(site, &text, None, Some(mend))
            };
        }
        // The tables hold extents, and those are natural numbers.
        let (min, max) = value.range_over(self.dims);
        let fits = |(min, max): (i128, i128)| min >= 0 && max <= most;
        if !fits((min, max)) {
            let mend = narrowed(&[value], self.dims, |d| fits(value.range_over(d)));
            return self.unfit(site, &text, Some((min, max)), mend);
        }
        Ok(ScalarArg::Extent(value.clone()))
    }
}

fn write(site: Site, text: String) -> Fix {
    Fix::new("write `{}`", [Edit::replace(site, text)])
}

/// The low bits of a value in range, zero-extended from the size of `elem`.
fn int_bits(value: i128, elem: Elem) -> u64 {
    let bits = value as u64;
    match elem.size() {
        8 => bits,
        size => bits & ((1 << (8 * size)) - 1),
    }
}
