//! The best of all layouts of a tiny set, by trying every order of placement.

/// The smallest arena for boxes of `bytes`, `clash[a][b]` forbidding an overlap.
///
/// In some best layout, taken from the lowest offset up, each box lies right on top of one that it
/// clashes with, or at 0; so trying all orders finds the best.
pub fn optimum(bytes: &[u64], clash: &[Vec<bool>]) -> u64 {
    let mut best = u64::MAX;
    search(bytes, clash, &mut vec![None; bytes.len()], 0, &mut best);
    best
}

fn search(
    bytes: &[u64],
    clash: &[Vec<bool>],
    offset: &mut Vec<Option<u64>>,
    arena: u64,
    best: &mut u64,
) {
    if arena >= *best {
        return;
    }
    if offset.iter().all(Option::is_some) {
        *best = arena;
        return;
    }
    for i in 0..bytes.len() {
        if offset[i].is_none() {
            let below = (0..bytes.len()).filter(|&j| clash[i][j]);
            let at = below
                .filter_map(|j| offset[j].map(|o| o + bytes[j]))
                .max()
                .unwrap_or(0);
            offset[i] = Some(at);
            search(bytes, clash, offset, arena.max(at + bytes[i]), best);
            offset[i] = None;
        }
    }
}
