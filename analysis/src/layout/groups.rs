//! Resources that share one offset: in-place chains and demanded aliases.

use std::collections::BTreeMap;

use crate::alias::{Demands, Merge};
use crate::frontier::Frontiers;
use crate::model::ResourceId;
use crate::order::Precedence;

/// Resources at one offset.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Group {
    /// In-place chains, each from its first operand to its last result. More than one only where a
    /// demand brought them together.
    pub chains: Vec<Vec<ResourceId>>,
    /// Largest aligned size of a member.
    pub bytes: u64,
}

impl Group {
    /// Whether no admitted execution has a member of each live at once.
    pub fn apart(&self, other: &Self, live: &Frontiers) -> bool {
        self.chains
            .iter()
            .all(|c| other.chains.iter().all(|d| chains_apart(c, d, live)))
    }

    /// Whether every member is over before any of the other begins, by dependencies alone.
    pub fn before(&self, other: &Self, live: &Frontiers) -> bool {
        let ends = self.chains.iter().flat_map(|c| c.last());
        let mut pairs = ends.flat_map(|&end| other.chains.iter().map(move |d| (end, d[0])));
        pairs.all(|(end, start)| live.wholly_before(end, start))
    }

    /// All members.
    pub fn members(&self) -> impl Iterator<Item = ResourceId> + '_ {
        self.chains.iter().flatten().copied()
    }

    /// First and one past the last position in issue order at which a member is used.
    pub fn interval(&self, order: &Precedence, live: &Frontiers) -> (u32, u32) {
        let (mut from, mut to) = (u32::MAX, 0);
        for chain in &self.chains {
            let (head, tail) = (live.of(chain[0]), live.of(chain[chain.len() - 1]));
            if let Some(&first) = head.first.first() {
                from = from.min(order.position(first));
            }
            if let Some(&last) = tail.last.last() {
                to = to.max(order.position(last) + 1);
            }
            if tail.host {
                to = order.tasks() as u32 + 1;
            }
        }
        (from.min(to), to)
    }
}

/// A chain is live without a gap from its head's start to its tail's end.
fn chains_apart(c: &[ResourceId], d: &[ResourceId], live: &Frontiers) -> bool {
    live.wholly_before(c[c.len() - 1], d[0]) || live.wholly_before(d[d.len() - 1], c[0])
}

/// Two members of chains that may be live at once.
fn together(c: &[ResourceId], d: &[ResourceId], live: &Frontiers) -> (ResourceId, ResourceId) {
    let mut pairs = c.iter().flat_map(|&x| d.iter().map(move |&y| (x, y)));
    let found = pairs.find(|&(x, y)| live.interfere(x, y));
    found.unwrap_or((c[c.len() - 1], d[0]))
}

/// The groups, and which merges they take: those that nothing forbids, in statement order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Groups {
    /// Every resource is in one.
    pub list: Vec<Group>,
    /// Merges taken.
    pub taken: Vec<Merge>,
    /// Legal merges that were left.
    pub left: Vec<Left>,
}

/// A legal merge that was left: it would bring two resources to one offset that must not be there.
/// Happens only beside demands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Left {
    /// The merge.
    pub merge: Merge,
    /// The two resources; they need not be those of the merge.
    pub pair: (ResourceId, ResourceId),
    /// Whether `separate` keeps them apart; else no dependency ends one before the other begins.
    pub separate: bool,
}

impl Groups {
    /// Pairs of groups that `separate` keeps apart.
    pub(super) fn apart(&self, demands: &Demands) -> Vec<(usize, usize)> {
        if demands.separate.is_empty() {
            return Vec::new();
        }
        let mut of = BTreeMap::new();
        for (g, group) in self.list.iter().enumerate() {
            for member in group.members() {
                of.insert(member, g);
            }
        }
        let pair = |(a, b): &(ResourceId, ResourceId)| Some((*of.get(a)?, *of.get(b)?));
        demands.separate.iter().filter_map(pair).collect()
    }
}

