//! Reports to judge: of graphs of every kind, of the examples, and of a thousand resources.

#![allow(dead_code, reason = "each test binary uses a part")]

pub mod edges;
mod story;
pub mod tone;

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use gpu_graph::Record;
use gpu_graph::report::{Plan, Report};

use crate::report_support::{case, tower};

gpu_graph::gpu_graph! {
    kernel add(x: &[f32; n], y: &[f32; n]) -> [f32; n] { host host::add }
    kernel half(x: &[f32; n]) -> [f32; n] {
        host host::half,
        in place x host host::half_in_place,
        cost 12 us,
    }
    kernel step(sum: &mut [f32; n], by: &[f32; n]) { host host::step }
    kernel sum(x: &[f32; n], room: &mut [f32; n]) -> [f32; 1] { host host::sum }

    /// A bit of everything.
    #[allow(dead_code)]
    graph Kinds {
        dim n in 1..=1024;
        streams 3;
        pipelined 2;
        budget 1 MiB;
        scope "frames of a \"camera\" </script><script>alert(1)</script> & more";
        tolerance y: 1e-5;
        resident input weights: [f32; n];
        input x: [f32; n];
        workspace room: [f32; n] zeroed per_task;
        let a: [f32; n] = half(&x);
        let b: [f32; n] = half(&a);
        let c: [f32; n] = add(&b, &weights);
        'left: let left: [f32; n] = half(&c);
        'right: let right: [f32; n] = add(&c, &b);
        order 'left -> 'right;
        let kept: [f32; n] = add(&left, &right);
        separate c, kept;
        output y: [f32; n] = half(&kept);
        output total: [f32; 1] = sum(&left, &mut room);
        output other: [f32; 1] = sum(&right, &mut room);
    }

    /// Tenants that share nothing.
    #[allow(dead_code)]
    graph Tenants {
        input x: [f32; 64] in domain red;
        output a: [f32; 64] in domain red = half(&x);
        input y: [f32; 64] in domain blue;
        output b: [f32; 64] in domain blue = half(&y);
    }

    /// Branches that are ordered so that their buffers share storage.
    #[allow(dead_code)]
    graph Asked {
        dim n in 1..=4096;
        streams 2;
        scope "a \\t b";
        target latency;
        issue graph;
        minimize peak, then critical_path;
        input x: [f32; n];
        let a: [f32; n] = add(&x, &x);
        let b: [f32; n] = add(&a, &a);
        output left: [f32; 1] = total(&b);
        let c: [f32; n] = add(&x, &x);
        let d: [f32; n] = add(&c, &c);
        output right: [f32; 1] = total(&d);
    }
    kernel total(x: &[f32; n]) -> [f32; 1] { host host::total }

    /// Values that are made again: one by demand, one where it is worth it, one that cannot be.
    #[allow(dead_code)]
    graph Again {
        dim n in 1..=512;
        minimize peak;
        input x: [f32; n];
        input w: [f32; n];
        let s: [f32; n] = half(&w);
        recompute let t: [f32; n, n] = outer(&x, &w);
        recompute let u: [f32; n, n] = outer(&w, &x);
        recompute let v: [f32; n, n] = outer(&s, &x);
        let a: [f32; n] = rows(&t);
        let b: [f32; n] = weigh(&u, &a);
        let c: [f32; n] = weigh(&v, &b);
        step(&mut s, &c);
        let p: [f32; n, n] = outer(&c, &s);
        let q: [f32; n, n] = product(&p, &p);
        let r: [f32; n, n] = product(&p, &q);
        let d: [f32; n] = rows(&r);
        'z: output y: [f32; n] = weigh(&t, &d);
        let e: [f32; n] = weigh(&v, &y);
        output z: [f32; n] = weigh(&u, &e);
        recompute t before 'z;
    }
    kernel product(a: &[f32; m, n], b: &[f32; m, n]) -> [f32; m, n] = a * b;
    kernel outer(a: &[f32; m], b: &[f32; n]) -> [f32; m, n] = a * b, cost 3 us;
    kernel rows(x: &[f32; m, n]) -> [f32; m] = sum(x);
    kernel weigh(x: &[f32; m, n], by: &[f32; m]) -> [f32; m] = sum(x * by);

    /// A resource of each class, and an update in place that is left.
    #[allow(dead_code)]
    pub graph Classes {
        dim n in 1..=512;
        budget 64 KiB;
        input x: [f32; n];
        resident input weights: [f32; n];
        inout memory: [f32; n];
        workspace room: [f32; n];
        let first: [f32; n] = half(&x);
        let second: [f32; n] = half(&first);
        separate first, second;
        recompute let again: [f32; n] = add(&x, &weights);
        let handed: [f32; n] = add(&second, &again);
        escape handed as address owned by run;
        step(&mut memory, &handed);
        staging copy: [f32; n] = download(&handed);
        let back: [f32; n] = upload(&copy);
        let both: [f32; n] = add(&back, &again);
        output y: [f32; 1] = sum(&both, &mut room);
    }

    /// Another plan in each of four combinations.
    #[allow(dead_code)]
    graph Variants {
        dim n in 1..=512;
        streams 2;
        inout memory: [f32; n];
        input x: [f32; n];
        variant mode { fill, go }
        variant twice { no, yes }
        let h: [f32; n] = half(&x);
        output y: [f32; n];
        match mode {
            fill => {
                let a: [f32; n] = add(&h, &x);
                step(&mut memory, &a);
                y = add(&a, &h);
            }
            go => {
                step(&mut memory, &h);
                y = add(&memory, &h);
            }
        }
        match twice {
            no => {}
            yes => { step(&mut memory, &x); }
        }
    }
}

