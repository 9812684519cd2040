//! What the record says, in plain words and a few figures.

use maud::{Markup, html};

use super::glossary::meaning;
use super::words::{bytes, count, grouped, less, means, names, text};
use super::{Shown, bar};
use crate::report::{
    Added, AddedBy, Disposition, DomainBound, Issue, Peak, Plan, Policy, Range, Storage, Target,
    When,
};

/// The dims with their bounds.
pub(super) fn dims(plan: &Plan) -> Markup {
    html! {
        @if !plan.dims.is_empty() {
            p.dims {
                "proved for all of "
                @for (i, dim) in plan.dims.iter().enumerate() {
                    @if i > 0 { ", " }
                    code { (dim.name) " in " (dim.min) "..=" (dim.max) }
                }
                @if let Some(sizes) = &plan.storage.sizes {
                    "; " (text(&sizes.means))
                }
                @if let Some(growth) = &plan.storage.growth {
                    "; growth " code { (growth.policy) } ": " (text(&growth.means))
                }
            }
        }
    }
}

pub(super) fn section(shown: Shown<'_>) -> Markup {
    let (plan, storage) = (shown.plan, &shown.plan.storage);
    let bound = &storage.lower_bound;
    let own = storage.arena.saturating_sub(storage.reserved);
    html! {
        section.summary {
            (verdict(shown))
            p.lead {
                "One run is " (count(plan.tasks.len(), "task")) " on "
                (count(plan.order.streams as usize, "stream")) " in an arena of " (bytes(storage.arena)) ". "
                @if own < storage.unshared {
                    "Without sharing it would take " (bytes(storage.unshared)) ": "
                    (less(own, storage.unshared)) " % is saved. "
                } @else { "No two resources share storage. " }
                @if storage.optimal {
                    "No layout is smaller"
                    @if storage.padding > 0 { ", but for " (bytes(storage.padding)) " of padding" }
                    @if storage.reserved > 0 {
                        ", but for " (bytes(storage.reserved)) " that are reserved"
                    }
                    @if bound.bytes.saturating_add(storage.padding).saturating_add(storage.reserved) < storage.arena {
                        ", as an execution that needs most has all of it live. In every execution "
                        (bytes(bound.bytes)) " is needed: "
                    } @else { ": " }
                } @else {
                    "That no layout is smaller is not shown; none is below " (bytes(bound.bytes)) ": "
                }
                (bounds(shown))
                "."
            }
            @if storage.reserved > 0 {
                p {
                    "Of the arena " (bytes(storage.reserved)) " are reserved for isolation domains in other \
                     combinations of variants: no byte is used in two domains, whatever runs choose. Plans are \
                     weighed without that."
                }
            }
            @if !plan.aliases.is_empty() || plan.unshared.total > 0 {
                p {
                    @if !plan.aliases.is_empty() {
                        @if plan.aliases.len() == 1 { "One resource follows another" } @else {
                            (plan.aliases.len()) " times a resource follows another"
                        }
                        " in its storage, each proved for every execution that the "
                        @if plan.is_conditional() { "plan" } @else { "dependencies" } " admit"
                        @if plan.is_conditional() { "s, some on condition of orders that it adds" } ". "
                    }
                    @if plan.unshared.total > 0 { (unshared(plan)) }
                }
            }
            (figures(shown))
            p.note { "How the layout was looked for: " (storage.search) "." }
            (peaks(shown))
            (purpose(plan))
        }
    }
}

/// What the lower bound rests on.
fn bounds(shown: Shown<'_>) -> Markup {
    let parts = &shown.plan.storage.lower_bound.parts;
    html! {
        @match &parts[..] {
            [] => "nothing is live",
            [part] => (bound(shown, part)),
            parts => {
                "isolation domains share nothing, and "
                @for (i, part) in parts.iter().enumerate() {
                    @if i > 0 { "; " }
                    @match &part.domain { Some(domain) => { code { (domain) } }, None => "what is in none" }
                    " takes " (bytes(part.bytes)) ", as " (bound(shown, part))
                }
            }
        }
    }
}

