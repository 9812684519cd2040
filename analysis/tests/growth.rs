//! Growth policies against a simulation by definition, and what holds whatever the sizes are.

mod common;

use common::rng::Rng;
use gpu_graph_analysis::growth::{
    Buckets, Figures, History, Policy, Ratio, Release, Resource, Rule, Wrong, capacities, compare,
    replay,
};

fn policy(text: &str) -> Policy {
    text.parse().expect("a policy")
}

fn one(sizes: Vec<u64>) -> History {
    let resource = Resource {
        sizes,
        ..Resource::default()
    };
    History {
        resources: vec![resource],
    }
}

fn cost(history: &History, text: &str) -> Figures {
    replay(history, &policy(text)).expect("a history")
}

/// A factor `p / q`.
type Fraction = (u32, u32);

/// A policy, and its parts as plain numbers.
struct Plain {
    policy: Policy,
    /// 0: exact; 1: multiples; 2: powers; 3: geometric.
    rule: usize,
    step: u64,
    factor: Fraction,
    /// `None`: as soon as less would do; `Some(0 / 1)`: never.
    share: Option<Fraction>,
}

fn random_policy(rng: &mut Rng) -> Plain {
    let step = 1 + rng.below(100) as u64;
    let under = 1 + rng.below(4) as u32;
    let factor = (under + 1 + rng.below(6) as u32, under);
    let rule = rng.below(4);
    let rules = [
        Rule::Exact,
        Rule::Bucketed(Buckets::Multiples(step)),
        Rule::Bucketed(Buckets::Powers),
        Rule::Geometric(Ratio::new(factor.0, factor.1).expect("a factor")),
    ];
    let under = 1 + rng.below(5) as u32;
    let below = (1 + rng.below(under as usize) as u32, under);
    let releases = [
        (Release::Follow, None),
        (Release::Keep, Some((0, 1))),
        (
            Release::Below(Ratio::new(below.0, below.1).expect("a share")),
            Some(below),
        ),
    ];
    let (release, share) = releases[rng.below(3)];
    Plain {
        policy: Policy {
            rule: rules[rule],
            release,
        },
        rule,
        step,
        factor,
        share,
    }
}

/// Sizes of one kind: alike, jumping, growing to the maximum, shrinking, oscillating, or anything.
fn random_sizes(rng: &mut Rng, kind: usize, steps: usize, most: u64) -> Vec<u64> {
    let any = |rng: &mut Rng| rng.below(most as usize + 1) as u64;
    let (a, b) = (any(rng), any(rng));
    let mut sizes: Vec<u64> = (0..steps)
        .map(|k| match kind {
            0 => a,
            1 if rng.one_in(4) => any(rng),
            1 => a,
            4 if k % 2 == 0 => a,
            4 => b,
            _ => any(rng),
        })
        .collect();
    match kind {
        2 => {
            sizes.sort_unstable();
            sizes[steps - 1] = most;
        }
        3 => sizes.sort_unstable_by(|x, y| y.cmp(x)),
        _ => {}
    }
    sizes
}

/// What is held at each step, by the words of the documentation alone.
fn simulated(plain: &Plain, r: &Resource) -> Vec<u64> {
    let up = |bytes: u64, to: u64| bytes.div_ceil(to) * to;
    let mut held = 0;
    let mut all = Vec::new();
    for &needed in &r.sizes {
        let mut anew = match plain.rule {
            1 => up(needed, plain.step),
            2 => (0..)
                .map(|p| 1u64 << p)
                .find(|&p| p >= needed)
                .unwrap_or(0)
                .min(if needed == 0 { 0 } else { u64::MAX }),
            _ => needed,
        };
        if needed > held && plain.rule == 3 {
            let (p, q) = (u64::from(plain.factor.0), u64::from(plain.factor.1));
            anew = anew.max((held * p).div_ceil(q));
        }
        if let Some(most) = r.maximum {
            anew = anew.min(most);
        }
        let anew = up(anew.max(needed), r.alignment);
        let idle = match plain.share {
            None => true,
            Some((p, q)) => needed * u64::from(q) < held * u64::from(p),
        };
        if needed > held || (idle && anew < held) {
            held = anew;
        }
        all.push(held);
    }
    all
}