mod host {
    pub fn add(x: &[f32], y: &[f32], out: &mut [f32], _: super::add::Dims) {
        let sums = x.iter().zip(y).map(|(x, y)| x + y);
        out.iter_mut().zip(sums).for_each(|(o, sum)| *o = sum);
    }
    pub fn half(x: &[f32], out: &mut [f32], _: super::half::Dims) {
        out.iter_mut().zip(x).for_each(|(o, x)| *o = x / 2.0);
    }
    pub fn half_in_place(x: &mut [f32], _: super::half::Dims) {
        x.iter_mut().for_each(|x| *x /= 2.0);
    }
    pub fn total(x: &[f32], out: &mut [f32], _: super::total::Dims) {
        out[0] = x.iter().sum();
    }
    pub fn step(sum: &mut [f32], by: &[f32], _: super::step::Dims) {
        sum.iter_mut().zip(by).for_each(|(s, by)| *s += by);
    }
    pub fn sum(x: &[f32], room: &mut [f32], out: &mut [f32], _: super::sum::Dims) {
        room.copy_from_slice(x);
        out[0] = room.iter().sum();
    }
}

/// The records of graphs of every kind, and of the examples.
pub const RECORDS: [Record; 8] = [
    Kinds::RECORD,
    Tenants::RECORD,
    Variants::RECORD,
    Asked::RECORD,
    edges::Edges::RECORD,
    story::Story::RECORD,
    tone::Tone::RECORD,
    Again::RECORD,
];

/// Each plan of these, and of a resource of each class, with the record of its own combination of variants.
pub fn plans() -> Vec<(Record, Plan)> {
    let all = RECORDS.iter().chain(&[Classes::RECORD]);
    let each = all.flat_map(|record| {
        let plans = record.report().plans.into_iter();
        plans.map(|plan| match &plan.variant {
            None => (*record, plan),
            Some(name) => (*record.variant(name).expect("it has its variants"), plan),
        })
    });
    each.collect()
}

/// The report of a graph of a thousand resources.
pub fn thousand() -> Report {
    let tower = case(tower(125)).expect("the tower is accepted");
    tower.record.report()
}

/// A folder of this test for files of that name.
pub fn scratch(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("report-{name}"));
    fs::create_dir_all(&folder).expect("the folder of tests can be written");
    folder
}

/// Says it even where the test passes: what is written by `println!` is kept back then.
pub fn say(what: &str) {
    let _ = writeln!(std::io::stderr(), "{what}");
}
