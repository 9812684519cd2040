//! The record of a small graph, word for word, and of a large one, in size.
//!
//! `INSTA_UPDATE=always cargo test -p gpu-graph-analysis --test record` writes the files anew.

mod common;

use common::orders::{layered, series_parallel};
use common::rng::Rng;
use common::{Graph, large, read, rooms, write};
use gpu_graph_analysis::expr::Expr;
use gpu_graph_analysis::model::{Class, Elem, Mode, ResourceId, Rows, Site, TaskId};
use gpu_graph_analysis::plan::plan;
use gpu_graph_analysis::policy::{Metric, Minimize, Outcome};
use gpu_graph_analysis::record::Alias;

/// Blur, two gradients, magnitude in the place of the blurred picture, threshold.
fn edges() -> Graph {
    let mut g = Graph::new("Edges");
    let h = g.dim("h", 16, 8192);
    let w = g.dim("w", 16, 8192);
    let shape = [h.clone(), w.clone()];
    let image = g.resource("image", Class::Input, Elem::F32, &shape);
    let [smooth, gx, gy, mag] = ["smooth", "gx", "gy", "mag"]
        .map(|name| g.resource(name, Class::Transient, Elem::F32, &shape));
    let edges = g.resource("edges", Class::Output, Elem::U8, &shape);
    let sums = [h.add(&Expr::constant(1)).unwrap()];
    let rows = g.resource("sums", Class::Output, Elem::U32, &sums);
    g.upload(image);
    let write = |r| (r, Mode::Overwrite, Rows::All);
    g.task("blur", &[read(image), write(smooth)]);
    g.task("sobel_x", &[read(smooth), write(gx)]);
    g.task("sobel_y", &[read(smooth), write(gy)]);
    let magnitude = g.task("magnitude", &[read(gx), read(gy), write(mag)]);
    g.in_place(magnitude, 1);
    g.task("count", &[read(image), write(rows)]);
    g.task("threshold", &[read(mag), write(edges)]);
    g.separate(smooth, gx);
    g
}

#[test]
fn the_record_of_a_small_graph_is_kept_word_for_word() {
    let (_, record) = plan(&edges().model).unwrap_or_else(|f| panic!("refused: {f:?}"));
    insta::assert_snapshot!("edges", record.to_string());
    insta::assert_snapshot!("edges_dot", record.dot());
    insta::assert_snapshot!("edges_facts", record.facts());
}

#[test]
fn the_record_of_a_large_graph_is_small_and_counts_what_it_leaves_out() {
    for shape in large::SHAPES {
        let model = large::graph(shape, 2_000).model;
        let (_, record) = plan(&model).unwrap_or_else(|f| panic!("refused: {f:?}"));
        let (text, dot) = (record.to_string(), record.dot());
        assert!(text.len() < 100_000 && dot.len() < 150_000, "{shape}");
        assert!(dot.contains("// not drawn: "), "{shape}");
        assert!(
            record.resources.len() < 200 || text.contains(" more resources"),
            "{shape}"
        );
    }
}

/// `x`, then each in place of the one before, to `y`.
fn chain() -> (Graph, [ResourceId; 4]) {
    let mut g = Graph::new("Chain");
    let x = g.input("x", 256);
    let list = ["a", "b", "c"].map(|name| g.transient(name, 256));
    let y = g.output("y", 256);
    let mut last = x;
    for (at, next) in list.into_iter().chain([y]).enumerate() {
        let task = g.task(&format!("k{at}"), &[read(last), write(next)]);
        g.in_place(task, 0);
        last = next;
    }
    let [a, b, c] = list;
    (g, [a, b, c, y])
}

#[test]
fn a_demand_within_a_chain_of_updates_keeps_none_of_them_back() {
    for ends in [(0, 2), (2, 0), (0, 3), (1, 3)] {
        let (mut g, list) = chain();
        g.alias(list[ends.0], list[ends.1]);
        let (plan, record) = plan(&g.model).unwrap_or_else(|f| panic!("refused: {f:?}"));
        assert_eq!(record.left, [], "{ends:?}");
        assert_eq!(
            plan.slots[1..]
                .iter()
                .filter(|s| **s == plan.slots[1])
                .count(),
            4
        );
    }
}

