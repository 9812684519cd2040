//! Shapes of faults that were met in real systems, by number.

mod common;

use std::collections::BTreeSet;

use common::replay::replay;
use common::{Graph, large, read, update, write};
use gpu_graph_analysis::alias::{Demands, Eligibility, demands, eligibility, merges};
use gpu_graph_analysis::declared::Cost;
use gpu_graph_analysis::expr::Expr;
use gpu_graph_analysis::fault::{ALIAS_LIVE, BUDGET, Fault, IN_PLACE_READ};
use gpu_graph_analysis::frontier::Frontiers;
use gpu_graph_analysis::layout::{Effort, Ranges, Spacing, layout, sizes};
use gpu_graph_analysis::model::{Class, Elem, Mode, Model, ResourceId, Rows, Site, TaskId};
use gpu_graph_analysis::order::Precedence;
use gpu_graph_analysis::place::{Buffer, Limits, Live, Problem, place};
use gpu_graph_analysis::plan::{Op, Plan, plan};
use gpu_graph_analysis::policy::{Metric, Minimize, Outcome};
use gpu_graph_analysis::record::{By, Rival, Serial, Serialised};

/// H02: two branches read `x`; a task of one of them writes `d`.
struct Diamond {
    g: Graph,
    x: ResourceId,
    d: ResourceId,
    c_task: TaskId,
    d_task: TaskId,
}

fn diamond(in_place: bool) -> Diamond {
    let mut g = Graph::new("Diamond");
    let image = g.input("image", 1024);
    let [x, y, z, d] = ["x", "y", "z", "d"].map(|name| g.transient(name, 1024));
    let out = g.output("out", 1024);
    g.task("'a", &[read(image), write(x)]);
    g.task("'b", &[read(x), write(y)]);
    let c_task = g.task("'c", &[read(x), write(z)]);
    // `d` is after `b` in either variant; nothing orders it after `c`.
    let d_task = if in_place {
        let t = g.task("'d", &[read(x), read(y), write(d)]);
        g.in_place(t, 0);
        t
    } else {
        g.task("'d", &[read(y), write(d)])
    };
    g.task("'e", &[read(y), read(z), read(d), write(out)]);
    Diamond {
        g,
        x,
        d,
        c_task,
        d_task,
    }
}

fn overlap(plan: &Plan, a: ResourceId, b: ResourceId) -> bool {
    let (s, t) = (plan.slots[a.0 as usize], plan.slots[b.0 as usize]);
    s.offset.max(t.offset) < (s.offset + s.bytes).min(t.offset + t.bytes)
}

fn accepted(model: &Model) -> Plan {
    match plan(model) {
        Ok((plan, _)) => plan,
        Err(faults) => panic!("refused: {faults:?}"),
    }
}

fn refused(model: &Model) -> Fault {
    match plan(model) {
        Ok(_) => panic!("accepted"),
        Err(mut faults) => {
            assert_eq!(faults.len(), 1, "{faults:?}");
            faults.remove(0)
        }
    }
}

fn eligible(model: &Model, a: ResourceId, b: ResourceId) -> Eligibility {
    let order = Precedence::new(model).unwrap();
    let live = Frontiers::new(model, &order);
    eligibility(model, &order, &live, a, b)
}

#[test]
fn h02_plain_reuse_is_not_taken_while_the_other_branch_reads() {
    let Diamond {
        mut g,
        x,
        d,
        c_task,
        d_task,
    } = diamond(false);
    assert!(!overlap(&accepted(&g.model), x, d));
    let needed = Eligibility::Conditioned {
        first: x,
        edges: vec![(c_task, d_task)],
    };
    assert_eq!(eligible(&g.model, x, d), needed);
    let site = g.alias(d, x);
    let fault = refused(&g.model);
    assert_eq!((fault.code, fault.site), (ALIAS_LIVE, site));
    let c = &g.model.tasks[c_task.0 as usize];
    assert_eq!(fault.labels[1].site, c.accesses[0].site);
    assert_eq!(fault.labels[1].text, "`x` is still read here");
    let help = "declare `order 'c -> 'd;`, or drop the `alias`";
    assert_eq!(fault.help.as_deref(), Some(help));
}

