//! The heaviest antichain of a partial order: the most that can be live at one cut.
//!
//! By Dilworth's theorem with weights, the heaviest antichain weighs as much as the lightest cover
//! of all elements by chains, and such a cover is a minimum flow. On a closed order it is the sum of
//! all weights less a maximum flow in a transport network: each element once on the left and once on
//! the right, each with its weight as capacity, and `a` left to `b` right where `a ≺ b`. What a
//! minimum cut of that network leaves on both sides is the antichain (Fulkerson 1956; Möhring,
//! *Algorithmic aspects of comparability graphs*, 1985). The flow is Dinic's, over rows of bits.

use crate::order::bits::{BitRows, each_bit};

/// An antichain, and what it weighs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Antichain {
    /// The sum of the weights of `members`, at most `u64::MAX`.
    pub weight: u64,
    /// The elements, ascending. No two of them are comparable.
    pub members: Vec<usize>,
}

/// The heaviest antichain of the elements with `weights`, where bit `b` of row `a` of `after` says
/// that `a ≺ b`. The relation must be transitive and without cycles. Elements without weight are
/// never members. Of several heaviest antichains it is the one that no other has an element after.
///
/// ```
/// use gpu_graph_analysis::antichain::heaviest;
/// use gpu_graph_analysis::order::bits::BitRows;
///
/// // 0 ≺ 1, 0 ≺ 2
/// let mut after = BitRows::new(3, 3);
/// after.set(0, 1);
/// after.set(0, 2);
/// let found = heaviest(&[7, 4, 5], &after);
/// assert_eq!((found.weight, found.members), (9, vec![1, 2]));
/// ```
pub fn heaviest(weights: &[u64], after: &BitRows) -> Antichain {
    let mut network = Network::new(weights, after);
    network.fill_greedily();
    while network.layers() {
        for left in 0..weights.len() {
            while network.left[left] > 0 {
                let want = network.left[left];
                let sent = network.send(left, want);
                if sent == 0 {
                    break;
                }
                network.left[left] -= sent;
            }
        }
    }
    network.antichain(weights)
}

/// Not reached.
const FAR: u32 = u32::MAX;

/// A transport network with a flow.
struct Network<'a> {
    after: &'a BitRows,
    words: usize,
    /// What each element on the left can still send.
    left: Vec<u64>,
    /// What each element on the right can still take.
    right: Vec<u64>,
    /// Flow into each element on the right, by its origin.
    flow: Vec<Vec<(u32, u64)>>,
    /// Distance of the left from what can still send; the right lies one further.
    depth: Vec<u32>,
    /// Distance of the right.
    depth_right: Vec<u32>,
    /// Left elements: the right ones not yet found useless in this phase.
    open: BitRows,
    /// Right elements: the next flow to send back.
    next: Vec<usize>,
    /// Right elements of each odd distance.
    layer: Vec<Vec<u64>>,
}

impl<'a> Network<'a> {
    fn new(weights: &[u64], after: &'a BitRows) -> Self {
        let n = weights.len();
        Self {
            after,
            words: n.div_ceil(64),
            left: weights.to_vec(),
            right: weights.to_vec(),
            flow: vec![Vec::new(); n],
            depth: vec![FAR; n],
            depth_right: vec![FAR; n],
            open: BitRows::new(n, n),
            next: vec![0; n],
            layer: Vec::new(),
        }
    }

    /// A first flow: each element sends to what comes after it, nearest number first.
    fn fill_greedily(&mut self) {
        for a in 0..self.left.len() {
            let (left, right, flow) = (&mut self.left, &mut self.right, &mut self.flow);
            each_bit(self.after.row(a), |b| {
                let sent = left[a].min(right[b]);
                if sent > 0 {
                    left[a] -= sent;
                    right[b] -= sent;
                    flow[b].push((a as u32, sent));
                }
            });
        }
    }

