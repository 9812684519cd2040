//! Orders that are those of intervals, as where one stream runs everything.
//!
//! An order is one of intervals exactly if what comes after each element, as sets, is a chain by
//! inclusion (Fishburn 1970). With `S_0 ⊃ S_1 ⊃ …` the distinct ones, the interval of `x` is over with
//! the set that comes after it, and begins behind the last one that has `x` in it.

use crate::order::bits::BitRows;

/// A half-open interval for each element of `over`, where bit `b` of row `a` says that `a ≺ b`, such
/// that `a ≺ b` exactly if that of `a` is over when that of `b` begins. `None` if there are none.
pub(super) fn times(over: &BitRows) -> Option<Vec<(i64, i64)>> {
    let n = over.rows();
    let count = |x: usize| over.row(x).iter().map(|w| w.count_ones()).sum::<u32>();
    let counts: Vec<u32> = (0..n).map(count).collect();
    let mut sorted: Vec<usize> = (0..n).collect();
    sorted.sort_by_key(|&x| std::cmp::Reverse(counts[x]));
    // One element for each distinct set, the largest set first.
    let mut chain: Vec<usize> = Vec::new();
    let mut end = vec![0; n];
    for x in sorted {
        let wider = chain.last().copied();
        if let Some(wider) = wider {
            let (inner, outer) = (over.row(x), over.row(wider));
            let mut k = 0;
            while k < inner.len() {
                if inner[k] & !outer[k] != 0 {
                    return None;
                }
                k += 1;
            }
        }
        if wider.is_none_or(|wider| counts[wider] != counts[x]) {
            chain.push(x);
        }
        end[x] = chain.len() as i64;
    }
    let start = |x: usize| chain.partition_point(|&s| over.get(s, x)) as i64;
    Some((0..n).map(|x| (start(x), end[x])).collect())
}

#[cfg(test)]
mod tests {
    use super::times;
    use crate::order::bits::BitRows;
    use crate::place::rng::Rng;

    /// Whether two pairs are ordered, and nothing across: what no order of intervals has.
    fn two_and_two(over: &BitRows, n: usize) -> bool {
        let pairs = (0..n).flat_map(|a| (0..n).map(move |b| (a, b)));
        let pairs: Vec<_> = pairs.filter(|&(a, b)| over.get(a, b)).collect();
        let apart =
            |&(a, b): &(usize, usize), &(c, d): &(usize, usize)| !over.get(a, d) && !over.get(c, b);
        pairs.iter().any(|p| pairs.iter().any(|q| apart(p, q)))
    }

    #[test]
    fn intervals_are_found_exactly_where_there_are_any_and_say_the_same() {
        let mut rng = Rng::new(1);
        let (mut found, mut none) = (0, 0);
        for _ in 0..3000 {
            let n = rng.below(8);
            let sparse = 1 + rng.below(4);
            let mut over = BitRows::new(n, n);
            for a in (0..n).rev() {
                for b in a + 1..n {
                    if rng.below(sparse) == 0 {
                        over.set(a, b);
                        over.join(a, b);
                    }
                }
            }
            let Some(times) = times(&over) else {
                assert!(two_and_two(&over, n), "{over:?}");
                none += 1;
                continue;
            };
            found += 1;
            for a in 0..n {
                assert!(times[a].0 < times[a].1, "{over:?}");
                for b in 0..n {
                    assert_eq!(times[a].1 <= times[b].0, over.get(a, b), "{over:?}");
                }
            }
        }
        assert!(found > 500 && none > 200, "{found} {none}");
    }
}
