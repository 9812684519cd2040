//! The logical peak in the record: three figures, and what is live where they are met.

use std::collections::BTreeSet;
use std::fmt::{self, Formatter, Write};

use super::Record;
use super::text::{SHORT, list};
use crate::alias::Merge;
use crate::frontier::Frontiers;
use crate::layout::{At, Layout, sizes::rounded};
use crate::model::{Class, Model, ResourceId, TaskId};
use crate::order::Precedence;
use crate::peak::{Bounds, Effort, Item, Peak, Proof, Step, Witness, in_turn, items, peak_beside};
use crate::policy::Figures;

/// Tasks that are written out of an execution.
const BEFORE: usize = 12;

/// The peak of what lives in one arena, over all executions that the plan admits.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PeakRecord {
    /// Of the execution that does with least.
    pub least: Figure,
    /// Of the one that needs most.
    pub greatest: Figure,
    /// Of workspaces alone, where one is declared.
    pub workspace: Option<Figure>,
}

/// A figure, and what is live at the cut of its witness.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Figure {
    /// The figure, or what it lies between.
    pub bounds: Bounds,
    /// What is live at that cut; two in one entry lie in one slot, as one becomes the other.
    pub live: Vec<Vec<ResourceId>>,
}

impl PeakRecord {
    pub(super) fn new(
        model: &Model,
        order: &Precedence,
        live: &Frontiers,
        merges: &[Merge],
        layout: &Layout,
        figures: &Figures,
    ) -> Self {
        let bytes: Vec<u64> = layout.slots.iter().map(|s| s.bytes).collect();
        let items = items(model, live, &bytes, merges);
        // What cannot share storage by twos may be live at one cut, too.
        let listed: BTreeSet<ResourceId> = layout.bound.live().collect();
        let is = |item: &Item| item.parts.iter().any(|r| listed.contains(r));
        let together = (0..items.len()).filter(|&at| is(&items[at]));
        let together: Vec<usize> = together.collect();
        let effort = Effort::build(order.tasks());
        let mut found = peak_beside(order, &items, &effort, &together);
        within(&mut found, order, &items, layout, figures);
        let figure = |bounds: Bounds| {
            let at = Cut::new(order.tasks(), &bounds.witness);
            let parts = bounds.witness.live.iter().map(|&i| {
                let parts = items[i].parts.iter().copied();
                parts.filter(|&r| at.is_live(live, r)).collect()
            });
            Figure {
                live: parts.collect(),
                bounds,
            }
        };
        let mut classes = model.resources.iter().map(|r| r.class);
        let workspace = classes.any(|class| class == Class::Workspace);
        Self {
            least: figure(found.least),
            greatest: figure(found.greatest),
            workspace: workspace.then(|| figure(found.workspace)),
        }
    }
}

/// What the plan was weighed by bounds the peaks as well, where searches end before they find as much.
fn within(
    found: &mut Peak,
    order: &Precedence,
    items: &[Item],
    layout: &Layout,
    figures: &Figures,
) {
    let Peak {
        least, greatest, ..
    } = found;
    if figures.most < greatest.at_most {
        greatest.at_most = figures.most;
        greatest.proof = match layout.swept {
            true => Proof::Arena,
            false => Proof::Pairs,
        };
    }
    // Where bytes cannot be added up, no execution shows anything.
    if least.at_most == u64::MAX {
        return;
    }
    if figures.in_turn < least.at_most {
        (least.at_most, least.witness) = (figures.in_turn, in_turn(order, items));
    }
    if let (held, At::Task(task)) = layout.bound.held()
        && held > least.at_least
    {
        (least.at_least, least.proof) = (held, Proof::WhileRuns(task));
    }
    if figures.in_turn > greatest.at_least {
        (greatest.at_least, greatest.witness) = (figures.in_turn, in_turn(order, items));
    }
}

impl PeakRecord {
    /// Both ends of the least, of the greatest, and of the demand of workspaces.
    pub fn ends(&self) -> [[u64; 2]; 3] {
        let ends = |f: &Figure| [f.bounds.at_least, f.bounds.at_most];
        let workspace = self.workspace.as_ref().map_or([0, 0], ends);
        [ends(&self.least), ends(&self.greatest), workspace]
    }
}

/// What is started and completed at the cut of a witness.
struct Cut {
    started: Vec<bool>,
    completed: Vec<bool>,
}

impl Cut {
    fn new(tasks: usize, witness: &Witness) -> Self {
        let mut cut = Self {
            started: vec![false; tasks],
            completed: vec![false; tasks],
        };
        for step in &witness.steps[..witness.cut] {
            match step {
                Step::Start(t) => cut.started[t.0 as usize] = true,
                Step::Complete(t) => cut.completed[t.0 as usize] = true,
            }
        }
        cut
    }

    fn is_live(&self, live: &Frontiers, resource: ResourceId) -> bool {
        let of = live.of(resource);
        let users = live.users(resource);
        users.iter().any(|t| self.started[t.0 as usize])
            && (of.host || users.iter().any(|t| !self.completed[t.0 as usize]))
    }
}

