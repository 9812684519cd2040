//! The order of a program as a graph: which node waits for which.
//!
//! In streams the order comes from each stream's own sequence and from events. A graph has nothing
//! but edges, so each of these becomes edges, the fewest that say as much. That they do is not taken
//! from how they were made: [`check`] walks the program again with a clock for each stream, as the
//! verifier does, and asks of the edges alone whether everything that a task comes after has a path
//! to it.

use crate::table::{HostOp, Op, Program};

/// What a node does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum What {
    /// Copies the scalars of the run to the device.
    Scalars,
    /// The launch that is that entry of the program's ops.
    Launch(usize),
}

/// A node and those that it waits for, by number, each before it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Node {
    pub(super) what: What,
    pub(super) after: Vec<u32>,
}

/// What of a program has a node.
#[derive(Clone, Copy, Debug)]
pub(super) struct Shape<'a> {
    pub(super) program: &'a Program<'a>,
    /// By task: there is something to launch.
    pub(super) present: &'a [bool],
    /// By task: it reads scalars of the run from the device.
    pub(super) scalars: &'a [bool],
}

/// The edges miss what the program orders.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Missing {
    /// No path from one launch to another, both entries of the program's ops.
    Launch {
        /// What comes first.
        before: usize,
        /// What has to wait for it.
        after: usize,
    },
    /// A launch does not wait for the scalars that it reads.
    Scalars {
        /// The launch.
        after: usize,
    },
    /// An op of the program has no node, or a node waits for one behind it.
    Node {
        /// Which op.
        op: usize,
    },
}

/// Events that the host asks for: at a gate, or before it reads an output.
fn asked(program: &Program<'_>) -> Vec<bool> {
    let mut asked = vec![false; program.events as usize];
    let gates = program.issue.iter().filter_map(|op| match *op {
        Op::Gate { event } => Some(event),
        _ => None,
    });
    let waits = program.collect.iter().filter_map(|op| match *op {
        HostOp::Wait { event } => Some(event),
        HostOp::Read { .. } => None,
    });
    for event in gates.chain(waits) {
        if let Some(asked) = asked.get_mut(event as usize) {
            *asked = true;
        }
    }
    asked
}

/// Who waits for whom. What waits for the run before is left out: launches of one graph come one
/// after the other.
pub(super) fn derive(shape: &Shape<'_>) -> Vec<Node> {
    let program = shape.program;
    let mut nodes: Vec<Node> = Vec::new();
    let mut reach = Reach::default();
    if shape.scalars.iter().any(|&reads| reads) {
        nodes.push(Node {
            what: What::Scalars,
            after: Vec::new(),
        });
        reach.push(&[]);
    }
    // What the next launch on each stream waits for, and what each event stands for.
    let mut tails: Vec<Vec<u32>> = vec![Vec::new(); usize::from(program.streams)];
    let mut events: Vec<Vec<u32>> = vec![Vec::new(); program.events as usize];
    for (at, op) in program.issue.iter().enumerate() {
        match *op {
            Op::Launch { task, stream, .. } => {
                if !shape.present[task as usize] {
                    continue;
                }
                let tail = &mut tails[usize::from(stream)];
                let mut after = reach.fewest(tail);
                if shape.scalars[task as usize] && !after.iter().any(|&n| reach.reaches(0, n)) {
                    after.insert(0, 0);
                }
                *tail = vec![nodes.len() as u32];
                reach.push(&after);
                let what = What::Launch(at);
                nodes.push(Node { what, after });
            }
            Op::Record { event, stream } => {
                events[event as usize] = reach.fewest(&tails[usize::from(stream)]);
            }
            Op::Wait { stream, event } => {
                let event = &events[event as usize];
                tails[usize::from(stream)].extend(event);
            }
            Op::Gate { .. } | Op::Acquire { .. } | Op::Release { .. } | Op::WaitPrev { .. } => {}
        }
    }
    nodes
}

/// The event that is complete once everything is that a run has launched, if there is one. One
/// question of it then stands for a question of each.
pub(super) fn last(program: &Program<'_>) -> Option<u32> {
    let streams = usize::from(program.streams);
    let mut known: Vec<Clock> = vec![vec![0; streams]; streams];
    let mut events: Vec<Option<Clock>> = vec![None; program.events as usize];
    let mut all: Clock = vec![0; streams];
    for op in program.issue {
        match *op {
            Op::Launch { stream, .. } => {
                let stream = usize::from(stream);
                all[stream] += 1;
                known[stream][stream] = all[stream];
            }
            Op::Record { event, stream } => {
                events[event as usize] = Some(known[usize::from(stream)].clone());
            }
            Op::Wait { stream, event } => {
                if let Some(event) = &events[event as usize] {
                    join(&mut known[usize::from(stream)], event);
                }
            }
            _ => {}
        }
    }
    let asked = asked(program);
    let whole =
        |event: &u32| asked[*event as usize] && events[*event as usize].as_ref() == Some(&all);
    (0..program.events).find(whole)
}

