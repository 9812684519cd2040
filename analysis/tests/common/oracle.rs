//! Every execution of a small graph, step by step. Shares nothing with the analysis but the model.
//!
//! A task is waiting, running or done; it may start once all it depends on is done. Two resources
//! are live at once in a state if each has an access that has started and, unless the host reads it
//! after the run, one that is not done.

use gpu_graph_analysis::expr::{Expr, values};
use gpu_graph_analysis::model::{Class, Mode, Model, Rows, TaskKind};

const WAITING: usize = 0;
const RUNNING: usize = 1;
const DONE: usize = 2;

/// Direct dependencies: `before[t]` are done before t starts.
pub fn dependencies(model: &Model) -> Vec<Vec<usize>> {
    let mut before = vec![Vec::new(); model.tasks.len()];
    for (j, later) in model.tasks.iter().enumerate() {
        for (i, earlier) in model.tasks[..j].iter().enumerate() {
            let conflict = earlier.accesses.iter().any(|a| {
                later.accesses.iter().any(|b| {
                    let writes = a.mode != Mode::Read || b.mode != Mode::Read;
                    let extent = &model.resources[a.resource.0 as usize].shape[0];
                    a.resource == b.resource && writes && meet(model, extent, &a.rows, &b.rows)
                })
            });
            if conflict {
                before[j].push(i);
            }
        }
    }
    for o in &model.orders {
        before[o.after.0 as usize].push(o.before.0 as usize);
    }
    before
}

/// Whether the two share a row for some admitted dims.
fn meet(model: &Model, extent: &Expr, a: &Rows, b: &Rows) -> bool {
    points(model).iter().any(|dims| {
        let range = |rows: &Rows| match rows {
            Rows::All => (0, extent.eval(dims).unwrap()),
            Rows::Span(lo, hi) => (lo.eval(dims).unwrap(), hi.eval(dims).unwrap()),
        };
        let (a, b) = (range(a), range(b));
        a.0.max(b.0) < a.1.min(b.1)
    })
}

fn points(model: &Model) -> Vec<Vec<u64>> {
    let mut all = vec![vec![]];
    for d in model.declared_dims() {
        let more = |p: &Vec<u64>| -> Vec<Vec<u64>> {
            (d.min..=d.max)
                .map(|v| [p.as_slice(), &[v]].concat())
                .collect()
        };
        all = all.iter().flat_map(more).collect();
    }
    let all = all.iter().map(|given| values(&model.dims, given).unwrap());
    all.collect()
}

/// What all executions together show.
pub struct Oracle {
    /// Whether every task can complete.
    pub complete: bool,
    /// Whether two resources are live at once in some state.
    pub together: Vec<Vec<bool>>,
    /// Whether some state has the first over and the second not begun.
    pub passed: Vec<Vec<bool>>,
    /// Tasks of which at least one runs in every state that has both live; `None` for no such state.
    /// A bit for each task.
    pub during: Vec<Vec<Option<u32>>>,
    /// Whether some state has the task done and the resource not over.
    outlives: Vec<Vec<bool>>,
    /// Whether some state has the task waiting and the resource begun.
    precedes: Vec<Vec<bool>>,
    /// Tasks that access each resource.
    users: Vec<Vec<usize>>,
    /// Domain of each resource, and whether it is staging.
    regions: Vec<(u8, bool)>,
}

