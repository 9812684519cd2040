//! Halves in the generated CUDA text, without a header: numbers by their bits, in an `unsigned short`.

use gpu_graph_analysis::model::Elem;

use super::cuda_ops::ty;
use super::helper::function;

/// The body of a function from a half `a` to an `f32`, or from that to the nearest half, ties to even.
/// Any device has the instructions; a `bf16` is the upper half of an `f32`.
pub fn body(from: Elem, to: Elem) -> Option<&'static str> {
    match (from, to) {
        (Elem::F16, Elem::F32) => {
            Some(r#"float b; asm("cvt.f32.f16 %0, %1;" : "=f"(b) : "h"(a)); return b;"#)
        }
        (Elem::F32, Elem::F16) => {
            Some(r#"unsigned short b; asm("cvt.rn.f16.f32 %0, %1;" : "=h"(b) : "f"(a)); return b;"#)
        }
        (Elem::BF16, Elem::F32) => Some("return __uint_as_float((unsigned int)a << 16);"),
        (Elem::F32, Elem::BF16) => Some(
            "unsigned int b = __float_as_uint(a); return a != a ? (unsigned short)32704u : \
             (unsigned short)((b + 32767u + (b >> 16 & 1u)) >> 16);",
        ),
        _ => None,
    }
}

/// Cut to an `f32`, whose last digit becomes 1 where something is gone.
pub fn odd(name: &str, from: Elem) -> String {
    let ty = ty(from);
    let (cut, nan) = match from {
        Elem::F64 => ("__double2float_rz", " || a != a"),
        Elem::I32 => ("__int2float_rz", ""),
        Elem::U32 => ("__uint2float_rz", ""),
        Elem::I64 => ("__ll2float_rz", ""),
        _ => ("__ull2float_rz", ""),
    };
    let body = format!(
        "float b = {cut}(a); \
         return ({ty})b == a{nan} ? b : __uint_as_float(__float_as_uint(b) | 1u);"
    );
    function("float", name, &format!("{ty} a"), &body)
}
