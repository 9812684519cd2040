//! Values of expressions as CUDA C++ without anything that C++ leaves open: integers wrap in
//! unsigned types, shifts are masked, and floats round at each operator, so that nothing is fused.

use std::collections::BTreeSet;

use gpu_graph_analysis::formula::{Function, Node, NodeKind, Operator, Step, Unary, Value};
use gpu_graph_analysis::model::Elem;

use super::helper::Helper;

/// The type of an element; a half is one by its bits.
pub fn ty(elem: Elem) -> &'static str {
    match elem {
        Elem::F32 => "float",
        Elem::F64 => "double",
        Elem::I8 => "signed char",
        Elem::I16 => "short",
        Elem::I32 => "int",
        Elem::I64 => "long long",
        Elem::U8 => "unsigned char",
        Elem::U16 | Elem::F16 | Elem::BF16 => "unsigned short",
        Elem::U32 => "unsigned int",
        Elem::U64 => "unsigned long long",
    }
}

/// The type that integers are computed in, which wraps.
pub fn wide(elem: Elem) -> &'static str {
    match elem.size() {
        8 => "unsigned long long",
        _ => "unsigned int",
    }
}

/// Integers of this type become `int` as soon as they are computed with.
fn is_narrow(elem: Elem) -> bool {
    elem.size() < 4
}

/// What is floats or not.
pub fn is_float(elem: Elem) -> bool {
    elem.int_range().is_none()
}

/// Writes values, and keeps which helper functions they call.
#[derive(Default)]
pub struct Ops {
    /// The functions.
    pub helpers: BTreeSet<Helper>,
}

impl Ops {
    /// The value of `node`; `param` says how a parameter is read at the index at hand.
    pub fn value(&mut self, node: &Node, param: &dyn Fn(usize) -> String) -> String {
        match &node.kind {
            NodeKind::Literal(bits) => literal(Value::from_bits(*bits, node.elem())),
            NodeKind::Param(index) => param(*index),
            NodeKind::Reduced(index) => format!("r{index}"),
            NodeKind::Unary(unary, of) => {
                let text = self.value(of, param);
                self.unary(*unary, of, &text)
            }
            NodeKind::Binary(left, operator, right) => {
                let (a, b) = (self.value(left, param), self.value(right, param));
                match left.ty {
                    gpu_graph_analysis::formula::Ty::Bool => {
                        format!("({a} {} {b})", operator.sign())
                    }
                    _ => self.binary(left.elem(), *operator, &a, &b),
                }
            }
            NodeKind::If(parts) => {
                let [c, a, b] = [0, 1, 2].map(|i| self.value(&parts[i], param));
                format!("({c} ? {a} : {b})")
            }
            NodeKind::Cast(of) => {
                let text = self.value(of, param);
                self.cast(of.elem(), node.elem(), text)
            }
            NodeKind::Method(function, parts) => {
                let parts: Vec<_> = parts.iter().map(|part| self.value(part, param)).collect();
                self.method(*function, node.elem(), &parts)
            }
        }
    }

    fn unary(&mut self, unary: Unary, of: &Node, text: &str) -> String {
        let elem = of.elem();
        match unary {
            Unary::Not if of.ty == gpu_graph_analysis::formula::Ty::Bool => format!("(!{text})"),
            Unary::Not => narrowed(elem, format!("(~{text})")),
            Unary::Neg if is_float(elem) => format!("(-{text})"),
            Unary::Neg => format!("({})(0u - ({})({text}))", ty(elem), wide(elem)),
        }
    }

    /// An operator between two numbers of type `elem`.
    pub fn binary(&mut self, elem: Elem, operator: Operator, a: &str, b: &str) -> String {
        let sign = operator.sign();
        if operator.compares() {
            return format!("({a} {sign} {b})");
        }
        let (ty, wide) = (ty(elem), wide(elem));
        match operator {
            Operator::Rem if is_float(elem) => {
                let name = if elem == Elem::F32 { "fmodf" } else { "fmod" };
                format!("{name}({a}, {b})")
            }
            Operator::Add | Operator::Sub | Operator::Mul | Operator::Div if is_float(elem) => {
                format!("{}({a}, {b})", rounded(elem, operator))
            }
            Operator::Add | Operator::Sub | Operator::Mul => {
                format!("({ty})(({wide})({a}) {sign} ({wide})({b}))")
            }
            Operator::Div => self.call(Helper::Div(elem), &[a, b]),
            Operator::Rem => self.call(Helper::Rem(elem), &[a, b]),
            Operator::Shl => {
                let mask = 8 * elem.size() - 1;
                format!("({ty})(({wide})({a}) << (({wide})({b}) & {mask}u))")
            }
            Operator::Shr => {
                let mask = 8 * elem.size() - 1;
                format!("({ty})(({ty})({a}) >> (({wide})({b}) & {mask}u))")
            }
            _ => narrowed(elem, format!("({a} {sign} {b})")),
        }
    }

