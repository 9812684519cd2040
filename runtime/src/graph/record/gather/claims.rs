//! What is claimed, and on which conditions.

use super::Known;
use crate::report::{
    Claims, Disposition, Excluded, Guard, Purpose, Region, Resource, Stage, Verdict,
};

impl Known<'_> {
    pub(super) fn excluded(&self, resources: &[Resource]) -> Vec<Excluded> {
        let events = self.program.events.saturating_mul(self.program.ring);
        let streams = u32::from(self.program.streams).saturating_mul(self.program.ring);
        let mut all = vec![
            (
                "code and constants of kernels",
                "the driver loads them with the module".to_owned(),
            ),
            (
                "local memory, stacks and shared memory of kernels",
                "they belong to a launch, and the device sets them up".to_owned(),
            ),
            (
                "memory of the driver and of its context",
                format!("among it what {streams} streams and {events} events take"),
            ),
            (
                "what the driver reserves beyond the bytes that are asked for",
                "reserve, commitment, residency and fragmentation are physical".to_owned(),
            ),
            (
                "memory of the caller: inputs as they are handed in, outputs once copied out",
                "the caller owns it".to_owned(),
            ),
        ];
        if resources.iter().any(|r| r.region == Region::Store) {
            all.push((
                "a second copy of what outlives runs, while it is replaced",
                "the host decides when it sets or resets it".to_owned(),
            ));
        }
        let excluded = all.into_iter().map(|(what, why)| Excluded {
            what: what.to_owned(),
            why,
        });
        excluded.collect()
    }

    pub(super) fn claims(&self, purpose: &Purpose) -> Claims {
        let limits = self.record.text.rsplit_once("\nlimits\n");
        let limits = limits.map_or("", |(_, limits)| limits).lines();
        Claims {
            verdict: verdict(purpose),
            limits: limits.map(|line| line.trim().to_owned()).collect(),
            delegated: words(&[
                "the driver backs each range with one piece of memory, of the asked alignment",
                "where that memory resides, and what it takes physically, is the driver's",
                "an event is complete when all that was issued before it on its stream is",
                "a stream executes in the order of issue; when memory actions take place is the device's",
                "rustc evaluates the verifier as it is written",
            ]),
            guards: self.guards(),
            invalidation: self.lines("  void with      "),
            falsified_by: self.lines("  falsified by   "),
        }
    }

    /// The rest of each line of the record's text that begins so.
    fn lines(&self, begin: &str) -> Vec<String> {
        let lines = self.record.text.lines();
        let rest = lines.filter_map(|line| line.strip_prefix(begin));
        rest.map(str::to_owned).collect()
    }

    /// The checks that the record's text lists.
    fn guards(&self) -> Vec<Guard> {
        let mut lines = self.record.text.lines();
        let mut all = Vec::new();
        while let Some(line) = lines.next() {
            let stages = [
                ("  at build       ", Stage::Build),
                ("  at load        ", Stage::Load),
                ("  at run         ", Stage::Run),
            ];
            let mut begun = stages.iter();
            let begun = begun.find_map(|&(begin, stage)| Some((stage, line.strip_prefix(begin)?)));
            let Some((stage, check)) = begun else {
                continue;
            };
            let mut after = |begin| lines.next().and_then(|line| line.strip_prefix(begin));
            let refusal = after("    refusal   ").unwrap_or("");
            let fallback = after("    fallback  ");
            all.push(Guard {
                stage,
                check: check.to_owned(),
                refusal: refusal.to_owned(),
                fallback: fallback
                    .filter(|f| !f.starts_with("none,"))
                    .map(str::to_owned),
            });
        }
        all
    }
}

fn verdict(purpose: &Purpose) -> Verdict {
    let (disposition, because) = match purpose.target {
        Some(_) => (
            Disposition::NeedMoreEvidence,
            "storage is proved for every admitted dim and checked at load; for the declared target no \
             profile of the plan and of a baseline is given",
        ),
        None => (
            Disposition::GuardedPolicy,
            "storage is proved for every admitted dim and checked at load; nothing is claimed of time, \
             and nothing was measured",
        ),
    };
    Verdict {
        disposition,
        because: because.to_owned(),
    }
}

fn words(lines: &[&str]) -> Vec<String> {
    lines.iter().map(|&line| line.to_owned()).collect()
}
