//! Graphs that name a profile.

/// One objective, two profiles: what is bought with time depends on what time it takes.
macro_rules! weighed {
    ($file:literal) => {
        crate::graphs::twice!(
            Weighed,
            budget 1 GiB;
            streams 2;
            minimize 1 / KiB * peak + 1 / us * critical_path;
            profile $file;
        );
    };
}

pub mod fast {
    weighed!("tests/measured/fast.profile.json");
}

pub mod slow {
    weighed!("tests/measured/slow.profile.json");
}

/// Another source, with the profile of the first.
pub mod changed {
    gpu_graph::gpu_graph! {
        kernel widen(x: &[f32; n], by: u64) -> [f32; m] { cost 5 us, host crate::host::widen }
        kernel sum(x: &[f32; m]) -> [f32; n] { host crate::host::sum }

        pub graph Changed {
            dim n in 1..=1024;
            profile "tests/measured/fast.profile.json";
            minimize critical_path;
            input x: [f32; n];
            let a: [f32; 64 * n] = widen(&x, n);
            output p: [f32; n] = sum(&a);
        }
    }
}

/// Two streams beside each other, and one after the other to save storage, for one who counts time.
pub mod side_by_side {
    crate::graphs::twice!(Twice, streams 2; target latency;);
}

pub mod in_turn {
    crate::graphs::twice!(Twice, streams 2; target latency; minimize peak;);
}

/// A combination of variants is a program of its own.
pub mod variants {
    gpu_graph::gpu_graph! {
        kernel widen(x: &[f32; n], by: u64) -> [f32; m] { host crate::host::widen }

        pub graph Either {
            dim n in 1..=1024;
            variant how { once, twice }
            input x: [f32; n];
            output y: [f32; 4 * n];
            match how {
                once => { y = widen(&x, n); }
                twice => {
                    let t: [f32; 2 * n] = widen(&x, n);
                    y = widen(&t, n);
                }
            }
        }
    }
}