#[test]
fn h02_plain_reuse_is_proved_once_the_other_branch_is_ordered() {
    let Diamond {
        mut g,
        x,
        d,
        c_task,
        d_task,
    } = diamond(false);
    g.order(c_task, d_task);
    assert_eq!(
        eligible(&g.model, x, d),
        Eligibility::Unconditional { first: x }
    );
    g.alias(d, x);
    let plan = accepted(&g.model);
    assert_eq!(plan.slots[x.0 as usize], plan.slots[d.0 as usize]);
}

#[test]
fn h02_in_place_reuse_is_not_taken_while_the_other_branch_reads() {
    let Diamond {
        mut g,
        x,
        d,
        c_task,
        d_task,
    } = diamond(true);
    assert!(!overlap(&accepted(&g.model), x, d));
    let site = g.alias(d, x);
    let fault = refused(&g.model);
    assert_eq!((fault.code, fault.site), (IN_PLACE_READ, site));
    let access = |t: TaskId| g.model.tasks[t.0 as usize].accesses[0].site;
    let sites: Vec<_> = fault.labels.iter().map(|l| l.site).collect();
    assert_eq!(sites, [access(d_task), access(c_task)]);
    let help = "declare `order 'c -> 'd;`, or drop the `alias`";
    assert_eq!(fault.help.as_deref(), Some(help));
}

#[test]
fn h02_in_place_reuse_is_taken_once_the_other_branch_is_ordered() {
    let Diamond {
        mut g,
        x,
        d,
        c_task,
        d_task,
    } = diamond(true);
    g.order(c_task, d_task);
    let task = d_task;
    assert_eq!(
        eligible(&g.model, x, d),
        Eligibility::InPlace { first: x, task }
    );
    let plan = accepted(&g.model);
    assert_eq!(plan.slots[x.0 as usize], plan.slots[d.0 as usize]);
    g.separate(d, x);
    assert!(!overlap(&accepted(&g.model), x, d));
}

#[test]
fn h02_an_update_waits_for_the_readers_of_the_old_content() {
    // x is renamed, not copied: `d` updates it where it lies.
    let mut g = Graph::new("Renamed");
    let x = g.transient("x", 1024);
    let [y, z, out] = ["y", "z", "out"].map(|name| g.output(name, 1024));
    g.task("a", &[write(x)]);
    let b = g.task("b", &[read(x), write(y)]);
    let c = g.task("c", &[read(x), write(z)]);
    let d = g.task("d", &[update(x)]);
    g.task("e", &[read(x), write(out)]);
    let order = Precedence::new(&g.model).unwrap();
    assert!(order.precedes(b, d) && order.precedes(c, d) && order.concurrent(b, c));
    let plan = accepted(&g.model);
    let run = replay(g.model.tasks.len(), &plan, None);
    assert!(run.before[c.0 as usize][d.0 as usize]);
}

