//! The CUDA text: a thread for each element of the target, or a warp where something is reduced.

use std::fmt::Write;

use gpu_graph_analysis::calls::ParamKind;
use gpu_graph_analysis::formula::LANES;

use super::Body;
use super::cuda_ops::{Ops, literal, ty};
use super::helper::Helper;
use super::index::{dims, offset};
use crate::codegen::cuda::ascii;

const SIZE: &str = "unsigned long long";

/// The function of the kernel `name`; with `_in_place` behind it that of its in-place form, and with
/// `_indirect` behind that the one that takes pointers to scalars. A kernel may be called like a function of CUDA, as `exp`, or in letters that C++ does not take.
pub fn function(name: &str) -> String {
    format!("{}_kernel", ascii(name))
}

/// The text of a kernel: helpers, the kernel itself, and its in-place form.
pub fn text(plain: Body<'_>, in_place: Option<usize>, shown: &str) -> String {
    let mut ops = Ops::default();
    let mut kernels = forms(plain, &mut ops);
    if in_place.is_some() {
        let form = Body {
            operand: in_place,
            ..plain
        };
        kernels += &forms(form, &mut ops);
    }
    // In their order, in which what a helper calls stands before it.
    let helpers = ops.helpers.clone().into_iter();
    let helpers: String = helpers.map(|helper| helper.define(&mut ops)).collect();
    format!("// {shown}\n{helpers}{kernels}")
}

/// The kernel, and where it has scalars again with pointers to these.
fn forms(body: Body<'_>, ops: &mut Ops) -> String {
    let mut text = kernel(body, ops, false);
    let mut params = body.kernel.params.iter();
    if params.any(|param| matches!(param.kind, ParamKind::Scalar(_))) {
        text += &kernel(body, ops, true);
    }
    text
}

fn kernel(body: Body<'_>, ops: &mut Ops, indirect: bool) -> String {
    let formula = body.formula;
    let mut params = Vec::new();
    let mut out = "out".to_owned();
    for (i, param) in body.kernel.params.iter().enumerate() {
        let elem = ty(body.elem(i));
        params.push(match &param.kind {
            ParamKind::Scalar(_) if indirect => format!("const {elem}* __restrict__ p{i}"),
            ParamKind::Scalar(_) => format!("{elem} p{i}"),
            ParamKind::Tensor { .. } if body.written() == Some(i) => {
                out = format!("p{i}");
                format!("{elem}* p{i}")
            }
            ParamKind::Tensor { .. } => format!("const {elem}* __restrict__ p{i}"),
        });
    }
    if body.written().is_none() {
        params.push(format!("{}* __restrict__ out", ty(formula.target.elem)));
    }
    params.extend((0..body.kernel.dims.len()).map(|d| format!("{SIZE} d{d}")));
    let in_place = if body.operand.is_some() {
        "_in_place"
    } else {
        ""
    };
    let suffix = if indirect { "_indirect" } else { "" };
    let mut text = format!(
        "extern \"C\" __global__ void {}{in_place}{suffix}({}) {{\n",
        function(&body.kernel.name),
        params.join(", ")
    );
    indices(&mut text, body);
    let space = formula.space();
    for dim in &space.looped {
        put(
            &mut text,
            format_args!("for ({SIZE} i{dim} = 0; i{dim} < d{dim}; ++i{dim}) {{"),
        );
    }
    let index = |dim: usize| format!("i{dim}");
    let read = |param: usize| match &formula.operands[param] {
        Some(axes) => format!("p{param}[{}]", offset(&dims(axes), &index)),
        None if indirect => format!("p{param}[0]"),
        None => format!("p{param}"),
    };
    for (i, reduction) in formula.reductions.iter().enumerate() {
        let elem = reduction.of.elem();
        let neutral = literal(reduction.reduce.neutral(elem));
        put(&mut text, format_args!("{} r{i} = {neutral};", ty(elem)));
        let last = reduction.over.last().copied();
        for dim in &reduction.over {
            let (from, by) = match Some(*dim) == last {
                true => ("lane", LANES),
                false => ("0", 1),
            };
            put(
                &mut text,
                format_args!("for ({SIZE} i{dim} = {from}; i{dim} < d{dim}; i{dim} += {by}) {{"),
            );
        }
        let of = ops.value(&reduction.of, &read);
        let step = ops.step(reduction.reduce.step(), elem, &format!("r{i}"), &of);
        put(&mut text, format_args!("r{i} = {step};"));
        text += &"}\n".repeat(reduction.over.len());
        let fold = Helper::Fold(reduction.reduce, elem);
        ops.helpers.insert(fold);
        put(&mut text, format_args!("r{i} = {}(r{i});", fold.name()));
    }
    let value = ops.value(&formula.value, &read);
    let at = offset(&formula.target.dims(), &index);
    let first = if space.warps { "if (lane == 0) " } else { "" };
    put(&mut text, format_args!("{first}{out}[{at}] = {value};"));
    text += &"}\n".repeat(space.looped.len());
    text + "}\n"
}

/// The index in each axis of the grid; threads beyond the target end here.
fn indices(text: &mut String, body: Body<'_>) {
    let space = body.formula.space();
    let mut beyond = Vec::new();
    let axes = space.grid.iter().rev().zip(["x", "y", "z"]);
    if space.grid.is_empty() || space.warps {
        let thread = thread("x");
        put(text, format_args!("const {SIZE} thread = {thread};"));
    }
    for (dim, axis) in axes {
        let value = match axis == "x" && space.warps {
            true => format!("thread / {LANES}"),
            false => thread(axis),
        };
        put(text, format_args!("const {SIZE} i{dim} = {value};"));
        beyond.push(format!("i{dim} >= d{dim}"));
    }
    if space.warps {
        put(text, format_args!("const {SIZE} lane = thread % {LANES};"));
    }
    if space.grid.is_empty() {
        let most = if space.warps { LANES } else { 1 };
        beyond.push(format!("thread >= {most}"));
    }
    put(text, format_args!("if ({}) return;", beyond.join(" || ")));
}

fn thread(axis: &str) -> String {
    format!("blockIdx.{axis} * ({SIZE})blockDim.{axis} + threadIdx.{axis}")
}

fn put(text: &mut String, line: std::fmt::Arguments<'_>) {
    // Writing to a string never fails.
    let _ = writeln!(text, "{line}");
}
