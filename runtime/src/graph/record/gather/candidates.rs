//! What was weighed.

use super::Known;
use super::storage::together;
use crate::report::{Allocator, Candidate, Cost, Policy, Range, Region, Resource, Storage, amount};

impl Known<'_> {
    pub(super) fn candidates(
        &self,
        resources: &[Resource],
        storage: &Storage,
        allocator: &Allocator,
    ) -> Vec<Candidate> {
        let in_arena = || resources.iter().filter(|r| r.region == Region::Arena);
        let rooms = self.noted.workspaces.iter().flat_map(|w| &w.uses);
        let rooms = rooms.map(|&(_, r)| &resources[r as usize]);
        let rooms: Vec<_> = rooms.filter(|r| r.region == Region::Arena).collect();
        let all = in_arena().fold(0, |sum: u64, r| sum.saturating_add(r.bytes));
        // What is live in the execution that needs most, as far as that is known.
        let most = allocator.demand.iter().copied().max().unwrap_or(0);
        let greatest = self.noted.peaks.get("greatest");
        let most = greatest.map_or(most, |peak| peak.bytes.low.max(most));
        // One allocation when the graph is loaded, and none in a run.
        let nothing_added = |peak: Range, held: u64| Cost {
            peak_bytes: Some(peak),
            allocations: Some(0),
            releases: Some(0),
            slack_bytes: Some(held.saturating_sub(most)),
            workspace_bytes: None,
            compute_nanoseconds: Some(Range::exact(0)),
            traffic_bytes: Some(Range::exact(0)),
            synchronizations: Some(0),
            launches: Some(0),
            critical_path_nanoseconds: None,
        };
        let arena = storage.arena;
        let mut found = vec![Candidate {
            name: "a slot for each resource".to_owned(),
            policy: Policy::Retain,
            accepted: false,
            reason: match all.saturating_sub(arena) {
                0 => "it is what the layout comes to, where nothing shares".to_owned(),
                more => format!("it takes {} more, and saves nothing else", amount(more)),
            },
            cost: Cost {
                workspace_bytes: Some(rooms.iter().map(|r| r.bytes).sum()),
                ..nothing_added(Range::exact(all), all)
            },
        }];
        let weighed = self.noted.rivals.iter();
        let base = weighed.clone().next().map_or(0, |base| base.launches);
        let rooms = together(rooms.into_iter());
        found.extend(weighed.map(|rival| {
            let accepted = rival.outcome == "taken";
            let (_, reason) = rival.outcome.split_once(' ').unwrap_or_default();
            let held = rival.arena;
            Candidate {
                name: rival.name.to_owned(),
                policy: rival.policy,
                accepted,
                reason: match (accepted, storage.optimal) {
                    (true, true) => "no layout of what it orders is smaller".to_owned(),
                    (true, false) => "taken".to_owned(),
                    _ => reason.trim().to_owned(),
                },
                cost: Cost {
                    // What is live together, and how it lies, is known of the plan that was taken.
                    slack_bytes: accepted.then(|| held.saturating_sub(most)),
                    workspace_bytes: accepted.then_some(rooms),
                    synchronizations: Some(rival.added),
                    launches: Some(rival.launches.saturating_sub(base)),
                    critical_path_nanoseconds: match (rival.known, rival.path) {
                        (true, path) => Some(Range::exact(path)),
                        (false, 0) => None,
                        (false, path) => Some(Range::from(path)),
                    },
                    ..nothing_added(Range::exact(held), held)
                },
            }
        }));
        let bound = storage.lower_bound.bytes.min(arena);
        let name = |r: u32| self.source.resources[r as usize].name;
        for (update, why) in &self.facts.left {
            let (x, y) = (update.operand as u32, update.result as u32);
            found.push(Candidate {
                name: format!("`{}` in place of `{}`", name(y), name(x)),
                policy: Policy::Alias,
                accepted: false,
                reason: (*why).to_owned(),
                cost: Cost {
                    slack_bytes: None,
                    ..nothing_added(Range::between(bound, arena), arena)
                },
            });
        }
        found
    }
}
