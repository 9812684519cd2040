//! Why two resources do or do not share storage.

use super::facts::{Facts, Update};
use super::placed::{Placed, chain, region, updates};
use super::{Record, near::near};
use crate::table::{Access, Class, Mode, Rows, Slot, Source, Task, TaskKind};

/// What [`Record::explain`] answers: what the dependencies say of two resources, and where they lie.
/// [`Display`](std::fmt::Display) is the text.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Explanation {
    /// The two names, as they were asked for.
    pub names: [&'static str; 2],
    /// Offset and length of each in the arena, in bytes at the largest sizes.
    pub slots: [Slot; 2],
    /// What the dependencies say.
    pub relation: Relation,
    /// What they say of the two with all that the plan makes one range with them in place, where that is
    /// more to order.
    pub in_place: Option<InPlace>,
    /// What came of it.
    pub storage: Storage,
}

/// What the dependencies say of two ranges, each of a resource and what becomes another in place.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct InPlace {
    /// The names in each range, from the first to the last.
    pub ranges: [Vec<&'static str>; 2],
    /// What the dependencies say: the last of the one range is over before the first of the other
    /// begins, or the other way round, or not.
    pub relation: Relation,
}

/// What the dependencies say of two resources.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Relation {
    /// They are one.
    Same,
    /// All accesses of `first` come before all of the other, with nothing that the plan adds.
    Unconditional {
        /// Which lives first.
        first: &'static str,
        /// For each last task of the first and each first task of the other a chain of dependencies
        /// from the one to the other, up to a few.
        paths: Vec<Vec<&'static str>>,
        /// The graph demands orders that data does not, so that a chain may rest on one.
        demanded: bool,
    },
    /// A task updates `first` into the other.
    InPlace {
        /// Which lives first.
        first: &'static str,
        /// The task.
        task: &'static str,
    },
    /// Both may be live at once, since no dependency orders some tasks.
    Conditioned {
        /// Which would live first if these were ordered.
        first: &'static str,
        /// A task that still uses the first, how, and one that begins the other, how.
        unordered: Vec<[(&'static str, &'static str); 2]>,
        /// Whether the plan orders all of these, so that they may share all the same.
        planned: bool,
    },
    /// Both are live at once in every execution.
    Refused {
        /// Why the first of the two is not over before the second begins.
        forward: Blocker,
        /// Why the second is not over before the first begins.
        backward: Blocker,
    },
}

