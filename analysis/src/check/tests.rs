//! Each rule with the place and code of its fault, and the model that is accepted.

use super::*;
use crate::expr::Expr;
use crate::fault::{self, Code};
use crate::model::{
    Class, Dim, Elem, KernelKind, Launch, Mode, Order, Pair, Resource, ResourceId, Rows, Site,
    Task, TaskId, TaskKind,
};

fn n(value: i64) -> Expr {
    Expr::constant(value)
}

fn h() -> Expr {
    Expr::dim(0)
}

fn half() -> Expr {
    h().floor_div(2).unwrap()
}

/// `dim h in 16..=64;` at site 900.
fn empty() -> Model {
    Model {
        name: "G".to_owned(),
        site: Site(0),
        dims: vec![Dim {
            name: "h".to_owned(),
            min: 16,
            max: 64,
            product: Vec::new(),
            site: Site(900),
        }],
        domains: Vec::new(),
        resources: vec![],
        extents: Default::default(),
        tasks: vec![],
        orders: vec![],
        again: vec![],
        aliases: vec![],
        separate: vec![],
        stable: Vec::new(),
        budget: None,
        depth: 1,
        streams: 4,
        workspaces: vec![],
        declared: Default::default(),
    }
}

/// Declares a resource `[f32; h]` at site `100 + index`.
fn declare(m: &mut Model, name: &str, class: Class) -> u32 {
    let index = m.resources.len() as u32;
    m.resources.push(Resource {
        name: name.to_owned(),
        class,
        elem: Elem::F32,
        domain: 0,
        shape: vec![h()],
        site: Site(100 + index),
    });
    index
}

fn access(mode: Mode, r: u32, rows: Rows) -> Access {
    Access {
        resource: ResourceId(r),
        mode,
        rows,
        site: Site(0),
    }
}

fn read(r: u32) -> Access {
    access(Mode::Read, r, Rows::All)
}

fn update(r: u32) -> Access {
    access(Mode::ReadWrite, r, Rows::All)
}

fn write(r: u32) -> Access {
    access(Mode::Overwrite, r, Rows::All)
}

fn rows(a: Access, lo: Expr, hi: Expr) -> Access {
    Access {
        rows: Rows::Span(lo, hi),
        ..a
    }
}

/// Adds a task whose call is at `10 * index` and whose accesses follow it.
fn task(m: &mut Model, kind: TaskKind, accesses: Vec<Access>) -> usize {
    let index = m.tasks.len();
    let site = 10 * index as u32;
    let at = |(i, a): (usize, Access)| Access {
        site: Site(site + 1 + i as u32),
        ..a
    };
    m.tasks.push(Task {
        name: format!("t{index}"),
        kind,
        accesses: accesses.into_iter().enumerate().map(at).collect(),
        site: Site(site),
    });
    index
}

fn launch() -> Launch {
    Launch {
        kernel: 0,
        name: "k".to_owned(),
        in_place: None,
        over: vec![],
        block: vec![],
        shared: 0,
        kind: KernelKind::Kernel,
        params: 16,
    }
}

fn run(m: &mut Model, accesses: Vec<Access>) -> usize {
    task(m, TaskKind::Kernel(launch()), accesses)
}

/// `input x; let y; output z`, with the upload of `x` as task 0.
fn graph() -> (Model, u32, u32, u32) {
    let mut m = empty();
    let x = declare(&mut m, "x", Class::Input);
    let y = declare(&mut m, "y", Class::Transient);
    let z = declare(&mut m, "z", Class::Output);
    task(&mut m, TaskKind::Upload, vec![write(x)]);
    (m, x, y, z)
}

/// `y = f(&x); z = f(&y)`.
fn chain() -> (Model, u32, u32, u32) {
    let (mut m, x, y, z) = graph();
    run(&mut m, vec![read(x), write(y)]);
    run(&mut m, vec![read(y), write(z)]);
    (m, x, y, z)
}

fn found(m: &Model) -> Vec<(Code, Site)> {
    check(m).iter().map(|f| (f.code, f.site)).collect()
}

#[test]
fn a_chain_is_accepted() {
    assert_eq!(check(&chain().0), []);
}

