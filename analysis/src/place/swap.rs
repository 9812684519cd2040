//! Local search over sequences: blocks are placed one after the other, each into the lowest gap, and what
//! lies highest changes its turn.
//!
//! Nothing is left between what is placed so, and where the bound can be met this often meets it. A change
//! that makes the peak higher is taken where the peak was as high some changes ago (late acceptance, Burke
//! and Bykov 2017).

use super::fit::{Forbidden, Gap};
use super::graph::Graph;
use super::interval::Found;
use super::problem::Block;
use super::rng::Rng;

/// After how many changes the peak must be no higher than it was.
const LATE: usize = 20;

/// Lowers the peak of `found`, until it is `enough` or the bound, or for `steps` steps in all.
pub(crate) fn improve(
    blocks: &[Block],
    graph: &Graph,
    mut found: Found,
    enough: u64,
    steps: u64,
) -> Found {
    let goal = found.bound.max(enough);
    let mut search = Search::new(blocks, graph, &found);
    let mut peak = search.place(0);
    let mut late = [peak; LATE];
    let mut known = search.offsets.clone();
    for change in 0.. {
        if peak < found.peak {
            found.peak = peak;
            found.offsets = search.offsets.iter().map(|&o| o as u64).collect();
        }
        if found.peak <= goal || found.steps + search.steps >= steps {
            break;
        }
        let Some(turns) = search.turns(peak) else {
            break;
        };
        known.clone_from(&search.offsets);
        search.change(&turns, false);
        let next = search.place(turns.first);
        if next <= peak.max(late[change % LATE]) {
            peak = next;
        } else {
            search.change(&turns, true);
            search.offsets.clone_from(&known);
        }
        late[change % LATE] = peak;
    }
    found.steps += search.steps;
    found
}

/// Turns of a sequence to be changed.
struct Turns {
    first: usize,
    last: usize,
    /// The last is put before the first; else the two are exchanged.
    inserted: bool,
}

struct Search<'a> {
    blocks: &'a [Block],
    graph: &'a Graph,
    rng: Rng,
    /// Blocks without fixed offsets, in the sequence in which they are placed.
    sequence: Vec<u32>,
    /// Where each block is in it; the others are in no place.
    turn: Vec<usize>,
    offsets: Vec<i64>,
    forbidden: Forbidden,
    steps: u64,
}

impl<'a> Search<'a> {
    /// By ascending offset no block comes to lie higher than it did.
    fn new(blocks: &'a [Block], graph: &'a Graph, found: &Found) -> Self {
        let free = |&i: &u32| blocks[i as usize].fixed.is_none();
        let mut sequence: Vec<u32> = (0..blocks.len() as u32).filter(free).collect();
        sequence.sort_by_key(|&i| (found.offsets[i as usize], i));
        let mut search = Self {
            blocks,
            graph,
            rng: Rng::new(found.steps),
            turn: vec![usize::MAX; blocks.len()],
            offsets: found.offsets.iter().map(|&o| o as i64).collect(),
            forbidden: Forbidden::default(),
            steps: 0,
            sequence,
        };
        search.number(0, search.sequence.len());
        search
    }

    fn number(&mut self, from: usize, to: usize) {
        for at in from..to {
            self.turn[self.sequence[at] as usize] = at;
        }
    }

    /// Places what has its turn from `first` on, and says where the highest of all ends.
    fn place(&mut self, first: usize) -> u64 {
        for &i in &self.sequence[first..] {
            self.offsets[i as usize] = -1;
        }
        for &i in &self.sequence[first..] {
            let i = i as usize;
            self.forbidden.gather(self.graph, i, &self.offsets);
            self.steps += 4 * self.graph.of(i).len() as u64 + 16;
            self.offsets[i] = self.forbidden.gap(self.blocks[i].align, Gap::First);
        }
        let tops = (0..self.blocks.len()).map(|i| self.top(i));
        tops.max().unwrap_or(0)
    }

    fn top(&self, block: usize) -> u64 {
        self.offsets[block] as u64 + self.blocks[block].size
    }

    /// The turn of a block that ends at the `peak`, and of one in its way that is placed before it;
    /// nothing where its turn is the first of these.
    fn turns(&mut self, peak: u64) -> Option<Turns> {
        let highest = (0..self.blocks.len()).filter(|&i| self.top(i) == peak);
        let highest: Vec<usize> = highest.collect();
        let block = *highest.get(self.rng.below(highest.len()))?;
        let last = self.turn[block];
        let turns = self.graph.of(block).iter();
        let turns = turns.map(|clash| self.turn[clash.with as usize]);
        let earlier: Vec<usize> = turns.filter(|&turn| turn < last).collect();
        let first = *earlier.get(self.rng.below(earlier.len()))?;
        (last < self.sequence.len()).then(|| Turns {
            first,
            last,
            inserted: self.rng.below(2) == 0,
        })
    }

    /// Changes the turns, or what was changed `back`.
    fn change(&mut self, turns: &Turns, back: bool) {
        let between = &mut self.sequence[turns.first..=turns.last];
        match (turns.inserted, back) {
            (true, false) => between.rotate_right(1),
            (true, true) => between.rotate_left(1),
            (false, _) => between.swap(0, turns.last - turns.first),
        }
        self.number(turns.first, turns.last + 1);
    }
}
