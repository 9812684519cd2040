//! The functions of the CUDA driver library that are called, and no others: each is looked up once,
//! when the first device is asked for.
//!
//! Types are cudarc's. Its functions are not used: they panic where the library lacks a symbol, and
//! they answer a Rust enum, for which a status that only a newer driver knows is no value.
//!
//! `cuEventElapsedTime` is the first version, which every driver has; that of newer headers came with
//! CUDA 12.8.
//!
//! What is not here is not called: no capture, no allocation node, nothing that the legacy stream
//! takes part in, nothing that waits for a whole device or frees memory behind its back.

#![allow(non_snake_case, clippy::too_many_arguments)]

use std::ffi::{c_char, c_int, c_uchar, c_uint, c_ulonglong, c_void};

use cudarc::driver::sys::{
    self, CUDA_HOST_NODE_PARAMS, CUDA_KERNEL_NODE_PARAMS, CUDA_MEMCPY3D, CUDA_MEMSET_NODE_PARAMS,
    CUcontext, CUdevice, CUdevice_attribute, CUdeviceptr, CUevent, CUfunction,
    CUfunction_attribute, CUgraph, CUgraphExec, CUgraphNode, CUhostFn, CUmemAccessDesc,
    CUmemAllocationGranularity_flags, CUmemAllocationProp, CUmemGenericAllocationHandle,
    CUmemPool_attribute, CUmemPoolProps, CUmemoryPool, CUmodule, CUstream,
};

macro_rules! symbols {
    ($($name:ident($($arg:ident: $type:ty),*);)*) => {
        /// The symbols that the library has to have, by the names that it exports.
        pub const SYMBOLS: &[&str] = &[$(stringify!($name)),*];

        /// The functions, found.
        pub(super) struct Api {
            $($name: unsafe extern "C" fn($($type),*) -> u32,)*
        }

        impl Api {
            /// Finds every function in the library, which is there.
            ///
            /// # Errors
            /// With the first symbol that is not.
            ///
            /// # Panics
            /// Where there is no library: see [`sys::is_culib_present`].
            pub(super) fn find() -> Result<Self, &'static str> {
                // SAFETY: to load the library runs its initialisers, which NVIDIA answers for.
                let library = unsafe { sys::culib() };
                Ok(Self {
                    $($name: {
                        // SAFETY: the driver API declares the function of that name with these
                        // types, and a status that is a 32-bit number.
                        let found = unsafe { library.get(concat!(stringify!($name), "\0").as_bytes()) };
                        *found.map_err(|_| stringify!($name))?
                    },)*
                })
            }

            $(
                /// # Safety
                /// As the driver API says of the function of that name.
                #[inline]
                pub(super) unsafe fn $name(&self, $($arg: $type),*) -> u32 {
                    // SAFETY: the caller's.
                    unsafe { (self.$name)($($arg),*) }
                }
            )*
        }
    };
}

