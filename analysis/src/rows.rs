//! What can be proved of row ranges.

use crate::expr::Expr;
use crate::model::{Dim, Rows};

impl Rows {
    /// First row and first row beyond, where `extent` is the resource's first extent.
    pub fn bounds(&self, extent: &Expr) -> (Expr, Expr) {
        match self {
            Rows::All => (Expr::constant(0), extent.clone()),
            Rows::Span(lo, hi) => (lo.clone(), hi.clone()),
        }
    }

    /// Whether it is all of a resource of `extent` rows for all admitted dims.
    pub fn is_all(&self, extent: &Expr, dims: &[Dim]) -> bool {
        match self {
            Rows::All => true,
            Rows::Span(lo, hi) => {
                lo.always_eq(&Expr::constant(0), dims) && hi.always_eq(extent, dims)
            }
        }
    }

    /// Whether it has no row for any admitted dims.
    pub fn is_empty(&self, extent: &Expr, dims: &[Dim]) -> bool {
        match self {
            Rows::All => extent.always_le(&Expr::constant(0), dims),
            Rows::Span(lo, hi) => hi.always_le(lo, dims),
        }
    }

    /// Whether the two share no row for all admitted dims. `false` where that cannot be shown.
    pub fn disjoint(&self, other: &Self, extent: &Expr, dims: &[Dim]) -> bool {
        if let (Rows::Span(a, b), Rows::Span(c, d)) = (self, other)
            && (b.always_le(c, dims) || d.always_le(a, dims))
        {
            return true;
        }
        self.is_empty(extent, dims) || other.is_empty(extent, dims)
    }

    /// Whether every row of `other` is a row of `self` for all admitted dims. `false` where that
    /// cannot be shown. Both lie within the resource.
    pub fn covers(&self, other: &Self, extent: &Expr, dims: &[Dim]) -> bool {
        match (self, other) {
            (Rows::All, _) => true,
            (Rows::Span(a, b), Rows::Span(c, d)) => {
                (a.always_le(c, dims) && d.always_le(b, dims)) || d.always_le(c, dims)
            }
            (Rows::Span(..), Rows::All) => {
                self.is_all(extent, dims) || other.is_empty(extent, dims)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Site;

    fn dims() -> Vec<Dim> {
        vec![Dim {
            name: "h".to_owned(),
            min: 16,
            max: 64,
            product: Vec::new(),
            site: Site(0),
        }]
    }

    fn half() -> Expr {
        Expr::dim(0).floor_div(2).unwrap()
    }

    fn span(lo: Expr, hi: Expr) -> Rows {
        Rows::Span(lo, hi)
    }

    #[test]
    fn halves_are_disjoint_and_halves_with_a_halo_are_not() {
        let (d, h) = (dims(), Expr::dim(0));
        let upper = span(Expr::constant(0), half());
        let lower = span(half(), h.clone());
        assert!(upper.disjoint(&lower, &h, &d));
        assert!(lower.disjoint(&upper, &h, &d));
        let halo = span(half().sub(&Expr::constant(1)).unwrap(), h.clone());
        assert!(!upper.disjoint(&halo, &h, &d));
        assert!(!upper.disjoint(&Rows::All, &h, &d));
    }

    #[test]
    fn an_empty_range_is_disjoint_from_all_and_covered_by_all() {
        let (d, h) = (dims(), Expr::dim(0));
        let none = span(half(), half());
        assert!(none.disjoint(&Rows::All, &h, &d));
        assert!(span(Expr::constant(0), Expr::constant(1)).covers(&none, &h, &d));
    }

    #[test]
    fn a_range_covers_what_lies_within_it() {
        let (d, h) = (dims(), Expr::dim(0));
        let upper = span(Expr::constant(0), half());
        assert!(Rows::All.covers(&upper, &h, &d));
        assert!(!upper.covers(&Rows::All, &h, &d));
        assert!(span(Expr::constant(0), h.clone()).covers(&Rows::All, &h, &d));
        // 8 <= h / 2 for all h >= 16
        assert!(upper.covers(&span(Expr::constant(0), Expr::constant(8)), &h, &d));
        assert!(!upper.covers(&span(Expr::constant(0), Expr::constant(9)), &h, &d));
    }
}
