//! Which task runs on which stream.

use super::clocks::Clocks;
use crate::model::{Model, TaskId, TaskKind};
use crate::order::Precedence;

/// A stream for each task, at most `limit` of them, numbered from 0 without a gap.
///
/// Tasks are taken in issue order, each counted as long as its cost where all launches have one and
/// else as one unit of time, and uploads and holds as none. A task goes where it can start first. Among equals it leaves a stream whose last
/// task has a successor with a longer path ahead, then prefers the stream that needs the fewest
/// waits, which is that of a predecessor, and which stood idle for the least time. A further stream is opened only where that starts the task
/// earlier or spares a longer path. Uploads are on stream 0, which the caller drives.
pub(super) fn assign(
    model: &Model,
    order: &Precedence,
    costs: &[Option<u64>],
    limit: usize,
) -> Vec<u8> {
    let mut streams = vec![0u8; order.tasks()];
    if limit <= 1 {
        return streams;
    }
    let known = costs.iter().all(Option::is_some);
    let tasks = model.tasks.iter().zip(costs);
    let cost: Vec<u64> = tasks
        .map(|(t, cost)| match t.kind {
            TaskKind::Upload | TaskKind::Hold { .. } => 0,
            // No task is longer than a year, so that no sum overflows.
            TaskKind::Kernel(_) if known => cost.unwrap_or(1).clamp(1, 1 << 45),
            TaskKind::Kernel(_) | TaskKind::Fill | TaskKind::Copy => 1,
        })
        .collect();
    let ahead = ahead(order, &cost);
    let mut state = State {
        order,
        ahead: &ahead,
        heirs: heirs(order, &ahead),
        issued: vec![false; order.tasks()],
        finish: vec![0; order.tasks()],
        lanes: vec![Lane::default()],
        clocks: Clocks::new(order.tasks()),
    };
    for &t in order.sequence() {
        let task = TaskId(t);
        let chosen = match model.tasks[t as usize].kind {
            TaskKind::Upload => 0,
            // Nothing is done: where the last of those before it runs, nobody waits.
            TaskKind::Hold { .. } => {
                let last = order
                    .before(task)
                    .iter()
                    .max_by_key(|&&b| order.position(TaskId(b)));
                last.map_or(0, |&b| usize::from(streams[b as usize]))
            }
            _ => state.choose(task, limit),
        };
        streams[t as usize] = chosen as u8;
        state.issue(task, chosen, cost[t as usize]);
    }
    let upload = |t: usize| matches!(model.tasks[t].kind, TaskKind::Upload);
    put_critical_first(&mut streams, order, &cost, &ahead, upload);
    streams
}

/// What a stream has been given.
#[derive(Clone, Default)]
struct Lane {
    free_at: u64,
    tail: Option<TaskId>,
}

struct State<'a> {
    order: &'a Precedence,
    ahead: &'a [u64],
    /// Successors of each task, longest path ahead first.
    heirs: Vec<Vec<u32>>,
    issued: Vec<bool>,
    finish: Vec<u64>,
    lanes: Vec<Lane>,
    clocks: Clocks,
}

impl State<'_> {
    fn choose(&mut self, task: TaskId, limit: usize) -> usize {
        let before = self.order.before(task);
        let ready = before.iter().map(|&b| self.finish[b as usize]).max();
        let ready = ready.unwrap_or(0);
        let mut best = None;
        for s in 0..self.lanes.len() {
            let start = ready.max(self.lanes[s].free_at);
            let (claimed, others) = self.claims(s, task);
            let waits = self.clocks.missing(before, s).len();
            let idle = start - self.lanes[s].free_at;
            let key = (start, claimed, waits, idle, others, s);
            if best.is_none_or(|b| key < b) {
                best = Some(key);
            }
        }
        match best {
            Some((start, claimed, ..))
                if (start, claimed) > (ready, false) && self.lanes.len() < limit =>
            {
                self.lanes.push(Lane::default());
                self.lanes.len() - 1
            }
            Some(key) => key.5,
            None => 0,
        }
    }

    /// Whether another successor of the stream's last task has a longer path ahead, and how many
    /// other successors it has.
    fn claims(&mut self, stream: usize, task: TaskId) -> (bool, usize) {
        let Some(tail) = self.lanes[stream].tail else {
            return (false, 0);
        };
        // The longest is last, so that what is issued goes from the end.
        let heirs = &mut self.heirs[tail.0 as usize];
        while heirs.last().is_some_and(|&h| self.issued[h as usize]) {
            heirs.pop();
        }
        let longer = |&h: &u32| self.ahead[h as usize] > self.ahead[task.0 as usize];
        (heirs.last().is_some_and(longer), heirs.len())
    }

    fn issue(&mut self, task: TaskId, stream: usize, cost: u64) {
        let before = self.order.before(task);
        let ready = before.iter().map(|&b| self.finish[b as usize]).max();
        let start = ready.unwrap_or(0).max(self.lanes[stream].free_at);
        self.finish[task.0 as usize] = start + cost;
        self.issued[task.0 as usize] = true;
        self.clocks.launch(task, before, stream);
        if cost > 0 {
            self.lanes[stream] = Lane {
                free_at: start + cost,
                tail: Some(task),
            };
        }
    }
}

/// Longest path from the start of each task to the end of the graph.
fn ahead(order: &Precedence, cost: &[u64]) -> Vec<u64> {
    let mut ahead = vec![0; order.tasks()];
    for &t in order.sequence().iter().rev() {
        let after = order.after(TaskId(t)).iter();
        let next = after.map(|&a| ahead[a as usize]).max().unwrap_or(0);
        ahead[t as usize] = next + cost[t as usize];
    }
    ahead
}

fn heirs(order: &Precedence, ahead: &[u64]) -> Vec<Vec<u32>> {
    let sorted = |t: u32| {
        let mut list = order.after(TaskId(t)).to_vec();
        list.sort_by_key(|&a| {
            (
                ahead[a as usize],
                std::cmp::Reverse(order.position(TaskId(a))),
            )
        });
        list
    };
    (0..order.tasks() as u32).map(sorted).collect()
}

/// Swaps stream 0 with the one that runs most of a longest path, but for uploads.
fn put_critical_first(
    streams: &mut [u8],
    order: &Precedence,
    cost: &[u64],
    ahead: &[u64],
    upload: impl Fn(usize) -> bool,
) {
    let mut on = [0u64; 256];
    let mut at = order.sequence().iter().copied().max_by_key(|&t| {
        (
            ahead[t as usize],
            std::cmp::Reverse(order.position(TaskId(t))),
        )
    });
    while let Some(t) = at {
        on[usize::from(streams[t as usize])] += cost[t as usize];
        at = order.after(TaskId(t)).iter().copied().max_by_key(|&a| {
            (
                ahead[a as usize],
                std::cmp::Reverse(order.position(TaskId(a))),
            )
        });
    }
    let most = (0..=u8::MAX).max_by_key(|&s| (on[usize::from(s)], std::cmp::Reverse(s)));
    let most = most.unwrap_or(0);
    for (task, s) in streams.iter_mut().enumerate() {
        if !upload(task) && *s == most {
            *s = 0;
        } else if !upload(task) && *s == 0 {
            *s = most;
        }
    }
}
