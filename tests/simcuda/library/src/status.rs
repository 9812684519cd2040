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