symbols! {
    cuInit(flags: c_uint);
    cuDriverGetVersion(version: *mut c_int);
    cuDeviceGetCount(count: *mut c_int);
    cuDeviceGet(device: *mut CUdevice, ordinal: c_int);
    cuDeviceGetName(name: *mut c_char, len: c_int, device: CUdevice);
    cuDeviceGetAttribute(value: *mut c_int, attribute: CUdevice_attribute, device: CUdevice);
    cuDeviceCanAccessPeer(can: *mut c_int, device: CUdevice, peer: CUdevice);
    cuDevicePrimaryCtxRetain(context: *mut CUcontext, device: CUdevice);
    cuDevicePrimaryCtxRelease_v2(device: CUdevice);
    cuCtxSetCurrent(context: CUcontext);

    cuStreamCreate(stream: *mut CUstream, flags: c_uint);
    cuStreamDestroy_v2(stream: CUstream);
    cuStreamQuery(stream: CUstream);
    cuStreamSynchronize(stream: CUstream);
    cuStreamWaitEvent(stream: CUstream, event: CUevent, flags: c_uint);
    cuEventCreate(event: *mut CUevent, flags: c_uint);
    cuEventDestroy_v2(event: CUevent);
    cuEventRecord(event: CUevent, stream: CUstream);
    cuEventQuery(event: CUevent);
    cuEventSynchronize(event: CUevent);
    cuEventElapsedTime(milliseconds: *mut f32, from: CUevent, to: CUevent);

    cuMemGetAllocationGranularity(bytes: *mut usize, prop: *const CUmemAllocationProp, option: CUmemAllocationGranularity_flags);
    cuMemAddressReserve(at: *mut CUdeviceptr, bytes: usize, align: usize, wanted: CUdeviceptr, flags: c_ulonglong);
    cuMemAddressFree(at: CUdeviceptr, bytes: usize);
    cuMemCreate(handle: *mut CUmemGenericAllocationHandle, bytes: usize, prop: *const CUmemAllocationProp, flags: c_ulonglong);
    cuMemRelease(handle: CUmemGenericAllocationHandle);
    cuMemMap(at: CUdeviceptr, bytes: usize, offset: usize, handle: CUmemGenericAllocationHandle, flags: c_ulonglong);
    cuMemUnmap(at: CUdeviceptr, bytes: usize);
    cuMemSetAccess(at: CUdeviceptr, bytes: usize, desc: *const CUmemAccessDesc, count: usize);

    cuMemPoolCreate(pool: *mut CUmemoryPool, props: *const CUmemPoolProps);
    cuMemPoolDestroy(pool: CUmemoryPool);
    cuMemPoolSetAttribute(pool: CUmemoryPool, attribute: CUmemPool_attribute, value: *mut c_void);
    cuMemPoolGetAttribute(pool: CUmemoryPool, attribute: CUmemPool_attribute, value: *mut c_void);
    cuMemPoolSetAccess(pool: CUmemoryPool, desc: *const CUmemAccessDesc, count: usize);
    cuMemPoolTrimTo(pool: CUmemoryPool, keep: usize);
    cuMemAllocFromPoolAsync(at: *mut CUdeviceptr, bytes: usize, pool: CUmemoryPool, stream: CUstream);
    cuMemFreeAsync(at: CUdeviceptr, stream: CUstream);
    cuMemHostAlloc(at: *mut *mut c_void, bytes: usize, flags: c_uint);
    cuMemFreeHost(at: *mut c_void);
    cuMemcpyAsync(to: CUdeviceptr, from: CUdeviceptr, bytes: usize, stream: CUstream);
    cuMemsetD8Async(to: CUdeviceptr, value: c_uchar, bytes: usize, stream: CUstream);

    cuModuleLoadData(module: *mut CUmodule, image: *const c_void);
    cuModuleUnload(module: CUmodule);
    cuModuleGetFunction(function: *mut CUfunction, module: CUmodule, name: *const c_char);
    cuFuncGetAttribute(value: *mut c_int, attribute: CUfunction_attribute, function: CUfunction);
    cuLaunchKernel(function: CUfunction, grid_x: c_uint, grid_y: c_uint, grid_z: c_uint, block_x: c_uint, block_y: c_uint, block_z: c_uint, shared: c_uint, stream: CUstream, params: *mut *mut c_void, extra: *mut *mut c_void);
    cuLaunchHostFunc(stream: CUstream, function: CUhostFn, data: *mut c_void);

    cuGraphCreate(graph: *mut CUgraph, flags: c_uint);
    cuGraphDestroy(graph: CUgraph);
    cuGraphAddKernelNode_v2(node: *mut CUgraphNode, graph: CUgraph, after: *const CUgraphNode, count: usize, params: *const CUDA_KERNEL_NODE_PARAMS);
    cuGraphAddMemcpyNode(node: *mut CUgraphNode, graph: CUgraph, after: *const CUgraphNode, count: usize, params: *const CUDA_MEMCPY3D, context: CUcontext);
    cuGraphAddMemsetNode(node: *mut CUgraphNode, graph: CUgraph, after: *const CUgraphNode, count: usize, params: *const CUDA_MEMSET_NODE_PARAMS, context: CUcontext);
    cuGraphAddHostNode(node: *mut CUgraphNode, graph: CUgraph, after: *const CUgraphNode, count: usize, params: *const CUDA_HOST_NODE_PARAMS);
    cuGraphAddEventRecordNode(node: *mut CUgraphNode, graph: CUgraph, after: *const CUgraphNode, count: usize, event: CUevent);
    cuGraphInstantiateWithFlags(exec: *mut CUgraphExec, graph: CUgraph, flags: c_ulonglong);
    cuGraphLaunch(exec: CUgraphExec, stream: CUstream);
    cuGraphExecDestroy(exec: CUgraphExec);
}

impl std::fmt::Debug for Api {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Api").finish_non_exhaustive()
    }
}
