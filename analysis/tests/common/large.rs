//! Large graphs of a few shapes, for measurements.

use gpu_graph_analysis::expr::Expr;
use gpu_graph_analysis::model::{Class, Elem, Mode, ResourceId, Rows};

use super::orders::{self, Order};
use super::rng::Rng;
use super::{Graph, read, write};

/// Names of the shapes of [`graph`].
pub const SHAPES: [&str; 8] = [
    "chain",
    "in place",
    "bands",
    "one buffer",
    "skips",
    "random",
    "pairs",
    "fan",
];

/// Names of more of them, in which searches for a plan have more to weigh.
pub const SEARCHED: [&str; 5] = [
    "random again",
    "skips again",
    "updates again",
    "series",
    "layers",
];

/// A graph of about `tasks` tasks of the shape of that name.
pub fn graph(shape: &str, tasks: usize) -> Graph {
    match shape {
        "chain" => chain(tasks, false),
        "in place" => chain(tasks, true),
        "bands" => bands(tasks),
        "one buffer" => one_buffer(tasks),
        "skips" => skips(tasks),
        "random" => random(tasks),
        "random again" => again(random(tasks)),
        "skips again" => again(skips(tasks)),
        "updates again" => updates(tasks),
        "series" => flow(&orders::series_parallel(&mut Rng(6), tasks, false)),
        "layers" => flow(&orders::layered(&mut Rng(7), tasks, 150, 150, true, false)),
        "pairs" => pairs(tasks),
        _ => fan(tasks),
    }
}

fn size(rng: &mut Rng) -> i64 {
    256 * (1 + rng.below(64) as i64)
}

/// Each task reads two of all values, and most update the first in place; half of them may be made again.
fn updates(tasks: usize) -> Graph {
    let (mut g, mut rng) = (Graph::new("Updates"), Rng(9));
    let sizes: Vec<i64> = (0..4).map(|_| size(&mut rng)).collect();
    let mut values = vec![g.input("x", 4096)];
    let mut unread = Vec::new();
    for i in 0..tasks {
        let class = match rng.one_in(2) {
            true => Class::Reconstructable,
            false => Class::Transient,
        };
        let bytes = Expr::constant(sizes[rng.below(4)]);
        let next = g.resource(&format!("v{i}"), class, Elem::U8, &[bytes]);
        let mut used: Vec<_> = (0..2).map(|_| values[rng.below(values.len())]).collect();
        used.dedup();
        unread.retain(|r| !used.contains(r));
        let reads = used.into_iter().map(read);
        let task = g.task(
            &format!("k{i}"),
            &reads.chain([write(next)]).collect::<Vec<_>>(),
        );
        if !rng.one_in(3) {
            g.in_place(task, 0);
        }
        values.push(next);
        unread.push(next);
    }
    let y = g.output("y", 4096);
    let reads = unread.into_iter().map(read);
    g.task("end", &reads.chain([write(y)]).collect::<Vec<_>>());
    g
}

/// All values of `g` may be made again.
fn again(mut g: Graph) -> Graph {
    let values = g.model.resources.iter_mut();
    let values = values.filter(|r| r.class == Class::Transient);
    values.for_each(|r| r.class = Class::Reconstructable);
    g
}

/// Each task reads what those right before it in `order` write, and writes one value.
fn flow(order: &Order) -> Graph {
    let (mut g, mut rng) = (Graph::new("Flow"), Rng(8));
    let mut read_later = vec![false; order.before.len()];
    for &b in order.before.iter().flatten() {
        read_later[b as usize] = true;
    }
    let x = g.input("x", 4096);
    let mut values = Vec::new();
    for (t, before) in order.before.iter().enumerate() {
        let next = match read_later[t] {
            true => g.transient(&format!("v{t}"), size(&mut rng)),
            false => g.output(&format!("v{t}"), size(&mut rng)),
        };
        let mut accesses: Vec<_> = before.iter().map(|&b| read(values[b as usize])).collect();
        if before.is_empty() {
            accesses.push(read(x));
        }
        accesses.push(write(next));
        g.task(&format!("k{t}"), &accesses);
        values.push(next);
    }
    g
}

/// The items of `order`, each written by the first of its users and read by the others.
pub fn of_items(order: &orders::Order) -> Graph {
    let mut g = Graph::new("Items");
    let x = g.input("x", 256);
    let mut accesses = vec![Vec::new(); order.before.len()];
    for (i, item) in order.items.iter().enumerate() {
        let (name, bytes) = (format!("v{i}"), item.bytes.max(1) as i64);
        let value = match item.to_end || item.users.len() < 2 {
            true => g.output(&name, bytes),
            false => g.transient(&name, bytes),
        };
        let mut users = item.users.clone();
        users.sort_unstable();
        for (nth, user) in users.iter().enumerate() {
            let access = if nth == 0 { write(value) } else { read(value) };
            accesses[user.0 as usize].push(access);
        }
    }
    for (t, mut list) in accesses.into_iter().enumerate() {
        if list.iter().all(|a| a.1 != Mode::Read) {
            list.push(read(x));
        }
        if list.iter().all(|a| a.1 == Mode::Read) {
            list.push(write(g.output(&format!("o{t}"), 1)));
        }
        // Operands come first.
        list.sort_by_key(|a| a.1 != Mode::Read);
        g.task(&format!("k{t}"), &list);
    }
    g
}

