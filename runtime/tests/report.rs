//! `Record::report` against the analysis that decided, on random graphs and on a large one.

#[path = "../../analysis/tests/common/mod.rs"]
mod common;
mod explain_support;
mod report_support;

use std::collections::{BTreeMap, BTreeSet};

use common::oracle::dependencies;
use common::random;
use common::rng::Rng;
use gpu_graph_analysis::alias::{Direction, Eligibility, direction, eligibility};
use gpu_graph_analysis::declared::Cost;
use gpu_graph_analysis::frontier::Frontiers;
use gpu_graph_analysis::layout::At;
use gpu_graph_analysis::model::{self, KernelKind, ResourceId};
use gpu_graph_analysis::order::Precedence;
use gpu_graph_analysis::policy::{Metric, Minimize};
use gpu_graph_runtime::report::{
    AddedBy, Because, Candidate, Change, Happening, Peak, Plan, Proof, Range, Region, Report,
    TaskKind, When,
};
use report_support::{Case, case, tower};

const GRAPHS: u64 = 500;

fn cases() -> impl Iterator<Item = Case> {
    let random = (0..GRAPHS).map(|seed| random::graph(&mut Rng(seed), 9).model);
    random.chain([tower(20)]).filter_map(case)
}

/// The report of a case, read back from JSON as it was.
fn report(case: &Case) -> Plan {
    let report = case.record.report();
    assert_eq!(Report::from_json(&report.to_json()).as_ref(), Ok(&report));
    let [plan] = &report.plans[..] else {
        panic!("a graph without variants has one plan")
    };
    plan.clone()
}

#[test]
fn a_report_says_what_the_analysis_decided() {
    let mut seen = 0;
    for case in cases() {
        let (plan, found) = (report(&case), &case.found);
        for (r, of) in plan.resources.iter().zip(&found.resources) {
            let tasks = |tasks: &[gpu_graph_analysis::model::TaskId]| -> BTreeSet<u32> {
                tasks.iter().map(|t| t.0).collect()
            };
            assert_eq!((&r.name, r.payload), (&of.name, of.payload));
            assert_eq!((r.offset, r.bytes), (of.slot.offset, of.slot.bytes));
            assert_eq!((&r.shape, r.stable), (&of.shape, of.stable));
            assert_eq!((&r.domain, r.host), (&of.domain, of.frontier.host));
            assert_eq!(
                r.first.iter().copied().collect::<BTreeSet<_>>(),
                tasks(&of.frontier.first)
            );
            assert_eq!(
                r.last.iter().copied().collect::<BTreeSet<_>>(),
                tasks(&of.frontier.last)
            );
        }
        let order = &plan.order;
        let pairs = |of: &[gpu_graph_runtime::report::Dependency]| -> BTreeSet<(u32, u32)> {
            of.iter().map(|d| (d.before, d.after)).collect()
        };
        let theirs = |of: &[(gpu_graph_analysis::model::TaskId, _)]| -> BTreeSet<(u32, u32)> {
            of.iter()
                .map(|(a, b): &(_, gpu_graph_analysis::model::TaskId)| (a.0, b.0))
                .collect()
        };
        assert_eq!(pairs(&order.dependencies), theirs(&found.dependencies));
        let added = |by| -> BTreeSet<(u32, u32)> {
            let of = order.added.iter().filter(|d| d.by == by);
            of.map(|d| (d.before, d.after)).collect()
        };
        assert_eq!(added(AddedBy::Stream), theirs(&found.stream_order));
        assert_eq!(added(AddedBy::Policy), theirs(&found.added));
        assert_eq!(order.issue, found.sequence);
        assert_eq!(
            (order.waits as usize, order.saved as usize),
            (found.waits, found.saved)
        );
        let demands: Vec<_> = order
            .demands
            .iter()
            .map(|d| (d.before, d.after, d.alone))
            .collect();
        let orders = found
            .orders
            .iter()
            .map(|o| (o.before.0, o.after.0, o.alone));
        assert_eq!(demands, orders.collect::<Vec<_>>());
        for (t, task) in plan.tasks.iter().enumerate() {
            let awaited: Vec<u32> = found.awaited[t].iter().map(|t| t.0).collect();
            assert_eq!((&task.awaits, task.stream), (&awaited, found.stream_of[t]));
        }
        let storage = &plan.storage;
        let most = found.peak.ends()[1][0]
            .saturating_add(found.padding)
            .saturating_add(found.reserved);
        let optimal = found.is_optimal() || found.arena <= most;
        assert_eq!((storage.arena, storage.store), (found.arena, found.store));
        assert_eq!((storage.padding, storage.optimal), (found.padding, optimal));
        assert_eq!(storage.lower_bound.bytes, found.bound.bytes);
        let peaks = plan.peaks.as_ref().unwrap();
        let figures = [&peaks.least, &peaks.greatest].map(|peak| peak.bytes);
        let [least, greatest, _] = found
            .peak
            .ends()
            .map(|[low, high]| Range::between(low, high));
        assert_eq!(figures, [least, greatest]);
        for peak in [&peaks.least, &peaks.greatest] {
            live_at_the_cut(&plan, peak);
        }
        for (part, bound) in storage.lower_bound.parts.iter().zip(&found.bound.parts) {
            let when = match bound.at {
                At::Task(task) => When::Task { task: task.0 },
                At::Host => When::Host,
                At::Pairs => When::Pairs,
            };
            let slots = bound
                .live
                .iter()
                .map(|slot| slot.iter().map(|r| r.0).collect());
            assert_eq!((part.bytes, part.listed), (bound.bytes, bound.listed));
            assert_eq!(
                (part.when, &part.live),
                (when, &slots.collect::<Vec<Vec<u32>>>())
            );
        }
        assert_eq!(storage.lower_bound.parts.len(), found.bound.parts.len());
        let aliases = plan.aliases.iter().map(|a| {
            let task = match a.proof {
                Proof::InPlace { task, .. } => Some(task),
                _ => None,
            };
            (a.earlier, a.later, task, a.demanded)
        });
        let taken = found.aliases.iter();
        let taken = taken.map(|a| (a.earlier.0, a.later.0, a.in_place.map(|t| t.0), a.demanded));
        assert_eq!(aliases.collect::<Vec<_>>(), taken.collect::<Vec<_>>());
        assert_eq!(plan.left.len(), found.left.len());
        assert!(!plan.claims.limits.is_empty() && !storage.search.is_empty());
        seen += 1;
    }
    assert!(seen > 400, "{seen} graphs were accepted");
}

