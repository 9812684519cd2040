//! A judge that shares nothing with the verifier: happens-before as an explicit graph over several
//! runs, its transitive closure, every pair of accesses, and one execution byte by byte.
//!
//! A program is right iff its tables are well formed, every two conflicting accesses of one memory
//! cell are ordered, and executing it in one order that happens-before admits gives every read what
//! the source says. The cells of an instance are its arena's bytes and its argument block, which
//! the host writes before each run of the instance and every launch reads.

use std::collections::BTreeMap;

use gpu_graph_runtime::table::*;

use crate::history::{History, Step};

pub type Verdict = Result<(), String>;

/// `what` is wrong unless `condition`.
pub fn must(condition: bool, what: &str) -> Verdict {
    if condition {
        Ok(())
    } else {
        Err(what.to_string())
    }
}

/// Whether the program is right for these dims, or one thing that is wrong with it.
pub fn judge(s: &Source<'_>, p: &Program<'_>, dims: &[u64]) -> Verdict {
    let facts = Facts::of(s, dims)?;
    facts.well_formed(s, p)?;
    let wanted = facts.wanted(s)?;
    crate::twice::judge(s, &facts.values, &facts.ranges)?;
    // The caller may read every output or none; then nobody has waited for what makes them.
    for host_reads in [true, false] {
        let history = History::of(s, p, host_reads)?;
        facts.races(s, p, &history)?;
        facts.execute(s, p, &history, &wanted)?;
    }
    Ok(())
}

fn eval(e: &Expr<'_>, dims: &[u64]) -> Result<u64, String> {
    let mut sum = e.constant as i128;
    for t in e.terms {
        let dim = *dims
            .get(t.dim as usize)
            .ok_or("an expression names no dim")?;
        must(t.div >= 1, "an expression divides by less than 1")?;
        let top = (t.mul as i128)
            .checked_mul(dim as i128)
            .and_then(|m| m.checked_add(t.add as i128));
        let floor = top.ok_or("overflow")?.div_euclid(t.div as i128);
        sum = floor
            .checked_mul(t.scale as i128)
            .and_then(|m| m.checked_add(sum))
            .ok_or("overflow")?;
    }
    u64::try_from(sum).map_err(|_| "an expression is negative or too large".into())
}

/// Half-open range of bytes.
pub type Bytes = std::ops::Range<u64>;

fn overlap(a: &Bytes, b: &Bytes) -> bool {
    a.start.max(b.start) < a.end.min(b.end)
}

/// The source at given dims.
struct Facts {
    values: Vec<u64>,
    sizes: Vec<u64>,
    /// Bytes of each access inside its resource.
    ranges: Vec<Bytes>,
}

/// In place of a task: what was there before the run.
const BEFORE: u32 = u32::MAX;

/// For each task, each byte that it reads and the task that must have written it.
struct Wanted {
    reads: Vec<Vec<(u32, u64, u32)>>,
    last: BTreeMap<(u32, u64), u32>,
}

impl Facts {
    fn of(s: &Source<'_>, dims: &[u64]) -> Result<Self, String> {
        must(dims.len() == s.dims.len(), "number of dims")?;
        for (d, v) in s.dims.iter().zip(dims) {
            must(d.min <= *v && *v <= d.max, "a dim is out of range")?;
        }
        let mut dims = dims.to_vec();
        for factors in s.products {
            let mut factors = factors.iter().map(|e| eval(e, &dims));
            let product = factors.try_fold(1u64, |product, factor| {
                let product = product.checked_mul(factor?);
                product.ok_or_else(|| "a product overflows".to_owned())
            });
            dims.push(product?);
        }
        let values = s
            .exprs
            .iter()
            .map(|e| eval(e, &dims))
            .collect::<Result<Vec<_>, _>>()?;
        let value = |i: u32| {
            values
                .get(i as usize)
                .copied()
                .ok_or("no such expression".to_string())
        };
        let (mut sizes, mut rows) = (vec![], vec![]);
        for r in s.resources {
            must(!r.shape.is_empty(), "no shape")?;
            let mut size = r.elem.size() as u128;
            let mut row = 0;
            for &e in r.shape.iter().rev() {
                row = size;
                size *= value(e)? as u128;
                must(size <= i64::MAX as u128, "a size overflows")?;
            }
            sizes.push(size as u64);
            rows.push((value(r.shape[0])?, row as u64));
        }
        let mut ranges = vec![];
        for a in s.accesses {
            let &(all, row) = rows.get(a.resource as usize).ok_or("no such resource")?;
            let (lo, hi) = match a.rows {
                Rows::All => (0, all),
                Rows::Span(lo, hi) => (value(lo)?, value(hi)?),
            };
            must(lo <= hi && hi <= all, "rows leave the resource")?;
            ranges.push(lo * row..hi * row);
        }
        Ok(Self {
            values,
            sizes,
            ranges,
        })
    }

