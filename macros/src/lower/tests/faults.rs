//! What is refused of constants and loops, and where, and how often that is said.

use std::time::Instant;

use gpu_graph_analysis::fault::*;

use super::lower;

pub const ITEMS: &str = "
    kernel step(x: &[f32; n]) -> [f32; n] { host k::step }
    kernel shift(x: &mut [f32; n], by: u32) { host k::shift }
";

/// The codes of all faults, in order, and the text that each points to.
pub fn faults(text: &str) -> Vec<(Code, String)> {
    let faults = lower(&format!("{ITEMS}{text}")).faults;
    faults
        .into_iter()
        .map(|(fault, at)| (fault.code, at))
        .collect()
}

#[track_caller]
pub fn only(text: &str, code: Code, at: &str) {
    assert_eq!(faults(text), [(code, at.to_owned())], "{text}");
}

/// In a graph with an input `x` of `n` elements, and a transient `y` of as many.
#[track_caller]
fn statement(text: &str, code: Code, at: &str) {
    let graph = format!(
        "graph G {{ dim n in 8..=16; input x: [f32; n]; let y: [f32; n] = step(&x); {text} }}"
    );
    only(&graph, code, at);
}

#[test]
fn constants() {
    only("const A: u8 = 256;", CONSTANT, "256");
    only("const A: u8 = 1 - 2;", CONSTANT, "1 - 2");
    only(
        "const A: i64 = 9223372036854775807 + 1;",
        CONSTANT,
        "9223372036854775807 + 1",
    );
    only(
        "const A: u64 = 18446744073709551615;",
        CONSTANT,
        "18446744073709551615",
    );
    only("const A: usize = 4 / (2 - 2);", CONSTANT, "4 / (2 - 2)");
    only("const A: usize = B; const B: usize = 1;", UNKNOWN_NAME, "B");
    only(
        "const A: usize = 1; const A: usize = 2;",
        DUPLICATE_NAME,
        "A",
    );
    only("const A: usize = C; const B: usize = A;", UNKNOWN_NAME, "C");
    statement("const A: usize = n;", UNKNOWN_NAME, "n");
    statement("const n: usize = 1;", DUPLICATE_NAME, "n");
    statement("const A: i8 = -1; dim m in A..=4;", CONSTANT, "A");
    statement("dim m in 1..=n;", WRONG_KIND, "n");
    statement("const A: usize = 3; dim m in A..A;", EMPTY_DIM, "A..A");
    statement(
        "const A: usize = 0; let z: [f32; n / A];",
        NOT_AFFINE,
        "n / A",
    );
}

#[test]
fn a_refused_constant_is_not_reported_where_it_is_used() {
    let text = "const A: u8 = 256; kernel f(x: &[f32; A]) { host k::f }
        stage s(x: &[f32; n, A]) {}
        graph G { input x: [f32; A]; f(&x); for l in 0..A { f(&x); } }";
    only(text, CONSTANT, "256");
}

#[test]
fn loops() {
    statement("for l in 0..n { shift(&mut y, l); }", WRONG_KIND, "n");
    statement("for l in 0..4 { shift(&mut y, m); }", UNKNOWN_NAME, "m");
    statement(
        "for l in 0..2 { let y: [f32; n] = step(&x); }",
        DUPLICATE_NAME,
        "y",
    );
    statement("for n in 0..2 { shift(&mut y, 1); }", DUPLICATE_NAME, "n");
    statement("for l in 0..2 { for l in 0..2 {} }", DUPLICATE_NAME, "l");
    statement(
        "for l in 0..1 { let t: [f32; n] = step(&x); } shift(&mut t, 1);",
        UNKNOWN_NAME,
        "t",
    );
    statement(
        "for l in 0..1 { 'a: shift(&mut y, 1); } 'b: shift(&mut y, 1); order 'a -> 'b;",
        UNKNOWN_NAME,
        "'a",
    );
    statement(
        "for l in 0..1 { step(&z); } let z: [f32; n];",
        UNKNOWN_NAME,
        "z",
    );
    statement(
        "for l in 0..1 { separate y, z; } let z: [f32; n];",
        UNKNOWN_NAME,
        "z",
    );
    statement(
        "for l in 0..=8 { shift(&mut y[l..l + 1], 1); }",
        VIEW_BOUNDS,
        "[l..l + 1]",
    );
}

