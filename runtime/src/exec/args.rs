//! The arguments of one launch, handed to host code as slices.

use std::marker::PhantomData;
use std::sync::atomic::{AtomicPtr, AtomicU64, Ordering};

use half::{bf16, f16};

use super::group::{Met, Operand, Rank};
use crate::table::{Elem, Mode, Scalar};

mod sealed {
    pub trait Sealed {}
}

/// Rust types that are elements of tensors: every bit pattern is a value.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be an element of a gpu-graph tensor",
    label = "not an element type",
    note = "elements accept every bit pattern: f16, bf16, f32, f64, and the integers of 8 to 64 bits"
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
            #[inline]
            fn to_bits(self) -> u64 {
                let to: fn($t) -> $u = $to;
                to(self) as u64
            }
            #[inline]
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
    f16, F16, u16, f16::to_bits, f16::from_bits;
    bf16, BF16, u16, bf16::to_bits, bf16::from_bits;
}

/// Where an access of one instance lies.
pub(super) struct Place {
    /// Its first byte. Those of inputs move from run to run.
    pub(super) at: AtomicPtr<u8>,
    /// Elements.
    pub(super) len: usize,
    pub(super) elem: Elem,
    pub(super) mode: Mode,
}

/// No access: the operand of a launch that has none.
pub(super) const NO_OPERAND: u32 = u32::MAX;

/// The arguments of one launch. Each is taken once, in the order of the kernel's parameters.
///
/// # Panics
/// The methods panic where the kind or type asked for is not that of the next argument. Generated
/// code asks for what the tables say; a mismatch ends the run with a typed error.
pub struct Args<'a> {
    places: &'a [Place],
    /// In an in-place launch, the access that is one with the last.
    operand: u32,
    scalars: &'a [Scalar],
    params: &'a [AtomicU64],
    dims: &'a [usize],
    next_place: usize,
    next_scalar: usize,
    /// The rank that the graph was loaded with, and the task.
    rank: Option<(&'a Rank, u32)>,
    /// All ranks are at this task.
    met: Option<Met<'a>>,
    // Slices that are handed out borrow the arena.
    arena: PhantomData<&'a mut [u8]>,
}

impl<'a> Args<'a> {
    /// # Safety
    /// Until the launch returns, no other task writes what `places` cover nor touches what those
    /// that write cover. Of these, one that writes overlaps no other, but that the last one, a
    /// write, may overlap number `operand`. The memory of each lives for `'a`, is aligned for the
    /// element, and has a value in every byte.
    #[inline]
    pub(super) unsafe fn new(
        places: &'a [Place],
        operand: u32,
        scalars: &'a [Scalar],
        params: &'a [AtomicU64],
        dims: &'a [usize],
    ) -> Self {
        let arena = PhantomData;
        Self {
            places,
            operand,
            scalars,
            params,
            dims,
            next_place: 0,
            next_scalar: 0,
            rank: None,
            met: None,
            arena,
        }
    }

    /// The launch is `task` of a graph that was loaded with `rank`.
    pub(super) fn of_rank(&mut self, rank: &'a Rank, task: u32) {
        self.rank = Some((rank, task));
    }

    /// The next access, which has elements of `T`, and whether it is one of the two that overlap in
    /// an in-place launch. Only [`update`](Self::update) hands those out, both as one slice.
    #[inline]
    fn next<T: Element>(&mut self) -> (&'a Place, bool) {
        let index = self.next_place;
        let places = self.places;
        assert!(
            index < places.len(),
            "the kernel takes more tensors than its task has"
        );
        let place = &places[index];
        assert!(
            place.elem == T::ELEM,
            "the kernel's element type differs from the resource's"
        );
        self.next_place += 1;
        let merged = self.operand != NO_OPERAND
            && (index == self.operand as usize || index + 1 == places.len());
        (place, merged)
    }

