//! One instance of a program at actual dims and addresses.

use std::any::Any;
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicPtr, AtomicU64, Ordering};

use super::{Args, Image};
use crate::table::{Elem, Form, Mode, Rows, Scalar, Task, TaskKind};

/// An access at actual dims.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bound {
    pub(super) resource: u32,
    pub(super) mode: Mode,
    pub(super) elem: Elem,
    /// Bytes from the resource's start.
    pub(super) offset: usize,
    /// Elements.
    pub(super) len: usize,
}

/// An expression of the tables has no value for the dims, or a range leaves its resource or slot.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the tables do not fit the dims: {what} {index}")]
pub struct ResolveError {
    /// Which table.
    pub what: &'static str,
    /// Which entry.
    pub index: usize,
}

/// One instance of a verified program at actual dims and addresses.
///
/// What changes from run to run (where inputs are, scalars) is atomic; the rest is fixed.
pub struct Executable {
    image: Image,
    instance: u32,
    bounds: Box<[Bound]>,
    scalars: Box<[Scalar]>,
    bindings: Box<[usize]>,
    bytes: Box<[usize]>,
    bases: Box<[AtomicPtr<u8>]>,
    sources: Box<[AtomicPtr<u8>]>,
    params: Box<[AtomicU64]>,
    unified: bool,
    /// Keeps the arena alive: freed with the last thread that may still run a task.
    _arena: Arc<dyn Any + Send + Sync>,
}

impl Executable {
    /// Resolves `image` for `dims`, with its arena at `arena`. `unified` says that kernels can read
    /// host memory, so that inputs stay where they are.
    ///
    /// # Errors
    /// Where an expression has no value or a range leaves its resource or slot.
    ///
    /// # Safety
    /// `arena` is the start of `image.program.arena` bytes, aligned to a slot, initialised, that
    /// live as long as `keep` and that nothing else touches; `image` has passed the verifier for `dims`.
    pub unsafe fn resolve(
        image: Image,
        dims: &[u64],
        instance: u32,
        arena: *mut u8,
        unified: bool,
        keep: Arc<dyn Any + Send + Sync>,
    ) -> Result<Self, ResolveError> {
        let source = image.source;
        let fail = |what, index| ResolveError { what, index };
        let mut values = Vec::with_capacity(source.exprs.len());
        for (i, e) in source.exprs.iter().enumerate() {
            let value = e.eval(dims).and_then(|v| usize::try_from(v).ok());
            values.push(value.ok_or(fail("expression", i))?);
        }
        let get = |i: u32| values.get(i as usize).copied().ok_or(fail("expression", i as usize));

        let mut rows = Vec::new();
        let mut row_len = Vec::new();
        let mut bytes = Vec::new();
        let mut bases = Vec::new();
        for (i, r) in source.resources.iter().enumerate() {
            let mut inner = 1usize;
            for &e in r.shape.iter().skip(1) {
                inner = inner.checked_mul(get(e)?).ok_or(fail("resource", i))?;
            }
            let first = get(*r.shape.first().ok_or(fail("resource", i))?)?;
            let size = first.checked_mul(inner).and_then(|n| n.checked_mul(r.elem.size() as usize));
            let size = size.ok_or(fail("resource", i))?;
            let slot = image.program.slots.get(i).ok_or(fail("slot", i))?;
            let end = slot.offset.checked_add(slot.bytes).ok_or(fail("slot", i))?;
            if size as u64 > slot.bytes || end > image.program.arena {
                return Err(fail("slot", i));
            }
            rows.push(first);
            row_len.push(inner);
            bytes.push(size);
            bases.push(AtomicPtr::new(arena.wrapping_add(slot.offset as usize)));
        }

        let mut bounds = Vec::with_capacity(source.accesses.len());
        for (i, a) in source.accesses.iter().enumerate() {
            let r = a.resource as usize;
            let resource = source.resources.get(r).ok_or(fail("access", i))?;
            let (lo, hi) = match a.rows {
                Rows::All => (0, rows[r]),
                Rows::Span(lo, hi) => (get(lo)?, get(hi)?),
            };
            if lo > hi || hi > rows[r] {
                return Err(fail("access", i));
            }
            bounds.push(Bound {
                resource: a.resource,
                mode: a.mode,
                elem: resource.elem,
                offset: lo * row_len[r] * resource.elem.size() as usize,
                len: (hi - lo) * row_len[r],
            });
        }
        let mut scalars = Vec::with_capacity(source.scalars.len());
        for (i, s) in source.scalars.iter().enumerate() {
            scalars.push(match *s {
                Scalar::Extent(e) => Scalar::Const(get(e)? as u64),
                Scalar::Param(p) if p >= source.params => return Err(fail("scalar", i)),
                other => other,
            });
        }
        let mut bindings = Vec::with_capacity(source.bindings.len());
        for &b in source.bindings {
            bindings.push(get(b)?);
        }
        Ok(Self {
            image,
            instance,
            bounds: bounds.into(),
            scalars: scalars.into(),
            bindings: bindings.into(),
            bytes: bytes.into(),
            bases: bases.into(),
            sources: source.resources.iter().map(|_| AtomicPtr::new(std::ptr::null_mut())).collect(),
            params: (0..source.params).map(|_| AtomicU64::new(0)).collect(),
            unified,
            _arena: keep,
        })
    }

