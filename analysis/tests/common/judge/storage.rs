//! Layouts and demands.

use gpu_graph_analysis::alias::{demands, merges};
use gpu_graph_analysis::frontier::Frontiers;
use gpu_graph_analysis::layout::{Layout, PAIRWISE, layout, sizes};
use gpu_graph_analysis::model::{Class, Model};
use gpu_graph_analysis::order::Precedence;

use super::super::oracle::Oracle;
use super::super::packing::optimum;
use super::{Tally, id};

/// Layouts of both kinds are sound, and the bound is below the best of all.
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
                    let merge = found.merges.iter();
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

/// The best arena: over all sets of legal merges, over all placements.
fn best(model: &Model, oracle: &Oracle) -> u64 {
    let n = model.resources.len();
    let mut bytes = sizes::all(model);
    // What outlives runs, and staging, take nothing of the arena.
    for (r, resource) in model.resources.iter().enumerate() {
        if resource.class.persists() || resource.class == Class::Staging {
            bytes[r] = 0;
        }
    }
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
            g != h
                && g.iter().any(|&x| {
                    h.iter()
                        .any(|&y| oracle.together[x][y] || !oracle.near(x, y))
                })
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
