//! Line by line, by the word that each begins with.

use super::fields::{figures, line, numbers, pairs, slots};
use super::{Marks, Noted, NotedAlias, NotedWorkspace, Rival};
use crate::report::{
    AddedBy, Change, Content, Dependency, DomainBound, Effect, Kind, Peak, Policy, Range,
    Reconstruction, Serial, Sharing, Target, TaskKind, Tolerance, When,
};
use crate::table::Source;

impl Noted {
    pub(in super::super) fn read(facts: &'static str, source: &Source<'_>) -> Self {
        let mut noted = Self::default();
        let mut lines = facts.lines().skip(source.tasks.len());
        for _ in source.resources {
            let line = lines.next().unwrap_or("");
            noted.marks.push(marks(line));
        }
        for line in lines {
            let parts: Vec<&'static str> = line.split('\t').collect();
            noted.line(&parts);
        }
        noted
    }

    fn line(&mut self, parts: &[&'static str]) {
        match parts {
            ["alias", pair, demanded, missing] => {
                if let [earlier, later, ref task @ ..] = numbers(pair)[..] {
                    self.aliases.push(NotedAlias {
                        earlier,
                        later,
                        task: task.first().copied(),
                        demanded: !demanded.is_empty(),
                        missing: pairs(missing),
                    });
                }
            }
            ["added", added] => self.added = pairs(added),
            ["serialised", counts] => {
                if let [policy, stream, aliases] = figures(counts)[..] {
                    self.serialised.total = policy + stream;
                    self.serialised.by_policy = policy;
                    self.serialised.by_stream = stream;
                    self.serialised.for_aliases = aliases;
                }
            }
            ["serial", pair, by, through, alias] => {
                let serial = |pair: &Dependency| Serial {
                    before: pair.before,
                    after: pair.after,
                    by: match *by {
                        "policy" => AddedBy::Policy,
                        _ => AddedBy::Stream,
                    },
                    through: pairs(through).first().copied(),
                    alias: alias.parse().ok(),
                };
                let pair = pairs(pair);
                self.serialised.pairs.extend(pair.first().map(serial));
            }
            ["scope", scope] => self.purpose.scope = Some(line(scope)),
            ["target", target] => {
                self.purpose.target = match *target {
                    "latency" => Some(Target::Latency),
                    "throughput" => Some(Target::Throughput),
                    _ => None,
                }
            }
            ["minimize", minimize] => self.purpose.minimize = Some((*minimize).to_owned()),
            ["tolerance", output, bound] => self.purpose.tolerances.push(Tolerance {
                output: (*output).to_owned(),
                bound: (*bound).to_owned(),
            }),
            ["finite", scalar] => self.purpose.finite.push((*scalar).to_owned()),
            ["cost", kernel, nanoseconds] => {
                if let Ok(nanoseconds) = nanoseconds.parse() {
                    self.costs.insert(kernel, nanoseconds);
                }
            }
            ["peak", name, ends, running, completed, execution, live, why] => {
                if let [low, high] = figures(ends)[..] {
                    let peak = Peak {
                        bytes: Range::between(low, high),
                        running: numbers(running),
                        completed: numbers(completed),
                        execution: numbers(execution),
                        live: slots(live),
                        bound: (low != high).then(|| (*why).to_owned()),
                    };
                    self.peaks.insert(name, peak);
                }
            }
            ["rival", name, kind, outcome, costs] => {
                if let [
                    arena,
                    path,
                    known,
                    launches,
                    added,
                    streams,
                    waits,
                    ref more @ ..,
                ] = figures(costs)[..]
                    && let [events, compute, read, written, slack, ref more @ ..] = more[..]
                    && let [bound, begins, ends, ref more @ ..] = more[..]
                    && let [a, b, c, d, ref rooms @ ..] = more[..]
                {
                    self.rivals.push(Rival {
                        name,
                        policy: match *kind {
                            "conditioned" => Policy::ConditionedAlias,
                            "streams" => Policy::Schedule,
                            "recompute" => Policy::Recompute,
                            _ => Policy::Alias,
                        },
                        outcome,
                        arena,
                        path,
                        known: known == 1,
                        launches,
                        added,
                        streams,
                        waits,
                        events,
                        compute,
                        read,
                        written,
                        slack,
                        bound,
                        begins,
                        ends,
                        least: [a, b],
                        greatest: [c, d],
                        rooms: rooms.first().copied(),
                    });
                }
            }
            ["adds", rival, added, names @ ..] => {
                if let Ok(rival) = rival.parse() {
                    self.adds.push((rival, pairs(added), names.to_vec()));
                }
            }
            ["blocked", why] => self.blocked.push(why),
            ["cut"] => self.cut = true,
            ["bound", domain, bytes, at, live] => {
                if let [bytes, listed] = figures(bytes)[..] {
                    self.bound.push(DomainBound {
                        domain: Some((*domain).to_owned()).filter(|d| !d.is_empty()),
                        bytes,
                        listed,
                        when: match at.parse() {
                            Ok(task) => When::Task { task },
                            Err(_) if *at == "host" => When::Host,
                            Err(_) => When::Pairs,
                        },
                        live: slots(live),
                    });
                }
            }
            ["kind", word, tasks] => {
                let kind = match *word {
                    "opaque" => TaskKind::Opaque,
                    _ => TaskKind::Collective,
                };
                let tasks = numbers(tasks).into_iter();
                self.kinds.extend(tasks.map(|task| (task, kind)));
            }
            [
                "again",
                rival,
                value,
                before,
                instance,
                task,
                kernel,
                costs,
                longer @ ..,
            ] => {
                if let [
                    known,
                    construct,
                    waits,
                    events,
                    zeroed,
                    read,
                    rooms,
                    beside,
                    without,
                    with,
                ] = figures(costs)[..]
                {
                    let again = Reconstruction {
                        value: (*value).to_owned(),
                        before: (*before).to_owned(),
                        instance: (*instance).to_owned(),
                        task: (*task).to_owned(),
                        kernel: (*kernel).to_owned(),
                        saved_bytes: without.saturating_sub(with),
                        without_bytes: without,
                        construct_nanoseconds: (known == 1).then_some(construct),
                        inputs_nanoseconds: 0,
                        synchronization_nanoseconds: (waits + events == 0).then_some(0),
                        workspace_nanoseconds: (zeroed == 0).then_some(0),
                        read_bytes: read,
                        workspace_bytes: rooms,
                        beside,
                        longer: longer.iter().map(|name| (*name).to_owned()).collect(),
                    };
                    self.again.push((rival.parse().ok(), again));
                }
            }
            ["refused", value, before, why] => self.refused.push([value, before, why]),
            ["action", kind, gives, done, why, effect] => {
                if let Some(policy) = kind_of(kind) {
                    self.actions.push(Kind {
                        policy,
                        applied: !done.is_empty(),
                        gives_bytes: gives.parse().ok(),
                        reason: (*why).to_owned(),
                        effect: effect_of(effect),
                    });
                }
            }
            ["layout", padding, _] => self.padding = padding.parse().unwrap_or(0),
            ["reserved", bytes] => self.reserved = bytes.parse().unwrap_or(0),
            ["largest", values] => self.largest_at = Some(figures(values)),
            ["saved", count] => self.saved = count.parse().unwrap_or(0),
            ["order", pair, alone] => {
                if let [before, after] = numbers(pair)[..] {
                    self.orders.push((before, after, !alone.is_empty()));
                }
            }
            ["workspace", name, resource, content, sharing, uses @ ..] => {
                let uses = uses.iter().filter_map(|u| match numbers(u)[..] {
                    [task, resource] => Some((task, resource)),
                    _ => None,
                });
                self.workspaces.push(NotedWorkspace {
                    name,
                    resource: resource.parse().unwrap_or(0),
                    content: match *content {
                        "zeroed" => Content::Zeroed,
                        "preserved" => Content::Preserved,
                        _ => Content::Dead,
                    },
                    sharing: match *sharing {
                        "exclusive" => Sharing::Exclusive,
                        _ => Sharing::PerTask,
                    },
                    uses: uses.collect(),
                });
            }
            ["predicted", name, of] => {
                self.predicted.insert(name, figures(of));
            }
            _ => self.profile.line(parts),
        }
    }
}

/// What a kind of policy changes: of each figure two ends, or `?`.
fn effect_of(terms: &str) -> Option<Effect> {
    let terms = terms.split(' ').map(|term| {
        let (low, high) = term.split_once("..")?;
        Some(Change {
            low: low.parse().ok()?,
            high: high.parse().ok()?,
        })
    });
    Effect::of(&terms.collect::<Vec<_>>())
}

fn kind_of(word: &str) -> Option<Policy> {
    Some(match word {
        "delay" => Policy::Delay,
        "release_earlier" => Policy::ReleaseEarlier,
        "right_size" => Policy::RightSize,
        "share_workspace" => Policy::ShareWorkspace,
        "alias" => Policy::Alias,
        "conditioned_alias" => Policy::ConditionedAlias,
        "pool" => Policy::Pool,
        "retain" => Policy::Retain,
        "recompute" => Policy::Recompute,
        _ => return None,
    })
}

fn marks(line: &'static str) -> Marks {
    let mut parts = line.split('\t').skip(2);
    let mut next = || parts.next().unwrap_or("");
    let (words, shape, domain, payload) = (next(), next(), next(), next());
    let is = |word| words.split(' ').any(|w| w == word);
    Marks {
        escape: is("escape"),
        reconstructable: is("reconstructable"),
        stable: is("stable"),
        shape: shape.split(", ").filter(|s| !s.is_empty()).collect(),
        domain: Some(domain).filter(|d| !d.is_empty()),
        payload: payload.parse().ok(),
    }
}
