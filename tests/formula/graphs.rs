//! Expression kernels as tasks of graphs.

use gpu_graph::__private::DeclaredKernel;

gpu_graph::gpu_graph! {
    kernel scale_add(y: &mut [f32; n], x: &[f32; n], a: f32) = y + a * x;
    kernel square(x: &[f32; n]) -> [f32; n] = x * x;
    kernel product(a: &[f32; m, k], b: &[f32; k, n]) -> [f32; m, n] = sum(a * b);
    kernel largest(x: &[f32; h, w]) -> [f32; 1] = max(x);
    kernel scaled(x: &[f32; h, w], by: &[f32; 1], bias: &[f32; w]) -> [f32; h, w] = x / by + bias;

    graph Chain {
        dim n in 1..=1000;
        scalar a: f32;
        input x: [f32; n];
        let once: [f32; n] = square(&x);
        output twice: [f32; n] = square(&once);
        scale_add(&mut twice, &x, a);
    }

    graph Matrices {
        dim m in 1..=50;
        dim k in 1..=50;
        input a: [f32; m, k];
        input b: [f32; k, 3];
        input bias: [f32; 3];
        let c: [f32; m, 3] = product(&a, &b);
        let most: [f32; 1] = largest(&c);
        output d: [f32; m, 3] = scaled(&c, &most, &bias);
    }

    graph InPlace {
        dim n in 1..=1000;
        input x: [f32; n];
        let a: [f32; n] = square(&x);
        let b: [f32; n] = square(&a);
        alias b with a;
        output c: [f32; n] = square(&b);
    }
}

fn numbers(n: usize) -> Vec<f32> {
    (0..n).map(|i| (i as f32) / 7.0 - 3.0).collect()
}

#[test]
fn a_chain_updates_its_output() {
    let device = gpu_graph::host();
    for n in [1, 31, 1000] {
        let x = numbers(n);
        let mut graph = Chain::load(&device, chain::Dims { n }).unwrap();
        let run = graph.run(chain::Inputs { x: &x, a: 0.3 }).unwrap();
        let expected: Vec<_> = x.iter().map(|x| (x * x) * (x * x) + 0.3 * x).collect();
        assert_eq!(run.twice().unwrap().to_vec().unwrap(), expected);
    }
}

#[test]
fn matrices_are_multiplied_reduced_and_broadcast() {
    let device = gpu_graph::host();
    let (m, k) = (5, 7);
    let (a, b) = (numbers(m * k), numbers(k * 3));
    let mut graph = Matrices::load(&device, matrices::Dims { m, k }).unwrap();
    let inputs = matrices::Inputs {
        a: &a,
        b: &b,
        bias: &[1.0, 2.0, 3.0],
    };
    let run = graph.run(inputs).unwrap();
    let got = run.d().unwrap().to_vec().unwrap();
    let exact = |i: usize, j: usize| -> f64 {
        let terms = (0..k).map(|l| f64::from(a[i * k + l]) * f64::from(b[l * 3 + j]));
        terms.sum()
    };
    let all: Vec<f64> = (0..m * 3).map(|at| exact(at / 3, at % 3)).collect();
    let most = all.iter().copied().fold(f64::MIN, f64::max);
    for (at, value) in all.iter().enumerate() {
        let expected = value / most + [1.0, 2.0, 3.0][at % 3];
        assert!((f64::from(got[at]) - expected).abs() < 1e-5, "{at}");
    }
}

#[test]
fn a_kernel_with_a_result_has_a_form_that_runs_in_place() {
    assert!(square::Dims::CODE.in_place.is_some());
    assert!(product::Dims::CODE.in_place.is_none());
    assert!(scale_add::Dims::CODE.in_place.is_none());
    let device = gpu_graph::host();
    let mut graph = InPlace::load(&device, in_place::Dims { n: 3 }).unwrap();
    let run = graph
        .run(in_place::Inputs {
            x: &[1.0, 2.0, 3.0],
        })
        .unwrap();
    assert_eq!(run.c().unwrap().to_vec().unwrap(), [1.0, 256.0, 6561.0]);
    assert!(InPlace::RECORD.to_string().contains("in place"));
}
