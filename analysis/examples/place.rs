//! Places random instances of known optimum, each listed in several orders: `place [SEEDS] [STEPS]`.
//!
//! Rectangles of memory and time are cut into tiles, so that all of the arena is full all the time: by
//! straight cuts and by pinwheels, which no straight cut crosses, and by straight cuts for each of
//! several threads that send each other messages. Some tiles are left out for instances with slack.
//! For files there is the binary `plan`.

#[path = "../tests/common/rng.rs"]
mod rng;

use std::time::Instant;

use gpu_graph_analysis::place::{Buffer, Limits, Live, Problem, place};
use rng::Rng;

/// Bytes and time of the whole, and what all cuts are multiples of.
const WHOLE: i64 = 1 << 20;
const UNIT: i64 = 1 << 10;

/// Begin, end and bytes.
type Tile = (i64, i64, i64);

fn main() {
    let mut args = std::env::args().skip(1).map(|a| a.parse::<u64>());
    let seeds = args.next().and_then(Result::ok).unwrap_or(5);
    let steps = args.next().and_then(Result::ok);
    let most = steps.map_or(String::new(), |steps| format!("; {steps} steps at most"));
    println!("{seeds} instances of each kind, each in 3 orders{most}\n");
    println!(
        "| kind | buffers | at the optimum | proved | peak over cut, worst | seconds, worst |"
    );
    println!("|---|---|---|---|---|---|");
    for (name, n) in [
        ("cuts", 200),
        ("cuts", 400),
        ("pinwheels", 201),
        ("pinwheels", 401),
    ] {
        row(name, n, seeds, steps, |rng| {
            times(tiles(name, n, WHOLE, rng))
        });
    }
    for (name, n) in [
        ("cuts, 1 in 8 left out", 250),
        ("pinwheels, 1 in 10 left out", 201),
    ] {
        row(name, n, seeds, steps, |rng| {
            let mut all = tiles(name, n, WHOLE, rng);
            let one_in = if name.starts_with("cuts") { 8 } else { 10 };
            all.retain(|_| !rng.one_in(one_in));
            times(all)
        });
    }
    for (threads, messages, n) in [(2, 16, 128), (4, 16, 128), (4, 16, 512), (8, 64, 256)] {
        let name = format!("{threads} threads, {messages} messages");
        row(&name, n, seeds, steps, |rng| {
            clocks(threads, messages, n, rng)
        });
    }
}

/// One line of the table.
fn row(name: &str, n: usize, seeds: u64, steps: Option<u64>, make: impl Fn(&mut Rng) -> Problem) {
    let (mut met, mut proved, mut worst, mut seconds) = (0, 0, 0f64, 0f64);
    for seed in 0..seeds {
        let mut rng = Rng(seed);
        let problem = make(&mut rng);
        let mut figures = None;
        for _ in 0..3 {
            let listed = shuffled(&problem, &mut rng);
            let clock = Instant::now();
            let limits = Limits {
                steps,
                capacity: None,
            };
            let Ok(found) = place(&listed, &limits) else {
                println!("{name}: refused");
                return;
            };
            seconds = seconds.max(clock.elapsed().as_secs_f64());
            let these = (found.peak, found.lower_bound);
            if *figures.get_or_insert(these) != these {
                println!("{name}: seed {seed} depends on the order of buffers");
            }
            worst = worst.max(found.peak as f64 / WHOLE as f64);
            met += u64::from(found.peak <= WHOLE as u64);
            proved += u64::from(found.optimal());
        }
    }
    let all = 3 * seeds;
    println!("| {name} | {n} | {met} of {all} | {proved} of {all} | {worst:.4} | {seconds:.3} |");
}