/// What a peak says is live is live at its cut, and takes what one end of the figure says.
fn live_at_the_cut(plan: &Plan, peak: &Peak) {
    let begun = |t: &u32| peak.running.contains(t) || peak.completed.contains(t);
    let mut live = BTreeSet::new();
    for (r, of) in (0..)
        .zip(&plan.resources)
        .filter(|(_, of)| of.region == Region::Arena)
    {
        let users = (0..).zip(&plan.tasks).filter(|(_, task)| {
            let mut accesses = task.accesses.iter();
            accesses.any(|a| a.resource == r)
        });
        let users: Vec<u32> = users.map(|(t, _)| t).collect();
        let open = of.host || !users.iter().all(|t| peak.completed.contains(t));
        if users.iter().any(begun) && open {
            live.insert(r);
        }
    }
    let said: BTreeSet<u32> = peak.live.iter().flatten().copied().collect();
    assert_eq!(said, live);
    let slots = peak.live.iter().map(|slot| {
        let bytes = slot.iter().map(|&r| plan.resources[r as usize].bytes);
        bytes.max().unwrap()
    });
    let sum: u64 = slots.sum();
    assert!(
        [Some(peak.bytes.low), peak.bytes.high].contains(&Some(sum)),
        "{sum}: {peak:?}"
    );
    assert_eq!(peak.bound.is_none(), peak.bytes == Range::exact(sum));
}

/// Each pair of tasks that no execution of the plan has the other way round or at once.
fn ordered(case: &Case) -> Vec<(u32, u32)> {
    let before = (0..).zip(dependencies(&case.model));
    let stated = before.flat_map(|(t, before)| before.into_iter().map(move |b| (b as u32, t)));
    let policy = case.found.policy.conditional();
    let streams = case.found.stream_order.iter().filter(|_| policy);
    let added = case.found.added.iter().chain(streams);
    stated.chain(added.map(|(a, b)| (a.0, b.0))).collect()
}