    /// Two numbers become one, in a reduction.
    pub fn step(&mut self, step: Step, elem: Elem, a: &str, b: &str) -> String {
        match step {
            Step::Operator(operator) => self.binary(elem, operator, a, b),
            Step::Function(function) => self.method(function, elem, &[a.to_owned(), b.to_owned()]),
        }
    }

    fn cast(&mut self, from: Elem, to: Elem, text: String) -> String {
        match (from, to) {
            (Elem::F16 | Elem::BF16, _) | (Elem::F32, Elem::F16 | Elem::BF16) => {
                self.call(Helper::Cast(from, to), &[&text])
            }
            (_, Elem::F16 | Elem::BF16) => {
                let odd = match is_narrow(from) {
                    // An `f32` has digits enough.
                    true => format!("(float)({text})"),
                    false => self.call(Helper::Odd(from), &[&text]),
                };
                self.call(Helper::Cast(Elem::F32, to), &[&odd])
            }
            _ if is_float(from) && !is_float(to) => self.call(Helper::Cast(from, to), &[&text]),
            _ => format!("({})({text})", ty(to)),
        }
    }

    fn method(&mut self, function: Function, elem: Elem, parts: &[String]) -> String {
        let args = parts.join(", ");
        let parts: Vec<&str> = parts.iter().map(String::as_str).collect();
        let single = elem == Elem::F32;
        let name = match function {
            Function::Min => return self.call(Helper::Min(elem), &parts),
            Function::Max => return self.call(Helper::Max(elem), &parts),
            Function::Abs if !is_float(elem) => {
                return self.call(Helper::Abs(elem), &parts);
            }
            Function::Sqrt if single => return format!("__fsqrt_rn({args})"),
            Function::Sqrt => return format!("__dsqrt_rn({args})"),
            Function::MulAdd if single => return format!("__fmaf_rn({args})"),
            Function::MulAdd => return format!("__fma_rn({args})"),
            Function::Abs => "fabs",
            Function::Ln => "log",
            Function::Powf => "pow",
            other => other.name(),
        };
        format!("{name}{}({args})", if single { "f" } else { "" })
    }

    fn call(&mut self, helper: Helper, args: &[&str]) -> String {
        self.helpers.insert(helper);
        format!("{}({})", helper.name(), args.join(", "))
    }
}

fn narrowed(elem: Elem, text: String) -> String {
    match is_narrow(elem) {
        true => format!("({}){text}", ty(elem)),
        false => text,
    }
}

/// The intrinsic that rounds to nearest and is never fused.
fn rounded(elem: Elem, operator: Operator) -> String {
    let name = match operator {
        Operator::Add => "add",
        Operator::Sub => "sub",
        Operator::Mul => "mul",
        _ => "div",
    };
    let kind = if elem == Elem::F32 { 'f' } else { 'd' };
    format!("__{kind}{name}_rn")
}

/// A number, exact: floats by their bits where their decimal digits are not few.
pub fn literal(value: Value) -> String {
    let Some(elem) = value.elem() else {
        return "0".to_owned();
    };
    let bits = value.to_bits();
    match value {
        Value::F32(x) if short(x.into()) => format!("{x:?}f"),
        Value::F64(x) if short(x) => format!("{x:?}"),
        Value::F32(_) => format!("__int_as_float({bits:#x})"),
        Value::F64(_) => format!("__longlong_as_double({bits:#x}ll)"),
        _ => format!(
            "({}){bits}{}",
            ty(elem),
            if elem.size() == 8 { "ull" } else { "u" }
        ),
    }
}

/// A small whole number that is not negative.
fn short(x: f64) -> bool {
    x.is_sign_positive() && x.fract() == 0.0 && x < 1e6
}
