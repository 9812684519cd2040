//! Stream-ordered memory.

use std::collections::BTreeMap;
use std::ffi::{c_int, c_void};
use std::sync::Arc;

use cudarc::driver::sys::{
    CUdevice, CUdeviceptr, CUmemAccessDesc, CUmemPool_attribute, CUmemPoolProps, CUmemoryPool,
    CUstream,
};
use gpu_graph_runtime::driver::sim::{PoolId, SimDriver};
use gpu_graph_runtime::driver::{Driver, RangeId};

use crate::call::calls;
use crate::memory::tagged;
use crate::status::{Answer, INVALID_DEVICE, INVALID_HANDLE, INVALID_VALUE, of};
use crate::vm::{located, protection};
use crate::world::{Table, World, handle, put};

use CUmemPool_attribute as A;

#[derive(Clone, Copy, Debug)]
struct Pool {
    device: usize,
    id: PoolId,
    /// Bytes that stay at a synchronisation.
    threshold: u64,
    /// Follow events, opportunistic, internal dependencies.
    reuse: [c_int; 3],
}

#[derive(Clone, Copy, Debug)]
struct Block {
    pool: PoolId,
    device: usize,
    range: RangeId,
    bytes: u64,
}

#[derive(Debug)]
pub(crate) struct Pools {
    pools: Table<Pool>,
    /// Handles of the devices' own pools.
    own: Vec<usize>,
    /// By address.
    blocks: BTreeMap<u64, Block>,
}

impl Pools {
    pub(crate) fn new(devices: &[Arc<SimDriver>]) -> Self {
        let mut pools = Table::default();
        let own = devices.iter().enumerate().map(|(device, driver)| {
            pools.insert(Pool {
                device,
                id: driver.create_pool(),
                threshold: 0,
                reuse: [1; 3],
            })
        });
        let own = own.collect();
        Self {
            pools,
            own,
            blocks: BTreeMap::new(),
        }
    }

    pub(crate) fn counts(&self) -> Vec<(usize, &'static str)> {
        vec![
            (self.pools.0.len() - self.own.len(), "a pool"),
            (self.blocks.len(), "memory of a pool"),
        ]
    }
}

impl World {
    /// Whether an address is of memory of a pool.
    pub(crate) fn is_pooled(&self, pointer: u64) -> bool {
        let before = self.memory.pools.blocks.range(..=pointer).next_back();
        before.is_some_and(|(at, block)| pointer < at + block.bytes)
    }

    /// What a synchronisation with a device does: pools give back what is above their threshold.
    pub(crate) fn release_idle(&self, device: usize) {
        for pool in self
            .memory
            .pools
            .pools
            .0
            .values()
            .filter(|p| p.device == device)
        {
            let _ = self.devices[device].trim_to(pool.id, pool.threshold);
        }
    }

    fn allocate(
        &mut self,
        bytes: usize,
        pool: Option<CUmemoryPool>,
        stream: CUstream,
    ) -> Answer<u64> {
        let queue = self.queue(stream)?;
        let own = handle(self.memory.pools.own[queue.device]);
        let pool = *self
            .memory
            .pools
            .pools
            .get(pool.unwrap_or(own))
            .map_err(|_| INVALID_VALUE)?;
        if bytes == 0 || pool.device != queue.device {
            return Err(INVALID_VALUE);
        }
        let bytes = bytes as u64;
        self.memory.charge(pool.device, bytes)?;
        let made = self.issue(&queue, |driver, id| driver.allocate_in(pool.id, id, bytes));
        let range = made.inspect_err(|_| self.memory.discharge(pool.device, bytes))?;
        let at = tagged(queue.driver.address(range).map_err(of)?);
        let block = Block {
            pool: pool.id,
            device: pool.device,
            range,
            bytes,
        };
        self.memory.pools.blocks.insert(at, block);
        Ok(at)
    }
}

