//! Order, liveness, alias proofs, layout and schedule of GPU task graphs, without a compiler or a
//! GPU.
//!
//! A [`Model`] says what a graph is: resources, tasks in statement order with their accesses, and
//! demands. [`analyse`] refuses what it cannot prove, and plans the rest:
//!
//! ```text
//!   kernels, calls ── calls::bind ──▶ Model
//!                                       │
//!          ┌────────────────────────────┤ analyse
//!          ▼                            ▼
//!        check        written before read, overlaps, unused, sizes, limits
//!          ▼
//!        order        dependencies from conflicting accesses and `order`
//!          ▼
//!        frontier     first and last frontier of each resource
//!          ▼
//!        alias        who may share storage, by what proof; demands
//!          ▼
//!        layout       offsets over the partial order, a lower bound, the budget
//!          ▼
//!        schedule     streams, issue order, events, waits
//!          ▼
//!        policy       what is weighed: added edges, and values that are made again (recompute)
//!          ▼
//!        peak         what is live at once, at least and at most, over all executions
//!          ▼
//!        Plan, Record                       or, from any phase, its Faults
//! ```
//!
//! Each phase collects all its faults; the next one does not start if there are any that its proofs
//! would rest on. Bounds over dims are proved for every value that a dim admits ([`expr`]). What one
//! expression as a kernel means is in [`formula`]. Offsets for any set of buffers are in [`place`], and how
//! capacities may follow sizes that change in [`growth`]. The texts of faults are in
//! [`fault`]; where something is written is an opaque [`Site`](model::Site) to this crate.
//!
//! # Example
//!
//! `input x; let y = square(&x); output z = square(&y);`
//!
//! ```
//! use gpu_graph_analysis::calls::{self, Arg, ArgKind, Call, Kernel, KernelDim, Param, ParamKind};
//! use gpu_graph_analysis::model::*;
//! use gpu_graph_analysis::{analyse, expr::Expr};
//!
//! let at = Site(0);
//! // kernel square(a: &[f32; n]) -> [f32; n]
//! let tensor = calls::Tensor { elem: Elem::F32, shape: vec![Expr::dim(0)], site: at };
//! let kind = ParamKind::Tensor { tensor: tensor.clone(), mutable: false };
//! let square = Kernel {
//!     name: "square".into(),
//!     dims: vec![KernelDim { name: "n".into(), site: at }],
//!     params: vec![Param { name: "a".into(), kind, site: at }],
//!     result: Some(tensor),
//!     over: None,
//!     shared: None,
//!     kind: KernelKind::Kernel, zeroed: vec![], in_place: None,
//!     site: at,
//! };
//! assert!(square.check().is_empty());
//!
//! let resource = |name: &str, class| Resource {
//!     name: name.into(),
//!     class,
//!     elem: Elem::F32,
//!     domain: 0, shape: vec![Expr::dim(0)],
//!     site: at,
//! };
//! let mut model = Model {
//!     name: "Squares".into(),
//!     site: at,
//!     dims: vec![Dim { name: "h".into(), min: 1, max: 1024, product: vec![], site: at }],
//!     domains: Vec::new(), extents: Default::default(), resources: vec![
//!         resource("x", Class::Input),
//!         resource("y", Class::Transient),
//!         resource("z", Class::Output),
//!     ],
//!     tasks: vec![],
//!     orders: vec![], again: vec![],
//!     aliases: vec![],
//!     separate: vec![], stable: vec![],
//!     budget: None,
//!     depth: 1,
//!     streams: 1,
//!     workspaces: vec![],
//!     declared: Default::default(),
//! };
//! let whole = |r, mode| Access { resource: ResourceId(r), mode, rows: Rows::All, site: at };
//! model.tasks.push(Task {
//!     name: "upload x".into(),
//!     kind: TaskKind::Upload,
//!     accesses: vec![whole(0, Mode::Overwrite)],
//!     site: at,
//! });
//! for (from, to) in [(0, 1), (1, 2)] {
//!     let place = |r| calls::Place { resource: ResourceId(r), rows: Rows::All, site: at, rows_site: at };
//!     let call = Call {
//!         name: "square".into(),
//!         args: vec![Arg { kind: ArgKind::Ref { mutable: false, place: place(from) }, site: at }],
//!         place: Some(place(to)),
//!         idle: Vec::new(),
//!         end: at,
//!         site: at,
//!     };
//!     let bound = calls::bind(&square, 0, &call, &model.resources, &model.dims).unwrap();
//!     model.tasks.push(bound.task(&call));
//! }
//!
//! let analysis = analyse(&model).unwrap();
//! assert_eq!(analysis.plan.slots[0].bytes, 4096);
//!
//! // Without the first call, `y` is read before anything writes it.
//! model.tasks.remove(1);
//! let faults = analyse(&model).unwrap_err();
//! assert_eq!(faults[0].code.to_string(), "GG0201");
//! ```

#![deny(missing_docs)]
#![forbid(unsafe_code)]

pub mod alias;
pub mod antichain;
pub mod calls;
pub mod check;
pub mod declared;
pub mod digest;
pub mod expr;
pub mod fault;
pub mod formula;
pub mod frontier;
pub mod growth;
mod half;
#[cfg(feature = "json")]
pub mod json;
pub mod layout;
pub mod limits;
pub mod measured;
pub mod model;
pub mod order;
pub mod peak;
pub mod place;
pub mod plan;
pub mod policy;
pub mod recompute;
pub mod record;
mod rows;
pub mod schedule;
pub mod variants;
pub mod workspace;

use fault::Fault;
use model::Model;
use plan::Plan;
use record::Record;

/// Faults that leave accesses, demands and so the order of a model as they are.
const BESIDE_ORDER: &[fault::Code] = &[
    fault::OUTPUT_NOT_WRITTEN,
    fault::UNUSED,
    fault::LAUNCH_GEOMETRY,
    fault::PARAMETER_BLOCK,
    fault::SHARED_MEMORY,
];

/// What is known of a graph that was accepted.
#[derive(Clone, Debug)]
pub struct Analysis {
    /// Storage, schedule and events.
    pub plan: Plan,
    /// What was decided, and why.
    pub record: Record,
}

/// Checks and plans `model`. The same model gives the same answer on every machine.
///
/// # Errors
/// All faults of the first phase that finds any, and those of orders and aliases where nothing that
/// these are proved from is in doubt.
pub fn analyse(model: &Model) -> Result<Analysis, Vec<Fault>> {
    sound(model, check::check(model))?;
    let (plan, record) = plan::plan(model)?;
    Ok(Analysis { plan, record })
}

/// Whether `model` can be planned, of which `faults` were found by the checks; all of them where it
/// cannot.
fn sound(model: &Model, mut faults: Vec<Fault>) -> Result<(), Vec<Fault>> {
    if faults.is_empty() {
        return Ok(());
    }
    if faults
        .iter()
        .all(|fault| BESIDE_ORDER.contains(&fault.code))
    {
        faults.extend(plan::demand_faults(model));
    }
    Err(faults)
}
