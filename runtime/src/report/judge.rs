//! Holds measurements against what a record predicts.

#[cfg(test)]
mod tests;

use super::finding::{Change, Delta, Figure, Finding};
use super::{
    Digest, DimValue, Disposition, Identity, Measured, MeasuredProgram, Plan, Report, Spread,
    Target, Verdict,
};
use crate::graph::Record;

/// Measurements that say nothing of a record.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum JudgeError {
    /// The record was not made by `gpu_graph!`.
    #[error("nothing is known of the programs of graph `{graph}`")]
    NotKnown {
        /// The graph.
        graph: String,
    },
    /// The plan is the baseline: nothing is predicted of one beside the other.
    #[error("the plan of graph `{graph}` adds nothing to the graph as it stands")]
    NothingAdded {
        /// The graph.
        graph: String,
    },
    /// A profile is of the same source, and not of the program that it is given for.
    #[error(
        "the profile of the {side} has no program {expected}, but {found}: the text is the same, and \
         variant, `minimize`, `budget` or `streams` are others"
    )]
    Program {
        /// `baseline` or `plan`.
        side: &'static str,
        /// What the record knows it by.
        expected: Digest,
        /// What the profile is of.
        found: String,
    },
    /// A profile is of another source.
    #[error(
        "the profile of the {side} is of source {found}, and the record of {expected}: the text of the \
         graph, or of a kernel that it launches, is another"
    )]
    Source {
        /// `baseline` or `plan`.
        side: &'static str,
        /// That of the record.
        expected: Digest,
        /// That of the profile.
        found: Digest,
    },
    /// The profile of the plan is of another graph.
    #[error("the profile of the plan is of graph `{found}`, and the record of `{expected}`")]
    Graph {
        /// That of the record.
        expected: String,
        /// That of the profile.
        found: String,
    },
    /// The profiles have no value of a dim, or of one that there is not.
    #[error("the dims of the profiles are {found}, and those of the graph {expected}")]
    Dims {
        /// Names, as the graph declares them.
        expected: String,
        /// Names in the profiles.
        found: String,
    },
    /// A dim of the profiles is one that the graph cannot be loaded with.
    #[error("the profiles are of {dim} = {found}, where the graph admits {min}..={max}")]
    Dim {
        /// The dim.
        dim: String,
        /// Its value in the profiles.
        found: u64,
        /// The least that is admitted.
        min: u64,
        /// The most.
        max: u64,
    },
    /// The two were not measured alike.
    #[error("the baseline was measured with {what} {baseline}, and the plan with {plan}")]
    Differs {
        /// `device`, or `dims`.
        what: &'static str,
        /// That of the baseline.
        baseline: String,
        /// That of the plan.
        plan: String,
    },
}

impl Record {
    /// The record as data, with what profiles of its baseline and of its plan say of it.
    ///
    /// The baseline is the same graph without what adds to it, which is without `minimize`, in a
    /// `gpu_graph!` of its own, and of any name.
    ///
    /// ```
    /// # use gpu_graph_runtime::graph::Record;
    /// # use gpu_graph_runtime::report::{Disposition, JudgeError, Measured};
    /// fn holds(record: &Record, before: &Measured, after: &Measured) -> Result<bool, JudgeError> {
    ///     let report = record.judge(before, after)?;
    ///     let mut verdicts = report.plans.iter().map(|plan| plan.claims.verdict.disposition);
    ///     Ok(verdicts.all(|verdict| verdict == Disposition::MeasuredFinding))
    /// }
    /// ```
    ///
    /// # Errors
    /// As [`Report::judge`].
    pub fn judge(&self, baseline: &Measured, plan: &Measured) -> Result<Report, JudgeError> {
        let mut report = self.report();
        report.judge(baseline, plan)?;
        Ok(report)
    }
}

impl Report {
    /// Takes what profiles of the baseline and of the plan say: of each plan, which is one for each
    /// combination of variants, that both have measured.
    ///
    /// A plan becomes a *measured finding* where all that it is predicted to gain was gained by more
    /// than what is uncertain of it, and *rejected* where the declared `target`, or what is predicted,
    /// came out worse by more than that. Else it stays what it was, or needs more evidence.
    ///
    /// # Errors
    /// Where none of the plans was measured, with the reason why the first was not. The report is as it
    /// was then.
    pub fn judge(&mut self, baseline: &Measured, plan: &Measured) -> Result<(), JudgeError> {
        let alike = |what, before: String, after: String| match before == after {
            true => Ok(()),
            false => Err(JudgeError::Differs {
                what,
                baseline: before,
                plan: after,
            }),
        };
        alike("device", baseline.device.clone(), plan.device.clone())?;
        alike("dims", dims(baseline), dims(plan))?;
        // The baseline is a graph of its own, of any name: its program is what it is known by.
        let graph = &self.graph;
        if plan.graph != *graph {
            return Err(JudgeError::Graph {
                expected: graph.clone(),
                found: plan.graph.clone(),
            });
        }
        let (mut judged, mut refused) = (false, None);
        for own in &mut self.plans {
            match own.held_against(graph, baseline, plan) {
                Ok((finding, verdict)) => {
                    own.claims.verdict = verdict;
                    own.finding = Some(finding);
                    judged = true;
                }
                Err(error) => refused = refused.or(Some(error)),
            }
        }
        match refused {
            Some(error) if !judged => Err(error),
            _ => Ok(()),
        }
    }
}

