//! What makes values again: the right source, each way in which it is wrong, and all mutations.

use gpu_graph_runtime::table::*;
use gpu_graph_runtime::verify::Violation;

use crate::random::Rng;
use crate::tables::Owned;
use crate::{agree, mutate};

const READ: Mode = Mode::Read;
const UPDATE: Mode = Mode::ReadWrite;
const WRITE: Mode = Mode::Overwrite;

/// Resources of [`remade`].
const X: u32 = 0;
const T: u32 = 1;
const U: u32 = 2;
const ROOM: u32 = 3;
const T2: u32 = 5;
const U2: u32 = 6;
const ROOM2: u32 = 7;

/// Tasks of [`remade`].
const MAKE: u32 = 1;
const FILL: u32 = 2;
const NEXT: u32 = 3;
const FIRST: u32 = 4;
const MAKE2: u32 = 5;
const FILL2: u32 = 6;
const NEXT2: u32 = 7;

/// `t = f(x, 7); u = g(t) with zeroed room; y[..half] = h(u, t)`, and `t` and `u` once more for
/// `y[half..] = h(u, t)`. A reader of a part of `t` cuts it where the copy has no cut.
fn remade() -> Owned {
    let mut g = Owned::new();
    let (zero, half, n) = (g.expr(0, &[]), g.expr(8, &[]), g.expr(16, &[]));
    let x = g.resource(Class::Input, Elem::F32, &[n]);
    let t = g.resource(Class::Transient, Elem::F32, &[n]);
    let u = g.resource(Class::Transient, Elem::F32, &[n]);
    let room = g.resource(Class::Workspace, Elem::F32, &[n]);
    let y = g.resource(Class::Output, Elem::F32, &[n]);
    let t2 = g.resource(Class::Transient, Elem::F32, &[n]);
    let u2 = g.resource(Class::Transient, Elem::F32, &[n]);
    let room2 = g.resource(Class::Workspace, Elem::F32, &[n]);
    assert_eq!(
        [x, t, u, room, t2, u2, room2],
        [X, T, U, ROOM, T2, U2, ROOM2]
    );
    g.upload(x);
    let make = g.launch(None, &[(x, READ, Rows::All), (t, WRITE, Rows::All)]);
    let fill = g.task(TaskKind::Fill, &[(room, WRITE, Rows::All)]);
    let accesses = |t, room, u| {
        let rows = Rows::All;
        [(t, READ, rows), (room, UPDATE, rows), (u, WRITE, rows)]
    };
    let next = g.launch(None, &accesses(t, room, u));
    let of = |u, t, y, rows| [(u, READ, Rows::All), (t, READ, rows), (y, WRITE, rows)];
    let first = g.launch(None, &of(u, t, y, Rows::Span(zero, half)));
    let kind = |g: &Owned, task: u32| g.tasks[task as usize].kind;
    let make2 = g.task(
        kind(&g, make),
        &[(x, READ, Rows::All), (t2, WRITE, Rows::All)],
    );
    let fill2 = g.task(TaskKind::Fill, &[(room2, WRITE, Rows::All)]);
    let next2 = g.task(kind(&g, next), &accesses(t2, room2, u2));
    g.task(kind(&g, first), &of(u2, t2, y, Rows::Span(half, n)));
    assert_eq!(
        [make, fill, next, first, make2, fill2, next2],
        [MAKE, FILL, NEXT, FIRST, MAKE2, FILL2, NEXT2]
    );
    g.again = vec![(make2, make), (fill2, fill), (next2, next)];
    for task in [make, make2] {
        let (scalar, dim) = (g.scalars.len() as u32, g.bindings.len() as u32);
        g.scalars.push(Scalar::Const(7));
        g.bindings.push(n);
        g.tasks[task as usize].scalars = Span::new(scalar, 1);
        g.tasks[task as usize].dims = Span::new(dim, 1);
    }
    g.kernels[0].params += 8 + 4;
    g.slots = (0..g.resources.len() as u64)
        .map(|i| Slot {
            offset: 256 * i,
            bytes: 256,
        })
        .collect();
    g.arena = 256 * g.resources.len() as u64;
    g.events = 1;
    in_turn(&mut g);
    g.collect = vec![HostOp::Wait { event: 0 }, HostOp::Read { resource: y }];
    g
}

/// Issues all tasks on one stream.
fn in_turn(g: &mut Owned) {
    g.issue = vec![Op::Gate { event: 0 }];
    g.issue
        .extend((0..g.tasks.len() as u32).map(|task| Op::Launch {
            task,
            stream: 0,
            form: Form::Apart,
        }));
    let (event, stream) = (0, 0);
    g.issue.push(Op::Record { event, stream });
}

/// The access of a task, by position.
fn access(g: &mut Owned, task: u32, position: u32) -> &mut Access {
    let start = g.tasks[task as usize].accesses.start;
    &mut g.accesses[(start + position) as usize]
}

