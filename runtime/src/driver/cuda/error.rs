//! Why a GPU is not to be had.

use super::super::Status;

/// Why [`cuda`](crate::graph::cuda) has no device to give.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum CudaError {
    /// The machine has no driver library for NVIDIA GPUs, or the loader does not find it.
    #[error(
        "no CUDA driver library was found: the driver of an NVIDIA GPU installs it as `libcuda.so` \
         or `nvcuda.dll`"
    )]
    Library,
    /// The driver library lacks a function that is called here.
    #[error("the CUDA driver library has no `{symbol}`: a newer driver is needed")]
    Symbol {
        /// The function.
        symbol: &'static str,
    },
    /// The driver is older than what is called here.
    #[error("the CUDA driver is of version {}, and {} is needed", Version(*.found), Version(*.needed))]
    Version {
        /// Major and minor version of the driver's API.
        found: (u32, u32),
        /// The least that will do.
        needed: (u32, u32),
    },
    /// There is no such device.
    #[error("there is no CUDA device {ordinal}: the driver has {count}")]
    NoDevice {
        /// Asked for.
        ordinal: u32,
        /// Devices of the driver.
        count: u32,
    },
    /// The device lacks what every graph needs.
    #[error("CUDA device {ordinal} ({name}) has no {what}")]
    Incapable {
        /// Asked for.
        ordinal: u32,
        /// Its name.
        name: String,
        /// What it lacks.
        what: &'static str,
    },
    /// The device executed something that it cannot recover from; only a new process can use it.
    #[error("CUDA device {ordinal} is lost to this process, since its driver answered {status}")]
    Lost {
        /// Asked for.
        ordinal: u32,
        /// What the driver answered.
        status: Status,
    },
    /// The driver refused a call.
    #[error("{call}: {status}")]
    Refused {
        /// Which call.
        call: &'static str,
        /// What it answered.
        status: Status,
    },
    /// It was asked inside a kernel, where the driver must not be called.
    #[error("a kernel cannot open a device")]
    InsideKernel,
}

/// `12.4`.
struct Version((u32, u32));

impl std::fmt::Display for Version {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}.{}", self.0.0, self.0.1)
    }
}