/// Which nodes have a path to which.
#[derive(Debug, Default)]
struct Reach {
    /// Of each node, those before it, itself among them, 64 to a word.
    before: Vec<Vec<u64>>,
}

impl Reach {
    /// One more node, behind these.
    fn push(&mut self, after: &[u32]) {
        let own = self.before.len();
        let mut before = vec![0; own / 64 + 1];
        for &node in after {
            for (mine, theirs) in before.iter_mut().zip(&self.before[node as usize]) {
                *mine |= theirs;
            }
        }
        before[own / 64] |= 1 << (own % 64);
        self.before.push(before);
    }

    fn reaches(&self, from: u32, to: u32) -> bool {
        let (word, bit) = (from as usize / 64, from % 64);
        let before = self.before[to as usize].get(word);
        before.is_some_and(|before| before >> bit & 1 == 1)
    }

    /// Those that none of the others comes behind.
    fn fewest(&self, nodes: &[u32]) -> Vec<u32> {
        let mut nodes = nodes.to_vec();
        nodes.sort_unstable();
        nodes.dedup();
        let all = nodes.clone();
        nodes.retain(|&node| !all.iter().any(|&n| n != node && self.reaches(node, n)));
        nodes
    }
}

/// How far each stream has come: its launches that are known to be over.
type Clock = Vec<u32>;

fn join(clock: &mut Clock, other: &Clock) {
    for (mine, theirs) in clock.iter_mut().zip(other) {
        *mine = (*mine).max(*theirs);
    }
}

/// Whether everything that the program orders has a path along the edges of `nodes`.
///
/// # Errors
/// With the first that has none.
pub(super) fn check(shape: &Shape<'_>, nodes: &[Node]) -> Result<(), Missing> {
    let program = shape.program;
    let streams = usize::from(program.streams);
    // By the edges: how far each stream is known to have come where a node begins, if the launches
    // of a stream come one after the other, which is seen to below; and whether scalars are there.
    let mut ends: Vec<(Clock, bool)> = Vec::with_capacity(nodes.len());
    // By the program: the same, of each stream and of each event.
    let mut known: Vec<Clock> = vec![vec![0; streams]; streams];
    let mut events: Vec<Clock> = vec![vec![0; streams]; program.events as usize];
    // Ops of the launches of each stream.
    let mut launches: Vec<Vec<usize>> = vec![Vec::new(); streams];
    let mut next = nodes.iter().enumerate().peekable();
    if let Some((_, first)) = next.next_if(|(_, n)| n.what == What::Scalars) {
        if !first.after.is_empty() {
            return Err(Missing::Node { op: 0 });
        }
        ends.push((vec![0; streams], true));
    }
    let scalars = !ends.is_empty();
    for (at, op) in program.issue.iter().enumerate() {
        let (task, stream) = match *op {
            Op::Launch { task, stream, .. } if shape.present[task as usize] => (task, stream),
            Op::Record { event, stream } => {
                events[event as usize] = known[usize::from(stream)].clone();
                continue;
            }
            Op::Wait { stream, event } => {
                join(&mut known[usize::from(stream)], &events[event as usize]);
                continue;
            }
            _ => continue,
        };
        let stream = usize::from(stream);
        let node = next.next();
        let node = node.filter(|(_, node)| node.what == What::Launch(at));
        let (number, node) = node.ok_or(Missing::Node { op: at })?;
        let (mut seen, mut ready) = (vec![0; streams], false);
        for &before in &node.after {
            if before as usize >= number {
                return Err(Missing::Node { op: at });
            }
            let (clock, scalars) = &ends[before as usize];
            join(&mut seen, clock);
            ready |= scalars;
        }
        for other in 0..streams {
            if seen[other] < known[stream][other] {
                // Those before it are further away still, or were missed before.
                let before = launches[other][known[stream][other] as usize - 1];
                return Err(Missing::Launch { before, after: at });
            }
        }
        if shape.scalars[task as usize] && !(scalars && ready) {
            return Err(Missing::Scalars { after: at });
        }
        launches[stream].push(at);
        known[stream][stream] += 1;
        seen[stream] = known[stream][stream];
        ends.push((seen, ready));
    }
    match next.next() {
        Some(_) => Err(Missing::Node {
            op: program.issue.len(),
        }),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests;