/// Bytes that are live in the arena once `started` and `completed` are so, by accesses alone.
fn live_bytes(plan: &Plan, started: &[u32], completed: &[u32]) -> u64 {
    let is_live = |r: u32| {
        let of = &plan.resources[r as usize];
        let uses = |t: &u32| {
            let mut accesses = plan.tasks[*t as usize].accesses.iter();
            accesses.any(|a| a.resource == r)
        };
        let all = (0..plan.tasks.len() as u32).filter(uses);
        let over = !of.host && all.clone().all(|t| completed.contains(&t));
        of.region == Region::Arena && all.clone().any(|t| started.contains(&t)) && !over
    };
    let all = (0u32..).zip(&plan.resources).filter(|(r, _)| is_live(*r));
    let sum: u64 = all.map(|(_, of)| of.bytes).sum();
    // What one becomes in place lies where the other does.
    let updates = plan.aliases.iter();
    let updates = updates.filter(|a| matches!(a.proof, Proof::InPlace { .. }));
    let both = updates.filter(|a| is_live(a.earlier) && is_live(a.later));
    sum - both
        .map(|a| plan.resources[a.earlier as usize].bytes)
        .sum::<u64>()
}

/// Replays the execution of `peak`, and says how much is live at its cut.
fn replay(plan: &Plan, ordered: &[(u32, u32)], peak: &Peak) -> u64 {
    let (mut started, mut completed): (Vec<u32>, Vec<u32>) = Default::default();
    let cut = peak.completed.len() + peak.running.len();
    let mut live = live_bytes(plan, &[], &[]);
    for (nth, &task) in peak.execution.iter().enumerate() {
        let mut before = ordered.iter().filter(|(_, after)| *after == task);
        assert!(before.all(|(b, _)| completed.contains(b)), "{peak:?}");
        assert!(!started.contains(&task), "{peak:?}");
        started.push(task);
        if nth + 1 == cut {
            let of = |tasks: &[u32]| tasks.iter().copied().collect::<BTreeSet<_>>();
            assert_eq!(of(&completed), of(&peak.completed), "{peak:?}");
            let both = [&peak.completed[..], &peak.running].concat();
            assert_eq!(of(&started), of(&both), "{peak:?}");
            live = live_bytes(plan, &started, &completed);
        }
        // Only those of the cut run beside each other.
        if nth + 1 >= cut || nth < peak.completed.len() {
            completed = started.clone();
        }
        if nth + 1 == cut && peak.running.is_empty() {
            live = live_bytes(plan, &started, &completed);
        }
    }
    assert_eq!(completed.len(), plan.tasks.len(), "{peak:?}");
    live
}

/// Random graphs, of which every other one is to be as small as it can be.
fn weighed() -> impl Iterator<Item = Case> {
    let random = (0..GRAPHS).map(|seed| {
        let mut model = random::graph(&mut Rng(seed), 9).model;
        let peak = Minimize::Order(vec![(Metric::Peak, model::Site(0))]);
        model.declared.minimize = (seed % 2 == 1).then_some(peak);
        model
    });
    random.chain([tower(20)]).filter_map(case)
}

#[test]
fn the_execution_of_each_peak_is_one_that_the_order_admits_and_its_cut_has_what_is_said() {
    let (mut conditional, mut beside) = (0, 0);
    for case in weighed() {
        let plan = report(&case);
        let ordered = ordered(&case);
        let peaks = plan.peaks.as_ref().unwrap();
        let least = replay(&plan, &ordered, &peaks.least);
        assert_eq!(Some(least), peaks.least.bytes.high);
        let greatest = replay(&plan, &ordered, &peaks.greatest);
        assert_eq!(greatest, peaks.greatest.bytes.low);
        conditional += usize::from(case.found.policy.conditional());
        beside += usize::from(peaks.greatest.running.len() > 1);
        let text = case.record.text();
        let over = &peaks.least.completed;
        if !over.is_empty() && over.len() <= 12 && !peaks.least.live.is_empty() {
            let names = peaks.least.execution[..over.len()].iter();
            let names = names.map(|&t| format!("`{}`", plan.tasks[t as usize].name));
            let names = names.collect::<Vec<_>>().join(", ");
            let names = match names.rsplit_once(", ") {
                Some((first, last)) => format!("{first} and {last}"),
                None => names,
            };
            let said = format!("execution up to there, one at a time: {names}\n");
            assert!(text.contains(&said), "{said} in {text}");
        }
    }
    assert!(conditional > 20 && beside > 100, "{conditional} {beside}");
}