    /// Bytes of an access in the arena.
    fn place(&self, s: &Source<'_>, p: &Program<'_>, access: usize) -> Bytes {
        let offset = p.slots[s.accesses[access].resource as usize].offset;
        offset + self.ranges[access].start..offset + self.ranges[access].end
    }

    fn well_formed(&self, s: &Source<'_>, p: &Program<'_>) -> Verdict {
        must(
            s.depth >= 1 && p.ring >= 1 && p.streams >= 1,
            "nothing to run on",
        )?;
        must(p.ring as u64 * p.streams as u64 <= 16, "too many streams")?;
        // Gates are for the run that last used the instance. Too few instances are found as a race.
        must(p.ring <= s.depth, "more instances than runs in flight")?;
        let all = (p.arena as u128 + p.pinned as u128) * p.ring as u128 + p.store as u128;
        must(
            all <= s
                .budget
                .map_or(i64::MAX as u128, |b| (b as u128).min(i64::MAX as u128)),
            "budget",
        )?;
        must(p.slots.len() == s.resources.len(), "number of slots")?;
        must(
            p.arena as u128 + p.store as u128 + p.pinned as u128 <= i64::MAX as u128,
            "storage cannot be addressed",
        )?;
        let mut stored = p.arena;
        for ((slot, size), r) in p.slots.iter().zip(&self.sizes).zip(s.resources) {
            must(slot.offset % 256 == 0, "a slot is not aligned")?;
            let end = slot.offset as u128 + slot.bytes as u128;
            if matches!(r.class, Class::Resident | Class::Inout) {
                must(p.arena.is_multiple_of(256), "the store is not aligned")?;
                must(slot.offset >= stored, "a slot of the store is shared")?;
                must(
                    end <= p.arena as u128 + p.store as u128,
                    "a slot leaves the store",
                )?;
                stored = end as u64;
                let alone = r.class == Class::Resident || p.ring == 1;
                must(alone, "several runs in flight update one resource")?;
            } else if r.class == Class::Staging {
                let first = p.arena as u128 + p.store as u128;
                must(
                    first <= slot.offset as u128 && end <= first + p.pinned as u128,
                    "a slot leaves pinned memory",
                )?;
            } else {
                must(end <= p.arena as u128, "a slot leaves the arena")?;
            }
            must(r.domain < 16, "too many domains")?;
            must(*size <= slot.bytes, "a slot is too small")?;
        }
        self.isolated(s, p)?;
        let resources = s.resources.len() as u32;
        for &(a, b) in s.aliases {
            must(a < resources && b < resources, "an alias of nothing")?;
            must(
                p.slots[a as usize].offset == p.slots[b as usize].offset,
                "not an alias",
            )?;
        }
        for &(a, b) in s.separate {
            must(a < resources && b < resources, "a separation of nothing")?;
            let bytes = |r: u32| {
                let offset = p.slots[r as usize].offset;
                offset..offset + self.sizes[r as usize]
            };
            must(!overlap(&bytes(a), &bytes(b)), "not separate")?;
        }
        for scalar in s.scalars {
            must(
                match *scalar {
                    Scalar::Const(_) => true,
                    Scalar::Param(i) => i < s.params,
                    Scalar::Extent(e) => (e as usize) < s.exprs.len(),
                },
                "a scalar of nothing",
            )?;
        }
        for &b in s.bindings {
            must((b as usize) < s.exprs.len(), "a binding of nothing")?;
        }
        for &(a, b) in s.orders {
            must((a.max(b) as usize) < s.tasks.len(), "an order of nothing")?;
        }
        self.kernels(s)?;
        self.tasks(s)?;
        for op in p.issue {
            let (stream, event, task) = match *op {
                Op::Gate { event } => (0, Some(event), 0),
                Op::Acquire { resource } | Op::Release { resource } => {
                    let class = s.resources.get(resource as usize).map(|r| r.class);
                    let persists = matches!(class, Some(Class::Resident | Class::Inout));
                    must(persists, "nothing to acquire or release")?;
                    continue;
                }
                Op::Launch { task, stream, .. } => (stream, None, task),
                Op::Record { event, stream } => (stream, Some(event), 0),
                Op::Wait { stream, event } | Op::WaitPrev { stream, event } => {
                    (stream, Some(event), 0)
                }
            };
            must(stream < p.streams, "no such stream")?;
            must(event.is_none_or(|e| e < p.events), "no such event")?;
            must(task == 0 || (task as usize) < s.tasks.len(), "no such task")?;
        }
        let first = p.issue.iter().position(|op| !matches!(op, Op::Gate { .. }));
        let rest = &p.issue[first.unwrap_or(p.issue.len())..];
        must(
            !rest.iter().any(|op| matches!(op, Op::Gate { .. })),
            "a late gate",
        )?;
        for t in 0..s.tasks.len() as u32 {
            let times = p
                .issue
                .iter()
                .filter(|op| matches!(op, Op::Launch { task, .. } if *task == t));
            must(times.count() == 1, "a task is not issued once")?;
        }
        self.held(s, p)?;
        for op in p.issue {
            if let Op::Launch { task, form, .. } = *op {
                self.apart(s, p, task as usize, form)?;
            }
        }
        let mut read = vec![0; s.resources.len()];
        for op in p.collect {
            match *op {
                HostOp::Wait { event } => must(event < p.events, "no such event")?,
                HostOp::Read { resource } => {
                    must(resource < resources, "no such resource")?;
                    read[resource as usize] += 1;
                }
            }
        }
        for (r, times) in s.resources.iter().zip(read) {
            must(
                times == i32::from(r.class == Class::Output),
                "outputs are not collected once",
            )?;
        }
        Ok(())
    }

