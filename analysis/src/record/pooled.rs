//! What a pool would hold in the place of the arena.

use std::collections::BTreeMap;

use crate::model::Model;
use crate::order::Precedence;
use crate::peak::Item;

/// Pools, one for each size of slots in each isolation domain, that serve each live range as it begins and
/// get its block back as it ends, where tasks run one at a time as they are issued.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Pooled {
    /// Pools.
    pub pools: u64,
    /// Blocks that they come to have.
    pub blocks: u64,
    /// Their bytes.
    pub bytes: u64,
    /// Blocks that a run takes.
    pub takes: u64,
    /// Blocks of these that it gives back before it ends.
    pub returns: u64,
}

/// Blocks of one size in one domain.
#[derive(Default)]
struct Pool {
    taken: u64,
    most: u64,
}

impl Pooled {
    pub(super) fn new(model: &Model, order: &Precedence, items: &[Item]) -> Self {
        let mut begins = vec![Vec::new(); order.tasks()];
        let mut ends = vec![Vec::new(); order.tasks()];
        let mut all = Self::default();
        for item in items.iter().filter(|item| item.bytes > 0) {
            let at = item.users.iter().map(|&t| order.position(t) as usize);
            let (Some(first), Some(last)) = (at.clone().min(), at.max()) else {
                continue;
            };
            let domain = item
                .parts
                .first()
                .map(|r| model.resources[r.0 as usize].domain);
            let of = (domain.unwrap_or(0), item.bytes);
            begins[first].push(of);
            all.takes += 1;
            if !item.to_end {
                ends[last].push(of);
                all.returns += 1;
            }
        }
        let mut pools: BTreeMap<(u8, u64), Pool> = BTreeMap::new();
        for (begins, ends) in begins.iter().zip(&ends) {
            for &of in begins {
                let pool = pools.entry(of).or_default();
                pool.taken += 1;
                pool.most = pool.most.max(pool.taken);
            }
            for of in ends {
                if let Some(pool) = pools.get_mut(of) {
                    pool.taken -= 1;
                }
            }
        }
        for ((_, bytes), pool) in &pools {
            all.blocks += pool.most;
            all.bytes = all.bytes.saturating_add(bytes.saturating_mul(pool.most));
        }
        all.pools = pools.len() as u64;
        all
    }
}
