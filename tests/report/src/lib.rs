//! Tests of the decision record as data; see `tests`.
