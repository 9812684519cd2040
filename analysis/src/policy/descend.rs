//! Candidates with edges: of what may be live together and is the heaviest, one pair after the other is parted.

use std::cmp::Reverse;

use super::clique::{Clique, Parting, clique, partings};
use super::search::{On, Searched};
use super::{Edge, Ground, Kind, work};
use crate::frontier::Frontiers;
use crate::model::TaskId;
use crate::order::Precedence;

/// Partings in a row that leave the weight of the heaviest clique as it is.
const PLATEAU: usize = 4;

/// Which parting is taken first.
#[derive(Clone, Copy)]
pub(super) enum Prefer {
    /// That of the largest resources; of these, the one that makes the longest path the least longer.
    Bytes,
    /// The one that makes the longest path the least longer.
    Path,
}

impl Searched {
    /// Parts one pair of the heaviest clique after the other, and lays out what comes of it.
    pub(super) fn descend(&mut self, on: &On<'_>, prefer: Prefer) {
        let ground = on.ground;
        if !self.step(work::laid(ground)) {
            return;
        }
        let Some(order) = ground.order.with(on.edges) else {
            return;
        };
        let mut at = State::new(ground, order);
        let (mut edges, mut pairs, mut plateau) = (on.edges.to_vec(), Vec::new(), 0);
        while plateau < PLATEAU {
            let Some(parting) = at.best(ground, prefer) else {
                return;
            };
            let Some(order) = at.order.with(&parting.edges) else {
                return;
            };
            if !self.step(work::laid(ground)) {
                return;
            }
            let next = State::new(ground, order);
            plateau += 1;
            if next.clique.weight < at.clique.weight {
                plateau = 0;
            }
            edges.extend(parting.edges);
            // What others imply is no edge of its own.
            edges.retain(|(a, b)| next.order.before(*b).contains(&a.0));
            pairs.push((parting.earlier, parting.later));
            at = next;
            if plateau == 0 {
                let limit = ground.model.streams;
                self.add(on, Kind::After(pairs.clone()), edges.clone(), limit);
            }
        }
    }
}

/// Dependencies with some edges added, and what may be live under them.
struct State {
    order: Precedence,
    live: Frontiers,
    clique: Clique,
}

impl State {
    fn new(ground: &Ground, order: Precedence) -> Self {
        let live = Frontiers::new(&ground.model, &order);
        Self {
            clique: clique(ground, &order, &live),
            live,
            order,
        }
    }

    /// The parting that is taken: of equals, the one that saves most with the fewest edges.
    fn best(&self, ground: &Ground, prefer: Prefer) -> Option<Parting> {
        let paths = Paths::new(&self.order, &ground.costs);
        let key = |parting: &Parting| {
            let saved = Reverse(parting.saved);
            let path = paths.with(&parting.edges);
            let met = [parting.earlier, parting.later].map(|r| self.live.met(r));
            let least = (parting.edges.len(), met);
            match prefer {
                Prefer::Bytes => (saved, path, saved, least),
                Prefer::Path => (Reverse(0), path, saved, least),
            }
        };
        let mut best: Option<(_, Parting)> = None;
        for (i, member) in self.clique.members.iter().enumerate() {
            // Members come with the largest first, so that what follows saves no more than this one, and
            // no path is shorter than the longest.
            if let Some((_, found)) = &best
                && found.saved > member.2
                && match prefer {
                    Prefer::Bytes => true,
                    Prefer::Path => paths.with(&found.edges) == paths.longest,
                }
            {
                break;
            }
            let all = partings(&ground.model, &self.order, &self.live, &self.clique, i);
            let least = all.into_iter().map(|parting| (key(&parting), parting));
            let both = best.into_iter().chain(least);
            best = both.min_by(|(a, _), (b, _)| a.cmp(b));
        }
        best.map(|(_, parting)| parting)
    }
}

/// The longest paths to and from each task: by costs where all are known, and else in tasks. They
/// say what is tried first, and nothing that is claimed.
struct Paths {
    /// To the end of each task.
    to: Vec<u64>,
    /// From the start of each task.
    from: Vec<u64>,
    longest: u64,
}

impl Paths {
    fn new(order: &Precedence, costs: &[Option<u64>]) -> Self {
        let known = costs.iter().all(Option::is_some);
        let costs = costs.iter().map(|cost| match known {
            true => cost.unwrap_or(0),
            false => 1,
        });
        let costs: Vec<u64> = costs.collect();
        let (mut to, mut from) = (vec![0u64; costs.len()], vec![0u64; costs.len()]);
        for &t in order.sequence() {
            let before = order.before(TaskId(t)).iter().map(|&b| to[b as usize]);
            to[t as usize] = before.max().unwrap_or(0).saturating_add(costs[t as usize]);
        }
        for &t in order.sequence().iter().rev() {
            let after = order.after(TaskId(t)).iter().map(|&a| from[a as usize]);
            from[t as usize] = after.max().unwrap_or(0).saturating_add(costs[t as usize]);
        }
        Self {
            longest: to.iter().copied().max().unwrap_or(0),
            to,
            from,
        }
    }

    /// The longest path with one of `edges` in it.
    fn with(&self, edges: &[Edge]) -> u64 {
        let through = edges
            .iter()
            .map(|(a, b)| self.to[a.0 as usize].saturating_add(self.from[b.0 as usize]));
        through.max().unwrap_or(0).max(self.longest)
    }
}
