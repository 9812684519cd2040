//! The graph finds what the same functions find on the whole picture.

use super::random::{Random, THRESHOLDS};
use crate::by_hand::ByHand;
use crate::graph::{Edges, Whole, edges, whole};
use crate::picture::Picture;
use crate::{BANDED, On, find};

fn run(graph: &mut Edges, image: &[u16], low: u16, high: u16) -> Vec<u8> {
    let run = graph.run(edges::Inputs { image, low, high }).unwrap();
    run.edges().unwrap().to_vec().unwrap()
}

#[test]
fn equals_by_hand_at_every_size() {
    let mut random = Random(3);
    let device = gpu_graph::host();
    for h in (BANDED..BANDED + 5).chain([63, 101]) {
        for w in [1, 2, 3, 9, 50] {
            let mut graph = Edges::load(&device, edges::Dims { h, w }).unwrap();
            for (low, high) in THRESHOLDS {
                let image = random.picture(h, w);
                let expected = ByHand::new(h, w).run(&image, low, high).to_vec();
                assert_eq!(run(&mut graph, &image, low, high), expected, "{h} x {w}");
            }
        }
    }
}

#[test]
fn joins_a_line_across_all_seams() {
    let (h, w) = (80, 40);
    // A step that falls from row to row, until only its upper end makes it an edge.
    let step = |y: usize| 30_000 - 300 * y as u16;
    let image: Vec<u16> = (0..h * w)
        .map(|at| if at % w < 20 { 0 } else { step(at / w) })
        .collect();
    let mut graph = Edges::load(&gpu_graph::host(), edges::Dims { h, w }).unwrap();
    let found = run(&mut graph, &image, 1000, 2500);
    for y in 0..h {
        assert!(found[y * w..][..w].contains(&255), "row {y}");
    }
    let faint: Vec<u16> = image.iter().map(|shade| (*shade).min(6_000)).collect();
    assert!(
        run(&mut graph, &faint, 1000, 2500)
            .iter()
            .all(|edge| *edge == 0)
    );
}

#[test]
fn in_one_piece_too() {
    let mut random = Random(4);
    for (h, w) in [(1, 1), (1, 50), (2, 7), (31, 31), (60, 40)] {
        let mut graph = Whole::load(&gpu_graph::host(), whole::Dims { h, w }).unwrap();
        for (low, high) in THRESHOLDS {
            let image = random.picture(h, w);
            let run = graph
                .run(whole::Inputs {
                    image: &image,
                    low,
                    high,
                })
                .unwrap();
            let found = run.edges().unwrap().to_vec().unwrap();
            assert_eq!(found, ByHand::new(h, w).run(&image, low, high), "{h} x {w}");
        }
    }
}

#[test]
fn every_size_finds_its_graph() {
    let mut random = Random(5);
    for (h, w) in [(1, 1), (1, 50), (7, 2), (31, 31), (32, 1), (33, 40)] {
        let luminance = random.picture(h, w);
        let expected = ByHand::new(h, w)
            .run(&luminance, crate::LOW, crate::HIGH)
            .to_vec();
        assert_eq!(
            find(On::Host, Picture { h, w, luminance }).unwrap().edges,
            expected,
            "{h} x {w}"
        );
    }
}

#[test]
fn too_large_pictures_are_refused() {
    for (h, w) in [(1, 32_769), (32_769, 1)] {
        let picture = Picture {
            h,
            w,
            luminance: vec![0; 32_769],
        };
        let error = find(On::Host, picture).err().unwrap().to_string();
        assert!(
            error.contains("32769") && error.contains("32768"),
            "{error}"
        );
    }
}

#[test]
fn the_record_counts_and_explains() {
    let (bands, whole) = (Edges::RECORD, Whole::RECORD);
    assert_eq!((bands.tasks(), bands.streams()), (44, 4));
    assert_eq!((whole.tasks(), whole.streams(), whole.waits()), (11, 1, 0));
    assert!(bands.lower_bound() <= bands.arena_bytes());
    assert!(bands.arena_bytes() <= 16 << 30);
    // Each band of the one is needed by its neighbours when the other begins.
    let why = bands.explain("across", "smooth").unwrap().to_string();
    assert!(
        why.contains("`smooth[0..h / 4] = blur_y` needs both"),
        "{why}"
    );
    let slip = bands.explain("acros", "smooth").unwrap_err();
    assert_eq!(slip.near, ["across"]);
}
