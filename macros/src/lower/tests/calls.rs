//! What calls of stages bind.

use super::{lower, meaning, model};

const ITEMS: &str = "
    const N: usize = 4;
    kernel step(x: &[f32; n]) -> [f32; n] { host k::step, in place x host k::step_in_place }
    kernel row(x: &[f32; n]) -> [f32; 1, n] { host k::row }
    kernel scale(x: &mut [f32; n], by: f32, times: u32) { host k::scale }
";

#[track_caller]
fn same(nested: &str, flat: &str) {
    let [nested, flat] = [nested, flat].map(|text| meaning(&model(&format!("{ITEMS}{text}"))));
    assert_eq!(nested, flat);
}

#[test]
fn scalars_are_literals_scalars_and_extents_of_the_caller() {
    same(
        "stage gain(x: &mut [f32; n], by: f32, times: u32) { scale(&mut x, by, times); }
         graph G { dim h in 8..=16; scalar s: f32; scalar t: u32; input i: [f32; h];
            let x: [f32; h] = step(&i);
            gain(&mut x, 0.5, 3); gain(&mut x, s, t); gain(&mut x[..h / 2], s, h - 1);
            for l in 0..2 { gain(&mut x, 2.0, 2 * l + N); } }",
        "graph G { dim h in 8..=16; scalar s: f32; scalar t: u32; input i: [f32; h];
            let x: [f32; h] = step(&i);
            scale(&mut x, 0.5, 3); scale(&mut x, s, t); scale(&mut x[..h / 2], s, h - 1);
            scale(&mut x, 2.0, 4); scale(&mut x, 2.0, 6); }",
    );
}

#[test]
fn extents_of_a_stage_are_over_the_dims_of_the_caller() {
    same(
        "stage halves(x: &[f32; m]) -> [f32; m] {
            const TWO: u8 = 2;
            let t: [f32; m - m / TWO + N] = step(&x[m / TWO - N..]);
            step(&x) }
         graph G { dim h in 32..=64; input i: [f32; h]; let x: [f32; h / 2] = halves(&i[..h / 2]); }",
        "graph G { dim h in 32..=64; input i: [f32; h]; let x: [f32; h / 2];
            let t: [f32; h / 2 - h / 4 + 4] = step(&i[h / 4 - 4..h / 2]);
            x = step(&i[..h / 2]); }",
    );
}

#[test]
fn a_result_goes_where_the_call_says_and_binds_dims_too() {
    same(
        "stage twice(x: &[f32; n]) -> [f32; n] { let t: [f32; n] = step(&x); once(&t) }
         stage once(x: &[f32; n]) -> [f32; n] { step(&x) }
         graph G { input i: [f32; N]; let x: [f32; 2 * N]; x[N..] = twice(&i); x[..N] = once(&i); }",
        "graph G { input i: [f32; 4]; let x: [f32; 8]; let t: [f32; 4] = step(&i);
            x[4..8] = step(&t); x[0..4] = step(&i); }",
    );
}

#[test]
fn all_of_a_view_is_not_updated_in_place() {
    let in_place = |text: &str| {
        let (model, _) = model(&format!("{ITEMS}{text}"));
        let launch = model.tasks.into_iter().filter_map(|task| match task.kind {
            gpu_graph_analysis::model::TaskKind::Kernel(launch) => Some(launch.in_place),
            _ => None,
        });
        launch.collect::<Vec<_>>()
    };
    let stage = "stage one(x: &[f32; n]) -> [f32; n] { step(&x) }";
    let whole = "graph G { input i: [f32; 8]; let x: [f32; 8] = one(&i); }";
    assert_eq!(in_place(&format!("{stage}{whole}")), [Some(0)]);
    let part = "graph G { input i: [f32; 8]; let x: [f32; 4] = one(&i[4..]); }";
    assert_eq!(in_place(&format!("{stage}{part}")), [None]);
    let part = "graph G { input i: [f32; 4]; let x: [f32; 8]; x[4..] = one(&i); }";
    assert_eq!(in_place(&format!("{stage}{part}")), [None]);
}

#[test]
fn the_label_of_a_stage_stands_for_all_its_tasks() {
    let (model, _) = model(&format!(
        "{ITEMS}
         stage two(x: &mut [f32; n]) {{ scale(&mut x, 1.0, 1); 'one: scale(&mut x, 1.0, 2); }}
         graph G {{ input i: [f32; 4]; let a: [f32; 4] = step(&i); let b: [f32; 4] = step(&i);
            'a: two(&mut a); 'b: two(&mut b); order 'a -> 'b;
            for l in 0..2 {{ 'one: scale(&mut a, 1.0, 1); order 'b -> 'one; }} }}"
    ));
    let orders: Vec<_> = model
        .orders
        .iter()
        .map(|o| (o.before.0, o.after.0))
        .collect();
    let expected = [
        (5, 7),
        (6, 7),
        (5, 8),
        (6, 8),
        (3, 5),
        (3, 6),
        (4, 5),
        (4, 6),
    ];
    assert_eq!(orders, expected);
}

#[test]
fn constants_bind_no_dim_of_a_kernel() {
    let text = "const W: usize = 3; kernel f(x: &[f32; n, W]) -> [f32; W * n] { host k::f }
        graph G { input x: [f32; 5, 3]; let y: [f32; 15] = f(&x); }";
    let (model, args) = model(text);
    assert_eq!(args[1].dims.len(), 1);
    assert_eq!(model.tasks[1].accesses.len(), 2);
    let wrong = text.replace("5, 3]", "5, 4]");
    assert_eq!(lower(&wrong).faults[0].1, "&x");
}
