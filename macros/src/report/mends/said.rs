//! What is said of slips, each of which is one error, and what its help leads to.

use super::{Expanded, apply, key};

const KERNELS: &str = "
    kernel square(x: &[f32; n]) -> [f32; n] = x * x;
    kernel add(x: &[f32; n], y: &[f32; n]) -> [f32; n] = x + y;
    kernel outer(x: &[f32; m], y: &[f32; n]) -> [f32; m, n] = x * y;
    kernel rowsum(x: &[f32; m, n]) -> [f32; m] = sum(x);
    kernel grow(x: &[f32; m, n]) -> [f32; m, n] = x + 1f32;
    kernel weigh(x: &[f32; m, n], by: &[f32; m]) -> [f32; m] = sum(x * by);
    kernel bump(x: &mut [f32; n], by: f32) = x + by;
    kernel product(a: &[f32; m, k], b: &[f32; k, n]) -> [f32; m, n] = sum(a * b);
    kernel scratch(x: &[f32; n], w: &mut [f32; n]) { host k::scratch }
";

/// A graph with `input x: [f32; n];` and `statements`, which may declare dims.
fn graph(statements: &str) -> String {
    let dim = match statements.contains("dim n") {
        true => "",
        false => "dim n in 1..=1024;",
    };
    format!("{KERNELS} graph G {{ {dim} input x: [f32; n]; {statements} }}")
}

/// Message, notes and help of each error.
fn all(text: &str) -> Vec<[String; 3]> {
    let faults = Expanded::new(text).faults.into_iter();
    let each = faults.map(|fault| {
        let notes = fault.notes.join("; ");
        [key(&fault), notes, fault.help.unwrap_or_default()]
    });
    each.collect()
}

/// The only error of a graph with `statements`.
#[track_caller]
fn only(statements: &str, [message, notes, help]: [&str; 3]) {
    let text = graph(statements);
    assert_eq!(all(&text), [[message, notes, help]], "{text}");
}

/// What is left when each help of the only error of `text` is applied by itself.
#[track_caller]
fn left(text: &str) -> Vec<Vec<String>> {
    let refused = Expanded::new(text);
    let [fault] = &refused.faults[..] else {
        panic!("{:?}\n{text}", refused.faults);
    };
    let fixes = fault.fixes.iter();
    let mended = fixes.map(|fix| Expanded::new(&apply::apply(text, fix, &refused.sites)));
    mended
        .map(|of| of.faults.iter().map(key).collect())
        .collect()
}

const AGAIN: &str = "
    dim n in 2..=256; input y: [f32; n];
    recompute let t: [f32; n, n] = outer(&x, &y);
    'first: let p: [f32; n, n] = grow(&t);
    let v: [f32; n] = rowsum(&p);
    'z: output o: [f32; n] = weigh(&t, &v);
";

#[test]
fn a_demand_that_stands_twice_is_one_error() {
    let once = format!("{AGAIN} recompute t before 'z;");
    assert_eq!(all(&graph(&once)), [[""; 3]; 0]);
    let twice = format!("{once} recompute t before 'z;");
    let note = "either demands the same value before the same task";
    let help = "drop this one, or drop the first";
    only(&twice, ["`recompute` stands twice [GG0106]", note, help]);
    assert_eq!(left(&graph(&twice)), [[""; 0], [""; 0]]);
}

#[test]
fn the_statement_that_a_demand_is_dropped_by_is_named() {
    let text = graph(&format!("{AGAIN} recompute t before 'first;"));
    let [[_, _, help]] = &all(&text)[..] else {
        panic!("{:?}", all(&text));
    };
    assert_eq!(help, "drop `recompute t before 'first`");
    assert_eq!(left(&text), [[""; 0]]);
}

#[test]
fn labels_that_are_there_are_told() {
    let three = "'a: let a: [f32; n] = square(&x); 'b: let b: [f32; n] = square(&x);
        'c: output c: [f32; n] = add(&a, &b); order 'b -> 'd;";
    let note = "the declared labels are `'a`, `'b` and `'c`";
    only(three, ["no label is called `'d` [GG0103]", note, ""]);
    let inside = "output y: [f32; n] = square(&x); for l in 0..2 { 'k: bump(&mut y, 1.0); }
        'e: bump(&mut y, 2.0); order 'k -> 'e;";
    let note = "what a loop declares is local to one iteration";
    only(inside, ["no label is called `'k` [GG0103]", note, ""]);
}

