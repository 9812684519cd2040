//! What measurements of a plan and of its baseline say of what was predicted.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::{DimValue, amount};
use crate::time::time;

/// What profiles of the baseline and of the plan say.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct Finding {
    /// Name of the device.
    pub device: String,
    /// What both were loaded with.
    pub dims: Vec<DimValue>,
    /// Runs of the baseline.
    pub baseline_runs: u64,
    /// Runs of the plan.
    pub plan_runs: u64,
    /// Each figure of the plan, less that of the baseline.
    pub deltas: Vec<Delta>,
}

/// A figure of a program that runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Figure {
    /// Bytes of one instance's arena: predicted at the largest sizes, measured as the graph was loaded.
    ArenaBytes,
    /// Bytes that were live at once.
    LiveBytes,
    /// Time of one run: predicted of its longest chain of launches alone.
    RunNanoseconds,
    /// Time from the end of one run to the end of the next.
    PeriodNanoseconds,
}

impl Figure {
    /// A few words.
    pub const fn name(self) -> &'static str {
        match self {
            Figure::ArenaBytes => "arena",
            Figure::LiveBytes => "live at once",
            Figure::RunNanoseconds => "time of a run",
            Figure::PeriodNanoseconds => "time between ends",
        }
    }
}

/// What a figure of the plan is more than that of the baseline, or less, below 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct Delta {
    /// The figure.
    pub figure: Figure,
    /// What is predicted; none where nothing is.
    pub predicted: Option<Change>,
    /// What was measured; none where there are too few observations to say what is uncertain of it.
    pub measured: Option<Change>,
}

/// A difference that is known to lie in a range, both ends included.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct Change {
    /// At least.
    pub low: i64,
    /// At most.
    pub high: i64,
}

impl Change {
    /// `after` less `before`, each between two ends.
    pub(super) fn between(before: [u64; 2], after: [u64; 2]) -> Self {
        let less = |a: u64, b: u64| {
            let difference = i128::from(a) - i128::from(b);
            let bounded = difference.clamp(i64::MIN.into(), i64::MAX.into());
            bounded as i64
        };
        Self {
            low: less(after[0], before[1]),
            high: less(after[1], before[0]),
        }
    }

    /// Each end with its sign, and its size as `tell` has it.
    pub(crate) fn words(self, tell: fn(u64) -> String) -> String {
        let one = |value: i64| match value {
            0 => "0".to_owned(),
            1.. => format!("+{}", tell(value.unsigned_abs())),
            _ => format!("-{}", tell(value.unsigned_abs())),
        };
        match self.low == self.high {
            true => one(self.low),
            false => format!("{} to {}", one(self.low), one(self.high)),
        }
    }

    /// It is less, whatever is uncertain.
    pub fn is_less(self) -> bool {
        self.high < 0
    }

    /// It is more, whatever is uncertain.
    pub fn is_more(self) -> bool {
        self.low > 0
    }
}

impl Delta {
    /// A change of this figure in words.
    pub fn words(&self, change: Change) -> String {
        change.words(match self.figure {
            Figure::ArenaBytes | Figure::LiveBytes => amount,
            _ => time,
        })
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "  on             {}", self.device)?;
        for (i, dim) in self.dims.iter().enumerate() {
            let mark = if i == 0 { " at" } else { "," };
            write!(f, "{mark} {} = {}", dim.name, dim.value)?;
        }
        let (baseline, plan) = (self.baseline_runs, self.plan_runs);
        writeln!(
            f,
            "\n  runs           {baseline} of the baseline, {plan} of the plan"
        )?;
        for delta in &self.deltas {
            let words = |change: Option<Change>, what: &str, none: &str| match change {
                Some(change) => format!("{what} {}", delta.words(change)),
                None => none.to_owned(),
            };
            writeln!(
                f,
                "  {:<18} {}, {}",
                delta.figure.name(),
                words(delta.predicted, "predicted", "no prediction"),
                words(delta.measured, "measured", "measured too seldom to say")
            )?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_change_has_a_sign_and_a_unit() {
        let words = |figure, low, high| {
            let delta = Delta {
                figure,
                predicted: None,
                measured: None,
            };
            delta.words(Change { low, high })
        };
        let time = Figure::RunNanoseconds;
        assert_eq!(words(time, -190, 0), "-190 ns to 0");
        assert_eq!(words(time, 12_345, 2_000_000), "+12.3 us to +2 ms");
        assert_eq!(words(time, i64::MIN, i64::MIN), "-9223372036.8 s");
        assert_eq!(words(Figure::ArenaBytes, -1024, -1024), "-1 KiB");
    }

    #[test]
    fn a_difference_is_of_the_ends_that_are_furthest_apart() {
        let change = Change::between([10, 20], [5, 12]);
        assert_eq!((change.low, change.high), (-15, 2));
        let change = Change::between([u64::MAX, u64::MAX], [0, 0]);
        assert_eq!((change.low, change.high), (i64::MIN, i64::MIN));
        assert!(change.is_less() && !change.is_more());
    }
}