    /// The graph it came from.
    pub fn image(&self) -> &Image {
        &self.image
    }

    /// Which copy of the ring it is.
    pub fn instance(&self) -> u32 {
        self.instance
    }

    /// Size of a resource at the actual dims, in bytes.
    pub fn bytes(&self, resource: u32) -> usize {
        self.bytes[resource as usize]
    }

    /// Start of a resource's storage.
    pub fn base(&self, resource: u32) -> *mut u8 {
        self.bases[resource as usize].load(Ordering::Relaxed)
    }

    /// Sets where the content of an input comes from in the next run.
    ///
    /// # Safety
    /// No run of this instance is in flight; `resource` is an input; `data` holds
    /// [`bytes`](Self::bytes) of it, aligned for its element, and nobody writes it until that run
    /// has completed.
    pub unsafe fn set_input(&self, resource: u32, data: *const u8) {
        self.sources[resource as usize].store(data.cast_mut(), Ordering::Relaxed);
        if self.unified {
            // Inputs are never written by a task (the verifier refuses it), so the cast is sound.
            self.bases[resource as usize].store(data.cast_mut(), Ordering::Relaxed);
        }
    }

    /// Sets a scalar of the next run, as bits.
    pub fn set_param(&self, index: u32, bits: u64) {
        self.params[index as usize].store(bits, Ordering::Relaxed);
    }

    /// Runs a task on the calling thread. Unwinds where the kernel does.
    ///
    /// # Safety
    /// Everything the task is ordered after has completed and is visible to this thread; nothing
    /// that is ordered after it has started; inputs are set. `form` is that of the program.
    pub unsafe fn call(&self, task: u32, form: Form) {
        let task = self.image.source.tasks[task as usize];
        match task.kind {
            TaskKind::Upload => self.upload(&task),
            TaskKind::Kernel(kernel) => {
                let code = &self.image.code[kernel as usize];
                let host = match form {
                    Form::Apart => code.host,
                    Form::InPlace => code.in_place.expect("an in-place launch has in-place code"),
                };
                // SAFETY: the caller orders this task against all others, and the verifier has
                // shown that its own accesses overlap only as `form` allows.
                host(&mut unsafe { Args::new(self, task, form) });
            }
        }
    }

    fn upload(&self, task: &Task) {
        if self.unified {
            return;
        }
        let resource = self.bound(task.accesses.start).resource;
        let from = self.sources[resource as usize].load(Ordering::Relaxed);
        // SAFETY: `set_input` promised that many readable bytes; the slot holds as many, is written
        // by this task alone now, and lies in the arena, apart from any caller's memory.
        unsafe { std::ptr::copy_nonoverlapping(from, self.base(resource), self.bytes(resource)) }
    }

    pub(super) fn bound(&self, access: u32) -> Bound {
        self.bounds[access as usize]
    }

    pub(super) fn pointer(&self, bound: &Bound) -> *mut u8 {
        self.base(bound.resource).wrapping_add(bound.offset)
    }

    pub(super) fn in_place(&self, task: &Task) -> Option<u32> {
        match task.kind {
            TaskKind::Upload => None,
            TaskKind::Kernel(k) => self.image.source.kernels[k as usize].in_place.map(u32::from),
        }
    }

    pub(super) fn scalar(&self, index: u32) -> Scalar {
        self.scalars[index as usize]
    }

    pub(super) fn param(&self, index: u32) -> u64 {
        self.params[index as usize].load(Ordering::Relaxed)
    }

    pub(super) fn binding(&self, index: u32) -> usize {
        self.bindings[index as usize]
    }
}

impl fmt::Debug for Executable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Executable")
            .field("graph", &self.image.source.name)
            .field("instance", &self.instance)
            .finish_non_exhaustive()
    }
}
