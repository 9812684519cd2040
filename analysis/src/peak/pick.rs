//! Cuts with much live, where items have several first or last users.
//!
//! If one first and one last user are picked for each item, and it counts only as live from the one
//! to the other, the cut with most live is a closure of the greatest profit. At that cut, others may
//! be the users that begin or hold an item: picking those loses nothing, and the next closure has as
//! much or more.

use super::cut::{Closure, Steps};
use super::instance::{Instance, Thing};

/// Rounds, at most.
const ROUNDS: usize = 24;

/// Calls `see` with cuts, each with as much live as the one before or more.
pub(super) fn pick(instance: &Instance, steps: &mut Steps, mut see: impl FnMut(&[bool])) {
    let several = |t: &Thing| t.firsts.len() > 1 || t.lasts.len() > 1;
    if !instance.things.iter().any(several) {
        return;
    }
    // The last ones in number: those come late.
    let mut picked: Vec<(u32, u32)> = instance
        .things
        .iter()
        .map(|t| (t.firsts[0], t.lasts[t.lasts.len() - 1]))
        .collect();
    let mut last = 0;
    for _ in 0..ROUNDS {
        let Some((gain, completed)) = best(instance, &picked, steps) else {
            return;
        };
        see(&completed);
        if gain <= last {
            return;
        }
        last = gain;
        let done = |t: u32| completed[t as usize];
        let ready = |t: u32| instance.before[t as usize].iter().all(|&b| done(b));
        for (thing, (first, last)) in instance.things.iter().zip(&mut picked) {
            if !ready(*first) {
                *first = thing
                    .firsts
                    .iter()
                    .copied()
                    .find(|&f| ready(f))
                    .unwrap_or(*first);
            }
            if done(*last) {
                let open = thing.lasts.iter().copied().rfind(|&l| !done(l));
                // Over: another one may come cheaper the next time.
                let at = thing.lasts.iter().position(|l| l == last).unwrap_or(0);
                *last = open.unwrap_or(thing.lasts[at.saturating_sub(1)]);
            }
        }
    }
}

/// The most that the picked users show to be live at one cut, less what is live from the start, and
/// the tasks completed there.
fn best(instance: &Instance, picked: &[(u32, u32)], steps: &mut Steps) -> Option<(u64, Vec<bool>)> {
    if !steps.take(2 * (instance.tasks() + picked.len())) {
        return None;
    }
    let mut closure = Closure::new(instance.tasks());
    for (t, before) in (0u32..).zip(&instance.before) {
        for &b in before {
            closure.demand(t, b);
        }
    }
    for (thing, &(first, last)) in instance.things.iter().zip(picked) {
        if !thing.from_start {
            let begin = closure.node();
            closure.pays(begin, thing.bytes);
            for &b in &instance.before[first as usize] {
                closure.demand(begin, b);
            }
        }
        if !thing.to_end {
            closure.costs(last, thing.bytes);
        }
    }
    let (gain, mut chosen) = closure.best(steps)?;
    chosen.truncate(instance.tasks());
    Some((gain, chosen))
}
