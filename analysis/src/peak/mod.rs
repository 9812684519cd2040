//! The logical peak over all admitted executions: its bounds, and executions that show them.
//!
//! # What is counted
//! Tasks with a strict partial order `≺`; items with aligned bytes and the tasks that use each
//! ([`Item`]). Tasks take time and may overlap, so an *execution* is a sequence of starts and
//! completions in which each task starts once all tasks before it are completed, and completes after
//! that. A *cut* is a moment between two of these: a pair of a started set `S` and a completed set
//! `C ⊆ S`, both closed under `≺`, and all that is before a task of `S` in `C`. Every such pair is
//! a cut of some execution. An item is live at `(S, C)` if one of its users is in `S` and not all of
//! them are in `C`: from the start of the first to start to the completion of all. What the host
//! reads after the run stays live to the end. What one task works in is live exactly while it runs,
//! so that the workspaces of tasks that run together count together.
//!
//! The peak `P^σ` of an execution is the most that is live at one of its cuts:
//!
//! * [`Peak::least`] bounds `P_lower = min_σ P^σ`: what an execution can do with, if it is chosen
//!   well;
//! * [`Peak::greatest`] bounds `P_upper = max_σ P^σ`: what one may need, whatever the device does;
//! * [`Peak::workspace`] is the same as the latter of the workspaces alone: the heaviest set of
//!   workspaces of which all can be in use at once, neither their sum nor the largest.
//!
//! Both are NP-hard, the former even for trees with weights that overlap (Liu 1987; Sethi 1975 for
//! register allocation), the latter where items have several last users. A search that ends within
//! its steps gives the exact number; else the two ends of [`Bounds`] are proved, one by an execution
//! and the other as [`Proof`] says. Steps are counted and no clock is looked at; tasks are numbered
//! by what is around them and not by order of declaration.
//!
//! # One task at a time is enough for the least peak
//! Let `σ` be an execution, and let its tasks run one at a time in the order in which `σ` completes
//! them; that order respects `≺`. While task `t` runs in it, the tasks completed before `t` in `σ`
//! are completed (`D`), and `t` is started and no other. In `σ` just before `t` completes, exactly
//! `D` is completed and at least `D` and `t` are started, so all that is live in the one is live in
//! the other: no item whose users are all in `D` is live in either, and one with a user in
//! `D ∪ {t}` is begun in both. Between tasks no more is live than during the one before. So the peak
//! is no higher, and `P_lower` is the least over sequences of tasks.
//!
//! # Wide orders
//! Where a layer has a hundred tasks, the searches see no end, and what is live while one task runs
//! says little. There a sequence is improved by moves (simulated annealing), and the least peak is
//! bounded by cuts that every execution comes by: those at which `k` tasks are completed, and those
//! at which `r` tasks of an antichain are left. The least that is live at such a cut is NP-hard, too,
//! but branch and bound gets far: at the one, tasks that many are before or behind settle those, at
//! the other, few tasks use almost all that the layer before has written.
//!
//! # In-place updates
//! A result that takes the storage of its operand lies in one slot with it, and the two are one item
//! here ([`items()`]): the operand is live up to the task, the result from it on, and during the task
//! both are one. That is what the arena has room for, so that `P_lower ≤ P_upper ≤ arena`: at a cut
//! any two live items interfere, so their slots are apart. The converse is false: items that
//! interfere in pairs need not be live in one cut, where several last users are concerned, and slots
//! can waste room between them.
//!
//! ```
//! use gpu_graph_analysis::model::TaskId;
//! use gpu_graph_analysis::order::Precedence;
//! use gpu_graph_analysis::peak::{Effort, Item, peak};
//!
//! // Two tasks write 100 bytes each, a third reads both; nothing orders the two.
//! let order = Precedence::of(vec![vec![], vec![], vec![0, 1]]).unwrap();
//! let item = |bytes, users: &[u32]| Item {
//!     bytes,
//!     users: users.iter().map(|&t| TaskId(t)).collect(),
//!     ..Item::default()
//! };
//! // Each has a workspace besides.
//! let items = [item(100, &[0, 2]), item(100, &[1, 2]), item(70, &[0]), item(50, &[1])];
//! let found = peak(&order, &items, &Effort::THOROUGH);
//! assert_eq!(found.least.exact(), Some(250));
//! assert_eq!(found.greatest.exact(), Some(320));
//! ```

mod anneal;
mod beam;
mod climb;
mod count;
mod cut;
mod flip;
mod instance;
mod items;
mod left;
mod list;
mod lower;
mod mixed;
mod pick;
#[cfg(test)]
mod random;
mod relax;
mod set;
mod union;
mod upper;
mod view;
mod window;
mod witness;

pub use instance::Item;
pub use items::{items, joined};
pub use witness::{Step, Witness, replayed};

