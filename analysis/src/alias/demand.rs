//! `alias a with b` and `separate a, b`: what the user demands, held against the proofs.

use std::collections::{BTreeMap, BTreeSet};

use super::{Eligibility, eligibility, refusal::Case};
use crate::fault::{Fault, storage::pair_contradiction};
use crate::frontier::Frontiers;
use crate::model::{Model, Pair, ResourceId};
use crate::order::Precedence;

/// The demands that hold.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Demands {
    /// Sets of resources that start at one offset, each of two or more, sorted.
    pub groups: Vec<Vec<ResourceId>>,
    /// Pairs that never overlap, the smaller id first.
    pub separate: BTreeSet<(ResourceId, ResourceId)>,
}

impl Demands {
    /// Whether `separate` names the pair.
    pub fn apart(&self, a: ResourceId, b: ResourceId) -> bool {
        self.separate.contains(&(a.min(b), a.max(b)))
    }
}

/// Checks the demands of `model`.
///
/// # Errors
/// One fault for each `alias` that is not unconditional or in place, or that puts two resources of
/// a chain of aliases at one offset that are not, and for each that a `separate` contradicts.
pub fn demands(model: &Model, order: &Precedence, live: &Frontiers) -> Result<Demands, Vec<Fault>> {
    let separate: BTreeSet<_> = model
        .separate
        .iter()
        .map(|p| (p.a.min(p.b), p.a.max(p.b)))
        .collect();
    let mut faults = Vec::new();
    let mut group: BTreeMap<ResourceId, usize> = BTreeMap::new();
    let mut members: Vec<Vec<ResourceId>> = Vec::new();
    for demand in &model.aliases {
        let mut of = |r: ResourceId| {
            *group.entry(r).or_insert_with(|| {
                members.push(vec![r]);
                members.len() - 1
            })
        };
        let (a, b) = (of(demand.a), of(demand.b));
        if a == b {
            continue;
        }
        // The pair as written first, then what it brings together through earlier demands.
        let mut pairs = vec![(demand.a, demand.b)];
        for &x in &members[a] {
            for &y in &members[b] {
                if (x, y) != (demand.a, demand.b) {
                    pairs.push((x, y));
                }
            }
        }
        let fault = pairs.iter().find_map(|&(x, y)| {
            if separate.contains(&(x.min(y), x.max(y))) {
                return Some(contradiction(model, demand, x, y));
            }
            match eligibility(model, order, live, x, y) {
                Eligibility::Unconditional { .. } | Eligibility::InPlace { .. } => None,
                _ => {
                    let case = Case {
                        model,
                        order,
                        live,
                        demand,
                        pairs: &pairs,
                    };
                    Some(case.refusal(x, y))
                }
            }
        });
        if let Some(fault) = fault {
            faults.push(fault);
            continue;
        }
        let moved = std::mem::take(&mut members[b]);
        for &r in &moved {
            group.insert(r, a);
        }
        members[a].extend(moved);
    }
    if !faults.is_empty() {
        return Err(faults);
    }
    let mut groups: Vec<_> = members.into_iter().filter(|m| m.len() > 1).collect();
    for g in &mut groups {
        g.sort_unstable();
    }
    groups.sort_unstable();
    Ok(Demands { groups, separate })
}

fn contradiction(model: &Model, demand: &Pair, x: ResourceId, y: ResourceId) -> Fault {
    let name = |r: ResourceId| model.resources[r.0 as usize].name.as_str();
    let pair = (x.min(y), x.max(y));
    let apart = |p: &&Pair| (p.a.min(p.b), p.a.max(p.b)) == pair;
    let site = model
        .separate
        .iter()
        .find(apart)
        .map_or(demand.site, |p| p.site);
    pair_contradiction(site, name(x), name(y), &[demand.site])
}
