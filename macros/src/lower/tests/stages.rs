//! What is refused of stages, and where.

use gpu_graph_analysis::fault::*;

use super::faults::{ITEMS, faults, only};
use super::lower;

#[test]
fn names_of_a_stage_are_its_own() {
    let stage = |body: &str| format!("stage f(x: &mut [f32; n], s: u32) {{ {body} }}");
    only(&stage("shift(&mut y, s);"), UNKNOWN_NAME, "y");
    only(&stage("shift(&mut x, h);"), UNKNOWN_NAME, "h");
    only(&stage("let n: [f32; 4];"), DUPLICATE_NAME, "n");
    only(&stage("let x: [f32; 4];"), DUPLICATE_NAME, "x");
    only(&stage("for s in 0..1 {}"), DUPLICATE_NAME, "s");
    only(&stage("for i in 0..s {}"), WRONG_KIND, "s");
    only("stage f(x: &[f32; n], x: u32) {}", DUPLICATE_NAME, "x");
    only("stage f(x: &[f32; x]) {}", DUPLICATE_NAME, "x");
    only("stage f(x: &[f32; 2 * n]) {}", UNBOUND_DIM, "n");
    only("const f: usize = 1; stage f() {}", DUPLICATE_NAME, "f");
    only("stage step() {}", DUPLICATE_NAME, "step");
    // Of the caller it sees nothing.
    let graph =
        "graph G { dim h in 8..=9; input a: [f32; h]; let b: [f32; h] = step(&a); f(&mut b, 1); }";
    only(
        &format!("{} {graph}", stage("shift(&mut x, h);")),
        UNKNOWN_NAME,
        "h",
    );
}

#[test]
fn what_a_stage_takes_as_read_it_does_not_write() {
    let stage = |body: &str| format!("stage f(x: &[f32; n]) {{ {body} }}");
    only(&stage("shift(&mut x, 1);"), STAGE_EFFECT, "x");
    only(&stage("x[1..] = step(&x[1..]);"), STAGE_EFFECT, "x[1..]");
    only(&stage("for i in 0..2 { x = step(&x); }"), STAGE_EFFECT, "x");
    only(
        &format!(
            "{} stage g(x: &[f32; n]) {{ h(&mut x); }} stage h(x: &mut [f32; n]) {{ f(&x); }}",
            stage("")
        ),
        STAGE_EFFECT,
        "x",
    );
    assert!(faults("stage f(x: &mut [f32; n]) { x = step(&x); shift(&mut x[1..], 1); g(&x); } stage g(x: &[f32; n]) { let t: [f32; n] = step(&x); }").is_empty());
}

#[test]
fn calls_of_stages_are_checked_like_those_of_kernels() {
    let called = |call: &str, code, at: &str| {
        let stage = "stage f(x: &mut [f32; n], y: &[f32; n], by: u32) -> [f32; n] { shift(&mut x, by); step(&y) }";
        let graph = format!(
            "graph G {{ dim h in 8..=9; input i: [f32; h]; input d: [f64; h]; input m: [f32; h, h];
            let a: [f32; h] = step(&i); let b: [f32; h]; {call} }}"
        );
        only(&format!("{stage} {graph}"), code, at);
    };
    called("b = f(&mut a, &i);", ARGUMENT_COUNT, ")");
    called("b = f(&a, &i, 1);", EFFECT, "&a");
    called("b = f(&mut a, i, 1);", ARGUMENT_KIND, "i");
    called("b = f(&mut a, &d, 1);", ELEM, "&d");
    called("b = f(&mut a, &m, 1);", RANK, "&m");
    called("b = f(&mut a, &i[1..], 1);", EXTENT, "&i[1..]");
    called("b = f(&mut a, &i, 1.5);", SCALAR_TYPE, "1.5");
    called("b = f(&mut a, &i, 4294967296);", VALUE_RANGE, "4294967296");
    called("b = f(&mut a, &i[1..h + 1], 1);", VIEW_BOUNDS, "[1..h + 1]");
    called("f(&mut a, &i, 1);", RESULT, "f(&mut a, &i, 1)");
    called("b[1..] = f(&mut a, &i, 1);", EXTENT, "b[1..]");
}

