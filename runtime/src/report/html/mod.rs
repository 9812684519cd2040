//! The page: one file, no network, light and dark.

mod claims;
mod glossary;
mod layers;
mod lists;
mod map;
mod measured;
mod order;
mod plans;
mod plot;
mod scale;
mod serial;
mod summary;
mod tables;
mod words;

use maud::{DOCTYPE, Markup, PreEscaped, html};

use super::{Class, Plan, Report, amount};
use words::bytes;

const STYLE: &str = include_str!("style.css");
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; \
                      base-uri 'none'; form-action 'none'";
const SCRIPT: &str = include_str!("script.js");

/// One plan, and what sets its marks apart from those of others on the page.
#[derive(Clone, Copy)]
struct Shown<'a> {
    plan: &'a Plan,
    index: usize,
}

impl<'a> Shown<'a> {
    fn resource(self, r: u32) -> &'a str {
        let found = self.plan.resources.get(r as usize);
        found.map_or("", |r| r.name.as_str())
    }

    fn task(self, t: u32) -> &'a str {
        let found = self.plan.tasks.get(t as usize);
        found.map_or("", |t| t.name.as_str())
    }

    fn tasks(self, tasks: &'a [u32]) -> impl Iterator<Item = &'a str> {
        tasks.iter().map(move |&t| self.task(t))
    }

    /// A mark of this plan, to link to.
    fn mark(self, kind: char, number: usize) -> String {
        format!("{kind}{}-{number}", self.index)
    }

    fn section(self, name: &str) -> String {
        format!("{name}{}", self.index)
    }
}

pub(super) fn page(report: &Report) -> String {
    let title = format!("{}: decision record", report.graph);
    let plans = report.plans.iter().enumerate();
    let plans: Vec<_> = plans.map(|(index, plan)| Shown { plan, index }).collect();
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                // Nothing is loaded, and nothing is sent, whatever a name in the record is.
                meta http-equiv="Content-Security-Policy" content=(POLICY);
                meta name="color-scheme" content="light dark";
                title { (title) }
                style { (PreEscaped(STYLE)) }
            }
            body {
                header {
                    p.kind { "decision record" }
                    h1 { (report.graph) }
                    @if let [only] = plans[..] { (summary::dims(only.plan)) }
                }
                main {
                    @if plans.len() > 1 { (variants(report, &plans)) }
                    @for shown in &plans {
                        @match (&shown.plan.variant, plans.len()) {
                            (Some(name), 2..) => {
                                details.variant id=(shown.section("plan")) open[shown.index == 0] {
                                    summary { h2 { "Variant " code { (name) } } }
                                    (summary::dims(shown.plan))
                                    (plan(*shown))
                                }
                            }
                            _ => (plan(*shown)),
                        }
                    }
                    (glossary::section())
                }
                footer {
                    p { "Made from the record of " code { (report.graph) } ", version "
                        (report.version) " of its form. Nothing on this page is loaded from elsewhere." }
                }
                script { (PreEscaped(SCRIPT)) }
            }
        }
    };
    page.into_string()
}

/// What a page of several plans begins with.
fn variants(report: &Report, plans: &[Shown<'_>]) -> Markup {
    html! {
        section {
            h2 { "Variants" }
            p { "Each run is of one of " (plans.len()) " combinations, in one arena of "
                (bytes(report.arena_bytes)) "." }
            div.scroll {
                table {
                    thead { tr { th { "combination" } th { "verdict" } th.n { "arena" } th.n { "lower bound" }
                        th.n { "tasks" } th.n { "resources" } th { "" } } }
                    tbody {
                        @for shown in plans {
                            @let plan = shown.plan;
                            tr {
                                td { a href={ "#" (shown.section("plan")) } {
                                    code { (plan.variant.as_deref().unwrap_or("")) } } }
                                td { (plan.claims.verdict.disposition.name()) }
                                td.n { (bytes(plan.storage.arena)) }
                                td.n { (bytes(plan.storage.lower_bound.bytes)) }
                                td.n { (plan.tasks.len()) }
                                td.n { (plan.resources.len()) }
                                td { (bar(plan.storage.arena, report.arena_bytes)) }
                            }
                        }
                    }
                }
            }
        }
    }
}

/// A bar of a part of a whole.
fn bar(part: u64, whole: u64) -> Markup {
    let percent = u128::from(part) * 100 / u128::from(whole.max(1));
    html! {
        svg.bar aria-hidden="true" {
            rect.track width="100%" height="100%" {}
            rect.fill width={ (percent.min(100)) "%" } height="100%" {}
        }
    }
}

fn plan(shown: Shown<'_>) -> Markup {
    html! {
        (summary::section(shown))
        (map::section(shown))
        (order::section(shown))
        (serial::section(shown))
        (tables::resources(shown))
        (lists::shared(shown))
        (lists::unshared(shown))
        (plans::section(shown))
        (tables::workspaces(shown))
        (tables::tasks(shown))
        (lists::allocator(shown))
        (measured::section(shown))
        (claims::section(shown))
    }
}

/// The name of a class, as it is in the style sheet and in the legend.
fn class(class: Class) -> &'static str {
    match class {
        Class::Input => "input",
        // Shown as an input is.
        Class::InputMut => "input mut",
        Class::Transient => "transient",
        Class::Output => "output",
        Class::Resident => "resident",
        Class::Inout => "inout",
        Class::Workspace => "workspace",
        Class::Staging => "staging",
        Class::Escape => "escape",
        Class::Reconstructable => "reconstructable",
    }
}

/// Choices of a scale for a chart, which the style sheet acts on; the chosen one is checked.
fn zoom(shown: Shown<'_>, chart: &str, levels: &[(&str, &str)], chosen: &str) -> Markup {
    let group = shown.section(chart);
    html! {
        @for (name, _) in levels {
            input.zoom.{ "z" (name) } type="radio" name=(group) id={ (group) "-" (name) }
                checked[*name == chosen];
        }
        div.zooms role="presentation" {
            span { "scale" @if chart == "order" { ", %" } }
            @for (name, label) in levels {
                label.{ "z" (name) } for={ (group) "-" (name) } { (label) }
            }
        }
    }
}

/// Bytes in words for titles, where no markup can be.
fn plain(bytes: u64) -> String {
    match bytes {
        0..1024 => amount(bytes),
        _ => format!("{} ({bytes} bytes)", amount(bytes)),
    }
}
