//! Kernels and a graph for other crates, in one that has the facade under another name.
#![no_implicit_prelude]

/// Kernels that other crates call.
pub mod kernels {
    ::gg::gpu_graph! {
        #![crate = ::gg]

        /// `x * by`, row by row.
        pub kernel scale(x: &[f32; h, w], by: f32) -> [f32; h, w] {
            over [h, w] block [8, 32],
            host super::host::scale,
        }
        /// Adds `x` to `sum`.
        pub kernel add(x: &[f32; h, w], sum: &mut [f32; h, w]) { host super::host::add }
        /// `by` less than `x`, of numbers.
        pub kernel less(x: &[i32; n], by: i32, from: u64) -> [i32; n] { host super::host::less }
        /// `x * by`, of halves.
        pub kernel faded(x: &[f16; n], by: f16) -> [bf16; n] = (x * by) as bf16;
        /// Half of the rows.
        pub kernel halve(x: &[f32; n]) -> [f32; n / 2] { host super::host::halve }
    }
}

::gg::gpu_graph! {
    #![crate = ::gg]

    kernel twice(x: &[f32; n]) -> [f32; n] = x + x;

    /// Doubles.
    pub graph Doubled {
        dim n in 1..=64;
        input x: [f32; n];
        output y: [f32; n] = twice(&x);
    }
}

mod host {
    use ::core::iter::Iterator;
    use ::core::primitive::*;

    pub fn scale(x: &[f32], by: f32, out: &mut [f32], dims: super::kernels::scale::Dims) {
        ::core::assert_eq!(x.len(), dims.h * dims.w);
        for (o, x) in out.iter_mut().zip(x) {
            *o = x * by;
        }
    }

    pub fn add(x: &[f32], sum: &mut [f32], _: super::kernels::add::Dims) {
        for (s, x) in sum.iter_mut().zip(x) {
            *s += x;
        }
    }

    pub fn less(x: &[i32], by: i32, from: u64, out: &mut [i32], _: super::kernels::less::Dims) {
        for (o, x) in out.iter_mut().zip(x) {
            *o = x - by - from as i32;
        }
    }

    pub fn halve(x: &[f32], out: &mut [f32], _: super::kernels::halve::Dims) {
        out.copy_from_slice(&x[..out.len()]);
    }
}