#[test]
fn an_update_that_is_left_is_told_with_what_forbids_it() {
    let (mut g, [a, b, ..]) = chain();
    g.separate(b, a);
    let (_, record) = plan(&g.model).unwrap_or_else(|f| panic!("refused: {f:?}"));
    let text = record.to_string();
    let line = "not taken: `b` in place of `a` at `k1`: `separate` keeps the two apart";
    assert!(text.contains(line), "{text}");

    // `z` lies with `a` by demand and is needed while `b` is.
    let mut g = Graph::new("Joined");
    let z = g.input("z", 256);
    let [a, b] = ["a", "b"].map(|name| g.transient(name, 256));
    let y = g.output("y", 256);
    let w = g.transient("w", 256);
    g.task("first", &[read(z), write(w)]);
    g.task("make", &[read(w), write(a)]);
    let update = g.task("update", &[read(a), write(b)]);
    g.in_place(update, 0);
    let again = g.transient("again", 256);
    g.task("again", &[read(b), write(again)]);
    g.task("end", &[read(again), read(b), write(y)]);
    g.alias(again, a);
    let (_, record) = plan(&g.model).unwrap_or_else(|f| panic!("refused: {f:?}"));
    let text = record.to_string();
    let line = "not taken: `b` in place of `a` at `update`: through demanded aliases it would join \
                `again` and `b`, which may be live at once";
    assert!(text.contains(line), "{text}");
}

#[test]
fn orders_are_listed_and_drawn_apart_from_dependencies() {
    let mut g = Graph::new("Ordered");
    let x = g.input("x", 256);
    let [a, b] = ["a", "b"].map(|name| g.transient(name, 256));
    let y = g.output("y", 256);
    let first = g.task("first", &[read(x), write(a)]);
    let second = g.task("second", &[read(x), write(b)]);
    let third = g.task("third", &[read(a), read(b), write(y)]);
    g.order(first, second);
    g.order(first, third);
    let (_, record) = plan(&g.model).unwrap_or_else(|f| panic!("refused: {f:?}"));
    let (text, dot) = (record.to_string(), record.dot());
    let lines = "orders         2 demanded\n    `first` before `second`\n    \
                 `first` before `third`, as their accesses do anyway\n";
    assert!(text.contains(lines), "{text}");
    let edge = format!("t{} -> t{} [style=bold];", first.0, second.0);
    assert!(dot.contains(&edge), "{dot}");
    assert_eq!(dot.matches("style=bold").count(), 1, "{dot}");
    // No dim is in its extents, so that it is never smaller.
    assert!(text.contains("size      256 bytes, 256 B\n"), "{text}");
}

#[test]
fn a_condition_says_what_demanded_aliases_have_against_it() {
    let mut g = Graph::new("Group");
    let x = g.input("x", 256);
    let names = ["soft", "hard", "late", "edges"];
    let [soft, hard, late, edges] = names.map(|name| g.transient(name, 256));
    let y = g.output("y", 256);
    g.task("blur", &[read(x), write(soft)]);
    g.task("relu", &[read(soft), write(hard)]);
    g.task("scale", &[read(hard), write(late)]);
    g.task("grad", &[read(x), write(edges)]);
    g.task("add", &[read(late), read(edges), write(y)]);
    let line = "`soft` and `edges`: conditioned, `soft` first if `relu` before `grad`";
    let but = ", but through demanded aliases `late` and `edges` would share, too, and cannot";
    for demanded in [false, true] {
        if demanded {
            g.alias(late, soft);
        }
        let (_, record) = plan(&g.model).unwrap_or_else(|f| panic!("refused: {f:?}"));
        let text = record.to_string();
        assert!(text.contains(line), "{text}");
        assert_eq!(text.contains(&format!("{line}{but}")), demanded, "{text}");
    }
}

#[test]
fn the_bound_of_isolation_domains_is_told_one_by_one() {
    let mut g = Graph::new("Tenants");
    g.model.domains = vec!["none".into(), "red".into(), "blue".into()];
    for (domain, bytes) in [(1, 4096), (2, 2048)] {
        let x = g.input(&format!("x{domain}"), bytes);
        let y = g.output(&format!("y{domain}"), bytes);
        g.task(&format!("k{domain}"), &[read(x), write(y)]);
        for r in [x, y] {
            g.model.resources[r.0 as usize].domain = domain;
        }
    }
    let (plan, record) = plan(&g.model).unwrap_or_else(|f| panic!("refused: {f:?}"));
    assert_eq!((plan.arena, plan.lower_bound), (12_288, 12_288));
    let text = record.to_string();
    let lines = "  lower bound    12 KiB, the sum of 2 isolation domains, which share nothing
    red          8 KiB, live while `k1` runs: `x1` and `y1`
    blue         4 KiB, live while `k2` runs: `x2` and `y2`
";
    assert!(text.contains(lines), "{text}");
}

