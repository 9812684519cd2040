//! GPU pipelines whose memory safety is proved at build time.
//!
//! A [`gpu_graph!`] declares kernels, resources and tasks. The macro works out in what order tasks
//! may run, when every resource must exist and which may share storage, and refuses what it cannot
//! prove, at the line that is wrong. What it accepts becomes a static program that a small `const fn`
//! checks again inside rustc, and that the runtime issues as it stands.
//!
//! ```
//! use gpu_graph::gpu_graph;
//!
//! mod kernels {
//!     pub fn square(x: &[f32], out: &mut [f32], _: super::square::Dims) {
//!         for (o, x) in out.iter_mut().zip(x) {
//!             *o = x * x;
//!         }
//!     }
//! }
//!
//! gpu_graph! {
//!     kernel square(x: &[f32; n]) -> [f32; n] {
//!         cuda r#"KERNEL(square) { INDEX(i); out(i) = x(i) * x(i); }"#,
//!         host kernels::square,
//!         over [n] block [256],
//!     }
//!
//!     pub graph Squares {
//!         dim n in 1..=4096;
//!         input x: [f32; n];
//!         output y: [f32; n] = square(&x);
//!     }
//! }
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let device = gpu_graph::host();
//! let mut squares = Squares::load(&device, squares::Dims { n: 3 })?;
//! let run = squares.run(squares::Inputs { x: &[1.0, 2.0, 3.0] })?;
//! assert_eq!(run.y()?.to_vec()?, [1.0, 4.0, 9.0]);
//! # Ok(())
//! # }
//! ```
//!
//! # Runs, outputs and what they borrow
//!
//! `run` starts a run, and each output waits for its own tasks only. On the host the calling thread
//! drives the first stream and a worker each of the others: with one stream a run is finished when
//! `run` returns, with more the others may go on behind it. To overlap runs, declare the graph
//! `pipelined` and move its lanes to threads. A run
//! borrows its graph mutably and an output borrows from the graph with it, so nothing is read after
//! a later run has overwritten it:
//!
//! ```compile_fail,E0499
//! # use gpu_graph::gpu_graph;
//! # mod kernels {
//! #     pub fn square(x: &[f32], out: &mut [f32], _: super::square::Dims) {}
//! # }
//! # gpu_graph! {
//! #     kernel square(x: &[f32; n]) -> [f32; n] { host kernels::square }
//! #     pub graph Squares {
//! #         dim n in 1..=4096;
//! #         input x: [f32; n];
//! #         output y: [f32; n] = square(&x);
//! #     }
//! # }
//! # fn replay(squares: &mut Squares, x: &[f32]) -> Result<(), gpu_graph::RunError> {
//! let first = squares.run(squares::Inputs { x })?;
//! let y = first.y()?;
//! squares.run(squares::Inputs { x })?; // `first` still borrows `squares`
//! assert_eq!(y.to_vec()?, [1.0]);
//! # Ok(())
//! # }
//! ```
//!
//! A graph that is `pipelined 2` has two runs in flight. Its type has no `run`, but `lanes`, and each
//! lane runs by itself, from whatever thread it is moved to:
//!
//! ```
//! # use gpu_graph::gpu_graph;
//! # mod kernels {
//! #     pub fn square(x: &[f32], out: &mut [f32], _: super::square::Dims) {
//! #         for (o, x) in out.iter_mut().zip(x) {
//! #             *o = x * x;
//! #         }
//! #     }
//! # }
//! # gpu_graph! {
//! #     kernel square(x: &[f32; n]) -> [f32; n] { host kernels::square }
//! #     pub graph Squares {
//! #         dim n in 1..=4096;
//! #         pipelined 2;
//! #         input x: [f32; n];
//! #         output y: [f32; n] = square(&x);
//! #     }
//! # }
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let mut g = Squares::load(&gpu_graph::host(), squares::Dims { n: 2 })?;
//! let [mut a, mut b] = g.lanes();
//! let first = a.run(squares::Inputs { x: &[1.0, 2.0] })?;
//! let second = b.run(squares::Inputs { x: &[3.0, 4.0] })?; // while `first` may still run
//! assert_eq!(first.y()?.to_vec()?, [1.0, 4.0]);
//! assert_eq!(second.y()?.to_vec()?, [9.0, 16.0]);
//! # Ok(())
//! # }
//! ```
//!
//! Take a copy with [`to_vec`](Output::to_vec) or [`copy_to`](Output::copy_to), or keep the output
//! on the device with [`detach`](Output::detach); or declare the graph `pipelined 2` and read
//! from one lane while the other runs. Dropping or leaking a run, an output, a lane or the graph itself never waits,
//! and what is in flight keeps what it uses. See [`IntoInput`] for what an input may be.
//!
//! # Limits
//!
//! The proof trusts what kernels declare of their accesses, the driver's events and rustc. On the
//! host a kernel sees nothing but its slices, so there a wrong declaration cannot break memory
//! safety. A build with `panic = "abort"`, a stack overflow and a kernel that never returns are
//! outside the guarantee.

