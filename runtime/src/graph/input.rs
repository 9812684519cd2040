//! What a run accepts as an input.

use std::sync::Arc;

use crate::exec::{Element, Held};

mod sealed {
    pub trait Sealed {}
}

/// What may be given for an input of `T` elements.
///
/// Borrowed data (`&[T]`, `&Vec<T>`, `&[T; N]`) is copied before `run` returns and is free again
/// then. Owned data (`Vec<T>`, `Box<[T]>`, `Arc<[T]>`, and `&Arc<[T]>`, which takes one more count)
/// is not copied where kernels can read host memory: the run keeps it, whatever becomes of the
/// handles, and gives it back when the same lane passes its gate again or its graph has gone. Where
/// they cannot, as on a GPU, it is copied to pinned memory like borrowed data. What is given for an
/// `input mut` is copied in any case, once more into the arena, so that nothing the caller has is
/// ever written.
///
/// A run that refuses an owned input drops it; give an `&Arc<[T]>` to keep it for another try.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be an input of `{T}` elements",
    label = "expected a slice, a vector or a shared slice of `{T}`",
    note = "borrowed and copied: `&[{T}]`, `&Vec<{T}>`, `&[{T}; N]`",
    note = "owned and not copied: `Vec<{T}>`, `Box<[{T}]>`, `Arc<[{T}]>`, `&Arc<[{T}]>`"
)]
pub trait IntoInput<T: Element>: sealed::Sealed {
    /// The elements.
    #[doc(hidden)]
    fn view(&self) -> &[T];

    /// Where the elements are from now on, and who owns them: `self`, or else whatever `stage`
    /// copies them to.
    #[doc(hidden)]
    fn deliver(self, stage: impl FnOnce(&[T]) -> *const u8) -> (*const u8, Option<Held>);
}

macro_rules! borrowed {
    ($([$($n:tt)*] $t:ty;)*) => {$(
        impl<T $($n)*> sealed::Sealed for $t {}
        impl<T: Element $($n)*> IntoInput<T> for $t {
            fn view(&self) -> &[T] {
                &self[..]
            }
            fn deliver(self, stage: impl FnOnce(&[T]) -> *const u8) -> (*const u8, Option<Held>) {
                (stage(self), None)
            }
        }
    )*};
}

borrowed! {
    [] &[T];
    [] &Vec<T>;
    [, const N: usize] &[T; N];
}

macro_rules! owned {
    ($($t:ty, |$v:ident| $hold:expr;)*) => {$(
        impl<T> sealed::Sealed for $t {}
        impl<T: Element> IntoInput<T> for $t {
            fn view(&self) -> &[T] {
                self
            }
            fn deliver(self, _: impl FnOnce(&[T]) -> *const u8) -> (*const u8, Option<Held>) {
                let $v = self;
                let held = $hold;
                (held.data(), Some(held))
            }
        }
    )*};
}

owned! {
    Vec<T>, |v| Held::vec(v);
    Box<[T]>, |v| Held::vec(v.into_vec());
    Arc<[T]>, |v| Held::arc(v);
    &Arc<[T]>, |v| Held::arc(Arc::clone(v));
}
