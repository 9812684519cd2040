//! The meaning of a formula, one element at a time: what generated code is held against.

use super::reduction::Step;
use super::{Axis, Formula, LANES, Node, NodeKind, Reduce, Reduction, Value};
use crate::model::Elem;

/// What a parameter is given.
#[derive(Clone, Debug, PartialEq)]
pub enum Argument {
    /// A scalar.
    Scalar(Value),
    /// The elements of a tensor, row by row.
    Tensor(Vec<Value>),
}

/// The elements of the target, row by row, where the kernel's dims are `dims`.
///
/// `None` where arguments are not those of the kernel: a type, a length or a count differs.
pub fn eval(formula: &Formula, arguments: &[Argument], dims: &[usize]) -> Option<Vec<Value>> {
    let target = formula.target.dims();
    let mut at = At {
        formula,
        arguments,
        dims,
        index: vec![0; dims.len()],
        reduced: Vec::new(),
    };
    let mut values = Vec::new();
    at.each(&target, &mut |at| {
        at.reduced.clear();
        for reduction in &formula.reductions {
            let value = at.reduce(reduction)?;
            at.reduced.push(value);
        }
        values.push(at.node(&formula.value)?);
        Some(())
    })?;
    Some(values)
}

struct At<'a> {
    formula: &'a Formula,
    arguments: &'a [Argument],
    dims: &'a [usize],
    /// The index in each dim.
    index: Vec<usize>,
    /// Values of the reductions before the one at hand.
    reduced: Vec<Value>,
}

impl At<'_> {
    /// Calls `visit` at each index of `over`, in ascending order.
    fn each(
        &mut self,
        over: &[usize],
        visit: &mut dyn FnMut(&mut Self) -> Option<()>,
    ) -> Option<()> {
        let Some((&first, rest)) = over.split_first() else {
            return visit(self);
        };
        for i in 0..*self.dims.get(first)? {
            self.index[first] = i;
            self.each(rest, visit)?;
        }
        Some(())
    }

    fn reduce(&mut self, reduction: &Reduction) -> Option<Value> {
        let neutral = reduction.reduce.neutral(reduction.of.elem());
        let mut lanes = [neutral; LANES];
        let last = *reduction.over.last()?;
        self.each(&reduction.over, &mut |at| {
            let value = at.node(&reduction.of)?;
            let lane = at.index[last] % LANES;
            lanes[lane] = reduction.reduce.apply(lanes[lane], value)?;
            Some(())
        })?;
        let mut half = LANES / 2;
        while half > 0 {
            for lane in 0..half {
                lanes[lane] = reduction.reduce.apply(lanes[lane], lanes[lane + half])?;
            }
            half /= 2;
        }
        Some(lanes[0])
    }

    fn node(&self, node: &Node) -> Option<Value> {
        Some(match &node.kind {
            NodeKind::Literal(bits) => Value::from_bits(*bits, node.elem()),
            NodeKind::Param(index) => match self.arguments.get(*index)? {
                Argument::Scalar(value) => *value,
                Argument::Tensor(values) => *values.get(self.offset(*index)?)?,
            },
            NodeKind::Reduced(index) => *self.reduced.get(*index)?,
            NodeKind::Unary(unary, of) => self.node(of)?.unary(*unary)?,
            NodeKind::Binary(left, operator, right) => {
                self.node(left)?.binary(*operator, self.node(right)?)?
            }
            NodeKind::If(parts) => match self.node(&parts[0])? {
                Value::Bool(true) => self.node(&parts[1])?,
                _ => self.node(&parts[2])?,
            },
            NodeKind::Cast(of) => self.node(of)?.cast(node.elem())?,
            NodeKind::Method(function, parts) => {
                let parts: Option<Vec<_>> = parts.iter().map(|part| self.node(part)).collect();
                Value::method(*function, &parts?)?
            }
        })
    }

    fn offset(&self, param: usize) -> Option<usize> {
        let axes = self.formula.operands.get(param)?.as_ref()?;
        let mut offset = 0;
        for axis in axes {
            if let Axis::Dim(dim) = axis {
                offset = offset * self.dims[*dim] + self.index[*dim];
            }
        }
        Some(offset)
    }
}

impl Reduce {
    /// What an accumulator begins with.
    pub fn neutral(self, elem: Elem) -> Value {
        let number = |value| Value::from_int(value, elem);
        let (min, max) = match elem {
            Elem::F32 => {
                let infinite = |x: f32| Some(Value::F32(x));
                (infinite(f32::NEG_INFINITY), infinite(f32::INFINITY))
            }
            Elem::F64 => {
                let infinite = |x: f64| Some(Value::F64(x));
                (infinite(f64::NEG_INFINITY), infinite(f64::INFINITY))
            }
            _ => {
                let (min, max) = elem.int_range().unwrap_or((0, 0));
                (number(min), number(max))
            }
        };
        let neutral = match self {
            Reduce::Sum => number(0),
            Reduce::Product => number(1),
            Reduce::Min => max,
            Reduce::Max => min,
        };
        neutral.unwrap_or(Value::Bool(false))
    }

    fn apply(self, accumulator: Value, value: Value) -> Option<Value> {
        match self.step() {
            Step::Operator(operator) => accumulator.binary(operator, value),
            Step::Function(function) => Value::method(function, &[accumulator, value]),
        }
    }
}
