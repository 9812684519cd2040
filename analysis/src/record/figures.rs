//! The figures of a plan in words.

use super::time::time;
use crate::fault::counted;
use crate::layout::sizes::rounded;
use crate::policy::Figures;

/// What plans are compared by.
pub(super) fn figures(figures: &Figures) -> String {
    let path = match (figures.at_least, figures.critical_path) {
        (true, 0) => "critical path unknown".to_owned(),
        (true, known) => format!("critical path at least {}", time(known)),
        (false, known) => format!("critical path {}", time(known)),
    };
    let (arena, launches) = (rounded(figures.arena), launches(figures.launches));
    let added = counted(figures.added, "added edge");
    let (streams, waits) = (
        counted(usize::from(figures.streams), "stream"),
        counted(figures.waits, "wait"),
    );
    format!("arena {arena}, {path}, {launches}, {added}, {streams}, {waits}")
}

fn launches(n: usize) -> String {
    match n {
        1 => "1 launch".to_owned(),
        _ => format!("{n} launches"),
    }
}

/// What a plan takes beside what plans are compared by.
pub(super) fn takes(figures: &Figures) -> String {
    let (least, slack) = (rounded(figures.bound), rounded(figures.slack()));
    let rooms = match figures.rooms {
        Some(0) => "no workspace".to_owned(),
        Some(bytes) => format!("{} of workspaces", rounded(bytes)),
        None => "workspaces not worked out".to_owned(),
    };
    let compute = match (figures.at_least, figures.compute) {
        (true, 0) => "compute unknown".to_owned(),
        (true, known) => format!("compute at least {}", time(known)),
        (false, known) => format!("compute {}", time(known)),
    };
    let (read, written) = (
        rounded(figures.traffic.read),
        rounded(figures.traffic.written),
    );
    let events = counted(figures.events as usize, "event");
    let (begins, ends) = (figures.begins, figures.ends);
    format!(
        "no layout below {least}, slack {slack}, {rooms}, {compute}, {read} read and {written} \
         written, {events}, {begins} live ranges begin and {ends} end in a run, no allocation"
    )
}

/// The least and the greatest peak of what is live at once.
pub(super) fn peaks(ends: [[u64; 2]; 2]) -> String {
    let span = |[low, high]: [u64; 2]| match low {
        _ if low == high => rounded(high),
        0 => format!("at most {}", rounded(high)),
        _ => format!("between {} and {}", rounded(low), rounded(high)),
    };
    let [least, greatest] = ends.map(span);
    format!("least {least}, greatest {greatest}")
}

/// What `own` has more or less than `first`.
pub(super) fn differs(first: &Figures, own: &Figures) -> String {
    let mut all = Vec::new();
    let mut differ = |from: u64, to: u64, words: &dyn Fn(u64) -> String| {
        if from != to {
            let than = if to < from { "less" } else { "more" };
            all.push(format!("{} {than}", words(from.abs_diff(to))));
        }
    };
    let count = |what: &'static str| move |n: u64| counted(n as usize, what);
    differ(first.arena, own.arena, &|n| {
        format!("{} of arena", rounded(n))
    });
    if !first.at_least && !own.at_least {
        let (from, to) = (first.critical_path, own.critical_path);
        differ(from, to, &|n| format!("{} of critical path", time(n)));
        differ(first.compute, own.compute, &|n| {
            format!("{} of compute", time(n))
        });
    }
    let moved = |of: &Figures| of.traffic.read.saturating_add(of.traffic.written);
    differ(moved(first), moved(own), &|n| {
        format!("{} read and written", rounded(n))
    });
    differ(first.launches as u64, own.launches as u64, &|n| {
        launches(n as usize)
    });
    differ(first.added as u64, own.added as u64, &count("added edge"));
    differ(first.waits as u64, own.waits as u64, &count("wait"));
    differ(first.events.into(), own.events.into(), &count("event"));
    match all.is_empty() {
        true => "nothing that is counted here".to_owned(),
        false => all.join(", "),
    }
}
