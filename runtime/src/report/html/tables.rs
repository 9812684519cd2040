//! Tables of what was audited: resources, workspaces, tasks.

use maud::{Markup, html};

use super::map::kind;
use super::words::{bytes, grouped, names, time};
use super::{Shown, class};
use crate::report::{Access, Content, Mode, Region, Resource, Sharing};

/// Rows from which on a table can be searched.
const LONG: usize = 16;

/// A field that hides the rows of a table which do not have its text.
fn filter(shown: Shown<'_>, table: &str, rows: usize) -> Markup {
    html! {
        @if rows >= LONG {
            input.filter type="search" placeholder={ "filter " (rows) " rows" } autocomplete="off"
                aria-label="filter" data-table=(shown.section(table));
        }
    }
}

pub(super) fn resources(shown: Shown<'_>) -> Markup {
    let resources = &shown.plan.resources;
    let domains = resources.iter().any(|r| r.domain.is_some());
    html! {
        section {
            h2 { "Resources" }
            (filter(shown, "resources", resources.len()))
            div.scroll.tall {
                table.sort id=(shown.section("resources")) {
                    thead { tr {
                        th { "name" } th { "class" } th { "type" } th.n { "bytes" } th { "size law" }
                        th.n { "offset" } th { "first used by" } th { "last used by" }
                        @if domains { th { "domain" } }
                    } }
                    tbody { @for (r, of) in resources.iter().enumerate() { (resource(shown, r, of, domains)) } }
                }
            }
        }
    }
}

fn resource(shown: Shown<'_>, r: usize, of: &Resource, domains: bool) -> Markup {
    let element = format!("{:?}", of.element).to_lowercase();
    let range = match of.region {
        Region::Arena => None,
        Region::Store => Some("store"),
        Region::Staging => Some("staging"),
    };
    let step = |tasks: &[u32]| {
        let steps = tasks
            .iter()
            .filter_map(|&t| shown.plan.tasks.get(t as usize));
        steps.map(|t| t.step).min().unwrap_or(0)
    };
    html! {
        tr id=(shown.mark('r', r)) {
            td.k { i.{ (class(of.class)) } {} code { (of.name) } }
            td { (class(of.class)) @if of.stable { ", stable" } }
            td.k { code { "[" (element) "; " (of.shape.join(", ")) "]" } }
            td.n data-v=(of.bytes) { (bytes(of.payload)) }
            td.k { code { (of.law) } }
            td.n data-v=(of.offset) {
                span title={ "bytes " (of.offset) ".." (of.end()) } { (grouped(of.offset)) }
                @if let Some(range) = range { " " span.tag { (range) } }
            }
            td data-v=(step(&of.first)) { (names(shown.tasks(&of.first), 1)) }
            td data-v=(step(&of.last)) {
                @match (of.region, of.host) {
                    (Region::Store, _) => { span.tag { "outlives runs" } }
                    (_, true) => { "the host, after the run" }
                    _ => (names(shown.tasks(&of.last), 1)),
                }
            }
            @if domains { td { (of.domain.as_deref().unwrap_or("")) } }
        }
    }
}

pub(super) fn workspaces(shown: Shown<'_>) -> Markup {
    let all = &shown.plan.workspaces;
    html! {
        @if !all.is_empty() {
            section {
                h2 { "Workspaces" }
                div.scroll {
                    table {
                        thead { tr { th { "name" } th { "content" } th { "users" } th { "size law of a use" }
                            th.n { "a use" } th.n { "all uses" } } }
                        tbody {
                            @for w in all {
                                tr {
                                    td { code { (w.name) } }
                                    td { @match w.content {
                                        Content::Dead => "dead between uses",
                                        Content::Zeroed => "zeroed before each use",
                                        Content::Preserved => "preserved",
                                    } }
                                    td {
                                        (w.uses.len())
                                        @match w.sharing {
                                            Sharing::Exclusive => ", in one storage: ",
                                            Sharing::PerTask => ", each its own: ",
                                        }
                                        (names(w.uses.iter().map(|u| shown.task(u.task)), 2))
                                    }
                                    td { code { (w.law) } }
                                    td.n { (bytes(w.payload)) }
                                    td.n { (bytes(w.bytes)) }
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}

pub(super) fn tasks(shown: Shown<'_>) -> Markup {
    let tasks = &shown.plan.tasks;
    let mut steps: Vec<usize> = (0..tasks.len()).collect();
    steps.sort_by_key(|&t| tasks[t].step);
    html! {
        section {
            h2 { "Tasks" }
            p.note { "In the order of issue. A task is complete when its launch is; a hold stands for what \
                      still uses an address." }
            (filter(shown, "tasks", tasks.len()))
            div.scroll.tall {
                table.sort id=(shown.section("tasks")) {
                    thead { tr { th.n { "step" } th { "task" } th { "kind" } th.n { "stream" }
                        th { "waits for" } th { "reads" } th { "writes" } th.n { "time" } } }
                    tbody {
                        @for t in steps {
                            @let task = &tasks[t];
                            tr id=(shown.mark('t', t)) {
                                td.n { (task.step) }
                                td { code { (task.name) } }
                                td { (kind(task.kind))
                                    @if let Some(kernel) = &task.kernel { " " code.dim { (kernel) } } }
                                td.n { (task.stream) }
                                td { (names(shown.tasks(&task.awaits), 1)) }
                                td { (accessed(shown, &task.accesses, Mode::Read)) }
                                td {
                                    @let written = accessed(shown, &task.accesses, Mode::Write);
                                    @let updated = accessed(shown, &task.accesses, Mode::Update);
                                    (written)
                                    @if !updated.0.is_empty() {
                                        @if !written.0.is_empty() { ", " }
                                        (updated) " " span.tag title="read, too" { "updated" } " " }
                                    @if let Some(since) = task.since {
                                        "retained since " code { (shown.task(since)) } } }
                                td.n data-v=(task.time.map_or(0, |t| t.nanoseconds)) {
                                    @match task.time {
                                        Some(t) => { (time(t.nanoseconds))
                                            @if !t.measured { " " span.tag { "declared" } } }
                                        None => { span.unknown { "unknown" } }
                                    }
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}

/// What a task accesses in that way alone.
fn accessed(shown: Shown<'_>, accesses: &[Access], mode: Mode) -> Markup {
    let of = accesses.iter().filter(|a| a.mode == mode);
    let mut of: Vec<u32> = of.map(|a| a.resource).collect();
    of.dedup();
    names(of.iter().map(|&r| shown.resource(r)), 3)
}
