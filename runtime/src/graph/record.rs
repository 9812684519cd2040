//! What was decided about a graph, and why.

mod explain;
mod facts;
mod near;
mod placed;
mod text;

pub use explain::{Blocker, Explanation, Obstacle, Relation, Storage, UnknownResource};

use std::fmt;

use crate::exec::Image;
use crate::table::{Op, Program, Source};

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
    source: &'static Source<'static>,
    program: &'static Program<'static>,
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
            source: image.source,
            program: image.program,
        }
    }

    /// The record as text, for people and for comparison.
    pub const fn text(&self) -> &'static str {
        self.text
    }

    /// The graph in DOT: tasks, dependencies, streams, storage.
    pub const fn dot(&self) -> &'static str {
        self.dot
    }

    /// Bytes of one instance's arena at the dims' maxima. A graph that is `pipelined` has as many
    /// instances as runs may be in flight.
    pub const fn arena_bytes(&self) -> u64 {
        self.program.arena
    }

    /// Bytes of what outlives runs at the dims' maxima: one copy, however many instances.
    pub const fn store_bytes(&self) -> u64 {
        self.program.store
    }

    /// Bytes below which no layout of one instance can be.
    pub const fn lower_bound(&self) -> u64 {
        self.lower_bound
    }

    /// Tasks of one run, uploads of inputs among them.
    pub const fn tasks(&self) -> usize {
        self.source.tasks.len()
    }

    /// Streams of one instance.
    pub const fn streams(&self) -> usize {
        self.program.streams as usize
    }

    /// Waits between streams in one run.
    pub fn waits(&self) -> usize {
        let waits = |op: &&Op| matches!(op, Op::Wait { .. } | Op::WaitPrev { .. });
        self.program.issue.iter().filter(waits).count()
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
    /// # Errors
    /// Where the graph has no resource of one of the names; those that are spelt alike are listed.
    pub fn explain(&self, a: &str, b: &str) -> Result<Explanation, UnknownResource> {
        explain::explain(self, a, b)
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
