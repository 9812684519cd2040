//! The order graph: layers by depth, streams as lanes.

use maud::{Markup, html};

use super::layers::Layers;
use super::map::{kind, px};
use super::words::count;
use super::{Shown, zoom};
use crate::report::{AddedBy, Class, Dependency, Mode};

/// Pixels of a box, and from one to the next.
const BOX: (f64, f64) = (136.0, 26.0);
const PITCH: (f64, f64) = (196.0, 46.0);
/// Pixels around a lane, and at the left of all.
const LANE: f64 = 14.0;
const LEFT: f64 = 70.0;
/// Letters of a name that a box has room for.
const LETTERS: usize = 19;

/// The graph, measured.
struct Graph<'a> {
    shown: Shown<'a>,
    layers: Layers,
    /// Of each row, its top.
    tops: Vec<f64>,
    /// Of each lane, its top and its end.
    lanes: Vec<(f64, f64)>,
}

impl<'a> Graph<'a> {
    fn new(shown: Shown<'a>) -> Self {
        let layers = Layers::new(shown.plan);
        let (mut tops, mut lanes, mut at) = (Vec::new(), Vec::new(), 0.0);
        for &rows in &layers.rows {
            let top = at;
            at += LANE;
            for _ in 0..rows {
                tops.push(at);
                at += PITCH.1;
            }
            lanes.push((top, at));
        }
        Self {
            shown,
            layers,
            tops,
            lanes,
        }
    }

    fn width(&self) -> f64 {
        LEFT + self.layers.count as f64 * PITCH.0 + BOX.0
    }

    fn height(&self) -> f64 {
        self.lanes.last().map_or(0.0, |lane| lane.1) + 4.0
    }

    /// Left end and middle of a task's box.
    fn at(&self, task: u32) -> (f64, f64) {
        let task = task as usize;
        let x = LEFT + self.layers.depth[task] as f64 * PITCH.0;
        (
            x,
            self.tops[self.layers.row[task]] + PITCH.1 - 8.0 - BOX.1 / 2.0,
        )
    }

    /// A line from one task to another that goes around the boxes between.
    fn line(&self, edge: Dependency, number: usize) -> String {
        let ((ax, ay), (bx, by)) = (self.at(edge.before), self.at(edge.after));
        let from = ax + BOX.0;
        let apart = self.layers.depth[edge.after as usize] as isize
            - self.layers.depth[edge.before as usize] as isize;
        if apart < 1 {
            // Back, or within a layer: along the left or the right side.
            let out = from.max(bx + BOX.0) + 18.0;
            let (sy, ey) = (ay + 6.0, by + 6.0);
            let end = bx + BOX.0;
            return format!(
                "M{} {}C{o} {} {o} {} {} {}",
                px(from),
                px(sy),
                px(sy),
                px(ey),
                px(end),
                px(ey),
                o = px(out)
            );
        }
        if apart == 1 {
            let middle = (from + bx) / 2.0;
            return format!(
                "M{} {}C{m} {} {m} {} {} {}",
                px(from),
                px(ay),
                px(ay),
                px(by),
                px(bx),
                px(by),
                m = px(middle)
            );
        }
        // In the gap above the row of the later one, side by side with others.
        let y = by - BOX.1 / 2.0 - 4.0 - (number % 4) as f64 * 3.0;
        let (a, b) = (from + 44.0, bx - 44.0);
        format!(
            "M{} {}C{} {} {} {} {} {}H{}C{} {} {} {} {} {}",
            px(from),
            px(ay),
            px(from + 24.0),
            px(ay),
            px(from + 20.0),
            px(y),
            px(a),
            px(y),
            px(b),
            px(bx - 20.0),
            px(y),
            px(bx - 24.0),
            px(by),
            px(bx),
            px(by)
        )
    }
}

