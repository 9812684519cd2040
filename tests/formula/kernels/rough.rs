//! Every method with a tolerance. Made by `generate.rs`.

gpu_graph::gpu_graph! {
    kernel k0(x: &[f32; n]) -> [f32; n] = x.exp();
    kernel k1(x: &[f32; n]) -> [f32; n] = x.exp2();
    kernel k2(x: &[f32; n]) -> [f32; n] = x.ln();
    kernel k3(x: &[f32; n]) -> [f32; n] = x.log2();
    kernel k4(x: &[f32; n]) -> [f32; n] = x.log10();
    kernel k5(x: &[f32; n]) -> [f32; n] = x.sin();
    kernel k6(x: &[f32; n]) -> [f32; n] = x.cos();
    kernel k7(x: &[f32; n]) -> [f32; n] = x.tan();
    kernel k8(x: &[f32; n]) -> [f32; n] = x.sinh();
    kernel k9(x: &[f32; n]) -> [f32; n] = x.cosh();
    kernel k10(x: &[f32; n]) -> [f32; n] = x.tanh();
    kernel k11(x: &[f32; n]) -> [f32; n] = x.asin();
    kernel k12(x: &[f32; n]) -> [f32; n] = x.acos();
    kernel k13(x: &[f32; n]) -> [f32; n] = x.atan();
    kernel k14(x: &[f32; n], y: &[f32; n]) -> [f32; n] = x.atan2(y);
    kernel k15(x: &[f32; n], y: &[f32; n]) -> [f32; n] = x.powf(y);
    kernel k16(x: &[f64; n]) -> [f64; n] = x.exp();
    kernel k17(x: &[f64; n]) -> [f64; n] = x.exp2();
    kernel k18(x: &[f64; n]) -> [f64; n] = x.ln();
    kernel k19(x: &[f64; n]) -> [f64; n] = x.log2();
    kernel k20(x: &[f64; n]) -> [f64; n] = x.log10();
    kernel k21(x: &[f64; n]) -> [f64; n] = x.sin();
    kernel k22(x: &[f64; n]) -> [f64; n] = x.cos();
    kernel k23(x: &[f64; n]) -> [f64; n] = x.tan();
    kernel k24(x: &[f64; n]) -> [f64; n] = x.sinh();
    kernel k25(x: &[f64; n]) -> [f64; n] = x.cosh();
    kernel k26(x: &[f64; n]) -> [f64; n] = x.tanh();
    kernel k27(x: &[f64; n]) -> [f64; n] = x.asin();
    kernel k28(x: &[f64; n]) -> [f64; n] = x.acos();
    kernel k29(x: &[f64; n]) -> [f64; n] = x.atan();
    kernel k30(x: &[f64; n], y: &[f64; n]) -> [f64; n] = x.atan2(y);
    kernel k31(x: &[f64; n], y: &[f64; n]) -> [f64; n] = x.powf(y);
}

crate::case::cases! {
    k0(tensor f32) -> f32;
    k1(tensor f32) -> f32;
    k2(tensor f32) -> f32;
    k3(tensor f32) -> f32;
    k4(tensor f32) -> f32;
    k5(tensor f32) -> f32;
    k6(tensor f32) -> f32;
    k7(tensor f32) -> f32;
    k8(tensor f32) -> f32;
    k9(tensor f32) -> f32;
    k10(tensor f32) -> f32;
    k11(tensor f32) -> f32;
    k12(tensor f32) -> f32;
    k13(tensor f32) -> f32;
    k14(tensor f32, tensor f32) -> f32;
    k15(tensor f32, tensor f32) -> f32;
    k16(tensor f64) -> f64;
    k17(tensor f64) -> f64;
    k18(tensor f64) -> f64;
    k19(tensor f64) -> f64;
    k20(tensor f64) -> f64;
    k21(tensor f64) -> f64;
    k22(tensor f64) -> f64;
    k23(tensor f64) -> f64;
    k24(tensor f64) -> f64;
    k25(tensor f64) -> f64;
    k26(tensor f64) -> f64;
    k27(tensor f64) -> f64;
    k28(tensor f64) -> f64;
    k29(tensor f64) -> f64;
    k30(tensor f64, tensor f64) -> f64;
    k31(tensor f64, tensor f64) -> f64;
}
