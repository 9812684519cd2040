//! `Record::explain` against the analysis, on random graphs with random demands: for every pair the
//! same class, the same tasks, and the truth about where the two lie.

#[path = "../../analysis/tests/common/mod.rs"]
mod common;
mod explain_support;

use common::random;
use common::rng::Rng;
use explain_support::{image, pair};
use gpu_graph_analysis::alias::{self, Eligibility, eligibility};
use gpu_graph_analysis::frontier::Frontiers;
use gpu_graph_analysis::model::{Model, ResourceId, TaskId};
use gpu_graph_analysis::order::Precedence;
use gpu_graph_analysis::plan::{Plan, plan};
use gpu_graph_analysis::record;
use gpu_graph_runtime::graph::{Blocker, Explanation, Obstacle, Record, Relation, Storage};

const GRAPHS: u64 = 12_000;

/// A graph that was accepted, and what the analysis knows of it.
struct Case {
    seed: u64,
    model: Model,
    order: Precedence,
    live: Frontiers,
    plan: Plan,
    found: record::Record,
}

#[derive(Debug, Default)]
struct Tally {
    unconditional: usize,
    in_place: usize,
    conditioned: usize,
    refused: usize,
    shared: usize,
    demanded: usize,
    separate: usize,
    left: usize,
    free: usize,
    obstacles: usize,
}

#[test]
fn every_pair_is_explained_as_the_analysis_decided_it() {
    let mut tally = Tally::default();
    for seed in 0..GRAPHS {
        let mut rng = Rng(seed);
        let mut model = random::graph(&mut rng, 9).model;
        let Ok(order) = Precedence::new(&model) else {
            continue;
        };
        let live = Frontiers::new(&model, &order);
        demand(&mut model, &order, &live, &mut rng);
        let Ok((plan, found)) = plan(&model) else {
            continue;
        };
        let image = image(&model, &plan);
        let facts = found.facts().leak();
        let record = Record::new("", "", facts, plan.lower_bound, image);
        assert_eq!(record.waits(), found.waits, "seed {seed}");
        let case = Case {
            seed,
            model,
            order,
            live,
            plan,
            found,
        };
        for a in 0..case.model.resources.len() {
            for b in 0..case.model.resources.len() {
                case.judge(&record, a, b, &mut tally);
            }
        }
    }
    let Tally {
        unconditional,
        in_place,
        conditioned,
        refused,
        shared,
        demanded,
        separate,
        left,
        free,
        obstacles,
    } = tally;
    let seen = [
        unconditional,
        in_place,
        conditioned,
        refused,
        shared,
        demanded,
        separate,
        left,
        free,
        obstacles,
    ];
    assert!(seen.iter().all(|&n| n >= 5), "too few of a kind: {tally:?}");
}

/// Adds random demands; an alias is one that may be had, unless others contradict.
fn demand(model: &mut Model, order: &Precedence, live: &Frontiers, rng: &mut Rng) {
    let count = model.resources.len();
    let all = (0..count).flat_map(|a| (0..count).map(move |b| (a, b)));
    let eligible = all.filter(|&(a, b)| {
        let (a, b) = (ResourceId(a as u32), ResourceId(b as u32));
        matches!(
            eligibility(model, order, live, a, b),
            Eligibility::Unconditional { .. } | Eligibility::InPlace { .. }
        )
    });
    let eligible: Vec<_> = eligible.collect();
    for _ in 0..rng.below(4) {
        let (a, b) = (rng.below(count), rng.below(count));
        if a != b && rng.one_in(3) {
            model.separate.push(pair(a, b));
        } else if !eligible.is_empty() {
            let (a, b) = eligible[rng.below(eligible.len())];
            model.aliases.push(pair(a, b));
        }
    }
}

impl Case {
    fn name(&self, r: ResourceId) -> &str {
        &self.model.resources[r.0 as usize].name
    }