pub(super) fn section(shown: Shown<'_>) -> Markup {
    let graph = Graph::new(shown);
    let order = &shown.plan.order;
    let (width, height) = (graph.width(), graph.height());
    let levels = ["10", "25", "50", "75", "100"].map(|z| (z, z));
    // Names can be read where the graph is low, and its shape seen where it is not.
    let chosen = match (width, height) {
        (..1900.0, _) => "100",
        (..3200.0, _) => "75",
        (_, ..600.0) => "100",
        (..6000.0, _) => "50",
        _ => "25",
    };
    let size = format!("--w:{}px;--h:{}px", px(width), px(height));
    let alone = |edge: &Dependency| {
        let mut alone = order.demands.iter().filter(|d| d.alone);
        alone.any(|d| (d.before, d.after) == (edge.before, edge.after))
    };
    let by = |by| order.added.iter().any(|added| added.by == by);
    html! {
        section id=(shown.section("order")) {
            h2 { "Order" }
            p.note {
                (count(order.dependencies.len(), "dependency")
                    .replace("dependencys", "dependencies"))
                ", without those that others imply. Across: depth, the longest chain before a task. Down: \
                 the streams. "
                @if shown.plan.is_conditional() { "Some proofs rest on dashed lines, too, and say so." } @else {
                    "Every proof rests on the solid lines alone."
                }
            }
            (zoom(shown, "order", &levels, chosen))
            div.chart.order {
                div.scroll tabindex="0" {
                    svg.graph style=(size) viewBox={ "0 0 " (px(width)) " " (px(height)) } role="img"
                        aria-label="order of tasks" {
                        @for (stream, (top, end)) in graph.lanes.iter().enumerate() {
                            rect.band.odd[stream % 2 == 1] y=(px(*top)) width="100%" height=(px(end - top)) {}
                            text.lane x="8" y=(px(top + 22.0)) { "stream " (stream) }
                        }
                        @for (i, &edge) in order.added.iter().enumerate() {
                            @let line = graph.line(Dependency { before: edge.before, after: edge.after }, i);
                            path.edge.added.policy[edge.by == AddedBy::Policy] d=(line) data-a=(edge.before)
                                data-b=(edge.after) {}
                        }
                        @for (i, edge) in order.dependencies.iter().enumerate() {
                            path.edge.alone[alone(edge)] d=(graph.line(*edge, i)) data-a=(edge.before)
                                data-b=(edge.after) {}
                        }
                        @for task in 0..shown.plan.tasks.len() { (node(&graph, task)) }
                    }
                }
            }
            p.legend {
                span { i.solid {} "dependency" }
                @if order.demands.iter().any(|d| d.alone) { span { i.bold {} "by demand alone" } }
                @if by(AddedBy::Stream) { span { i.dashed {} "added: order on one stream" } }
                @if by(AddedBy::Policy) { span { i.dashed.policy {} "added by the policy" } }
                span { i.read {} "the host reads what it writes" }
            }
        }
    }
}

fn node(graph: &Graph<'_>, t: usize) -> Markup {
    let (shown, task) = (graph.shown, &graph.shown.plan.tasks[t]);
    let (x, y) = graph.at(t as u32);
    let resources = &shown.plan.resources;
    let read = task.accesses.iter().any(|a| {
        let of = resources.get(a.resource as usize);
        a.mode != Mode::Read && of.is_some_and(|r| r.class == Class::Output)
    });
    let short = shorten(&task.name);
    html! {
        a.node href={ "#" (shown.mark('t', t)) } data-t=(t) {
            rect.task.{ (kind(task.kind)) }.read[read] x=(px(x)) y=(px(y - BOX.1 / 2.0)) width=(BOX.0)
                height=(BOX.1) rx="4" {
                title {
                    (task.name) ", step " (task.step) " on stream " (task.stream)
                    @if !task.awaits.is_empty() {
                        "\nafter a wait for "
                        @for (i, &w) in task.awaits.iter().enumerate() {
                            @if i > 0 { ", " }
                            (shown.task(w))
                        }
                    }
                }
            }
            text x=(px(x + 7.0)) y=(px(y + 4.0)) { (short) }
        }
    }
}

/// A name as far as its box has room. What it is in goes first; then the beginning and the end say
/// the most.
fn shorten(name: &str) -> String {
    let word = name.find([' ', '(', '[']).unwrap_or(name.len());
    let own = name[..word]
        .rfind('.')
        .map(|dot| format!("…{}", &name[dot + 1..]));
    let name = match &own {
        Some(own) if name.chars().count() > LETTERS => own,
        _ => name,
    };
    let letters: Vec<char> = name.chars().collect();
    if letters.len() <= LETTERS {
        return name.to_owned();
    }
    let (head, tail) = (LETTERS / 2, LETTERS - LETTERS / 2 - 1);
    let head: String = letters[..head].iter().collect();
    let tail: String = letters[letters.len() - tail..].iter().collect();
    format!("{head}…{tail}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_name_keeps_both_ends() {
        assert_eq!(shorten("across = blur"), "across = blur");
        assert_eq!(shorten("l=0.norm = norm"), "l=0.norm = norm");
        assert_eq!(shorten("l=0.layer.before = norm"), "…before = norm");
        let short = shorten("thin[h / 4..h / 2] = suppress");
        assert_eq!(
            (short.chars().count(), &*short),
            (LETTERS, "thin[h / … suppress")
        );
    }
}
