//! Which tasks the plan serialises that nothing in the graph orders, and by what.
//!
//! An alias that is legal, and a stream that two tasks share, make the one wait for the other without
//! any need of it. Each such pair is counted, and the first of each cause are named.

mod find;

use std::fmt::{self, Formatter, Write};

use super::text::more;
use super::{Alias, Record};
use crate::fault::counted;
use crate::model::{Model, TaskId};
use crate::order::Precedence;
use crate::policy::Realised;

/// Pairs of tasks that no dependency orders, of which the plan starts the one after the other completes.
/// Holds, in which nothing is done, are in none.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Serialised {
    /// Those that edges order which the policy adds.
    pub policy: u64,
    /// Those that the order of streams orders, and no such edge.
    pub stream: u64,
    /// Of all of these, those whose order the proof of an alias needs.
    pub aliased: u64,
    /// The first of each cause, those that an alias needs before others, and uploads last.
    pub listed: Vec<Serial>,
}

/// One of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Serial {
    /// Completes first.
    pub before: TaskId,
    /// Starts after that.
    pub after: TaskId,
    /// What orders the two.
    pub by: By,
    /// The alias that rests on that, as its place among those of the record.
    pub alias: Option<usize>,
}

/// What orders two tasks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum By {
    /// An edge that the policy adds: from the one or what comes behind it to the other or what comes
    /// before it.
    Edge(TaskId, TaskId),
    /// The stream that both are on.
    Stream,
    /// The order of two others on a stream, as with [`Edge`](Self::Edge).
    Streams(TaskId, TaskId),
}

impl By {
    /// An edge of the policy is what does it.
    pub fn is_policy(self) -> bool {
        matches!(self, Self::Edge(..))
    }
}

impl Serialised {
    pub(super) fn total(&self) -> u64 {
        self.policy + self.stream
    }

    /// What `taken` serialises beside the dependencies, which are `bare`.
    pub(super) fn new(
        model: &Model,
        bare: &Precedence,
        taken: &Realised,
        aliases: &[Alias],
    ) -> Self {
        find::Case::new(model, bare, taken, aliases).found()
    }
}

impl Record {
    pub(super) fn serialised(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let found = &self.serialised;
        let (total, stream) = (found.total() as usize, found.stream);
        if total == 0 {
            return writeln!(
                f,
                "  serialised     no tasks: what no dependency orders can run at the same time"
            );
        }
        let pairs = counted(total, "pair");
        write!(
            f,
            "  serialised     {pairs} of tasks that no dependency orders: "
        )?;
        let edges = match found.policy {
            0 => String::new(),
            policy => format!("{policy} by added edges, "),
        };
        write!(f, "{edges}{stream} by the order of streams")?;
        match found.aliased {
            0 => writeln!(f, "; no alias needs one of them")?,
            aliased => writeln!(f, "; aliases need {aliased} of them")?,
        }
        for one in &found.listed {
            let (a, b) = (self.task(one.before), self.task(one.after));
            write!(f, "    `{a}` before `{b}` by {}", self.cause(one))?;
            match one.alias.map(|alias| &self.aliases[alias]) {
                Some(alias) => {
                    let (x, y) = (self.name(alias.earlier), self.name(alias.later));
                    writeln!(f, ", so that `{y}` lies in the place of `{x}`")?;
                }
                None => writeln!(f)?,
            }
        }
        more(f, total, found.listed.len(), "pair")
    }

    pub(super) fn serial_facts(&self, out: &mut String) -> fmt::Result {
        let found = &self.serialised;
        let (policy, stream, aliased) = (found.policy, found.stream, found.aliased);
        writeln!(out, "serialised\t{policy} {stream} {aliased}")?;
        for one in &found.listed {
            let (a, b) = (one.before.0, one.after.0);
            let by = if one.by.is_policy() {
                "policy"
            } else {
                "stream"
            };
            write!(out, "serial\t{a} {b}\t{by}\t")?;
            if let By::Edge(a, b) | By::Streams(a, b) = one.by {
                write!(out, "{} {}", a.0, b.0)?;
            }
            out.push('\t');
            if let Some(alias) = one.alias {
                write!(out, "{alias}")?;
            }
            out.push('\n');
        }
        Ok(())
    }

    fn cause(&self, one: &Serial) -> String {
        let between =
            |a: TaskId, b: TaskId| format!("`{}` before `{}`", self.task(a), self.task(b));
        let stream = |t: TaskId| self.stream_of[t.0 as usize];
        match one.by {
            By::Edge(a, b) if (a, b) == (one.before, one.after) => "an added edge".to_owned(),
            By::Edge(a, b) => format!("the added edge {}", between(a, b)),
            By::Stream => format!("stream {}", stream(one.after)),
            By::Streams(a, b) => format!("stream {}, {}", stream(b), between(a, b)),
        }
    }
}
