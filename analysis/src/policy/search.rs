//! The search for candidates: the graph as it stands, and with edges that end one resource before another begins.
//! Those with values that are made again are added by [`remake`](super::remake).

use std::cmp::Reverse;
use std::collections::BTreeSet;
use std::rc::Rc;

use super::clique::{Clique, Parting, clique, partings};
use super::{Candidate, Edge, Ground, Kind, Realised, Refused, Remade};
use crate::alias::merges;
use crate::frontier::Frontiers;
use crate::layout::Spacing;
use crate::model::{ResourceId, TaskId, TaskKind};
use crate::order::Precedence;
use crate::peak::{Effort, items, sequence};

/// All candidates.
pub struct Searched {
    /// The baseline first.
    pub candidates: Vec<Candidate>,
    /// The search ended because its steps were used up.
    pub cut: bool,
    /// Values that cannot be made again before some reader.
    pub refused: Vec<Refused>,
    /// Steps that are left.
    pub(super) steps: usize,
}

/// Work of a search, in pairs of tasks and of resources that its steps compare: where something is to
/// be minimised, and where the record alone asks.
const WORK: [usize; 2] = [3_000_000, 400_000];
/// Steps at most, however small the graph, likewise.
const STEPS: [usize; 2] = [64, 12];
/// Partings in a row that leave the weight of the heaviest clique as it is.
const PLATEAU: usize = 4;

/// Steps of a search, which depend on the size of the graph alone.
pub(super) fn steps(ground: &Ground) -> usize {
    let (tasks, resources) = (ground.model.tasks.len(), ground.model.resources.len());
    let once = (tasks * tasks + resources * resources).max(1);
    let asked = usize::from(ground.model.declared.minimize.is_none());
    (WORK[asked] / once).min(STEPS[asked])
}

/// Candidates for `ground`. How long is searched depends on the size of the graph alone.
pub fn search(ground: &Ground) -> Searched {
    let mut found = search_kept(ground);
    found.remake(ground);
    found
}

/// The same, without those in which values are made again.
pub fn search_kept(ground: &Ground) -> Searched {
    let baseline = ground.baseline();
    let streams = baseline.schedule.streams;
    let mut found = Searched {
        candidates: vec![Candidate {
            kind: Kind::Baseline,
            realised: baseline,
            remade: None,
        }],
        cut: false,
        refused: Vec::new(),
        steps: steps(ground),
    };
    if ground.spacing() == Spacing::Tight
        && let Some(packed) = found.candidates[0].realised.packed()
    {
        found.keep(Kind::Packed, packed, None);
    }
    let on = On::graph(ground);
    found.add(&on, Kind::StreamOrder, Vec::new(), streams.into());
    // Of a large graph few are laid out: the one that overlaps least first.
    if streams > 1 {
        found.add(&on, Kind::Streams(1), Vec::new(), 1);
    }
    found.in_turn(&on);
    for limit in (2..streams).rev() {
        found.add(&on, Kind::Streams(limit), Vec::new(), limit.into());
    }
    found.descend(&on, Prefer::Bytes);
    found.descend(&on, Prefer::Path);
    found.leave(ground, 0);
    found
}

/// What candidates are looked for on.
#[derive(Clone, Copy)]
pub(super) struct On<'a> {
    /// The graph.
    pub ground: &'a Ground,
    /// The same, where values are made again in it.
    pub remade: Option<&'a Rc<Remade>>,
    /// Edges that all its candidates have.
    pub edges: &'a [Edge],
}

impl<'a> On<'a> {
    /// The graph as it was written.
    fn graph(ground: &'a Ground) -> Self {
        Self {
            ground,
            remade: None,
            edges: &[],
        }
    }
}

/// What was laid out takes.
pub(super) struct Laid {
    /// Bytes of the arena.
    pub arena: u64,
    /// Resources of which one has to be live for less long before the arena becomes smaller; `None`
    /// where no such set fills it.
    pub fills: Option<BTreeSet<ResourceId>>,
}

impl Laid {
    pub(super) fn of(plan: &Realised) -> Self {
        let bound = &plan.layout.bound;
        let listed = bound.parts.iter().map(|part| part.listed);
        let tight = plan.figures.arena.saturating_sub(plan.layout.padding);
        let filled = listed.fold(0, u64::saturating_add) == tight;
        Self {
            arena: plan.figures.arena,
            fills: filled.then(|| bound.live().collect()),
        }
    }
}

/// Which parting is taken first.
#[derive(Clone, Copy)]
pub(super) enum Prefer {
    /// That of the largest resources.
    Bytes,
    /// The one that makes the longest path the least longer.
    Path,
}

impl Searched {
    /// Takes a step, if one is left.
    pub(super) fn step(&mut self) -> bool {
        self.cut |= self.steps == 0;
        self.steps = self.steps.saturating_sub(1);
        !self.cut
    }

    /// Lays a candidate out, and says what it takes.
    pub(super) fn add(
        &mut self,
        on: &On<'_>,
        kind: Kind,
        edges: Vec<Edge>,
        limit: u32,
    ) -> Option<Laid> {
        if !self.step() {
            return None;
        }
        let realised = on.ground.conditioned(edges, limit)?;
        let laid = Laid::of(&realised);
        let kind = match on.remade {
            Some(_) => Kind::Again(Box::new(kind)),
            None => kind,
        };
        self.keep(kind, realised, on.remade);
        Some(laid)
    }

