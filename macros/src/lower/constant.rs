//! Constants and what is computed from them alone.

use gpu_graph_analysis::fault::names::Kind;
use gpu_graph_analysis::fault::stages;
use gpu_graph_analysis::model::Site;
use proc_macro2::Ident;

use super::{Cx, show, text};
use crate::ast::{Binary, Const, Extent, ExtentKind};

/// A constant among items.
pub struct ItemConst {
    /// Its name.
    pub name: String,
    /// Its value; `None` where it was refused.
    pub value: Option<i64>,
    /// Its declaration.
    pub site: Site,
}

/// Gives names their values, and takes what is wrong.
pub trait Numbers {
    /// The value of `name`; `None` where it has none, which is reported.
    fn name(&mut self, name: &Ident) -> Option<i64>;
    /// `of` has no value because of `why`.
    fn wrong(&mut self, of: &Extent, why: &str);
}

/// The value of `extent`.
pub fn value(extent: &Extent, numbers: &mut dyn Numbers) -> Option<i64> {
    let value = match &extent.kind {
        ExtentKind::Int(int) => i64::try_from(int.value).ok(),
        ExtentKind::Name(name) => return numbers.name(name),
        ExtentKind::Neg(of) => value(of, numbers)?.checked_neg(),
        ExtentKind::Binary(left, op, right) => {
            // Both sides are looked at, so that each name is reported.
            let (a, b) = (value(left, numbers), value(right, numbers));
            let (a, b) = (a?, b?);
            match op {
                Binary::Add => a.checked_add(b),
                Binary::Sub => a.checked_sub(b),
                Binary::Mul => a.checked_mul(b),
                Binary::Div if b < 1 => {
                    numbers.wrong(extent, &format!("this divides by `{b}`"));
                    return None;
                }
                // With a divisor that is positive, this rounds down.
                Binary::Div => Some(a.div_euclid(b)),
            }
        }
    };
    if value.is_none() {
        let why = format!(
            "extents and bounds have 64 bits with their sign, and are at most {}",
            i64::MAX
        );
        numbers.wrong(extent, &why);
    }
    value
}

/// Reports that `of` has no value.
pub fn report(of: &Extent, why: &str, cx: &mut Cx) {
    let site = cx.sites.push(of.region);
    cx.errors.push(stages::constant(site, &show(of), why));
}

/// `value` as that of `constant`, if its type can hold it.
pub fn fits(constant: &Const, value: i64, cx: &mut Cx) -> Option<i64> {
    let (ty, written) = constant.is.as_ref()?;
    let (min, max) = ty.elem.int_range()?;
    if (min..=max).contains(&value.into()) {
        return Some(value);
    }
    let site = cx.sites.push(written.region);
    let name = text(&constant.name);
    let fault = stages::constant_type(site, &name, value.into(), ty.name, (min, max));
    cx.errors.push(fault);
    None
}

/// The constants among items, each over those before it, into `cx`.
pub fn items(consts: &[Const], cx: &mut Cx) {
    for constant in consts {
        let site = cx.sites.push(&constant.name);
        let written = constant.is.as_ref();
        let value = written.and_then(|(_, written)| value(written, &mut Items(cx)));
        let value = value.and_then(|value| fits(constant, value, cx));
        cx.consts.push(ItemConst {
            name: text(&constant.name),
            value,
            site,
        });
    }
}

/// Names of constants among items.
struct Items<'a>(&'a mut Cx);

impl Numbers for Items<'_> {
    fn name(&mut self, name: &Ident) -> Option<i64> {
        let wanted = text(name);
        let cx = &mut *self.0;
        if let Some(known) = cx.consts.iter().find(|known| known.name == wanted) {
            return known.value;
        }
        let site = cx.sites.push(name);
        let known = cx.consts.iter().map(|known| known.name.as_str());
        let fault = gpu_graph_analysis::fault::names::unknown(site, Kind::Const, &wanted, known);
        cx.errors
            .push(fault.note("a constant is computed from constants before it"));
        None
    }

    fn wrong(&mut self, of: &Extent, why: &str) {
        report(of, why, self.0);
    }
}