#[test]
fn a_result_is_made_by_the_last_call() {
    only("stage f(x: &[f32; n]) -> [f32; n] { }", STAGE_RESULT, "}");
    only(
        "stage f(x: &[f32; n]) -> [f32; n] { step(&x); }",
        STAGE_RESULT,
        "}",
    );
    only("stage f(x: &[f32; n]) { step(&x) }", RESULT, "step(&x)");
    only(
        "stage f(x: &mut [f32; n]) -> [f32; n] { shift(&mut x, 1) }",
        RESULT,
        "shift",
    );
    only(
        "stage f(x: &[f32; n]) -> [f64; n] { step(&x) }",
        ELEM,
        "step",
    );
    let graph = "graph G { dim h in 8..=9; input i: [f32; h]; let b: [f32; h - 1] = f(&i); }";
    only(
        &format!("stage f(x: &[f32; n]) -> [f32; n - 1] {{ step(&x) }} {graph}"),
        EXTENT,
        "step",
    );
    // Without a result, a call without a semicolon is a statement.
    assert!(faults("stage f(x: &mut [f32; n]) { shift(&mut x, 1) }").is_empty());
}

#[test]
fn a_cycle_of_stages_is_reported_once_and_ends() {
    let stage = |name: &str, body: &str| format!("stage {name}(x: &[f32; n]) {{ {body} }}");
    let graph = "graph G { dim h in 8..=9; input i: [f32; h]; a(&i); }";
    only(&format!("{} {graph}", stage("a", "a(&x);")), RECURSION, "a");
    let two = stage("a", "for i in 0..2 { b(&x); }") + &stage("b", "let t: [f32; n]; a(&x);");
    let found = lower(&format!("{ITEMS}{two}{graph}")).faults;
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].0.notes[0], "the calls are `a` to `b` to `a`");
    // One that calls a cycle is on none; each cycle through one stage is its own.
    only(
        &(stage("c", "a(&x);") + &stage("a", "a(&x);")),
        RECURSION,
        "a",
    );
    let both = stage("a", "b(&x); c(&x);") + &stage("b", "a(&x);") + &stage("c", "a(&x);");
    assert_eq!(faults(&both).len(), 2);
}

#[test]
fn deep_calls_are_refused_and_end() {
    let mut text = stage_calling(0, "let t: [f32; n] = step(&x);");
    for i in 1..5_000 {
        text += &stage_calling(i, &format!("s{}(&x);", i - 1));
    }
    let found = faults(&text);
    assert!(found.iter().all(|(code, _)| *code == UNROLLED), "{found:?}");
    assert_eq!(found[0].1, "s31");
    // The same, the callers first.
    let mut text = String::new();
    for i in (1..5_000).rev() {
        text += &stage_calling(i, &format!("s{}(&x);", i - 1));
    }
    text += &stage_calling(0, "let t: [f32; n] = step(&x);");
    assert!(faults(&text).iter().all(|(code, _)| *code == UNROLLED));
    let mut text = stage_calling(0, "let t: [f32; n] = step(&x);");
    for i in 1..32 {
        text += &stage_calling(i, &format!("s{}(&x);", i - 1));
    }
    assert!(faults(&text).is_empty());
}

fn stage_calling(i: usize, body: &str) -> String {
    format!("stage s{i}(x: &[f32; n]) {{ {body} }}\n")
}

#[test]
fn what_a_stage_takes_it_uses() {
    only(
        "stage f(x: &mut [f32; n], by: u32) { shift(&mut x, 1); }",
        UNUSED,
        "by",
    );
    only(
        "stage f(x: &mut [f32; n], y: &[f32; n]) { for i in 0..2 { shift(&mut x, 1); } }",
        UNUSED,
        "y",
    );
    let uses = "stage f(x: &mut [f32; n], y: &mut [f32; n], s: u32) { for i in 0..2 { shift(&mut x, s); } y = step(&x); }";
    assert!(faults(uses).is_empty());
}
