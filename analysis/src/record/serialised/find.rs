//! Which pairs these are: what comes before what by dependencies, by added edges, and as it runs.

use std::collections::BTreeMap;

use super::{By, Serial, Serialised};
use crate::model::{Model, TaskId, TaskKind};
use crate::order::Precedence;
use crate::order::bits::{BitRows, each_bit};
use crate::policy::Realised;
use crate::record::Alias;

/// Pairs that are listed of each cause.
const LISTED: usize = 32;
/// Pairs that aliases need which are looked at for one that rests on an edge.
const EXAMINED: usize = 1024;

type Pair = (TaskId, TaskId);

/// For each task, those that complete before it starts.
pub(super) struct Case<'a> {
    model: &'a Model,
    taken: &'a Realised,
    /// By dependencies.
    bare: &'a Precedence,
    /// By these and the edges that are added, where there are any.
    stated: Option<BitRows>,
    /// By these and the order of streams.
    run: BitRows,
    /// What does something.
    works: BitRows,
    /// Pairs whose order proofs of aliases need, each once, with the first alias that does.
    needed: Vec<(Pair, usize)>,
    /// The same pairs, of each second task.
    is_needed: BitRows,
}

impl<'a> Case<'a> {
    pub(super) fn new(
        model: &'a Model,
        bare: &'a Precedence,
        taken: &'a Realised,
        aliases: &[Alias],
    ) -> Self {
        let tasks = bare.tasks();
        let mut works = BitRows::new(1, tasks);
        for (t, task) in model.tasks.iter().enumerate() {
            if !matches!(task.kind, TaskKind::Hold { .. }) {
                works.set(0, t);
            }
        }
        let mut case = Self {
            model,
            taken,
            bare,
            stated: (!taken.added.is_empty()).then(|| stated(bare, taken)),
            run: run(taken),
            works,
            needed: Vec::new(),
            is_needed: BitRows::new(tasks, tasks),
        };
        for (i, alias) in aliases.iter().enumerate() {
            for &(a, b) in &alias.condition {
                let (before, after) = (a.0 as usize, b.0 as usize);
                let works = case.works.get(0, before) && case.works.get(0, after);
                if works && !case.is_needed.get(after, before) {
                    case.is_needed.set(after, before);
                    case.needed.push(((a, b), i));
                }
            }
        }
        case
    }

    pub(super) fn found(&self) -> Serialised {
        let mut found = Serialised {
            aliased: self.needed.len() as u64,
            ..Serialised::default()
        };
        for t in self.tasks() {
            let bare = self.count(self.bare.ancestors(t));
            let stated = match self.stated {
                Some(_) => self.count(self.stated(t)),
                None => bare,
            };
            found.policy += stated - bare;
            found.stream += self.count(self.run.row(t.0 as usize)) - stated;
        }
        for (policy, count) in [(true, found.policy), (false, found.stream)] {
            if count > 0 {
                found.listed.extend(self.listed(policy));
            }
        }
        found
    }

    fn stated(&self, t: TaskId) -> &[u64] {
        match &self.stated {
            Some(rows) => rows.row(t.0 as usize),
            None => self.bare.ancestors(t),
        }
    }

    /// By added edges, and not by streams alone.
    fn is_policy(&self, (a, b): Pair) -> bool {
        let stated = self.stated.as_ref();
        stated.is_some_and(|rows| rows.get(b.0 as usize, a.0 as usize))
    }

    /// The tasks that do something, as they are issued.
    fn tasks(&self) -> impl Iterator<Item = TaskId> {
        let all = self.taken.order.sequence().iter();
        all.filter(|&&t| self.works.get(0, t as usize))
            .map(|&t| TaskId(t))
    }

    /// How many tasks of a row do something.
    fn count(&self, row: &[u64]) -> u64 {
        let (works, mut count, mut k) = (self.works.row(0), 0, 0);
        // Plain indexing, as in all loops over bits.
        while k < row.len() {
            count += u64::from((row[k] & works[k]).count_ones());
            k += 1;
        }
        count
    }

    /// The first pairs of one cause.
    fn listed(&self, policy: bool) -> Vec<Serial> {
        let own = |of: &&(Pair, usize)| self.is_policy(of.0) == policy;
        let needed = self.needed.iter().filter(own).take(LISTED);
        let mut pairs: Vec<(Pair, Option<usize>)> =
            needed.map(|&(pair, i)| (pair, Some(i))).collect();
        for uploads in [false, true] {
            self.more(policy, uploads, &mut pairs);
        }
        let by: Vec<By> = pairs
            .iter()
            .map(|(pair, _)| self.by(*pair, policy))
            .collect();
        let rests = self.rests(&by);
        let all = pairs.into_iter().zip(by);
        let all = all.map(|(((before, after), alias), by)| Serial {
            before,
            after,
            by,
            alias: alias.or_else(|| match by {
                By::Edge(a, b) => rests.get(&(a, b)).copied(),
                By::Stream | By::Streams(..) => None,
            }),
        });
        all.collect()
    }

