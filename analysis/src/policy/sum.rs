//! The weighted sum of a plan, exactly.
//!
//! Weights may differ by hundreds of orders of magnitude: in a sum of doubles a large term swallows the
//! small ones, and what is beyond the greatest double makes all sums the same. Each term is an integer
//! times a power of two, so that their sum is written out here, and sums are compared as integers.

use super::{Figures, Weight};

/// A multiple of all units that a weight is written per.
const COMMON: u64 = 1_000_000 << 30;
/// Words of the largest sum. A weight is below 2^1024 and counted in parts of 2^-1074, a figure is below
/// 2^64, [`COMMON`] below 2^50, and there are four metrics: 2214 bits.
const WORDS: usize = 35;

/// A weighted sum, in parts of the least weight that there is and of [`COMMON`]: the greatest word
/// first, so that they are ordered as the numbers are.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Sum([u64; WORDS]);

impl Sum {
    /// That of a plan with these figures.
    pub(super) fn of(weights: &[Weight], figures: &Figures) -> Self {
        let mut sum = Self([0; WORDS]);
        for weight in weights {
            let (mantissa, shift) = parts(weight.each);
            let value = u128::from(figures.of(weight.metric)) * u128::from(COMMON / weight.per);
            sum.add(mantissa, value as u64, shift);
            sum.add(mantissa, (value >> 64) as u64, shift + 64);
        }
        sum
    }

    /// Adds `a * b * 2^shift`.
    fn add(&mut self, a: u64, b: u64, shift: usize) {
        let product = u128::from(a) * u128::from(b);
        for (word, at) in [(product as u64, 0), ((product >> 64) as u64, 1)] {
            let (at, wide) = (at + shift / 64, u128::from(word) << (shift % 64));
            self.carry(wide as u64, at);
            self.carry((wide >> 64) as u64, at + 1);
        }
    }

    /// Adds a word at that place, of which the least is 0.
    fn carry(&mut self, mut word: u64, mut at: usize) {
        while word != 0 {
            let place = &mut self.0[WORDS - 1 - at];
            let (sum, over) = place.overflowing_add(word);
            (*place, word) = (sum, over.into());
            at += 1;
        }
    }
}

/// `each`, which is finite and above zero, as an integer and the power of two that it is times, above
/// the least of them.
fn parts(each: f64) -> (u64, usize) {
    let bits = each.to_bits();
    let (power, low) = ((bits >> 52 & 0x7ff) as usize, bits & ((1 << 52) - 1));
    match power {
        0 => (low, 0),
        _ => (1 << 52 | low, power - 1),
    }
}

#[cfg(test)]
mod tests {
    use std::cmp::Ordering;

    use super::*;
    use crate::model::Site;
    use crate::place::rng::Rng;
    use crate::policy::{Metric, Traffic};

    fn weight(metric: Metric, each: f64, per: u64) -> Weight {
        Weight {
            metric,
            each,
            per,
            text: String::new(),
            site: Site(0),
        }
    }

    fn figures([arena, critical_path, launches, added]: [u64; 4]) -> Figures {
        Figures {
            arena,
            critical_path,
            launches: launches as usize,
            added: added as usize,
            bound: 0,
            at_least: false,
            streams: 1,
            waits: 0,
            events: 0,
            compute: 0,
            traffic: Traffic::default(),
            in_turn: 0,
            held: 0,
            most: 0,
            rooms: None,
            begins: 0,
            ends: 0,
        }
    }

    fn random(rng: &mut Rng) -> u64 {
        rng.next() >> rng.below(64)
    }

    /// Any finite number above zero, or one of a few magnitudes that others come close to.
    fn number(rng: &mut Rng) -> f64 {
        let near = [1.0, 1e12, 1e308, f64::MAX, 5e-324, 0.1, 3.0];
        match rng.below(2) {
            0 => near[rng.below(near.len())],
            _ => f64::from_bits(random(rng) % f64::MAX.to_bits() + 1),
        }
    }

