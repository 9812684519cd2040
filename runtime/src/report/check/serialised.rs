//! What is said to be serialised is what the orders of the record serialise.

use super::{Check, Checked};
use crate::report::{AddedBy, Dependency, TaskKind};

impl Check<'_> {
    /// The pairs that are counted are those that added orders order and no dependency does, and those
    /// that are listed are among them.
    pub(super) fn serialised(&self) -> Checked {
        let (order, of) = (&self.plan.order, &self.plan.order.serialised);
        let before = |by: &[AddedBy]| {
            let stated = order.dependencies.iter().map(|d| (d.before, d.after));
            let added = order.added.iter().filter(|added| by.contains(&added.by));
            let edges = stated.chain(added.map(|added| (added.before, added.after)));
            self.closed(edges)
        };
        let bare = before(&[]);
        let stated = before(&[AddedBy::Policy]);
        let run = before(&[AddedBy::Policy, AddedBy::Stream]);
        let [none, policy, all] = [&bare, &stated, &run].map(|rows| self.pairs(rows));
        let counts = [of.total, of.by_policy, of.by_stream];
        if counts != [all - none, policy - none, all - policy] {
            let what = format!(
                "it has {counts:?} pairs in all, by the policy and by streams, and the orders make {:?}",
                [all - none, policy - none, all - policy]
            );
            return self.wrong("order.serialised", what);
        }
        if of.for_aliases > of.total {
            return self.wrong("order.serialised.for_aliases", "it is more than all");
        }
        for (i, pair) in of.pairs.iter().enumerate() {
            let place = format!("order.serialised.pairs[{i}]");
            self.ordered(&place, pair.before, pair.after)?;
            if let Some(alias) = pair.alias {
                let count = self.plan.aliases.len();
                self.below(format_args!("{place}.alias"), "alias", alias, count)?;
            }
            let (a, b) = (pair.before as usize, pair.after as usize);
            let rows = match pair.by {
                AddedBy::Policy => [&bare, &stated],
                AddedBy::Stream => [&stated, &run],
            };
            let [not, so] = rows.map(|rows| rows.has(a, b));
            let twice = of.pairs[..i].iter();
            let mut twice =
                twice.filter(|known| (known.before, known.after) == (pair.before, pair.after));
            if not || !so || !self.works(a) || !self.works(b) || twice.next().is_some() {
                return self.wrong(place, "it is none of what is serialised so");
            }
            let through = |edge: Dependency| {
                let (u, v) = (edge.before as usize, edge.after as usize);
                let mut added = order.added.iter().filter(|added| added.by == pair.by);
                let known =
                    added.any(|added| (added.before, added.after) == (edge.before, edge.after));
                known && (a == u || run.has(a, u)) && (v == b || run.has(v, b))
            };
            let one = |t: usize| self.plan.tasks[t].stream;
            let so = match pair.through {
                Some(edge) => through(edge),
                None => pair.by == AddedBy::Stream && one(a) == one(b),
            };
            if !so {
                return self.wrong(format_args!("{place}.through"), "it does not lead there");
            }
        }
        Ok(())
    }

    /// Something is done in it.
    fn works(&self, task: usize) -> bool {
        self.plan.tasks[task].kind != TaskKind::Hold
    }

    /// What completes before each task by `edges`, which go with the order of issue.
    fn closed(&self, edges: impl Iterator<Item = (u32, u32)>) -> Rows {
        let count = self.plan.tasks.len();
        let mut direct = vec![Vec::new(); count];
        edges.for_each(|(a, b)| direct[b as usize].push(a as usize));
        let mut rows = Rows(vec![vec![0u64; count.div_ceil(64)]; count]);
        for &task in &self.plan.order.issue {
            let mut row = std::mem::take(&mut rows.0[task as usize]);
            for &before in &direct[task as usize] {
                row.iter_mut()
                    .zip(&rows.0[before])
                    .for_each(|(to, from)| *to |= from);
                row[before / 64] |= 1 << (before % 64);
            }
            rows.0[task as usize] = row;
        }
        rows
    }

    /// Pairs of tasks that do something.
    fn pairs(&self, rows: &Rows) -> u64 {
        let works: Vec<usize> = (0..rows.0.len()).filter(|&t| self.works(t)).collect();
        let mut mask = vec![0u64; rows.0.len().div_ceil(64)];
        works.iter().for_each(|t| mask[t / 64] |= 1 << (t % 64));
        let of = |&t: &usize| {
            rows.0[t]
                .iter()
                .zip(&mask)
                .map(|(a, b)| u64::from((a & b).count_ones()))
                .sum::<u64>()
        };
        works.iter().map(of).sum()
    }
}

/// For each task, those that complete before it starts.
struct Rows(Vec<Vec<u64>>);

impl Rows {
    fn has(&self, a: usize, b: usize) -> bool {
        self.0[b][a / 64] >> (a % 64) & 1 == 1
    }
}
