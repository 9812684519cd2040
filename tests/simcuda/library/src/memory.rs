//! What memory there is, and pinned memory of the host.

use std::alloc::{Layout, alloc, dealloc};
use std::collections::BTreeMap;
use std::ffi::{c_uint, c_void};
use std::sync::Arc;

use cudarc::driver::sys::CUdeviceptr;
use gpu_graph_runtime::driver::Address;
use gpu_graph_runtime::driver::sim::SimDriver;

use crate::act::Writes;
use crate::call::calls;
use crate::pool::Pools;
use crate::status::{Answer, INVALID_VALUE, OUT_OF_MEMORY};
use crate::vm::Mapped;
use crate::world::{World, put};

/// Set in every address of a device: the host that follows one faults, as it does on a GPU.
pub(crate) const TAG: u64 = 1 << 52;

/// An address of the simulated device as the driver's caller sees it.
pub(crate) fn tagged(at: Address) -> u64 {
    at.0.expose_provenance() as u64 | TAG
}

/// Memory of the host that devices reach.
#[derive(Debug)]
struct Pinned {
    at: *mut u8,
    layout: Layout,
    device: usize,
    writes: Writes,
}

// SAFETY: it owns its bytes, whatever the thread.
unsafe impl Send for Pinned {}

impl Drop for Pinned {
    fn drop(&mut self) {
        // SAFETY: it was allocated with this layout, and is given back once.
        unsafe { dealloc(self.at, self.layout) }
    }
}

#[derive(Debug)]
pub(crate) struct Memory {
    /// Bytes of a device.
    pub(crate) capacity: u64,
    used: Vec<u64>,
    pub(crate) pools: Pools,
    pub(crate) mapped: Mapped,
    /// By address.
    pinned: BTreeMap<usize, Pinned>,
    /// What was given back: nothing else gets its place.
    gone: Vec<Pinned>,
}

impl Memory {
    pub(crate) fn new(devices: &[Arc<SimDriver>]) -> Self {
        Self {
            capacity: 1 << 40,
            used: vec![0; devices.len()],
            pools: Pools::new(devices),
            mapped: Mapped::default(),
            pinned: BTreeMap::new(),
            gone: Vec::new(),
        }
    }

    /// Takes room on a device.
    pub(crate) fn charge(&mut self, device: usize, bytes: u64) -> Answer {
        let used = self.used[device].checked_add(bytes);
        let used = used.filter(|&u| u <= self.capacity).ok_or(OUT_OF_MEMORY)?;
        self.used[device] = used;
        Ok(())
    }

    pub(crate) fn discharge(&mut self, device: usize, bytes: u64) {
        self.used[device] = self.used[device].saturating_sub(bytes);
    }

    /// The pinned memory that an address of the host lies in.
    pub(crate) fn pinned_at(&self, at: usize) -> Option<Writes> {
        let (&start, pinned) = self.pinned.range(..=at).next_back()?;
        (at < start + pinned.layout.size()).then(|| Arc::clone(&pinned.writes))
    }

    pub(crate) fn counts(&self) -> Vec<(usize, &'static str)> {
        let mut all = self.pools.counts();
        all.extend(self.mapped.counts());
        all.push((self.pinned.len(), "pinned memory"));
        all
    }
}

/// # Safety
/// As [`put`].
unsafe fn pin(to: *mut *mut c_void, bytes: usize) -> Answer {
    if bytes == 0 {
        return Err(INVALID_VALUE);
    }
    let layout = Layout::from_size_align(bytes, 256).map_err(|_| OUT_OF_MEMORY)?;
    let at = World::ask(|world| {
        let device = world.current()?.1.device;
        // SAFETY: the layout is of some bytes.
        let at = unsafe { alloc(layout) };
        if at.is_null() {
            return Err(OUT_OF_MEMORY);
        }
        // SAFETY: the bytes were just allocated. What they hold is nothing to rely on.
        unsafe { at.write_bytes(0xa5, bytes) };
        world.devices[device].lend(Address(at), bytes as u64, true);
        let pinned = Pinned {
            at,
            layout,
            device,
            writes: Writes::default(),
        };
        world.memory.pinned.insert(at.expose_provenance(), pinned);
        Ok(at)
    })?;
    // SAFETY: the caller's.
    unsafe { put(to, at.cast()) }
}

calls! {
    /// Devices reach it at the address that the host has for it.
    fn cuMemHostAlloc(to: *mut *mut c_void, bytes: usize, flags: c_uint) {
        if flags > 7 {
            return Err(INVALID_VALUE);
        }
        pin(to, bytes)
    }

    /// As [`cuMemHostAlloc`].
    fn cuMemAllocHost_v2(to: *mut *mut c_void, bytes: usize) {
        pin(to, bytes)
    }

    /// Work of the device that still uses it is reported.
    fn cuMemFreeHost(at: *mut c_void) {
        World::ask(|world| {
            world.current()?;
            let gone = world.memory.pinned.remove(&at.addr()).ok_or(INVALID_VALUE)?;
            let bytes = gone.layout.size() as u64;
            world.devices[gone.device].lend(Address(gone.at), bytes, false);
            world.memory.gone.push(gone);
            Ok(())
        })
    }

    /// The same address.
    fn cuMemHostGetDevicePointer_v2(to: *mut CUdeviceptr, at: *mut c_void, flags: c_uint) {
        let pinned = World::with(|world| world.memory.pinned.contains_key(&at.addr()));
        if flags != 0 || !pinned {
            return Err(INVALID_VALUE);
        }
        put(to, at.expose_provenance() as u64)
    }

    /// Free and all bytes of the current device.
    fn cuMemGetInfo_v2(free: *mut usize, total: *mut usize) {
        let (used, all) = World::ask(|world| {
            let device = world.current()?.1.device;
            Ok((world.memory.used[device], world.memory.capacity))
        })?;
        put(free, (all - used.min(all)) as usize)?;
        put(total, all as usize)
    }
}