#[test]
fn random_histories_cost_what_a_simulation_by_definition_counts() {
    let mut rng = Rng(7);
    let (mut grown, mut released, mut idle) = (0, 0, 0);
    for round in 0..20_000 {
        let steps = 1 + rng.below(12);
        let resources = (0..1 + rng.below(3)).map(|_| {
            let most = 1 + rng.below(1000) as u64;
            Resource {
                sizes: random_sizes(&mut rng, round % 6, steps, most),
                alignment: 1 + rng.below(40) as u64,
                maximum: rng.one_in(2).then_some(most),
                nanos: (0..rng.below(steps + 1))
                    .map(|k| (!rng.one_in(3)).then_some(10 + k as u64))
                    .collect(),
            }
        });
        let history = History {
            resources: resources.collect(),
        };
        let plain = random_policy(&mut rng);
        let mut wanted = Figures::default();
        let mut sums = vec![(0u128, 0u128, 0u128); steps];
        for r in &history.resources {
            let held = simulated(&plain, r);
            assert_eq!(
                capacities(r, &plain.policy),
                Ok(held.clone()),
                "{} {r:?}",
                plain.policy
            );
            for k in 0..steps {
                let need = r.sizes[k].div_ceil(r.alignment) * r.alignment;
                let mut both = held[k];
                if k > 0 && held[k] != held[k - 1] {
                    wanted.grown += usize::from(held[k] > held[k - 1]);
                    wanted.released += usize::from(held[k] < held[k - 1]);
                    wanted.allocated += u128::from(held[k]);
                    wanted.copied += u128::from(r.sizes[k].min(r.sizes[k - 1]));
                    both += held[k - 1];
                    match r.nanos.get(k) {
                        Some(Some(nanos)) => wanted.nanos += u128::from(*nanos),
                        _ => wanted.unmeasured += 1,
                    }
                }
                wanted.slack += u128::from(held[k] - need);
                sums[k].0 += u128::from(held[k]);
                sums[k].1 += u128::from(both);
                sums[k].2 += u128::from(held[k] - need);
            }
        }
        wanted.peak = sums.iter().map(|s| s.0).max().unwrap_or(0);
        wanted.peak_changing = sums.iter().map(|s| s.1).max().unwrap_or(0);
        wanted.peak_slack = sums.iter().map(|s| s.2).max().unwrap_or(0);
        let found = replay(&history, &plain.policy);
        assert_eq!(found.as_ref(), Ok(&wanted), "{} {history:?}", plain.policy);
        grown += wanted.grown;
        released += wanted.released;
        idle += usize::from(wanted.slack > 0);
    }
    assert!(
        grown > 5_000 && released > 5_000 && idle > 2_000,
        "{grown} {released} {idle}"
    );
}

#[test]
fn what_holds_of_every_history_holds() {
    let mut rng = Rng(11);
    for round in 0..5_000 {
        let steps = 1 + rng.below(20);
        let resource = Resource {
            sizes: random_sizes(&mut rng, round % 6, steps, 5_000),
            alignment: [1, 16, 256][rng.below(3)],
            ..Resource::default()
        };
        let history = History {
            resources: vec![resource.clone()],
        };
        let plain = random_policy(&mut rng);
        let own = replay(&history, &plain.policy).expect("a history");
        let (exact, keep) = (cost(&history, "exact"), cost(&history, "exact,keep"));
        // No policy holds less than what is needed, or less than `exact` at its peak.
        let held = capacities(&resource, &plain.policy).expect("numbers");
        assert!(held.iter().zip(&resource.sizes).all(|(h, s)| h >= s));
        assert!(own.peak >= exact.peak && exact.slack == 0 && exact.peak_slack == 0);
        assert_eq!((keep.peak, keep.released), (exact.peak, 0));
        assert!(keep.changes() <= exact.changes());
        // What is never given back never shrinks; what only grows has nothing to give back.
        if plain.policy.release == Release::Keep {
            assert!(held.is_sorted() && own.released == 0);
        }
        if resource.sizes.is_sorted() {
            assert_eq!(exact, keep);
        }
        // Zero growth: nothing changes, whatever the policy.
        if resource.sizes.iter().all(|&s| s == resource.sizes[0]) {
            assert_eq!((own.changes(), own.copied, own.nanos), (0, 0, 0));
        }
        // Two alike cost twice as much, in whichever order they stand.
        let twice = History {
            resources: vec![resource.clone(), resource.clone()],
        };
        let both = replay(&twice, &plain.policy).expect("a history");
        assert_eq!(both.changes(), 2 * own.changes());
        assert_eq!(
            [both.slack, both.peak, both.peak_changing, both.copied],
            [own.slack, own.peak, own.peak_changing, own.copied].map(|f| 2 * f)
        );
    }
}

