//! One task on the calling thread.

use std::ops::Range;

use super::super::args::NO_OPERAND;
use super::super::calls::Call;
use super::super::resolve::Tables;
use super::super::{Args, Rank};
use super::Executable;
use crate::table::{Form, TaskKind};

impl Executable {
    /// Runs a task on the calling thread. Unwinds where the kernel does.
    ///
    /// # Safety
    /// Everything the task is ordered after has completed and is visible to this thread; nothing
    /// that is ordered after it has started; inputs are set. `form` is that of the program.
    #[inline]
    pub unsafe fn call(&self, task: u32, form: Form) {
        match self.times.get() {
            // SAFETY: the caller's.
            Some(times) if times.on() => times.around(task, || unsafe { self.run(task, form) }),
            // SAFETY: the caller's.
            _ => unsafe { self.run(task, form) },
        }
    }

    /// # Safety
    /// As [`call`](Self::call).
    #[inline]
    unsafe fn run(&self, task: u32, form: Form) {
        let Tables {
            calls,
            scalars,
            bindings,
            ..
        } = &*self.tables;
        let call = &calls[task as usize];
        let (host, operand) = match form {
            Form::Apart => (call.host, NO_OPERAND),
            Form::InPlace => (call.in_place, call.operand),
        };
        let Some(host) = host else {
            return self.move_bytes(task, call);
        };
        let places = &self.places[wide(&call.accesses)];
        let scalars = &scalars[wide(&call.scalars)];
        let dims = &bindings[wide(&call.dims)];
        // SAFETY: the caller orders this task against all others, and the verifier has shown that
        // its own accesses overlap only as `form` allows. Those of inputs lie where `set_input` and
        // `set_resident` promise, all others in `storage`, which `_storage` keeps.
        let mut args = unsafe { Args::new(places, operand, scalars, &self.params, dims) };
        if let Some(rank) = &self.rank {
            args.of_rank(rank, task);
            let failing = EndGroup(rank);
            host(&mut args);
            std::mem::forget(failing);
        } else {
            host(&mut args);
        }
    }

    /// A task without a kernel.
    #[cold]
    fn move_bytes(&self, task: u32, call: &Call) {
        let first = call.accesses.start;
        match self.tables.image.source.tasks[task as usize].kind {
            TaskKind::Upload => self.upload(call),
            TaskKind::Fill => {
                // SAFETY: the access has that many bytes, which the caller orders after all other
                // uses, and `Tables` has seen that it is written.
                unsafe {
                    self.pointer(first)
                        .write_bytes(0, self.bound(first).bytes())
                }
            }
            TaskKind::Copy => {
                let (from, to) = (self.pointer(first), self.pointer(first + 1));
                // SAFETY: both accesses have that many bytes, as `Tables` has seen, and are apart,
                // as the verifier has shown; the caller orders them after all other uses.
                unsafe { std::ptr::copy_nonoverlapping(from, to, self.bound(first).bytes()) }
            }
            TaskKind::Hold { .. } | TaskKind::Kernel(_) => {}
        }
    }

    fn upload(&self, call: &Call) {
        let resource = self.bound(call.accesses.start).resource;
        if self.stays(resource) {
            return;
        }
        let from = self.source(resource);
        // SAFETY: `set_input` promised that many readable bytes; the slot holds as many, is written
        // by this task alone now, and lies in the arena, apart from any caller's memory.
        unsafe { std::ptr::copy_nonoverlapping(from, self.base(resource), self.bytes(resource)) }
    }
}

/// Ends the group of a rank whose kernel unwinds: its later collectives will not take place.
struct EndGroup<'a>(&'a Rank);

impl Drop for EndGroup<'_> {
    fn drop(&mut self) {
        self.0.fail();
    }
}

fn wide(range: &Range<u32>) -> Range<usize> {
    range.start as usize..range.end as usize
}
