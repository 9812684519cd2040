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

    /// Lets `search` take up to `n` of the steps.
    pub fn lend<T>(&mut self, n: u64, search: impl FnOnce(&mut Steps) -> T) -> T {
        let given = n.min(self.0);
        let mut own = Self(given);
        let found = search(&mut own);
        self.0 -= given - own.0;
        found
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
    ///
    /// A preflow is pushed (Goldberg, Tarjan 1988; highest label first, with gaps and global labels
    /// as of Cherkassky, Goldberg 1997): from the costs backward along demands to the profits, so
    /// that what the source still reaches is the smallest set.
    pub fn best(mut self, steps: &mut Steps) -> Option<(u64, Vec<bool>)> {
        let nodes = self.head.len();
        let mut front = Front {
            excess: vec![0; nodes],
            label: Vec::new(),
            at: Vec::new(),
            active: vec![Vec::new(); nodes],
            with: Vec::new(),
            highest: 0,
        };
        let mut arc = self.head[SINK as usize];
        while arc != NONE {
            let room = std::mem::take(&mut self.arcs[arc as usize ^ 1].room);
            self.arcs[arc as usize].room += room;
            front.excess[self.arcs[arc as usize].to as usize] += room;
            arc = self.arcs[arc as usize].next;
        }
        let all = 2 * (self.arcs.len() + nodes);
        let mut work = all;
        loop {
            if work >= all {
                work = 0;
                if !steps.take(all / 2) {
                    return None;
                }
                self.labels(&mut front);
            }
            let Some(node) = front.next() else {
                break;
            };
            let spent = self.discharge(node, &mut front);
            work += spent;
            if !steps.take(spent) {
                return None;
            }
        }
        self.labels(&mut front);
        let chosen = front.label[2..].iter().map(|&l| (l as usize) < nodes);
        Some((
            self.profit - front.excess[SOURCE as usize],
            chosen.collect(),
        ))
    }

    /// Distances from the source; as many as there are nodes where there is no way.
    fn labels(&self, front: &mut Front) {
        let nodes = self.head.len() as u32;
        front.label.clear();
        front.label.resize(nodes as usize, nodes);
        front.label[SOURCE as usize] = 0;
        let mut queue = vec![SOURCE];
        let mut next = 0;
        while next < queue.len() {
            let node = queue[next];
            next += 1;
            let mut arc = self.head[node as usize];
            while arc != NONE {
                let Arc { to, next, room } = self.arcs[arc as usize];
                // Nothing goes back to where the costs are.
                if room > 0 && to != SINK && front.label[to as usize] == nodes {
                    front.label[to as usize] = front.label[node as usize] + 1;
                    queue.push(to);
                }
                arc = next;
            }
        }
        front.at.clone_from(&self.head);
        front.with.clear();
        front.with.resize(nodes as usize + 1, 0);
        front.active.iter_mut().for_each(Vec::clear);
        front.highest = 0;
        for &node in &queue[1..] {
            front.with[front.label[node as usize] as usize] += 1;
            if front.excess[node as usize] > 0 {
                front.activate(node);
            }
        }
    }

    /// Pushes what `node` has too much of one node nearer to the source, as long as there is a way;
    /// returns how many arcs were looked at.
    fn discharge(&mut self, node: u32, front: &mut Front) -> usize {
        let (v, nodes) = (node as usize, self.head.len() as u32);
        let mut looked = 1;
        while front.excess[v] > 0 && front.label[v] < nodes {
            let arc = front.at[v];
            looked += 1;
            if arc == NONE {
                looked += self.relabel(node, front);
                continue;
            }
            let Arc { to, next, .. } = self.arcs[arc as usize];
            let room = self.arcs[arc as usize ^ 1].room;
            if room == 0 || front.label[v] != front.label[to as usize] + 1 {
                front.at[v] = next;
                continue;
            }
            let bytes = room.min(front.excess[v]);
            self.arcs[arc as usize ^ 1].room -= bytes;
            self.arcs[arc as usize].room += bytes;
            front.excess[v] -= bytes;
            front.excess[to as usize] += bytes;
            if to != SOURCE && front.excess[to as usize] == bytes {
                front.activate(to);
            }
        }
        looked
    }

    /// Takes `node` as far from the source as its arcs say.
    fn relabel(&self, node: u32, front: &mut Front) -> usize {
        let (v, nodes) = (node as usize, self.head.len() as u32);
        let (mut least, mut looked) = (nodes, 0);
        let mut arc = self.head[v];
        while arc != NONE {
            looked += 1;
            if self.arcs[arc as usize ^ 1].room > 0 {
                least = least.min(front.label[self.arcs[arc as usize].to as usize] + 1);
            }
            arc = self.arcs[arc as usize].next;
        }
        let old = std::mem::replace(&mut front.label[v], least.min(nodes));
        front.at[v] = self.head[v];
        front.with[old as usize] -= 1;
        front.with[least.min(nodes) as usize] += 1;
        if front.with[old as usize] == 0 {
            // No way leads over a distance that no node has.
            for label in front.label.iter_mut().filter(|l| **l > old && **l < nodes) {
                front.with[*label as usize] -= 1;
                *label = nodes;
            }
            looked += nodes as usize / 4;
        }
        looked
    }
}

/// Nodes with an excess.
struct Front {
    excess: Vec<u64>,
    /// No more than the distance to the source.
    label: Vec<u32>,
    /// The arc of each node that is tried next.
    at: Vec<u32>,
    /// By label.
    active: Vec<Vec<u32>>,
    /// How many nodes have each label.
    with: Vec<u32>,
    highest: usize,
}

impl Front {
    fn activate(&mut self, node: u32) {
        let label = self.label[node as usize] as usize;
        if label < self.active.len() {
            self.active[label].push(node);
            self.highest = self.highest.max(label);
        }
    }

    /// A node with an excess, of those that are farthest.
    fn next(&mut self) -> Option<u32> {
        loop {
            match self.active[self.highest].pop() {
                Some(node) if self.label[node as usize] as usize == self.highest => {
                    return Some(node);
                }
                // It went farther in the meantime.
                Some(_) => {}
                None if self.highest == 0 => return None,
                None => self.highest -= 1,
            }
        }
    }
}
