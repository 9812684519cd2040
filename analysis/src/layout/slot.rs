//! Where a resource lies.

/// Alignment of every slot, in bytes.
pub const SLOT_ALIGN: u64 = 256;

/// Where a resource lives, as an offset in arena, store and pinned memory, laid end to end.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Slot {
    /// Offset in bytes, a multiple of [`SLOT_ALIGN`].
    pub offset: u64,
    /// Aligned size at the largest sizes, in bytes.
    pub bytes: u64,
}