#[test]
fn a_value_may_be_made_again_of_what_it_was_made_of() {
    let g = remade();
    assert!(agree("remade", &g), "{:?}", g.verify());
    // What is made again may be made of either.
    let mut g = remade();
    access(&mut g, NEXT2, 0).resource = T;
    assert!(agree("of the first", &g), "{:?}", g.verify());
    // And readers may read either.
    for (position, resource) in [(0, U), (1, T)] {
        let mut g = remade();
        access(&mut g, NEXT2 + 1, position).resource = resource;
        assert!(agree("read the first", &g), "{:?}", g.verify());
    }
}

#[test]
fn each_way_to_make_something_else_is_refused() {
    type Change<'a> = &'a dyn Fn(&mut Owned);
    let (task, of) = (MAKE2, MAKE);
    let another = Violation::NotAgain { task, of };
    let changes: [(&str, Change<'_>, Violation); 15] = [
        (
            "nothing is there",
            &|g| g.again[1].1 = 99,
            Violation::Dangling {
                table: gpu_graph_runtime::verify::Table::Again,
                entry: 1,
            },
        ),
        (
            "it is made later",
            &|g| g.again[0] = (MAKE, MAKE2),
            Violation::Original { entry: 0 },
        ),
        (
            "it is there twice",
            &|g| g.again[1] = (MAKE2, FILL),
            Violation::Original { entry: 1 },
        ),
        (
            "it is made again itself",
            &|g| g.again[2] = (NEXT2, MAKE2),
            Violation::Original { entry: 2 },
        ),
        (
            "another scalar",
            &|g| g.scalars[1] = Scalar::Const(8),
            another,
        ),
        ("other dims", &|g| g.bindings[1] = 1, another),
        (
            "another kernel",
            &|g| {
                g.kernels.push(g.kernels[0].clone());
                g.tasks[MAKE2 as usize].kind = TaskKind::Kernel(3);
            },
            another,
        ),
        (
            "other rows",
            &|g| access(g, MAKE2, 0).rows = Rows::Span(0, 1),
            another,
        ),
        (
            "another type",
            &|g| g.resources[T2 as usize].elem = Elem::U32,
            another,
        ),
        (
            "the value itself",
            &|g| {
                access(g, MAKE2, 1).resource = T;
                access(g, NEXT2, 0).resource = T;
                access(g, NEXT2 + 1, 1).resource = T;
            },
            Violation::NotOwn {
                task: MAKE2,
                resource: T,
            },
        ),
        (
            "what is seen behind the run",
            &|g| g.resources[T2 as usize].class = Class::Output,
            Violation::NotOwn {
                task: MAKE2,
                resource: T2,
            },
        ),
        (
            "another writes the copy",
            &|g| {
                let also = access(g, FIRST, 1);
                (also.resource, also.mode) = (T2, WRITE);
            },
            Violation::NotOwn {
                task: FIRST,
                resource: T2,
            },
        ),
        (
            "other input",
            &|g| access(g, NEXT2, 0).resource = X,
            Violation::ReadsOther {
                task: NEXT2,
                of: NEXT,
                resource: X,
            },
        ),
        (
            "room that is nobody's to make zero",
            &|g| g.again = vec![(MAKE2, MAKE), (NEXT2, NEXT)],
            Violation::NotOwn {
                task: FILL2,
                resource: ROOM2,
            },
        ),
        (
            "a value that changes",
            &|g| {
                // Half of `t` is updated, and then all of its copy is read.
                access(g, FIRST, 1).mode = UPDATE;
                access(g, NEXT2 + 1, 1).rows = Rows::All;
            },
            Violation::NotCopy {
                task: NEXT2 + 1,
                resource: T2,
                of: T,
            },
        ),
    ];
    for (what, change, violation) in changes {
        let mut g = remade();
        change(&mut g);
        assert!(!agree(what, &g), "{what}");
        assert_eq!(g.verify(), Err(violation), "{what}");
    }
}

#[test]
fn an_input_that_is_written_in_between_is_refused() {
    // `t` is changed, and what is made of it again is not what it was.
    let mut g = remade();
    access(&mut g, FIRST, 1).mode = UPDATE;
    access(&mut g, NEXT2, 0).resource = T;
    g.again.remove(0);
    let (task, of, resource) = (NEXT2, NEXT, T);
    assert!(!agree("changed", &g));
    assert_eq!(
        g.verify(),
        Err(Violation::ReadsOther { task, of, resource })
    );
    // As tasks of the graph itself they are nobody's business.
    g.again.clear();
    assert!(agree("nothing is made again", &g), "{:?}", g.verify());
}

#[test]
fn a_source_that_makes_values_again_and_every_mutation_of_it_are_judged_as_the_oracle_does() {
    let g = remade();
    let (mut right, mut kinds) = (0u64, [0u64; 5]);
    mutate::each(&g, &mut Rng(1), &mut |what, m| {
        right += u64::from(agree(what, m));
        let kind = match m.verify() {
            Err(Violation::Original { .. }) => 0,
            Err(Violation::NotAgain { .. }) => 1,
            Err(Violation::NotOwn { .. }) => 2,
            Err(Violation::ReadsOther { .. }) => 3,
            Err(Violation::NotCopy { .. }) => 4,
            _ => return,
        };
        kinds[kind] += 1;
    });
    println!("right: {right}, refused for what is made again: {kinds:?}");
    assert!(right > 0 && kinds.iter().all(|n| *n > 0), "{kinds:?}");
}