#[test]
fn h28_storage_waits_for_every_reader_not_the_last_recorded() {
    let build = |orders: &[usize]| {
        let mut g = Graph::new("Readers");
        let x = g.transient("x", 1024);
        let [p, q, f] = ["p", "q", "f"].map(|name| g.output(name, 1024));
        g.task("'w", &[write(x)]);
        let readers = [
            g.task("'k1", &[read(x), write(p)]),
            g.task("'k2", &[read(x), write(q)]),
        ];
        let next = g.task("'next", &[write(f)]);
        for &r in orders {
            g.order(readers[r], next);
        }
        g.alias(f, x);
        (g, x, f, readers, next)
    };
    // Neither reader, or one alone, is not enough, in either order of statement.
    for orders in [&[][..], &[0], &[1]] {
        let (g, x, f, readers, next) = build(orders);
        let fault = refused(&g.model);
        assert_eq!(fault.code, ALIAS_LIVE);
        let missing: Vec<_> = (0..2).filter(|r| !orders.contains(r)).collect();
        let edges = missing.iter().map(|&r| (readers[r], next)).collect();
        assert_eq!(
            eligible(&g.model, x, f),
            Eligibility::Conditioned { first: x, edges }
        );
        let still = g.model.tasks[readers[missing[0]].0 as usize].accesses[0].site;
        assert_eq!(fault.labels[1].site, still);
    }
    // Both are: each has an event of its own, and the next occupant comes after both.
    let (g, x, _, readers, next) = build(&[0, 1]);
    let order = Precedence::new(&g.model).unwrap();
    assert_eq!(Frontiers::new(&g.model, &order).of(x).last, readers);
    let run = replay(g.model.tasks.len(), &accepted(&g.model), None);
    for r in readers {
        assert!(run.before[r.0 as usize][next.0 as usize]);
    }
}

#[test]
fn m05_merged_blocks_keep_the_join_of_their_users() {
    // Far more free blocks than are kept apart, so neighbours with different users merge.
    for shape in large::SHAPES {
        let model = large::graph(shape, 1_000).model;
        let order = Precedence::new(&model).unwrap();
        let live = Frontiers::new(&model, &order);
        let (bytes, merges) = (sizes::all(&model), merges(&model, &live));
        let held = Demands::default();
        let ranges = Ranges::new(&model, &bytes, &order, &live, &held, &merges, 0);
        let found = layout(
            &model,
            &bytes,
            &order,
            &live,
            &ranges,
            Effort::TAKEN,
            Spacing::Staggered,
        );
        assert!(found.swept);
        let merges: BTreeSet<_> = ranges
            .groups
            .taken
            .iter()
            .map(|m| (m.operand, m.result))
            .collect();
        let mut by_offset: Vec<usize> = (0..found.slots.len()).collect();
        by_offset.sort_by_key(|&r| found.slots[r].offset);
        for (i, &a) in by_offset.iter().enumerate() {
            let end = found.slots[a].offset + found.slots[a].bytes;
            for &b in by_offset[i + 1..]
                .iter()
                .take_while(|&&b| found.slots[b].offset < end)
            {
                let (x, y) = (ResourceId(a as u32), ResourceId(b as u32));
                let merged = merges.contains(&(x, y)) || merges.contains(&(y, x));
                let merged = merged && found.slots[a] == found.slots[b];
                assert!(merged || !live.interfere(x, y), "{shape}: {x:?} and {y:?}");
            }
        }
        assert!(demands(&model, &order, &live).is_ok());
    }
}

/// H35: what is donated is updated into a value, which is read in a loop and updated into the output.
/// Whether something orders the readers before the last update.
fn donated(class: Class, ordered: bool) -> Graph {
    let mut g = Graph::new("Donated");
    let x = g.resource("x", class, Elem::U8, &[Expr::constant(1024)]);
    g.upload(x);
    let y = g.transient("y", 1024);
    let sums = g.output("sums", 3);
    let z = g.output("z", 1024);
    let first = g.task("'first", &[read(x), write(y)]);
    g.in_place(first, 0);
    let rows = |l: i64| Rows::Span(Expr::constant(l), Expr::constant(l + 1));
    let readers = [0, 1, 2].map(|l| {
        let sum = (sums, Mode::Overwrite, rows(l));
        g.task(&format!("l={l}.'read"), &[read(y), sum])
    });
    let last = g.task("'last", &[read(y), write(z)]);
    g.in_place(last, 0);
    for reader in readers.into_iter().filter(|_| ordered) {
        g.order(reader, last);
    }
    g
}

