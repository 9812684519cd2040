//! Every way in which dims of two operands and of a result can go together: which are refused, and what
//! the others give, against sums that are written out.

use gpu_graph_analysis::calls::{Kernel, KernelDim, Param, ParamKind, Tensor};
use gpu_graph_analysis::expr::Expr;
use gpu_graph_analysis::fault::{Code, DIM_OUTSIDE, FREE_DIM};
use gpu_graph_analysis::formula::{
    Argument, Declared, Operator, Syntax, SyntaxKind, Value, check, eval,
};
use gpu_graph_analysis::model::{Elem, KernelKind, Site};

const EXTENTS: [usize; 3] = [2, 3, 2];

/// All lists of different dims.
fn lists() -> Vec<Vec<usize>> {
    let mut lists = vec![vec![]];
    for at in 0.. {
        let Some(list) = lists.get(at).cloned() else {
            break;
        };
        let more = (0..EXTENTS.len()).filter(|dim| !list.contains(dim));
        let more: Vec<_> = more.map(|dim| [&list[..], &[dim]].concat()).collect();
        lists.extend(more);
    }
    lists.split_off(1)
}

fn tensor(dims: &[usize]) -> Tensor {
    Tensor {
        elem: Elem::I64,
        shape: dims.iter().map(|dim| Expr::dim(*dim as u16)).collect(),
        site: Site(0),
    }
}

fn kernel(params: &[(&str, &[usize])], result: &[usize]) -> Kernel {
    let param = |(name, dims): &(&str, &[usize])| Param {
        name: (*name).to_owned(),
        kind: ParamKind::Tensor {
            tensor: tensor(dims),
            mutable: false,
        },
        site: Site(1),
    };
    let dim = |name: &str| KernelDim {
        name: name.to_owned(),
        site: Site(2),
    };
    Kernel {
        name: "f".to_owned(),
        dims: ["n", "m", "k"].map(dim).into(),
        params: params.iter().map(param).collect(),
        result: Some(tensor(result)),
        over: None,
        kind: KernelKind::Kernel,
        zeroed: vec![],
        shared: None,
        in_place: None,
        site: Site(3),
    }
}

/// What is computed of `x` and `y`.
#[derive(Clone, Copy, Debug)]
enum Body {
    Map,
    Product,
    Sum,
    SumOfProduct,
    ProductWithSum,
}

impl Body {
    const ALL: [Body; 5] = [
        Body::Map,
        Body::Product,
        Body::Sum,
        Body::SumOfProduct,
        Body::ProductWithSum,
    ];

    fn has_y(self) -> bool {
        !matches!(self, Body::Map | Body::Sum)
    }

    fn syntax(self) -> Syntax {
        let at = |kind| Syntax {
            kind,
            site: Site(9),
        };
        let name = |name: &str| at(SyntaxKind::Name(name.to_owned()));
        let sum = |of| at(SyntaxKind::Call("sum".to_owned(), Site(9), vec![of]));
        let times = |a, b| {
            let sign = Operator::of("*").expect("there is one");
            at(SyntaxKind::Binary(Box::new(a), sign, Site(9), Box::new(b)))
        };
        match self {
            Body::Map => name("x"),
            Body::Product => times(name("x"), name("y")),
            Body::Sum => sum(name("x")),
            Body::SumOfProduct => sum(times(name("x"), name("y"))),
            Body::ProductWithSum => times(sum(name("x")), name("y")),
        }
    }

    /// Whether dims and reductions go together, where no dim is of the result alone: what is reduced has
    /// something to reduce, and nothing else has.
    fn is_right(self, lost_of_x: bool, lost_of_y: bool) -> bool {
        match self {
            Body::Map => !lost_of_x,
            Body::Product => !lost_of_x && !lost_of_y,
            Body::Sum => lost_of_x,
            Body::SumOfProduct => lost_of_x || lost_of_y,
            Body::ProductWithSum => lost_of_x && !lost_of_y,
        }
    }
}

/// Where the element at `index` of all dims lies.
fn at(dims: &[usize], index: &[usize; 3]) -> usize {
    dims.iter()
        .fold(0, |at, dim| at * EXTENTS[*dim] + index[*dim])
}

