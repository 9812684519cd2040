//! Random sources, and programs for them: right ones by construction, and sloppy ones.

mod again;

use std::collections::BTreeSet;

use gpu_graph_runtime::table::*;

use crate::tables::{Owned, OwnedExpr};

/// A small generator, the same everywhere.
pub struct Rng(pub u64);

impl Rng {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    pub fn below(&mut self, n: usize) -> usize {
        (self.next() % n as u64) as usize
    }

    pub fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    pub fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())]
    }
}

fn fraction(dim: u16, mul: i64, add: i64, div: i64) -> Term {
    Term {
        scale: 1,
        dim,
        mul,
        add,
        div,
    }
}

/// Rows that accesses may name, for a resource of the rows of each list's last bound.
struct Shape {
    rows: u32,
    bounds: Vec<u32>,
}

/// Builds one graph, tracking what is written at the dims it is for.
struct Builder<'r> {
    g: Owned,
    rng: &'r mut Rng,
    /// Per resource, which rows hold a value.
    written: Vec<Vec<bool>>,
    shapes: Vec<Shape>,
    shape_of: Vec<usize>,
    /// Per resource, what it is a copy of.
    copy_of: Vec<Option<u32>>,
}

/// A random source; it is right, and has at least one output.
pub fn source(rng: &mut Rng) -> Owned {
    let mut g = Owned::new();
    let (h, w) = (1 + rng.below(8) as u64, rng.below(4) as u64);
    g.dims = vec![
        Dim {
            name: "h",
            min: 1,
            max: 9,
        },
        Dim {
            name: "w",
            min: 0,
            max: 4,
        },
    ];
    g.at = vec![h, w];
    let factor = |dim| OwnedExpr {
        constant: 0,
        terms: vec![fraction(dim, 1, 0, 1)],
    };
    g.products = vec![vec![factor(0), factor(1)]];
    let all = g.expr(0, &[fraction(0, 1, 0, 1)]);
    let half = g.expr(0, &[fraction(0, 1, 0, 2)]);
    let third = g.expr(0, &[fraction(0, 1, 2, 3)]);
    let (zero, one, four) = (g.expr(0, &[]), g.expr(1, &[]), g.expr(4, &[]));
    let wide = g.expr(0, &[fraction(1, 1, 0, 1)]);
    // Flat, and half of it: perhaps between two rows of the same elements in the other shape.
    let flat = g.expr(0, &[fraction(2, 1, 0, 1)]);
    let middle = g.expr(0, &[fraction(2, 1, 0, 2)]);
    let shapes = vec![
        Shape {
            rows: all,
            bounds: vec![zero, third, half, all],
        },
        Shape {
            rows: four,
            bounds: vec![zero, one, four],
        },
        Shape {
            rows: wide,
            bounds: vec![zero, wide],
        },
        Shape {
            rows: flat,
            bounds: vec![zero, middle, flat],
        },
    ];
    let mut b = Builder {
        g,
        rng,
        written: vec![],
        shapes,
        shape_of: vec![],
        copy_of: vec![],
    };
    for _ in 0..1 + b.rng.below(2) {
        let class = b.rng.pick(&[Class::Input, Class::InputMut]);
        let input = b.resource(class);
        b.g.upload(input);
        b.written[input as usize].fill(true);
    }
    for class in [Class::Resident, Class::Inout] {
        if b.rng.chance(35) {
            let kept = b.resource(class);
            b.written[kept as usize].fill(true);
        }
    }
    for _ in 0..2 + b.rng.below(6) {
        match b.rng.below(13) {
            0 | 1 => b.moved(),
            2 => b.hold(),
            3..=5 => b.again(),
            _ => b.statement(),
        }
    }
    b.outputs();
    b.extras();
    let updates = b.g.resources.iter().any(|r| r.class == Class::Inout);
    b.g.depth = if updates {
        1
    } else {
        1 + b.rng.below(3) as u32
    };
    b.g
}