#[test]
fn a_read_before_any_write_is_refused() {
    let (mut m, x, y, z) = graph();
    run(&mut m, vec![read(y), write(z)]);
    run(&mut m, vec![read(x), write(y)]);
    run(&mut m, vec![read(y), update(z)]);
    let faults = check(&m);
    assert_eq!(faults.len(), 1);
    assert_eq!(
        (faults[0].code, faults[0].site),
        (fault::READ_BEFORE_WRITE, Site(11))
    );
    assert_eq!(faults[0].message, "`y` is read before anything writes it");
    assert_eq!(faults[0].labels[0].site, Site(22));
}

#[test]
fn an_update_reads() {
    let (mut m, x, y, z) = graph();
    run(&mut m, vec![read(x), update(y)]);
    run(&mut m, vec![read(y), write(z)]);
    assert_eq!(found(&m), [(fault::READ_BEFORE_WRITE, Site(12))]);
}

#[test]
fn all_rows_that_are_read_have_been_written() {
    let with = |lo: Expr, hi: Expr, read_rows: (Expr, Expr)| {
        let (mut m, x, y, z) = graph();
        run(&mut m, vec![read(x), rows(write(y), n(0), half())]);
        run(&mut m, vec![read(x), rows(write(y), lo, hi)]);
        run(
            &mut m,
            vec![rows(read(y), read_rows.0, read_rows.1), write(z)],
        );
        found(&m)
    };
    let refused = [(fault::READ_BEFORE_WRITE, Site(31))];
    let below = half().sub(&n(1)).unwrap();
    let above = half().add(&n(1)).unwrap();
    assert_eq!(with(half(), h(), (n(0), h())), []);
    assert_eq!(with(below, h(), (n(0), h())), []);
    assert_eq!(with(above.clone(), h(), (n(0), h())), refused);
    assert_eq!(with(half(), above.clone(), (n(1), above)), []);
    assert_eq!(
        with(half(), half(), (n(0), n(8))),
        [(fault::UNUSED, Site(22))]
    );
    assert_eq!(with(half(), half(), (n(0), n(9)))[1..], refused);
}

#[test]
fn bands_written_in_any_order_cover_the_whole() {
    let (mut m, x, y, z) = graph();
    let quarter = |k: i64| h().scale(k).unwrap().floor_div(4).unwrap();
    for k in [2, 0, 3, 1] {
        run(
            &mut m,
            vec![read(x), rows(write(y), quarter(k), quarter(k + 1))],
        );
    }
    run(&mut m, vec![read(y), write(z)]);
    assert_eq!(check(&m), []);
    m.tasks.remove(3);
    assert_eq!(found(&m), [(fault::READ_BEFORE_WRITE, Site(51))]);
}

#[test]
fn outputs_are_fully_written() {
    let (mut m, x, y, z) = graph();
    run(&mut m, vec![read(x), write(y)]);
    run(&mut m, vec![read(y), rows(write(z), n(1), h())]);
    let faults = check(&m);
    assert_eq!(faults.len(), 1);
    assert_eq!(
        (faults[0].code, faults[0].site),
        (fault::OUTPUT_NOT_WRITTEN, Site(102))
    );
    assert_eq!(
        faults[0].message,
        "the output `z` is not known to be fully written"
    );
    m.tasks[2].accesses.pop();
    let faults = check(&m);
    assert_eq!(faults[0].message, "nothing writes the output `z`");
    m.tasks[2].accesses.push(write(z));
    assert_eq!(check(&m), []);
}

#[test]
fn inputs_are_not_written() {
    for write in [update, write] {
        let (mut m, x, _, _) = chain();
        let at = run(&mut m, vec![write(x)]) as u32 * 10 + 1;
        assert_eq!(found(&m), [(fault::INPUT_WRITTEN, Site(at))]);
    }
}

#[test]
fn two_accesses_of_one_task_overlap_only_if_both_read() {
    let pair = |a: fn(u32) -> Access, b: fn(u32) -> Access, cut: Option<(Expr, Expr)>| {
        let (mut m, _, y, z) = chain();
        let (first, second) = match cut {
            None => (a(y), b(y)),
            Some((lo, hi)) => (rows(a(y), n(0), hi), rows(b(y), lo, h())),
        };
        run(&mut m, vec![first, second]);
        run(&mut m, vec![read(y), update(z)]);
        found(&m)
    };
    let refused = [(fault::OVERLAP, Site(32))];
    assert_eq!(pair(read, read, None), []);
    assert_eq!(pair(read, update, None), refused);
    assert_eq!(pair(read, write, None), refused);
    assert_eq!(pair(update, update, None), refused);
    assert_eq!(pair(read, update, Some((half(), half()))), []);
    let halo = half().add(&n(1)).unwrap();
    assert_eq!(pair(read, update, Some((half(), halo))), refused);
}

