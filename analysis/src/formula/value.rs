//! Numbers, and what every operator makes of them: the meaning itself, written for reading.

use super::{Function, Operator, Unary};
use crate::half::Half;
use crate::model::Elem;

/// A number, or a condition.
#[derive(Clone, Copy, Debug, PartialEq)]
#[allow(missing_docs, reason = "each variant is the Rust type of that name")]
pub enum Value {
    F32(f32),
    F64(f64),
    I8(i8),
    I16(i16),
    I32(i32),
    I64(i64),
    U8(u8),
    U16(u16),
    U32(u32),
    U64(u64),
    /// By its bits. It is cast, and nothing else.
    F16(u16),
    /// By its bits. It is cast, and nothing else.
    BF16(u16),
    Bool(bool),
}

/// What one type does; the parts that integers and floats share are made by the macros below.
trait Number: Copy {
    fn value(self) -> Value;
    fn unary(self, unary: Unary) -> Self;
    fn binary(self, operator: Operator, other: Self) -> Value;
    fn method(function: Function, parts: &[Self]) -> Self;
}

macro_rules! number {
    ($($kind:ident $V:ident $T:ident,)*) => {$(
        impl Number for $T {
            fn value(self) -> Value {
                Value::$V(self)
            }
            fn unary(self, unary: Unary) -> Self {
                number!(@unary $kind self unary)
            }
            fn binary(self, operator: Operator, other: Self) -> Value {
                let (a, b) = (self, other);
                Value::$V(match operator {
                    Operator::Eq => return Value::Bool(a == b),
                    Operator::Ne => return Value::Bool(a != b),
                    Operator::Lt => return Value::Bool(a < b),
                    Operator::Le => return Value::Bool(a <= b),
                    Operator::Gt => return Value::Bool(a > b),
                    Operator::Ge => return Value::Bool(a >= b),
                    _ => number!(@binary $kind a operator b),
                })
            }
            fn method(function: Function, parts: &[Self]) -> Self {
                match (function, parts) {
                    #[allow(clippy::eq_op, reason = "only a NaN differs from itself")]
                    (Function::Min, &[a, b]) => if a < b || b != b { a } else { b },
                    #[allow(clippy::eq_op, reason = "only a NaN differs from itself")]
                    (Function::Max, &[a, b]) => if a > b || b != b { a } else { b },
                    _ => number!(@method $kind $T function parts),
                }
            }
        }
    )*

        impl Value {
            /// Its type; `None` for a condition.
            pub fn elem(self) -> Option<Elem> {
                Some(match self {
                    $(Value::$V(_) => Elem::$V,)*
                    Value::F16(_) => Elem::F16,
                    Value::BF16(_) => Elem::BF16,
                    Value::Bool(_) => return None,
                })
            }

            /// As Rust's `as`: integers keep the low bits, floats are cut to what the integer
            /// holds, and a NaN becomes 0. What becomes a half is rounded once. `None` for a
            /// condition.
            pub fn cast(self, elem: Elem) -> Option<Value> {
                macro_rules! to {
                    ($x:expr, $half:ident $wide:ident) => { match elem {
                        $(Elem::$V => Value::$V($x as $T),)*
                        Elem::F16 => Value::F16(Half::F16.$half($x as $wide)),
                        Elem::BF16 => Value::BF16(Half::BF16.$half($x as $wide)),
                    } };
                }
                Some(match self {
                    $(Value::$V(x) => number!(@cast $kind to x),)*
                    Value::F16(bits) => to!(Half::F16.widen(bits), of_f64 f64),
                    Value::BF16(bits) => to!(Half::BF16.widen(bits), of_f64 f64),
                    Value::Bool(_) => return None,
                })
            }

            /// A number of type `elem`, if it holds `value`.
            pub fn from_int(value: i128, elem: Elem) -> Option<Value> {
                if elem.int_range().is_some_and(|(min, max)| !(min..=max).contains(&value)) {
                    return None;
                }
                Some(match elem {
                    $(Elem::$V => Value::$V(value as $T),)*
                    Elem::F16 => Value::F16(Half::F16.of_int(value)),
                    Elem::BF16 => Value::BF16(Half::BF16.of_int(value)),
                })
            }

            /// What a unary operator makes of it; `None` where it is not defined.
            pub fn unary(self, unary: Unary) -> Option<Value> {
                if let (Unary::Not, Value::Bool(c)) = (unary, self) {
                    return Some(Value::Bool(!c));
                }
                let ty = self.elem().map(super::Ty::Elem)?;
                if !unary.takes(ty) { return None; }
                Some(match self {
                    $(Value::$V(x) => x.unary(unary).value(),)*
                    Value::F16(_) | Value::BF16(_) | Value::Bool(_) => return None,
                })
            }

            /// What an operator makes of two of one type; `None` where it is not defined.
            pub fn binary(self, operator: Operator, other: Value) -> Option<Value> {
                match (operator, self, other) {
                    (Operator::And, Value::Bool(a), Value::Bool(b)) => Some(Value::Bool(a && b)),
                    (Operator::Or, Value::Bool(a), Value::Bool(b)) => Some(Value::Bool(a || b)),
                    _ => {
                        operator.gives(self.elem().map(super::Ty::Elem)?)?;
                        match (self, other) {
                            $((Value::$V(a), Value::$V(b)) => Some(a.binary(operator, b)),)*
                            _ => None,
                        }
                    }
                }
            }

            /// What a method makes of numbers of one type; `None` where it is not defined.
            pub fn method(function: Function, parts: &[Value]) -> Option<Value> {
                let elem = parts.first()?.elem()?;
                if !function.takes(elem) || parts.len() != function.arguments() + 1 {
                    return None;
                }
                match elem {
                    $(Elem::$V => {
                        let parts: Option<Vec<$T>> = parts.iter().map(|part| match part {
                            Value::$V(x) => Some(*x),
                            _ => None,
                        }).collect();
                        Some(<$T as Number>::method(function, &parts?).value())
                    })*
                    Elem::F16 | Elem::BF16 => None,
                }
            }
        }
    };
    (@cast int $to:ident $x:ident) => { $to!($x, of_int i128) };
    (@cast float $to:ident $x:ident) => { $to!($x, of_f64 f64) };
    (@unary int $a:ident $unary:ident) => {
        match $unary {
            Unary::Neg => $a.wrapping_neg(),
            Unary::Not => !$a,
        }
    };
    (@unary float $a:ident $unary:ident) => {
        match $unary {
            Unary::Neg => -$a,
            Unary::Not => $a,
        }
    };
    (@binary int $a:ident $operator:ident $b:ident) => {
        match $operator {
            Operator::Add => $a.wrapping_add($b),
            Operator::Sub => $a.wrapping_sub($b),
            Operator::Mul => $a.wrapping_mul($b),
            Operator::Div if $b == 0 => 0,
            Operator::Div => $a.wrapping_div($b),
            Operator::Rem if $b == 0 => $a,
            Operator::Rem => $a.wrapping_rem($b),
            Operator::BitAnd => $a & $b,
            Operator::BitOr => $a | $b,
            Operator::BitXor => $a ^ $b,
            Operator::Shl => $a.wrapping_shl($b as u32),
            Operator::Shr => $a.wrapping_shr($b as u32),
            _ => $a,
        }
    };
    (@binary float $a:ident $operator:ident $b:ident) => {
        match $operator {
            Operator::Add => $a + $b,
            Operator::Sub => $a - $b,
            Operator::Mul => $a * $b,
            Operator::Div => $a / $b,
            Operator::Rem => $a % $b,
            _ => $a,
        }
    };
    (@method int $T:ident $function:ident $parts:ident) => {
        match ($function, $parts) {
            (Function::Abs, &[a]) if a < (0 as $T) => a.wrapping_neg(),
            (_, parts) => parts[0],
        }
    };
    (@method float $T:ident $function:ident $parts:ident) => {
        match ($function, $parts) {
            (Function::Abs, &[a]) => a.abs(),
            (Function::Sqrt, &[a]) => a.sqrt(),
            (Function::Floor, &[a]) => a.floor(),
            (Function::Ceil, &[a]) => a.ceil(),
            (Function::Trunc, &[a]) => a.trunc(),
            (Function::Round, &[a]) => a.round(),
            (Function::MulAdd, &[a, b, c]) => a.mul_add(b, c),
            (Function::Exp, &[a]) => a.exp(),
            (Function::Exp2, &[a]) => a.exp2(),
            (Function::Ln, &[a]) => a.ln(),
            (Function::Log2, &[a]) => a.log2(),
            (Function::Log10, &[a]) => a.log10(),
            (Function::Sin, &[a]) => a.sin(),
            (Function::Cos, &[a]) => a.cos(),
            (Function::Tan, &[a]) => a.tan(),
            (Function::Sinh, &[a]) => a.sinh(),
            (Function::Cosh, &[a]) => a.cosh(),
            (Function::Tanh, &[a]) => a.tanh(),
            (Function::Asin, &[a]) => a.asin(),
            (Function::Acos, &[a]) => a.acos(),
            (Function::Atan, &[a]) => a.atan(),
            (Function::Atan2, &[a, b]) => a.atan2(b),
            (Function::Powf, &[a, b]) if a == 1.0 || b == 0.0 => 1.0,
            (Function::Powf, &[a, b]) => a.powf(b),
            (_, parts) => parts[0],
        }
    };
}

