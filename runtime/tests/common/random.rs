//! Random graphs with programs that are right by construction.
//!
//! Tasks are issued in a random order that keeps conflicting accesses in statement order, on random
//! streams; a wait is placed wherever what a stream is known to come after does not cover a
//! dependency. Two resources may share bytes where every task on the one is known to come before
//! every task on the other.

use gpu_graph_runtime::table::{Class, Form, Mode, Op, SLOT_ALIGN, Slot, TaskKind};

use super::Rng;
use super::graph::{Graph, Touch};
use super::kernels::{ACCUMULATE, IN_PLACE, MAX_READS, UPDATE};

/// A set of tasks, at most 128.
type Set = u128;

/// A random graph of about `tasks` tasks, at most 100, with `ring` instances.
pub fn graph(seed: u64, streams: u8, tasks: usize, ring: u32) -> Graph {
    let mut rng = Rng(seed);
    let mut graph = Graph {
        streams,
        ring,
        ..Graph::default()
    };
    body(&mut graph, &mut rng, tasks.min(100));
    let before = schedule(&mut graph, &mut rng);
    layout(&mut graph, &before);
    graph
}

fn span(rng: &mut Rng, graph: &Graph, resource: usize, mode: Mode) -> Touch {
    let mut touch = graph.all(resource, mode);
    if rng.one_in(3) {
        touch.from = rng.below(touch.to);
        touch.to = touch.from + 1 + rng.below(touch.to - touch.from);
    }
    touch
}

fn body(graph: &mut Graph, rng: &mut Rng, tasks: usize) {
    for _ in 0..1 + rng.below(2) {
        let len = 1 + rng.below(40);
        let own = rng.one_in(2);
        let class = if own { Class::InputMut } else { Class::Input };
        let input = graph.resource(class, len);
        graph.upload(input);
    }
    while graph.tasks.len() < tasks {
        let written = graph.resources.len();
        let any = rng.below(written);
        let own = graph.resources[any].class != Class::Input;
        let class = if rng.one_in(4) {
            Class::Output
        } else {
            Class::Transient
        };
        match rng.below(6) {
            0 if own => {
                let touches = vec![span(rng, graph, any, Mode::ReadWrite)];
                graph.task(UPDATE, rng.next(), touches);
            }
            1 if own => {
                let from = rng.below(written);
                if from != any {
                    let from = span(rng, graph, from, Mode::Read);
                    let to = span(rng, graph, any, Mode::ReadWrite);
                    graph.task(ACCUMULATE, rng.next(), vec![from, to]);
                }
            }
            2 => {
                let result = graph.resource(class, graph.resources[any].len);
                let touches = vec![
                    graph.all(any, Mode::Read),
                    graph.all(result, Mode::Overwrite),
                ];
                graph.task(IN_PLACE, rng.next(), touches);
            }
            _ => {
                let result = graph.resource(class, 1 + rng.below(40));
                let whole = graph.all(result, Mode::Overwrite);
                let cut = rng.below(whole.to);
                let mut parts = vec![whole.clone()];
                if rng.one_in(4) && cut > 0 {
                    parts[0].to = cut;
                    let from = cut;
                    parts.push(Touch { from, ..whole });
                }
                for part in parts {
                    let reads = rng.below(MAX_READS + 1);
                    let mut touches: Vec<Touch> = (0..reads)
                        .map(|_| {
                            let from = rng.below(written);
                            span(rng, graph, from, Mode::Read)
                        })
                        .collect();
                    touches.push(part);
                    graph.task(reads as u32, rng.next(), touches);
                }
            }
        }
    }
    // Something to look at.
    let last = graph.resources.len() - 1;
    if !graph.resources[last].class.is_input() {
        graph.resources[last].class = Class::Output;
    }
}