fn chain(tasks: usize, in_place: bool) -> Graph {
    let (mut g, mut rng) = (Graph::new("Chain"), Rng(1));
    let mut last = g.input("x", 4096);
    for i in 1..tasks {
        let bytes = if in_place { 4096 } else { size(&mut rng) };
        let next = if i + 1 == tasks {
            g.output("y", bytes)
        } else {
            g.transient(&format!("v{i}"), bytes)
        };
        let task = g.task(&format!("k{i}"), &[read(last), write(next)]);
        if in_place {
            g.in_place(task, 0);
        }
        last = next;
    }
    g
}

/// Stages of 8 bands with halos: every stage a buffer of `h` rows.
fn bands(tasks: usize) -> Graph {
    let mut g = Graph::new("Bands");
    let h = g.dim("h", 64, 8192);
    let cut = |i: i64| h.scale(i).and_then(|e| e.floor_div(8)).unwrap();
    let shape = [h.clone(), Expr::constant(1024)];
    let mut last = g.resource("x", Class::Input, Elem::F32, &shape);
    g.upload(last);
    for stage in 0..tasks / 8 {
        let class = if stage + 1 == tasks / 8 {
            Class::Output
        } else {
            Class::Transient
        };
        let next = g.resource(&format!("s{stage}"), class, Elem::F32, &shape);
        for b in 0..8 {
            let from = if b > 0 {
                cut(b).sub(&Expr::constant(1)).unwrap()
            } else {
                cut(0)
            };
            let to = if b < 7 {
                cut(b + 1).add(&Expr::constant(1)).unwrap()
            } else {
                cut(8)
            };
            g.task(
                &format!("s{stage}b{b}"),
                &[
                    (last, Mode::Read, Rows::Span(from, to)),
                    (next, Mode::Overwrite, Rows::Span(cut(b), cut(b + 1))),
                ],
            );
        }
        last = next;
    }
    g
}

/// Half of the tasks write a band each of one buffer, the other half read one each.
fn one_buffer(tasks: usize) -> Graph {
    let mut g = Graph::new("OneBuffer");
    let n = tasks as i64 / 2;
    let h = g.dim("h", n as u64, 4 * n as u64);
    let cut = |i: i64| h.scale(i).and_then(|e| e.floor_div(n)).unwrap();
    let x = g.resource("x", Class::Transient, Elem::F32, std::slice::from_ref(&h));
    for i in 0..n {
        let rows = Rows::Span(cut(i), cut(i + 1));
        g.task(&format!("w{i}"), &[(x, Mode::Overwrite, rows)]);
    }
    for i in 0..n {
        let y = g.output(&format!("y{i}"), 256);
        let rows = Rows::Span(cut(i), cut(i + 1));
        g.task(&format!("r{i}"), &[(x, Mode::Read, rows), write(y)]);
    }
    g
}

/// A chain down and up again, each step up also reading its twin on the way down.
fn skips(tasks: usize) -> Graph {
    let (mut g, mut rng) = (Graph::new("Skips"), Rng(2));
    let mut down = vec![g.input("x", 4096)];
    for i in 0..tasks / 2 {
        let next = g.transient(&format!("d{i}"), size(&mut rng));
        g.task(
            &format!("down{i}"),
            &[read(down[down.len() - 1]), write(next)],
        );
        down.push(next);
    }
    let mut last = down[down.len() - 1];
    for i in (0..tasks / 2).rev() {
        let next = g.transient(&format!("u{i}"), size(&mut rng));
        g.task(&format!("up{i}"), &[read(last), read(down[i]), write(next)]);
        last = next;
    }
    let y = g.output("y", 4096);
    g.task("end", &[read(last), write(y)]);
    g
}

/// Each task reads two of the last sixteen values and writes one.
fn random(tasks: usize) -> Graph {
    let (mut g, mut rng) = (Graph::new("Random"), Rng(3));
    let mut values: Vec<ResourceId> = (0..16).map(|i| g.input(&format!("x{i}"), 4096)).collect();
    for i in 0..tasks {
        let class = if rng.one_in(50) {
            Class::Output
        } else {
            Class::Transient
        };
        let bytes = Expr::constant(size(&mut rng));
        let next = g.resource(&format!("v{i}"), class, Elem::U8, &[bytes]);
        let recent = &values[values.len() - 16..];
        let (a, b) = (recent[rng.below(16)], recent[rng.below(16)]);
        let reads = if a == b {
            vec![read(a)]
        } else {
            vec![read(a), read(b)]
        };
        g.task(&format!("k{i}"), &[reads, vec![write(next)]].concat());
        values.push(next);
    }
    g
}

/// One value read by all, all read by one.
fn fan(tasks: usize) -> Graph {
    let (mut g, mut rng) = (Graph::new("Fan"), Rng(4));
    let x = g.input("x", 4096);
    let mut all = Vec::new();
    for i in 0..tasks {
        let v = g.transient(&format!("v{i}"), size(&mut rng));
        g.task(&format!("k{i}"), &[read(x), write(v)]);
        all.push(read(v));
    }
    let y = g.output("y", 4096);
    all.push(write(y));
    g.task("join", &all);
    g
}

/// Many apart: one task writes a value, another reads it.
fn pairs(tasks: usize) -> Graph {
    let (mut g, mut rng) = (Graph::new("Pairs"), Rng(5));
    for i in 0..tasks / 2 {
        let v = g.transient(&format!("v{i}"), size(&mut rng));
        let y = g.output(&format!("y{i}"), size(&mut rng));
        g.task(&format!("a{i}"), &[write(v)]);
        g.task(&format!("b{i}"), &[read(v), write(y)]);
    }
    g
}