#[test]
fn what_a_block_declares_is_said_to_be_local() {
    let inside = "output y: [f32; n] = square(&x);
        for l in 0..2 { for k in 0..2 { let t: [f32; n] = square(&x); bump(&mut y, 1.0); } }
        output z: [f32; n] = square(&t);";
    let note = "what a loop declares is local to one iteration";
    let help = "declare `t` before the loop, and give it its value there";
    only(inside, ["no resource is called `t` [GG0103]", note, help]);
    let arm = "variant mode { fast, slow } output y: [f32; n] = square(&x);
        match mode { fast => { let t: [f32; n] = square(&x); } slow => { bump(&mut y, 1.0); } }
        output z: [f32; n] = square(t);";
    let note = "what an arm declares is local to it";
    let help = "declare `t` before the `match`, and give it its value there";
    only(arm, ["no resource is called `t` [GG0103]", note, help]);
}

/// The text at the places of the only error of `text`, with what is said there.
#[track_caller]
fn places(text: &str) -> Vec<(String, String)> {
    let refused = Expanded::new(text);
    let [fault] = &refused.faults[..] else {
        panic!("{:?}\n{text}", refused.faults);
    };
    let at = |site| {
        let region = refused.sites.region(site);
        let range = region.first.byte_range().start..region.last.byte_range().end;
        text[range].to_owned()
    };
    let labels = fault.labels.iter();
    let labels = labels.map(|label| (at(label.site), label.text.clone()));
    [(at(fault.site), fault.here.clone())]
        .into_iter()
        .chain(labels)
        .collect()
}

fn said(places: &[(String, String)]) -> Vec<(&str, &str)> {
    let each = places.iter();
    each.map(|(at, text)| (&**at, &**text)).collect()
}

#[test]
fn of_two_outputs_the_one_that_is_begun_first_is_in_the_way() {
    let one = "output a: [f32; n] = square(&x); output y: [f32; n] = square(&a); alias a with y;";
    let note = "`a` is an output: the host reads it after the run";
    let message = "`a` and `y` share storage but may be live at the same time [GG0204]";
    only(one, [message, note, "drop the `alias`"]);
}

#[test]
fn both_calls_that_an_order_would_name_are_shown() {
    let text = "let a: [f32; n] = square(&x); let b: [f32; n] = square(&a);
        let c: [f32; n] = square(&x); let d: [f32; n] = square(&c); alias b with c;
        output y: [f32; n] = add(&b, &d);";
    let expected = [
        ("b", "`b` would reuse that storage"),
        ("c", "`c` is written here"),
        ("&c", "`c` is still read here"),
        ("b", "`b` is written here"),
    ];
    assert_eq!(said(&places(&graph(text))), expected);
}

#[test]
fn a_number_is_called_as_it_is_written() {
    let help = "declare a `scalar` of type `f32`, and pass that";
    let text = "output y: [f32; n] = square(&x); for l in 0..3 { bump(&mut y, l); }";
    let message = "`by` of `bump` is `f32`, `l` is an integer [GG0307]";
    only(text, [message, "", help]);
    let text = "const HALF: usize = 2; output y: [f32; n] = square(&x);
        for l in 0..3 { bump(&mut y, HALF * l); }";
    let message = "`by` of `bump` is `f32`, `HALF * l` is an integer [GG0307]";
    only(text, [message, "", help]);
}

#[test]
fn elements_and_extents_of_one_declaration_are_one_error() {
    let text = "workspace w: bytes(4 * n); scratch(&x, &mut w); output y: [f32; n] = square(&x);";
    let note = "its extents differ, too: this is `[u8; 4 * n]`, and `[f32; n]` is needed";
    let help = "declare `w` as `[f32; n]`, or use a resource of `f32` elements";
    let message = "`w` of `scratch` has elements of type `f32`, `w` has `u8` [GG0304]";
    only(text, [message, note, help]);
    assert_eq!(left(&graph(text)), [[""; 0]]);
}