    /// Distances in what is left of the network; whether anything more can arrive.
    fn layers(&mut self) -> bool {
        let n = self.left.len();
        let mut unseen = vec![0u64; self.words];
        for b in 0..n {
            unseen[b / 64] |= 1 << (b % 64);
        }
        self.depth_right.fill(FAR);
        self.layer.clear();
        let mut here: Vec<usize> = (0..n).filter(|&a| self.left[a] > 0).collect();
        for a in 0..n {
            self.depth[a] = if self.left[a] > 0 { 0 } else { FAR };
        }
        let (mut at, mut arrives) = (0, false);
        while !here.is_empty() && !arrives {
            let mut fresh = vec![0u64; self.words];
            for &a in &here {
                let row = self.after.row(a);
                for k in 0..self.words {
                    fresh[k] |= row[k] & unseen[k];
                }
            }
            for k in 0..self.words {
                unseen[k] &= !fresh[k];
            }
            here.clear();
            let (depth, depth_right) = (&mut self.depth, &mut self.depth_right);
            let (flow, right) = (&self.flow, &self.right);
            each_bit(&fresh, |b| {
                depth_right[b] = at + 1;
                arrives |= right[b] > 0;
                for &(a, sent) in &flow[b] {
                    if sent > 0 && depth[a as usize] == FAR {
                        depth[a as usize] = at + 2;
                        here.push(a as usize);
                    }
                }
            });
            self.layer.push(fresh);
            at += 2;
        }
        for a in 0..n {
            let layer = match self.depth[a] {
                FAR => None,
                depth => self.layer.get((depth / 2) as usize),
            };
            if let Some(layer) = layer {
                self.open.copy_words(a, self.after.row(a));
                self.open.meet_words(a, layer);
            }
        }
        for b in 0..n {
            self.flow[b].retain(|&(_, sent)| sent > 0);
        }
        self.next.fill(0);
        arrives
    }

    /// Sends up to `most` from the left element `from` along one path that gets nearer with each
    /// step, and says how much went. Without recursion: paths can be as long as the order.
    fn send(&mut self, from: usize, most: u64) -> u64 {
        // Left and right elements in turn.
        let mut path: Vec<usize> = vec![from];
        let mut backs: Vec<usize> = Vec::new();
        loop {
            let at = path[path.len() - 1];
            if path.len() % 2 == 1 {
                // On the left: to the first right element that is open.
                if self.depth[at] == FAR || self.depth[at] / 2 >= self.layer.len() as u32 {
                    if path.len() == 1 {
                        return 0;
                    }
                    path.pop();
                    self.step_back(&path, &mut backs);
                    continue;
                }
                let row = self.open.row(at);
                let Some(k) = row.iter().position(|&w| w != 0) else {
                    if path.len() == 1 {
                        return 0;
                    }
                    path.pop();
                    self.step_back(&path, &mut backs);
                    continue;
                };
                path.push(k * 64 + row[k].trailing_zeros() as usize);
                continue;
            }
            // On the right: done, or back along a flow.
            if self.right[at] > 0 {
                return self.push(&path, &backs, most);
            }
            let depth = self.depth_right[at];
            let found = (self.next[at]..self.flow[at].len()).find(|&k| {
                let (a, sent) = self.flow[at][k];
                sent > 0 && self.depth[a as usize] == depth + 1
            });
            match found {
                Some(k) => {
                    self.next[at] = k;
                    backs.push(k);
                    path.push(self.flow[at][k].0 as usize);
                }
                None => {
                    self.next[at] = self.flow[at].len();
                    path.pop();
                    self.close(path[path.len() - 1], at);
                }
            }
        }
    }

    /// A left element led nowhere: the flow towards it is passed over.
    fn step_back(&mut self, path: &[usize], backs: &mut Vec<usize>) {
        if let (Some(&right), Some(k)) = (path.last(), backs.pop()) {
            self.next[right] = k + 1;
        }
    }

    /// A right element led nowhere from `left`.
    fn close(&mut self, left: usize, right: usize) {
        let mut rest = self.open.row(left).to_vec();
        rest[right / 64] &= !(1 << (right % 64));
        self.open.copy_words(left, &rest);
    }