#[test]
fn h35_a_chain_over_a_donated_input_takes_one_place() {
    let planned = |g: &Graph| plan(&g.model).unwrap_or_else(|f| panic!("refused: {f:?}"));
    let in_place = |plan: &Plan| {
        let ops = plan.issue.iter();
        let own = ops.filter(|op| matches!(op, Op::Launch { in_place: true, .. }));
        own.count()
    };
    let (own, record) = planned(&donated(Class::InputMut, true));
    assert_eq!((in_place(&own), own.arena), (2, 1024 + 256), "{record}");
    assert_eq!((own.slots[0], own.slots[1]), (own.slots[3], own.slots[3]));

    // What stays with the caller is not written, and the record says by whom it could be.
    let (lent, record) = planned(&donated(Class::Input, true));
    assert_eq!((in_place(&lent), lent.arena), (1, 2 * 1024), "{record}");
    let said = "`x` and `y`: refused, `x` is the caller's: as an `input mut`, `'first` could update it into `y`\n";
    assert!(record.to_string().contains(said), "{record}");

    // Where nothing orders the readers, the record says which of them are in the way.
    let (open, record) = planned(&donated(Class::InputMut, false));
    assert_eq!(in_place(&open), 1, "{record}");
    let said = "`y` and `z`: refused, unless in place at `'last`, which takes `l=0.'read` before `'last`, ";
    assert!(record.to_string().contains(said), "{record}");
    let mut asked = donated(Class::InputMut, false);
    asked.model.declared.minimize = Some(Minimize::Order(vec![(Metric::Peak, Site(0))]));
    let (taken, record) = planned(&asked);
    assert_eq!((in_place(&taken), taken.arena), (2, 1024 + 256), "{record}");
}

/// H37: two tiles, each loaded and then computed with.
fn tiles() -> Graph {
    let mut g = Graph::new("Tiles");
    for tile in 0..2 {
        let buffer = g.transient(&format!("buf{tile}"), 1024);
        let out = g.output(&format!("out{tile}"), 256);
        g.task(&format!("L{tile}"), &[write(buffer)]);
        g.task(&format!("C{tile}"), &[read(buffer), write(out)]);
    }
    for kernel in ["L0", "C0", "L1", "C1"] {
        let (nanos, text) = (10_000, "10 us".to_owned());
        let cost = Some(Cost { nanos, text });
        g.model.declared.costs.push((kernel.to_owned(), cost));
    }
    g
}

#[test]
fn h37_an_alias_that_serialises_is_taken_only_where_bytes_count_first() {
    let order = |metrics: [Metric; 2]| {
        let mut g = tiles();
        let metrics = metrics.map(|metric| (metric, Site(0)));
        g.model.declared.minimize = Some(Minimize::Order(metrics.to_vec()));
        plan(&g.model).unwrap_or_else(|f| panic!("refused: {f:?}"))
    };
    let (plan, record) = order([Metric::Peak, Metric::CriticalPath]);
    assert!(overlap(&plan, ResourceId(0), ResourceId(2)));
    let taken = &record.policy.rivals[record.policy.plan];
    assert_eq!(taken.figures.critical_path, 40_000);
    let text = record.to_string();
    // All run one after the other; the alias needs one pair of it.
    let serialised = &record.serialised;
    assert_eq!((serialised.policy, serialised.stream), (0, 4), "{record}");
    assert_eq!(serialised.aliased, 1);
    let said = [
        "serialised     4 pairs of tasks that no dependency orders: 4 by the order of streams; aliases need 1 of them\n    \
         `C0` before `L1` by stream 0, so that `buf1` lies in the place of `buf0`\n",
        "    `L0` before `L1` by stream 0\n",
        "`buf1` after `buf0`: conditioned, `C0` before `L1`",
        "rejected  its peak is larger",
        "critical path 40 us",
        "critical path 20 us",
    ];
    for said in said {
        assert!(text.contains(said), "{said}: {text}");
    }

    let (plan, record) = order([Metric::CriticalPath, Metric::Peak]);
    assert!(!overlap(&plan, ResourceId(0), ResourceId(2)));
    assert_eq!((record.added, record.policy.plan), (vec![], 0));
    let worse = Outcome::Worse(Metric::CriticalPath);
    assert!(record.policy.rivals.iter().any(|r| r.outcome == worse));
}