/// Every index in `dims`, with `index` in the others.
fn each(dims: &[usize], index: [usize; 3]) -> Vec<[usize; 3]> {
    let mut all = vec![index];
    for dim in dims {
        let along = |of: [usize; 3]| {
            (0..EXTENTS[*dim]).map(move |i| {
                let mut of = of;
                of[*dim] = i;
                of
            })
        };
        all = all.into_iter().flat_map(along).collect();
    }
    all
}

fn numbers(dims: &[usize], by: i64) -> Vec<i64> {
    let len = dims.iter().map(|dim| EXTENTS[*dim]).product::<usize>();
    (1..=len as i64).map(|i| i * i * by % 17 - 5).collect()
}

#[test]
fn dims_of_a_result_are_those_of_its_operands_or_repeat_what_loses_none() {
    let (mut right, mut repeated, mut freed) = (0, 0, 0);
    let all = lists();
    assert_eq!(all.len(), 15);
    let none = [vec![]];
    for body in Body::ALL {
        let ys: &[Vec<usize>] = if body.has_y() { &all } else { &none };
        for (x, y, result) in all
            .iter()
            .flat_map(|x| ys.iter().map(move |y| (x, y)))
            .flat_map(|(x, y)| all.iter().map(move |result| (x, y, result)))
        {
            let lost = |of: &[usize]| -> Vec<usize> {
                of.iter()
                    .copied()
                    .filter(|dim| !result.contains(dim))
                    .collect()
            };
            let (lost_of_x, lost_of_y) = (lost(x), lost(y));
            let operands = [&x[..], &y[..]].concat();
            let free = result.iter().filter(|dim| !operands.contains(dim)).count();
            let params: &[(&str, &[usize])] = match body.has_y() {
                true => &[("x", x), ("y", y)],
                false => &[("x", x)],
            };
            let kernel = kernel(params, result);
            let declared = Declared {
                kernel: &kernel,
                extents: &[],
            };
            let case = format!("{body:?} of {x:?} and {y:?} into {result:?}");
            let found = check(declared, &body.syntax());
            let loses = !lost_of_x.is_empty() || !lost_of_y.is_empty();
            let expected = match body.is_right(!lost_of_x.is_empty(), !lost_of_y.is_empty()) {
                _ if loses && free > 0 => Err(FREE_DIM),
                true => Ok(()),
                false => Err(DIM_OUTSIDE),
            };
            let formula = match (found, expected) {
                (Ok(formula), Ok(())) => formula,
                (Err(faults), Err(code)) => {
                    let codes: Vec<Code> = faults.iter().map(|fault| fault.code).collect();
                    assert!(
                        codes.iter().all(|found| *found == code),
                        "{case}: {codes:?}"
                    );
                    if code == FREE_DIM {
                        assert_eq!(codes.len(), free, "{case}");
                        freed += 1;
                    }
                    continue;
                }
                (found, _) => panic!("{case}: {found:?}"),
            };
            let (xs, ys) = (numbers(x, 3), numbers(y, 7));
            let tensor = |of: &[i64]| Argument::Tensor(of.iter().map(|v| Value::I64(*v)).collect());
            let args = [tensor(&xs), tensor(&ys)];
            let got = eval(&formula, &args[..params.len()], &EXTENTS);
            let value = |index: [usize; 3]| -> i64 {
                let of_x = |i: &[usize; 3]| xs[at(x, i)];
                let of_y = |i: &[usize; 3]| ys[at(y, i)];
                let mut lost = [&lost_of_x[..], &lost_of_y[..]].concat();
                lost.sort_unstable();
                lost.dedup();
                match body {
                    Body::Map => of_x(&index),
                    Body::Product => of_x(&index) * of_y(&index),
                    Body::Sum => each(&lost, index).iter().map(of_x).sum(),
                    Body::SumOfProduct => {
                        let terms = each(&lost, index);
                        terms.iter().map(|i| of_x(i) * of_y(i)).sum()
                    }
                    Body::ProductWithSum => {
                        each(&lost_of_x, index).iter().map(of_x).sum::<i64>() * of_y(&index)
                    }
                }
            };
            let wanted = each(result, [0; 3]).into_iter().map(value);
            let wanted: Vec<Value> = wanted.map(Value::I64).collect();
            assert_eq!(got.as_deref(), Some(&wanted[..]), "{case}");
            right += 1;
            repeated += usize::from(free > 0);
        }
    }
    // Accepted, of these with a repeated value, and refused for it.
    assert_eq!([right, repeated, freed], [3606, 348, 750]);
}