calls! {
    /// The pool that a device has from the beginning.
    fn cuDeviceGetDefaultMemPool(pool: *mut CUmemoryPool, device: CUdevice) {
        let own = World::ask(|world| {
            let device = world.device(device)?;
            Ok(world.memory.pools.own[device])
        })?;
        put(pool, handle(own))
    }

    /// A pool that its device alone reaches.
    fn cuMemPoolCreate(pool: *mut CUmemoryPool, props: *const CUmemPoolProps) {
        let props = props.as_ref().ok_or(INVALID_VALUE)?;
        let made = World::ask(|world| {
            let device = located(world, &props.location)?;
            let made = Pool {
                device,
                id: world.devices[device].create_pool(),
                threshold: 0,
                reuse: [1; 3],
            };
            Ok(world.memory.pools.pools.insert(made))
        })?;
        put(pool, handle(made))
    }

    /// Memory of it stays until it is freed.
    fn cuMemPoolDestroy(pool: CUmemoryPool) {
        World::ask(|world| {
            let pools = &mut world.memory.pools;
            if pools.own.contains(&pool.addr()) {
                return Err(INVALID_VALUE);
            }
            pools.pools.remove(pool).map(|_| ()).map_err(|_| INVALID_VALUE)
        })
    }

    /// The release threshold, and which reuse is allowed: the simulated pool never waits by itself.
    fn cuMemPoolSetAttribute(pool: CUmemoryPool, attribute: CUmemPool_attribute, value: *mut c_void) {
        if value.is_null() {
            return Err(INVALID_VALUE);
        }
        World::ask(|world| {
            let pool = world.memory.pools.pools.get_mut(pool).map_err(|_| INVALID_VALUE)?;
            let reuse = |at: &mut c_int| *at = *value.cast::<c_int>();
            match attribute {
                A::CU_MEMPOOL_ATTR_REUSE_FOLLOW_EVENT_DEPENDENCIES => reuse(&mut pool.reuse[0]),
                A::CU_MEMPOOL_ATTR_REUSE_ALLOW_OPPORTUNISTIC => reuse(&mut pool.reuse[1]),
                A::CU_MEMPOOL_ATTR_REUSE_ALLOW_INTERNAL_DEPENDENCIES => reuse(&mut pool.reuse[2]),
                A::CU_MEMPOOL_ATTR_RELEASE_THRESHOLD => pool.threshold = *value.cast::<u64>(),
                _ => return Err(INVALID_VALUE),
            }
            Ok(())
        })
    }

    /// What was set, and how much there is.
    fn cuMemPoolGetAttribute(pool: CUmemoryPool, attribute: CUmemPool_attribute, value: *mut c_void) {
        if value.is_null() {
            return Err(INVALID_VALUE);
        }
        World::ask(|world| {
            let pools = &world.memory.pools;
            let pool = pools.pools.get(pool).map_err(|_| INVALID_VALUE)?;
            let mine = pools.blocks.values().filter(|b| b.pool == pool.id);
            let used: u64 = mine.map(|b| b.bytes).sum();
            let reuse = |at: c_int| *value.cast::<c_int>() = at;
            let bytes = |at: u64| *value.cast::<u64>() = at;
            match attribute {
                A::CU_MEMPOOL_ATTR_REUSE_FOLLOW_EVENT_DEPENDENCIES => reuse(pool.reuse[0]),
                A::CU_MEMPOOL_ATTR_REUSE_ALLOW_OPPORTUNISTIC => reuse(pool.reuse[1]),
                A::CU_MEMPOOL_ATTR_REUSE_ALLOW_INTERNAL_DEPENDENCIES => reuse(pool.reuse[2]),
                A::CU_MEMPOOL_ATTR_RELEASE_THRESHOLD => bytes(pool.threshold),
                A::CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT => {
                    bytes(world.devices[pool.device].pool_bytes(pool.id));
                }
                A::CU_MEMPOOL_ATTR_USED_MEM_CURRENT => bytes(used),
                _ => return Err(INVALID_VALUE),
            }
            Ok(())
        })
    }

    /// Gives back what no work can still touch.
    fn cuMemPoolTrimTo(pool: CUmemoryPool, keep: usize) {
        World::ask(|world| {
            let pool = *world.memory.pools.pools.get(pool).map_err(|_| INVALID_VALUE)?;
            let driver = &world.devices[pool.device];
            driver.trim_to(pool.id, keep as u64).map(|_| ()).map_err(of)
        })
    }

    /// What is allocated there and what will be.
    fn cuMemPoolSetAccess(pool: CUmemoryPool, desc: *const CUmemAccessDesc, count: usize) {
        if desc.is_null() && count > 0 {
            return Err(INVALID_VALUE);
        }
        let all = if count == 0 { &[] } else { std::slice::from_raw_parts(desc, count) };
        World::ask(|world| {
            let pool = *world.memory.pools.pools.get(pool).map_err(|_| INVALID_VALUE)?;
            for one in all {
                let device = located(world, &one.location).map_err(|_| INVALID_DEVICE)?;
                let to = protection(one.flags)?;
                world.devices[pool.device].admit_pool(pool.id, device, to);
            }
            Ok(())
        })
    }

    /// From the device's own pool.
    fn cuMemAllocAsync(at: *mut CUdeviceptr, bytes: usize, stream: CUstream) {
        put(at, World::ask(|world| world.allocate(bytes, None, stream))?)
    }

    /// For work on the stream from here on.
    fn cuMemAllocFromPoolAsync(
        at: *mut CUdeviceptr,
        bytes: usize,
        pool: CUmemoryPool,
        stream: CUstream,
    ) {
        put(at, World::ask(|world| world.allocate(bytes, Some(pool), stream))?)
    }

    /// After all that was issued to the stream.
    fn cuMemFreeAsync(at: CUdeviceptr, stream: CUstream) {
        World::ask(|world| {
            let queue = world.queue(stream)?;
            let block = *world.memory.pools.blocks.get(&at).ok_or(INVALID_VALUE)?;
            if block.device != queue.device {
                return Err(INVALID_HANDLE);
            }
            world.issue(&queue, |driver, id| driver.free_in(block.pool, id, block.range))?;
            world.memory.pools.blocks.remove(&at);
            world.memory.discharge(block.device, block.bytes);
            Ok(())
        })
    }
}
