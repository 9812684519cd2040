//! First fit: one group of resources after the other, each as low as those that it must not overlap
//! let it, in several sequences.

use std::cmp::Reverse;

use super::lives::Lives;
use super::{aligned, taken};
use crate::table::{Slot, Source};

/// Resources of one region, by their position among these.
pub(super) struct Tight {
    /// Those at one offset.
    groups: Vec<Group>,
    /// Of each resource those that it must not overlap, in groups of their own.
    near: Vec<Vec<u32>>,
    bytes: Vec<u64>,
    /// The same with what is left behind it.
    taken: Vec<u64>,
}

struct Group {
    members: Vec<u32>,
    planned: u64,
    issued: u32,
    /// The largest member.
    bytes: u64,
    /// Pairs of a member and what it must not overlap.
    clashes: u64,
}

impl Tight {
    /// Of the resources `inside` a region, with the slots `old` and now `bytes`. None where the plan has
    /// those apart that this would put at one offset.
    pub(super) fn new(
        lives: &Lives,
        source: &Source<'_>,
        inside: &[usize],
        old: &[Slot],
        bytes: &[u64],
    ) -> Option<Self> {
        let mut at = vec![None; source.resources.len()];
        (0..).zip(inside).for_each(|(i, &r)| at[r] = Some(i));
        let inner = |&(a, b): &(u32, u32)| -> Option<(u32, u32)> {
            Some((at.get(a as usize).copied()??, at.get(b as usize).copied()??))
        };
        let home = homes(inside.len(), lives.joined.iter().filter_map(inner));
        let planned = |i: u32| old[i as usize].offset;
        if (0..)
            .zip(&home)
            .any(|(i, &home)| planned(i) != planned(home))
        {
            return None;
        }
        let mut near = vec![Vec::new(); inside.len()];
        let mut apart = |a: usize, b: usize| {
            if home[a] != home[b] {
                near[a].push(b as u32);
                near[b].push(a as u32);
            }
        };
        let there: Vec<usize> = (0..inside.len()).filter(|&i| bytes[i] > 0).collect();
        lives.clashes(inside, there, &mut apart);
        let separate = source.separate.iter().filter_map(inner);
        separate.for_each(|(a, b)| apart(a as usize, b as usize));
        let mut members = vec![Vec::new(); inside.len()];
        (0..)
            .zip(&home)
            .for_each(|(i, &home)| members[home as usize].push(i));
        members.retain(|members: &Vec<u32>| !members.is_empty());
        let group = |members: Vec<u32>| {
            let all = || members.iter().map(|&i| i as usize);
            Group {
                planned: planned(members[0]),
                issued: all().map(|i| lives.issued[inside[i]]).min().unwrap_or(0),
                bytes: all().map(|i| bytes[i]).max().unwrap_or(0),
                clashes: all().map(|i| near[i].len() as u64).sum(),
                members,
            }
        };
        let groups = members.into_iter().map(group).collect();
        Some(Self {
            groups,
            near,
            bytes: bytes.to_vec(),
            taken: bytes.iter().map(|&bytes| taken(bytes)).collect(),
        })
    }

    /// Offsets, and where the last resource ends: the least of several sequences.
    pub(super) fn place(&self) -> (Vec<u64>, u64) {
        let weight = |g: &Group| u128::from(g.bytes) * u128::from(g.clashes);
        let by_plan = self.in_order(|g| (g.planned, g.issued));
        let others = [
            self.in_order(|g| (Reverse(g.bytes), g.planned)),
            self.in_order(|g| (Reverse(weight(g)), g.planned)),
            self.in_order(|g| (g.issued, Reverse(g.bytes))),
        ];
        let others = others.iter().map(|sequence| self.first_fit(sequence));
        others.fold(self.first_fit(&by_plan), |best, found| {
            if found.1 < best.1 { found } else { best }
        })
    }

    fn in_order<K: Ord>(&self, key: impl Fn(&Group) -> K) -> Vec<usize> {
        let mut sequence: Vec<usize> = (0..self.groups.len()).collect();
        sequence.sort_by_cached_key(|&g| key(&self.groups[g]));
        sequence
    }

    fn first_fit(&self, sequence: &[usize]) -> (Vec<u64>, u64) {
        let mut offsets: Vec<Option<u64>> = vec![None; self.bytes.len()];
        let (mut length, mut forbidden) = (0, Vec::new());
        for &group in sequence {
            forbidden.clear();
            let members = || self.groups[group].members.iter().map(|&i| i as usize);
            for i in members() {
                let own = self.taken[i];
                for &other in &self.near[i] {
                    if let Some(at) = offsets[other as usize] {
                        let end = at.saturating_add(self.taken[other as usize]);
                        forbidden.push((signed(at) - signed(own), signed(end)));
                    }
                }
            }
            let at = lowest(&mut forbidden);
            for i in members() {
                offsets[i] = Some(at);
                length = length.max(at.saturating_add(aligned(self.bytes[i])));
            }
        }
        // Each resource is in one group, and each group in the sequence.
        let offsets = offsets.into_iter().map(Option::unwrap_or_default);
        (offsets.collect(), length)
    }
}

fn signed(bytes: u64) -> i64 {
    i64::try_from(bytes).unwrap_or(i64::MAX)
}

/// The lowest offset that is strictly inside none of the intervals.
fn lowest(forbidden: &mut [(i64, i64)]) -> u64 {
    forbidden.sort_unstable();
    let mut free = 0;
    for &(lower, upper) in &*forbidden {
        if lower >= free {
            break;
        }
        free = free.max(upper);
    }
    free.unsigned_abs()
}

/// For each of so many the first of those that pairs join it with.
fn homes(count: usize, pairs: impl Iterator<Item = (u32, u32)>) -> Vec<u32> {
    let mut home: Vec<u32> = (0..count as u32).collect();
    let find = |home: &[u32], mut i: u32| {
        while home[i as usize] != i {
            i = home[i as usize];
        }
        i
    };
    for (a, b) in pairs {
        let (a, b) = (find(&home, a), find(&home, b));
        home[a.max(b) as usize] = a.min(b);
    }
    // Each is joined to one before it, which has its home already.
    for i in 0..count {
        home[i] = home[home[i] as usize];
    }
    home
}
