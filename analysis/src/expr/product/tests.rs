use proptest::prelude::*;

use super::super::same_product;
use super::*;

pub(in crate::expr) fn dims(bounds: &[(u64, u64)]) -> Vec<Dim> {
    let named = bounds.iter().zip(["h", "w", "c"]);
    let dim = |(&(min, max), name): (&(u64, u64), &str)| Dim {
        name: name.to_owned(),
        min,
        max,
        product: Vec::new(),
        site: Site(0),
    };
    named.map(dim).collect()
}

pub(in crate::expr) fn n(value: i64) -> Expr {
    Expr::constant(value)
}

pub(in crate::expr) fn dim(index: u16) -> Expr {
    Expr::dim(index)
}

/// Values of all dims, for all values of those that are declared.
fn points(dims: &[Dim]) -> Vec<Vec<u64>> {
    let mut all = vec![vec![]];
    for d in dims.iter().filter(|d| d.is_declared()) {
        let more = |p: &Vec<u64>| -> Vec<Vec<u64>> {
            let values = (d.min..=d.max).map(|x| [&p[..], &[x]].concat());
            values.collect()
        };
        all = all.iter().flat_map(more).collect();
    }
    let all = all.iter().map(|given| values(dims, given).unwrap());
    all.collect()
}

fn at(exprs: &[Expr], point: &[u64]) -> i128 {
    exprs.iter().map(|e| e.eval(point).unwrap()).product()
}

#[test]
fn equal_products_are_one_dim() {
    let mut all = dims(&[(0, 9), (0, 9), (0, 9)]);
    let mut times = |a: &Expr, b: &Expr| a.times(b, &mut all, Site(0)).unwrap();
    let (h, w, c) = (dim(0), dim(1), dim(2));
    let hw = times(&h, &w);
    assert_eq!(times(&w, &h), hw);
    assert_eq!(times(&h.scale(4).unwrap(), &w), hw.scale(4).unwrap());
    assert_eq!(times(&hw, &n(3)), hw.scale(3).unwrap());
    assert_eq!(times(&hw, &n(0)), n(0));
    let hwc = times(&hw, &c);
    let wc = times(&w, &c);
    assert_eq!(times(&h, &wc), hwc);
    // (2 * h + 2) * w is 2 * ((h + 1) * w)
    let more = h.scale(2).unwrap().add(&n(2)).unwrap();
    let one_more = h.add(&n(1)).unwrap();
    assert_eq!(times(&more, &w), times(&one_more, &w).scale(2).unwrap());
    let shown = |e: &Expr| e.display(&all).to_string();
    assert_eq!(shown(&hw.scale(2).unwrap()), "2 * h * w");
    assert_eq!(shown(&hw.floor_div(2).unwrap()), "h * w / 2");
    assert_eq!(all[6].name, "w * (h + 1)");
}

#[test]
fn a_product_has_no_negative_factor_and_fits_64_bits() {
    let mut all = dims(&[(0, 9), (0, u64::MAX >> 1)]);
    let less = dim(0).sub(&n(1)).unwrap();
    let refused = less.times(&dim(1), &mut all, Site(0));
    assert_eq!(refused, Err(NoProduct::Negative(less)));
    let refused = dim(0).times(&dim(1), &mut all, Site(0));
    assert_eq!(refused, Err(NoProduct::Overflow));
    assert_eq!(all.len(), 2);
}

