//! Time to verify a program at load, by number of tasks: one arena-wide buffer, then as many small
//! ones over it, on four streams; values that are made again; and time to place a program anew.
//! `cargo bench -p gpu-graph-runtime --bench verify`.

use gpu_graph_runtime::exec::{Image, Placement};
use gpu_graph_runtime::table::*;
use gpu_graph_runtime::verify::verify;

const STREAMS: u32 = 4;

struct Tables {
    resources: Vec<Resource<'static>>,
    tasks: Vec<Task>,
    accesses: Vec<Access>,
    slots: Vec<Slot>,
    issue: Vec<Op>,
}

impl Tables {
    fn resource(&mut self, class: Class, shape: &'static [u32], slot: Slot) -> u32 {
        let elem = Elem::U8;
        self.resources.push(Resource {
            name: "r",
            class,
            elem,
            domain: 0,
            shape,
        });
        self.slots.push(slot);
        self.resources.len() as u32 - 1
    }

    fn task(&mut self, reads: &[u32], result: u32, stream: u32) {
        let start = self.accesses.len() as u32;
        let of = |mode| {
            move |&resource| Access {
                resource,
                mode,
                rows: Rows::All,
            }
        };
        self.accesses.extend(reads.iter().map(of(Mode::Read)));
        self.accesses
            .extend([result].iter().map(of(Mode::Overwrite)));
        let none = Span::new(0, 0);
        let kind = TaskKind::Kernel(0);
        let accesses = Span::new(start, self.accesses.len() as u32 - start);
        let (task, form) = (self.tasks.len() as u32, Form::Apart);
        self.tasks.push(Task {
            kind,
            accesses,
            scalars: none,
            dims: none,
        });
        self.issue.push(Op::Launch {
            task,
            stream: stream as u8,
            form,
        });
    }
}

fn graph(small: u32) -> Tables {
    let mut t = Tables {
        resources: vec![],
        tasks: vec![],
        accesses: vec![],
        slots: vec![],
        issue: (0..STREAMS).map(|s| Op::Gate { event: s + 1 }).collect(),
    };
    let wide = u64::from(small) * 256;
    let of = |i: u64| Slot {
        offset: i * 256,
        bytes: 256,
    };
    let big = t.resource(
        Class::Transient,
        &[1],
        Slot {
            offset: 0,
            bytes: wide,
        },
    );
    let sum = t.resource(Class::Transient, &[0], of(u64::from(small)));
    t.task(&[], big, 0);
    t.task(&[big], sum, 0);
    t.issue.push(Op::Record {
        event: 0,
        stream: 0,
    });
    t.issue.extend((1..STREAMS).map(|s| Op::Wait {
        stream: s as u8,
        event: 0,
    }));
    let mut last = [sum; STREAMS as usize];
    for i in 0..small {
        // A permutation, so that no two neighbours in time are neighbours in the arena.
        let at = u64::from(i) * 7919 % u64::from(small);
        let r = t.resource(Class::Transient, &[0], of(at));
        let stream = i % STREAMS;
        t.task(&[last[stream as usize]], r, stream);
        last[stream as usize] = r;
    }
    t.issue.extend((0..STREAMS).map(|s| Op::Record {
        event: s + 1,
        stream: s as u8,
    }));
    t
}

fn main() {
    divan::main();
}

#[divan::bench(args = [100, 1_000, 10_000])]
fn arena_wide_over_small(bencher: divan::Bencher<'_, '_>, small: u32) {
    verified(bencher, &graph(small), &[]);
}

/// A value and its reader, and both once more, so often that there are as many tasks.
#[divan::bench(args = [100, 1_000, 10_000])]
fn every_second_value_again(bencher: divan::Bencher<'_, '_>, tasks: u32) {
    let (t, again) = remade(tasks);
    verified(bencher, &t, &again);
}

/// The same tasks, of which none is known to make a value again.
#[divan::bench(args = [100, 1_000, 10_000])]
fn the_same_without_pairs(bencher: divan::Bencher<'_, '_>, tasks: u32) {
    verified(bencher, &remade(tasks).0, &[]);
}

