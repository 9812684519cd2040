use proptest::prelude::*;

use super::*;
use crate::model::{Dim, Site};

fn dims(bounds: &[(u64, u64)]) -> Vec<Dim> {
    let names = ["h", "w", "c"];
    let dim = |(i, &(min, max)): (usize, &(u64, u64))| Dim {
        name: names[i].to_owned(),
        min,
        max,
        product: Vec::new(),
        site: Site(0),
    };
    bounds.iter().enumerate().map(dim).collect()
}

fn points(dims: &[Dim]) -> Vec<Vec<u64>> {
    let mut all = vec![vec![]];
    for d in dims {
        all = all
            .iter()
            .flat_map(|p| (d.min..=d.max).map(|x| [p.as_slice(), &[x]].concat()))
            .collect();
    }
    all
}

fn h() -> Expr {
    Expr::dim(0)
}

fn n(value: i64) -> Expr {
    Expr::constant(value)
}

#[test]
fn equal_expressions_have_one_form() {
    assert_eq!(h().add(&h()), h().scale(2));
    assert_eq!(h().sub(&h()), Some(n(0)));
    assert_eq!(h().scale(0), Some(n(0)));
    assert_eq!(h().scale(4).unwrap().floor_div(2), h().scale(2));
    // (5 * h + 9) / 3 = h + (2 * h) / 3 + 3
    let a = h()
        .scale(5)
        .unwrap()
        .add(&n(9))
        .unwrap()
        .floor_div(3)
        .unwrap();
    let b = h()
        .scale(2)
        .unwrap()
        .floor_div(3)
        .unwrap()
        .add(&h())
        .unwrap()
        .add(&n(3))
        .unwrap();
    assert_eq!(a, b);
    // (h / 2) / 3 = h / 6
    assert_eq!(h().floor_div(2).unwrap().floor_div(3), h().floor_div(6));
    // (2 * h + 3) / 4 = (h + 1) / 2
    let a = h().scale(2).unwrap().add(&n(3)).unwrap().floor_div(4);
    assert_eq!(a, h().add(&n(1)).unwrap().floor_div(2));
    // (h - h / 2) / 2 = (h + 1) / 4
    let a = h().sub(&h().floor_div(2).unwrap()).unwrap().floor_div(2);
    assert_eq!(a, h().add(&n(1)).unwrap().floor_div(4));
}

#[test]
fn what_one_fraction_cannot_say_is_refused() {
    let w = Expr::dim(1);
    assert_eq!(h().add(&w).unwrap().floor_div(2), None);
    assert_eq!(h().mul(&w), None);
    assert_eq!(h().floor_div(0), None);
    assert_eq!(h().floor_div(-2), None);
    let whole = h().scale(2).unwrap().add(&w).unwrap().floor_div(2).unwrap();
    assert_eq!(whole, h().add(&w.floor_div(2).unwrap()).unwrap());
}

#[test]
fn overflow_is_refused() {
    assert_eq!(n(i64::MAX).add(&n(1)), None);
    assert_eq!(n(i64::MIN).scale(-1), None);
    assert_eq!(n(0).sub(&n(i64::MIN)), None);
    assert_eq!(h().scale(i64::MAX).unwrap().scale(2), None);
    assert_eq!(n(i64::MIN).floor_div(i64::MAX), Some(n(-2)));
}

#[test]
fn equality_beyond_the_form_is_decided_over_the_box() {
    let d = dims(&[(16, 8192)]);
    let up = h().add(&n(1)).unwrap().floor_div(2).unwrap();
    let down = h().sub(&h().floor_div(2).unwrap()).unwrap();
    assert_ne!(up, down);
    assert!(up.always_eq(&down, &d));
    assert!(!up.always_eq(&h().floor_div(2).unwrap(), &d));
}

#[test]
fn a_dim_that_is_not_declared_may_be_anything() {
    assert_eq!(h().range_over(&[]), (0, i128::from(u64::MAX)));
    assert_eq!(h().eval(&[]), None);
}

#[test]
fn bounds_stay_sound_where_the_period_is_absurd() {
    // h / 99991 - h / 99989
    let e = h()
        .floor_div(99_991)
        .unwrap()
        .sub(&h().floor_div(99_989).unwrap())
        .unwrap();
    let d = dims(&[(0, 1_000_000)]);
    let (min, max) = e.range_over(&d);
    assert!((-2..=-1).contains(&min), "{min}");
    assert!((0..=1).contains(&max), "{max}");
    let far = dims(&[(0, u64::MAX)]);
    let big = h().scale(i64::MAX).unwrap();
    assert_eq!(
        big.max_over(&far),
        i128::from(i64::MAX) * i128::from(u64::MAX)
    );
    let two = big.add(&Expr::dim(1).scale(i64::MAX).unwrap()).unwrap();
    assert_eq!(
        two.max_over(&dims(&[(0, u64::MAX), (0, u64::MAX)])),
        i128::MAX
    );
}

