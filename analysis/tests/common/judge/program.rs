//! Programs.

use gpu_graph_analysis::model::{Access, Class, Mode, Model};
use gpu_graph_analysis::plan::{Op, plan};

use super::super::replay::{reads, replay};
use super::{Tally, id};

/// The program orders what depends, and nothing but that and the stream order it states; every wait
/// and every gate is needed.
pub(super) fn program(seed: u64, model: &Model, before: &[Vec<usize>], tally: &mut Tally) {
    let tasks = model.tasks.len();
    let Ok((plan, record)) = plan(model) else {
        panic!("seed {seed}: nothing is demanded");
    };
    let closed = closure(before);
    let run = replay(tasks, &plan, None);
    let mut allowed = before.to_vec();
    for (a, b) in &record.stream_order {
        allowed[b.0 as usize].push(a.0 as usize);
    }
    let allowed = closure(&allowed);
    for a in 0..tasks {
        for b in 0..tasks {
            assert!(
                run.before[a][b] || !closed[a][b],
                "seed {seed}: t{a} before t{b} is lost"
            );
            assert!(
                allowed[a][b] || !run.before[a][b],
                "seed {seed}: t{a} before t{b} is unstated"
            );
        }
    }
    for (i, op) in plan.issue.iter().enumerate() {
        if matches!(op, Op::Wait { .. }) {
            tally.waits += 1;
            let less = replay(tasks, &plan, Some(i));
            let broken = (0..tasks).any(|a| (0..tasks).any(|b| closed[a][b] && !less.before[a][b]));
            assert!(broken, "seed {seed}: op {i} is a wait for nothing");
        }
    }
    let mut gated = vec![false; tasks];
    for op in &plan.issue {
        if let Op::Gate { event } = op {
            for (g, t) in gated.iter_mut().zip(&run.events[*event as usize]) {
                *g |= t;
            }
        }
    }
    assert!(gated.iter().all(|&g| g), "seed {seed}: a task is not gated");
    let used: Vec<usize> = (0..usize::from(plan.streams)).collect();
    assert!(
        tasks == 0 || used.iter().all(|s| run.stream_of.contains(s)),
        "seed {seed}: idle stream"
    );
    assert!(u32::from(plan.streams) <= model.streams, "seed {seed}");
    let outputs = model.resources.iter().filter(|r| r.class == Class::Output);
    let reads = reads(&plan, &run, tasks);
    assert_eq!(reads.len(), outputs.count(), "seed {seed}");
    for (output, seen) in reads {
        for (t, task) in model.tasks.iter().enumerate() {
            let writes = |a: &Access| a.resource == id(output) && a.mode != Mode::Read;
            if task.accesses.iter().any(writes) {
                assert!(seen[t], "seed {seed}: r{output} is read before t{t}");
            }
        }
    }
}

pub(super) fn closure(before: &[Vec<usize>]) -> Vec<Vec<bool>> {
    let n = before.len();
    let mut reach = vec![vec![false; n]; n];
    for (t, list) in before.iter().enumerate() {
        for &b in list {
            reach[b][t] = true;
        }
    }
    for k in 0..n {
        for i in 0..n {
            for j in 0..n {
                reach[i][j] |= reach[i][k] && reach[k][j];
            }
        }
    }
    reach
}