#[test]
fn what_all_terms_have_in_common_decides_nothing() {
    let mut all = dims(&[(2, 9), (0, 9), (1, 9)]);
    let mut product = |exprs: &[Expr]| product(exprs, &mut all, Site(0)).unwrap();
    let (h, w, c) = (dim(0), dim(1), dim(2));
    let half = h.floor_div(2).unwrap();
    let rest = h.sub(&half).unwrap();
    let mut rows = |rows: &Expr| product(&[rows.clone(), w.clone(), c.clone()]);
    let (upper, lower, whole, row) = (rows(&half), rows(&rest), rows(&h), rows(&n(1)));
    let columns = row.add(&h).unwrap();
    let le = |a: &Expr, b: &Expr| a.always_le(b, &all);
    assert!(le(&upper, &whole) && !le(&whole, &upper));
    assert!(le(&upper, &lower) && !le(&lower, &upper));
    assert!(le(&row, &upper) && le(&row.scale(2).unwrap(), &whole));
    assert!(!le(&row.scale(3).unwrap(), &whole));
    // What is less by a number, or by what its bounds say.
    let less = |e: &Expr, by: i64| e.sub(&n(by)).unwrap();
    assert!(le(&less(&row, 1), &upper) && le(&less(&upper, 3), &less(&lower, 2)));
    assert!(!le(&upper, &less(&lower, 1)));
    assert!(le(&less(&columns, 9), &whole) && !le(&columns, &whole));
    assert!(upper.add(&lower).unwrap().always_eq(&whole, &all));
    assert!(!upper.scale(2).unwrap().always_eq(&whole, &all));
    // Not of an odd number of rows.
    assert!(!whole.floor_div(2).unwrap().always_eq(&upper, &all));
}

#[test]
fn a_quotient_is_exact() {
    let mut all = dims(&[(2, 9), (0, 9), (0, 9)]);
    let (h, w, c) = (dim(0), dim(1), dim(2));
    let half = h.floor_div(2).unwrap();
    let mut over = |expr: &Expr, by: &[Expr], over: &[Expr]| {
        quotient(expr, by, over, &mut all, Site(0)).map(|e| e.display(&all).to_string())
    };
    let text = |text: &str| Some(text.to_owned());
    assert_eq!(
        over(&half, &[w.clone(), c.clone()], std::slice::from_ref(&c)),
        text("(h / 2) * w")
    );
    assert_eq!(over(&half, &[n(4)], &[n(2)]), text("2 * (h / 2)"));
    assert_eq!(over(&h, &[], &[n(2)]), None);
    assert_eq!(over(&h, &[], std::slice::from_ref(&w)), None);
    assert_eq!(over(&n(0), &[], std::slice::from_ref(&w)), text("0"));
    // (h * w + 2 * w) / w
    let sum = product(&[h.clone(), w.clone()], &mut all, Site(0)).unwrap();
    let sum = sum.add(&w.scale(2).unwrap()).unwrap();
    let rows = quotient(&sum, &[], &[w], &mut all, Site(0)).unwrap();
    assert_eq!(rows, h.add(&n(2)).unwrap());
}

#[test]
fn bounds_of_products_follow_those_of_dims() {
    let mut all = dims(&[(2, 3), (1, 5)]);
    let area = dim(0).times(&dim(1), &mut all, Site(0)).unwrap();
    assert_eq!(area.range_over(&all), (2, 15));
    all[1].max = 2;
    rebound(&mut all);
    assert_eq!(area.range_over(&all), (2, 6));
    assert_eq!(values(&all, &[3, 2]), Some(vec![3, 2, 6]));
    assert_eq!(values(&all, &[3]), None);
    assert_eq!(values(&all, &[u64::MAX, 2]), None);
}

/// Natural over small dims: a constant, a dim, a fraction, sums of them.
fn factor() -> impl Strategy<Value = Expr> {
    let leaf = (0u16..3, 1i64..4, 0i64..3, 0i64..3);
    leaf.prop_map(|(dim, div, add, scale)| {
        let inner = Expr::dim(dim).add(&n(add)).unwrap();
        let fraction = inner.floor_div(div).unwrap();
        fraction
            .scale(scale)
            .unwrap()
            .add(&n(i64::from(scale == 0) + add))
            .unwrap()
    })
}

fn bounds_of_dims() -> impl Strategy<Value = Vec<(u64, u64)>> {
    let bounds = (0u64..3, 0u64..4).prop_map(|(min, more)| (min, min + more));
    proptest::collection::vec(bounds, 3)
}