fn dims(measured: &Measured) -> String {
    let each = measured.dims.iter();
    let each = each.map(|dim| format!("{} = {}", dim.name, dim.value));
    each.collect::<Vec<_>>().join(", ")
}

/// `n`, `m`, in this order.
fn names<'a>(names: impl Iterator<Item = &'a str>) -> String {
    let names: Vec<String> = names.map(|name| format!("`{name}`")).collect();
    match names.is_empty() {
        true => "none".to_owned(),
        false => names.join(", "),
    }
}

/// The measurements of one program.
fn seen<'a>(
    measured: &'a Measured,
    side: &'static str,
    identity: &Identity,
    expected: Digest,
) -> Result<&'a MeasuredProgram, JudgeError> {
    let other = |found: Digest| JudgeError::Source {
        side,
        expected: identity.source,
        found,
    };
    let Some(found) = measured.program(expected) else {
        let mut sources = measured.programs.iter().map(|p| p.source);
        if let Some(first) = sources.next()
            && first != identity.source
            && sources.all(|source| source != identity.source)
        {
            return Err(other(first));
        }
        let all = measured.programs.iter().map(|p| p.program.to_string());
        return Err(JudgeError::Program {
            side,
            expected,
            found: all.collect::<Vec<_>>().join(", "),
        });
    };
    match found.source == identity.source {
        true => Ok(found),
        false => Err(other(found.source)),
    }
}

impl Plan {
    /// The graph can be loaded with `dims`.
    fn admits(&self, dims: &[DimValue]) -> Result<(), JudgeError> {
        let (own, found) = (self.dims.iter(), dims.iter());
        if !own
            .clone()
            .map(|dim| &dim.name)
            .eq(found.clone().map(|dim| &dim.name))
        {
            return Err(JudgeError::Dims {
                expected: names(own.map(|dim| &*dim.name)),
                found: names(found.map(|dim| &*dim.name)),
            });
        }
        for (own, found) in own.zip(found) {
            if !(own.min..=own.max).contains(&found.value) {
                return Err(JudgeError::Dim {
                    dim: own.name.clone(),
                    found: found.value,
                    min: own.min,
                    max: own.max,
                });
            }
        }
        Ok(())
    }

    fn held_against(
        &self,
        graph: &str,
        baseline: &Measured,
        plan: &Measured,
    ) -> Result<(Finding, Verdict), JudgeError> {
        let graph = || graph.to_owned();
        let Some(identity) = &self.identity else {
            return Err(JudgeError::NotKnown { graph: graph() });
        };
        let [from, to] = [&identity.baseline, &identity.plan];
        if from.program == to.program {
            return Err(JudgeError::NothingAdded { graph: graph() });
        }
        let before = seen(baseline, "baseline", identity, from.program)?;
        let after = seen(plan, "plan", identity, to.program)?;
        self.admits(&plan.dims)?;
        let change = |of: &dyn Fn(&MeasuredProgram) -> Option<Spread>| {
            Some(Change::between(range(of(before)?)?, range(of(after)?)?))
        };
        // Beside what runs differ by, a time is as uncertain as it was read.
        let read = |of: &MeasuredProgram, time: Spread| {
            let ([low, high], off) = (range(time)?, of.resolution_nanoseconds);
            Some([low.saturating_sub(off), high.saturating_add(off)])
        };
        let slower = |of: &dyn Fn(&MeasuredProgram) -> Option<Spread>| {
            let (from, to) = (read(before, of(before)?)?, read(after, of(after)?)?);
            Some(Change::between(from, to))
        };
        let path = from
            .critical_path_nanoseconds
            .zip(to.critical_path_nanoseconds);
        let path = path.and_then(|(from, to)| {
            Some(Change::between([from.low, from.high?], [to.low, to.high?]))
        });
        let exact = |before: u64, after: u64| Some(Change::between([before; 2], [after; 2]));
        let mut deltas = vec![
            Delta {
                figure: Figure::ArenaBytes,
                predicted: exact(from.arena_bytes, to.arena_bytes),
                measured: exact(before.arena_bytes, after.arena_bytes),
            },
            Delta {
                figure: Figure::LiveBytes,
                predicted: None,
                measured: change(&|seen| Some(seen.live_bytes)),
            },
            Delta {
                figure: Figure::RunNanoseconds,
                predicted: path,
                measured: slower(&|seen| Some(seen.run_nanoseconds)),
            },
        ];
        if self.purpose.target == Some(Target::Throughput) {
            deltas.push(Delta {
                figure: Figure::PeriodNanoseconds,
                predicted: None,
                measured: slower(&|seen| seen.period_nanoseconds),
            });
        }
        let verdict = verdict(self.purpose.target, &deltas);
        let finding = Finding {
            device: plan.device.clone(),
            dims: plan.dims.clone(),
            baseline_runs: before.runs,
            plan_runs: after.runs,
            deltas,
        };
        Ok((finding, verdict))
    }
}

