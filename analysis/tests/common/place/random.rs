//! Random problems of every kind, and the same problem listed in another way.

use gpu_graph_analysis::order::bits::BitRows;
use gpu_graph_analysis::place::{Buffer, Live, Problem};

use crate::rng::Rng;

/// What problems there are.
pub const KINDS: [&str; 9] = [
    "times",
    "aligned",
    "gaps",
    "fixed",
    "same",
    "apart",
    "clocks",
    "order",
    "everything",
];

/// A problem that all placements of can be tried.
pub fn small(kind: &str, rng: &mut Rng) -> Problem {
    let n = 1 + rng.below(6);
    problem(kind, n, 9, rng)
}

/// A problem that takes some search.
pub fn medium(kind: &str, rng: &mut Rng) -> Problem {
    let n = 8 + rng.below(30);
    problem(kind, n, 1000, rng)
}

fn problem(kind: &str, n: usize, sizes: usize, rng: &mut Rng) -> Problem {
    let all = kind == "everything";
    let mut buffers: Vec<Buffer> = (0..n)
        .map(|_| Buffer {
            size: rng.below(sizes) as u64,
            alignment: 1,
            fixed: None,
        })
        .collect();
    if kind == "aligned" || all {
        let choice: &[u64] = if rng.one_in(2) {
            &[1, 2, 4, 8]
        } else {
            &[1, 2, 3, 6]
        };
        buffers
            .iter_mut()
            .for_each(|b| b.alignment = choice[rng.below(4)]);
        if rng.one_in(3) {
            buffers.iter_mut().for_each(|b| b.alignment = 4);
        }
    }
    let relation = rng.below(4);
    let live = match kind {
        "clocks" => clocks(n, rng),
        "order" => order(n, rng),
        _ if kind == "same" || kind == "apart" || all => match relation {
            0 => clocks(n, rng),
            1 => order(n, rng),
            2 => clashes(n, rng),
            _ => times(n, all, rng),
        },
        _ => times(n, kind == "gaps", rng),
    };
    let mut problem = Problem {
        buffers,
        live,
        same: vec![],
        apart: vec![],
    };
    if kind == "same" || all {
        for _ in 0..1 + n / 4 {
            problem.same.push((rng.below(n), rng.below(n)));
        }
    }
    if kind == "apart" || all {
        for _ in 0..1 + n / 3 {
            let pair = (rng.below(n), rng.below(n));
            let judge = super::Judge::new(&problem);
            if judge.block[pair.0] != judge.block[pair.1] {
                problem.apart.push(pair);
            }
        }
    }
    if kind == "fixed" || all {
        let judge = super::Judge::new(&problem);
        let block = judge.block.clone();
        for _ in 0..1 + n / 4 {
            let i = rng.below(n);
            let members = (0..n).filter(|&j| block[j] == block[i]);
            let step = members
                .map(|j| problem.buffers[j].alignment)
                .product::<u64>();
            let at = rng.below(1 + 2 * sizes / step as usize) as u64 * step;
            let taken = (0..n).any(|j| block[j] == block[i] && problem.buffers[j].fixed.is_some());
            if !taken {
                problem.buffers[i].fixed = Some(at);
            }
        }
    }
    problem
}

fn times(n: usize, gaps: bool, rng: &mut Rng) -> Live {
    let mut one = || {
        let mut list = Vec::new();
        let mut at = rng.below(8) as i64 - 2;
        for _ in 0..if gaps { 1 + rng.below(3) } else { 1 } {
            let to = at + 1 + rng.below(5) as i64;
            list.push((at, to));
            at = to + rng.below(3) as i64;
        }
        list
    };
    Live::Times((0..n).map(|_| one()).collect())
}

/// Threads that take steps and now and then hear from each other.
fn clocks(n: usize, rng: &mut Rng) -> Live {
    let width = 1 + rng.below(3);
    let steps = 3 + n / 2;
    let mut now = vec![vec![0i64; width]; width];
    let mut seen: Vec<Vec<Vec<i64>>> = vec![Vec::new(); width];
    for _ in 0..steps {
        for t in 0..width {
            now[t][t] += 1;
            let from = now[rng.below(width)].clone();
            if rng.one_in(3) {
                let heard = now[t].iter_mut().zip(&from);
                heard.for_each(|(own, other)| *own = (*own).max(*other));
            }
            seen[t].push(now[t].clone());
        }
    }
    let mut one = || {
        let lane = &seen[rng.below(width)];
        let from = rng.below(steps - 1);
        let to = from + 1 + rng.below((steps - 1 - from).min(4));
        (lane[from].clone(), lane[to].clone())
    };
    Live::Clocks((0..n).map(|_| one()).collect())
}

fn order(n: usize, rng: &mut Rng) -> Live {
    let sparse = 1 + rng.below(4);
    let mut rows = BitRows::new(n, n);
    for a in (0..n).rev() {
        for b in a + 1..n {
            if rng.one_in(sparse) {
                rows.set(a, b);
                rows.join(a, b);
            }
        }
    }
    Live::Order(rows)
}

fn clashes(n: usize, rng: &mut Rng) -> Live {
    let sparse = 1 + rng.below(3);
    let mut rows = BitRows::new(n, n);
    for a in 0..n {
        for b in 0..a {
            if rng.one_in(sparse) {
                rows.set(a, b);
                rows.set(b, a);
            }
        }
    }
    Live::Clashes(rows)
}

/// The same buffers in another order, with the components of clocks in another order.
pub fn shuffled(problem: &Problem, rng: &mut Rng) -> Problem {
    let n = problem.buffers.len();
    let mut old: Vec<usize> = (0..n).collect();
    rng.shuffle(&mut old);
    let mut new = vec![0; n];
    for (at, &i) in old.iter().enumerate() {
        new[i] = at;
    }
    let rows = |rows: &BitRows| {
        let mut other = BitRows::new(n, n);
        for a in 0..n {
            (0..n)
                .filter(|&b| rows.get(a, b))
                .for_each(|b| other.set(new[a], new[b]));
        }
        other
    };
    let live = match &problem.live {
        Live::Times(times) => Live::Times(old.iter().map(|&i| times[i].clone()).collect()),
        Live::Clocks(clocks) => {
            let mut lanes: Vec<usize> = (0..clocks[0].0.len()).collect();
            rng.shuffle(&mut lanes);
            let clock = |c: &Vec<i64>| -> Vec<i64> { lanes.iter().map(|&k| c[k]).collect() };
            let both = |&i: &usize| (clock(&clocks[i].0), clock(&clocks[i].1));
            Live::Clocks(old.iter().map(both).collect())
        }
        Live::Order(order) => Live::Order(rows(order)),
        Live::Clashes(clashes) => Live::Clashes(rows(clashes)),
    };
    let mut pairs = |list: &[(usize, usize)]| {
        let mut list: Vec<(usize, usize)> = list.iter().map(|&(a, b)| (new[b], new[a])).collect();
        rng.shuffle(&mut list);
        list
    };
    Problem {
        buffers: old.iter().map(|&i| problem.buffers[i].clone()).collect(),
        live,
        same: pairs(&problem.same),
        apart: pairs(&problem.apart),
    }
}
