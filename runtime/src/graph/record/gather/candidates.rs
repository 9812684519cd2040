//! What was weighed.

use super::Known;
use super::noted::Rival;
use crate::report::{
    Allocator, Candidate, Cost, Kind, Policy, Range, Reconstruction, Region, Resource, Storage,
    amount,
};

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
        let weighed = self.noted.rivals.iter();
        let base = weighed.clone().next();
        // The most that is live at once, as tasks are issued.
        let most = base.map_or_else(
            || allocator.demand.iter().copied().max().unwrap_or(0),
            |base| base.arena.saturating_sub(base.slack),
        );
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
            waits: None,
            events: None,
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
            saved_bytes: None,
            cost: Cost {
                workspace_bytes: Some(rooms.iter().map(|r| r.bytes).sum()),
                ..nothing_added(Range::exact(all), all)
            },
            reconstructions: Vec::new(),
        }];
        let more =
            |own: u64, of: fn(&Rival) -> u64| base.map_or(0, |base| own.saturating_sub(of(base)));
        found.extend(weighed.enumerate().map(|(at, rival)| {
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
                saved_bytes: None,
                reconstructions: self.again(Some(at)),
                cost: Cost {
                    slack_bytes: Some(rival.slack),
                    workspace_bytes: rival.rooms,
                    compute_nanoseconds: match rival.known {
                        true => Some(Range::exact(more(rival.compute, |r| r.compute))),
                        // Of what is launched once more the cost may be what is not known.
                        false if more(rival.launches, |r| r.launches) > 0 => None,
                        false => Some(Range::exact(0)),
                    },
                    traffic_bytes: Some(Range::exact(more(rival.traffic, |r| r.traffic))),
                    synchronizations: Some(rival.added),
                    waits: Some(rival.waits),
                    events: Some(rival.events),
                    launches: Some(more(rival.launches, |r| r.launches)),
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
                saved_bytes: None,
                cost: Cost {
                    slack_bytes: None,
                    ..nothing_added(Range::between(bound, arena), arena)
                },
                reconstructions: Vec::new(),
            });
        }
        self.demanded(&mut found);
        found
    }

    /// What is made again in the rival of that number, or by demand.
    fn again(&self, rival: Option<usize>) -> Vec<Reconstruction> {
        let all = self.noted.again.iter().filter(|(of, _)| *of == rival);
        all.map(|(_, again)| again.clone()).collect()
    }

    /// Values that are made again in all plans, and those that cannot be.
    fn demanded(&self, found: &mut Vec<Candidate>) {
        let named = |value: &str, before: &str| format!("recompute `{value}` before `{before}`");
        for again in self.again(None) {
            found.push(Candidate {
                name: named(&again.value, &again.before),
                policy: Policy::Recompute,
                accepted: true,
                reason: "it is demanded".to_owned(),
                saved_bytes: Some(again.saved_bytes),
                cost: Cost::default(),
                reconstructions: vec![again],
            });
        }
        for [value, before, why] in &self.noted.refused {
            found.push(Candidate {
                name: named(value, before),
                policy: Policy::Recompute,
                accepted: false,
                reason: (*why).to_owned(),
                saved_bytes: None,
                cost: Cost::default(),
                reconstructions: Vec::new(),
            });
        }
    }

    /// Each kind of policy, and what it gives in this plan.
    pub(super) fn kinds(&self) -> Vec<Kind> {
        let kinds = self.noted.actions.iter();
        let kinds = kinds.map(|&(policy, gives_bytes, applied, why)| Kind {
            policy,
            applied,
            gives_bytes,
            reason: why.to_owned(),
        });
        kinds.collect()
    }
}
