//! Values that are made again in random sources.

use gpu_graph_runtime::table::*;

use super::{Builder, accesses};
use crate::tables::Owned;

impl Builder<'_> {
    /// Some task once more, with results of its own, where what it reads is as it was.
    pub(super) fn again(&mut self) {
        let written = |g: &Owned, t: usize| !g.again.iter().any(|(task, _)| *task as usize == t);
        let of: Vec<usize> = (0..self.g.tasks.len())
            .filter(|&t| {
                let kind = self.g.tasks[t].kind;
                let moves = matches!(kind, TaskKind::Upload | TaskKind::Hold { .. });
                let stays = |a: usize| match self.g.accesses[a] {
                    Access {
                        resource,
                        mode: Mode::Read,
                        rows,
                    } => self.stays(t, resource, rows),
                    access => access.mode == Mode::Overwrite,
                };
                !moves && written(&self.g, t) && accesses(&self.g, t).all(stays)
            })
            .collect();
        if of.is_empty() {
            return;
        }
        let of = self.rng.pick(&of);
        let mut list = vec![];
        for a in accesses(&self.g, of) {
            let Access {
                resource,
                mode,
                rows,
            } = self.g.accesses[a];
            let r = match mode {
                Mode::Read => self.same_content(resource, rows),
                _ => self.copy(of, resource, rows),
            };
            list.push((r, mode, rows));
        }
        let task = self.g.task(self.g.tasks[of].kind, &list);
        self.g.again.push((task, of as u32));
    }

    /// No task behind `task` writes any of these rows.
    fn stays(&self, task: usize, resource: u32, rows: Rows) -> bool {
        let range = self.range(resource, rows);
        (task + 1..self.g.tasks.len()).all(|t| {
            accesses(&self.g, t).all(|a| {
                let Access {
                    resource: r,
                    mode,
                    rows,
                } = self.g.accesses[a];
                let other = self.range(resource, if r == resource { rows } else { Rows::All });
                let apart = range.start.max(other.start) >= range.end.min(other.end);
                r != resource || mode == Mode::Read || apart
            })
        })
    }

    /// The resource, or what is a copy of it with all of these rows.
    fn same_content(&mut self, resource: u32, rows: Rows) -> u32 {
        let root = self.copy_of[resource as usize].unwrap_or(resource);
        let alike = (0..self.written.len() as u32).filter(|&r| {
            let one = r == root || self.copy_of[r as usize] == Some(root);
            one && self.readable(r, rows)
        });
        let alike: Vec<u32> = alike.collect();
        // A copy may be older than what it is a copy of is now, and was read when it was not.
        if !self.readable(resource, rows) || self.rng.chance(40) {
            return resource;
        }
        self.rng.pick(&alike)
    }

    /// A copy of what task `of` writes in `rows` of a resource.
    fn copy(&mut self, of: usize, resource: u32, rows: Rows) -> u32 {
        let like = self.g.resources[resource as usize].clone();
        let class = match like.class {
            Class::Staging => Class::Staging,
            Class::Workspace => Class::Workspace,
            _ => Class::Transient,
        };
        let to = self.resource(class);
        self.g.resources[to as usize].elem = like.elem;
        self.g.resources[to as usize].shape = like.shape;
        self.shape_of[to as usize] = self.shape_of[resource as usize];
        self.copy_of[to as usize] = Some(resource);
        let mut rows_of = vec![false; self.written[resource as usize].len()];
        for row in self.range(resource, rows) {
            rows_of[row] = (of + 1..self.g.tasks.len()).all(|t| {
                accesses(&self.g, t).all(|a| {
                    let access = self.g.accesses[a];
                    access.resource != resource
                        || access.mode == Mode::Read
                        || !self.range(resource, access.rows).contains(&row)
                })
            });
        }
        self.written[to as usize] = rows_of;
        to
    }

    /// What writes `resource` leaves its copies as they were, which are read no more.
    pub(super) fn outdated(&mut self, resource: u32) {
        for copy in 0..self.copy_of.len() {
            if self.copy_of[copy] == Some(resource) {
                self.written[copy].fill(false);
            }
        }
    }

    /// Task `t` has the scalars and dims of task `of`, in entries of its own.
    pub(super) fn passes_the_same(&mut self, t: usize, of: usize) {
        let Task { scalars, dims, .. } = self.g.tasks[of];
        let start = self.g.scalars.len() as u32;
        let own = scalars.start as usize..(scalars.start + scalars.len) as usize;
        self.g.scalars.extend_from_within(own);
        self.g.tasks[t].scalars = Span::new(start, scalars.len);
        let start = self.g.bindings.len() as u32;
        let own = dims.start as usize..(dims.start + dims.len) as usize;
        self.g.bindings.extend_from_within(own);
        self.g.tasks[t].dims = Span::new(start, dims.len);
    }
}
