//! What a kind of policy changes, figure by figure.

use super::Rival;
use super::time::time;
use crate::fault::counted;
use crate::layout::sizes::rounded;

/// A figure of a plan: of one instance at the largest sizes, and of one run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Term {
    /// Bytes that are held for what a run shares, padding aside.
    Arena,
    /// The most that is live at once where tasks run one at a time as they are issued.
    Peak,
    /// Bytes that are held beyond that.
    Slack,
    /// Bytes of workspaces that can be in use together.
    Workspace,
    /// Allocations in one run.
    Allocations,
    /// Releases of what was allocated, in one run.
    Releases,
    /// Nanoseconds of all launches.
    Compute,
    /// Nanoseconds of the longest chain of launches.
    CriticalPath,
    /// Bytes that tasks read.
    Read,
    /// Bytes that they write.
    Written,
    /// Launches, copies and fills.
    Launches,
    /// Waits between streams.
    Waits,
    /// Events that are recorded.
    Events,
}

impl Term {
    /// All, as they are listed.
    pub const ALL: [Self; 13] = [
        Self::Arena,
        Self::Peak,
        Self::Slack,
        Self::Workspace,
        Self::Allocations,
        Self::Releases,
        Self::Compute,
        Self::CriticalPath,
        Self::Read,
        Self::Written,
        Self::Launches,
        Self::Waits,
        Self::Events,
    ];

    /// A few words.
    fn name(self) -> &'static str {
        match self {
            Self::Arena => "arena",
            Self::Peak => "live at once",
            Self::Slack => "slack",
            Self::Workspace => "workspaces in use",
            Self::Allocations => "allocations",
            Self::Releases => "releases",
            Self::Compute => "compute",
            Self::CriticalPath => "critical path",
            Self::Read => "read",
            Self::Written => "written",
            Self::Launches => "launches",
            Self::Waits => "waits",
            Self::Events => "events",
        }
    }

    fn told(self, value: i64) -> String {
        let size = value.unsigned_abs();
        let size = match self {
            Self::Compute | Self::CriticalPath => time(size),
            Self::Allocations | Self::Releases | Self::Launches | Self::Waits | Self::Events => {
                size.to_string()
            }
            _ => rounded(size),
        };
        match value {
            0 => "0".to_owned(),
            1.. => format!("+{size}"),
            _ => format!("-{size}"),
        }
    }
}

/// What each figure is with a kind of policy more than without it, or less, below 0: between two ends,
/// and `None` where that is not known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Effect([Option<[i64; 2]>; Term::ALL.len()]);

/// `to` less `from`; bounded.
pub(super) fn more(from: u64, to: u64) -> i64 {
    let more = i128::from(to) - i128::from(from);
    more.clamp(i64::MIN.into(), i64::MAX.into()) as i64
}

impl Effect {
    /// Nothing is changed.
    pub(super) fn none() -> Self {
        Self([Some([0; 2]); Term::ALL.len()])
    }

    /// The same with these figures not known.
    pub(super) fn unknown(mut self, terms: &[Term]) -> Self {
        terms.iter().for_each(|&term| self.0[term as usize] = None);
        self
    }

    /// The same with that change of one figure.
    pub(super) fn with(mut self, term: Term, change: i64) -> Self {
        self.0[term as usize] = Some([change; 2]);
        self
    }

    /// The same with a change of one figure that lies between two ends.
    pub(super) fn between(mut self, term: Term, low: i64, high: i64) -> Self {
        self.0[term as usize] = Some([low, high]);
        self
    }

    /// What one plan has more than another, each with its own arena.
    pub(super) fn of(from: &Rival, to: &Rival) -> Self {
        let (a, b) = (&from.figures, &to.figures);
        let held = |of: &Rival| of.tight().saturating_sub(of.figures.in_turn);
        let count = |of: usize| of as u64;
        let effect = Self::none()
            .with(Term::Arena, more(from.tight(), to.tight()))
            .with(Term::Peak, more(a.in_turn, b.in_turn))
            .with(Term::Slack, more(held(from), held(to)))
            .with(Term::Read, more(a.traffic.read, b.traffic.read))
            .with(Term::Written, more(a.traffic.written, b.traffic.written))
            .with(Term::Launches, more(count(a.launches), count(b.launches)))
            .with(Term::Waits, more(count(a.waits), count(b.waits)))
            .with(Term::Events, more(a.events.into(), b.events.into()));
        let effect = match (a.rooms, b.rooms) {
            (Some(a), Some(b)) => effect.with(Term::Workspace, more(a, b)),
            _ => effect.unknown(&[Term::Workspace]),
        };
        match a.at_least || b.at_least {
            false => effect
                .with(Term::Compute, more(a.compute, b.compute))
                .with(Term::CriticalPath, more(a.critical_path, b.critical_path)),
            // The same launches take the same time, whatever that is.
            true if a.launches == b.launches => effect.unknown(&[Term::CriticalPath]),
            true => effect.unknown(&[Term::Compute, Term::CriticalPath]),
        }
    }

    /// The change of one figure.
    pub fn term(&self, term: Term) -> Option<[i64; 2]> {
        self.0[term as usize]
    }

    /// In words.
    pub(super) fn words(&self) -> String {
        let terms = || Term::ALL.into_iter().map(|term| (term, self.term(term)));
        let changed = terms().filter_map(|(term, change)| match change? {
            [0, 0] => None,
            [low, high] if low == high => Some(format!("{} {}", term.name(), term.told(low))),
            [low, high] => {
                let (low, high) = (term.told(low), term.told(high));
                Some(format!("{} {low} to {high}", term.name()))
            }
        });
        let changed: Vec<String> = changed.collect();
        let unknown = terms().filter(|(_, change)| change.is_none());
        let unknown: Vec<&str> = unknown.map(|(term, _)| term.name()).collect();
        let mut parts = Vec::new();
        if !changed.is_empty() {
            parts.push(changed.join(", "));
        }
        if !unknown.is_empty() {
            parts.push(format!("{} unknown", unknown.join(", ")));
        }
        let rest = counted(Term::ALL.len() - changed.len() - unknown.len(), "figure");
        match parts.is_empty() {
            true => format!("none of {rest}"),
            false => format!("{}; {rest} the same", parts.join("; ")),
        }
    }

    /// As a line of [`facts`](super::Record::facts) has it.
    pub(super) fn facts(&self) -> String {
        let terms = self.0.iter().map(|change| match change {
            Some([low, high]) => format!("{low}..{high}"),
            None => "?".to_owned(),
        });
        terms.collect::<Vec<_>>().join(" ")
    }
}
