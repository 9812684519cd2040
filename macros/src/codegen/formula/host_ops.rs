//! Values of expressions as Rust.

use gpu_graph_analysis::formula::{Function, Node, NodeKind, Operator, Step, Unary, Value};
use gpu_graph_analysis::model::Elem;

/// The type of an element, where the names of Rust's own types mean those.
pub fn rust_type(elem: Elem) -> String {
    match elem {
        Elem::F16 | Elem::BF16 => format!("::gpu_graph::__private::{elem}"),
        _ => elem.name().to_owned(),
    }
}

/// The value of `node`; `param` says how a parameter is read at the index at hand.
pub fn value(node: &Node, param: &dyn Fn(usize) -> String) -> String {
    let value = |node: &Node| value(node, param);
    match &node.kind {
        NodeKind::Literal(bits) => literal(Value::from_bits(*bits, node.elem())),
        NodeKind::Param(index) => param(*index),
        NodeKind::Reduced(index) => format!("r{index}"),
        NodeKind::Unary(unary, of) => match (unary, of.ty) {
            (Unary::Not, gpu_graph_analysis::formula::Ty::Bool) => format!("(!{})", value(of)),
            (Unary::Not, _) => format!("I::not({})", value(of)),
            (Unary::Neg, _) => format!("N::neg({})", value(of)),
        },
        NodeKind::Binary(left, operator, right) => operate(*operator, &value(left), &value(right)),
        NodeKind::If(parts) => {
            let [condition, yes, no] = &**parts;
            let (condition, yes, no) = (value(condition), value(yes), value(no));
            format!("if {condition} {{ {yes} }} else {{ {no} }}")
        }
        NodeKind::Cast(of) => match (of.elem(), node.elem()) {
            (Elem::F16 | Elem::BF16, _) => format!("W::widen({})", value(of)),
            (_, elem @ (Elem::F16 | Elem::BF16)) => format!("H::{elem}({})", value(of)),
            (_, elem) => format!("({{ {} }} as {elem})", value(of)),
        },
        NodeKind::Method(function, parts) => {
            let parts: Vec<_> = parts.iter().map(value).collect();
            let name = function.name();
            let of = match function {
                Function::Abs | Function::Min | Function::Max => "N",
                Function::Powf => "F",
                _ => node.elem().name(),
            };
            format!("{of}::{name}({})", parts.join(", "))
        }
    }
}

/// An operator between two values.
fn operate(operator: Operator, a: &str, b: &str) -> String {
    let call = match operator {
        Operator::Add => "N::add",
        Operator::Sub => "N::sub",
        Operator::Mul => "N::mul",
        Operator::Div => "N::div",
        Operator::Rem => "N::rem",
        Operator::BitAnd => "I::and",
        Operator::BitOr => "I::or",
        Operator::BitXor => "I::xor",
        Operator::Shl => "I::shl",
        Operator::Shr => "I::shr",
        // Lints of the user's may forbid floats to be compared so in the text itself.
        Operator::Eq => "N::eq",
        Operator::Ne => "N::ne",
        _ => return format!("({{ {a} }} {} {{ {b} }})", operator.sign()),
    };
    format!("{call}({a}, {b})")
}

/// What an accumulator does with an element.
pub fn step(step: Step) -> &'static str {
    match step {
        Step::Operator(Operator::Mul) => "N::mul",
        Step::Operator(_) => "N::add",
        Step::Function(Function::Max) => "N::max",
        Step::Function(_) => "N::min",
    }
}

/// A number, exact.
pub fn literal(value: Value) -> String {
    let elem = value.elem().map_or("bool", Elem::name);
    match value {
        Value::F32(_) | Value::F64(_) => format!("{elem}::from_bits({:#x})", value.to_bits()),
        Value::F16(bits) | Value::BF16(bits) => {
            let elem = value.elem().map(rust_type).unwrap_or_default();
            format!("{elem}::from_bits({bits:#x})")
        }
        Value::I8(x) => format!("{x}{elem}"),
        Value::I16(x) => format!("{x}{elem}"),
        Value::I32(x) => format!("{x}{elem}"),
        Value::I64(x) => format!("{x}{elem}"),
        _ => format!("{}{elem}", value.to_bits()),
    }
}
