//! Whether a file holds a placement: by definition, pair by pair, and with nothing of the solver.

use gpu_graph_analysis::place::{Live, Problem};

use crate::csv::{Fault, fault};
use crate::table::Table;

/// Faults that are listed.
const LISTED: usize = 20;

/// The peak of what `placed` says of the buffers in `given`.
///
/// # Errors
/// What is wrong with it, by its rows.
pub fn check(given: &Table, placed: &Table) -> Result<u64, Vec<Fault>> {
    let mut faults = Vec::new();
    // Row in `placed` of each buffer.
    let mut rows = Vec::new();
    for (id, &row) in &placed.ids {
        let Some(&buffer) = given.ids.get(id) else {
            let message = format!("there is no buffer `{id}`");
            faults.push(fault(placed.place(row, "id"), message));
            continue;
        };
        rows.push((buffer, row));
        changed(given, buffer, placed, row, &mut faults);
    }
    for id in given.ids.keys().filter(|&id| !placed.ids.contains_key(id)) {
        faults.push(fault((1, 1), format!("the buffer `{id}` is missing")));
    }
    if !faults.is_empty() {
        faults.truncate(LISTED);
        return Err(faults);
    }
    rows.sort_unstable();
    let offsets: Vec<u64> = rows.iter().map(|&(_, row)| placed.offsets[row]).collect();
    let id = |buffer: usize| given.field(buffer, "id").map_or("", |f| &f.text);
    let at = |buffer: usize| placed.place(rows[buffer].1, "offset");
    let problem = &given.problem;
    let mut peak = 0;
    for (b, buffer) in problem.buffers.iter().enumerate() {
        match offsets[b].checked_add(buffer.size) {
            Some(end) => peak = peak.max(end),
            None => faults.push(fault(at(b), "the end is beyond all numbers")),
        }
        if !offsets[b].is_multiple_of(buffer.alignment) {
            let message = format!("the offset is no multiple of {}", buffer.alignment);
            faults.push(fault(at(b), message));
        }
        if let Some(fixed) = buffer.fixed.filter(|&f| f != offsets[b]) {
            faults.push(fault(at(b), format!("the offset is fixed at {fixed}")));
        }
    }
    for &(a, b) in &problem.same {
        if offsets[a] != offsets[b] {
            let message = format!("the offset is not that of `{}`", id(a));
            faults.push(fault(at(b), message));
        }
    }
    for (a, b) in overlaps(problem, &offsets) {
        let (low, high) = if offsets[a] <= offsets[b] {
            (a, b)
        } else {
            (b, a)
        };
        let message = format!("`{}` overlaps `{}`", id(high), id(low));
        faults.push(fault(at(high), message));
    }
    if faults.is_empty() {
        return Ok(peak);
    }
    faults.sort_by_key(|f| f.at);
    faults.truncate(LISTED);
    Err(faults)
}

/// Columns that say something else than in the file that was given.
fn changed(given: &Table, buffer: usize, placed: &Table, row: usize, faults: &mut Vec<Fault>) {
    let columns = [
        "lower",
        "upper",
        "size",
        "alignment",
        "fixed",
        "same_as",
        "apart_from",
        "gaps",
    ];
    for name in columns {
        let text = |table: &Table, row| table.field(row, name).map(|f| f.text.clone());
        if placed.has(name) && text(given, buffer) != text(placed, row) {
            let message = format!("`{name}` is not what was given");
            faults.push(fault(placed.place(row, name), message));
        }
    }
}

/// The first pairs that overlap in the arena and must not.
fn overlaps(problem: &Problem, offsets: &[u64]) -> Vec<(usize, usize)> {
    let group = groups(problem);
    let mut apart: Vec<(usize, usize)> = problem.apart.clone();
    apart.extend(problem.apart.iter().map(|&(a, b)| (b, a)));
    apart.sort_unstable();
    let mut sequence: Vec<usize> = (0..offsets.len()).collect();
    sequence.sort_by_key(|&b| offsets[b]);
    let mut found = Vec::new();
    for (k, &a) in sequence.iter().enumerate() {
        let end = offsets[a].saturating_add(problem.buffers[a].size);
        for &b in &sequence[k + 1..] {
            if offsets[b] >= end {
                break;
            }
            let live = || group[a] != group[b] && together(problem, a, b);
            let clash = || live() || apart.binary_search(&(a, b)).is_ok();
            if problem.buffers[b].size > 0 && clash() {
                found.push((a, b));
                if found.len() == LISTED {
                    return found;
                }
            }
        }
    }
    found
}

/// A number for each buffer, the same for those that must have one offset.
fn groups(problem: &Problem) -> Vec<usize> {
    let mut group: Vec<usize> = (0..problem.buffers.len()).collect();
    let mut near: Vec<Vec<usize>> = vec![Vec::new(); group.len()];
    for &(a, b) in &problem.same {
        near[a].push(b);
        near[b].push(a);
    }
    let mut seen = vec![false; group.len()];
    for first in 0..group.len() {
        let mut stack = vec![first];
        while let Some(b) = stack.pop() {
            if !seen[b] {
                seen[b] = true;
                group[b] = first;
                stack.extend(&near[b]);
            }
        }
    }
    group
}

/// Whether two buffers are live together.
fn together(problem: &Problem, a: usize, b: usize) -> bool {
    match &problem.live {
        Live::Times(times) => {
            let meet = |p: &(i64, i64)| times[b].iter().any(|q| p.0 < q.1 && q.0 < p.1);
            times[a].iter().any(meet)
        }
        Live::Clocks(clocks) => {
            let over = |a: usize, b: usize| {
                let (upper, lower) = (&clocks[a].1, &clocks[b].0);
                upper.iter().zip(lower).all(|(u, l)| u <= l)
            };
            !over(a, b) && !over(b, a)
        }
        Live::Order(_) | Live::Clashes(_) => true,
    }
}
