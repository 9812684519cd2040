//! Functions of the generated CUDA text: what takes more than one look at its operands.

use std::fmt::Write;

use gpu_graph_analysis::formula::{LANES, Reduce};
use gpu_graph_analysis::model::Elem;

use super::cuda_ops::{Ops, is_float, literal, ty, wide};
use super::half::{self, odd};
use gpu_graph_analysis::formula::Value;

/// A function for one type, or from one type to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Helper {
    /// Division of integers.
    Div(Elem),
    /// Remainder of integers.
    Rem(Elem),
    /// Absolute value of integers.
    Abs(Elem),
    /// The smaller one.
    Min(Elem),
    /// The larger one.
    Max(Elem),
    /// To an `f32` that rounds to the same half as the number itself.
    Odd(Elem),
    /// From a float to an integer, and between a half and an `f32`.
    Cast(Elem, Elem),
    /// One value of all lanes of a warp, by that reduction.
    Fold(Reduce, Elem),
}

impl Helper {
    /// Its name.
    pub fn name(self) -> String {
        match self {
            Helper::Div(elem) => format!("gpu_graph_div_{}", elem.name()),
            Helper::Rem(elem) => format!("gpu_graph_rem_{}", elem.name()),
            Helper::Abs(elem) => format!("gpu_graph_abs_{}", elem.name()),
            Helper::Min(elem) => format!("gpu_graph_min_{}", elem.name()),
            Helper::Max(elem) => format!("gpu_graph_max_{}", elem.name()),
            Helper::Odd(elem) => format!("gpu_graph_odd_{}", elem.name()),
            Helper::Cast(from, to) => format!("gpu_graph_{}_from_{}", to.name(), from.name()),
            Helper::Fold(reduce, elem) => {
                format!("gpu_graph_{}_of_warp_{}", reduce.name(), elem.name())
            }
        }
    }

    /// Its definition. What it calls stands in `ops` already: the kernel takes the same step.
    pub fn define(self, ops: &mut Ops) -> String {
        let name = self.name();
        match self {
            Helper::Div(elem) => {
                let wraps = wraps(elem, &format!("({})(0u - ({})a)", ty(elem), wide(elem)));
                two(&name, elem, &format!("b == 0 ? 0 : {wraps}a / b"))
            }
            Helper::Rem(elem) => {
                let wraps = wraps(elem, "0");
                two(&name, elem, &format!("b == 0 ? a : {wraps}a % b"))
            }
            Helper::Abs(elem) => {
                let (ty, wide) = (ty(elem), wide(elem));
                let value = format!("a < 0 ? ({ty})(0u - ({wide})a) : a");
                function(ty, &name, &format!("{ty} a"), &format!("return {value};"))
            }
            Helper::Min(elem) => two(&name, elem, &format!("{} ? a : b", less(elem, '<'))),
            Helper::Max(elem) => two(&name, elem, &format!("{} ? a : b", less(elem, '>'))),
            Helper::Odd(elem) => odd(&name, elem),
            Helper::Cast(from, to) => match half::body(from, to) {
                Some(body) => function(ty(to), &name, &format!("{} a", ty(from)), body),
                None => cast(&name, from, to),
            },
            Helper::Fold(reduce, elem) => fold(&name, reduce, elem, ops),
        }
    }
}

/// What is in front of a division of signed integers.
fn wraps(elem: Elem, value: &str) -> String {
    match elem.int_range() {
        Some((min, _)) if min < 0 => format!("b == -1 ? {value} : "),
        _ => String::new(),
    }
}

fn less(elem: Elem, sign: char) -> String {
    match is_float(elem) {
        true => format!("(a {sign} b || b != b)"),
        false => format!("(a {sign} b)"),
    }
}

fn two(name: &str, elem: Elem, value: &str) -> String {
    let ty = ty(elem);
    let params = format!("{ty} a, {ty} b");
    function(ty, name, &params, &format!("return {value};"))
}

pub fn function(result: &str, name: &str, params: &str, body: &str) -> String {
    format!("static __device__ __forceinline__ {result} {name}({params}) {{ {body} }}\n")
}

/// Cut to what the integer holds; both bounds are powers of two, which a float holds exactly.
fn cast(name: &str, from: Elem, to: Elem) -> String {
    let (min, max) = to.int_range().unwrap_or((0, 0));
    let suffix = if from == Elem::F32 { "f" } else { "" };
    let number = |value| Value::from_int(value, to).map_or(String::new(), literal);
    let below = match min {
        0 => "a <= 0.0".to_owned(),
        min => format!("a <= -{}.0", min.unsigned_abs()),
    };
    let mut body = String::new();
    // Writing to a string never fails.
    let _ = write!(
        body,
        "return a != a ? {} : {below}{suffix} ? {} : a >= {}.0{suffix} ? {} : ({})a;",
        number(0),
        number(min),
        max + 1,
        number(max),
        ty(to)
    );
    function(ty(to), name, &format!("{} a", ty(from)), &body)
}

/// Lanes `l` and `l + 16` become lane `l`, and so on; then every lane takes the first one's value.
fn fold(name: &str, reduce: Reduce, elem: Elem, ops: &mut Ops) -> String {
    let ty = ty(elem);
    // Narrow integers are shuffled as what they are computed in.
    let wide = if elem.size() < 4 { "int" } else { ty };
    let step = ops.step(reduce.step(), elem, "a", "b");
    let body = format!(
        "for (unsigned int half = {}u; half > 0u; half /= 2u) {{ \
         {ty} b = ({ty})__shfl_down_sync(0xffffffffu, ({wide})a, half); a = {step}; }} \
         return ({ty})__shfl_sync(0xffffffffu, ({wide})a, 0);",
        LANES / 2
    );
    function(ty, name, &format!("{ty} a"), &body)
}
