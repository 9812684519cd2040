//! The library itself, devices, and contexts.

use std::ffi::{c_char, c_int, c_uint};

use cudarc::driver::sys::{CUcontext, CUdevice, CUdevice_attribute, CUresult, CUuuid};

use crate::call::{calls, initialize};
use crate::module::intern;
use crate::queue::drain_context;
use crate::status::{Answer, INVALID_CONTEXT, INVALID_VALUE};
use crate::world::{World, handle, peek_current, pop_current, push_current, put, set_current};

/// The version of CUDA whose behaviour is encoded.
const VERSION: c_int = 13000;

fn known(ordinal: CUdevice) -> Answer<usize> {
    World::ask(|world| world.device(ordinal))
}

/// Whether a context can be made current: null, or one that is there.
fn present(context: CUcontext) -> Answer {
    let there = World::with(|world| world.contexts.contains_key(&context.addr()));
    (context.is_null() || there)
        .then_some(())
        .ok_or(INVALID_CONTEXT)
}

calls! {
    /// Has to come before all that is not about the library itself.
    fn cuInit(flags: c_uint) {
        if flags != 0 {
            return Err(INVALID_VALUE);
        }
        initialize();
        Ok(())
    }

    /// The version of CUDA whose behaviour is encoded.
    fn cuDriverGetVersion(version: *mut c_int) {
        put(version, VERSION)
    }

    /// The name of a status.
    fn cuGetErrorName(error: CUresult, text: *mut *const c_char) {
        put(text, intern(&format!("{error:?}\0")).as_ptr().cast())
    }

    /// As [`cuGetErrorName`].
    fn cuGetErrorString(error: CUresult, text: *mut *const c_char) {
        put(text, intern(&format!("{error:?}\0")).as_ptr().cast())
    }

    /// How many devices there are.
    fn cuDeviceGetCount(count: *mut c_int) {
        put(count, World::with(|world| world.devices.len()) as c_int)
    }

    /// A device is its number.
    fn cuDeviceGet(device: *mut CUdevice, ordinal: c_int) {
        known(ordinal)?;
        put(device, ordinal)
    }

    /// Its name, cut to what fits.
    fn cuDeviceGetName(name: *mut c_char, len: c_int, device: CUdevice) {
        let text = format!("Simulated GPU {}", known(device)?);
        let room = usize::try_from(len).map_err(|_| INVALID_VALUE)?;
        let last = room.checked_sub(1).ok_or(INVALID_VALUE)?;
        let fits = text.len().min(last);
        if name.is_null() {
            return Err(INVALID_VALUE);
        }
        std::ptr::copy_nonoverlapping(text.as_ptr(), name.cast::<u8>(), fits);
        put(name.add(fits), 0)
    }

    /// Sixteen bytes that no other device has.
    fn cuDeviceGetUuid_v2(uuid: *mut CUuuid, device: CUdevice) {
        let device = known(device)?;
        let mut bytes = [0x51; 16];
        bytes[15] = device as c_char;
        put(uuid, CUuuid { bytes })
    }

    /// What it has room for.
    fn cuDeviceTotalMem_v2(bytes: *mut usize, device: CUdevice) {
        known(device)?;
        put(bytes, World::with(|world| world.memory.capacity) as usize)
    }

    /// What a device of compute capability 9.0 says; 0 of what nobody has asked for yet.
    fn cuDeviceGetAttribute(value: *mut c_int, attribute: CUdevice_attribute, device: CUdevice) {
        use CUdevice_attribute as A;
        known(device)?;
        put(value, match attribute {
            A::CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK => 1024,
            A::CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_X | A::CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Y => 1024,
            A::CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Z => 64,
            A::CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X => c_int::MAX,
            A::CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Y | A::CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Z => 65535,
            A::CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK => 48 << 10,
            A::CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN => 227 << 10,
            A::CU_DEVICE_ATTRIBUTE_WARP_SIZE => 32,
            A::CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT => 132,
            A::CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR => 9,
            A::CU_DEVICE_ATTRIBUTE_UNIFIED_ADDRESSING
            | A::CU_DEVICE_ATTRIBUTE_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED
            | A::CU_DEVICE_ATTRIBUTE_MEMORY_POOLS_SUPPORTED
            | A::CU_DEVICE_ATTRIBUTE_CAN_MAP_HOST_MEMORY
            | A::CU_DEVICE_ATTRIBUTE_CONCURRENT_KERNELS => 1,
            _ => 0,
        })
    }

    /// All devices reach each other.
    fn cuDeviceCanAccessPeer(can: *mut c_int, device: CUdevice, peer: CUdevice) {
        let (device, peer) = (known(device)?, known(peer)?);
        put(can, c_int::from(device != peer))
    }

    /// The one context of a device that all share, made where it is not there.
    fn cuDevicePrimaryCtxRetain(context: *mut CUcontext, device: CUdevice) {
        let device = known(device)?;
        put(context, handle(World::with(|world| world.retain(device))))
    }

    /// With the last count all that the context holds goes.
    fn cuDevicePrimaryCtxRelease_v2(device: CUdevice) {
        let device = known(device)?;
        World::ask(|world| world.release(device))
    }

    /// Whether anybody retains it.
    fn cuDevicePrimaryCtxGetState(device: CUdevice, flags: *mut c_uint, active: *mut c_int) {
        let device = known(device)?;
        let is = World::with(|world| world.contexts.values().any(|c| c.device == device));
        put(flags, 0)?;
        put(active, c_int::from(is))
    }

    /// Of this thread alone.
    fn cuCtxSetCurrent(context: CUcontext) {
        present(context)?;
        set_current(context.addr());
        Ok(())
    }

    /// Null where none is.
    fn cuCtxGetCurrent(context: *mut CUcontext) {
        put(context, handle(peek_current()))
    }

    /// The one before is current again after a pop.
    fn cuCtxPushCurrent_v2(context: CUcontext) {
        if context.is_null() {
            return Err(INVALID_VALUE);
        }
        present(context)?;
        push_current(context.addr());
        Ok(())
    }

    /// Answers what was current.
    fn cuCtxPopCurrent_v2(context: *mut CUcontext) {
        let popped = pop_current().filter(|&c| c != 0).ok_or(INVALID_CONTEXT)?;
        if !context.is_null() {
            put(context, handle(popped))?;
        }
        Ok(())
    }

    /// The device of the current context.
    fn cuCtxGetDevice(device: *mut CUdevice) {
        let of = World::ask(|world| Ok(world.current()?.1.device))?;
        put(device, of as CUdevice)
    }

    /// Waits for all streams of the current context.
    fn cuCtxSynchronize() {
        let context = World::ask(|world| Ok(world.current()?.0))?;
        drain_context(context)
    }
}