#[test]
fn h37_nothing_is_serialised_unasked_and_the_record_says_what_it_would_take() {
    let (tiled, record) = plan(&tiles().model).unwrap_or_else(|f| panic!("refused: {f:?}"));
    assert!(!overlap(&tiled, ResourceId(0), ResourceId(2)));
    assert_eq!(record.serialised, Serialised::default());
    let text = record.to_string();
    assert!(text.contains("  serialised     no tasks: "), "{text}");
    let open = |r: &&Rival| r.outcome == Outcome::NotAsked;
    let open: Vec<&Rival> = record.policy.rivals.iter().filter(open).collect();
    assert!(!open.is_empty());
    let taken = &record.policy.rivals[record.policy.plan].figures;
    assert!(open.iter().all(|r| r.figures.arena < taken.arena));
    assert!(
        open.iter()
            .all(|r| r.figures.critical_path > taken.critical_path)
    );
}

#[test]
fn h37_tasks_that_share_a_stream_are_told_though_no_edge_is_added() {
    // Three tiles on two streams: the third waits for one of the others, and no alias needs that.
    let mut g = tiles();
    let (buffer, out) = (g.transient("buf2", 1024), g.output("out2", 256));
    g.task("L2", &[write(buffer)]);
    g.task("C2", &[read(buffer), write(out)]);
    g.model.streams = 2;
    let (_, record) = plan(&g.model).unwrap_or_else(|f| panic!("refused: {f:?}"));
    assert_eq!(record.added, vec![]);
    let found = &record.serialised;
    assert_eq!(
        (found.policy, found.stream, found.aliased),
        (0, 4, 0),
        "{record}"
    );
    let shared = |one: &Serial| one.by == By::Stream && one.alias.is_none();
    assert!(
        found.listed.len() == 4 && found.listed.iter().all(shared),
        "{record}"
    );
    let text = record.to_string();
    assert!(
        text.contains("4 by the order of streams; no alias needs one of them\n"),
        "{text}"
    );

    // Of many the first are named, and all are counted.
    let mut g = Graph::new("Many");
    for i in 0..40 {
        let out = g.output(&format!("out{i}"), 256);
        g.task(&format!("t{i}"), &[write(out)]);
    }
    g.model.streams = 1;
    let (_, record) = plan(&g.model).unwrap_or_else(|f| panic!("refused: {f:?}"));
    assert_eq!(
        (record.serialised.stream, record.serialised.listed.len()),
        (780, 32)
    );
    assert!(
        record.to_string().contains("  and 748 more pairs\n"),
        "{record}"
    );
}

#[test]
fn h37_an_edge_that_an_alias_needs_is_told_with_all_that_it_serialises() {
    // The second tile is loaded late, so that its load may as well wait for the first tile.
    let mut g = Graph::new("Late");
    let [early, first, second] = ["early", "first", "second"].map(|name| g.transient(name, 1024));
    let [out0, out1] = ["out0", "out1"].map(|name| g.output(name, 256));
    g.task("L0", &[write(first)]);
    g.task("C0", &[read(first), write(out0)]);
    g.task("P", &[write(early)]);
    g.task("L1", &[read(early), write(second)]);
    g.task("C1", &[read(second), write(out1)]);
    for (kernel, nanos) in [("L0", 10), ("C0", 10), ("P", 90), ("L1", 10), ("C1", 10)] {
        let cost = Cost {
            nanos,
            text: format!("{nanos} ns"),
        };
        g.model.declared.costs.push((kernel.to_owned(), Some(cost)));
    }
    let order = [Metric::CriticalPath, Metric::Peak].map(|metric| (metric, Site(0)));
    g.model.declared.minimize = Some(Minimize::Order(order.to_vec()));
    let (plan, record) = plan(&g.model).unwrap_or_else(|f| panic!("refused: {f:?}"));
    let (l1, c0) = (TaskId(3), TaskId(1));
    assert!(overlap(&plan, first, second), "{record}");
    assert_eq!(record.added, [(c0, l1)], "{record}");
    let found = &record.serialised;
    assert_eq!(
        (found.policy, found.stream, found.aliased),
        (4, 0, 1),
        "{record}"
    );
    assert!(
        found.listed.iter().all(|one| one.by == By::Edge(c0, l1)),
        "{record}"
    );
    let text = record.to_string();
    for said in [
        "4 pairs of tasks that no dependency orders: 4 by added edges, 0 by the order of streams",
        "    `C0` before `L1` by an added edge, so that `second` lies in the place of `first`\n",
        "    `L0` before `C1` by the added edge `C0` before `L1`, so that `second` lies in the place of `first`\n",
    ] {
        assert!(text.contains(said), "{said}: {text}");
    }
}

