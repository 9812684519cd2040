//! What a help makes of an expression that has a dim too many, or none to reduce.

use super::lower;

/// Where each fault stands, and its help. `n` is a dim of the target, `k` and `m` are not.
fn helps(expression: &str) -> Vec<(String, String)> {
    let source = format!(
        "kernel f(a: &[f32; n, k], b: &[f32; k, n], x: &[f32; k], v: &[f32; m], c: &[f32; n], \
         s: f32, u: &[u8; k]) -> [f32; n] = {expression};"
    );
    let faults = lower(&source).faults;
    let reduced = faults
        .into_iter()
        .filter(|(fault, _)| fault.code.to_string() == "GG0705");
    reduced
        .map(|(fault, at)| (at, fault.help.unwrap_or_default()))
        .collect()
}

#[track_caller]
fn reduced(expression: &str, expected: &[(&str, &str)]) {
    let found = helps(expression);
    let found: Vec<_> = found.iter().map(|(at, help)| (&**at, &**help)).collect();
    assert_eq!(found, expected, "{expression}");
}

#[test]
fn a_product_is_reduced_as_one() {
    for (expression, product) in [
        ("a * b", "a * b"),
        ("x * x", "x * x"),
        ("c * (a * b)", "a * b"),
        ("a * c * b", "a * c * b"),
        ("-(a * b) + c", "a * b"),
        ("(x - c) * (x - c)", "(x - c) * (x - c)"),
        ("a * x.exp()", "a * x.exp()"),
        ("a * b + x", "a * b + x"),
        ("x.mul_add(b, a)", "x.mul_add(b, a)"),
        ("x * v", "x * v"),
    ] {
        let help = format!("reduce it: `sum({product})`");
        reduced(expression, &[(product, &help)]);
    }
}

#[test]
fn terms_over_other_dims_are_reduced_each() {
    let sum = |of: &str| format!("reduce it: `sum({of})`");
    reduced("x + v", &[("x", &sum("x")), ("v", &sum("v"))]);
    reduced("a * b - v", &[("a * b", &sum("a * b")), ("v", &sum("v"))]);
    reduced("a * b + c", &[("a * b", &sum("a * b"))]);
}

#[test]
fn both_formulas_are_offered_where_the_sum_may_stand_inside_or_outside() {
    let made = |part: &str, whole: &str| {
        format!("reduce it: `sum({part})`, or what is made of it: `sum({whole})`")
    };
    for (expression, part, whole) in [
        ("x.exp() * s", "x", "x.exp()"),
        ("s / x", "x", "s / x"),
        ("(x * x).sqrt()", "x * x", "(x * x).sqrt()"),
        ("u as f32", "u", "u as f32"),
        ("x.abs().sqrt()", "x", "x.abs().sqrt()"),
    ] {
        reduced(expression, &[(part, &made(part, whole))]);
    }
    let chosen = "if x > s { s } else { c }";
    reduced(chosen, &[("x", &made("x", chosen))]);
    let several = "if x > s { x } else { c }";
    reduced(
        several,
        &[(several, &format!("reduce it: `sum({several})`"))],
    );
    reduced(
        "a / x",
        &[(
            "a / x",
            "reduce it: `sum(a / x)`, or each: `sum(a)` and `sum(x)`",
        )],
    );
    reduced(
        "a.mul_add(b, c)",
        &[("a.mul_add(b, c)", "write `(sum(a * b) + c)`")],
    );
}

#[test]
fn a_part_beside_its_own_reduction_is_not_summed() {
    let advice = "give the target the dim `k`, or write the reduction that is meant";
    reduced("x.exp() / sum(x.exp())", &[("x", advice)]);
    reduced("x - max(x)", &[("x", advice)]);
}

#[test]
fn nothing_to_reduce_is_reduced_elsewhere() {
    for of in ["c", "c.exp()"] {
        let advice = format!(
            "reduce all of `{of}` in a kernel of its own, into `[f32; 1]`, and pass that, or take \
             a dim from the target"
        );
        reduced(&format!("{of} / sum({of})"), &[("sum", &advice)]);
    }
    reduced("c * sum(s)", &[("sum", "write `s`")]);
}

#[test]
fn an_integer_power_is_a_product_or_a_power_of_floats() {
    for (expression, mend) in [
        ("c.powi(2)", "(c * c)"),
        ("c.powi(2i32) / s", "(c * c)"),
        ("c.powi(-3)", "c.powf(-3f32)"),
        ("(c + s).powi(2)", "(c + s).powf(2f32)"),
        ("c.powi(s)", "c.powf(s as f32)"),
    ] {
        let source = format!("kernel f(c: &[f32; n], s: f32) -> [f32; n] = {expression};");
        let faults = lower(&source).faults;
        let helps: Vec<_> = faults
            .iter()
            .map(|(fault, _)| fault.help.as_deref())
            .collect();
        assert_eq!(helps, [Some(&*format!("write `{mend}`"))], "{expression}");
    }
}
