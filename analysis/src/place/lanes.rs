//! Clocks of threads that hardly wait for each other: each thread is packed by itself, and the
//! threads are laid one upon the other.
//!
//! A component of a clock counts the steps of one thread. A point of a thread has been seen by another
//! point, in all components, as soon as it has been seen in the thread's own; so a component in which
//! that holds can stand for the whole clock of a buffer's end, and the buffers that one component
//! stands for are intervals.

use super::problem::{Block, Live, Problem};

/// A block, and when it is live on its lane.
pub(crate) type OnLane = (u32, (i64, i64));

/// Sets beyond this size are not looked at.
const MOST: usize = 2000;
/// Rounds of moving blocks to another lane that could be theirs.
const ROUNDS: usize = 4;

/// Beginning and end of a block.
type Clock<'a> = (&'a [i64], &'a [i64]);

/// The lanes of blocks of one buffer each, if every block has one and there is more than one lane.
/// Lanes are in the order of their first blocks.
pub(crate) fn lanes(problem: &Problem, blocks: &[Block]) -> Option<Vec<Vec<OnLane>>> {
    let Live::Clocks(clocks) = &problem.live else {
        return None;
    };
    let plain = |b: &Block| b.members.len() == 1 && b.fixed.is_none();
    if blocks.len() > MOST || !problem.apart.is_empty() || !blocks.iter().all(plain) {
        return None;
    }
    let of = |b: &Block| -> Clock<'_> {
        let (lower, upper) = &clocks[b.members[0]];
        (lower, upper)
    };
    let clocks: Vec<Clock<'_>> = blocks.iter().map(of).collect();
    let could: Vec<Vec<usize>> = candidates(&clocks);
    let mut lane: Vec<usize> = could
        .iter()
        .map(|c| c.first().copied())
        .collect::<Option<_>>()?;
    let width = clocks.first().map_or(0, |c| c.0.len());
    let unsure = |&i: &usize| could[i].len() > 1;
    let mut unsure: Vec<usize> = (0..blocks.len()).filter(unsure).collect();
    unsure.sort_by_key(|&i| (std::cmp::Reverse(blocks[i].size), i));
    // Those that could be on several lanes come last, each where it adds least.
    let mut members: Vec<Vec<usize>> = vec![Vec::new(); width];
    for i in (0..blocks.len()).filter(|i| could[*i].len() == 1) {
        members[lane[i]].push(i);
    }
    let peak = |lane: usize, members: &[usize]| load(lane, members, &clocks, blocks);
    let mut peaks: Vec<u64> = (0..width).map(|k| peak(k, &members[k])).collect();
    for round in 0..ROUNDS {
        let before = peaks.clone();
        for &i in &unsure {
            if round > 0 {
                let old = lane[i];
                members[old].retain(|&m| m != i);
                peaks[old] = peak(old, &members[old]);
            }
            let mut best: Option<(u64, u64, usize)> = None;
            for &k in &could[i] {
                members[k].push(i);
                let with = peak(k, &members[k]);
                members[k].pop();
                if best.is_none_or(|b| with - peaks[k] < b.0) {
                    best = Some((with - peaks[k], with, k));
                }
            }
            let (_, with, k) = best?;
            members[k].push(i);
            (peaks[k], lane[i]) = (with, k);
        }
        if round > 0 && peaks == before {
            break;
        }
    }
    let on_lane = |k: usize, list: &Vec<usize>| -> Vec<OnLane> {
        let mut list = list.clone();
        list.sort_unstable();
        let at = |&i: &usize| (i as u32, (clocks[i].0[k], clocks[i].1[k]));
        list.iter().map(at).collect()
    };
    let all = members.iter().enumerate();
    let mut lanes: Vec<Vec<OnLane>> = all.map(|(k, list)| on_lane(k, list)).collect();
    lanes.retain(|lane| !lane.is_empty());
    lanes.sort_by_key(|lane| lane[0].0);
    (lanes.len() > 1).then_some(lanes)
}

/// The components that can stand for each clock: in which its end is seen as in all. Only those in
/// which its beginning is seen so too, if there are any.
fn candidates(clocks: &[Clock<'_>]) -> Vec<Vec<usize>> {
    let mut points: Vec<&[i64]> = clocks.iter().flat_map(|c| [c.0, c.1]).collect();
    points.sort_unstable();
    points.dedup();
    let mut begins: Vec<&[i64]> = clocks.iter().map(|c| c.0).collect();
    begins.sort_unstable();
    begins.dedup();
    let seen = |by: &[&[i64]], point: &[i64], k: usize| {
        let later = by.iter().filter(|p| p[k] >= point[k]);
        later
            .clone()
            .all(|p| p.iter().zip(point).all(|(p, x)| p >= x))
    };
    let of = |&(lower, upper): &Clock<'_>| {
        let moves = (0..lower.len()).filter(|&k| lower[k] < upper[k]);
        let sound: Vec<usize> = moves.filter(|&k| seen(&begins, upper, k)).collect();
        if sound.len() < 2 {
            return sound;
        }
        let own = |&&k: &&usize| seen(&points, lower, k) && seen(&points, upper, k);
        let own: Vec<usize> = sound.iter().filter(own).copied().collect();
        if own.is_empty() { sound } else { own }
    };
    clocks.iter().map(of).collect()
}

/// The most that is live together of what is on a lane.
fn load(lane: usize, members: &[usize], clocks: &[Clock<'_>], blocks: &[Block]) -> u64 {
    let mut events: Vec<(i64, bool, u64)> = Vec::with_capacity(2 * members.len());
    for &i in members {
        events.push((clocks[i].0[lane], true, blocks[i].size));
        events.push((clocks[i].1[lane], false, blocks[i].size));
    }
    events.sort_unstable();
    let (mut sum, mut most) = (0u64, 0);
    for (_, begins, size) in events {
        match begins {
            true => sum += size,
            false => sum -= size,
        }
        most = most.max(sum);
    }
    most
}
