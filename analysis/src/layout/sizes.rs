//! Bytes of resources, each at the largest that the dims admit.

use std::collections::BTreeMap;

use crate::expr::{Expr, largest_product, least_product, most_product, values};
use crate::layout::SLOT_ALIGN;
use crate::model::{Dim, Model, Resource};

/// Resources whose largest size is tried for all.
const TRIED: usize = 16;

/// The largest sizes over the bounds of some dims, each of which is worked out once.
pub(crate) struct Largest<'d> {
    dims: &'d [Dim],
    known: BTreeMap<Vec<Expr>, u64>,
}

impl<'d> Largest<'d> {
    pub(crate) fn new(dims: &'d [Dim]) -> Self {
        let known = BTreeMap::new();
        Self { dims, known }
    }

    /// The largest value of `scale * Π extents`, or a bound above that where a search ends; saturates.
    pub(crate) fn of(&mut self, scale: u64, extents: &[Expr]) -> u64 {
        let most = match self.known.get(extents) {
            Some(most) => *most,
            None => {
                let most = most_product(extents, self.dims);
                self.known.insert(extents.to_vec(), most);
                most
            }
        };
        scale.saturating_mul(most)
    }
}

/// Payload of each resource at its largest, in bytes; saturates.
pub fn payloads(resources: &[Resource], dims: &[Dim]) -> Vec<u64> {
    let mut largest = Largest::new(dims);
    let each = resources.iter();
    each.map(|r| largest.of(r.elem.size(), &r.shape)).collect()
}

/// Payload of one resource at its largest, in bytes; saturates.
pub fn payload(model: &Model, resource: &Resource) -> u64 {
    Largest::new(&model.dims).of(resource.elem.size(), &resource.shape)
}

/// Aligned size of each resource, in bytes.
pub fn all(model: &Model) -> Vec<u64> {
    let payloads = payloads(&model.resources, &model.dims);
    payloads.into_iter().map(aligned).collect()
}

/// Values of the declared dims, in their order, at which each resource is at its largest, where such are
/// known: the maxima of the dims, or those at which one of the resources is at its own, or all that are not
/// at maxima. The sizes are `payloads`.
pub fn at_largest(model: &Model, payloads: &[u64]) -> Option<Vec<u64>> {
    let dims = &model.dims;
    let all = |given: Vec<u64>| {
        let values = values(dims, &given)?;
        let at = |r: &Resource| {
            let size = i128::from(r.elem.size());
            let mut extents = r.shape.iter();
            extents.try_fold(size, |bytes, e| bytes.checked_mul(e.eval(&values)?))
        };
        let mut sizes = model.resources.iter().zip(payloads);
        let largest = sizes.all(|(r, bytes)| at(r) == Some(i128::from(*bytes)));
        largest.then_some(given)
    };
    let declared = || (0u16..).zip(dims).filter(|(_, d)| d.is_declared());
    let corner: Vec<u64> = declared().map(|(_, d)| d.max).collect();
    let at_maxima = all(corner.clone());
    if at_maxima.is_some() {
        return at_maxima;
    }
    let each = model.resources.iter().take(TRIED);
    let mut places: Vec<Vec<(u16, u64)>> =
        each.map(|r| largest_product(&r.shape, dims).at).collect();
    // One may be at its largest at some dims, and another at others.
    let off = |(i, d): (u16, &Dim)| {
        let mut named = places.iter().flatten();
        let found = named.find(|(dim, value)| *dim == i && *value != d.max);
        found.copied()
    };
    let all_off = declared().filter_map(off).collect();
    places.push(all_off);
    let given = |place: Vec<(u16, u64)>| {
        let value = |(i, d): (u16, &Dim)| {
            let own = place.iter().find(|(dim, _)| *dim == i);
            own.map_or(d.max, |(_, value)| *value)
        };
        declared().map(value).collect::<Vec<u64>>()
    };
    let others = places.into_iter().map(given);
    others.filter(|given| *given != corner).find_map(all)
}

/// `bytes` rounded up to the alignment of slots; saturates at its largest multiple.
pub fn aligned(bytes: u64) -> u64 {
    bytes
        .checked_next_multiple_of(SLOT_ALIGN)
        .unwrap_or(u64::MAX - (SLOT_ALIGN - 1))
}

/// Aligned size of each resource at its smallest, in bytes: at no admitted dims is it less.
pub fn least(model: &Model) -> Vec<u64> {
    let size = |r: &Resource| {
        let extents = least_product(&r.shape, &model.dims);
        aligned(extents.saturating_mul(r.elem.size()))
    };
    model.resources.iter().map(size).collect()
}

const UNITS: [&str; 4] = ["B", "KiB", "MiB", "GiB"];

/// The largest unit of which there is one.
fn own_unit(bytes: u64) -> usize {
    let reached = |unit: &usize| bytes >> (10 * unit) > 0;
    (1..UNITS.len()).rev().find(reached).unwrap_or(0)
}

fn is_whole(bytes: u64, unit: usize) -> bool {
    bytes.trailing_zeros() as usize >= 10 * unit
}

/// An amount as a user writes one, for what echoes what was written: exact in the largest unit that
/// divides it, else as [`rounded`].
///
/// ```
/// use gpu_graph_analysis::layout::sizes::amount;
/// assert_eq!(amount(512), "512 B");
/// assert_eq!(amount(3 << 29), "1536 MiB");
/// assert_eq!(amount((1 << 20) + 256), "1.0 MiB (1048832 bytes)");
/// ```
pub fn amount(bytes: u64) -> String {
    let mut units = (1..=own_unit(bytes)).rev();
    let exact = units.find(|&unit| is_whole(bytes, unit));
    match exact.map(|unit| (bytes >> (10 * unit), UNITS[unit])) {
        Some((count, unit)) if count < 10_000 => format!("{count} {unit}"),
        _ => rounded(bytes),
    }
}

/// An amount as a record has it, so that amounts can be compared at a glance: in the largest unit of
/// which there is one, whole, or rounded down to a tenth with the bytes beside it.
///
/// ```
/// use gpu_graph_analysis::layout::sizes::rounded;
/// assert_eq!(rounded(512), "512 B");
/// assert_eq!(rounded(3 << 20), "3 MiB");
/// assert_eq!(rounded(3 << 29), "1.5 GiB (1610612736 bytes)");
/// ```
pub fn rounded(bytes: u64) -> String {
    let unit = own_unit(bytes);
    if is_whole(bytes, unit) {
        return format!("{} {}", bytes >> (10 * unit), UNITS[unit]);
    }
    let tenths = (u128::from(bytes) * 10) >> (10 * unit);
    let (whole, tenth) = (tenths / 10, tenths % 10);
    format!("{whole}.{tenth} {} ({bytes} bytes)", UNITS[unit])
}
