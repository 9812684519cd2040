//! The host function: loops over slices of the innermost axis, which the compiler vectorises.

use std::collections::BTreeSet;

use gpu_graph_analysis::calls::ParamKind;
use gpu_graph_analysis::formula::{Node, NodeKind};

use super::host_ops::{rust_type, value};
use super::index::{dims, offset, row};
use super::{Body, reduce};
use crate::codegen::text::Text;

/// More parameters than lints like.
const MANY: usize = 7;

/// Writes `pub fn host(p0: &[f32], …, out: &mut [f32], dims: Dims) { … }`, or `in_place`.
pub fn write(text: &mut Text, body: Body<'_>) {
    let name = if body.operand.is_some() {
        "in_place"
    } else {
        "host"
    };
    let mut params = Vec::new();
    for (i, param) in body.kernel.params.iter().enumerate() {
        let elem = rust_type(body.elem(i));
        params.push(match &param.kind {
            ParamKind::Scalar(_) => format!("p{i}: {elem}"),
            ParamKind::Tensor { .. } if body.written() == Some(i) => format!("out: &mut [{elem}]"),
            ParamKind::Tensor { .. } => format!("p{i}: &[{elem}]"),
        });
    }
    if body.written().is_none() {
        params.push(format!(
            "out: &mut [{}]",
            rust_type(body.formula.target.elem)
        ));
    }
    let mut inner = Text::default();
    if is_identity(body) {
        inner.put(format_args!("let _ = out;\n"));
    } else if body.formula.is_flat() {
        flat(&mut inner, body);
    } else {
        nested(&mut inner, body);
    }
    let inner = inner.into_string();
    let names = body.dims.iter().enumerate();
    let named = names.filter(|(d, _)| mentions(&inner, &format!("d{d}")));
    let fields: String = named.map(|(d, dim)| format!("{dim}: d{d}, ")).collect();
    params.push(format!("Dims {{ {fields}.. }}: Dims"));
    if params.len() > MANY {
        text.put(format_args!("#[allow(clippy::too_many_arguments)]\n"));
    }
    text.put(format_args!("pub fn {name}({}) {{\n", params.join(", ")));
    let uses = [
        ("N", "Number"),
        ("I", "Integer"),
        ("F", "Float"),
        ("W", "Half"),
        ("H", "ToHalf"),
    ];
    for (short, long) in uses
        .iter()
        .filter(|(short, _)| inner.contains(&format!("{short}::")))
    {
        text.put(format_args!(
            "use ::gpu_graph::__private::formula::{long} as {short};\n"
        ));
    }
    text.put(format_args!("{inner}}}\n"));
}

/// Each element becomes itself. All parameters are used, so there is no other one.
fn is_identity(body: Body<'_>) -> bool {
    let value = &body.formula.value.kind;
    matches!(value, NodeKind::Param(param) if body.written() == Some(*param))
}

/// `word` stands in `text` by itself.
fn mentions(text: &str, word: &str) -> bool {
    text.split(|c: char| !c.is_ascii_alphanumeric())
        .any(|part| part == word)
}

/// One loop over all elements.
fn flat(text: &mut Text, body: Body<'_>) {
    text.put(format_args!("let len = out.len();\n"));
    let rows = Rows::new(body, &[&body.formula.value], None);
    rows.write(text, "len", &index);
    text.put(format_args!(
        "for i in 0..len {{ out[i] = {}; }}\n",
        value(&body.formula.value, &|p| rows
            .read(p, "i", "out[i]", &index))
    ));
}

fn index(dim: usize) -> String {
    format!("i{dim}")
}

