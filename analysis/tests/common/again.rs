//! Values that may be made again in random graphs, and what tasks leave, one after the other.

use std::collections::BTreeMap;

use gpu_graph_analysis::check::check;
use gpu_graph_analysis::expr::Expr;
use gpu_graph_analysis::fault::{NO_CONTRACT, NOT_SAME};
use gpu_graph_analysis::model::{Class, Elem, Mode, Model, ResourceId, Rows, TaskKind};

use super::rng::Rng;
use super::{Graph, read, write};

/// Lets about every second transient be made again where nothing forbids it.
pub fn mark(model: &mut Model, rng: &mut Rng) {
    for r in 0..model.resources.len() {
        if model.resources[r].class != Class::Transient || rng.one_in(2) {
            continue;
        }
        model.resources[r].class = Class::Reconstructable;
        let written = model.tasks.iter().flat_map(|t| &t.accesses);
        let mut written = written.filter(|a| a.resource.0 as usize == r && a.mode != Mode::Read);
        // Room is no part of a value, but where it is read.
        let rooms = |r: usize| model.resources[r].class == Class::Workspace;
        let maker = model.tasks.iter().map(|t| &t.accesses);
        let maker = maker.filter(|a| {
            a.iter()
                .any(|a| a.resource.0 as usize == r && a.mode != Mode::Read)
        });
        let roomy = maker.flatten().any(|a| rooms(a.resource.0 as usize));
        let faults = check(model);
        let refused = |code| faults.iter().any(|f| f.code == code);
        if roomy || written.next().is_none() || refused(NO_CONTRACT) || refused(NOT_SAME) {
            model.resources[r].class = Class::Transient;
        }
    }
}

/// A small graph with values that are made of small inputs and read again behind larger ones.
pub fn graph(rng: &mut Rng) -> Model {
    let mut g = Graph::new("Again");
    let sizes = [256, 512, 1024, 4096, 8192];
    let mut small: Vec<ResourceId> = (0..1 + rng.below(2))
        .map(|i| g.input(&format!("x{i}"), 256))
        .collect();
    let mut values = Vec::new();
    for i in 0..1 + rng.below(2) {
        let size = Expr::constant(sizes[2 + rng.below(3)]);
        let t = g.resource(&format!("t{i}"), Class::Reconstructable, Elem::U8, &[size]);
        let from = small[rng.below(small.len())];
        g.task(&format!("make{i}"), &[read(from), write(t)]);
        values.push(t);
    }
    // The last of a chain, which further ones read, and now and then a value.
    let mut last = small[0];
    for i in 0..2 + rng.below(3) {
        let made = g.transient(&format!("a{i}"), sizes[rng.below(sizes.len())]);
        let mut accesses = vec![read(last)];
        if i == 0 || rng.one_in(3) {
            accesses.push(read(values[rng.below(values.len())]));
        }
        if rng.one_in(6) && small.len() > 1 {
            // Some input is changed, or replaced, on the way.
            let s = small.remove(1);
            g.model.resources[s.0 as usize].class = Class::Transient;
            let upload = g
                .model
                .tasks
                .iter_mut()
                .find(|t| t.accesses[0].resource == s);
            if let Some(upload) = upload {
                let first = g.model.resources[0].site;
                upload.kind = TaskKind::Fill;
                upload.site = first;
            }
            accesses.push((
                s,
                if rng.one_in(2) {
                    Mode::ReadWrite
                } else {
                    Mode::Overwrite
                },
                Rows::All,
            ));
        }
        accesses.push(write(made));
        g.task(&format!("step{i}"), &accesses);
        last = made;
    }
    end(&mut g, &values, last);
    g.model.streams = 1 + rng.below(3) as u32;
    g.model
}

/// A task that reads the values and the last of the rest, and writes the output.
fn end(g: &mut Graph, values: &[ResourceId], last: ResourceId) {
    let y = g.output("y", 256);
    let mut accesses: Vec<_> = values.iter().map(|t| read(*t)).collect();
    accesses.extend([read(last), write(y)]);
    g.task("end", &accesses);
}

