//! What every device that is aimed at can launch, and what a graph can hold. Lists of extents are slowest first, so the last
//! entry is `x`.

/// Bytes of a kernel's parameter block, at most.
pub const PARAMETER_BYTES: u64 = 4096;
/// Bytes of statically declared shared memory, at most.
pub const SHARED_BYTES: u64 = 49_152;
/// Threads of a block, at most.
pub const BLOCK_THREADS: u64 = 1024;
/// Threads of a block along `x`, `y` and `z`, at most.
pub const BLOCK: [u64; 3] = [1024, 1024, 64];
/// Blocks of a grid along `x`, `y` and `z`, at most.
pub const GRID: [u64; 3] = [(1 << 31) - 1, 65_535, 65_535];
/// Bytes of all resources of a graph, with those of each lane, at most: an address space has no more.
pub const BYTES: u64 = 1 << 60;
/// Isolation domains of a graph, that of all that is declared in none among them, at most.
pub const DOMAINS: usize = 16;
/// Streams of all instances of a graph together, at most.
pub const STREAMS: u32 = 16;
/// Statements of a graph once its loops and stages are unrolled, at most.
pub const STATEMENTS: u64 = 1 << 16;
/// Stages that call one another, at most.
pub const STAGE_DEPTH: usize = 32;
/// Pairs of tasks that `order` may demand, at most: a label of a stage stands for all its tasks.
pub const ORDERS: usize = 1 << 20;
/// Combinations of a graph's variants, at most: each has tables of its own.
pub const COMBINATIONS: u64 = 16;
/// Names of the axes, in the order of [`BLOCK`] and [`GRID`].
pub(crate) const AXES: [&str; 3] = ["x", "y", "z"];

/// Blocks along one axis.
pub(crate) fn blocks(threads: u64, block: u64) -> u64 {
    threads.div_ceil(block.max(1))
}

/// The block of `rank` extents that is nearest to `block` and can be launched, if any can.
pub(crate) fn fitting_block(rank: usize, block: &[u32]) -> Option<Vec<u32>> {
    if !(1..=3).contains(&rank) {
        return None;
    }
    let mut fitting = match block.len() == rank {
        true => block.to_vec(),
        false => crate::calls::default_block(rank),
    };
    for (n, most) in fitting.iter_mut().rev().zip(BLOCK) {
        *n = (*n).clamp(1, most as u32);
    }
    let threads = |block: &[u32]| block.iter().map(|n| u64::from(*n)).product::<u64>();
    while threads(&fitting) > BLOCK_THREADS {
        let largest = fitting.iter_mut().max()?;
        *largest /= 2;
    }
    Some(fitting)
}

/// What is wrong with a block over an index space of `rank` extents, and the limit that it breaks.
/// No index space and no block is right too.
pub(crate) fn block_fault(rank: usize, block: &[u32]) -> Option<(String, String)> {
    if rank == 0 && block.is_empty() {
        return None;
    }
    if !(1..=3).contains(&rank) {
        let limit = "an index space has one to three extents";
        return Some((
            format!("has an index space of {rank} extents"),
            limit.to_owned(),
        ));
    }
    if block.len() != rank {
        let (threads, extents) = (
            crate::fault::counted(block.len(), "number"),
            crate::fault::counted(rank, "extent"),
        );
        let what = format!("has a block of {threads} over an index space of {extents}");
        let limit = "a block has one number for each extent of the index space";
        return Some((what, limit.to_owned()));
    }
    let mut threads = 1u64;
    for (axis, &n) in block.iter().rev().enumerate() {
        let (name, most) = (AXES[axis], BLOCK[axis]);
        threads = threads.saturating_mul(n.into());
        if n == 0 || u64::from(n) > most {
            let what = format!("has {n} threads per block along {name}");
            return Some((
                what,
                format!("a block has 1 to {most} threads along {name}"),
            ));
        }
    }
    if threads > BLOCK_THREADS {
        let what = format!("has {threads} threads per block");
        return Some((what, format!("a block has at most {BLOCK_THREADS} threads")));
    }
    None
}