impl Builder<'_> {
    fn value(&self, expr: u32) -> usize {
        let OwnedExpr { constant, terms } = &self.g.exprs[expr as usize];
        Expr {
            constant: *constant,
            terms,
        }
        .eval(&self.g.numbers())
        .unwrap() as usize
    }

    fn resource(&mut self, class: Class) -> u32 {
        let shape = self.rng.pick(&[0, 0, 0, 1, 1, 2, 3]);
        let rows = self.shapes[shape].rows;
        let four = self.shapes[1].rows;
        let elem = self.rng.pick(&[Elem::U8, Elem::F32, Elem::F32, Elem::I16]);
        let dims = if self.rng.chance(30) {
            vec![rows, four]
        } else {
            vec![rows]
        };
        self.written.push(vec![false; self.value(rows)]);
        self.shape_of.push(shape);
        self.copy_of.push(None);
        self.g.resource(class, elem, &dims)
    }

    fn writable(&self, resource: u32) -> bool {
        let class = self.g.resources[resource as usize].class;
        let copy = self.copy_of[resource as usize].is_some();
        !copy && !matches!(class, Class::Input | Class::Resident)
    }

    fn rows(&mut self, resource: u32) -> Rows {
        if self.rng.chance(50) {
            return Rows::All;
        }
        let bounds = self.shapes[self.shape_of[resource as usize]].bounds.clone();
        let (a, b) = (self.rng.pick(&bounds), self.rng.pick(&bounds));
        if self.value(a) <= self.value(b) {
            Rows::Span(a, b)
        } else {
            Rows::Span(b, a)
        }
    }

    fn range(&self, resource: u32, rows: Rows) -> std::ops::Range<usize> {
        match rows {
            Rows::All => 0..self.written[resource as usize].len(),
            Rows::Span(a, b) => self.value(a)..self.value(b),
        }
    }

    fn readable(&self, resource: u32, rows: Rows) -> bool {
        self.written[resource as usize][self.range(resource, rows)]
            .iter()
            .all(|w| *w)
    }

    fn free(&self, taken: &[(u32, Mode, Rows)], resource: u32, rows: Rows, writes: bool) -> bool {
        taken.iter().all(|&(r, mode, other)| {
            let (a, b) = (self.range(resource, rows), self.range(r, other));
            r != resource
                || !(writes || mode != Mode::Read)
                || a.start.max(b.start) >= a.end.min(b.end)
        })
    }

    fn statement(&mut self) {
        let mut accesses = vec![];
        for _ in 0..1 + self.rng.below(2) {
            let r = self.rng.below(self.written.len()) as u32;
            let rows = self.rows(r);
            let update = self.writable(r) && self.rng.chance(20);
            let staged = accesses
                .first()
                .is_some_and(|a: &(u32, _, _)| self.staged(a.0));
            if (accesses.is_empty() || staged == self.staged(r))
                && self.readable(r, rows)
                && self.free(&accesses, r, rows, update)
            {
                accesses.push((r, if update { Mode::ReadWrite } else { Mode::Read }, rows));
            }
        }
        let old = self.rng.below(self.written.len()) as u32;
        let staged = accesses.first().is_some_and(|a| self.staged(a.0));
        let fill = self.writable(old) && staged == self.staged(old) && self.rng.chance(35);
        let result = if fill {
            old
        } else {
            let class = match staged {
                true => Class::Staging,
                false if self.rng.chance(10) => Class::Workspace,
                false => Class::Transient,
            };
            self.resource(class)
        };
        // An operand of the same shape and type may be updated in place.
        let mut in_place = None;
        if !fill
            && self.rng.chance(60)
            && let Some(i) = accesses
                .iter()
                .position(|a| a.1 == Mode::Read && a.2 == Rows::All)
        {
            let x = accesses[i].0 as usize;
            let (elem, shape) = (self.g.resources[x].elem, self.g.resources[x].shape.clone());
            self.g.resources[result as usize].elem = elem;
            self.g.resources[result as usize].shape = shape;
            self.shape_of[result as usize] = self.shape_of[x];
            self.written[result as usize] = vec![false; self.written[x].len()];
            in_place = Some(i as u8);
        }
        let rows = if fill || self.rng.chance(30) {
            self.rows(result)
        } else {
            Rows::All
        };
        if self.free(&accesses, result, rows, true) {
            accesses.push((result, Mode::Overwrite, rows));
            let range = self.range(result, rows);
            self.written[result as usize][range].fill(true);
        }
        for (r, ..) in accesses.iter().filter(|a| a.1 != Mode::Read) {
            self.outdated(*r);
        }
        self.g.launch(in_place, &accesses);
    }

    /// A copy of something to a new resource on either side, or a fill of one.
    fn moved(&mut self) {
        let r = self.rng.below(self.written.len()) as u32;
        let rows = self.rows(r);
        let class = self.rng.pick(&[Class::Transient, Class::Staging]);
        let to = self.resource(class);
        if !self.readable(r, rows) || self.rng.chance(30) {
            let rows = self.rows(to);
            let range = self.range(to, rows);
            self.written[to as usize][range].fill(true);
            self.g.task(TaskKind::Fill, &[(to, Mode::Overwrite, rows)]);
            return;
        }
        let from = self.g.resources[r as usize].clone();
        self.g.resources[to as usize].elem = from.elem;
        self.g.resources[to as usize].shape = from.shape;
        self.shape_of[to as usize] = self.shape_of[r as usize];
        self.written[to as usize] = vec![false; self.written[r as usize].len()];
        let range = self.range(to, rows);
        self.written[to as usize][range].fill(true);
        let both = [(r, Mode::Read, rows), (to, Mode::Overwrite, rows)];
        self.g.task(TaskKind::Copy, &both);
    }

    /// Something stays as it is up to here.
    fn hold(&mut self) {
        let since = self.g.tasks.len() as u32 - 1;
        let hold = TaskKind::Hold { since };
        // What the last task writes may be unfinished until something later.
        let last = self.g.tasks[since as usize];
        let span = last.accesses.start as usize..(last.accesses.start + last.accesses.len) as usize;
        let mut written = self.g.accesses[span].iter();
        let written = written.rfind(|a| a.mode != Mode::Read).copied();
        if let Some(Access { resource, rows, .. }) = written
            && matches!(last.kind, TaskKind::Kernel(_))
            && self.writable(resource)
            && self.rng.chance(50)
        {
            // Others go on meanwhile, with something else.
            let other = self.rng.below(self.written.len()) as u32;
            let of_other = self.rows(other);
            if other != resource && self.readable(other, of_other) {
                self.g.launch(None, &[(other, Mode::Read, of_other)]);
            }
            self.outdated(resource);
            self.g.task(hold, &[(resource, Mode::ReadWrite, rows)]);
            return;
        }
        let r = self.rng.below(self.written.len()) as u32;
        let rows = self.rows(r);
        if self.readable(r, rows) {
            self.g.task(hold, &[(r, Mode::Read, rows)]);
        }
    }

    fn staged(&self, resource: u32) -> bool {
        self.g.resources[resource as usize].class == Class::Staging
    }

    fn outputs(&mut self) {
        for r in 0..self.written.len() {
            let full = self.written[r].iter().all(|w| *w);
            let copy = self.copy_of[r].is_some();
            let inner = self.g.resources[r].class == Class::Transient;
            if full && inner && !copy && self.rng.chance(40) {
                self.g.resources[r].class = Class::Output;
            }
        }
        let y = self.resource(Class::Output);
        self.g.launch(None, &[(y, Mode::Overwrite, Rows::All)]);
    }

    /// Scalars, dims, launch geometry and orders.
    fn extras(&mut self) {
        self.g.params = self.rng.below(3) as u32;
        for t in 0..self.g.tasks.len() {
            let TaskKind::Kernel(k) = self.g.tasks[t].kind else {
                continue;
            };
            let kernel = k as usize;
            let mut pairs = self.g.again.iter();
            if let Some(&(_, of)) = pairs.find(|(task, _)| *task as usize == t) {
                self.passes_the_same(t, of as usize);
                continue;
            }
            if self.rng.chance(40) {
                let start = self.g.scalars.len() as u32;
                let scalar = match self.rng.below(3) {
                    0 => Scalar::Extent(self.rng.below(self.g.exprs.len()) as u32),
                    1 if self.g.params > 0 => Scalar::Param(self.g.params - 1),
                    _ => Scalar::Const(7),
                };
                self.g.scalars.push(scalar);
                self.g.tasks[t].scalars = Span::new(start, 1);
                self.g.kernels[kernel].params += 4;
            }
            if self.rng.chance(40) {
                let start = self.g.bindings.len() as u32;
                self.g
                    .bindings
                    .push(self.rng.below(self.g.exprs.len()) as u32);
                self.g.tasks[t].dims = Span::new(start, 1);
                self.g.kernels[kernel].params += 8;
                let over = OwnedExpr {
                    constant: 1,
                    terms: vec![fraction(0, 1, 0, 1)],
                };
                let constant = OwnedExpr {
                    constant: 64,
                    terms: vec![],
                };
                let axes = 1 + self.rng.below(3);
                self.g.kernels[kernel].over = [vec![over], vec![constant; axes - 1]].concat();
                self.g.kernels[kernel].block = [vec![64, 4], vec![4; 1]].concat()[..axes].to_vec();
                self.g.kernels[kernel].shared = self.rng.pick(&[0, 1024, 49_152]);
            }
        }
        for _ in 0..self.rng.below(3) {
            let (a, b) = (
                self.rng.below(self.g.tasks.len()),
                self.rng.below(self.g.tasks.len()),
            );
            if a != b {
                self.g.orders.push((a.min(b) as u32, a.max(b) as u32));
            }
        }
    }
}

