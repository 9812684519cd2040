//! What is live at once.

use serde::{Deserialize, Serialize};

use super::candidate::Range;

/// What is live at once in one instance's arena, over all executions that the plan admits. It is
/// another figure than the arena's size, which has room for every execution.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct Peaks {
    /// The peak of the execution that does with least.
    pub least: Peak,
    /// The peak of the execution that needs most.
    pub greatest: Peak,
    /// The most that workspaces take at once, where one is declared.
    pub workspaces: Option<Peak>,
}

/// A peak, and the cut of an execution at which it is met.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct Peak {
    /// Bytes; both ends are one where the figure is exact.
    pub bytes: Range,
    /// Tasks that run at the cut.
    pub running: Vec<u32>,
    /// Tasks that are completed at the cut.
    pub completed: Vec<u32>,
    /// The execution: every task, in the sequence in which they start. Those that are completed at the cut
    /// come first, then those that run there, all at once; else each completes before the next one starts.
    /// Without tasks where there are more bytes than can be added up.
    pub execution: Vec<u32>,
    /// What is live at the cut: the resources of each slot, two where one becomes the other there.
    pub live: Vec<Vec<u32>>,
    /// Of a figure that is not exact: what proves the end that the cut does not show.
    pub bound: Option<String>,
}
