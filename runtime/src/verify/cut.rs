//! Resources cut into pieces at the borders of their accesses, for given dims.
//!
//! Every access covers whole pieces, so all that follows works on pieces. A resource that is only
//! ever used as a whole is one piece; an empty one has none, and an empty access covers none.

use super::sort::sort;
use super::{Table, Violation};
use crate::table::{Mode, Rows, Source};

/// Entries of one table at most, so that two indices fit a word.
const MAX_ENTRIES: usize = 1 << 30;

/// The cut tables, each a part of one array of words.
pub(super) struct Cuts<'w> {
    /// Value of each expression.
    pub(super) values: &'w [u64],
    /// Size of each resource, in bytes.
    pub(super) bytes: &'w [u64],
    /// First piece of each resource, then the number of all pieces.
    pub(super) first: &'w [u64],
    /// First byte of each piece in its resource.
    pub(super) start: &'w [u64],
    /// Pieces of each access: the first in the high half, one past the last in the low half.
    pub(super) range: &'w [u64],
    /// For each access that reads, the index of its first piece among the pieces of all of them.
    pub(super) seen: &'w [u64],
}

/// How much there is to walk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Counts {
    /// Pieces of all resources.
    pub pieces: usize,
    /// Pieces of all accesses that read.
    pub reads: usize,
}

/// Lengths of the parts, from the source's tables alone.
#[derive(Clone, Copy)]
struct Parts {
    exprs: usize,
    resources: usize,
    accesses: usize,
    cuts: usize,
}

impl Parts {
    const fn of(source: &Source<'_>) -> Self {
        let accesses = source.accesses.len();
        let mut spans = 0;
        let mut i = 0;
        while i < accesses {
            if matches!(source.accesses[i].rows, Rows::Span(..)) {
                spans += 1;
            }
            i += 1;
        }
        Self {
            exprs: source.exprs.len(),
            resources: source.resources.len(),
            accesses,
            cuts: 2 * spans,
        }
    }

    const fn kept(&self) -> usize {
        self.exprs + 3 * self.resources + 1 + self.cuts + 2 * self.accesses
    }
}

/// Words that [`cut`] needs.
pub(super) const fn words(source: &Source<'_>) -> usize {
    let parts = Parts::of(source);
    parts.kept() + 3 * parts.resources + 3 * parts.cuts
}

/// The tables that [`cut`] left in `words`.
pub(super) const fn view<'w>(source: &Source<'_>, words: &'w [u64]) -> Cuts<'w> {
    let parts = Parts::of(source);
    let (values, rest) = words.split_at(parts.exprs);
    let (bytes, rest) = rest.split_at(parts.resources);
    let (first, rest) = rest.split_at(parts.resources + 1);
    let (start, rest) = rest.split_at(parts.resources + parts.cuts);
    let (range, rest) = rest.split_at(parts.accesses);
    let (seen, _) = rest.split_at(parts.accesses);
    Cuts {
        values,
        bytes,
        first,
        start,
        range,
        seen,
    }
}

/// Evaluates and cuts. `words` are zero and as many as [`words`] says.
pub(super) const fn cut(
    source: &Source<'_>,
    dims: &[u64],
    words: &mut [u64],
) -> Result<Counts, Violation> {
    tri!(fits(source));
    tri!(within(source, dims));
    let parts = Parts::of(source);
    let (values, rest) = words.split_at_mut(parts.exprs);
    let (bytes, rest) = rest.split_at_mut(parts.resources);
    let (first, rest) = rest.split_at_mut(parts.resources + 1);
    let (start, rest) = rest.split_at_mut(parts.resources + parts.cuts);
    let (range, rest) = rest.split_at_mut(parts.accesses);
    let (seen, rest) = rest.split_at_mut(parts.accesses);
    // Only needed while cutting.
    let (row, rest) = rest.split_at_mut(parts.resources);
    let (from, rest) = rest.split_at_mut(parts.resources);
    let (filled, rest) = rest.split_at_mut(parts.resources);
    let (keys, rest) = rest.split_at_mut(parts.cuts);
    let (ids, tmp) = rest.split_at_mut(parts.cuts);

    let mut i = 0;
    while i < values.len() {
        values[i] = match source.exprs[i].eval(dims) {
            Some(v) => v,
            None => return Err(Violation::NoValue { expr: i as u32 }),
        };
        i += 1;
    }
    tri!(sizes(source, values, bytes, row));
    tri!(borders(source, values, row, from, filled, keys));
    let mut r = 0;
    let mut piece = 0;
    while r < bytes.len() {
        first[r] = piece as u64;
        let (lo, len) = (from[r] as usize, 2 * filled[r] as usize);
        if bytes[r] > 0 {
            start[piece] = 0;
            piece += 1;
        }
        if bytes[r] > 0 && len > 0 {
            let part = ids.split_at_mut(lo).1.split_at_mut(len).0;
            let mut k = 0;
            while k < len {
                part[k] = (lo + k) as u64;
                k += 1;
            }
            sort(keys, part, tmp.split_at_mut(len).0);
            let mut k = 0;
            while k < len {
                let at = keys[part[k] as usize];
                if at > start[piece - 1] && at < bytes[r] {
                    start[piece] = at;
                    piece += 1;
                }
                k += 1;
            }
        }
        r += 1;
    }
    first[r] = piece as u64;

    let mut reads = 0;
    let mut a = 0;
    while a < range.len() {
        let access = &source.accesses[a];
        let r = access.resource as usize;
        let (lo, hi) = match access.rows {
            Rows::All => (first[r], first[r + 1]),
            Rows::Span(lo, hi) => {
                let lo = values[lo as usize] * row[r];
                let hi = values[hi as usize] * row[r];
                if lo == hi {
                    (first[r], first[r])
                } else if hi == bytes[r] {
                    (find(start, first[r], first[r + 1], lo), first[r + 1])
                } else {
                    let lo = find(start, first[r], first[r + 1], lo);
                    (lo, find(start, lo, first[r + 1], hi))
                }
            }
        };
        range[a] = lo << 32 | hi;
        seen[a] = reads as u64;
        if !matches!(access.mode, Mode::Overwrite) {
            reads += (hi - lo) as usize;
        }
        a += 1;
    }
    Ok(Counts {
        pieces: piece,
        reads,
    })
}

