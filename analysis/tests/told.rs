//! What a record says in words and numbers is so.

mod common;

use common::{Graph, read, rooms, write};
use gpu_graph_analysis::expr::Expr;
use gpu_graph_analysis::model::{Class, Elem, Mode, ResourceId, Rows, Site};
use gpu_graph_analysis::plan::plan;
use gpu_graph_analysis::policy::{Metric, Minimize};
use gpu_graph_analysis::record::{Record, Term};

fn record(g: &Graph) -> Record {
    plan(&g.model)
        .unwrap_or_else(|f| panic!("refused: {f:?}"))
        .1
}

fn minimize(g: &mut Graph, metric: Metric) {
    g.model.declared.minimize = Some(Minimize::Order(vec![(metric, Site(0))]));
}

/// Two gradients of whole pages, one of which becomes their magnitude, beside a difference that is needed
/// with it, and a picture that is not.
fn tone() -> Graph {
    let mut g = Graph::new("Tone");
    let side = g.dim("side", 64, 1024);
    let shape = [side.clone(), side];
    let raw = g.resource("raw", Class::Input, Elem::F32, &shape);
    let names = ["flat", "ground", "detail", "gx", "gy", "mag"];
    let [flat, ground, detail, gx, gy, mag] =
        names.map(|name| g.resource(name, Class::Transient, Elem::F32, &shape));
    let toned = g.resource("toned", Class::Output, Elem::F32, &shape);
    let write = |r| (r, Mode::Overwrite, Rows::All);
    g.upload(raw);
    g.task("flatten", &[read(raw), write(flat)]);
    g.task("blur", &[read(flat), write(ground)]);
    g.task("lack", &[read(flat), read(ground), write(detail)]);
    g.task("dx", &[read(flat), write(gx)]);
    g.task("dy", &[read(flat), write(gy)]);
    let magnitude = g.task("magnitude", &[read(gx), read(gy), write(mag)]);
    g.in_place(magnitude, 0);
    g.task("boost", &[read(detail), read(mag), write(toned)]);
    g
}

#[test]
fn the_order_of_issue_is_told_as_what_it_comes_of() {
    let mut g = Graph::new("Two");
    let x = g.input("x", 256);
    let [a, b] = ["a", "b"].map(|name| g.output(name, 256));
    let first = g.task("first", &[read(x), write(a)]);
    let second = g.task("second", &[read(x), write(b)]);
    let told = |g: &Graph| {
        let text = record(g).to_string();
        let mut lines = text.lines();
        let line = lines.find_map(|line| line.strip_prefix("tasks: ")?.split_once(", issued "));
        line.expect("the order is told").1.to_owned()
    };
    assert_eq!(told(&g), "in statement order");
    g.order(second, first);
    assert_eq!(told(&g), "in statement order as far as `order` admits");
    let mut g = rooms();
    assert_eq!(told(&g), "in statement order");
    minimize(&mut g, Metric::Peak);
    let found = record(&g);
    assert!(!found.sequence.is_sorted(), "{found}");
    assert_eq!(told(&g), "in the order that the plan has found");
}

#[test]
fn what_kinds_of_policies_give_leaves_the_padding_aside() {
    let mut g = tone();
    let mut padded = 0;
    for metric in [None, Some(Metric::CriticalPath), Some(Metric::Peak)] {
        for budget in [None, Some(40 << 20), Some(27 << 20)] {
            g.model.declared.minimize = None;
            g.model.budget = None;
            metric
                .into_iter()
                .for_each(|metric| minimize(&mut g, metric));
            if let Some(bytes) = budget {
                g.budget(bytes);
            }
            let Ok((plan, record)) = plan(&g.model) else {
                continue;
            };
            let gives = |kind| {
                let mut actions = record.actions.iter();
                let found = actions.find(|action| action.kind == kind && action.done);
                found.and_then(|action| action.gives).unwrap_or(0)
            };
            let tight = plan.arena - record.padding;
            let sum = record.logical();
            assert_eq!(
                gives("alias") + gives("conditioned_alias") + tight,
                sum,
                "{record}"
            );
            padded += u64::from(record.padding > 0);
        }
    }
    assert!(padded > 0);
}

#[test]
fn what_is_one_range_in_place_is_judged_as_one() {
    let mut g = tone();
    let text = record(&g).to_string();
    let has = |text: &str, line: &str| assert!(text.contains(line), "{line}: {text}");
    // That `gx` is over before `detail` begins is of no use: `mag` is not.
    has(
        &text,
        "`detail` and `gx`: refused with `mag` in the place of `gx`, ",
    );
    has(
        &text,
        "`ground` and `gx`: conditioned with `mag` in the place of `gx`, `ground` first if `lack` before `dx`; ",
    );
    has(
        &text,
        "    released  not by itself: in place it becomes `mag`\n",
    );
    has(&text, "    created   in place, of `gx`, by `magnitude`\n");
    let [gx, mag] = [4, 6].map(ResourceId);
    g.separate(gx, mag);
    let text = record(&g).to_string();
    has(
        &text,
        "`detail` and `gx`: conditioned, `gx` first if `magnitude` before `lack`; ",
    );
}