#[test]
fn the_least_value_that_is_said_of_a_product_is_one_that_dims_give() {
    let mut d = dims(&[(1, 64), (1, 8)]);
    let area = h().times(&Expr::dim(1), &mut d, Site(0)).unwrap();
    let seen = |e: &Expr, d: &[Dim]| (e.min_over(d), e.least_seen(d));
    // Its parts alone could be -63: the rows of a product are no fewer than those of its factor.
    let rest = area.sub(&h()).unwrap();
    assert_eq!(seen(&rest, &d), (0, Some(0)));
    let less = rest.sub(&n(1)).unwrap();
    assert_eq!(seen(&less, &d), (-1, Some(-1)));
    // Without a product it is exact.
    assert_eq!(seen(&h().sub(&n(2)).unwrap(), &d), (-1, Some(-1)));
}

#[test]
fn text_is_what_a_user_would_write() {
    let d = dims(&[(1, 9), (1, 9)]);
    let w = Expr::dim(1);
    let show = |e: Option<Expr>| e.unwrap().display(&d).to_string();
    assert_eq!(show(h().floor_div(2).unwrap().add(&n(1))), "h / 2 + 1");
    assert_eq!(show(h().add(&n(3)).unwrap().floor_div(4)), "(h + 3) / 4");
    assert_eq!(
        show(h().scale(3).unwrap().floor_div(4).unwrap().scale(2)),
        "2 * (3 * h / 4)"
    );
    assert_eq!(show(n(7).sub(&h())), "7 - h");
    assert_eq!(show(h().scale(-2)), "-2 * h");
    assert_eq!(show(h().scale(-2).unwrap().sub(&n(3))), "-2 * h - 3");
    assert_eq!(show(w.sub(&h()).unwrap().sub(&n(5))), "w - h - 5");
    assert_eq!(show(Some(n(-4))), "-4");
    assert_eq!(show(Some(n(0))), "0");
    assert_eq!(Expr::dim(7).display(&d).to_string(), "dim7");
}

/// What an expression was built from, evaluated apart from the form.
#[derive(Clone, Debug)]
enum Tree {
    Constant(i64),
    Dim(u16),
    Add(Box<Tree>, Box<Tree>),
    Sub(Box<Tree>, Box<Tree>),
    Scale(Box<Tree>, i64),
    Div(Box<Tree>, i64),
}

impl Tree {
    fn expr(&self) -> Option<Expr> {
        match self {
            Tree::Constant(c) => Some(n(*c)),
            Tree::Dim(d) => Some(Expr::dim(*d)),
            Tree::Add(a, b) => a.expr()?.add(&b.expr()?),
            Tree::Sub(a, b) => a.expr()?.sub(&b.expr()?),
            Tree::Scale(a, k) => a.expr()?.scale(*k),
            Tree::Div(a, k) => a.expr()?.floor_div(*k),
        }
    }

    fn value(&self, dims: &[u64]) -> i128 {
        match self {
            Tree::Constant(c) => i128::from(*c),
            Tree::Dim(d) => i128::from(dims[usize::from(*d)]),
            Tree::Add(a, b) => a.value(dims) + b.value(dims),
            Tree::Sub(a, b) => a.value(dims) - b.value(dims),
            Tree::Scale(a, k) => a.value(dims) * i128::from(*k),
            Tree::Div(a, k) => a.value(dims).div_euclid(i128::from(*k)),
        }
    }
}

fn tree() -> impl Strategy<Value = Tree> {
    let leaf = prop_oneof![
        (-20i64..20).prop_map(Tree::Constant),
        (0u16..2).prop_map(Tree::Dim)
    ];
    leaf.prop_recursive(5, 24, 2, |inner| {
        let pair = (inner.clone(), inner.clone());
        let boxed = |(a, b): (Tree, Tree)| (Box::new(a), Box::new(b));
        prop_oneof![
            pair.clone().prop_map(move |p| {
                let (a, b) = boxed(p);
                Tree::Add(a, b)
            }),
            pair.prop_map(move |p| {
                let (a, b) = boxed(p);
                Tree::Sub(a, b)
            }),
            (inner.clone(), -5i64..6).prop_map(|(a, k)| Tree::Scale(Box::new(a), k)),
            (inner, 1i64..7).prop_map(|(a, k)| Tree::Div(Box::new(a), k)),
        ]
    })
}

