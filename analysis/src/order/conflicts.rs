//! Dependencies from conflicting accesses, in statement order.

use crate::model::{Dim, Mode, Model, Resource, Rows};

use super::regions::Regions;

/// One access, as the trackers see it.
struct Use<'a> {
    task: u32,
    writes: bool,
    rows: &'a Rows,
}

/// For each task the tasks that conflicting accesses put right before it. What is implied through a
/// later writer of the same rows is left out.
pub(super) fn dependencies(model: &Model) -> Vec<Vec<u32>> {
    let mut uses: Vec<Vec<Use<'_>>> = model.resources.iter().map(|_| Vec::new()).collect();
    for (task, t) in model.tasks.iter().enumerate() {
        for access in &t.accesses {
            uses[access.resource.0 as usize].push(Use {
                task: task as u32,
                writes: access.mode != Mode::Read,
                rows: &access.rows,
            });
        }
    }
    let mut before = vec![Vec::new(); model.tasks.len()];
    for (resource, uses) in model.resources.iter().zip(&uses) {
        let ranges: Vec<&Rows> = uses.iter().map(|u| u.rows).collect();
        match Regions::new(resource, &model.dims, &ranges) {
            Regions::Pieces(pieces, runs) => by_pieces(uses, pieces, &runs, &mut before),
            Regions::Loose(rows) => by_pairs(uses, &rows, resource, &model.dims, &mut before),
        }
    }
    for list in &mut before {
        list.sort_unstable();
        list.dedup();
    }
    before
}

/// What was last done to one piece of a resource.
#[derive(Clone, Default)]
struct Piece {
    writer: Option<u32>,
    readers: Vec<u32>,
}

fn by_pieces(uses: &[Use<'_>], pieces: usize, runs: &[(usize, usize)], before: &mut [Vec<u32>]) {
    let mut state = vec![Piece::default(); pieces];
    let mut at = 0;
    while at < uses.len() {
        let task = uses[at].task;
        let end = at + uses[at..].iter().take_while(|u| u.task == task).count();
        // All accesses of a task are looked up before any is entered: a task is not before itself.
        for i in at..end {
            for piece in state[runs[i].0.min(runs[i].1)..runs[i].1].iter() {
                if uses[i].writes && !piece.readers.is_empty() {
                    before[task as usize].extend_from_slice(&piece.readers);
                } else if let Some(writer) = piece.writer {
                    before[task as usize].push(writer);
                }
            }
        }
        // Reads first: the task's own write then supersedes them.
        for writes in [false, true] {
            for i in (at..end).filter(|&i| uses[i].writes == writes) {
                for piece in &mut state[runs[i].0.min(runs[i].1)..runs[i].1] {
                    if writes {
                        piece.writer = Some(task);
                        piece.readers.clear();
                    } else {
                        piece.readers.push(task);
                    }
                }
            }
        }
        at = end;
    }
}

fn by_pairs(
    uses: &[Use<'_>],
    rows: &[Rows],
    resource: &Resource,
    dims: &[Dim],
    before: &mut [Vec<u32>],
) {
    let extent = &resource.shape[0];
    // Positions in `uses` that no later write of the same or of all rows has superseded.
    let mut live: Vec<usize> = Vec::new();
    for i in 0..uses.len() {
        for &j in &live {
            let conflict = uses[i].writes || uses[j].writes;
            if conflict && uses[j].task != uses[i].task && !rows[i].disjoint(&rows[j], extent, dims)
            {
                before[uses[i].task as usize].push(uses[j].task);
            }
        }
        if uses[i].writes {
            live.retain(|&j| {
                let same = rows[i] == Rows::All || rows[i] == rows[j];
                !same || uses[j].task == uses[i].task
            });
        }
        live.push(i);
    }
}