#[test]
fn as_many_ranges_are_released_as_end() {
    let record = record(&tone());
    let figures = &record.policy.rivals[record.policy.plan].figures;
    let text = record.to_string();
    assert_eq!(
        text.matches("    released  when all of ").count(),
        figures.ends,
        "{text}"
    );
}

#[test]
fn what_is_live_is_listed_as_it_is_declared() {
    let mut g = tone();
    for metric in [Metric::Peak, Metric::CriticalPath] {
        minimize(&mut g, metric);
        let record = record(&g);
        let peak = [&record.peak.least.live, &record.peak.greatest.live];
        let bound = record.bound.parts.iter().map(|part| &part.live);
        assert!(bound.chain(peak).all(|live| live.is_sorted()), "{record}");
    }
}

#[test]
fn what_an_update_alone_admits_is_refused_but_for_that() {
    let mut g = Graph::new("Late");
    let x = g.input("x", 256);
    let [a, b] = ["a", "b"].map(|name| g.transient(name, 256));
    let [y, z] = ["y", "z"].map(|name| g.output(name, 256));
    g.task("make", &[read(x), write(a)]);
    g.task("look", &[read(a), write(z)]);
    let update = g.task("update", &[read(a), write(b)]);
    g.in_place(update, 0);
    g.task("end", &[read(b), write(y)]);
    let text = record(&g).to_string();
    let line = "`a` and `b`: refused, unless in place at `update`, which takes `look` before `update`: `update` \
                needs both; ";
    assert!(text.contains(line), "{text}");
}

#[test]
fn single_bytes_have_no_factor() {
    let mut g = Graph::new("Bytes");
    let n = g.dim("n", 1, 8);
    let hundred = n.scale(100).expect("it is small");
    let x = g.resource("x", Class::Input, Elem::U8, &[hundred]);
    let y = g.resource("y", Class::Output, Elem::U8, &[n.clone(), n]);
    g.upload(x);
    g.task("k", &[read(x), (y, Mode::Overwrite, Rows::All)]);
    let text = record(&g).to_string();
    assert!(
        text.contains("    size      100 * n bytes, at most 800 B\n"),
        "{text}"
    );
    assert!(
        text.contains("    size      n * n bytes, at most 64 B\n"),
        "{text}"
    );
}

/// What right-sizing changes at any dims lies between its ends, of which the lower is that at the least.
#[test]
fn what_sizes_at_a_load_change_lies_between_the_ends_that_are_told() {
    let graph = |min: u64, max: u64| {
        let mut g = Graph::new("Sized");
        let n = match min == max {
            true => Expr::constant(max as i64),
            false => g.dim("n", min, max),
        };
        let value = |g: &mut Graph, name, class, width: i64| {
            let shape = [n.clone(), Expr::constant(width)];
            g.resource(name, class, Elem::F32, &shape)
        };
        let x = value(&mut g, "x", Class::Input, 1);
        g.upload(x);
        let [a, b, c] = [("a", 8), ("b", 64), ("c", 32)]
            .map(|(name, width)| value(&mut g, name, Class::Transient, width));
        let y = value(&mut g, "y", Class::Output, 1);
        g.task("a = widen", &[read(x), write(a)]);
        g.task("b = widen", &[read(a), write(b)]);
        g.task("c = narrow", &[read(b), read(a), write(c)]);
        g.task("y = narrow", &[read(c), write(y)]);
        record(&g)
    };
    let tight = |record: &Record| {
        let rival = &record.policy.rivals[record.policy.plan];
        (
            (rival.figures.arena - rival.padding) as i64,
            rival.figures.in_turn as i64,
        )
    };
    let whole = graph(3, 40);
    let sized = whole.actions.iter().find(|a| a.kind == "right_size");
    let effect = sized.unwrap().effect.as_ref().unwrap();
    let [arena, live] = [Term::Arena, Term::Peak].map(|term| effect.term(term).unwrap());
    let (most, most_live) = tight(&whole);
    for n in 3..=40 {
        let own = graph(n, n);
        let (needed, needed_live) = tight(&own);
        let within = |change: i64, [low, high]: [i64; 2]| low <= change && change <= high;
        assert!(
            within(needed - most, arena),
            "{n}: {needed} of {most}, {arena:?}"
        );
        assert!(within(needed_live - most_live, live), "{n}: {live:?}");
        if n == 3 {
            assert_eq!(needed_live - most_live, live[0]);
        }
        let fixed = own.actions.iter().find(|a| a.kind == "right_size").unwrap();
        assert!(!fixed.done && fixed.why.starts_with("no size changes with the dims; "));
        assert_eq!(
            fixed.effect.as_ref().unwrap().term(Term::Arena),
            Some([0, 0])
        );
    }
}
