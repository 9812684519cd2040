//! Where the bytes of an instance are.

use super::super::resolve::Tables;
use crate::driver::Address;

/// Where the slots of one instance are.
#[derive(Clone, Copy, Debug)]
pub struct Storage {
    /// The instance's own arena.
    pub arena: Address,
    /// The store, which all instances share.
    pub store: Address,
    /// The instance's own pinned memory.
    pub pinned: Address,
}

impl Storage {
    /// That of a program with nothing but an arena.
    pub fn arena(start: *mut u8) -> Self {
        Self {
            arena: Address(start),
            store: Address(start),
            pinned: Address(start),
        }
    }

    /// Where an offset lies in the three ranges, laid end to end.
    pub(super) fn at(&self, tables: &Tables, offset: usize) -> *mut u8 {
        let placed = &tables.placement;
        let (arena, store) = (placed.arena as usize, placed.store as usize);
        if offset < arena {
            self.arena.0.wrapping_add(offset)
        } else if offset < arena + store {
            self.store.0.wrapping_add(offset - arena)
        } else {
            self.pinned.0.wrapping_add(offset - arena - store)
        }
    }
}
