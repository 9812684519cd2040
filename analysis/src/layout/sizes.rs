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

/// An amount as a person reads it: exact in the largest unit that divides it, else rounded down to
/// a tenth with the bytes beside it.
///
/// ```
/// use gpu_graph_analysis::layout::sizes::amount;
/// assert_eq!(amount(512), "512 B");
/// assert_eq!(amount(3 << 29), "1536 MiB");
/// assert_eq!(amount((1 << 20) + 256), "1.0 MiB (1048832 bytes)");
/// ```
pub fn amount(bytes: u64) -> String {
    const UNITS: [&str; 4] = ["B", "KiB", "MiB", "GiB"];
    let mut unit = 0;
    while unit < 3 && bytes >> (10 * (unit + 1)) > 0 {
        unit += 1;
    }
    let mut exact = unit;
    while exact > 0 && bytes & ((1 << (10 * exact)) - 1) != 0 {
        exact -= 1;
    }
    let short = bytes >> (10 * exact);
    if exact == unit || short < 10_000 && exact > 0 {
        return format!("{short} {}", UNITS[exact]);
    }
    let tenths = (u128::from(bytes) * 10) >> (10 * unit);
    format!(
        "{}.{} {} ({bytes} bytes)",
        tenths / 10,
        tenths % 10,
        UNITS[unit]
    )
}
