//! What tasks move, and what is live while they are issued.

use super::figures::Executed;
use crate::antichain::heaviest;
use crate::layout::sizes::Largest;
use crate::model::{Access, Mode, Model, TaskId, TaskKind};
use crate::order::Precedence;
use crate::order::bits::BitRows;
use crate::peak::Item;

/// Bytes of the rows of `access` at the most; saturates.
pub(crate) fn touched(model: &Model, access: &Access, largest: &mut Largest<'_>) -> u64 {
    let of = &model.resources[access.resource.0 as usize];
    let mut extents = of.shape.clone();
    let Some(first) = extents.first_mut() else {
        return 0;
    };
    let (lo, hi) = access.rows.bounds(first);
    if let Some(rows) = hi.sub(&lo) {
        *first = rows;
    }
    largest.of(of.elem.size(), &extents)
}

/// Bytes of one run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Traffic {
    /// Read by tasks.
    pub read: u64,
    /// Written by them.
    pub written: u64,
}

impl Traffic {
    /// All accesses of `model` at the largest sizes, as they are declared. Uploads write, and what
    /// only holds moves nothing.
    pub fn new(model: &Model) -> Self {
        let (mut all, mut largest) = (Self::default(), Largest::new(&model.dims));
        let moves = |kind: &TaskKind| !matches!(kind, TaskKind::Hold { .. });
        for task in model.tasks.iter().filter(|t| moves(&t.kind)) {
            for access in &task.accesses {
                let bytes = touched(model, access, &mut largest);
                if access.mode != Mode::Overwrite {
                    all.read = all.read.saturating_add(bytes);
                }
                if access.mode != Mode::Read {
                    all.written = all.written.saturating_add(bytes);
                }
            }
        }
        all
    }
}

/// The most that `items` take at once where tasks run one at a time, in the order in which they are
/// issued: an execution that is admitted.
pub fn most_in_turn(order: &Precedence, items: &[Item]) -> u64 {
    let mut change = vec![(0u64, 0u64); order.tasks() + 1];
    for item in items {
        let at = item.users.iter().map(|&t| order.position(t) as usize);
        let (Some(first), Some(last)) = (at.clone().min(), at.max()) else {
            continue;
        };
        let first = if item.from_start { 0 } else { first };
        let ends = if item.to_end { order.tasks() } else { last + 1 };
        change[first].0 = change[first].0.saturating_add(item.bytes);
        change[ends].1 = change[ends].1.saturating_add(item.bytes);
    }
    let (mut now, mut most) = (0u64, 0);
    for (begins, ends) in change {
        now = now.saturating_sub(ends).saturating_add(begins);
        most = most.max(now);
    }
    most
}

/// Workspaces whose demand is worked out.
const ROOMS: usize = 256;

/// The most that workspaces among `items` take at once, whatever runs beside what, where `executed`
/// is what orders tasks; `None` where there are too many.
pub fn rooms(executed: &Executed<'_>, items: &[Item], tasks: usize) -> Option<u64> {
    let rooms: Vec<&Item> = items
        .iter()
        .filter(|i| i.workspace && i.bytes > 0)
        .collect();
    match rooms.len() {
        0 => return Some(0),
        ROOMS.. => return None,
        _ => {}
    }
    let mut before = BitRows::new(tasks, tasks);
    for t in executed.tasks() {
        for b in executed.before(t) {
            before.join(t, b);
            before.set(t, b);
        }
    }
    let ordered = |a: &TaskId, b: &TaskId| before.get(b.0 as usize, a.0 as usize);
    let mut after = BitRows::new(rooms.len(), rooms.len());
    for (i, a) in rooms.iter().enumerate() {
        for (j, b) in rooms.iter().enumerate() {
            let all = |x: &TaskId| b.users.iter().all(|y| ordered(x, y));
            if i != j && a.users.iter().all(all) {
                after.set(i, j);
            }
        }
    }
    let weights: Vec<u64> = rooms.iter().map(|r| r.bytes).collect();
    Some(heaviest(&weights, &after).weight)
}
