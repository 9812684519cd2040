//! The edges are where one sees them.

use crate::by_hand::ByHand;
use crate::drawing::{HEIGHT, WIDTH, draw};
use crate::{HIGH, LOW};

#[test]
fn of_the_drawing() {
    let luminance: Vec<u16> = draw().iter().map(|grey| u16::from(*grey) * 257).collect();
    let found = ByHand::new(HEIGHT, WIDTH)
        .run(&luminance, LOW, HIGH)
        .to_vec();
    let near = |x: usize, y: usize, reach: usize| {
        (y - reach..=y + reach)
            .any(|y| found[y * WIDTH + x - reach..][..2 * reach + 1].contains(&255))
    };

    for (x, y) in [(70, 180), (310, 180), (190, 60), (190, 300), (230, 105)] {
        assert!(near(x, y, 1), "the border of a disc at {x}, {y}");
    }
    assert!(!near(130, 200, 40), "nothing within the disc");
    assert!(!near(780, 470, 80), "nothing on a soft border");
    assert!(!near(560, 500, 75), "nothing of a faint disc");
    for x in 60..500 {
        assert!(
            near(x, 600, 1) && near(x, 612, 1),
            "a bar that fades, at {x}"
        );
    }
    assert!(!near(920, 606, 15), "nothing of its end");
}

#[test]
fn edges_are_thin() {
    let (h, w) = (64, 64);
    let image: Vec<u16> = (0..h * w)
        .map(|at| if at % w < 30 { 9_000 } else { 50_000 })
        .collect();
    let found = ByHand::new(h, w).run(&image, LOW, HIGH).to_vec();
    for row in found.chunks(w) {
        assert_eq!(row.iter().filter(|edge| **edge > 0).count(), 1);
    }
}
