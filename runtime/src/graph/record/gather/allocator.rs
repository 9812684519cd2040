//! What an allocator of physical memory is to know.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use super::Known;
use crate::report::{Allocator, Event, Happening, Region, Resource, SizeClass};
use crate::table::SLOT_ALIGN;

impl Known<'_> {
    pub(super) fn allocator(&self, resources: &[Resource]) -> Allocator {
        Allocator {
            alignment: SLOT_ALIGN,
            size_classes: self.size_classes(resources),
            demand: self.demand(resources),
            trace: self.trace(resources),
        }
    }

    /// The steps of the issue order at which a resource is live, both included.
    fn span(&self, resource: &Resource) -> Option<(usize, usize)> {
        let steps =
            |tasks: &[u32]| -> Vec<u32> { tasks.iter().map(|&t| self.steps[t as usize]).collect() };
        let first = steps(&resource.first).into_iter().min()?;
        let last = match resource.host {
            true => self.steps.len() - 1,
            false => steps(&resource.last).into_iter().max()? as usize,
        };
        Some((first as usize, last.max(first as usize)))
    }

    /// For each step, the sum of what `of` gives for the resources that are live then. Where a task
    /// updates one into another, both are live, in one place, and count once.
    fn live(&self, resources: &[Resource], of: impl Fn(&Resource) -> u64) -> Vec<u64> {
        let mut sums = vec![0i128; self.steps.len() + 1];
        for resource in resources {
            if let Some((from, to)) = self.span(resource) {
                sums[from] += i128::from(of(resource));
                sums[to + 1] -= i128::from(of(resource));
            }
        }
        let mut sum = 0;
        for change in &mut sums {
            sum += *change;
            *change = sum;
        }
        for update in &self.taken {
            let [x, y] = [update.operand, update.result].map(|r| of(&resources[r]));
            sums[self.steps[update.task] as usize] -= i128::from(x.min(y));
        }
        let sums = sums.into_iter().take(self.steps.len());
        sums.map(|sum| u64::try_from(sum).unwrap_or(0)).collect()
    }

    fn demand(&self, resources: &[Resource]) -> Vec<u64> {
        self.live(resources, |r| match r.region {
            Region::Arena => r.bytes,
            _ => 0,
        })
    }

    fn size_classes(&self, resources: &[Resource]) -> Vec<SizeClass> {
        let in_run = |r: &Resource| r.region != Region::Store && r.bytes > 0;
        let mut classes: BTreeMap<Reverse<u64>, u32> = BTreeMap::new();
        for resource in resources.iter().filter(|r| in_run(r)) {
            *classes.entry(Reverse(resource.bytes)).or_default() += 1;
        }
        let classes = classes.into_iter().map(|(Reverse(bytes), count)| {
            let live = self.live(resources, |r| u64::from(in_run(r) && r.bytes == bytes));
            SizeClass {
                bytes,
                resources: count,
                live: live.into_iter().max().unwrap_or(0) as u32,
            }
        });
        classes.collect()
    }

    fn trace(&self, resources: &[Resource]) -> Vec<Event> {
        let mut from: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
        for alias in &self.noted.aliases {
            from.entry(alias.later).or_default().push(alias.earlier);
        }
        let passed_on = |r: usize| self.taken.iter().any(|update| update.operand == r);
        let mut trace = Vec::new();
        for (r, resource) in resources.iter().enumerate() {
            let spans = self.span(resource).filter(|_| resource.bytes > 0);
            let Some((begin, end)) = spans.filter(|_| resource.region != Region::Store) else {
                continue;
            };
            let event = |step: usize, event, from| Event {
                step: step as u32,
                event,
                resource: r as u32,
                offset: resource.offset,
                bytes: resource.bytes,
                from,
            };
            trace.push(match from.remove(&(r as u32)) {
                Some(from) => event(begin, Happening::Reuse, from),
                None => event(begin, Happening::Allocate, Vec::new()),
            });
            if !resource.host && !passed_on(r) {
                trace.push(event(end, Happening::Release, Vec::new()));
            }
        }
        // What a task updates begins before what that becomes, where both begin with the task.
        let becomes = |r: u32| self.taken.iter().any(|update| update.result == r as usize);
        trace.sort_by_key(|e| {
            let release = e.event == Happening::Release;
            (e.step, release, becomes(e.resource), e.resource)
        });
        trace
    }
}
