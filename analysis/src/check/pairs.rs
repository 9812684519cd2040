//! Demands that contradict themselves: `alias` and `separate`.
//!
//! Any two element types may share storage: a slot is aligned for all of them, and no task sees what
//! another resource left there.

use std::collections::VecDeque;

use crate::fault::Fault;
use crate::fault::storage::{pair_contradiction, pair_self};
use crate::model::{Model, Pair, ResourceId, Site};

pub(super) fn check(model: &Model, faults: &mut Vec<Fault>) {
    let name = |r: ResourceId| model.resources[r.0 as usize].name.as_str();
    for (word, pairs) in [("alias", &model.aliases), ("separate", &model.separate)] {
        for pair in pairs.iter().filter(|p| p.a == p.b) {
            faults.push(pair_self(pair.site, word, name(pair.a)));
        }
    }
    for pair in model.separate.iter().filter(|p| p.a != p.b) {
        let chain = chain(model, pair);
        if !chain.is_empty() {
            faults.push(pair_contradiction(
                pair.site,
                name(pair.a),
                name(pair.b),
                &chain,
            ));
        }
    }
}

/// The fewest `alias` demands that make the two of `pair` share storage; empty if none do.
fn chain(model: &Model, pair: &Pair) -> Vec<Site> {
    let mut came: Vec<Option<&Pair>> = vec![None; model.resources.len()];
    let mut queue = VecDeque::from([pair.a]);
    while let Some(here) = queue.pop_front() {
        for alias in &model.aliases {
            let next = match here {
                r if r == alias.a => alias.b,
                r if r == alias.b => alias.a,
                _ => continue,
            };
            if next != pair.a && came[next.0 as usize].is_none() {
                came[next.0 as usize] = Some(alias);
                queue.push_back(next);
            }
        }
    }
    let mut sites = Vec::new();
    let mut here = pair.b;
    while let Some(alias) = came[here.0 as usize] {
        sites.push(alias.site);
        here = if alias.a == here { alias.b } else { alias.a };
    }
    sites.reverse();
    sites
}
