//! The checker of expression kernels and the order of a reduction.

use gpu_graph_analysis::calls::{
    Kernel, KernelDim, Literal, Param, ParamKind, Tensor, Value as Text,
};
use gpu_graph_analysis::expr::Expr;
use gpu_graph_analysis::fault::{
    self, Code, DIM_OUTSIDE, FORMULA_EXTENT, FREE_DIM, Fault, NOT_PARAMETER, OPERAND_TYPE, OUTSIDE,
    TARGET, UNSUFFIXED, UNUSED, VALUE_RANGE,
};
use gpu_graph_analysis::formula::{
    Argument, Declared, Formula, LANES, Operator, Syntax, SyntaxKind, Value, check, eval,
};
use gpu_graph_analysis::model::{Elem, KernelKind, Site};

/// A dim, or 1 where it is none.
const ONE: usize = usize::MAX;

fn tensor(elem: Elem, dims: &[usize]) -> Tensor {
    let extent = |dim: &usize| match *dim {
        ONE => Expr::constant(1),
        dim => Expr::dim(dim as u16),
    };
    Tensor {
        elem,
        shape: dims.iter().map(extent).collect(),
        site: Site(0),
    }
}

/// `kernel f(x: …, y: …) -> …` over the dims `n`, `m` and `k`; a parameter without dims is a scalar.
fn kernel(params: &[(&str, Elem, &[usize])], result: Option<(Elem, &[usize])>) -> Kernel {
    let param = |(name, elem, dims): &(&str, Elem, &[usize])| {
        let (name, mutable) = match name.strip_prefix("&mut ") {
            Some(name) => (name, true),
            None => (*name, false),
        };
        let kind = match dims {
            [] => ParamKind::Scalar(*elem),
            dims => ParamKind::Tensor {
                tensor: tensor(*elem, dims),
                mutable,
            },
        };
        Param {
            name: name.to_owned(),
            kind,
            site: Site(1),
        }
    };
    let dim = |name: &&str| KernelDim {
        name: (*name).to_owned(),
        site: Site(2),
    };
    Kernel {
        name: "f".to_owned(),
        dims: ["n", "m", "k"].iter().map(dim).collect(),
        params: params.iter().map(param).collect(),
        result: result.map(|(elem, dims)| tensor(elem, dims)),
        over: None,
        kind: KernelKind::Kernel,
        zeroed: vec![],
        shared: None,
        in_place: None,
        site: Site(3),
    }
}

fn at(kind: SyntaxKind) -> Syntax {
    let site = Site(9);
    Syntax { kind, site }
}

fn name(name: &str) -> Syntax {
    at(SyntaxKind::Name(name.to_owned()))
}

fn int(value: i128, suffix: Option<Elem>) -> Syntax {
    let value = Text::Int(value);
    at(SyntaxKind::Literal(Literal { value, suffix }))
}

fn binary(a: Syntax, sign: &str, b: Syntax) -> Syntax {
    let operator = Operator::of(sign).expect("an operator");
    at(SyntaxKind::Binary(
        Box::new(a),
        operator,
        Site(8),
        Box::new(b),
    ))
}

fn method(of: Syntax, name: &str, args: Vec<Syntax>) -> Syntax {
    at(SyntaxKind::Method(
        Box::new(of),
        name.to_owned(),
        Site(7),
        args,
    ))
}

fn call(name: &str, arg: Syntax) -> Syntax {
    at(SyntaxKind::Call(name.to_owned(), Site(7), vec![arg]))
}

fn checked(kernel: &Kernel, expression: &Syntax) -> Result<Formula, Vec<Fault>> {
    let declared = Declared {
        kernel,
        extents: &[],
    };
    check(declared, expression)
}

#[track_caller]
fn refused(kernel: &Kernel, expression: &Syntax) -> Vec<Code> {
    let faults = checked(kernel, expression).expect_err("it is refused");
    faults.iter().map(|fault| fault.code).collect()
}

const F32: Elem = Elem::F32;

