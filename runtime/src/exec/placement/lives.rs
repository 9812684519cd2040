//! When resources are live, by the order that streams and events give the launches of a program.

use crate::table::{Class, Form, MAX_STREAMS, Op, Program, Source, TaskKind};

/// Up to so many resources are compared in pairs, as the planner does.
const PAIRWISE: usize = 2000;

/// Begin and end of each resource, as vector clocks of one run, and what has to lie at one offset.
pub(super) struct Lives {
    streams: usize,
    /// Per resource and stream, launches that are over before any launch that uses it begins.
    begin: Vec<u32>,
    /// Per resource and stream, the last launch that uses it, counted from 1; all of them and more of
    /// what the host reads.
    end: Vec<u32>,
    /// Per resource, the first launch that uses it as they are issued.
    pub(super) issued: Vec<u32>,
    /// Operands and results of updates in place, and aliases that were demanded.
    pub(super) joined: Vec<(u32, u32)>,
}

impl Lives {
    /// Those of `program`. None of very many resources, nor where a table names what is not there,
    /// which the verifier has to say.
    pub(super) fn new(source: &Source<'_>, program: &Program<'_>) -> Option<Self> {
        let (streams, resources) = (usize::from(program.streams), source.resources.len());
        let events = program.events as usize;
        if resources > PAIRWISE || streams > MAX_STREAMS || events > program.issue.len() {
            return None;
        }
        let mut lives = Self {
            streams,
            begin: vec![u32::MAX; resources * streams],
            end: vec![0; resources * streams],
            issued: vec![u32::MAX; resources],
            joined: source.aliases.to_vec(),
        };
        let mut now = vec![vec![0u32; streams]; streams];
        let mut stored = vec![vec![0u32; streams]; events];
        for (at, op) in (0..).zip(program.issue) {
            match *op {
                Op::Launch { task, stream, form } => {
                    let clock = now.get_mut(usize::from(stream))?;
                    lives.launch(source, at, task, usize::from(stream), clock)?;
                    if form == Form::InPlace {
                        lives.joined.push(in_place(source, task)?);
                    }
                }
                Op::Record { event, stream } => {
                    let clock = now.get(usize::from(stream))?;
                    stored.get_mut(event as usize)?.copy_from_slice(clock);
                }
                Op::Wait { stream, event } => {
                    let clock = now.get_mut(usize::from(stream))?.iter_mut();
                    let seen = stored.get(event as usize)?;
                    clock.zip(seen).for_each(|(c, &s)| *c = (*c).max(s));
                }
                Op::Gate { .. } | Op::Acquire { .. } | Op::Release { .. } | Op::WaitPrev { .. } => {
                }
            }
        }
        for (r, resource) in source.resources.iter().enumerate() {
            if resource.class == Class::Output {
                lives.end[r * streams..][..streams].fill(u32::MAX);
            }
        }
        Some(lives)
    }

    /// `task` is the next on `stream`, whose clock is `clock`.
    fn launch(
        &mut self,
        source: &Source<'_>,
        at: u32,
        task: u32,
        stream: usize,
        clock: &mut [u32],
    ) -> Option<()> {
        let accesses = source.accesses_of(source.tasks.get(task as usize)?);
        for access in accesses {
            let r = access.resource as usize;
            let begin = self.begin.get_mut(r * self.streams..)?.iter_mut();
            begin.zip(&*clock).for_each(|(b, &c)| *b = (*b).min(c));
            *self.end.get_mut(r * self.streams + stream)? = clock[stream] + 1;
            let issued = self.issued.get_mut(r)?;
            *issued = (*issued).min(at);
        }
        clock[stream] += 1;
        Some(())
    }

    /// Calls `found` for each pair of `some`, positions in `inside`, of which neither is over before the
    /// other begins, in some execution.
    pub(super) fn clashes(
        &self,
        inside: &[usize],
        mut some: Vec<usize>,
        mut found: impl FnMut(usize, usize),
    ) {
        // Of two the one whose first launch is issued later is never over before the other.
        some.sort_by_key(|&i| self.issued[inside[i]]);
        let of = |i: usize| inside[i] * self.streams..(inside[i] + 1) * self.streams;
        // What is over before this and all that come later.
        let mut all: Vec<Vec<u32>> = vec![vec![u32::MAX; self.streams]];
        for &i in some.iter().rev() {
            let least = all[all.len() - 1].iter().zip(&self.begin[of(i)]);
            all.push(least.map(|(&a, &b)| a.min(b)).collect());
        }
        let mut open: Vec<usize> = Vec::new();
        for (&later, all) in some.iter().zip(all.iter().rev()) {
            open.retain(|&earlier| !over(&self.end[of(earlier)], all));
            let begin = &self.begin[of(later)];
            let beside = open.iter().filter(|&&i| !over(&self.end[of(i)], begin));
            beside.for_each(|&earlier| found(earlier, later));
            open.push(later);
        }
    }
}

/// What ends there is over before what begins there, in every execution.
fn over(end: &[u32], begin: &[u32]) -> bool {
    let pairs = end.iter().zip(begin);
    pairs.fold(true, |over, (end, begin)| over & (end <= begin))
}

/// Operand and result of an in-place launch.
fn in_place(source: &Source<'_>, task: u32) -> Option<(u32, u32)> {
    let task = source.tasks.get(task as usize)?;
    let TaskKind::Kernel(kernel) = task.kind else {
        return None;
    };
    let operand = source.kernels.get(kernel as usize)?.in_place?;
    let accesses = source.accesses_of(task);
    let operand = accesses.get(usize::from(operand))?.resource;
    Some((operand, accesses.last()?.resource))
}
