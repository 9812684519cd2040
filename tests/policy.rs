//! Graphs with a declared objective, run.

use gpu_graph::gpu_graph;

/// The same graph under objectives that contradict each other: tiles that could be loaded and
/// computed with beside each other.
macro_rules! tiles {
    ($module:ident, $($minimize:tt)*) => {
        mod $module {
            gpu_graph::gpu_graph! {
                kernel load(x: &[u32; n], by: u32) -> [u32; n] { host crate::host::load, cost 10 us }
                kernel fold(x: &[u32; n]) -> [u32; n] { host crate::host::fold, cost 10 us }
                kernel add(a: &[u32; n], b: &[u32; n], c: &[u32; n]) -> [u32; n] = a + b + c, cost 5 us;

                pub graph Tiles {
                    dim n in 1..=4096;
                    streams 3;
                    $($minimize)*
                    input x: [u32; n];
                    let p: [u32; n] = load(&x, 1);
                    let a: [u32; n] = fold(&p);
                    let q: [u32; n] = load(&x, 2);
                    let b: [u32; n] = fold(&q);
                    let r: [u32; n] = load(&x, 3);
                    let c: [u32; n] = fold(&r);
                    output y: [u32; n] = add(&a, &b, &c);
                }
            }
        }
    };
}

mod host {
    pub fn load<D>(x: &[u32], by: u32, out: &mut [u32], _: D) {
        out.iter_mut()
            .zip(x)
            .for_each(|(o, x)| *o = x.wrapping_mul(by));
    }
    pub fn scale<D>(x: &mut [u32], by: u32, _: D) {
        x.iter_mut().for_each(|x| *x = x.wrapping_mul(by));
    }
    pub fn fill<D>(seed: u32, out: &mut [u32], _: D) {
        out.iter_mut().zip(seed..).for_each(|(o, v)| *o = v);
    }
    pub fn spread<D>(t: &[u32], by: u32, out: &mut [u32], _: D) {
        let seed = t.iter().fold(by, |sum, t| sum.wrapping_mul(31) ^ t);
        out.iter_mut().zip(seed..).for_each(|(o, v)| *o = v);
    }
    pub fn close<D>(a: &[u32], b: &[u32], out: &mut [u32], _: D) {
        let all = a.iter().chain(b);
        let sum = all.fold(7, |sum: u32, v| sum.wrapping_mul(33) ^ v);
        out.iter_mut().zip(sum..).for_each(|(o, v)| *o = v);
    }
    pub fn step<D>(c: &[u32], t: &[u32], out: &mut [u32], _: D) {
        out.iter_mut().zip(c).for_each(|(o, c)| *o = c ^ t[0]);
    }
    pub fn step_in_place<D>(c: &mut [u32], t: &[u32], _: D) {
        c.iter_mut().for_each(|c| *c ^= t[0]);
    }
    pub fn total<D>(x: &[u32], by: u32, out: &mut [u32], _: D) {
        out[0] = x.iter().sum::<u32>().wrapping_mul(by);
    }
    pub fn fold<D>(x: &[u32], out: &mut [u32], _: D) {
        out.iter_mut()
            .zip(x)
            .for_each(|(o, x)| *o = x ^ x.rotate_left(7));
    }
}

tiles!(unasked,);
tiles!(peak, minimize peak, then critical_path;);
tiles!(path, minimize critical_path, then peak;);
tiles!(bytes_are_dear, minimize 1000 / KiB * peak + 1 / us * critical_path;);
tiles!(time_is_dear, minimize 1 / MiB * peak + 1000 / us * critical_path;);

