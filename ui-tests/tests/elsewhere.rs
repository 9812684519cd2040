//! Kernels of another crate in a graph of this one, and a graph of another crate.
#![forbid(unsafe_code)]

use gpu_graph::{bf16, f16};
use gpu_graph_elsewhere::{Doubled, doubled, kernels};

gpu_graph::gpu_graph! {
    stage twice_added(x: &[f32; h, w], sum: &mut [f32; h, w], by: f32) {
        let y: [f32; h, w] = kernels::scale::<h, w>(&x, by);
        kernels::add::<h, w>(&y, &mut sum);
        kernels::add::<h, w>(&y, &mut sum);
    }

    graph Mixed {
        dim h in 2..=64;
        const W: usize = 3;
        scalar by: f32;
        input image: [f32; h, W];
        input numbers: [i32; 2 * h];
        let sum: [f32; h, W] = kernels::scale::<h, W>(&image, 0.5f32);
        for i in 0..2 {
            twice_added(&image, &mut sum, by);
        }
        kernels::add::<h / 2, W>(&image[..h / 2], &mut sum[..h / 2]);
        output y: [f32; h, W] = kernels::scale::<h, W>(&sum, 1.0f32);
        input halves: [f16; h];
        output faded: [bf16; h] = kernels::faded::<h>(&halves, 0.1f16);
        output z: [i32; 2 * h] = gpu_graph_elsewhere::kernels::less::<2 * h>(&numbers, 3i32, h);
    }
}

#[test]
fn kernels_of_another_crate_run_with_their_own_dims() {
    let h = 5;
    let image: Vec<f32> = (0..3 * h).map(|i| i as f32).collect();
    let numbers: Vec<i32> = (0..2 * h as i32).collect();
    let halves: Vec<f16> = (0..h).map(|i| f16::from_f32(i as f32 / 3.0)).collect();
    let mut graph = Mixed::load(&gpu_graph::host(), mixed::Dims { h }).unwrap();
    let run = graph
        .run(mixed::Inputs {
            image: &image,
            numbers: &numbers,
            halves: &halves,
            by: 2.0,
        })
        .unwrap();
    let y = run.y().unwrap().to_vec().unwrap();
    for (i, y) in y.iter().enumerate() {
        let x = i as f32;
        let top = if i / 3 < h / 2 { x } else { 0.0 };
        assert_eq!(*y, 0.5 * x + 4.0 * 2.0 * x + top);
    }
    let faded = run.faded().unwrap().to_vec().unwrap();
    let tenth = f16::from_f32(0.1).to_f32();
    let wide = halves.iter().map(|x| bf16::from_f32(x.to_f32() * tenth));
    assert!(faded.into_iter().eq(wide));
    let z = run.z().unwrap().to_vec().unwrap();
    assert!(
        z.into_iter()
            .eq((0..2 * h as i32).map(|x| x - 3 - h as i32))
    );
}

#[test]
fn a_graph_of_a_crate_that_renames_the_facade_runs_here() {
    let mut graph = Doubled::load(&gpu_graph::host(), doubled::Dims { n: 2 }).unwrap();
    let run = graph.run(doubled::Inputs { x: &[1.0, 2.0] }).unwrap();
    assert_eq!(run.y().unwrap().to_vec().unwrap(), [2.0, 4.0]);
}