#[test]
fn the_declaration_is_blamed_that_the_others_contradict() {
    let text = "dim n in 1..=64; dim m in 1..=64; dim k in 1..=64; input a: [f32; m, k];
        input b: [f32; n, k]; output c: [f32; m, n] = product(&a, &b); output y: [f32; n] = square(&x);";
    let note = "extents must be equal for all admitted dims";
    let help = "declare `b` as `[f32; k, n]`, or use a resource or a view that is `[f32; k, n]`";
    let message = "`b` of `product` needs `[f32; k, n]` here, this is `[f32; n, k]` [GG0306]";
    only(text, [message, note, help]);
    assert_eq!(left(&graph(text)), [[""; 0]]);
    let text = "dim n in 1..=64; dim m in 1..=64; input z: [f32; m]; let a: [f32; m] = add(&x, &z);
        output b: [f32; m] = square(&a);";
    let help = "declare `x` as `[f32; m]` and drop the dim `n`, \
        or use a resource or a view whose extent there is `m`";
    let message = "`x` of `add` needs `m` here, this is `n` [GG0306]";
    only(text, [message, note, help]);
    assert_eq!(left(&graph(text)), [[""; 0]]);
}

#[test]
fn a_dim_goes_with_the_only_type_that_has_it() {
    let text =
        "dim n in 1..=64; dim m in 1..=64; input z: [f32; m]; output y: [f32; n] = add(&x, &z);";
    let note = "extents must be equal for all admitted dims";
    let help = "declare `z` as `[f32; n]` and drop the dim `m`, \
        or use a resource or a view whose extent there is `n`";
    let message = "`y` of `add` needs `n` here, this is `m` [GG0306]";
    only(text, [message, note, help]);
    assert_eq!(left(&graph(text)), [[""; 0]]);
    let also = format!("{text} input v: [f32; m]; output w: [f32; m] = square(&v);");
    let help = "declare `z` as `[f32; n]`, or use a resource or a view whose extent there is `n`";
    only(&also, [message, note, help]);
}

#[test]
fn a_constant_that_cannot_be_read_is_one_error() {
    let item = |constant: &str| {
        let graph = graph("output y: [f32; n] = square(&x); for l in 0..A { bump(&mut y, 1.0); }");
        format!("{constant} {graph}")
    };
    let note = "a constant is computed by `+`, `-`, `*` and `/`";
    let message = "expected `;`, found `<<` [GG0101]";
    assert_eq!(
        all(&item("const A: usize = 1 << 3;")),
        [[message, note, ""]]
    );
    let message = "expected an integer type, as in `usize`, found `f32` [GG0101]";
    let note = "only integers shape a graph";
    assert_eq!(all(&item("const A: f32 = 3.0;")), [[message, note, ""]]);
}

#[test]
fn a_name_that_stands_for_a_label_is_mended_with_the_task() {
    for text in [
        "let a: [f32; n] = square(&x); output y: [f32; n] = square(&x); 'z: output z: [f32; n] = square(&a);
            order y -> 'z;",
        "order y -> 'z; let a: [f32; n] = square(&x); output y: [f32; n] = square(&x);
            'z: output z: [f32; n] = square(&a);",
    ] {
        let help = "label the task with `'y:`, and write `'y`";
        let message = "expected the label of a task, found `y` [GG0101]";
        only(text, [message, "", help]);
        assert_eq!(left(&graph(text)), [[""; 0]]);
    }
    let text =
        "'s: output y: [f32; n] = square(&x); 'z: output z: [f32; n] = square(&x); order y -> 'z;";
    let help = "write `'s`, the label of the task";
    only(
        text,
        ["expected the label of a task, found `y` [GG0101]", "", help],
    );
    let text =
        "'s: output y: [f32; n] = square(&x); 'z: output z: [f32; n] = square(&x); order s -> 'z;";
    let help = "labels begin with a tick: `'s`";
    only(
        text,
        ["expected the label of a task, found `s` [GG0101]", "", help],
    );
}

