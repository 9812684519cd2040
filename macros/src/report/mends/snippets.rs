//! Helps that no program under `ui-tests` shows: slips in one statement or clause each.

use super::{Expanded, apply, key};

const KERNELS: &str = "
    kernel square(x: &[f32; n]) -> [f32; n] { host k::square }
    kernel add(x: &[f32; n], y: &[f32; n]) -> [f32; n] { host k::add }
    kernel gain(x: &[f32; n], by: f32) -> [f32; n] { host k::gain }
    kernel shift(x: &[f32; n], by: i8) -> [f32; n] { host k::shift }
    kernel twice(x: &[f32; n, m]) -> [f32; n, m] { host k::twice }
    kernel level(x: &[u8; n]) -> [u8; n] { host k::level }
    kernel scale(x: &mut [f32; n]) { host k::scale }
    kernel relu(x: &[f32; n]) -> [f32; n] { host k::relu, in place x host k::relu_in_place }
";

/// Statements of a graph with `dim n in 4..=64;` and `input x: [f32; n];`.
const STATEMENTS: &[&str] = &[
    "output y: [f32; n] = square(mut x);",
    "output y: [f32; n] = square(x);",
    "output y: [f32; n] = square();",
    "output y: [f32; 1] = square(&x[3]);",
    "output y: [f32; n] = square(&x[0..=n - 1]);",
    "output y: [f32; n] = square(&x[-1..n - 1]);",
    "output y: [f32; n - 8] = square(&x[8..]);",
    "output y: [f32; 2, n]; view v = &y as [f32; 2 * n + 1]; v[..n] = square(&x); v[n..] = square(&x);",
    "input z: [f32; n, n]; output y: [f32; n, n] = twice(&z as [f32; n, n - 1]); output w: [f32; n] = square(&x);",
    "output y: [f32; n] = square(&x as [f32; 1, n]);",
    "output y: [f32; n] = square(&x as [i8; n]);",
    "output y: [f32; 1, n] = twice(&x as [f32; 2, n]);",
    "output y: [f32; n] = gain(&x);",
    "output y: [f32; n] = gain(&x, 1);",
    "output y: [f32; n] = gain(&x, 2.0f64);",
    "output y: [f32; n] = gain(&x, 2.0f33);",
    "output y: [f32; n] = gain(&x, -1e39);",
    "output y: [f32; n] = gain(&x, -1e-60);",
    "output y: [f32; n] = shift(&x, 2.5);",
    "output y: [f32; n] = shift(&x, -129);",
    "output y: [f32; n] = shift(&x, 4 * n);",
    "ouput y: [f32; n] = square(&x);",
    "let mut a: [f32; n] = square(&x); output y: [f32; n] = square(&a);",
    "output y: [f32; n] = square(&a); let a: [f32; n] = square(&x);",
    "input z: [f32; n] = square(&x); output y: [f32; n] = square(&z);",
    "scalar s: [f32; n]; output y: [f32; n] = add(&x, &s);",
    "budget 1 gib; output y: [f32; n] = square(&x);",
    "dim m = 16; input z: [f32; m]; output y: [f32; m] = square(&z); output w: [f32; n] = square(&x);",
    "input z: &[f32; n]; output y: [f32; n] = square(&z); output w: [f32; n] = square(&x);",
    "in z: [f32; n]; output y: [f32; n] = square(&z); output w: [f32; n] = square(&x);",
    "out y: [f32; n] = square(&x);",
    "budget 8MiB; output y: [f32; n] = square(&x);",
    "let t: [f32; n] = square(&x); output y: [f32; n - 1] = add(&t[..n - 1], &x[1..n + 1]);",
    "dim m 4..=8; input z: [f32; m]; output y: [f32; m] = square(&z); output w: [f32; n] = square(&x);",
    "dim n in 1..=2; output y: [f32; n] = square(&x);",
    "pipelined 2u32; output y: [f32; n] = square(&x);",
    "/// Words.\nbudget 1 GiB; output y: [f32; n] = square(&x);",
    "'a: let a: [f32; n] = square(&x); 'b: output y: [f32; n] = square(&a); order a -> 'b;",
    "'a: let a: [f32; n] = square(&x); 'a: output y: [f32; n] = square(&a);",
    "let a: [f32; n]; output y: [f32; n] = add(&x, &a);",
    "let a: [f32; n] = square(&x); output y: [f32; n] = square(&x);",
    "let a: [f32; n]; a = square(&x); a = gain(&x, 2.0); output y: [f32; n] = square(&a);",
    "let a: [f32; n] = square(&x); output y: [f32; n] = square(&a); a = square(&x);",
    "workspace w: [f32; n] zeroed preserved; scale(&mut w); output y: [f32; n] = square(&x);",
    "workspace w: [f32; n] per_task preserved; scale(&mut w); output y: [f32; n] = square(&x);",
    "workspace w: bytes(n); scale(&mut w); output y: [f32; n] = square(&x);",
    "workspace w: [f32; n]; scale(&w); output y: [f32; n] = square(&x);",
    "workspace w: [f32; n] zeroed exclusive; scale(&mut w); scale(&mut w); \
     output y: [f32; n] = square(&x);",
    "scalar s: f32; output y: [f32; n] = gain(&x, &s);",
    "output y: [f32; n] = square(xx);",
    "output y: [f32, n] = square(&x);",
    "output y: [n; f32] = square(&x);",
    "input z: [f32; n]; scale(&mut z); output y: [f32; n] = add(&x, &z);",
    "input z: [f32; n]; let a: [f32; n] = relu(&z); alias a with z; output y: [f32; n] = add(&x, &a);",
    "resident input mut z: [f32; n]; output y: [f32; n] = add(&x, &z);",
    "input z: [[f32; 2]; n]; output w: [f32; n, 2] = twice(&z); output y: [f32; n] = square(&x);",
    "input z: [bool; n]; output w: [u8; n] = level(&z); output y: [f32; n] = square(&x);",
    "input z: [f16; n]; output y: [f32; n] = add(&x, &z);",
    "input z [f32; n]; output y: [f32; n] = add(&x, &z);",
    "output y: [f64; n] = square(&x);",
    "output y: [f32; n, 2] = square(&x);",
    "output y: [f32; n - 1] = square(&x);",
    "dim m in 1..=4; output y: [f32; n] = square(&x);",
    "dim m: 1..=4; input z: [f32; m]; output w: [f32; m] = square(&z); output y: [f32; n] = square(&x);",
    "dim m: usize in 1..=4; input z: [f32; m]; output w: [f32; m] = square(&z); output y: [f32; n] = square(&x);",
    "streams = 2; output y: [f32; n] = square(&x);",
    "budget = 1 MiB; output y: [f32; n] = square(&x);",
    "scope: \"one frame\"; output y: [f32; n] = square(&x);",
    "minimize = peak; output y: [f32; n] = square(&x);",
    "streams 0; output y: [f32; n] = square(&x);",
    "streams 2; streams 3; output y: [f32; n] = square(&x);",
    "output y: [f32; n] = square(&x[..n + 1]);",
    "output y: [f32; 40]; for i in 0..40 { y[i..i + 1] = square(&x[i..i + 1]); }",
    "staging s: [f32; n]; let t: [f32; n] = upload(&s); output y: [f32; n] = add(&x, &t);",
    "scalar gian: f32; output y: [f32; n] = gain(&x, gain);",
    "budget 1 GiB, output y: [f32; n] = square(&x);",
    "let a: [f32; n] = square(&x); let b: [f32; n] = relu(&a); alias b with a; alias a with b; \
     output y: [f32; n] = square(&b);",
    "let a: [f32; n] = square(&x); let b: [f32; n] = relu(&a); 'c: let c: [f32; n] = square(&x); \
     alias b with a; alias c with a; output y: [f32; n] = add(&b, &c);",
    "scalar by: f32; target latancy; output y: [f32; n] = gain(&x, by);",
    "issue grahp; output y: [f32; n] = square(&x);",
    "scalar by: i8 finite; output y: [f32; n] = shift(&x, by);",
    "tolerance y: 1e-3; tolerance y: 1e-5; output y: [f32; n] = square(&x);",
    // Tasks without labels that an order would have to name.
    "let a: [f32; n] = square(&x); let b: [f32; n] = square(&x); let c: [f32; n] = square(&x); \
     let d: [f32; n] = square(&a); alias b with a; output y: [f32; n] = add(&d, &b); \
     output z: [f32; n] = square(&c);",
    "let a: [f32; n] = square(&x); let b: [f32; n] = square(&a); let c: [f32; n] = square(&a); \
     let d: [f32; n] = relu(&a); alias d with a; output y: [f32; n] = add(&b, &c); \
     output z: [f32; n] = square(&d);",
];

