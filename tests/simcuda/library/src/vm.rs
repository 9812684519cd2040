//! Addresses without memory, memory without addresses, and who may touch where they meet.

use std::collections::BTreeMap;
use std::ffi::c_ulonglong;

use cudarc::driver::sys::{
    CUdeviceptr, CUmemAccess_flags, CUmemAccessDesc, CUmemAllocationGranularity_flags,
    CUmemAllocationProp, CUmemAllocationType, CUmemGenericAllocationHandle, CUmemLocation,
    CUmemLocationType,
};
use gpu_graph_runtime::driver::{Driver, MemoryId, Protection, RangeId};

use crate::call::calls;
use crate::memory::tagged;
use crate::status::{Answer, INVALID_DEVICE, INVALID_VALUE, of};
use crate::world::{World, fresh, put};

#[derive(Clone, Copy, Debug)]
struct Reserved {
    range: RangeId,
    bytes: u64,
}

#[derive(Clone, Copy, Debug)]
struct Physical {
    id: MemoryId,
    bytes: u64,
    device: usize,
}

/// Ranges by address, memory by handle, and bytes of mappings by address.
#[derive(Debug, Default)]
pub(crate) struct Mapped {
    reserved: BTreeMap<u64, Reserved>,
    physical: BTreeMap<u64, Physical>,
    mappings: BTreeMap<u64, u64>,
}

impl Mapped {
    pub(crate) fn counts(&self) -> Vec<(usize, &'static str)> {
        vec![
            (self.reserved.len(), "a range of addresses"),
            (self.physical.len(), "memory"),
            (self.mappings.len(), "a mapping"),
        ]
    }

    /// The range that a part lies in, and where in it.
    fn part(&self, at: u64, bytes: u64) -> Answer<(RangeId, u64)> {
        let before = self.reserved.range(..=at).next_back();
        let (&start, found) = before.ok_or(INVALID_VALUE)?;
        let end = at.checked_add(bytes).ok_or(INVALID_VALUE)?;
        let inside = bytes > 0 && end <= start + found.bytes;
        inside
            .then_some((found.range, at - start))
            .ok_or(INVALID_VALUE)
    }
}

/// The device that a location names.
pub(crate) fn located(world: &World, location: &CUmemLocation) -> Answer<usize> {
    match location.type_ {
        CUmemLocationType::CU_MEM_LOCATION_TYPE_DEVICE => world.device(location.id),
        _ => Err(INVALID_VALUE),
    }
}

pub(crate) fn protection(flags: CUmemAccess_flags) -> Answer<Protection> {
    match flags {
        CUmemAccess_flags::CU_MEM_ACCESS_FLAGS_PROT_NONE => Ok(Protection::None),
        CUmemAccess_flags::CU_MEM_ACCESS_FLAGS_PROT_READ => Ok(Protection::Read),
        CUmemAccess_flags::CU_MEM_ACCESS_FLAGS_PROT_READWRITE => Ok(Protection::ReadWrite),
        _ => Err(INVALID_VALUE),
    }
}

/// # Safety
/// It is null or can be read.
unsafe fn device_of(world: &World, prop: *const CUmemAllocationProp) -> Answer<usize> {
    // SAFETY: the caller's.
    let prop = unsafe { prop.as_ref() }.ok_or(INVALID_VALUE)?;
    if prop.type_ != CUmemAllocationType::CU_MEM_ALLOCATION_TYPE_PINNED {
        return Err(INVALID_VALUE);
    }
    located(world, &prop.location)
}