/// Two values that one after the other would share storage.
macro_rules! pair {
    ($module:ident, $($minimize:tt)*) => {
        mod $module {
            gpu_graph::gpu_graph! {
                kernel fold(x: &[u32; n]) -> [u32; n] { host crate::host::fold, cost 10 us }
                kernel total(x: &[u32; n], by: u32) -> [u32; 1] { host crate::host::total, cost 1 us }

                pub graph Pair {
                    dim n in 1..=1024;
                    minimize $($minimize)*;
                    input x: [u32; n];
                    let a: [u32; n] = fold(&x);
                    let b: [u32; n] = fold(&x);
                    output p: [u32; 1] = total(&a, 1);
                    output q: [u32; 1] = total(&b, 1);
                }
            }
        }
    };
}

pair!(bytes, 1 / B * peak);
pair!(with_launches, 1 / GiB * peak + 1e12 * launches);
pair!(with_dearer_launches, 1 / B * peak + 1e308 * launches);
pair!(with_launches_alone, 1e308 * launches);

#[test]
fn a_weight_swallows_no_other_one() {
    let bytes = bytes::Pair::RECORD;
    let both = [
        with_launches::Pair::RECORD,
        with_dearer_launches::Pair::RECORD,
    ];
    for record in both {
        assert_eq!(record.arena_bytes(), bytes.arena_bytes());
        let text = record.text();
        assert!(!text.contains("its sum is the same"), "{text}");
    }
    let alone = with_launches_alone::Pair::RECORD;
    assert!(alone.arena_bytes() > bytes.arena_bytes());
    // What is as good in what counts, and less in bytes, lost by what it is and by nothing else.
    let text = alone.text();
    let why = "rejected  its sum is the same, and the order of streams is a condition of it";
    assert!(text.contains(why), "{text}");
}

fn expected(x: &[u32]) -> Vec<u32> {
    let fold = |x: u32| x ^ x.rotate_left(7);
    let one = |&x: &u32| {
        let parts = [1, 2, 3].map(|by| fold(x.wrapping_mul(by)));
        parts.into_iter().fold(0, u32::wrapping_add)
    };
    x.iter().map(one).collect()
}

#[test]
fn an_alias_that_rests_on_an_added_edge_is_explained_so() {
    let pairs = ["p", "q", "r"].map(|a| ["a", "b", "c"].map(|b| (a, b)));
    let why = pairs.as_flattened().iter();
    let why = why.map(|(a, b)| peak::Tiles::RECORD.explain(a, b).unwrap().to_string());
    let why: Vec<String> = why.collect();
    let conditioned = |why: &String| {
        why.contains("share bytes") && why.contains("no dependency orders these, the plan does")
    };
    assert!(why.iter().any(conditioned), "{why:?}");
    // What the plan orders is never said to be unordered.
    let text = peak::Tiles::RECORD.text();
    let said = text
        .lines()
        .filter(|line| line.contains("no such edge is added"));
    for line in said {
        let names: Vec<&str> = line.split('`').collect();
        let found = peak::Tiles::RECORD.explain(names[1], names[3]).unwrap();
        assert!(
            found.to_string().contains("the plan adds none"),
            "{line}: {found}"
        );
    }
    let why = unasked::Tiles::RECORD
        .explain("p", "q")
        .unwrap()
        .to_string();
    assert!(why.contains("the plan adds none"), "{why}");
}

#[test]
fn an_objective_changes_bytes_and_order_and_no_value() {
    let x: Vec<u32> = (0..1000u32)
        .map(|i| i.wrapping_mul(2_654_435_761))
        .collect();
    macro_rules! runs {
        ($module:ident) => {{
            let device = gpu_graph::host();
            let dims = $module::tiles::Dims { n: x.len() };
            let mut graph = $module::Tiles::load(&device, dims).unwrap();
            for _ in 0..20 {
                let run = graph.run($module::tiles::Inputs { x: &x }).unwrap();
                assert_eq!(run.y().unwrap().to_vec().unwrap(), expected(&x));
            }
            $module::Tiles::RECORD.arena_bytes()
        }};
    }
    let [unasked, peak, path] = [runs!(unasked), runs!(peak), runs!(path)];
    let [dear_bytes, dear_time] = [runs!(bytes_are_dear), runs!(time_is_dear)];
    assert!(peak < unasked, "{peak} {unasked}");
    assert!(path <= unasked && peak < path, "{peak} {path}");
    assert_eq!(dear_bytes, peak);
    assert_eq!(dear_time, path);
}

