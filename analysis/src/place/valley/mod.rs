//! Exact search for a placement of intervals below a given capacity.
//!
//! Blocks are placed from the bottom up, as in MiniMalloc (Moffitt and Fernando, *MiniMalloc: a
//! lightweight memory allocator for hardware-accelerated machine learning*, ASPLOS 2023), but not in
//! order of offset. Each section has a floor, below which nothing more will lie. In a valley, a run
//! of sections with one floor between higher ones, whatever lies on the floor lies inside the valley.
//! So some section of some valley is chosen, and each block that can lie on its floor is tried, and at
//! last that none does. The section with the fewest choices is taken, as in exact cover, and rather
//! one that was often too full; a section that has nothing to waste leaves none but its blocks.
//!
//! Whatever falls apart into sets with no section in common is searched apart. What was found
//! impossible is remembered by the floors and the unplaced blocks, for all later runs.

mod state;

use super::rng::mix;
use super::section::Sections;
use state::State;

/// What a search came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// Offsets were found.
    Found,
    /// There are none.
    Impossible,
    /// The steps ran out.
    Open,
}

/// Blocks to place, in canonical order.
pub(crate) struct Blocks<'a> {
    pub(crate) sections: &'a Sections,
    /// Each a multiple of what divides all of `align`.
    pub(crate) height: &'a [u64],
    pub(crate) align: &'a [u64],
    /// The last offset of each block.
    pub(crate) latest: Vec<u64>,
    pub(crate) capacity: u64,
    /// The block before, where that is the same in all respects: it is placed first.
    pub(crate) twin: Vec<Option<u32>>,
}

/// States that are remembered.
const MEMORY: usize = 1 << 19;

/// A search that can be run again with other preferences.
pub(crate) struct Search<'a> {
    blocks: &'a Blocks<'a>,
    state: State<'a>,
    /// Blocks with a low rank are tried first.
    rank: Vec<u32>,
    key: Vec<u128>,
    impossible: Vec<u128>,
    nodes: u64,
    limit: u64,
}

/// Sections and the unplaced blocks in them.
type Part = (usize, usize, Vec<u32>);

/// A component whose choices are being tried.
struct Frame {
    /// By which it is remembered, and where.
    key: (u128, usize),
    /// The section of the choice.
    at: usize,
    choices: Vec<u32>,
    /// The next choice; the last one is that none lies on the floor.
    next: usize,
    /// What is undone before the next choice.
    mark: usize,
    open: bool,
    /// What is still to be placed after the present choice.
    parts: Vec<Part>,
    whole: Part,
}

/// A number for a pair that no other pair is expected to have.
fn pair(a: u64, b: u64) -> u128 {
    let high = mix(a ^ mix(b));
    let low = mix(high ^ b.rotate_left(32) ^ 0x5851_f42d_4c95_7f2d);
    u128::from(high) << 64 | u128::from(low)
}

impl<'a> Search<'a> {
    pub(crate) fn new(blocks: &'a Blocks<'a>) -> Self {
        let n = blocks.height.len();
        Self {
            blocks,
            state: State::new(blocks),
            rank: vec![0; n],
            key: (0..n as u64).map(|i| pair(i, u64::MAX)).collect(),
            impossible: vec![0; MEMORY],
            nodes: 0,
            limit: 0,
        }
    }

    /// Steps of all runs.
    pub(crate) fn steps(&self) -> u64 {
        self.state.steps
    }

    /// The offsets, after a run that found them.
    pub(crate) fn offsets(&self) -> &[u64] {
        &self.state.offset
    }

    /// Searches from the start, for at most `nodes` placings, and no longer than `steps` in all runs.
    /// A run that learns chooses sections first that such runs often found too full.
    pub(crate) fn run(&mut self, rank: &[u32], learns: bool, nodes: u64, steps: u64) -> Outcome {
        self.rank.copy_from_slice(rank);
        self.state.learns = learns;
        self.nodes = nodes;
        self.limit = steps;
        let all: Vec<u32> = (0..self.blocks.height.len() as u32).collect();
        let start = self.state.mark();
        let mut stack: Vec<Frame> = Vec::new();
        let mut result = self.enter((0, self.blocks.sections.count, all), &mut stack);
        let outcome = loop {
            let Some(mut top) = stack.pop() else {
                break result.unwrap_or(Outcome::Open);
            };
            match result.take() {
                Some(Outcome::Found) => {
                    result = match top.parts.pop() {
                        Some(part) => {
                            stack.push(top);
                            self.enter(part, &mut stack)
                        }
                        None => Some(Outcome::Found),
                    };
                    continue;
                }
                Some(other) => {
                    self.state.undo(top.mark);
                    top.open |= other == Outcome::Open;
                }
                None => {}
            }
            if self.spent() {
                result = Some(Outcome::Open);
            } else if self.advance(&mut top) {
                // As if the first part had been found: on to the next one.
                result = Some(Outcome::Found);
                stack.push(top);
            } else if top.open {
                result = Some(Outcome::Open);
            } else {
                self.impossible[top.key.1] = top.key.0;
                result = Some(Outcome::Impossible);
            }
        };
        self.state.undo(start);
        outcome
    }

    fn spent(&self) -> bool {
        self.nodes == 0 || self.steps() >= self.limit
    }

