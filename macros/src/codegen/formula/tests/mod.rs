//! The CUDA text of random expressions against the reference in the analysis.

// What the facade's tests read the text with.
#[path = "../../../../../tests/formula/cuda/mod.rs"]
mod cuda;
#[allow(dead_code, reason = "the facade's tests make files of it")]
#[path = "../../../../../tests/formula/generate.rs"]
mod generate;
#[path = "../../../../../tests/formula/operands.rs"]
mod operands;

use gpu_graph_analysis::formula::{Argument, Formula, Value, eval};
use gpu_graph_analysis::model::Elem;

use super::{Body, cuda::text};
use crate::lower::{Cx, kernels};
use crate::parse;
use cuda::{Arg, Buffer, Program, Ty};
use operands::Numbers;

/// Elements of each expression.
const N: usize = 40;

/// The meaning of a kernel, and its text.
fn meaning(source: &str) -> (Formula, String) {
    let mut cx = Cx::default();
    let tokens = source.parse().expect("tokens");
    let items = parse::items(tokens, &mut cx.sites, &mut cx.errors);
    let decls = kernels(&items.kernels, &mut cx);
    assert!(cx.errors.len() == 0, "refused: {source}");
    let formula = decls[0].formula.clone().expect("an expression kernel");
    let body = Body {
        formula: &formula,
        kernel: decls[0].signature.as_ref().expect("a kernel"),
        dims: &decls[0].dims,
        operand: None,
    };
    let text = text(body, formula.in_place, "");
    (formula, text)
}

fn elem(name: &str) -> (Elem, Ty) {
    match name {
        "f32" => (Elem::F32, Ty::F32),
        "f64" => (Elem::F64, Ty::F64),
        "f16" => (Elem::F16, Ty::F16),
        "bf16" => (Elem::BF16, Ty::BF16),
        "i8" => (Elem::I8, Ty::I8),
        "i16" => (Elem::I16, Ty::I16),
        "i32" => (Elem::I32, Ty::I32),
        "i64" => (Elem::I64, Ty::I64),
        "u8" => (Elem::U8, Ty::U8),
        "u16" => (Elem::U16, Ty::U16),
        "u32" => (Elem::U32, Ty::U32),
        _ => (Elem::U64, Ty::U64),
    }
}

fn is_nan(bits: u64, elem: Elem) -> bool {
    match Value::from_bits(bits, elem) {
        Value::F32(x) => x.is_nan(),
        Value::F64(x) => x.is_nan(),
        half @ (Value::F16(_) | Value::BF16(_)) => {
            matches!(half.cast(Elem::F32), Some(Value::F32(x)) if x.is_nan())
        }
        _ => false,
    }
}

/// Compares both for one expression that stands in `around`, where `{}` is.
fn compare(ty: &'static str, depth: usize, seed: u64, around: &str, result: usize) {
    let (params, expression) = generate::expression(ty, depth, seed);
    let declared = params.iter().map(|(name, tensor, ty)| match tensor {
        true => format!("{name}: &[{ty}; n]"),
        false => format!("{name}: {ty}"),
    });
    let declared: Vec<_> = declared.collect();
    let extent = if result == 1 { "1" } else { "n" };
    let source = format!(
        "kernel f({}) -> [{ty}; {extent}] = {};",
        declared.join(", "),
        around.replace("{}", &expression)
    );
    let (formula, text) = meaning(&source);
    let mut numbers = Numbers::new(seed ^ 0xABCD);
    let (mut arguments, mut args, mut buffers) = (Vec::new(), Vec::new(), Vec::new());
    for (_, tensor, ty) in &params {
        let (elem, ty) = elem(ty);
        if *tensor {
            let bits: Vec<u64> = (0..N).map(|_| numbers.operand(ty)).collect();
            let values = bits.iter().map(|bits| Value::from_bits(*bits, elem));
            arguments.push(Argument::Tensor(values.collect()));
            args.push(Arg::Pointer(buffers.len()));
            buffers.push(Buffer { ty, bits });
        } else {
            let bits = numbers.operand(ty);
            arguments.push(Argument::Scalar(Value::from_bits(bits, elem)));
            args.push(Arg::Number(ty, bits));
        }
    }
    let (elem, ty) = elem(ty);
    args.push(Arg::Pointer(buffers.len()));
    let bits = vec![0; result];
    buffers.push(Buffer { ty, bits });
    args.push(Arg::Number(Ty::U64, N as u64));
    Program::new(&text).launch("f_kernel", &args, [N, 1, 1], &mut buffers);
    let expected = eval(&formula, &arguments, &[N]).expect("arguments of the kernel");
    let device = buffers.pop().expect("the result").bits;
    assert_eq!(expected.len(), device.len());
    for (value, bits) in expected.iter().zip(device) {
        let wanted = value.to_bits();
        let same = wanted == bits || is_nan(wanted, elem) && is_nan(bits, elem);
        assert!(
            same,
            "{source}\n{wanted:#x} is meant, {bits:#x} found\n{text}"
        );
    }
}

#[test]
fn the_text_of_random_expressions_means_what_the_reference_says() {
    for round in 0..150 {
        for (i, ty) in (0..).zip(generate::types()) {
            compare(ty, 1 + round as usize % 5, 7 + 64 * round + i, "{}", N);
        }
    }
}

#[test]
fn the_text_of_random_reductions_means_what_the_reference_says() {
    for round in 0..20 {
        for (i, ty) in (0..).zip(generate::types()) {
            for around in ["sum({})", "min({}) - max({})", "product({})"] {
                compare(ty, 2, 100_000 + 64 * round + i, around, 1);
            }
        }
    }
}
