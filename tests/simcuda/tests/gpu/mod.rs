//! The driver as a test calls it: through cudarc's own bindings, as any program would.

#![allow(dead_code, reason = "each test uses what it needs")]

use std::ffi::{CString, c_void};
use std::ptr::null_mut;

use cudarc::driver::sys::*;
use simcuda::abi::Effect;
use simcuda::client::{Kernel, Param, Shim};

/// Calls a function of the driver, which succeeds.
macro_rules! ok {
    ($name:ident($($arg:expr),* $(,)?)) => {{
        #[allow(unused_unsafe)]
        // SAFETY: the shim checks what it is given; pointers are to locals that live.
        let status = unsafe { cudarc::driver::sys::$name($($arg),*) };
        assert_eq!(status, cudarc::driver::sys::CUresult::CUDA_SUCCESS, stringify!($name));
    }};
}
pub(crate) use ok;

/// Calls a function of the driver, and answers what it does.
#[allow(unused_macros, reason = "as above")]
macro_rules! status {
    ($name:ident($($arg:expr),* $(,)?)) => {{
        #[allow(unused_unsafe)]
        // SAFETY: as above.
        let status = unsafe { cudarc::driver::sys::$name($($arg),*) };
        status
    }};
}
#[allow(unused_imports, reason = "as above")]
pub(crate) use status;

/// A device with its context retained and current on this thread.
#[derive(Clone, Copy, Debug)]
pub struct Gpu {
    pub device: CUdevice,
    pub context: CUcontext,
}

impl Gpu {
    pub fn new(device: CUdevice) -> Self {
        let mut context = null_mut();
        ok!(cuInit(0));
        ok!(cuDevicePrimaryCtxRetain(&mut context, device));
        ok!(cuCtxSetCurrent(context));
        Self { device, context }
    }

    pub fn enter(self) {
        ok!(cuCtxSetCurrent(self.context));
    }

    pub fn stream(self) -> CUstream {
        let mut stream = null_mut();
        self.enter();
        ok!(cuStreamCreate(&mut stream, 1));
        stream
    }

    pub fn event(self) -> CUevent {
        let mut event = null_mut();
        self.enter();
        ok!(cuEventCreate(&mut event, 2));
        event
    }

    /// `to` goes on behind what `from` has.
    pub fn join(self, from: CUstream, to: CUstream) {
        let event = self.event();
        ok!(cuEventRecord(event, from));
        ok!(cuStreamWaitEvent(to, event, 0));
        ok!(cuEventDestroy_v2(event));
    }

    pub fn pinned(self, bytes: usize) -> *mut c_void {
        let mut at = null_mut();
        self.enter();
        ok!(cuMemHostAlloc(&mut at, bytes, 0));
        at
    }

    pub fn location(self) -> CUmemLocation {
        CUmemLocation {
            type_: CUmemLocationType::CU_MEM_LOCATION_TYPE_DEVICE,
            id: self.device,
        }
    }

    pub fn prop(self) -> CUmemAllocationProp {
        // SAFETY: numbers and pointers, all of which may be zero.
        let mut prop: CUmemAllocationProp = unsafe { std::mem::zeroed() };
        prop.type_ = CUmemAllocationType::CU_MEM_ALLOCATION_TYPE_PINNED;
        prop.location = self.location();
        prop
    }

    pub fn unit(self) -> usize {
        let mut unit = 0;
        let flag = CUmemAllocationGranularity_flags::CU_MEM_ALLOC_GRANULARITY_MINIMUM;
        ok!(cuMemGetAllocationGranularity(&mut unit, &self.prop(), flag));
        unit
    }

    /// A mapped range, which this device may touch.
    pub fn arena(self, bytes: usize) -> Arena {
        let bytes = bytes.next_multiple_of(self.unit());
        let (mut at, mut memory) = (0, 0);
        ok!(cuMemAddressReserve(&mut at, bytes, 0, 0, 0));
        ok!(cuMemCreate(&mut memory, bytes, &self.prop(), 0));
        ok!(cuMemMap(at, bytes, 0, memory, 0));
        let arena = Arena { at, memory, bytes };
        arena.admit(self);
        arena
    }