#[test]
fn what_nobody_reads_is_refused() {
    let (mut m, x, _, _) = chain();
    let e = declare(&mut m, "e", Class::Transient);
    assert_eq!(found(&m), [(fault::UNUSED, Site(103))]);
    run(&mut m, vec![read(x), write(e)]);
    let faults = check(&m);
    assert_eq!((faults[0].code, faults[0].site), (fault::UNUSED, Site(103)));
    assert_eq!(faults[0].message, "`e` is written, but nothing reads it");
    run(&mut m, vec![update(e)]);
    assert_eq!(check(&m), []);
    let (mut m, ..) = chain();
    let i = declare(&mut m, "i", Class::Input);
    task(&mut m, TaskKind::Upload, vec![write(i)]);
    let faults = check(&m);
    assert_eq!((faults[0].code, faults[0].site), (fault::UNUSED, Site(103)));
    assert_eq!(faults[0].message, "the input `i` is never used");
}

#[test]
fn a_value_that_is_overwritten_unread_is_refused() {
    let (mut m, x, y, z) = graph();
    run(&mut m, vec![read(x), write(y)]);
    run(&mut m, vec![read(x), write(y)]);
    run(&mut m, vec![read(y), write(z)]);
    let faults = check(&m);
    assert_eq!(faults.len(), 1);
    assert_eq!((faults[0].code, faults[0].site), (fault::UNUSED, Site(12)));
    assert_eq!(faults[0].labels[0].site, Site(22));
    // A reader between them, or a second write that leaves a part.
    m.tasks[2].accesses = vec![read(y), update(z)];
    m.tasks.swap(2, 3);
    assert_eq!(check(&m), []);
    let (mut m, x, y, z) = graph();
    run(&mut m, vec![read(x), write(y)]);
    run(&mut m, vec![read(x), rows(write(y), n(0), half())]);
    run(&mut m, vec![read(y), write(z)]);
    assert_eq!(check(&m), []);
    // A value of an output, and one after the last read.
    let (mut m, x, y, z) = chain();
    run(&mut m, vec![read(x), write(z)]);
    assert_eq!(found(&m), [(fault::UNUSED, Site(22))]);
    m.tasks.pop();
    run(&mut m, vec![read(x), write(y)]);
    assert_eq!(found(&m), [(fault::UNUSED, Site(32))]);
}

#[test]
fn extents_are_natural_and_sizes_fit_an_address_space() {
    let sized = |shape: Vec<Expr>| {
        let (mut m, _, y, _) = chain();
        m.resources[y as usize].shape = shape;
        found(&m)
    };
    let big = h().scale(1 << 28).unwrap();
    assert_eq!(sized(vec![h().sub(&n(16)).unwrap()]), []);
    assert_eq!(
        sized(vec![h().sub(&n(17)).unwrap()]),
        [(fault::NEGATIVE_EXTENT, Site(101))]
    );
    assert_eq!(sized(vec![big.clone(), n((1 << 24) - 1)]), []);
    // With the others there is more than the limit.
    let all = [(fault::SIZE_OVERFLOW, Site(101))];
    assert_eq!(sized(vec![big.clone(), n(1 << 24)]), all);
    assert_eq!(sized(vec![big, n(1 << 27)]), all);
    let (mut m, _, y, _) = chain();
    m.resources[y as usize].shape = vec![h(), n(i64::MAX)];
    let faults = check(&m);
    assert_eq!(faults[0].message, "the size of `y` overflows");
    assert_eq!(faults[0].notes, ["at the bounds of the dims: `h` up to 64"]);
}

#[test]
fn views_of_a_model_lie_within_their_resource() {
    let (mut m, x, _, z) = chain();
    run(&mut m, vec![rows(read(x), n(0), n(17)), update(z)]);
    assert_eq!(found(&m), [(fault::VIEW_BOUNDS, Site(31))]);
}