#[test]
fn each_kind_of_history_shows_what_a_policy_buys_and_what_it_keeps() {
    // Oscillation: following it changes at every step, keeping retains the difference.
    let swing = one((0..100).map(|k| [1000, 3000][k % 2]).collect());
    assert_eq!(cost(&swing, "exact").changes(), 99);
    let keep = cost(&swing, "exact,keep");
    assert_eq!(
        (keep.changes(), keep.slack, keep.peak_slack),
        (1, 49 * 2000, 2000)
    );
    // Within one bucket nothing changes, and half of it lies idle at every second step.
    let bucket = cost(&swing, "bucketed:4096");
    assert_eq!((bucket.changes(), bucket.peak), (0, 4096));
    // One large jump, then little: what is kept for it is kept for good.
    let jump = one([vec![10; 50], vec![100_000], vec![10; 49]].concat());
    let keep = cost(&jump, "exact,keep");
    assert_eq!((keep.changes(), keep.slack), (1, 49 * 99_990));
    let below = cost(&jump, "geometric:3/2,below:1/4");
    assert_eq!((below.changes(), below.slack), (2, 0));
    // Growth byte by byte: a factor changes seldom, and holds more.
    let grow = one((1000..2000).collect());
    let (exact, factor) = (cost(&grow, "exact"), cost(&grow, "geometric:3/2,keep"));
    assert_eq!((exact.changes(), factor.changes()), (999, 2));
    assert!(exact.copied > 400 * factor.copied && factor.slack > 0);
    assert_eq!((exact.peak, factor.peak), (1999, 2250));
    // Growth to the maximum: nothing rounds up beyond it.
    let mut full = grow;
    full.resources[0].maximum = Some(1999);
    assert_eq!(full.trend().at_maximum, 1);
    for text in ["geometric:3/2,keep", "bucketed:powers", "bucketed:700"] {
        assert_eq!(cost(&full, text).peak, 1999, "{text}");
    }
}

#[test]
fn a_policy_is_beaten_only_where_another_is_as_good_in_all_and_none_is_chosen() {
    let mut history = one(vec![100, 300, 100, 300, 100]);
    let policies = ["exact", "exact,keep", "bucketed:200", "bucketed:200,keep"].map(policy);
    let beaten = |history: &History| -> Vec<Option<usize>> {
        let compared = compare(history, &policies).expect("a history");
        compared.iter().map(|c| c.beaten_by).collect()
    };
    // Buckets change as often and hold more.
    assert_eq!(beaten(&history), [None, None, Some(0), Some(1)]);
    // One change was measured, which is all that keeping makes: no other one is known to take less, and
    // buckets that are given back have less idle at the worst step.
    history.resources[0].nanos = vec![None, Some(5)];
    assert_eq!(beaten(&history), [None, None, None, Some(1)]);
    let keep = cost(&history, "exact,keep");
    assert_eq!((keep.time(), keep.unmeasured), (Some(5), 0));
    let exact = cost(&history, "exact");
    assert_eq!((exact.time(), exact.nanos, exact.unmeasured), (None, 5, 3));
}

#[test]
fn a_policy_with_less_idle_at_its_worst_step_is_not_beaten() {
    let history = one(vec![2700, 5000, 2000, 2300, 1400, 1900]);
    let policies = ["exact,below:1/2", "bucketed:600,below:1/1"].map(policy);
    let compared = compare(&history, &policies).expect("a history");
    let idle = [0, 1].map(|i: usize| compared[i].figures.peak_slack);
    assert_eq!(idle, [900, 500]);
    let beaten = [0, 1].map(|i: usize| compared[i].beaten_by);
    assert_eq!(beaten, [None, None]);
}

#[test]
fn what_cannot_be_replayed_is_refused() {
    let exact = policy("exact");
    let wrong = |history: &History| replay(history, &exact).expect_err("refused");
    assert_eq!(wrong(&History::default()), Wrong::Empty);
    let mut history = one(vec![1, 2]);
    history.resources.push(Resource::default());
    assert_eq!(wrong(&history), Wrong::Steps(1));
    history.resources[1].sizes = vec![3, 4];
    history.resources[1].alignment = 0;
    assert_eq!(wrong(&history), Wrong::NoAlignment(1));
    history.resources[1].alignment = 8;
    history.resources[1].maximum = Some(3);
    assert_eq!(wrong(&history), Wrong::AboveMaximum(1, 1));
    let vast = one(vec![1, u64::MAX - 3]);
    assert_eq!(
        replay(&vast, &exact).map(|f| f.peak),
        Ok(u128::from(u64::MAX - 3))
    );
    let bucket = policy("bucketed:4096");
    assert_eq!(replay(&vast, &bucket), Err(Wrong::TooLarge(0, 1)));
    let mut known = vast.clone();
    known.resources[0].maximum = Some(u64::MAX);
    assert_eq!(replay(&known, &bucket).map(|f| f.grown), Ok(1));
    for text in [
        "",
        "exact,",
        "exact:1",
        "bucketed:0",
        "bucketed",
        "bucketed:-1",
        "bucketed:99999999999999999999",
        "geometric:1/1,keep",
        "geometric:3/0,keep",
        "geometric:2/1",
        "geometric:2,below:x",
    ] {
        assert!(text.parse::<Policy>().is_err(), "{text}");
    }
}