number! {
    float F32 f32,
    float F64 f64,
    int I8 i8,
    int I16 i16,
    int I32 i32,
    int I64 i64,
    int U8 u8,
    int U16 u16,
    int U32 u32,
    int U64 u64,
}

impl Value {
    /// A float of type `elem` from decimal text, rounded once, if it is finite, and 0 only where
    /// that is written.
    pub(super) fn from_decimal(text: &str, elem: Elem) -> Option<Value> {
        let digits = text.split(['e', 'E']).next().unwrap_or(text);
        let zero = !digits.contains(|c: char| ('1'..='9').contains(&c));
        match elem {
            Elem::F32 => {
                let value = text
                    .parse()
                    .ok()
                    .filter(|v: &f32| v.is_finite() && (*v == 0.0) == zero);
                value.map(Value::F32)
            }
            Elem::F64 => {
                let value = text
                    .parse()
                    .ok()
                    .filter(|v: &f64| v.is_finite() && (*v == 0.0) == zero);
                value.map(Value::F64)
            }
            _ => {
                let bits = Half::of(elem)?.of_decimal(text);
                let value = Value::from_bits(bits.into(), elem);
                match value.cast(Elem::F32) {
                    Some(Value::F32(x)) if x.is_finite() && (x == 0.0) == zero => Some(value),
                    _ => None,
                }
            }
        }
    }

    /// Its bits, zero-extended.
    pub fn to_bits(self) -> u64 {
        match self {
            Value::F32(x) => x.to_bits().into(),
            Value::F64(x) => x.to_bits(),
            Value::I8(x) => u64::from(x as u8),
            Value::I16(x) => u64::from(x as u16),
            Value::I32(x) => u64::from(x as u32),
            Value::I64(x) => x as u64,
            Value::U8(x) => x.into(),
            Value::U16(x) => x.into(),
            Value::U32(x) => x.into(),
            Value::U64(x) => x,
            Value::F16(x) | Value::BF16(x) => x.into(),
            Value::Bool(x) => x.into(),
        }
    }

    /// The number of type `elem` whose bits these are.
    pub fn from_bits(bits: u64, elem: Elem) -> Value {
        match elem {
            Elem::F32 => Value::F32(f32::from_bits(bits as u32)),
            Elem::F64 => Value::F64(f64::from_bits(bits)),
            Elem::F16 => Value::F16(bits as u16),
            Elem::BF16 => Value::BF16(bits as u16),
            // An integer becomes any other one.
            elem => Value::U64(bits).cast(elem).unwrap_or(Value::U64(bits)),
        }
    }
}
