//! What the plan is known by, what its costs rest on, and what was measured of it.

use maud::{Markup, html};

use super::Shown;
use super::words::{count, text, time, times};
use crate::report::{Change, CostProfile, Delta, Finding, Identity, Predicted, amount};
use crate::time::time as short;

pub(super) fn section(shown: Shown<'_>) -> Markup {
    let plan = shown.plan;
    html! {
        @if let Some(identity) = &plan.identity {
            section {
                h2 { "What is measured" }
                (known_by(identity))
                @if let Some(profile) = &plan.costs { (costs(profile)) }
                @match &plan.finding {
                    Some(finding) => (found(finding)),
                    None => p.note { "Nothing was measured of this plan beside its baseline." },
                }
            }
        }
    }
}

fn known_by(identity: &Identity) -> Markup {
    html! {
        p {
            "Costs are of source " code { (identity.source) } ", peaks and times of program "
            code { (identity.plan.program) }
            @if identity.plan.program == identity.baseline.program {
                ", which adds nothing to the graph as it stands."
            } @else {
                ", beside " code { (identity.baseline.program) } ", which adds nothing."
            }
        }
        @if identity.plan.program != identity.baseline.program { (predicted(identity)) }
    }
}

/// What is predicted of the plan, less the same of its baseline.
fn predicted(identity: &Identity) -> Markup {
    let [from, to] = [&identity.baseline, &identity.plan];
    let arena = Change::between([from.arena_bytes; 2], [to.arena_bytes; 2]);
    let ends = |of: &Predicted| {
        let path = of.critical_path_nanoseconds?;
        Some([path.low, path.high?])
    };
    let path = ends(from).zip(ends(to));
    html! {
        p { "Predicted of the plan less the baseline: arena " (arena.words(amount))
            ", exactly, at the largest sizes; critical path "
            @match path {
                Some((from, to)) => (Change::between(from, to).words(short)),
                None => "unknown, as costs are",
            }
            "." }
    }
}

fn costs(profile: &CostProfile) -> Markup {
    let Some(used) = &profile.used else {
        return html! {
            p.note { "The profile " code { (profile.file) }
                " is stale: it is of another source, and not used." }
        };
    };
    html! {
        p { "Costs are from " code { (profile.file) } ": " (count(used.runs as usize, "run")) " on " (used.device)
            @for (i, dim) in used.dims.iter().enumerate() {
                @if i == 0 { " at " } @else { ", " } code { (dim.name) " = " (dim.value) }
            }
            ", and hold at these dims." }
        div.scroll {
            table {
                thead { tr { th { "kernel" } th { "at" } th.n { "launches" } th.n { "median" }
                    th.n { "range" } } }
                tbody {
                    @for cost in &used.kernels {
                        tr {
                            td { code { (cost.kernel) } }
                            td { (format!("{:?}", cost.dims)) }
                            td.n { (cost.launches) }
                            td.n { (time(cost.nanoseconds)) }
                            td.n { (times(Some(cost.range))) }
                        }
                    }
                }
            }
        }
    }
}

fn found(finding: &Finding) -> Markup {
    let change = |delta: &Delta, of, none: &str| match of {
        Some(change) => text(&delta.words(change)),
        None => html! { span.unknown { (none) } },
    };
    html! {
        p { (count(finding.baseline_runs as usize, "run")) " of the baseline and " (finding.plan_runs)
            " of the plan on " (finding.device)
            @for (i, dim) in finding.dims.iter().enumerate() {
                @if i == 0 { " at " } @else { ", " } code { (dim.name) " = " (dim.value) }
            }
            ". Below 0 the plan is better." }
        div.scroll {
            table {
                thead { tr { th { "plan less baseline" } th.n { "predicted" } th.n { "measured" } } }
                tbody {
                    @for delta in &finding.deltas {
                        tr {
                            td.k { (delta.figure.name()) }
                            td.n { (change(delta, delta.predicted, "no prediction")) }
                            td.n { (change(delta, delta.measured, "measured too seldom to say")) }
                        }
                    }
                }
            }
        }
    }
}
