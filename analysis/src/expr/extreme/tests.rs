use proptest::prelude::*;

use super::super::product::tests::{dim, dims, n};
use super::super::{product, values};
use super::*;
use crate::model::Site;

/// `top - expr`
fn less(top: i64, expr: &Expr) -> Expr {
    n(top).sub(expr).unwrap()
}

/// The smallest and the largest value of `of`, at all values of the declared dims.
fn tried(dims: &[Dim], of: impl Fn(&[u64]) -> i128) -> (i128, i128) {
    let mut all = vec![vec![]];
    for d in dims.iter().filter(|d| d.is_declared()) {
        let more = |p: &Vec<u64>| -> Vec<Vec<u64>> {
            let values = (d.min..=d.max).map(|x| [&p[..], &[x]].concat());
            values.collect()
        };
        all = all.iter().flat_map(more).collect();
    }
    let all = all.iter().map(|given| of(&values(dims, given).unwrap()));
    all.fold((i128::MAX, i128::MIN), |(lo, hi), v| (lo.min(v), hi.max(v)))
}

#[test]
fn a_product_of_what_grows_and_what_falls_is_largest_between() {
    let mut all = dims(&[(1, 1_000_000)]);
    let rest = less(1_000_001, &dim(0));
    let area = dim(0).times(&rest, &mut all, Site(0)).unwrap();
    assert_eq!(area.range_over(&all), (1_000_000, 500_000 * 500_001));
    assert_eq!((all[1].min, all[1].max), (1_000_000, 500_000 * 500_001));
    let found = largest_product(&[dim(0), rest, n(4)], &all);
    assert_eq!(
        (found.bound, found.seen),
        (1_000_002_000_000, Some(1_000_002_000_000))
    );
    assert!(found.at == [(0, 500_000)] || found.at == [(0, 500_001)]);
}

#[test]
fn a_difference_of_products_that_share_dims_is_exact() {
    let mut all = dims(&[(300, 400), (990, 1000)]);
    let mut times = |a: &Expr, b: &Expr| a.times(b, &mut all, Site(0)).unwrap();
    let (area, half) = (
        times(&dim(0), &dim(1)),
        times(&dim(0).floor_div(2).unwrap(), &dim(1)),
    );
    let square = times(&dim(0), &dim(0));
    let some = [
        (area.sub(&half).unwrap(), (148_500, 200_000)),
        (
            area.sub(&dim(1).scale(200).unwrap()).unwrap(),
            (99_000, 200_000),
        ),
        (square.sub(&dim(0)).unwrap(), (300 * 299, 400 * 399)),
    ];
    for (of, range) in some {
        assert_eq!(of.range_over(&all), range, "{}", of.display(&all));
        assert_eq!((of.min_over(&all), of.max_over(&all)), range);
    }
}

#[test]
fn a_search_that_ends_gives_a_bound_and_no_place() {
    // Of remainders by large primes, nothing but looking at all values tells the largest.
    let mut all = dims(&[(1, 1 << 40)]);
    let remainder = |by: i64| {
        let whole = dim(0).floor_div(by).unwrap();
        dim(0).sub(&whole.scale(by).unwrap()).unwrap()
    };
    let (a, b) = (remainder(99_991), less(99_988, &remainder(99_989)));
    let sum = a.times(&b, &mut all, Site(0)).unwrap();
    let found = sum.largest(&all);
    let at = values(&all, &[found.at[0].1]).unwrap();
    assert_eq!(found.seen, sum.eval(&at));
    assert!(found.seen < Some(found.bound), "{found:?}");
    assert!(sum.max_over(&all) >= found.seen.unwrap());
}

#[test]
fn what_may_leave_64_bits_has_no_bound() {
    let all = dims(&[(0, u64::MAX)]);
    let found = largest_product(&[dim(0), dim(0), dim(0)], &all);
    assert_eq!((found.bound, found.seen), (i128::MAX, None));
}

/// Natural within the bounds: a fraction of a dim, or what is missing to its largest value.
fn factor() -> impl Strategy<Value = Expr> {
    let leaf = (0u16..3, 1i64..4, 0i64..3, 1i64..3, any::<bool>());
    leaf.prop_map(|(d, div, add, scale, falls)| {
        let fraction = dim(d).add(&n(add)).unwrap().floor_div(div).unwrap();
        let fraction = fraction.scale(scale).unwrap();
        match falls {
            true => less(scale * ((9 + add) / div), &fraction),
            false => fraction,
        }
    })
}

fn bounds() -> impl Strategy<Value = Vec<(u64, u64)>> {
    let bounds = (0u64..5, 0u64..5).prop_map(|(min, more)| (min, min + more));
    proptest::collection::vec(bounds, 3)
}

fn factors() -> impl Strategy<Value = Vec<Expr>> {
    proptest::collection::vec(factor(), 1..4)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1024))]

    /// Of boxes that are small enough to be looked at whole.
    #[test]
    fn extremes_are_those_of_all_values(
        bounds in bounds(),
        parts in proptest::collection::vec((factors(), -3i64..4), 1..4),
        linear in (0u16..3, -9i64..9),
    ) {
        let mut all = dims(&bounds);
        let mut sum = dim(linear.0).scale(linear.1).unwrap();
        for (factors, scale) in &parts {
            let part = product(factors, &mut all, Site(0)).unwrap();
            sum = sum.add(&part.scale(*scale).unwrap()).unwrap();
        }
        let range = tried(&all, |point| sum.eval(point).unwrap());
        prop_assert_eq!(sum.range_over(&all), range);
        prop_assert_eq!((sum.min_over(&all), sum.max_over(&all)), range);
        let dims = all.clone();
        for (i, dim) in all.iter().enumerate().filter(|(_, d)| !d.is_declared()) {
            let (least, most) = tried(&dims, |point| point[i].into());
            prop_assert_eq!((i128::from(dim.min), i128::from(dim.max)), (least, most));
        }
        let (factors, _) = &parts[0];
        let value = |point: &[u64]| factors.iter().map(|f| f.eval(point).unwrap()).product();
        let found = largest_product(factors, &all);
        prop_assert_eq!(found.bound, tried(&all, value).1);
        let mut at: Vec<u64> = bounds.iter().map(|b| b.0).collect();
        for (dim, value) in found.at {
            at[usize::from(dim)] = value;
        }
        prop_assert_eq!(found.bound, value(&values(&all, &at).unwrap()));
    }
}