#[test]
fn what_unrolls_to_too_much_is_refused_before_it_is_made() {
    let begun = Instant::now();
    statement(
        "for l in 0..65_536 { shift(&mut y, 1); }",
        UNROLLED,
        "0..65_536",
    );
    statement(
        "for l in 0..1_000_000_000_000 {}",
        UNROLLED,
        "0..1_000_000_000_000",
    );
    statement(
        "for l in 0..60_000 { for m in 0..60_000 { shift(&mut y, 1); } }",
        UNROLLED,
        "0..60_000",
    );
    statement(
        "for l in 0..300 { for m in 0..l + 1 { for k in m..m + 4 { shift(&mut y, 1); } } }",
        UNROLLED,
        "0..300",
    );
    statement(
        "for l in 0..40_000 { shift(&mut y, 1); } for m in 0..40_000 { step(&y); }",
        UNROLLED,
        "0..40_000",
    );
    let mut text = "stage s0(x: &mut [f32; n]) { shift(&mut x, 1); }".to_owned();
    for i in 1..30 {
        text += &format!(
            "stage s{i}(x: &mut [f32; n]) {{ s{j}(&mut x); s{j}(&mut x); }}",
            j = i - 1
        );
    }
    let graph =
        "graph G { dim h in 8..=9; input i: [f32; h]; let a: [f32; h] = step(&i); s29(&mut a); }";
    assert_eq!(
        faults(&format!("{text}{graph}")),
        [(UNROLLED, "s16".to_owned())]
    );
    let many = "stage s(x: &mut [f32; n]) { for l in 0..1_100 { shift(&mut x, 1); } }
        graph G { dim h in 8..=9; input i: [f32; h]; let a: [f32; h] = step(&i); let b: [f32; h] = step(&i);
        'a: s(&mut a); 'b: s(&mut b); order 'a -> 'b; }";
    assert_eq!(faults(many), [(UNROLLED, "order 'a -> 'b".to_owned())]);
    // A count of that size takes milliseconds, what it refuses would take hours.
    assert!(begun.elapsed().as_secs() < 60);
}

#[test]
fn a_fault_in_a_body_is_one_and_says_where_it_was_found() {
    let found = |text: &str| {
        let mut faults = lower(&format!("{ITEMS}{text}")).faults;
        assert_eq!(faults.len(), 1, "{faults:?}");
        faults.remove(0)
    };
    let stage = "stage f(x: &mut [f32; n]) { for i in 0..3 { shift(&mut x[i..i + 7], 1); } }";
    let graphs = ["G", "H"].map(|name| {
        format!(
            "graph {name} {{ dim h in 8..=9; input i: [f32; h]; let a: [f32; h] = step(&i);
            for l in 0..2 {{ f(&mut a); }} }}"
        )
    });
    let (fault, at) = found(&format!("{stage}{}", graphs.join(" ")));
    assert_eq!((fault.code, &*at), (VIEW_BOUNDS, "[i..i + 7]"));
    assert_eq!(fault.message, "`x[2..9]` may leave `x`");
    assert_eq!(
        fault.notes.last().unwrap(),
        "this is in `l=0.f.i=2`, and in 3 more"
    );
    assert_eq!(fault.labels.last().unwrap().text, "in this call");
    // What is wrong of the text itself is wrong everywhere.
    let (fault, _) = found(&format!("{}{}", stage.replace("i + 7", "j"), graphs[0]));
    assert_eq!(fault.code, UNKNOWN_NAME);
    assert_eq!(fault.notes, ["the declared dims are `n` and `i`"]);
}

#[test]
fn a_dim_that_is_missing_is_said_once_with_how_to_declare_it() {
    let mut found = lower(&format!(
        "{ITEMS} graph G {{ dim n in 8..=16; input x: [f32; w]; input y: [f32; n, w + 1]; }}"
    ));
    assert_eq!(found.faults.len(), 1, "{:?}", found.faults);
    let (fault, at) = found.faults.remove(0);
    assert_eq!((fault.code, &*at), (UNKNOWN_NAME, "w"));
    let help = "declare it, as in `dim w in 1..=1024;`";
    assert_eq!(fault.help.as_deref(), Some(help));
}