/// The bytes of every access in its resource, at the dims.
fn ranges(g: &Owned) -> (Vec<u64>, Vec<std::ops::Range<u64>>) {
    let numbers = g.numbers();
    g.with(|s, _| {
        let value = |e: u32| s.exprs[e as usize].eval(&numbers).unwrap();
        let row = |r: usize| {
            let resource = &s.resources[r];
            resource.elem.size()
                * resource.shape[1..]
                    .iter()
                    .map(|&e| value(e))
                    .product::<u64>()
        };
        let size = |r: usize| row(r) * value(s.resources[r].shape[0]);
        let of = |a: &Access| {
            let r = a.resource as usize;
            match a.rows {
                Rows::All => 0..size(r),
                Rows::Span(lo, hi) => value(lo) * row(r)..value(hi) * row(r),
            }
        };
        (
            (0..s.resources.len()).map(size).collect(),
            s.accesses.iter().map(of).collect(),
        )
    })
}

fn accesses(g: &Owned, task: usize) -> std::ops::Range<usize> {
    let span = g.tasks[task].accesses;
    span.start as usize..(span.start + span.len) as usize
}

/// Completes `g` with a right program: a random layout that reuses storage, a random order that
/// keeps every conflict, events wherever a conflict crosses streams.
pub fn schedule(g: &mut Owned, rng: &mut Rng) {
    let (sizes, ranges) = ranges(g);
    let tasks = g.tasks.len();
    // From first to last use, in statement order.
    let mut life = vec![(usize::MAX, 0); sizes.len()];
    for t in 0..tasks {
        for a in accesses(g, t) {
            let l = &mut life[g.accesses[a].resource as usize];
            *l = (l.0.min(t), t);
        }
    }
    for (r, l) in life.iter_mut().enumerate() {
        if g.resources[r].class == Class::Output {
            l.1 = tasks;
        }
    }
    let mut forms = vec![Form::Apart; tasks];
    layout(g, rng, &sizes, &life, &mut forms);

    let place = |g: &Owned, a: usize| {
        let offset = g.slots[g.accesses[a].resource as usize].offset;
        offset + ranges[a].start..offset + ranges[a].end
    };
    let mut before = vec![BTreeSet::new(); tasks];
    for (y, before) in before.iter_mut().enumerate() {
        for x in 0..y {
            let conflict = accesses(g, x).any(|a| {
                accesses(g, y).any(|b| {
                    let (ra, rb) = (place(g, a), place(g, b));
                    let writes =
                        g.accesses[a].mode != Mode::Read || g.accesses[b].mode != Mode::Read;
                    writes && ra.start.max(rb.start) < ra.end.min(rb.end)
                })
            });
            if conflict || g.orders.contains(&(x as u32, y as u32)) {
                before.insert(x);
            }
        }
    }
    g.ring = g.depth;
    let touches = |g: &Owned, op: &Op, r: usize| {
        matches!(*op, Op::Launch { task, .. }
            if accesses(g, task as usize).any(|a| g.accesses[a].resource as usize == r))
    };
    g.streams = 1 + rng.below((16 / g.ring as usize).min(8)) as u8;
    let (mut issue, mut done) = (vec![], BTreeSet::new());
    let mut stream = vec![0; tasks];
    let mut events = 0;
    let mut event = vec![None; tasks];
    let mut known: Vec<BTreeSet<usize>> = vec![BTreeSet::new(); g.streams as usize];
    let mut at_event: Vec<BTreeSet<usize>> = vec![BTreeSet::new(); tasks];
    while done.len() < tasks {
        let ready: Vec<usize> = (0..tasks)
            .filter(|t| !done.contains(t) && before[*t].is_subset(&done))
            .collect();
        let t = rng.pick(&ready);
        let s = rng.below(g.streams as usize);
        stream[t] = s;
        for &b in &before[t] {
            // Mostly only where the stream does not know it already.
            if !known[s].contains(&b) || stream[b] != s && rng.chance(10) {
                issue.push(Op::Wait {
                    stream: s as u8,
                    event: event[b].unwrap(),
                });
                let more = at_event[b].clone();
                known[s].extend(more);
            }
        }
        issue.push(Op::Launch {
            task: t as u32,
            stream: s as u8,
            form: forms[t],
        });
        known[s].insert(t);
        issue.push(Op::Record {
            event: events,
            stream: s as u8,
        });
        event[t] = Some(events);
        at_event[t] = known[s].clone();
        events += 1;
        done.insert(t);
    }
    let mut gates = vec![];
    for s in 0..g.streams {
        issue.push(Op::Record {
            event: events,
            stream: s,
        });
        gates.push(Op::Gate { event: events });
        events += 1;
    }
    if rng.chance(30) {
        let wait = Op::WaitPrev {
            stream: rng.below(g.streams as usize) as u8,
            event: events - 1,
        };
        let at = if g.ring > 1 {
            rng.below(issue.len() + 1)
        } else {
            0
        };
        issue.insert(at, wait);
    }
    // Anywhere before its first use, and anywhere behind its last.
    for r in 0..sizes.len() {
        if g.resources[r].class.persists() {
            let resource = r as u32;
            let used = |op: &Op| touches(g, op, r);
            let last = issue.iter().rposition(used).map_or(0, |i| i + 1);
            let to = last + rng.below(issue.len() + 1 - last);
            issue.insert(to, Op::Release { resource });
            let first = issue.iter().position(used).unwrap_or(to);
            issue.insert(rng.below(first + 1), Op::Acquire { resource });
        }
    }
    gates.extend(issue);
    g.issue = gates;
    g.events = events;
    for r in 0..sizes.len() {
        if g.resources[r].class == Class::Output {
            for (t, event) in event.iter().enumerate() {
                let writes = |a: usize| {
                    g.accesses[a].resource as usize == r && g.accesses[a].mode != Mode::Read
                };
                if accesses(g, t).any(writes) {
                    g.collect.push(HostOp::Wait {
                        event: event.unwrap(),
                    });
                }
            }
            g.collect.push(HostOp::Read { resource: r as u32 });
        }
    }
    if rng.chance(50) {
        let bytes = (g.arena + g.pinned) * g.ring as u64 + g.store;
        g.budget = Some(bytes + rng.pick(&[0, 0, 1000]));
    }
}

