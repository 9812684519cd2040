//! Extents and row ranges of one call: what each must be, and the index space they give.

use super::bind::{Binder, DimValue, Use};
use super::{KernelDim, Place, show_place, show_type};
use crate::expr::Expr;
use crate::fault::calls as texts;
use crate::fault::narrow::narrowed;
use crate::fault::{Edit, Fault, Fix};
use crate::model::{Dim, Resource, Rows, Site};

impl Binder<'_> {
    /// Holds every extent of every tensor against what the dims have been bound to. Extents over
    /// dims that nothing bound are left: something else is wrong then.
    pub(super) fn extents(&mut self) {
        let or_zero =
            |v: &Option<DimValue>| v.as_ref().map_or(Expr::constant(0), |v| v.value.clone());
        let values: Vec<Expr> = self.values.iter().map(or_zero).collect();
        let is_bound = |dim: u16| {
            self.values
                .get(usize::from(dim))
                .is_some_and(Option::is_some)
        };
        let mut faults = Vec::new();
        let mut unsure = Vec::new();
        for u in &self.uses {
            let rows = u.tensor.shape.first();
            let rows = rows.filter(|e| e.terms().iter().all(|t| is_bound(t.dim)));
            let own = u.tensor.shape.first().and_then(|e| self.bound_by(e, u));
            let rows = match own {
                // What a view says itself of its rows, another tensor may say, too.
                Some(_) => self.rows_beside(u),
                None => rows.and_then(|e| e.substitute(&values)),
            };
            let resource = self.resources.get(u.place.resource.0 as usize);
            let beyond =
                resource.and_then(|resource| bounds(&u.place, resource, rows.as_ref(), self.dims));
            // What follows from a view that does not lie within its resource is no fault of others.
            unsure.extend(own.filter(|_| beyond.is_some()));
            // How many rows there are is asked of a view that lies within its resource.
            let since = usize::from(beyond.is_some());
            faults.extend(beyond);
            let shape = u.shape.iter().flatten();
            for (extent, found) in u.tensor.shape.iter().zip(shape).skip(since) {
                let is_sure = |dim: u16| is_bound(dim) && !unsure.contains(&dim);
                if !extent.terms().iter().all(|t| is_sure(t.dim)) {
                    continue;
                }
                let wanted = extent.substitute(&values);
                if wanted
                    .as_ref()
                    .is_some_and(|w| w.always_eq(found, self.dims))
                {
                    continue;
                }
                let origins = self.origins(extent, u.access.site);
                let declared = self.declared(u.param, u.tensor.site);
                let text = extent.display(&self.kernel.dims).to_string();
                faults.push(match wanted {
                    None => texts::extent_at_call(u.access.site, declared, &text, &origins),
                    Some(wanted) => {
                        let wanted = wanted.display(self.dims).to_string();
                        let found = found.display(self.dims).to_string();
                        let (site, mend) = (u.access.site, self.redeclared(u, &values));
                        texts::extent(site, declared, &text, &wanted, &found, &origins, mend)
                    }
                });
            }
        }
        self.faults.append(&mut faults);
    }

    /// The dim that `extent` is, if `u` gave it its value.
    fn bound_by(&self, extent: &Expr, u: &Use<'_>) -> Option<u16> {
        let dim: u16 = extent.as_dim()?;
        let value = self.values.get(usize::from(dim))?.as_ref()?;
        (value.site == u.access.site).then_some(dim)
    }

    /// How many rows another tensor has that is to have as many as `u`.
    fn rows_beside(&self, u: &Use<'_>) -> Option<Expr> {
        let rows = u.tensor.shape.first();
        let mut others = self
            .uses
            .iter()
            .filter(|other| other.access.site != u.access.site);
        let other = others.find(|other| other.tensor.shape.first() == rows)?;
        other.shape.as_ref()?.first().cloned()
    }

    /// The resource of `u`, all of which is used, with the extents that the kernel asks for.
    fn redeclared(&self, u: &Use<'_>, values: &[Expr]) -> Option<Fix> {
        if u.access.rows != Rows::All || self.values.iter().any(Option::is_none) {
            return None;
        }
        let resource = self.resources.get(u.access.resource.0 as usize)?;
        let shape = u.tensor.shape.iter().map(|e| e.substitute(values));
        let shape: Vec<_> = shape.collect::<Option<_>>()?;
        let ty = show_type(resource.elem, &shape, self.dims);
        Some(texts::redeclared(resource.site, &resource.name, &ty))
    }

    /// Where the dims of `extent` got their values, other than at `site`.
    fn origins(&self, extent: &Expr, site: Site) -> Vec<(Site, String)> {
        let mut origins = Vec::new();
        for (i, (dim, value)) in self.kernel.dims.iter().zip(&self.values).enumerate() {
            if let Some(value) = value
                && value.site != site
                && extent.terms().iter().any(|t| usize::from(t.dim) == i)
            {
                let text = format!(
                    "`{}` is `{}` here",
                    dim.name,
                    value.value.display(self.dims)
                );
                origins.push((value.site, text));
            }
        }
        origins
    }

    /// The index space over the graph's dims; where that cannot be said, its largest value.
    pub(super) fn over(&self, dims: &[Expr]) -> Vec<Expr> {
        let Some(over) = &self.kernel.over else {
            return Vec::new();
        };
        let bounded = |extent: &Expr| {
            let max = extent.max_over(&self.reach(dims));
            Expr::constant(max.clamp(i64::MIN.into(), i64::MAX.into()) as i64)
        };
        let list = over.extents.iter();
        list.map(|e| e.substitute(dims).unwrap_or_else(|| bounded(e)))
            .collect()
    }

    /// The kernel's dims with the bounds that this call gives them.
    fn reach(&self, dims: &[Expr]) -> Vec<Dim> {
        let natural = |value: i128| value.clamp(0, u64::MAX.into()) as u64;
        let bound = |(dim, value): (&KernelDim, &Expr)| {
            let (min, max) = value.range_over(self.dims);
            Dim {
                name: dim.name.clone(),
                min: natural(min),
                max: natural(max),
                product: Vec::new(),
                site: dim.site,
            }
        };
        self.kernel.dims.iter().zip(dims).map(bound).collect()
    }
}

