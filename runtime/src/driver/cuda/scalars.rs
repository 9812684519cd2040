//! Scalars of a run that kernels of a graph read from the device.
//!
//! Parameters of a graph's nodes never change. So the scalars lie in a block that has two sides: a run
//! sets them in pinned memory, the graph's first node copies that to the device, and kernels read them
//! there.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use super::super::{DriverError, RangeId};
use super::context::Raw;
use super::core::Core;
use super::objects::Stream;
use crate::exec::Executable;
use crate::table::{Op, Scalar, TaskKind};

/// The scalars of an instance, on both sides.
#[derive(Debug)]
pub(super) struct Scalars {
    core: Arc<Core>,
    /// The stream that the graph is launched on, and the device's side was allocated on.
    stream: Arc<Stream>,
    pinned: Option<RangeId>,
    host: Raw<*mut u64>,
    pooled: Option<RangeId>,
    device: u64,
    bytes: usize,
}

impl Scalars {
    /// Those of an instance, if its kernels read any of the run.
    pub(super) fn of(
        core: &Arc<Core>,
        exec: &Executable,
        stream: &Arc<Stream>,
    ) -> Result<Option<Self>, DriverError> {
        let values = values(exec);
        values
            .map(|values| Self::new(core, stream, &values))
            .transpose()
    }

    /// Where kernels read them.
    pub(super) fn device(&self) -> u64 {
        self.device
    }

    /// The host's side, and how many bytes each side has.
    pub(super) fn host(&self) -> (u64, usize) {
        (self.host.0.expose_provenance() as u64, self.bytes)
    }

    /// Those of the next run, on the host's side.
    ///
    /// # Safety
    /// Nothing reads them there: the gates of the run before have been passed.
    pub(super) unsafe fn set(&self, exec: &Executable) {
        for index in 0..exec.image().source.params {
            let value = exec.param(index).load(Ordering::Relaxed);
            // SAFETY: the block begins with as many as the graph has, and the caller's.
            unsafe { self.host.0.add(index as usize).write(value) };
        }
    }

    /// Room for both sides, and what never changes on the host's.
    fn new(core: &Arc<Core>, stream: &Arc<Stream>, values: &[u64]) -> Result<Self, DriverError> {
        let bytes = size_of_val(values);
        let mut scalars = Self {
            core: Arc::clone(core),
            stream: Arc::clone(stream),
            pinned: None,
            host: Raw(std::ptr::null_mut()),
            pooled: None,
            device: 0,
            bytes,
        };
        // From here on dropping it gives both back.
        let pinned = core.pin(bytes as u64)?;
        scalars.pinned = Some(pinned);
        let host = core.address(pinned)?.0;
        scalars.host = Raw(host.cast());
        // SAFETY: the pinned memory has that many bytes, aligned, and nobody else has it.
        unsafe { std::ptr::copy_nonoverlapping(values.as_ptr(), host.cast(), values.len()) };
        let pooled = core.allocate(stream, bytes as u64)?;
        scalars.pooled = Some(pooled);
        let device = core.address(pooled)?.0;
        scalars.device = device.addr() as u64;
        Ok(scalars)
    }
}

impl Drop for Scalars {
    fn drop(&mut self) {
        // Launches of the graph are over; nobody is left to be told of an error.
        if let Some(range) = self.pooled {
            let _ = self.core.free(&self.stream, range.0);
        }
        if let Some(range) = self.pinned {
            let _ = self.core.unpin(range);
        }
    }
}

/// Whether a task reads scalars that each run is given, in a kernel on the device.
pub(super) fn reads(exec: &Executable, task: u32) -> bool {
    let source = exec.image().source;
    let TaskKind::Kernel(k) = source.tasks[task as usize].kind else {
        return false;
    };
    let mut scalars = exec.scalars(task).iter();
    !source.kernels[k as usize].callback && scalars.any(|s| matches!(s, Scalar::Param(_)))
}

/// What the block of this instance begins as, if one of its kernels reads scalars of the run: those of
/// the run by number, then what never changes of the tasks that read any, in the order of the launches.
fn values(exec: &Executable) -> Option<Vec<u64>> {
    let mut values = vec![0; exec.image().source.params as usize];
    let mut any = false;
    for op in exec.image().program.issue {
        let Op::Launch { task, .. } = *op else {
            continue;
        };
        if reads(exec, task) {
            any = true;
            values.extend(exec.scalars(task).iter().filter_map(|s| match *s {
                Scalar::Const(bits) => Some(bits),
                _ => None,
            }));
        }
    }
    any.then_some(values)
}

/// The position, among its own, of the first scalar that each run is given.
pub(super) fn changing(exec: &Executable, task: u32) -> usize {
    let mut scalars = exec.scalars(task).iter();
    scalars
        .position(|s| matches!(s, Scalar::Param(_)))
        .unwrap_or(0)
}
