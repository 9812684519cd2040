//! One random graph, judged in every respect. Shared by the tests and the `brute_force` example.

use gpu_graph_analysis::alias::{Direction, Eligibility, demands, direction, eligibility, merges};
use gpu_graph_analysis::frontier::Frontiers;
use gpu_graph_analysis::layout::{Layout, PAIRWISE, layout, sizes};
use gpu_graph_analysis::model::{Class, Mode, Model, ResourceId, TaskId};
use gpu_graph_analysis::order::Precedence;
use gpu_graph_analysis::plan::{Op, plan};

use super::oracle::{Oracle, dependencies};
use super::packing::optimum;
use super::random;
use super::replay::{reads, replay};
use super::rng::Rng;

/// What was seen, so that a test can say that it saw something.
#[derive(Debug, Default)]
pub struct Tally {
    pub graphs: usize,
    pub cyclic: usize,
    pub unconditional: usize,
    pub in_place: usize,
    pub conditioned: usize,
    pub refused: usize,
    pub shared: usize,
    pub optimal: usize,
    pub bound_met: usize,
    pub demands_held: usize,
    pub demands_refused: usize,
    pub waits: usize,
}

fn id(r: usize) -> ResourceId {
    ResourceId(r as u32)
}

/// Judges the graph of `seed`, of at most `tasks` tasks.
pub fn judge(seed: u64, tasks: usize, tally: &mut Tally) {
    let mut rng = Rng(seed);
    let mut model = random::graph(&mut rng, tasks).model;
    tally.graphs += 1;
    let before = dependencies(&model);
    let oracle = Oracle::new(&model, &before);
    let order = match Precedence::new(&model) {
        Ok(order) => order,
        Err(faults) => {
            assert!(!oracle.complete, "seed {seed}: refused, yet it can run");
            assert!(!faults.is_empty());
            tally.cyclic += 1;
            return;
        }
    };
    assert!(oracle.complete, "seed {seed}: accepted, yet it cannot run");
    let live = Frontiers::new(&model, &order);
    for a in 0..model.resources.len() {
        for b in 0..model.resources.len() {
            if a != b {
                pair(seed, &model, &before, &oracle, &order, &live, (a, b), tally);
            }
        }
    }
    storage(seed, &model, &oracle, &order, &live, tally);
    program(seed, &model, &before, tally);
    // The same with random demands.
    for _ in 0..1 + rng.below(2) {
        let (a, b) = (
            rng.below(model.resources.len()),
            rng.below(model.resources.len()),
        );
        if a != b {
            let pair = gpu_graph_analysis::model::Pair {
                a: id(a),
                b: id(b),
                site: model.site,
            };
            if rng.one_in(3) {
                model.separate.push(pair);
            } else {
                model.aliases.push(pair);
            }
        }
    }
    demanded(seed, &model, &oracle, &order, &live, tally);
}

#[allow(
    clippy::too_many_arguments,
    reason = "all of them are the case at hand"
)]
fn pair(
    seed: u64,
    model: &Model,
    before: &[Vec<usize>],
    oracle: &Oracle,
    order: &Precedence,
    live: &Frontiers,
    (a, b): (usize, usize),
    tally: &mut Tally,
) {
    let at = format!("seed {seed}, r{a} and r{b}");
    let together = oracle.together[a][b];
    assert_eq!(live.interfere(id(a), id(b)), together, "{at}: interference");
    let way = direction(order, live, id(a), id(b));
    match &way {
        Direction::Holds => assert!(!together && !oracle.passed[b][a], "{at}: unsound"),
        Direction::With(edges) => {
            assert!(oracle.passed[a][b], "{at}: never possible");
            assert!(
                suffices(model, before, edges, (a, b)),
                "{at}: edges do not suffice"
            );
            for skip in 0..edges.len() {
                let mut fewer = edges.clone();
                fewer.remove(skip);
                assert!(
                    !suffices(model, before, &fewer, (a, b)),
                    "{at}: edge not needed"
                );
            }
        }
        Direction::Never(_) => assert!(!oracle.passed[a][b], "{at}: needlessly refused"),
    }
    let merged = oracle
        .in_place(model, a, b)
        .or(oracle.in_place(model, b, a));
    match eligibility(model, order, live, id(a), id(b)) {
        Eligibility::Unconditional { first } => {
            assert!(!together, "{at}: unsound");
            let then = if first == id(a) { id(b) } else { id(a) };
            assert_eq!(direction(order, live, first, then), Direction::Holds);
            tally.unconditional += 1;
        }
        Eligibility::InPlace { task, .. } => {
            assert_eq!(merged, Some(task.0 as usize), "{at}: unsound in place");
            tally.in_place += 1;
        }
        Eligibility::Conditioned { first, edges } => {
            assert!(together && merged.is_none(), "{at}: needlessly conditioned");
            let then = if first == id(a) { id(b) } else { id(a) };
            assert_eq!(direction(order, live, first, then), Direction::With(edges));
            tally.conditioned += 1;
        }
        Eligibility::Refused { .. } => {
            assert!(together && merged.is_none(), "{at}: needlessly refused");
            assert!(
                !oracle.passed[a][b] && !oracle.passed[b][a],
                "{at}: an edge would do"
            );
            tally.refused += 1;
        }
    }
}