    /// Moves what fits along `path`.
    fn push(&mut self, path: &[usize], backs: &[usize], most: u64) -> u64 {
        let last = path[path.len() - 1];
        let mut sent = most.min(self.right[last]);
        for (step, &k) in backs.iter().enumerate() {
            sent = sent.min(self.flow[path[2 * step + 1]][k].1);
        }
        self.right[last] -= sent;
        for (step, &k) in backs.iter().enumerate() {
            self.flow[path[2 * step + 1]][k].1 -= sent;
        }
        for pair in path.chunks(2) {
            let (a, b) = (pair[0] as u32, pair[1]);
            match self.flow[b].iter_mut().find(|f| f.0 == a) {
                Some(f) => f.1 += sent,
                None => self.flow[b].push((a, sent)),
            }
        }
        sent
    }

    /// What a minimum cut leaves on both sides, after the last search for paths.
    fn antichain(&self, weights: &[u64]) -> Antichain {
        let member =
            |&v: &usize| weights[v] > 0 && self.depth[v] != FAR && self.depth_right[v] == FAR;
        let members: Vec<usize> = (0..weights.len()).filter(member).collect();
        let sum = |sum: u64, &v: &usize| sum.saturating_add(weights[v]);
        Antichain {
            weight: members.iter().fold(0, sum),
            members,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::heaviest;
    use crate::order::bits::BitRows;
    use crate::place::rng::Rng;

    /// A random order: pairs of growing number, closed.
    fn order(rng: &mut Rng, n: usize, sparse: usize) -> BitRows {
        let mut after = BitRows::new(n, n);
        for a in (0..n).rev() {
            for b in a + 1..n {
                if rng.below(sparse) == 0 {
                    after.set(a, b);
                    after.join(a, b);
                }
            }
        }
        after
    }

    fn is_antichain(after: &BitRows, members: &[usize]) -> bool {
        let apart = |&a: &usize| members.iter().all(|&b| !after.get(a, b));
        members.iter().all(apart)
    }

    #[test]
    fn equals_the_best_of_all_subsets() {
        let mut rng = Rng::new(1);
        for _ in 0..2000 {
            let n = rng.below(11);
            let sparse = 1 + rng.below(6);
            let after = order(&mut rng, n, sparse);
            let weights: Vec<u64> = (0..n).map(|_| rng.below(9) as u64).collect();
            let subset = |mask: &u32| (0..n).filter(|i| mask >> i & 1 != 0).collect();
            let weigh = |m: Vec<usize>| m.iter().map(|&v| weights[v]).sum::<u64>();
            let all = (0..1u32 << n).map(|mask| subset(&mask));
            let best = all
                .filter(|m: &Vec<usize>| is_antichain(&after, m))
                .map(weigh);
            let found = heaviest(&weights, &after);
            assert!(
                is_antichain(&after, &found.members),
                "{weights:?} {after:?}"
            );
            assert_eq!(Some(found.weight), best.max(), "{weights:?} {after:?}");
        }
    }

    #[test]
    fn weighs_what_a_chain_cover_of_a_large_order_does() {
        // Layers of equal weight: one layer is heaviest.
        let (layers, wide) = (30, 20);
        let mut after = BitRows::new(layers * wide, layers * wide);
        for a in 0..layers * wide {
            (0..layers * wide)
                .filter(|b| b / wide > a / wide)
                .for_each(|b| after.set(a, b));
        }
        let weights: Vec<u64> = (0..layers * wide)
            .map(|v| 1 + (v / wide % 7) as u64)
            .collect();
        assert_eq!(heaviest(&weights, &after).weight, 7 * wide as u64);
    }

    #[test]
    fn weights_may_be_as_large_as_numbers_go() {
        let found = heaviest(&[u64::MAX; 3], &BitRows::new(3, 3));
        assert_eq!((found.weight, found.members.len()), (u64::MAX, 3));
        assert_eq!(heaviest(&[], &BitRows::new(0, 0)).weight, 0);
    }
}
