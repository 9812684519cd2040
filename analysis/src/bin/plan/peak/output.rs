//! How `plan peak` says what it found.

use std::fmt::Write as _;

use gpu_graph_analysis::peak::{Bounds, Step};

use super::{Figure, Peaks, Plan};
use crate::csv::quoted;

/// Names that are written out in a line.
const NAMES: usize = 12;

impl Peaks {
    /// A line for each plan, and below it one for each of its figures.
    pub fn lines(&self) -> String {
        let mut lines = Vec::new();
        for (plan, figures, seconds) in &self.plans {
            let mut line = String::new();
            if let Some(variant) = &plan.variant {
                let _ = write!(line, "variant=\"{variant}\" ");
            }
            let _ = write!(line, "n={}", plan.tasks.len());
            for figure in figures {
                let _ = write!(line, " {}={}", figure.name, range(&figure.bounds));
            }
            let exact = figures.iter().all(|f| f.bounds.exact().is_some());
            let exact = if exact { "yes" } else { "no" };
            let _ = write!(line, " exact={exact} seconds={seconds:.3}");
            lines.push(line);
            lines.extend(figures.iter().map(|figure| figure.line(plan)));
            lines.extend(plan.sizes.iter().map(|means| format!("sizes: {means}")));
        }
        lines.join("\n")
    }
}

/// One number where it is exact.
fn range(bounds: &Bounds) -> String {
    match bounds.exact() {
        Some(bytes) => bytes.to_string(),
        None => format!("{}..{}", bounds.at_least, bounds.at_most),
    }
}

impl Figure {
    fn line(&self, plan: &Plan) -> String {
        let (name, bounds) = (self.name, &self.bounds);
        let live = self.live(plan).map(|(names, _)| names);
        let live = named(live);
        let running = bounds.witness.running.iter();
        let running = named(running.map(|t| plan.tasks[t.0 as usize].clone()));
        let mut line = match &*running {
            "" => format!("{name}: at the end {live}"),
            _ => format!("{name}: {live}, while {running}"),
        };
        if live.is_empty() {
            line = format!("{name}: nothing is live");
        }
        if bounds.exact().is_none() {
            let (end, bytes) = match name {
                "least" => ("no less than", bounds.at_least),
                _ => ("no more than", bounds.at_most),
            };
            let _ = write!(line, "; {end} {bytes}: {}", self.proof);
        }
        line
    }

    /// What is live at the cut, with its bytes.
    fn live<'a>(&'a self, plan: &'a Plan) -> impl Iterator<Item = (String, u64)> + 'a {
        self.bounds.witness.live.iter().map(|&i| {
            let item = &plan.items[i];
            let names = item.parts.iter();
            let names = names.map(|r| &*plan.resources[r.0 as usize]);
            (names.collect::<Vec<_>>().join(" + "), item.bytes)
        })
    }
}

/// Names one after the other, the first ones.
fn named(names: impl Iterator<Item = String>) -> String {
    let names: Vec<String> = names.map(|name| format!("`{name}`")).collect();
    let more = names.len().saturating_sub(NAMES);
    let mut text = names[..names.len() - more].join(", ");
    if more > 0 {
        let _ = write!(text, " and {more} more");
    }
    text
}

/// The executions of the figures and what is live at their cuts, as CSV.
pub fn table(found: &Peaks) -> String {
    let mut rows = String::from("variant,figure,what,name,bytes,cut\n");
    for (plan, figures, _) in &found.plans {
        let variant = quoted(plan.variant.as_deref().unwrap_or(""));
        for figure in figures {
            let begin = format!("{variant},{}", figure.name);
            let witness = &figure.bounds.witness;
            let behind = witness.steps[..witness.cut].iter();
            let over = behind.filter(|step| matches!(step, Step::Complete(_)));
            let (over, run) = (over.count(), witness.running.len());
            for (nth, t) in witness.sequence().enumerate() {
                let name = quoted(&plan.tasks[t.0 as usize]);
                let cut = match nth {
                    _ if nth < over => "completed",
                    _ if nth < over + run => "running",
                    _ => "later",
                };
                let _ = writeln!(rows, "{begin},task,{name},,{cut}");
            }
            for (name, bytes) in figure.live(plan) {
                let _ = writeln!(rows, "{begin},item,{},{bytes},live", quoted(&name));
            }
        }
    }
    rows
}