    /// Slots of one domain all lie before or all behind those of another.
    fn isolated(&self, s: &Source<'_>, p: &Program<'_>) -> Verdict {
        let hull = |domain: u8, staging: bool| {
            let all = s.resources.iter().zip(p.slots);
            let of = all.filter(|(r, slot)| {
                let kept = matches!(r.class, Class::Resident | Class::Inout);
                let staged = r.class == Class::Staging;
                r.domain == domain && slot.bytes > 0 && !kept && staged == staging
            });
            let of: Vec<_> = of.map(|(_, slot)| *slot).collect();
            let from = of.iter().map(|slot| slot.offset).min()?;
            let to = of.iter().map(|slot| slot.offset + slot.bytes).max()?;
            Some(from..to)
        };
        let hulls: Vec<Bytes> = (0..16)
            .flat_map(|domain| [hull(domain, false), hull(domain, true)])
            .flatten()
            .collect();
        for a in 0..hulls.len() {
            for b in 0..a {
                must(!overlap(&hulls[a], &hulls[b]), "two domains share storage")?;
            }
        }
        Ok(())
    }

    /// What outlives runs is acquired and released once each, and touched only in between.
    fn held(&self, s: &Source<'_>, p: &Program<'_>) -> Verdict {
        for (r, resource) in s.resources.iter().enumerate() {
            if !matches!(resource.class, Class::Resident | Class::Inout) {
                continue;
            }
            let at = |wanted: fn(u32) -> Op| {
                let all = p.issue.iter().enumerate();
                all.filter(|(_, op)| **op == wanted(r as u32))
                    .map(|(i, _)| i)
                    .collect::<Vec<_>>()
            };
            let acquires = at(|resource| Op::Acquire { resource });
            let releases = at(|resource| Op::Release { resource });
            let ([from], [to]) = (&acquires[..], &releases[..]) else {
                return Err("not acquired and released once".into());
            };
            must(from < to, "released before it is acquired")?;
            for (i, op) in p.issue.iter().enumerate() {
                let Op::Launch { task, .. } = *op else {
                    continue;
                };
                let span = s.tasks[task as usize].accesses;
                for a in span.start as usize..(span.start + span.len) as usize {
                    let touches =
                        s.accesses[a].resource as usize == r && !self.ranges[a].is_empty();
                    must(!touches || (from < &i && &i < to), "touched while not held")?;
                }
            }
        }
        Ok(())
    }

