//! Why a demanded `alias` cannot be had.

use super::{
    Blocker, Direction, Eligibility, direction, eligibility, in_place, order_fix, withheld,
};
use crate::fault::{
    ALIAS_DOMAIN, ALIAS_HOST, ALIAS_LIVE, ALIAS_SPACE, Edit, Fault, IN_PLACE_READ, Part,
};
use crate::frontier::Frontiers;
use crate::model::{
    Access, Class, Mode, Model, Order, Pair, Resource, ResourceId, Site, TaskId, TaskKind,
};
use crate::order::Precedence;
use crate::workspace::Content;

/// Orders that a help asks for, at most.
pub(super) const EDGES: usize = 4;

/// What the texts are made from.
pub(super) struct Case<'a> {
    pub(super) model: &'a Model,
    pub(super) order: &'a Precedence,
    pub(super) live: &'a Frontiers,
    /// What cannot be had.
    pub(super) demand: &'a Pair,
    /// All pairs that would come to share storage by it.
    pub(super) pairs: &'a [(ResourceId, ResourceId)],
}

impl Case<'_> {
    /// Mends by dropping the demand.
    fn dropped(&self, fault: Fault) -> Fault {
        let edit = Edit::remove(self.demand.site).of(Part::Statement);
        fault.fix("drop the `alias`", [edit])
    }

    /// The fault of the demand because of the pair `a`, `b`, which may be another than it names.
    ///
    /// `alias a with b` asks that `a` take the storage of `b`; where only the other way round could
    /// be mended, that one is explained.
    pub(super) fn refusal(&self, a: ResourceId, b: ResourceId) -> Fault {
        let fault = [(b, a), (a, b)]
            .into_iter()
            .find_map(|(x, y)| self.in_place(x, y))
            .unwrap_or_else(|| self.apart(a, b));
        let named = [self.demand.a, self.demand.b];
        if named.contains(&a) && named.contains(&b) {
            return fault;
        }
        let (a, b) = (self.name(a), self.name(b));
        fault.note(format!(
            "{a} and {b} come to share storage through other aliases"
        ))
    }

    /// A task could update `x` into `y`, but for other uses of `x`.
    fn in_place(&self, x: ResourceId, y: ResourceId) -> Option<Fault> {
        let task = in_place::form(self.model, self.live, x, y)?;
        let (nx, nt) = (self.name(x), self.task(task));
        let others = self.live.of(x).last.iter().copied().filter(|&u| u != task);
        let after = others.clone().find(|&u| self.order.precedes(task, u));
        let user = after.or(others.clone().next())?;
        let does = self.does(user, x);
        let fault = Fault::new(
            IN_PLACE_READ,
            self.demand.site,
            format!("{nx} is updated in place but still {does} elsewhere"),
        )
        .here(format!("{} would take the storage of {nx}", self.name(y)))
        .label(
            self.site(task, x, |_| true),
            format!("{nt} updates {nx} here"),
        )
        .label(
            self.site(user, x, |_| true),
            format!("{nx} is still {does} here"),
        );
        let nu = self.task(user);
        Some(if after.is_some() {
            self.dropped(fault.note(format!("{nu} runs after {nt}")))
        } else {
            let fault = fault.note(format!("no dependency orders {nu} before {nt}"));
            let edges: Vec<_> = others.map(|u| (u, task)).collect();
            self.ordered(fault, &edges)
        })
    }

    fn apart(&self, a: ResourceId, b: ResourceId) -> Fault {
        let (asked, other) = (
            direction(self.order, self.live, b, a),
            direction(self.order, self.live, a, b),
        );
        let host = |d: &Direction| *d == Direction::Never(Blocker::Output);
        let mendable = |d: &Direction| matches!(d, Direction::With(_));
        // Nothing but the host stands in the way that was asked for.
        let over = |&u: &TaskId| {
            let mut starts = self.live.of(a).first.iter();
            starts.all(|&s| self.order.precedes(u, s))
        };
        let host_alone = host(&asked) && self.live.of(b).last.iter().all(over);
        // Of two ways that dependencies close, or the host, the one that is not begun from its end.
        let reversed = |d: &Direction| matches!(d, Direction::Never(Blocker::Reversed { .. }));
        let both = |is: &dyn Fn(&Direction) -> bool| is(&asked) && is(&other);
        let backwards = (both(&reversed) || both(&host)) && self.begins_before(a, b);
        let swap = !mendable(&asked) && mendable(&other)
            || host(&asked) && !host(&other) && !host_alone
            || backwards;
        let (earlier, later, way) = if swap { (a, b, other) } else { (b, a, asked) };
        let (e, l) = (self.name(earlier), self.name(later));
        let code = if host(&way) { ALIAS_HOST } else { ALIAS_LIVE };
        match way {
            Direction::Never(Blocker::Kept(kept)) => return self.kept(kept),
            Direction::Never(Blocker::Region) => return self.region(a, b),
            _ => {}
        }
        let message = format!("{e} and {l} share storage but may be live at the same time");
        let mut fault = Fault::new(code, self.demand.site, message);
        if let Some(&first) = self.live.of(earlier).first.first() {
            let site = self.site(first, earlier, |a| a.mode != Mode::Read);
            fault = fault.label(site, format!("{e} is written here"));
        }
        fault = fault.here(format!("{l} would reuse that storage"));
        let still = |fault: Fault, user: TaskId| {
            let text = format!("{e} is still {} here", self.does(user, earlier));
            fault.label(self.site(user, earlier, |_| true), text)
        };
        match way {
            Direction::With(edges) => {
                let (user, start) = edges[0];
                let actor = if self.does(user, earlier) == "read" {
                    "reader"
                } else {
                    "user"
                };
                let opens = &self.model.tasks[start.0 as usize].accesses;
                let first = opens.iter().find(|a| a.resource == later);
                let (begins, does) = match first.map(|a| a.mode) {
                    Some(Mode::Read) => ("the first reader of the other", "first read"),
                    _ => ("the writer", "written"),
                };
                let opened = self.site(start, later, |_| true);
                let fault = still(fault, user)
                    .label(opened, format!("{l} is {does} here"))
                    .note(format!("no dependency orders the {actor} before {begins}"));
                self.ordered(fault, &edges)
            }
            Direction::Never(Blocker::Reversed { user, start }) => {
                let (u, s) = (self.task(user), self.task(start));
                let input = self.model.resources[earlier.0 as usize].class == Class::Input;
                let note = if user == start && input {
                    format!("{e} is an input: it is the caller's, and {u} may not update it")
                } else if user == start {
                    format!("{u} needs both at once")
                } else {
                    format!("{s}, which needs {l}, completes before {u} starts")
                };
                let fault = still(fault, user).note(note);
                let own = withheld(self.model, self.order, self.live, earlier, later);
                let fault = match own {
                    Some((_, edges)) if edges.is_empty() => {
                        let site = self.model.resources[earlier.0 as usize].site;
                        let own = Edit::replace(site, "input mut").of(Part::WordBefore);
                        fault.fix("let each run copy it: declare it with `{}`", [own])
                    }
                    _ => fault,
                };
                self.dropped(self.with_form(fault, user, start, [earlier, later]))
            }
            _ => {
                let note = match self.model.resources[earlier.0 as usize].class {
                    Class::Escape => format!("{e} escapes: its address is used after the run"),
                    _ => format!("{e} is an output: the host reads it after the run"),
                };
                self.dropped(fault.note(note))
            }
        }
    }

    /// `a` is begun before `b`: by dependencies, or as the statements stand where these say nothing.
    fn begins_before(&self, a: ResourceId, b: ResourceId) -> bool {
        let [a, b] = [a, b].map(|r| &self.live.of(r).first);
        let leads = |from: &[TaskId], to: &[TaskId]| {
            let mut starts = from.iter();
            starts.any(|&f| to.iter().any(|&t| self.order.precedes(f, t)))
        };
        match (leads(a, b), leads(b, a)) {
            (true, false) => true,
            (false, true) => false,
            _ => a.iter().min() < b.iter().min(),
        }
    }

    /// `a` and `b` can never be the same bytes.
    fn region(&self, a: ResourceId, b: ResourceId) -> Fault {
        let [x, y] = [a, b].map(|r| &self.model.resources[r.0 as usize]);
        let (name_a, name_b) = (self.name(a), self.name(b));
        let whose = |r: &Resource| match self.model.domains.get(usize::from(r.domain)) {
            Some(name) if r.domain > 0 => format!("in the domain `{name}`"),
            _ => "in no domain".to_owned(),
        };
        let side = |r: &Resource| match r.class {
            Class::Staging => "memory of the host".to_owned(),
            _ => "memory of the device".to_owned(),
        };
        let (code, message, of): (_, _, &dyn Fn(&Resource) -> String) = if x.domain == y.domain {
            let message = format!("{name_a} and {name_b} cannot share storage: one is staging");
            (ALIAS_SPACE, message, &side)
        } else {
            let message = format!("{name_a} and {name_b} belong to different isolation domains");
            (ALIAS_DOMAIN, message, &whose)
        };
        let fault = Fault::new(code, self.demand.site, message)
            .label(x.site, format!("{name_a} is {}", of(x)))
            .label(y.site, format!("{name_b} is {}", of(y)));
        let fault = match code {
            ALIAS_DOMAIN => fault.note("within one arena nothing can be unmapped in between"),
            _ => fault,
        };
        self.dropped(fault)
    }

    /// `kept` is live always.
    fn kept(&self, kept: ResourceId) -> Fault {
        let resource = &self.model.resources[kept.0 as usize];
        let name = self.name(kept);
        // The demand is marked at its first name.
        let message = match self.demand.a == kept {
            true => format!("{name} cannot share storage: its content outlives the run"),
            false => {
                let first = self.name(self.demand.a);
                format!("{first} cannot take the storage of {name}, whose content outlives the run")
            }
        };
        let note = match resource.class {
            Class::Resident => "a resident input stays as it was set, for every run",
            _ if self.preserved(kept) => {
                "what a task leaves in a preserved workspace is what the next one finds"
            }
            _ => "what a run leaves in an inout is what the next one finds",
        };
        let fault = Fault::new(ALIAS_HOST, self.demand.site, message)
            .label(resource.site, format!("{name} is declared here"))
            .note(note);
        self.dropped(fault)
    }

    /// It is a preserved workspace.
    fn preserved(&self, resource: ResourceId) -> bool {
        let mut all = self.model.workspaces.iter();
        all.any(|w| w.resource == resource && w.content == Content::Preserved)
    }

    /// Mends by an `order` for each edge, and for those that other pairs need then, or by dropping
    /// the demand.
    fn ordered(&self, fault: Fault, edges: &[(TaskId, TaskId)]) -> Fault {
        let fix = match self.settled(edges) {
            Ok(edges) => order_fix(self.model, &edges, self.demand.site),
            Err((x, y)) => {
                let (x, y) = (self.name(x), self.name(y));
                let note = format!("{x} and {y} would come to share storage, too, and cannot");
                return self.dropped(fault.note(note));
            }
        };
        self.dropped(match fix {
            Some(fix) => fault.with(fix),
            None => fault,
        })
    }

    /// `edges`, and those that the other pairs need once these are there; or a pair that cannot be
    /// had then.
    fn settled(
        &self,
        edges: &[(TaskId, TaskId)],
    ) -> Result<Vec<(TaskId, TaskId)>, (ResourceId, ResourceId)> {
        let mut edges = edges.to_vec();
        if self.pairs.len() <= 1 {
            return Ok(edges);
        }
        let mut model = self.model.clone();
        let mut added = 0;
        while added < edges.len() && edges.len() <= EDGES {
            model
                .orders
                .extend(edges[added..].iter().map(|&(before, after)| Order {
                    before,
                    after,
                    site: self.demand.site,
                }));
            added = edges.len();
            let Ok(order) = Precedence::new(&model) else {
                return Err((self.demand.a, self.demand.b));
            };
            let live = Frontiers::new(&model, &order);
            for &(x, y) in self.pairs {
                match eligibility(&model, &order, &live, x, y) {
                    Eligibility::Unconditional { .. } | Eligibility::InPlace { .. } => {}
                    Eligibility::Conditioned { edges: more, .. } => {
                        edges.extend(more);
                        break;
                    }
                    Eligibility::Refused { .. } => return Err((x, y)),
                }
            }
        }
        Ok(edges)
    }

    /// With the advice of an in-place form, where one would let the call of `user` update the one
    /// resource into the other.
    fn with_form(
        &self,
        fault: Fault,
        user: TaskId,
        start: TaskId,
        [earlier, later]: [ResourceId; 2],
    ) -> Fault {
        let task = &self.model.tasks[user.0 as usize];
        let TaskKind::Kernel(launch) = &task.kind else {
            return fault;
        };
        let [x, y] = [earlier, later].map(|r| &self.model.resources[r.0 as usize]);
        let mode = |r: ResourceId| {
            let mut of = task.accesses.iter().filter(|a| a.resource == r);
            of.next().filter(|_| of.next().is_none()).map(|a| a.mode)
        };
        let updates = mode(earlier) == Some(Mode::Read) && mode(later) == Some(Mode::Overwrite);
        let alike = x.elem == y.elem && x.shape == y.shape;
        let alike = alike && matches!(x.class, Class::Transient | Class::InputMut);
        let alone = self.live.of(earlier).last == [user] && self.live.of(later).first == [user];
        if user != start || !updates || !alike || !alone || launch.in_place.is_some() {
            return fault;
        }
        fault.help(format!(
            "give `{}` an in-place form for the parameter that takes {}: `in place … host …`",
            launch.name,
            self.name(earlier)
        ))
    }

    /// Where `task` accesses `resource` in a way that is `wanted`, or at all, or the call.
    fn site(&self, task: TaskId, resource: ResourceId, wanted: impl Fn(&Access) -> bool) -> Site {
        let t = &self.model.tasks[task.0 as usize];
        let mut of = t.accesses.iter().filter(|a| a.resource == resource);
        let any = of.clone().next();
        of.find(|a| wanted(a)).or(any).map_or(t.site, |a| a.site)
    }

    /// What `task` does to `resource`, for "is still … here".
    fn does(&self, task: TaskId, resource: ResourceId) -> &'static str {
        if let TaskKind::Hold { .. } = self.model.tasks[task.0 as usize].kind {
            return "retained";
        }
        let mut accesses = self.model.tasks[task.0 as usize].accesses.iter();
        if accesses.any(|a| a.resource == resource && a.mode != Mode::Overwrite) {
            "read"
        } else {
            "written"
        }
    }

    fn name(&self, resource: ResourceId) -> String {
        format!("`{}`", self.model.resources[resource.0 as usize].name)
    }

    fn task(&self, task: TaskId) -> String {
        format!("`{}`", self.model.tasks[task.0 as usize].name)
    }
}
