//! Every execution of a small order, and the events of one checked one by one.

use gpu_graph_analysis::model::TaskId;
use gpu_graph_analysis::order::Precedence;
use gpu_graph_analysis::peak::{Item, Step, Witness};

/// Started and completed tasks, as bits.
type Cut = (u32, u32);

/// What all executions have in common.
pub struct Extremes {
    /// The least peak of an execution.
    pub least: u64,
    /// The greatest.
    pub greatest: u64,
    /// The least that is live while each task runs.
    pub during: Vec<u64>,
    /// The least that is live at the end.
    pub end: u64,
}

/// Goes through all cuts of all executions; `weigh` says what is live at one.
pub fn extremes(order: &Precedence, weigh: impl Fn(Cut) -> u64) -> Extremes {
    let tasks = order.tasks();
    let before: Vec<u32> = (0..tasks as u32)
        .map(|t| {
            (0..tasks as u32)
                .filter(|&b| order.precedes(TaskId(b), TaskId(t)))
                .fold(0, |set, b| set | 1 << b)
        })
        .collect();
    let power: Vec<usize> = (0..tasks as u32).map(|t| 3usize.pow(t)).collect();
    // By cut, in the number of events behind it: the least peak of an execution up to there.
    let mut known: Vec<Option<u64>> = vec![None; 3usize.pow(tasks as u32)];
    let mut here: Vec<(usize, Cut)> = vec![(0, (0, 0))];
    known[0] = Some(weigh((0, 0)));
    let mut found = Extremes {
        least: 0,
        greatest: 0,
        during: vec![u64::MAX; tasks],
        end: 0,
    };
    while !here.is_empty() {
        let mut next = Vec::new();
        for (number, (started, completed)) in here {
            let peak = known[number].unwrap();
            let live = weigh((started, completed));
            found.greatest = found.greatest.max(live);
            if completed.count_ones() as usize == tasks {
                (found.least, found.end) = (peak, live);
            }
            for t in 0..tasks {
                let bit = 1 << t;
                if started & !completed & bit != 0 {
                    found.during[t] = found.during[t].min(live);
                }
                let cut = match (started & bit, completed & bit) {
                    (0, _) if before[t] & !completed == 0 => (started | bit, completed),
                    (s, 0) if s != 0 => (started, completed | bit),
                    _ => continue,
                };
                let to = number + power[t];
                let way = peak.max(weigh(cut));
                match &mut known[to] {
                    Some(old) => *old = way.min(*old),
                    place => {
                        *place = Some(way);
                        next.push((to, cut));
                    }
                }
            }
        }
        here = next;
    }
    found
}

/// What is live of `items` at a cut, from the definition.
pub fn weigh(items: &[Item], (started, completed): Cut) -> u64 {
    let live = |item: &&Item| {
        let has = |set: u32, t: &TaskId| set >> t.0 & 1 != 0;
        let begun = item.from_start || item.users.iter().any(|t| has(started, t));
        let over = !item.to_end && item.users.iter().all(|t| has(completed, t));
        !item.users.is_empty() && begun && !over
    };
    items.iter().filter(live).map(|item| item.bytes).sum()
}

/// What an execution has live at its cut, and at most at any, by replaying its events; panics if
/// they are no execution, or if the cut is not as it is said to be.
pub fn replay(order: &Precedence, items: &[Item], witness: &Witness) -> (u64, u64) {
    let tasks = order.tasks();
    let (mut started, mut completed) = (vec![false; tasks], vec![false; tasks]);
    let (mut at_cut, mut peak) = (0, 0);
    for at in 0..=witness.steps.len() {
        let is_live = |item: &Item| {
            let begun = item.from_start || item.users.iter().any(|t| started[t.0 as usize]);
            let over = !item.to_end && item.users.iter().all(|t| completed[t.0 as usize]);
            item.bytes > 0 && !item.users.is_empty() && begun && !over
        };
        let live: Vec<usize> = (0..items.len()).filter(|&i| is_live(&items[i])).collect();
        let sum = live.iter().map(|&i| items[i].bytes).sum::<u64>();
        peak = peak.max(sum);
        if at == witness.cut {
            at_cut = sum;
            assert_eq!(live, witness.live, "the live set at the cut");
            let running = (0..tasks).filter(|&t| started[t] && !completed[t]);
            let running: Vec<TaskId> = running.map(|t| TaskId(t as u32)).collect();
            assert_eq!(running, witness.running, "what runs at the cut");
        }
        match witness.steps.get(at) {
            Some(Step::Start(t)) => {
                assert!(!started[t.0 as usize], "started twice");
                for b in (0..tasks).filter(|&b| order.precedes(TaskId(b as u32), *t)) {
                    assert!(completed[b], "started too early");
                }
                started[t.0 as usize] = true;
            }
            Some(Step::Complete(t)) => {
                assert!(started[t.0 as usize] && !completed[t.0 as usize]);
                completed[t.0 as usize] = true;
            }
            None => assert!(at == witness.steps.len()),
        }
    }
    assert!(completed.iter().all(|&c| c), "not all complete");
    (at_cut, peak)
}

/// The least and the greatest peak of an order of some sixteen tasks, over all down-sets, one task
/// at a time for the least and all that is ready at once for the greatest.
pub fn by_down_sets(before: &[Vec<u32>], items: &[Item]) -> (u64, u64) {
    let tasks = before.len();
    let ready =
        |done: u32, t: usize| done >> t & 1 == 0 && before[t].iter().all(|&b| done >> b & 1 != 0);
    let mut least = vec![u64::MAX; 1 << tasks];
    let mut greatest = 0;
    least[0] = 0;
    for done in 0..1u32 << tasks {
        let way = least[done as usize];
        if way == u64::MAX {
            continue;
        }
        let next: Vec<usize> = (0..tasks).filter(|&t| ready(done, t)).collect();
        let all = next.iter().fold(done, |set, &t| set | 1 << t);
        greatest = greatest.max(weigh(items, (all, done)));
        for t in next {
            let started = done | 1 << t;
            let place = &mut least[started as usize];
            *place = (*place).min(way.max(weigh(items, (started, done))));
        }
    }
    let all = (1u32 << tasks) - 1;
    let end = weigh(items, (all, all));
    (least[all as usize].max(end), greatest.max(end))
}
