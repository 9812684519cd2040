//! The arguments of one launch, handed to host code as slices.

use std::marker::PhantomData;

use super::executable::Executable;
use super::resolve::Bound;
use crate::table::{Elem, Form, Mode, Scalar, Task};

mod sealed {
    pub trait Sealed {}
}

/// Rust types that are elements of tensors: every bit pattern is a value.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be an element of a gpu-graph tensor",
    label = "not an element type",
    note = "elements accept every bit pattern: f32, f64, and the integers of 8 to 64 bits"
)]
pub trait Element: Copy + Send + Sync + 'static + sealed::Sealed {
    /// Its entry in the tables.
    const ELEM: Elem;
}

/// Rust types that are scalar arguments.
pub trait ScalarValue: Copy + sealed::Sealed {
    /// The value, zero-extended to 64 bits.
    fn to_bits(self) -> u64;
    /// The value of the low bits.
    fn from_bits(bits: u64) -> Self;
}

macro_rules! element {
    ($($t:ty, $elem:ident, $u:ty, $to:expr, $from:expr;)*) => {$(
        impl sealed::Sealed for $t {}
        impl Element for $t {
            const ELEM: Elem = Elem::$elem;
        }
        impl ScalarValue for $t {
            fn to_bits(self) -> u64 {
                let to: fn($t) -> $u = $to;
                to(self) as u64
            }
            fn from_bits(bits: u64) -> Self {
                let from: fn($u) -> $t = $from;
                from(bits as $u)
            }
        }
    )*};
}

element! {
    f32, F32, u32, f32::to_bits, f32::from_bits;
    f64, F64, u64, f64::to_bits, f64::from_bits;
    i8, I8, u8, |v| v as u8, |v| v as i8;
    i16, I16, u16, |v| v as u16, |v| v as i16;
    i32, I32, u32, |v| v as u32, |v| v as i32;
    i64, I64, u64, |v| v as u64, |v| v as i64;
    u8, U8, u8, |v| v, |v| v;
    u16, U16, u16, |v| v, |v| v;
    u32, U32, u32, |v| v, |v| v;
    u64, U64, u64, |v| v, |v| v;
}

/// The arguments of one launch. Each is taken once, in the order of the kernel's parameters.
///
/// # Panics
/// The methods panic where the kind or type asked for is not that of the next argument. Generated
/// code asks for what the tables say; a mismatch ends the run with a typed error.
pub struct Args<'a> {
    exec: &'a Executable,
    task: Task,
    form: Form,
    next_access: u32,
    next_scalar: u32,
    // A slice handed out borrows the arena, not `exec`.
    arena: PhantomData<&'a mut [u8]>,
}

impl<'a> Args<'a> {
    /// # Safety
    /// Until the launch returns, no other task writes what `task` accesses nor touches what it
    /// writes. Of its own accesses, one that writes overlaps no other; in form
    /// [`Form::InPlace`] alone the last one, a write, overlaps the declared operand. The memory of
    /// each lives for `'a`.
    pub(super) unsafe fn new(exec: &'a Executable, task: Task, form: Form) -> Self {
        Self {
            exec,
            task,
            form,
            next_access: 0,
            next_scalar: 0,
            arena: PhantomData,
        }
    }

    fn bound<T: Element>(&mut self) -> (u32, Bound) {
        let index = self.next_access;
        assert!(
            index < self.task.accesses.len,
            "the kernel takes more tensors than its task has"
        );
        self.next_access += 1;
        let bound = self.exec.bound(self.task.accesses.start + index);
        assert!(
            bound.elem == T::ELEM,
            "the kernel's element type differs from the resource's"
        );
        (index, bound)
    }

    /// Whether access `index` is one of the two that overlap in an in-place launch. Only
    /// [`update`](Self::update) hands those out, both as one slice.
    fn merged(&self, index: u32) -> bool {
        self.form == Form::InPlace
            && (self.exec.in_place(&self.task) == Some(index)
                || index + 1 == self.task.accesses.len)
    }

    /// The next tensor, read only.
    pub fn read<T: Element>(&mut self) -> &'a [T] {
        let merged = self.merged(self.next_access);
        let (_, bound) = self.bound::<T>();
        assert!(
            bound.mode == Mode::Read,
            "the kernel reads what its task writes"
        );
        assert!(
            !merged,
            "an in-place kernel reads the operand that it updates"
        );
        // SAFETY: `bound` lies inside a live allocation that `exec` keeps for `'a`, aligned for `T`
        // because the slot or input is and the offset is a multiple of the element; every bit
        // pattern is a `T`; by the contract of `new` nobody writes it meanwhile: no other task, and
        // of this task only the result of an in-place launch, which was excluded above.
        unsafe { std::slice::from_raw_parts(self.exec.pointer(&bound).cast::<T>(), bound.len) }
    }

    /// The next tensor, written; also the result.
    pub fn write<T: Element>(&mut self) -> &'a mut [T] {
        let merged = self.merged(self.next_access);
        let (_, bound) = self.bound::<T>();
        assert!(
            bound.mode != Mode::Read,
            "the kernel writes what its task reads"
        );
        assert!(
            !merged,
            "an in-place kernel writes the result beside its operand"
        );
        // SAFETY: as in `read`; this access writes, so by the contract of `new` nothing else
        // touches its range, and the cursor hands it out once.
        unsafe { std::slice::from_raw_parts_mut(self.exec.pointer(&bound).cast::<T>(), bound.len) }
    }

    /// The operand of an in-place launch: read and, as the result, written.
    pub fn update<T: Element>(&mut self) -> &'a mut [T] {
        let merged = self.merged(self.next_access);
        let (index, operand) = self.bound::<T>();
        let last = self.task.accesses.len - 1;
        assert!(
            merged && index < last,
            "the kernel updates another operand than it declares"
        );
        let result = self.exec.bound(self.task.accesses.start + last);
        assert!(
            self.exec.pointer(&operand) == self.exec.pointer(&result)
                && operand.len == result.len
                && operand.elem == result.elem
                && result.mode != Mode::Read,
            "an in-place launch needs one range for operand and result"
        );
        // SAFETY: as in `write`, for operand and result as one range. `read` and `write` refuse
        // both of them, and the cursor has passed the operand, so it is handed out once.
        unsafe {
            std::slice::from_raw_parts_mut(self.exec.pointer(&operand).cast::<T>(), operand.len)
        }
    }

    /// The next scalar.
    pub fn scalar<T: ScalarValue>(&mut self) -> T {
        assert!(
            self.next_scalar < self.task.scalars.len,
            "the kernel takes more scalars than its task has"
        );
        let scalar = self.exec.scalar(self.task.scalars.start + self.next_scalar);
        self.next_scalar += 1;
        T::from_bits(match scalar {
            Scalar::Const(bits) => bits,
            Scalar::Param(index) => self.exec.param(index),
            Scalar::Extent(_) => unreachable!("extents are constants once dims are known"),
        })
    }

    /// The kernel's dim of that position.
    pub fn dim(&self, index: u32) -> usize {
        assert!(index < self.task.dims.len, "the kernel has fewer dims");
        self.exec.binding(self.task.dims.start + index)
    }
}
