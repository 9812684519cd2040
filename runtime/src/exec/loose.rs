//! Host code of a kernel, called outside any program: on operands that the caller has.

use std::sync::atomic::AtomicPtr;

use super::HostFn;
use super::args::{Args, NO_OPERAND, Place};
use crate::table::{Elem, Mode, Scalar};

/// An operand.
#[derive(Clone, Copy, Debug)]
pub struct Loose {
    /// First element.
    pub at: *mut u8,
    /// Elements.
    pub len: usize,
    /// Their type.
    pub elem: Elem,
    /// What is done to them.
    pub mode: Mode,
}

/// Calls `host` with operands in the order of the kernel's parameters, its result last, scalars as
/// bits, and dims. In place, operand number `in_place` and the last one are one range. Unwinds where
/// the kernel does.
///
/// # Safety
/// Each operand is that many elements, aligned, with a value in every byte, that live until this
/// returns; nobody else writes them meanwhile, nor touches those that are written; and one that is
/// written overlaps no other, but for the two that are one.
pub unsafe fn call_loose(
    host: HostFn,
    operands: &[Loose],
    in_place: Option<u32>,
    scalars: &[u64],
    dims: &[usize],
) {
    let place = |loose: &Loose| Place {
        at: AtomicPtr::new(loose.at),
        len: loose.len,
        elem: loose.elem,
        mode: loose.mode,
    };
    let places: Vec<Place> = operands.iter().map(place).collect();
    let scalars: Vec<Scalar> = scalars.iter().map(|&bits| Scalar::Const(bits)).collect();
    let operand = in_place.unwrap_or(NO_OPERAND);
    // SAFETY: the caller's.
    let mut args = unsafe { Args::new(&places, operand, &scalars, &[], dims) };
    host(&mut args);
}
