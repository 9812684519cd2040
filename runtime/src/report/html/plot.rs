//! What is drawn in the arena map: its boxes, its lines, and its names.

use maud::{Markup, PreEscaped, html};

use super::map::{Chart, DEMAND, STREAM, kind, px};
use super::scale::Scale;
use super::words::percent;
use super::{Shown, class, plain};
use crate::report::{Region, Resource, amount};

/// Ticks of the axis, at most.
const TICKS: usize = 24;
/// Steps from which on boxes have no border and tasks no name.
const DENSE: usize = 300;

/// What stands left of the chart and does not move.
pub(super) fn gutter(chart: &Chart<'_>) -> Markup {
    let plan = chart.shown.plan;
    let text = |y: f64, words: &str| html! { text x="84" y=(px(y)) { (words) } };
    html! {
        text.head x="84" y="10" { "live bytes" }
        (text(23.5, &amount(plan.storage.arena)))
        (text(DEMAND, "0"))
        @for (words, at) in ticks(&chart.arena, 0) {
            (text(chart.map() + at + 3.5, &words))
        }
        @if chart.staging.height() > 0.0 {
            text.head x="84" y=(px(chart.pinned() - 9.5)) { "staging" }
        }
        @for (words, at) in ticks(&chart.staging, plan.storage.arena + plan.storage.store) {
            (text(chart.pinned() + at + 3.5, &words))
        }
        @for stream in 0..plan.order.streams {
            (text(chart.lanes() + STREAM * (f64::from(stream) + 0.5) + 3.5, &format!("stream {stream}")))
        }
        text.head x="84" y=(px(chart.height() - 4.0)) { "step" }
    }
}

/// Borders as bytes behind `base`, each in words that stand there once: one that would be told like
/// the tick before it is told as what it is beyond that.
pub(super) fn ticks(scale: &Scale, base: u64) -> Vec<(String, f64)> {
    let (mut ticks, mut last) = (Vec::new(), None);
    for (border, at) in scale.marks(15.0) {
        let bytes = border.saturating_sub(base);
        let words = amount(bytes);
        // To a reader `1 MiB` and `1.0 MiB` are one.
        let rough = words.replace(".0 ", " ");
        match &last {
            Some((before, told)) if *told == rough => {
                let beyond = bytes - before;
                let exact = Some(amount(beyond)).filter(|words| !words.contains('.'));
                let exact = exact.unwrap_or_else(|| format!("{beyond} B"));
                ticks.push((format!("+{exact}"), at));
            }
            _ => {
                ticks.push((words, at));
                last = Some((bytes, rough));
            }
        }
    }
    ticks
}

pub(super) fn plot(chart: &Chart<'_>) -> Markup {
    let plan = chart.shown.plan;
    let view = format!("0 0 {} {}", chart.steps, px(chart.height()));
    let (map, pinned) = (chart.map(), chart.pinned());
    html! {
        svg.boxes.dense[chart.steps > DENSE] width="100%" height="100%" viewBox=(view) preserveAspectRatio="none" {
            (demand(chart))
            @for (_, at) in chart.arena.marks(15.0) {
                path.grid d={ "M0 " (px(map + at)) "H" (chart.steps) } {}
            }
            @for &r in &peak_last(plan.resources.len(), |r| live(chart, r)) {
                @let resource = &plan.resources[r];
                @match resource.region {
                    Region::Arena => (slot(chart, r, resource, &chart.arena, map)),
                    Region::Staging => (slot(chart, r, resource, &chart.staging, pinned)),
                    Region::Store => {}
                }
            }
            @for stream in 0..plan.order.streams {
                @let y = chart.lanes() + STREAM * (f64::from(stream) + 0.5);
                path.lane d={ "M0 " (px(y)) "H" (chart.steps) } {}
            }
            @for &t in &peak_last(plan.tasks.len(), |t| running(chart, t)) {
                @let task = &plan.tasks[t];
                a href={ "#" (chart.shown.mark('t', t)) } {
                    @let at_peak = running(chart, t);
                    rect.task.{ (kind(task.kind)) }.peak[at_peak] x=(task.step) width="1" height=(STREAM - 6.0)
                        y=(px(chart.lanes() + STREAM * f64::from(task.stream) + 3.0)) {
                        title {
                            (task.name) ", step " (task.step) " on stream " (task.stream)
                            @if at_peak { "\nruns at the peak cut" }
                        }
                    }
                }
            }
        }
        @for (r, resource) in plan.resources.iter().enumerate() {
            @match resource.region {
                Region::Arena => (label(chart, r, resource, &chart.arena, map)),
                Region::Staging => (label(chart, r, resource, &chart.staging, pinned)),
                Region::Store => {}
            }
        }
        @if chart.steps <= DENSE {
            @for task in &plan.tasks {
                svg.label x=(percent(task.step as usize, chart.steps)) width=(percent(1, chart.steps))
                    y=(px(chart.lanes() + STREAM * f64::from(task.stream))) height=(STREAM) {
                    text x="3" y="14.5" { (task.name) }
                }
            }
        }
        (axis(chart))
        (issued(chart))
    }
}