    fn kernels(&self, s: &Source<'_>) -> Verdict {
        for k in s.kernels {
            must(k.shared <= 48 * 1024, "shared memory")?;
            must(k.params <= 4096, "parameters")?;
            must(k.over.len() <= 3 && k.over.len() == k.block.len(), "axes")?;
            let threads: u128 = k.block.iter().map(|&b| b as u128).product();
            must((1..=1024).contains(&threads), "threads")?;
            let z = if k.block.len() == 3 { k.block[0] } else { 1 };
            must(z <= 64, "threads along z")?;
        }
        Ok(())
    }

    fn tasks(&self, s: &Source<'_>) -> Verdict {
        let mut uploads = vec![0; s.resources.len()];
        let mut used = 0;
        for t in s.tasks {
            let end = |span: Span| span.start as u64 + span.len as u64;
            must(end(t.accesses) <= s.accesses.len() as u64, "no such access")?;
            must(end(t.scalars) <= s.scalars.len() as u64, "no such scalar")?;
            must(end(t.dims) <= s.bindings.len() as u64, "no such binding")?;
            must(t.accesses.start >= used, "tasks share an access")?;
            used = t.accesses.start + t.accesses.len;
            let accesses = &s.accesses[t.accesses.start as usize..used as usize];
            match t.kind {
                TaskKind::Upload => {
                    must(accesses.len() == 1, "an upload of several")?;
                    let a = accesses[0];
                    must(
                        a.mode == Mode::Overwrite && a.rows == Rows::All,
                        "an upload of a part",
                    )?;
                    let class = s.resources[a.resource as usize].class;
                    must(
                        matches!(class, Class::Input | Class::InputMut),
                        "an upload of no input",
                    )?;
                    uploads[a.resource as usize] += 1;
                }
                TaskKind::Fill | TaskKind::Copy => {
                    let modes: Vec<_> = accesses.iter().map(|a| a.mode).collect();
                    let (to, wanted) = match t.kind {
                        TaskKind::Fill => (0, vec![Mode::Overwrite]),
                        _ => (1, vec![Mode::Read, Mode::Overwrite]),
                    };
                    must(modes == wanted, "no such fill or copy")?;
                    let class = s.resources[accesses[to].resource as usize].class;
                    must(
                        !matches!(class, Class::Input | Class::Resident),
                        "an input is written",
                    )?;
                    let len = |i: usize| {
                        let range = &self.ranges[t.accesses.start as usize + i];
                        range.end - range.start
                    };
                    must(len(0) == len(to), "a copy of another length")?;
                }
                TaskKind::Hold { since } => {
                    must(
                        accesses.iter().all(|a| a.mode != Mode::Overwrite),
                        "a hold overwrites",
                    )?;
                    let at = s.tasks.iter().position(|o| std::ptr::eq(o, t)).unwrap();
                    must((since as usize) < at, "a hold for a later task")?;
                }
                TaskKind::Kernel(k) => {
                    let k = s.kernels.get(k as usize).ok_or("no such kernel")?;
                    for a in accesses.iter().filter(|a| a.mode != Mode::Read) {
                        let class = s.resources[a.resource as usize].class;
                        must(
                            !matches!(class, Class::Input | Class::Resident),
                            "a kernel writes an input",
                        )?;
                    }
                    for a in accesses {
                        let staged = s.resources[a.resource as usize].class == Class::Staging;
                        must(staged == k.callback, "memory of the other side")?;
                    }
                    let needs =
                        8 * (accesses.len() as u64 + t.dims.len as u64) + t.scalars.len as u64;
                    must(needs <= k.params as u64, "the parameter block is too small")?;
                    let bound = &s.bindings[t.dims.start as usize..][..t.dims.len as usize];
                    let dims: Vec<_> = bound.iter().map(|&b| self.values[b as usize]).collect();
                    let axes = k.over.len();
                    for (i, (over, &block)) in k.over.iter().zip(k.block).enumerate() {
                        let blocks = eval(over, &dims)?.div_ceil(block as u64);
                        let most = if i + 1 == axes { (1 << 31) - 1 } else { 65_535 };
                        must(blocks <= most, "the grid is too large")?;
                    }
                }
            }
        }
        for (r, n) in s.resources.iter().zip(uploads) {
            must(
                n == i32::from(matches!(r.class, Class::Input | Class::InputMut)),
                "an input without its one upload",
            )?;
        }
        Ok(())
    }