/// Whether with `edges` added everything still completes and `a` is always over before `b` begins.
fn suffices(
    model: &Model,
    before: &[Vec<usize>],
    edges: &[(TaskId, TaskId)],
    (a, b): (usize, usize),
) -> bool {
    let mut more = before.to_vec();
    for (from, to) in edges {
        more[to.0 as usize].push(from.0 as usize);
    }
    let oracle = Oracle::new(model, &more);
    oracle.complete && !oracle.together[a][b] && oracle.passed[a][b]
}

/// Layouts of both kinds are sound, and the bound is below the best of all.
fn storage(
    seed: u64,
    model: &Model,
    oracle: &Oracle,
    order: &Precedence,
    live: &Frontiers,
    tally: &mut Tally,
) {
    let Ok(held) = demands(model, order, live) else {
        panic!("seed {seed}: nothing is demanded");
    };
    let merges = merges(model, live);
    for pairwise in [PAIRWISE, 0] {
        let found = layout(model, order, live, &held, &merges, pairwise);
        sound(seed, model, oracle, &found, tally);
        let best = best(model, oracle);
        assert!(
            found.bound.bytes <= best,
            "seed {seed}: bound above the optimum"
        );
        assert!(
            best <= found.arena,
            "seed {seed}: the oracle missed a layout"
        );
        if pairwise > 0 {
            tally.optimal += usize::from(found.arena == best);
            tally.bound_met += usize::from(found.arena == found.bound.bytes);
        }
    }
}

fn sound(seed: u64, model: &Model, oracle: &Oracle, found: &Layout, tally: &mut Tally) {
    for (r, slot) in found.slots.iter().enumerate() {
        assert_eq!(slot.offset % 256, 0);
        assert_eq!(
            slot.bytes,
            sizes::aligned(sizes::payload(model, &model.resources[r]))
        );
        assert!(slot.offset + slot.bytes <= found.arena);
    }
    for a in 0..found.slots.len() {
        for b in 0..a {
            let (s, t) = (found.slots[a], found.slots[b]);
            if s.offset.max(t.offset) < (s.offset + s.bytes).min(t.offset + t.bytes) {
                tally.shared += 1;
                let names = |x: usize, y: usize| {
                    let merge = found.merges.iter();
                    let mut of = merge.filter(|m| (m.operand, m.result) == (id(x), id(y)));
                    of.next().map(|m| m.task.0 as usize)
                };
                let merged = names(a, b).or(names(b, a));
                let legal = oracle
                    .in_place(model, a, b)
                    .or(oracle.in_place(model, b, a));
                let fine = !oracle.together[a][b] || merged.is_some() && merged == legal && s == t;
                assert!(fine, "seed {seed}: r{a} and r{b} overlap while live");
            }
        }
    }
}

/// The best arena: over all sets of legal merges, over all placements.
fn best(model: &Model, oracle: &Oracle) -> u64 {
    let n = model.resources.len();
    let bytes = sizes::all(model);
    let pairs = (0..n).flat_map(|x| (0..n).map(move |y| (x, y)));
    let legal = |&(x, y): &(usize, usize)| x != y && oracle.in_place(model, x, y).is_some();
    let merges: Vec<_> = pairs.filter(legal).collect();
    let mut best = u64::MAX;
    for set in 0..1u32 << merges.len() {
        let mut group: Vec<usize> = (0..n).collect();
        for (_, &(x, y)) in merges.iter().enumerate().filter(|(i, _)| set >> i & 1 != 0) {
            unite(&mut group, x, y);
        }
        let mut groups: Vec<Vec<usize>> = vec![Vec::new(); n];
        for (r, &g) in group.iter().enumerate() {
            groups[g].push(r);
        }
        groups.retain(|g| !g.is_empty());
        let size = |g: &Vec<usize>| g.iter().map(|&r| bytes[r]).max().unwrap_or(0);
        let sizes: Vec<u64> = groups.iter().map(size).collect();
        let clash = |g: &Vec<usize>, h: &Vec<usize>| {
            g != h && g.iter().any(|&x| h.iter().any(|&y| oracle.together[x][y]))
        };
        let clashes: Vec<Vec<bool>> = groups
            .iter()
            .map(|g| groups.iter().map(|h| clash(g, h)).collect())
            .collect();
        best = best.min(optimum(&sizes, &clashes));
    }
    best
}

/// Puts `b` and all with it into the group of `a`.
fn unite(group: &mut [usize], a: usize, b: usize) {
    let (from, to) = (group[b], group[a]);
    for g in group.iter_mut().filter(|g| **g == from) {
        *g = to;
    }
}