#[test]
fn a_range_that_leaves_launches_empty_is_one_fault() {
    let mut m = chain().0;
    let over = |m: &mut Model, task: usize, over: Vec<Expr>| {
        let block = vec![1; over.len()];
        m.tasks[task].kind = TaskKind::Kernel(Launch {
            over,
            block,
            ..launch()
        });
    };
    let less = |by: i64| h().sub(&n(by)).unwrap();
    over(&mut m, 1, vec![less(16), less(16)]);
    over(&mut m, 2, vec![less(18), n(4)]);
    let faults = check(&m);
    let [fault] = &faults[..] else {
        panic!("{faults:?}")
    };
    assert_eq!(
        (fault.code, fault.site),
        (fault::LAUNCH_GEOMETRY, Site(900))
    );
    assert_eq!(
        fault.message,
        "the range of `h` admits launches without a thread"
    );
    let labels: Vec<_> = fault.labels.iter().map(|l| (l.site, &*l.text)).collect();
    let texts = [
        (Site(10), "the index space `h - 16` along x may be 0"),
        (Site(20), "the index space `h - 18` along y may be -2"),
    ];
    assert_eq!(labels, texts);
    // The one that asks for most has its say.
    let help = "write `dim h in 19..=64;`, or use another index space";
    assert_eq!(fault.help.as_deref(), Some(help));
    // No range of a dim mends these.
    over(&mut m, 1, vec![n(0)]);
    over(&mut m, 2, vec![n(-1)]);
    let sites = found(&m).into_iter().map(|(_, site)| site);
    assert_eq!(sites.collect::<Vec<_>>(), [Site(10), Site(20)]);
}

#[test]
fn launches_keep_the_limits_of_a_device() {
    let with = |over: Vec<Expr>, block: &[u32], params, shared| {
        let (mut m, ..) = chain();
        let block = block.to_vec();
        m.tasks[2].kind = TaskKind::Kernel(Launch {
            over,
            block,
            kind: KernelKind::Kernel,
            params,
            shared,
            ..launch()
        });
        // Two kernels: what is wrong with one is not held against the other.
        m.tasks[1].kind = TaskKind::Kernel(Launch {
            kernel: 1,
            ..launch()
        });
        found(&m)
    };
    let geometry = [(fault::LAUNCH_GEOMETRY, Site(20))];
    assert_eq!(with(vec![n(65_535), h()], &[1, 256], 4096, 49_152), []);
    assert_eq!(with(vec![n(65_536), h()], &[1, 256], 16, 0), geometry);
    assert_eq!(with(vec![n(65_536), h()], &[2, 256], 16, 0), []);
    assert_eq!(with(vec![n(1 << 31)], &[1], 16, 0), geometry);
    assert_eq!(with(vec![n((1 << 31) - 1)], &[1], 16, 0), []);
    assert_eq!(
        with(
            vec![h().scale(1024).unwrap(), n(1), n(1)],
            &[1, 1, 1],
            16,
            0
        ),
        [(fault::LAUNCH_GEOMETRY, Site(900))]
    );
    assert_eq!(
        with(vec![h().sub(&n(16)).unwrap()], &[256], 16, 0),
        [(fault::LAUNCH_GEOMETRY, Site(900))]
    );
    assert_eq!(with(vec![h()], &[2048], 16, 0), geometry);
    assert_eq!(with(vec![h(), h()], &[256], 16, 0), geometry);
    assert_eq!(
        with(vec![], &[], 4097, 0),
        [(fault::PARAMETER_BLOCK, Site(20))]
    );
    assert_eq!(
        with(vec![], &[], 16, 49_153),
        [(fault::SHARED_MEMORY, Site(20))]
    );
}

#[test]
fn streams_of_all_instances_are_limited() {
    let with = |depth, streams| {
        let (mut m, ..) = chain();
        (m.depth, m.streams) = (depth, streams);
        found(&m)
    };
    assert_eq!(with(4, 4), []);
    assert_eq!(with(16, 1), []);
    assert_eq!(with(5, 4), [(fault::STREAMS, Site(0))]);
    assert_eq!(with(u32::MAX, 2), [(fault::STREAMS, Site(0))]);
    assert_eq!(with(0, 4), [(fault::COUNT, Site(0))]);
    assert_eq!(with(1, 0), [(fault::COUNT, Site(0))]);
}

