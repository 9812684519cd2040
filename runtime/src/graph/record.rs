//! What was decided about a graph, and why.

mod explain;
mod facts;
#[cfg(feature = "report")]
mod gather;
mod near;
mod orderable;
mod placed;
mod text;

use facts::Facts;
#[cfg(feature = "report")]
pub(crate) use orderable::admits;

pub(super) use placed::updates;

pub use explain::{Blocker, Explanation, InPlace, Obstacle, Relation, Storage, UnknownResource};

use std::fmt;
use std::ops::RangeInclusive;

use crate::exec::Image;
use crate::table::{Op, Program, Source};

/// What became of the profile that a graph names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum ProfileUse {
    /// It names none.
    Unnamed,
    /// It is of this source, and costs are the measured ones.
    Measured,
    /// It is of other sources alone, and not used: costs are what is declared, or unknown.
    Stale,
}

/// A number of one record, or the largest of its variants.
macro_rules! most {
    ($record:ident, $own:ident => $number:expr) => {{
        let $own = $record;
        let mut most = $number;
        let mut i = 0;
        while i < $record.variants.len() {
            let $own = &$record.variants[i].1;
            let number = $number;
            if number > most {
                most = number;
            }
            i += 1;
        }
        most
    }};
}

/// The decision record of a graph, made at build time. [`Display`](fmt::Display) is the text.
///
/// ```
/// # use gpu_graph_runtime::graph::Record;
/// fn size(record: &Record) -> String {
///     let (arena, bound) = (record.arena_bytes(), record.lower_bound());
///     format!("{} tasks in {arena} bytes, {bound} at least", record.tasks())
/// }
/// ```
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Record {
    text: &'static str,
    dot: &'static str,
    facts: &'static str,
    lower_bound: u64,
    /// Ends of the least and the greatest peak, and of the demand of workspaces.
    peaks: [[u64; 2]; 3],
    source: &'static Source<'static>,
    program: &'static Program<'static>,
    variants: &'static [(&'static str, Record)],
}

impl Record {
    #[doc(hidden)]
    pub const fn new(
        text: &'static str,
        dot: &'static str,
        facts: &'static str,
        lower_bound: u64,
        image: Image,
    ) -> Self {
        Self {
            text,
            dot,
            facts,
            lower_bound,
            peaks: [[0, 0]; 3],
            source: image.source,
            program: image.program,
            variants: &[],
        }
    }

    #[doc(hidden)]
    pub const fn with_peaks(mut self, peaks: [[u64; 2]; 3]) -> Self {
        self.peaks = peaks;
        self
    }