#[test]
fn a_scalar_that_a_call_leaves_out_is_no_unused_one() {
    statement(
        "scalar s: u32; let z: [f32; n] = step(&x); shift(&mut z);",
        ARGUMENT_COUNT,
        ")",
    );
}

#[test]
fn an_unused_scalar_is_reported_beside_other_faults() {
    let found = faults(
        "graph G { dim n in 8..=16; scalar s: u32; scalar t: u32; input x: [f32; n];
        let y: [f32; n] = step(&z); shift(&mut y, t); }",
    );
    assert_eq!(
        found,
        [(UNUSED, "s".to_owned()), (UNKNOWN_NAME, "z".to_owned())]
    );
    // One that stands in the wrong place is no unused one.
    statement(
        "scalar s: u32; let z: [f32; n] = step(&s);",
        WRONG_KIND,
        "s",
    );
    // What stands in a loop that cannot be unrolled may be any name.
    statement(
        "scalar s: u32; for l in 0..n { shift(&mut y, s); }",
        WRONG_KIND,
        "n",
    );
}

#[test]
fn a_scalar_that_a_misspelt_name_may_mean_is_no_unused_one() {
    for statement in ["shift(&mut y, gain);", "shift(&mut y, other);"] {
        let found = faults(&format!(
            "graph G {{ dim n in 8..=16; scalar gian: u32; input x: [f32; n];
            let y: [f32; n] = step(&x); {statement} }}"
        ));
        assert_eq!(found.len(), 1, "{found:?}");
        assert_eq!(found[0].0, UNKNOWN_NAME);
    }
}

#[test]
fn unknown_kernels_are_reported_beside_what_cannot_be_read() {
    let graph = "graph G { dim n in 8..=16; input x: [f32; n]; let y: [f32; n] = stop(&x); }";
    let found = faults(&format!("kernel f(x: &[f32]) {{ host f }} {graph}"));
    assert_eq!(
        found,
        [(SYNTAX, "]".to_owned()), (UNKNOWN_NAME, "stop".to_owned())]
    );
    let found = faults(&format!("graph H {{ let y = f(); }} {graph}"));
    assert_eq!(
        found,
        [(SYNTAX, "=".to_owned()), (UNKNOWN_NAME, "stop".to_owned())]
    );
    // An item without a name may be that kernel, and so may one that was skipped.
    only(&format!("karnel stop() {{ }} {graph}"), SYNTAX, "karnel");
    only(
        &format!("kernel f() -> [f32; 4] kernel stop() {{ host f }} {graph}"),
        SYNTAX,
        "kernel",
    );
}

#[test]
fn what_is_retained_is_declared_before_the_call() {
    let graph = |kept: &str| {
        format!(
            "opaque lib(x: &[f32; n]) -> [f32; n] {{ host k::lib }}
            graph G {{
                dim n in 8..=16;
                input x: [f32; n];
                let a: [f32; n] = step(&x);
                let b: [f32; n] = lib(&a) retains {kept} until 'last;
                let c: [f32; n] = step(&a);
                'last: let d: [f32; n] = step(&c);
                output y: [f32; n] = step(&d);
                output z: [f32; n] = step(&b);
            }}"
        )
    };
    only(&graph("c"), UNKNOWN_NAME, "c");
    assert!(faults(&graph("a")).is_empty());
}

/// An absolute path stands for itself.
#[test]
fn what_is_no_plain_file_is_refused_where_it_is_named() {
    let kernel = |file: &str| {
        let text = format!(
            "kernel f(x: &[f32; n]) -> [f32; n] {{ over [n], cuda \"{file}\", host k::f }}"
        );
        only(&text, FILE, &format!("\"{file}\""));
    };
    let folder = std::env::temp_dir().join(format!("gpu-graph-{}.ptx", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    kernel(folder.to_str().unwrap());
    std::fs::remove_dir(&folder).unwrap();
    kernel("macros/src");
    if cfg!(unix) {
        kernel("/dev/zero");
    }
}
