//! One kernel over `[n]`, its host function beside its CUDA text.

use std::cell::Cell;

use gpu_graph::{bf16, f16};

use super::cuda::{Arg, Buffer, Program, Ty};
use super::operands::Numbers;

/// What a parameter is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Param {
    Tensor(Ty),
    Scalar(Ty),
}

/// A kernel `(parameters) -> [result; n]`.
pub struct Case {
    pub name: &'static str,
    pub cuda: &'static str,
    pub params: Vec<Param>,
    pub result: Ty,
    /// The host function on bits.
    pub host: fn(&Args) -> Vec<u64>,
    /// The in-place form on bits, where there is one; what comes in the first place becomes the result.
    pub in_place: bool,
}

/// Types of Rust by their bits.
pub trait Number: Copy {
    const TY: Ty;
    fn of(bits: u64) -> Self;
    fn bits(self) -> u64;
}

macro_rules! numbers {
    ($($t:ident $ty:ident $of:expr, $bits:expr;)*) => {$(
        impl Number for $t {
            const TY: Ty = Ty::$ty;
            fn of(bits: u64) -> Self {
                let of: fn(u64) -> $t = $of;
                of(bits)
            }
            fn bits(self) -> u64 {
                let bits: fn($t) -> u64 = $bits;
                bits(self)
            }
        }
    )*};
}

numbers! {
    i8 I8 |b| b as i8, |v| u64::from(v as u8);
    i16 I16 |b| b as i16, |v| u64::from(v as u16);
    i32 I32 |b| b as i32, |v| u64::from(v as u32);
    i64 I64 |b| b as i64, |v| v as u64;
    u8 U8 |b| b as u8, |v| v.into();
    u16 U16 |b| b as u16, |v| v.into();
    u32 U32 |b| b as u32, |v| v.into();
    u64 U64 |b| b, |v| v;
    f32 F32 |b| f32::from_bits(b as u32), |v| v.to_bits().into();
    f64 F64 f64::from_bits, f64::to_bits;
    f16 F16 |b| f16::from_bits(b as u16), |v| v.to_bits().into();
    bf16 BF16 |b| bf16::from_bits(b as u16), |v| v.to_bits().into();
}

/// Arguments, taken one after the other.
pub struct Args {
    pub n: usize,
    pub bits: Vec<Vec<u64>>,
    next: Cell<usize>,
}

impl Args {
    pub fn new(n: usize, bits: Vec<Vec<u64>>) -> Self {
        let next = Cell::new(0);
        Self { n, bits, next }
    }

    pub fn tensor<T: Number>(&self) -> Vec<T> {
        let index = self.next.replace(self.next.get() + 1);
        self.bits[index].iter().map(|bits| T::of(*bits)).collect()
    }

    pub fn scalar<T: Number>(&self) -> T {
        self.tensor()[0]
    }
}

/// The list of cases `name(tensor f32, scalar u8) -> f32;` of kernels in scope.
macro_rules! cases {
    ($($name:ident($($kind:ident $ty:ident),*) -> $result:ident;)*) => {
        pub fn cases() -> Vec<$crate::case::Case> {
            use $crate::case::{Case, Number, Param};
            #[allow(unused_imports, reason = "not every list has them")]
            use gpu_graph::{bf16, f16};
            vec![$(Case {
                name: stringify!($name),
                cuda: $name::CUDA,
                params: vec![$($crate::case::cases!(@param $kind $ty)),*],
                result: <$result as Number>::TY,
                host: |args| {
                    let mut out = vec![<$result as Number>::of(0); args.n];
                    let dims = $name::Dims { n: args.n };
                    $name::host($($crate::case::cases!(@arg $kind $ty args),)* &mut out, dims);
                    out.into_iter().map(Number::bits).collect()
                },
                in_place: <$name::Dims as gpu_graph::__private::DeclaredKernel>::CODE.in_place.is_some(),
            }),*]
        }
    };
    (@param tensor $ty:ident) => { Param::Tensor(<$ty as Number>::TY) };
    (@param scalar $ty:ident) => { Param::Scalar(<$ty as Number>::TY) };
    (@arg tensor $ty:ident $args:ident) => { &$args.tensor::<$ty>() };
    (@arg scalar $ty:ident $args:ident) => { $args.scalar::<$ty>() };
}
pub(crate) use cases;