pub use gpu_graph_macros::gpu_graph;
pub use gpu_graph_runtime::driver;
#[cfg(feature = "cuda")]
pub use gpu_graph_runtime::driver::cuda::CudaError;
pub use gpu_graph_runtime::exec::{Element, Group, GroupError, Rank, ScalarValue};
/// Kernels compiled ahead of a load, so that the machine that loads a graph needs no compiler.
///
/// A device compiles the kernels of a graph when it is loaded, and keeps what comes of it in a folder:
/// that of `GPU_GRAPH_CACHE`, or `gpu-graph` in the user's folder for what can be made again. That one
/// has a bound, `GPU_GRAPH_CACHE_BYTES`, or 256 MiB: what was used least recently goes first. To ship a
/// folder, fill one for each architecture, as in a program or a test that the build runs:
///
/// ```no_run
/// # use gpu_graph::gpu_graph;
/// # gpu_graph! {
/// #     kernel square(x: &[f32; n]) -> [f32; n] = x * x;
/// #     pub graph Squares {
/// #         dim n in 1..=4096;
/// #         input x: [f32; n];
/// #         output y: [f32; n] = square(&x);
/// #     }
/// # }
/// use gpu_graph::compile::{Options, kernels};
///
/// # fn main() -> Result<(), gpu_graph::compile::CompileError> {
/// for arch in [(8, 0), (9, 0)] {
///     let mut options = Options::new(arch);
///     options.cache = Some("images".into());
///     kernels::<Squares>(&options)?;
/// }
/// # Ok(())
/// # }
/// ```
///
/// The machine is told of the folder by `GPU_GRAPH_CACHE`. Or the images are one file, which the program
/// has in itself: [`bundle`](compile::bundle) gives what to write, and [`embed`](compile::embed) takes it
/// before graphs are loaded:
///
/// ```no_run
/// # use gpu_graph::gpu_graph;
/// # gpu_graph! {
/// #     kernel square(x: &[f32; n]) -> [f32; n] = x * x;
/// #     pub graph Squares {
/// #         dim n in 1..=4096;
/// #         input x: [f32; n];
/// #         output y: [f32; n] = square(&x);
/// #     }
/// # }
/// # macro_rules! include_bytes { ($file:literal) => { &[0; 64] } }
/// use gpu_graph::compile::{Options, bundle, embed};
///
/// // Where the compiler is:
/// fn build() -> Result<(), Box<dyn std::error::Error>> {
///     let archs = [(8, 0), (9, 0)].map(Options::new);
///     Ok(std::fs::write("squares.images", bundle::<Squares>(&archs)?)?)
/// }
///
/// // Where none is:
/// fn main() -> Result<(), Box<dyn std::error::Error>> {
///     embed(include_bytes!("squares.images"))?;
///     let device = gpu_graph::cuda(0)?;
///     let squares = Squares::load(&device, squares::Dims { n: 3 })?;
///     # Ok(())
/// }
/// ```
#[cfg(feature = "cuda")]
pub mod compile {
    pub use gpu_graph_runtime::driver::cuda::compile::{
        CompileError, DEFAULT_BYTES, Embedded, Folder, Form, Made, Message, Options, bundle,
        default_folder, embed, kernels,
    };
}

#[cfg(feature = "cuda")]
pub use gpu_graph_runtime::graph::cuda;
pub use gpu_graph_runtime::graph::{
    Detached, Device, Escaped, IntoInput, LoadError, NonFinite, Output, Record, RunError, host,
};
pub use gpu_graph_runtime::{bf16, f16};

/// What [`Record::explain`](crate::Record::explain) answers.
pub mod explain {
    pub use gpu_graph_runtime::graph::{
        Blocker, Explanation, InPlace, Obstacle, Relation, Storage, UnknownResource,
    };
}