/// Items.
const ITEMS: &[&str] = &[
    "kernel f(x: [f32; n]) -> [f32; n] { host k::f }",
    "kernel f(x: &[usize; n]) -> [u64; n] { host k::f }",
    "kernel f(x: &[f23; n]) -> [f32; n] { host k::f }",
    "kernel f(x: &[f32; n]) -> [f32; n] { host k::f() }",
    "kernel f(x: &[f32; n]) -> [f32; n] { host k::f, host k::g }",
    "kernel f(x: &[f32; n]) -> [f32; n] {}",
    "kernel f(x: &[f32; n]) -> [f32; n] { cuda \"__global__ void f() {}\", host k::f }",
    "kernel f(x: &[f32; n], x: f32) -> [f32; n] { host k::f }",
    "kernel f(x: &[f32; n]) -> [f32; n] { over [n] block [0], host k::f }",
    "kernel f(x: &[f32; n]) -> [f32; n] { over [n] block [8, 32], host k::f }",
    "kernel f(x: &[f32; n]) -> [f32; n] { over [m] block [64], host k::f }",
    "kernel f(x: &[f32; n]) -> [f32; n] { shared 64 KiB, host k::f }",
    "kernel f(x: &mut [f32; n]) { in place x host k::g, host k::f }",
    "kernel f(x: &[bool; n]) -> [u8; n] { host k::f }",
    "kernel f(x: &[[f32; w]; h]) -> [f32; h, w] { host k::f }",
    "kernel f(x: &[f32; n]) -> [f32; n] = x * x cost 10us;",
    "kernel f(x: &mut [f32; n]) { over [n], block [8], host k::f }",
    "kernel f(x: &mut [f32; n]) { host k::f, cost 10us }",
    "kernel f(x: &[f32; type]) { host k::f }",
    "kernel f(x: &[f32; n]) -> [f32; type] { host k::f }",
    "kernel f(x: &[f32; n]) { over: [n], host: k::f, cost: 10 us }",
    "kernel f(x: &[f32; n]) { over [n] host k::f }",
    "kernel f(x: &[f32; n]) { host k::f cost 10 us }",
    "fn f(x: &mut [f32; n]) { host k::f }",
    "kernel f(x: &[f32; n], y: &[f32; m, n]) { host k::f } \
     graph G { dim n in 1..=4; input x: [f32; n]; input z: [f32; 2, n]; output y: [f32; 2] = f(&x, &z); }",
    "kernel f(x: &[f32; n, m]) -> [f32; n, m] { over [n, m] block [8], host k::f }",
    "kernel f(x: &[f32; n], by: f32 finite) -> [f32; n] { host k::f }",
    "kernel f(x: &mut [f32; n], y: &[f32; n]) { zeroed y, host k::f }",
    "kernel f(x: &[f32; n]) -> [f32; n] { cost 1 us, cost 2 us, host k::f }",
    "kernal f(x: &[f32; n]) -> [f32; n] { host k::f }",
    "#![doc = \"Words.\"] kernel f(x: &[f32; n]) -> [f32; n] { host k::f }",
];

