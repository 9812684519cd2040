//! Every field of a source and a program, changed one at a time.

use gpu_graph_runtime::table::*;

use crate::random::Rng;
use crate::tables::Owned;

/// Calls `f` with each changed copy of `g`, and what was changed.
pub fn each(g: &Owned, rng: &mut Rng, f: &mut impl FnMut(&str, &Owned)) {
    let mut m = Mutator { g, rng, f };
    m.program();
    m.ops();
    m.source();
    m.kernels();
    m.tasks();
}

struct Mutator<'a, F> {
    g: &'a Owned,
    rng: &'a mut Rng,
    f: &'a mut F,
}

/// Values near `v`.
fn near(v: u64, rng: &mut Rng) -> [u64; 5] {
    [
        v.wrapping_add(1),
        v.wrapping_sub(1),
        0,
        rng.next() % (2 * v.min(1 << 40) + 3),
        u64::MAX,
    ]
}

fn small(v: u32, below: u32, rng: &mut Rng) -> Vec<u32> {
    let mut all = vec![v + 1, v.wrapping_sub(1), 0, u32::MAX];
    if below > 0 {
        all.extend([rng.next() as u32 % below, below, below - 1]);
    }
    all
}

impl<F: FnMut(&str, &Owned)> Mutator<'_, F> {
    fn change(&mut self, what: &str, change: impl FnOnce(&mut Owned)) {
        let mut copy = self.g.clone();
        change(&mut copy);
        if copy != *self.g {
            (self.f)(what, &copy);
        }
    }

    fn list<T: Copy>(&mut self, what: &str, get: fn(&mut Owned) -> &mut Vec<T>, extra: &[T]) {
        let len = get(&mut self.g.clone()).len();
        for i in 0..len {
            self.change(&format!("drop {what}"), |g| {
                let _ = get(g).remove(i);
            });
            self.change(&format!("double {what}"), |g| {
                let v = get(g)[i];
                get(g).insert(i, v);
            });
            if i > 0 {
                self.change(&format!("swap {what}"), |g| get(g).swap(i - 1, i));
            }
            let j = self.rng.below(len);
            self.change(&format!("move {what}"), |g| {
                let v = get(g).remove(i);
                get(g).insert(j, v);
            });
        }
        for &v in extra {
            let i = self.rng.below(len + 1);
            self.change(&format!("add {what}"), |g| get(g).insert(i, v));
        }
    }

    fn program(&mut self) {
        let g = self.g;
        for v in small(g.ring, 4, self.rng) {
            self.change("ring", |g| g.ring = v);
        }
        for v in small(g.streams as u32, 9, self.rng) {
            self.change("streams", |g| g.streams = v as u8);
        }
        for v in [g.events + 1, g.events.wrapping_sub(1), 0, g.events + 100] {
            self.change("events", |g| g.events = v);
        }
        for v in near(g.arena, self.rng) {
            self.change("arena", |g| g.arena = v);
        }
        for v in near(g.store, self.rng) {
            self.change("store", |g| g.store = v);
        }
        for v in near(g.pinned, self.rng) {
            self.change("pinned", |g| g.pinned = v);
        }
        for i in 0..g.slots.len() {
            let (offset, bytes) = (g.slots[i].offset, g.slots[i].bytes);
            let other = g.slots[self.rng.below(g.slots.len())].offset;
            let steps = [offset + 256, offset.wrapping_sub(256), offset + 128, other];
            for v in steps.into_iter().chain(near(offset, self.rng)) {
                self.change("slot offset", |g| g.slots[i].offset = v);
            }
            for v in near(bytes, self.rng) {
                self.change("slot bytes", |g| g.slots[i].bytes = v);
            }
        }
        self.list(
            "slot",
            |g| &mut g.slots,
            &[Slot {
                offset: 0,
                bytes: 0,
            }],
        );
    }

    fn ops(&mut self) {
        let (tasks, events, streams) = (
            self.g.tasks.len() as u32,
            self.g.events,
            self.g.streams as u32,
        );
        for i in 0..self.g.issue.len() {
            let (event, stream, task, form) = match self.g.issue[i] {
                Op::Gate { event } => (Some(event), None, None, None),
                Op::Acquire { resource } | Op::Release { resource } => {
                    for v in small(resource, self.g.resources.len() as u32, self.rng) {
                        self.change("resource of op", |g| {
                            g.issue[i] = Op::Acquire { resource: v }
                        });
                        self.change("resource of op", |g| {
                            g.issue[i] = Op::Release { resource: v }
                        });
                    }
                    continue;
                }
                Op::Launch { task, stream, form } => (None, Some(stream), Some(task), Some(form)),
                Op::Record { event, stream }
                | Op::Wait { stream, event }
                | Op::WaitPrev { stream, event } => (Some(event), Some(stream), None, None),
            };
            let with = |event: Option<u32>, stream: Option<u8>, task, form| {
                move |g: &mut Owned| match &mut g.issue[i] {
                    Op::Gate { event: e } => *e = event.unwrap(),
                    Op::Acquire { .. } | Op::Release { .. } => unreachable!("changed above"),
                    Op::Launch {
                        task: t,
                        stream: s,
                        form: f,
                    } => {
                        (*t, *s, *f) =
                            (Option::unwrap(task), stream.unwrap(), Option::unwrap(form));
                    }
                    Op::Record {
                        event: e,
                        stream: s,
                    }
                    | Op::Wait {
                        stream: s,
                        event: e,
                    }
                    | Op::WaitPrev {
                        stream: s,
                        event: e,
                    } => {
                        (*e, *s) = (event.unwrap(), stream.unwrap());
                    }
                }
            };
            if let Some(e) = event {
                for v in small(e, events, self.rng) {
                    self.change("event of op", with(Some(v), stream, task, form));
                }
            }
            if let Some(s) = stream {
                for v in small(s as u32, streams, self.rng) {
                    self.change("stream of op", with(event, Some(v as u8), task, form));
                }
                if let Some(event) = event {
                    let kinds = [
                        Op::Record { event, stream: s },
                        Op::Wait { stream: s, event },
                        Op::WaitPrev { stream: s, event },
                        Op::Gate { event },
                    ];
                    for op in kinds {
                        self.change("kind of op", |g| g.issue[i] = op);
                    }
                }
            }
            if let Some(t) = task {
                for v in small(t, tasks, self.rng) {
                    self.change("task of op", with(event, stream, Some(v), form));
                }
                for v in [Form::Apart, Form::InPlace] {
                    self.change("form of op", with(event, stream, task, Some(v)));
                }
            }
        }
        let event = self.rng.below(events as usize + 1) as u32;
        let stream = self.rng.below(streams as usize) as u8;
        let extra = [
            Op::Wait { stream, event },
            Op::WaitPrev { stream, event },
            Op::Record { event, stream },
            Op::Gate { event },
            Op::Acquire { resource: 0 },
            Op::Release { resource: 0 },
        ];
        self.list("op", |g| &mut g.issue, &extra);
        for i in 0..self.g.collect.len() {
            match self.g.collect[i] {
                HostOp::Wait { event } => {
                    for v in small(event, events, self.rng) {
                        self.change("host wait", |g| g.collect[i] = HostOp::Wait { event: v });
                    }
                }
                HostOp::Read { resource } => {
                    for v in small(resource, self.g.resources.len() as u32, self.rng) {
                        self.change("host read", |g| g.collect[i] = HostOp::Read { resource: v });
                    }
                }
            }
        }
        self.list("host op", |g| &mut g.collect, &[HostOp::Wait { event }]);
    }

    fn source(&mut self) {
        let g = self.g;
        let (resources, exprs) = (g.resources.len() as u32, g.exprs.len() as u32);
        for v in small(g.depth, 4, self.rng) {
            self.change("depth", |g| g.depth = v);
        }
        for v in [
            None,
            Some(0),
            Some(g.arena),
            Some(((g.arena + g.pinned) * g.ring as u64 + g.store).wrapping_sub(1)),
            Some(u64::MAX),
        ] {
            self.change("budget", |g| g.budget = v);
        }
        for v in small(g.params, 3, self.rng) {
            self.change("params", |g| g.params = v);
        }
        for i in 0..g.dims.len() {
            self.change("dim min", |g| g.dims[i].min += 1);
            self.change("dim min", |g| g.dims[i].min = g.at[i] + 1);
            self.change("dim max", |g| g.dims[i].max -= 1);
            self.change("dim max", |g| {
                g.dims[i].max = g.at[i] - u64::from(g.at[i] > 0)
            });
        }
        self.list("dim", |g| &mut g.dims, &[]);
        for i in 0..g.products.len() {
            for f in 0..g.products[i].len() {
                for by in [1, -1, i64::MAX / 2] {
                    self.change("factor", |g| g.products[i][f].constant += by);
                    self.change("factor", |g| g.products[i][f].terms[0].scale += by);
                }
                self.change("dim of factor", |g| g.products[i][f].terms[0].dim ^= 1);
                self.change("dim of factor", |g| g.products[i][f].terms[0].dim = 2);
                self.change("drop factor", |g| {
                    let _ = g.products[i].remove(f);
                });
            }
            self.change("drop product", |g| {
                let _ = g.products.remove(i);
            });
        }
        self.change("product of nothing", |g| g.products.insert(0, vec![]));
        for i in 0..g.exprs.len() {
            for v in [
                g.exprs[i].constant + 1,
                g.exprs[i].constant - 1,
                i64::MAX,
                i64::MIN,
                -1,
            ] {
                self.change("constant", |g| g.exprs[i].constant = v);
            }
            for t in 0..g.exprs[i].terms.len() {
                for by in [1, -1, -2, i64::MAX / 2] {
                    self.change("scale", |g| g.exprs[i].terms[t].scale += by);
                    self.change("mul", |g| g.exprs[i].terms[t].mul += by);
                    self.change("add", |g| g.exprs[i].terms[t].add += by);
                    self.change("div", |g| g.exprs[i].terms[t].div += by);
                }
                self.change("dim of term", |g| g.exprs[i].terms[t].dim ^= 1);
                self.change("dim of term", |g| g.exprs[i].terms[t].dim = 7);
                self.change("drop term", |g| {
                    let _ = g.exprs[i].terms.remove(t);
                });
            }
        }
        for i in 0..g.resources.len() {
            for v in [
                Class::Input,
                Class::Transient,
                Class::Output,
                Class::Resident,
                Class::Inout,
                Class::Workspace,
                Class::Staging,
                Class::InputMut,
            ] {
                self.change("class", |g| g.resources[i].class = v);
            }
            for v in [0, 1, 15, 16, 255] {
                self.change("domain", |g| g.resources[i].domain = v);
            }
            for v in [Elem::U8, Elem::I16, Elem::F32, Elem::U32, Elem::F64] {
                self.change("elem", |g| g.resources[i].elem = v);
            }
            for d in 0..g.resources[i].shape.len() {
                for v in small(g.resources[i].shape[d], exprs, self.rng) {
                    self.change("shape", |g| g.resources[i].shape[d] = v);
                }
                self.change("drop extent", |g| {
                    let _ = g.resources[i].shape.remove(d);
                });
            }
            self.change("add extent", |g| g.resources[i].shape.push(0));
        }
        let pair = (
            self.rng.below(g.tasks.len()) as u32,
            self.rng.below(g.tasks.len()) as u32,
        );
        self.list(
            "order",
            |g| &mut g.orders,
            &[pair, (pair.1, pair.0), (0, u32::MAX)],
        );
        let pair = (
            self.rng.below(g.slots.len()) as u32,
            self.rng.below(g.slots.len()) as u32,
        );
        self.list("alias", |g| &mut g.aliases, &[pair, (resources, 0)]);
        self.list("separate", |g| &mut g.separate, &[pair, (0, resources)]);
        self.again();
        for i in 0..g.orders.len() {
            self.change("order turned", |g| {
                g.orders[i] = (g.orders[i].1, g.orders[i].0)
            });
        }
    }

    fn again(&mut self) {
        let tasks = self.g.tasks.len();
        let (a, b) = (self.rng.below(tasks) as u32, self.rng.below(tasks) as u32);
        let extra = [(a, b), (b, a), (a, a), (tasks as u32, 0)];
        self.list("repetition", |g| &mut g.again, &extra);
        for i in 0..self.g.again.len() {
            let (task, of) = self.g.again[i];
            for v in small(task, tasks as u32, self.rng) {
                self.change("repetition", |g| g.again[i].0 = v);
            }
            for v in small(of, tasks as u32, self.rng) {
                self.change("original", |g| g.again[i].1 = v);
            }
        }
    }

    fn kernels(&mut self) {
        for k in 0..self.g.kernels.len() {
            let kernel = &self.g.kernels[k];
            for v in [kernel.shared + 1, 49_152, 49_153, u32::MAX] {
                self.change("shared", |g| g.kernels[k].shared = v);
            }
            for v in [
                kernel.params + 1,
                kernel.params.wrapping_sub(1),
                4096,
                4097,
                0,
            ] {
                self.change("params of kernel", |g| g.kernels[k].params = v);
            }
            self.change("callback", |g| {
                g.kernels[k].callback = !g.kernels[k].callback;
            });
            for v in [None, Some(0), Some(1), Some(2), Some(255)] {
                self.change("in place", |g| g.kernels[k].in_place = v);
            }
            for i in 0..kernel.block.len() {
                for v in [0, 1, kernel.block[i] + 1, 64, 65, 1024, 1025, u32::MAX] {
                    self.change("block", |g| g.kernels[k].block[i] = v);
                }
                for v in [-1, 0, 65_535 * 64, 65_535 * 64 + 1, i64::MAX] {
                    self.change("over", |g| g.kernels[k].over[i].constant = v);
                }
                self.change("drop block", |g| {
                    let _ = g.kernels[k].block.remove(i);
                });
                self.change("drop over", |g| {
                    let _ = g.kernels[k].over.remove(i);
                });
            }
        }
    }

    fn tasks(&mut self) {
        let g = self.g;
        let (exprs, resources) = (g.exprs.len() as u32, g.resources.len() as u32);
        for t in 0..g.tasks.len() {
            let since = self.rng.below(g.tasks.len() + 1) as u32;
            let hold = TaskKind::Hold { since };
            for v in [TaskKind::Upload, TaskKind::Fill, TaskKind::Copy, hold] {
                self.change("kind", |g| g.tasks[t].kind = v);
            }
            for v in small(0, g.kernels.len() as u32, self.rng) {
                self.change("kernel", |g| g.tasks[t].kind = TaskKind::Kernel(v));
            }
            for by in [1, u32::MAX, 1000] {
                self.change("accesses start", |g| {
                    wrap(&mut g.tasks[t].accesses.start, by)
                });
                self.change("accesses len", |g| wrap(&mut g.tasks[t].accesses.len, by));
                self.change("scalars start", |g| wrap(&mut g.tasks[t].scalars.start, by));
                self.change("scalars len", |g| wrap(&mut g.tasks[t].scalars.len, by));
                self.change("dims start", |g| wrap(&mut g.tasks[t].dims.start, by));
                self.change("dims len", |g| wrap(&mut g.tasks[t].dims.len, by));
            }
        }
        let holds = g
            .tasks
            .iter()
            .filter(|t| matches!(t.kind, TaskKind::Hold { .. }));
        let held: Vec<Access> = holds
            .filter_map(|t| g.accesses.get(t.accesses.start as usize).copied())
            .filter(|a| a.mode != Mode::Read)
            .collect();
        for a in 0..g.accesses.len() {
            for unfinished in &held {
                let mode = Mode::Read;
                let early = Access {
                    mode,
                    ..*unfinished
                };
                self.change("early use", |g| g.accesses[a] = early);
            }
            for v in small(g.accesses[a].resource, resources, self.rng) {
                self.change("resource of access", |g| g.accesses[a].resource = v);
            }
            for v in [Mode::Read, Mode::ReadWrite, Mode::Overwrite] {
                self.change("mode", |g| g.accesses[a].mode = v);
            }
            self.change("rows", |g| g.accesses[a].rows = Rows::All);
            for _ in 0..3 {
                let (lo, hi) = (
                    self.rng.below(g.exprs.len()),
                    self.rng.below(g.exprs.len() + 1),
                );
                self.change("rows", |g| {
                    g.accesses[a].rows = Rows::Span(lo as u32, hi as u32)
                });
            }
        }
        let extra = Access {
            resource: 0,
            mode: Mode::Read,
            rows: Rows::All,
        };
        self.list("access", |g| &mut g.accesses, &[extra]);
        for i in 0..g.scalars.len() {
            for v in [
                Scalar::Param(0),
                Scalar::Param(9),
                Scalar::Extent(0),
                Scalar::Extent(exprs),
            ] {
                self.change("scalar", |g| g.scalars[i] = v);
            }
        }
        self.list("scalar", |g| &mut g.scalars, &[]);
        for i in 0..g.bindings.len() {
            for v in small(g.bindings[i], exprs, self.rng) {
                self.change("binding", |g| g.bindings[i] = v);
            }
        }
        self.list("binding", |g| &mut g.bindings, &[]);
        self.list("task", |g| &mut g.tasks, &[]);
    }
}

fn wrap(field: &mut u32, by: u32) {
    *field = field.wrapping_add(by);
}