    /// Begins with a component, unless what comes of it is known.
    fn enter(&mut self, part: Part, stack: &mut Vec<Frame>) -> Option<Outcome> {
        let (from, to, blocks) = part;
        if blocks.is_empty() {
            return Some(Outcome::Found);
        }
        if self.spent() {
            return Some(Outcome::Open);
        }
        self.nodes -= 1;
        self.state.steps += blocks.len() as u64;
        let mut key = blocks.iter().fold(0, |k, &i| k ^ self.key[i as usize]);
        for s in from..to {
            if self.state.rest[s] > 0 {
                key ^= pair(s as u64, self.state.floor[s]);
            }
        }
        let slot = (key >> 64) as usize % MEMORY;
        if self.impossible[slot] == key {
            return Some(Outcome::Impossible);
        }
        let at = self.choose(from, to);
        let unplaced = self.state.unplaced(at).iter().copied();
        let on_floor = |&i: &u32| self.state.least[i as usize] == self.state.floor[at];
        let mut choices: Vec<u32> = unplaced.filter(on_floor).collect();
        choices.sort_unstable_by_key(|&i| self.rank[i as usize]);
        stack.push(Frame {
            key: (key, slot),
            at,
            choices,
            next: 0,
            mark: self.state.mark(),
            open: false,
            parts: Vec::new(),
            whole: (from, to, blocks),
        });
        None
    }

    /// Makes the next choice of a component; false if there is none left.
    fn advance(&mut self, top: &mut Frame) -> bool {
        top.parts.clear();
        while let Some(&i) = top.choices.get(top.next) {
            top.next += 1;
            let twin = self.blocks.twin[i as usize];
            if twin.is_some_and(|t| !self.state.placed[t as usize]) {
                continue;
            }
            if self.state.place(i) {
                self.split(i, &top.whole, &mut top.parts);
                return true;
            }
            self.state.undo(top.mark);
        }
        if top.next > top.choices.len() {
            return false;
        }
        top.next = top.choices.len() + 1;
        let (at, floor) = (top.at, self.state.floor[top.at]);
        let next = self.next_floor(at, &top.choices, &top.whole.2);
        if next.saturating_sub(floor) <= self.state.slack(at) {
            if self.state.waste(at, next) {
                top.parts.push(top.whole.clone());
                return true;
            }
            self.state.undo(top.mark);
        }
        false
    }

    /// Where the lowest block of section `at` lies at least, if none of `choices` lies on its floor.
    /// Something that lies higher than it must lies on something else, which is not in this section.
    fn next_floor(&mut self, at: usize, choices: &[u32], blocks: &[u32]) -> u64 {
        let floor = self.state.floor[at];
        if self.state.slack(at) == 0 {
            return u64::MAX;
        }
        self.state.steps += blocks.len() as u64;
        let higher = self.state.unplaced(at).iter();
        let higher = higher.map(|&i| self.state.least[i as usize]);
        let mut next = higher.filter(|&l| l > floor).min().unwrap_or(u64::MAX);
        let reach = choices.iter().map(|&i| self.state.span(i));
        let (low, high) = reach.fold((usize::MAX, 0), |(l, h), s| (l.min(s.0), h.max(s.1)));
        for &i in blocks {
            let (l, r) = self.state.span(i);
            let beside = r <= at || at < l;
            if beside && l < high && low < r && self.state.least[i as usize] == floor {
                next = next.min(floor.saturating_add(self.blocks.height[i as usize]));
            }
        }
        next
    }

    /// The sets that the placing of `i` left of a component, the smallest last.
    fn split(&self, i: u32, whole: &Part, parts: &mut Vec<Part>) {
        let (from, to, blocks) = whole;
        let (l, r) = self.state.span(i);
        let mut start = *from;
        for s in l..r - 1 {
            if self.state.cross[s] == 0 {
                parts.push((start, s + 1, Vec::new()));
                start = s + 1;
            }
        }
        parts.push((start, *to, Vec::new()));
        for &j in blocks.iter().filter(|&&j| j != i) {
            let first = self.state.span(j).0;
            let part = parts.partition_point(|p| p.1 <= first);
            parts[part].2.push(j);
        }
        parts.sort_by_key(|p| std::cmp::Reverse(p.2.len()));
    }

    /// The section of a valley with the fewest choices.
    fn choose(&self, from: usize, to: usize) -> usize {
        let st = &self.state;
        let mut best: Option<(u64, u64, u64, usize)> = None;
        let mut s = from;
        while s < to {
            let floor = st.floor[s];
            let mut end = s + 1;
            if st.rest[s] == 0 {
                s = end;
                continue;
            }
            while end < to && st.rest[end] > 0 && st.floor[end] == floor {
                end += 1;
            }
            let higher = |x: usize| st.rest[x] == 0 || st.floor[x] > floor;
            if (s == from || higher(s - 1)) && (end == to || higher(end)) {
                for at in s..end {
                    let slack = st.slack(at);
                    let count = 2 * u64::from(st.count[at]) + u64::from(slack > 0);
                    let weight = if st.learns { st.weight[at] } else { 1 };
                    let better = |&(c, w, sl, _): &(u64, u64, u64, usize)| {
                        let (new, old) = (count.saturating_mul(w), c.saturating_mul(weight));
                        new < old || new == old && slack < sl
                    };
                    if best.as_ref().is_none_or(better) {
                        best = Some((count, weight, slack, at));
                    }
                }
            }
            s = end;
        }
        best.map_or(from, |b| b.3)
    }
}
