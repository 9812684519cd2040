//! One device's primary context: current on the threads that call, and lost once it is broken.

use std::cell::Cell;
use std::ffi::c_int;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};

use cudarc::driver::sys::{CUcontext, CUdevice, CUdevice_attribute};

use super::super::{Culprit, DriverError};
use super::error::CudaError;
use super::library::{answer, library};
use super::status::{OUT_OF_MEMORY, SUCCESS, status, sticky};
use super::symbols::Api;
use crate::sync::Inside;

/// A handle or an address of the driver.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Raw<T>(pub(super) T);

// SAFETY: it is a number to us; the driver's functions take handles on any thread.
unsafe impl<T> Send for Raw<T> {}
// SAFETY: as above.
unsafe impl<T> Sync for Raw<T> {}

thread_local! {
    /// The context that was last made current here, by its number.
    static CURRENT: Cell<u64> = const { Cell::new(0) };
}

/// A device and its primary context, retained.
#[derive(Debug)]
pub(super) struct Context {
    pub(super) api: &'static Api,
    device: CUdevice,
    raw: Raw<CUcontext>,
    /// Never given twice, so that a context which comes to lie where another was is not taken for it.
    number: u64,
    /// The status that broke it, and the call that noticed.
    lost: OnceLock<(u32, &'static str)>,
}

impl Context {
    /// The context of that device.
    pub(super) fn open(ordinal: u32) -> Result<Self, CudaError> {
        static NUMBERS: AtomicU64 = AtomicU64::new(1);
        if Inside::is() {
            return Err(CudaError::InsideKernel);
        }
        let api = library(ordinal)?;
        let mut count = 0;
        // SAFETY: the driver is set up; it writes one number.
        answer("cuDeviceGetCount", unsafe {
            api.cuDeviceGetCount(&raw mut count)
        })?;
        let count = u32::try_from(count).unwrap_or(0);
        if ordinal >= count {
            return Err(CudaError::NoDevice { ordinal, count });
        }
        let (mut device, mut raw) = (0, std::ptr::null_mut());
        // SAFETY: there is a device of that ordinal; each writes one handle.
        answer("cuDeviceGet", unsafe {
            api.cuDeviceGet(&raw mut device, ordinal as c_int)
        })?;
        // SAFETY: as above.
        answer("cuDevicePrimaryCtxRetain", unsafe {
            api.cuDevicePrimaryCtxRetain(&raw mut raw, device)
        })?;
        let number = NUMBERS.fetch_add(1, Ordering::Relaxed);
        Ok(Self {
            api,
            device,
            raw: Raw(raw),
            number,
            lost: OnceLock::new(),
        })
    }

    /// The device's number, as places of memory name it.
    pub(super) fn device(&self) -> CUdevice {
        self.device
    }

    /// The handle.
    pub(super) fn raw(&self) -> CUcontext {
        self.raw.0
    }

    /// The device's name.
    pub(super) fn name(&self) -> Result<String, CudaError> {
        let mut name = [0u8; 128];
        // SAFETY: it writes at most that many bytes, the last of them 0.
        answer("cuDeviceGetName", unsafe {
            let at = name.as_mut_ptr().cast();
            self.api
                .cuDeviceGetName(at, name.len() as c_int, self.device)
        })?;
        let name = name.split(|&byte| byte == 0).next().unwrap_or_default();
        Ok(String::from_utf8_lossy(name).into_owned())
    }

    /// A number that describes the device.
    pub(super) fn attribute(&self, attribute: CUdevice_attribute) -> Result<u32, CudaError> {
        let mut value = 0;
        // SAFETY: it writes one number.
        answer("cuDeviceGetAttribute", unsafe {
            self.api
                .cuDeviceGetAttribute(&raw mut value, attribute, self.device)
        })?;
        Ok(u32::try_from(value).unwrap_or(0))
    }

