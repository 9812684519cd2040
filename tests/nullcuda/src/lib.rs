//! The CUDA driver's functions over nothing: each succeeds at once. What a caller takes over this
//! library is what it costs itself.
//!
//! Memory comes from the heap and is never taken back; copies, fills and kernels do nothing; whatever
//! was issued is over. Nothing that is computed here means anything.

#![cfg(unix)]
#![allow(
    non_snake_case,
    clippy::too_many_arguments,
    reason = "functions are called as CUDA calls them"
)]

use std::alloc::{Layout, alloc_zeroed};
use std::ffi::{c_char, c_int, c_uchar, c_uint, c_ulonglong, c_void};
use std::ptr::without_provenance_mut;

use cudarc::driver::sys::*;

/// What no program could do with less of: the unit of device memory.
const UNIT: usize = 4096;

/// Bytes of zeros, for good.
fn room(bytes: usize, align: usize) -> *mut u8 {
    let layout = Layout::from_size_align(bytes.max(1), align.max(UNIT));
    // SAFETY: the size is not 0.
    layout.map_or(std::ptr::null_mut(), |layout| unsafe {
        alloc_zeroed(layout)
    })
}

/// # Safety
/// `to` can be written.
unsafe fn put<T>(to: *mut T, value: T) -> u32 {
    // SAFETY: the caller's.
    unsafe { to.write(value) };
    0
}

/// # Safety
/// `to` can be written.
unsafe fn put_room<T>(to: *mut T, bytes: usize, align: usize, of: fn(*mut u8) -> T) -> u32 {
    match room(bytes, align) {
        at if at.is_null() => CUresult::CUDA_ERROR_OUT_OF_MEMORY as u32,
        // SAFETY: the caller's.
        at => unsafe { put(to, of(at)) },
    }
}

fn address(at: *mut u8) -> CUdeviceptr {
    at.expose_provenance() as CUdeviceptr
}

/// A handle that stands for nothing.
fn handle<T>() -> *mut T {
    without_provenance_mut(16)
}

/// What cudarc declares a function as: by its own name, or by that of its next version, which is all
/// that newer headers have.
macro_rules! declared {
    ($name:ident) => {
        cudarc::driver::sys::$name
    };
    ($name:ident $next:ident) => {
        cudarc::driver::sys::$next
    };
}

/// Functions that do what is said, and those behind them, which do nothing.
macro_rules! calls {
    ($($name:ident $(like $next:ident)? ($($arg:ident: $type:ty),* $(,)?) $body:block)*) => {$(
        /// Succeeds.
        ///
        /// # Safety
        /// As the driver API says of the function of this name.
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $name($($arg: $type),*) -> u32 {
            $(let _ = $arg;)*
            #[allow(unused_unsafe, reason = "some do nothing")]
            // SAFETY: the caller keeps what the driver API asks of it.
            unsafe { $body }
        }

        const _: unsafe fn($($type),*) -> CUresult = declared!($name $($next)?);
    )*};
}