/// Whether dependencies lead from `a` to `b`.
fn leads(before: &[Vec<usize>], a: usize, b: usize) -> bool {
    let mut own = before[b].iter();
    own.any(|&t| t == a || leads(before, a, t))
}

#[test]
fn h37_every_plan_that_was_weighed_names_the_edges_that_it_adds_and_what_they_serialise() {
    let (mut listed, mut written) = (0, 0);
    for case in weighed().filter(|case| case.model.tasks.len() < 20) {
        let (plan, text) = (report(&case), case.record.text());
        let before = dependencies(&case.model);
        let tasks = &case.model.tasks;
        let at = |name: &str| tasks.iter().position(|task| task.name == name).unwrap();
        for (one, rival) in plan.candidates.iter().zip(&case.found.policy.rivals) {
            let added: Vec<_> = one
                .added
                .iter()
                .map(|of| [&*of.before, &*of.after])
                .collect();
            assert_eq!(added, rival.added);
            assert_eq!(added.len() as u64, one.totals.added_edges);
            for [a, b] in &added {
                let [a, b] = [at(a), at(b)];
                assert!(!leads(&before, a, b) && !leads(&before, b, a), "{text}");
            }
            listed += added.len();
            let named = format!("\n  {}\n", one.name);
            let (Some((_, below)), false) = (text.split_once(&named), one.accepted) else {
                continue;
            };
            let mut own = below.lines().take_while(|line| line.starts_with("    "));
            let said = own.find_map(|line| line.strip_prefix("    adds      "));
            match (&added[..], said) {
                ([], None) => {}
                ([[a, b], ..], Some(said)) => {
                    assert!(said.starts_with(&format!("`{a}` before `{b}`")), "{text}");
                    assert!(said.ends_with(": tasks that could run beside each other"));
                    written += 1;
                }
                _ => panic!("{added:?} {text}"),
            }
        }
    }
    assert!(listed > 50 && written > 10, "{listed} {written}");
}

/// What comes before each task: `direct`, and what comes before that.
fn closed(direct: &[BTreeSet<usize>], issue: &[u32]) -> Vec<BTreeSet<usize>> {
    let mut all: Vec<BTreeSet<usize>> = vec![BTreeSet::new(); direct.len()];
    for &task in issue {
        let own = direct[task as usize].iter();
        let own = own.flat_map(|&t| all[t].iter().copied().chain([t]));
        all[task as usize] = own.collect();
    }
    all
}

/// Plans that take added edges, where these make no path longer.
fn edged() -> impl Iterator<Item = Case> {
    let random = (0..GRAPHS).map(|seed| {
        let mut model = random::graph(&mut Rng(seed), 9).model;
        let order = [Metric::CriticalPath, Metric::Peak].map(|metric| (metric, model::Site(0)));
        model.declared.minimize = Some(Minimize::Order(order.to_vec()));
        for (i, task) in (1..).zip(&model.tasks) {
            if let model::TaskKind::Kernel(launch) = &task.kind {
                let (nanos, text) = (1 << ((seed + i) % 7), "some".to_owned());
                let cost = Some(Cost { nanos, text });
                model.declared.costs.push((launch.name.clone(), cost));
            }
        }
        model
    });
    random.filter_map(case)
}

