//! Numbers of C++, and what its operators make of them.

/// A type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Ty {
    I8,
    I16,
    I32,
    I64,
    U8,
    U16,
    U32,
    U64,
    F32,
    F64,
    /// Of a tensor or a scalar alone: C++ sees its bits.
    F16,
    /// The same.
    BF16,
}

impl Ty {
    pub fn bits(self) -> u32 {
        match self {
            Ty::I8 | Ty::U8 => 8,
            Ty::I16 | Ty::U16 | Ty::F16 | Ty::BF16 => 16,
            Ty::I32 | Ty::U32 | Ty::F32 => 32,
            Ty::I64 | Ty::U64 | Ty::F64 => 64,
        }
    }

    /// The type that it has in C++.
    pub fn stored(self) -> Ty {
        match self {
            Ty::F16 | Ty::BF16 => Ty::U16,
            ty => ty,
        }
    }

    pub fn is_float(self) -> bool {
        matches!(self, Ty::F32 | Ty::F64)
    }

    pub fn is_signed(self) -> bool {
        matches!(self, Ty::I8 | Ty::I16 | Ty::I32 | Ty::I64)
    }

    /// As an operand: narrow integers become `int`.
    fn promoted(self) -> Ty {
        if self.bits() < 32 { Ty::I32 } else { self }
    }

    /// The type that two operands of an operator are brought to.
    pub fn common(self, other: Ty) -> Ty {
        let (a, b) = (self.promoted(), other.promoted());
        if a == b {
            return a;
        }
        for ty in [Ty::F64, Ty::F32, Ty::U64, Ty::I64, Ty::U32] {
            if a == ty || b == ty {
                return ty;
            }
        }
        Ty::I32
    }
}

/// A number and its type; bits beyond the type's are 0.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Value {
    pub ty: Ty,
    pub bits: u64,
}

impl Value {
    pub fn new(ty: Ty, bits: u64) -> Self {
        let mask = u64::MAX >> (64 - ty.bits());
        Self {
            ty,
            bits: bits & mask,
        }
    }

    pub fn int(self) -> i128 {
        let shift = 64 - self.ty.bits();
        match self.ty.is_signed() {
            true => (((self.bits << shift) as i64) >> shift).into(),
            false => self.bits.into(),
        }
    }

    pub fn f32(self) -> f32 {
        assert_eq!(self.ty, Ty::F32, "a float");
        f32::from_bits(self.bits as u32)
    }

    pub fn f64(self) -> f64 {
        assert_eq!(self.ty, Ty::F64, "a double");
        f64::from_bits(self.bits)
    }

    pub fn of_f32(value: f32) -> Self {
        Self::new(Ty::F32, value.to_bits().into())
    }

    pub fn of_f64(value: f64) -> Self {
        Self::new(Ty::F64, value.to_bits())
    }

    fn wide(self) -> f64 {
        if self.ty == Ty::F32 {
            self.f32().into()
        } else {
            self.f64()
        }
    }

    pub fn is_true(self) -> bool {
        if self.ty.is_float() {
            self.wide() != 0.0
        } else {
            self.bits != 0
        }
    }

    /// An explicit cast.
    pub fn cast(self, ty: Ty) -> Self {
        match (self.ty.is_float(), ty.is_float()) {
            (false, false) => Self::new(ty, self.int() as u64),
            (false, true) if ty == Ty::F32 => Self::of_f32(self.int() as f32),
            (false, true) => Self::of_f64(self.int() as f64),
            (true, true) if ty == Ty::F32 => Self::of_f32(self.wide() as f32),
            (true, true) => Self::of_f64(self.wide()),
            (true, false) => {
                let cut = self.wide().trunc();
                let bits = ty.bits() as i32;
                let (min, max) = match ty.is_signed() {
                    true => (-(2f64.powi(bits - 1)), 2f64.powi(bits - 1)),
                    false => (0.0, 2f64.powi(bits)),
                };
                let holds = cut >= min && cut < max;
                assert!(holds, "undefined: {} to {ty:?}", self.wide());
                Self::new(ty, cut as i128 as u64)
            }
        }
    }

    /// What a variable, a parameter or a result of that type takes: no silent change between
    /// floats and integers, or of the size of a float.
    pub fn convert(self, ty: Ty) -> Self {
        let silent = self.ty == ty || !self.ty.is_float() && !ty.is_float();
        assert!(silent, "{:?} becomes {ty:?} silently", self.ty);
        self.cast(ty)
    }

    pub fn unary(self, sign: &str) -> Self {
        let ty = self.ty.promoted();
        match sign {
            "!" => Self::new(Ty::I32, (!self.is_true()).into()),
            "-" if ty == Ty::F32 => Self::of_f32(-self.f32()),
            "-" if ty == Ty::F64 => Self::of_f64(-self.f64()),
            "-" => Self::result(ty, -self.int()),
            _ => Self::new(ty, !self.cast(ty).bits),
        }
    }

    fn result(ty: Ty, value: i128) -> Self {
        let new = Self::new(ty, value as u64);
        let wraps = ty.is_signed() && new.int() != value;
        assert!(!wraps, "undefined: {value} as a result of {ty:?}");
        new
    }

    pub fn binary(self, sign: &str, other: Self) -> Self {
        if matches!(sign, "<<" | ">>") {
            let (ty, by) = (self.ty.promoted(), other.int());
            assert!(
                (0..ty.bits().into()).contains(&by),
                "undefined: a shift by {by}"
            );
            let value = self.cast(ty).int();
            return match sign {
                "<<" => {
                    assert!(!ty.is_signed(), "a shift of a signed number to the left");
                    Self::new(ty, (value << by) as u64)
                }
                _ => Self::new(ty, (value >> by) as u64),
            };
        }
        let ty = self.ty.common(other.ty);
        let (a, b) = (self.cast(ty), other.cast(ty));
        let truth = |holds: bool| Self::new(Ty::I32, holds.into());
        if ty.is_float() {
            assert_eq!(self.ty, other.ty, "floats of one type");
            let (a, b) = (a.wide(), b.wide());
            return truth(match sign {
                "==" => a == b,
                "!=" => a != b,
                "<" => a < b,
                "<=" => a <= b,
                ">" => a > b,
                ">=" => a >= b,
                _ => panic!("`{sign}` between floats may be fused"),
            });
        }
        let (a, b) = (a.int(), b.int());
        match sign {
            "==" => truth(a == b),
            "!=" => truth(a != b),
            "<" => truth(a < b),
            "<=" => truth(a <= b),
            ">" => truth(a > b),
            ">=" => truth(a >= b),
            "+" => Self::result(ty, a + b),
            "-" => Self::result(ty, a - b),
            "*" if !ty.is_signed() => Self::new(ty, (a as u64).wrapping_mul(b as u64)),
            "*" => Self::result(ty, a * b),
            "/" => Self::result(ty, a.checked_div(b).expect("undefined: division by zero")),
            "%" => {
                assert!(b != 0, "undefined: remainder by zero");
                // The remainder is undefined where the quotient is.
                let _ = Self::result(ty, a / b);
                Self::result(ty, a % b)
            }
            "&" => Self::new(ty, (a & b) as u64),
            "|" => Self::new(ty, (a | b) as u64),
            "^" => Self::new(ty, (a ^ b) as u64),
            _ => panic!("`{sign}` is not emitted"),
        }
    }
}