calls! {
    cuInit(flags: c_uint) { 0 }
    cuDriverGetVersion(version: *mut c_int) { put(version, 13_000) }
    cuDeviceGetCount(count: *mut c_int) { put(count, 1) }
    cuDeviceGet(device: *mut CUdevice, ordinal: c_int) { put(device, ordinal) }
    cuDeviceGetName(name: *mut c_char, len: c_int, device: CUdevice) {
        let text = c"nothing".to_bytes_with_nul();
        if text.len() > len as usize {
            return CUresult::CUDA_ERROR_INVALID_VALUE as u32;
        }
        name.cast::<u8>().copy_from_nonoverlapping(text.as_ptr(), text.len());
        0
    }
    cuDeviceGetAttribute(value: *mut c_int, attribute: CUdevice_attribute, device: CUdevice) {
        let major = CUdevice_attribute::CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR;
        put(value, if attribute == major { 9 } else { 1 })
    }
    cuDeviceCanAccessPeer(can: *mut c_int, device: CUdevice, peer: CUdevice) { put(can, 0) }
    cuDevicePrimaryCtxRetain(context: *mut CUcontext, device: CUdevice) { put(context, handle()) }
    cuDevicePrimaryCtxRelease_v2(device: CUdevice) { 0 }
    cuCtxSetCurrent(context: CUcontext) { 0 }

    cuStreamCreate(stream: *mut CUstream, flags: c_uint) { put(stream, handle()) }
    cuStreamDestroy_v2(stream: CUstream) { 0 }
    cuStreamQuery(stream: CUstream) { 0 }
    cuStreamSynchronize(stream: CUstream) { 0 }
    cuStreamWaitEvent(stream: CUstream, event: CUevent, flags: c_uint) { 0 }
    cuEventCreate(event: *mut CUevent, flags: c_uint) { put(event, handle()) }
    cuEventDestroy_v2(event: CUevent) { 0 }
    cuEventRecord(event: CUevent, stream: CUstream) { 0 }
    cuEventQuery(event: CUevent) { 0 }
    cuEventSynchronize(event: CUevent) { 0 }
    cuEventElapsedTime like cuEventElapsedTime_v2 (milliseconds: *mut f32, from: CUevent, to: CUevent) { put(milliseconds, 0.0) }

    cuMemGetAllocationGranularity(bytes: *mut usize, prop: *const CUmemAllocationProp, option: CUmemAllocationGranularity_flags) {
        put(bytes, UNIT)
    }
    cuMemAddressReserve(at: *mut CUdeviceptr, bytes: usize, align: usize, wanted: CUdeviceptr, flags: c_ulonglong) {
        put_room(at, bytes, align, address)
    }
    cuMemAddressFree(at: CUdeviceptr, bytes: usize) { 0 }
    cuMemCreate(memory: *mut CUmemGenericAllocationHandle, bytes: usize, prop: *const CUmemAllocationProp, flags: c_ulonglong) {
        put(memory, 16)
    }
    cuMemRelease(memory: CUmemGenericAllocationHandle) { 0 }
    cuMemMap(at: CUdeviceptr, bytes: usize, offset: usize, memory: CUmemGenericAllocationHandle, flags: c_ulonglong) { 0 }
    cuMemUnmap(at: CUdeviceptr, bytes: usize) { 0 }
    cuMemSetAccess(at: CUdeviceptr, bytes: usize, desc: *const CUmemAccessDesc, count: usize) { 0 }

    cuMemPoolCreate(pool: *mut CUmemoryPool, props: *const CUmemPoolProps) { put(pool, handle()) }
    cuMemPoolDestroy(pool: CUmemoryPool) { 0 }
    cuMemPoolSetAttribute(pool: CUmemoryPool, attribute: CUmemPool_attribute, value: *mut c_void) { 0 }
    cuMemPoolGetAttribute(pool: CUmemoryPool, attribute: CUmemPool_attribute, value: *mut c_void) {
        put(value.cast::<u64>(), 0)
    }
    cuMemPoolSetAccess(pool: CUmemoryPool, desc: *const CUmemAccessDesc, count: usize) { 0 }
    cuMemPoolTrimTo(pool: CUmemoryPool, keep: usize) { 0 }
    cuMemAllocFromPoolAsync(at: *mut CUdeviceptr, bytes: usize, pool: CUmemoryPool, stream: CUstream) {
        put_room(at, bytes, 256, address)
    }
    cuMemFreeAsync(at: CUdeviceptr, stream: CUstream) { 0 }
    cuMemHostAlloc(at: *mut *mut c_void, bytes: usize, flags: c_uint) {
        put_room(at, bytes, UNIT, |at| at.cast())
    }
    cuMemFreeHost(at: *mut c_void) { 0 }
    cuMemcpyAsync(to: CUdeviceptr, from: CUdeviceptr, bytes: usize, stream: CUstream) { 0 }
    cuMemsetD8Async(to: CUdeviceptr, value: c_uchar, bytes: usize, stream: CUstream) { 0 }

    cuModuleLoadData(module: *mut CUmodule, image: *const c_void) { put(module, handle()) }
    cuModuleUnload(module: CUmodule) { 0 }
    cuModuleGetFunction(function: *mut CUfunction, module: CUmodule, name: *const c_char) {
        put(function, handle())
    }
    cuFuncGetAttribute(value: *mut c_int, attribute: CUfunction_attribute, function: CUfunction) {
        put(value, 1024)
    }
    cuLaunchKernel(
        function: CUfunction,
        grid_x: c_uint,
        grid_y: c_uint,
        grid_z: c_uint,
        block_x: c_uint,
        block_y: c_uint,
        block_z: c_uint,
        shared: c_uint,
        stream: CUstream,
        params: *mut *mut c_void,
        extra: *mut *mut c_void,
    ) { 0 }
    cuLaunchHostFunc(stream: CUstream, function: CUhostFn, data: *mut c_void) { 0 }

    cuGraphCreate(graph: *mut CUgraph, flags: c_uint) { put(graph, handle()) }
    cuGraphDestroy(graph: CUgraph) { 0 }
    cuGraphAddKernelNode_v2(node: *mut CUgraphNode, graph: CUgraph, after: *const CUgraphNode, count: usize, params: *const CUDA_KERNEL_NODE_PARAMS) {
        put(node, handle())
    }
    cuGraphAddMemcpyNode(node: *mut CUgraphNode, graph: CUgraph, after: *const CUgraphNode, count: usize, params: *const CUDA_MEMCPY3D, context: CUcontext) {
        put(node, handle())
    }
    cuGraphAddMemsetNode(node: *mut CUgraphNode, graph: CUgraph, after: *const CUgraphNode, count: usize, params: *const CUDA_MEMSET_NODE_PARAMS, context: CUcontext) {
        put(node, handle())
    }
    cuGraphAddHostNode(node: *mut CUgraphNode, graph: CUgraph, after: *const CUgraphNode, count: usize, params: *const CUDA_HOST_NODE_PARAMS) {
        put(node, handle())
    }
    cuGraphAddEventRecordNode(node: *mut CUgraphNode, graph: CUgraph, after: *const CUgraphNode, count: usize, event: CUevent) {
        put(node, handle())
    }
    cuGraphInstantiateWithFlags(exec: *mut CUgraphExec, graph: CUgraph, flags: c_ulonglong) {
        put(exec, handle())
    }
    cuGraphLaunch(exec: CUgraphExec, stream: CUstream) { 0 }
    cuGraphExecDestroy(exec: CUgraphExec) { 0 }
}
