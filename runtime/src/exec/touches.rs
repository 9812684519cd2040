//! Where the accesses of a task lie, for a driver that checks them.

use super::Executable;
#[cfg(feature = "cuda")]
use crate::table::Scalar;
use crate::table::{Mode, TaskKind};

/// One access at actual dims and addresses.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Touch {
    pub(crate) resource: u32,
    pub(crate) mode: Mode,
    pub(crate) start: *mut u8,
    pub(crate) bytes: usize,
}

impl Executable {
    /// The accesses of a task, in the order of the kernel's parameters.
    pub(crate) fn touches(&self, task: u32) -> impl Iterator<Item = Touch> + '_ {
        let span = self.image().source.tasks[task as usize].accesses;
        (span.start..span.start + span.len).map(|access| {
            let bound = self.bound(access);
            Touch {
                resource: bound.resource,
                mode: bound.mode,
                start: self.pointer(access),
                bytes: bound.bytes(),
            }
        })
    }

    /// The scalars of a task, in the order of the kernel's parameters.
    #[cfg(feature = "cuda")]
    pub(crate) fn scalars(&self, task: u32) -> &[Scalar] {
        let span = self.image().source.tasks[task as usize].scalars;
        &self.tables().scalars[span.start as usize..][..span.len as usize]
    }

    /// The kernel's dims at a task.
    #[cfg(feature = "cuda")]
    pub(crate) fn dims(&self, task: u32) -> &[usize] {
        let span = self.image().source.tasks[task as usize].dims;
        &self.tables().bindings[span.start as usize..][..span.len as usize]
    }

    /// What an upload reads: the memory that the input was set to, and how many bytes of it.
    pub(crate) fn upload_source(&self, task: u32) -> Option<(*mut u8, usize)> {
        let task = self.image().source.tasks[task as usize];
        match task.kind {
            TaskKind::Upload => {
                let resource = self.bound(task.accesses.start).resource;
                Some((self.source(resource), self.bytes(resource)))
            }
            _ => None,
        }
    }
}