    fn task(&self, t: TaskId) -> &str {
        &self.model.tasks[t.0 as usize].name
    }

    fn task_of(&self, name: &str) -> TaskId {
        let mut tasks = self.model.tasks.iter();
        let found = tasks.position(|t| t.name == name);
        TaskId(found.expect("a task of the graph") as u32)
    }

    fn resource_of(&self, name: &str) -> ResourceId {
        let mut resources = self.model.resources.iter();
        let found = resources.position(|r| r.name == name);
        ResourceId(found.expect("a resource of the graph") as u32)
    }

    fn judge(&self, record: &Record, a: usize, b: usize, tally: &mut Tally) {
        let (a, b) = (ResourceId(a as u32), ResourceId(b as u32));
        let found = record.explain(self.name(a), self.name(b));
        let found = found.expect("resources of the graph");
        let at = format!("seed {}, {found}", self.seed);
        if a == b {
            assert_eq!(found.relation, Relation::Same, "{at}");
            return;
        }
        self.relation(&found, a, b, &at, tally);
        self.storage(&found, a, b, &at, tally);
    }

    fn relation(
        &self,
        found: &Explanation,
        a: ResourceId,
        b: ResourceId,
        at: &str,
        tally: &mut Tally,
    ) {
        let other = |r: ResourceId| if r == a { b } else { a };
        match eligibility(&self.model, &self.order, &self.live, a, b) {
            Eligibility::Unconditional { first } => {
                let Relation::Unconditional {
                    first: name, paths, ..
                } = &found.relation
                else {
                    panic!("{at}: it is unconditional");
                };
                assert_eq!(*name, self.name(first), "{at}");
                let last = &self.live.of(first).last;
                let begin = &self.live.of(other(first)).first;
                assert_eq!(paths.len(), 4.min(last.len() * begin.len()), "{at}");
                for path in paths {
                    let path: Vec<_> = path.iter().map(|t| self.task_of(t)).collect();
                    assert!(last.contains(&path[0]), "{at}");
                    assert!(begin.contains(&path[path.len() - 1]), "{at}");
                    let holds = |step: &[TaskId]| self.order.before(step[1]).contains(&step[0].0);
                    assert!(path.windows(2).all(holds), "{at}");
                }
                tally.unconditional += 1;
            }
            Eligibility::InPlace { first, task } => {
                let (first, task) = (self.name(first), self.task(task));
                let same = matches!(&found.relation, Relation::InPlace { first: f, task: t }
                    if *f == first && *t == task);
                assert!(same, "{at}: it is in place");
                tally.in_place += 1;
            }
            Eligibility::Conditioned { first, edges } => {
                let Relation::Conditioned {
                    first: name,
                    unordered,
                    planned: false,
                } = &found.relation
                else {
                    panic!("{at}: it is conditioned");
                };
                assert_eq!(*name, self.name(first), "{at}");
                let mut edges: Vec<_> = edges
                    .iter()
                    .map(|&(x, y)| (self.task(x), self.task(y)))
                    .collect();
                let mut named: Vec<_> = unordered.iter().map(|[x, y]| (x.0, y.0)).collect();
                edges.sort_unstable();
                named.sort_unstable();
                assert_eq!(named, edges, "{at}");
                tally.conditioned += 1;
            }
            Eligibility::Refused { .. } => {
                let Relation::Refused { forward, backward } = found.relation else {
                    panic!("{at}: it is refused");
                };
                self.blocked(forward, a, b, at);
                self.blocked(backward, b, a, at);
                tally.refused += 1;
            }
        }
    }