/// The program orders what depends, and nothing but that and the stream order it states; every wait
/// and every gate is needed.
fn program(seed: u64, model: &Model, before: &[Vec<usize>], tally: &mut Tally) {
    let tasks = model.tasks.len();
    let Ok((plan, record)) = plan(model) else {
        panic!("seed {seed}: nothing is demanded");
    };
    let closed = closure(before);
    let run = replay(tasks, &plan, None);
    let mut allowed = before.to_vec();
    for (a, b) in &record.stream_order {
        allowed[b.0 as usize].push(a.0 as usize);
    }
    let allowed = closure(&allowed);
    for a in 0..tasks {
        for b in 0..tasks {
            assert!(
                run.before[a][b] || !closed[a][b],
                "seed {seed}: t{a} before t{b} is lost"
            );
            assert!(
                allowed[a][b] || !run.before[a][b],
                "seed {seed}: t{a} before t{b} is unstated"
            );
        }
    }
    for (i, op) in plan.issue.iter().enumerate() {
        if matches!(op, Op::Wait { .. }) {
            tally.waits += 1;
            let less = replay(tasks, &plan, Some(i));
            let broken = (0..tasks).any(|a| (0..tasks).any(|b| closed[a][b] && !less.before[a][b]));
            assert!(broken, "seed {seed}: op {i} is a wait for nothing");
        }
    }
    let mut gated = vec![false; tasks];
    for op in &plan.issue {
        if let Op::Gate { event } = op {
            for (g, t) in gated.iter_mut().zip(&run.events[*event as usize]) {
                *g |= t;
            }
        }
    }
    assert!(gated.iter().all(|&g| g), "seed {seed}: a task is not gated");
    let used: Vec<usize> = (0..usize::from(plan.streams)).collect();
    assert!(
        tasks == 0 || used.iter().all(|s| run.stream_of.contains(s)),
        "seed {seed}: idle stream"
    );
    assert!(u32::from(plan.streams) <= model.streams, "seed {seed}");
    let outputs = model.resources.iter().filter(|r| r.class == Class::Output);
    let reads = reads(&plan, &run, tasks);
    assert_eq!(reads.len(), outputs.count(), "seed {seed}");
    for (output, seen) in reads {
        for (t, task) in model.tasks.iter().enumerate() {
            let writes = |a: &gpu_graph_analysis::model::Access| {
                a.resource == id(output) && a.mode != Mode::Read
            };
            if task.accesses.iter().any(writes) {
                assert!(seen[t], "seed {seed}: r{output} is read before t{t}");
            }
        }
    }
}

fn closure(before: &[Vec<usize>]) -> Vec<Vec<bool>> {
    let n = before.len();
    let mut reach = vec![vec![false; n]; n];
    for (t, list) in before.iter().enumerate() {
        for &b in list {
            reach[b][t] = true;
        }
    }
    for k in 0..n {
        for i in 0..n {
            for j in 0..n {
                reach[i][j] |= reach[i][k] && reach[k][j];
            }
        }
    }
    reach
}

/// Demands hold exactly if every pair that they bring together is eligible.
fn demanded(
    seed: u64,
    model: &Model,
    oracle: &Oracle,
    order: &Precedence,
    live: &Frontiers,
    tally: &mut Tally,
) {
    let n = model.resources.len();
    let mut group: Vec<usize> = (0..n).collect();
    for p in &model.aliases {
        unite(&mut group, p.a.0 as usize, p.b.0 as usize);
    }
    let apart = |a: usize, b: usize| {
        let pairs = model.separate.iter();
        let mut of = pairs.filter(|p| (p.a, p.b) == (id(a), id(b)) || (p.a, p.b) == (id(b), id(a)));
        of.next().is_some()
    };
    let legal = |a: usize, b: usize| {
        let merged = oracle
            .in_place(model, a, b)
            .or(oracle.in_place(model, b, a));
        !apart(a, b) && (!oracle.together[a][b] || merged.is_some())
    };
    let all = (0..n).all(|a| (0..a).all(|b| group[a] != group[b] || legal(a, b)));
    match demands(model, order, live) {
        Err(faults) => {
            assert!(!all, "seed {seed}: needlessly refused: {faults:?}");
            tally.demands_refused += 1;
        }
        Ok(held) => {
            assert!(all, "seed {seed}: a demand is unsound");
            tally.demands_held += 1;
            let merges = merges(model, live);
            for pairwise in [PAIRWISE, 0] {
                let found = layout(model, order, live, &held, &merges, pairwise);
                sound(seed, model, oracle, &found, tally);
                for a in 0..n {
                    for b in 0..a {
                        let (s, t) = (found.slots[a], found.slots[b]);
                        assert!(group[a] != group[b] || s.offset == t.offset, "seed {seed}");
                        let overlap =
                            s.offset.max(t.offset) < (s.offset + s.bytes).min(t.offset + t.bytes);
                        assert!(
                            !(apart(a, b) && overlap),
                            "seed {seed}: r{a}, r{b} not apart"
                        );
                    }
                }
                assert!(found.bound.bytes <= found.arena, "seed {seed}");
            }
        }
    }
}
