//! Sizes: extents are natural numbers, resources fit an address space, views lie within.

use crate::calls::{Place, out_of_bounds, show_type};
use crate::expr::Expr;
use crate::fault::narrow::narrowed;
use crate::fault::{Fault, Label, sizes};
use crate::layout::sizes::{Largest, aligned, payloads};
use crate::limits;
use crate::model::{Dim, Model, Resource, ResourceId, Rows, Site, TaskKind};

pub(super) fn check(model: &Model, faults: &mut Vec<Fault>) {
    let mut refused = Vec::new();
    for id in (0..model.resources.len() as u32).map(ResourceId) {
        extents(model, id, &mut refused, faults);
    }
    if refused.is_empty() && !fits(model, &model.dims) {
        overflows(model, faults);
    }
    views(model, faults);
    streams(model, faults);
}

impl Resource {
    /// Bytes at the largest that `dims` admit; `None` beyond [`limits::BYTES`].
    pub fn max_bytes(&self, dims: &[Dim]) -> Option<u64> {
        let bytes = Largest::new(dims).of(self.elem.size(), &self.shape);
        (bytes <= limits::BYTES).then_some(bytes)
    }
}

/// Some admitted dims may make `extent` negative.
pub(super) fn negative(extent: &Expr, dims: &[Dim]) -> bool {
    !Expr::constant(0).always_le(extent, dims)
}

/// Some kernel is launched over `extent`.
fn launched(model: &Model, extent: &Expr) -> bool {
    model.tasks.iter().any(|task| match &task.kind {
        TaskKind::Kernel(launch) => launch.over.contains(extent),
        _ => false,
    })
}

/// An extent that was refused.
struct Refused<'m> {
    extent: &'m Expr,
    /// The resource that it was refused of.
    of: Site,
    /// Number of its fault.
    fault: usize,
}

/// Checks the extents of resource `id`. One that is negative is refused where it stands first, and
/// where else it stands is said there.
fn extents<'m>(
    model: &'m Model,
    id: ResourceId,
    refused: &mut Vec<Refused<'m>>,
    faults: &mut Vec<Fault>,
) {
    let dims = &model.dims;
    let resource = &model.resources[id.0 as usize];
    for (axis, extent) in resource.shape.iter().enumerate() {
        if !negative(extent, dims) {
            continue;
        }
        let site = model.extent_site(id, axis);
        if let Some(known) = refused.iter().find(|known| known.extent == extent) {
            if known.of != resource.site {
                let text = format!("so may that of `{}`", resource.name);
                faults[known.fault].labels.push(Label { site, text });
            }
            continue;
        }
        refused.push(Refused {
            extent,
            of: resource.site,
            fault: faults.len(),
        });
        let min = extent.least_seen(dims);
        let text = extent.display(dims).to_string();
        // A launch over it has a thread as well.
        let least = Expr::constant(launched(model, extent).into());
        let mend = narrowed(&[extent], dims, |dims| least.always_le(extent, dims));
        let name = &resource.name;
        faults.push(sizes::negative_extent(site, name, &text, min, mend));
    }
}

/// Bytes of all resources, with a copy for each lane of what does not outlive runs; `None` where one of
/// them alone is too large.
fn total(model: &Model, dims: &[Dim]) -> Option<u128> {
    let bytes = payloads(&model.resources, dims).into_iter();
    let each = model.resources.iter().zip(bytes).map(|(resource, bytes)| {
        let copies = match resource.class.persists() {
            true => 1,
            false => u128::from(model.depth),
        };
        (bytes <= limits::BYTES).then_some(u128::from(aligned(bytes)) * copies)
    });
    each.sum()
}

fn fits(model: &Model, dims: &[Dim]) -> bool {
    total(model, dims).is_some_and(|bytes| bytes <= limits::BYTES.into())
}

/// What is too large: each resource that is so alone, or else all of them, told at the largest.
fn overflows(model: &Model, faults: &mut Vec<Fault>) {
    let dims = &model.dims;
    let up_to = |resource: &Resource| {
        let bounded = resource.shape.iter().filter(|e| e.as_constant().is_none());
        let up_to = |e: &Expr| format!("`{}` up to {}", e.display(dims), e.max_over(dims));
        let mut all: Vec<_> = bounded.map(up_to).collect();
        all.dedup();
        all
    };
    let mend = |resource: &Resource| {
        let shape: Vec<_> = resource.shape.iter().collect();
        narrowed(&shape, dims, |dims| fits(model, dims))
    };
    let bytes = |resource: &&Resource| resource.max_bytes(dims);
    let alone = model.resources.iter().filter(|r| bytes(r).is_none());
    for resource in alone.clone() {
        let ty = show_type(resource.elem, &resource.shape, dims);
        let (site, name) = (resource.site, &resource.name);
        let (up_to, mend) = (up_to(resource), mend(resource));
        faults.push(sizes::size_overflow(site, name, &ty, &up_to, mend));
    }
    if let Some(total) = total(model, dims)
        && let Some(largest) = model.resources.iter().rev().max_by_key(bytes)
    {
        let (site, lanes) = (largest.site, model.depth);
        let (up_to, mend) = (up_to(largest), mend(largest));
        faults.push(sizes::total_overflow(site, total, lanes, &up_to, mend));
    }
}

fn views(model: &Model, faults: &mut Vec<Fault>) {
    for access in model.tasks.iter().flat_map(|t| &t.accesses) {
        if access.rows == Rows::All {
            continue;
        }
        let place = Place {
            resource: access.resource,
            rows: access.rows.clone(),
            site: access.site,
            rows_site: access.site,
        };
        let resource = &model.resources[access.resource.0 as usize];
        faults.extend(out_of_bounds(&place, resource, &model.dims));
    }
}

fn streams(model: &Model, faults: &mut Vec<Fault>) {
    let (depth, streams) = (model.depth, model.streams);
    for (word, value) in [("pipelined", depth), ("streams", streams)] {
        if value == 0 {
            let most = limits::STREAMS.into();
            faults.push(sizes::count(model.site, word, 0, 1, most));
        }
    }
    if depth.saturating_mul(streams) > limits::STREAMS {
        faults.push(sizes::streams(model.site, depth, streams, limits::STREAMS));
    }
}