fn remade(tasks: u32) -> (Tables, Vec<(u32, u32)>) {
    let mut t = Tables {
        resources: vec![],
        tasks: vec![],
        accesses: vec![],
        slots: vec![],
        issue: (0..STREAMS).map(|s| Op::Gate { event: s + 1 }).collect(),
    };
    let of = |i: u32| Slot {
        offset: u64::from(i) * 256,
        bytes: 256,
    };
    let base = t.resource(Class::Transient, &[0], of(0));
    t.task(&[], base, 0);
    let mut again = Vec::new();
    for i in 0..tasks / 4 {
        let made = [0, 1].map(|twice| {
            let [value, end] = [1, 2].map(|at| of(4 * i + 2 * twice + at));
            let value = t.resource(Class::Transient, &[0], value);
            let end = t.resource(Class::Transient, &[0], end);
            t.task(&[base], value, 0);
            t.task(&[value], end, 0);
            t.tasks.len() as u32 - 2
        });
        again.push((made[1], made[0]));
    }
    t.issue.extend((0..STREAMS).map(|s| Op::Record {
        event: s + 1,
        stream: s as u8,
    }));
    (t, again)
}

fn verified(bencher: divan::Bencher<'_, '_>, t: &Tables, again: &[(u32, u32)]) {
    let arena = t.slots.iter().map(|slot| slot.offset + slot.bytes).max();
    let arena = arena.unwrap_or(0);
    let exprs = [256, arena as i64 - 256].map(|constant| Expr {
        constant,
        terms: &[],
    });
    let kernel = Kernel {
        name: "k",
        over: &[],
        block: &[],
        shared: 0,
        params: 64,
        callback: false,
        in_place: None,
    };
    let source = Source {
        name: "bench",
        exprs: &exprs,
        resources: &t.resources,
        kernels: &[kernel],
        tasks: &t.tasks,
        accesses: &t.accesses,
        again,
        ..Source::EMPTY
    };
    let program = Program {
        ring: 1,
        streams: STREAMS as u8,
        events: STREAMS + 1,
        arena,
        store: 0,
        pinned: 0,
        issue_as: Issue::Streams,
        slots: &t.slots,
        issue: &t.issue,
        collect: &[],
    };
    bencher.bench_local(|| verify(&source, &program, &[]).expect("the program is right"));
}

/// Each task reads two of the last sixteen values and writes one, on four streams that meet at every
/// eighth task; every second value has `n` elements.
#[divan::bench(args = [100, 1_000])]
fn placed_anew(bencher: divan::Bencher<'_, '_>, tasks: u32) {
    let image = two_of_sixteen(tasks);
    bencher.bench_local(|| {
        Placement::fitted(std::slice::from_ref(&image), &[1]).expect("tables that fit")
    });
}

fn two_of_sixteen(tasks: u32) -> Image {
    let (mut issue, mut events) = (Vec::new(), 0);
    let mut t = Tables {
        resources: vec![],
        tasks: vec![],
        accesses: vec![],
        slots: vec![],
        issue: vec![],
    };
    for i in 0..tasks {
        let bytes = if i % 2 == 0 { 1 << 20 } else { 4096 };
        let offset = t.slots.last().map_or(0, |s| s.offset + s.bytes);
        let shape: &[u32] = if i % 2 == 0 { &[0] } else { &[1] };
        let r = t.resource(Class::Transient, shape, Slot { offset, bytes });
        let recent = |k: u32| i.checked_sub(1 + (i * k) % 16);
        let reads: Vec<u32> = [7, 11].into_iter().filter_map(recent).collect();
        t.task(&reads, r, i % STREAMS);
        issue.extend(t.issue.pop());
        if i % 8 == 7 {
            for s in 0..STREAMS {
                let (event, stream) = (events + s, s as u8);
                issue.push(Op::Record { event, stream });
            }
            for (s, e) in (0..STREAMS).flat_map(|s| (0..STREAMS).map(move |e| (s, e))) {
                let (event, stream) = (events + e, s as u8);
                issue.push(Op::Wait { stream, event });
            }
            events += STREAMS;
        }
    }
    let arena = t.slots.iter().map(|s| s.offset + s.bytes).max();
    let n = Term {
        scale: 1,
        dim: 0,
        mul: 1,
        add: 0,
        div: 1,
    };
    let exprs = [(0, vec![n]), (4096, vec![])].map(|(constant, terms)| Expr {
        constant,
        terms: terms.leak(),
    });
    let dim = Dim {
        name: "n",
        min: 1,
        max: 1 << 20,
    };
    let source = Source {
        name: "bench",
        dims: vec![dim].leak(),
        exprs: exprs.to_vec().leak(),
        resources: t.resources.leak(),
        tasks: t.tasks.leak(),
        accesses: t.accesses.leak(),
        ..Source::EMPTY
    };
    let program = Program {
        streams: STREAMS as u8,
        events,
        arena: arena.unwrap_or(0),
        slots: t.slots.leak(),
        issue: issue.leak(),
        ..Program::EMPTY
    };
    Image {
        source: Box::leak(Box::new(source)),
        program: Box::leak(Box::new(program)),
        code: &[],
    }
}
