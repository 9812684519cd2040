//! Graphs of `f16` and `bf16`, on the host and on the simulated device.
#![forbid(unsafe_code)]

mod common;

use common::on_each_device;
use gpu_graph::__private::DeclaredKernel;
use gpu_graph::{Group, NonFinite, RunError, bf16, f16};

gpu_graph::gpu_graph! {
    kernel mix(x: &[f16; n], w: &[bf16; n], a: f16) -> [f16; n] = x * a + w as f16 * 0.1f16;
    kernel square(x: &[f16; n]) -> [f16; n] { host host::square, in place x host host::square_in_place }
    kernel decay(y: &mut [bf16; n], x: &[f16; n]) = y * 0.5bf16 + x as bf16;
    kernel total(x: &[f16; n]) -> [bf16; 1] = sum(x) as bf16;
    kernel most(x: &[bf16; n]) -> [bf16; 1] = max(x);
    kernel scaled(x: &[bf16; n], by: bf16, room: &mut [bf16; n]) -> [bf16; n] { host host::scaled }
    kernel relu(x: &[f16; n]) -> [f16; n] = if x > 0f16 { x } else { 0f16 };
    callback negate(x: &mut [f16; n]) { host host::negate }
    collective all_sum(x: &[bf16; n]) -> [bf16; n] { host host::all_sum }
    opaque copied(x: &[f16; n]) -> [f16; n] { host host::copied, retains x }
    stage squared(x: &[f16; n]) -> [f16; n] { square(&x) }

    /// Every road that an element takes.
    graph Roads {
        dim n in 2..=300;
        tolerance y: 1e-2;
        scalar a: f16 finite;
        scalar b: bf16 finite;
        input x: [f16; n];
        resident input w: [bf16; n];
        inout seen: [bf16; n];
        workspace room: [bf16; n];
        let mixed: [f16; n] = mix(&x, &w, a);
        let s: [f16; n] = squared(&mixed);
        alias s with mixed;
        staging down: [f16; n] = download(&s);
        negate(&mut down);
        let up: [f16; n] = upload(&down);
        decay(&mut seen, &up);
        let one: [bf16; n] = scaled(&seen, b, &mut room);
        output y: [bf16; n] = scaled(&one, -1.5bf16, &mut room);
        output least: [bf16; 1] = total(&up);
        output largest: [bf16; 1] = most(&y);
        output front: [f16; n / 2] = relu(&up[..n / 2]);
    }

    graph Kept {
        dim n in 1..=300;
        input x: [f16; n];
        'copied: let a: [f16; n] = copied(&x) retains x until 'wait;
        'wait: output y: [f16; n] = relu(&a);
    }

    graph Together {
        dim n in 1..=300;
        input x: [bf16; n];
        output y: [bf16; n] = all_sum(&x);
    }

    /// Of the formats, one keeps the exponent and one the digits.
    graph Converted {
        dim n in 1..=300;
        input x: [f32; n];
        output a: [f16; n] = to_f16(&x);
        output b: [bf16; n] = to_bf16(&x);
        output inner: [f16; n] = twice_rounded(&x);
    }
    kernel to_f16(x: &[f32; n]) -> [f16; n] = x as f16;
    kernel to_bf16(x: &[f32; n]) -> [bf16; n] = x as bf16;
    kernel twice_rounded(x: &[f32; n]) -> [f16; n] = x as f16 as bf16 as f16 * 3f16 - x as f16;
}

mod host {
    use super::{bf16, f16};

    pub fn square(x: &[f16], out: &mut [f16], _: super::square::Dims) {
        out.iter_mut().zip(x).for_each(|(o, x)| *o = x * x);
    }
    pub fn square_in_place(x: &mut [f16], _: super::square::Dims) {
        x.iter_mut().for_each(|x| *x = *x * *x);
    }
    pub fn scaled(
        x: &[bf16],
        by: bf16,
        room: &mut [bf16],
        out: &mut [bf16],
        _: super::scaled::Dims,
    ) {
        room.copy_from_slice(x);
        out.iter_mut().zip(room).for_each(|(o, x)| *o = *x * by);
    }
    pub fn negate(x: &mut [f16], _: super::negate::Dims) {
        x.iter_mut().for_each(|x| *x = -*x);
    }
    pub fn all_sum(x: &[&[bf16]], out: &mut [bf16], _: super::all_sum::Dims) {
        for (i, o) in out.iter_mut().enumerate() {
            *o = bf16::from_f32(x.iter().map(|x| x[i].to_f32()).sum());
        }
    }
    pub fn copied(x: &[f16], out: &mut [f16], _: super::copied::Dims) {
        out.copy_from_slice(x);
    }
}

