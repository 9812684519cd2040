//! What no load can have decided.

use super::{Decision, LoadReport};
use crate::report::ReportError;
use crate::report::check::{dims, wrong};

/// What was taken is what was decided, and the guards say the same.
pub(super) fn check(load: &LoadReport) -> Result<(), ReportError> {
    dims(&load.dims)?;
    let anew = matches!(load.decision, Decision::PlacedAnew {});
    if load.actual != if anew { load.needed } else { load.planned } {
        return wrong("actual", "it is not what was decided");
    }
    if load.total_bytes != load.actual.bytes().total(load.instances) {
        return wrong("total_bytes", "it is not the sum of what was taken");
    }
    let mut fired = None;
    for (p, one) in load.programs.iter().enumerate() {
        let place = format!("programs[{p}]");
        let asked = !matches!(load.decision, Decision::NothingGained {});
        if one.guard.is_some() != asked {
            return wrong(
                place,
                "it is asked where something may be gained, and only there",
            );
        }
        if one.fallback != matches!(load.decision, Decision::Refused { .. }) {
            return wrong(place, "the plan serves where a guard fired, and only there");
        }
        let found = one.guard.as_ref().and_then(|guard| guard.fired.as_ref());
        fired = fired.or(found.map(|found| (p as u32, found)));
    }
    let told = match &load.decision {
        Decision::Refused { program, violation } => Some((*program, violation)),
        _ => None,
    };
    match told == fired {
        true => Ok(()),
        false => wrong("decision", "it is not what the guards found first"),
    }
}