#[test]
fn h37_what_streams_and_added_edges_serialise_is_counted_and_named() {
    let (mut policy, mut stream, mut aliased, mut elsewhere) = (0, 0, 0, 0);
    for case in weighed().chain(edged()) {
        let (plan, text) = (report(&case), case.record.text());
        let (order, of) = (&plan.order, &plan.order.serialised);
        // As it runs: streams and waits alone.
        let mut run = vec![BTreeSet::new(); plan.tasks.len()];
        let mut last = BTreeMap::new();
        for &task in &order.issue {
            let one = &plan.tasks[task as usize];
            run[task as usize].extend(one.awaits.iter().map(|&t| t as usize));
            run[task as usize].extend(last.insert(one.stream, task as usize));
        }
        let run = closed(&run, &order.issue);
        let bare = dependencies(&case.model);
        let bare: Vec<BTreeSet<usize>> = bare.into_iter().map(BTreeSet::from_iter).collect();
        let mut stated = bare.clone();
        for edge in order.added.iter().filter(|edge| edge.by == AddedBy::Policy) {
            stated[edge.after as usize].insert(edge.before as usize);
        }
        let [bare, stated] = [bare, stated].map(|direct| closed(&direct, &order.issue));
        let works = |t: &usize| plan.tasks[*t].kind != TaskKind::Hold;
        let less = |a: &[BTreeSet<usize>], b: &[BTreeSet<usize>]| -> BTreeSet<(usize, usize)> {
            let all = (0..a.len()).filter(works);
            let each = all.flat_map(|t| {
                a[t].difference(&b[t])
                    .filter(|b| works(b))
                    .map(move |&b| (b, t))
            });
            each.collect()
        };
        let (by_policy, by_stream) = (less(&stated, &bare), less(&run, &stated));
        assert_eq!(of.by_policy, by_policy.len() as u64, "{text}");
        assert_eq!(of.by_stream, by_stream.len() as u64, "{text}");
        assert_eq!(of.total, of.by_policy + of.by_stream);
        let needed = plan.aliases.iter().flat_map(|alias| match &alias.proof {
            Proof::InPlace { missing, .. } | Proof::Conditional { missing, .. } => &missing[..],
            _ => &[],
        });
        let needed: BTreeSet<_> = needed
            .map(|d| (d.before as usize, d.after as usize))
            .collect();
        let needed: BTreeSet<_> = needed
            .into_iter()
            .filter(|(a, b)| works(a) && works(b))
            .collect();
        assert_eq!(of.for_aliases, needed.len() as u64, "{text}");
        let listed = |by, all: &BTreeSet<(usize, usize)>| {
            let own: Vec<_> = of.pairs.iter().filter(|pair| pair.by == by).collect();
            let pairs: BTreeSet<_> = own
                .iter()
                .map(|p| (p.before as usize, p.after as usize))
                .collect();
            assert!(pairs.is_subset(all) && pairs.len() == own.len(), "{text}");
            assert_eq!(own.len(), all.len().min(32), "{text}");
        };
        listed(AddedBy::Policy, &by_policy);
        listed(AddedBy::Stream, &by_stream);
        // The text says and counts the same.
        let name = |t: u32| &plan.tasks[t as usize].name;
        for pair in &of.pairs {
            let said = format!(
                "    `{}` before `{}` by ",
                name(pair.before),
                name(pair.after)
            );
            assert!(text.contains(&said), "{said} {text}");
            elsewhere += usize::from(pair.through.is_some() && pair.by == AddedBy::Stream);
            let own = needed.contains(&(pair.before as usize, pair.after as usize));
            assert!(pair.alias.is_some() || !own, "{text}");
            if let Some(alias) = pair.alias.filter(|_| own) {
                let missing = match &plan.aliases[alias as usize].proof {
                    Proof::InPlace { missing, .. } | Proof::Conditional { missing, .. } => missing,
                    proof => panic!("{proof:?}"),
                };
                let mut missing = missing.iter();
                assert!(missing.any(|d| (d.before, d.after) == (pair.before, pair.after)));
            }
        }
        let said = match of.total {
            0 => "serialised     no tasks".to_owned(),
            1 => "serialised     1 pair of tasks".to_owned(),
            total => format!("serialised     {total} pairs of tasks"),
        };
        assert!(text.contains(&said), "{said} {text}");
        policy += by_policy.len();
        stream += by_stream.len();
        aliased += needed.len();
    }
    let seen = [policy, stream, aliased, elsewhere];
    assert!(seen.iter().all(|count| *count > 50), "{seen:?}");
}

