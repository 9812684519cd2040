//! Resources that share one offset: in-place chains and demanded aliases.

use std::collections::BTreeMap;

use crate::alias::{Demands, Merge};
use crate::frontier::Frontiers;
use crate::model::ResourceId;

/// Resources at one offset: in-place chains, each from its first operand to its last result. More than
/// one only where a demand brought them together.
pub type Group = Vec<Vec<ResourceId>>;

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

/// A legal merge that was left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Left {
    /// The merge.
    pub merge: Merge,
    /// Why.
    pub why: Why,
}

/// Why a merge was left. Where it would bring two resources to one offset that must not be there, that
/// comes of demands, and the two need not be those of the merge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Why {
    /// `separate` keeps these apart.
    Separate(ResourceId, ResourceId),
    /// These may be live at once.
    Together(ResourceId, ResourceId),
    /// The plan is better without it.
    Chosen,
}

/// Forms the groups of so many resources.
pub fn groups(resources: usize, demands: &Demands, merges: &[Merge], live: &Frontiers) -> Groups {
    let mut of: Vec<usize> = (0..resources).collect();
    let mut chains: Vec<Group> = (0..resources)
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
                let (p, q) = alive.unwrap_or((merge.operand, merge.result));
                left.push(Left {
                    merge: *merge,
                    why: rival.map_or(Why::Together(p, q), |(p, q)| Why::Separate(p, q)),
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
    chains.retain(|group| !group.is_empty());
    taken.sort_by_key(|m| m.task);
    Groups {
        list: chains,
        taken,
        left,
    }
}
