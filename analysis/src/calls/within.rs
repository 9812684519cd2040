//! Views: whether their rows lie within what they are of, and what would put them there.

use super::{Place, show_place};
use crate::expr::Expr;
use crate::fault::calls as texts;
use crate::fault::narrow::narrowed;
use crate::fault::{Edit, Fault, Fix};
use crate::model::{Dim, Resource, Rows};

/// A fault unless `0 <= a <= b <= rows` for all admitted dims.
pub fn out_of_bounds(place: &Place, resource: &Resource, dims: &[Dim]) -> Option<Fault> {
    let any = Wanted {
        rows: None,
        some: false,
    };
    bounds(place, resource, any, dims)
}

/// What the use of a view asks of its rows.
#[derive(Clone, Copy)]
pub(super) struct Wanted<'a> {
    /// How many there are to be, where that is known.
    pub(super) rows: Option<&'a Expr>,
    /// There has to be one at least: a launch is over them.
    pub(super) some: bool,
}

/// The same, of a view of which something is `wanted`.
pub(super) fn bounds(
    place: &Place,
    resource: &Resource,
    wanted: Wanted<'_>,
    dims: &[Dim],
) -> Option<Fault> {
    let Rows::Span(lo, hi) = &place.rows else {
        return None;
    };
    let extent = resource.shape.first()?;
    let shown = |e: &Expr| e.display(dims).to_string();
    let negative = !Expr::constant(0).always_le(lo, dims);
    let behind = Expr::constant(1).add(hi);
    let turned = !negative && behind.is_some_and(|behind| behind.always_le(lo, dims));
    let why = if negative {
        format!("`{}` may be negative", shown(lo))
    } else if !lo.always_le(hi, dims) {
        format!("`{}` may exceed `{}`", shown(lo), shown(hi))
    } else if !hi.always_le(extent, dims) {
        format!("`{}` may exceed `{}`", shown(hi), shown(extent))
    } else {
        return None;
    };
    let view = View {
        place,
        lo,
        hi,
        extent,
        wanted,
        turned,
        dims,
    };
    let text = show_place(&resource.name, &place.rows, dims);
    let (site, name, rows) = (place.rows_site, resource.name.as_str(), shown(extent));
    let (declared, mend) = (resource.site, view.mend());
    Some(match turned {
        true => texts::view_turned(site, &text, mend),
        false => texts::view_bounds(site, &text, name, &rows, &why, declared, mend),
    })
}

/// Rows from `lo` to `hi` of `extent`, at `place`.
struct View<'a> {
    place: &'a Place,
    lo: &'a Expr,
    hi: &'a Expr,
    extent: &'a Expr,
    wanted: Wanted<'a>,
    /// It ends before it begins.
    turned: bool,
    dims: &'a [Dim],
}

impl View<'_> {
    /// As many rows as the kernel asks for, from either end on; as many as there are that begin
    /// elsewhere; the same ends the other way round; or the same rows of fewer sizes. Where no rows alone
    /// are right, then with another range of a dim.
    fn mend(&self) -> Option<Fix> {
        let (lo, hi) = (self.lo, self.hi);
        let written = self.place.rows_site != self.place.site;
        let differ = |rows: &&Expr| hi.sub(lo).is_none_or(|n| !n.always_eq(rows, self.dims));
        let other = self.wanted.rows.filter(differ);
        let mut ends = Vec::new();
        if let Some(rows) = other {
            ends.extend(lo.add(rows).map(|hi| (lo.clone(), hi)));
            ends.extend(hi.sub(rows).map(|lo| (lo, hi.clone())));
        }
        let beyond = hi.sub(self.extent).and_then(|e| e.as_constant());
        let beyond = beyond.filter(|c| *c > 0);
        let below = lo.as_constant().filter(|c| *c < 0);
        if let (Some(by), None) = (beyond.or(below), other) {
            let by = Expr::constant(by);
            ends.extend(lo.sub(&by).zip(hi.sub(&by)));
        }
        let as_many = |rows: &Expr| {
            let wanted = self.wanted.rows;
            wanted.is_none_or(|w| rows.always_eq(w, self.dims))
        };
        if lo.sub(hi).as_ref().is_some_and(as_many) {
            let at = if self.turned { 0 } else { ends.len() };
            ends.insert(at, (hi.clone(), lo.clone()));
        }
        ends.retain(|_| written);
        let fit = ends.iter().find(|(lo, hi)| self.fits(lo, hi, self.dims));
        if let Some((lo, hi)) = fit {
            return Some(Fix::new("write `{}`", [self.write(lo, hi)]));
        }
        let range = |lo: &Expr, hi: &Expr| {
            let holds = |dims: &[Dim]| self.fits(lo, hi, dims);
            narrowed(&[lo, hi, self.extent], self.dims, holds)
        };
        let alone = || range(lo, hi).filter(|_| other.is_none());
        alone().or_else(|| {
            ends.iter().find_map(|(lo, hi)| {
                let dim = range(lo, hi)?.edits.into_iter().next()?;
                Some(Fix::new("write `{}` and `{}`", [self.write(lo, hi), dim]))
            })
        })
    }

    fn fits(&self, lo: &Expr, hi: &Expr, dims: &[Dim]) -> bool {
        let least = Expr::constant(i64::from(self.wanted.some)).add(lo);
        Expr::constant(0).always_le(lo, dims)
            && least.is_some_and(|least| least.always_le(hi, dims))
            && hi.always_le(self.extent, dims)
    }

    fn write(&self, lo: &Expr, hi: &Expr) -> Edit {
        let [lo, hi] = [lo, hi].map(|e| e.display(self.dims).to_string());
        Edit::replace(self.place.rows_site, format!("[{lo}..{hi}]"))
    }
}
