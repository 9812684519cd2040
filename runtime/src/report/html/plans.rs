//! The plans that were weighed, and what each kind of policy gives.

use maud::{Markup, html};

use super::Shown;
use super::summary::range;
use super::words::{bytes, count, grouped, means, text, time, times};
use crate::report::{
    Candidate, Change, Effect, Kind, Ordered, Plan, Policy, Reconstruction, Totals, amount,
};
use crate::time::time as short;

pub(super) fn section(shown: Shown<'_>) -> Markup {
    let plan = shown.plan;
    let all = &plan.candidates;
    let idle = |of: &Candidate| (of.totals.allocations, of.totals.releases) == (0, 0);
    html! {
        section id=(shown.section("candidates")) {
            h2 { "Candidates" }
            p.note {
                (count(all.len(), "plan")) " weighed"
                @match &plan.purpose.minimize {
                    Some(minimize) => { " by " code { (minimize) } }
                    None => { ", and nothing traded, as no " code { "minimize" } " asks for it" }
                }
                @if !plan.search.complete { "; the search ended by its limit for a graph of this size" }
                ". Figures are of one instance at the largest sizes, and of one run. Below a figure: what it is \
                 more or less than that of the first plan, the graph as it stands. "
                @if all.iter().all(idle) { "No plan allocates or releases memory in a run. " }
                "≥ is a bound below, and ? what is not known: no zero."
            }
            @for why in &plan.search.blocked { p.note { "Blocked: " (text(why)) } }
            div.scroll {
                table.candidates {
                    thead { tr {
                        th { "" } th { "plan" } th { "policy" } th.n { "arena" }
                        th.n { "no layout below" } th.n { (means("slack", "slack")) }
                        th.n { (means("peak cut", "least peak")) } th.n { (means("peak cut", "greatest peak")) }
                        th.n { "workspaces in use" } th.n { (means("live", "live ranges: begin, end")) }
                        th.n { "critical path" } th.n { "compute" } th.n { "read" } th.n { "written" }
                        th.n { "launches" } th.n { "added edges" } th.n { "streams" } th.n { "waits" }
                        th.n { "events" }
                    } }
                    tbody { @for (at, one) in all.iter().enumerate() { (candidate(one, at == 0)) } }
                }
            }
            (again(plan))
            h3 { "What each kind of policy gives in this plan, padding aside" }
            p.note { "Each by itself, so that rows overlap and do not add." }
            div.scroll {
                table {
                    thead { tr { th { "policy" } th.n { "gives" } th { "of what" }
                        th { "why, and what it changes of this plan" } } }
                    tbody { @for kind in &plan.kinds { (self::kind(kind)) } }
                }
            }
        }
    }
}

fn kind(kind: &Kind) -> Markup {
    html! {
        tr {
            td { (policy(kind.policy)) }
            td.n { @match (kind.applied, kind.gives_bytes) {
                (true, Some(n)) => (bytes(n)),
                (false, Some(n)) => { "would give " (bytes(n)) }
                (true, None) => span.unknown title="unknown" { "?" },
                (false, None) => "nothing",
            } }
            td { @if kind.gives_bytes.is_some() { (of(kind.policy)) } }
            td.why {
                (text(&kind.reason))
                @if let Some(effect) = &kind.effect { div { (self::effect(effect, kind.applied)) } }
            }
        }
    }
}

/// What is other, what is not known, and how many figures are the same.
fn effect(effect: &Effect, applied: bool) -> Markup {
    let (changed, unknown) = (effect.changed(), effect.unknown());
    let same = count(effect.same(), "figure");
    html! {
        @if applied { "changes " } @else { "would change " }
        @if changed.is_empty() && unknown.is_empty() { "none of " (same) } @else {
            @for (i, what) in changed.iter().enumerate() { @if i > 0 { ", " } span.n { (what) } }
            @if !unknown.is_empty() {
                @if !changed.is_empty() { "; " }
                (unknown.join(", ")) " unknown"
            }
            "; " (same) " the same"
        }
    }
}

