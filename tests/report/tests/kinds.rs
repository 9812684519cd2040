//! What each kind of policy gives and changes is what the rest of the data comes to, and text and page
//! have the same.
#![forbid(unsafe_code)]

#[path = "../../../analysis/tests/common/mod.rs"]
mod common;
#[path = "../../../runtime/tests/explain_support/mod.rs"]
mod explain_support;
mod graphs;
#[path = "../../../runtime/tests/report_support/mod.rs"]
mod report_support;

use std::collections::BTreeMap;
use std::ops::Range;

use gpu_graph::Record;
use gpu_graph::report::{
    Change, Class, Effect, Kind, Plan, Policy, Proof, Region, ReportError, Totals,
};
use gpu_graph_analysis::layout::sizes::rounded;
use gpu_graph_analysis::record::time;

gpu_graph::gpu_graph! {
    kernel halve(x: &[f32; n]) -> [f32; n] {
        host host::halve,
        in place x host host::halve_in_place,
    }
    kernel sum(x: &[f32; n], room: &mut [f32; m]) -> [f32; 1] { host host::sum }
    kernel spread(x: &[f32; 1]) -> [f32; n] { host host::spread }

    /// Uses of a workspace one behind the other, and most is live where a value is updated in place.
    graph Chain {
        dim n in 1..=1024;
        input x: [f32; n];
        workspace room: [f32; n] per_task;
        let a: [f32; n] = halve(&x);
        let b: [f32; n] = halve(&a);
        let first: [f32; 1] = sum(&b, &mut room);
        let c: [f32; 8 * n] = spread(&first);
        let d: [f32; 8 * n] = halve(&c);
        let second: [f32; 1] = sum(&d, &mut room);
        output y: [f32; n] = spread(&second);
    }
}

mod host {
    pub fn halve(x: &[f32], out: &mut [f32], _: super::halve::Dims) {
        out.iter_mut().zip(x).for_each(|(o, x)| *o = x / 2.0);
    }
    pub fn halve_in_place(x: &mut [f32], _: super::halve::Dims) {
        x.iter_mut().for_each(|x| *x /= 2.0);
    }
    pub fn sum(x: &[f32], room: &mut [f32], out: &mut [f32], _: super::sum::Dims) {
        room.fill(x.iter().sum());
        out[0] = room[0];
    }
    pub fn spread(x: &[f32], out: &mut [f32], _: super::spread::Dims) {
        out.fill(x[0]);
    }
}

/// The plans of all graphs that are judged here.
fn plans() -> Vec<(Record, Plan)> {
    let mut all = graphs::plans();
    let chain = Chain::RECORD.report().plans;
    all.extend(chain.into_iter().map(|plan| (Chain::RECORD, plan)));
    all
}

/// Something in the arena: the steps at which it is live, as tasks are issued one at a time.
#[derive(Clone, Debug)]
struct Item {
    bytes: u64,
    steps: Range<usize>,
    /// It outlives the run.
    stays: bool,
    workspace: bool,
    domain: Option<String>,
}

/// What lies in the arena of a plan, what becomes another in place as one with it if `joined`.
fn items(plan: &Plan, joined: bool) -> Vec<Item> {
    let mut home: Vec<usize> = (0..plan.resources.len()).collect();
    for alias in plan.aliases.iter().filter(|_| joined) {
        if let Proof::InPlace { .. } = alias.proof {
            let [from, to] = [alias.earlier, alias.later].map(|r| home[r as usize]);
            home.iter_mut()
                .filter(|h| **h == to)
                .for_each(|h| *h = from);
        }
    }
    let mut items: BTreeMap<usize, Item> = BTreeMap::new();
    for (r, of) in plan.resources.iter().enumerate() {
        let uses = |t: &&gpu_graph::report::Task| t.accesses.iter().any(|a| a.resource == r as u32);
        let steps = plan.tasks.iter().filter(uses).map(|t| t.step as usize);
        let (Some(first), Some(last)) = (steps.clone().min(), steps.max()) else {
            continue;
        };
        if of.region != Region::Arena || of.bytes == 0 {
            continue;
        }
        let end = if of.host { plan.tasks.len() } else { last + 1 };
        let item = items.entry(home[r]).or_insert_with(|| Item {
            bytes: of.bytes,
            steps: first..end,
            stays: false,
            workspace: of.class == Class::Workspace,
            domain: of.domain.clone(),
        });
        item.bytes = item.bytes.max(of.bytes);
        item.steps = item.steps.start.min(first)..item.steps.end.max(end);
        item.stays |= of.host;
    }
    items.into_values().collect()
}

