//! What stands against a cut.

use super::{Cut, Users};
use crate::model::{Class, Mode, Model, ResourceId, Site, TaskId};

/// Why a value cannot be made again before a reader.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Obstacle {
    /// What it is made of is overwritten in between.
    Overwritten {
        /// What it is made of.
        input: ResourceId,
        /// The task that overwrites it.
        by: TaskId,
        /// Where.
        site: Site,
    },
    /// What it is made of is updated in between.
    Updated {
        /// What it is made of.
        input: ResourceId,
        /// The task that updates it.
        by: TaskId,
        /// Where.
        site: Site,
    },
    /// Where it lies, or where the room that its kernel works in lies, is demanded.
    Placed {
        /// The demand.
        site: Site,
    },
}

/// What stands against `cut` of `model`, of which these are the `users`: the first in statement order.
pub fn obstacle(model: &Model, users: &Users, cut: Cut) -> Option<Obstacle> {
    let made = users.maker(cut.value)?;
    let task = &model.tasks[made.0 as usize];
    let room = |r: ResourceId| model.resources[r.0 as usize].class == Class::Workspace;
    let moved =
        |r: ResourceId| r == cut.value || room(r) && task.accesses.iter().any(|a| a.resource == r);
    let one = |r: ResourceId| {
        // Uses of an exclusive workspace have one place, and so has a further one.
        let mut all = model.workspaces.iter();
        all.any(|w| w.uses.iter().any(|u| u.resource == r) && w.is_one())
    };
    let mut pairs = model.aliases.iter();
    let pair = pairs.find(|p| [p.a, p.b].into_iter().any(|r| moved(r) && !one(r)));
    let stable = model.stable.contains(&cut.value);
    let stable = stable.then(|| model.resources[cut.value.0 as usize].site);
    if let Some(site) = pair.map(|p| p.site).or(stable) {
        return Some(Obstacle::Placed { site });
    }
    let read = task.accesses.iter().filter(|a| a.mode == Mode::Read);
    let touched = read.filter_map(|read| {
        let extent = &model.resources[read.resource.0 as usize].shape[0];
        let mut writes = users.writes(read.resource, made, cut.before).iter();
        writes.find(|(by, at)| {
            let write = &model.tasks[by.0 as usize].accesses[*at];
            !read.rows.disjoint(&write.rows, extent, &model.dims)
        })
    });
    let &(by, at) = touched.min()?;
    let write = &model.tasks[by.0 as usize].accesses[at];
    let (input, site) = (write.resource, write.site);
    Some(match write.mode {
        Mode::Overwrite => Obstacle::Overwritten { input, by, site },
        _ => Obstacle::Updated { input, by, site },
    })
}
