//! What a graph declares for its record.

use gpu_graph_analysis::declared;
use proc_macro2::Ident;
use syn::LitStr;

use crate::span::Region;

/// `scope "…"`, `target latency`, `tolerance x: 1e-5`.
#[derive(Default)]
pub struct Declared {
    /// The workload.
    pub scope: Option<LitStr>,
    /// What is planned for, and the word that says so.
    pub target: Option<(declared::Target, Region)>,
    /// Of outputs, no two of one name.
    pub tolerances: Vec<Tolerance>,
}

/// `tolerance x: 1e-5`.
pub struct Tolerance {
    /// The output.
    pub output: Ident,
    /// The bound, as it was written.
    pub text: String,
}