impl Record {
    pub(super) fn peak(&self, f: &mut Formatter<'_>) -> fmt::Result {
        writeln!(f, "\npeak of what is live in an arena, over all executions")?;
        let admit = match self.policy.conditional() {
            true => {
                "dependencies, added edges and the order of streams admit: proofs may rest on all of these"
            }
            false => {
                "dependencies admit: the order of streams admits fewer, but nothing rests on that"
            }
        };
        writeln!(f, "  executions     all that {admit}")?;
        self.figure(f, "least", &self.peak.least, true)?;
        self.figure(f, "greatest", &self.peak.greatest, false)?;
        if let Some(workspace) = &self.peak.workspace {
            self.figure(f, "workspaces", workspace, false)?;
        }
        Ok(())
    }

    /// One figure; where its witness shows the upper end, `above`.
    fn figure(&self, f: &mut Formatter<'_>, name: &str, of: &Figure, above: bool) -> fmt::Result {
        let bounds = &of.bounds;
        let (low, high) = (rounded(bounds.at_least), rounded(bounds.at_most));
        match bounds.exact() {
            Some(_) => write!(f, "  {name:<14} {low}, exact{}", self.of_sizes())?,
            None => write!(f, "  {name:<14} between {low} and {high}")?,
        }
        let running = bounds.witness.running.iter();
        let running = list(running.map(|&t| self.task(t)), SHORT);
        let one = bounds.witness.running.len() == 1;
        let live = of.live.iter().flatten().map(|&r| self.name(r));
        match (of.live.is_empty(), bounds.witness.running.is_empty()) {
            (true, _) => writeln!(f, ": nothing is live")?,
            (_, true) => writeln!(f, ": at the end, {}", list(live, 3 * SHORT))?,
            _ => {
                let live = list(live, 3 * SHORT);
                let verb = if one { "runs" } else { "run" };
                writeln!(f, ": {live}, while {running} {verb}")?;
            }
        }
        for pair in of.live.iter().filter(|parts| parts.len() > 1) {
            let names = list(pair.iter().map(|&r| self.name(r)), SHORT);
            writeln!(
                f,
                "                 {names} count once: one becomes the other"
            )?;
        }
        if !of.live.is_empty() {
            self.execution(f, &bounds.witness)?;
        }
        if bounds.exact().is_some() {
            return Ok(());
        }
        let (shown, other) = if above { (&high, &low) } else { (&low, &high) };
        let why = self.proof(bounds.proof);
        writeln!(
            f,
            "                 {shown} is shown by this cut, {other} by a bound: {why}"
        )
    }

    /// What is over at the cut of `witness`, in the sequence of its execution.
    fn execution(&self, f: &mut Formatter<'_>, witness: &Witness) -> fmt::Result {
        let steps = witness.steps[..witness.cut].iter();
        let over = steps.filter(|step| matches!(step, Step::Complete(_)));
        let over = over.count();
        let all = match over {
            0 => return writeln!(f, "                 execution: it begins with these tasks"),
            1..=BEFORE => "",
            _ => "; the JSON has all",
        };
        let before = witness.sequence().take(over).map(|t| self.task(t));
        let before = list(before, BEFORE);
        writeln!(
            f,
            "                 execution up to there, one at a time: {before}{all}"
        )
    }

    /// What proves the end of a figure that its witness does not show.
    fn proof(&self, proof: Proof<TaskId>) -> String {
        proof.told(|t| self.task(t).to_string())
    }

    /// The figures as lines of [`facts`](Self::facts).
    pub(super) fn peak_facts(&self, out: &mut String) -> fmt::Result {
        let peak = &self.peak;
        let figures = [("least", &peak.least), ("greatest", &peak.greatest)];
        let workspace = peak.workspace.as_ref().map(|of| ("workspaces", of));
        for (name, of) in figures.into_iter().chain(workspace) {
            let bounds = &of.bounds;
            let (low, high) = (bounds.at_least, bounds.at_most);
            let cut = Cut::new(self.tasks.len(), &bounds.witness);
            let completed = (0..).zip(&cut.completed).filter(|(_, is)| **is);
            let completed: Vec<u32> = completed.map(|(t, _)| t).collect();
            let mut running: Vec<u32> = bounds.witness.running.iter().map(|t| t.0).collect();
            running.sort_unstable();
            write!(out, "peak\t{name}\t{low} {high}\t")?;
            super::facts::list(out, &running);
            out.push('\t');
            super::facts::list(out, &completed);
            out.push('\t');
            let execution: Vec<u32> = bounds.witness.sequence().map(|t| t.0).collect();
            super::facts::list(out, &execution);
            let slots = super::facts::slots(&of.live);
            writeln!(out, "\t{slots}\t{}", self.proof(bounds.proof))?;
        }
        Ok(())
    }
}