/// Part of the body of an expression kernel, which uses all of its parameters.
const EXPRESSIONS: &[&str] = &[
    "x[0]",
    "2 * x + 0.5 - 1.",
    "x * 2i32",
    "x * 2.5f64",
    "300 as i8 as f32",
    "i",
    "x * i",
    "x + (i + 1i8)",
    "h * x",
    "a - (h + 1f16)",
    "if h < x { x } else { a }",
    "if x < a { h } else { x }",
    "h.min(x)",
    "x.min(i)",
    "x.mul_add(a, u)",
    "(-u) as f32",
    "a * (-u) as f32",
    "if i & 1i8 { x } else { a }",
    "if u { x } else { a }",
    "if x > a { x } else { i }",
    "if (x > a) & (x < 3f32) { x } else { a }",
    "if (x > a) | (x < 3f32) { x } else { a }",
    "(x > a) as f32",
    "(x > a) as f32 * x",
    "xx + a",
    "x + m",
    "x * m * m",
    "x + m.exp()",
    "x.powi(2)",
    "(x + a).powi(3)",
    "x + sam(m)",
    "x + m.sum()",
    "x + (m * a).max()",
    "min(x, a)",
    "exp(x) + sqrt(a * a)",
    "x.squrt()",
    "1u33 as f32",
];