    /// Whether it keeps a candidate: none with the same figures and no less room for better ones is
    /// there.
    pub(super) fn keep(
        &mut self,
        kind: Kind,
        realised: Realised,
        remade: Option<&Rc<Remade>>,
    ) -> bool {
        let graph = |remade: Option<&Rc<Remade>>| remade.map(Rc::as_ptr);
        let same = |known: &Candidate| {
            graph(known.remade.as_ref()) == graph(remade)
                && known.realised.asked.spacing == realised.asked.spacing
                && known.realised.figures == realised.figures
                && known.realised.added == realised.added
                // Under what it was laid out for it may come to as little.
                && known.realised.hoped <= realised.hoped
        };
        let new = !self.candidates.iter().any(same);
        if new {
            self.candidates.push(Candidate {
                kind,
                realised,
                remade: remade.cloned(),
            });
        }
        new
    }

    /// Lays out the sequence in which the least is live.
    pub(super) fn in_turn(&mut self, on: &On<'_>) -> Option<Laid> {
        if self.steps < 2 {
            self.cut = true;
            return None;
        }
        self.steps -= 1;
        let ground = on.ground;
        let merges = merges(&ground.model, &ground.live);
        let items = items(&ground.model, &ground.live, &ground.sizes, &merges);
        let tasks = sequence(&ground.order, &items, &Effort::BUILD);
        // Uploads wait for nothing, and holds are no work that could.
        let kind = |t: &TaskId| &ground.model.tasks[t.0 as usize].kind;
        let work = |t: &TaskId| !matches!(kind(t), TaskKind::Upload | TaskKind::Hold { .. });
        let tasks: Vec<TaskId> = tasks.into_iter().filter(work).collect();
        let pairs = tasks.windows(2).map(|pair| (pair[0], pair[1]));
        let added = pairs.filter(|(a, b)| !ground.order.precedes(*a, *b));
        self.add(on, Kind::InTurn, added.collect(), 1)
    }

    /// Parts one pair of the heaviest clique after the other, and lays out what comes of it.
    pub(super) fn descend(&mut self, on: &On<'_>, prefer: Prefer) {
        let ground = on.ground;
        let Some(order) = ground.order.with(on.edges).filter(|_| self.step()) else {
            return;
        };
        let mut at = State::new(ground, order);
        let (mut edges, mut pairs, mut plateau) = (on.edges.to_vec(), Vec::new(), 0);
        while plateau < PLATEAU {
            let Some(parting) = at.best(ground, prefer) else {
                return;
            };
            let Some(order) = at.order.with(&parting.edges) else {
                return;
            };
            if !self.step() {
                return;
            }
            let next = State::new(ground, order);
            plateau += 1;
            if next.clique.weight < at.clique.weight {
                plateau = 0;
            }
            edges.extend(parting.edges);
            // What others imply is no edge of its own.
            edges.retain(|(a, b)| next.order.before(*b).contains(&a.0));
            pairs.push((parting.earlier, parting.later));
            at = next;
            if plateau == 0 {
                let limit = ground.model.streams;
                self.add(on, Kind::After(pairs.clone()), edges.clone(), limit);
            }
        }
    }
}

/// Dependencies with some edges added, and what may be live under them.
struct State {
    order: Precedence,
    live: Frontiers,
    clique: Clique,
}

impl State {
    fn new(ground: &Ground, order: Precedence) -> Self {
        let live = Frontiers::new(&ground.model, &order);
        Self {
            clique: clique(ground, &order, &live),
            live,
            order,
        }
    }

    /// The parting that is taken.
    fn best(&self, ground: &Ground, prefer: Prefer) -> Option<Parting> {
        let all = partings(&ground.model, &self.order, &self.live, &self.clique);
        let paths = Paths::new(&self.order, &ground.costs);
        // They come with the largest first.
        let key = |(at, parting): &(usize, Parting)| {
            let saved = match prefer {
                Prefer::Bytes => Reverse(parting.saved),
                Prefer::Path => Reverse(0),
            };
            (saved, paths.with(&parting.edges), *at)
        };
        let found = all.into_iter().enumerate().min_by_key(key);
        found.map(|(_, parting)| parting)
    }
}

/// The longest paths to and from each task: by costs where all are known, and else in tasks. They
/// say what is tried first, and nothing that is claimed.
struct Paths {
    /// To the end of each task.
    to: Vec<u64>,
    /// From the start of each task.
    from: Vec<u64>,
    longest: u64,
}

impl Paths {
    fn new(order: &Precedence, costs: &[Option<u64>]) -> Self {
        let known = costs.iter().all(Option::is_some);
        let costs = costs.iter().map(|cost| match known {
            true => cost.unwrap_or(0),
            false => 1,
        });
        let costs: Vec<u64> = costs.collect();
        let (mut to, mut from) = (vec![0u64; costs.len()], vec![0u64; costs.len()]);
        for &t in order.sequence() {
            let before = order.before(TaskId(t)).iter().map(|&b| to[b as usize]);
            to[t as usize] = before.max().unwrap_or(0).saturating_add(costs[t as usize]);
        }
        for &t in order.sequence().iter().rev() {
            let after = order.after(TaskId(t)).iter().map(|&a| from[a as usize]);
            from[t as usize] = after.max().unwrap_or(0).saturating_add(costs[t as usize]);
        }
        Self {
            longest: to.iter().copied().max().unwrap_or(0),
            to,
            from,
        }
    }

    /// The longest path with one of `edges` in it.
    fn with(&self, edges: &[Edge]) -> u64 {
        let through = edges
            .iter()
            .map(|(a, b)| self.to[a.0 as usize].saturating_add(self.from[b.0 as usize]));
        through.max().unwrap_or(0).max(self.longest)
    }
}
