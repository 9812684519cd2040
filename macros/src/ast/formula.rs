//! `y + a * x`: the body of an expression kernel.

use gpu_graph_analysis::formula::Syntax;

use crate::span::Region;

/// An expression as it was written. What its names and methods mean is decided later.
pub type Formula = Syntax<Region>;
