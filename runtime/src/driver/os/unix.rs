//! Mappings through the system's own calls.

use std::ffi::c_void;
use std::ptr::{self, NonNull};

use rustix::io::Errno;
use rustix::mm::{self, MapFlags, MprotectFlags, ProtFlags};

use super::GRANULARITY;
use crate::driver::{DriverError, Protection};

/// From this size on, ranges begin where a large page may.
const LARGE: usize = 2 << 20;

fn failed(call: &'static str, requested: usize, error: Errno) -> DriverError {
    match error {
        Errno::NOMEM | Errno::MFILE | Errno::NFILE | Errno::NOSPC | Errno::OVERFLOW => {
            DriverError::OutOfMemory {
                call,
                requested: requested as u64,
            }
        }
        other => DriverError::System {
            call,
            code: other.raw_os_error(),
        },
    }
}

/// No access, and no promise by the system to have room: a page costs when it is first touched.
fn untouched() -> MapFlags {
    MapFlags::PRIVATE | MapFlags::NORESERVE
}

/// A range of addresses that nothing else uses. Given back when dropped.
#[derive(Debug)]
pub(in crate::driver) struct Reservation {
    base: NonNull<u8>,
    bytes: usize,
}

// SAFETY: the mapping belongs to the process, not to a thread; the methods that change it take no
// shared state of this type.
unsafe impl Send for Reservation {}
// SAFETY: as above.
unsafe impl Sync for Reservation {}

impl Reservation {
    /// `bytes` without access, zeroed where they become readable. `align` is a power of two.
    pub(in crate::driver) fn new(bytes: usize, align: usize) -> Result<Self, DriverError> {
        const CALL: &str = "reserve";
        let full = || DriverError::OutOfMemory {
            call: CALL,
            requested: bytes as u64,
        };
        let align = align.max(if bytes >= LARGE {
            LARGE
        } else {
            GRANULARITY as usize
        });
        let total = bytes.checked_add(align).ok_or_else(full)?;
        // SAFETY: a new mapping at an address of the system's choice touches nothing that exists.
        let start =
            unsafe { mm::mmap_anonymous(ptr::null_mut(), total, ProtFlags::empty(), untouched()) }
                .map_err(|e| failed(CALL, bytes, e))?
                .cast::<u8>();
        let head = start.align_offset(align).min(align);
        let base = start.wrapping_add(head);
        for (at, len) in [(start, head), (base.wrapping_add(bytes), align - head)] {
            // All three are multiples of the page.
            if len > 0 {
                // SAFETY: this part of the mapping above is known to nobody. Failing to give it
                // back costs addresses and nothing else.
                let _ = unsafe { mm::munmap(at.cast(), len) };
            }
        }
        let base = NonNull::new(base).ok_or_else(full)?;
        #[cfg(target_os = "linux")]
        if bytes >= LARGE {
            // SAFETY: advice on a mapping of our own; refusal is of no consequence.
            let _ = unsafe { mm::madvise(base.as_ptr().cast(), bytes, mm::Advice::LinuxHugepage) };
        }
        Ok(Self { base, bytes })
    }

    /// First address.
    pub(in crate::driver) fn base(&self) -> *mut u8 {
        self.base.as_ptr()
    }

    fn at(&self, offset: usize, bytes: usize) -> *mut c_void {
        debug_assert!(offset + bytes <= self.bytes);
        self.base().wrapping_add(offset).cast()
    }

    /// Sets who may touch a part.
    pub(in crate::driver) fn protect(
        &self,
        offset: usize,
        bytes: usize,
        to: Protection,
    ) -> Result<(), DriverError> {
        let flags = match to {
            Protection::None => MprotectFlags::empty(),
            Protection::Read => MprotectFlags::READ,
            Protection::ReadWrite => MprotectFlags::READ | MprotectFlags::WRITE,
        };
        // SAFETY: the part lies in this reservation. Taking access away makes a later use fault,
        // which is not undefined behaviour.
        unsafe { mm::mprotect(self.at(offset, bytes), bytes, flags) }
            .map_err(|e| failed("set_access", bytes, e))
    }

    /// Drops the content of a part and makes it fault again.
    pub(in crate::driver) fn clear(&self, offset: usize, bytes: usize) -> Result<(), DriverError> {
        // SAFETY: replaces mappings inside this reservation; the caller of `unmap` has seen all work
        // on them complete.
        unsafe {
            mm::mmap_anonymous(
                self.at(offset, bytes),
                bytes,
                ProtFlags::empty(),
                untouched() | MapFlags::FIXED,
            )
        }
        .map(drop)
        .map_err(|e| failed("unmap", bytes, e))
    }

    /// Maps `file` at a part, without access.
    pub(in crate::driver) fn map_file(
        &self,
        offset: usize,
        bytes: usize,
        file: &File,
    ) -> Result<(), DriverError> {
        // SAFETY: replaces a part of this reservation that nothing is mapped at.
        unsafe {
            mm::mmap(
                self.at(offset, bytes),
                bytes,
                ProtFlags::empty(),
                MapFlags::SHARED | MapFlags::NORESERVE | MapFlags::FIXED,
                file.descriptor(),
                0,
            )
        }
        .map(drop)
        .map_err(|e| failed("map", bytes, e))
    }

    /// Moves the content of a private part elsewhere and makes the part fault again.
    #[cfg(target_os = "linux")]
    pub(in crate::driver) fn park(
        &self,
        offset: usize,
        bytes: usize,
    ) -> Result<Parked, DriverError> {
        self.protect(offset, bytes, Protection::None)?;
        let aside = Self::new(bytes, 1)?;
        // SAFETY: both parts are ours and apart; this one is private and anonymous. Its pages move,
        // an empty mapping without access stays.
        let moved = unsafe {
            mm::mremap_fixed(
                self.at(offset, bytes),
                bytes,
                bytes,
                mm::MremapFlags::MAYMOVE | mm::MremapFlags::DONTUNMAP,
                aside.base().cast(),
            )
        };
        moved.map_err(|e| failed("unmap", bytes, e))?;
        Ok(Parked(aside))
    }

