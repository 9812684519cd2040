//! What is claimed, and on which conditions.

use super::Known;
use crate::report::{
    Claims, Disposition, Excluded, Guard, Purpose, Region, Resource, Stage, Storage, Verdict,
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

    pub(super) fn claims(&self, purpose: &Purpose, storage: &Storage) -> Claims {
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
            guards: self.guards(purpose, storage),
            fallback:
                "slots that are moved at load have this plan to fall back on; what any other \
                       check refuses does not run, and nothing is left behind"
                    .to_owned(),
            invalidation: words(&[
                "another source of the graph, or of a kernel that it launches",
                "dims outside their bounds",
                "another version of this crate",
            ]),
            falsified_by: words(&[
                "a kernel that touches rows which it does not declare, or keeps an address",
                "two resources of one slot that are live at once in a trace of completions",
                "a request for the arena of other bytes than are given here, at the dims' maxima",
            ]),
        }
    }

    fn guards(&self, purpose: &Purpose, storage: &Storage) -> Vec<Guard> {
        let guard = |stage, check: &str, refusal: &str| Guard {
            stage,
            check: check.to_owned(),
            refusal: refusal.to_owned(),
        };
        let mut all = vec![guard(
            Stage::Build,
            "a verifier that knows nothing of the planner holds the program against the source, at \
             the largest and the smallest dims",
            "the program does not build",
        )];
        if storage.budget.is_some() {
            let check = "all arenas together keep within the budget";
            all.push(guard(Stage::Build, check, "the program does not build"));
        }
        if !self.source.dims.is_empty() {
            all.extend([
                guard(
                    Stage::Load,
                    "each dim lies within its bounds",
                    "`LoadError::Dim`",
                ),
                guard(
                    Stage::Load,
                    "the same verifier, at the actual dims",
                    "`LoadError::Unproved`",
                ),
                guard(
                    Stage::Load,
                    "slots that are moved closer together for the actual dims hold before the verifier",
                    "the slots of this plan are used as they stand",
                ),
            ]);
        }
        all.push(guard(
            Stage::Load,
            "the memory that is asked for is there",
            "`LoadError::OutOfMemory`",
        ));
        let inputs = self.source.resources.iter().map(|r| r.class);
        if inputs.clone().any(|c| c == crate::table::Class::Input) {
            let check = "each input has the length of its declaration";
            all.push(guard(Stage::Run, check, "`RunError::InputLength`"));
        }
        if inputs.clone().any(|c| c == crate::table::Class::Resident) {
            let check = "each resident input has been set";
            all.push(guard(Stage::Run, check, "`RunError::NotSet`"));
        }
        if !purpose.finite.is_empty() {
            let check = "each scalar that is declared so is finite";
            all.push(guard(Stage::Run, check, "`RunError::NotFinite`"));
        }
        all.push(guard(
            Stage::Run,
            "no more runs are in flight than there are instances",
            "the run waits, or `RunError::InFlight`",
        ));
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