#[test]
fn pairs_do_not_contradict_each_other() {
    let (mut m, x, y, z) = chain();
    let pair = |a, b, site| Pair {
        a: ResourceId(a),
        b: ResourceId(b),
        site: Site(site),
    };
    m.aliases = vec![pair(y, y, 300)];
    m.separate = vec![pair(x, x, 301)];
    assert_eq!(
        found(&m),
        [(fault::PAIR_SELF, Site(300)), (fault::PAIR_SELF, Site(301))]
    );
    m.aliases = vec![pair(y, x, 300)];
    m.separate = vec![pair(x, z, 301)];
    assert_eq!(check(&m), []);
    m.separate = vec![pair(x, y, 301)];
    let faults = check(&m);
    assert_eq!(
        (faults[0].code, faults[0].site),
        (fault::PAIR_CONTRADICTION, Site(301))
    );
    assert_eq!(faults[0].labels[0].site, Site(300));
    m.aliases = vec![pair(y, x, 300), pair(z, y, 302)];
    m.separate = vec![pair(x, z, 301)];
    let faults = check(&m);
    assert_eq!(
        (faults[0].code, faults[0].site),
        (fault::PAIR_CONTRADICTION, Site(301))
    );
    let labels: Vec<_> = faults[0].labels.iter().map(|l| l.site.0).collect();
    assert_eq!(labels, [300, 302]);
}

#[test]
fn a_model_that_names_what_it_does_not_have_is_refused() {
    let with = |spoil: fn(&mut Model)| {
        let (mut m, ..) = chain();
        spoil(&mut m);
        let found = found(&m);
        assert!(!found.is_empty());
        found.iter().all(|f| f.0 == fault::MALFORMED)
    };
    assert!(with(|m| m.tasks[1].accesses[0].resource = ResourceId(9)));
    assert!(with(|m| m.resources[1].shape.clear()));
    assert!(with(|m| m.resources[1].shape = vec![Expr::dim(4)]));
    assert!(with(
        |m| m.tasks[1].accesses[0].rows = Rows::Span(n(0), Expr::dim(4))
    ));
    assert!(with(|m| m.tasks[0].accesses.clear()));
    assert!(with(|m| m.tasks[1].kind = TaskKind::Upload));
    assert!(with(|m| m.resources[1].class = Class::Input));
    assert!(with(|m| {
        m.tasks[1].kind = TaskKind::Kernel(Launch {
            in_place: Some(1),
            ..launch()
        });
    }));
    assert!(with(|m| {
        m.orders.push(Order {
            before: TaskId(0),
            after: TaskId(3),
            site: Site(5),
        });
    }));
    assert!(with(|m| {
        m.aliases.push(Pair {
            a: ResourceId(0),
            b: ResourceId(3),
            site: Site(5),
        });
    }));
    let (mut m, ..) = chain();
    m.dims[0].min = 65;
    assert_eq!(found(&m), [(fault::EMPTY_DIM, Site(900))]);
}

#[test]
fn faults_come_in_the_order_of_their_places() {
    let (mut m, _, y, z) = graph();
    run(&mut m, vec![read(y), read(z)]);
    let found = found(&m);
    assert!(found.windows(2).all(|pair| pair[0].1 <= pair[1].1));
    assert_eq!(found.len(), 3);
}

mod coverage {
    use proptest::prelude::*;

    use super::*;

    /// `k * h / 8 + e`, kept within `0..=h`: all comparable for `h >= 16`.
    fn bound(k: i64, e: i64) -> Expr {
        let cut = h().scale(k).unwrap().floor_div(8).unwrap();
        match k {
            0 => n(0),
            8 => h(),
            _ => cut.add(&n(e)).unwrap(),
        }
    }

    fn span() -> impl Strategy<Value = (Expr, Expr)> {
        let one = || (0i64..=8, 0i64..=1);
        (one(), one()).prop_map(|(a, b)| {
            let (a, b) = if a <= b { (a, b) } else { (b, a) };
            (bound(a.0, a.1), bound(b.0, b.1))
        })
    }

    proptest! {
        #[test]
        fn a_read_is_accepted_exactly_if_all_its_rows_are_written(
            writes in proptest::collection::vec(span(), 0..7),
            read_rows in span(),
        ) {
            let (mut m, x, y, z) = graph();
            for (lo, hi) in &writes {
                run(&mut m, vec![read(x), rows(write(y), lo.clone(), hi.clone())]);
            }
            let (lo, hi) = &read_rows;
            run(&mut m, vec![rows(read(y), lo.clone(), hi.clone()), read(x), write(z)]);
            let accepted = check(&m).iter().all(|f| f.code != fault::READ_BEFORE_WRITE);
            let covered = (16..=64).all(|h| {
                let at = |e: &Expr| e.eval(&[h]).unwrap();
                (at(lo)..at(hi))
                    .all(|row| writes.iter().any(|(a, b)| at(a) <= row && row < at(b)))
            });
            prop_assert_eq!(accepted, covered);
        }
    }
}
