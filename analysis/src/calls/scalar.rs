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
            ArgKind::Extent { value, text } => self.extent(arg.site, value, text),
            ArgKind::Ref { place, .. } => self.resource(arg.site, place.resource.0),
            ArgKind::Bare(id) => self.resource(arg.site, id.0),
        }
    }

    fn mistyped(&self, site: Site, text: &str, found: &str, mend: Option<Fix>) -> Answer {
        let fault = scalar_type(site, self.declared, self.elem, text, found);
        Err(Box::new(match mend {
            Some(mend) => fault.with(mend),
            None => fault.help(self.declare()),
        }))
    }

    fn declare(&self) -> String {
        format!("declare a `scalar` of type `{}`, and pass that", self.elem)
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
        let fault = argument_kind(site, self.declared, &wanted, &found, None);
        Err(Box::new(fault.help(self.declare())))
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
            // One that no float of this type is near is out of range, however it is written.
            (Value::Int(value), None) if !self.rounded(&value.to_string()).is_finite() => {
                self.float(site, &value.to_string(), &text)
            }
            (value @ Value::Int(_), None) => {
                let mend = self.fitting(value).map(|text| write(site, text));
                self.mistyped(site, &text, "an integer", mend)
            }
            (value @ Value::Float(shown), Some(_)) => {
                let whole = shown.parse().is_ok_and(|v: f64| v.trunc() == v);
                let words = match whole {
                    true => "write `{}`",
                    false => "write a whole number, such as `{}`",
                };
                let mend = self.fitting(value);
                let mend = mend.map(|text| Fix::new(words, [Edit::replace(site, text)]));
                self.mistyped(site, &text, "a float", mend)
            }
            (Value::Float(value), None) => self.float(site, value, &text),
        }
    }

    /// The value, or the nearest one, as a literal of the parameter's type.
    fn fitting(&self, value: &Value) -> Option<String> {
        let float = |text: &str| match self.rounded(text).is_finite() {
            true if text.contains(['.', 'e', 'E']) => text.to_owned(),
            true => format!("{text}.0"),
            false => self.largest(text),
        };
        Some(match (value, self.elem.int_range()) {
            (Value::Int(value), Some((min, max))) => (*value).clamp(min, max).to_string(),
            (Value::Int(value), None) => float(&value.to_string()),
            (Value::Float(value), Some((min, max))) => {
                let near: f64 = value.parse().ok()?;
                (near.trunc() as i128).clamp(min, max).to_string()
            }
            (Value::Float(value), None) => float(value),
        })
    }

    /// What `text` is in the parameter's type.
    fn rounded(&self, text: &str) -> f64 {
        match (self.elem, Half::of(self.elem)) {
            (_, Some(half)) => half.widen(half.of_decimal(text)).into(),
            (Elem::F32, None) => text.parse::<f32>().unwrap_or(f32::NAN).into(),
            _ => text.parse().unwrap_or(f64::NAN),
        }
    }

    /// The largest number of the sign of `text`, in digits that read back as itself.
    fn largest(&self, text: &str) -> String {
        let sign = if text.starts_with('-') { "-" } else { "" };
        match (self.elem, Half::of(self.elem)) {
            (_, Some(half)) => format!("{sign}{:e}", half.largest()),
            (Elem::F32, None) => format!("{sign}{:e}", f32::MAX),
            _ => format!("{sign}{:e}", f64::MAX),
        }
    }

    fn float(&self, site: Site, value: &str, text: &str) -> Answer {
        // Each rounds once, from the text.
        let rounded = self.rounded(value);
        let bits = match (self.elem, Half::of(self.elem)) {
            (_, Some(half)) => half.of_decimal(value).into(),
            (Elem::F32, None) => (rounded as f32).to_bits().into(),
            _ => rounded.to_bits(),
        };
        if !rounded.is_finite() {
            let mend = write(site, self.largest(value));
            return self.unfit(site, text, None, Some(mend));
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

    fn extent(&self, site: Site, value: &Expr, text: &str) -> Answer {
        let Some((least, most)) = self.elem.int_range() else {
            return self.mistyped(site, text, "an integer", None);
        };
        if let Some(value) = value.as_constant().map(i128::from) {
            return if (least..=most).contains(&value) {
                Ok(ScalarArg::Const(int_bits(value, self.elem)))
            } else {
                let mend = write(site, value.clamp(least, most).to_string());
                let is = format!("`{text}` is {value} here");
                let unfit = self.unfit(site, text, None, Some(mend));
                unfit.map_err(|fault| match value.to_string() == text {
                    true => fault,
                    false => Box::new(fault.note(is)),
                })
            };
        }
        // The tables hold extents, and those are natural numbers.
        let (min, max) = value.range_over(self.dims);
        let fits = |(min, max): (i128, i128)| min >= 0 && max <= most;
        if !fits((min, max)) {
            let mend = narrowed(&[value], self.dims, |d| fits(value.range_over(d)));
            return self.unfit(site, text, Some((min, max)), mend);
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
