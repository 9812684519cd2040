//! Work on streams: kernels, copies, fills, functions of the host.

use std::ffi::{c_uchar, c_uint, c_ushort, c_void};

use cudarc::driver::sys::{CUcontext, CUdeviceptr, CUfunction, CUhostFn, CUstream};

use crate::act::{Geometry, Registered};
use crate::call::{calls, fault, note, number};
use crate::queue::drain;
use crate::status::{Answer, INVALID_CONTEXT, INVALID_HANDLE, INVALID_VALUE};
use crate::task::Spec;
use crate::world::{Opaque, World};
use simcuda::abi::POINTER;

impl Geometry {
    /// What a device of compute capability 9.0 takes.
    pub(crate) fn check(self) -> Answer {
        let [x, y, z] = self.block;
        let threads = u64::from(x) * u64::from(y) * u64::from(z);
        let blocks =
            self.grid[0] <= i32::MAX as u32 && self.grid[1] <= 65535 && self.grid[2] <= 65535;
        let some = self.grid.iter().chain(&self.block).all(|&n| n > 0);
        let fits = some && blocks && x <= 1024 && y <= 1024 && z <= 64 && threads <= 1024;
        (fits && self.shared <= 48 << 10)
            .then_some(())
            .ok_or(INVALID_VALUE)
    }
}

/// The arguments of a launch, each zero-extended: from a pointer to each, or from one block in which
/// each lies at the next multiple of its size.
///
/// # Safety
/// They are there, as the driver API says of a launch.
pub(crate) unsafe fn arguments(
    kernel: &Registered,
    params: *mut *mut c_void,
    extra: *mut *mut c_void,
) -> Answer<Vec<u64>> {
    let sizes = || kernel.sizes.iter().map(|s| (s & !POINTER) as usize);
    let read = |from: *const u8, size: usize| {
        let mut bytes = [0; 8];
        // SAFETY: the caller has an argument of that size there.
        unsafe { from.copy_to_nonoverlapping(bytes.as_mut_ptr(), size) };
        u64::from_le_bytes(bytes)
    };
    if extra.is_null() {
        if params.is_null() {
            return kernel.sizes.is_empty().then(Vec::new).ok_or(INVALID_VALUE);
        }
        // SAFETY: the caller has as many pointers there as the kernel has parameters.
        let each = |(i, size)| read(unsafe { *params.add(i) }.cast(), size);
        return Ok(sizes().enumerate().map(each).collect());
    }
    if !params.is_null() {
        return Err(INVALID_VALUE);
    }
    let (mut block, mut len, mut at) = (std::ptr::null::<u8>(), 0, 0);
    loop {
        // SAFETY: the list ends with a null, and a word for what follows is before each entry.
        let (key, value) = unsafe { ((*extra.add(at)).addr(), extra.add(at + 1)) };
        match key {
            0 => break,
            // SAFETY: as above.
            1 => block = unsafe { *value }.cast(),
            // SAFETY: as above; the entry points to the size.
            2 => len = unsafe { *(*value).cast::<usize>() },
            _ => return Err(INVALID_VALUE),
        }
        at += 2;
    }
    let (mut offset, mut all) = (0usize, Vec::new());
    for size in sizes() {
        offset = offset.next_multiple_of(size);
        if block.is_null() || offset + size > len {
            return Err(INVALID_VALUE);
        }
        all.push(read(block.wrapping_add(offset), size));
        offset += size;
    }
    Ok(all)
}

/// Issues to a stream.
fn issue(stream: CUstream, spec: impl FnOnce(&World, usize) -> Answer<Spec>) -> Answer {
    let number = number();
    World::ask(|world| {
        let queue = world.queue(stream)?;
        let spec = spec(world, queue.context)?;
        let task = world.task(&spec, queue.context, number)?;
        if let Some(copy) = &task.copy {
            copy.issue();
        }
        world.issue(&queue, |driver, id| driver.issue_raw(id, task.raw))
    })
}

/// Copies on a stream, through the mappings of its own device.
fn copy(name: &'static str, to: u64, from: u64, bytes: usize, stream: CUstream) -> Answer {
    if bytes == 0 {
        return Ok(());
    }
    issue(stream, |world, context| {
        let device = world.context(context)?.device;
        let via = (device, device);
        let current = world.current().is_ok_and(|(current, _)| current == context);
        if !current && (world.is_pooled(to) || world.is_pooled(from)) {
            fault(
                "context",
                &format!("`{name}` of pool memory, and its stream's context is not current"),
            );
        }
        Ok(Spec::Copy {
            name,
            to,
            from,
            bytes,
            via,
        })
    })?;
    // What ends in memory that is not pinned has ended when the call returns.
    let pageable = World::with(|world| world.is_pageable(to));
    if pageable { drain(stream) } else { Ok(()) }
}

fn set(
    name: &'static str,
    to: u64,
    (value, size): (u32, usize),
    count: usize,
    stream: CUstream,
) -> Answer {
    if count == 0 {
        return Ok(());
    }
    if !to.is_multiple_of(size as u64) {
        return Err(INVALID_VALUE);
    }
    issue(stream, |_, _| {
        Ok(Spec::Set {
            name,
            to,
            value,
            size,
            count,
        })
    })
}