    /// The next tensor, read only.
    #[inline]
    pub fn read<T: Element>(&mut self) -> &'a [T] {
        let (place, merged) = self.next::<T>();
        assert!(
            place.mode == Mode::Read,
            "the kernel reads what its task writes"
        );
        assert!(
            !merged,
            "an in-place kernel reads the operand that it updates"
        );
        let at = place.at.load(Ordering::Relaxed).cast::<T>();
        // SAFETY: by the contract of `new` the memory is there for `'a`, aligned, and every bit
        // pattern is a `T`; nobody writes it meanwhile: no other task, and of this one only the
        // result of an in-place launch, which was excluded above.
        unsafe { std::slice::from_raw_parts(at, place.len) }
    }

    /// The next tensor, written; also the result.
    #[inline]
    pub fn write<T: Element>(&mut self) -> &'a mut [T] {
        let (place, merged) = self.next::<T>();
        assert!(
            place.mode != Mode::Read,
            "the kernel writes what its task reads"
        );
        assert!(
            !merged,
            "an in-place kernel writes the result beside its operand"
        );
        let at = place.at.load(Ordering::Relaxed).cast::<T>();
        // SAFETY: as in `read`; this access writes, so by the contract of `new` nothing else
        // touches its range, and the cursor hands it out once.
        unsafe { std::slice::from_raw_parts_mut(at, place.len) }
    }

    /// The next tensor, read only, of every rank of the group in order of their numbers. Waits until
    /// all ranks are at this task; none leaves it before all are done with it.
    ///
    /// # Panics
    /// Where the graph was loaded without a group, and with a [`GroupError`](super::GroupError) that the run reports
    /// where a rank failed or is gone.
    pub fn gather<T: Element>(&mut self) -> Vec<&'a [T]> {
        let position = self.next_place;
        let own: &[T] = self.read::<T>();
        if self.met.is_none() {
            let Some((rank, task)) = self.rank else {
                panic!("the graph was loaded without a group");
            };
            let operand = |place: &Place| Operand {
                at: place.at.load(Ordering::Relaxed),
                len: place.len,
            };
            let met = rank.meet(task, self.places.iter().map(operand).collect());
            self.met = Some(met.unwrap_or_else(|why| std::panic::resume_unwind(Box::new(why))));
        }
        let met = self.met.as_ref().into_iter();
        let theirs = met.flat_map(|met| met.operands(position));
        // All ranks run one program at the same dims, as `Rank::runs` has seen.
        theirs
            .map(|o| {
                assert!(
                    o.len == own.len(),
                    "a rank reads another number of elements"
                );
                // SAFETY: the rank reads that access itself, so by the contract of `new` it is `len`
                // elements of `T` that live and that nobody writes while its launch goes on; and no
                // rank leaves its launch before `met` is dropped here. It is dropped with `self`,
                // behind the host function, which alone sees the slices: `'a` is the launch's own.
                unsafe { std::slice::from_raw_parts(o.at.cast::<T>(), o.len) }
            })
            .collect()
    }

    /// The operand of an in-place launch: read and, as the result, written.
    #[inline]
    pub fn update<T: Element>(&mut self) -> &'a mut [T] {
        let (operand, merged) = self.next::<T>();
        let followed = self.next_place < self.places.len();
        assert!(
            merged && followed,
            "the kernel updates another operand than it declares"
        );
        let result = &self.places[self.places.len() - 1];
        let at = operand.at.load(Ordering::Relaxed);
        assert!(
            at == result.at.load(Ordering::Relaxed)
                && operand.len == result.len
                && operand.elem == result.elem
                && result.mode != Mode::Read,
            "an in-place launch needs one range for operand and result"
        );
        // SAFETY: as in `write`, for operand and result as one range. `read` and `write` refuse
        // both of them, and the cursor has passed the operand, so it is handed out once.
        unsafe { std::slice::from_raw_parts_mut(at.cast::<T>(), operand.len) }
    }

    /// The next scalar.
    #[inline]
    pub fn scalar<T: ScalarValue>(&mut self) -> T {
        let index = self.next_scalar;
        assert!(
            index < self.scalars.len(),
            "the kernel takes more scalars than its task has"
        );
        self.next_scalar += 1;
        T::from_bits(match self.scalars[index] {
            Scalar::Const(bits) => bits,
            Scalar::Param(param) => self.params[param as usize].load(Ordering::Relaxed),
            Scalar::Extent(_) => unreachable!("extents are constants once dims are known"),
        })
    }

    /// The kernel's dim of that position.
    #[inline]
    pub fn dim(&self, index: u32) -> usize {
        assert!(
            (index as usize) < self.dims.len(),
            "the kernel has fewer dims"
        );
        self.dims[index as usize]
    }
}
