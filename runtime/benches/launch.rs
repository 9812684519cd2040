//! What a task costs beyond its function, on the calling thread.
//!
//! `cargo bench -p gpu-graph-runtime --bench launch`
//!
//! A graph of `n` tasks that each update 16 floats is run, and the same function is called `n` times
//! by hand, in turns. The cost of a task is the slope between the smallest and the largest `n`; the
//! graph's slope less the hand-written one is what the runtime adds.

use std::hint::black_box;
use std::time::Instant;

use gpu_graph_runtime::exec::{Args, Code, Image};
use gpu_graph_runtime::graph::{Graph, host};
use gpu_graph_runtime::table::*;

const LEN: usize = 16;
const SIZES: [usize; 4] = [1, 10, 100, 1_000];
const PAIRS: usize = 41;

/// Not inlined on either side, so that both pay for a call.
#[inline(never)]
fn update(x: &mut [f32], by: f32) {
    for x in x {
        *x = *x * by + 1.0;
    }
}

fn shim(args: &mut Args<'_>) {
    let x = args.write::<f32>();
    let by = args.scalar::<f32>();
    update(x, by);
}

fn leak<T>(items: Vec<T>) -> &'static [T] {
    items.leak()
}

/// `n` updates of the one resource, an output, after a first task that fills it.
fn image(n: usize) -> Image {
    let extent = |constant| Expr {
        constant,
        terms: &[],
    };
    let kernel = |name| Kernel {
        name,
        over: &[],
        block: &[],
        shared: 0,
        params: 16,
        callback: false,
        in_place: None,
    };
    let access = |mode| Access {
        resource: 0,
        mode,
        rows: Rows::All,
    };
    let task = |i| Task {
        kind: TaskKind::Kernel(0),
        accesses: Span::new(i, 1),
        scalars: Span::new(i, 1),
        dims: Span::new(0, 0),
    };
    let first = std::iter::once(access(Mode::Overwrite));
    let source = Source {
        name: "Chain",
        dims: &[],
        products: &[],
        exprs: leak(vec![extent(LEN as i64)]),
        resources: leak(vec![Resource {
            name: "x",
            class: Class::Output,
            elem: Elem::F32,
            domain: 0,
            shape: &[0],
        }]),
        kernels: leak(vec![kernel("update")]),
        tasks: leak((0..n as u32).map(task).collect()),
        accesses: leak(
            first
                .chain((1..n).map(|_| access(Mode::ReadWrite)))
                .collect(),
        ),
        scalars: leak(vec![Scalar::Const(u64::from(0.5f32.to_bits())); n]),
        bindings: &[],
        params: 0,
        orders: &[],
        aliases: &[],
        separate: &[],
        again: &[],
        depth: 1,
        budget: None,
    };
    let launch = |task| Op::Launch {
        task,
        stream: 0,
        form: Form::Apart,
    };
    let mut issue = vec![Op::Gate { event: 0 }];
    issue.extend((0..n as u32).map(launch));
    issue.push(Op::Record {
        event: 0,
        stream: 0,
    });
    let program = Program {
        ring: 1,
        streams: 1,
        events: 1,
        arena: SLOT_ALIGN,
        store: 0,
        pinned: 0,
        issue_as: Issue::Streams,
        slots: leak(vec![Slot {
            offset: 0,
            bytes: SLOT_ALIGN,
        }]),
        issue: leak(issue),
        collect: &[HostOp::Wait { event: 0 }, HostOp::Read { resource: 0 }],
    };
    Image {
        source: Box::leak(Box::new(source)),
        program: Box::leak(Box::new(program)),
        code: leak(vec![Code {
            host: shim,
            in_place: None,
            cuda: None,
        }]),
    }
}

/// Nanoseconds of one call of `f`, as the mean over enough calls to fill some milliseconds.
fn time(n: usize, mut f: impl FnMut()) -> f64 {
    let calls = (100_000 / n).max(1);
    let start = Instant::now();
    for _ in 0..calls {
        f();
    }
    start.elapsed().as_nanos() as f64 / calls as f64
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

fn main() {
    println!("tasks   graph ns   by hand ns   (medians of {PAIRS} pairs)");
    let mut rows = Vec::new();
    for n in SIZES {
        let mut graph = Graph::load(&host(), image(n), &[]).expect("a proved program");
        let mut buffer = [0.0f32; LEN];
        let (mut ours, mut hand) = (Vec::new(), Vec::new());
        for _ in 0..PAIRS {
            ours.push(time(n, || {
                let run = graph.begin().gate().and_then(|s| s.start()).expect("a run");
                black_box(run.is_finished());
            }));
            hand.push(time(n, || {
                for _ in 0..n {
                    update(black_box(&mut buffer), black_box(0.5));
                }
            }));
        }
        let row = (n, median(ours), median(hand));
        println!("{:>5} {:>10.1} {:>12.1}", row.0, row.1, row.2);
        rows.push(row);
    }
    let (first, last) = (rows[0], rows[rows.len() - 1]);
    let tasks = (last.0 - first.0) as f64;
    let (graph, hand) = ((last.1 - first.1) / tasks, (last.2 - first.2) / tasks);
    println!(
        "a task: {graph:.1} ns in the graph, {hand:.1} ns by hand, {:.1} ns added",
        graph - hand
    );
}