    /// No write of a task overlaps another of its accesses, but for the in-place pair.
    fn apart(&self, s: &Source<'_>, p: &Program<'_>, task: usize, form: Form) -> Verdict {
        let t = &s.tasks[task];
        let span = t.accesses.start as usize..(t.accesses.start + t.accesses.len) as usize;
        let mut exempt = None;
        if form == Form::InPlace {
            let TaskKind::Kernel(k) = t.kind else {
                return Err("an upload in place".into());
            };
            let index = s.kernels[k as usize]
                .in_place
                .ok_or("not an in-place kernel")? as usize;
            must(index + 1 < span.len(), "no such operand")?;
            let (x, y) = (span.start + index, span.end - 1);
            let (rx, ry) = (
                s.accesses[x].resource as usize,
                s.accesses[y].resource as usize,
            );
            must(s.accesses[x].mode == Mode::Read, "the operand is not read")?;
            must(
                s.accesses[y].mode == Mode::Overwrite,
                "the result is not written",
            )?;
            must(
                !matches!(s.resources[rx].class, Class::Input | Class::Resident),
                "an input in place",
            )?;
            must(
                s.resources[rx].elem == s.resources[ry].elem,
                "element types differ",
            )?;
            must(
                self.place(s, p, x) == self.place(s, p, y),
                "operand and result differ",
            )?;
            must(rx != ry, "operand and result are one resource")?;
            exempt = Some((x, y));
        }
        for x in span.clone() {
            for y in x + 1..span.end {
                let writes = s.accesses[x].mode != Mode::Read || s.accesses[y].mode != Mode::Read;
                let both = overlap(&self.place(s, p, x), &self.place(s, p, y));
                must(
                    !(writes && both) || exempt == Some((x, y)),
                    "a task overlaps itself",
                )?;
            }
        }
        Ok(())
    }

    fn wanted(&self, s: &Source<'_>) -> Result<Wanted, String> {
        let mut last = BTreeMap::new();
        for (r, resource) in s.resources.iter().enumerate() {
            if matches!(resource.class, Class::Resident | Class::Inout) {
                last.extend((0..self.sizes[r]).map(|byte| ((r as u32, byte), BEFORE)));
            }
        }
        let mut reads = vec![];
        for (t, task) in s.tasks.iter().enumerate() {
            let span =
                task.accesses.start as usize..(task.accesses.start + task.accesses.len) as usize;
            let mut seen = vec![];
            for a in span
                .clone()
                .filter(|&a| s.accesses[a].mode != Mode::Overwrite)
            {
                for byte in self.ranges[a].clone() {
                    let r = s.accesses[a].resource;
                    let writer = last.get(&(r, byte)).ok_or("a read of what nothing wrote")?;
                    if let TaskKind::Hold { since } = task.kind {
                        let kept = *writer == BEFORE || *writer <= since;
                        must(kept, "a write of what is held")?;
                        if s.accesses[a].mode != Mode::Read {
                            must(*writer == since, "another write of what is unfinished")?;
                            let between = reads[since as usize + 1..].iter().chain([&seen]);
                            let early = between.flatten().any(|(x, y, _)| (*x, *y) == (r, byte));
                            must(!early, "a read of what is unfinished")?;
                        }
                    }
                    seen.push((r, byte, *writer));
                }
            }
            reads.push(seen);
            for a in span.filter(|&a| s.accesses[a].mode != Mode::Read) {
                for byte in self.ranges[a].clone() {
                    last.insert((s.accesses[a].resource, byte), t as u32);
                }
            }
        }
        for (r, resource) in s.resources.iter().enumerate() {
            for byte in 0..self.sizes[r] {
                let written = last.contains_key(&(r as u32, byte));
                must(
                    resource.class != Class::Output || written,
                    "an output is not written",
                )?;
            }
        }
        Ok(Wanted { reads, last })
    }