/// Two chains from one input that meet; the first task of each has no cost.
fn unknown_first() -> Graph {
    let mut g = Graph::new("UnknownFirst");
    let x = g.input("x", 1024);
    let [p, q, a, b] = ["p", "q", "a", "b"].map(|name| g.transient(name, 1024));
    let y = g.output("y", 256);
    g.task("u1", &[read(x), write(p)]);
    g.task("u2", &[read(x), write(q)]);
    g.task("m1", &[read(p), write(a)]);
    g.task("m2", &[read(q), write(b)]);
    g.task("m3", &[read(a), read(b), write(y)]);
    for kernel in ["u1", "u2", "m1", "m2", "m3"] {
        let (nanos, text) = (33_000, "33 us".to_owned());
        let known = kernel.starts_with('m');
        let cost = known.then_some(Cost { nanos, text });
        g.model.declared.costs.push((kernel.to_owned(), cost));
    }
    g
}

#[test]
fn a_path_that_is_as_long_for_every_cost_leaves_the_choice_to_what_comes_next() {
    let mut g = unknown_first();
    let (base, _) = plan(&g.model).unwrap_or_else(|f| panic!("refused: {f:?}"));
    let order = [Metric::CriticalPath, Metric::Peak].map(|metric| (metric, Site(0)));
    g.model.declared.minimize = Some(Minimize::Order(order.to_vec()));
    let (taken, record) = plan(&g.model).unwrap_or_else(|f| panic!("refused: {f:?}"));
    let rivals = &record.policy.rivals;
    let figures = &rivals[record.policy.plan].figures;
    // One after the other is longer, whatever the first two cost.
    assert_eq!(
        figures.critical_path, rivals[0].figures.critical_path,
        "{record}"
    );
    assert!(figures.streams > 1 && taken.arena < base.arena, "{record}");
    let longer = rivals.iter().filter(|r| r.figures.streams == 1);
    let worse = |r: &Rival| matches!(r.outcome, Outcome::Worse(_) | Outcome::Beaten(_));
    assert!(
        longer.clone().count() > 0 && longer.clone().all(worse),
        "{record}"
    );
}

/// H38: sizes and half-open lifetimes of `a`, `b`, `c`, and of `d`, which comes when `a` and `c` are
/// over.
const TEN: [(u64, (i64, i64)); 4] = [(4, (0, 3)), (2, (1, 5)), (4, (2, 3)), (7, (3, 5))];

/// Offsets in an arena of 10 where each allocation takes the first free place as it comes; what comes
/// of the one that finds none.
fn as_it_comes() -> Result<Vec<u64>, u64> {
    let mut placed: Vec<(u64, u64, i64)> = Vec::new();
    let mut offsets = Vec::new();
    for (size, (from, to)) in TEN {
        placed.retain(|p| p.2 > from);
        let free = |at: u64| placed.iter().all(|p| at + size <= p.0 || p.1 <= at);
        let Some(at) = (0..=10 - size).find(|&at| free(at)) else {
            return Err(10 - placed.iter().map(|p| p.1 - p.0).sum::<u64>());
        };
        placed.push((at, at + size, to));
        offsets.push(at);
    }
    Ok(offsets)
}

