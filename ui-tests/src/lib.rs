//! The programs under `fail` and `pass`, and the tests that compile them.
