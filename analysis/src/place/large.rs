//! Greedy placement of sets that are too large for their clashes to be listed: each block is held
//! against all placed ones, from the lowest up.

use super::fit::up;
use super::problem::Block;

/// What two blocks are to each other: how far the second lies above the first, and the first above
/// the second, at least. `None` if they do not clash.
pub(crate) trait Relation {
    /// Of two blocks by their numbers.
    fn clash(&self, a: u32, b: u32) -> Option<(u64, u64)>;
}

/// Places blocks in the order of `sequence`, each into the lowest gap. Those with fixed offsets lie there already.
pub(crate) fn place(blocks: &[Block], relation: &impl Relation, sequence: &[u32]) -> Vec<u64> {
    let fixed = |&(_, b): &(usize, &Block)| b.fixed.is_some();
    let all = blocks.iter().enumerate();
    // Placed blocks by offset.
    let mut placed: Vec<(i64, u32)> = all
        .filter(fixed)
        .map(|(i, b)| (b.fixed.unwrap_or(0) as i64, i as u32))
        .collect();
    placed.sort_unstable();
    let mut offsets: Vec<u64> = blocks.iter().map(|b| b.fixed.unwrap_or(0)).collect();
    for &i in sequence {
        let block = &blocks[i as usize];
        if block.fixed.is_some() {
            continue;
        }
        let mut free = 0i64;
        for &(at, j) in &placed {
            let Some((below, above)) = relation.clash(i, j) else {
                continue;
            };
            if at - below as i64 >= free {
                break;
            }
            free = free.max(up(at + above as i64, block.align));
        }
        offsets[i as usize] = free as u64;
        let slot = placed.partition_point(|p| *p < (free, i));
        placed.insert(slot, (free, i));
    }
    offsets
}
