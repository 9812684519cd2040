//! A graph whose slots hold as they are planned, and not as a load places them anew.
#![allow(dead_code, reason = "each test uses its part")]

use gpu_graph_runtime::exec::{Args, Image};
use gpu_graph_runtime::table::*;

use crate::facade_support::*;

/// Rows of the margin, which are one slot's alignment.
const MARGIN: u32 = 64;
/// What the margin holds.
const GAIN: u32 = 7;
/// What is behind the margin, by number.
pub const MARGINED: u32 = 1;
/// The task that reads the margin last.
pub const LAST: u32 = 4;
/// What `z` has beside `x`.
pub const ADDED: u32 = 3 + GAIN;

/// `t = x + 1` behind a margin.
fn widen(args: &mut Args<'_>) {
    let x = args.read::<u32>();
    let (margin, inner) = args.write::<u32>().split_at_mut(MARGIN as usize);
    margin.fill(GAIN);
    for (o, x) in inner.iter_mut().zip(x) {
        *o = x.wrapping_add(1);
    }
}

/// `z = b` and what the margin holds.
fn gain(args: &mut Args<'_>) {
    let (b, margin) = (args.read::<u32>(), args.read::<u32>());
    for (o, b) in args.write::<u32>().iter_mut().zip(b) {
        *o = b.wrapping_add(margin[0]);
    }
}

/// `z = x + ADDED`, where `b` lies in what is over of `t`, behind its margin, which is still read. No
/// plan of `gpu_graph!` shares a part of a resource, and slots that are moved down as they lie do not
/// keep the distance between two that overlap.
pub fn behind_a_margin() -> Image {
    let mut build = Build::default();
    let (x, t) = (build.input("x"), build.transient("t"));
    let (y, b, z) = (build.output("y"), build.transient("b"), build.output("z"));
    let wrote = |from, to| [(from, Mode::Read), (to, Mode::Overwrite)];
    build.call(widen, &wrote(x, t), &[]);
    build.call(increment, &wrote(t, y), &[]);
    build.call(increment, &wrote(y, b), &[]);
    let last = [(b, Mode::Read), (t, Mode::Read), (z, Mode::Overwrite)];
    assert_eq!((t, build.call(gain, &last, &[])), (MARGINED, LAST));
    let mut issue = vec![Op::Gate { event: 0 }];
    issue.extend((0..=LAST).map(|task| launch(task, 0)));
    issue.push(Op::Record {
        event: 0,
        stream: 0,
    });
    let read = |resource| [HostOp::Wait { event: 0 }, HostOp::Read { resource }];
    let plain = build.finish(1, 1, &issue, &[read(y), read(z)].concat());
    // Rows in all, with the margin, of the margin, and none.
    let (n, margin) = (plain.source.exprs[0], i64::from(MARGIN));
    let of = |constant, terms| Expr { constant, terms };
    let exprs = [n, of(margin, n.terms), of(margin, &[]), of(0, &[])];
    let mut resources = plain.source.resources.to_vec();
    resources[t as usize].shape = &[1];
    let mut accesses = plain.source.accesses.to_vec();
    let mut rows = |task: u32, nth: u32, rows| {
        let first = plain.source.tasks[task as usize].accesses.start;
        accesses[(first + nth) as usize].rows = rows;
    };
    rows(2, 0, Rows::Span(2, 1));
    rows(LAST, 1, Rows::Span(3, 2));
    let (size, above) = (4 * MAX, 4 * u64::from(MARGIN));
    // `z` takes the place of `x`.
    let slots = [
        (0, size),
        (size, size + above),
        (2 * size + above, size),
        (size + above, size),
        (0, size),
    ];
    let slots = slots.map(|(offset, bytes)| Slot { offset, bytes });
    let source = Source {
        exprs: exprs.to_vec().leak(),
        resources: resources.leak(),
        accesses: accesses.leak(),
        ..*plain.source
    };
    let program = Program {
        arena: 3 * size + above,
        slots: slots.to_vec().leak(),
        ..*plain.program
    };
    Image {
        source: Box::leak(Box::new(source)),
        program: Box::leak(Box::new(program)),
        code: plain.code,
    }
}