/// A loop for each axis of the target.
fn nested(text: &mut Text, body: Body<'_>) {
    let formula = body.formula;
    let target = formula.target.dims();
    let level = |given: &[usize]| {
        let place = |dim: &usize| target.iter().position(|t| t == dim).map_or(0, |p| p + 1);
        given.iter().map(place).max().unwrap_or(0)
    };
    let out = match target.last() {
        Some(last) => format!("out[i{last}]"),
        None => "out[0]".to_owned(),
    };
    let reductions = |text: &mut Text, at: usize| {
        for (i, reduction) in formula.reductions.iter().enumerate() {
            if level(&reduction.given) == at {
                reduce::host(text, body, i, &out);
            }
        }
    };
    reductions(text, 0);
    for (depth, dim) in target.iter().enumerate() {
        if depth + 1 == target.len() {
            let rows = Rows::new(body, &[&formula.value], Some(*dim));
            rows.write(text, &format!("d{dim}"), &index);
            let begin = row(&target, &index);
            text.put(format_args!("let out = &mut out[{begin}..][..d{dim}];\n"));
            text.put(format_args!("for i{dim} in 0..d{dim} {{\n"));
            reductions(text, depth + 1);
            let read = |p| rows.read(p, &index(*dim), &out, &index);
            text.put(format_args!("{out} = {};\n", value(&formula.value, &read)));
        } else {
            text.put(format_args!("for i{dim} in 0..d{dim} {{\n"));
            reductions(text, depth + 1);
        }
    }
    if target.is_empty() {
        let rows = Rows::new(body, &[&formula.value], None);
        let read = |p| rows.read(p, "0", &out, &index);
        text.put(format_args!("{out} = {};\n", value(&formula.value, &read)));
    }
    for _ in &target {
        text.put(format_args!("}}\n"));
    }
}

/// How the tensors of an expression are read along one axis.
pub struct Rows<'a> {
    body: Body<'a>,
    /// Tensors whose last axis it is: a slice each.
    slices: BTreeSet<usize>,
    /// Tensors that do not have it: one element each.
    constants: BTreeSet<usize>,
}

impl<'a> Rows<'a> {
    /// The tensors in `nodes`, along the dim `axis`; along all that they have where it is `None`.
    pub fn new(body: Body<'a>, nodes: &[&Node], axis: Option<usize>) -> Self {
        let (mut slices, mut constants) = (BTreeSet::new(), BTreeSet::new());
        for node in nodes {
            node.walk(&mut |part| {
                let NodeKind::Param(param) = part.kind else {
                    return;
                };
                let Some(axes) = &body.formula.operands[param] else {
                    return;
                };
                if body.written() == Some(param) {
                    return;
                }
                let own = dims(axes);
                let sliced = match axis {
                    Some(axis) => own.last() == Some(&axis),
                    None => !own.is_empty(),
                };
                let constant = axis.map_or(own.is_empty(), |axis| !own.contains(&axis));
                if sliced {
                    slices.insert(param);
                } else if constant {
                    constants.insert(param);
                }
            });
        }
        Self {
            body,
            slices,
            constants,
        }
    }

    fn dims(&self, param: usize) -> Vec<usize> {
        let axes = self.body.formula.operands[param].as_deref();
        dims(axes.unwrap_or_default())
    }

    /// The tensors that are slices.
    pub fn slices(&self) -> impl Iterator<Item = usize> + '_ {
        self.slices.iter().copied()
    }

    /// Writes what stands before the loop along the axis, which has `len` elements.
    pub fn write(&self, text: &mut Text, len: &str, index: &dyn Fn(usize) -> String) {
        for param in &self.slices {
            let begin = match len {
                "len" => "0".to_owned(),
                _ => row(&self.dims(*param), index),
            };
            let begin = match &*begin {
                "0" => String::new(),
                begin => format!("[{begin}..]"),
            };
            text.put(format_args!("let s{param} = &p{param}{begin}[..{len}];\n"));
        }
        for param in &self.constants {
            let at = offset(&self.dims(*param), index);
            text.put(format_args!("let c{param} = p{param}[{at}];\n"));
        }
    }

    /// The element of a parameter where the index along the axis is `along`; `out` is that of the
    /// target.
    pub fn read(
        &self,
        param: usize,
        along: &str,
        out: &str,
        index: &dyn Fn(usize) -> String,
    ) -> String {
        if self.body.formula.operands[param].is_none() {
            format!("p{param}")
        } else if self.body.written() == Some(param) {
            out.to_owned()
        } else if self.slices.contains(&param) {
            format!("s{param}[{along}]")
        } else if self.constants.contains(&param) && along != "0" {
            format!("c{param}")
        } else {
            format!("p{param}[{}]", offset(&self.dims(param), index))
        }
    }
}