/// What one run of `Roads` leaves, by the arithmetic of the crate `half`.
struct Expected {
    seen: Vec<bf16>,
    up: Vec<f16>,
    y: Vec<bf16>,
}

fn expected(x: &[f16], w: &[bf16], seen: &[bf16], a: f16, b: bf16) -> Expected {
    let tenth = f16::from_f64(0.1).to_f32();
    let up = x.iter().zip(w).map(|(x, w)| {
        let w = f16::from_f32(w.to_f32()).to_f32();
        let mixed = f16::from_f32(x.to_f32() * a.to_f32() + w * tenth);
        -f16::from_f32(mixed.to_f32() * mixed.to_f32())
    });
    let up: Vec<f16> = up.collect();
    let seen = seen.iter().zip(&up).map(|(seen, up)| {
        let up = bf16::from_f32(up.to_f32()).to_f32();
        bf16::from_f32(seen.to_f32() * 0.5 + up)
    });
    let seen: Vec<bf16> = seen.collect();
    let scale = |x: bf16, by: bf16| bf16::from_f32(x.to_f32() * by.to_f32());
    let y = seen
        .iter()
        .map(|x| scale(scale(*x, b), bf16::from_f32(-1.5)));
    Expected {
        y: y.collect(),
        up,
        seen,
    }
}

/// Lanes of `f32` that become one by halves, which is rounded.
fn sum(x: &[f16]) -> bf16 {
    let mut lanes = [0f32; 32];
    for (i, x) in x.iter().enumerate() {
        lanes[i % 32] += x.to_f32();
    }
    for half in [16, 8, 4, 2, 1] {
        for lane in 0..half {
            lanes[lane] += lanes[lane + half];
        }
    }
    bf16::from_f32(lanes[0])
}

#[test]
fn halves_go_every_road_that_other_elements_go() {
    let (a, b) = (f16::from_f32(0.3), bf16::from_f32(-7.1));
    on_each_device(|device| {
        for n in [2, 31, 300] {
            let x: Vec<f16> = (0..n).map(|i| f16::from_f32(i as f32 / 7.0)).collect();
            let w: Vec<bf16> = (0..n).map(|i| bf16::from_f32(3.0 - i as f32)).collect();
            let mut graph = Roads::load(device, roads::Dims { n }).unwrap();
            graph.set_w(&w).unwrap();
            let mut seen = vec![bf16::ZERO; n];
            for _ in 0..2 {
                let expected = expected(&x, &w, &seen, a, b);
                let run = graph.run(roads::Inputs { x: &x, a, b }).unwrap();
                assert_eq!(run.y().unwrap().to_vec().unwrap(), expected.y);
                let least = run.least().unwrap().to_vec().unwrap();
                assert_eq!(least, [sum(&expected.up)]);
                let largest = expected
                    .y
                    .iter()
                    .copied()
                    .fold(bf16::NEG_INFINITY, bf16::max);
                assert_eq!(run.largest().unwrap().to_vec().unwrap(), [largest]);
                let front: Vec<f16> = expected.up[..n / 2]
                    .iter()
                    .map(|x| if *x > f16::ZERO { *x } else { f16::ZERO })
                    .collect();
                assert_eq!(run.front().unwrap().to_vec().unwrap(), front);
                seen = expected.seen;
            }
        }
    });
    let record = Roads::RECORD.to_string();
    assert!(record.contains("in place"), "{record}");
    assert!(record.contains("`y`: 1e-2"), "{record}");
}

