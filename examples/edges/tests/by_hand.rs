//! The functions, one after another, are Canny's method.

use super::random::{Random, THRESHOLDS};
use crate::by_hand::ByHand;
use crate::reference;

#[test]
fn equals_the_reference_at_every_size() {
    let mut random = Random(1);
    let mut marked = 0;
    for h in [1, 2, 3, 5, 9, 17, 32, 40] {
        for w in [1, 2, 3, 4, 5, 7, 8, 9, 10, 18, 33, 64] {
            for (low, high) in THRESHOLDS {
                let image = random.picture(h, w);
                let expected = reference::edges(&image, h, w, low, high);
                assert_eq!(
                    ByHand::new(h, w).run(&image, low, high),
                    expected,
                    "{h} x {w}"
                );
                marked += expected.iter().filter(|edge| **edge > 0).count();
            }
        }
    }
    assert!(marked > 5_000, "{marked} pixels say little");
}

#[test]
fn buffers_may_be_used_again() {
    let mut random = Random(2);
    let mut by_hand = ByHand::new(20, 30);
    for _ in 0..5 {
        let image = random.picture(20, 30);
        let fresh = ByHand::new(20, 30).run(&image, 1000, 2500).to_vec();
        assert_eq!(by_hand.run(&image, 1000, 2500), fresh);
    }
}