/// Where slots are until they are placed: apart from all others.
const STORE: u64 = 1 << 40;

fn layout(
    g: &mut Owned,
    rng: &mut Rng,
    sizes: &[u64],
    life: &[(usize, usize)],
    forms: &mut [Form],
) {
    let split = rng.chance(20);
    for r in &mut g.resources {
        r.domain = u8::from(split && rng.chance(50));
        if r.domain == 1 && rng.chance(50) {
            r.domain = 15;
        }
    }
    for (task, of) in g.again.clone() {
        for (a, b) in accesses(g, task as usize).zip(accesses(g, of as usize)) {
            if g.accesses[a].mode != Mode::Read {
                let like = g.resources[g.accesses[b].resource as usize].domain;
                g.resources[g.accesses[a].resource as usize].domain = like;
            }
        }
    }
    let far = Slot {
        offset: STORE,
        bytes: 0,
    };
    g.slots = vec![far; sizes.len()];
    let mut end = 0;
    for domain in [0, 1, 15] {
        end = region(g, rng, sizes, life, forms, (domain, false), end);
    }
    g.arena = end;
    let kept = g.resources.iter().map(|r| r.class.persists());
    for (slot, (_, &bytes)) in
        std::iter::zip(&mut g.slots, kept.zip(sizes)).filter(|(_, (kept, _))| *kept)
    {
        let offset = end + 256 * rng.below(2) as u64;
        *slot = Slot { offset, bytes };
        end = room(offset + bytes);
    }
    g.store = end - g.arena;
    for domain in [15, 0, 1] {
        end = region(g, rng, sizes, life, forms, (domain, true), end);
    }
    g.pinned = end - g.arena - g.store;
    for a in 0..sizes.len() {
        for b in 0..sizes.len() {
            let (x, y) = (g.slots[a], g.slots[b]);
            if a != b && x.offset == y.offset && rng.chance(20) {
                g.aliases.push((a as u32, b as u32));
            }
            let apart = x.offset + sizes[a] <= y.offset || y.offset + sizes[b] <= x.offset;
            if a < b && apart && rng.chance(10) {
                g.separate.push((a as u32, b as u32));
            }
        }
    }
}

