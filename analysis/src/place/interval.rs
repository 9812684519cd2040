//! Intervals: exact search at one capacity after another, with one preference after another.

use super::bound::stack;
use super::rng::Rng;
use super::section::Sections;
use super::valley::{Blocks, Outcome, Search};

/// Intervals with sizes and alignments.
#[derive(Clone, Debug)]
pub(crate) struct Intervals {
    pub(crate) times: Vec<(i64, i64)>,
    pub(crate) sizes: Vec<u64>,
    pub(crate) aligns: Vec<u64>,
    /// What divides all alignments.
    pub(crate) unit: u64,
}

/// The best found.
#[derive(Clone, Debug, Default)]
pub(crate) struct Found {
    pub(crate) offsets: Vec<u64>,
    pub(crate) peak: u64,
    /// No peak is below this.
    pub(crate) bound: u64,
    pub(crate) steps: u64,
}

/// What is placed rather than other blocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum First {
    /// The high.
    Size,
    /// The long.
    Length,
    /// The large.
    Area,
    /// The large, and rather the long.
    LongArea,
    /// What crosses the fullest sections, the long first.
    FullestLength,
    /// What crosses the fullest sections, the large first.
    FullestArea,
    /// The large, where sections are full.
    FullArea,
}

/// Preferences of runs in turn, and whether the run learns from others that do. None is best for all
/// problems, and where one fails another one is often done at once.
const RUNS: [(First, bool); 8] = [
    (First::Size, false),
    (First::FullestLength, false),
    (First::Area, true),
    (First::FullestArea, false),
    (First::Length, false),
    (First::Size, true),
    (First::LongArea, true),
    (First::FullArea, false),
];

impl Intervals {
    /// The bound that the fullest section gives.
    pub(crate) fn load(&self) -> u64 {
        let sections = Sections::new(&self.times);
        let mut members = vec![Vec::new(); sections.count];
        for (i, &(from, to)) in sections.span.iter().enumerate() {
            for s in from..to {
                members[s as usize].push(self.sizes[i]);
            }
        }
        let loads = members.into_iter().map(|m| stack(m.into_iter(), self.unit));
        loads.max().unwrap_or(0)
    }

    /// Lowers the peak of `offsets`, until it is `enough` or the bound, or for `steps` steps. `grain`
    /// divides every peak that is worth looking at.
    pub(crate) fn improve(&self, mut found: Found, enough: u64, grain: u64, steps: u64) -> Found {
        let sections = Sections::new(&self.times);
        // The lowest capacity not yet given up in this round.
        let (mut share, mut target) = (steps / 2, found.bound.max(enough));
        while found.peak > found.bound.max(enough) && found.steps < steps {
            let rest = (steps - found.steps).min(share);
            let (outcome, offsets, used) = self.search(&sections, target, rest);
            found.steps += used.max(1);
            match outcome {
                Outcome::Found => {
                    found.peak = self.peak(&offsets);
                    found.offsets = offsets;
                    target = found.bound.max(enough);
                    if found.peak > target {
                        target += (found.peak - target) / 2;
                    }
                }
                Outcome::Impossible => {
                    found.bound = found.bound.max((target + 1).next_multiple_of(grain));
                    target = target.max(found.bound);
                }
                Outcome::Open => {
                    share = (share / 2).max(steps / 64).max(1);
                    target += (found.peak - target).div_ceil(2);
                }
            }
            if target >= found.peak {
                // Nothing between: again from the bottom, with longer runs.
                target = found.bound.max(enough);
                share = steps;
            }
        }
        found
    }

    /// The lowest peak found from nothing.
    pub(crate) fn pack(&self, steps: u64) -> Found {
        let mut at = 0u64;
        let place = |(size, align): (&u64, &u64)| {
            let offset = at.next_multiple_of(*align);
            at = offset + size;
            offset
        };
        let offsets: Vec<u64> = self.sizes.iter().zip(&self.aligns).map(place).collect();
        let found = Found {
            peak: self.peak(&offsets),
            offsets,
            bound: self.load(),
            steps: 0,
        };
        self.improve(found, 0, 1, steps)
    }

