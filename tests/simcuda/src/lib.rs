//! Simulated GPUs behind the CUDA driver's own functions, for tests.
//!
//! `simcuda-library` is a shared library with these functions, which unmodified callers load in place
//! of the driver; what it does is said there. Here is the test's side: [`client`] opens the library
//! before anybody looks for the driver, gives it kernels, makes calls fail, and asks what was called,
//! what is wrong and what is left. [`abi`] is what crosses the border.
//!
//! Who depends on this crate depends on `simcuda-library`, too, and on `simnvrtc` where kernels are
//! compiled: that builds them, beside the tests that load them. Nothing of them is linked, so it does
//! not matter with which features they were built.

#![cfg(unix)]

pub mod abi;
pub mod client;
