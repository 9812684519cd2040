//! Maximum flow on a sparse network, and the closures that it cuts off.
//!
//! Picard (1976): of nodes with profits and costs, where some demand others, a closed set of the
//! greatest profit is what a minimum cut leaves on the side of the source. Here tasks demand those
//! before them, and items pay or cost when tasks of theirs have started or completed.

/// Steps of search that may still be taken. Searches count them and look at no clock, so that the
/// same input gives the same answer on every machine.
#[derive(Clone, Copy, Debug)]
pub(super) struct Steps(pub u64);

impl Steps {
    /// Takes `n` steps; whether there were as many.
    pub fn take(&mut self, n: usize) -> bool {
        let enough = self.0 >= n as u64;
        self.0 = self.0.saturating_sub(n as u64);
        enough
    }
}

/// More than any sum of bytes that a network is made for.
const FREE: u64 = u64::MAX / 4;

const SOURCE: u32 = 0;
const SINK: u32 = 1;

/// Nodes with profits, some demanding others.
pub(super) struct Closure {
    /// First arc of each node.
    head: Vec<u32>,
    arcs: Vec<Arc>,
    depth: Vec<u32>,
    at: Vec<u32>,
    /// Sum of all profits.
    profit: u64,
}

struct Arc {
    to: u32,
    next: u32,
    room: u64,
}

const NONE: u32 = u32::MAX;

impl Closure {
    /// With `nodes` nodes, without profit yet.
    pub fn new(nodes: usize) -> Self {
        Self {
            head: vec![NONE; nodes + 2],
            arcs: Vec::new(),
            depth: Vec::new(),
            at: Vec::new(),
            profit: 0,
        }
    }

    /// A further node.
    pub fn node(&mut self) -> u32 {
        self.head.push(NONE);
        self.head.len() as u32 - 3
    }

    fn arc(&mut self, from: u32, to: u32, room: u64) {
        for (from, to, room) in [(from, to, room), (to, from, 0)] {
            let next = std::mem::replace(&mut self.head[from as usize], self.arcs.len() as u32);
            self.arcs.push(Arc { to, next, room });
        }
    }

    /// `a` may be chosen only with `b`.
    pub fn demand(&mut self, a: u32, b: u32) {
        self.arc(a + 2, b + 2, FREE);
    }

    /// Choosing `node` yields `bytes`.
    pub fn pays(&mut self, node: u32, bytes: u64) {
        self.profit += bytes;
        self.arc(SOURCE, node + 2, bytes);
    }

    /// Choosing `node` costs `bytes`.
    pub fn costs(&mut self, node: u32, bytes: u64) {
        self.arc(node + 2, SINK, bytes);
    }

    /// The greatest profit of a closed set, and that set: the smallest of those. `None` if the steps
    /// ran out.
    pub fn best(mut self, steps: &mut Steps) -> Option<(u64, Vec<bool>)> {
        // What is demanded is a graph without cycles: along it, dead ends stay dead.
        self.at = self.head.clone();
        let mut flow = self.augment(false, steps)?;
        loop {
            if !steps.take(self.arcs.len() + self.head.len()) {
                return None;
            }
            self.layers();
            if self.depth[SINK as usize] == NONE {
                break;
            }
            self.at = self.head.clone();
            flow += self.augment(true, steps)?;
        }
        let chosen = self.depth[2..].iter().map(|&d| d != NONE).collect();
        Some((self.profit - flow, chosen))
    }

    /// Distances from the source.
    fn layers(&mut self) {
        self.depth.clear();
        self.depth.resize(self.head.len(), NONE);
        self.depth[SOURCE as usize] = 0;
        let mut queue = vec![SOURCE];
        let mut next = 0;
        while next < queue.len() {
            let node = queue[next];
            next += 1;
            let mut arc = self.head[node as usize];
            while arc != NONE {
                let Arc { to, next, room } = self.arcs[arc as usize];
                if room > 0 && self.depth[to as usize] == NONE {
                    self.depth[to as usize] = self.depth[node as usize] + 1;
                    queue.push(to);
                }
                arc = next;
            }
        }
    }

    /// A blocking flow along arcs that lead one layer further, or along arcs that are not those
    /// back. Without recursion: paths can be as long as the order.
    fn augment(&mut self, layered: bool, steps: &mut Steps) -> Option<u64> {
        let mut sent = 0;
        let mut path: Vec<u32> = Vec::new();
        loop {
            let node = path.last().map_or(SOURCE, |&a| self.arcs[a as usize].to);
            if !steps.take(1) {
                return None;
            }
            if node == SINK {
                let room = |&a: &u32| self.arcs[a as usize].room;
                let least = path.iter().map(room).min().unwrap_or(0);
                sent += least;
                let mut keep = path.len();
                for (at, &a) in path.iter().enumerate().rev() {
                    self.arcs[a as usize].room -= least;
                    self.arcs[a as usize ^ 1].room += least;
                    if self.arcs[a as usize].room == 0 {
                        keep = at;
                    }
                }
                path.truncate(keep);
                continue;
            }
            let arc = self.at[node as usize];
            if arc == NONE {
                let Some(last) = path.pop() else {
                    return Some(sent);
                };
                // Nothing more goes through the node that this arc leads to.
                let from = self.arcs[last as usize ^ 1].to;
                self.at[from as usize] = self.arcs[last as usize].next;
                continue;
            }
            let Arc { to, next, room } = self.arcs[arc as usize];
            let leads = match layered {
                true => self.depth[to as usize] == self.depth[node as usize] + 1,
                false => arc.is_multiple_of(2),
            };
            if room > 0 && leads {
                path.push(arc);
            } else {
                self.at[node as usize] = next;
            }
        }
    }
}