/// The most that is live at any step.
fn most(plan: &Plan, items: &[Item]) -> u64 {
    let live = |step: usize| {
        let live = items.iter().filter(|item| item.steps.contains(&step));
        live.map(|item| item.bytes).sum::<u64>()
    };
    (0..plan.tasks.len()).map(live).max().unwrap_or(0)
}

/// Blocks and bytes of pools of one size in one domain each, as many as are taken at once.
fn pooled(plan: &Plan, items: &[Item]) -> (u64, u64) {
    let mut pools: BTreeMap<(Option<&str>, u64), Vec<&Item>> = BTreeMap::new();
    for item in items {
        let of = (item.domain.as_deref(), item.bytes);
        pools.entry(of).or_default().push(item);
    }
    let sum = pools.iter().map(|((_, bytes), items)| {
        let taken = |step: usize| items.iter().filter(|i| i.steps.contains(&step)).count();
        let blocks = (0..plan.tasks.len()).map(taken).max().unwrap_or(0) as u64;
        (blocks, blocks * bytes)
    });
    sum.fold((0, 0), |a, b| (a.0 + b.0, a.1 + b.1))
}

fn kind(plan: &Plan, policy: Policy) -> &Kind {
    let mut kinds = plan.kinds.iter();
    kinds.find(|kind| kind.policy == policy).unwrap()
}

fn taken(plan: &Plan) -> &Totals {
    let mut all = plan.candidates.iter();
    &all.find(|one| one.accepted).unwrap().totals
}

/// One value, `to` less `from`.
fn exact(change: Option<Change>, from: u64, to: u64) {
    let more = to as i64 - from as i64;
    let change = change.map(|change| (change.low, change.high));
    assert_eq!(change, Some((more, more)));
}