fn candidate(one: &Candidate, first: bool) -> Markup {
    let (totals, deltas) = (&one.totals, &one.deltas);
    let figure = |total: Markup, delta: Option<Change>, tell: fn(u64) -> String| {
        let delta = delta.filter(|delta| *delta != Change::default());
        html! { (total) @if let Some(delta) = delta { div.delta { (delta.words(tell)) } } }
    };
    let of_bytes = |total, delta| figure(bytes(total), Some(delta), amount);
    let number = |total: u64, delta| figure(html! { (total) }, Some(delta), |n| n.to_string());
    let Totals { begins, ends, .. } = totals;
    html! {
        tr.taken[one.accepted] {
            td { @if one.accepted { span.yes title="taken" { "✓" } } @else { span.no title="not taken" { "–" } } }
            td.why {
                (text(&one.name)) @if first { " " span.tag { "baseline" } }
                div { (text(&one.reason)) }
                (adds(&one.added))
                @for again in &one.reconstructions { (reconstruction(again)) }
            }
            td { (policy(one.policy)) }
            td.n { (figure(arena(totals.arena_bytes), Some(deltas.arena_bytes), amount)) }
            td.n { (bytes(totals.lower_bound_bytes)) }
            td.n { (bytes(totals.slack_bytes)) }
            td.n { (range(totals.least_peak_bytes)) }
            td.n { (range(totals.greatest_peak_bytes)) }
            td.n { @match totals.workspace_bytes {
                Some(n) => (figure(bytes(n), deltas.workspace_bytes, amount)),
                None => span.unknown title="not worked out" { "?" },
            } }
            td.n { (begins) ", " (ends) }
            td.n { (figure(times(totals.critical_path_nanoseconds), deltas.critical_path_nanoseconds, short)) }
            td.n { (figure(times(totals.compute_nanoseconds), deltas.compute_nanoseconds, short)) }
            td.n { (of_bytes(totals.read_bytes, deltas.read_bytes)) }
            td.n { (of_bytes(totals.written_bytes, deltas.written_bytes)) }
            td.n { (number(totals.launches, deltas.launches)) }
            td.n { (number(totals.added_edges, deltas.added_edges)) }
            td.n { (totals.streams) }
            td.n { (number(totals.waits, deltas.waits)) }
            td.n { (number(totals.events, deltas.events)) }
        }
    }
}

/// Orders that a plan adds, of which the first few are written out and the others shown on hover.
fn adds(added: &[Ordered]) -> Markup {
    let (shown, rest) = added.split_at(added.len().min(4));
    let line = |of: &Ordered| format!("{} before {}", of.before, of.after);
    let rest: Vec<String> = rest.iter().map(line).collect();
    html! {
        @if !shown.is_empty() {
            div {
                "adds "
                @for (i, of) in shown.iter().enumerate() {
                    @if i > 0 { ", " }
                    code { (of.before) } " before " code { (of.after) }
                }
                @if !rest.is_empty() { " " span.more title=(rest.join("\n")) { "+" (rest.len()) } }
                ": tasks that could run beside each other"
            }
        }
    }
}

/// An arena with all of its bytes where they are rounded, as plans may differ by few.
fn arena(all: u64) -> Markup {
    html! { (bytes(all)) @if amount(all).contains('.') { div.delta { (grouped(all)) " B" } } }
}

/// Values that are made again in every plan, or cannot be.
fn again(plan: &Plan) -> Markup {
    html! {
        @if !plan.demanded.is_empty() {
            h3 { "Made again by demand, in every plan" }
            ul.reasons {
                @for again in &plan.demanded {
                    li { code { (again.value) } " before " code { (again.before) } ", which saves "
                        (bytes(again.saved_bytes)) (reconstruction(again)) }
                }
            }
        }
        @if !plan.not_again.is_empty() {
            h3 { "Cannot be made again" }
            ul.reasons {
                @for not in &plan.not_again {
                    li { code { (not.value) } " before " code { (not.before) } ": " (text(&not.reason)) }
                }
            }
        }
    }
}

/// Every term of what it takes to make a value again.
fn reconstruction(again: &Reconstruction) -> Markup {
    let term = |of: Option<u64>| html! { @match of { Some(n) => (time(n)), None => "unknown" } };
    html! {
        div {
            (text(&again.task)) " for " (text(&again.before)) ": "
            (term(again.construct_nanoseconds)) " to construct, "
            (time(again.inputs_nanoseconds)) " for inputs, "
            (term(again.synchronization_nanoseconds)) " for waits, "
            (term(again.workspace_nanoseconds)) " for workspaces; "
            (bytes(again.read_bytes)) " read again"
            @if !again.longer.is_empty() { ", longer live: " (text(&again.longer.join(", "))) }
        }
    }
}

/// What the bytes are bytes of that a kind gives.
fn of(policy: Policy) -> &'static str {
    match policy {
        Policy::Delay | Policy::ReleaseEarlier => "what is live at once",
        Policy::ShareWorkspace => "workspaces",
        _ => "the arena",
    }
}

fn policy(policy: Policy) -> &'static str {
    match policy {
        Policy::Retain => "retain",
        Policy::Alias => "alias",
        Policy::ConditionedAlias => "conditioned alias",
        Policy::Delay => "delay",
        Policy::ReleaseEarlier => "release earlier",
        Policy::RightSize => "right size",
        Policy::ShareWorkspace => "share workspace",
        Policy::Pool => "pool",
        Policy::Recompute => "recompute",
        Policy::Schedule => "schedule",
    }
}
