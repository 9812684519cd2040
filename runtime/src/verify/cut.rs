//! Resources cut into pieces at the borders of their accesses, for given dims.
//!
//! Every access covers whole pieces, so all that follows works on pieces. A resource that is only
//! ever used as a whole is one piece; an empty one has none, and an empty access covers none.

use super::measure::{borders, fits, sizes, within};
use super::sort::merge;
use super::{Table, Violation};
use crate::table::{Mode, Rows, Source};

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
    /// Accesses of a part of a resource.
    pub spans: usize,
    /// Pieces of all resources.
    pub pieces: usize,
    /// Pieces of all accesses that read.
    pub reads: usize,
}

/// Lengths of the parts, from the source's tables alone.
#[derive(Clone, Copy)]
struct Parts {
    numbers: usize,
    exprs: usize,
    resources: usize,
    accesses: usize,
    cuts: usize,
}

impl Parts {
    const fn of(source: &Source<'_>, spans: usize) -> Self {
        Self {
            numbers: numbers(source),
            exprs: source.exprs.len(),
            resources: source.resources.len(),
            accesses: source.accesses.len(),
            cuts: 2 * spans,
        }
    }

    const fn kept(&self) -> usize {
        self.exprs + 3 * self.resources + 1 + self.cuts + 2 * self.accesses
    }
}

/// Room for dims and products, where there are any of these.
pub(super) const fn numbers(source: &Source<'_>) -> usize {
    if source.products.is_empty() {
        0
    } else {
        source.dims.len() + source.products.len()
    }
}

/// Accesses of a part of a resource.
pub(super) const fn spans(source: &Source<'_>) -> usize {
    let (accesses, count) = (source.accesses, source.accesses.len());
    let mut spans = 0;
    let mut i = 0;
    while i < count {
        if matches!(accesses[i].rows, Rows::Span(..)) {
            spans += 1;
        }
        i += 1;
    }
    spans
}

/// Words that [`cut`] needs for a source of so many [`spans`].
pub(super) const fn words(source: &Source<'_>, spans: usize) -> usize {
    let parts = Parts::of(source, spans);
    parts.kept() + 3 * parts.resources + 3 * parts.cuts + parts.numbers
}

/// The [`spans`] that make so many [`words`].
pub(super) const fn spans_of(source: &Source<'_>, total: usize) -> usize {
    (total - words(source, 0)) / (words_per_span())
}

const fn words_per_span() -> usize {
    2 * (1 + 3)
}

/// The tables that [`cut`] left in `words`.
pub(super) const fn view<'w>(source: &Source<'_>, counts: Counts, words: &'w [u64]) -> Cuts<'w> {
    let parts = Parts::of(source, counts.spans);
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

/// Evaluates and cuts. `words` are zero and as many as [`words`] says for so many [`spans`].
pub(super) const fn cut(
    source: &Source<'_>,
    dims: &[u64],
    spans: usize,
    words: &mut [u64],
) -> Result<Counts, Violation> {
    tri!(fits(source));
    tri!(within(source, dims));
    let parts = Parts::of(source, spans);
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
    let (ids, rest) = rest.split_at_mut(parts.cuts);
    let (tmp, numbers) = rest.split_at_mut(parts.cuts);

    tri!(evaluate(source, dims, numbers, values));
    tri!(sizes(source, values, bytes, row));
    if spans > 0 {
        tri!(borders(source, values, row, from, filled, keys, range));
    }
    let mut r = 0;
    let mut piece = 0;
    while r < parts.resources {
        first[r] = piece as u64;
        if bytes[r] > 0 {
            start[piece] = 0;
            piece += 1;
        }
        if bytes[r] > 0 && filled[r] > 0 {
            let (lo, len) = (from[r] as usize, 2 * filled[r] as usize);
            let part = ids.split_at_mut(lo).1.split_at_mut(len).0;
            let mut k = 0;
            while k < len {
                part[k] = (lo + k) as u64;
                k += 1;
            }
            merge(keys, part, tmp.split_at_mut(len).0);
            let (mut at, size) = (0, bytes[r]);
            let mut k = 0;
            while k < len {
                let id = part[k] as usize;
                if keys[id] > at {
                    at = keys[id];
                    if at < size {
                        start[piece] = at;
                    }
                    piece += 1;
                }
                // The piece that starts here, in place of the border.
                keys[id] = piece as u64 - 1;
                k += 1;
            }
            // The last border may be the end, where no piece starts.
            if at == size {
                piece -= 1;
            }
        }
        r += 1;
    }
    first[r] = piece as u64;

    let mut reads = 0;
    let mut a = 0;
    let accesses = source.accesses;
    while a < parts.accesses {
        let access = accesses[a];
        let r = access.resource as usize;
        if r >= parts.resources {
            return Err(Violation::Dangling {
                table: Table::Accesses,
                entry: a as u32,
            });
        }
        let (mut lo, mut hi) = (first[r], first[r + 1]);
        if let Rows::Span(..) = access.rows {
            if bytes[r] > 0 {
                lo = keys[range[a] as usize];
                hi = keys[(range[a] + filled[r]) as usize];
            } else {
                hi = lo;
            }
        }
        range[a] = lo << 32 | hi;
        seen[a] = reads as u64;
        if !matches!(access.mode, Mode::Overwrite) {
            reads += (hi - lo) as usize;
        }
        a += 1;
    }
    Ok(Counts {
        spans,
        pieces: piece,
        reads,
    })
}

/// Sets `values` to the value of each expression; there is room for so many [`numbers`].
pub(super) const fn evaluate<'a>(
    source: &Source<'_>,
    mut dims: &'a [u64],
    numbers: &'a mut [u64],
    values: &mut [u64],
) -> Result<(), Violation> {
    if !source.products.is_empty() {
        if let Err(product) = source.numbers(dims, numbers) {
            return Err(Violation::NoProduct { product });
        }
        dims = numbers;
    }
    let (exprs, count) = (source.exprs, source.exprs.len());
    let mut i = 0;
    while i < count {
        values[i] = match exprs[i].eval(dims) {
            Some(v) => v,
            None => return Err(Violation::NoValue { expr: i as u32 }),
        };
        i += 1;
    }
    Ok(())
}