#[test]
fn the_record_says_what_was_weighed_and_why_it_was_left() {
    let text = peak::Tiles::RECORD.text();
    for said in [
        "minimize       peak, then critical_path",
        "    taken\n",
        "rejected  its peak is larger",
        "conditioned, ",
    ] {
        assert!(text.contains(said), "{said}: {text}");
    }
    let text = unasked::Tiles::RECORD.text();
    assert!(text.contains("nothing: nothing is traded"), "{text}");
    assert!(text.contains("no other one beats it in all"), "{text}");
}

gpu_graph! {
    kernel plain(x: &[u32; n], by: u32) -> [u32; n] { host host::load }

    graph WithoutCosts {
        dim n in 1..=64;
        minimize critical_path, then peak;
        input x: [u32; n];
        let a: [u32; n] = plain(&x, 2);
        let b: [u32; n] = plain(&x, 3);
        let c: [u32; n] = plain(&a, 5);
        let d: [u32; n] = plain(&b, 7);
        output y: [u32; n] = plain(&c, 1);
        output z: [u32; n] = plain(&d, 1);
    }
}

#[test]
fn a_path_of_unknown_costs_decides_only_what_holds_for_all_of_them() {
    let text = WithoutCosts::RECORD.text();
    assert!(text.contains("critical path unknown"), "{text}");
    let mut graph = WithoutCosts::load(&gpu_graph::host(), without_costs::Dims { n: 3 }).unwrap();
    let run = graph.run(without_costs::Inputs { x: &[1, 2, 3] }).unwrap();
    assert_eq!(run.y().unwrap().to_vec().unwrap(), [10, 20, 30]);
    assert_eq!(run.z().unwrap().to_vec().unwrap(), [21, 42, 63]);
}

/// H35: what is uploaded ends in the output, with readers in a loop between.
macro_rules! donated {
    ($module:ident, $($minimize:tt)*) => {
        mod $module {
            gpu_graph::gpu_graph! {
                callback fill(seed: u32) -> [u32; n] { host crate::host::fill }
                kernel scaled(x: &[u32; n], by: u32) -> [u32; n] {
                    host crate::host::load,
                    in place x host crate::host::scale,
                }
                kernel total(x: &[u32; n], by: u32) -> [u32; 1] { host crate::host::total }

                pub graph Donated {
                    dim n in 1..=1024;
                    $($minimize)*
                    scalar seed: u32;
                    staging s: [u32; n] = fill(seed);
                    let x: [u32; n] = upload(&s);
                    let y: [u32; n] = scaled(&x, 3);
                    output sums: [u32; 3];
                    for l in 0..3 {
                        sums[l..l + 1] = total(&y, 2);
                    }
                    'last: output z: [u32; n] = scaled(&y, 5);
                }
            }
        }
    };
}

donated!(left,);
donated!(donated, minimize peak;);

#[test]
fn h35_a_chain_of_updates_takes_one_slot_or_the_record_says_why_not() {
    let explain = |a, b| donated::Donated::RECORD.explain(a, b).unwrap().to_string();
    for (a, b) in [("x", "y"), ("y", "z")] {
        assert!(explain(a, b).contains("share bytes"), "{}", explain(a, b));
    }
    let device = gpu_graph::host();
    let dims = donated::donated::Dims { n: 4 };
    let mut graph = donated::Donated::load(&device, dims).unwrap();
    for seed in [7, 8] {
        let run = graph.run(donated::donated::Inputs { seed }).unwrap();
        let (z, sums): (Vec<u32>, Vec<u32>) = (
            run.z().unwrap().to_vec().unwrap(),
            run.sums().unwrap().to_vec().unwrap(),
        );
        assert_eq!(z, [0, 1, 2, 3].map(|i| 15 * (seed + i)));
        assert_eq!(sums, [6 * (4 * seed + 6); 3]);
    }

    let text = left::Donated::RECORD.text();
    assert!(
        text.contains("unless in place at `'last`, which takes "),
        "{text}"
    );
    let dims = left::donated::Dims { n: 1 };
    let mut graph = left::Donated::load(&device, dims).unwrap();
    let run = graph.run(left::donated::Inputs { seed: 2 }).unwrap();
    assert_eq!(run.z().unwrap().to_vec().unwrap(), [30]);
}

