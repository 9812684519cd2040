//! Memory that a run in flight reads and owns.

use std::fmt;
use std::mem::ManuallyDrop;
use std::sync::Arc;

use super::Element;

/// A `Vec<T>`, `Box<[T]>` or `Arc<[T]>` without its type, so that one record holds any of them
/// and none is boxed. Dropping it gives the memory back, on whatever thread that happens.
pub struct Held {
    data: *const u8,
    len: usize,
    capacity: usize,
    release: unsafe fn(*const u8, usize, usize),
}

// SAFETY: it owns a `Vec<T>` or an `Arc<[T]>` of an element type, both `Send`.
unsafe impl Send for Held {}
// SAFETY: a shared `Held` gives away a pointer only, and elements are `Sync`.
unsafe impl Sync for Held {}

impl Held {
    /// Takes a vector as it is.
    pub fn vec<T: Element>(vec: Vec<T>) -> Self {
        let mut vec = ManuallyDrop::new(vec);
        Self {
            // The pointer that may also give the allocation back.
            data: vec.as_mut_ptr().cast_const().cast(),
            len: vec.len(),
            capacity: vec.capacity(),
            release: release_vec::<T>,
        }
    }

    /// Takes one count of a shared slice.
    pub fn arc<T: Element>(arc: Arc<[T]>) -> Self {
        let len = arc.len();
        Self {
            data: Arc::into_raw(arc).cast(),
            len,
            capacity: len,
            release: release_arc::<T>,
        }
    }

    /// First byte of the elements, aligned for them.
    pub fn data(&self) -> *const u8 {
        self.data
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        // SAFETY: `release` is the one that belongs to how `data` was made, and this is its owner.
        unsafe { (self.release)(self.data, self.len, self.capacity) }
    }
}

impl fmt::Debug for Held {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Held")
            .field("len", &self.len)
            .finish_non_exhaustive()
    }
}

/// # Safety
/// The parts are those of a `Vec<T>` that nobody else owns.
unsafe fn release_vec<T>(data: *const u8, len: usize, capacity: usize) {
    // SAFETY: by the contract.
    drop(unsafe { Vec::from_raw_parts(data.cast_mut().cast::<T>(), len, capacity) });
}

/// # Safety
/// `data` came from `Arc::<[T]>::into_raw` with that length, and its count is given back once.
unsafe fn release_arc<T>(data: *const u8, len: usize, _capacity: usize) {
    let slice = std::ptr::slice_from_raw_parts(data.cast::<T>(), len);
    // SAFETY: by the contract.
    drop(unsafe { Arc::from_raw(slice) });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_vector_and_a_box_keep_their_address_and_go_once() {
        let v = vec![1u16, 2, 3];
        let at = v.as_ptr();
        let held = Held::vec(v);
        assert_eq!(held.data().cast(), at);
        drop(held);
        drop(Held::vec(Vec::<f64>::new()));
    }

    #[test]
    fn a_shared_slice_keeps_its_count_until_release() {
        let shared: Arc<[u64]> = Arc::from([1, 2]);
        let held = Held::arc(Arc::clone(&shared));
        assert_eq!(Arc::strong_count(&shared), 2);
        std::thread::spawn(move || drop(held)).join().unwrap();
        assert_eq!(Arc::strong_count(&shared), 1);
    }
}
