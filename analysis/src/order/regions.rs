//! The row ranges that accesses of one resource name, made comparable once.
//!
//! Where all bounds lie in one provable order, each range becomes a run of elementary pieces, and
//! two ranges overlap exactly if they share a piece. Elsewhere pairs are asked one by one.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use crate::expr::{Expr, corner};
use crate::model::{Dim, Resource, Rows};

/// The ranges of one resource.
#[derive(Debug)]
pub(super) enum Regions {
    /// Pieces between consecutive bounds, and the half-open run of pieces of each range.
    Pieces(usize, Vec<(usize, usize)>),
    /// No such order: the ranges as they are.
    Loose(Vec<Rows>),
}

impl Regions {
    /// Prepares `ranges`, all of them of `resource`.
    pub(super) fn new(resource: &Resource, dims: &[Dim], ranges: &[&Rows]) -> Self {
        if ranges.iter().all(|r| matches!(r, Rows::All)) {
            return Self::Pieces(1, vec![(0, 1); ranges.len()]);
        }
        let extent = resource.shape.first().cloned();
        let extent = extent.unwrap_or_else(|| Expr::constant(1));
        match ranks(&extent, dims, ranges) {
            Some(rank) => {
                let pieces = rank.values().max().copied().unwrap_or(0);
                let run = |rows: &&Rows| {
                    let (lo, hi) = rows.bounds(&extent);
                    (rank[&lo], rank[&hi])
                };
                Self::Pieces(pieces, ranges.iter().map(run).collect())
            }
            None => Self::Loose(ranges.iter().map(|&r| r.clone()).collect()),
        }
    }
}

/// Position of each bound in one provable order, or `None` where there is none.
fn ranks(extent: &Expr, dims: &[Dim], ranges: &[&Rows]) -> Option<BTreeMap<Expr, usize>> {
    let (most, least) = (corner(dims, |d| d.max)?, corner(dims, |d| d.min)?);
    let mut bounds = BTreeMap::new();
    for rows in ranges {
        let (lo, hi) = rows.bounds(extent);
        for e in [lo, hi] {
            if let Entry::Vacant(place) = bounds.entry(e) {
                let at = (place.key().eval(&most)?, place.key().eval(&least)?);
                place.insert(at);
            }
        }
    }
    let mut sorted: Vec<(Expr, (i128, i128))> = bounds.into_iter().collect();
    sorted.sort_by(|a, b| (a.1, &a.0).cmp(&(b.1, &b.0)));
    let mut rank = BTreeMap::new();
    let mut at = 0;
    for i in 0..sorted.len() {
        if i > 0 {
            let ((before, low), (here, high)) = (&sorted[i - 1], &sorted[i]);
            if low.1 > high.1 || !before.always_le(here, dims) {
                return None;
            }
            // Equal bounds in different forms are one bound.
            at += usize::from(low != high || !here.always_le(before, dims));
        }
        rank.insert(sorted[i].0.clone(), at);
    }
    Some(rank)
}