/// Indices in order, but those at the peak cut behind the others, whose borders would cover theirs.
fn peak_last(count: usize, at_peak: impl Fn(usize) -> bool) -> Vec<usize> {
    let mut all: Vec<usize> = (0..count).collect();
    all.sort_by_cached_key(|&i| at_peak(i));
    all
}

/// The resource is live at the peak cut.
fn live(chart: &Chart<'_>, resource: usize) -> bool {
    let peaks = chart.shown.plan.peaks.iter();
    let mut live = peaks.flat_map(|peaks| peaks.greatest.live.iter().flatten());
    live.any(|&live| live as usize == resource)
}

/// The task runs at the peak cut.
fn running(chart: &Chart<'_>, task: usize) -> bool {
    let mut peaks = chart.shown.plan.peaks.iter();
    peaks.any(|peaks| peaks.greatest.running.contains(&(task as u32)))
}

/// The strip of live bytes.
fn demand(chart: &Chart<'_>) -> Markup {
    let plan = chart.shown.plan;
    let most = plan.storage.arena.max(1) as f64;
    let y = |bytes: u64| DEMAND - 4.0 - (bytes as f64 / most).min(1.0) * (DEMAND - 24.0);
    let mut d = format!("M0 {}", px(DEMAND - 4.0));
    for (step, &bytes) in plan.allocator.demand.iter().enumerate() {
        if step == 0 || plan.allocator.demand[step - 1] != bytes {
            d += &format!("H{step}V{}", px(y(bytes)));
        }
    }
    d += &format!("H{}V{}Z", chart.steps, px(DEMAND - 4.0));
    let bound = y(plan.storage.lower_bound.bytes);
    html! {
        path.demand d=(d) { title { "bytes of the arena that are live at each step" } }
        path.ceiling d={ "M0 " (px(y(plan.storage.arena))) "H" (chart.steps) } {
            title { "arena: " (plain(plan.storage.arena)) }
        }
        path.bound d={ "M0 " (px(bound)) "H" (chart.steps) } {
            title { "lower bound: " (plain(plan.storage.lower_bound.bytes)) }
        }
    }
}

/// Where a resource is in the chart: step, steps, top, pixels.
fn place(chart: &Chart<'_>, r: usize, of: &Resource, scale: &Scale, top: f64) -> Option<[f64; 4]> {
    let (from, to) = chart.spans[r]?;
    let (y, end) = (scale.at(of.offset), scale.at(of.end()));
    Some([from as f64, (to - from) as f64, top + y, end - y])
}

fn slot(chart: &Chart<'_>, r: usize, of: &Resource, scale: &Scale, top: f64) -> Markup {
    let shown = chart.shown;
    let Some([x, width, y, height]) = place(chart, r, of, scale, top) else {
        return PreEscaped(String::new());
    };
    let last = match of.host {
        true => "the host".to_owned(),
        false => list(shown, &of.last),
    };
    let peak = live(chart, r);
    html! {
        a href={ "#" (shown.mark('r', r)) } {
            rect.slot.{ (class(of.class)) }.{ "s" (chart.shades[r]) }.peak[peak] x=(x) width=(width.max(0.12)) y=(px(y)) height=(px(height)) {
                title {
                    (of.name) ": " (class(of.class)) " [" (element(of)) "]\n"
                    (plain(of.bytes)) " at " (of.offset) ".." (of.end()) "\n"
                    "from " (list(shown, &of.first)) "\nto " (last)
                    @if peak { "\nlive at the peak cut" }
                }
            }
        }
    }
}

