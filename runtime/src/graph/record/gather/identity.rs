//! What the plan is known by, and what its costs rest on.

use super::Known;
use crate::report::{CostProfile, CostsUsed, DimValue, Identity, LaunchCost, Predicted, Range};

/// What is noted of the profile that the graph names.
#[derive(Default)]
pub(super) struct NotedProfile {
    pub(super) file: Option<String>,
    pub(super) used: Option<CostsUsed>,
    /// Of each task the launches that it is one of.
    pub(super) of_task: Vec<Option<usize>>,
}

impl NotedProfile {
    /// Reads `parts` of a line, if it is about this.
    pub(super) fn line(&mut self, parts: &[&'static str]) {
        match parts {
            ["stale", file] => self.file = Some(super::noted::line(file)),
            ["profile", file, device, runs, program, dims @ ..] => {
                self.file = Some(super::noted::line(file));
                let dims = dims.iter().filter_map(|dim| {
                    let (name, value) = dim.split_once(' ')?;
                    let (name, value) = (name.to_owned(), value.parse().ok()?);
                    Some(DimValue { name, value })
                });
                if let (Ok(runs), Ok(program)) = (runs.parse(), program.parse()) {
                    self.used = Some(CostsUsed {
                        device: super::noted::line(device),
                        dims: dims.collect(),
                        runs,
                        program,
                        kernels: Vec::new(),
                    });
                }
            }
            ["launch", kernel, dims, times] => {
                let times = super::noted::figures(times);
                if let (Some(used), &[launches, low, median, high]) = (&mut self.used, &times[..]) {
                    used.kernels.push(LaunchCost {
                        kernel: (*kernel).to_owned(),
                        dims: super::noted::figures(dims),
                        launches,
                        nanoseconds: median,
                        range: Range::between(low, high),
                    });
                }
            }
            ["timed", tasks] => {
                self.of_task = tasks.split(' ').map(|task| task.parse().ok()).collect();
            }
            _ => {}
        }
    }

    /// What a launch by `task` takes, in nanoseconds.
    pub(super) fn time(&self, task: usize) -> Option<u64> {
        let launch = (*self.of_task.get(task)?)?;
        Some(self.used.as_ref()?.kernels.get(launch)?.nanoseconds)
    }
}

impl Known<'_> {
    pub(super) fn identity(&self) -> Option<Identity> {
        let [source, plan, baseline] = self.record.known_by()?;
        let predicted = |program: &str, name: &str| {
            let figures = self.noted.predicted.get(name)?;
            Some(Predicted {
                program: program.parse().ok()?,
                arena_bytes: *figures.first()?,
                critical_path_nanoseconds: match figures[..] {
                    [_, low, high] => Some(Range::between(low, high)),
                    _ => None,
                },
            })
        };
        Some(Identity {
            source: source.parse().ok()?,
            baseline: predicted(baseline, "baseline")?,
            plan: predicted(plan, "chosen")?,
        })
    }

    pub(super) fn costs(&self) -> Option<CostProfile> {
        let profile = &self.noted.profile;
        Some(CostProfile {
            file: profile.file.clone()?,
            used: profile.used.clone(),
        })
    }
}
