//! What the analysis wrote of its decisions, read back. `Record::facts` of the analysis describes
//! the form.

use std::collections::BTreeMap;

use super::identity::NotedProfile;
use crate::report::{
    Content, Dependency, DomainBound, Peak, Policy, Purpose, Range, Reconstruction, Sharing,
    Target, TaskKind, Tolerance, When,
};
use crate::table::Source;

/// What is in the lines behind tasks, and in the words of resources.
#[derive(Default)]
pub(super) struct Noted {
    /// Of each resource.
    pub(super) marks: Vec<Marks>,
    /// Pairs that share storage.
    pub(super) aliases: Vec<NotedAlias>,
    /// Orders that the policy adds.
    pub(super) added: Vec<Dependency>,
    /// The lower bound of each isolation domain.
    pub(super) bound: Vec<DomainBound>,
    /// Tasks of kinds that the tables do not tell from kernels.
    pub(super) kinds: BTreeMap<u32, TaskKind>,
    /// Bytes of padding.
    pub(super) padding: u64,
    /// Waits that others made needless.
    pub(super) saved: u32,
    /// Before, after, and whether nothing else orders the two.
    pub(super) orders: Vec<(u32, u32, bool)>,
    /// Declared workspaces.
    pub(super) workspaces: Vec<NotedWorkspace>,
    /// What is declared.
    pub(super) purpose: Purpose,
    /// Declared nanoseconds of kernels.
    pub(super) costs: BTreeMap<&'static str, u64>,
    /// What is live at once.
    pub(super) peaks: BTreeMap<&'static str, Peak>,
    /// Plans that were weighed.
    pub(super) rivals: Vec<Rival>,
    /// What is predicted of the plan and of its baseline.
    pub(super) predicted: BTreeMap<&'static str, Vec<u64>>,
    /// The profile that is named.
    pub(super) profile: NotedProfile,
    /// Values that are made again, each with the number of the rival, or by demand.
    pub(super) again: Vec<(Option<usize>, Reconstruction)>,
    /// Value, reader, and why the one is not made again before the other.
    pub(super) refused: Vec<[&'static str; 3]>,
    /// Kinds of policies: bytes, whether it is done, and why.
    pub(super) actions: Vec<(Policy, Option<u64>, bool, &'static str)>,
}

/// What is noted of two resources that share storage.
pub(super) struct NotedAlias {
    pub(super) earlier: u32,
    pub(super) later: u32,
    /// The task that updates the one into the other.
    pub(super) task: Option<u32>,
    pub(super) demanded: bool,
    /// Orders that it needs beside the dependencies.
    pub(super) missing: Vec<Dependency>,
}

/// A plan that was weighed.
pub(super) struct Rival {
    pub(super) name: &'static str,
    pub(super) policy: Policy,
    pub(super) outcome: &'static str,
    pub(super) arena: u64,
    /// Nanoseconds of the critical path, or a bound below where that is unknown.
    pub(super) path: u64,
    pub(super) known: bool,
    pub(super) launches: u64,
    pub(super) added: u64,
    pub(super) waits: u64,
    pub(super) events: u64,
    /// Nanoseconds of all launches, or a bound below as for the path.
    pub(super) compute: u64,
    /// Bytes read and written.
    pub(super) traffic: u64,
    pub(super) slack: u64,
    pub(super) rooms: Option<u64>,
}

/// What is noted of a resource.
#[derive(Default)]
pub(super) struct Marks {
    pub(super) escape: bool,
    pub(super) reconstructable: bool,
    pub(super) stable: bool,
    pub(super) shape: Vec<&'static str>,
    pub(super) domain: Option<&'static str>,
}

/// What is noted of a workspace.
pub(super) struct NotedWorkspace {
    pub(super) name: &'static str,
    pub(super) resource: u32,
    pub(super) content: Content,
    pub(super) sharing: Sharing,
    /// Task and resource of each use.
    pub(super) uses: Vec<(u32, u32)>,
}

impl Noted {
    pub(super) fn read(facts: &'static str, source: &Source<'_>) -> Self {
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
            ["peak", name, ends, running, completed, live, why] => {
                if let [low, high] = figures(ends)[..] {
                    let peak = Peak {
                        bytes: Range::between(low, high),
                        running: numbers(running),
                        completed: numbers(completed),
                        live: slots(live),
                        bound: (low != high).then(|| (*why).to_owned()),
                    };
                    self.peaks.insert(name, peak);
                }
            }
            ["rival", name, kind, outcome, costs] => {
                if let [arena, path, known, launches, added, _, waits, ref more @ ..] =
                    figures(costs)[..]
                    && let [events, compute, read, written, slack, ref rooms @ ..] = more[..]
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
                        waits,
                        events,
                        compute,
                        traffic: read.saturating_add(written),
                        slack,
                        rooms: rooms.first().copied(),
                    });
                }
            }
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
            ["action", kind, gives, done, why] => {
                if let Some(policy) = kind_of(kind) {
                    let gives = gives.parse().ok();
                    self.actions.push((policy, gives, !done.is_empty(), why));
                }
            }
            ["layout", padding, _] => self.padding = padding.parse().unwrap_or(0),
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
    let (words, shape, domain) = (next(), next(), next());
    let is = |word| words.split(' ').any(|w| w == word);
    Marks {
        escape: is("escape"),
        reconstructable: is("reconstructable"),
        stable: is("stable"),
        shape: shape.split(", ").filter(|s| !s.is_empty()).collect(),
        domain: Some(domain).filter(|d| !d.is_empty()),
    }
}

/// Text as it was before it was made one line.
pub(super) fn line(text: &str) -> String {
    let (mut whole, mut letters) = (String::new(), text.chars());
    while let Some(letter) = letters.next() {
        whole.push(match letter {
            '\\' => match letters.next() {
                Some('t') => '\t',
                Some('n') => '\n',
                Some('r') => '\r',
                _ => '\\',
            },
            letter => letter,
        });
    }
    whole
}

/// `1 2 1 3`: each two of them are a pair.
fn pairs(text: &str) -> Vec<Dependency> {
    let numbers = numbers(text);
    let pairs = numbers.chunks_exact(2);
    let pairs = pairs.map(|pair| Dependency {
        before: pair[0],
        after: pair[1],
    });
    pairs.collect()
}

/// `1 2,5`: what lies in one slot as one.
fn slots(text: &str) -> Vec<Vec<u32>> {
    let slots = text.split(' ').filter(|slot| !slot.is_empty());
    let slots = slots.map(|slot| slot.split(',').flat_map(str::parse).collect());
    slots.collect()
}

/// `4096 10 12`.
pub(super) fn figures(text: &str) -> Vec<u64> {
    text.split(' ').flat_map(str::parse).collect()
}

/// `0 2-4`, or numbers in any order.
fn numbers(text: &str) -> Vec<u32> {
    let mut found = Vec::new();
    for run in text.split(' ').filter(|run| !run.is_empty()) {
        let (from, to) = run.split_once('-').unwrap_or((run, run));
        if let (Ok(from), Ok(to)) = (from.parse::<u32>(), to.parse()) {
            found.extend(from..=to);
        }
    }
    found
}
