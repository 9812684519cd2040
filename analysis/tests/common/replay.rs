//! What a program orders: reachability over its launches, from stream order and events alone.

use gpu_graph_analysis::plan::{HostOp, Op, Plan};

/// `before[a][b]`: launch of task a completes before that of b starts.
pub struct Replay {
    pub before: Vec<Vec<bool>>,
    /// Per event, the tasks that are complete when it is.
    pub events: Vec<Vec<bool>>,
    pub stream_of: Vec<usize>,
}

/// Replays `issue`, leaving out the op at `skip`.
pub fn replay(tasks: usize, plan: &Plan, skip: Option<usize>) -> Replay {
    let mut known = vec![vec![false; tasks]; usize::from(plan.streams)];
    let mut events: Vec<Option<Vec<bool>>> = vec![None; plan.events as usize];
    let mut before = vec![vec![false; tasks]; tasks];
    let mut stream_of = vec![usize::MAX; tasks];
    let mut gates = true;
    for (i, op) in plan.issue.iter().enumerate() {
        if skip == Some(i) {
            continue;
        }
        match *op {
            Op::Gate { .. } => {
                assert!(gates, "gates come first");
                continue;
            }
            // Held by the run as a whole; the verifier's tests judge that.
            Op::Acquire { .. } | Op::Release { .. } => {}
            Op::Launch { task, stream, .. } => {
                let (task, stream) = (task as usize, usize::from(stream));
                assert_eq!(stream_of[task], usize::MAX, "a task is issued once");
                stream_of[task] = stream;
                for a in 0..tasks {
                    before[a][task] = known[stream][a];
                }
                known[stream][task] = true;
            }
            Op::Record { event, stream } => {
                let slot = &mut events[event as usize];
                assert!(slot.is_none(), "an event is recorded once");
                *slot = Some(known[usize::from(stream)].clone());
            }
            Op::Wait { stream, event } => {
                let theirs = events[event as usize]
                    .clone()
                    .expect("recorded before waited for");
                let mine = &mut known[usize::from(stream)];
                for (m, t) in mine.iter_mut().zip(theirs) {
                    *m |= t;
                }
            }
        }
        gates = false;
    }
    assert!(
        stream_of.iter().all(|&s| s != usize::MAX),
        "every task is issued"
    );
    let events = events.into_iter().map(|e| e.expect("recorded")).collect();
    Replay {
        before,
        events,
        stream_of,
    }
}

/// What the host has seen complete at each read, as `(resource, tasks)`.
pub fn reads(plan: &Plan, replay: &Replay, tasks: usize) -> Vec<(usize, Vec<bool>)> {
    let mut known = vec![false; tasks];
    let mut reads = Vec::new();
    for op in &plan.collect {
        match *op {
            HostOp::Wait { event } => {
                for (k, t) in known.iter_mut().zip(&replay.events[event as usize]) {
                    *k |= t;
                }
            }
            HostOp::Read { resource } => {
                // Outputs are read apart: nothing is remembered.
                let seen = std::mem::replace(&mut known, vec![false; tasks]);
                reads.push((resource as usize, seen));
            }
        }
    }
    reads
}
