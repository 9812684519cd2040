//! Layouts and demands.

use gpu_graph_analysis::alias::{Demands, demands, merges};
use gpu_graph_analysis::frontier::Frontiers;
use gpu_graph_analysis::layout::{Effort, Layout, PAIRWISE, Ranges, Spacing, layout, sizes};
use gpu_graph_analysis::model::{Class, Model};
use gpu_graph_analysis::order::Precedence;

use super::super::oracle::Oracle;
use super::super::packing::optimum;
use super::{Tally, id};

/// Layouts of both kinds are sound; searched ones are the best of all with their in-place updates, and
/// proved so.
pub(super) fn storage(
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
    for pairwise in [PAIRWISE, 0] {
        judged(seed, model, oracle, order, live, &held, pairwise, tally);
    }
}

#[allow(
    clippy::too_many_arguments,
    reason = "all of them are the case at hand"
)]
fn judged(
    seed: u64,
    model: &Model,
    oracle: &Oracle,
    order: &Precedence,
    live: &Frontiers,
    held: &Demands,
    pairwise: usize,
    tally: &mut Tally,
) -> Layout {
    let sizes = sizes::all(model);
    let merges = merges(model, live);
    let ranges = Ranges::new(model, &sizes, order, live, held, &merges, pairwise);
    let found = layout(
        model,
        &sizes,
        order,
        live,
        &ranges,
        Effort::TAKEN,
        Spacing::Staggered,
    );
    sound(seed, model, oracle, &found, &ranges, tally);
    let best = best(model, oracle, held, &ranges);
    let tight = found.arena - found.padding;
    assert!(found.bound.bytes <= best, "seed {seed}: above the optimum");
    assert!(best <= tight, "seed {seed}: the oracle missed a layout");
    if pairwise > 0 {
        assert_eq!((tight, found.bound.bytes), (best, best), "seed {seed}");
        tally.optimal += 1;
        let listed = found.bound.parts.iter().map(|part| part.listed);
        tally.searched += usize::from(listed.sum::<u64>() < best);
    }
    // What the bound lists cannot share, and is what it says.
    for part in &found.bound.parts {
        let bytes = part.live.iter().map(|slot| {
            let bytes = slot.iter().map(|r| sizes[r.0 as usize]);
            bytes.max().expect("an entry names something")
        });
        assert_eq!(bytes.sum::<u64>(), part.listed, "seed {seed}");
        assert!(part.listed <= part.bytes, "seed {seed}");
        for (k, a) in part.live.iter().enumerate() {
            for b in &part.live[..k] {
                let mut pairs = a.iter().flat_map(|x| b.iter().map(move |y| (x.0, y.0)));
                let apart = |(x, y): (u32, u32)| {
                    let (x, y) = (x as usize, y as usize);
                    oracle.together[x][y] || kept_apart(held, x, y)
                };
                assert!(pairs.any(apart), "seed {seed}: {a:?} and {b:?} could share");
            }
        }
    }
    found
}

fn kept_apart(held: &Demands, a: usize, b: usize) -> bool {
    held.apart(id(a), id(b))
}

fn sound(
    seed: u64,
    model: &Model,
    oracle: &Oracle,
    found: &Layout,
    ranges: &Ranges,
    tally: &mut Tally,
) {
    for (r, slot) in found.slots.iter().enumerate() {
        assert_eq!(slot.offset % 256, 0);
        assert_eq!(
            slot.bytes,
            sizes::aligned(sizes::payload(model, &model.resources[r]))
        );
        let kept = found.arena + found.store;
        let (from, to) = match model.resources[r].class {
            Class::Resident | Class::Inout => (found.arena, kept),
            Class::Staging => (kept, kept + found.pinned),
            _ => (0, found.arena),
        };
        assert!(from <= slot.offset && slot.offset + slot.bytes <= to);
    }
    for a in 0..found.slots.len() {
        for b in 0..a {
            let (s, t) = (found.slots[a], found.slots[b]);
            if s.offset.max(t.offset) < (s.offset + s.bytes).min(t.offset + t.bytes) {
                tally.shared += 1;
                let names = |x: usize, y: usize| {
                    let merge = ranges.groups.taken.iter();
                    let mut of = merge.filter(|m| (m.operand, m.result) == (id(x), id(y)));
                    of.next().map(|m| m.task.0 as usize)
                };
                let merged = names(a, b).or(names(b, a));
                let legal = oracle
                    .in_place(model, a, b)
                    .or(oracle.in_place(model, b, a));
                let fine = !oracle.together[a][b] || merged.is_some() && merged == legal && s == t;
                let fine = fine && oracle.near(a, b);
                assert!(fine, "seed {seed}: r{a} and r{b} overlap while live");
            }
        }
    }
}

/// The best arena over all placements in which the in-place updates are made that are taken.
fn best(model: &Model, oracle: &Oracle, held: &Demands, ranges: &Ranges) -> u64 {
    let n = model.resources.len();
    let mut bytes = sizes::all(model);
    // What outlives runs, and staging, take nothing of the arena.
    for (r, resource) in model.resources.iter().enumerate() {
        if resource.class.persists() || resource.class == Class::Staging {
            bytes[r] = 0;
        }
    }
    let mut group: Vec<usize> = (0..n).collect();
    for merge in &ranges.groups.taken {
        unite(
            &mut group,
            merge.operand.0 as usize,
            merge.result.0 as usize,
        );
    }
    for members in &held.groups {
        for pair in members.windows(2) {
            unite(&mut group, pair[0].0 as usize, pair[1].0 as usize);
        }
    }
    let mut groups: Vec<Vec<usize>> = vec![Vec::new(); n];
    for (r, &g) in group.iter().enumerate().filter(|(r, _)| bytes[*r] > 0) {
        groups[g].push(r);
    }
    groups.retain(|g| !g.is_empty());
    let clash = |x: usize, y: usize| {
        group[x] != group[y]
            && (oracle.together[x][y] || !oracle.near(x, y) || kept_apart(held, x, y))
    };
    let clashes: Vec<Vec<bool>> = (0..n)
        .map(|x| (0..n).map(|y| clash(x, y)).collect())
        .collect();
    optimum(&groups, &bytes, &clashes)
}

/// Puts `b` and all with it into the group of `a`.
fn unite(group: &mut [usize], a: usize, b: usize) {
    let (from, to) = (group[b], group[a]);
    for g in group.iter_mut().filter(|g| **g == from) {
        *g = to;
    }
}

/// Demands hold exactly if every pair that they bring together is eligible.
pub(super) fn demanded(
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
        let near = oracle.near(a, b);
        near && !apart(a, b) && (!oracle.together[a][b] || merged.is_some())
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
            for pairwise in [PAIRWISE, 0] {
                let found = judged(seed, model, oracle, order, live, &held, pairwise, tally);
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
            }
        }
    }
}