/// No table is longer than an index can say.
const fn fits(source: &Source<'_>) -> Result<(), Violation> {
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
        (source.dims.len(), Table::Dims),
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

const fn within(source: &Source<'_>, dims: &[u64]) -> Result<(), Violation> {
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
const fn sizes(
    source: &Source<'_>,
    values: &[u64],
    bytes: &mut [u64],
    row: &mut [u64],
) -> Result<(), Violation> {
    let mut r = 0;
    while r < bytes.len() {
        let resource = &source.resources[r];
        if resource.shape.is_empty() {
            return Err(Violation::Size { resource: r as u32 });
        }
        let mut inner = resource.elem.size();
        let mut d = resource.shape.len();
        while d > 0 {
            d -= 1;
            let e = resource.shape[d] as usize;
            if e >= values.len() {
                return Err(Violation::Dangling {
                    table: Table::Resources,
                    entry: r as u32,
                });
            }
            row[r] = inner;
            inner = match inner.checked_mul(values[e]) {
                Some(n) if n <= i64::MAX as u64 => n,
                _ => return Err(Violation::Size { resource: r as u32 }),
            };
        }
        bytes[r] = inner;
        r += 1;
    }
    Ok(())
}

/// Where accesses of part of a resource begin and end, in `keys`: for each resource a part of
/// `2 * filled` entries from `from`, the beginnings and then the ends.
const fn borders(
    source: &Source<'_>,
    values: &[u64],
    row: &[u64],
    from: &mut [u64],
    filled: &mut [u64],
    keys: &mut [u64],
) -> Result<(), Violation> {
    let mut a = 0;
    while a < source.accesses.len() {
        let access = &source.accesses[a];
        let r = access.resource as usize;
        let dangling = Violation::Dangling {
            table: Table::Accesses,
            entry: a as u32,
        };
        if r >= row.len() {
            return Err(dangling);
        }
        if let Rows::Span(lo, hi) = access.rows {
            if lo as usize >= values.len() || hi as usize >= values.len() {
                return Err(dangling);
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
    while r < from.len() {
        from[r] = next;
        next += 2 * filled[r];
        r += 1;
    }
    // Fill from the back, so that `filled` counts down, and up again.
    let mut a = source.accesses.len();
    while a > 0 {
        a -= 1;
        if let Rows::Span(lo, hi) = source.accesses[a].rows {
            let r = source.accesses[a].resource as usize;
            filled[r] -= 1;
            let end = if r + 1 < from.len() {
                from[r + 1]
            } else {
                next
            };
            let half = (end - from[r]) / 2;
            let at = (from[r] + filled[r]) as usize;
            keys[at] = values[lo as usize] * row[r];
            keys[at + half as usize] = values[hi as usize] * row[r];
        }
    }
    let mut r = 0;
    while r < from.len() {
        let end = if r + 1 < from.len() {
            from[r + 1]
        } else {
            next
        };
        filled[r] = (end - from[r]) / 2;
        r += 1;
    }
    Ok(())
}

/// The piece in `lo..hi` that starts at byte `at`.
const fn find(start: &[u64], lo: u64, hi: u64, at: u64) -> u64 {
    let (mut lo, mut hi) = (lo, hi);
    while hi - lo > 1 {
        let middle = lo + (hi - lo) / 2;
        if start[middle as usize] <= at {
            lo = middle;
        } else {
            hi = middle;
        }
    }
    lo
}