#[test]
fn what_no_plan_serialises_is_refused() {
    let case = weighed().find(|case| case.record.report().plans[0].order.serialised.total > 1);
    let whole = case.unwrap().record.report();
    let refused = |change: &dyn Fn(&mut Plan)| {
        let mut report = whole.clone();
        change(&mut report.plans[0]);
        Report::from_json(&report.to_json())
            .unwrap_err()
            .to_string()
    };
    let counted = refused(&|plan| plan.order.serialised.total += 1);
    assert!(
        counted.starts_with("`plans[0].order.serialised`: it has "),
        "{counted}"
    );
    let moved = refused(&|plan| {
        plan.order.serialised.by_stream -= 1;
        plan.order.serialised.by_policy += 1;
    });
    assert!(
        moved.starts_with("`plans[0].order.serialised`: it has "),
        "{moved}"
    );
    let more = refused(&|plan| plan.order.serialised.for_aliases = u64::MAX);
    assert!(more.ends_with("it is more than all"), "{more}");
    let twice = refused(&|plan| {
        let one = plan.order.serialised.pairs[0];
        plan.order.serialised.pairs[1] = one;
    });
    assert!(
        twice.ends_with("it is none of what is serialised so"),
        "{twice}"
    );
    let alias = refused(&|plan| plan.order.serialised.pairs[0].alias = Some(99));
    assert!(alias.contains("there is no alias 99"), "{alias}");
    let lost = refused(&|plan| {
        let of = &mut plan.order.serialised.pairs[0];
        of.through = Some(plan.order.dependencies[0]);
    });
    assert!(lost.ends_with("it does not lead there"), "{lost}");
}

#[test]
fn an_execution_that_the_order_does_not_admit_is_refused() {
    let case = case(tower(2)).unwrap();
    let refused = |change: &dyn Fn(&mut Peak)| {
        let mut report = case.record.report();
        change(&mut report.plans[0].peaks.as_mut().unwrap().greatest);
        Report::from_json(&report.to_json())
            .unwrap_err()
            .to_string()
    };
    let plan = report(&case);
    let peak = plan.peaks.unwrap().greatest;
    let (count, over) = (peak.execution.len(), peak.completed.len());
    let (first, last) = (peak.execution[0], peak.execution[count - 1]);
    let said = refused(&|peak| peak.execution.truncate(count - 1));
    let place = "`plans[0].peaks.greatest.execution`";
    assert_eq!(
        said,
        format!("{place}: it has {} tasks, of {count}", count - 1)
    );
    let said = refused(&|peak| peak.execution[count - 1] = first);
    assert_eq!(said, format!("{place}: task {first} starts twice"));
    let said = refused(&|peak| peak.execution.swap(over, count - 1));
    let (running, end) = (
        "`plans[0].peaks.greatest.running`",
        over + peak.running.len(),
    );
    let others = format!("tasks {over}..{end} of `peaks.greatest.execution` are others");
    assert_eq!(said, format!("{running}: {others}"));
    // The last task of all, and one before it, the other way round.
    let said = refused(&|peak| peak.execution.swap(count - 2, count - 1));
    let before = peak.execution[count - 2];
    assert_eq!(
        said,
        format!("{place}: task {last} starts before task {before} completes")
    );
    // All that is over runs at the cut, too.
    let said = refused(&|peak| {
        peak.running = [&peak.running[..], &peak.completed].concat();
        peak.completed.clear();
    });
    assert!(
        said.starts_with(place) && said.ends_with(" completes"),
        "{said}"
    );
}

#[test]
fn a_candidate_that_contradicts_the_plan_is_refused() {
    let case = case(tower(2)).unwrap();
    let taken = report(&case).candidates.iter().position(|one| one.accepted);
    let taken = taken.unwrap();
    let refused = |change: &dyn Fn(&mut Candidate)| {
        let mut report = case.record.report();
        change(&mut report.plans[0].candidates[taken]);
        Report::from_json(&report.to_json())
            .unwrap_err()
            .to_string()
    };
    let place = format!("`plans[0].candidates[{taken}]");
    let said = refused(&|one| one.totals.least_peak_bytes.high = Some(0));
    let below = "it ends below where it begins";
    assert_eq!(said, format!("{place}.totals.least_peak_bytes`: {below}"));
    let said = refused(&|one| one.totals.greatest_peak_bytes.high = Some(u64::MAX));
    let other = "it is not that of `peaks.greatest`";
    assert_eq!(
        said,
        format!("{place}.totals.greatest_peak_bytes`: {other}")
    );
    let said = refused(&|one| {
        one.totals.added_edges = 1;
        one.deltas.added_edges = Change::default();
    });
    assert_eq!(said, format!("{place}.added`: 0 are listed, of 1"));
}

