//! NVIDIA GPUs.

#[allow(dead_code, reason = "the driver that calls them follows")]
mod symbols;

pub use symbols::SYMBOLS;
