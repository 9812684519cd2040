//! Offsets of buffers in one arena, whatever says which of them are live together: intervals, vector
//! clocks, an order, or a list of clashes.
//!
//! ```text
//!   Problem ── blocks (what must lie at one offset) ── canonical order ── lower bound
//!      │
//!      ├─ intervals     valley: exact search at one capacity after another; so for an order that is one
//!      ├─ small sets    exact: branch and bound over canonical placements
//!      ├─ clocks        lanes: each thread packed as intervals, one upon the other
//!      ├─ anything      fit: greedy; eject: local search below a capacity
//!      └─ large sets    large: greedy, without a list of clashes
//! ```
//!
//! The same problem gives the same placement on every machine, and the same peak however its buffers
//! are listed and the threads of its clocks are numbered: searches count steps, never seconds.

mod bound;
mod canon;
mod eject;
mod exact;
mod fit;
mod graph;
mod interval;
mod interval_order;
mod lanes;
mod large;
mod near;
mod problem;
mod relation;
pub(crate) mod rng;
mod section;
mod solve;
mod swap;
mod valley;

pub use problem::{Buffer, Live, Problem, Wrong};

/// How far a search goes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// The most steps; a step takes some nanoseconds. A greedy placement is made in any case. Without a
    /// number as many as problems of its kind gain from.
    pub steps: Option<u64>,
    /// A peak that is good enough. Without one, the search ends only at an optimum.
    pub capacity: Option<u64>,
}

/// Where everything lies.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Placement {
    /// The offset of each buffer.
    pub offsets: Vec<u64>,
    /// The size of the arena: the largest end of a buffer.
    pub peak: u64,
    /// No placement has a peak below this.
    pub lower_bound: u64,
    /// Buffers that must not overlap, any two of them, ascending. Where no search and no fixed offset
    /// raised it, they are what the lower bound rests on.
    pub clique: Vec<usize>,
    /// Steps taken.
    pub steps: u64,
}

impl Placement {
    /// Whether no placement has a lower peak.
    pub fn optimal(&self) -> bool {
        self.peak == self.lower_bound
    }
}

/// Places the buffers of `problem`.
///
/// ```
/// use gpu_graph_analysis::place::{Buffer, Limits, Live, Problem, place};
///
/// let buffer = |size| Buffer { size, alignment: 1, fixed: None };
/// let problem = Problem {
///     buffers: vec![buffer(4), buffer(4), buffer(4), buffer(4), buffer(4)],
///     live: Live::Times(vec![vec![(0, 3)], vec![(3, 9)], vec![(0, 9)], vec![(9, 21)], vec![(0, 21)]]),
///     same: vec![],
///     apart: vec![],
/// };
/// let found = place(&problem, &Limits::default()).unwrap();
/// assert_eq!((found.peak, found.optimal()), (12, true));
/// ```
///
/// # Errors
/// The first demand found that nothing can meet.
pub fn place(problem: &Problem, limits: &Limits) -> Result<Placement, Wrong> {
    solve::solve(problem, limits)
}

/// What [`Placement::clique`] is, without a placement.
///
/// # Errors
/// The first demand found that nothing can meet.
pub fn clique(problem: &Problem) -> Result<Vec<usize>, Wrong> {
    let form = solve::Form::new(problem)?;
    Ok(form.bound().1.members)
}