/// Issues the tasks. Returns what each is known to come after.
fn schedule(graph: &mut Graph, rng: &mut Rng) -> Vec<Set> {
    let count = graph.tasks.len();
    let conflict = |a: usize, b: usize| {
        let (a, b) = (&graph.tasks[a].touches, &graph.tasks[b].touches);
        a.iter().any(|x| b.iter().any(|y| x.conflicts(y)))
    };
    let predecessors: Vec<Vec<usize>> = (0..count)
        .map(|t| (0..t).filter(|&p| conflict(p, t)).collect())
        .collect();
    let streams = usize::from(graph.streams);
    let (mut before, mut after) = (vec![0 as Set; count], vec![0 as Set; count]);
    let mut clocks = vec![0 as Set; streams];
    let mut issued: Set = 0;
    let mut issue = Vec::new();
    while issued.count_ones() < count as u32 {
        let ready: Vec<usize> = (0..count)
            .filter(|&t| issued >> t & 1 == 0)
            .filter(|&t| predecessors[t].iter().all(|&p| issued >> p & 1 == 1))
            .collect();
        let task = ready[rng.below(ready.len())];
        let stream = rng.below(streams);
        for &p in predecessors[task].iter().rev() {
            if clocks[stream] >> p & 1 == 0 {
                clocks[stream] |= after[p];
                issue.push(Op::Wait {
                    stream: stream as u8,
                    event: p as u32,
                });
            }
        }
        before[task] = clocks[stream];
        clocks[stream] |= 1 << task;
        after[task] = clocks[stream];
        issued |= 1 << task;
        let (task, stream) = (task as u32, stream as u8);
        let form = Form::Apart;
        issue.push(Op::Launch { task, stream, form });
        issue.push(Op::Record {
            event: task,
            stream,
        });
    }
    for (stream, clock) in clocks.iter().enumerate().take(streams) {
        if *clock != 0 {
            let (event, stream) = ((count + stream) as u32, stream as u8);
            issue.push(Op::Record { event, stream });
            graph.last.push(event);
        }
    }
    number(graph, issue);
    before
}

/// Drops records that nobody waits for and numbers the rest from 0.
fn number(graph: &mut Graph, issue: Vec<Op>) {
    let mut used: Vec<u32> = graph.last.clone();
    used.extend(issue.iter().filter_map(|op| match *op {
        Op::Wait { event, .. } => Some(event),
        _ => None,
    }));
    used.sort_unstable();
    used.dedup();
    let new = |event: u32| used.binary_search(&event).ok().map(|i| i as u32);
    for op in issue {
        graph.issue.extend(match op {
            Op::Record { event, stream } => new(event).map(|event| Op::Record { event, stream }),
            Op::Wait { stream, event } => new(event).map(|event| Op::Wait { stream, event }),
            other => Some(other),
        });
    }
    graph.last = graph.last.iter().filter_map(|&e| new(e)).collect();
    graph.events = used.len() as u32;
}

fn layout(graph: &mut Graph, before: &[Set]) {
    let touching: Vec<Set> = (0..graph.resources.len())
        .map(|r| {
            let tasks = graph.tasks.iter().enumerate();
            tasks
                .filter(|(_, t)| t.touches.iter().any(|a| a.resource == r))
                .fold(0, |set, (i, _)| set | 1 << i)
        })
        .collect();
    let ordered = |graph: &Graph, q: usize, r: usize, except: Set| {
        let tasks = (0..before.len()).filter(|t| (touching[r] & !except) >> t & 1 == 1);
        graph.resources[q].class != Class::Output
            && tasks
                .into_iter()
                .all(|t| (touching[q] & !except) & !before[t] == 0)
    };
    for r in 0..graph.resources.len() {
        let bytes = (graph.resources[r].len as u64 * 8).next_multiple_of(SLOT_ALIGN);
        let clash = |graph: &Graph, offset: u64, ignore: Option<usize>| {
            let placed = graph.slots.iter().enumerate();
            placed
                .filter(|&(q, s)| {
                    Some(q) != ignore && s.offset < offset + bytes && offset < s.offset + s.bytes
                })
                .find(|&(q, _)| !ordered(graph, q, r, 0) && !ordered(graph, r, q, 0))
                .map(|(_, s)| s.offset + s.bytes)
        };
        let made = graph.tasks.iter().position(|t| {
            t.kind == TaskKind::Kernel(IN_PLACE)
                && t.touches.last().is_some_and(|a| a.resource == r)
        });
        let mut offset = None;
        if let Some(task) = made {
            let operand = graph.tasks[task].touches[0].resource;
            let own: Set = 1 << task;
            let first = (0..before.len())
                .filter(|&t| t != task && touching[r] >> t & 1 == 1)
                .all(|t| before[t] & own != 0);
            let last = touching[operand] & !own & !before[task] == 0;
            let at = graph.slots[operand].offset;
            if first
                && last
                && matches!(
                    graph.resources[operand].class,
                    Class::Transient | Class::InputMut
                )
                && clash(graph, at, Some(operand)).is_none()
            {
                offset = Some(at);
                for op in &mut graph.issue {
                    if let Op::Launch { task: t, form, .. } = op
                        && *t as usize == task
                    {
                        *form = Form::InPlace;
                    }
                }
            }
        }
        let offset = offset.unwrap_or_else(|| {
            let mut at = 0;
            while let Some(next) = clash(graph, at, None) {
                at = next;
            }
            at
        });
        graph.slots.push(Slot { offset, bytes });
        graph.arena = graph.arena.max(offset + bytes);
    }
}