/// Places the resources of one domain, staging or not, from `base` on; returns the end.
fn region(
    g: &mut Owned,
    rng: &mut Rng,
    sizes: &[u64],
    life: &[(usize, usize)],
    forms: &mut [Form],
    (domain, staged): (u8, bool),
    base: u64,
) -> u64 {
    let mut end = base;
    let inside = |g: &Owned, r: usize| {
        let resource = &g.resources[r];
        let kept = resource.class.persists();
        !kept && resource.domain == domain && (resource.class == Class::Staging) == staged
    };
    for r in 0..sizes.len() {
        if !inside(g, r) {
            continue;
        }
        let meets = |g: &Owned, offset: u64, except: usize| {
            (0..g.slots.len()).any(|o| {
                let apart = g.slots[o].offset + sizes[o] <= offset
                    || offset + sizes[r] <= g.slots[o].offset;
                let shares = life[o].0 <= life[r].1 && life[r].0 <= life[o].1;
                o != except && !apart && shares && sizes[o] > 0 && sizes[r] > 0
            })
        };
        let offset = base + 256 * rng.below(1 + ((end - base) / 256) as usize) as u64;
        let mut slot = if rng.chance(80) && !meets(g, offset, usize::MAX) {
            offset
        } else {
            end
        };
        // In place: the operand ends and the result begins at this task.
        let t = life[r].0;
        if t < forms.len()
            && let TaskKind::Kernel(k) = g.tasks[t].kind
            && let Some(i) = g.kernels[k as usize].in_place
        {
            let span = accesses(g, t);
            let (x, y) = (
                g.accesses[span.start + i as usize],
                g.accesses[span.end - 1],
            );
            let o = x.resource as usize;
            if y.resource as usize == r
                && y.rows == Rows::All
                && g.resources[o].class == Class::Transient
                && life[o].1 == t
                && span
                    .filter(|&a| g.accesses[a].resource as usize == o)
                    .count()
                    == 1
                && o < r
                && inside(g, o)
                && !meets(g, g.slots[o].offset, o)
                && rng.chance(80)
            {
                slot = g.slots[o].offset;
                forms[t] = Form::InPlace;
            }
        }
        let bytes = sizes[r] + rng.pick(&[0, 0, 8]);
        g.slots[r] = Slot {
            offset: slot,
            bytes,
        };
        end = end.max(room(slot + bytes));
    }
    end
}

fn room(bytes: u64) -> u64 {
    bytes.div_ceil(256) * 256
}

/// Spoils a right program here and there, as a bad planner would.
pub fn spoil(g: &mut Owned, rng: &mut Rng) {
    let percent = rng.pick(&[3, 10, 30]);
    g.issue
        .retain(|op| !(matches!(op, Op::Wait { .. }) && rng.chance(percent)));
    for i in 0..g.issue.len() {
        if i > 0 && rng.chance(percent / 3) {
            g.issue.swap(i - 1, i);
        }
        if let Op::Launch { stream, .. } = &mut g.issue[i]
            && rng.chance(percent / 3)
        {
            *stream = rng.below(g.streams as usize) as u8;
        }
    }
    for slot in &mut g.slots {
        if rng.chance(percent / 3) {
            slot.offset = 256 * rng.below(1 + (g.arena / 256) as usize) as u64;
        }
    }
    g.aliases.clear();
    g.separate.clear();
}
