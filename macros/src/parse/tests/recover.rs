use super::parse;

fn places(source: &str) -> Vec<String> {
    parse(source)
        .faults
        .into_iter()
        .map(|(_, text)| text)
        .collect()
}

#[test]
fn every_fault_is_reported_once() {
    let source = "
        kernel f(x: &[f32], ok: f32, y: [f32; n]) -> [f32; n] { hots a, over [], host f }
        bad thing { ; }
        graph G {
            dim h = 4;
            input x: [bool; h];
            let y: [f32; h] = f(&x) let z: [f32; h] = g(&);
            for i in 0..4 { a; b; }
            output o: [f32; h] = f(*x);
        }
        kernel";
    let found = [
        "]", "[", "hots", "]", "bad", "=", "bool", "let", ")", "a", "b", "*", "l",
    ];
    assert_eq!(places(source), found);
}

#[test]
fn what_follows_a_missing_separator_is_read() {
    let parsed = parse("graph G { let x: [f32; n] let y: [f32; n]; 'a: f() 'b: g(); }");
    assert_eq!(parsed.faults.len(), 2);
    assert_eq!(parsed.items.graphs[0].body.stmts.len(), 4);
    let parsed = parse("kernel f() { over [n] host f }");
    assert_eq!(parsed.faults.len(), 1);
    assert!(parsed.items.kernels[0].host.is_some());
}

#[test]
fn what_was_declared_stays_where_its_call_cannot_be_read() {
    let parsed = parse("graph G { output y: [f32; n] = f(*x); }");
    let graph = &parsed.items.graphs[0];
    assert!(graph.broken && graph.body.stmts.len() == 1);
    let parsed = parse("pub kernel f(x: &[f32; n]) -> what { host f }");
    let kernel = &parsed.items.kernels[0];
    assert!(kernel.broken && kernel.params.len() == 1);
}

#[test]
fn a_broken_item_does_not_hide_the_next() {
    let parsed = parse("kernel f( { } ) ; kernel g() {} graph 5 {} graph H {}");
    assert_eq!(parsed.items.kernels.len(), 2);
    assert_eq!(parsed.items.graphs.len(), 1);
}
