//! Plans without the edges that their storage does not need.

use super::needed::{fewest, handed_over};
use super::tied::{Lanes, Tied};
use super::{Edge, Ground, Realised};

impl Ground {
    /// `plan` without the edges that its storage does not need.
    pub(super) fn leanest(&self, mut plan: Realised, limit: u32) -> Realised {
        while let Some(mut next) = self.leaner(&plan, limit) {
            next.times += plan.times;
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
        let lanes = Lanes::of(plan);
        let added = fewest(&self.order.with(&lanes.chains)?, &plan.added, &pairs);
        let mut next = self.tied(added, lanes)?;
        if limit > 1
            && let Some(other) = self.untied(plan, &pairs, limit)
            && other.added.len() <= next.added.len()
            && self.longest(&other) <= self.longest(&next)
        {
            next = other;
        }
        match next.added.len() < plan.added.len() {
            true => self.built(&plan.asked, next, plan.effort, Some(plan)),
            false => None,
        }
    }

    /// On streams that are assigned without the edges that `pairs` do not need, with what has to be
    /// added then; `None` where these rest on the streams that are there.
    fn untied(&self, plan: &Realised, pairs: &[Edge], limit: u32) -> Option<Tied> {
        let needed = fewest(&self.order, &plan.added, pairs);
        let stated = self.order.with(&needed)?;
        let lanes = Lanes::assigned(self, &stated, limit);
        let all = stated.with(&lanes.chains)?;
        let holds = pairs.iter().all(|&(a, b)| all.precedes(a, b));
        let own = self.order.with(&lanes.chains)?;
        match holds {
            true => self.tied(fewest(&own, &needed, pairs), lanes),
            false => None,
        }
    }
}
