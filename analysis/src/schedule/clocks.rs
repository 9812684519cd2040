//! Vector clocks of streams: what each is known to come after.

use crate::model::TaskId;

/// Streams at most.
const STREAMS: usize = 16;

/// Per stream, how many of its tasks are known to be complete.
type Clock = [u32; STREAMS];

/// The clocks while tasks are issued.
#[derive(Clone, Debug)]
pub(super) struct Clocks {
    streams: [Clock; STREAMS],
    /// Stream of each issued task and its number there, from 1.
    place: Box<[(usize, u32)]>,
    /// What is known once a task has completed.
    after: Box<[Clock]>,
}

impl Clocks {
    pub(super) fn new(tasks: usize) -> Self {
        Self {
            streams: [[0; STREAMS]; STREAMS],
            place: vec![(0, 0); tasks].into(),
            after: vec![[0; STREAMS]; tasks].into(),
        }
    }

    /// The tasks that `stream` must wait for to come after all of `tasks`: the fewest, given what it
    /// already knows.
    pub(super) fn missing(&self, tasks: &[u32], stream: usize) -> Vec<TaskId> {
        self.unknown(tasks, &self.streams[stream])
    }

    /// The same for a lane that knows nothing, which the host is before it waits.
    pub(super) fn missing_to_host(&self, tasks: &[u32]) -> Vec<TaskId> {
        self.unknown(tasks, &[0; STREAMS])
    }

    fn unknown(&self, tasks: &[u32], known: &Clock) -> Vec<TaskId> {
        // Of one stream the latest implies the others.
        let mut latest: [Option<u32>; STREAMS] = [None; STREAMS];
        for &t in tasks {
            let (s, number) = self.place[t as usize];
            let newer = |l: u32| self.place[l as usize].1 < number;
            if known[s] < number && latest[s].is_none_or(newer) {
                latest[s] = Some(t);
            }
        }
        let implied = |&t: &u32| {
            let (s, number) = self.place[t as usize];
            let others = latest.iter().flatten();
            others
                .filter(|&&o| o != t)
                .any(|&o| self.after[o as usize][s] >= number)
        };
        let needed = latest.iter().flatten().filter(|t| !implied(t));
        needed.map(|&t| TaskId(t)).collect()
    }

    /// Issues a task; says what its stream must wait for.
    pub(super) fn launch(&mut self, task: TaskId, before: &[u32], stream: usize) -> Vec<TaskId> {
        let waits = self.missing(before, stream);
        for w in &waits {
            let theirs = self.after[w.0 as usize];
            for (mine, theirs) in self.streams[stream].iter_mut().zip(theirs) {
                *mine = (*mine).max(theirs);
            }
        }
        self.streams[stream][stream] += 1;
        self.place[task.0 as usize] = (stream, self.streams[stream][stream]);
        self.after[task.0 as usize] = self.streams[stream];
        waits
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wait_implied_by_another_through_stream_order_is_left_out() {
        let mut clocks = Clocks::new(4);
        let [p, r, q, t] = [0, 1, 2, 3].map(TaskId);
        assert!(clocks.launch(p, &[], 1).is_empty());
        assert!(clocks.launch(r, &[], 1).is_empty());
        assert_eq!(clocks.launch(q, &[r.0], 2), [r]);
        // q follows r, and r follows p on its stream.
        assert_eq!(clocks.missing_to_host(&[p.0, q.0]), [q]);
        assert_eq!(clocks.launch(t, &[p.0, q.0], 0), [q]);
        assert!(clocks.missing(&[p.0, r.0], 0).is_empty());
    }

    #[test]
    fn of_one_stream_the_latest_is_waited_for() {
        let mut clocks = Clocks::new(3);
        for t in 0..2 {
            clocks.launch(TaskId(t), &[], 1);
        }
        assert_eq!(clocks.launch(TaskId(2), &[0, 1], 0), [TaskId(1)]);
    }
}