#[test]
fn a_task_is_of_the_kind_that_its_kernel_is_declared() {
    let mut g = common::Graph::new("Kinds");
    let (x, h, y) = (g.input("x", 512), g.transient("h", 512), g.output("y", 512));
    let tasks = [
        g.task("keep", &[common::read(x), common::write(h)]),
        g.task("reduce", &[common::read(h), common::write(y)]),
    ];
    for (task, kind) in tasks
        .into_iter()
        .zip([KernelKind::Opaque, KernelKind::Collective])
    {
        if let model::TaskKind::Kernel(launch) = &mut g.model.tasks[task.0 as usize].kind {
            launch.kind = kind;
        }
    }
    let case = case(g.model).unwrap();
    let kinds: Vec<TaskKind> = report(&case).tasks.iter().map(|task| task.kind).collect();
    let declared = [TaskKind::Upload, TaskKind::Opaque, TaskKind::Collective];
    assert_eq!(kinds, declared);
    let text = case.record.to_string();
    for line in ["  keep: opaque, stream 0", "  reduce: collective, stream 0"] {
        assert!(text.lines().any(|l| l == line), "{text}");
    }
}

#[test]
fn an_export_that_cannot_be_written_names_the_place() {
    let case = case(tower(1)).unwrap();
    let file = env!("CARGO_TARGET_TMPDIR").to_owned() + "/no-folder";
    std::fs::write(&file, "a file").unwrap();
    let error = case.record.export(&file).unwrap_err();
    assert_eq!(error.path.to_str(), Some(&*file));
    assert!(
        error
            .to_string()
            .starts_with(&format!("cannot write {file}: ")),
        "{error}"
    );
}

/// Steps at which each resource is live, from its frontiers alone.
fn spans(plan: &Plan) -> Vec<(u32, u32)> {
    let spans = plan.resources.iter().map(|r| {
        let steps = |tasks: &[u32]| -> Vec<u32> {
            tasks.iter().map(|&t| plan.tasks[t as usize].step).collect()
        };
        let first = steps(&r.first).into_iter().min().unwrap();
        match r.host {
            true => (first, plan.tasks.len() as u32 - 1),
            false => (first, steps(&r.last).into_iter().max().unwrap()),
        }
    });
    spans.collect()
}

#[test]
fn the_demand_envelope_is_what_lies_in_the_arena_at_each_step() {
    for case in cases() {
        let plan = report(&case);
        let spans = spans(&plan);
        for (step, &bytes) in plan.allocator.demand.iter().enumerate() {
            let live = plan.resources.iter().zip(&spans).filter(|(r, (from, to))| {
                r.region == Region::Arena && (*from..=*to).contains(&(step as u32))
            });
            // What is live at once shares no byte but in an in-place update, of one slot and the same.
            let mut slots: Vec<_> = live.map(|(r, _)| (r.offset, r.end())).collect();
            slots.sort_unstable();
            let (mut sum, mut end) = (0, 0);
            for (from, to) in slots {
                sum += to.saturating_sub(from.max(end));
                end = end.max(to);
            }
            assert_eq!(bytes, sum, "step {step}");
            assert!(bytes <= plan.storage.arena);
        }
        for class in &plan.allocator.size_classes {
            let live = |step: u32| {
                let live = plan.resources.iter().zip(&spans).filter(|(r, (from, to))| {
                    let here = r.region != Region::Store && r.bytes == class.bytes;
                    here && (*from..=*to).contains(&step)
                });
                let places: BTreeSet<u64> = live.map(|(r, _)| r.offset).collect();
                places.len() as u32
            };
            let most = (0..plan.tasks.len() as u32).map(live).max();
            assert_eq!(Some(class.live), most, "of {} bytes", class.bytes);
        }
    }
}