#[test]
fn each_slip_has_its_code() {
    let of = |result: &[usize]| kernel(&[("x", F32, &[0]), ("a", F32, &[])], Some((F32, result)));
    let ax = || binary(name("a"), "*", name("x"));
    let plain = of(&[0]);
    assert!(checked(&plain, &ax()).is_ok());
    for (code, expression) in [
        (UNSUFFIXED, binary(ax(), "+", int(1, None))),
        (OPERAND_TYPE, binary(ax(), "+", int(1, Some(Elem::I32)))),
        (OPERAND_TYPE, binary(ax(), "<", name("a"))),
        (OPERAND_TYPE, binary(ax(), "&", name("a"))),
        (NOT_PARAMETER, binary(ax(), "+", name("b"))),
        (NOT_PARAMETER, binary(ax(), "+", name("n"))),
        (OUTSIDE, method(ax(), "gamma", vec![])),
        (OUTSIDE, method(ax(), "powf", vec![])),
        (DIM_OUTSIDE, binary(name("a"), "*", call("sum", name("x")))),
        (UNUSED, name("x")),
    ] {
        assert_eq!(refused(&plain, &expression), [code], "{expression}");
    }
    assert_eq!(refused(&of(&[1]), &ax()), [FREE_DIM]);
    assert_eq!(refused(&of(&[ONE]), &ax()), [DIM_OUTSIDE]);
    assert_eq!(refused(&of(&[0, 0]), &ax()), [FORMULA_EXTENT]);
    assert_eq!(
        refused(&kernel(&[("x", F32, &[0])], None), &name("x")),
        [TARGET]
    );
    let two = kernel(&[("&mut x", F32, &[0])], Some((F32, &[0])));
    assert_eq!(refused(&two, &name("x")), [TARGET]);
    let bytes = kernel(&[("x", Elem::U8, &[0])], Some((Elem::U8, &[0])));
    let large = binary(name("x"), "+", int(256, Some(Elem::U8)));
    assert_eq!(refused(&bytes, &large), [VALUE_RANGE]);
}

#[test]
fn all_slips_of_one_expression_are_reported() {
    let k = kernel(
        &[("x", F32, &[0]), ("y", Elem::I8, &[1])],
        Some((F32, &[0])),
    );
    let left = binary(name("x"), "*", int(2, None));
    let expression = binary(left, "+", binary(name("y"), "-", name("z")));
    assert_eq!(
        refused(&k, &expression),
        [DIM_OUTSIDE, UNSUFFIXED, NOT_PARAMETER]
    );
    assert!(fault::ALL.iter().any(|(code, _)| *code == UNSUFFIXED));
}

/// Whether a kernel of `x`, with those dims, and the scalar `a` is refused for a dim that only its result
/// has, and what is said to be meant.
fn freed(x: &[usize], result: &[usize], expression: &Syntax) -> Vec<Option<String>> {
    let k = kernel(&[("x", F32, x), ("a", F32, &[])], Some((F32, result)));
    match checked(&k, expression) {
        Ok(_) => Vec::new(),
        Err(faults) => {
            let codes: Vec<_> = faults.iter().map(|f| f.code).collect();
            assert_eq!(codes, vec![FREE_DIM; codes.len()]);
            faults.into_iter().map(|fault| fault.help).collect()
        }
    }
}