    pub fn pool(self) -> CUmemoryPool {
        // SAFETY: as above.
        let mut props: CUmemPoolProps = unsafe { std::mem::zeroed() };
        props.allocType = CUmemAllocationType::CU_MEM_ALLOCATION_TYPE_PINNED;
        props.location = self.location();
        let mut pool = null_mut();
        ok!(cuMemPoolCreate(&mut pool, &props));
        let mut keep = u64::MAX;
        let attribute = CUmemPool_attribute::CU_MEMPOOL_ATTR_RELEASE_THRESHOLD;
        ok!(cuMemPoolSetAttribute(
            pool,
            attribute,
            (&raw mut keep).cast()
        ));
        pool
    }

    pub fn module(self) -> CUmodule {
        let mut module = null_mut();
        let image = CString::new(TEXT).expect("a text");
        self.enter();
        ok!(cuModuleLoadData(&mut module, image.as_ptr().cast()));
        module
    }
}

#[derive(Clone, Copy, Debug)]
pub struct Arena {
    pub at: CUdeviceptr,
    pub memory: CUmemGenericAllocationHandle,
    pub bytes: usize,
}

impl Arena {
    pub fn admit(&self, gpu: Gpu) {
        let desc = CUmemAccessDesc {
            location: gpu.location(),
            flags: CUmemAccess_flags::CU_MEM_ACCESS_FLAGS_PROT_READWRITE,
        };
        ok!(cuMemSetAccess(self.at, self.bytes, &desc, 1));
    }

    pub fn free(self) {
        ok!(cuMemUnmap(self.at, self.bytes));
        ok!(cuMemRelease(self.memory));
        ok!(cuMemAddressFree(self.at, self.bytes));
    }
}

pub fn allocate(pool: CUmemoryPool, bytes: usize, stream: CUstream) -> CUdeviceptr {
    let mut at = 0;
    ok!(cuMemAllocFromPoolAsync(&mut at, bytes, pool, stream));
    at
}

pub fn function(module: CUmodule, name: &str) -> CUfunction {
    let mut function = null_mut();
    let name = CString::new(name).expect("a name");
    ok!(cuModuleGetFunction(&mut function, module, name.as_ptr()));
    function
}

/// What the module's text says, of which the shim reads the names alone.
pub const TEXT: &str = "
extern \"C\" __global__ void scale(const float* x, float a, float* y, unsigned long long n);
extern \"C\" __global__ void add(const float* x, const float* y, float* z, unsigned long long n);
";

/// `y[i] = a * x[i]` and `z[i] = x[i] + y[i]`.
pub fn register(shim: &Shim) {
    let covers = |args: &simcuda::client::Args<'_>, n: u64| args.covers([n, 1, 1]);
    let params = [
        Param::Pointer,
        Param::Value(4),
        Param::Pointer,
        Param::Value(8),
    ];
    let scale = Kernel::new(
        "scale",
        &params,
        move |args| {
            let n = args.bits[3];
            let all = vec![Effect::read(0, 4 * n), Effect::overwrite(2, 4 * n)];
            covers(args, n).then_some(all)
        },
        |args| {
            let n = args.bits[3] as usize;
            let a = f32::from_bits(args.bits[1] as u32);
            // SAFETY: these are the two effects above.
            let (x, y) = unsafe { (args.slice::<f32>(0, n), args.slice::<f32>(2, n)) };
            for (y, x) in y.iter_mut().zip(x) {
                *y = a * *x;
            }
        },
    );
    let params = [
        Param::Pointer,
        Param::Pointer,
        Param::Pointer,
        Param::Value(8),
    ];
    let add = Kernel::new(
        "add",
        &params,
        move |args| {
            let n = args.bits[3];
            let reads = vec![Effect::read(0, 4 * n), Effect::read(1, 4 * n)];
            let all = [reads, vec![Effect::overwrite(2, 4 * n)]].concat();
            covers(args, n).then_some(all)
        },
        |args| {
            let n = args.bits[3] as usize;
            // SAFETY: these are the effects above; the two that are read may be one.
            let (x, z) = unsafe { (args.slice::<f32>(0, n).to_vec(), args.slice::<f32>(2, n)) };
            // SAFETY: as above.
            let y = unsafe { args.slice::<f32>(1, n) };
            for (z, (x, y)) in z.iter_mut().zip(x.iter().zip(y.iter())) {
                *z = x + y;
            }
        },
    );
    shim.register(scale);
    shim.register(add);
}