    /// Accesses of a step in the arena.
    fn touched(&self, s: &Source<'_>, p: &Program<'_>, step: &Step) -> Vec<(Bytes, bool)> {
        match *step {
            Step::Launch { task } => {
                let span = s.tasks[task as usize].accesses;
                (span.start as usize..(span.start + span.len) as usize)
                    .map(|a| (self.place(s, p, a), s.accesses[a].mode != Mode::Read))
                    .collect()
            }
            Step::HostRead { resource } => {
                let offset = p.slots[resource as usize].offset;
                vec![(offset..offset + self.sizes[resource as usize], false)]
            }
            Step::SetUp | Step::Sync => vec![],
        }
    }

    fn races(&self, s: &Source<'_>, p: &Program<'_>, h: &History) -> Verdict {
        let touched: Vec<_> = h
            .nodes
            .iter()
            .map(|n| self.touched(s, p, &n.step))
            .collect();
        for y in 0..h.nodes.len() {
            for x in 0..y {
                let (a, b) = (&h.nodes[x], &h.nodes[y]);
                if a.instance != b.instance {
                    continue;
                }
                let conflict = match (&a.step, &b.step) {
                    (Step::SetUp, Step::Launch { .. }) | (Step::Launch { .. }, Step::SetUp) => true,
                    _ => touched[x].iter().any(|(ra, wa)| {
                        touched[y]
                            .iter()
                            .any(|(rb, wb)| (*wa || *wb) && overlap(ra, rb))
                    }),
                };
                let ordered = h.before(x, y);
                if conflict && !ordered {
                    return Err(format!("race of {a:?} and {b:?}"));
                }
                if let (Step::Launch { task: a_task }, Step::Launch { task: b_task }) =
                    (&a.step, &b.step)
                    && a.run == b.run
                {
                    let demanded = s.orders.contains(&(*a_task, *b_task));
                    must(!demanded || ordered, "an order is not kept")?;
                    must(
                        !s.orders.contains(&(*b_task, *a_task)),
                        "an order is turned around",
                    )?;
                }
            }
        }
        must(
            s.orders.iter().all(|(a, b)| a != b),
            "a task ordered behind itself",
        )
    }

    fn execute(&self, s: &Source<'_>, p: &Program<'_>, h: &History, wanted: &Wanted) -> Verdict {
        let mut memory: BTreeMap<(u32, u64), (u64, u32, u64, u32)> = BTreeMap::new();
        for n in &h.nodes {
            match n.step {
                Step::Launch { task } => {
                    for &(r, byte, writer) in &wanted.reads[task as usize] {
                        let at = p.slots[r as usize].offset + byte;
                        let found = memory.get(&(n.instance, at));
                        if found != Some(&(n.run, r, byte, writer)) {
                            return Err(format!("{n:?} reads {found:?}"));
                        }
                    }
                    let span = s.tasks[task as usize].accesses;
                    for a in span.start as usize..(span.start + span.len) as usize {
                        if s.accesses[a].mode != Mode::Read {
                            let r = s.accesses[a].resource;
                            for byte in self.ranges[a].clone() {
                                let at = p.slots[r as usize].offset + byte;
                                memory.insert((n.instance, at), (n.run, r, byte, task));
                            }
                        }
                    }
                }
                Step::HostRead { resource: r } => {
                    for byte in 0..self.sizes[r as usize] {
                        let at = p.slots[r as usize].offset + byte;
                        let expected = (n.run, r, byte, wanted.last[&(r, byte)]);
                        let found = memory.get(&(n.instance, at));
                        if found != Some(&expected) {
                            return Err(format!("{n:?} reads {found:?}"));
                        }
                    }
                }
                // The run takes over what the one before left. Instances share what none writes.
                Step::SetUp => {
                    for (&(r, byte), &last) in &wanted.last {
                        let class = s.resources[r as usize].class;
                        if !matches!(class, Class::Resident | Class::Inout) {
                            continue;
                        }
                        let cell = (n.instance, p.slots[r as usize].offset + byte);
                        if let Some(before) = n.run.checked_sub(p.ring as u64) {
                            let found = memory.get(&cell);
                            if found != Some(&(before, r, byte, last)) {
                                return Err(format!("{n:?} takes over {found:?}"));
                            }
                        }
                        memory.insert(cell, (n.run, r, byte, BEFORE));
                    }
                }
                Step::Sync => {}
            }
        }
        Ok(())
    }
}