fn bound(shown: Shown<'_>, part: &DomainBound) -> Markup {
    let live = || part.live.iter().flatten().map(|&r| shown.resource(r));
    let first = part.live.iter().filter_map(|slot| slot.first());
    let first = first.map(|&r| shown.resource(r));
    html! {
        @if part.listed < part.bytes {
            "a search has shown it beyond " (bytes(part.listed)) ", where "
        }
        @match part.when {
            When::Task { task } => {
                "so much is live while " code { (shown.task(task)) } " runs, namely " (names(live(), 6))
            }
            When::Host => {
                "so much is live when the host reads the outputs, namely " (names(live(), 6))
            }
            When::Pairs => { "no two of these can share storage: " (names(first, 6)) }
        }
        @for slot in part.live.iter().filter(|slot| part.when != When::Pairs && slot.len() > 1) {
            @if let [x, .., y] = slot[..] {
                ", where " code { (shown.resource(y)) } " takes the place of " code { (shown.resource(x)) }
            }
        }
    }
}

fn verdict(shown: Shown<'_>) -> Markup {
    let verdict = &shown.plan.claims.verdict;
    let style = match verdict.disposition {
        Disposition::MeasuredFinding => "measured",
        Disposition::GuardedPolicy => "guarded",
        Disposition::Rejected => "rejected",
        Disposition::NeedMoreEvidence => "evidence",
    };
    html! {
        p.verdict.{ (style) } {
            strong title=(meaning(verdict.disposition.name())) { (verdict.disposition.name()) }
            span { (text(&verdict.because)) }
        }
    }
}

/// What keeps pairs apart, counted.
fn unshared(plan: &Plan) -> Markup {
    let unshared = &plan.unshared;
    let kinds = [
        (unshared.live, "live at once in every execution"),
        (unshared.unordered, "that could share if more were ordered"),
        (unshared.separate, "kept apart by demand"),
        (unshared.layout, "that could share and need not"),
    ];
    let total = unshared.total;
    let examined: u64 = kinds.iter().map(|k| k.0).sum();
    html! {
        @if total == 1 { "1 pair" } @else { (grouped(total)) " pairs" } " of one size lie apart"
        @if examined == total { ": " } @else { ". Of the " (grouped(examined)) " largest, " }
        @for (i, (count, what)) in kinds.iter().filter(|k| k.0 > 0).enumerate() {
            @if i > 0 { ", " }
            (grouped(*count)) " " (what)
        }
        "."
    }
}

fn figures(shown: Shown<'_>) -> Markup {
    let (plan, storage) = (shown.plan, &shown.plan.storage);
    let most = storage.unshared.max(storage.arena);
    let order = &plan.order;
    let figure = |name: &str, value: Markup, below: Markup| {
        html! { div.figure { span.name { (name) } span.value { (value) } span.below { (below) } } }
    };
    html! {
        div.figures {
            (figure("arena", bytes(storage.arena), bar(storage.arena, most)))
            (figure("lower bound", bytes(storage.lower_bound.bytes), bar(storage.lower_bound.bytes, most)))
            (figure("without sharing", bytes(storage.unshared), bar(storage.unshared, most)))
            @if storage.store > 0 {
                (figure("store", bytes(storage.store), html! { "outlives runs, one copy" }))
            }
            @if storage.staging > 0 {
                (figure("staging", bytes(storage.staging), html! { "memory of the host" }))
            }
            @if storage.instances > 1 {
                (figure("runs in flight", html! { (storage.instances) }, html! {
                    "each with an arena: " (bytes(storage.arena.saturating_mul(storage.instances.into())))
                }))
            }
            @if let Some(budget) = storage.budget {
                (figure("budget", bytes(budget), bar(counted(storage), budget)))
            }
            (figure("streams", html! { (order.streams) }, html! { (count(order.events as usize, "event")) }))
            (figure("waits", html! { (order.waits) }, html! { (order.saved) " made needless" }))
            (figure("added orders", html! { (order.added.len()) }, added(plan)))
        }
    }
}

/// What the budget counts: arena and staging of each instance, and the one store.
fn counted(storage: &Storage) -> u64 {
    let each = storage.arena.saturating_add(storage.staging);
    let all = each.saturating_mul(storage.instances.into());
    all.saturating_add(storage.store)
}

