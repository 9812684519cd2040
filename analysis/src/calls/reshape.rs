//! Views in another shape: the same elements in the same order, under other extents.

use super::{Place, show_type};
use crate::expr::{Expr, product, quotient, same_product, values};
use crate::fault::calls as texts;
use crate::fault::narrow::{depends, narrowed};
use crate::fault::{Edit, Fault, Fix, raw, sizes};
use crate::model::{Dim, Elem, Resource, Site};

/// `&x as [f32; 2 * h, w]`, as it is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shape {
    /// Element type.
    pub elem: Elem,
    /// Extents, slowest first; at least one.
    pub extents: Vec<Expr>,
    /// The element type.
    pub elem_site: Site,
    /// The type.
    pub site: Site,
}

/// `place` of `resource`, which lies within it, in the shape `to`: its own name is `text`.
///
/// # Errors
/// Where that has elements of another type, or is not known to have as many for all admitted dims.
pub fn reshaped(
    place: &Place,
    resource: &Resource,
    to: &Shape,
    dims: &[Dim],
) -> Result<Resource, Box<Fault>> {
    let shown = super::show_place(&resource.name, &place.rows, dims);
    if to.elem != resource.elem {
        let (site, declared) = (to.elem_site, resource.site);
        let fault = texts::reshaped_elem(site, &shown, resource.elem, to.elem, declared);
        return Err(Box::new(fault));
    }
    let zero = Expr::constant(0);
    // As it is written, since helps write it.
    let written = super::show_place(&raw(&resource.name), &place.rows, dims);
    let whole = format!("{written} as {}", show_type(to.elem, &to.extents, dims));
    for extent in &to.extents {
        if !zero.always_le(extent, dims) {
            let (text, min) = (extent.display(dims).to_string(), extent.least_seen(dims));
            let mend = narrowed(&[extent], dims, |dims| zero.always_le(extent, dims));
            let fault = sizes::negative_extent(to.site, &whole, &text, min, mend);
            return Err(Box::new(fault));
        }
    }
    let shape = super::extents::view_shape(place, resource).unwrap_or_default();
    if !same_product(&shape, &to.extents, dims) {
        let counts = [&shape, &to.extents].map(|extents| show_count(extents, dims));
        let differ = witness([&shape, &to.extents], dims);
        let fix = mend(&shape, to, dims);
        let (site, declared) = (to.site, resource.site);
        let fault = texts::reshaped_count(site, &shown, &counts, differ.as_deref(), declared);
        return Err(Box::new(fault.fix_or(fix, "give it as many elements")));
    }
    Ok(Resource {
        name: whole,
        shape: to.extents.clone(),
        site: to.site,
        ..resource.clone()
    })
}

/// The number of elements of that shape, as in `2 * h * w`.
fn show_count(extents: &[Expr], dims: &[Dim]) -> String {
    let mut more = dims.to_vec();
    if let Ok(count) = product(extents, &mut more, Site(0)) {
        return count.display(&more).to_string();
    }
    let factors = extents.iter().map(|e| format!("({})", e.display(dims)));
    factors.collect::<Vec<_>>().join(" * ")
}

/// Dims for which the counts differ, and the counts there.
fn witness(shapes: [&[Expr]; 2], dims: &[Dim]) -> Option<String> {
    let declared: Vec<&Dim> = dims.iter().filter(|dim| dim.is_declared()).collect();
    let exprs: Vec<&Expr> = shapes.iter().flat_map(|shape| shape.iter()).collect();
    let used = |i: &usize| depends(&exprs, dims, *i);
    // All at one end, or all but one.
    let at = |other: Option<usize>, most: bool| {
        let value = |(i, d): (usize, &&Dim)| match (other == Some(i)) != most {
            true => d.max,
            false => d.min,
        };
        let given: Vec<u64> = declared.iter().enumerate().map(value).collect();
        let values = values(dims, &given)?;
        let [a, b] = shapes.map(|shape| {
            let mut extents = shape.iter().map(|e| e.eval(&values));
            extents.try_fold(1i128, |count, e| count.checked_mul(e?))
        });
        let (a, b) = (a?, b?);
        let named = (0..dims.len()).filter(used);
        let named = named.map(|i| format!("`{}` is {}", dims[i].name, values[i]));
        let named: Vec<_> = named.collect();
        (a != b).then(|| match &named[..] {
            [] => format!("these are {a} and {b}"),
            some => format!("where {}, these are {a} and {b}", some.join(" and ")),
        })
    };
    let mut ways = std::iter::once(None).chain((0..declared.len()).map(Some));
    ways.find_map(|other| at(other, false).or_else(|| at(other, true)))
}

/// The shape with one extent that makes up for the others.
fn mend(shape: &[Expr], to: &Shape, dims: &[Dim]) -> Option<Fix> {
    let fitting = |i: usize| {
        let mut more = dims.to_vec();
        let mut others = to.extents.clone();
        others.remove(i);
        let all = product(shape, &mut more, to.site).ok()?;
        let extent = quotient(&all, &[], &others, &mut more, to.site)?;
        let mut extents = to.extents.clone();
        extents[i] = extent;
        let fits = same_product(shape, &extents, &more);
        fits.then(|| show_type(to.elem, &extents, &more))
    };
    let text = (0..to.extents.len()).rev().find_map(fitting)?;
    Some(Fix::new("write `{}`", [Edit::replace(to.site, text)]))
}
