//! Extents and row ranges of one call: what each must be, and the index space they give.

use super::bind::{Binder, DimValue, Use};
use super::within::{Wanted, bounds};
use super::{KernelDim, Place, show_type};
use crate::expr::Expr;
use crate::fault::calls as texts;
use crate::fault::{Fault, Fix};
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
        let mut whole = Vec::new();
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
            let wanted = Wanted {
                rows: rows.as_ref(),
                some: self.kernel.over.is_some(),
            };
            let beyond =
                resource.and_then(|resource| bounds(&u.place, resource, wanted, self.dims));
            // What follows from a view that does not lie within its resource is no fault of others.
            unsure.extend(own.filter(|_| beyond.is_some()));
            // How many rows there are is asked of a view that lies within its resource.
            let since = usize::from(beyond.is_some());
            faults.extend(beyond);
            let shape = u.shape.iter().flatten();
            let mut wrong = Vec::new();
            for (extent, found) in u.tensor.shape.iter().zip(shape).skip(since) {
                let is_sure = |dim: u16| is_bound(dim) && !unsure.contains(&dim);
                if !extent.terms().iter().all(|t| is_sure(t.dim)) {
                    continue;
                }
                let wanted = extent.substitute(&values);
                let Some(wanted) = wanted else {
                    let origins = self.origins(&[extent], u.access.site);
                    let declared = self.declared(u.param, u.tensor.site);
                    let text = extent.display(&self.kernel.dims).to_string();
                    let site = u.access.site;
                    faults.push(texts::extent_at_call(site, declared, &text, &origins));
                    continue;
                };
                if !wanted.always_eq(found, self.dims) {
                    wrong.push((extent, wanted, found));
                }
            }
            match self.retyped(u, &wrong, &values) {
                Some(fault) => whole.push(fault),
                None => faults.extend(self.unequal(u, &wrong, &values)),
            }
        }
        for fault in whole {
            self.faults.retain(|of| !(of.is_of_type(fault.site)));
            self.faults.push(fault);
        }
        self.faults.append(&mut faults);
    }

    /// The fault of `u`, all of whose resource is used, where both its elements and extents are
    /// wrong: a mend of one of them would not do.
    fn retyped(
        &self,
        u: &Use<'_>,
        wrong: &[(&Expr, Expr, &Expr)],
        values: &[Expr],
    ) -> Option<Fault> {
        let resource = self.resources.get(u.access.resource.0 as usize)?;
        let bound = self.values.iter().all(Option::is_some);
        if wrong.is_empty() || resource.elem == u.tensor.elem {
            return None;
        }
        if u.access.rows != Rows::All || !bound {
            return None;
        }
        let shape = u.tensor.shape.iter().map(|e| e.substitute(values));
        let shape: Vec<_> = shape.collect::<Option<_>>()?;
        let declared = self.declared(u.param, u.tensor.site);
        let site = u.access.site;
        let fault = self.elem(declared, u.tensor.elem, resource, &shape, site);
        let wanted = show_type(u.tensor.elem, &shape, self.dims);
        let found = show_type(resource.elem, &resource.shape, self.dims);
        Some(fault.note(format!(
            "its extents differ, too: this is `{found}`, and `{wanted}` is needed"
        )))
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

    /// The fault of `u`, some extents of which are not what they have to be: as declared, as they have to
    /// be, and as they are.
    fn unequal(
        &self,
        u: &Use<'_>,
        wrong: &[(&Expr, Expr, &Expr)],
        values: &[Expr],
    ) -> Option<Fault> {
        let site = u.access.site;
        let declared = self.declared(u.param, u.tensor.site);
        let extents: Vec<_> = wrong.iter().map(|(extent, ..)| *extent).collect();
        let origins = self.origins(&extents, site);
        let mend = self.redeclared(u, values);
        let [text, wanted, found] = match wrong {
            [] => return None,
            [(extent, wanted, found)] => {
                let [wanted, found] = [wanted, *found].map(|e| e.display(self.dims).to_string());
                [extent.display(&self.kernel.dims).to_string(), wanted, found]
            }
            // All of the types tell more than several pairs of extents.
            _ => {
                let shape = u.tensor.shape.iter().map(|e| e.substitute(values));
                let shape: Option<Vec<_>> = shape.collect();
                let elem = u.tensor.elem;
                [
                    show_type(elem, &u.tensor.shape, &self.kernel.dims),
                    show_type(elem, &shape?, self.dims),
                    show_type(elem, u.shape.as_ref()?, self.dims),
                ]
            }
        };
        let several = wrong.len() > 1;
        let shown = texts::Extents {
            declared: &text,
            wanted: &wanted,
            found: &found,
            several,
        };
        Some(texts::extent(site, declared, shown, &origins, mend))
    }

    /// Where the dims of `extents` got their values, other than at `site`: all of one place together.
    fn origins(&self, extents: &[&Expr], site: Site) -> Vec<(Site, String)> {
        let mut origins: Vec<(Site, Vec<String>)> = Vec::new();
        for (i, (dim, value)) in self.kernel.dims.iter().zip(&self.values).enumerate() {
            let mut terms = extents.iter().flat_map(|extent| extent.terms());
            if let Some(value) = value
                && value.site != site
                && terms.any(|t| usize::from(t.dim) == i)
            {
                let is = format!("`{}`", value.value.display(self.dims));
                match origins.iter_mut().find(|(at, _)| *at == value.site) {
                    Some((_, parts)) => parts.push(format!("`{}` is {is}", dim.name)),
                    None => {
                        let of = &self.kernel.name;
                        let part = format!("`{}` of `{of}` is {is}", dim.name);
                        origins.push((value.site, vec![part]));
                    }
                }
            }
        }
        let text = |(site, parts): (Site, Vec<String>)| (site, parts.join(", ") + " here");
        origins.into_iter().map(text).collect()
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