/// What is live at once, and where.
fn peaks(shown: Shown<'_>) -> Markup {
    let row = |name: &str, peak: &Peak| {
        let live = peak.live.iter().flatten().map(|&r| shown.resource(r));
        html! {
            tr {
                td.k { (name) }
                td.n { (range(peak.bytes)) }
                td { @match peak.bound { None => "exact", Some(_) => "proved range" } }
                td {
                    @if peak.running.is_empty() { "as the host reads" } @else {
                        "while " (names(shown.tasks(&peak.running), 3))
                        @if peak.running.len() == 1 { " runs" } @else { " run" }
                    }
                    @let over = peak.execution.get(..peak.completed.len()).unwrap_or_default();
                    @if over.is_empty() { ", with which the execution begins" } @else {
                        ", in an execution of, one at a time, " (names(shown.tasks(over), 4))
                    }
                    @if let Some(bound) = &peak.bound { "; the other end: " (text(bound)) }
                }
                td { (names(live, 6)) }
            }
        }
    };
    html! {
        @if let Some(peaks) = &shown.plan.peaks {
            div.scroll {
                table {
                    thead { tr { th { "live at once in an arena" } th.n { "bytes" } th { "" } th { "when" }
                        th { "what" } } }
                    tbody {
                        (row("least, in the execution that does with least", &peaks.least))
                        (row("most, in the execution that needs most", &peaks.greatest))
                        @if let Some(workspaces) = &peaks.workspaces {
                            (row("workspaces, at most", workspaces))
                        }
                    }
                }
            }
            p.note {
                (means("execution", "Executions")) " are all that "
                @if orders_count(shown.plan) {
                    "dependencies, added edges and the order of streams admit: proofs may rest on all of these."
                } @else {
                    "dependencies admit: the order of streams admits fewer, but nothing rests on that."
                }
            }
        }
    }
}

/// Whether proofs may rest on what the plan orders, so that no execution is without.
fn orders_count(plan: &Plan) -> bool {
    let mut taken = plan.candidates.iter().filter(|one| one.accepted);
    taken.any(|one| one.policy != Policy::Alias)
}

/// What the orders are that are added.
fn added(plan: &Plan) -> Markup {
    let policy = |added: &&Added| added.by == AddedBy::Policy;
    let all = plan.order.added.len();
    let policy = plan.order.added.iter().filter(policy).count();
    html! {
        @if all == 0 { "streams add none" } @else {
            @if policy > 0 { (policy) " by the policy, " }
            (all - policy) " of streams; "
            @if plan.is_conditional() { "some proofs rest on them" } @else { "no proof rests on them" }
        }
    }
}

/// What is declared, and what is not.
fn purpose(plan: &Plan) -> Markup {
    let purpose = &plan.purpose;
    let unknown = || html! { span.unknown { "not declared" } };
    html! {
        dl.purpose {
            div { dt { "scope" } dd {
                @match &purpose.scope { Some(scope) => (scope), None => (unknown()) }
            } }
            div { dt { "target" } dd {
                @match purpose.target {
                    Some(Target::Latency) => "latency",
                    Some(Target::Throughput) => "throughput",
                    None => (unknown()),
                }
            } }
            @if purpose.issue == Issue::Graph {
                div { dt { "issue" } dd { "as one launch of a graph, where the device has such" } }
            }
            @if let Some(minimize) = &purpose.minimize {
                div { dt { "minimize" } dd { (minimize) } }
            }
            div { dt { "tolerance" } dd {
                @for (i, tolerance) in purpose.tolerances.iter().enumerate() {
                    @if i > 0 { ", " }
                    code { (tolerance.output) } ": " (tolerance.bound)
                }
                @if purpose.tolerances.is_empty() { (unknown()) }
            } }
            @if !purpose.finite.is_empty() {
                div { dt { "finite" } dd { (names(purpose.finite.iter().map(String::as_str), 8)) } }
            }
        }
    }
}

/// A range of bytes as markup.
pub(super) fn range(range: Range) -> Markup {
    html! {
        @match range.high {
            Some(high) if high == range.low => (bytes(high)),
            Some(high) => { (bytes(range.low)) " to " (bytes(high)) }
            None => { (bytes(range.low)) " at least" }
        }
    }
}
