//! Bytes of resources at the dims' maxima.

use crate::layout::SLOT_ALIGN;
use crate::model::{Model, Resource};

/// Payload of a resource with each extent at its largest, in bytes; saturates.
pub fn payload(model: &Model, resource: &Resource) -> u64 {
    resource
        .shape
        .iter()
        .map(|e| u64::try_from(e.max_over(&model.dims).max(0)).unwrap_or(u64::MAX))
        .fold(resource.elem.size(), u64::saturating_mul)
}

/// `bytes` rounded up to the alignment of slots; saturates at its largest multiple.
pub fn aligned(bytes: u64) -> u64 {
    bytes
        .checked_next_multiple_of(SLOT_ALIGN)
        .unwrap_or(u64::MAX - (SLOT_ALIGN - 1))
}

/// Aligned size of each resource, in bytes.
pub fn all(model: &Model) -> Vec<u64> {
    let size = |r: &Resource| aligned(payload(model, r));
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