    /// Moves parked content to a part that nothing is mapped at, without access. On failure the
    /// content stays parked.
    #[cfg(target_os = "linux")]
    pub(in crate::driver) fn unpark(
        &self,
        offset: usize,
        parked: Parked,
    ) -> Result<(), (Parked, DriverError)> {
        let bytes = parked.0.bytes;
        // SAFETY: both mappings are ours and apart; the one at the target is an empty reservation.
        let moved = unsafe {
            mm::mremap_fixed(
                parked.0.base().cast(),
                bytes,
                bytes,
                mm::MremapFlags::MAYMOVE,
                self.at(offset, bytes),
            )
        };
        match moved {
            Ok(_) => {
                // Nothing is left at the old place: its addresses may already be another's.
                std::mem::forget(parked);
                Ok(())
            }
            Err(e) => Err((parked, failed("map", bytes, e))),
        }
    }

    /// The same by a copy, where pages cannot be moved.
    #[cfg(any(test, not(target_os = "linux")))]
    fn park_copy(&self, offset: usize, bytes: usize) -> Result<Parked, DriverError> {
        let aside = Self::new(bytes, 1)?;
        aside.protect(0, bytes, Protection::ReadWrite)?;
        self.protect(offset, bytes, Protection::Read)?;
        let from = self.at(offset, bytes).cast::<u8>();
        // SAFETY: both are mapped, accessible and apart; the caller of `unmap` has seen all work on
        // the part complete, and nobody knows the other.
        unsafe { ptr::copy_nonoverlapping(from, aside.base(), bytes) };
        self.clear(offset, bytes)?;
        Ok(Parked(aside))
    }

    /// The way back. On failure the content stays parked.
    #[cfg(any(test, not(target_os = "linux")))]
    fn unpark_copy(&self, offset: usize, parked: Parked) -> Result<(), (Parked, DriverError)> {
        let bytes = parked.0.bytes;
        if let Err(error) = self.protect(offset, bytes, Protection::ReadWrite) {
            return Err((parked, error));
        }
        let to = self.at(offset, bytes).cast::<u8>();
        // SAFETY: as in `park_copy`: nothing is mapped at the part, so nobody uses it.
        unsafe { ptr::copy_nonoverlapping(parked.0.base(), to, bytes) };
        self.protect(offset, bytes, Protection::None)
            .map_err(|error| (parked, error))
    }

    #[cfg(not(target_os = "linux"))]
    pub(in crate::driver) fn park(
        &self,
        offset: usize,
        bytes: usize,
    ) -> Result<Parked, DriverError> {
        self.park_copy(offset, bytes)
    }

    #[cfg(not(target_os = "linux"))]
    pub(in crate::driver) fn unpark(
        &self,
        offset: usize,
        parked: Parked,
    ) -> Result<(), (Parked, DriverError)> {
        self.unpark_copy(offset, parked)
    }
}

impl Drop for Reservation {
    fn drop(&mut self) {
        // SAFETY: the range is this reservation's; whoever drops it vouches that no use follows.
        // A failure leaves addresses reserved and nothing else.
        let _ = unsafe { mm::munmap(self.base().cast(), self.bytes) };
    }
}

/// Content of private memory while it is mapped nowhere.
#[derive(Debug)]
pub(in crate::driver) struct Parked(Reservation);

/// Memory that can be mapped at several places.
#[derive(Debug)]
pub(in crate::driver) struct File(std::os::fd::OwnedFd);

impl File {
    /// `bytes` of zeros that cost nothing until they are touched.
    #[cfg(any(target_os = "linux", target_os = "android", target_os = "freebsd"))]
    pub(in crate::driver) fn new(bytes: usize) -> Result<Self, DriverError> {
        use rustix::fs;
        let fail = |e| failed("map", bytes, e);
        let file = fs::memfd_create("gpu-graph", fs::MemfdFlags::CLOEXEC).map_err(fail)?;
        fs::ftruncate(&file, bytes as u64).map_err(fail)?;
        Ok(Self(file))
    }

    #[cfg(not(any(target_os = "linux", target_os = "android", target_os = "freebsd")))]
    pub(in crate::driver) fn new(_: usize) -> Result<Self, DriverError> {
        Err(DriverError::Unsupported { call: "map" })
    }

    fn descriptor(&self) -> &std::os::fd::OwnedFd {
        &self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parking_by_a_copy_keeps_the_content_and_clears_the_place() {
        let bytes = GRANULARITY as usize;
        let place = Reservation::new(2 * bytes, 1).unwrap();
        place.protect(bytes, bytes, Protection::ReadWrite).unwrap();
        let at = place.base().wrapping_add(bytes);
        // SAFETY: accessible.
        unsafe { at.write_bytes(7, bytes) };
        let parked = place.park_copy(bytes, bytes).unwrap();
        place.protect(bytes, bytes, Protection::Read).unwrap();
        // SAFETY: accessible.
        assert_eq!(unsafe { at.read() }, 0);
        place.clear(bytes, bytes).unwrap();
        assert!(place.unpark_copy(bytes, parked).is_ok());
        place.protect(bytes, bytes, Protection::Read).unwrap();
        // SAFETY: accessible.
        assert_eq!(unsafe { at.wrapping_add(bytes - 1).read() }, 7);
    }
}