calls! {
    /// That of the simulated device.
    fn cuMemGetAllocationGranularity(
        bytes: *mut usize,
        prop: *const CUmemAllocationProp,
        _option: CUmemAllocationGranularity_flags,
    ) {
        let unit = World::ask(|world| {
            let device = device_of(world, prop)?;
            Ok(world.devices[device].info().granularity)
        })?;
        put(bytes, unit as usize)
    }

    /// Addresses that nothing else gets, in whole units.
    fn cuMemAddressReserve(
        at: *mut CUdeviceptr,
        bytes: usize,
        align: usize,
        _wanted: CUdeviceptr,
        flags: c_ulonglong,
    ) {
        let found = World::ask(|world| {
            let driver = &world.devices[0];
            let unit = driver.info().granularity as usize;
            if bytes == 0 || !bytes.is_multiple_of(unit) || flags != 0 {
                return Err(INVALID_VALUE);
            }
            let range = driver.reserve(bytes as u64, align.max(unit) as u64).map_err(of)?;
            let at = tagged(driver.address(range).map_err(of)?);
            let bytes = bytes as u64;
            world.memory.mapped.reserved.insert(at, Reserved { range, bytes });
            Ok(at)
        })?;
        put(at, found)
    }

    /// The whole range, with nothing mapped.
    fn cuMemAddressFree(at: CUdeviceptr, bytes: usize) {
        World::ask(|world| {
            let found = world.memory.mapped.reserved.get(&at).copied();
            let found = found.filter(|r| r.bytes == bytes as u64).ok_or(INVALID_VALUE)?;
            world.devices[0].unreserve(found.range).map_err(of)?;
            world.memory.mapped.reserved.remove(&at);
            Ok(())
        })
    }

    /// Memory of a device, in whole units.
    fn cuMemCreate(
        handle: *mut CUmemGenericAllocationHandle,
        bytes: usize,
        prop: *const CUmemAllocationProp,
        flags: c_ulonglong,
    ) {
        let made = World::ask(|world| {
            let device = device_of(world, prop)?;
            let unit = world.devices[device].info().granularity as usize;
            if bytes == 0 || !bytes.is_multiple_of(unit) || flags != 0 {
                return Err(INVALID_VALUE);
            }
            let bytes = bytes as u64;
            world.memory.charge(device, bytes)?;
            let id = match world.devices[device].create_memory(bytes) {
                Ok(id) => id,
                Err(error) => {
                    world.memory.discharge(device, bytes);
                    return Err(of(error));
                }
            };
            let handle = fresh() as u64;
            world.memory.mapped.physical.insert(handle, Physical { id, bytes, device });
            Ok(handle)
        })?;
        put(handle, made)
    }

    /// It goes once it is mapped nowhere.
    fn cuMemRelease(handle: CUmemGenericAllocationHandle) {
        World::ask(|world| {
            let gone = world.memory.mapped.physical.remove(&handle).ok_or(INVALID_VALUE)?;
            world.memory.discharge(gone.device, gone.bytes);
            world.devices[gone.device].destroy_memory(gone.id).map_err(of)
        })
    }

    /// All of the memory, without access.
    fn cuMemMap(
        at: CUdeviceptr,
        bytes: usize,
        offset: usize,
        handle: CUmemGenericAllocationHandle,
        flags: c_ulonglong,
    ) {
        World::ask(|world| {
            let mapped = &mut world.memory.mapped;
            let memory = *mapped.physical.get(&handle).ok_or(INVALID_VALUE)?;
            if offset != 0 || flags != 0 || bytes as u64 != memory.bytes {
                return Err(INVALID_VALUE);
            }
            let (range, from) = mapped.part(at, memory.bytes)?;
            let driver = &world.devices[memory.device];
            driver.map(range, from, memory.id).map_err(of)?;
            mapped.mappings.insert(at, memory.bytes);
            Ok(())
        })
    }

    /// Whole mappings. Work that still uses them is reported.
    fn cuMemUnmap(at: CUdeviceptr, bytes: usize) {
        World::ask(|world| {
            let mapped = &mut world.memory.mapped;
            let bytes = bytes as u64;
            let (range, from) = mapped.part(at, bytes)?;
            world.devices[0].unmap(range, from, bytes).map_err(of)?;
            mapped.mappings.retain(|&m, _| m < at || m >= at + bytes);
            Ok(())
        })
    }

    /// Each device by itself; no device may touch what it was not given.
    fn cuMemSetAccess(
        at: CUdeviceptr,
        bytes: usize,
        desc: *const CUmemAccessDesc,
        count: usize,
    ) {
        if desc.is_null() || count == 0 {
            return Err(INVALID_VALUE);
        }
        let all = std::slice::from_raw_parts(desc, count);
        World::ask(|world| {
            let (range, from) = world.memory.mapped.part(at, bytes as u64)?;
            for one in all {
                let device = located(world, &one.location).map_err(|_| INVALID_DEVICE)?;
                let to = protection(one.flags)?;
                let driver = &world.devices[device];
                driver.admit(range, from, bytes as u64, device, to).map_err(of)?;
            }
            Ok(())
        })
    }
}