/// A copy on the legacy stream that its caller waits for; from memory that is not pinned only until
/// it has been read: what is left is under way when the call returns.
fn wait_copy(name: &'static str, to: u64, from: u64, bytes: usize) -> Answer {
    let pageable = World::with(|world| world.is_pageable(from));
    if !pageable || bytes == 0 {
        copy(name, to, from, bytes, std::ptr::null_mut())?;
        return drain(std::ptr::null_mut());
    }
    let at = std::ptr::with_exposed_provenance::<u8>(from as usize);
    // SAFETY: the caller of the copy has that many bytes there.
    let staged = unsafe { std::slice::from_raw_parts(at, bytes) }.to_vec();
    // Kept: when the device has read it is not known here.
    let staged = Vec::leak(staged).as_ptr().expose_provenance() as u64;
    copy(name, to, staged, bytes, std::ptr::null_mut())
}

calls! {
    /// Function and stream are of one context, and it is the current one.
    fn cuLaunchKernel(
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
    ) {
        let geometry = Geometry {
            grid: [grid_x, grid_y, grid_z],
            block: [block_x, block_y, block_z],
            shared,
        };
        issue(stream, |world, context| {
            let current = world.current()?.0;
            let function = world.modules.functions.get(function)?;
            note(function.name);
            if function.context != context || current != context {
                return Err(INVALID_HANDLE);
            }
            geometry.check()?;
            Ok(Spec::Kernel {
                kernel: function.kernel.clone(),
                name: function.name,
                geometry,
                args: arguments(&function.kernel, params, extra)?,
                code: function.code,
            })
        })
    }

    /// Must not call the driver.
    fn cuLaunchHostFunc(stream: CUstream, function: CUhostFn, data: *mut c_void) {
        let function = function.ok_or(INVALID_VALUE)?;
        let name = "cuLaunchHostFunc";
        let data = Opaque(data);
        issue(stream, |_, _| Ok(Spec::Callback { name, function, data }))
    }

    /// Which way, the addresses say.
    fn cuMemcpyAsync(to: CUdeviceptr, from: CUdeviceptr, bytes: usize, stream: CUstream) {
        copy("cuMemcpyAsync", to, from, bytes, stream)
    }

    /// From the host.
    fn cuMemcpyHtoDAsync_v2(to: CUdeviceptr, from: *const c_void, bytes: usize, stream: CUstream) {
        copy("cuMemcpyHtoDAsync_v2", to, from.expose_provenance() as u64, bytes, stream)
    }

    /// To the host.
    fn cuMemcpyDtoHAsync_v2(to: *mut c_void, from: CUdeviceptr, bytes: usize, stream: CUstream) {
        copy("cuMemcpyDtoHAsync_v2", to.expose_provenance() as u64, from, bytes, stream)
    }

    /// On the device.
    fn cuMemcpyDtoDAsync_v2(to: CUdeviceptr, from: CUdeviceptr, bytes: usize, stream: CUstream) {
        copy("cuMemcpyDtoDAsync_v2", to, from, bytes, stream)
    }

    /// Each side through the mappings of its own context's device.
    fn cuMemcpyPeerAsync(
        to: CUdeviceptr,
        to_context: CUcontext,
        from: CUdeviceptr,
        from_context: CUcontext,
        bytes: usize,
        stream: CUstream,
    ) {
        if bytes == 0 {
            return Ok(());
        }
        issue(stream, |world, _| {
            let device = |context: CUcontext| {
                let found = world.contexts.get(&context.addr());
                found.map(|c| c.device).ok_or(INVALID_CONTEXT)
            };
            let via = (device(to_context)?, device(from_context)?);
            let name = "cuMemcpyPeerAsync";
            Ok(Spec::Copy { name, to, from, bytes, via })
        })
    }

    /// On the legacy stream.
    fn cuMemcpy(to: CUdeviceptr, from: CUdeviceptr, bytes: usize) {
        wait_copy("cuMemcpy", to, from, bytes)
    }

    /// On the legacy stream: it returns once the source has been read, not once it has arrived.
    fn cuMemcpyHtoD_v2(to: CUdeviceptr, from: *const c_void, bytes: usize) {
        wait_copy("cuMemcpyHtoD_v2", to, from.expose_provenance() as u64, bytes)
    }

    /// On the legacy stream.
    fn cuMemcpyDtoH_v2(to: *mut c_void, from: CUdeviceptr, bytes: usize) {
        wait_copy("cuMemcpyDtoH_v2", to.expose_provenance() as u64, from, bytes)
    }

    /// Bytes.
    fn cuMemsetD8Async(to: CUdeviceptr, value: c_uchar, count: usize, stream: CUstream) {
        set("cuMemsetD8Async", to, (value.into(), 1), count, stream)
    }

    /// Pairs of bytes.
    fn cuMemsetD16Async(to: CUdeviceptr, value: c_ushort, count: usize, stream: CUstream) {
        set("cuMemsetD16Async", to, (value.into(), 2), count, stream)
    }

    /// Words.
    fn cuMemsetD32Async(to: CUdeviceptr, value: c_uint, count: usize, stream: CUstream) {
        set("cuMemsetD32Async", to, (value, 4), count, stream)
    }
}