/// The arguments of a launch of either kernel, and pointers to them.
#[derive(Debug)]
pub struct Packed {
    values: Vec<u64>,
    pointers: Vec<*mut c_void>,
}

impl Packed {
    pub fn new(values: &[u64]) -> Self {
        let mut values = values.to_vec();
        let pointers = values.iter_mut().map(|v| (&raw mut *v).cast()).collect();
        Self { values, pointers }
    }

    pub fn scale(x: CUdeviceptr, a: f32, y: CUdeviceptr, n: u64) -> Self {
        Self::new(&[x, u64::from(a.to_bits()), y, n])
    }

    pub fn params(&mut self) -> *mut *mut c_void {
        self.pointers.as_mut_ptr()
    }
}

pub fn launch(function: CUfunction, stream: CUstream, mut args: Packed) {
    let n = args.values[3] as u32;
    let (blocks, params) = (n.div_ceil(32), args.params());
    ok!(cuLaunchKernel(
        function,
        blocks,
        1,
        1,
        32,
        1,
        1,
        0,
        stream,
        params,
        null_mut()
    ));
}

pub fn kernel_node(
    graph: CUgraph,
    after: &[CUgraphNode],
    function: CUfunction,
    mut args: Packed,
) -> CUgraphNode {
    // SAFETY: numbers and pointers, all of which may be zero.
    let mut params: CUDA_KERNEL_NODE_PARAMS = unsafe { std::mem::zeroed() };
    params.func = function;
    params.gridDimX = (args.values[3] as u32).div_ceil(32);
    params.gridDimY = 1;
    params.gridDimZ = 1;
    params.blockDimX = 32;
    params.blockDimY = 1;
    params.blockDimZ = 1;
    params.kernelParams = args.params();
    let mut node = null_mut();
    ok!(cuGraphAddKernelNode_v2(
        &mut node,
        graph,
        after.as_ptr(),
        after.len(),
        &params
    ));
    node
}

/// Where one side of a copy node is.
#[derive(Clone, Copy, Debug)]
pub enum Side {
    Host(*mut c_void),
    Device(CUdeviceptr),
}

pub fn copy_params(to: Side, from: Side, bytes: usize) -> CUDA_MEMCPY3D {
    // SAFETY: numbers and pointers; the kinds of memory are set below, before it is read as one.
    let mut params = unsafe {
        let mut raw = std::mem::MaybeUninit::<CUDA_MEMCPY3D>::zeroed();
        let at = raw.as_mut_ptr();
        (&raw mut (*at).srcMemoryType).write(CUmemorytype::CU_MEMORYTYPE_DEVICE);
        (&raw mut (*at).dstMemoryType).write(CUmemorytype::CU_MEMORYTYPE_DEVICE);
        raw.assume_init()
    };
    params.WidthInBytes = bytes;
    params.Height = 1;
    params.Depth = 1;
    match from {
        Side::Host(at) => {
            params.srcMemoryType = CUmemorytype::CU_MEMORYTYPE_HOST;
            params.srcHost = at;
        }
        Side::Device(at) => params.srcDevice = at,
    }
    match to {
        Side::Host(at) => {
            params.dstMemoryType = CUmemorytype::CU_MEMORYTYPE_HOST;
            params.dstHost = at;
        }
        Side::Device(at) => params.dstDevice = at,
    }
    params
}

pub fn copy_node(
    gpu: Gpu,
    graph: CUgraph,
    after: &[CUgraphNode],
    params: &CUDA_MEMCPY3D,
) -> CUgraphNode {
    let mut node = null_mut();
    ok!(cuGraphAddMemcpyNode(
        &mut node,
        graph,
        after.as_ptr(),
        after.len(),
        params,
        gpu.context
    ));
    node
}

/// How many seeds a test tries: as many as it says, or as `GPU_GRAPH_CASES` does.
pub fn seeds(usual: u64) -> u64 {
    let told = std::env::var("GPU_GRAPH_CASES").ok();
    told.and_then(|n| n.parse().ok()).unwrap_or(usual)
}
