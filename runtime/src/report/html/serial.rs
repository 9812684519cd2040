//! What could run at the same time, and does not in this plan.

use maud::{Markup, html};

use super::Shown;
use super::words::{count, grouped};
use crate::report::{AddedBy, Serial};

pub(super) fn section(shown: Shown<'_>) -> Markup {
    let of = &shown.plan.order.serialised;
    let rest = of.total.saturating_sub(of.pairs.len() as u64);
    html! {
        section id=(shown.section("serialised")) {
            h2 { "Serialised" }
            @if of.total == 0 { p { "No tasks: what no dependency orders can run at the same time." } } @else {
                p.note {
                    (counted(of.total)) " of tasks that no dependency orders: "
                    @if of.by_policy > 0 { (grouped(of.by_policy)) " by added edges, " }
                    (grouped(of.by_stream)) " by the order of streams; "
                    @if of.for_aliases == 0 { "no alias needs one of them." } @else {
                        "aliases need " (grouped(of.for_aliases)) " of them."
                    }
                }
                ul.reasons {
                    @for pair in &of.pairs { li { (one(shown, pair)) } }
                }
                @if rest > 0 { p.note { "and " (grouped(rest)) " more " @if rest == 1 { "pair" } @else { "pairs" } } }
            }
        }
    }
}

fn counted(number: u64) -> String {
    match number {
        1 => count(1, "pair"),
        _ => format!("{} pairs", grouped(number)),
    }
}

fn one(shown: Shown<'_>, pair: &Serial) -> Markup {
    let stream = |task: u32| shown.plan.tasks[task as usize].stream;
    let itself = pair
        .through
        .is_some_and(|edge| (edge.before, edge.after) == (pair.before, pair.after));
    html! {
        span.pair { code { (shown.task(pair.before)) } " before " code { (shown.task(pair.after)) } " by " }
        @match (pair.by, pair.through) {
            (AddedBy::Policy, Some(edge)) if !itself => {
                "the added edge " code { (shown.task(edge.before)) } " before " code { (shown.task(edge.after)) }
            }
            (AddedBy::Policy, _) => "an added edge",
            (AddedBy::Stream, Some(edge)) => {
                "stream " (stream(edge.after)) ", " code { (shown.task(edge.before)) } " before "
                code { (shown.task(edge.after)) }
            }
            (AddedBy::Stream, None) => { "stream " (stream(pair.after)) }
        }
        @if let Some(alias) = pair.alias.map(|alias| &shown.plan.aliases[alias as usize]) {
            ", so that " code { (shown.resource(alias.later)) } " lies in the place of "
            code { (shown.resource(alias.earlier)) }
        }
    }
}
