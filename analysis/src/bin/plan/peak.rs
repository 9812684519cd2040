//! `plan peak`: bounds of what is live at once, of an exported record.

mod output;
mod record;

use std::time::Instant;

use gpu_graph_analysis::json::Wrong;
use gpu_graph_analysis::model::TaskId;
use gpu_graph_analysis::peak::{Bounds, Effort, Item, peak, replayed};

use crate::csv::{Fault, fault};
pub use output::table;
use record::{Plan, Said};

/// Bounds of the peaks of a record's plans.
pub struct Peaks {
    plans: Vec<(Plan, Vec<Figure>, f64)>,
}

/// A figure of one plan.
pub struct Figure {
    /// As the record has it.
    name: &'static str,
    bounds: Bounds,
    /// What proves the end that the witness does not show.
    proof: String,
}

impl Peaks {
    /// Those of the record in `text`, which are nowhere wider than there; `steps` is how far is searched.
    ///
    /// # Errors
    /// What is wrong with the record, its peaks among that.
    pub fn find(text: &str, steps: Option<u64>) -> Result<Self, Fault> {
        let effort = steps.map_or(Effort::THOROUGH, Effort::of);
        let plans = record::read(text).map_err(located)?;
        let each = plans.into_iter().map(|plan| {
            let clock = Instant::now();
            let figures = figures(&plan, &effort)?;
            Ok((plan, figures, clock.elapsed().as_secs_f64()))
        });
        let plans = each.collect::<Result<_, Fault>>()?;
        Ok(Self { plans })
    }
}

fn located(wrong: Wrong) -> Fault {
    let [line, column] = wrong.at;
    fault((line, column), wrong.what)
}

fn figures(plan: &Plan, effort: &Effort) -> Result<Vec<Figure>, Fault> {
    let found = peak(&plan.order, &plan.items, effort);
    let workspaces = plan.items.iter().map(|item| match item.workspace {
        true => item.clone(),
        false => Item {
            bytes: 0,
            ..item.clone()
        },
    });
    let workspaces: Vec<Item> = workspaces.collect();
    let has_workspace = plan.items.iter().any(|item| item.workspace);
    let [least, greatest, workspace] = &plan.said;
    let mut figures = vec![
        figure(plan, "least", found.least, &plan.items, least)?,
        figure(plan, "greatest", found.greatest, &plan.items, greatest)?,
    ];
    if has_workspace {
        let found = found.workspace;
        figures.push(figure(plan, "workspaces", found, &workspaces, workspace)?);
    }
    Ok(figures)
}

/// What was found of a figure and what the record has, together.
fn figure(
    plan: &Plan,
    name: &'static str,
    found: Bounds,
    items: &[Item],
    said: &Option<Said>,
) -> Result<Figure, Fault> {
    let task = |t: TaskId| plan.tasks[t.0 as usize].clone();
    let mut figure = Figure {
        name,
        proof: found.proof.told(task),
        bounds: found,
    };
    let Some(said) = said else {
        return Ok(figure);
    };
    let at = (said.at[0], said.at[1]);
    let own = &mut figure.bounds;
    let (low, high) = (said.at_least, said.at_most);
    if low > high {
        let message = format!("the record has no less than {low} here, and no more than {high}");
        return Err(fault(at, message));
    }
    if low > own.at_most || high < own.at_least {
        let (least, most) = (own.at_least, own.at_most);
        let message =
            format!("the record has {low}..{high} here, and it is proved to be {least}..{most}");
        return Err(fault(at, message));
    }
    let least = name == "least";
    // The witness shows the upper end of the least peak, and the lower end of the others.
    let (shown, proved) = match least {
        true => (high < own.at_most, low > own.at_least),
        false => (low > own.at_least, high < own.at_most),
    };
    // Where bytes cannot be added up, nothing shows an end.
    if !said.execution.is_empty() && high < u64::MAX {
        let cut = (!least).then_some(said.cut);
        let witness = replayed(&plan.order, items, &said.execution, cut);
        let refused = "no execution of the record's tasks is as the one here";
        let witness = witness.ok_or_else(|| fault(at, refused))?;
        let live = witness.live.iter().map(|&i| items[i].bytes);
        let bytes = live.fold(0, u64::saturating_add);
        let said = if least { high } else { low };
        if bytes != said {
            let message = format!("the execution here has {bytes} live at its cut, not {said}");
            return Err(fault(at, message));
        }
        if shown {
            own.witness = witness;
        }
    } else if shown {
        return Err(fault(at, "no execution here shows what the record has"));
    }
    if proved {
        let bound = said.bound.as_deref();
        figure.proof = match bound {
            Some(bound) => format!("as the record has it: {bound}"),
            None => "as the record has it".to_owned(),
        };
    }
    own.at_least = own.at_least.max(low);
    own.at_most = own.at_most.min(high);
    Ok(figure)
}
