//! What variants make of a graph, and what is refused of them.

use gpu_graph_analysis::fault::*;

use super::lower;

const ITEMS: &str = "
    kernel step(x: &[f32; n]) -> [f32; n] { host k::step }
    kernel shift(x: &mut [f32; n], by: u32) { host k::shift }
";

/// The codes of all faults, in order, and the text that each points to.
fn faults(text: &str) -> Vec<(Code, String)> {
    let faults = lower(&format!("{ITEMS}{text}")).faults;
    let faults = faults.into_iter();
    faults.map(|(fault, at)| (fault.code, at)).collect()
}

/// In a graph with an input `x` of `n` elements, a transient `y` of as many, and two variants.
#[track_caller]
fn statement(text: &str, code: Code, at: &str) {
    let graph = format!(
        "graph G {{ dim n in 8..=16; variant a {{ p, q }} variant b {{ u, v, w }}
         input x: [f32; n]; let y: [f32; n] = step(&x);
         match a {{ _ => {{}} }} match b {{ _ => {{}} }} {text} }}"
    );
    assert_eq!(faults(&graph), [(code, at.to_owned())], "{text}");
}

#[test]
fn arms_are_the_values_of_a_variant_once_each() {
    statement("match c { p => {} q => {} }", UNKNOWN_NAME, "c");
    statement("match n { p => {} q => {} }", WRONG_KIND, "n");
    statement("match y { _ => {} }", WRONG_KIND, "y");
    statement("match a { p => {} q => {} r => {} }", UNKNOWN_NAME, "r");
    statement("match a { p => {} }", MISSING_ARM, "a");
    statement("match a { }", MISSING_ARM, "a");
    statement("match a { p => {} q => {} q => {} }", REPEATED_ARM, "q");
    statement("match a { p => {} q => {} _ => {} }", REPEATED_ARM, "_");
    statement("match a { _ => {} _ => {} }", REPEATED_ARM, "_");
    statement("match a { _ => {} p => {} }", REPEATED_ARM, "p");
}

#[test]
fn a_variant_is_matched_once_on_the_way_to_a_statement() {
    let twice = "match a { p => { match b { _ => { match a { _ => {} } } } } _ => {} }";
    statement(twice, SETTLED, "a");
    let one_after_another = "graph G { variant a { p, q } output y: [f32; 4];
        match a { p => { for i in 0..2 { match a { _ => {} } } } _ => {} } }";
    assert_eq!(faults(one_after_another), [(SETTLED, "a".to_owned())]);
    // What a stage does is settled where it is called.
    let stage = "stage s(x: &mut [f32; n]) { match a { p => { shift(&mut x, 1); } q => { shift(&mut x, 2); } } }
        graph G { variant a { p, q } input i: [f32; 4]; let x: [f32; 4] = step(&i);
        match a { p => { s(&mut x); } q => {} } }";
    assert_eq!(faults(stage), []);
}

#[test]
fn what_stands_in_an_arm_is_its_own() {
    statement(
        "match a { p => { let t: [f32; n] = step(&x); shift(&mut t, 1); } q => {} } shift(&mut t, 1);",
        UNKNOWN_NAME,
        "t",
    );
    statement(
        "match a { p => { let y: [f32; n] = step(&x); shift(&mut y, 1); } q => {} }",
        DUPLICATE_NAME,
        "y",
    );
    statement(
        "match a { p => { 'one: shift(&mut y, 1); } q => {} } 'two: shift(&mut y, 2); order 'one -> 'two;",
        UNKNOWN_NAME,
        "'one",
    );
    statement(
        "match a { p => { nowhere(&x); } q => {} }",
        UNKNOWN_NAME,
        "nowhere",
    );
    statement("shift(&mut y, a);", WRONG_KIND, "a");
    let text = "graph G { dim n in 8..=16; variant a { p, q } input x: [f32; n];
        match a {
            p => { let t: [f32; n] = step(&x); shift(&mut t, 1); }
            q => { let t: [f32; n] = step(&x); for l in 0..2 { let u: [f32; n] = step(&t); shift(&mut u, 1); } }
        }
        match a { _ => { let t: [f32; n] = step(&x); shift(&mut t, 2); } } }";
    let lowered = lower(&format!("{ITEMS}{text}"));
    assert!(lowered.faults.is_empty(), "{:?}", lowered.faults);
    let names = lowered.models.iter().map(|(model, _)| {
        let names = model.resources.iter().map(|r| r.name.as_str());
        names.collect::<Vec<_>>()
    });
    let names: Vec<_> = names.collect();
    assert_eq!(names[0], ["x", "a=p.t", "a#2=p.t"]);
    assert_eq!(
        names[1],
        ["x", "a=q.t", "a=q.l=0.u", "a=q.l=1.u", "a#2=q.t"]
    );
    let tasks: Vec<_> = lowered.models[0].0.tasks.iter().map(|t| &*t.name).collect();
    let expected = [
        "upload x",
        "a=p.t = step",
        "a=p.shift(&mut a=p.t)",
        "a#2=p.t = step",
        "a#2=p.shift(&mut a#2=p.t)",
    ];
    assert_eq!(tasks, expected);
}

#[test]
fn names_of_variants_are_names_of_the_graph() {
    let graph = |text: &str| {
        let found = faults(&format!("graph G {{ {text} }}"));
        assert_eq!(found.len(), 1, "{text}: {found:?}");
        found[0].clone()
    };
    let at = |text: &str, code, at: &str| assert_eq!(graph(text), (code, at.to_owned()), "{text}");
    at(
        "variant a { p, q } const a: usize = 1; match a { _ => {} }",
        DUPLICATE_NAME,
        "a",
    );
    at(
        "variant a { p, p } match a { _ => {} }",
        DUPLICATE_NAME,
        "p",
    );
    at(
        "variant a { p_q, pQ } match a { _ => {} }",
        VARIANT_NAME,
        "pQ",
    );
    at(
        "variant lane { p } match lane { _ => {} }",
        VARIANT_NAME,
        "lane",
    );
    at(
        "variant ab { p } variant Ab { p } match ab { _ => {} } match Ab { _ => {} }",
        VARIANT_NAME,
        "Ab",
    );
    at("variant a { p, q }", UNUSED, "a");
    let many = "variant a { p, q, r, s, t } variant b { p, q, r, s } match a { _ => {} } match b { _ => {} }";
    at(many, COMBINATIONS, "b");
    let most =
        "variant a { p, q, r, s } variant b { p, q, r, s } match a { _ => {} } match b { _ => {} }";
    assert_eq!(faults(&format!("graph G {{ {most} }}")), []);
}

#[test]
fn stages_that_no_graph_calls_are_looked_at_in_every_arm() {
    let stage = |arm: &str| {
        faults(&format!(
            "stage s(x: &mut [f32; n]) {{ match any {{ p => {{ shift(&mut x, 1); }} q => {{ {arm} }} }} }}"
        ))
    };
    assert_eq!(stage("shift(&mut x, 2);"), []);
    assert_eq!(stage("shift(&mut z, 2);"), [(UNKNOWN_NAME, "z".to_owned())]);
}
