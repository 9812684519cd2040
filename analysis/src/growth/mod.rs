//! How the capacity of what changes its size may follow: growth policies, compared on a history of
//! sizes.
//!
//! At step `k` resource `i` needs `s_i(k)` bytes. A [`Policy`] answers with a capacity
//! `q_i(k) >= s_i(k)`, of which `b_i(k) = a_i * ceil(q_i(k) / a_i)` is held: an estimate of logical
//! bytes that knows alignment, and no physical charge. What it costs is counted in two ways that pull
//! apart: each *change* of `b_i` is an allocation or a load, and moves what is to survive it; and
//! what is held beyond the aligned need is *slack*, which is there at every step until it is given
//! back.
//!
//! [`compare`] replays policies on a [`History`] and says of each what it costs, and which other one
//! is as good in every figure and better in one. It chooses none: which of the others to take
//! depends on what a change and what a byte are worth, which nobody but the user knows. There is no
//! default factor here.
//!
//! ```
//! use gpu_graph_analysis::growth::{History, Policy, Resource, compare};
//!
//! let sizes = vec![1000, 1500, 1000, 1500, 1000, 1500];
//! let history = History { resources: vec![Resource { sizes, ..Resource::default() }] };
//! let policies: Vec<Policy> = ["exact", "exact,keep"].map(|p| p.parse().unwrap()).into();
//! let [exact, keep] = &compare(&history, &policies).unwrap()[..] else { panic!() };
//! // Each jump is a change; or 500 bytes lie idle at every second step.
//! assert_eq!((exact.figures.changes(), exact.figures.slack), (5, 0));
//! assert_eq!((keep.figures.changes(), keep.figures.slack), (1, 1000));
//! assert_eq!((exact.beaten_by, keep.beaten_by), (None, None));
//! ```

mod history;
mod policy;
mod replay;

pub use history::{History, Resource, Trend, Wrong};
pub use policy::{Buckets, Misspelt, Policy, Ratio, Release, Rule};
pub use replay::{Compared, Figures, capacities, compare, replay};
