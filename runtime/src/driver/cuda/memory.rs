//! Reserved addresses, and the memory that is mapped there.

use std::collections::BTreeMap;

use cudarc::driver::sys::{
    CUmemAccess_flags, CUmemAccessDesc, CUmemAllocationGranularity_flags,
    CUmemAllocationHandleType, CUmemAllocationProp, CUmemAllocationType, CUmemLocation,
    CUmemLocationType,
};

use super::super::{DriverError, Protection, invalid};
use super::context::Context;
use super::error::CudaError;
use super::library::answer;

#[derive(Debug)]
struct Range {
    base: u64,
    bytes: u64,
    /// Bytes mapped, by offset; apart.
    pieces: BTreeMap<u64, u64>,
}

#[derive(Debug)]
struct Memory {
    handle: u64,
    bytes: u64,
}

/// All ranges and memories of a device, by id.
#[derive(Debug)]
pub(super) struct Spaces {
    granularity: u64,
    ranges: BTreeMap<u64, Range>,
    memories: BTreeMap<u64, Memory>,
}

/// On the device itself.
pub(super) fn location(context: &Context) -> CUmemLocation {
    CUmemLocation {
        type_: CUmemLocationType::CU_MEM_LOCATION_TYPE_DEVICE,
        id: context.device(),
    }
}

fn properties(context: &Context) -> CUmemAllocationProp {
    CUmemAllocationProp {
        type_: CUmemAllocationType::CU_MEM_ALLOCATION_TYPE_PINNED,
        requestedHandleTypes: CUmemAllocationHandleType::CU_MEM_HANDLE_TYPE_NONE,
        location: location(context),
        win32HandleMetaData: std::ptr::null_mut(),
        // SAFETY: numbers alone, of which 0 asks for nothing.
        allocFlags: unsafe { std::mem::zeroed() },
    }
}

/// A number of bytes as the driver takes it.
pub(super) fn size(call: &'static str, bytes: u64) -> Result<usize, DriverError> {
    let requested = bytes;
    usize::try_from(bytes).map_err(|_| DriverError::OutOfMemory { call, requested })
}

impl Spaces {
    pub(super) fn new(context: &Context) -> Result<Self, CudaError> {
        let mut granularity = 0;
        let minimum = CUmemAllocationGranularity_flags::CU_MEM_ALLOC_GRANULARITY_MINIMUM;
        // SAFETY: the properties are whole; one number is written.
        answer("cuMemGetAllocationGranularity", unsafe {
            let of = properties(context);
            let api = context.api;
            api.cuMemGetAllocationGranularity(&raw mut granularity, &raw const of, minimum)
        })?;
        Ok(Self {
            granularity: granularity.max(1) as u64,
            ranges: BTreeMap::new(),
            memories: BTreeMap::new(),
        })
    }

    /// Smallest unit of backing.
    pub(super) fn granularity(&self) -> u64 {
        self.granularity
    }

    pub(super) fn reserve(
        &mut self,
        context: &Context,
        id: u64,
        bytes: u64,
        align: u64,
    ) -> Result<(), DriverError> {
        const CALL: &str = "cuMemAddressReserve";
        if bytes == 0 {
            return Err(invalid(CALL, "a size of 0"));
        }
        if !align.is_power_of_two() {
            return Err(invalid(CALL, "an alignment that is no power of two"));
        }
        let requested = bytes;
        let whole = bytes.checked_next_multiple_of(self.granularity);
        let whole = whole.ok_or(DriverError::OutOfMemory {
            call: CALL,
            requested,
        })?;
        let align = size(CALL, align.max(self.granularity.next_power_of_two()))?;
        let mut base = 0;
        // SAFETY: one address is written; nothing is there yet.
        let code = unsafe {
            let api = context.api;
            api.cuMemAddressReserve(&raw mut base, size(CALL, whole)?, align, 0, 0)
        };
        context.room(CALL, requested, code)?;
        let range = Range {
            base,
            bytes: whole,
            pieces: BTreeMap::new(),
        };
        self.ranges.insert(id, range);
        Ok(())
    }

    pub(super) fn unreserve(&mut self, context: &Context, id: u64) -> Result<(), DriverError> {
        const CALL: &str = "cuMemAddressFree";
        let range = self.ranges.get(&id).ok_or(invalid(CALL, "the range"))?;
        if !range.pieces.is_empty() {
            return Err(invalid(CALL, "a range with memory mapped"));
        }
        // SAFETY: reserved as a whole with these bytes, and nothing is mapped there.
        let code = unsafe {
            context
                .api
                .cuMemAddressFree(range.base, range.bytes as usize)
        };
        self.ranges.remove(&id);
        context.answer(CALL, code)
    }

    pub(super) fn create(
        &mut self,
        context: &Context,
        id: u64,
        bytes: u64,
    ) -> Result<(), DriverError> {
        const CALL: &str = "cuMemCreate";
        if bytes == 0 || !bytes.is_multiple_of(self.granularity) {
            return Err(invalid(CALL, "a size that is not of whole units"));
        }
        let mut handle = 0;
        // SAFETY: the properties are whole; one handle is written.
        let code = unsafe {
            let of = properties(context);
            let api = context.api;
            api.cuMemCreate(&raw mut handle, size(CALL, bytes)?, &raw const of, 0)
        };
        context.room(CALL, bytes, code)?;
        self.memories.insert(id, Memory { handle, bytes });
        Ok(())
    }

