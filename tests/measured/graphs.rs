//! One graph as it stands, and with an objective: two programs of one source.

/// The text, once; what is said of the choice of a plan goes in between.
macro_rules! twice {
    ($name:ident, $($choice:tt)*) => {
        gpu_graph::gpu_graph! {
            kernel widen(x: &[f32; n], by: u64) -> [f32; m] { cost 5 us, host crate::host::widen }
            kernel sum(x: &[f32; m]) -> [f32; n] { host crate::host::sum }

            /// Two wide values, of which each is needed once.
            pub graph $name {
                dim n in 1..=1024;
                $($choice)*
                input x: [f32; n];
                let a: [f32; 64 * n] = widen(&x, n);
                let b: [f32; 64 * n] = widen(&x, n);
                output p: [f32; n] = sum(&a);
                output q: [f32; n] = sum(&b);
            }
        }
    };
}
pub(crate) use twice;

pub mod plain {
    super::twice!(Twice, streams 1;);
}

pub mod chosen {
    super::twice!(Twice, streams 1; scope "a test"; minimize peak;);
}
