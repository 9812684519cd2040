//! Offsets of buffers in one arena, whatever says which of them are live together.

#[cfg(test)]
pub(crate) mod rng;
