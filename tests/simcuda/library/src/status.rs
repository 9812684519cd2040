//! What calls answer.

use cudarc::driver::sys::CUresult;
use gpu_graph_runtime::driver::DriverError;

/// What a call answers: nothing, or a status that is no success.
pub(crate) type Answer<T = ()> = Result<T, u32>;

macro_rules! statuses {
    ($($name:ident = $status:ident;)*) => {$(
        pub(crate) const $name: u32 = CUresult::$status as u32;
    )*};
}

statuses! {
    INVALID_VALUE = CUDA_ERROR_INVALID_VALUE;
    OUT_OF_MEMORY = CUDA_ERROR_OUT_OF_MEMORY;
    NOT_INITIALIZED = CUDA_ERROR_NOT_INITIALIZED;
    INVALID_DEVICE = CUDA_ERROR_INVALID_DEVICE;
    INVALID_IMAGE = CUDA_ERROR_INVALID_IMAGE;
    INVALID_CONTEXT = CUDA_ERROR_INVALID_CONTEXT;
    INVALID_HANDLE = CUDA_ERROR_INVALID_HANDLE;
    NOT_FOUND = CUDA_ERROR_NOT_FOUND;
    NOT_READY = CUDA_ERROR_NOT_READY;
    ILLEGAL_ADDRESS = CUDA_ERROR_ILLEGAL_ADDRESS;
    LAUNCH_TIMEOUT = CUDA_ERROR_LAUNCH_TIMEOUT;
    CONTEXT_IS_DESTROYED = CUDA_ERROR_CONTEXT_IS_DESTROYED;
    HARDWARE_STACK_ERROR = CUDA_ERROR_HARDWARE_STACK_ERROR;
    LAUNCH_FAILED = CUDA_ERROR_LAUNCH_FAILED;
    NOT_PERMITTED = CUDA_ERROR_NOT_PERMITTED;
    NOT_SUPPORTED = CUDA_ERROR_NOT_SUPPORTED;
    UNKNOWN = CUDA_ERROR_UNKNOWN;
}

/// The name that the driver has for a status.
pub(crate) fn name(status: u32) -> Option<&'static str> {
    use CUresult::*;
    let known = [
        (CUDA_SUCCESS, "CUDA_SUCCESS\0"),
        (CUDA_ERROR_INVALID_VALUE, "CUDA_ERROR_INVALID_VALUE\0"),
        (CUDA_ERROR_OUT_OF_MEMORY, "CUDA_ERROR_OUT_OF_MEMORY\0"),
        (CUDA_ERROR_NOT_INITIALIZED, "CUDA_ERROR_NOT_INITIALIZED\0"),
        (CUDA_ERROR_NO_DEVICE, "CUDA_ERROR_NO_DEVICE\0"),
        (CUDA_ERROR_INVALID_DEVICE, "CUDA_ERROR_INVALID_DEVICE\0"),
        (CUDA_ERROR_INVALID_IMAGE, "CUDA_ERROR_INVALID_IMAGE\0"),
        (CUDA_ERROR_INVALID_CONTEXT, "CUDA_ERROR_INVALID_CONTEXT\0"),
        (CUDA_ERROR_INVALID_HANDLE, "CUDA_ERROR_INVALID_HANDLE\0"),
        (CUDA_ERROR_NOT_FOUND, "CUDA_ERROR_NOT_FOUND\0"),
        (CUDA_ERROR_NOT_READY, "CUDA_ERROR_NOT_READY\0"),
        (CUDA_ERROR_ILLEGAL_ADDRESS, "CUDA_ERROR_ILLEGAL_ADDRESS\0"),
        (CUDA_ERROR_LAUNCH_FAILED, "CUDA_ERROR_LAUNCH_FAILED\0"),
        (CUDA_ERROR_NOT_PERMITTED, "CUDA_ERROR_NOT_PERMITTED\0"),
        (CUDA_ERROR_NOT_SUPPORTED, "CUDA_ERROR_NOT_SUPPORTED\0"),
        (CUDA_ERROR_UNKNOWN, "CUDA_ERROR_UNKNOWN\0"),
    ];
    let found = known.iter().find(|(s, _)| *s as u32 == status);
    found.map(|(_, name)| *name)
}

/// Whether a status says that its context is lost: every later call on it answers the same.
pub(crate) fn is_sticky(status: u32) -> bool {
    matches!(status, ILLEGAL_ADDRESS | LAUNCH_TIMEOUT)
        || (HARDWARE_STACK_ERROR..=LAUNCH_FAILED).contains(&status)
}

/// What the driver says where the simulated device says this.
pub(crate) fn of(error: DriverError) -> u32 {
    match error {
        DriverError::OutOfMemory { .. } => OUT_OF_MEMORY,
        DriverError::InsideKernel { .. } => NOT_PERMITTED,
        DriverError::Unsupported { .. } => NOT_SUPPORTED,
        DriverError::Invalid { .. } => INVALID_VALUE,
        _ => UNKNOWN,
    }
}