use crate::model::TaskId;
use crate::order::Precedence;
use crate::order::bits::BitRows;
use cut::Steps;
use instance::Instance;
use list::Quick;

/// How much is searched, in steps of a few operations of the processor each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Effort {
    /// Sets of completed tasks that list scheduling follows at once.
    pub width: usize,
    /// Steps of the searches that are exact if they end, for each of the three figures.
    pub steps: u64,
    /// Steps in which a sequence with a lower peak is looked for.
    pub moves: u64,
    /// Steps of each of the searches through cuts with a given number of tasks completed, or left.
    pub cuts: u64,
}

impl Effort {
    /// For each of many orders inside a build, where this code runs unoptimised.
    pub const BUILD: Self = Self {
        width: 2,
        steps: 200_000,
        moves: 200_000,
        cuts: 0,
    };
    /// For the plan that a build takes, some tens of milliseconds unoptimised: the fewer `tasks`, the more
    /// steps, since less is done in each, and a search for few of them ends. Nearly all orders of 40
    /// tasks are exact.
    pub const fn build(tasks: usize) -> Self {
        let most = 120_000_000 / if tasks < 75 { 75 } else { tasks as u64 };
        Self {
            width: 2,
            steps: if most < 300_000 { 300_000 } else { most },
            moves: 400_000,
            cuts: 0,
        }
    }
    /// For the sequence of a plan, inside a build: its peak counts, and what no sequence is below does
    /// not.
    pub const SEQUENCE: Self = Self {
        width: 2,
        steps: 50_000,
        moves: 1_000_000,
        cuts: 0,
    };
    /// Optimised, up to half a minute for orders of 1,000 tasks in wide layers, else seconds.
    pub const THOROUGH: Self = Self {
        width: 16,
        steps: 100_000_000,
        moves: 300_000_000,
        cuts: 800_000_000,
    };

    /// As [`THOROUGH`](Self::THOROUGH) in so many steps of all searches together, about.
    pub const fn of(steps: u64) -> Self {
        Self {
            width: Self::THOROUGH.width,
            steps: steps / 12,
            moves: steps / 4,
            cuts: steps / 3 * 2,
        }
    }

    /// About this part of it.
    pub(crate) fn part(self, of: u64) -> Self {
        Self {
            width: self.width,
            steps: self.steps / of,
            moves: self.moves / of,
            cuts: self.cuts / of,
        }
    }
}

/// The three figures.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Peak {
    /// Bounds of the least peak of all executions. The witness has `at_most` live.
    pub least: Bounds,
    /// Bounds of the greatest. The witness has `at_least` live.
    pub greatest: Bounds,
    /// Bounds of the most that workspaces take at once. The witness has `at_least` of them live.
    pub workspace: Bounds,
}

/// Two ends between which a figure lies; the figure, if they are one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Bounds {
    /// It is no less, in bytes.
    pub at_least: u64,
    /// It is no more.
    pub at_most: u64,
    /// An execution that shows one of the two.
    pub witness: Witness,
    /// What proves the other.
    pub proof: Proof<TaskId>,
}

impl Bounds {
    /// The figure, where it is known.
    pub fn exact(&self) -> Option<u64> {
        (self.at_least == self.at_most).then_some(self.at_most)
    }
}

/// What proves the end of [`Bounds`] that the witness does not show.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Proof<T> {
    /// What is live at the end of every execution.
    #[default]
    AtEnd,
    /// What is live while this task runs, at least: a minimum cut over all that may be completed by
    /// then.
    WhileRuns(T),
    /// A search through all executions, as far as they differ.
    Search,
    /// The most that could be live if some items were begun earlier or over later than they are, or
    /// counted for several of their users.
    Relaxed,
    /// All items together.
    Sum,
    /// The size of an arena in which every execution has room.
    Arena,
    /// The heaviest set of items of which any two may be live together.
    Pairs,
}

/// Tasks one at a time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sequence {
    /// In that order.
    pub tasks: Vec<TaskId>,
    /// In none is less live at once, and that is proved.
    pub least: bool,
}

/// Tasks in a sequence in which, one at a time, no more is live at once than
/// [`Peak::least`] has as its upper end, and less than in that of `order`, unless it is that.
pub fn sequence(order: &Precedence, items: &[Item], effort: &Effort) -> Sequence {
    let instance = Instance::new(order, items, false);
    let quick = Quick::new(&instance);
    let least = lower::lower(&quick, effort);
    let mut number = vec![0; instance.tasks()];
    for (at, &t) in (0u32..).zip(&instance.task) {
        number[t as usize] = at;
    }
    let given = order.sequence().iter().map(|&t| number[t as usize]);
    let given: Vec<u32> = given.collect();
    let given = (list::peak(&instance, &given)[0], given);
    let known = quick.get().min(&given).clone();
    let mut best = (least.at_most, least.order);
    if known.0 < best.0 {
        let steps = &mut Steps(effort.moves);
        best = anneal::anneal(&instance, known.1, least.at_least, 0, steps);
    }
    // What is no better is no reason to leave the order in which the tasks were written.
    if given.0 <= best.0 {
        best = given;
    }
    let tasks = best.1.iter().map(|&t| TaskId(instance.task[t as usize]));
    Sequence {
        tasks: tasks.collect(),
        least: best.0 <= least.at_least,
    }
}