fn element(of: &Resource) -> String {
    let element = format!("{:?}", of.element).to_lowercase();
    format!("{element}; {}", of.shape.join(", "))
}

fn list(shown: Shown<'_>, tasks: &[u32]) -> String {
    let names: Vec<_> = tasks.iter().take(3).map(|&t| shown.task(t)).collect();
    match tasks.len() {
        0..=3 => names.join(", "),
        more => format!("{} and {} more", names.join(", "), more - 3),
    }
}

/// The name of a resource, in its box as far as that goes.
fn label(chart: &Chart<'_>, r: usize, of: &Resource, scale: &Scale, top: f64) -> Markup {
    let Some([x, width, y, height]) = place(chart, r, of, scale, top) else {
        return PreEscaped(String::new());
    };
    if height < 10.0 {
        return PreEscaped(String::new());
    }
    let baseline = if height > 30.0 {
        14.5
    } else {
        height / 2.0 + 3.5
    };
    html! {
        svg.label x=(percent(x as usize, chart.steps)) width=(percent(width as usize, chart.steps))
            y=(px(y)) height=(px(height)) {
            @match of.name.rsplit_once('.') {
                // With room for all of it the script writes the whole name.
                Some((_, short)) => text x="5" y=(px(baseline)) data-full=(of.name) { (short) },
                None => text x="5" y=(px(baseline)) { (of.name) },
            }
            @if height > 44.0 { text.small x="5" y=(px(baseline + 13.0)) { (amount(of.bytes)) } }
        }
    }
}

/// Steps below the chart.
fn axis(chart: &Chart<'_>) -> Markup {
    let every = [1, 10, 100, 1000, 10_000].into_iter();
    let mut every = every.flat_map(|tens| [tens, 2 * tens, 5 * tens]);
    let every = every.find(|every| chart.steps / every <= TICKS);
    let every = every.unwrap_or(100_000);
    html! {
        @for step in (0..chart.steps.saturating_sub(every / 3)).step_by(every) {
            @let middle = if every == 1 { 2 * step + 1 } else { 2 * step };
            text.tick.first[every > 1] x=(percent(middle, 2 * chart.steps)) y=(px(chart.height() - 4.0)) { (step) }
        }
    }
}

/// Where the most lies in the arena, in the order of issue: one execution of many, and mostly less than
/// at the peak cut.
fn issued(chart: &Chart<'_>) -> Markup {
    let plan = chart.shown.plan;
    let steps = plan.allocator.demand.iter().enumerate().rev();
    let Some((step, &most)) = steps.max_by_key(|(_, bytes)| **bytes) else {
        return PreEscaped(String::new());
    };
    let task = (0..)
        .zip(&plan.tasks)
        .find(|(_, task)| task.step as usize == step);
    let (at, whole) = (2 * step + 1, 2 * chart.steps);
    let x = percent(at, whole);
    let end = if 2 * at > whole { "end" } else { "start" };
    let dx = if 2 * at > whole { "-5" } else { "5" };
    html! {
        line.issued x1=(x) x2=(x) y1="0" y2=(px(chart.height() - 18.0)) {}
        text.issued x=(x) y="11" dx=(dx) text-anchor=(end) {
            (amount(most)) " live as issued"
            @if let Some((t, _)) = task { tspan { ", at " (chart.shown.task(t)) } }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_two_ticks_say_the_same() {
        let mega = 1 << 20;
        let beyond = [0, 256, 512, 66_048, 66_304, mega].map(|more| mega + more);
        let borders = [&[0], &beyond[..]].concat();
        let slots = borders.windows(2).map(|two| (two[0] + mega, two[1] + mega));
        let ticks = ticks(&Scale::new(slots), mega);
        let words: Vec<&str> = ticks.iter().map(|(words, _)| &**words).collect();
        let all = ["0 B", "1 MiB", "+512 B", "+66304 B", "2 MiB"];
        assert_eq!(words, all);
    }
}