    fn blocked(&self, blocker: Blocker, earlier: ResourceId, later: ResourceId, at: &str) {
        let (last, first) = (&self.live.of(earlier).last, &self.live.of(later).first);
        match blocker {
            Blocker::Host => assert!(self.live.of(earlier).host, "{at}"),
            Blocker::Region => {
                let region = |r| self.live.of(r).region;
                assert_ne!(region(earlier), region(later), "{at}");
            }
            Blocker::Kept(name) => {
                let kept = self.resource_of(name);
                assert!(
                    [earlier, later].contains(&kept) && self.live.of(kept).kept,
                    "{at}"
                );
            }
            Blocker::Both(task) => {
                let task = self.task_of(task);
                assert!(last.contains(&task) && first.contains(&task), "{at}");
            }
            Blocker::Reversed { user, start } => {
                let (user, start) = (self.task_of(user), self.task_of(start));
                assert!(last.contains(&user) && first.contains(&start), "{at}");
                assert!(self.order.precedes(start, user), "{at}");
            }
            other => panic!("{at}: {other:?}"),
        }
    }

    fn storage(
        &self,
        found: &Explanation,
        a: ResourceId,
        b: ResourceId,
        at: &str,
        tally: &mut Tally,
    ) {
        let slot = |r: ResourceId| self.plan.slots[r.0 as usize];
        let (x, y) = (slot(a), slot(b));
        let overlap = (
            x.offset.max(y.offset),
            (x.offset + x.bytes).min(y.offset + y.bytes),
        );
        let held = alias::demands(&self.model, &self.order, &self.live);
        let held = held.expect("the graph was accepted");
        let together = held.groups.iter().any(|g| g.contains(&a) && g.contains(&b));
        match &found.storage {
            Storage::Shared { bytes, demanded } => {
                assert_eq!(*bytes, overlap, "{at}");
                assert_eq!(*demanded, together, "{at}");
                tally.shared += 1;
                tally.demanded += usize::from(together);
            }
            Storage::Separate => {
                assert!(held.apart(a, b), "{at}");
                tally.separate += 1;
            }
            Storage::NotEligible => {
                let near = self.live.of(a).region == self.live.of(b).region;
                let pairs = found.in_place.iter().flat_map(|of| {
                    let [x, y] = &of.ranges;
                    x.iter().flat_map(move |p| y.iter().map(move |q| (*p, *q)))
                });
                let mut pairs = pairs.map(|(p, q)| (self.resource_of(p), self.resource_of(q)));
                let whole = pairs.any(|(p, q)| self.live.interfere(p, q));
                assert!(!near || whole || self.live.interfere(a, b), "{at}");
            }
            Storage::Left(_) => {
                let mut left = self
                    .found
                    .left
                    .iter()
                    .map(|l| (l.merge.operand, l.merge.result));
                assert!(left.any(|p| p == (a, b) || p == (b, a)), "{at}");
                tally.left += 1;
            }
            Storage::Apart(obstacles) => {
                assert!(!self.live.interfere(a, b), "{at}");
                for (r, obstacles) in [(a, &obstacles[0]), (b, &obstacles[1])] {
                    for obstacle in obstacles {
                        match *obstacle {
                            Obstacle::Occupant(q) => {
                                let q = self.resource_of(q);
                                assert!(self.live.interfere(r, q), "{at}");
                            }
                            Obstacle::InPlace(pair) => {
                                let [p, q] = pair.map(|name| self.resource_of(name));
                                assert!(p != r && self.live.interfere(p, q), "{at}");
                            }
                            Obstacle::Separate(q) => {
                                let q = self.resource_of(q);
                                let own = self.plan.slots[r.0 as usize];
                                let all = (0..self.model.resources.len() as u32).map(ResourceId);
                                let mut near = all.filter(|&p| slot(p).offset == own.offset);
                                assert!(near.any(|p| held.apart(p, q)), "{at}");
                            }
                            _ => {}
                        }
                        tally.obstacles += 1;
                    }
                }
                tally.free += usize::from(obstacles.iter().any(Vec::is_empty));
            }
            other => panic!("{at}: {other:?}"),
        }
        let shared = matches!(found.storage, Storage::Shared { .. });
        assert_eq!(shared, overlap.0 < overlap.1, "{at}");
    }
}