#[test]
fn h38_ten_bytes_hold_what_allocations_as_they_come_cannot() {
    assert_eq!(as_it_comes(), Err(8), "7 do not fit, with 8 free");
    let buffers = TEN.map(|(size, _)| Buffer {
        size,
        alignment: 1,
        fixed: None,
    });
    let problem = Problem {
        buffers: buffers.to_vec(),
        live: Live::Times(TEN.map(|(_, time)| vec![time]).to_vec()),
        same: vec![],
        apart: vec![],
    };
    let found = place(&problem, &Limits::default()).expect("no demands");
    assert_eq!((found.peak, found.optimal()), (10, true));
    let [a, b, c, d] = found.offsets[..] else {
        panic!("{found:?}");
    };
    // `b` lies at an end, so that what `a` and `c` leave is in one piece.
    assert!(b == 0 || b == 8, "{found:?}");
    assert!(a.abs_diff(c) == 4 && d.abs_diff(b) >= 2, "{found:?}");
}

/// The same as tasks, in slots of 256 bytes; `d` and what is made of it take 8 beside `b`.
fn ten(g: &mut Graph, prefix: &str, domain: u8) -> Vec<ResourceId> {
    let name = |name: &str| format!("{prefix}{name}");
    let sized = [("a", 4), ("b", 2), ("c", 4), ("d", 7)];
    let [a, b, c, d] = sized.map(|(n, size)| g.transient(&name(n), size * 256));
    let out = g.output(&name("out"), 256);
    g.task(&name("ka"), &[write(a)]);
    g.task(&name("kb"), &[read(a), write(b)]);
    g.task(&name("kc"), &[read(a), read(b), write(c)]);
    g.task(&name("kr"), &[read(c), update(b)]);
    g.task(&name("kd"), &[read(b), write(d)]);
    g.task(&name("ke"), &[read(b), read(d), write(out)]);
    let all = vec![a, b, c, d, out];
    for r in &all {
        g.model.resources[r.0 as usize].domain = domain;
    }
    all
}

#[test]
fn h38_a_graph_of_that_shape_is_planned_into_ten() {
    let mut g = Graph::new("Ten");
    let slots = ten(&mut g, "", 0);
    // A budget of ten leaves no room for anything else.
    g.budget(10 * 256);
    let plan = accepted(&g.model);
    assert_eq!((plan.arena, plan.lower_bound), (10 * 256, 10 * 256));
    let [a, b, c, d, _] = slots[..] else {
        panic!("{slots:?}");
    };
    assert!(overlap(&plan, a, d) && overlap(&plan, c, d) && !overlap(&plan, b, d));
    g.budget(10 * 256 - 1);
    assert_eq!(refused(&g.model).code, BUDGET);
}

#[test]
fn h38_private_pools_take_the_sum_of_their_peaks_and_not_the_largest() {
    // The second of the two begins when all of the first is over; in one domain it would take what
    // the first leaves.
    let pools = |domains: [u8; 2]| {
        let mut g = Graph::new("Pools");
        g.model.domains = vec!["red".into(), "blue".into()];
        ten(&mut g, "x", domains[0]);
        let last = TaskId(g.model.tasks.len() as u32 - 1);
        ten(&mut g, "y", domains[1]);
        g.order(last, TaskId(last.0 + 1));
        g
    };
    let one = accepted(&pools([1, 1]).model);
    let mut g = pools([1, 2]);
    let two = accepted(&g.model);
    assert_eq!((two.arena, two.lower_bound), (20 * 256, 20 * 256));
    assert!(one.arena < 12 * 256, "{}", one.arena);
    // Runs in flight have an arena each, and the budget is for all of them.
    g.model.depth = 2;
    g.budget(40 * 256);
    accepted(&g.model);
    g.budget(40 * 256 - 1);
    let fault = refused(&g.model);
    assert_eq!(fault.code, BUDGET);
    assert!(fault.message.contains("10 KiB"), "{}", fault.message);
}
