//! Grid and block of a launch.

use super::super::{DriverError, invalid};
use crate::table::Kernel;

/// Blocks and threads of a block, `x` first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Geometry {
    pub(super) grid: [u32; 3],
    pub(super) block: [u32; 3],
}

/// Most blocks in each direction.
const GRID: [u64; 3] = [(1 << 31) - 1, 65_535, 65_535];
/// Most threads of a block in each direction, and of all.
const BLOCK: [u32; 3] = [1024, 1024, 64];
const THREADS: u32 = 1024;

const CALL: &str = "instantiate";

/// As many blocks as cover `over` at these dims. The verifier has seen that they are few enough at
/// the largest; here is seen that they are. `None` where there is nothing to do.
pub(super) fn geometry(
    kernel: &Kernel<'_>,
    dims: &[usize],
) -> Result<Option<Geometry>, DriverError> {
    let dims: Vec<u64> = dims.iter().map(|&dim| dim as u64).collect();
    let rank = kernel.over.len();
    if rank == 0 || rank > 3 || kernel.block.len() != rank {
        return Err(invalid(CALL, "a kernel without an index space"));
    }
    let (mut grid, mut block) = ([1; 3], [1; 3]);
    let mut none = false;
    for (i, (extent, &threads)) in kernel.over.iter().zip(kernel.block).enumerate() {
        // Written slowest first; `x` is the fastest.
        let at = rank - 1 - i;
        let extent = extent.eval(&dims);
        let extent = extent.ok_or(invalid(CALL, "an extent of an index space"))?;
        if threads == 0 || threads > BLOCK[at] {
            return Err(invalid(CALL, "the block of a kernel"));
        }
        let blocks = extent.div_ceil(u64::from(threads));
        let blocks = Some(blocks).filter(|&blocks| blocks <= GRID[at]);
        let blocks = blocks.and_then(|blocks| u32::try_from(blocks).ok());
        grid[at] = blocks.ok_or(invalid(CALL, "the grid of a kernel"))?;
        block[at] = threads;
        none |= extent == 0;
    }
    if block.iter().product::<u32>() > THREADS {
        return Err(invalid(CALL, "the block of a kernel"));
    }
    Ok((!none).then_some(Geometry { grid, block }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::{Expr, Term};

    const fn dim(dim: u16) -> Term {
        Term {
            scale: 1,
            dim,
            mul: 1,
            add: 0,
            div: 1,
        }
    }
    static H: [Term; 1] = [dim(0)];
    static W: [Term; 1] = [dim(1)];
    static OVER: [Expr<'static>; 2] = [
        Expr {
            constant: 0,
            terms: &H,
        },
        Expr {
            constant: 0,
            terms: &W,
        },
    ];

    fn kernel(over: &'static [Expr<'static>], block: &'static [u32]) -> Kernel<'static> {
        Kernel {
            name: "k",
            over,
            block,
            shared: 0,
            params: 0,
            callback: false,
            in_place: None,
        }
    }

    #[test]
    fn the_fastest_extent_is_x_and_the_last_block_may_be_partial() {
        let found = geometry(&kernel(&OVER, &[8, 32]), &[17, 64]);
        assert_eq!(
            found,
            Ok(Some(Geometry {
                grid: [2, 3, 1],
                block: [32, 8, 1],
            }))
        );
        let exact = geometry(&kernel(&OVER[..1], &[256]), &[512]);
        assert_eq!(exact.unwrap().unwrap().grid, [2, 1, 1]);
    }

    #[test]
    fn an_empty_index_space_is_nothing_to_launch() {
        assert_eq!(geometry(&kernel(&OVER, &[8, 32]), &[0, 64]), Ok(None));
    }

    #[test]
    fn what_no_launch_can_have_is_refused() {
        let refused = |over, block, dims: &[usize]| geometry(&kernel(over, block), dims).is_err();
        let (one, two) = (&OVER[..1], &OVER[..]);
        assert!(refused(&OVER[..0], &[], &[]), "no index space");
        assert!(refused(two, &[64, 32], &[1, 1]), "2,048 threads");
        assert!(refused(one, &[0], &[1]), "no thread");
        assert!(refused(two, &[1, 32], &[65_536, 1]), "65,536 blocks in y");
        assert!(!refused(two, &[1, 32], &[65_535, 1]));
        assert!(!refused(one, &[1], &[(1 << 31) - 1]));
        assert!(refused(one, &[1], &[1 << 31]), "2^31 blocks in x");
        assert!(refused(two, &[1, 1], &[4]), "a dim that is not there");
    }
}