/// Extents of what `place` names; `None` on overflow, which no view within its resource has.
pub(super) fn view_shape(place: &Place, resource: &Resource) -> Option<Vec<Expr>> {
    let mut shape = resource.shape.clone();
    if let Rows::Span(lo, hi) = &place.rows {
        *shape.first_mut()? = hi.sub(lo)?;
    }
    Some(shape)
}

/// A fault unless `0 <= a <= b <= rows` for all admitted dims.
pub fn out_of_bounds(place: &Place, resource: &Resource, dims: &[Dim]) -> Option<Fault> {
    bounds(place, resource, None, dims)
}

/// The same, of a view that is to have `wanted` rows, where that is known.
fn bounds(
    place: &Place,
    resource: &Resource,
    wanted: Option<&Expr>,
    dims: &[Dim],
) -> Option<Fault> {
    let Rows::Span(lo, hi) = &place.rows else {
        return None;
    };
    let extent = resource.shape.first()?;
    let shown = |e: &Expr| e.display(dims).to_string();
    let why = if !Expr::constant(0).always_le(lo, dims) {
        format!("`{}` may be negative", shown(lo))
    } else if !lo.always_le(hi, dims) {
        format!("`{}` may exceed `{}`", shown(lo), shown(hi))
    } else if !hi.always_le(extent, dims) {
        format!("`{}` may exceed `{}`", shown(hi), shown(extent))
    } else {
        return None;
    };
    let within = |lo: &Expr, hi: &Expr, dims: &[Dim]| {
        Expr::constant(0).always_le(lo, dims)
            && lo.always_le(hi, dims)
            && hi.always_le(extent, dims)
    };
    let write = |lo: &Expr, hi: &Expr| {
        let text = format!("[{}..{}]", shown(lo), shown(hi));
        let edit = Edit::replace(place.rows_site, text);
        Fix::new("write `{}`", [edit])
    };
    let written = place.rows_site != place.site;
    // As many rows as the kernel asks for, from either end on; as many as there are that begin
    // elsewhere; the same ends the other way round; or the same rows of fewer sizes.
    let other = wanted.filter(|w| written && hi.sub(lo).is_none_or(|n| !n.always_eq(w, dims)));
    let asked = other.and_then(|rows| {
        let ends = [
            (Some(lo.clone()), lo.add(rows)),
            (hi.sub(rows), Some(hi.clone())),
        ];
        let ends = ends.into_iter().filter_map(|(lo, hi)| lo.zip(hi));
        let mut fit = ends.filter(|(lo, hi)| within(lo, hi, dims));
        fit.next().map(|(lo, hi)| write(&lo, &hi))
    });
    let beyond = hi
        .sub(extent)
        .and_then(|e| e.as_constant())
        .filter(|c| *c > 0);
    let below = lo.as_constant().filter(|c| *c < 0);
    let by = beyond.or(below).filter(|_| written && other.is_none());
    let moved = by.and_then(|by| {
        let by = Expr::constant(by);
        let (lo, hi) = (lo.sub(&by)?, hi.sub(&by)?);
        within(&lo, &hi, dims).then(|| write(&lo, &hi))
    });
    let turned = || {
        let rows = lo.sub(hi)?;
        let fits = wanted.is_none_or(|w| rows.always_eq(w, dims)) && within(hi, lo, dims);
        (written && fits).then(|| write(hi, lo))
    };
    let mend = asked
        .or(moved)
        .or_else(turned)
        .or_else(|| narrowed(&[lo, hi, extent], dims, |d| within(lo, hi, d)));
    let view = show_place(&resource.name, &place.rows, dims);
    let (site, name, rows) = (place.rows_site, resource.name.as_str(), shown(extent));
    Some(texts::view_bounds(
        site,
        &view,
        name,
        &rows,
        &why,
        resource.site,
        mend,
    ))
}
