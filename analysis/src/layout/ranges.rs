//! What is placed: chains of resources, their live ranges, and which is over before which.

use super::groups::{Groups, groups};
use crate::alias::{Demands, Merge};
use crate::frontier::Frontiers;
use crate::layout::SLOT_ALIGN;
use crate::model::{Model, Region, ResourceId, TaskId};
use crate::order::Precedence;
use crate::order::bits::{BitRows, each_bit};
use crate::place::{self, Buffer, Live, Problem};

/// An in-place chain, live without a gap from the start of its first resource to the end of its last.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Range {
    /// Its group: those of one group have one offset.
    pub group: usize,
    /// From the first operand to the last result.
    pub chain: Vec<ResourceId>,
    /// Largest aligned size of a member, which is not 0.
    pub bytes: u64,
}

/// The live ranges of one region of memory.
#[derive(Clone, Debug)]
pub struct Part {
    /// Which one.
    pub region: Region,
    /// By when they begin.
    pub ranges: Vec<Range>,
    /// Pairs that `separate` keeps apart.
    pub(super) apart: Vec<(usize, usize)>,
    /// Bit `b` of row `a`: `a` is over before `b` begins, in every execution. None of a large set.
    pub(super) over: Option<BitRows>,
}

/// The live ranges of a graph under one order.
#[derive(Clone, Debug)]
pub struct Ranges {
    /// What shares an offset.
    pub groups: Groups,
    /// Each region that holds anything, those of the arena before staging.
    pub parts: Vec<Part>,
}

impl Ranges {
    /// The live ranges of resources of `sizes`. Of sets of more than `pairwise` it is not listed who
    /// is over before whom.
    pub fn new(
        model: &Model,
        sizes: &[u64],
        order: &Precedence,
        live: &Frontiers,
        demands: &Demands,
        merges: &[Merge],
        pairwise: usize,
    ) -> Self {
        let of = |r: ResourceId| &model.resources[r.0 as usize];
        // What outlives runs is in the store.
        let sizes: Vec<u64> = (0..)
            .zip(sizes)
            .map(|(r, &bytes)| {
                let kept = of(ResourceId(r)).class.persists();
                if kept { 0 } else { bytes }
            })
            .collect();
        let groups = groups(sizes.len(), demands, merges, live);
        let mut all: Vec<Range> = Vec::new();
        for (group, chains) in groups.list.iter().enumerate() {
            for chain in chains {
                let bytes = chain.iter().map(|r| sizes[r.0 as usize]).max().unwrap_or(0);
                if bytes > 0 {
                    let chain = chain.clone();
                    all.push(Range {
                        group,
                        chain,
                        bytes,
                    });
                }
            }
        }
        let region = |range: &Range| of(range.chain[0]).region();
        let position = |t: Option<&TaskId>| t.map_or(u32::MAX, |&t| order.position(t));
        all.sort_by_cached_key(|range| {
            let (head, tail) = (range.chain[0], range.chain[range.chain.len() - 1]);
            let (first, last) = (live.of(head).first.first(), live.of(tail).last.last());
            let last = last.filter(|_| !live.of(tail).host);
            let region = region(range);
            let size = std::cmp::Reverse(range.bytes);
            (
                region.staging,
                region,
                position(first),
                size,
                position(last),
                live.met(head),
            )
        });
        let mut parts: Vec<Part> = Vec::new();
        for range in all {
            let region = region(&range);
            match parts.last_mut() {
                Some(part) if part.region == region => part.ranges.push(range),
                _ => parts.push(Part {
                    region,
                    ranges: vec![range],
                    apart: Vec::new(),
                    over: None,
                }),
            }
        }
        for part in &mut parts {
            part.separate(demands, model.resources.len());
            if part.ranges.len() <= pairwise {
                part.over = Some(part.over(order.tasks(), live));
            }
        }
        Self { groups, parts }
    }

    /// The parts of the arena.
    pub fn arena(&self) -> impl Iterator<Item = &Part> {
        self.parts.iter().filter(|part| !part.region.staging)
    }
}

impl Part {
    fn separate(&mut self, demands: &Demands, resources: usize) {
        if demands.separate.is_empty() {
            return;
        }
        let mut of = vec![None; resources];
        for (at, range) in self.ranges.iter().enumerate() {
            range.chain.iter().for_each(|r| of[r.0 as usize] = Some(at));
        }
        let at = |r: ResourceId| of[r.0 as usize];
        let pairs = demands.separate.iter();
        self.apart = pairs.filter_map(|&(a, b)| Some((at(a)?, at(b)?))).collect();
    }

    /// Who is over before whom. What no task uses is never live, and so before all others.
    fn over(&self, tasks: usize, live: &Frontiers) -> BitRows {
        let n = self.ranges.len();
        let mut over = BitRows::new(n, n);
        // Which ranges a task begins, and how many tasks begin each.
        let mut begun: Vec<Vec<usize>> = vec![Vec::new(); tasks];
        let mut starts = vec![0u32; n];
        let mut unused = Vec::new();
        for (at, range) in self.ranges.iter().enumerate() {
            let first = &live.of(range.chain[0]).first;
            first.iter().for_each(|t| begun[t.0 as usize].push(at));
            starts[at] = first.len() as u32;
            if first.is_empty() {
                unused.push(at);
            }
        }
        let mut heard = vec![0u32; n].into_boxed_slice();
        // An index into a `Vec` is three calls where this runs unoptimised.
        let (begun, starts) = (begun.as_slice(), starts.as_slice());
        for (at, range) in self.ranges.iter().enumerate() {
            let end = range.chain[range.chain.len() - 1];
            if live.of(end).host || starts[at] == 0 {
                continue;
            }
            heard.fill(0);
            each_bit(live.beyond(end), |task| {
                for &later in &begun[task] {
                    heard[later] += 1;
                    if heard[later] == starts[later] {
                        over.set(at, later);
                    }
                }
            });
        }
        for (k, &a) in unused.iter().enumerate() {
            (0..n)
                .filter(|b| !unused[..=k].contains(b))
                .for_each(|b| over.set(a, b));
        }
        over
    }

    /// Whether two ranges must not overlap, where that is listed.
    pub(super) fn clash(&self, a: usize, b: usize) -> bool {
        let live = |over: &BitRows| !over.get(a, b) && !over.get(b, a);
        let named = |&pair: &(usize, usize)| pair == (a, b) || pair == (b, a);
        let apart = self.ranges[a].group != self.ranges[b].group;
        apart && (self.over.as_ref().is_none_or(live) || self.apart.iter().any(named))
    }

    /// As buffers, where it is listed who is over before whom.
    pub(super) fn problem(&self) -> Option<Problem> {
        let buffer = |range: &Range| Buffer {
            size: range.bytes,
            alignment: SLOT_ALIGN,
            fixed: None,
        };
        let mut homes = std::collections::BTreeMap::new();
        let mut same = Vec::new();
        for (at, range) in self.ranges.iter().enumerate() {
            let home = *homes.entry(range.group).or_insert(at);
            if home != at {
                same.push((home, at));
            }
        }
        Some(Problem {
            buffers: self.ranges.iter().map(buffer).collect(),
            live: Live::Order(self.over.clone()?),
            same,
            apart: self.apart.clone(),
        })
    }

    /// Ranges of which no two may overlap, that together have the most bytes.
    pub fn clique(&self) -> Vec<&Range> {
        let found = self
            .problem()
            .and_then(|problem| place::clique(&problem).ok());
        let found = found.into_iter().flatten();
        found.map(|at| &self.ranges[at]).collect()
    }
}
