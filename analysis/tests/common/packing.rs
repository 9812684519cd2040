//! The best of all layouts of a tiny set, by trying every order of placement.

/// The smallest arena for boxes of `bytes`, those of a group at one offset, `clash[a][b]` forbidding an
/// overlap.
///
/// In some best layout, taken from the lowest offset up, each group lies right on top of one that it
/// clashes with, or at 0; so trying all orders finds the best.
pub fn optimum(groups: &[Vec<usize>], bytes: &[u64], clash: &[Vec<bool>]) -> u64 {
    let mut best = u64::MAX;
    search(
        groups,
        bytes,
        clash,
        &mut vec![None; groups.len()],
        0,
        &mut best,
    );
    best
}

fn search(
    groups: &[Vec<usize>],
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
    for g in 0..groups.len() {
        if offset[g].is_some() {
            continue;
        }
        let placed = (0..groups.len()).filter_map(|h| Some((offset[h]?, h)));
        let ends = placed.flat_map(|(at, h)| {
            let below = groups[h].iter();
            let below = below.filter(|&&j| groups[g].iter().any(|&i| clash[i][j]));
            below.map(move |&j| at + bytes[j])
        });
        let at = ends.max().unwrap_or(0);
        let size = groups[g].iter().map(|&i| bytes[i]).max().unwrap_or(0);
        offset[g] = Some(at);
        search(groups, bytes, clash, offset, arena.max(at + size), best);
        offset[g] = None;
    }
}
