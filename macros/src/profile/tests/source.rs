//! What the source of a graph is known by, as `language.md` says it.

use gpu_graph_analysis::digest::Digest;

use super::form::FILE;
use crate::lower::{Cx, Decls};

const PROGRAM: &str = "
    kernel f(x: &[f32; n]) -> [f32; n] = x + 1f32, cost 3 us;
    kernel wide(x: &[f32; n]) -> [f32; 64, n] {
        over [64, n] block [1, 64], cuda r#\"KERNEL(wide) { }\"#, host k::wide
    }
    kernel g(x: &[f32; 64, n], by: f32) -> [f32; n] { host k::g }
    kernel both(x: &[f32; 64, n], y: &[f32; n]) -> [f32; n] { host k::both }
    pub graph G {
        dim n in 2..=99;
        streams 3;
        input x: [f32; n];
        scalar by: f32;
        recompute let a: [f32; 64, n] = wide(&x);
        'b: let b: [f32; n] = g(&a, by);
        let c: [f32; 64, n] = wide(&b);
        'd: let d: [f32; n] = g(&c, by);
        'z: let z: [f32; n] = both(&a, &d);
        output y: [f32; n] = f(&z);
    }";

/// The last statement.
const DEMAND: &str = "output y: [f32; n] = f(&z);";

fn known_by(text: &str) -> Digest {
    let mut cx = Cx::default();
    let tokens = text.parse().expect("the test's text is made of tokens");
    let items = crate::parse::items(tokens, &mut cx.sites, &mut cx.errors);
    let kernels = crate::lower::kernels(&items.kernels, &mut cx);
    let decls = Decls::new(&kernels, &[]);
    let proved = crate::proved(&items.graphs[0], &decls, &mut cx);
    let faults = cx.errors.take();
    let proved = proved.unwrap_or_else(|| panic!("{text}: {faults:?}"));
    let source = proved[0].0.model.declared.source;
    source.expect("each graph has it")
}

#[track_caller]
fn changed(from: &str, to: &str) -> Digest {
    assert!(PROGRAM.contains(from), "{from}");
    known_by(&PROGRAM.replacen(from, to, 1))
}

#[test]
fn what_only_says_what_to_plan_for_is_no_part_of_the_source() {
    let source = known_by(PROGRAM);
    let more = |statement: &str| format!("streams 3; {statement}");
    let stale = format!("gpu-graph-{}-source.json", std::process::id());
    let stale = std::env::temp_dir().join(stale);
    std::fs::write(&stale, FILE).expect("there is room for a file");
    for (from, to) in [
        ("graph G", "graph Other"),
        ("pub graph", "/// Text.\n graph"),
        ("streams 3;", ""),
        ("streams 3;", "streams 1;"),
        ("streams 3;", &more("budget 1 GiB;")),
        ("streams 3;", &more("minimize peak, then critical_path;")),
        ("streams 3;", &more("target latency;")),
        ("streams 3;", &more("issue graph;")),
        ("streams 3;", &more("scope \"one frame\";")),
        ("streams 3;", &more("tolerance y: 1e-3;")),
        // It is of another source.
        (
            "streams 3;",
            &more(&format!("profile {:?};", stale.display())),
        ),
        ("cost 3 us", "cost 4 us"),
        (", cost 3 us", ""),
        ("by: f32;", "by: f32 finite;"),
        ("recompute let", "let"),
        ("'b: let", "'other: let"),
        (DEMAND, &format!("{DEMAND} recompute a before 'z;")),
        (DEMAND, &format!("{DEMAND} stable address y;")),
    ] {
        assert_eq!(changed(from, to), source, "{from} as {to}");
    }
    let _ = std::fs::remove_file(stale);
}

#[test]
fn what_runs_is_part_of_the_source() {
    let source = known_by(PROGRAM);
    for (from, to) in [
        ("2..=99", "2..=98"),
        ("streams 3;", "pipelined 2;"),
        ("x + 1f32", "x + 2f32"),
        ("host k::g", "host k::other"),
        ("block [1, 64]", "block [1, 32]"),
        ("KERNEL(wide) { }", "KERNEL(wide) { INDEX(i, j); }"),
        ("g(&a, by)", "g(&a, 2.0)"),
        ("input x: [f32; n];", "input x: [f32; n] in domain here;"),
        ("input x: [f32; n];", "input mut x: [f32; n];"),
        ("output y:", "order 'b -> 'd; output y:"),
        ("output y:", "separate b, d; output y:"),
        ("output y:", "escape z as p owned by run; output y:"),
        ("let c:", "output more: [f32; 64, n] = wide(&b); let c:"),
    ] {
        assert_ne!(changed(from, to), source, "{from} as {to}");
    }
}