/// Forms the groups of resources of `bytes`.
pub fn groups(bytes: &[u64], demands: &Demands, merges: &[Merge], live: &Frontiers) -> Groups {
    let mut of: Vec<usize> = (0..bytes.len()).collect();
    let mut chains: Vec<Vec<Vec<ResourceId>>> = (0..bytes.len())
        .map(|r| vec![vec![ResourceId(r as u32)]])
        .collect();
    for group in &demands.groups {
        let home = of[group[0].0 as usize];
        for r in &group[1..] {
            let moved = std::mem::take(&mut chains[r.0 as usize]);
            chains[home].extend(moved);
            of[r.0 as usize] = home;
        }
    }
    let mut rivals: BTreeMap<ResourceId, Vec<ResourceId>> = BTreeMap::new();
    for &(a, b) in &demands.separate {
        rivals.entry(a).or_default().push(b);
        rivals.entry(b).or_default().push(a);
    }
    // Which merge each operand has, and its number.
    let next: BTreeMap<ResourceId, (ResourceId, usize)> = merges
        .iter()
        .enumerate()
        .map(|(at, m)| (m.operand, (m.result, at)))
        .collect();
    let (mut taken, mut left) = (Vec::new(), Vec::new());
    for (at, merge) in merges.iter().enumerate() {
        let (x, y) = (merge.operand.0 as usize, merge.result.0 as usize);
        let (gx, gy) = (of[x], of[y]);
        if gx != gy {
            let rival = chains[gy].iter().flatten().find_map(|&r| {
                let list = rivals.get(&r).map_or(&[][..], Vec::as_slice);
                let other = list.iter().find(|other| of[other.0 as usize] == gx);
                other.map(|&other| (other, r))
            });
            // One chain that goes on as the other, by this merge or by one that is still to come:
            // within a group those are always taken.
            let joins = |c: &[ResourceId], d: &[ResourceId]| {
                let goes_on = c.last().and_then(|last| next.get(last));
                goes_on.is_some_and(|&(result, by)| result == d[0] && by >= at)
            };
            let clash = |c: &[ResourceId], d: &[ResourceId]| {
                !joins(c, d) && !joins(d, c) && !chains_apart(c, d, live)
            };
            // Two plain chains meet end to start; beside demanded aliases, each pair is asked.
            let plain = chains[gx].len() == 1 && chains[gy].len() == 1;
            let mut pairs = chains[gx]
                .iter()
                .flat_map(|c| chains[gy].iter().map(move |d| (c, d)));
            let alive = match plain {
                true => None,
                false => pairs.find(|(c, d)| clash(c, d)),
            };
            if rival.is_some() || alive.is_some() {
                let alive = alive.map(|(c, d)| together(c, d, live));
                left.push(Left {
                    merge: *merge,
                    pair: rival.or(alive).unwrap_or((merge.operand, merge.result)),
                    separate: rival.is_some(),
                });
                continue;
            }
            let moved = std::mem::take(&mut chains[gy]);
            for r in moved.iter().flatten() {
                of[r.0 as usize] = gx;
            }
            chains[gx].extend(moved);
        }
        let list = &mut chains[gx];
        let tail = list.iter().position(|c| c.last() == Some(&merge.operand));
        let head = list.iter().position(|c| c[0] == merge.result);
        if let (Some(tail), Some(head)) = (tail, head)
            && tail != head
        {
            let moved = std::mem::take(&mut list[head]);
            list[tail].extend(moved);
            list.retain(|c| !c.is_empty());
        }
        taken.push(*merge);
    }
    let list = chains
        .into_iter()
        .filter(|c| !c.is_empty())
        .map(|chains| {
            let size = |r: &ResourceId| bytes[r.0 as usize];
            let bytes = chains.iter().flatten().map(size).max().unwrap_or(0);
            Group { chains, bytes }
        })
        .collect();
    Groups { list, taken, left }
}
