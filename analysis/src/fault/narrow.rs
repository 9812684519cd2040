//! Mends that give one dim other bounds.

use super::{Edit, Fix, Part, raw};
use crate::expr::{Expr, rebound};
use crate::model::{Dim, Site};

/// One dim of `exprs` with a larger smallest value, or else with a smaller largest one, so that
/// `holds`: the bounds that differ the least, as far as each step towards them helps.
pub(crate) fn narrowed(
    exprs: &[&Expr],
    dims: &[Dim],
    holds: impl Fn(&[Dim]) -> bool,
) -> Option<Fix> {
    let dim = |i: &usize| depends(exprs, dims, *i);
    let ways = [true, false].into_iter();
    ways.flat_map(|raise| (0..dims.len()).filter(dim).map(move |i| (raise, i)))
        .find_map(|(raise, i)| {
            let with = |value: u64| {
                let mut dims = dims.to_vec();
                match raise {
                    true => dims[i].min = value,
                    false => dims[i].max = value,
                }
                rebound(&mut dims);
                dims
            };
            let Dim { min, max, .. } = dims[i];
            let (mut bad, mut good) = if raise { (min, max) } else { (max, min) };
            // A dim with one value is no dim.
            good = if raise {
                good.checked_sub(1)?
            } else {
                good + 1
            };
            if min.abs_diff(max) < 2 || !holds(&with(good)) {
                return None;
            }
            while bad.abs_diff(good) > 1 {
                let middle = bad.midpoint(good);
                match holds(&with(middle)) {
                    true => good = middle,
                    false => bad = middle,
                }
            }
            Some(declared(&with(good)[i]))
        })
}

/// One dim of `exprs` with a larger largest value, so that `holds`.
pub(crate) fn widened(
    exprs: &[&Expr],
    dims: &[Dim],
    holds: impl Fn(&[Dim]) -> bool,
) -> Option<Fix> {
    let dim = |i: &usize| depends(exprs, dims, *i);
    (0..dims.len()).filter(dim).find_map(|i| {
        let mut dims = dims.to_vec();
        dims[i].max = dims[i].max.saturating_mul(2).max(8192);
        rebound(&mut dims);
        holds(&dims).then(|| declared(&dims[i]))
    })
}

/// Dim `i` is declared, and some of `exprs` is over it or over a product that is.
pub(crate) fn depends(exprs: &[&Expr], dims: &[Dim], i: usize) -> bool {
    let is_over = |product: &Dim| depends(&product.product.iter().collect::<Vec<_>>(), dims, i);
    let mut terms = exprs.iter().flat_map(|e| e.terms());
    dims[i].is_declared()
        && terms.any(|term| {
            let dim = usize::from(term.dim);
            dim == i || dims.get(dim).is_some_and(is_over)
        })
}

/// What gives one dim the bounds that both of `fixes` give it, where each of them gives bounds to
/// that dim and does nothing else.
pub fn joined(fixes: [&Fix; 2]) -> Option<Fix> {
    let [
        Some((at, name, min, max)),
        Some((other, other_name, from, to)),
    ] = fixes.map(bounds)
    else {
        return None;
    };
    let (min, max) = (min.max(from), max.min(to));
    (at == other && name == other_name && min < max).then(|| bounded(at, name, min, max))
}

/// What [`bounded`] gives: which dim, and which bounds.
pub(crate) fn bounds(fix: &Fix) -> Option<(Site, &str, u64, u64)> {
    let [edit] = &fix.edits[..] else {
        return None;
    };
    let range = edit.text().strip_prefix("dim ")?.strip_suffix(';')?;
    let (name, range) = range.split_once(" in ")?;
    let (min, max) = range.split_once("..=")?;
    Some((edit.at, name, min.parse().ok()?, max.parse().ok()?))
}

/// The dim as its statement would declare it.
pub(crate) fn declared(dim: &Dim) -> Fix {
    bounded(dim.site, &raw(&dim.name), dim.min, dim.max)
}

fn bounded(at: Site, name: &str, min: u64, max: u64) -> Fix {
    let text = format!("dim {name} in {min}..={max};");
    Fix::new("write `{}`", [Edit::replace(at, text).of(Part::Statement)])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn dim(min: u64, max: u64) -> Dim {
        let name = "n".into();
        Dim {
            name,
            min,
            max,
            product: Vec::new(),
            site: Site(0),
        }
    }

    #[test]
    fn the_bound_that_differs_the_least_is_found() {
        let (n, dims) = (Expr::dim(0), [dim(1, 1000)]);
        let text = |holds: &dyn Fn(&Dim) -> bool| {
            narrowed(&[&n], &dims, |dims| holds(&dims[0])).map(|fix| fix.text)
        };
        let raised = text(&|d| d.min >= 17);
        assert_eq!(raised.as_deref(), Some("write `dim n in 17..=1000;`"));
        let lowered = text(&|d| d.max <= 17);
        assert_eq!(lowered.as_deref(), Some("write `dim n in 1..=17;`"));
        assert_eq!(text(&|_| false), None);
        assert_eq!(narrowed(&[], &dims, |_| true), None);
    }

    #[test]
    fn bounds_that_are_needed_together_are_one() {
        let fix = |site, min, max| bounded(Site(site), "n", min, max);
        let both = joined([&fix(0, 2, 1000), &fix(0, 4, 900)]);
        assert_eq!(both, Some(fix(0, 4, 900)));
        assert_eq!(joined([&fix(0, 2, 9), &fix(1, 4, 9)]), None);
        assert_eq!(joined([&fix(0, 2, 4), &fix(0, 4, 9)]), None);
        let other = Fix::new("write `{}`", [Edit::replace(Site(0), "dims")]);
        assert_eq!(joined([&fix(0, 2, 9), &other]), None);
    }
}