    /// The sum bit by bit, the least first: each bit of a weight times each of a figure, written per
    /// unit of 10^6 * 2^30.
    fn bits(weights: &[Weight], figures: &Figures) -> Vec<bool> {
        let mut counts = vec![0u64; 2400];
        for weight in weights {
            let raw = weight.each.to_bits();
            let normal = raw >> 52 != 0;
            let mantissa = raw % (1 << 52) + u64::from(normal) * (1 << 52);
            let from = (raw >> 52).saturating_sub(1);
            let share = 1_000_000 * (1u64 << 30) / weight.per;
            let set = |word: u64| (0..64u64).filter(move |bit| word >> bit & 1 == 1);
            for a in set(mantissa) {
                for b in set(figures.of(weight.metric)) {
                    for c in set(share) {
                        counts[(from + a + b + c) as usize] += 1;
                    }
                }
            }
        }
        let mut carried = 0;
        let bits = counts.into_iter().map(|count| {
            let all = count + carried;
            carried = all / 2;
            all % 2 == 1
        });
        bits.collect()
    }

    fn exact(weights: &[Weight], a: &Figures, b: &Figures) -> Ordering {
        let [a, b] = [a, b].map(|of| bits(weights, of));
        a.iter().rev().cmp(b.iter().rev())
    }

    #[test]
    fn sums_are_ordered_as_exact_arithmetic_orders_them() {
        let mut rng = Rng::new(7);
        for round in 0..400 {
            let all = Metric::ALL.map(|metric| {
                let per = match metric.units() {
                    [] => 1,
                    units => units[rng.below(units.len())].1,
                };
                weight(metric, number(&mut rng), per)
            });
            let weights = &all[..1 + rng.below(4)];
            let first: [u64; 4] = std::array::from_fn(|_| random(&mut rng));
            // Each next one is like the one before but for one figure, or two.
            let mut three = vec![first];
            for _ in 0..2 {
                let mut next = three[three.len() - 1];
                for _ in 0..=rng.below(2) {
                    let at = rng.below(4);
                    next[at] = match rng.below(2) {
                        0 => next[at] ^ 1,
                        _ => random(&mut rng),
                    };
                }
                three.push(next);
            }
            let three: Vec<Figures> = three.into_iter().map(figures).collect();
            let sums: Vec<Sum> = three.iter().map(|of| Sum::of(weights, of)).collect();
            let at = |a: usize, b: usize| sums[a].cmp(&sums[b]);
            for a in 0..3 {
                for b in 0..3 {
                    let found = at(a, b);
                    assert_eq!(found, exact(weights, &three[a], &three[b]), "round {round}");
                    assert_eq!(found, at(b, a).reverse(), "round {round}");
                    for c in 0..3 {
                        let both = found.is_le() && at(b, c).is_le();
                        assert!(!both || at(a, c).is_le(), "round {round}");
                    }
                }
            }
        }
    }

    #[test]
    fn no_term_of_a_sum_swallows_another() {
        for each in [1e12, 1e20, 1e308, f64::MAX] {
            for peak in [1.0, 5e-324] {
                let weights = [
                    weight(Metric::Peak, peak, 1 << 30),
                    weight(Metric::Launches, each, 1),
                ];
                let sum = |arena| Sum::of(&weights, &figures([arena, 0, 4, 0]));
                assert!(sum(8448) < sum(12800), "{each}");
                assert!(sum(8448) < sum(8449), "{each}");
                assert_eq!(sum(8448), sum(8448), "{each}");
            }
        }
    }

    #[test]
    fn a_unit_is_no_rounded_number() {
        let weights = [
            weight(Metric::CriticalPath, 3.0, 1_000_000),
            weight(Metric::Launches, 1.0, 1),
        ];
        let sum = |path, launches| Sum::of(&weights, &figures([0, path, launches, 0]));
        assert_eq!(sum(1_000_000, 4), sum(2_000_000, 1));
        assert!(sum(999_999, 4) < sum(2_000_000, 1));
    }
}