#[test]
fn the_trace_can_be_replayed_and_leaves_what_the_host_reads() {
    let mut reuses = 0;
    for case in cases() {
        let plan = report(&case);
        let mut held: BTreeMap<u32, (u64, u64)> = BTreeMap::new();
        let mut been = BTreeSet::new();
        for event in &plan.allocator.trace {
            let (from, to) = (event.offset, event.offset + event.bytes);
            match event.event {
                Happening::Release => assert!(held.remove(&event.resource).is_some()),
                happening => {
                    assert_eq!(happening == Happening::Reuse, !event.from.is_empty());
                    assert!(event.from.iter().all(|r| been.contains(r)));
                    reuses += event.from.len();
                    // Only an in-place update has the one before it still there.
                    let in_place = |r: &u32| {
                        let mut aliases = plan.aliases.iter();
                        aliases.any(|a| {
                            let pair = (a.earlier, a.later) == (*r, event.resource);
                            pair && matches!(a.proof, Proof::InPlace { .. })
                        })
                    };
                    held.retain(|r, _| !in_place(r));
                    let free = |slot: &(u64, u64)| slot.1 <= from || to <= slot.0;
                    assert!(held.values().all(free), "{event:?} in {held:?}");
                    held.insert(event.resource, (from, to));
                    been.insert(event.resource);
                }
            }
        }
        for r in held.keys() {
            assert!(plan.resources[*r as usize].host);
        }
        let classes = plan
            .allocator
            .size_classes
            .iter()
            .map(|c| c.resources)
            .sum::<u32>();
        assert_eq!(classes as usize, been.len());
    }
    assert!(reuses > 200, "{reuses} times storage was reused");
}

/// The first and the last of what is one range with a resource, by the proofs of what shares storage.
fn range(plan: &Plan, r: usize) -> [ResourceId; 2] {
    let [mut first, mut last] = [r as u32; 2];
    let updates = plan.aliases.iter();
    let updates = updates.filter(|s| matches!(s.proof, Proof::InPlace { .. }));
    let updates: Vec<_> = updates.map(|s| (s.earlier, s.later)).collect();
    while let Some((operand, _)) = updates.iter().find(|(_, result)| *result == first) {
        first = *operand;
    }
    while let Some((_, result)) = updates.iter().find(|(operand, _)| *operand == last) {
        last = *result;
    }
    [first, last].map(ResourceId)
}

#[test]
fn each_pair_apart_has_the_reason_that_the_analysis_knows() {
    let mut kinds: BTreeMap<Because, usize> = BTreeMap::new();
    for case in cases() {
        let plan = report(&case);
        let order = Precedence::new(&case.model).unwrap();
        let live = Frontiers::new(&case.model, &order);
        let mut pairs = BTreeMap::new();
        for (a, x) in plan.resources.iter().enumerate() {
            for (b, y) in plan.resources.iter().enumerate().skip(a + 1) {
                let alike = (x.bytes, x.region) == (y.bytes, y.region) && x.bytes > 0;
                let apart = x.offset.abs_diff(y.offset) >= x.bytes;
                if alike && apart && x.region != Region::Store {
                    let ids = [a, b].map(|r| ResourceId(r as u32));
                    // What becomes another in place is one range with it.
                    let [[first, last], [begin, end]] = [a, b].map(|r| range(&plan, r));
                    let ways = [(last, begin), (end, first)];
                    let ways = ways.map(|(over, next)| direction(&order, &live, over, next));
                    let known = match eligibility(&case.model, &order, &live, ids[0], ids[1]) {
                        Eligibility::InPlace { .. } => Because::Layout,
                        _ if ways.contains(&Direction::Holds) => Because::Layout,
                        _ if ways.iter().all(|w| matches!(w, Direction::Never(_))) => Because::Live,
                        _ => Because::Unordered,
                    };
                    pairs.insert((a as u32, b as u32), known);
                }
            }
        }
        let unshared = &plan.unshared;
        assert_eq!(unshared.total as usize, pairs.len());
        let of = |because| pairs.values().filter(|known| **known == because).count() as u64;
        assert_eq!(unshared.live, of(Because::Live));
        assert_eq!(unshared.unordered, of(Because::Unordered));
        assert_eq!(unshared.layout, of(Because::Layout));
        for pair in &unshared.pairs {
            assert_eq!(pairs[&(pair.a, pair.b)], pair.because, "{pair:?}");
            assert_eq!(pair.because == Because::Unordered, pair.missing_total > 0);
            assert!(!pair.reason.is_empty());
            *kinds.entry(pair.because).or_default() += 1;
        }
    }
    assert!(
        kinds.len() == 3 && kinds.values().all(|count| *count > 15),
        "{kinds:?}"
    );
}
