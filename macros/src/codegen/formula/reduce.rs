//! Reductions: 32 lanes, then a tree.

use gpu_graph_analysis::formula::LANES;

use super::Body;
use super::host::Rows;
use super::host_ops::{literal, step, value};
use crate::codegen::text::Text;

/// Writes `let r0 = { … };` on the host; `out` is the element of the target at hand.
///
/// The lanes are an array that the inner loop passes through whole, so that they are registers.
pub fn host(text: &mut Text, body: Body<'_>, which: usize, out: &str) {
    let reduction = &body.formula.reductions[which];
    let Some((last, outer)) = reduction.over.split_last() else {
        return;
    };
    let elem = reduction.of.elem();
    let neutral = literal(reduction.reduce.neutral(elem));
    let step = step(reduction.reduce.step());
    text.put(format_args!(
        "let r{which} = {{\nlet mut lanes = [{neutral}; {LANES}];\n"
    ));
    for dim in outer {
        text.put(format_args!("for i{dim} in 0..d{dim} {{\n"));
    }
    let rows = Rows::new(body, &[&reduction.of], Some(*last));
    let plain = |dim: usize| format!("i{dim}");
    rows.write(text, &format!("d{last}"), &plain);
    text.put(format_args!(
        "let whole = d{last} / {LANES} * {LANES};\nlet mut at = 0;\nwhile at < whole {{\n"
    ));
    for param in rows.slices() {
        text.put(format_args!(
            "let s{param} = &s{param}[at..at + {LANES}];\n"
        ));
    }
    let within = |begin: &'static str| {
        move |dim: usize| match dim == *last {
            true => format!("({begin} + l)"),
            false => format!("i{dim}"),
        }
    };
    let of = value(&reduction.of, &|p| rows.read(p, "l", out, &within("at")));
    text.put(format_args!(
        "for l in 0..{LANES} {{ lanes[l] = {step}(lanes[l], {of}); }}\nat += {LANES};\n}}\n"
    ));
    let of = value(&reduction.of, &|p| {
        rows.read(p, "whole + l", out, &within("whole"))
    });
    text.put(format_args!(
        "for l in 0..d{last} - whole {{ lanes[l] = {step}(lanes[l], {of}); }}\n"
    ));
    for _ in outer {
        text.put(format_args!("}}\n"));
    }
    text.put(format_args!(
        "::gpu_graph::__private::formula::fold(lanes, {step})\n}};\n"
    ));
}
