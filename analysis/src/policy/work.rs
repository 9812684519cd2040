//! What candidates of a plan take to be made, so that their number depends on that.
//!
//! One plan has one [`Work`], which all its searches share. It is counted in steps of about a microsecond
//! of an unoptimised build, as that of a macro is: prices follow the tasks, the accesses that order them
//! and the resources, and what a search has really done. No clock is read, and no order of declaration
//! counts.

use super::{Ground, Realised};
use crate::model::{Model, TaskId};
use crate::order::Precedence;
use crate::peak::Effort;

/// Steps of a plan: where the record alone asks for others, and where something is to be minimised.
const STEPS: [u64; 2] = [450_000, 550_000];
/// Of a search for a layout, those that are one here.
const OF_LAYOUT: u64 = 25;
/// Of a search for a sequence.
const OF_SEQUENCE: u64 = 10;

/// Steps that are left for a plan.
#[derive(Clone, Copy, Debug)]
pub struct Work {
    left: u64,
}

impl Work {
    /// Those of `ground`, but for what is done in any case: the graph as it stands, and the plan that is
    /// taken, are laid out as well as they can be, and the record follows.
    pub(super) fn new(ground: &Ground) -> Self {
        let size = &ground.size;
        let minimised = ground.model.declared.minimize.is_some();
        let taken = if minimised { 4 } else { 2 };
        let fixed = size.ground() + taken * size.laid() + size.record();
        Self {
            left: STEPS[usize::from(minimised)].saturating_sub(fixed),
        }
    }

    /// Whether there are `price` steps.
    pub(crate) fn has(&self, price: u64) -> bool {
        self.left >= price
    }

    /// Takes so many steps, or what is left.
    pub(crate) fn take(&mut self, price: u64) {
        self.left = self.left.saturating_sub(price);
    }

    /// Sets so many quarters of it aside, and gives them.
    pub(super) fn set_aside(&mut self, quarters: u64) -> u64 {
        let aside = self.left / 4 * quarters;
        self.left -= aside;
        aside
    }

    /// Gives back what was set aside.
    pub(super) fn give_back(&mut self, aside: u64) {
        self.left += aside;
    }
}

/// What a price follows.
#[derive(Clone, Copy, Debug)]
pub struct Size {
    tasks: u64,
    resources: u64,
    /// Pairs of tasks that accesses or demands order.
    edges: u64,
}

impl Size {
    /// That of a graph.
    pub(super) fn of(model: &Model, order: &Precedence) -> Self {
        let tasks = 0..order.tasks() as u32;
        let edges = tasks.map(|t| order.direct(TaskId(t)).len() as u64);
        Self {
            tasks: order.tasks() as u64,
            resources: model.resources.len() as u64,
            edges: edges.sum(),
        }
    }

    /// Order, live ranges and demands.
    fn ground(&self) -> u64 {
        7 * self.tasks + self.edges
    }

    /// Order, live ranges, a greedy layout, and a schedule.
    fn laid(&self) -> u64 {
        let pairs = self.tasks * self.tasks + self.resources * self.resources;
        8 * (self.tasks + self.resources) + pairs / 45 + self.edges / 3
    }

    fn record(&self) -> u64 {
        90 * self.tasks + 3 * self.edges / 2
    }

    fn sequence(&self) -> u64 {
        15 * self.tasks + 7 * self.edges / 2
    }
}

/// The price of what holds of a graph in all its candidates.
pub(super) fn ground(of: &Ground) -> u64 {
    of.size.ground()
}

/// The price of a candidate.
pub(super) fn laid(ground: &Ground) -> u64 {
    ground.size.laid()
}

/// What it took beyond that: it was laid out with fewer and fewer edges, and searched for.
pub(super) fn searched(ground: &Ground, plan: &Realised) -> u64 {
    (plan.times - 1) * laid(ground) + plan.layout.steps / OF_LAYOUT
}

/// The price of a sequence in which little is live, without what is searched for it.
pub(super) fn sequence(ground: &Ground) -> u64 {
    ground.size.sequence()
}

/// What the search for a sequence took that is not `known` to be the least.
pub(super) fn moves(effort: &Effort, known: bool) -> u64 {
    match known {
        true => 0,
        false => (effort.steps + effort.moves) / OF_SEQUENCE,
    }
}

/// The price of laying a candidate out as well as it can be, without what is searched for it.
pub(crate) fn settled(ground: &Ground) -> u64 {
    2 * laid(ground)
}
