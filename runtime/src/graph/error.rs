//! Why a graph could not be loaded or run.

use std::sync::Arc;

use crate::driver::DriverError;
use crate::exec::{GroupError, ResolveError};
use crate::verify::Violation;

/// Why [`load`](super::Graph::load) refused. Nothing is left behind.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum LoadError {
    /// A dim lies outside the bounds it was declared with.
    #[error("dim `{dim}` of `{graph}` is {value}, outside its declared bounds {min}..={max}")]
    Dim {
        /// Name of the graph.
        graph: &'static str,
        /// Name of the dim.
        dim: &'static str,
        /// What was given.
        value: u64,
        /// Smallest admitted value.
        min: u64,
        /// Largest admitted value.
        max: u64,
    },
    /// Another number of dims than the graph has.
    #[error("`{graph}` has {expected} dims, {given} were given")]
    DimCount {
        /// Name of the graph.
        graph: &'static str,
        /// How many were given.
        given: usize,
        /// How many it has.
        expected: usize,
    },
    /// The program is not proved for these dims.
    #[error("the program of `{graph}` is not proved for these dims: {what}")]
    Unproved {
        /// Name of the graph.
        graph: &'static str,
        /// What the verifier found, by index.
        violation: Violation,
        /// The same, by name.
        what: String,
    },
    /// The tables do not fit each other at these dims.
    #[error("`{graph}`: {source}")]
    Tables {
        /// Name of the graph.
        graph: &'static str,
        /// Where they do not fit.
        source: ResolveError,
    },
    /// The group has no place for it.
    #[error("loading `{graph}`: {source}")]
    Group {
        /// Name of the graph.
        graph: &'static str,
        /// Why.
        source: GroupError,
    },
    /// A program that this version cannot run, or variants that are not of one graph.
    #[error("`{graph}` cannot be loaded: {what}")]
    Unsupported {
        /// Name of the graph.
        graph: &'static str,
        /// What it asks for.
        what: &'static str,
    },
    /// No room for what the graph needs.
    #[error(
        "no room for the {what} of `{graph}`: {requested} bytes were requested, {instances} × {each}"
    )]
    OutOfMemory {
        /// Name of the graph.
        graph: &'static str,
        /// The arena or the store on the device, or the staging on the host.
        what: &'static str,
        /// Bytes asked for in one piece.
        requested: u64,
        /// Instances that they are for.
        instances: u32,
        /// Bytes for each.
        each: u64,
    },
    /// A kernel or a callback tried to load a graph.
    #[error("`{graph}` cannot be loaded inside a kernel")]
    InsideKernel {
        /// Name of the graph.
        graph: &'static str,
    },
    /// The driver failed.
    #[error("loading `{graph}`: {source}")]
    Driver {
        /// Name of the graph.
        graph: &'static str,
        /// What it said.
        source: DriverError,
    },
}

/// Why a run was refused, or why it has no result. The graph stays usable after each of them but
/// [`Lost`](Self::Lost).
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RunError {
    /// A kernel panicked. What it had not written is skipped; the next run starts afresh.
    #[error(
        "kernel `{kernel}` panicked in task {task} of `{graph}`, which writes `{writes}`: {message}"
    )]
    Panicked {
        /// Name of the graph.
        graph: &'static str,
        /// Name of the kernel.
        kernel: &'static str,
        /// Index of the task: uploads first, then calls in the order of the text.
        task: u32,
        /// The resource that the task writes, the first of several.
        writes: &'static str,
        /// What the panic said, where it was text.
        message: String,
    },
    /// A collective did not take place, since a rank of the group failed or is gone.
    #[error("a collective of `{graph}` did not take place: {source}")]
    Group {
        /// Name of the graph.
        graph: &'static str,
        /// Who did not come.
        source: GroupError,
    },
    /// As many runs are in flight as the graph admits; a `try_` call does not wait for one to end.
    #[error("`{graph}` still has a run in flight on lane {lane} of {depth}")]
    InFlight {
        /// Name of the graph.
        graph: &'static str,
        /// The lane that was asked.
        lane: u32,
        /// Lanes that it has.
        depth: u32,
    },
    /// An input of another length than its declaration gives at these dims.
    #[error(
        "input `{input}` of `{graph}` has {given} elements, expected {expected}: it is `{shape}` at \
         these dims"
    )]
    InputLength {
        /// Name of the graph.
        graph: &'static str,
        /// Name of the input.
        input: &'static str,
        /// Elements given.
        given: usize,
        /// Elements of its shape.
        expected: usize,
        /// Its type at these dims, as `[f32; 37, 23]`.
        shape: Arc<str>,
    },
    /// A scalar that is declared `finite` and is not. Nothing has been started.
    #[error("scalar `{scalar}` of `{graph}` is {value}, and declared `finite`")]
    NotFinite {
        /// Name of the graph.
        graph: &'static str,
        /// Name of the scalar.
        scalar: &'static str,
        /// What was given.
        value: NonFinite,
    },
    /// A resident input that has not been set since the graph was loaded.
    #[error("resident input `{input}` of `{graph}` is not set")]
    NotSet {
        /// Name of the graph.
        graph: &'static str,
        /// Name of the input.
        input: &'static str,
    },
    /// A run, or a reset, failed while it may have updated what the next run goes on from; reset the
    /// graph.
    #[error("`{graph}` may have been left half-updated by a run that failed, and is not reset")]
    Poisoned {
        /// Name of the graph.
        graph: &'static str,
    },
    /// A destination of another length than the output.
    #[error("output `{output}` of `{graph}` has {expected} elements, the destination {given}")]
    OutputLength {
        /// Name of the graph.
        graph: &'static str,
        /// Name of the output.
        output: &'static str,
        /// Elements of the destination.
        given: usize,
        /// Elements of the output.
        expected: usize,
    },
    /// A kernel tried to run a graph or to wait for one.
    #[error("{call}: a kernel cannot run a graph or wait for one")]
    InsideKernel {
        /// The driver's call that noticed.
        call: &'static str,
    },
    /// A copy out of the graph or into it, or a reset, could not be waited for, so its storage can
    /// never be used again.
    #[error("`{graph}` is lost: a copy out of it or into it could not be waited for")]
    Lost {
        /// Name of the graph.
        graph: &'static str,
    },
    /// The driver failed.
    #[error(transparent)]
    Driver(DriverError),
}

/// A float that is no finite number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NonFinite {
    /// Not a number.
    #[error("NaN")]
    Nan,
    /// Above all numbers.
    #[error("inf")]
    Infinity,
    /// Below all numbers.
    #[error("-inf")]
    NegInfinity,
}

impl NonFinite {
    /// What `value` is, unless it is finite.
    pub(super) fn of(value: f64) -> Option<Self> {
        if value.is_finite() {
            None
        } else if value.is_nan() {
            Some(Self::Nan)
        } else if value > 0.0 {
            Some(Self::Infinity)
        } else {
            Some(Self::NegInfinity)
        }
    }
}

impl From<DriverError> for RunError {
    fn from(error: DriverError) -> Self {
        match error {
            DriverError::InsideKernel { call } => Self::InsideKernel { call },
            other => Self::Driver(other),
        }
    }
}
