//! Views in another shape, and what they make of the resources behind them.

use gpu_graph_analysis::calls::{self, Place, Shape};
use gpu_graph_analysis::expr::{Expr, product, quotient};
use gpu_graph_analysis::fault::{Fault, sizes};
use gpu_graph_analysis::model::{Dim, ResourceId, Rows, Site};

use super::Cx;
use super::places::Target;
use super::scope::Scope;
use crate::ast;

/// A resource that became flat.
pub struct Flat {
    /// Which one.
    pub resource: ResourceId,
    /// Extents that a row of it had.
    row: Vec<Expr>,
    site: Site,
}

impl Flat {
    /// Makes a range of its rows one of elements.
    ///
    /// # Errors
    /// On overflow.
    pub fn rows(&self, rows: &mut Rows, dims: &mut Vec<Dim>) -> Result<(), Box<Fault>> {
        let Rows::Span(lo, hi) = rows else {
            return Ok(());
        };
        for bound in [lo, hi] {
            let elements = quotient(bound, &self.row, &[], dims, self.site);
            let text = bound.display(dims).to_string();
            *bound = elements.ok_or_else(|| sizes::extent_overflow(self.site, &text))?;
        }
        Ok(())
    }
}

impl Scope {
    pub(super) fn shape(&mut self, shape: &ast::Tensor, cx: &mut Cx) -> Option<Shape> {
        Some(Shape {
            elem: shape.elem.elem,
            extents: self.extents(&shape.extents, cx)?,
            elem_site: cx.sites.push(shape.elem.span),
            site: cx.sites.push(shape.region),
        })
    }

    /// All of a view without a name that shows `place` in another shape.
    pub(super) fn reshape(&mut self, place: Place, shape: &Shape, cx: &mut Cx) -> Option<Place> {
        let local = place.resource.0 as usize;
        if let Some(fault) = calls::out_of_bounds(&place, &self.views[local], &self.dims) {
            cx.errors.push(fault);
            return None;
        }
        let target = self.target(&place);
        let target = target.map_err(|fault| cx.errors.push(*fault)).ok()?;
        let view = match calls::reshaped(&place, &self.views[local], shape, &self.dims) {
            Ok(view) => view,
            Err(fault) => {
                cx.errors.push(*fault);
                return None;
            }
        };
        let writable = self.locals[local].writable;
        self.untyped.insert(view.site);
        self.push(view, Some(target), writable);
        Some(Place {
            resource: ResourceId(self.views.len() as u32 - 1),
            rows: Rows::All,
            site: place.site,
            rows_site: place.site,
        })
    }

    /// Which rows of which resource of the graph `place` is. Rows of another shape that are not
    /// known to be whole rows of the resource make that flat: its rows are elements from then on.
    ///
    /// # Errors
    /// On overflow.
    pub fn target(&mut self, place: &Place) -> Result<Target, Box<Fault>> {
        let local = place.resource.0 as usize;
        let view = &self.views[local];
        let overflow = || Box::new(sizes::extent_overflow(place.site, &view.name));
        let of = self.locals[local].target.as_ref().ok_or_else(overflow)?;
        let Rows::Span(lo, hi) = &place.rows else {
            return Ok(of.clone());
        };
        let (mut lo, mut hi) = (lo.clone(), hi.clone());
        let resource = of.resource;
        let (inner, row) = (
            &view.shape[1..],
            &self.resources[resource.0 as usize].shape[1..],
        );
        if inner != row {
            let dims = &mut self.dims;
            let mut rows = |bound| quotient(bound, inner, row, dims, place.rows_site);
            match rows(&lo).zip(rows(&hi)) {
                Some(rows) => (lo, hi) = rows,
                None if row.is_empty() => return Err(overflow()),
                None => {
                    self.flatten(resource, place.site)?;
                    return self.target(place);
                }
            }
        }
        if let Rows::Span(start, _) = &of.rows {
            let from = |bound| start.add(bound).ok_or_else(overflow);
            (lo, hi) = (from(&lo)?, from(&hi)?);
        }
        let rows = Rows::Span(lo, hi);
        Ok(Target { resource, rows })
    }

    /// Makes `resource` flat, and what views show of it a range of elements.
    fn flatten(&mut self, resource: ResourceId, site: Site) -> Result<(), Box<Fault>> {
        let of = &mut self.resources[resource.0 as usize];
        let overflow = || Box::new(sizes::extent_overflow(site, &of.name));
        let all = product(&of.shape, &mut self.dims, site).map_err(|_| overflow())?;
        let row = of.shape.split_off(1);
        of.shape = vec![all];
        let flat = Flat {
            resource,
            row,
            site,
        };
        let shown = self.locals.iter_mut().flat_map(|local| &mut local.target);
        for target in shown.filter(|target| target.resource == resource) {
            flat.rows(&mut target.rows, &mut self.dims)?;
        }
        self.flattened.push(flat);
        Ok(())
    }
}