/// Values that fill five places in each of five stages, so that some have to lie at an edge. `d` would have
/// to lie in the middle and at an edge, were it one with `c`.
macro_rules! stages {
    ($module:ident, $($minimize:tt)*) => {
        mod $module {
            gpu_graph::gpu_graph! {
                kernel spread(t: &[u32; k], by: u32) -> [u32; m] { host crate::host::spread }
                kernel close(a: &[u32; m], b: &[u32; n]) -> [u32; 64] { host crate::host::close }
                kernel step(c: &[u32; m], t: &[u32; k]) -> [u32; m] {
                    host crate::host::step,
                    in place c host crate::host::step_in_place,
                }

                pub graph Stages {
                    $($minimize)*
                    input x: [u32; 64];
                    'a: let a: [u32; 512] = spread(&x, 1);
                    let first: [u32; 2048] = spread(&x, 2);
                    't1: let t1: [u32; 64] = close(&first, &x);
                    'b: let b: [u32; 512] = spread(&t1, 3);
                    let second: [u32; 1536] = spread(&t1, 4);
                    't2: let t2: [u32; 64] = close(&second, &t1);
                    'c: let c: [u32; 512] = spread(&t2, 5);
                    let third: [u32; 1024] = spread(&t2, 6);
                    't3: let t3: [u32; 64] = close(&third, &a);
                    let fourth: [u32; 1536] = spread(&t3, 7);
                    let t4: [u32; 64] = close(&fourth, &b);
                    let d: [u32; 512] = step(&c, &t4);
                    let t5: [u32; 64] = close(&t4, &d);
                    let fifth: [u32; 2048] = spread(&t5, 8);
                    output y: [u32; 64] = close(&fifth, &d);
                    order 'a -> 't1;
                    order 'b -> 't2;
                    order 'c -> 't3;
                }
            }
        }
    };
}

stages!(updated,);
stages!(apart, minimize peak;);

#[test]
fn an_update_is_left_where_that_takes_less_and_changes_no_value() {
    let x: Vec<u32> = (0..64u32).map(|i| i.wrapping_mul(2_654_435_761)).collect();
    let mut found = Vec::new();
    let device = gpu_graph::host();
    let mut graph = updated::Stages::load(&device, updated::stages::Dims {}).unwrap();
    let run = graph.run(updated::stages::Inputs { x: &x }).unwrap();
    found.push(run.y().unwrap().to_vec().unwrap());
    let mut graph = apart::Stages::load(&device, apart::stages::Dims {}).unwrap();
    for _ in 0..3 {
        let run = graph.run(apart::stages::Inputs { x: &x }).unwrap();
        found.push(run.y().unwrap().to_vec().unwrap());
    }
    assert!(found.windows(2).all(|pair| pair[0] == pair[1]));

    let arenas = [updated::Stages::RECORD, apart::Stages::RECORD].map(|r| r.arena_bytes());
    assert!(arenas[1] < arenas[0], "{arenas:?}");
    let why = apart::Stages::RECORD.explain("c", "d").unwrap().to_string();
    assert!(why.contains("a plan without it is better"), "{why}");
    let text = apart::Stages::RECORD.text();
    for said in [
        "; `d` not in place of `c`\n",
        "not taken: `d` in place of `c`",
    ] {
        assert!(text.contains(said), "{said}: {text}");
    }
}
