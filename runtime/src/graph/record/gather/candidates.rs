//! What was weighed.

use super::Known;
use super::noted::Rival;
use crate::report::{
    Candidate, Deltas, Kind, NotAgain, Ordered, Range, Reconstruction, Search, Totals,
};

impl Known<'_> {
    pub(super) fn candidates(&self) -> Vec<Candidate> {
        let rivals = self.noted.rivals.iter();
        let all: Vec<Totals> = rivals.clone().map(totals).collect();
        let each = rivals.zip(&all).enumerate();
        let each = each.map(|(at, (rival, totals))| {
            let accepted = rival.outcome == "taken";
            let (_, reason) = rival.outcome.split_once(' ').unwrap_or_default();
            Candidate {
                name: rival.name.to_owned(),
                policy: rival.policy,
                accepted,
                reason: match accepted {
                    true => "taken".to_owned(),
                    false => reason.trim().to_owned(),
                },
                totals: *totals,
                deltas: Deltas::between(&all[0], totals),
                added: self.adds(at),
                reconstructions: self.again(Some(at)),
            }
        });
        each.collect()
    }

    /// What the rival of that number orders, by name.
    fn adds(&self, rival: usize) -> Vec<Ordered> {
        let tasks = self.source.tasks.len();
        let all = self.noted.adds.iter().filter(|(of, ..)| *of == rival);
        let all = all.flat_map(|(_, added, names)| {
            let name = move |task: u32| match names.get((task as usize).wrapping_sub(tasks)) {
                Some(name) => (*name).to_owned(),
                None => self.name(task as usize).to_owned(),
            };
            added.iter().map(move |edge| Ordered {
                before: name(edge.before),
                after: name(edge.after),
            })
        });
        all.collect()
    }

    pub(super) fn search(&self) -> Search {
        Search {
            complete: !self.noted.cut,
            blocked: self
                .noted
                .blocked
                .iter()
                .map(|&why| why.to_owned())
                .collect(),
        }
    }

    /// What is made again in the rival of that number, or by demand.
    pub(super) fn again(&self, rival: Option<usize>) -> Vec<Reconstruction> {
        let all = self.noted.again.iter().filter(|(of, _)| *of == rival);
        all.map(|(_, again)| again.clone()).collect()
    }

    pub(super) fn not_again(&self) -> Vec<NotAgain> {
        let refused = self.noted.refused.iter();
        let refused = refused.map(|words| {
            let [value, before, reason] = words.map(str::to_owned);
            NotAgain {
                value,
                before,
                reason,
            }
        });
        refused.collect()
    }

    /// Each kind of policy, and what it gives in this plan.
    pub(super) fn kinds(&self) -> Vec<Kind> {
        self.noted.actions.clone()
    }
}

fn totals(rival: &Rival) -> Totals {
    // Where a cost is not known, the others are a bound below.
    let time = |nanoseconds| match (rival.known, nanoseconds) {
        (true, all) => Some(Range::exact(all)),
        (false, 0) => None,
        (false, known) => Some(Range::from(known)),
    };
    let range = |[low, high]: [u64; 2]| Range::between(low, high);
    Totals {
        arena_bytes: rival.arena,
        lower_bound_bytes: rival.bound,
        slack_bytes: rival.slack,
        least_peak_bytes: range(rival.least),
        greatest_peak_bytes: range(rival.greatest),
        workspace_bytes: rival.rooms,
        begins: rival.begins,
        ends: rival.ends,
        // The arena is allocated once, when the graph is loaded.
        allocations: 0,
        releases: 0,
        compute_nanoseconds: time(rival.compute),
        critical_path_nanoseconds: time(rival.path),
        read_bytes: rival.read,
        written_bytes: rival.written,
        launches: rival.launches,
        added_edges: rival.added,
        streams: rival.streams,
        waits: rival.waits,
        events: rival.events,
    }
}