/// Two or three values, all of a small input or the later ones of the one before, that are read in
/// turn before and behind peaks of the same height: often only several of them made again lower all.
pub fn peaks(rng: &mut Rng) -> Model {
    let mut g = Graph::new("Peaks");
    let x = g.input("x", 256);
    let mut values = Vec::new();
    for i in 0..2 + rng.below(2) {
        let size = Expr::constant(1024 * (1 + rng.below(3)) as i64);
        let t = g.resource(&format!("t{i}"), Class::Reconstructable, Elem::U8, &[size]);
        let from = match values.last() {
            Some(last) if rng.one_in(3) => *last,
            _ => x,
        };
        g.task(&format!("make{i}"), &[read(from), write(t)]);
        values.push(t);
    }
    let mut last = x;
    let step = |g: &mut Graph, name: String, of: &[ResourceId], size: i64| {
        let made = g.transient(&name, size);
        let mut accesses: Vec<_> = of.iter().map(|r| read(*r)).collect();
        accesses.push(write(made));
        g.task(&format!("to_{name}"), &accesses);
        made
    };
    let all: Vec<ResourceId> = [&[last], &values[..]].concat();
    last = step(&mut g, "first".to_owned(), &all, 256);
    let several = values.len();
    for i in 0..2 + rng.below(2) {
        let up = step(&mut g, format!("up{i}"), &[last], 8192);
        let down = step(&mut g, format!("down{i}"), &[up], 256);
        let mut of = vec![down];
        of.extend(values.iter().filter(|_| !rng.one_in(several)));
        last = step(&mut g, format!("mid{i}"), &of, 256);
    }
    end(&mut g, &values, last);
    g.model.streams = 1 + rng.below(2) as u32;
    g.model
}

/// A number that stands for the content of a row; equal contents have equal numbers.
fn mixed(parts: impl IntoIterator<Item = u64>) -> u64 {
    parts.into_iter().fold(0xcbf2_9ce4_8422_2325, |hash, part| {
        let mixed = (hash ^ part).wrapping_mul(0x0100_0000_01b3);
        mixed ^ (mixed >> 29)
    })
}

/// What every task leaves in what outlives it, at the dims' minima: rows by the names of outputs and
/// inouts. A kernel is a function of its name and of all rows that it reads.
pub fn run(model: &Model) -> BTreeMap<String, Vec<u64>> {
    let dims: Vec<u64> = model.dims.iter().map(|d| d.min).collect();
    let mut numbers = dims;
    for (at, dim) in model.dims.iter().enumerate() {
        if !dim.is_declared() {
            let factors = dim.product.iter().map(|e| e.eval(&numbers).unwrap() as u64);
            numbers[at] = factors.product();
        }
    }
    let size = |e: &gpu_graph_analysis::expr::Expr| e.eval(&numbers).unwrap().max(0) as usize;
    let of = model.resources.iter().enumerate().map(|(r, of)| {
        let rows = 0..size(&of.shape[0]) as u64;
        // Whatever was there before; of a copy of a resource something else.
        rows.map(|row| mixed([7, r as u64, row])).collect()
    });
    let mut content: Vec<Vec<u64>> = of.collect();
    for task in &model.tasks {
        let TaskKind::Kernel(launch) = &task.kind else {
            if let (TaskKind::Upload, [access]) = (&task.kind, &task.accesses[..]) {
                let name = model.resources[access.resource.0 as usize].name.bytes();
                let name = mixed(name.map(u64::from));
                let rows = &mut content[access.resource.0 as usize];
                for (row, value) in rows.iter_mut().enumerate() {
                    *value = mixed([name, row as u64]);
                }
            }
            continue;
        };
        let span = |rows: &Rows, all: usize| match rows {
            Rows::All => 0..all,
            Rows::Span(lo, hi) => size(lo)..size(hi).max(size(lo)),
        };
        let mut read = mixed(launch.name.bytes().map(u64::from));
        for access in task.accesses.iter().filter(|a| a.mode != Mode::Overwrite) {
            let rows = &content[access.resource.0 as usize];
            let part = &rows[span(&access.rows, rows.len())];
            read = mixed([read].into_iter().chain(part.iter().copied()));
        }
        for (nth, access) in task.accesses.iter().enumerate() {
            if access.mode != Mode::Read {
                let rows = &mut content[access.resource.0 as usize];
                let written = span(&access.rows, rows.len());
                for (row, value) in rows[written].iter_mut().enumerate() {
                    *value = mixed([read, nth as u64, row as u64]);
                }
            }
        }
    }
    let kept = model.resources.iter().zip(content);
    let kept =
        kept.filter(|(r, _)| matches!(r.class, Class::Output | Class::Inout | Class::Escape));
    kept.map(|(r, rows)| (r.name.clone(), rows)).collect()
}
