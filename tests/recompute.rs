//! Values that are dropped and made again.

mod host {
    pub fn spread<D>(x: &[u32], out: &mut [u32], _: D) {
        let each = out.len() / x.len();
        for (i, o) in out.iter_mut().enumerate() {
            *o = x[i / each].wrapping_mul(1 + i as u32);
        }
    }
    pub fn fold<D>(x: &[u32], out: &mut [u32], _: D) {
        for (o, x) in out.iter_mut().zip(x) {
            *o = x ^ x.rotate_left(7);
        }
    }
    pub fn widen<D>(x: &[u32], out: &mut [u32], _: D) {
        let n = x.len();
        for (i, o) in out.iter_mut().enumerate() {
            *o = x[i % n] ^ i as u32;
        }
    }
    pub fn total<D>(x: &[u32], out: &mut [u32], _: D) {
        out[0] = x.iter().fold(0, |sum, x| sum.wrapping_add(*x));
    }
    pub fn mix<D>(x: &[u32], s: &[u32], out: &mut [u32], _: D) {
        out[0] = x.iter().fold(s[0], |sum, x| sum.rotate_left(1) ^ x);
    }
    pub fn spread_in<D>(x: &[u32], room: &mut [u32], out: &mut [u32], dims: D) {
        assert!(room.iter().all(|r| *r == 0), "the room is zero");
        room.fill(3);
        spread(x, out, dims);
    }
}

/// One graph: `t` is small to make and large to keep, and is read before and behind the largest
/// values.
macro_rules! graph {
    ($module:ident, $t:ident, { $($head:tt)* }, { $($value:tt)* }, { $($tail:tt)* }) => {
        mod $module {
            gpu_graph::gpu_graph! {
                kernel spread(x: &[u32; n]) -> [u32; 16 * n] { host crate::host::spread, cost 10 us }
                kernel fold(x: &[u32; n]) -> [u32; n] { host crate::host::fold, cost 5 us }
                kernel widen(x: &[u32; n]) -> [u32; 2 * n] { host crate::host::widen, cost 7 us }
                kernel total(x: &[u32; n]) -> [u32; 1] { host crate::host::total, cost 3 us }
                kernel mix(x: &[u32; n], s: &[u32; 1]) -> [u32; 1] { host crate::host::mix, cost 6 us }

                pub graph Again {
                    dim n in 1..=256;
                    $($head)*
                    input x: [u32; n];
                    $($value)*: [u32; 16 * n] = spread(&x);
                    let a: [u32; 16 * n] = fold(&$t);
                    let b: [u32; 32 * n] = widen(&a);
                    let c: [u32; 32 * n] = fold(&b);
                    let s: [u32; 1] = total(&c);
                    'z: output y: [u32; 1] = mix(&$t, &s);
                    output w: [u32; 1] = total(&$t);
                    $($tail)*
                }
            }
        }
    };
}

