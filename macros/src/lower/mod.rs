//! From the syntax tree to the analysis model: names get their meaning, extents become expressions,
//! loops and stages are unrolled, arms are chosen, calls become tasks. Nothing is decided here; what is wrong with a kernel or a call by itself is
//! found by [`gpu_graph_analysis::calls`].

mod argument;
mod constant;
mod count;
mod cuda;
mod cuda_text;
mod declared;
mod decls;
mod demand;
mod dims;
mod escape;
mod extent;
mod file;
mod foreign;
mod form;
mod formula;
mod graph;
mod host;
mod items;
mod kernel;
mod mentions;
mod names;
mod places;
mod profile;
mod recompute;
mod reshape;
mod retain;
mod scope;
mod source;
mod stage;
mod task;
#[cfg(test)]
mod tests;
mod twice;
mod uncalled;
mod unroll;
mod variant;
mod workspace;

pub use constant::items as consts;
pub use cuda::Files;
pub use decls::{Callee, Decls};
pub use extent::show;
pub use foreign::{Claim, Claims, Foreign};
pub use form::planned as forms;
pub use graph::graph;
pub use items::distinct;
pub use kernel::{KernelDecl, kernels};
pub use names::text;
pub use profile::{contradicts, of as profile_of, profile};
pub use recompute::handed_over;
pub use source::{KernelInfo, TaskArgs};
pub use stage::{StageDecl, stages, unused};
pub use twice::renamed;
pub use uncalled::uncalled;
pub use variant::{combinations, shown};

use std::collections::BTreeSet;

use gpu_graph_analysis::model::Model;

use crate::ast;
use crate::report::{Errors, SiteTable};

/// Where faults go, and the places they point to.
#[derive(Default)]
pub struct Cx {
    /// All places that were handed to the analysis.
    pub sites: SiteTable,
    /// What was reported since the last border.
    pub errors: Errors,
    /// Some item could not be read so far as to know its name, which may be one that is not there.
    pub partial: bool,
    /// Constants among items.
    pub consts: Vec<constant::ItemConst>,
    /// Modules that a kernel and a graph would have both.
    pub shared: BTreeSet<String>,
    /// Stages that some graph calls.
    pub called: BTreeSet<usize>,
    /// What CUDA texts call the functions of the kernels that are declared, with those of forms.
    pub functions: BTreeSet<String>,
    /// Dims without a largest value are taken to have one, and that is not reported.
    pub assumed: bool,
    /// How often what they are given for one is halved.
    pub halvings: u32,
    /// The module of the host functions.
    pub hosts: String,
    /// Isolation domains of the graph at hand, in the combinations of its variants so far: they have the
    /// same numbers in all.
    pub domains: Vec<String>,
    /// Kernels that were reported to lack a form that some plan takes.
    pub formless: BTreeSet<usize>,
}

/// A graph that every name of which has a meaning.
pub struct Lowered<'a> {
    /// The combination of its variants that this is of, as in `mode=decode`; empty where it has
    /// none.
    pub combination: String,
    /// As it was written.
    pub ast: &'a ast::Graph,
    /// What the analysis is asked about.
    pub model: Model,
    /// What each task of the model hands to its kernel beside its accesses.
    pub args: Vec<TaskArgs>,
    /// The kernels that tasks launch; launches name positions in this list.
    pub kernels: Vec<Launched>,
}

/// A kernel that tasks launch.
pub enum Launched {
    /// That of this index in the macro's list.
    Here(usize),
    /// One that another macro call declares.
    Elsewhere(Foreign),
}