#[test]
fn a_dim_of_the_result_alone_repeats_and_takes_no_dims_place() {
    let (map, of_one) = (binary(name("x"), "*", name("a")), &[ONE]);
    let sum = binary(call("sum", name("x")), "*", name("a"));
    // Nothing is lost: a row is repeated, and so is one element.
    assert_eq!(freed(&[0], &[1, 0], &map), []);
    assert_eq!(freed(of_one, &[0], &map), []);
    let of_one_element = "write `1`, and call it with a place of one element";
    let made = kernel(&[("a", F32, &[])], Some((F32, &[0])));
    assert!(checked(&made, &name("a")).is_ok());
    // What is lost is what was meant.
    let said = |texts: &[&str]| {
        texts
            .iter()
            .map(|t| Some((*t).to_owned()))
            .collect::<Vec<_>>()
    };
    assert_eq!(freed(&[0], &[1], &map), said(&["write `n`"]));
    assert_eq!(freed(&[0, 1], &[2, 1], &map), said(&["write `n`"]));
    assert_eq!(
        freed(&[0, 2], &[1], &sum),
        said(&["write what is meant: `n` or `k` or `1`"])
    );
    assert_eq!(freed(&[0], &[1], &sum), said(&[of_one_element]));
    assert_eq!(freed(&[0, ONE], &[1, 2], &sum), said(&[of_one_element; 2]));
    // What is updated has its own dims where it is read.
    let updated = kernel(&[("&mut y", F32, &[1]), ("x", F32, &[0])], None);
    let added = binary(name("y"), "+", call("sum", name("x")));
    assert!(checked(&updated, &added).is_ok());
    assert_eq!(refused(&updated, &call("sum", name("x"))), [FREE_DIM]);
}

#[test]
fn the_first_operand_like_the_result_becomes_it() {
    let params: &[(&str, Elem, &[usize])] = &[
        ("a", F32, &[]),
        ("b", Elem::I32, &[0, 1]),
        ("c", F32, &[1, 0]),
        ("d", F32, &[0, 1]),
        ("e", F32, &[0, 1]),
    ];
    let cast = at(SyntaxKind::Cast(Box::new(name("b")), F32));
    let sum = |of, other| binary(of, "+", name(other));
    let all = sum(sum(sum(sum(cast, "a"), "c"), "d"), "e");
    let formula = checked(&kernel(params, Some((F32, &[0, 1]))), &all).unwrap();
    assert_eq!(formula.in_place, Some(3));
    let over = formula.over(Site(0));
    assert_eq!(over.extents, [Expr::dim(0), Expr::dim(1)]);
    assert_eq!(over.block, [8, 32]);
}

#[test]
fn a_warp_is_launched_for_each_element_of_a_reduction() {
    let k = kernel(&[("x", F32, &[0, 1])], Some((F32, &[0])));
    let over = checked(&k, &call("sum", name("x"))).unwrap().over(Site(0));
    assert_eq!(over.extents, [Expr::dim(0).scale(32).unwrap()]);
    assert_eq!(over.block, [256]);
    let k = kernel(&[("x", F32, &[0, 1])], Some((F32, &[ONE])));
    let over = checked(&k, &call("max", name("x"))).unwrap().over(Site(0));
    assert_eq!(over.extents, [Expr::constant(32)]);
    assert_eq!(over.block, [32]);
}

#[test]
fn a_sum_is_of_strided_lanes_and_then_of_halves() {
    let k = kernel(&[("x", F32, &[0])], Some((F32, &[ONE])));
    let formula = checked(&k, &call("sum", name("x"))).unwrap();
    for n in [0, 1, 31, 32, 33, 100] {
        let x: Vec<f32> = (0..n).map(|i| 1.0 / (i as f32 + 0.7)).collect();
        let mut lanes = [0f32; LANES];
        for (i, x) in x.iter().enumerate() {
            lanes[i % LANES] += x;
        }
        for half in [16, 8, 4, 2, 1] {
            for lane in 0..half {
                lanes[lane] += lanes[lane + half];
            }
        }
        let x = Argument::Tensor(x.into_iter().map(Value::F32).collect());
        assert_eq!(
            eval(&formula, &[x], &[n, 0, 0]).unwrap(),
            [Value::F32(lanes[0])]
        );
    }
}

#[test]
fn a_reduction_in_another_reduces_all_that_the_target_lacks() {
    let params: &[(&str, Elem, &[usize])] = &[("a", Elem::I32, &[0, 1]), ("b", Elem::I32, &[1, 2])];
    let k = kernel(params, Some((Elem::I32, &[0])));
    let inner = call("max", name("b"));
    let formula = checked(&k, &call("sum", binary(name("a"), "*", inner))).unwrap();
    let over: Vec<_> = formula.reductions.iter().map(|r| r.over.clone()).collect();
    assert_eq!(over, [vec![1, 2], vec![1]]);
    let numbers = |list: &[i32]| Argument::Tensor(list.iter().map(|x| Value::I32(*x)).collect());
    let (a, b) = (numbers(&[1, 2, 3, 4]), numbers(&[5, -6, 7, 8, 1, 0]));
    let values = eval(&formula, &[a, b], &[2, 2, 3]).unwrap();
    assert_eq!(values, [Value::I32(3 * 8), Value::I32(7 * 8)]);
}

