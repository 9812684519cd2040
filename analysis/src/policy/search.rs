//! The search for candidates: the graph as it stands, and with edges that end one resource before another begins.
//! Those with values that are made again are added by [`remake`](super::remake).

use std::collections::BTreeSet;
use std::rc::Rc;

use super::descend::Prefer;
use super::work::{self, Work};
use super::{Candidate, Edge, Ground, Kind, Realised, Refused, Remade};
use crate::alias::merges;
use crate::layout::Spacing;
use crate::model::{Class, Resource, ResourceId, TaskId, TaskKind};
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
    /// Steps that are taken whatever they cost.
    pub(super) granted: usize,
    /// Work that is left.
    pub(crate) work: Work,
}

/// Pairs of tasks and of resources that the steps of a search compare: where something is to be
/// minimised, and where the record alone asks. What they cost all searches share, see [`Work`].
const PAIRS: [usize; 2] = [3_000_000, 400_000];
/// Steps at most, however small the graph, likewise.
const STEPS: [usize; 2] = [64, 12];
/// Steps at least, for the plans that reuse most: where something is to be minimised, in a graph of any
/// size.
const LEAST: usize = 3;

/// Steps of a search at most, which depend on the size of the graph alone.
pub(super) fn steps(ground: &Ground) -> usize {
    let (tasks, resources) = (ground.model.tasks.len(), ground.model.resources.len());
    let once = (tasks * tasks + resources * resources).max(1);
    let minimised = ground.model.declared.minimize.is_some();
    let asked = usize::from(!minimised);
    let least = if minimised || once <= PAIRS[0] {
        LEAST
    } else {
        0
    };
    (PAIRS[asked] / once).clamp(least, STEPS[asked])
}

/// Candidates for `ground`. How long is searched depends on the graph alone.
pub fn search(ground: &Ground) -> Searched {
    let again = |r: &Resource| r.class == Class::Reconstructable;
    if !ground.model.resources.iter().any(again) {
        return search_kept(ground);
    }
    let mut work = Work::new(ground);
    let aside = work.set_aside(2);
    let mut found = kept(ground, work);
    found.work.give_back(aside);
    found.remake(ground);
    found
}

/// The same, without those in which values are made again.
pub fn search_kept(ground: &Ground) -> Searched {
    kept(ground, Work::new(ground))
}

fn kept(ground: &Ground, work: Work) -> Searched {
    let minimised = ground.model.declared.minimize.is_some();
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
        granted: if minimised { LEAST } else { 0 },
        work,
    };
    // Plans that may be better than the one that is taken are laid out anew, too.
    let rivals = found.work.set_aside(1);
    let aside = found.aside_to_leave(ground);
    if ground.spacing() == Spacing::Tight
        && let Some(packed) = found.candidates[0].realised.packed()
    {
        found.keep(Kind::Packed, packed, None);
    }
    let on = On::graph(ground);
    found.add(&on, Kind::StreamOrder, Vec::new(), streams.into());
    // Of a large graph few are laid out: those that overlap least first.
    found.in_turn(&on);
    if streams > 1 {
        found.add(&on, Kind::Streams(1), Vec::new(), 1);
    }
    for limit in (2..streams).rev() {
        found.add(&on, Kind::Streams(limit), Vec::new(), limit.into());
    }
    found.descend(&on, Prefer::Bytes);
    found.descend(&on, Prefer::Path);
    found.work.give_back(aside);
    found.leave(ground, 0);
    found.work.give_back(rivals);
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

/// What a plan takes.
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

impl Searched {
    /// Takes a step of that price, if one is left.
    pub(super) fn step(&mut self, price: u64) -> bool {
        self.cut |= self.steps == 0 || !self.affords(price);
        if !self.cut {
            self.steps -= 1;
            self.granted = self.granted.saturating_sub(1);
            self.work.take(price);
        }
        !self.cut
    }

    /// Whether so much work is left, or need not be.
    pub(super) fn affords(&self, price: u64) -> bool {
        self.granted > 0 || self.work.has(price)
    }

    /// Lays a candidate out, and says what it takes.
    pub(super) fn add(
        &mut self,
        on: &On<'_>,
        kind: Kind,
        edges: Vec<Edge>,
        limit: u32,
    ) -> Option<Laid> {
        if !self.step(work::laid(on.ground)) {
            return None;
        }
        let realised = on.ground.conditioned(edges, limit)?;
        self.work.take(work::searched(on.ground, &realised));
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

    /// Lays out a sequence in which little is live at once, where there is more than one.
    pub(super) fn in_turn(&mut self, on: &On<'_>) -> Option<Laid> {
        let ground = on.ground;
        // Uploads wait for nothing, and holds are no work that could.
        let kind = |t: &TaskId| &ground.model.tasks[t.0 as usize].kind;
        let work = |t: &TaskId| !matches!(kind(t), TaskKind::Upload | TaskKind::Hold { .. });
        let open = |tasks: Vec<TaskId>| {
            let tasks: Vec<TaskId> = tasks.into_iter().filter(work).collect();
            let pairs = tasks.windows(2).map(|pair| (pair[0], pair[1]));
            let open = pairs.filter(|(a, b)| !ground.order.precedes(*a, *b));
            open.collect::<Vec<Edge>>()
        };
        let written = ground.order.sequence().iter().map(|&t| TaskId(t));
        if open(written.collect()).is_empty() {
            return None;
        }
        let price = work::sequence(ground);
        if self.steps < 2 || !self.affords(price + work::laid(ground)) {
            self.cut = true;
            return None;
        }
        if !self.step(price) {
            return None;
        }
        let merges = merges(&ground.model, &ground.live);
        let mut items = items(&ground.model, &ground.live, &ground.sizes, &merges);
        items.sort_by_cached_key(|item| {
            let met = item.parts.iter().map(|&r| ground.live.met(r));
            met.min()
        });
        let upload = |t: &TaskId| matches!(kind(t), TaskKind::Upload);
        for item in &mut items {
            item.from_start |= item.users.iter().any(upload);
        }
        let effort = match (&ground.model.declared.minimize, on.remade) {
            (Some(_), None) => Effort::SEQUENCE,
            // There are many, or nobody has asked.
            _ => Effort::BUILD,
        };
        let found = sequence(&ground.order, &items, &effort);
        self.work.take(work::moves(&effort, found.least));
        let added = open(found.tasks);
        self.add(on, Kind::InTurn, added, 1)
    }
}