#[test]
fn what_a_stream_orders_is_no_added_edge() {
    // Two rooms that are never needed at once, if the one is left before the other is filled.
    let mut g = rooms();
    g.model.declared.minimize = Some(Minimize::Order(vec![(Metric::Peak, Site(0))]));
    for streams in [1, 2] {
        g.model.streams = streams;
        let (_, record) = plan(&g.model).unwrap_or_else(|f| panic!("refused: {f:?}"));
        assert_eq!(record.added, [], "{record}");
        let shared = |a: &&Alias| !a.condition.is_empty();
        assert!(record.aliases.iter().any(|a| shared(&a)), "{record}");
        for (a, b) in record.aliases.iter().flat_map(|a| &a.condition) {
            let position = |t: &TaskId| record.sequence.iter().position(|&s| s == t.0);
            let [from, to] = [a, b].map(|t| record.stream_of[t.0 as usize]);
            assert!(from == to && position(a) < position(b), "{record}");
        }
    }
}

#[test]
fn what_a_kind_of_policy_gives_says_of_what_it_is_a_figure() {
    let (_, record) = plan(&edges().model).unwrap_or_else(|f| panic!("refused: {f:?}"));
    let text = record.to_string();
    assert!(text.contains(": each by itself, so that lines overlap and do not add\n"));
    for (kind, of) in [
        ("delay", "of what is live at once"),
        ("release earlier", "of what is live at once"),
        ("alias", "of the arena"),
    ] {
        let line = text
            .lines()
            .find(|l| l.trim_start().starts_with(&format!("{kind} ")));
        let line = line.expect(kind);
        assert!(line.contains(&format!(" {of}: ")), "{line}");
    }
}

#[test]
fn executions_are_all_that_proofs_rest_on() {
    let mut g = rooms();
    g.model.streams = 1;
    let (_, record) = plan(&g.model).unwrap_or_else(|f| panic!("refused: {f:?}"));
    let line = "  executions     all that dependencies admit: the order of streams admits fewer";
    assert!(record.to_string().contains(line), "{record}");
    g.model.declared.minimize = Some(Minimize::Order(vec![(Metric::Peak, Site(0))]));
    let (_, record) = plan(&g.model).unwrap_or_else(|f| panic!("refused: {f:?}"));
    let line = "  executions     all that dependencies, added edges and the order of streams admit";
    assert!(record.to_string().contains(line), "{record}");
}

#[test]
fn a_sequence_that_is_found_as_it_is_written_is_called_that() {
    // Each is used before the next is made, as they are written; nothing orders them.
    let mut g = Graph::new("Turns");
    let x = g.input("x", 256);
    for i in 0..3 {
        let room = g.transient(&format!("room{i}"), 4096);
        let y = g.output(&format!("y{i}"), 256);
        g.task(&format!("fill{i}"), &[read(x), write(room)]);
        g.task(&format!("use{i}"), &[read(room), write(y)]);
    }
    g.model.streams = 3;
    g.model.declared.minimize = Some(Minimize::Order(vec![(Metric::Peak, Site(0))]));
    let (_, record) = plan(&g.model).unwrap_or_else(|f| panic!("refused: {f:?}"));
    let text = record.to_string();
    assert!(
        text.contains("one task at a time, as they are written"),
        "{text}"
    );
    let found = text.contains("in a sequence found with less live at once");
    assert!(
        !found || !text.contains(", issued in statement order"),
        "{text}"
    );
}

