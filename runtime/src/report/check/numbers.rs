//! Numbers that are said twice, and numbers of which one bounds the other.

use super::{Check, Checked, wrong};
use crate::report::{Change, Peak, Policy, Range, Report};

/// What the graph takes is what the plan takes that takes most.
pub(super) fn whole(report: &Report) -> Checked {
    let storage = report.plans.iter().map(|plan| &plan.storage);
    let arena = storage.clone().map(|of| of.arena).max();
    let store = storage.map(|of| of.store).max();
    for (name, value, most) in [
        ("arena_bytes", report.arena_bytes, arena),
        ("store_bytes", report.store_bytes, store),
    ] {
        if let Some(most) = most.filter(|most| *most != value) {
            let what = format!("it is {value}, where the most of any plan is {most}");
            return wrong(name, what);
        }
    }
    Ok(())
}

impl Check<'_> {
    /// See the module.
    pub(super) fn numbers(&self) -> Checked {
        self.amounts()?;
        self.ranges()?;
        self.kinds()?;
        self.taken()
    }

    /// `value` is no more than `bound`, which is the number of that name beside it.
    fn within(&self, place: &str, value: u64, name: &str, bound: u64) -> Checked {
        match value <= bound {
            true => Ok(()),
            false => self.wrong(
                place,
                format!("it is {value}, above `{name}`, which is {bound}"),
            ),
        }
    }

    fn amounts(&self) -> Checked {
        for (d, dim) in self.plan.dims.iter().enumerate() {
            self.within(&format!("dims[{d}].min"), dim.min, "max", dim.max)?;
        }
        for (r, of) in self.plan.resources.iter().enumerate() {
            let place = format!("resources[{r}].payload");
            self.within(&place, of.payload, "bytes", of.bytes)?;
        }
        self.sizes()?;
        let storage = &self.plan.storage;
        let bound = &storage.lower_bound;
        self.within("storage.padding", storage.padding, "arena", storage.arena)?;
        let place = "storage.lower_bound.bytes";
        let parts = bound.parts.iter().map(|part| part.bytes);
        let parts = parts.fold(0, u64::saturating_add);
        // Of a graph that `gpu_graph!` did not make no part is known.
        if !bound.parts.is_empty() && bound.bytes != parts {
            let what = format!("it is {}, where its parts come to {parts}", bound.bytes);
            return self.wrong(place, what);
        }
        self.within(place, bound.bytes, "storage.arena", storage.arena)?;
        for (p, part) in bound.parts.iter().enumerate() {
            let place = format!("storage.lower_bound.parts[{p}].listed");
            self.within(&place, part.listed, "bytes", part.bytes)?;
        }
        for (c, one) in self.plan.candidates.iter().enumerate() {
            let (of, at) = (&one.totals, |name| format!("candidates[{c}].totals.{name}"));
            let (arena, bound) = (of.arena_bytes, of.lower_bound_bytes);
            self.within(&at("lower_bound_bytes"), bound, "arena_bytes", arena)?;
            self.within(&at("slack_bytes"), of.slack_bytes, "arena_bytes", arena)?;
            self.within(&at("ends"), of.ends, "begins", of.begins)?;
        }
        Ok(())
    }

    /// Where each resource is at its largest is within the bounds of the dims.
    fn sizes(&self) -> Checked {
        let at = self.plan.storage.sizes.as_ref();
        let Some(at) = at.and_then(|sizes| sizes.at.as_ref()) else {
            return Ok(());
        };
        let (place, dims) = ("storage.sizes.at", &self.plan.dims);
        if at.len() != dims.len() {
            let what = format!(
                "it has {} values, where there are {} dims",
                at.len(),
                dims.len()
            );
            return self.wrong(place, what);
        }
        for (dim, (value, of)) in at.iter().zip(dims).enumerate() {
            let place = format!("{place}[{dim}]");
            self.within(&place, *value, "max", of.max)?;
            self.within(&format!("dims[{dim}].min"), of.min, &place, *value)?;
        }
        Ok(())
    }

    fn ranges(&self) -> Checked {
        let range = |place: String, range: Option<Range>| match range {
            Some(Range {
                low,
                high: Some(high),
            }) => self.within(&format!("{place}.low"), low, "high", high),
            _ => Ok(()),
        };
        if let Some(peaks) = &self.plan.peaks {
            let peak =
                |name: &str, peak: &Peak| range(format!("peaks.{name}.bytes"), Some(peak.bytes));
            peak("least", &peaks.least)?;
            peak("greatest", &peaks.greatest)?;
            peaks
                .workspaces
                .iter()
                .try_for_each(|of| peak("workspaces", of))?;
        }
        for (c, one) in self.plan.candidates.iter().enumerate() {
            let at = |name: &str| format!("candidates[{c}].totals.{name}_nanoseconds");
            range(at("compute"), one.totals.compute_nanoseconds)?;
            range(at("critical_path"), one.totals.critical_path_nanoseconds)?;
        }
        if let Some(identity) = &self.plan.identity {
            for (name, of) in [("baseline", &identity.baseline), ("plan", &identity.plan)] {
                let place = format!("identity.{name}.critical_path_nanoseconds");
                range(place, of.critical_path_nanoseconds)?;
            }
        }
        let used = self.plan.costs.iter().flat_map(|costs| &costs.used);
        let kernels = used.flat_map(|used| used.kernels.iter().enumerate());
        for (k, kernel) in kernels {
            let place = format!("costs.used.kernels[{k}].range");
            range(place, Some(kernel.range))?;
        }
        Ok(())
    }

    /// What a kind of policy gives is what it changes less of.
    fn kinds(&self) -> Checked {
        for (k, kind) in self.plan.kinds.iter().enumerate() {
            let Some(effect) = &kind.effect else {
                continue;
            };
            let place = |name: &str| format!("kinds[{k}].effect.{name}");
            for (name, change) in effect.named() {
                if let Some(Change { low, high }) = change.filter(|of| of.low > of.high) {
                    let what = format!("it is {low}, above `high`, which is {high}");
                    return self.wrong(place(name) + ".low", what);
                }
            }
            let (name, change) = match kind.policy {
                Policy::Delay | Policy::ReleaseEarlier => ("live_bytes", effect.live_bytes),
                Policy::ShareWorkspace => ("workspace_bytes", effect.workspace_bytes),
                _ => ("arena_bytes", effect.arena_bytes),
            };
            let (Some(gives), Some(change)) = (kind.gives_bytes, change) else {
                continue;
            };
            let same = match gives {
                // It may take more.
                0 => change.low >= 0,
                _ => change == Change::between([gives; 2], [0; 2]),
            };
            if !same {
                let (Change { low, high }, than) = (change, "where that comes to `gives_bytes`");
                let what = format!("it is {low} to {high}, {than}, which is {gives}, less");
                return self.wrong(place(name), what);
            }
        }
        Ok(())
    }

    /// The plan is the candidate that is taken.
    fn taken(&self) -> Checked {
        let (plan, all) = (self.plan, &self.plan.candidates);
        let (Some(first), Some(at)) = (all.first(), all.iter().position(|one| one.accepted)) else {
            return Ok(());
        };
        let (storage, order, of) = (&plan.storage, &plan.order, &all[at].totals);
        let mut same = vec![
            ("storage.arena", storage.arena, at, of.arena_bytes),
            (
                "storage.lower_bound.bytes",
                storage.lower_bound.bytes,
                at,
                of.lower_bound_bytes,
            ),
            ("order.streams", order.streams.into(), at, of.streams),
            ("order.waits", order.waits.into(), at, of.waits),
            ("order.events", order.events.into(), at, of.events),
        ];
        if let Some(identity) = &plan.identity {
            let (from, to) = (&identity.baseline, &identity.plan);
            same.push((
                "identity.plan.arena_bytes",
                to.arena_bytes,
                at,
                of.arena_bytes,
            ));
            let stands = first.totals.arena_bytes;
            same.push(("identity.baseline.arena_bytes", from.arena_bytes, 0, stands));
        }
        for (place, value, c, expected) in same {
            if value != expected {
                let what = format!("it is {value}, where candidate {c} has {expected}");
                return self.wrong(place, what);
            }
        }
        Ok(())
    }
}