#[test]
fn a_half_that_is_not_finite_is_refused_where_it_has_to_be() {
    let mut graph = Roads::load(&gpu_graph::host(), roads::Dims { n: 2 }).unwrap();
    graph.set_w(&[bf16::ONE; 2]).unwrap();
    let x = [f16::ONE; 2];
    for (a, b, scalar, value) in [
        (f16::NAN, bf16::ONE, "a", NonFinite::Nan),
        (f16::ONE, bf16::NEG_INFINITY, "b", NonFinite::NegInfinity),
    ] {
        let refused = graph.run(roads::Inputs { x: &x, a, b }).err();
        let graph = "Roads";
        let expected = RunError::NotFinite {
            graph,
            scalar,
            value,
        };
        assert_eq!(refused, Some(expected));
    }
}

#[test]
fn numbers_round_where_they_are_kept_and_where_a_cast_says_so() {
    let x = [
        0.0f32,
        -0.0,
        65_519.9,
        65_520.0,
        1e-8,
        5.97e-8,
        1.000_488_3,
        3.4e38,
        -1.1,
        f32::INFINITY,
        1e-45,
    ];
    on_each_device(|device| {
        let mut graph = Converted::load(device, converted::Dims { n: x.len() }).unwrap();
        let run = graph.run(converted::Inputs { x: &x }).unwrap();
        let bits = |x: Vec<f16>| x.into_iter().map(f16::to_bits).collect::<Vec<_>>();
        let a = run.a().unwrap().to_vec().unwrap();
        assert_eq!(bits(a), x.map(|x| f16::from_f32(x).to_bits()));
        let b = run.b().unwrap().to_vec().unwrap();
        assert_eq!(b, x.map(bf16::from_f32));
        let inner = x.map(|x| {
            let near = f16::from_f32(x).to_f32();
            let nearer = f16::from_f32(bf16::from_f32(near).to_f32()).to_f32();
            f16::from_f32(nearer * 3.0 - near)
        });
        let got = run.inner().unwrap().to_vec().unwrap();
        for (got, expected) in got.iter().zip(inner) {
            assert!(*got == expected || got.is_nan() && expected.is_nan());
        }
    });
}

#[test]
fn libraries_and_ranks_take_halves() {
    let device = gpu_graph::host();
    let x = [-1.5, 2.25].map(f16::from_f32);
    let mut graph = Kept::load(&device, kept::Dims { n: 2 }).unwrap();
    let run = graph.run(kept::Inputs { x: &x }).unwrap();
    let y = run.y().unwrap().to_vec().unwrap();
    assert_eq!(y, [0.0, 2.25].map(f16::from_f32));
    let group = Group::new(2);
    std::thread::scope(|s| {
        for r in 0..2 {
            let rank = group.rank(r).unwrap();
            let device = &device;
            s.spawn(move || {
                let mut graph = Together::load_in(device, together::Dims { n: 1 }, rank).unwrap();
                let x = [bf16::from_f32(r as f32 + 0.5)];
                let run = graph.run(together::Inputs { x: &x }).unwrap();
                let y = run.y().unwrap().to_vec().unwrap();
                assert_eq!(y, [bf16::from_f32(2.0)]);
                graph
            });
        }
    });
}

#[test]
fn a_function_of_cuda_is_never_called_like_one_that_cuda_has() {
    gpu_graph::gpu_graph! {
        kernel exp(x: &[f32; n]) -> [f32; n] = x.exp();
        kernel r#template(größe: &[f32; n]) -> [f32; n] = größe + 1f32;
    }
    let function = |code: gpu_graph::__private::Code| {
        let cuda = code.cuda.expect("an expression kernel has a text");
        let gpu_graph::__private::CudaCode::Text(text) = cuda.code else {
            panic!("which is to be compiled")
        };
        let text = text.text;
        assert!(
            text.contains(&format!(" void {}(", cuda.function)),
            "{text}"
        );
        assert!(text.contains(&format!(" void {}_in_place(", cuda.function)));
        cuda.function
    };
    assert_eq!(function(exp::Dims::CODE), "exp_kernel");
    assert_eq!(function(template::Dims::CODE), "template_kernel");
}
