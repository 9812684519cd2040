//! Host functions against what the CUDA text means.

use super::case::{Case, compare, distance, exact, is_nan};
use super::{generate, kernels};

/// Launches of each kernel, and elements of each.
const SIZE: [usize; 2] = [6, 75];

/// Units in the last place that both sides together may be apart: each has the tolerance of the
/// language document.
const ROUGH: u64 = 2 * 4;
const POWER: u64 = 2 * 16;

/// Pairs of expressions and operands that were the same, and how many of them have halves.
fn agree(lists: &[Vec<Case>]) -> [usize; 2] {
    let (mut pairs, mut halves) = (0, 0);
    for cases in lists {
        for (seed, case) in (1..).zip(cases) {
            let same = compare(case, seed, SIZE, exact);
            pairs += same;
            halves += if case.has_halves() { same } else { 0 };
        }
    }
    [pairs, halves]
}

#[test]
fn every_operator_cast_and_method_is_the_same_on_both_sides() {
    let casts = kernels::casts::cases();
    assert_eq!(casts.len(), 144);
    let lists = [
        kernels::operators::cases(),
        kernels::methods::cases(),
        casts,
    ];
    let [pairs, halves] = agree(&lists);
    assert!(pairs > 150_000, "{pairs} pairs of expressions and operands");
    assert!(halves > 30_000, "{halves} of them with halves");
}

#[test]
fn random_expressions_are_the_same_on_both_sides() {
    let random = [
        kernels::random_0::cases(),
        kernels::random_1::cases(),
        kernels::random_2::cases(),
    ];
    let [pairs, halves] = agree(&random);
    assert!(pairs > 60_000, "{pairs} pairs of expressions and operands");
    assert!(halves > 25_000, "{halves} of them with halves");
}

#[test]
fn methods_with_a_tolerance_keep_it() {
    for (seed, case) in (1..).zip(&kernels::rough::cases()) {
        let most = if case.has_halves() {
            // Both are far nearer to each other than two halves are.
            1
        } else if case.cuda.contains("powf(") || case.cuda.contains("pow(") {
            POWER
        } else {
            ROUGH
        };
        compare(case, seed, SIZE, |ty, a, b| {
            let same = exact(ty, a, b);
            same || !is_nan(ty, a) && !is_nan(ty, b) && distance(ty, a, b) <= most
        });
    }
}

#[test]
fn the_kernels_are_those_that_are_generated() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/formula/kernels");
    for (name, text) in generate::files() {
        let path = format!("{folder}/{name}.rs");
        if std::env::var_os("UPDATE_KERNELS").is_some() {
            std::fs::write(&path, &text).expect("the file can be written");
        }
        let there = std::fs::read_to_string(&path).expect("the file can be read");
        assert_eq!(there, text, "write {name} anew with UPDATE_KERNELS=1");
    }
}
