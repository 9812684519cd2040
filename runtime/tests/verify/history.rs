//! Happens-before as an explicit graph over several runs, and its transitive closure.

use std::collections::BTreeMap;

use gpu_graph_runtime::table::*;

use crate::oracle::must;

#[derive(Debug)]
pub enum Step {
    /// The host passes the gates, sets inputs and scalars, and issues.
    SetUp,
    Launch {
        task: u32,
    },
    /// A record or a wait.
    Sync,
    HostRead {
        resource: u32,
    },
}

#[derive(Debug)]
pub struct Node {
    pub run: u64,
    pub instance: u32,
    pub step: Step,
}

/// Several runs in one order that happens-before admits, and happens-before.
pub struct History {
    pub nodes: Vec<Node>,
    /// Per node, all that is before it, as bits.
    past: Vec<Vec<u64>>,
}

impl History {
    pub fn before(&self, x: usize, y: usize) -> bool {
        self.past[y][x / 64] >> (x % 64) & 1 == 1
    }

    fn push(&mut self, run: u64, instance: u32, step: Step, before: &[usize]) -> usize {
        let id = self.nodes.len();
        let mut past = vec![0; id / 64 + 1];
        for &b in before {
            for (word, other) in past.iter_mut().zip(&self.past[b]) {
                *word |= other;
            }
            past[b / 64] |= 1 << (b % 64);
        }
        // Rows have the length of their own index, so pad when asked for.
        self.nodes.push(Node {
            run,
            instance,
            step,
        });
        self.past.push(past);
        id
    }

    pub fn of(s: &Source<'_>, p: &Program<'_>, host_reads: bool) -> Result<Self, String> {
        let ring = p.ring as u64;
        // A ring has at most 16 instances: each is used again before a gate beyond that depth.
        let runs = ring.max(s.depth.min(18) as u64) + 2;
        let mut h = Self {
            nodes: vec![],
            past: vec![],
        };
        let mut lanes: BTreeMap<(u32, u8), usize> = BTreeMap::new();
        // Physical events: which run recorded it last, and where.
        let mut events: BTreeMap<(u32, u32), (u64, usize)> = BTreeMap::new();
        let mut host: Vec<usize> = vec![];
        for run in 0..runs + ring {
            let instance = (run % ring) as u32;
            // The last moment at which the host may read what the instance holds.
            if host_reads && run >= ring {
                host.extend(h.collect(p, run - ring, instance, &events, &host)?);
            }
            if run >= runs {
                continue;
            }
            for op in p.issue {
                if let Op::Gate { event } = *op
                    && run >= s.depth as u64
                {
                    let of = run - s.depth as u64;
                    let &(recorded, node) = events
                        .get(&((of % ring) as u32, event))
                        .ok_or("a gate on nothing")?;
                    must(recorded == of, "a gate on an event that was recorded anew")?;
                    host.push(node);
                }
            }
            let start = h.push(run, instance, Step::SetUp, &host);
            host.push(start);
            for op in p.issue {
                match *op {
                    // What outlives runs is taken over as the run is set up.
                    Op::Gate { .. } | Op::Acquire { .. } | Op::Release { .. } => {}
                    Op::Launch { task, stream, .. } => {
                        h.stream(
                            &mut lanes,
                            run,
                            instance,
                            stream,
                            Step::Launch { task },
                            &[start],
                        );
                    }
                    Op::Record { event, stream } => {
                        let before = events.get(&(instance, event));
                        must(
                            before.is_none_or(|e| e.0 != run),
                            "an event is recorded twice",
                        )?;
                        let node =
                            h.stream(&mut lanes, run, instance, stream, Step::Sync, &[start]);
                        events.insert((instance, event), (run, node));
                    }
                    Op::Wait { stream, event } => {
                        let &(recorded, node) =
                            events.get(&(instance, event)).ok_or("a wait for nothing")?;
                        must(recorded == run, "a wait before its record")?;
                        h.stream(
                            &mut lanes,
                            run,
                            instance,
                            stream,
                            Step::Sync,
                            &[start, node],
                        );
                    }
                    Op::WaitPrev { stream, event } => {
                        let mut before = vec![start];
                        if run > 0 {
                            let &(recorded, node) = events
                                .get(&(((run - 1) % ring) as u32, event))
                                .ok_or("a wait for nothing")?;
                            must(
                                recorded == run - 1,
                                "the previous run's event was recorded anew",
                            )?;
                            before.push(node);
                        }
                        h.stream(&mut lanes, run, instance, stream, Step::Sync, &before);
                    }
                }
            }
        }
        // Pad, so that any bit can be asked for.
        let words = h.nodes.len() / 64 + 1;
        for past in &mut h.past {
            past.resize(words, 0);
        }
        Ok(h)
    }

    fn stream(
        &mut self,
        lanes: &mut BTreeMap<(u32, u8), usize>,
        run: u64,
        instance: u32,
        stream: u8,
        step: Step,
        before: &[usize],
    ) -> usize {
        let mut before = before.to_vec();
        before.extend(lanes.get(&(instance, stream)));
        let node = self.push(run, instance, step, &before);
        lanes.insert((instance, stream), node);
        node
    }

    /// The host's reads of one run; each relies on its own waits alone.
    fn collect(
        &mut self,
        p: &Program<'_>,
        run: u64,
        instance: u32,
        events: &BTreeMap<(u32, u32), (u64, usize)>,
        host: &[usize],
    ) -> Result<Vec<usize>, String> {
        // The host has issued the run before; it waited for no other event as far as we may rely.
        let set_up = |h: &Self, n: &usize| matches!(h.nodes[*n].step, Step::SetUp);
        let issued: Vec<usize> = host.iter().filter(|n| set_up(self, n)).copied().collect();
        let issued: Vec<usize> = issued
            .into_iter()
            .filter(|&n| self.nodes[n].run == run)
            .collect();
        let mut waits = vec![];
        let mut reads = vec![];
        for op in p.collect {
            match *op {
                HostOp::Wait { event } => {
                    let &(recorded, node) = events
                        .get(&(instance, event))
                        .ok_or("the host waits for nothing")?;
                    must(
                        recorded == run,
                        "the host waits for an event that was recorded anew",
                    )?;
                    waits.push(node);
                }
                HostOp::Read { resource } => {
                    waits.extend(&issued);
                    reads.push(self.push(run, instance, Step::HostRead { resource }, &waits));
                    waits.clear();
                }
            }
        }
        Ok(reads)
    }
}
