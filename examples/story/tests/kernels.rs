//! Kernels written for speed, beside the definition of what they compute.

use super::sample::noise;
use crate::graph::*;
use crate::{attention, exp::exp, kernels, matrix};

fn numbers(seed: u32, n: usize) -> Vec<f32> {
    noise(seed).take(n).collect()
}

fn close(found: &[f32], expected: &[f64]) {
    assert_eq!(found.len(), expected.len());
    for (found, expected) in found.iter().zip(expected) {
        let error = (f64::from(*found) - expected).abs();
        assert!(error < 1e-5, "{found} is not {expected}");
    }
}

#[test]
fn products_of_every_shape_are_those_of_the_rows() {
    for m in [1, 7, 8, 9, 31, 32, 33, 40, 47, 64, 128, 344] {
        for n in [1, 2, 5, 64, 172] {
            let (w, x, y) = (numbers(1, m * n), numbers(2, n), numbers(3, m));
            let dot = |row: &[f32]| row.iter().zip(&x).map(|(w, x)| f64::from(w * x)).sum();
            let expected: Vec<f64> = w.chunks_exact(n).map(dot).collect();
            let w = matrix::interleaved(&w, n);

            let mut out = vec![f32::NAN; m];
            matrix::product(&w, &x, &mut out, product::Dims { m, n });
            close(&out, &expected);

            let added = expected.iter().zip(&y).map(|(e, y)| e + f64::from(*y));
            let added: Vec<f64> = added.collect();
            let mut out = y;
            matrix::add_product(&mut out, &w, &x, add_product::Dims { m, n });
            close(&out, &added);
        }
    }
}

#[test]
fn the_exponential_is_within_two_units_in_the_last_place() {
    let mut x = -87.0_f32;
    while x < 88.0 {
        let exact = f64::from(x).exp();
        let unit = f64::from(exact as f32).abs() * f64::from(f32::EPSILON);
        let error = (f64::from(exp(x)) - exact).abs();
        assert!(error <= 2.0 * unit, "exp({x}) is off by {error:e}");
        x += 0.001;
    }
    assert_eq!(exp(0.0), 1.0);
    assert!(exp(-1e9) < 1e-37 && exp(1e9) > 1e38 && exp(f32::NAN).is_nan());
}

#[test]
fn attention_is_the_weighted_mean_of_all_up_to_its_position() {
    let (m, n, seq, head) = (DIM, KV, SEQ, HEAD);
    let (mut keys, mut values) = (vec![0.0; n * seq], vec![0.0; n * seq]);
    for pos in 0..seq {
        let [k, v] = [5, 6].map(|seed| numbers(seed + 2 * pos as u32, n));
        let d = remember::Dims { n, seq };
        attention::remember(&k, &v, &mut keys, &mut values, pos as u32, d);
        if pos % 37 > 1 && pos + 1 < seq {
            continue; // all of them would take long
        }
        let q: Vec<f32> = numbers(pos as u32, m).iter().map(|q| q * 20.0).collect();
        let mut out = vec![f32::NAN; m];
        let d = attend::Dims { m, n, seq };
        attention::attend(&q, &keys, &values, head as u32, pos as u32, &mut out, d);
        let expected: Vec<f64> = (0..m)
            .map(|i| {
                let (first, own) = (i / head * head, i / head / (HEADS / KV_HEADS) * head);
                let weight = |t: usize| {
                    let product = |e| f64::from(q[first + e] * keys[(own + e) * seq + t]);
                    ((0..head).map(product).sum::<f64>() / (head as f64).sqrt()).exp()
                };
                let weights: Vec<f64> = (0..=pos).map(weight).collect();
                let row = values[own + i % head..].iter().step_by(n);
                let sum: f64 = weights
                    .iter()
                    .zip(row)
                    .map(|(w, v)| w * f64::from(*v))
                    .sum();
                sum / weights.iter().sum::<f64>()
            })
            .collect();
        close(&out, &expected);
    }
}

#[test]
fn a_position_beyond_the_memory_is_a_panic_before_anything_is_written() {
    let mut memory = [0.0; 8];
    let beyond = std::panic::catch_unwind(move || {
        let (keys, values) = memory.split_at_mut(4);
        attention::remember(
            &[1.0],
            &[1.0],
            keys,
            values,
            4,
            remember::Dims { n: 1, seq: 4 },
        );
    });
    let message = beyond.unwrap_err();
    let message = message.downcast_ref::<String>().unwrap();
    assert_eq!(message, "position 4 is beyond the memory of 4");
}

#[test]
fn norm_scales_to_a_mean_square_of_one() {
    for n in [1, 15, 16, 17, 64] {
        let (x, weight) = (numbers(8, n), numbers(9, n));
        let square: f64 = x.iter().map(|x| f64::from(*x).powi(2)).sum::<f64>() / n as f64;
        let scaled = |(x, w): (&f32, &f32)| f64::from(x * w) / (square + 1e-5).sqrt();
        let expected: Vec<f64> = x.iter().zip(&weight).map(scaled).collect();
        let mut out = vec![f32::NAN; n];
        kernels::rms_norm(&x, &weight, &mut out, rms_norm::Dims { n });
        close(&out, &expected);
    }
}

#[test]
fn rotation_turns_each_pair_by_its_own_angle() {
    let mut angles = [f32::NAN; 4];
    kernels::rotation(3, &mut angles, rotation::Dims { head: 4 });
    let (fast, slow) = (3.0_f64, 0.03_f64);
    close(&angles, &[fast.cos(), fast.sin(), slow.cos(), slow.sin()]);

    let mut x = [1.0, 0.0, 0.0, 1.0, 0.0, 2.0, 2.0, 0.0];
    kernels::rotate(&mut x, &angles, rotate::Dims { n: 8, head: 4 });
    let first = [fast.cos(), fast.sin(), -slow.sin(), slow.cos()];
    let second = [-fast.sin(), fast.cos(), slow.cos(), slow.sin()].map(|x| 2.0 * x);
    close(&x, &[first, second].concat());
}

#[test]
fn gate_is_silu_times_the_other() {
    let x: Vec<f32> = numbers(10, 172).iter().map(|x| x * 40.0).collect();
    let by = numbers(11, 172);
    let silu = |x: f32| f64::from(x) / (1.0 + (-f64::from(x)).exp());
    let expected: Vec<f64> = x
        .iter()
        .zip(&by)
        .map(|(x, by)| silu(*x) * f64::from(*by))
        .collect();
    let mut out = vec![f32::NAN; 172];
    kernels::gate(&x, &by, &mut out, gate::Dims { n: 172 });
    close(&out, &expected);
}

#[test]
fn largest_is_the_first_of_equals() {
    for n in [1, 15, 16, 17, 40, 512] {
        for at in [0, n / 2, n - 1] {
            let mut x: Vec<f32> = numbers(12, n);
            x[at] = 3.0;
            x[n - 1] = 3.0;
            let mut out = [u32::MAX];
            kernels::largest(&x, &mut out, largest::Dims { n });
            assert_eq!(out, [at as u32]);
        }
    }
}
