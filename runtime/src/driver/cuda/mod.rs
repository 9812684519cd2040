//! NVIDIA GPUs.

pub mod compile;
#[allow(dead_code, reason = "the driver that calls them follows")]
mod symbols;

pub use symbols::SYMBOLS;
