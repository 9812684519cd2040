//! The parameters of launches, in the order in which a function takes them.
//!
//! A function takes pointers and scalars as its kernel declares them, then the result's pointer and
//! the dims. The driver copies each from where it is pointed to: 8 bytes for a pointer or a dim, and
//! of a scalar as many as it has, from the lowest on.

use std::ffi::c_void;
use std::ops::Range;

use crate::exec::Executable;
use crate::table::Scalar;

/// One parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Param {
    /// A pointer, a dim or a scalar that never changes.
    Fixed(u64),
    /// A scalar that each run is given, by its number.
    Scalar(u32),
}

/// Parameters in order: `tensors` are pointers with the result last, `positions` where the scalars
/// stand among what is declared.
pub(super) fn order(
    tensors: &[u64],
    scalars: &[Param],
    positions: &[u16],
    dims: &[usize],
) -> Vec<Param> {
    let mut params = Vec::with_capacity(tensors.len() + scalars.len() + dims.len());
    let (mut tensors, mut scalars) = (tensors.iter(), scalars.iter().zip(positions).peekable());
    loop {
        let here = params.len();
        if let Some((&scalar, _)) = scalars.next_if(|(_, at)| usize::from(**at) == here) {
            params.push(scalar);
        } else if let Some(&tensor) = tensors.next() {
            params.push(Param::Fixed(tensor));
        } else {
            break;
        }
    }
    params.extend(scalars.map(|(&scalar, _)| scalar));
    params.extend(dims.iter().map(|&dim| Param::Fixed(dim as u64)));
    params
}

/// A scalar of a task.
pub(super) fn scalar(scalar: Scalar) -> Param {
    match scalar {
        Scalar::Const(bits) => Param::Fixed(bits),
        Scalar::Param(index) => Param::Scalar(index),
        Scalar::Extent(_) => unreachable!("extents are constants once dims are known"),
    }
}

/// The parameters of several launches, still growing.
#[derive(Debug, Default)]
pub(super) struct Packing(Vec<Param>);

impl Packing {
    /// Appends those of one launch; answers which they are.
    pub(super) fn add(&mut self, params: &[Param]) -> Range<usize> {
        let start = self.0.len();
        self.0.extend(params);
        start..self.0.len()
    }

    /// Lays them out. Scalars are pointed to where `exec` has them, so that whatever it is given for a
    /// run is what the launches of that run take.
    pub(super) fn finish(self, exec: &Executable) -> Packed {
        let fixed = |param: &Param| match *param {
            Param::Fixed(value) => value,
            Param::Scalar(_) => 0,
        };
        let values: Box<[u64]> = self.0.iter().map(fixed).collect();
        let at = |(param, value): (&Param, &u64)| match *param {
            Param::Fixed(_) => std::ptr::from_ref(value).cast_mut().cast::<c_void>(),
            Param::Scalar(index) => exec.param(index).as_ptr().cast(),
        };
        let pointers = self.0.iter().zip(&values).map(at).collect();
        Packed {
            pointers,
            _values: values,
        }
    }
}

/// The parameters of several launches, where the driver can read them.
#[derive(Debug)]
pub(super) struct Packed {
    pointers: Box<[*mut c_void]>,
    /// What some of them point to; it never moves.
    _values: Box<[u64]>,
}

// SAFETY: the pointers are to `_values`, which nobody writes, and to atomics of an executable that
// its owner keeps.
unsafe impl Send for Packed {}
// SAFETY: as above.
unsafe impl Sync for Packed {}

impl Packed {
    /// The parameters of one launch.
    pub(super) fn of(&self, params: &Range<usize>) -> *mut *mut c_void {
        // The driver reads them alone.
        self.pointers[params.clone()].as_ptr().cast_mut()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const A: Param = Param::Scalar(0);
    const B: Param = Param::Fixed(7);

    fn tensor(at: u64) -> Param {
        Param::Fixed(at)
    }

    #[test]
    fn scalars_stand_where_they_are_declared_and_the_result_behind_all() {
        // kernel f(x, a, y, b) -> r, over two dims
        let params = order(&[1, 2, 3], &[A, B], &[1, 3], &[40, 50]);
        let want = [
            tensor(1),
            A,
            tensor(2),
            B,
            tensor(3),
            tensor(40),
            tensor(50),
        ];
        assert_eq!(params, want);
        // kernel f(a, b, x) -> r
        let params = order(&[1, 2], &[A, B], &[0, 1], &[]);
        assert_eq!(params, [A, B, tensor(1), tensor(2)]);
    }

    #[test]
    fn in_place_there_is_no_result_and_a_scalar_may_be_the_last() {
        // kernel f(y, x, a) -> y in place
        let params = order(&[1, 2], &[A], &[2], &[9]);
        assert_eq!(params, [tensor(1), tensor(2), A, tensor(9)]);
    }
}