#[test]
fn words_of_a_workspace_that_do_not_go_together_are_all_said() {
    let text = "workspace w: [f32; n] per_task exclusive preserved zeroed; scratch(&x, &mut w);
        output y: [f32; n] = square(&x);";
    let said = all(&graph(text));
    let messages: Vec<_> = said.iter().map(|[message, ..]| &**message).collect();
    let expected = [
        "what is preserved is one storage for all its users [GG0101]",
        "`exclusive` says a second time how its users go together [GG0101]",
        "`zeroed` says a second time what its users find [GG0101]",
    ];
    assert_eq!(messages, expected);
    let text = "workspace w: [f32; n] zero; scratch(&x, &mut w); output y: [f32; n] = square(&x);";
    only(
        text,
        ["unknown word `zero` [GG0101]", "", "did you mean `zeroed`?"],
    );
    assert_eq!(left(&graph(text)), [[""; 0]]);
}

#[test]
fn an_arm_without_braces_is_told_so() {
    let note = "without braces an arm is one call";
    let message = "the arm needs braces [GG0101]";
    let text =
        "variant mode { fast, slow } variant other { up, down } output y: [f32; n] = square(&x);
        match mode { fast => match other { up => { bump(&mut y, 1.0); } down => {} }, slow => {} }";
    only(text, [message, note, "put it in braces"]);
    assert_eq!(left(&graph(text)), [[""; 0]]);
    let text = "variant mode { fast, slow } output y: [f32; n] = square(&x);
        match mode { fast => workspace w: [f32; n], slow => {} }";
    only(text, [message, note, "put what the arm does in braces"]);
}

#[test]
fn figures_side_by_side_are_put_in_order() {
    let output = "output y: [f32; n] = square(&x);";
    let sum = format!("minimize peak + critical_path; {output}");
    let note = "a sum has weights, as in `2 / GiB * peak + 1 / ms * critical_path`";
    let message = "expected `, then` or `;`, found `+` [GG0101]";
    only(&sum, [message, note, "write `, then` in its place"]);
    let order = format!("minimize peak then critical_path; {output}");
    let message = "expected `, then` or `;`, found `then` [GG0101]";
    only(&order, [message, "", "write `,` before it"]);
    let bare = format!("minimize peak critical_path; {output}");
    let message = "expected `, then` or `;`, found `critical_path` [GG0101]";
    only(&bare, [message, "", "write `, then` before it"]);
    for text in [sum, order, bare] {
        assert_eq!(left(&graph(&text)), [[""; 0]]);
    }
}

#[test]
fn a_budget_is_said_in_the_largest_unit_that_is_exact() {
    let text = graph("budget 0 KiB; output y: [f32; n] = square(&x);");
    let [[_, _, help]] = &all(&text)[..] else {
        panic!("{:?}", all(&text));
    };
    assert_eq!(
        help,
        "write `budget 8 KiB;` or more, or lower the maximum of a dim"
    );
}

#[test]
fn what_stands_twice_is_shown_at_the_same_part() {
    let output = "output y: [f32; n] = square(&x);";
    for (text, first, second) in [
        ("budget 1 MiB; budget 2 MiB;", "1 MiB", "2 MiB"),
        ("issue graph; issue streams;", "graph", "streams"),
        ("streams 2; streams 3;", "streams 2", "streams 3"),
        ("minimize peak; minimize launches;", "minimize", "minimize"),
        ("scope \"a\"; scope \"b\";", "\"a\"", "\"b\""),
    ] {
        let shown = places(&graph(&format!("{text} {output}")));
        let expected = [(second, "repeated here"), (first, "first written here")];
        assert_eq!(said(&shown), expected);
    }
}

#[test]
fn one_is_counted_as_one() {
    let text = "input s: [f32; 1]; output y: [f32; n] = square(&x);
        output w: [f32; 2] = square(&s as [f32; 2]);";
    let message = "`s` has `1` element, this shape `2` [GG0317]";
    let help = "write `[f32; 1]`, or give it as many elements";
    only(text, [message, "these are 1 and 2", help]);
}

#[test]
fn an_extent_that_may_be_negative_is_shown_itself() {
    let text = "input q: [f32; 2, n - 5]; output y: [f32; n] = square(&x);
        output r: [f32; 2, n - 5] = grow(&q);";
    let expected = [("n - 5", ""), ("n - 5", "so may that of `r`")];
    assert_eq!(said(&places(&graph(text))), expected);
}
