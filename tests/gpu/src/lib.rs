//! The suite that a real GPU is given: `cargo test --features gpu-tests`.
//!
//! Its tests are in `tests/suite`, which `simcuda` runs over its simulated devices, too, and in
//! `tests/alone.rs`, which need a GPU and a compiler.
