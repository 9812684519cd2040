//! Values that are dropped after a reader and made again before a later one.
//!
//! Only a `recompute let` may be: the whole result of one launch that writes nothing else
//! ([`check`](crate::check) holds it to that). A [`Cut`] names such a value and a reader that is not
//! its first: before that reader the same kernel is launched once more, with the same scalars, dims
//! and rows, into a resource of its own, and that reader and all later ones read this one instead.
//!
//! # Why nothing changes for a reader
//! A kernel is a function of what it is passed; that is what its declaration says, and what
//! `recompute let` relies on. The launch is a statement of the rewritten graph, right before the
//! reader, so it finds its inputs as they are there. [`obstacle()`] refuses the cut where a statement
//! in between writes what is read, whatever the rows, unless the two are proved apart. So both
//! launches are passed the same and leave the same, and a reader of the one may read the other.
//! Everything behind the rewriting takes the graph as it then is: dependencies, live ranges, layout,
//! and `SOURCE`, against which the program is proved. `SOURCE` names each such launch with the one
//! that it repeats, and the verifier, which knows nothing of this, proves anew that they are alike.

mod demand;
mod obstacle;
mod rewrite;
mod terms;
mod users;

pub use demand::demanded;
pub(crate) use demand::{given_away, met, no_gain};
pub use obstacle::{Obstacle, obstacle};
pub use rewrite::{Made, Rewritten};
pub use terms::{Input, Remake, Room};
pub use users::Users;

use crate::model::{ResourceId, TaskId};

/// A value, and a reader of it before which it is made again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Cut {
    /// The value.
    pub value: ResourceId,
    /// A reader, not the first.
    pub before: TaskId,
}
