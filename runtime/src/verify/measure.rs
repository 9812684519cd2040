//! Sizes of tables, dims, resources and ranges, for [`super::cut`].

use super::{Table, Violation};
use crate::table::{Rows, Source};

/// Entries of one table at most, so that two indices fit a word.
const MAX_ENTRIES: usize = 1 << 30;

/// No table is longer than an index can say.
pub(super) const fn fits(source: &Source<'_>) -> Result<(), Violation> {
    let lengths = [
        (source.exprs.len(), Table::Exprs),
        (source.resources.len(), Table::Resources),
        (source.kernels.len(), Table::Kernels),
        (source.tasks.len(), Table::Tasks),
        (source.accesses.len(), Table::Accesses),
        (source.scalars.len(), Table::Scalars),
        (source.bindings.len(), Table::Bindings),
        (source.orders.len(), Table::Orders),
        (source.aliases.len(), Table::Aliases),
        (source.separate.len(), Table::Separate),
        (source.again.len(), Table::Again),
        (source.dims.len(), Table::Dims),
        (source.products.len(), Table::Products),
    ];
    let mut i = 0;
    while i < lengths.len() {
        if lengths[i].0 > MAX_ENTRIES {
            return Err(Violation::TooMany {
                table: lengths[i].1,
            });
        }
        i += 1;
    }
    Ok(())
}

pub(super) const fn within(source: &Source<'_>, dims: &[u64]) -> Result<(), Violation> {
    if dims.len() != source.dims.len() {
        let (expected, found) = (source.dims.len() as u32, dims.len() as u32);
        return Err(Violation::DimCount { expected, found });
    }
    let mut i = 0;
    while i < dims.len() {
        if dims[i] < source.dims[i].min || dims[i] > source.dims[i].max {
            return Err(Violation::DimRange {
                dim: i as u32,
                value: dims[i],
            });
        }
        i += 1;
    }
    Ok(())
}

/// Bytes of each resource and of each of its rows.
pub(super) const fn sizes(
    source: &Source<'_>,
    values: &[u64],
    bytes: &mut [u64],
    row: &mut [u64],
) -> Result<(), Violation> {
    let (resources, count, exprs) = (source.resources, bytes.len(), values.len());
    let mut r = 0;
    while r < count {
        let shape = resources[r].shape;
        let mut d = shape.len();
        if d == 0 {
            return Err(Violation::Size { resource: r as u32 });
        }
        let mut inner = resources[r].elem.size();
        while d > 0 {
            d -= 1;
            let e = shape[d] as usize;
            if e >= exprs {
                return Err(Violation::Dangling {
                    table: Table::Resources,
                    entry: r as u32,
                });
            }
            row[r] = inner;
            let product = inner as u128 * values[e] as u128;
            if product > i64::MAX as u128 {
                return Err(Violation::Size { resource: r as u32 });
            }
            inner = product as u64;
        }
        bytes[r] = inner;
        r += 1;
    }
    Ok(())
}

/// Where accesses of part of a resource begin and end, in `keys`: for each resource a part of
/// `2 * filled` entries from `from`, the beginnings and then the ends; `at` says which beginning.
pub(super) const fn borders(
    source: &Source<'_>,
    values: &[u64],
    row: &[u64],
    from: &mut [u64],
    filled: &mut [u64],
    keys: &mut [u64],
    at: &mut [u64],
) -> Result<(), Violation> {
    let (accesses, all) = (source.accesses, source.accesses.len());
    let (resources, exprs) = (row.len(), values.len());
    let mut a = 0;
    while a < all {
        let access = accesses[a];
        if let Rows::Span(lo, hi) = access.rows {
            let r = access.resource as usize;
            if r >= resources || lo as usize >= exprs || hi as usize >= exprs {
                return Err(Violation::Dangling {
                    table: Table::Accesses,
                    entry: a as u32,
                });
            }
            let (lo, hi) = (values[lo as usize], values[hi as usize]);
            if lo > hi || hi > values[source.resources[r].shape[0] as usize] {
                return Err(Violation::Rows { access: a as u32 });
            }
            filled[r] += 1;
        }
        a += 1;
    }
    let mut r = 0;
    let mut next = 0;
    while r < resources {
        from[r] = next;
        next += 2 * filled[r];
        r += 1;
    }
    let mut r = 0;
    while r < resources {
        // Half of the part, while `from` moves through the first half.
        let end = if r + 1 < resources { from[r + 1] } else { next };
        filled[r] = (end - from[r]) / 2;
        r += 1;
    }
    let mut a = 0;
    while a < all {
        let access = accesses[a];
        if let Rows::Span(lo, hi) = access.rows {
            let r = access.resource as usize;
            let key = from[r];
            from[r] = key + 1;
            at[a] = key;
            keys[key as usize] = values[lo as usize] * row[r];
            keys[(key + filled[r]) as usize] = values[hi as usize] * row[r];
        }
        a += 1;
    }
    let mut r = 0;
    while r < resources {
        from[r] -= filled[r];
        r += 1;
    }
    Ok(())
}
