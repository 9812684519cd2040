//! Mends that give one dim other bounds.

use super::{Edit, Fix, Part, raw};
use crate::expr::{Expr, rebound};
use crate::model::Dim;

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
    dims[i].product.is_empty()
        && terms.any(|term| {
            let dim = usize::from(term.dim);
            dim == i || dims.get(dim).is_some_and(is_over)
        })
}

/// The dim as its statement would declare it.
pub(crate) fn declared(dim: &Dim) -> Fix {
    let name = raw(&dim.name);
    let text = format!("dim {name} in {}..={};", dim.min, dim.max);
    let edit = Edit::replace(dim.site, text).of(Part::Statement);
    Fix::new("write `{}`", [edit])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Site;

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
}