/// The whole, cut into about `n` tiles.
fn tiles(kind: &str, n: usize, bytes: i64, rng: &mut Rng) -> Vec<Tile> {
    let mut all: Vec<Tile> = vec![(0, WHOLE, bytes)];
    let parts = if kind.starts_with("pin") { 3 } else { 2 };
    while all.len() < n {
        let areas: Vec<i64> = all
            .iter()
            .map(|t| (t.1 - t.0) / UNIT * t.2 / UNIT)
            .collect();
        let mut at = rng.below(areas.iter().sum::<i64>() as usize) as i64;
        let chosen = areas.iter().position(|&a| {
            at -= a;
            at < 0
        });
        let k = chosen.unwrap_or(0);
        let (from, to, size) = all[k];
        let (long, high) = ((to - from) / UNIT, size / UNIT);
        let mut cut = |most: i64| (1 + rng.below(most as usize) as i64) * UNIT;
        if parts == 3 && long >= 3 && high >= 3 {
            let (p, q) = (cut((long - 1) / 2), cut((high - 1) / 2));
            all.swap_remove(k);
            all.extend([
                (from, to - p, q),
                (to - p, to, size - q),
                (from + p, to, q),
                (from, from + p, size - q),
                (from + p, to - p, size - 2 * q),
            ]);
        } else if parts == 2 && high >= 2 && (long < 2 || cut(2) == UNIT) {
            let c = cut(high - 1);
            all[k] = (from, to, c);
            all.push((from, to, size - c));
        } else if parts == 2 && long >= 2 {
            let c = cut(long - 1);
            all[k] = (from, from + c, size);
            all.push((from + c, to, size));
        }
    }
    all
}

fn buffers(sizes: impl Iterator<Item = i64>) -> Vec<Buffer> {
    let buffer = |size: i64| Buffer {
        size: size as u64,
        alignment: 1,
        fixed: None,
    };
    sizes.map(buffer).collect()
}

fn times(tiles: Vec<Tile>) -> Problem {
    Problem {
        buffers: buffers(tiles.iter().map(|t| t.2)),
        live: Live::Times(tiles.iter().map(|t| vec![(t.0, t.1)]).collect()),
        same: vec![],
        apart: vec![],
    }
}

/// Tiles for each thread on its own time, which others learn of by messages.
fn clocks(threads: usize, messages: usize, n: usize, rng: &mut Rng) -> Problem {
    let mut instants: Vec<i64> = (0..messages)
        .map(|_| 1 + rng.below(WHOLE as usize - 1) as i64)
        .collect();
    instants.sort_unstable();
    let mut known = vec![vec![0i64; threads]; threads];
    // What each thread knows from which time on.
    let mut history: Vec<Vec<(i64, Vec<i64>)>> = vec![vec![(0, vec![0; threads])]; threads];
    for at in instants {
        let (from, by) = (rng.below(threads), 1 + rng.below(threads - 1));
        let to = (from + by) % threads;
        known[from][from] = at;
        let sent = known[from].clone();
        known[to]
            .iter_mut()
            .zip(&sent)
            .for_each(|(k, s)| *k = (*k).max(*s));
        history[to].push((at, known[to].clone()));
    }
    let (mut sizes, mut spans) = (Vec::new(), Vec::new());
    for (thread, history) in history.iter().enumerate() {
        let clock = |at: i64| {
            let last = history.iter().rev().find(|h| h.0 <= at);
            let mut clock = last.map_or(vec![0; threads], |h| h.1.clone());
            clock[thread] = at;
            clock
        };
        for (from, to, size) in tiles("cuts", n / threads, WHOLE / threads as i64, rng) {
            sizes.push(size);
            spans.push((clock(from), clock(to)));
        }
    }
    Problem {
        buffers: buffers(sizes.into_iter()),
        live: Live::Clocks(spans),
        same: vec![],
        apart: vec![],
    }
}

fn shuffled(problem: &Problem, rng: &mut Rng) -> Problem {
    let mut order: Vec<usize> = (0..problem.buffers.len()).collect();
    rng.shuffle(&mut order);
    let live = match &problem.live {
        Live::Times(times) => Live::Times(order.iter().map(|&i| times[i].clone()).collect()),
        Live::Clocks(clocks) => Live::Clocks(order.iter().map(|&i| clocks[i].clone()).collect()),
        other => other.clone(),
    };
    let buffers = order.iter().map(|&i| problem.buffers[i].clone()).collect();
    Problem {
        buffers,
        live,
        ..problem.clone()
    }
}