#[test]
fn each_kind_changes_what_the_data_comes_to() {
    let (mut shared, mut larger, mut joined) = (0, 0, 0);
    for (_, plan) in plans() {
        let (all, totals) = (items(&plan, true), taken(&plan));
        let now = most(&plan, &all);
        let moved = |change: fn(&mut Item, usize)| {
            let mut all = all.clone();
            all.iter_mut()
                .for_each(|item| change(item, plan.tasks.len()));
            most(&plan, &all)
        };
        let early = moved(|item, _| item.steps.start = 0);
        let late = moved(|item, end| item.steps.end = end);
        for (policy, from) in [(Policy::Delay, early), (Policy::ReleaseEarlier, late)] {
            let kind = kind(&plan, policy);
            assert_eq!(kind.gives_bytes, Some(from - now), "{kind:?}");
            let effect = kind.effect.unwrap();
            exact(effect.live_bytes, from, now);
            assert_eq!((effect.arena_bytes, effect.slack_bytes), (None, None));
        }
        // At one end or the other all is there.
        let sum: u64 = all.iter().map(|item| item.bytes).sum();
        assert_eq!([early, late], [sum; 2]);

        let rooms = all.iter().filter(|item| item.workspace);
        let sum: u64 = rooms.map(|item| item.bytes).sum();
        let sharing = kind(&plan, Policy::ShareWorkspace);
        match sum {
            0 => assert!(!sharing.applied && sharing.effect.is_none(), "{sharing:?}"),
            _ => {
                let most = totals.workspace_bytes.unwrap();
                assert_eq!(sharing.gives_bytes, Some(sum - most), "{sharing:?}");
                exact(sharing.effect.unwrap().workspace_bytes, sum, most);
                for policy in [Policy::Delay, Policy::ReleaseEarlier] {
                    let effect = kind(&plan, policy).effect.unwrap();
                    exact(effect.workspace_bytes, sum, most);
                }
                shared += usize::from(most < sum);
            }
        }

        assert_eq!(totals.slack_bytes, totals.arena_bytes - now);
        assert_eq!((totals.allocations, totals.releases), (0, 0));
        let stay = all.iter().filter(|item| item.stays).count();
        let ends = (all.len() - stay) as u64;
        assert_eq!((totals.begins, totals.ends), (all.len() as u64, ends));
        let tight = totals.arena_bytes - plan.storage.padding;
        let (blocks, bytes) = pooled(&plan, &all);
        let pool = kind(&plan, Policy::Pool);
        assert!(!pool.applied && pool.gives_bytes.is_none(), "{pool:?}");
        let effect = pool.effect.unwrap();
        exact(effect.arena_bytes, tight, bytes);
        exact(effect.slack_bytes, tight - now, bytes - now);
        exact(effect.live_bytes, now, now);
        let range = effect.allocations.map(|of| (of.low, of.high));
        assert_eq!(range, Some((0, blocks as i64)));
        assert_eq!((effect.waits, effect.events), (None, None));
        let takes = all.len();
        let returns = all.iter().filter(|item| !item.stays).count();
        let s = if takes == 1 { "" } else { "s" };
        let said = format!("a run would take {takes} block{s} and give back {returns}, ");
        assert!(pool.reason.contains(&said), "{said}: {}", pool.reason);
        larger += usize::from(bytes > tight);

        let sized = kind(&plan, Policy::RightSize);
        let idle = plan
            .resources
            .iter()
            .filter(|of| of.region == Region::Arena);
        let idle: u64 = idle.map(|of| of.bytes - of.payload).sum();
        let said = format!(
            "{} of all slots only fill up their alignment",
            rounded(idle)
        );
        assert!(sized.reason.ends_with(&said), "{said}: {}", sized.reason);
        let effect = sized.effect.unwrap();
        let arena = effect.arena_bytes.unwrap();
        match plan.dims.is_empty() {
            true => assert_eq!(arena, Change::default()),
            false => assert!(arena.low <= 0 && arena.high == 0 && arena.low >= -(tight as i64)),
        }

        let effect = kind(&plan, Policy::Alias).effect.unwrap();
        if plan.candidates[0].accepted {
            let apart = most(&plan, &items(&plan, false));
            exact(effect.live_bytes, apart, now);
            joined += usize::from(apart > now);
        }
    }
    let seen = [shared, larger, joined];
    assert!(seen.iter().all(|n| *n > 0), "{seen:?}");
}

/// What an effect says in words, with bytes and times as `bytes` and `time` tell them.
fn words(effect: &Effect, bytes: fn(u64) -> String, time: fn(u64) -> String) -> [Vec<String>; 2] {
    let count: fn(u64) -> String = |n| n.to_string();
    let terms = [
        ("arena", effect.arena_bytes, bytes),
        ("live at once", effect.live_bytes, bytes),
        ("slack", effect.slack_bytes, bytes),
        ("workspaces in use", effect.workspace_bytes, bytes),
        ("allocations", effect.allocations, count),
        ("releases", effect.releases, count),
        ("compute", effect.compute_nanoseconds, time),
        ("critical path", effect.critical_path_nanoseconds, time),
        ("read", effect.read_bytes, bytes),
        ("written", effect.written_bytes, bytes),
        ("launches", effect.launches, count),
        ("waits", effect.waits, count),
        ("events", effect.events, count),
    ];
    let signed = |value: i64, tell: fn(u64) -> String| match value {
        0 => "0".to_owned(),
        1.. => format!("+{}", tell(value as u64)),
        _ => format!("-{}", tell(value.unsigned_abs())),
    };
    let (mut changed, mut unknown) = (Vec::new(), Vec::new());
    for (name, change, tell) in terms {
        match change.map(|change| (change.low, change.high)) {
            None => unknown.push(name.to_owned()),
            Some((0, 0)) => {}
            Some((low, high)) if low == high => {
                changed.push(format!("{name} {}", signed(low, tell)))
            }
            Some((low, high)) => {
                changed.push(format!(
                    "{name} {} to {}",
                    signed(low, tell),
                    signed(high, tell)
                ));
            }
        }
    }
    [changed, unknown]
}

