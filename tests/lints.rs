//! Generated code passes the strictest lints that a user may have on.
#![forbid(unsafe_code)]
#![deny(
    warnings,
    future_incompatible,
    let_underscore,
    nonstandard_style,
    rust_2018_idioms,
    unused,
    elided_lifetimes_in_paths,
    explicit_outlives_requirements,
    missing_copy_implementations,
    missing_debug_implementations,
    missing_docs,
    non_ascii_idents,
    redundant_imports,
    redundant_lifetimes,
    single_use_lifetimes,
    trivial_casts,
    trivial_numeric_casts,
    unit_bindings,
    unnameable_types,
    unreachable_pub,
    unused_lifetimes,
    unused_macro_rules,
    unused_qualifications,
    unused_results,
    variant_size_differences,
    clippy::all,
    clippy::pedantic,
    clippy::nursery,
    clippy::cargo
)]
#![allow(clippy::cargo_common_metadata, clippy::multiple_crate_versions)]

/// Items with documentation of the user's.
pub mod documented {
    gpu_graph::gpu_graph! {
        /// Doubles.
        pub kernel double(x: &[f32; n], by: f32) -> [f32; n] {
            over [n] block [64],
            host host::double,
            in place x host host::in_place,
        }
        /// Clamps, or nearly so.
        pub kernel clamp(x: &[f32; n], k: &[i8; n], most: f64) -> [f32; n] =
            if x < (k as f32) && !(x == 0f32) { x.min(most as f32) } else { (x as i64 / 3i64 - -5i64) as f32 };
        /// Sums of rows.
        pub kernel sums(x: &[f32; h, w], m: &[f32; w, h]) -> [f32; h] = sum(x * x) - max(m);
        /// The largest.
        pub kernel largest(x: &[u8; h, w]) -> [u8; 1] = max(x);
        /// With a bias.
        pub kernel biased(y: &mut [f32; h, w], x: &[f32; h, w], b: &[f32; w], c: &[f32; 1]) = y + x * b - c;
        /// Doubles twice.
        pub graph Doubled {
            /// How many.
            dim n in 1..=16;
            /// The numbers.
            input x: [f32; n];
            /// The factor.
            scalar by: f32;
            /// The numbers doubled.
            let a: [f32; n] = double(&x, by);
            /// The numbers doubled twice.
            output y: [f32; n] = double(&a, by);
        }
    }

    mod host {
        pub(super) fn double(x: &[f32], by: f32, out: &mut [f32], dims: super::double::Dims) {
            debug_assert_eq!(x.len(), dims.n);
            for (o, x) in out.iter_mut().zip(x) {
                *o = x * by;
            }
        }
        pub(super) fn in_place(x: &mut [f32], by: f32, _dims: super::double::Dims) {
            for x in x {
                *x *= by;
            }
        }
    }
}

/// Items without documentation, public and pipelined.
pub mod undocumented {
    gpu_graph::gpu_graph! {
        pub kernel one() -> [u8; n] { host host::one }
        pub graph Ones {
            pipelined 2;
            dim n in 1..=16;
            output y: [u8; n] = one();
        }
    }

    mod host {
        pub(super) fn one(out: &mut [u8], _dims: super::one::Dims) {
            out.fill(1);
        }
    }
}

/// Items that nobody uses: the one warning is of the user's own function.
mod private {
    gpu_graph::gpu_graph! {
        kernel one() -> [u8; n] { host host::one }
        graph Unused {
            dim n in 1..=16;
            output y: [u8; n] = one();
        }
        pub(crate) graph UnusedInCrate {
            output y: [u8; 4] = one();
        }
    }

    mod host {
        #[allow(dead_code)]
        pub(super) fn one(out: &mut [u8], _dims: super::one::Dims) {
            out.fill(1);
        }
    }
}

#[test]
fn they_run() {
    let device = gpu_graph::host();
    let dims = documented::doubled::Dims { n: 1 };
    let mut doubled = documented::Doubled::load(&device, dims).expect("it fits");
    let inputs = documented::doubled::Inputs { x: &[3.0], by: 2.0 };
    let run = doubled.run(inputs).expect("it starts");
    assert_eq!(
        run.y().expect("it ends").to_vec().expect("it can be read"),
        [12.0]
    );
    let dims = undocumented::ones::Dims { n: 1 };
    let mut ones = undocumented::Ones::load(&device, dims).expect("it fits");
    let [mut lane, _] = ones.lanes();
    let run = lane.run(undocumented::ones::Inputs {}).expect("it starts");
    assert_eq!(
        run.y().expect("it ends").to_vec().expect("it can be read"),
        [1]
    );
}