    pub(crate) fn peak(&self, offsets: &[u64]) -> u64 {
        let top = |(o, s): (&u64, &u64)| o + s;
        offsets.iter().zip(&self.sizes).map(top).max().unwrap_or(0)
    }

    /// Searches below `capacity`.
    fn search(&self, sections: &Sections, capacity: u64, steps: u64) -> (Outcome, Vec<u64>, u64) {
        let n = self.sizes.len();
        if self.sizes.iter().any(|&s| s > capacity) {
            return (Outcome::Impossible, Vec::new(), 0);
        }
        let whole = |s: &u64| s.next_multiple_of(self.unit);
        let height: Vec<u64> = self.sizes.iter().map(whole).collect();
        let same = |i: usize, j: usize| {
            let key = |i: usize| (sections.span[i], self.sizes[i], self.aligns[i]);
            key(i) == key(j)
        };
        // Equal ones are neighbours once sorted.
        let mut sorted: Vec<usize> = (0..n).collect();
        sorted.sort_by_key(|&i| (sections.span[i], self.sizes[i], self.aligns[i], i));
        let mut twin = vec![None; n];
        for pair in sorted.windows(2) {
            if same(pair[0], pair[1]) {
                twin[pair[1]] = Some(pair[0] as u32);
            }
        }
        let blocks = Blocks {
            sections,
            height: &height,
            align: &self.aligns,
            latest: self.sizes.iter().map(|s| capacity - s).collect(),
            capacity: capacity.next_multiple_of(self.unit),
            twin,
        };
        let fullness = self.fullness(sections, &height);
        let mut search = Search::new(&blocks);
        let mut rng = Rng::new(0);
        // Enough for a run that hardly errs.
        let mut nodes = 5 * n as u64 / 4 + 4;
        for round in 0.. {
            for (first, learns) in RUNS {
                let rank = self.rank(first, &fullness, (round > 0).then_some(&mut rng));
                let outcome = search.run(&rank, learns, nodes, steps);
                if outcome != Outcome::Open || search.steps() >= steps {
                    return (outcome, search.offsets().to_vec(), search.steps());
                }
            }
            nodes += nodes / 2;
        }
        (Outcome::Open, Vec::new(), search.steps())
    }

    /// For each block the height of the fullest section that it crosses.
    fn fullness(&self, sections: &Sections, height: &[u64]) -> Vec<u64> {
        let mut loads = vec![0u64; sections.count];
        for (&(from, to), height) in sections.span.iter().zip(height) {
            loads[from as usize..to as usize]
                .iter_mut()
                .for_each(|l| *l += height);
        }
        let most =
            |&(from, to): &(u32, u32)| loads[from as usize..to as usize].iter().max().copied();
        sections.span.iter().map(|s| most(s).unwrap_or(0)).collect()
    }

    /// A rank for each block, 0 for the one that is preferred; with noise if there is `rng`.
    fn rank(&self, first: First, fullness: &[u64], mut rng: Option<&mut Rng>) -> Vec<u32> {
        let most = fullness.iter().max().copied().unwrap_or(1).max(1) as f64;
        let mut keys: Vec<(f64, f64, usize)> = Vec::with_capacity(fullness.len());
        for (i, &(from, to)) in self.times.iter().enumerate() {
            let (length, size) = (to.abs_diff(from) as f64, self.sizes[i] as f64);
            let full = fullness[i] as f64 / most;
            let (major, minor) = match first {
                First::Size => (size, 0.0),
                First::Length => (length, 0.0),
                First::Area => (length * size, 0.0),
                First::LongArea => (length * length * size, 0.0),
                First::FullestLength => (full, length),
                First::FullestArea => (full, length * size),
                First::FullArea => (length * size * full * full * full * full * full * full, 0.0),
            };
            let noise = match &mut rng {
                None => 1.0,
                Some(rng) => (512 + rng.below(1024)) as f64,
            };
            keys.push((major * noise, minor * noise, i));
        }
        keys.sort_by(|a, b| {
            b.0.total_cmp(&a.0)
                .then(b.1.total_cmp(&a.1))
                .then(a.2.cmp(&b.2))
        });
        let mut rank = vec![0; keys.len()];
        for (at, &(_, _, i)) in keys.iter().enumerate() {
            rank[i] = at as u32;
        }
        rank
    }
}
