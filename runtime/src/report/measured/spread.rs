//! What several observations of one thing say of it.

use serde::{Deserialize, Serialize};

/// Observations of which some two ranks say with 95 % where the median lies: so many at least.
pub(super) const FEWEST: u64 = 6;

/// The observations of one figure: the least, the most, the median, and what is uncertain of the
/// median.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct Spread {
    /// The smallest.
    pub least: u64,
    /// The median of what is observed lies between this and [`high`](Self::high) with 95 %, whatever
    /// the distribution is; none where there are fewer than six observations, of which no two ranks
    /// say so much.
    #[serde(deserialize_with = "Option::deserialize")]
    pub low: Option<u64>,
    /// The median of what was observed.
    pub median: u64,
    /// See [`low`](Self::low).
    #[serde(deserialize_with = "Option::deserialize")]
    pub high: Option<u64>,
    /// The largest.
    pub most: u64,
}

impl Spread {
    /// What `seen` says, in any order; none where that is nothing.
    ///
    /// ```
    /// use gpu_graph_runtime::report::Spread;
    /// let few = Spread::of(vec![9, 5, 7]).unwrap();
    /// assert_eq!((few.least, few.median, few.most, few.low), (5, 7, 9, None));
    /// let more = Spread::of((0..100).collect()).unwrap();
    /// assert_eq!((more.low, more.high), (Some(39), Some(60)));
    /// ```
    pub fn of(mut seen: Vec<u64>) -> Option<Self> {
        seen.sort_unstable();
        let (&least, &most) = (seen.first()?, seen.last()?);
        let (below, above) = (seen[(seen.len() - 1) / 2], seen[seen.len() / 2]);
        let ends = rank(seen.len()).map(|rank| (seen[rank], seen[seen.len() - 1 - rank]));
        Some(Self {
            least,
            low: ends.map(|ends| ends.0),
            median: below + (above - below) / 2,
            high: ends.map(|ends| ends.1),
            most,
        })
    }

    /// What observations say of which each is known to lie between one of `least` and the one of `most`
    /// at its place; none where that is nothing.
    pub(super) fn between(least: Vec<u64>, most: Vec<u64>) -> Option<Self> {
        let (below, above) = (Self::of(least)?, Self::of(most)?);
        Some(Self {
            least: below.least,
            low: below.low,
            median: below.median + (above.median - below.median) / 2,
            high: above.high,
            most: above.most,
        })
    }
}

/// The rank, from 0, from both ends between which the median lies with at least 95 %.
///
/// Of `n` observations as many are below the median as heads fall in `n` throws of a coin. That no
/// more than `rank` are has a chance of at most 2.5 %, and so has the other end (the sign test).
fn rank(n: usize) -> Option<usize> {
    /// Up to here the smallest term of the sum is a number that a float can hold.
    const EXACT: usize = 1000;
    if n > EXACT {
        let n = n as f64;
        return Some((n / 2.0 - 0.98 * n.sqrt() - 0.5) as usize);
    }
    let mut term = 0.5f64.powi(n as i32);
    let (mut sum, mut found) = (0.0, None);
    for rank in 0..n {
        sum += term;
        if sum > 0.025 {
            break;
        }
        found = Some(rank);
        term *= (n - rank) as f64 / (rank + 1) as f64;
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_known_within_bounds_is_as_uncertain_as_both() {
        let (least, most) = ((10..20).collect(), (10..20).map(|n| n + 5).collect());
        let found = Spread::between(least, most).unwrap();
        let seen = (found.least, found.low, found.median, found.high, found.most);
        assert_eq!(seen, (10, Some(11), 16, Some(23), 24));
        let same = Spread::between(vec![3, 1, 2], vec![3, 1, 2]);
        assert_eq!(same, Spread::of(vec![1, 2, 3]));
    }

    /// From tables of the sign test: Conover, Practical Nonparametric Statistics.
    #[test]
    fn ranks_are_those_of_the_sign_test() {
        let known = [
            (FEWEST as usize - 1, None),
            (FEWEST as usize, Some(0)),
            (8, Some(0)),
            (9, Some(1)),
            (20, Some(5)),
            (50, Some(17)),
        ];
        for (n, found) in known {
            assert_eq!(rank(n), found, "{n}");
        }
    }

    #[test]
    fn the_approximation_goes_on_where_the_sum_ends() {
        let exact = rank(1000).unwrap();
        let near = rank(1001).unwrap();
        assert!(near.abs_diff(exact) <= 1, "{exact} {near}");
    }

    #[test]
    fn nothing_says_nothing_and_one_says_itself() {
        assert_eq!(Spread::of(Vec::new()), None);
        let one = Spread::of(vec![u64::MAX]).unwrap();
        assert_eq!(
            (one.least, one.median, one.most),
            (u64::MAX, u64::MAX, u64::MAX)
        );
        assert_eq!(Spread::of(vec![2, 5]).unwrap().median, 3);
    }
}