/// Why one resource is never over before another begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Blocker {
    /// The host reads it after the run.
    Host,
    /// One is staging, or they belong to different isolation domains.
    Region,
    /// This one of them outlives the run: its content is there before and after.
    Kept(&'static str),
    /// A task needs both.
    Both(&'static str),
    /// A task could update the one into the other, were that input not the caller's.
    Callers(&'static str),
    /// `start`, which begins the other, comes before `user`, which still uses the first.
    Reversed {
        /// Comes too late.
        user: &'static str,
        /// Comes too early.
        start: &'static str,
    },
}

/// Whether two resources share storage.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Storage {
    /// They share these bytes of the arena, the end not included.
    Shared {
        /// From and to.
        bytes: (u64, u64),
        /// Whether `alias` demands it.
        demanded: bool,
    },
    /// The relation does not admit it.
    NotEligible,
    /// `separate` forbids it.
    Separate,
    /// One of them has no bytes.
    Empty,
    /// A task could update the one into the other; why that was left.
    Left(&'static str),
    /// They could share, and what is in the way of each in the place of the other.
    Apart([Vec<Obstacle>; 2]),
}

/// What keeps a resource from the place of another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Obstacle {
    /// A third one lies there, and may be live at once with it in the order that the plan has.
    Occupant(&'static str),
    /// `separate` keeps it from a third one that lies there.
    Separate(&'static str),
    /// The first of these, which is one range with it in place, may be live at once with the second,
    /// which lies there.
    InPlace([&'static str; 2]),
    /// It would end beyond the arena, or its part of it, by so many bytes.
    Beyond(u64),
}

impl Explanation {
    /// What the dependencies say of all that has to lie together.
    #[cfg(feature = "report")]
    pub(super) fn whole(&self) -> &Relation {
        self.in_place
            .as_ref()
            .map_or(&self.relation, |of| &of.relation)
    }

    /// In both directions what has to be over, and what begins, of [`whole`](Self::whole).
    pub(super) fn ways(&self) -> [[&'static str; 2]; 2] {
        let [x, y] = match &self.in_place {
            Some(of) => [0, 1].map(|i| [of.ranges[i][0], of.ranges[i][of.ranges[i].len() - 1]]),
            None => self.names.map(|name| [name; 2]),
        };
        [[x[1], y[0]], [y[1], x[0]]]
    }
}

/// No resource of the graph has that name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{graph}` has no resource `{name}`{}", suggestion(near))]
#[non_exhaustive]
pub struct UnknownResource {
    /// The graph.
    pub graph: &'static str,
    /// What was asked for.
    pub name: String,
    /// Resources whose names are spelt alike, the closest first.
    pub near: Vec<&'static str>,
}

fn suggestion(near: &[&str]) -> String {
    let names: Vec<_> = near.iter().map(|n| format!("`{n}`")).collect();
    match names.is_empty() {
        true => String::new(),
        false => format!("; there is {}", names.join(", ")),
    }
}

/// Chains of dependencies that are shown.
const PATHS: usize = 4;

pub(super) fn explain(record: &Record, a: &str, b: &str) -> Result<Explanation, UnknownResource> {
    let (source, program) = (record.source, record.program);
    let [x, y] = [find(source, a)?, find(source, b)?];
    let facts = Facts::read(record.facts, source, program);
    let taken = updates(source, program);
    let case = Case {
        source,
        facts: &facts,
        x: [x; 2],
        y: [y; 2],
    };
    let relation = case.relation(&taken);
    let [p, q] = [x, y].map(|r| chain(&taken, r));
    let alone = p.len() + q.len() == 2 || p.contains(&y);
    let may = matches!(
        relation,
        Relation::Unconditional { .. } | Relation::Conditioned { .. }
    );
    let in_place = (may && !alone).then(|| {
        let ends = |chain: &[usize]| [chain[0], chain[chain.len() - 1]];
        let (x, y) = (ends(&p), ends(&q));
        let names = |chain: &[usize]| chain.iter().map(|&r| source.resources[r].name).collect();
        InPlace {
            ranges: [names(&p), names(&q)],
            relation: Case { x, y, ..case }.relation(&[]),
        }
    });
    let in_place = in_place.filter(|of| !matches!(of.relation, Relation::Unconditional { .. }));
    let placed = Placed {
        source,
        program,
        facts: &facts,
        taken: &taken,
    };
    let whole = in_place.as_ref().map_or(&relation, |of| &of.relation);
    Ok(Explanation {
        names: [source.resources[x].name, source.resources[y].name],
        slots: [program.slots[x], program.slots[y]],
        storage: placed.storage(whole, x, y),
        relation,
        in_place,
    })
}

fn find(source: &Source<'static>, name: &str) -> Result<usize, UnknownResource> {
    let known = source.resources.iter().map(|r| r.name);
    let found = known.clone().position(|k| k == name);
    found.ok_or_else(|| UnknownResource {
        graph: source.name,
        name: name.to_owned(),
        near: near(name, known),
    })
}

/// Two resources, or two ranges of what becomes another in place: the first and the last of each.
#[derive(Clone, Copy)]
struct Case<'a> {
    source: &'a Source<'static>,
    facts: &'a Facts,
    x: [usize; 2],
    y: [usize; 2],
}

/// Whether one resource is over before another begins.
enum Direction {
    Holds,
    With(Vec<(usize, usize)>),
    Never(Blocker),
}

impl Case<'_> {
    fn relation(&self, taken: &[Update]) -> Relation {
        let (x, y) = (self.x, self.y);
        if x == y {
            return Relation::Same;
        }
        let name = |r: usize| self.source.resources[r].name;
        let ([from, over], [begins, end]) = (x, y);
        let (forward, backward) = (self.direction(over, begins), self.direction(end, from));
        for (way, first, then) in [(&forward, over, begins), (&backward, end, from)] {
            if matches!(way, Direction::Holds) {
                let paths = self.paths(first, then);
                let first = name(first);
                return Relation::Unconditional {
                    first,
                    paths,
                    demanded: self.facts.demanded,
                };
            }
        }
        let left = self.facts.left.iter().map(|(update, _)| update);
        for update in taken.iter().chain(left) {
            let pair = (update.operand, update.result);
            if pair == (over, begins) || pair == (end, from) {
                let (first, task) = (name(pair.0), self.facts.names[update.task]);
                return Relation::InPlace { first, task };
            }
        }
        let conditioned = |first: usize, then: usize, edges: Vec<(usize, usize)>| {
            let one = |(user, start)| [self.does(user, first), self.does(start, then)];
            let mut each = edges.iter();
            Relation::Conditioned {
                planned: each.all(|&(user, start)| self.facts.planned(user, start)),
                first: name(first),
                unordered: edges.into_iter().map(one).collect(),
            }
        };
        let planned = |way: &Direction| match way {
            Direction::With(edges) => edges.iter().all(|&(u, s)| self.facts.planned(u, s)),
            _ => false,
        };
        match (forward, backward) {
            // The way that the plan has it, or that with fewer edges.
            (Direction::With(_), Direction::With(b)) if planned(&Direction::With(b.clone())) => {
                conditioned(end, from, b)
            }
            (Direction::With(f), Direction::With(b))
                if b.len() < f.len() && !planned(&Direction::With(f.clone())) =>
            {
                conditioned(end, from, b)
            }
            (Direction::With(edges), _) => conditioned(over, begins, edges),
            (_, Direction::With(edges)) => conditioned(end, from, edges),
            (Direction::Never(forward), Direction::Never(backward)) => {
                Relation::Refused { forward, backward }
            }
            (Direction::Holds, _) | (_, Direction::Holds) => {
                unreachable!("what holds was returned above")
            }
        }
    }

    fn direction(&self, a: usize, b: usize) -> Direction {
        let resources = self.source.resources;
        let mut both = [a, b].into_iter().map(|r| &resources[r]);
        if let Some(kept) = both.find(|r| r.class.persists()) {
            return Direction::Never(Blocker::Kept(kept.name));
        }
        if region(&resources[a]) != region(&resources[b]) {
            return Direction::Never(Blocker::Region);
        }
        let (x, y) = (a, b);
        let (a, b) = (&self.facts.live[a], &self.facts.live[b]);
        if a.host {
            return Direction::Never(Blocker::Host);
        }
        let name = |t: usize| self.facts.names[t];
        let mut edges = Vec::new();
        for &user in &a.last {
            let (before, after) = (self.facts.ancestors(user), self.facts.descendants(user));
            for &start in &b.first {
                if user == start && a.last.len() == 1 && self.withheld(user, x, y) {
                    return Direction::Never(Blocker::Callers(name(user)));
                }
                if user == start {
                    return Direction::Never(Blocker::Both(name(user)));
                }
                if before[start] {
                    let (user, start) = (name(user), name(start));
                    return Direction::Never(Blocker::Reversed { user, start });
                }
                if !after[start] {
                    edges.push((user, start));
                }
            }
        }
        match edges.is_empty() {
            true => Direction::Holds,
            false => Direction::With(edges),
        }
    }

    /// Whether `task` has a form that would update the input `x` into `y`.
    fn withheld(&self, task: usize, x: usize, y: usize) -> bool {
        let of = &self.source.tasks[task];
        let TaskKind::Kernel(kernel) = of.kind else {
            return false;
        };
        let kernel = self.source.kernels.get(kernel as usize);
        let operand = kernel.and_then(|kernel| kernel.in_place);
        let accesses = self.source.accesses_of(of);
        let (Some(operand), Some(result)) = (
            operand.and_then(|at| accesses.get(usize::from(at))),
            accesses.last(),
        ) else {
            return false;
        };
        let [rx, ry] = [x, y].map(|r| &self.source.resources[r]);
        let whole = Access {
            resource: x as u32,
            mode: Mode::Read,
            rows: Rows::All,
        };
        let made = Access {
            resource: y as u32,
            mode: Mode::Overwrite,
            ..whole
        };
        let alike = (rx.elem, rx.shape) == (ry.elem, ry.shape);
        rx.class == Class::Input && alike && (operand, result) == (&whole, &made)
    }

    fn paths(&self, first: usize, then: usize) -> Vec<Vec<&'static str>> {
        let (last, begin) = (&self.facts.live[first].last, &self.facts.live[then].first);
        let pairs = last
            .iter()
            .flat_map(|&l| begin.iter().map(move |&b| (l, b)));
        let paths = pairs.take(PATHS).map(|(l, b)| self.facts.path(l, b));
        paths.collect()
    }

    /// The task, and what it does to the resource.
    fn does(&self, task: usize, resource: usize) -> (&'static str, &'static str) {
        let of = &self.source.tasks[task];
        (self.facts.names[task], does(self.source, of, resource))
    }
}

/// What a task does to a resource.
pub(super) fn does(source: &Source<'_>, task: &Task, resource: usize) -> &'static str {
    let accesses = source.accesses_of(task).iter();
    let modes = accesses.filter(|a| a.resource as usize == resource);
    let modes: Vec<Mode> = modes.map(|a| a.mode).collect();
    if modes.contains(&Mode::ReadWrite) {
        "updates"
    } else if modes.contains(&Mode::Overwrite) {
        "writes"
    } else {
        "reads"
    }
}
