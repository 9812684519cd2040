//! What shares storage and what does not, and what an allocator is to know.

use maud::{Markup, html};

use super::words::{bytes, count, names, text};
use super::{Shown, bar};
use crate::graph::admits;
use crate::report::{Because, Dependency, Happening, Proof, Region};

pub(super) fn shared(shown: Shown<'_>) -> Markup {
    let aliases = &shown.plan.aliases;
    html! {
        section {
            h2 { "Shared storage" }
            @if aliases.is_empty() { p { "No two resources share storage." } } @else {
                p.note { "Each occupant with the next, and why the one is over before the other begins." }
                div.scroll.tall {
                    table {
                        thead { tr { th { "first" } th { "then" } th { "proof" } } }
                        tbody {
                            @for alias in aliases {
                                tr {
                                    td.k { code { (shown.resource(alias.earlier)) } }
                                    td.k { code { (shown.resource(alias.later)) }
                                        @if alias.demanded { " " span.tag { "demanded" } } }
                                    td { @match &alias.proof {
                                        Proof::InPlace { task, missing } => {
                                            code { (shown.task(*task)) } " ends the one and begins the other, in place"
                                            (condition(shown, missing))
                                        }
                                        Proof::Conditional { last, first, missing } => {
                                            (names(shown.tasks(last), 2)) " before " (names(shown.tasks(first), 2))
                                            (condition(shown, missing))
                                        }
                                        Proof::Unconditional { last, first } => {
                                            (names(shown.tasks(last), 2)) " before " (names(shown.tasks(first), 2))
                                            @if shown.plan.order.demands.iter().any(|order| order.alone) {
                                                ", by dependencies and demanded orders alone"
                                            } @else { ", by dependencies alone" }
                                        }
                                    } }
                                }
                            }
                        }
                    }
                }
            }
            @if !shown.plan.left.is_empty() {
                h3 { "In-place updates not made" }
                ul.reasons {
                    @for left in &shown.plan.left {
                        li { code { (shown.resource(left.result)) } " in place of "
                            code { (shown.resource(left.operand)) } " at " code { (shown.task(left.task)) } ": "
                            (text(&left.reason)) }
                    }
                }
            }
        }
    }
}

/// Orders that a proof needs beside the dependencies.
fn condition(shown: Shown<'_>, missing: &[Dependency]) -> Markup {
    html! {
        @if let [first, rest @ ..] = missing {
            ", " span.tag { "on condition" } " that the plan has "
            code { (shown.task(first.before)) } " before " code { (shown.task(first.after)) }
            @if !rest.is_empty() { " and " (count(rest.len(), "more order")) }
        }
    }
}

pub(super) fn unshared(shown: Shown<'_>) -> Markup {
    let unshared = &shown.plan.unshared;
    let rest = unshared.total - (unshared.pairs.len() as u64).min(unshared.total);
    html! {
        section id=(shown.section("apart")) {
            h2 { "Why not" }
            @if unshared.pairs.is_empty() { p { "All pairs of one size share storage." } } @else {
                p.note { "Pairs of one size that do not share storage: those that more order would admit, those that are \
                          live at once, and others." }
                ul.reasons {
                    @for pair in &unshared.pairs {
                        li.{ (because(pair.because)) } {
                            span.pair { code { (shown.resource(pair.a)) } " and " code { (shown.resource(pair.b)) }
                                " do not share " (bytes(pair.bytes)) ": " }
                            (text(&pair.reason))
                            @if pair.because == Because::Unordered {
                                @let tasks = pair.missing.iter().flat_map(|edge| [edge.before, edge.after]);
                                @let tasks = tasks.map(|task| shown.task(task));
                                span.hint { "; " (text(&admits("of each", tasks))) }
                            }
                        }
                    }
                }
                @if rest > 0 { p.note { "and " (count(rest as usize, "more pair")) } }
            }
        }
    }
}

fn because(because: Because) -> &'static str {
    match because {
        Because::Live => "live",
        Because::Unordered => "unordered",
        Because::Separate => "separate",
        Because::Layout => "layout",
    }
}

pub(super) fn allocator(shown: Shown<'_>) -> Markup {
    let allocator = &shown.plan.allocator;
    let most = allocator
        .size_classes
        .iter()
        .map(|c| c.resources)
        .max()
        .unwrap_or(1);
    let updated = shown.plan.aliases.iter();
    let updated = updated
        .filter(|alias| matches!(alias.proof, Proof::InPlace { .. }))
        .count();
    let resources = shown.plan.resources.iter();
    let staged = resources.filter(|r| r.region == Region::Staging && r.bytes > 0);
    let staged = staged.count();
    let events = |what| allocator.trace.iter().filter(|e| e.event == what).count();
    html! {
        section {
            h2 { "For an allocator" }
            p {
                "Aligned to " (bytes(allocator.alignment)) ". Of " (count(shown.plan.resources.len(), "resource"))
                ", " (events(Happening::Allocate)) " begin where nothing was and "
                (events(Happening::Reuse)) " where others were, " (updated) " of them in place; "
                (events(Happening::Release)) " are released within the run, and what becomes another in \
                 place is released with that. "
                @if staged > 0 { (staged) " of these in staging, which is host memory. " }
                "The demand envelope is the strip above the arena map; the whole trace \
                 is in the JSON."
            }
            div.scroll.tall {
                table {
                    thead { tr { th.n { "size class" } th.n { "resources" } th.n { "live at once" } th { "" } } }
                    tbody {
                        @for class in &allocator.size_classes {
                            tr {
                                td.n { (bytes(class.bytes)) }
                                td.n { (class.resources) }
                                td.n { (class.live) }
                                td { (bar(class.resources.into(), most.into())) }
                            }
                        }
                    }
                }
            }
        }
    }
}