#[test]
fn what_a_kind_changes_is_told_alike_in_the_text_and_on_the_page() {
    let (mut seen, mut absent) = (0, 0);
    for (record, plan) in plans() {
        let mut own = record.report();
        own.plans = vec![plan.clone()];
        let page = own.to_html();
        for kind in &plan.kinds {
            let lines = record.text().lines();
            let mut lines = lines.skip_while(|line| {
                !line.ends_with(&format!(": {}", kind.reason))
                    && !line.ends_with(&format!(" {}", kind.reason))
            });
            let (_, below) = (lines.next().unwrap(), lines.next().unwrap().trim_start());
            let change = if kind.applied {
                "changes"
            } else {
                "would change"
            };
            let Some(effect) = &kind.effect else {
                assert!(!below.starts_with("changes") && !below.starts_with("would change"));
                absent += 1;
                continue;
            };
            let said = below
                .strip_prefix(change)
                .expect("what it changes")
                .trim_start();
            let [changed, unknown] = words(effect, rounded, time);
            let same = 13 - changed.len() - unknown.len();
            let rest = format!("{same} figure{}", if same == 1 { "" } else { "s" });
            let mut parts = Vec::new();
            parts.extend((!changed.is_empty()).then(|| changed.join(", ")));
            parts.extend((!unknown.is_empty()).then(|| format!("{} unknown", unknown.join(", "))));
            match parts.is_empty() {
                true => assert_eq!(said, format!("none of {rest}")),
                false => assert_eq!(said, format!("{}; {rest} the same", parts.join("; "))),
            }
            let [changed, unknown] = words(effect, |n| brief(rounded(n)), |n| brief(time(n)));
            for what in changed.iter().chain([&unknown.join(", ")]) {
                assert!(page.contains(what), "{what}");
            }
            seen += changed.len();
        }
    }
    assert!(seen > 30 && absent > 3, "{seen} {absent}");
}

/// An amount as the page has it, which is that of the text without all of it behind.
fn brief(told: String) -> String {
    told.split(" (").next().unwrap().to_owned()
}

#[test]
fn a_change_that_is_not_what_a_kind_gives_is_refused() {
    let report = graphs::RECORDS[0].report();
    let kinds = &report.plans[0].kinds;
    let refused = |at: usize, change: &dyn Fn(&mut Effect)| {
        let mut report = report.clone();
        change(report.plans[0].kinds[at].effect.as_mut().unwrap());
        match gpu_graph::report::Report::from_json(&report.to_json()).unwrap_err() {
            ReportError::Form { place, what } => format!("{place}: {what}"),
            error => panic!("{error}"),
        }
    };
    let gives = kinds[0].gives_bytes.unwrap();
    assert!(gives > 0);
    let said = refused(0, &|effect| effect.live_bytes = Some(Change::default()));
    assert_eq!(
        said,
        format!(
            "plans[0].kinds[0].effect.live_bytes: it is 0 to 0, where that comes to `gives_bytes`, which \
             is {gives}, less"
        )
    );
    let said = refused(2, &|effect| {
        let of = effect.arena_bytes.as_mut().unwrap();
        of.low = of.high + 1;
    });
    assert_eq!(
        said,
        "plans[0].kinds[2].effect.arena_bytes.low: it is 1, above `high`, which is 0"
    );
}
