//! What a graph declares for its record.

use gpu_graph_analysis::declared;
use gpu_graph_analysis::policy::Metric;
use proc_macro2::Ident;
use syn::LitStr;

use crate::span::Region;

/// `minimize peak`, `profile "…"`, `scope "…"`, `target latency`, `issue graph`, `tolerance x: 1e-5`.
#[derive(Default)]
pub struct Declared {
    /// What is minimised, and the word that says so.
    pub minimize: Option<(Minimize, Region)>,
    /// The file of a profile, from the crate's manifest.
    pub profile: Option<LitStr>,
    /// The workload.
    pub scope: Option<LitStr>,
    /// What is planned for, and the word that says so.
    pub target: Option<(declared::Target, Region)>,
    /// How a run reaches the device, and the word that says so.
    pub issue: Option<(declared::Issue, Region)>,
    /// Of outputs, no two of one name.
    pub tolerances: Vec<Tolerance>,
}

/// What is minimised.
pub enum Minimize {
    /// `peak, then critical_path`: each once, the first before all.
    Order(Vec<(Metric, Ident)>),
    /// `2 / GiB * peak + 3 * launches`: each once.
    Weights(Vec<Weight>),
}

/// `2 / GiB * peak`.
pub struct Weight {
    /// What is weighed.
    pub metric: Metric,
    /// Cost of as much as `per` says.
    pub each: f64,
    /// Bytes, nanoseconds, launches or edges: the unit's.
    pub per: u64,
    /// As it was written.
    pub text: String,
    /// The word of the metric.
    pub word: Ident,
}

/// `tolerance x: 1e-5`.
pub struct Tolerance {
    /// The output.
    pub output: Ident,
    /// The bound, as it was written.
    pub text: String,
}
