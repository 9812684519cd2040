//! The arena map: offset by schedule, under the bytes that are live and over the streams.

use maud::{Markup, html};

use super::plot::{gutter, plot, ticks};
use super::scale::Scale;
use super::summary::range;
use super::words::means;
use super::{Shown, class, zoom};
use crate::report::{Class, Happening, Proof, Region, TaskKind};

/// Pixels of the strip of live bytes, of a stream, and between parts.
pub(super) const DEMAND: f64 = 84.0;
pub(super) const STREAM: f64 = 22.0;
const GAP: f64 = 26.0;

/// The chart, measured.
pub(super) struct Chart<'a> {
    pub(super) shown: Shown<'a>,
    /// Steps of the issue order.
    pub(super) steps: usize,
    /// When each resource that has storage in a run begins and ends, the end not included.
    pub(super) spans: Vec<Option<(usize, usize)>>,
    /// A shade for each, other than those of what its storage was before.
    pub(super) shades: Vec<usize>,
    pub(super) arena: Scale,
    pub(super) staging: Scale,
}

impl Chart<'_> {
    pub(super) fn map(&self) -> f64 {
        DEMAND + GAP
    }

    pub(super) fn pinned(&self) -> f64 {
        self.map() + self.arena.height() + GAP
    }

    pub(super) fn lanes(&self) -> f64 {
        match self.staging.height() > 0.0 {
            true => self.pinned() + self.staging.height() + GAP,
            false => self.pinned(),
        }
    }

    pub(super) fn height(&self) -> f64 {
        self.lanes() + STREAM * f64::from(self.shown.plan.order.streams) + 22.0
    }
}

pub(super) fn section(shown: Shown<'_>) -> Markup {
    let plan = shown.plan;
    let of = |region| {
        let resources = plan.resources.iter().filter(move |r| r.region == region);
        Scale::new(resources.map(|r| (r.offset, r.end())))
    };
    let chart = Chart {
        shown,
        steps: plan.tasks.len().max(1),
        spans: spans(shown),
        shades: shades(shown),
        arena: of(Region::Arena),
        staging: of(Region::Staging),
    };
    let mut classes: Vec<Class> = plan.resources.iter().map(|r| r.class).collect();
    classes.sort_unstable();
    classes.dedup();
    classes.retain(|c| !matches!(c, Class::Resident | Class::Inout));
    let levels = [
        ("1", "1×"),
        ("2", "2×"),
        ("4", "4×"),
        ("8", "8×"),
        ("16", "16×"),
        ("32", "32×"),
    ];
    html! {
        section id=(shown.section("map")) {
            h2 { "Arena map" }
            p.note {
                "Across: tasks in the order of issue. Down: offsets, "
                @if chart.arena.even { "to scale" } @else { "with low bands made higher than to scale" }
                @if told_beyond(&chart) { "; one with + is so much beyond the last above it without" }
                ". A box is a resource from its first task to its last. What lies one behind the other in a \
                 row shares storage; that is proved for every order of completion, not for this one alone."
            }
            (zoom(shown, "map", &levels, "1"))
            div.chart.map {
                svg.gutter width="92" height=(chart.height()) aria-hidden="true" { (gutter(&chart)) }
                div.scroll tabindex="0" { svg.plot height=(chart.height()) role="img" aria-label="arena map" {
                    (plot(&chart))
                } }
            }
            p.legend {
                @for c in classes { span { i.{ (class(c)) } {} (class(c)) } }
                @if let Some(peaks) = &plan.peaks {
                    span { i.peak {} "at the " (means("peak cut", "peak cut")) " of all executions: what is live and \
                        what runs, " (range(peaks.greatest.bytes)) }
                }
                span { i.issued {} "the most that is live as tasks are issued, one at a time" }
                span { i.ceiling {} "arena" }
                span { i.bound {} "lower bound" }
            }
        }
    }
}

/// Some offset stands beside the map as what it is beyond another.
fn told_beyond(chart: &Chart<'_>) -> bool {
    let storage = &chart.shown.plan.storage;
    let behind = storage.arena.saturating_add(storage.store);
    let scales = [(&chart.arena, 0), (&chart.staging, behind)];
    let mut ticks = scales
        .into_iter()
        .flat_map(|(scale, base)| ticks(scale, base));
    ticks.any(|(words, _)| words.starts_with('+'))
}

/// When resources begin and end, from the trace.
fn spans(shown: Shown<'_>) -> Vec<Option<(usize, usize)>> {
    let plan = shown.plan;
    let mut spans = vec![None; plan.resources.len()];
    for event in &plan.allocator.trace {
        let step = event.step as usize;
        let Some(span) = spans.get_mut(event.resource as usize) else {
            continue;
        };
        match event.event {
            Happening::Release => *span = span.map(|(from, _)| (from, step + 1)),
            Happening::Allocate | Happening::Reuse => *span = Some((step, plan.tasks.len())),
        }
    }
    // What becomes another in place ends where that begins.
    for alias in &plan.aliases {
        if let Proof::InPlace { task, .. } = &alias.proof
            && let Some(task) = plan.tasks.get(*task as usize)
            && let Some(Some((from, to))) = spans.get_mut(alias.earlier as usize)
        {
            *to = (task.step as usize).max(*from);
        }
    }
    spans
}

/// Shades that tell neighbours in a row from each other.
fn shades(shown: Shown<'_>) -> Vec<usize> {
    let mut shades = vec![0; shown.plan.resources.len()];
    let mut before: Vec<Vec<usize>> = vec![Vec::new(); shades.len()];
    for alias in &shown.plan.aliases {
        if let Some(of) = before.get_mut(alias.later as usize) {
            of.push(alias.earlier as usize);
        }
    }
    // What is reused stands before what reuses it.
    for event in &shown.plan.allocator.trace {
        let r = event.resource as usize;
        let Some(before) = before.get(r) else {
            continue;
        };
        let taken = |shade: &usize| before.iter().any(|&b| shades[b] == *shade);
        shades[r] = (0..3).find(|shade| !taken(shade)).unwrap_or(0);
    }
    shades
}

/// The kind of a task, as it is in the style sheet.
pub(super) fn kind(kind: TaskKind) -> &'static str {
    match kind {
        TaskKind::Upload => "upload",
        TaskKind::Kernel => "kernel",
        TaskKind::Fill => "fill",
        TaskKind::Copy => "copy",
        TaskKind::Callback => "callback",
        TaskKind::Opaque => "opaque",
        TaskKind::Collective => "collective",
        TaskKind::Hold => "hold",
    }
}

/// A pixel to a tenth.
pub(super) fn px(at: f64) -> String {
    let tenths = (at * 10.0).round() as i64;
    match tenths % 10 {
        0 => (tenths / 10).to_string(),
        part => format!(
            "{}{}.{}",
            if tenths < 0 { "-" } else { "" },
            (tenths / 10).abs(),
            part.abs()
        ),
    }
}
