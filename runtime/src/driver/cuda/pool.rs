//! The stream-ordered pool of a device: CUDA's own, without the dependencies that it would add.

use std::collections::BTreeMap;
use std::ffi::c_int;

use cudarc::driver::sys::{
    CUmemAccess_flags, CUmemAccessDesc, CUmemAllocationHandleType, CUmemAllocationType,
    CUmemLocation, CUmemPool_attribute, CUmemPoolProps, CUmemoryPool, CUstream,
};

use super::super::{DriverError, invalid};
use super::context::{Context, Raw};
use super::error::CudaError;
use super::library::answer;
use super::memory::{location, size};

/// A pool, and what it has given.
#[derive(Debug)]
pub(super) struct Pool {
    raw: Raw<CUmemoryPool>,
    /// Address of each allocation, by id.
    live: BTreeMap<u64, u64>,
}

impl Pool {
    /// A pool of its own, so that nobody else's frees and limits matter. It reuses memory where the
    /// stream that asks has freed it, or all work on it has been seen to end, and nowhere else: it
    /// neither follows events between streams nor makes one wait for another.
    pub(super) fn new(context: &Context) -> Result<Self, CudaError> {
        let props = CUmemPoolProps {
            allocType: CUmemAllocationType::CU_MEM_ALLOCATION_TYPE_PINNED,
            handleTypes: CUmemAllocationHandleType::CU_MEM_HANDLE_TYPE_NONE,
            location: location(context),
            win32SecurityAttributes: std::ptr::null_mut(),
            maxSize: 0,
            usage: 0,
            reserved: [0; 54],
        };
        let mut raw = std::ptr::null_mut();
        // SAFETY: the properties are whole; one handle is written.
        answer("cuMemPoolCreate", unsafe {
            context.api.cuMemPoolCreate(&raw mut raw, &raw const props)
        })?;
        let pool = Self {
            raw: Raw(raw),
            live: BTreeMap::new(),
        };
        let set = pool.set_up(context);
        if set.is_err() {
            pool.destroy(context);
        }
        set.map(|()| pool)
    }

    fn set_up(&self, context: &Context) -> Result<(), CudaError> {
        use CUmemPool_attribute as Attribute;
        for attribute in [
            Attribute::CU_MEMPOOL_ATTR_REUSE_FOLLOW_EVENT_DEPENDENCIES,
            Attribute::CU_MEMPOOL_ATTR_REUSE_ALLOW_OPPORTUNISTIC,
            Attribute::CU_MEMPOOL_ATTR_REUSE_ALLOW_INTERNAL_DEPENDENCIES,
        ] {
            let mut off: c_int = 0;
            // SAFETY: these attributes are C ints.
            answer("cuMemPoolSetAttribute", unsafe {
                let value = (&raw mut off).cast();
                context
                    .api
                    .cuMemPoolSetAttribute(self.raw.0, attribute, value)
            })?;
        }
        // What one device leaves in its pool another may fetch from there.
        let peers = context.peers()?;
        let desc = |id: i32| CUmemAccessDesc {
            location: CUmemLocation {
                id,
                ..location(context)
            },
            flags: CUmemAccess_flags::CU_MEM_ACCESS_FLAGS_PROT_READWRITE,
        };
        let peers: Vec<_> = peers.into_iter().map(desc).collect();
        if !peers.is_empty() {
            // SAFETY: there are as many descriptions.
            answer("cuMemPoolSetAccess", unsafe {
                let (pool, at) = (self.raw.0, peers.as_ptr());
                context.api.cuMemPoolSetAccess(pool, at, peers.len())
            })?;
        }
        // What is free stays until it is trimmed, and no wait of anyone gives it back.
        let mut keep = u64::MAX;
        // SAFETY: this attribute is a 64-bit number.
        answer("cuMemPoolSetAttribute", unsafe {
            let attribute = Attribute::CU_MEMPOOL_ATTR_RELEASE_THRESHOLD;
            let value = (&raw mut keep).cast();
            context
                .api
                .cuMemPoolSetAttribute(self.raw.0, attribute, value)
        })
    }

    pub(super) fn allocate(
        &mut self,
        context: &Context,
        id: u64,
        stream: CUstream,
        bytes: u64,
    ) -> Result<u64, DriverError> {
        const CALL: &str = "cuMemAllocFromPoolAsync";
        if bytes == 0 {
            return Err(invalid(CALL, "a size of 0"));
        }
        let mut at = 0;
        // SAFETY: pool and stream are there; one address is written.
        let code = unsafe {
            let (api, bytes) = (context.api, size(CALL, bytes)?);
            api.cuMemAllocFromPoolAsync(&raw mut at, bytes, self.raw.0, stream)
        };
        context.room(CALL, bytes, code)?;
        self.live.insert(id, at);
        Ok(at)
    }

    pub(super) fn free(
        &mut self,
        context: &Context,
        id: u64,
        stream: CUstream,
    ) -> Result<(), DriverError> {
        const CALL: &str = "cuMemFreeAsync";
        let at = self.live.remove(&id).ok_or(invalid(CALL, "the range"))?;
        // SAFETY: the pool gave it, and it is given back once, behind all that was issued to the
        // stream.
        let code = unsafe { context.api.cuMemFreeAsync(at, stream) };
        context.answer(CALL, code)
    }

    /// Whether `id` is one of its allocations.
    pub(super) fn address(&self, id: u64) -> Option<u64> {
        self.live.get(&id).copied()
    }

    /// Gives back what is free and was seen to be: CUDA counts as taken what is not freed, and what
    /// is freed where the end of the work before it has not been seen. Waits for nothing.
    pub(super) fn trim(&self, context: &Context) -> Result<u64, DriverError> {
        let before = self.reserved(context)?;
        // SAFETY: the pool is there.
        let code = unsafe { context.api.cuMemPoolTrimTo(self.raw.0, 0) };
        context.answer("cuMemPoolTrimTo", code)?;
        Ok(before.saturating_sub(self.reserved(context)?))
    }

    fn reserved(&self, context: &Context) -> Result<u64, DriverError> {
        let attribute = CUmemPool_attribute::CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT;
        let mut bytes = 0u64;
        // SAFETY: this attribute is a 64-bit number.
        let code = unsafe {
            let value = (&raw mut bytes).cast();
            context
                .api
                .cuMemPoolGetAttribute(self.raw.0, attribute, value)
        };
        context.answer("cuMemPoolGetAttribute", code)?;
        Ok(bytes)
    }

    /// Gives the pool back. CUDA keeps it until what it gave is freed.
    pub(super) fn destroy(&self, context: &Context) {
        // SAFETY: the pool is there, and nothing is asked of it behind this.
        unsafe { context.api.cuMemPoolDestroy(self.raw.0) };
    }
}
