//! What differences come to, by what is predicted and measured of each.

use super::*;

fn delta(figure: Figure, predicted: Option<[i64; 2]>, measured: Option<[i64; 2]>) -> Delta {
    let change = |ends: Option<[i64; 2]>| ends.map(|[low, high]| Change { low, high });
    Delta {
        figure,
        predicted: change(predicted),
        measured: change(measured),
    }
}

/// What is predicted and measured of the arena, of live bytes and of time, and what comes of it.
fn judged(
    target: Option<Target>,
    arena: [i64; 2],
    live: Option<[i64; 2]>,
    time: [Option<[i64; 2]>; 2],
) -> Disposition {
    let deltas = [
        delta(Figure::ArenaBytes, Some([arena[0]; 2]), Some([arena[1]; 2])),
        delta(Figure::LiveBytes, None, live),
        delta(Figure::RunNanoseconds, time[0], time[1]),
        delta(Figure::PeriodNanoseconds, None, time[1]),
    ];
    verdict(target, &deltas).disposition
}

#[test]
fn a_gain_beyond_what_is_uncertain_is_a_finding() {
    let live = Some([-9, -5]);
    let noise = [None, Some([-3, 4])];
    for target in [None, Some(Target::Latency), Some(Target::Throughput)] {
        let found = judged(target, [-8, -8], live, noise);
        assert_eq!(found, Disposition::MeasuredFinding, "{target:?}");
    }
    let faster = [Some([-9, -1]), Some([-7, -2])];
    assert_eq!(
        judged(None, [0, 0], Some([0, 0]), faster),
        Disposition::MeasuredFinding
    );
}

#[test]
fn what_is_outside_the_target_is_rejected() {
    let (live, slower) = (Some([-9, -5]), [None, Some([1, 4])]);
    for target in [Target::Latency, Target::Throughput] {
        let found = judged(Some(target), [-8, -8], live, slower);
        assert_eq!(found, Disposition::Rejected);
    }
    // Nobody asked for time.
    let found = judged(None, [-8, -8], live, slower);
    assert_eq!(found, Disposition::MeasuredFinding);
}

#[test]
fn what_came_out_the_other_way_is_rejected() {
    let none = [None, None];
    assert_eq!(
        judged(None, [-8, 2], Some([-9, -5]), none),
        Disposition::Rejected
    );
    assert_eq!(
        judged(None, [-8, -8], Some([1, 5]), none),
        Disposition::Rejected
    );
    let slower = [Some([-9, -1]), Some([1, 2])];
    assert_eq!(judged(None, [0, 0], None, slower), Disposition::Rejected);
}

#[test]
fn a_gain_within_what_is_uncertain_needs_more_evidence() {
    let more = Disposition::NeedMoreEvidence;
    for live in [Some([-9, 0]), Some([0, 0]), None] {
        assert_eq!(judged(None, [-8, -8], live, [None, None]), more);
    }
    let unsure = [Some([-9, -1]), Some([-7, 2])];
    assert_eq!(judged(None, [-8, -8], Some([-9, -5]), unsure), more);
    // A target of which nothing is known is not kept.
    let target = Some(Target::Latency);
    assert_eq!(judged(target, [-8, -8], Some([-9, -5]), [None, None]), more);
}

#[test]
fn without_a_predicted_gain_nothing_is_found() {
    for predicted in [None, Some([-3, 1])] {
        let found = judged(None, [0, 0], Some([-9, -5]), [predicted, Some([-7, -2])]);
        assert_eq!(found, Disposition::GuardedPolicy);
    }
}
