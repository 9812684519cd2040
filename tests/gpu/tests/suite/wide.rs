//! Two wide values, of which each is needed once: as it stands, and with plans that hold one at a time.

pub mod host {
    /// Each element, as often as there is room for.
    pub fn widen<D>(x: &[u32], out: &mut [u32], _: D) {
        let times = out.len() / x.len();
        let rows = out.chunks_exact_mut(times);
        rows.zip(x).for_each(|(row, x)| row.fill(*x));
    }
    /// The sum of as many elements as there are for each.
    pub fn sum<D>(x: &[u32], out: &mut [u32], _: D) {
        let rows = x.chunks_exact(x.len() / out.len());
        let sums = rows.map(|row| row.iter().fold(0u32, |a, b| a.wrapping_add(*b)));
        out.iter_mut().zip(sums).for_each(|(o, sum)| *o = sum);
    }
}

/// The text, once; what is said of the choice of a plan goes in between.
macro_rules! twice {
    ($($choice:tt)*) => {
        gpu_graph::gpu_graph! {
            kernel widen(x: &[u32; n]) -> [u32; m] {
                over [m],
                cuda r#"KERNEL(widen) { INDEX(i); out(i) = x(i / (m / n)); }"#,
                host super::host::widen,
            }
            kernel sum(x: &[u32; m]) -> [u32; n] {
                over [n],
                cuda r#"
                    KERNEL(sum) {
                        INDEX(i);
                        u32 all = 0;
                        for (u64 k = 0; k < m / n; k++) {
                            all += x(i * (m / n) + k);
                        }
                        out(i) = all;
                    }
                "#,
                host super::host::sum,
            }

            /// Two wide values.
            pub graph Twice {
                dim n in 1..=4096;
                $($choice)*
                input x: [u32; n];
                let a: [u32; 64 * n] = widen(&x);
                let b: [u32; 64 * n] = widen(&x);
                output p: [u32; n] = sum(&a);
                output q: [u32; n] = sum(&b);
            }
        }
    };
}

/// In the order of the text.
pub mod plain {
    twice!(streams 1;);
}

/// One after the other.
pub mod chosen {
    twice!(streams 1; scope "a test"; minimize peak;);
}

/// As [`plain`], as a graph of the device's own.
pub mod plain_as_graph {
    twice!(streams 1; issue graph;);
}

/// As [`chosen`], as a graph of the device's own.
pub mod chosen_as_graph {
    twice!(streams 1; issue graph; scope "a test"; minimize peak;);
}

/// Beside each other.
pub mod side_by_side {
    twice!(streams 2; target latency;);
}

/// One after the other, for one who counts time.
pub mod in_turn {
    twice!(streams 2; target latency; minimize peak;);
}

/// So many runs of a graph of this file, put together.
macro_rules! measured {
    ($of:ident, $device:expr, $n:expr, $runs:expr) => {{
        let n: usize = $n;
        let mut log = gpu_graph::report::ProfileLog::new();
        let mut graph = $of::Twice::load($device, $of::twice::Dims { n }).unwrap();
        graph.profile(true).unwrap();
        for _ in 0..$runs {
            let x = vec![3u32; n];
            let run = graph.run($of::twice::Inputs { x }).unwrap();
            assert_eq!(run.q().unwrap().to_vec().unwrap(), vec![3 * 64; n]);
            log.add(&run.profile().unwrap().unwrap()).unwrap();
        }
        log.measured().unwrap()
    }};
}
pub(crate) use measured;