fn bounds() -> impl Strategy<Value = Vec<(u64, u64)>> {
    proptest::collection::vec((0u64..40, 0u64..30).prop_map(|(a, b)| (a, a + b)), 2)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1024, ..ProptestConfig::default() })]

    #[test]
    fn the_form_keeps_the_value(tree in tree(), h in 0u64..200, w in 0u64..200) {
        if let Some(e) = tree.expr() {
            prop_assert_eq!(e.eval(&[h, w]), Some(tree.value(&[h, w])));
        }
    }

    #[test]
    fn the_form_is_canonical(tree in tree()) {
        if let Some(e) = tree.expr() {
            for t in e.terms() {
                prop_assert!(t.scale != 0);
                let proper = 0 < t.mul && t.mul < t.div && 0 <= t.add && t.add < t.div
                    && gcd(t.mul.into(), t.div.into()) == 1;
                prop_assert!(proper || (t.mul, t.add, t.div) == (1, 0, 1), "{:?}", t);
            }
            prop_assert!(e.terms().windows(2).all(|p| p[0].shape() < p[1].shape()));
        }
    }

    #[test]
    fn bounds_are_exact(tree in tree(), bounds in bounds()) {
        let d = dims(&bounds);
        if let Some(e) = tree.expr() {
            let values: Vec<_> = points(&d).iter().map(|p| tree.value(p)).collect();
            prop_assert_eq!(e.min_over(&d), *values.iter().min().unwrap());
            prop_assert_eq!(e.max_over(&d), *values.iter().max().unwrap());
        }
    }

    #[test]
    fn order_and_equality_are_decided(a in tree(), b in tree(), bounds in bounds()) {
        let d = dims(&bounds);
        if let (Some(x), Some(y)) = (a.expr(), b.expr()) {
            let all = points(&d);
            prop_assert_eq!(x.always_le(&y, &d), all.iter().all(|p| a.value(p) <= b.value(p)));
            prop_assert_eq!(x.always_eq(&y, &d), all.iter().all(|p| a.value(p) == b.value(p)));
        }
    }

    #[test]
    fn substitution_is_evaluation(e in tree(), a in tree(), b in tree(), h in 0u64..60, w in 0u64..60) {
        let parts = (e.expr(), a.expr(), b.expr());
        if let (Some(x), Some(p), Some(q)) = parts
            && let Some(s) = x.substitute(&[p, q])
        {
            // Dims are natural numbers; a tree may be negative, so evaluate it by hand.
            let at = [a.value(&[h, w]), b.value(&[h, w])];
            if let [Ok(i), Ok(j)] = at.map(u64::try_from) {
                prop_assert_eq!(s.eval(&[h, w]), Some(e.value(&[i, j])));
            }
        }
    }

    #[test]
    fn brackets_are_sound(
        scales in proptest::collection::vec((-4i64..5, 1i64..50, 0i64..50, 1i64..50), 1..4),
        bound in (0u64..60, 0u64..200),
    ) {
        let d = dims(&[(bound.0, bound.0 + bound.1)]);
        let mut e = n(0);
        for (scale, mul, add, div) in scales {
            let t = Expr::from_term(scale.into(), 0, mul.into(), add.into(), div.into()).unwrap();
            e = e.add(&t).unwrap();
        }
        bracketed(&e, &d)?;
    }

    #[test]
    fn brackets_of_differences_are_sound(
        (scale, div) in (1i64..4, 2i64..30),
        (a, b) in ((0i64..30, 0i64..30), (0i64..30, 0i64..30)),
        bound in (0u64..60, 0u64..200),
    ) {
        let d = dims(&[(bound.0, bound.0 + bound.1)]);
        let part = |(mul, add): (i64, i64), scale: i64| {
            Expr::from_term(scale.into(), 0, mul.into(), add.into(), div.into()).unwrap()
        };
        bracketed(&part(a, scale).add(&part(b, -scale)).unwrap(), &d)?;
    }
}

fn bracketed(e: &Expr, d: &[Dim]) -> Result<(), TestCaseError> {
    let values: Vec<_> = points(d).iter().map(|p| e.eval(p).unwrap()).collect();
    let exact = (*values.iter().min().unwrap(), *values.iter().max().unwrap());
    let (min, max) = e.bracket_over(d);
    prop_assert!(
        min <= exact.0 && exact.1 <= max,
        "{:?} in {:?}",
        exact,
        (min, max)
    );
    prop_assert_eq!(e.range_over(d), exact);
    Ok(())
}

#[test]
fn the_bounds_of_bands_are_ordered_without_looking_at_points() {
    let d = dims(&[(16, 8192)]);
    let cut = |i: i64| h().scale(i).unwrap().floor_div(5000).unwrap();
    for i in [0, 1, 2499, 4998] {
        let step = cut(i + 1).sub(&cut(i)).unwrap();
        let (min, max) = step.bracket_over(&d);
        assert!(min == 0 && max <= 2, "band {i}: {min} to {max}");
        assert!(cut(i).always_le(&cut(i + 1), &d));
        assert!(!cut(i + 1).always_le(&cut(i), &d));
    }
}