    /// The devices that can reach memory of this one.
    pub(super) fn peers(&self) -> Result<Vec<CUdevice>, CudaError> {
        let mut count = 0;
        // SAFETY: the driver is set up; each call writes one number.
        answer("cuDeviceGetCount", unsafe {
            self.api.cuDeviceGetCount(&raw mut count)
        })?;
        let mut peers = Vec::new();
        for ordinal in 0..count {
            let (mut peer, mut can) = (0, 0);
            // SAFETY: as above; there is a device of that ordinal.
            answer("cuDeviceGet", unsafe {
                self.api.cuDeviceGet(&raw mut peer, ordinal)
            })?;
            if peer == self.device {
                continue;
            }
            // SAFETY: as above.
            answer("cuDeviceCanAccessPeer", unsafe {
                self.api
                    .cuDeviceCanAccessPeer(&raw mut can, peer, self.device)
            })?;
            if can != 0 {
                peers.push(peer);
            }
        }
        Ok(peers)
    }

    /// Makes the context current on this thread, whatever was before.
    ///
    /// # Errors
    /// Where the context is lost, and on a thread that runs a kernel: the driver must not be called
    /// from a callback.
    pub(super) fn enter(&self, call: &'static str) -> Result<(), DriverError> {
        if Inside::is() {
            return Err(DriverError::InsideKernel { call });
        }
        self.usable()?;
        // SAFETY: the context is retained.
        let code = unsafe { self.api.cuCtxSetCurrent(self.raw.0) };
        self.answer("cuCtxSetCurrent", code)?;
        CURRENT.set(self.number);
        Ok(())
    }

    /// As [`enter`](Self::enter), for the path of a run: no call where this thread was here last.
    #[inline]
    pub(super) fn reenter(&self, call: &'static str) -> Result<(), DriverError> {
        match CURRENT.get() == self.number {
            true => self.usable(),
            false => self.enter(call),
        }
    }

    /// # Errors
    /// [`DriverError::Lost`] where the context is.
    #[inline]
    pub(super) fn usable(&self) -> Result<(), DriverError> {
        match self.lost.get() {
            None => Ok(()),
            Some(&lost) => Err(Self::gone(lost)),
        }
    }

    #[cold]
    fn gone((code, call): (u32, &'static str)) -> DriverError {
        let status = status(code);
        DriverError::Lost { call, status }
    }

    /// The status that broke it.
    pub(super) fn lost(&self) -> Option<u32> {
        self.lost.get().map(|&(code, _)| code)
    }

    /// Nothing runs on it any more, as that call noticed.
    #[cold]
    pub(super) fn lose(&self, call: &'static str, code: u32) -> DriverError {
        Self::gone(*self.lost.get_or_init(|| (code, call)))
    }

    /// What a call answered.
    #[inline]
    pub(super) fn answer(&self, call: &'static str, code: u32) -> Result<(), DriverError> {
        match code {
            SUCCESS => Ok(()),
            code => Err(self.refused(call, code, None)),
        }
    }

    /// What a call for that many bytes answered.
    pub(super) fn room(
        &self,
        call: &'static str,
        requested: u64,
        code: u32,
    ) -> Result<(), DriverError> {
        match code {
            OUT_OF_MEMORY => Err(DriverError::OutOfMemory { call, requested }),
            code => self.answer(call, code),
        }
    }

    /// The error of a call that was refused. A status that breaks the context is kept.
    #[cold]
    pub(super) fn refused(
        &self,
        call: &'static str,
        code: u32,
        of: Option<Culprit>,
    ) -> DriverError {
        if sticky(code) {
            return self.lose(call, code);
        }
        let status = status(code);
        DriverError::Refused { call, status, of }
    }
}

impl Drop for Context {
    fn drop(&mut self) {
        // SAFETY: retained in `open`, and whoever uses the context has a count of this. Nobody is
        // left to be told of an error.
        unsafe { self.api.cuDevicePrimaryCtxRelease_v2(self.device) };
        CURRENT.with(|current| {
            if current.get() == self.number {
                current.set(0);
            }
        });
    }
}
