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

pub use demand::demanded;
pub(crate) use demand::{given_away, met, no_gain};
pub use obstacle::{Obstacle, obstacle};
pub use rewrite::{Made, Rewritten};
pub use terms::{Input, Remake, Room};

use crate::model::{Class, Mode, Model, ResourceId, TaskId, TaskKind};

/// A value, and a reader of it before which it is made again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Cut {
    /// The value.
    pub value: ResourceId,
    /// A reader, not the first.
    pub before: TaskId,
}

/// The task that makes `value`, the one that writes it.
pub fn maker(model: &Model, value: ResourceId) -> Option<TaskId> {
    let writes = |t: &crate::model::Task| {
        let mut of = t.accesses.iter();
        of.any(|a| a.resource == value && a.mode == Mode::Overwrite)
    };
    let at = model.tasks.iter().position(writes)?;
    Some(TaskId(at as u32))
}

/// The tasks that read `value` once it is made, in statement order, without those that only hold it.
pub fn readers(model: &Model, value: ResourceId) -> Vec<TaskId> {
    let made = maker(model, value).map_or(usize::MAX, |t| t.0 as usize);
    let tasks = model.tasks.iter().enumerate().filter(|(t, task)| {
        let held = matches!(task.kind, TaskKind::Hold { .. });
        let mut of = task.accesses.iter();
        *t > made && !held && of.any(|a| a.resource == value && a.mode == Mode::Read)
    });
    tasks.map(|(t, _)| TaskId(t as u32)).collect()
}

/// Every cut of `model`, by value and reader, whatever stands against it.
pub fn cuts(model: &Model) -> Vec<Cut> {
    let values = model.resources.iter().enumerate();
    let values = values.filter(|(_, r)| r.class == Class::Reconstructable);
    let values = values.map(|(r, _)| ResourceId(r as u32));
    let each = values.flat_map(|value| {
        let readers = readers(model, value).into_iter().skip(1);
        readers.map(move |before| Cut { value, before })
    });
    each.collect()
}