#[test]
fn staging_is_told_from_the_arena_and_the_budget_counts_it() {
    let mut g = Graph::new("Staged");
    let x = g.input("x", 4096);
    let bytes = [Expr::constant(4096)];
    let weights = g.resource("weights", Class::Resident, Elem::U8, &bytes);
    let staged = g.resource("staged", Class::Staging, Elem::U8, &bytes);
    let y = g.output("y", 4096);
    g.task("download", &[read(x), read(weights), write(staged)]);
    g.task("up", &[read(staged), write(y)]);
    g.model.depth = 2;
    g.budget(1 << 20);
    let (_, record) = plan(&g.model).unwrap_or_else(|f| panic!("refused: {f:?}"));
    let text = record.to_string();
    for said in [
        "the budget of 1 MiB has room for 2 times an arena of 4 KiB, 2 times staging of 4 KiB and a \
         store of 4 KiB\n",
        "    slot      8192..12288 in staging, behind arena and store: host memory\n",
        "    slot      4096..8192 in the store, behind the arena\n",
        "  size classes   1, the largest first: 3 of 4 KiB; 1 of these in staging, which is host memory\n",
    ] {
        assert!(text.contains(said), "{said}: {text}");
    }
    g.budget((20 << 10) - 1);
    let faults = plan(&g.model).expect_err("a budget that is exceeded");
    let notes = faults[0].notes.join("\n");
    for said in [
        "arena, store and staging hold ",
        "no layout is below 12 KiB without more order, staging aside",
        "the budget counts 2 times an arena of 4 KiB, 2 times staging of 4 KiB and a store of 4 KiB, as it \
         is `pipelined 2`",
    ] {
        assert!(notes.contains(said), "{said}: {notes}");
    }
}

#[test]
fn a_graph_of_nothing_and_one_without_dims_say_no_more_than_holds() {
    let g = Graph::new("Nothing");
    let (_, record) = plan(&g.model).unwrap_or_else(|f| panic!("refused: {f:?}"));
    let text = record.to_string();
    assert!(
        text.contains("  size classes   0, as no run has storage\n"),
        "{text}"
    );
    assert!(!text.contains("dims outside their bounds"), "{text}");
    assert!(!text.contains("every admitted dim"), "{text}");
    assert!(!text.contains("1 launches"), "{text}");
    let text = plan(&edges().model).map(|(_, record)| record.to_string());
    let text = text.unwrap_or_else(|f| panic!("refused: {f:?}"));
    assert!(
        text.contains("  void with      dims outside their bounds\n"),
        "{text}"
    );
}

#[test]
fn the_plan_is_written_out_wherever_it_stands_among_those_that_were_weighed() {
    let mut model = large::graph("pairs", 20).model;
    model.declared.minimize = Some(Minimize::Order(vec![(Metric::Peak, Site(0))]));
    let (_, mut record) = plan(&model).unwrap_or_else(|f| panic!("refused: {f:?}"));
    let policy = &mut record.policy;
    let mut taken = policy.rivals.remove(policy.plan);
    taken.name = "the plan".to_owned();
    let mut other = policy.rivals[0].clone();
    other.outcome = Outcome::Worse(Metric::Peak);
    for count in [1, 11, 12, 13, 40] {
        let policy = &mut record.policy;
        policy.rivals = vec![other.clone(); count];
        policy.plan = count;
        policy.rivals.push(taken.clone());
        let text = record.to_string();
        let lines: Vec<&str> = text.lines().map(str::trim).collect();
        let named = lines.iter().position(|line| *line == "the plan");
        assert_eq!(lines[named.expect(&text) + 5], "taken", "{text}");
        let written = lines
            .iter()
            .filter(|line| line.starts_with("rejected  its peak"));
        let left = count - written.count();
        let said = match left {
            0 => !text.contains("more that nothing beats"),
            n => text.contains(&format!("  and {n} more that nothing beats in all\n")),
        };
        assert!(said && left == count.saturating_sub(12), "{count}: {text}");
    }
}

#[test]
fn what_cannot_share_by_twos_shows_the_greatest_peak_of_a_large_graph() {
    for seed in 0..3 {
        let order = series_parallel(&mut Rng(seed), 700, true);
        let (_, record) = plan(&large::of_items(&order).model).expect("a plan");
        let [_, [low, high], _] = record.peak.ends();
        assert_eq!(low, high, "{seed}");
    }
}

#[test]
fn a_build_finds_the_least_peak_of_small_graphs() {
    for seed in 0..9 {
        let order = layered(
            &mut Rng(seed),
            40,
            2 + seed as usize % 5 * 2,
            40,
            true,
            true,
        );
        let (_, record) = plan(&large::of_items(&order).model).expect("a plan");
        let [[low, high], ..] = record.peak.ends();
        assert_eq!(low, high, "{seed}");
    }
}