    /// Adds pairs of one cause that no alias needs, with uploads or without, until there are enough.
    fn more(&self, policy: bool, uploads: bool, pairs: &mut Vec<(Pair, Option<usize>)>) {
        let upload = |t: TaskId| self.model.tasks[t.0 as usize].kind == TaskKind::Upload;
        let mut words = vec![0u64; self.works.row(0).len()];
        for after in self.tasks() {
            if pairs.len() >= LISTED {
                return;
            }
            let row = after.0 as usize;
            let (all, less) = match policy {
                true => (self.stated(after), self.bare.ancestors(after)),
                false => (self.run.row(row), self.stated(after)),
            };
            let (works, needed, mut k) = (self.works.row(0), self.is_needed.row(row), 0);
            while k < words.len() {
                words[k] = all[k] & !less[k] & works[k] & !needed[k];
                k += 1;
            }
            each_bit(&words, |before| {
                let before = TaskId(before as u32);
                let of = upload(before) || upload(after);
                if pairs.len() < LISTED && of == uploads {
                    pairs.push(((before, after), None));
                }
            });
        }
    }

    fn by(&self, pair: Pair, policy: bool) -> By {
        let stream = |t: TaskId| self.taken.schedule.stream_of[t.0 as usize];
        let found = match &self.stated {
            Some(stated) if policy => {
                through(stated, &self.taken.added, pair).map(|(a, b)| By::Edge(a, b))
            }
            _ if stream(pair.0) == stream(pair.1) => None,
            _ => {
                let streams = &self.taken.schedule.stream_order;
                through(&self.run, streams, pair).map(|(a, b)| By::Streams(a, b))
            }
        };
        found.unwrap_or(By::Stream)
    }

    /// Of each added edge among these an alias that needs it, or what it makes.
    fn rests(&self, by: &[By]) -> BTreeMap<Pair, usize> {
        let mut found = BTreeMap::new();
        let Some(stated) = &self.stated else {
            return found;
        };
        let mut open = BitRows::new(self.bare.tasks(), self.bare.tasks());
        for by in by {
            if let By::Edge(a, b) = *by {
                open.set(b.0 as usize, a.0 as usize);
            }
        }
        for &((a, b), alias) in &self.needed {
            if open.get(b.0 as usize, a.0 as usize) {
                found.insert((a, b), alias);
            }
        }
        for by in by {
            if let By::Edge(a, b) = *by
                && !found.contains_key(&(a, b))
            {
                let mut some = self.needed.iter().take(EXAMINED);
                let rests = |of: &&(Pair, usize)| through(stated, &[(a, b)], of.0).is_some();
                found.extend(some.find(rests).map(|of| ((a, b), of.1)));
            }
        }
        found
    }
}

/// What comes before each task by dependencies and added edges.
fn stated(bare: &Precedence, taken: &Realised) -> BitRows {
    let tasks = bare.tasks();
    let mut rows = BitRows::new(tasks, tasks);
    let mut heads: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
    for (a, b) in &taken.added {
        heads.entry(b.0).or_default().push(a.0);
    }
    // Those that edges lead to, in the order of issue.
    let mut met: Vec<usize> = Vec::new();
    for &task in taken.order.sequence() {
        let (t, id) = (task as usize, TaskId(task));
        rows.copy_words(t, bare.ancestors(id));
        let tails = heads.get(&task);
        for &b in tails.into_iter().flatten() {
            rows.join(t, b as usize);
            rows.set(t, b as usize);
        }
        // Of one that is before another that one has all.
        let mut over = BitRows::new(1, tasks);
        for &head in met.iter().rev() {
            if rows.get(t, head) && !over.get(0, head) {
                over.join_words(0, rows.row(head));
                rows.join(t, head);
            }
        }
        if tails.is_some() {
            met.push(t);
        }
    }
    rows
}

/// What comes before each task as it runs: waits, and the order of its stream, are all that a launch
/// comes behind.
fn run(taken: &Realised) -> BitRows {
    let (order, schedule) = (&taken.order, &taken.schedule);
    let mut rows = BitRows::new(order.tasks(), order.tasks());
    let mut last = vec![None; usize::from(schedule.streams)];
    for &task in order.sequence() {
        let t = task as usize;
        let lane = last[usize::from(schedule.stream_of[t])].replace(task);
        for b in schedule.awaited[t].iter().map(|w| w.0).chain(lane) {
            rows.join(t, b as usize);
            rows.set(t, b as usize);
        }
    }
    rows
}

/// The first of `edges` by which `rows`, what completes before each task, have the pair.
fn through(rows: &BitRows, edges: &[Pair], (a, b): Pair) -> Option<Pair> {
    let up_to = |x: TaskId, y: TaskId| x == y || rows.get(y.0 as usize, x.0 as usize);
    let mut edges = edges.iter();
    edges.find(|(u, v)| up_to(a, *u) && up_to(*v, b)).copied()
}
