//! The verifier against an oracle that shares nothing with it.
//!
//! `cargo test` checks 8 random pairs of source and program, every mutation of each (14,700), and
//! 400 sloppy programs. The full count is
//! `GPU_GRAPH_CASES=1000 cargo test --release -p gpu-graph-runtime --test verify`.

mod again;
mod cases;
mod history;
mod mutate;
mod oracle;
mod random;
mod tables;
mod twice;

use random::Rng;
use tables::Owned;

fn cases() -> u64 {
    match std::env::var("GPU_GRAPH_CASES") {
        Ok(n) => n.parse().expect("GPU_GRAPH_CASES is a number"),
        Err(_) => 8,
    }
}

/// Both verdicts, which must agree; whether the program is right.
fn agree(what: &str, g: &Owned) -> bool {
    let verdict = g.verify();
    let oracle = g.with(|s, p| oracle::judge(s, p, &g.at));
    assert_eq!(
        verdict.is_ok(),
        oracle.is_ok(),
        "{what}: the verifier says {verdict:?}, the oracle {oracle:?} of {g:#?}"
    );
    if let Err(violation) = verdict {
        // Whatever it is, it can be said, with names and without.
        assert!(!violation.summary().is_empty() && !violation.to_string().is_empty());
        g.with(|s, _| assert!(!violation.named(s).to_string().is_empty()));
    }
    oracle.is_ok()
}

#[test]
fn random_programs_and_every_mutation_of_them_are_judged_as_the_oracle_does() {
    let (mut right, mut wrong, mut again) = (0u64, 0u64, 0);
    for seed in 0..cases() {
        let mut rng = Rng(seed);
        let mut g = random::source(&mut rng);
        random::schedule(&mut g, &mut rng);
        again += g.again.len();
        assert!(
            agree("as scheduled", &g),
            "seed {seed}: a right program is refused: {:?}",
            g.verify()
        );
        mutate::each(&g, &mut rng, &mut |what, m| {
            let ok = agree(&format!("seed {seed}, {what}"), m);
            *(if ok { &mut right } else { &mut wrong }) += 1;
        });
    }
    println!("mutations that are right: {right}, wrong: {wrong}, of {again} repetitions");
    assert!(right > cases() && wrong > cases() && again as u64 > cases() / 4);
}

#[test]
fn sloppy_programs_are_judged_as_the_oracle_does() {
    let (mut right, mut wrong) = (0u64, 0u64);
    for seed in 0..cases() * 50 {
        let mut rng = Rng(seed.wrapping_mul(7919));
        let mut g = random::source(&mut rng);
        random::schedule(&mut g, &mut rng);
        random::spoil(&mut g, &mut rng);
        let ok = agree(&format!("sloppy seed {seed}"), &g);
        *(if ok { &mut right } else { &mut wrong }) += 1;
    }
    println!("sloppy programs that are right: {right}, wrong: {wrong}");
    assert!(right > cases() && wrong > cases());
}
