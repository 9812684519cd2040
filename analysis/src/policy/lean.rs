//! Plans without the edges that their storage does not need.

use super::figures::Executed;
use super::needed::{fewest, handed_over};
use super::realise::Lanes;
use super::{Edge, Ground, Realised};

impl Ground {
    /// `plan` without the edges that its storage does not need.
    pub(super) fn leanest(&self, mut plan: Realised, limit: u32) -> Realised {
        while let Some(next) = self.leaner(&plan, limit) {
            plan = next;
        }
        plan
    }

    /// The same with fewer edges, as far as storage allows, and on other streams where the edges that
    /// are gone tied tasks to those.
    fn leaner(&self, plan: &Realised, limit: u32) -> Option<Realised> {
        if plan.added.is_empty() {
            return None;
        }
        let pairs = handed_over(self, plan);
        let mut lanes = Lanes::of(plan);
        let mut added = fewest(&self.order.with(&lanes.chains)?, &plan.added, &pairs);
        if limit > 1
            && let Some((others, fewer)) = self.untied(plan, &pairs, limit)
            && fewer.len() <= added.len()
            && self.path(&fewer, &others) <= self.path(&added, &lanes)
        {
            (lanes, added) = (others, fewer);
        }
        match added.len() < plan.added.len() {
            true => self.built(added, lanes, plan.effort, Some(plan)),
            false => None,
        }
    }

    /// Streams that are assigned without the edges that `pairs` do not need, and what has to be added
    /// then; `None` where these rest on the streams that are there.
    fn untied(&self, plan: &Realised, pairs: &[Edge], limit: u32) -> Option<(Lanes, Vec<Edge>)> {
        let needed = fewest(&self.order, &plan.added, pairs);
        let stated = self.order.with(&needed)?;
        let lanes = Lanes::assigned(self, &stated, limit);
        let all = stated.with(&lanes.chains)?;
        let holds = pairs.iter().all(|&(a, b)| all.precedes(a, b));
        let own = self.order.with(&lanes.chains)?;
        holds.then(|| (lanes, fewest(&own, &needed, pairs)))
    }

    /// The longest path: of costs where all are known, else of tasks.
    fn path(&self, added: &[Edge], lanes: &Lanes) -> Option<u64> {
        let order = self.order.with(added)?.with(&lanes.chains)?;
        let known = self.costs.iter().all(Option::is_some);
        let units = vec![Some(1); self.costs.len()];
        let costs = if known { &self.costs } else { &units };
        Some(Executed::new(&order, &lanes.stream_of).critical_path(costs))
    }
}