#[test]
fn halves_are_computed_as_f32_and_rounded_where_they_are_kept() {
    let f16 = Elem::F16;
    let cast = |of: Syntax, elem| at(SyntaxKind::Cast(Box::new(of), elem));
    let square = || binary(name("x"), "*", name("x"));
    // 1 + 2⁻¹⁰, whose square has more digits than are kept.
    let x = || vec![Argument::Scalar(Value::F16(0x3C01)), one()];
    let exact = 1.0 + 2f32.powi(-9) + 2f32.powi(-20);
    let gives = |result: Elem, expression: Syntax| {
        let used = binary(expression, "*", cast(name("one"), result));
        let k = kernel(&[("x", f16, &[]), ("one", f16, &[0])], Some((result, &[0])));
        let formula = checked(&k, &used).unwrap();
        eval(&formula, &x(), &[1, 0, 0]).unwrap()[0]
    };
    assert_eq!(gives(F32, cast(square(), F32)), Value::F32(exact));
    assert_eq!(gives(f16, square()), Value::F16(0x3C02));
    let kept = 1.0 + 2f32.powi(-9);
    let rounded = cast(cast(square(), f16), F32);
    assert_eq!(gives(F32, rounded), Value::F32(kept));
    let less = binary(square(), "-", cast(square(), f16));
    assert_eq!(gives(f16, less), Value::F16(0x0010));
    let greater = binary(square(), ">", cast(square(), f16));
    let chosen = [greater, int(1, Some(f16)), int(0, Some(f16))];
    let chosen = at(SyntaxKind::If(Box::new(chosen)));
    assert_eq!(gives(f16, chosen), Value::F16(0x3C00));
}

fn one() -> Argument {
    Argument::Tensor(vec![Value::F16(0x3C00)])
}

#[test]
fn what_rust_leaves_open_has_a_meaning() {
    let of = |a: Value, sign: &str, b: Value| a.binary(Operator::of(sign).unwrap(), b).unwrap();
    assert_eq!(of(Value::I32(7), "/", Value::I32(0)), Value::I32(0));
    assert_eq!(of(Value::I32(7), "%", Value::I32(0)), Value::I32(7));
    assert_eq!(of(Value::I8(-128), "/", Value::I8(-1)), Value::I8(-128));
    assert_eq!(of(Value::I8(-128), "%", Value::I8(-1)), Value::I8(0));
    assert_eq!(of(Value::U8(1), "<<", Value::U8(9)), Value::U8(2));
    assert_eq!(of(Value::I64(-8), ">>", Value::I64(65)), Value::I64(-4));
    assert_eq!(Value::F32(f32::NAN).cast(Elem::I8), Some(Value::I8(0)));
    assert_eq!(Value::F64(1e30).cast(Elem::U16), Some(Value::U16(65_535)));
    assert_eq!(Value::Bool(true).cast(Elem::U8), None);
    assert_eq!(
        of(Value::Bool(true), "&&", Value::Bool(false)),
        Value::Bool(false)
    );
}

#[test]
fn an_expression_is_shown_with_no_more_parentheses_than_it_needs() {
    let sum = binary(name("a"), "+", name("b"));
    let product = binary(sum.clone(), "*", binary(name("c"), "%", name("d")));
    assert_eq!(product.to_string(), "(a + b) * (c % d)");
    let cast = at(SyntaxKind::Cast(Box::new(method(sum, "abs", vec![])), F32));
    let compared = binary(cast, "<", int(-1, Some(F32)));
    assert_eq!(compared.to_string(), "(a + b).abs() as f32 < -1f32");
}
