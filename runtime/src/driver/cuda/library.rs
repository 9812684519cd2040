//! The driver library, looked for before anything of it is called.

use std::sync::OnceLock;

use cudarc::driver::sys;

use super::error::CudaError;
use super::status::{NO_DEVICE, SUCCESS, status};
use super::symbols::Api;

/// The oldest driver API that has all that is called, as it is called.
const NEEDED: (u32, u32) = (12, 0);

/// The driver's functions, once it is there, whole, new enough and set up.
///
/// # Errors
/// With what is missing. Asked again, it is looked for again.
pub(super) fn library(ordinal: u32) -> Result<&'static Api, CudaError> {
    static API: OnceLock<Api> = OnceLock::new();
    if let Some(api) = API.get() {
        return Ok(api);
    }
    // SAFETY: to load a library runs its initialisers, which NVIDIA answers for.
    if !unsafe { sys::is_culib_present() } {
        return Err(CudaError::Library);
    }
    let api = Api::find().map_err(|symbol| CudaError::Symbol { symbol })?;
    let mut found = 0;
    // SAFETY: it may be asked before anything is set up, and writes one number.
    answer("cuDriverGetVersion", unsafe {
        api.cuDriverGetVersion(&raw mut found)
    })?;
    let found = u32::try_from(found).unwrap_or(0);
    let found = (found / 1000, found % 1000 / 10);
    if found < NEEDED {
        let needed = NEEDED;
        return Err(CudaError::Version { found, needed });
    }
    // SAFETY: 0 is the only value that it takes.
    match unsafe { api.cuInit(0) } {
        NO_DEVICE => {
            let count = 0;
            return Err(CudaError::NoDevice { ordinal, count });
        }
        code => answer("cuInit", code)?,
    }
    Ok(API.get_or_init(|| api))
}

/// What a call answered, as an error of opening a device.
pub(super) fn answer(call: &'static str, code: u32) -> Result<(), CudaError> {
    match code {
        SUCCESS => Ok(()),
        code => Err(CudaError::Refused {
            call,
            status: status(code),
        }),
    }
}