/// What is uncertain of a median.
fn range(spread: Spread) -> Option<[u64; 2]> {
    Some([spread.low?, spread.high?])
}

/// What the differences come to.
fn verdict(target: Option<Target>, deltas: &[Delta]) -> Verdict {
    let of = |figure| deltas.iter().find(|delta| delta.figure == figure);
    let measured = |figure| of(figure).and_then(|delta| delta.measured);
    let predicted = |figure| of(figure).and_then(|delta| delta.predicted);
    let is = |change: Option<Change>, test: fn(Change) -> bool| change.is_some_and(test);
    let bytes = is(predicted(Figure::ArenaBytes), Change::is_less);
    let time = is(predicted(Figure::RunNanoseconds), Change::is_less);
    // What a target is about, with its words.
    let goal = match target {
        Some(Target::Throughput) => Some((Figure::PeriodNanoseconds, "throughput")),
        Some(Target::Latency) => Some((Figure::RunNanoseconds, "latency")),
        None => None,
    };
    // What was measured of each gain that is predicted. That storage is smaller is no observation:
    // less has to be live, too.
    let mut gains = Vec::new();
    if bytes {
        gains.push(("bytes of the arena", measured(Figure::ArenaBytes)));
        gains.push(("bytes that are live at once", measured(Figure::LiveBytes)));
    }
    if time {
        let figure = match target {
            Some(Target::Throughput) => Figure::PeriodNanoseconds,
            _ => Figure::RunNanoseconds,
        };
        gains.push(("time", measured(figure)));
    }
    let verdict = |disposition, because: String| Verdict {
        disposition,
        because,
    };
    if let Some((figure, name)) = goal
        && is(measured(figure), Change::is_more)
    {
        let because = format!(
            "it is outside the target: {name} is worse than that of the baseline by more than what is uncertain of it"
        );
        return verdict(Disposition::Rejected, because);
    }
    if let Some((what, _)) = gains.iter().find(|(_, gain)| is(*gain, Change::is_more)) {
        let because = format!(
            "less {what} was predicted, and more was measured, by more than what is uncertain of it"
        );
        return verdict(Disposition::Rejected, because);
    }
    if gains.is_empty() {
        let because = "it is proved and checked, and no gain in bytes or time is predicted that a measurement could support";
        return verdict(Disposition::GuardedPolicy, because.to_owned());
    }
    if let Some((what, gain)) = gains.iter().find(|(_, gain)| !is(*gain, Change::is_less)) {
        let because = match gain {
            Some(_) => {
                format!("the measured gain in {what} is no more than what is uncertain of it")
            }
            None => {
                format!("too few runs were measured to say what is uncertain of the gain in {what}")
            }
        };
        return verdict(Disposition::NeedMoreEvidence, because);
    }
    if let Some((figure, name)) = goal
        && measured(figure).is_none()
    {
        let because =
            format!("too few runs were measured to say whether {name} keeps within the target");
        return verdict(Disposition::NeedMoreEvidence, because);
    }
    let within = goal.map_or(String::new(), |(_, name)| {
        format!("; {name} is no worse than that of the baseline, as far as that is certain")
    });
    let what: Vec<&str> = gains.iter().map(|(what, _)| *what).collect();
    let because = format!(
        "profiles of both programs show the gain in {}, by more than what is uncertain of it, at the \
         dims and on the device that they were measured with{within}",
        what.join(", in ")
    );
    verdict(Disposition::MeasuredFinding, because)
}
