//! Which values of a kernel's dims a call that does not bind is most likely meant with.
//!
//! A dim gets its value from the first tensor that has it alone. Where that one is declared wrongly,
//! others that agree with each other would seem to be wrong. So of all values that tensors of the
//! call give, those are taken with which the fewest declarations are wrong, the first before others.

use std::collections::BTreeSet;

use super::bind::{Binder, DimValue, Use};
use crate::expr::Expr;
use crate::model::ResourceId;

/// Readings that are weighed, at most.
const READINGS: usize = 256;

impl Binder<'_> {
    /// Takes the values of dims with which the fewest declarations are wrong.
    pub(super) fn reread(&mut self) {
        let wrong = self.wrong(&self.values);
        if wrong < 2 {
            return;
        }
        let given: Vec<_> = (0..self.values.len()).map(|dim| self.given(dim)).collect();
        let count = given.iter().try_fold(1usize, |all, some| {
            let all = all.checked_mul(some.len().max(1))?;
            (all <= READINGS).then_some(all)
        });
        let readings = (1..count.unwrap_or(1)).map(|number| reading(&given, number));
        let judged = readings.map(|values| (self.wrong(&values), values));
        let best = judged.min_by_key(|(wrong, _)| *wrong);
        if let Some((_, values)) = best.filter(|(fewest, _)| *fewest < wrong) {
            self.values = values;
        }
    }

    /// The values that tensors give `dim`, each once, beginning with the one that it has.
    fn given(&self, dim: usize) -> Vec<DimValue> {
        let mut given: Vec<DimValue> = self.values[dim].iter().cloned().collect();
        for u in &self.uses {
            let pairs = u.tensor.shape.iter().zip(u.shape.iter().flatten());
            for (extent, value) in pairs {
                let is = extent.as_dim().map(usize::from) == Some(dim);
                let known = |of: &DimValue| of.value.always_eq(value, self.dims);
                if is && !given.iter().any(known) {
                    let (value, site) = (value.clone(), u.access.site);
                    given.push(DimValue { value, site });
                }
            }
        }
        given
    }

    /// How many resources would have to be declared otherwise.
    fn wrong(&self, values: &[Option<DimValue>]) -> usize {
        let plain: Vec<Option<Expr>> = values
            .iter()
            .map(|v| v.as_ref().map(|v| v.value.clone()))
            .collect();
        let differs = |u: &&Use<'_>| {
            let mut pairs = u.tensor.shape.iter().zip(u.shape.iter().flatten());
            pairs.any(|(extent, found)| {
                let wanted = self.at(extent, &plain);
                wanted.is_some_and(|wanted| !wanted.always_eq(found, self.dims))
            })
        };
        let wrong = self.uses.iter().filter(differs);
        let wrong: BTreeSet<ResourceId> = wrong.map(|u| u.access.resource).collect();
        wrong.len()
    }

    /// `extent` with `values`; `None` where one of its dims has none, or it cannot be said.
    fn at(&self, extent: &Expr, values: &[Option<Expr>]) -> Option<Expr> {
        let has = |dim: u16| values.get(usize::from(dim)).is_some_and(Option::is_some);
        let bound = extent.terms().iter().all(|term| has(term.dim));
        let zero = || Expr::constant(0);
        let values: Vec<_> = values
            .iter()
            .map(|v| v.clone().unwrap_or_else(zero))
            .collect();
        bound.then(|| extent.substitute(&values)).flatten()
    }
}

/// The combination of that number, of one value for each dim.
fn reading(given: &[Vec<DimValue>], mut number: usize) -> Vec<Option<DimValue>> {
    let one = |some: &Vec<DimValue>| {
        let at = number % some.len().max(1);
        number /= some.len().max(1);
        some.get(at).cloned()
    };
    given.iter().map(one).collect()
}