graph!(kept, t, { minimize peak; }, { let t }, {});
graph!(open, t, {}, { recompute let t }, {});
graph!(again, t, { minimize peak; budget 70 KiB; }, { recompute let t }, {});
graph!(demanded, t, { streams 2; }, { recompute let t }, { recompute t before 'z; });

fn expected(x: &[u32]) -> [Vec<u32>; 2] {
    let make = |len: usize, of: &dyn Fn(&mut [u32])| {
        let mut out = vec![0; len];
        of(&mut out);
        out
    };
    let n = x.len();
    let t = make(16 * n, &|out| host::spread(x, out, ()));
    let a = make(16 * n, &|out| host::fold(&t, out, ()));
    let b = make(32 * n, &|out| host::widen(&a, out, ()));
    let c = make(32 * n, &|out| host::fold(&b, out, ()));
    let s = make(1, &|out| host::total(&c, out, ()));
    [
        make(1, &|out| host::mix(&t, &s, out, ())),
        make(1, &|out| host::total(&t, out, ())),
    ]
}

macro_rules! runs {
    ($module:ident) => {{
        let device = gpu_graph::host();
        for n in [1, 3, 256] {
            let x: Vec<u32> = (0..n as u32)
                .map(|i| i.wrapping_mul(2_654_435_761))
                .collect();
            let mut graph = $module::Again::load(&device, $module::again::Dims { n }).unwrap();
            for _ in 0..10 {
                let run = graph.run($module::again::Inputs { x: &x }).unwrap();
                let found = [
                    run.y().unwrap().to_vec().unwrap(),
                    run.w().unwrap().to_vec().unwrap(),
                ];
                assert_eq!(found, expected(&x), "{n}");
            }
        }
        $module::Again::RECORD.arena_bytes()
    }};
}

/// Tasks that make a value again, of the tables that are proved.
fn again<G: gpu_graph::__private::DeclaredGraph>() -> &'static [(u32, u32)] {
    G::IMAGE.source.again
}

#[test]
fn the_proof_is_told_what_is_made_again() {
    assert_eq!(
        (again::<kept::Again>(), again::<open::Again>()),
        (&[][..], &[][..])
    );
    // Behind the upload, `t` is the first task, and it is made again before `mix`.
    assert_eq!(
        (again::<again::Again>(), again::<demanded::Again>()),
        (&[(6, 1)][..], &[(6, 1)][..])
    );
}

#[test]
fn a_budget_that_only_recomputing_meets_is_met_and_every_value_stays() {
    let [kept, open] = [runs!(kept), runs!(open)];
    let [again, demanded] = [runs!(again), runs!(demanded)];
    assert!(kept > 70 << 10 && open > 70 << 10, "{kept} {open}");
    assert!(again <= 70 << 10, "{again}");
    assert!(demanded < kept, "{demanded} {kept}");
}

#[test]
fn what_is_made_again_is_told_with_every_term_and_nothing_is_unasked() {
    let text = again::Again::RECORD.text();
    for said in [
        "t: reconstructable [u32; 16 * n]",
        "  recompute `t` before `'z`",
        "    again     `t#2` by `t = spread again`, before `'z`",
        "      construct  10 us of `spread`",
        "      inputs     0 ns: what it is made of is kept; 1 KiB read again",
        "`x` lives longer: until then, and else until `t = spread`",
        "      sync       ",
        "      workspace  0 ns: none",
        "      in all     ",
        "1 value made again in each run",
        "    recompute          gives ",
    ] {
        assert!(text.contains(said), "{said}: {text}");
    }
    let text = open::Again::RECORD.text();
    assert!(text.contains("  recompute `t` before `'z`"), "{text}");
    assert!(
        text.contains("    recompute          would give "),
        "{text}"
    );
    assert!(!text.contains("t#2: "), "{text}");
    let text = demanded::Again::RECORD.text();
    assert!(
        text.contains("  demanded       recompute `t` before `'z`\n    saves     "),
        "{text}"
    );
    assert!(text.contains("t#2: reconstructable"), "{text}");
    let text = kept::Again::RECORD.text();
    for (kind, why) in [
        ("delay", "gives"),
        ("release earlier", "gives"),
        ("right size", "blocked on the dims"),
        ("share workspace", "does not apply: there is no workspace"),
        ("alias", "gives"),
        ("conditioned alias", ""),
        ("pool", "does not apply"),
        ("retain", "does not apply: nothing outlives a run"),
        ("recompute", "does not apply: there is no `recompute let`"),
    ] {
        let said = format!("    {kind:<18} {why}");
        assert!(text.contains(&said), "{said}: {text}");
    }
}

mod rooms {
    gpu_graph::gpu_graph! {
        kernel spread_in(x: &[u32; n], room: &mut [u32; n]) -> [u32; 16 * n] {
            host crate::host::spread_in,
            zeroed room,
        }
        kernel fold(x: &[u32; n]) -> [u32; n] { host crate::host::fold }
        kernel widen(x: &[u32; n]) -> [u32; 2 * n] { host crate::host::widen }
        kernel total(x: &[u32; n]) -> [u32; 1] { host crate::host::total }
        kernel mix(x: &[u32; n], s: &[u32; 1]) -> [u32; 1] { host crate::host::mix }

        stage body(x: &[u32; m], s: &[u32; k]) -> [u32; 1] {
            let b: [u32; 2 * m] = widen(&x);
            let c: [u32; 2 * m] = fold(&b);
            let d: [u32; 1] = total(&c);
            workspace room: [u32; k] zeroed exclusive;
            recompute let u: [u32; 16 * k] = spread_in(&s, &mut room);
            let e: [u32; 1] = mix(&u, &d);
            let f: [u32; 32 * k] = widen(&u);
            let g: [u32; 32 * k] = fold(&f);
            let h: [u32; 1] = mix(&g, &e);
            'last: let i: [u32; 1] = mix(&u, &h);
            recompute u before 'last;
            fold(&i)
        }

        pub graph Rooms {
            dim n in 1..=64;
            input x: [u32; n];
            workspace room: [u32; n] zeroed;
            recompute let t: [u32; 16 * n] = spread_in(&x, &mut room);
            let s: [u32; 1] = body(&t, &x);
            'z: output y: [u32; 1] = mix(&t, &s);
            recompute t before 'z;
        }
    }
}

#[test]
fn workspaces_are_made_zero_again_and_stages_have_demands_of_their_own() {
    let x: Vec<u32> = (1..=64).collect();
    let dims = rooms::rooms::Dims { n: x.len() };
    let mut graph = rooms::Rooms::load(&gpu_graph::host(), dims).unwrap();
    let make = |len: usize, of: &dyn Fn(&mut [u32])| {
        let mut out = vec![0; len];
        of(&mut out);
        out
    };
    let n = x.len();
    let t = make(16 * n, &|out| host::spread(&x, out, ()));
    let widened = |x: &[u32]| {
        let wide = make(2 * x.len(), &|out| host::widen(x, out, ()));
        make(2 * x.len(), &|out| host::fold(&wide, out, ()))
    };
    let mix = |x: &[u32], s: &[u32]| make(1, &|out| host::mix(x, s, out, ()));
    let c = widened(&t);
    let d = make(1, &|out| host::total(&c, out, ()));
    let h = mix(&widened(&t), &mix(&t, &d));
    let i = mix(&t, &h);
    let s = make(1, &|out| host::fold(&i, out, ()));
    let y = mix(&t, &s);
    for _ in 0..5 {
        let run = graph.run(rooms::rooms::Inputs { x: &x }).unwrap();
        assert_eq!(run.y().unwrap().to_vec().unwrap(), y);
    }
    let text = rooms::Rooms::RECORD.text();
    for said in [
        "  demanded       recompute `t` before `'z`",
        "  demanded       recompute `body.u` before `body.'last`",
        "workspace  blocked on the time of a fill of `room#2`",
        "blocked on the cost of `spread_in` and the time of a fill",
    ] {
        assert!(text.contains(said), "{said}: {text}");
    }
}

/// The input is as large as the value, and would live as long.
mod returns {
    gpu_graph::gpu_graph! {
        kernel bump(x: &[f32; m, n]) -> [f32; m, n] = x + 1f32;
        kernel rows(x: &[f32; m, n]) -> [f32; m] = sum(x);
        kernel weigh(x: &[f32; m, n], by: &[f32; m]) -> [f32; m] = sum(x * by);

        pub graph Returns {
            dim m in 2..=256;
            dim n in 2..=256;
            minimize peak;
            input x: [f32; m, n];
            recompute let t: [f32; m, n] = bump(&x);
            let p: [f32; m, n] = bump(&t);
            let v: [f32; m] = rows(&p);
            output y: [f32; m] = weigh(&t, &v);
        }
    }
}

#[test]
fn where_the_peak_returns_a_value_is_kept_and_the_record_says_why() {
    use returns::{Returns, returns as dims};
    let text = Returns::RECORD.text();
    let told: Vec<&str> = text
        .lines()
        .skip_while(|line| *line != "  recompute `t` before `y = weigh`")
        .take_while(|line| line.starts_with("  "))
        .collect();
    let why = "    rejected  the peak returns: the arena is no smaller than as it stands";
    assert!(told.contains(&why), "{text}");
    assert!(text.contains(
        "    recompute          does not apply: the peak returns wherever it was weighed\n"
    ));
    assert!(again::<Returns>().is_empty());
    let mut graph = Returns::load(&gpu_graph::host(), dims::Dims { m: 2, n: 2 }).unwrap();
    let x = [1.0, 2.0, 3.0, 4.0];
    let run = graph.run(dims::Inputs { x: &x }).unwrap();
    // `t` is 2, 3 and 4, 5; the rows of what is one more come to 7 and 11.
    assert_eq!(run.y().unwrap().to_vec().unwrap(), [35.0, 99.0]);
}