fn factors() -> impl Strategy<Value = Vec<Expr>> {
    proptest::collection::vec(factor(), 1..4)
}

proptest! {
    #[test]
    fn a_product_has_the_value_of_its_factors_in_any_order(
        bounds in bounds_of_dims(),
        factors in factors(),
        cut in 0usize..4,
    ) {
        let mut all = dims(&bounds);
        let whole = product(&factors, &mut all, Site(0)).unwrap();
        let (a, b) = factors.split_at(cut.min(factors.len()));
        let [a, b] = [a, b].map(|part| product(part, &mut all, Site(0)).unwrap());
        prop_assert_eq!(&b.times(&a, &mut all, Site(0)).unwrap(), &whole);
        let (min, max) = whole.range_over(&all);
        for point in points(&all) {
            let value = whole.eval(&point).unwrap();
            prop_assert_eq!(value, at(&factors, &point));
            prop_assert!(min <= value && value <= max);
        }
    }

    #[test]
    fn products_that_are_said_to_be_equal_are(
        bounds in bounds_of_dims(),
        a in factors(),
        b in factors(),
        common in factors(),
    ) {
        let all = dims(&bounds);
        let [left, right] = [&a, &b].map(|own| [own, &common[..]].concat());
        if same_product(&left, &right, &all) {
            for point in points(&all) {
                prop_assert_eq!(at(&left, &point), at(&right, &point));
            }
        }
        prop_assert!(same_product(&left, &[&common[..], &a].concat(), &all));
    }

    /// Over a large box two polynomials of this degree are equal only if their forms are.
    #[test]
    fn products_without_floors_that_are_equal_are_said_to_be(
        scales in proptest::collection::vec((0u16..3, 1i64..3, 0i64..2), 4),
        turn in 0usize..4,
    ) {
        let mut all = dims(&[(0, 6), (0, 6), (0, 6)]);
        let of = |(dim, scale, add): (u16, i64, i64)| {
            Expr::dim(dim).scale(scale).unwrap().add(&n(add)).unwrap()
        };
        let list: Vec<Expr> = scales.into_iter().map(of).collect();
        let mut turned = list.clone();
        turned.rotate_left(turn);
        // Multiplied out in part: (a + b) * c is a * c + b * c.
        let parts = [n(list[0].constant_part()), list[0].sub(&n(list[0].constant_part())).unwrap()];
        let parts = parts.map(|part| part.times(&list[1], &mut all, Site(0)).unwrap());
        let sum = parts[0].add(&parts[1]).unwrap();
        let other = [&[sum][..], &list[2..]].concat();
        prop_assert!(same_product(&turned, &other, &all));
        let more = [&other[..], &[n(2)]].concat();
        prop_assert!(!same_product(&turned, &more, &all));
    }

    #[test]
    fn order_and_quotients_hold_at_all_values(
        bounds in bounds_of_dims(),
        a in factors(),
        b in factors(),
        common in factors(),
        apart in 0i64..3,
    ) {
        let mut all = dims(&bounds);
        let mut product = |list: &[Expr]| product(list, &mut all, Site(0)).unwrap();
        let [left, right] = [&a, &b].map(|own| product(&[own, &common[..]].concat()));
        let right = right.add(&n(apart)).unwrap();
        let divided = quotient(&right, &a, &common, &mut all, Site(0));
        let (le, eq) = (left.always_le(&right, &all), left.always_eq(&right, &all));
        for point in points(&all) {
            let [x, y] = [&left, &right].map(|e| e.eval(&point).unwrap());
            prop_assert!(!le || x <= y);
            prop_assert!(!eq || x == y);
            if let Some(divided) = &divided {
                let divided = divided.eval(&point).unwrap();
                prop_assert_eq!(divided * at(&common, &point), y * at(&a, &point));
            }
        }
    }
}