/// The execution in which tasks run one at a time as `order` has them, cut where most is live.
pub fn in_turn(order: &Precedence, items: &[Item]) -> Witness {
    let tasks = order.sequence().iter().map(|&t| TaskId(t));
    witness::in_turn(order, items, &tasks.collect::<Vec<_>>())
}

/// The figures of `items` under `order`; workspaces are the items marked so.
pub fn peak(order: &Precedence, items: &[Item], effort: &Effort) -> Peak {
    peak_beside(order, items, effort, &[])
}

/// The same where the greatest is looked for first where as much as can be of `together` is live, which are
/// positions of items.
pub fn peak_beside(
    order: &Precedence,
    items: &[Item],
    effort: &Effort,
    together: &[usize],
) -> Peak {
    let of = |only_workspaces: bool| Instance::new(order, items, only_workspaces);
    let all = of(false);
    if all.total() == u64::MAX {
        // More bytes than numbers go: nothing is added up.
        let vast = Bounds {
            at_most: u64::MAX,
            proof: Proof::Sum,
            ..Bounds::default()
        };
        return Peak {
            least: vast.clone(),
            greatest: vast.clone(),
            workspace: vast,
        };
    }
    let least = lower::lower(&Quick::new(&all), effort);
    let greatest = |instance: &Instance| {
        if instance.total() > lower::MOST {
            return Bounds {
                at_most: instance.total(),
                proof: Proof::Sum,
                ..Bounds::default()
            };
        }
        let found = upper::upper(instance, effort, &begun(order, items, instance, together));
        Bounds {
            at_least: found.at_least,
            at_most: found.at_most,
            witness: witness::widest(order, items, instance, &found.completed),
            proof: found.proof,
        }
    };
    let workspace = match items.iter().any(|i| i.workspace) {
        true => greatest(&of(true)),
        false => Bounds::default(),
    };
    let tasks = least.order.iter().map(|&t| TaskId(all.task[t as usize]));
    let tasks: Vec<TaskId> = tasks.collect();
    Peak {
        greatest: greatest(&all),
        workspace,
        least: Bounds {
            at_least: least.at_least,
            at_most: least.at_most,
            witness: witness::in_turn(order, items, &tasks),
            proof: least.proof.map(|t| TaskId(all.task[t as usize])),
        },
    }
}

/// The tasks before those that begin `together`, in the numbers of `instance`: of each item, before the
/// user that has least before it. None where nothing is named.
fn begun(order: &Precedence, items: &[Item], instance: &Instance, together: &[usize]) -> Vec<bool> {
    if together.is_empty() {
        return Vec::new();
    }
    let ancestors = |t: TaskId| order.ancestors(t);
    let count = |t: TaskId| ancestors(t).iter().map(|w| w.count_ones()).sum::<u32>();
    let mut before = BitRows::new(1, order.tasks());
    for &at in together {
        let own = items[at].users.iter().filter(|_| !items[at].from_start);
        if let Some(&first) = own.min_by_key(|t| count(**t)) {
            before.join_words(0, ancestors(first));
        }
    }
    let tasks = instance.task.iter();
    tasks.map(|&t| before.get(0, t as usize)).collect()
}

impl<T> Proof<T> {
    /// What it is, with the name of its task.
    pub fn told(self, name: impl Fn(T) -> String) -> String {
        match self {
            Self::AtEnd => "live at the end of every execution".to_owned(),
            Self::WhileRuns(t) => format!("live while `{}` runs, in every execution", name(t)),
            Self::Search => "a search that covers all executions found none with less".to_owned(),
            Self::Relaxed => {
                "the most that could be, were some begun earlier or over later".to_owned()
            }
            Self::Sum => "all together".to_owned(),
            Self::Arena => "the arena has room for every execution".to_owned(),
            Self::Pairs => "no set of more is live together by twos".to_owned(),
        }
    }

    fn map<U>(self, to: impl Fn(T) -> U) -> Proof<U> {
        match self {
            Self::AtEnd => Proof::AtEnd,
            Self::WhileRuns(t) => Proof::WhileRuns(to(t)),
            Self::Search => Proof::Search,
            Self::Relaxed => Proof::Relaxed,
            Self::Sum => Proof::Sum,
            Self::Arena => Proof::Arena,
            Self::Pairs => Proof::Pairs,
        }
    }
}
