//! The graph says what the functions, called by hand, say.

use super::sample;
use crate::by_hand::ByHand;
use crate::graph::{SEQ, VOCAB};
use crate::model::read;
use crate::teller::Teller;
use crate::tokens;
use gpu_graph::RunError;

#[test]
fn a_model_of_noise_is_told_alike_up_to_the_last_position() {
    let model = read(&sample::file("noise.bin", &sample::model())).unwrap();
    let mut teller = Teller::load(&gpu_graph::host(), &model).unwrap();
    let mut by_hand = ByHand::new(&model);
    let mut seen = std::collections::BTreeSet::new();
    // Tokens at random, so that no loop of the same few hides what is wrong.
    let positions = (0..40).chain(SEQ as u32 - 2..SEQ as u32);
    for (pos, noise) in positions.zip(sample::noise(1)) {
        let token = ((noise + 0.5) * VOCAB as f32) as u32;
        let chosen = teller.next(token, pos).unwrap();
        assert_eq!(chosen, by_hand.next(token, pos), "at {pos}");
        seen.insert(chosen);
    }
    assert!(
        seen.len() > 10,
        "{} different tokens say little",
        seen.len()
    );
}

#[test]
fn what_cannot_be_told_is_an_error() {
    use crate::teller::TellError;
    let model = read(&sample::file("errors.bin", &sample::model())).unwrap();
    for (token, pos) in [(VOCAB as u32, 0), (0, SEQ as u32)] {
        let mut teller = Teller::load(&gpu_graph::host(), &model).unwrap();
        let error = teller.next(token, pos).unwrap_err();
        assert!(
            matches!(error, TellError::Run(RunError::Panicked { .. })),
            "{error:?}"
        );
    }
}

#[test]
fn a_story_follows_its_prompt_and_ends_before_the_next() {
    let told = |prompt: &[u32], steps| -> Vec<(u32, u32)> {
        tokens(prompt, steps, |token, pos| {
            Ok(if pos < 4 { token + 10 } else { 1 })
        })
        .map(Result::unwrap)
        .collect()
    };
    assert_eq!(told(&[1], 2), [(1, 11), (11, 21)]);
    assert_eq!(told(&[1], 9), [(1, 11), (11, 21), (21, 31), (31, 41)]);
    assert_eq!(told(&[1, 5, 7], 3), [(1, 5), (5, 7), (7, 17)]);
    assert_eq!(told(&[1, 5, 7], 1), [(1, 5)]);
}