/// What a loaded graph takes, from its `memory()`, and what graphs took one after another, from
/// [`Device::log_loads`].
pub mod memory {
    pub use gpu_graph_runtime::graph::{Bytes, Guarded, Kept, Load, Loads, Memory};
}

/// What a run was seen to do, from its `profile()`.
pub mod profile {
    pub use gpu_graph_runtime::graph::{KernelTime, Profile, ProfileUse, TaskTime};
}

/// The decision record as data, with the feature `report`: what `Record::report` makes, and what
/// was measured.
///
/// A [`ProfileLog`](report::ProfileLog) puts runs together and writes them to a file. A graph that
/// names the file in `profile "…";` takes costs from it; `judge` holds two of them against the record:
/// of the graph as it stands, and of the plan that `minimize` chose. Keep what each run writes apart from
/// the file that `profile` names: a change of that one builds the graph anew.
///
/// ```
/// use gpu_graph::report::{Disposition, Measured, ProfileLog};
///
/// mod kernels {
///     pub fn widen<D>(x: &[f32], out: &mut [f32], _: D) {
///         let rows = out.chunks_exact_mut(64).zip(x);
///         rows.for_each(|(row, x)| row.fill(*x));
///     }
///     pub fn sum<D>(x: &[f32], out: &mut [f32], _: D) {
///         let rows = out.iter_mut().zip(x.chunks_exact(64));
///         rows.for_each(|(out, row)| *out = row.iter().sum());
///     }
/// }
///
/// // The text, once: as it stands, and with an objective.
/// macro_rules! twice {
///     ($($choice:tt)*) => {
///         gpu_graph::gpu_graph! {
///             kernel widen(x: &[f32; n]) -> [f32; m] { host crate::kernels::widen }
///             kernel sum(x: &[f32; m]) -> [f32; n] { host crate::kernels::sum }
///             pub graph Twice {
///                 dim n in 1..=1024;
///                 streams 1;
///                 $($choice)*
///                 input x: [f32; n];
///                 let a: [f32; 64 * n] = widen(&x);
///                 let b: [f32; 64 * n] = widen(&x);
///                 output p: [f32; n] = sum(&a);
///                 output q: [f32; n] = sum(&b);
///             }
///         }
///     };
/// }
/// mod plain { twice!(); }
/// mod planned { twice!(minimize peak;); }
///
/// /// What so many runs were seen to take.
/// macro_rules! measured {
///     ($of:ident) => {{
///         let mut graph = $of::Twice::load(&gpu_graph::host(), $of::twice::Dims { n: 16 })?;
///         graph.profile(true)?;
///         let mut log = ProfileLog::new();
///         for _ in 0..9 {
///             let run = graph.run($of::twice::Inputs { x: vec![1.0; 16] })?;
///             log.add(&run.profile()?.ok_or("it is not profiled")?)?;
///         }
///         log.measured().ok_or("nothing was run")?
///     }};
/// }
///
/// fn main() -> Result<(), Box<dyn std::error::Error>> {
///     let file = std::env::temp_dir().join(format!("planned-{}.json", std::process::id()));
///     measured!(planned).write(&file)?; // what `profile "…";` would name
///     let (before, after) = (measured!(plain), Measured::read(&file)?);
///     let report = planned::Twice::RECORD.judge(&before, &after)?;
///     let verdict = &report.plans[0].claims.verdict;
///     assert_eq!(verdict.disposition, Disposition::MeasuredFinding, "{}", verdict.because);
///     # std::fs::remove_file(&file)?;
///     Ok(())
/// }
/// ```
#[cfg(feature = "report")]
pub use gpu_graph_runtime::report;

/// What generated code names. Not for use by hand: it changes with every release.
#[doc(hidden)]
pub mod __private {
    pub use gpu_graph_runtime::exec::{
        Args, Code, CudaCode, CudaSource, CudaText, Element, HostFn, Image, Rank, ScalarValue,
    };
    pub use gpu_graph_runtime::graph::foreign;
    pub use gpu_graph_runtime::graph::{
        Begin, DeclaredGraph, DeclaredKernel, Detached, Device, Escaped, Graph, InNoLane,
        IntoInput, LaneCore, LoadError, Memory, Output, Profile, Record, RunCore, RunError, Setup,
    };
    pub use gpu_graph_runtime::{bf16, f16, formula, prove, table, verify};
}

/// The examples of the README, compiled.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
pub struct Readme;

/// The examples of what is said of GPUs, compiled.
#[cfg(all(doctest, feature = "cuda"))]
#[doc = include_str!("../docs/gpu.md")]
pub struct Gpu;