    #[doc(hidden)]
    pub const fn of_variants(
        text: &'static str,
        dot: &'static str,
        variants: &'static [(&'static str, Record)],
    ) -> Self {
        let (_, first) = variants[0];
        Self {
            text,
            dot,
            variants,
            ..first
        }
    }

    /// The records of each combination of a graph's variants, under names like
    /// `mode=prefill, cache=off`; none where the graph declares no variant. What this record says in
    /// numbers is then the most that any of them says.
    pub const fn variants(&self) -> &'static [(&'static str, Record)] {
        self.variants
    }

    /// The record of one combination of variants.
    ///
    /// ```
    /// # use gpu_graph_runtime::graph::Record;
    /// fn decode_bytes(record: &Record) -> Option<u64> {
    ///     Some(record.variant("mode=decode")?.arena_bytes())
    /// }
    /// ```
    pub fn variant(&self, name: &str) -> Option<&'static Record> {
        let found = self.variants.iter().find(|(known, _)| *known == name);
        found.map(|(_, record)| record)
    }

    /// The record as text, for people and for comparison.
    pub const fn text(&self) -> &'static str {
        self.text
    }

    /// The graph in DOT: tasks, dependencies, streams, storage.
    pub const fn dot(&self) -> &'static str {
        self.dot
    }

    /// Bytes of one instance's arena at the largest sizes. A graph that is `pipelined` has as many
    /// instances as runs may be in flight.
    pub const fn arena_bytes(&self) -> u64 {
        most!(self, own => own.program.arena)
    }

    /// Bytes of what outlives runs at the largest sizes: one copy, however many instances.
    pub const fn store_bytes(&self) -> u64 {
        self.program.store
    }

    /// Bytes below which no layout of one instance can be in the order of this plan: another order may
    /// do with less, and what was weighed says so.
    pub const fn lower_bound(&self) -> u64 {
        most!(self, own => own.lower_bound)
    }

    /// The least bytes that are live at once in one instance, in the execution that does with least;
    /// the two ends are one where the figure is exact. What is live is less than an arena, which has
    /// room for every execution.
    pub const fn least_peak(&self) -> RangeInclusive<u64> {
        self.ends(0)
    }

    /// The most bytes that are live at once in one instance, in the execution that needs most.
    pub const fn greatest_peak(&self) -> RangeInclusive<u64> {
        self.ends(1)
    }

    /// The most bytes that workspaces take at once in one instance.
    pub const fn workspace_demand(&self) -> RangeInclusive<u64> {
        self.ends(2)
    }

    const fn ends(&self, figure: usize) -> RangeInclusive<u64> {
        let at_least = most!(self, own => own.peaks[figure][0]);
        let at_most = most!(self, own => own.peaks[figure][1]);
        RangeInclusive::new(at_least, at_most)
    }

    /// Tasks of one run, uploads of inputs among them.
    pub const fn tasks(&self) -> usize {
        most!(self, own => own.source.tasks.len())
    }

    /// Streams of one instance.
    pub const fn streams(&self) -> usize {
        most!(self, own => own.program.streams as usize)
    }

    /// Waits between streams in one run.
    pub fn waits(&self) -> usize {
        let waits = |op: &&Op| matches!(op, Op::Wait { .. } | Op::WaitPrev { .. });
        let own = self.program.issue.iter().filter(waits).count();
        let others = self.variants.iter().map(|(_, record)| record.waits());
        others.fold(own, usize::max)
    }

    /// Names of all tasks, in statement order; of a graph with variants, those of the first
    /// combination.
    pub fn task_names(&self) -> Vec<&'static str> {
        Facts::read(self.facts, self.source, self.program).names
    }

    /// What the source, the program and the graph as it stands are known by.
    #[cfg(feature = "report")]
    pub(super) fn known_by(&self) -> Option<[&'static str; 3]> {
        let mut lines = self.facts.lines();
        let line = lines.find_map(|line| line.strip_prefix("digest\t"))?;
        let mut parts = line.split('\t');
        Some([parts.next()?, parts.next()?, parts.next()?])
    }

    /// What became of the profile that the graph names, as in `profile "g.profile.json";`: whether its
    /// costs are measured ones, or none of the file is of this source.
    ///
    /// ```
    /// # use gpu_graph_runtime::graph::{ProfileUse, Record};
    /// fn fresh(record: &Record) -> bool {
    ///     record.profile() != ProfileUse::Stale
    /// }
    /// ```
    ///
    /// Of a graph with variants it is stale where it is for any of them.
    pub fn profile(&self) -> ProfileUse {
        let own = |record: &Record| {
            let mut lines = record.facts.lines();
            let found = lines.find_map(|line| match line.split('\t').next() {
                Some("stale") => Some(ProfileUse::Stale),
                Some("profile") => Some(ProfileUse::Measured),
                _ => None,
            });
            found.unwrap_or(ProfileUse::Unnamed)
        };
        let each = self.variants.iter().map(|(_, record)| own(record));
        each.fold(own(self), ProfileUse::max)
    }

    /// Why two resources do or do not share storage.
    ///
    /// ```
    /// # use gpu_graph_runtime::graph::{Record, UnknownResource};
    /// fn ask(record: &Record) -> Result<(), UnknownResource> {
    ///     println!("{}", record.explain("smooth", "mag")?);
    ///     Ok(())
    /// }
    /// ```
    ///
    /// Of a graph with variants, the first combination that has both is asked;
    /// [`variant`](Self::variant) asks another. Two that are in no combination together are never
    /// there in one run, and not known together here.
    ///
    /// # Errors
    /// Where the graph has no resource of one of the names; those that are spelt alike are listed.
    pub fn explain(&self, a: &str, b: &str) -> Result<Explanation, UnknownResource> {
        let mut answers = self.variants.iter().map(|(_, own)| own.explain(a, b));
        match answers.find(Result::is_ok) {
            Some(answer) => answer,
            None => explain::explain(self, a, b),
        }
    }
}

impl fmt::Display for Record {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.text)
    }
}

impl fmt::Debug for Record {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.text)
    }
}
