//! Dims that only the result of a kernel has: each form of a kernel that may have one gives, at places of
//! several extents, what it says.
#![forbid(unsafe_code)]

mod common;

use common::on_each_device;

gpu_graph::gpu_graph! {
    kernel filled(by: f32) -> [f32; n] = by + 1f32;
    kernel rows(x: &[f32; w]) -> [f32; h, w] = x * 2f32;
    kernel spread(x: &[f32; 1]) -> [f32; n] = x;
    kernel total(x: &[f32; n]) -> [f32; 1] = sum(x);
    kernel row_sums(x: &[f32; h, w]) -> [f32; h] = sum(x);
    kernel raised(y: &mut [f32; n], x: &[f32; h, w]) = y + max(x);
    kernel resized(x: &[f32; h, w]) -> [f32; hh, ww] { host host::resized }
    kernel counted() -> [u32; n] { host host::counted }
    callback counts() -> [u32; n] { host host::counts }

    /// `x` at another number of rows, and then of columns.
    stage twice_resized(x: &[f32; h, w]) -> [f32; hh, ww] {
        let t: [f32; hh, w] = resized(&x);
        resized(&t)
    }

    pub graph Expressions {
        dim h in 2..=9;
        dim w in 1..=9;
        scalar by: f32;
        input x: [f32; h, w];
        input row: [f32; w];
        // A place of its own, and parts of one.
        output alike: [f32; 2 * w + 1] = filled(by);
        output pieces: [f32; h, w];
        pieces[..h / 2] = rows(&row);
        pieces[h / 2..] = rows(&row);
        let all: [f32; 1] = total(&x as [f32; h * w]);
        output totals: [f32; h + 1] = spread(&all);
        output sums: [f32; h] = row_sums(&x);
        output high: [f32; w] = spread(&all);
        raised(&mut high, &x);
    }

    pub graph Functions {
        dim h in 1..=9;
        dim w in 1..=9;
        input x: [f32; h, w];
        output wide: [f32; h, 2 * w] = resized(&x);
        output tall: [f32; 3 * h, w + 1] = twice_resized(&x);
        output numbers: [u32; h + w] = counted();
        staging made: [u32; h] = counts();
        output there: [u32; h] = upload(&made);
    }
}

mod host {
    /// The nearest element.
    pub fn resized(x: &[f32], out: &mut [f32], d: super::resized::Dims) {
        assert_eq!(out.len(), d.hh * d.ww);
        for (i, out) in out.iter_mut().enumerate() {
            let (row, column) = (i / d.ww * d.h / d.hh, i % d.ww * d.w / d.ww);
            *out = x[row * d.w + column];
        }
    }
    pub fn counted(out: &mut [u32], d: super::counted::Dims) {
        assert_eq!(out.len(), d.n);
        (0..).zip(out).for_each(|(i, out)| *out = 3 * i);
    }
    pub fn counts(out: &mut [u32], d: super::counts::Dims) {
        assert_eq!(out.len(), d.n);
        (7..).zip(out).for_each(|(i, out)| *out = i);
    }
}

const SHAPES: [(usize, usize); 4] = [(2, 1), (2, 3), (5, 2), (9, 9)];

fn numbers(len: usize) -> Vec<f32> {
    (0..len).map(|i| (i * i % 11) as f32 - 4.0).collect()
}

#[test]
fn expressions_repeat_along_a_dim_that_only_their_result_has() {
    on_each_device(|device| {
        for (h, w) in SHAPES {
            let mut graph = Expressions::load(device, expressions::Dims { h, w }).unwrap();
            let (x, row) = (numbers(h * w), numbers(w));
            let inputs = expressions::Inputs {
                x: &x,
                row: &row,
                by: 2.5,
            };
            let run = graph.run(inputs).unwrap();
            let of = |i: usize| x[i * w..][..w].iter().sum::<f32>();
            let total: f32 = (0..h).map(of).sum();
            let most = x.iter().copied().fold(f32::MIN, f32::max);
            let double: Vec<f32> = row.iter().map(|x| x * 2.0).collect();
            assert_eq!(run.alike().unwrap().to_vec().unwrap(), vec![3.5; 2 * w + 1]);
            assert_eq!(run.pieces().unwrap().to_vec().unwrap(), double.repeat(h));
            assert_eq!(run.totals().unwrap().to_vec().unwrap(), vec![total; h + 1]);
            assert_eq!(run.high().unwrap().to_vec().unwrap(), vec![total + most; w]);
            let sums: Vec<f32> = (0..h).map(of).collect();
            assert_eq!(run.sums().unwrap().to_vec().unwrap(), sums);
        }
    });
}

#[test]
fn functions_are_told_a_dim_that_only_their_result_has() {
    on_each_device(|device| {
        for (h, w) in SHAPES {
            let mut graph = Functions::load(device, functions::Dims { h, w }).unwrap();
            let x = numbers(h * w);
            let run = graph.run(functions::Inputs { x: &x }).unwrap();
            let resized = |hh: usize, ww: usize| -> Vec<f32> {
                let at = |i: usize| x[i / ww * h / hh * w + i % ww * w / ww];
                (0..hh * ww).map(at).collect()
            };
            assert_eq!(run.wide().unwrap().to_vec().unwrap(), resized(h, 2 * w));
            assert_eq!(run.tall().unwrap().to_vec().unwrap(), resized(3 * h, w + 1));
            let threes: Vec<u32> = (0..(h + w) as u32).map(|i| 3 * i).collect();
            assert_eq!(run.numbers().unwrap().to_vec().unwrap(), threes);
            let there: Vec<u32> = (7..7 + h as u32).collect();
            assert_eq!(run.there().unwrap().to_vec().unwrap(), there);
        }
    });
}
