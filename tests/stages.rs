//! Constants, loops and stages, from text to results.
#![forbid(unsafe_code)]

use gpu_graph::gpu_graph;

gpu_graph! {
    const HALF: usize = 2;
    /// Layers of the model.
    pub const LAYERS: usize = 2 * HALF;
    const WIDTH: usize = 3;
    const LOW: i16 = -(7 / 2);

    kernel add(x: &[f32; n], y: &[f32; n]) -> [f32; n] { host host::add }
    kernel scale(x: &[f32; n], by: f32) -> [f32; n] { host host::scale, in place x host host::scaled }
    kernel times(w: &[f32; m, n], x: &[f32; n]) -> [f32; m] { host host::times }
    kernel shift(x: &mut [f32; n], by: u32) { host host::shift }
    kernel fill(value: u32) -> [f32; WIDTH] { host host::fill }

    graph Filled {
        dim n in WIDTH..=4 * WIDTH;
        output fives: [f32; WIDTH] = fill(HALF + WIDTH);
        output sized: [f32; WIDTH] = fill(n);
    }

    /// `x + 2 w x`, and `x` shifted.
    stage layer(x: &mut [f32; n], w: &[f32; n, n], by: f32) -> [f32; n] {
        let wx: [f32; n] = times(&w, &x);
        let twice: [f32; n] = scale(&wx, by);
        'shift: shift(&mut x, WIDTH);
        order 'shift -> 'sum;
        'sum: add(&x, &twice)
    }

    pub graph Layers {
        const ROWS: usize = LAYERS * WIDTH;
        input w: [f32; ROWS, WIDTH];
        input start: [f32; WIDTH];
        scalar by: f32;
        let states: [f32; LAYERS + 1, WIDTH];
        states[0..1] = row(&start);
        for l in 0..LAYERS {
            let x: [f32; WIDTH] = flat(&states[l..l + 1]);
            let y: [f32; WIDTH] = layer(&mut x, &w[l * WIDTH..(l + 1) * WIDTH], by);
            states[l + 1..l + 2] = row(&y);
        }
        output last: [f32; WIDTH] = flat(&states[LAYERS..]);
    }
    kernel row(x: &[f32; n]) -> [f32; 1, n] { host host::copy }
    kernel flat(x: &[f32; 1, n]) -> [f32; n] { host host::copy }

    /// Each row of `x` but the first is written from the one before it, through views of views.
    stage cascade(x: &mut [f32; n, w]) {
        for i in 0..2 {
            one(&mut x[i + 1..i + 2], &x[i..i + 1]);
        }
    }
    stage one(to: &mut [f32; 1, w], from: &[f32; 1, w]) {
        to[..] = double(&from);
    }
    kernel double(x: &[f32; r, w]) -> [f32; r, w] { host host::double }

    graph Cascade {
        dim h in 6..=8;
        input x: [f32; h, 2];
        let y: [f32; h, 2] = double(&x);
        cascade(&mut y[1..4]);
        cascade(&mut y[h - 3..]);
        for i in 3..3 { cascade(&mut y); }
        output z: [f32; h, 2] = double(&y);
    }
}

mod host {
    pub fn add<D>(x: &[f32], y: &[f32], out: &mut [f32], _: D) {
        out.iter_mut()
            .zip(x.iter().zip(y))
            .for_each(|(o, (x, y))| *o = x + y);
    }
    pub fn scale<D>(x: &[f32], by: f32, out: &mut [f32], _: D) {
        out.iter_mut().zip(x).for_each(|(o, x)| *o = x * by);
    }
    pub fn scaled<D>(x: &mut [f32], by: f32, _: D) {
        x.iter_mut().for_each(|x| *x *= by);
    }
    pub fn times(w: &[f32], x: &[f32], out: &mut [f32], dims: super::times::Dims) {
        for (out, row) in out.iter_mut().zip(w.chunks(dims.n)) {
            *out = row.iter().zip(x).map(|(w, x)| w * x).sum();
        }
    }
    pub fn shift<D>(x: &mut [f32], by: u32, _: D) {
        x.iter_mut().for_each(|x| *x += by as f32);
    }
    pub fn fill<D>(value: u32, out: &mut [f32], _: D) {
        out.fill(value as f32);
    }
    pub fn copy<D>(x: &[f32], out: &mut [f32], _: D) {
        out.copy_from_slice(x);
    }
    pub fn double<D>(x: &[f32], out: &mut [f32], _: D) {
        out.iter_mut().zip(x).for_each(|(o, x)| *o = 2.0 * x);
    }
}

#[test]
fn constants_are_constants_of_rust_too() {
    assert_eq!((LAYERS, LOW), (4, -3));
    let _: (usize, i16) = (LAYERS, LOW);
}

#[test]
fn constants_are_arguments_and_bounds() {
    let mut graph = Filled::load(&gpu_graph::host(), filled::Dims { n: 12 }).unwrap();
    let run = graph.run(filled::Inputs {}).unwrap();
    assert_eq!(run.fives().unwrap().to_vec().unwrap(), [5.0; 3]);
    assert_eq!(run.sized().unwrap().to_vec().unwrap(), [12.0; 3]);
    assert!(Filled::load(&gpu_graph::host(), filled::Dims { n: 13 }).is_err());
}

#[test]
fn a_model_of_layers_computes_what_a_loop_over_the_same_functions_does() {
    let w: Vec<f32> = (0..LAYERS * 9).map(|i| (i % 5) as f32 - 1.5).collect();
    let start = [1.0, -2.0, 0.5];
    let mut x = start;
    for w in w.chunks(9) {
        let mut y = [0.0; 3];
        host::times(w, &x, &mut y, times::Dims { m: 3, n: 3 });
        for (x, y) in x.iter_mut().zip(y) {
            *x = (*x + 3.0) + y * 0.25;
        }
    }
    let mut graph = Layers::load(&gpu_graph::host(), layers::Dims {}).unwrap();
    let inputs = layers::Inputs {
        w: &w,
        start: &start,
        by: 0.25,
    };
    let run = graph.run(inputs).unwrap();
    assert_eq!(run.last().unwrap().to_vec().unwrap(), x);
}

#[test]
fn views_of_parameters_are_views_of_what_was_passed() {
    let x: Vec<f32> = (0..14).map(|i| i as f32).collect();
    let mut y: Vec<f32> = x.iter().map(|x| 2.0 * x).collect();
    for first in [1, 4] {
        for row in [first, first + 1] {
            for i in [2 * row, 2 * row + 1] {
                y[i + 2] = 2.0 * y[i];
            }
        }
    }
    y.iter_mut().for_each(|y| *y *= 2.0);
    let mut graph = Cascade::load(&gpu_graph::host(), cascade::Dims { h: 7 }).unwrap();
    let run = graph.run(cascade::Inputs { x: &x }).unwrap();
    assert_eq!(run.z().unwrap().to_vec().unwrap(), y);
}

#[test]
fn the_record_says_in_which_iteration_and_call_something_is() {
    let text = Layers::RECORD.to_string();
    for name in ["l=0.x", "l=3.layer.wx", "l=3.layer.'sum", "l=2.x = flat"] {
        assert!(text.contains(name), "{name} in:\n{text}");
    }
}
