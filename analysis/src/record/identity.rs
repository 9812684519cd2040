//! What a plan is known by, and what is predicted of it: what measurements are held against.

use std::fmt::{self, Formatter, Write};

use super::Record;
use super::time::time;
use crate::digest::Digest;
use crate::layout::sizes::rounded;
use crate::model::Model;
use crate::plan::Plan;
use crate::policy::{Predicted, Realised};

/// What the plan and the one that adds nothing are known by, and what is predicted of both.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Identity {
    /// What was written: what measured costs are of.
    pub source: Option<Digest>,
    /// The graph as it stands.
    pub baseline: Known,
    /// The plan.
    pub chosen: Known,
}

/// One plan.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Known {
    /// What runs: what measured peaks and times are of.
    pub program: Digest,
    /// What is predicted of it.
    pub predicted: Predicted,
}

impl Known {
    /// A plan of `model`, in which values may be made again.
    pub(crate) fn new(model: &Model, realised: &Realised) -> Self {
        Self {
            program: Plan::new(model, realised).digest(&model.declared),
            predicted: Predicted::new(model, realised),
        }
    }
}

/// In whose place the runtime says what was measured, once that is held against the record.
const NOT_MEASURED: &str = "  measured       nothing of this plan beside its baseline";

impl Record {
    pub(super) fn identity(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Identity {
            source: Some(source),
            baseline,
            chosen,
        } = &self.identity
        else {
            return Ok(());
        };
        writeln!(f, "\nknown by")?;
        writeln!(f, "  source         {source}: measured costs are of it")?;
        let program = chosen.program;
        writeln!(
            f,
            "  program        {program}: measured peaks and times are of it"
        )?;
        if baseline.program == program {
            writeln!(f, "  baseline       the same: the plan adds nothing")?;
            return writeln!(f, "{NOT_MEASURED}");
        }
        writeln!(
            f,
            "  baseline       {}, which adds nothing",
            baseline.program
        )?;
        let (from, to) = (&baseline.predicted, &chosen.predicted);
        let change = match to.arena.cmp(&from.arena) {
            std::cmp::Ordering::Less => format!("{} less", rounded(from.arena - to.arena)),
            std::cmp::Ordering::Equal => "the same".to_owned(),
            std::cmp::Ordering::Greater => format!("{} more", rounded(to.arena - from.arena)),
        };
        writeln!(
            f,
            "  predicted      arena: {change}, exactly, at the largest sizes"
        )?;
        write!(f, "                 critical path: ")?;
        match (from.path, to.path) {
            (Some(from), Some(to)) => {
                let [from, to] = [from, to].map(|[low, high]| match low == high {
                    true => time(low),
                    false => format!("{} to {}", time(low), time(high)),
                });
                writeln!(f, "from {from}, to {to}")?;
            }
            _ => writeln!(f, "unknown, as costs are")?,
        }
        writeln!(f, "{NOT_MEASURED}")
    }

    pub(super) fn identity_facts(&self, out: &mut String) -> fmt::Result {
        let Identity {
            source,
            baseline,
            chosen,
        } = &self.identity;
        if let Some(source) = source {
            let (program, baseline) = (chosen.program, baseline.program);
            writeln!(out, "digest\t{source}\t{program}\t{baseline}")?;
        }
        for (name, known) in [("baseline", baseline), ("chosen", chosen)] {
            let path = known
                .predicted
                .path
                .map(|[low, high]| format!(" {low} {high}"));
            let (arena, path) = (known.predicted.arena, path.unwrap_or_default());
            writeln!(out, "predicted\t{name}\t{arena}{path}")?;
        }
        let Some(profile) = &self.declared.profile else {
            return Ok(());
        };
        let file = super::facts::line(&profile.file);
        let Some(measured) = &profile.measured else {
            return writeln!(out, "stale\t{file}");
        };
        let (device, runs) = (super::facts::line(&measured.device), measured.runs);
        write!(
            out,
            "profile\t{file}\t{device}\t{runs}\t{}",
            measured.program
        )?;
        for (name, value) in &measured.dims {
            write!(out, "\t{name} {value}")?;
        }
        out.push('\n');
        for launch in &measured.launches {
            write!(out, "launch\t{}\t", launch.kernel)?;
            let dims: Vec<String> = launch.dims.iter().map(u64::to_string).collect();
            let (count, low, median, high) = (launch.count, launch.low, launch.median, launch.high);
            writeln!(out, "{}\t{count} {low} {median} {high}", dims.join(" "))?;
        }
        *out += "timed\t";
        let of_task = measured.of_task.iter();
        let of_task = of_task.map(|launch| launch.map_or("-".to_owned(), |l| l.to_string()));
        *out += &of_task.collect::<Vec<_>>().join(" ");
        out.push('\n');
        Ok(())
    }
}
