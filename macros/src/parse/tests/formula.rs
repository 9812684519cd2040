//! Bodies of expression kernels.

use gpu_graph_analysis::fault::{OUTSIDE, SYNTAX};

use super::{only, parse};

/// The expression as it was understood, with no more parentheses than it needs.
fn shown(source: &str) -> String {
    let source = format!("kernel f() = {source};");
    let parsed = parse(&source);
    assert!(parsed.faults.is_empty(), "{source}: {:?}", parsed.faults);
    let formula = parsed.items.kernels[0].formula.as_ref();
    formula.expect("it has an expression").to_string()
}

#[test]
fn operators_bind_as_in_rust() {
    for (source, meant) in [
        ("(a + b) + c * d", "a + b + c * d"),
        ("a - (b - c)", "a - (b - c)"),
        ("a*-b+!c", "a * -b + !c"),
        ("(a | b ^ c & d) << e", "(a | b ^ c & d) << e"),
        ("a | (b ^ (c & (d << (e + f))))", "a | b ^ c & d << e + f"),
        ("(a as u8) as f32 * b", "a as u8 as f32 * b"),
        ("-(a as u8)", "-(a as u8)"),
        ("(-a) as u8", "-a as u8"),
        ("-a.abs()", "-a.abs()"),
        ("-1i8.abs()", "-1i8.abs()"),
        ("(-1i8).abs()", "(-1i8).abs()"),
        ("-128i8", "-128i8"),
        ("- 1.5e3f64 - -2f32", "-1.5e3f64 - -2f32"),
        ("a.min(b,).mul_add(c, d)", "a.min(b).mul_add(c, d)"),
        ("sum(a * (b))", "sum(a * b)"),
        (
            "a < b && c != d || !(e >= f)",
            "a < b && c != d || !(e >= f)",
        ),
        ("(a < b) == c", "(a < b) == c"),
        (
            "if a < b { c } else if d { e } else { f + 1u8 } * 2u8",
            "(if a < b { c } else { if d { e } else { f + 1u8 } }) * 2u8",
        ),
        ("r#type + r#in", "r#type + r#in"),
    ] {
        assert_eq!(shown(source), meant);
    }
}

#[test]
fn what_is_outside_of_the_grammar_is_shown_where_it_begins() {
    for (source, place) in [
        ("x[i]", "["),
        ("a += b", "+="),
        ("a >>= b", ">>="),
        ("a..b", ".."),
        ("a?", "?"),
        ("&a", "&"),
        ("*a", "*"),
        ("a::b", "::"),
        ("a!(b)", "!"),
        ("|a| a", "|"),
        ("\"a\"", "\"a\""),
        ("'a'", "'a'"),
        ("true", "true"),
        ("match a {}", "match"),
        ("{ a }", "{"),
        ("[a, b]", "["),
        ("a.b", "b"),
        ("a.0", "0"),
        ("a < b < c", "<"),
        ("(a, b)", ","),
        ("if let a = b { c } else { d }", "let"),
        ("a b", "b"),
        ("a as u8 as *b", "*"),
    ] {
        let whole = format!("kernel f() = {source}; kernel g() = 1u8;");
        let (text, _, fault) = only(&whole);
        let code = if source.ends_with("*b") {
            SYNTAX
        } else {
            OUTSIDE
        };
        assert_eq!((&*text, fault.code), (place, code), "{source}");
    }
}

#[test]
fn what_is_not_whole_is_refused_and_the_next_item_is_read() {
    for (source, text) in [
        ("", ";"),
        ("a +", "+"),
        ("a << -", "-"),
        ("a + ()", ")"),
        ("a.min(b +)", "+"),
        ("(a *) + b", "*"),
        ("if a { b }", ";"),
        ("if a b", "b"),
        ("a as", ";"),
    ] {
        let whole = format!("kernel f() = {source}; kernel g() = 1u8;");
        let (found, _, fault) = only(&whole);
        assert_eq!((&*found, fault.code), (text, SYNTAX), "{source}");
        assert_eq!(parse(&whole).items.kernels.len(), 2);
    }
    // What follows is not what is wrong.
    let (text, said, _) = only("kernel f() = a + kernel g() = b;");
    assert_eq!((&*text, &*said), ("+", "expected an operand behind this"));
    let (text, said, _) = only("kernel f() = a kernel g() = b;");
    assert_eq!(text, "a");
    assert_eq!(said, "expected `;` behind this");
}

#[test]
fn a_semicolon_is_missed_behind_the_expression() {
    for next in [
        "",
        " kernel g() = b;",
        " pub kernel g() = b;",
        " /// g\n kernel g() = b;",
        " #[cfg(x)] kernel g() = b;",
        " pub graph G {}",
    ] {
        for clause in ["", ", cost 1 us"] {
            let whole = format!("kernel f() = max(a){clause}{next}");
            let (text, said, _) = only(&whole);
            let last = if clause.is_empty() { ")" } else { "us" };
            assert_eq!(
                (&*text, &*said),
                (last, "expected `;` behind this"),
                "{whole}"
            );
            let items = parse(&whole).items;
            assert!(!items.kernels[0].broken, "{whole}");
            assert_eq!(
                items.kernels.len() + items.graphs.len(),
                1 + usize::from(!next.is_empty())
            );
        }
    }
}

#[test]
fn an_expression_that_is_too_deep_is_refused() {
    let said = |expression: String| {
        let faults = parse(&format!("kernel f() = {expression};")).faults;
        assert_eq!(faults.len(), 1);
        faults[0].0.message.clone()
    };
    let most = 100_000;
    for deep in [
        format!("{}1u8{}", "(".repeat(300), ")".repeat(300)),
        format!("a{}", " + a".repeat(most)),
        format!("{}a", "- ".repeat(most)),
        format!("a{}", ".abs()".repeat(most)),
        format!("a{}", " as u8".repeat(most)),
        format!("{}a{}", "sum(".repeat(300), ")".repeat(300)),
        format!("{}{{ a }}", "if a { a } else ".repeat(300)),
    ] {
        assert_eq!(said(deep), "this expression is too long");
    }
    assert!(
        parse(&format!("kernel f() = a{};", " + a".repeat(90)))
            .faults
            .is_empty()
    );
}