    /// Gives the handle back; mappings keep what it stands for.
    pub(super) fn destroy(&mut self, context: &Context, id: u64) -> Result<(), DriverError> {
        const CALL: &str = "cuMemRelease";
        let memory = self.memories.remove(&id);
        let memory = memory.ok_or(invalid(CALL, "the memory"))?;
        // SAFETY: made by `create`, and given back once.
        context.answer(CALL, unsafe { context.api.cuMemRelease(memory.handle) })
    }

    pub(super) fn map(
        &mut self,
        context: &Context,
        range: u64,
        offset: u64,
        memory: u64,
    ) -> Result<(), DriverError> {
        const CALL: &str = "cuMemMap";
        let range = self.ranges.get_mut(&range);
        let range = range.ok_or(invalid(CALL, "the range"))?;
        let memory = self.memories.get(&memory);
        let memory = memory.ok_or(invalid(CALL, "the memory"))?;
        let end = offset.checked_add(memory.bytes);
        let Some(end) = end.filter(|&end| end <= range.bytes) else {
            return Err(invalid(CALL, "a part outside the range"));
        };
        let before = range.pieces.range(..end).next_back();
        if before.is_some_and(|(&at, &bytes)| at + bytes > offset) {
            return Err(invalid(CALL, "a part with memory mapped"));
        }
        // SAFETY: the part lies in a range that is reserved, and has nothing mapped.
        let code = unsafe {
            let (at, bytes) = (range.base + offset, memory.bytes as usize);
            context.api.cuMemMap(at, bytes, 0, memory.handle, 0)
        };
        context.room(CALL, memory.bytes, code)?;
        range.pieces.insert(offset, memory.bytes);
        Ok(())
    }

    pub(super) fn set_access(
        &self,
        context: &Context,
        range: u64,
        (offset, bytes): (u64, u64),
        to: Protection,
    ) -> Result<(), DriverError> {
        const CALL: &str = "cuMemSetAccess";
        let range = self.ranges.get(&range).ok_or(invalid(CALL, "the range"))?;
        let mut covered = offset;
        let end = offset.saturating_add(bytes);
        for (&at, &bytes) in range.pieces.range(..end) {
            if at <= covered {
                covered = covered.max(at + bytes);
            }
        }
        if bytes == 0 || covered < end {
            return Err(invalid(CALL, "a part without memory"));
        }
        let desc = CUmemAccessDesc {
            location: location(context),
            flags: match to {
                Protection::None => CUmemAccess_flags::CU_MEM_ACCESS_FLAGS_PROT_NONE,
                Protection::Read => CUmemAccess_flags::CU_MEM_ACCESS_FLAGS_PROT_READ,
                Protection::ReadWrite => CUmemAccess_flags::CU_MEM_ACCESS_FLAGS_PROT_READWRITE,
            },
        };
        // SAFETY: the part has memory mapped throughout; one description is read.
        let code = unsafe {
            let (at, bytes) = (range.base + offset, size(CALL, bytes)?);
            context.api.cuMemSetAccess(at, bytes, &raw const desc, 1)
        };
        context.room(CALL, bytes, code)
    }

    /// Unmaps one or more whole mappings.
    pub(super) fn unmap(
        &mut self,
        context: &Context,
        range: u64,
        (offset, bytes): (u64, u64),
    ) -> Result<(), DriverError> {
        const CALL: &str = "cuMemUnmap";
        let range = self.ranges.get_mut(&range);
        let range = range.ok_or(invalid(CALL, "the range"))?;
        let end = offset.saturating_add(bytes);
        let mut covered = offset;
        for (&at, &bytes) in range.pieces.range(offset..end) {
            if at != covered {
                break;
            }
            covered += bytes;
        }
        if bytes == 0 || covered != end {
            return Err(invalid(
                CALL,
                "a part that is not one or more whole mappings",
            ));
        }
        while let Some((&at, &bytes)) = range.pieces.range(offset..end).next() {
            // SAFETY: one whole mapping, of which the caller has seen all work complete.
            let code = unsafe { context.api.cuMemUnmap(range.base + at, bytes as usize) };
            context.answer(CALL, code)?;
            range.pieces.remove(&at);
        }
        Ok(())
    }

    /// First address of a range.
    pub(super) fn address(&self, id: u64) -> Option<u64> {
        Some(self.ranges.get(&id)?.base)
    }

    /// Gives back all that nobody has given back: the device goes.
    pub(super) fn clear(&mut self, context: &Context) {
        let ranges: Vec<u64> = self.ranges.keys().copied().collect();
        for id in ranges {
            let Some(range) = self.ranges.get(&id) else {
                continue;
            };
            let pieces: Vec<(u64, u64)> = range.pieces.iter().map(|(&a, &b)| (a, b)).collect();
            for piece in pieces {
                let _ = self.unmap(context, id, piece);
            }
            let _ = self.unreserve(context, id);
        }
        let memories: Vec<u64> = self.memories.keys().copied().collect();
        for id in memories {
            let _ = self.destroy(context, id);
        }
    }
}