impl Case {
    /// It reads or writes floats of 16 bits.
    pub fn has_halves(&self) -> bool {
        let types = self.params.iter().map(|param| match param {
            Param::Tensor(ty) | Param::Scalar(ty) => *ty,
        });
        let mut types = types.chain([self.result]);
        types.any(|ty| matches!(ty, Ty::F16 | Ty::BF16))
    }
}

/// Runs both sides on `launches * n` operands, and compares with `same`, which is given both results.
pub fn compare(
    case: &Case,
    seed: u64,
    [launches, n]: [usize; 2],
    same: impl Fn(Ty, u64, u64) -> bool,
) -> usize {
    let program = Program::new(case.cuda);
    let mut numbers = Numbers::new(seed);
    for _ in 0..launches {
        let bits = case.params.iter().map(|param| match param {
            Param::Tensor(ty) => (0..n).map(|_| numbers.operand(*ty)).collect(),
            Param::Scalar(ty) => vec![numbers.operand(*ty)],
        });
        let args = Args::new(n, bits.collect());
        let host = (case.host)(&args);
        let forms = ["", "_in_place"];
        let scalars = case.params.iter().any(|p| matches!(p, Param::Scalar(_)));
        let entries = ["", "_indirect"];
        let entries = &entries[..1 + usize::from(scalars)];
        let forms = forms[..1 + usize::from(case.in_place)].iter();
        for form in forms.flat_map(|form| entries.iter().map(move |entry| format!("{form}{entry}")))
        {
            let device = device(case, &program, &form, &args);
            for (i, (a, b)) in host.iter().zip(&device).enumerate() {
                assert!(
                    same(case.result, *a, *b),
                    "{}{form}: {a:#x} on the host, {b:#x} on the device, of {:x?}\n{}",
                    case.name,
                    args.bits
                        .iter()
                        .map(|b| b.get(i).unwrap_or(&b[0]))
                        .collect::<Vec<_>>(),
                    case.cuda
                );
            }
        }
    }
    launches * n
}

fn device(case: &Case, program: &Program, form: &str, args: &Args) -> Vec<u64> {
    let mut buffers = Vec::new();
    let mut list = Vec::new();
    let mut out = None;
    for (param, bits) in case.params.iter().zip(&args.bits) {
        match *param {
            Param::Tensor(ty) => {
                if form.starts_with("_in_place") && out.is_none() && ty == case.result {
                    out = Some(buffers.len());
                }
                list.push(Arg::Pointer(buffers.len()));
                let bits = bits.clone();
                buffers.push(Buffer { ty, bits });
            }
            Param::Scalar(ty) if form.ends_with("_indirect") => {
                list.push(Arg::Pointer(buffers.len()));
                let bits = bits.clone();
                buffers.push(Buffer { ty, bits });
            }
            Param::Scalar(ty) => list.push(Arg::Number(ty, bits[0])),
        }
    }
    let out = out.unwrap_or_else(|| {
        list.push(Arg::Pointer(buffers.len()));
        let (ty, bits) = (case.result, vec![0; args.n]);
        buffers.push(Buffer { ty, bits });
        buffers.len() - 1
    });
    list.push(Arg::Number(Ty::U64, args.n as u64));
    let name = format!("{}_kernel{form}", case.name);
    program.launch(&name, &list, [args.n, 1, 1], &mut buffers);
    buffers.swap_remove(out).bits
}

/// Bit for bit; which NaN it is is left open.
pub fn exact(ty: Ty, a: u64, b: u64) -> bool {
    a == b || is_nan(ty, a) && is_nan(ty, b)
}

pub fn is_nan(ty: Ty, bits: u64) -> bool {
    match ty {
        Ty::F32 => f32::of(bits).is_nan(),
        Ty::F64 => f64::of(bits).is_nan(),
        Ty::F16 => f16::of(bits).is_nan(),
        Ty::BF16 => bf16::of(bits).is_nan(),
        _ => false,
    }
}

/// Units in the last place between two floats that are no NaN.
pub fn distance(ty: Ty, a: u64, b: u64) -> u64 {
    let sign = 1u64 << (ty.bits() - 1);
    let place = |bits: u64| match bits & sign {
        0 => bits as i64,
        _ => -((bits & !sign) as i64),
    };
    place(a).abs_diff(place(b))
}
