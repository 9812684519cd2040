//! What a kind of policy changes, figure by figure.

use serde::{Deserialize, Serialize};

use super::{Change, amount};
use crate::time::time;

/// What each figure is with a kind of policy more than without it, or less, below 0: of one instance at the
/// largest sizes, padding aside, and of one run. What is not known is none, and stands for no default.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct Effect {
    /// Bytes that are held for what a run shares.
    pub arena_bytes: Option<Change>,
    /// Bytes that are live at once where tasks run one at a time, in the order in which they are issued.
    pub live_bytes: Option<Change>,
    /// Bytes that are held beyond these.
    pub slack_bytes: Option<Change>,
    /// Bytes of workspaces that can be in use together.
    pub workspace_bytes: Option<Change>,
    /// Allocations in one run.
    pub allocations: Option<Change>,
    /// Releases of what was allocated, in one run.
    pub releases: Option<Change>,
    /// Time of all launches.
    pub compute_nanoseconds: Option<Change>,
    /// Time of the longest chain of launches.
    pub critical_path_nanoseconds: Option<Change>,
    /// Bytes that tasks read.
    pub read_bytes: Option<Change>,
    /// Bytes that they write.
    pub written_bytes: Option<Change>,
    /// Launches, copies and fills.
    pub launches: Option<Change>,
    /// Waits between streams.
    pub waits: Option<Change>,
    /// Events that are recorded.
    pub events: Option<Change>,
}

/// How many figures there are.
const TERMS: usize = 13;

impl Effect {
    /// The figures as they stand in a line of facts: two ends each, or none.
    pub(crate) fn of(terms: &[Option<Change>]) -> Option<Self> {
        let &[
            arena_bytes,
            live_bytes,
            slack_bytes,
            workspace_bytes,
            allocations,
            releases,
            compute_nanoseconds,
            critical_path_nanoseconds,
            read_bytes,
            written_bytes,
            launches,
            waits,
            events,
        ] = terms
        else {
            return None;
        };
        Some(Self {
            arena_bytes,
            live_bytes,
            slack_bytes,
            workspace_bytes,
            allocations,
            releases,
            compute_nanoseconds,
            critical_path_nanoseconds,
            read_bytes,
            written_bytes,
            launches,
            waits,
            events,
        })
    }

    /// Each figure by its field.
    pub(super) fn named(&self) -> [(&'static str, Option<Change>); TERMS] {
        [
            ("arena_bytes", self.arena_bytes),
            ("live_bytes", self.live_bytes),
            ("slack_bytes", self.slack_bytes),
            ("workspace_bytes", self.workspace_bytes),
            ("allocations", self.allocations),
            ("releases", self.releases),
            ("compute_nanoseconds", self.compute_nanoseconds),
            ("critical_path_nanoseconds", self.critical_path_nanoseconds),
            ("read_bytes", self.read_bytes),
            ("written_bytes", self.written_bytes),
            ("launches", self.launches),
            ("waits", self.waits),
            ("events", self.events),
        ]
    }

    /// Each figure in words, with its change and how that is told.
    fn terms(&self) -> impl Iterator<Item = (&'static str, Option<Change>, fn(u64) -> String)> {
        self.named().into_iter().map(|(field, change)| {
            let bytes = field.strip_suffix("_bytes");
            let time_of = field.strip_suffix("_nanoseconds");
            let tell = match (bytes, time_of) {
                (Some(_), _) => amount,
                (_, Some(_)) => time,
                _ => |n: u64| n.to_string(),
            };
            let name = match bytes.or(time_of).unwrap_or(field) {
                "live" => "live at once",
                "workspace" => "workspaces in use",
                "critical_path" => "critical path",
                name => name,
            };
            (name, change, tell as fn(u64) -> String)
        })
    }

    /// What is known to be other, each figure with how much.
    pub(super) fn changed(&self) -> Vec<String> {
        let changed = self.terms().filter_map(|(name, change, tell)| {
            let change = change.filter(|change| *change != Change::default())?;
            Some(format!("{name} {}", change.words(tell)))
        });
        changed.collect()
    }

    /// Names of figures that are not known.
    pub(super) fn unknown(&self) -> Vec<&'static str> {
        let unknown = self.terms().filter(|term| term.1.is_none());
        unknown.map(|term| term.0).collect()
    }

    /// How many are the same.
    pub(super) fn same(&self) -> usize {
        TERMS - self.changed().len() - self.unknown().len()
    }
}
