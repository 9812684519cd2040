//! Why a demanded `alias` cannot be had.

use super::{Blocker, Direction, direction, in_place};
use crate::fault::{ALIAS_HOST, ALIAS_LIVE, Fault, IN_PLACE_READ};
use crate::frontier::Frontiers;
use crate::model::{Access, Class, Mode, Model, Pair, ResourceId, TaskId};
use crate::order::Precedence;

/// What the texts are made from.
struct Case<'a> {
    model: &'a Model,
    order: &'a Precedence,
    live: &'a Frontiers,
}

/// The fault of `demand` because of the pair `a`, `b`, which may be another than it names.
///
/// `alias a with b` asks that `a` take the storage of `b`; where only the other way round could be
/// mended, that one is explained.
pub(super) fn refusal(
    model: &Model,
    order: &Precedence,
    live: &Frontiers,
    demand: &Pair,
    a: ResourceId,
    b: ResourceId,
) -> Fault {
    let case = Case { model, order, live };
    let fault = [(b, a), (a, b)]
        .into_iter()
        .find_map(|(x, y)| case.in_place(demand, x, y))
        .unwrap_or_else(|| case.apart(demand, a, b));
    let named = [demand.a, demand.b];
    if named.contains(&a) && named.contains(&b) {
        return fault;
    }
    let (a, b) = (case.name(a), case.name(b));
    fault.note(format!(
        "{a} and {b} come to share storage through other aliases"
    ))
}

impl Case<'_> {
    /// A task could update `x` into `y`, but for other uses of `x`.
    fn in_place(&self, demand: &Pair, x: ResourceId, y: ResourceId) -> Option<Fault> {
        let task = in_place::form(self.model, self.live, x, y)?;
        let (nx, nt) = (self.name(x), self.task(task));
        let user = self.live.of(x).last.iter().copied().find(|&u| u != task)?;
        let does = self.does(user, x);
        let fault = Fault::new(
            IN_PLACE_READ,
            demand.site,
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
        Some(if self.order.precedes(task, user) {
            fault
                .note(format!("{nu} runs after {nt}"))
                .help("drop the `alias`")
        } else {
            fault
                .note(format!("no dependency orders {nu} before {nt}"))
                .help(format!(
                    "{}, or drop the `alias`",
                    self.orders(&[(user, task)])
                ))
        })
    }

    fn apart(&self, demand: &Pair, a: ResourceId, b: ResourceId) -> Fault {
        let (asked, other) = (
            direction(self.order, self.live, b, a),
            direction(self.order, self.live, a, b),
        );
        let host = |d: &Direction| *d == Direction::Never(Blocker::Output);
        let mendable = |d: &Direction| matches!(d, Direction::With(_));
        let swap = !mendable(&asked) && mendable(&other) || host(&asked) && !host(&other);
        let (earlier, later, way) = if swap { (a, b, other) } else { (b, a, asked) };
        let (e, l) = (self.name(earlier), self.name(later));
        let code = if host(&way) { ALIAS_HOST } else { ALIAS_LIVE };
        if let Direction::Never(Blocker::Kept(kept)) = way {
            return self.kept(demand, kept);
        }
        let message = format!("{e} and {l} share storage but may be live at the same time");
        let mut fault = Fault::new(code, demand.site, message);
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
                let begins = match first.map(|a| a.mode) {
                    Some(Mode::Read) => "the first reader of the other",
                    _ => "the writer",
                };
                still(fault, user)
                    .note(format!("no dependency orders the {actor} before {begins}"))
                    .help(format!("{}, or drop the `alias`", self.orders(&edges)))
            }
            Direction::Never(Blocker::Reversed { user, start }) => {
                let (u, s) = (self.task(user), self.task(start));
                let note = if user == start {
                    format!("{u} needs both at once")
                } else {
                    format!("{s}, which needs {l}, completes before {u} starts")
                };
                still(fault, user).note(note).help("drop the `alias`")
            }
            _ => fault
                .note(format!("{e} is an output: the host reads it after the run"))
                .help("drop the `alias`"),
        }
    }

    /// `kept` is live always.
    fn kept(&self, demand: &Pair, kept: ResourceId) -> Fault {
        let resource = &self.model.resources[kept.0 as usize];
        let name = self.name(kept);
        let message = format!("{name} cannot share storage: its content outlives the run");
        let note = match resource.class {
            Class::Resident => "a resident input stays as it was set, for every run",
            _ => "what a run leaves in an inout is what the next one finds",
        };
        Fault::new(ALIAS_HOST, demand.site, message)
            .label(resource.site, format!("{name} is declared here"))
            .note(note)
            .help("drop the `alias`")
    }

    /// `order …` for each edge: in the language's own words where the tasks have labels.
    fn orders(&self, edges: &[(TaskId, TaskId)]) -> String {
        const SHOWN: usize = 4;
        let name = |t: TaskId| self.model.tasks[t.0 as usize].name.as_str();
        let one = |&(a, b): &(TaskId, TaskId)| {
            if name(a).starts_with('\'') && name(b).starts_with('\'') {
                format!("declare `order {} -> {};`", name(a), name(b))
            } else {
                format!("order {} before {}", self.task(a), self.task(b))
            }
        };
        let mut parts: Vec<String> = edges.iter().take(SHOWN).map(one).collect();
        if edges.len() > SHOWN {
            parts.push(format!("{} more", edges.len() - SHOWN));
        }
        parts.join(" and ")
    }

    /// Where `task` accesses `resource` in a way that is `wanted`, or at all, or the call.
    fn site(
        &self,
        task: TaskId,
        resource: ResourceId,
        wanted: impl Fn(&Access) -> bool,
    ) -> crate::model::Site {
        let t = &self.model.tasks[task.0 as usize];
        let mut of = t.accesses.iter().filter(|a| a.resource == resource);
        let any = of.clone().next();
        of.find(|a| wanted(a)).or(any).map_or(t.site, |a| a.site)
    }

    /// What `task` does to `resource`, for "is still … here".
    fn does(&self, task: TaskId, resource: ResourceId) -> &'static str {
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
