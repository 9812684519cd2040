//! What no profiled run can have said.

use super::spread::FEWEST;
use super::{Measured, MeasuredProgram, MeasuredTask, Spread};
use crate::report::ReportError;
use crate::report::check::{dims, wrong};

/// The longest time of one launch, in nanoseconds, as for costs that are declared.
const MOST: u64 = 100_000_000_000_000;

/// Each thing is there once, was seen, and its numbers are in their order.
pub(super) fn check(measured: &Measured) -> Result<(), ReportError> {
    dims(&measured.dims)?;
    for (p, of) in measured.programs.iter().enumerate() {
        let place = format!("programs[{p}]");
        let mut before = measured.programs[..p].iter();
        if before.any(|other| (&other.variant, other.program) == (&of.variant, of.program)) {
            return wrong(place, format!("program {} is there twice", of.program));
        }
        program(of, &place)?;
    }
    Ok(())
}

fn program(of: &MeasuredProgram, place: &str) -> Result<(), ReportError> {
    if of.runs == 0 {
        return wrong(format!("{place}.runs"), "nothing was seen");
    }
    let (runs, at) = (of.runs, |field: &str| format!("{place}.{field}"));
    spread(&of.live_bytes, runs, || at("live_bytes"))?;
    spread(&of.run_nanoseconds, runs, || at("run_nanoseconds"))?;
    match &of.period_nanoseconds {
        Some(_) if runs == 1 => {
            return wrong(at("period_nanoseconds"), "there is none of one run");
        }
        Some(period) => spread(period, runs - 1, || at("period_nanoseconds"))?,
        None if runs > 1 => {
            let what = format!("it is none of {runs} runs, where there is one of 2 or more");
            return wrong(at("period_nanoseconds"), what);
        }
        None => {}
    }
    for (k, kernel) in of.kernels.iter().enumerate() {
        let (name, dims) = (&kernel.kernel, &kernel.dims);
        let mut before = of.kernels[..k].iter();
        if before.any(|other| (&other.kernel, &other.dims) == (name, dims)) {
            let what = format!("`{name}` at {dims:?} is there twice");
            return wrong(format!("{place}.kernels[{k}]"), what);
        }
        if kernel.launches == 0 {
            return wrong(format!("{place}.kernels[{k}].launches"), "nothing was seen");
        }
        let times = || format!("{place}.kernels[{k}].nanoseconds");
        spread(&kernel.nanoseconds, kernel.launches, times)?;
        if kernel.nanoseconds.most > MOST {
            let what = format!("a launch takes {MOST} ns at most");
            return wrong(format!("{}.most", times()), what);
        }
    }
    tasks(of, place)?;
    for (k, kernel) in of.kernels.iter().enumerate() {
        let own = |task: &&MeasuredTask| task.launch == Some(k as u32);
        let tasks = of.tasks.iter().filter(own).count() as u64;
        let (place, found) = (format!("{place}.kernels[{k}]"), kernel.launches);
        if tasks == 0 {
            let (name, dims) = (&kernel.kernel, &kernel.dims);
            return wrong(place, format!("no task launches `{name}` at {dims:?}"));
        }
        let all = tasks.saturating_mul(runs);
        if found != all {
            let launch = if tasks == 1 {
                "task launches"
            } else {
                "tasks launch"
            };
            let s = if runs == 1 { "" } else { "s" };
            let what =
                format!("it is {found}, and not {all}, as {tasks} {launch} it in {runs} run{s}");
            return wrong(place + ".launches", what);
        }
    }
    Ok(())
}

/// Each has an origin, and launches what its origin does.
fn tasks(of: &MeasuredProgram, place: &str) -> Result<(), ReportError> {
    let runs = of.runs;
    // Of each task of the graph as it was written what it launches.
    let mut written: Vec<Option<u32>> = Vec::new();
    for (t, task) in of.tasks.iter().enumerate() {
        match written.get(task.origin as usize) {
            Some(first) if *first != task.launch => {
                let what = "it does again what launches something else";
                return wrong(format!("{place}.tasks[{t}].launch"), what);
            }
            Some(_) => {}
            None if task.origin as usize == written.len() => written.push(task.launch),
            None => {
                let what = format!("no task before it has the origin {}", written.len());
                return wrong(format!("{place}.tasks[{t}].origin"), what);
            }
        }
        if let Some(launch) = task.launch
            && launch as usize >= of.kernels.len()
        {
            let what = format!("there is no kernel {launch}");
            return wrong(format!("{place}.tasks[{t}].launch"), what);
        }
        spread(&task.nanoseconds, runs, || {
            format!("{place}.tasks[{t}].nanoseconds")
        })?;
    }
    Ok(())
}

/// What `seen` observations say.
fn spread(of: &Spread, seen: u64, place: impl Fn() -> String) -> Result<(), ReportError> {
    for (end, name) in [(of.low, "low"), (of.high, "high")] {
        let what = match end {
            Some(end) if seen < FEWEST => {
                let s = if seen == 1 { "" } else { "s" };
                format!(
                    "it is {end} of {seen} observation{s}, where there is none of fewer than {FEWEST}"
                )
            }
            None if seen >= FEWEST => {
                format!("it is none of {seen} observations, where there is one of {FEWEST} or more")
            }
            _ => continue,
        };
        return wrong(format!("{}.{name}", place()), what);
    }
    let (low, high) = (of.low.unwrap_or(of.least), of.high.unwrap_or(of.most));
    match [of.least, low, of.median, high, of.most].is_sorted() {
        true => Ok(()),
        false => wrong(
            place(),
            "`least`, `low`, `median`, `high` and `most` are not in this order",
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::MOST;

    #[test]
    fn a_launch_is_measured_to_take_no_more_than_a_cost_can_say() {
        assert_eq!(MOST, gpu_graph_analysis::declared::Cost::MOST);
    }
}
