//! What may be traded for what, and which plan is taken.
//!
//! A graph admits many plans. Its dependencies alone prove some aliases; an edge that is added
//! between two tasks proves more, takes nothing from the meaning, and may make a run longer. So each
//! set of added edges is a *candidate*, laid out and scheduled in full, with its figures: bytes,
//! critical path, launches, edges. Candidates are the graph as it stands, the order of streams taken
//! as a condition, fewer streams, one task at a time in the sequence of the least peak, and edges that
//! end one resource before another begins where both are in a heaviest set of resources that may be
//! live together (an antichain of live ranges). Of the edges that a layout was found under, those stay
//! that its storage needs. From the best of these on in-place updates are left, one after the other or a
//! few together. Where the graph has values that may be made again,
//! it is searched with them made again, too ([`recompute`](crate::recompute)), several at once where none
//! gains by itself: these candidates have more launches, and share no table with the others.
//!
//! All these searches of a plan share one budget of work: a candidate of a large graph, of one with many
//! edges, or in which a value is made again costs more of it. The record says where that ended a search.
//!
//! Where bytes of the arena are weighed, slots of whole pages lie close in all candidates but the first:
//! that one is the program of the same text without `minimize`, which a gain is measured against.
//!
//! `minimize` chooses: in lexicographic order, or by the weighted sum, which is exact. Without it nothing is added,
//! and the record lists the candidates that no other one beats in all figures (the Pareto set).
//! Costs that are not known are never guessed: one critical path is shorter than another only where
//! that is so for every value of them.

mod asked;
mod budget;
mod candidate;
mod chains;
mod choose;
mod clique;
mod descend;
mod figures;
mod ground;
mod handover;
mod lean;
mod leave;
mod needed;
mod objective;
mod realise;
mod remake;
mod search;
mod sum;
mod tied;
mod traffic;
mod work;

pub use asked::Asked;
pub(crate) use budget::bounded;
pub use candidate::{Candidate, Kind};
pub use choose::{Chosen, Lost, Outcome, choose, may_beat};
pub use figures::{Figures, Predicted, costs};
pub use ground::Ground;
pub use objective::{Metric, Minimize, Weight};
pub use realise::Realised;
pub use remake::{Refused, Remade, terms};
pub use search::{Searched, search, search_kept};
pub use tied::Edge;
pub(crate) use traffic::touched;
pub use traffic::{Traffic, most_in_turn};
pub(crate) use work::settled;