/// Statements of a stage with `x: &mut [f32; n], w: &[f32; n], by: f32`.
const STAGES: &[&str] = &[
    "scale(&x);",
    "scale(x);",
    "let t: [f32; n] = gian(&x, by);",
    "let t: [f32; n] = gain(&xx, by);",
    "let t: [f32; n] = gain(&x, bye);",
    "let t: [f32; n] = gain(&w);",
    "let t: [f32; n] = gain(&w, 1);",
    "let t: [f32; n_] = gain(&w, by);",
    "let t: [f32; n] = square(&w); let t: [f32; n] = square(&x);",
    "let t: [f32; n] = square(&u); let u: [f32; n] = square(&x);",
    "'a: scale(&mut x); 'a: scale(&mut x);",
    "'a: scale(&mut x); 'b: scale(&mut x); order 'a -> 'bb;",
    "budget 2 MiB; scale(&mut x);",
    "for l in 0..4 { scale(&x[l..l + 1]); }",
    "for l in 0..4 { input y: [f32; n]; scale(&mut x); }",
    "for l in 0..4 { const A: usize = 1; const A: usize = 2; scale(&mut x[A..]); }",
];

/// Mends that were made.
fn mended(text: &str) -> usize {
    let mut text = text.to_owned();
    for made in 0..20 {
        let refused = Expanded::new(&text);
        let Some(fault) = refused.faults.first() else {
            return made;
        };
        let fix = fault.fixes.first();
        let fix = fix.unwrap_or_else(|| panic!("{}: {:?}\n{text}", key(fault), fault.help));
        text = apply::apply(&text, fix, &refused.sites);
    }
    panic!("there is no end of it: {text}");
}

#[test]
fn every_slip_is_mended_by_its_help() {
    let statements = STATEMENTS
        .iter()
        .map(|slip| format!("{KERNELS} graph G {{ dim n in 4..=64; input x: [f32; n]; {slip} }}"));
    let stages = STAGES.iter().map(|slip| {
        format!(
            "{KERNELS} stage f(x: &mut [f32; n], w: &[f32; n], by: f32) \
             {{ {slip} let v: [f32; n] = gain(&w, by); scale(&mut x); }}"
        )
    });
    let items = ITEMS.iter().map(|slip| (*slip).to_owned());
    let kernel = "kernel f(x: &[f32; n], i: &[i8; n], u: &[u64; n], h: &[f16; n], m: &[f32; k], a: f32) -> [f32; n] =";
    let all = "0f32 * (x + i as f32 + u as f32 + h as f32 + sum(m) + a)";
    let expressions = EXPRESSIONS.iter();
    let expressions = expressions.map(|slip| format!("{kernel} ({slip}) + {all};"));
    for text in statements.chain(stages).chain(items).chain(expressions) {
        assert!(mended(&text) > 0, "nothing is wrong with {text}");
    }
}
