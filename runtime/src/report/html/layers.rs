//! Where tasks come to lie in the order graph: layers by depth, a lane for each stream.

use std::collections::{BTreeMap, BTreeSet};

use crate::report::Plan;

/// Places of tasks.
pub(super) struct Layers {
    /// Depth of each task: the longest chain of dependencies before it.
    pub(super) depth: Vec<usize>,
    /// Row of each task, from the top of all lanes.
    pub(super) row: Vec<usize>,
    /// Rows of each stream's lane.
    pub(super) rows: Vec<usize>,
    /// Layers.
    pub(super) count: usize,
}

impl Layers {
    pub(super) fn new(plan: &Plan) -> Self {
        let count = plan.tasks.len();
        let mut before: Vec<Vec<usize>> = vec![Vec::new(); count];
        for edge in &plan.order.dependencies {
            if let Some(of) = before.get_mut(edge.after as usize) {
                of.push(edge.before as usize);
            }
        }
        let mut depth = vec![0; count];
        for &task in &plan.order.issue {
            let deepest = before[task as usize].iter().map(|&b| depth[b] + 1).max();
            depth[task as usize] = deepest.unwrap_or(0);
        }
        let layers = depth.iter().max().map_or(0, |most| most + 1);
        let mut order: Vec<usize> = plan.order.issue.iter().map(|&t| t as usize).collect();
        order.sort_by_key(|&t| (depth[t], plan.tasks[t].step));
        // Within its lane each task takes the row of a predecessor, or the next one that is free.
        let mut taken: BTreeSet<(u8, usize, usize)> = BTreeSet::new();
        let mut within = vec![0; count];
        let mut rows: BTreeMap<u8, usize> = BTreeMap::new();
        for task in order {
            let stream = plan.tasks[task].stream;
            let same = before[task]
                .iter()
                .filter(|&&b| plan.tasks[b].stream == stream);
            let nearest = same.max_by_key(|&&b| (depth[b], b));
            let wanted: usize = nearest.map_or(0, |&b| within[b]);
            let free = |row: &usize| !taken.contains(&(stream, depth[task], *row));
            let distances = (0..=count).flat_map(|by| [wanted.checked_sub(by), Some(wanted + by)]);
            let row = distances.flatten().find(free).unwrap_or(0);
            taken.insert((stream, depth[task], row));
            within[task] = row;
            let of = rows.entry(stream).or_default();
            *of = (*of).max(row + 1);
        }
        let streams = (0..plan.order.streams).map(|s| rows.get(&(s as u8)).copied().unwrap_or(1));
        let rows: Vec<usize> = streams.collect();
        let top = |stream: u8| rows.iter().take(usize::from(stream)).sum::<usize>();
        let row = (0..count).map(|t| top(plan.tasks[t].stream) + within[t]);
        Self {
            row: row.collect(),
            depth,
            rows,
            count: layers,
        }
    }
}