impl Oracle {
    /// Tries every execution under `before`.
    pub fn new(model: &Model, before: &[Vec<usize>]) -> Self {
        let (tasks, resources) = (model.tasks.len(), model.resources.len());
        let mut users = vec![Vec::new(); resources];
        for (t, task) in model.tasks.iter().enumerate() {
            for a in &task.accesses {
                if users[a.resource.0 as usize].last() != Some(&t) {
                    users[a.resource.0 as usize].push(t);
                }
            }
        }
        let mut oracle = Self {
            complete: false,
            together: vec![vec![false; resources]; resources],
            passed: vec![vec![false; resources]; resources],
            during: vec![vec![None; resources]; resources],
            outlives: vec![vec![false; tasks]; resources],
            precedes: vec![vec![false; tasks]; resources],
            users,
            regions: model
                .resources
                .iter()
                .map(|r| (r.domain, r.class == Class::Staging))
                .collect(),
        };
        let power: Vec<usize> = (0..tasks as u32).map(|t| 3usize.pow(t)).collect();
        let mut seen = vec![false; 3usize.pow(tasks as u32)];
        let mut stack = vec![0usize];
        seen[0] = true;
        while let Some(state) = stack.pop() {
            let of = |t: usize| state / power[t] % 3;
            oracle.look(model, &of);
            oracle.complete |= (0..tasks).all(|t| of(t) == DONE);
            for t in 0..tasks {
                let ready = of(t) == WAITING && before[t].iter().all(|&b| of(b) == DONE);
                if ready || of(t) == RUNNING {
                    let next = state + power[t];
                    if !seen[next] {
                        seen[next] = true;
                        stack.push(next);
                    }
                }
            }
        }
        oracle
    }

    /// Whether two resources live in one kind of memory and one isolation domain.
    pub fn near(&self, a: usize, b: usize) -> bool {
        self.regions[a] == self.regions[b]
    }

    fn look(&mut self, model: &Model, of: &impl Fn(usize) -> usize) {
        let resources = model.resources.len();
        // Live before the run, during it and after.
        let kept = |r: usize| {
            let class = model.resources[r].class;
            matches!(class, Class::Resident | Class::Inout)
        };
        let begun: Vec<bool> = (0..resources)
            .map(|r| kept(r) || self.users[r].iter().any(|&t| of(t) != WAITING))
            .collect();
        let over: Vec<bool> = (0..resources)
            .map(|r| {
                let host = kept(r) || model.resources[r].class == Class::Output;
                !host && self.users[r].iter().all(|&t| of(t) == DONE)
            })
            .collect();
        let running = (0..model.tasks.len())
            .filter(|&t| of(t) == RUNNING)
            .fold(0u32, |set, t| set | 1 << t);
        for a in 0..resources {
            for b in 0..resources {
                if begun[a] && !over[a] && begun[b] && !over[b] {
                    self.together[a][b] = true;
                    let set = self.during[a][b].unwrap_or(u32::MAX);
                    self.during[a][b] = Some(set & running);
                }
                self.passed[a][b] |= over[a] && !begun[b];
            }
            for t in 0..model.tasks.len() {
                self.outlives[a][t] |= of(t) == DONE && !over[a];
                self.precedes[a][t] |= of(t) == WAITING && begun[a];
            }
        }
    }

    /// The task that may update `x` into `y`: it is the only one with both live, the end of `x` and
    /// the start of `y`, and its kernel declares the form.
    pub fn in_place(&self, model: &Model, x: usize, y: usize) -> Option<usize> {
        let set = self.during[x][y]?;
        (0..model.tasks.len()).find(|&t| {
            let task = &model.tasks[t];
            let TaskKind::Kernel(launch) = &task.kind else {
                return false;
            };
            let (Some(at), Some(result)) = (launch.in_place, task.accesses.last()) else {
                return false;
            };
            let operand = &task.accesses[at];
            let (rx, ry) = (&model.resources[x], &model.resources[y]);
            set >> t & 1 != 0
                && !self.outlives[x][t]
                && !self.precedes[y][t]
                && operand.resource.0 as usize == x
                && result.resource.0 as usize == y
                && operand.mode == Mode::Read
                && result.mode == Mode::Overwrite
                && matches!(rx.class, Class::Transient | Class::InputMut)
                && rx.domain == ry.domain
                && matches!(ry.class, Class::Transient | Class::Output)
                && (rx.elem, &rx.shape) == (ry.elem, &ry.shape)
                && whole(model, x, &operand.rows)
                && whole(model, y, &result.rows)
        })
    }
}

fn whole(model: &Model, r: usize, rows: &Rows) -> bool {
    let extent = &model.resources[r].shape[0];
    match rows {
        Rows::All => true,
        Rows::Span(lo, hi) => points(model)
            .iter()
            .all(|d| lo.eval(d) == Some(0) && hi.eval(d) == extent.eval(d)),
    }
}
