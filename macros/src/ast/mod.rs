//! The syntax tree of `gpu_graph!`: what was written and where, before any meaning.
//!
//! Whatever a fault may point to has a [`Region`](crate::span::Region) or is a token that has one.
//! Names are not resolved and counts are not checked here; the numbers fit their types.

mod attr;
mod body;
mod call;
mod constant;
mod declared;
mod demand;
mod extent;
mod formula;
mod graph;
mod kernel;
mod literal;
mod setting;
mod stage;
mod tensor;
mod variant;
mod workspace;

pub use attr::Attr;
pub use body::{Body, Declare, For, NamedView, Range, Stmt, Task};
pub use call::{Arg, ArgKind, Call, Effect, Retain, RowRange, Seen, View};
pub use constant::{Const, IntType};
pub use declared::{Declared, Minimize, Tolerance, Weight};
pub use demand::{Order, Pair, Recompute};
pub use extent::{Binary, Extent, ExtentKind};
pub use formula::Formula;
pub use graph::{Escape, Graph, Owner, ScalarDecl};
pub use kernel::{Block, Cuda, Host, InPlace, Kernel, KernelKind, Over, Param, ParamType};
pub use literal::{Int, Literal, Value};
pub use setting::{Bytes, Count, Dim};
pub use stage::Stage;
pub use tensor::{ElemType, Tensor};
pub use variant::{Arm, Match, Variant, VariantValue};
pub use workspace::Workspace;

/// All that one `gpu_graph!` declares.
#[derive(Default)]
pub struct Items {
    /// Constants, in order.
    pub consts: Vec<Const>,
    /// Kernels, in order.
    pub kernels: Vec<Kernel>,
    /// Stages, in order.
    pub stages: Vec<Stage>,
    /// Graphs, in order.
    pub graphs: Vec<Graph>,
    /// An item could not be read so far as to know its name.
    pub unnamed: bool,
}

impl Items {
    /// How many there are.
    pub fn len(&self) -> usize {
        self.consts.len() + self.kernels.len() + self.stages.len() + self.graphs.len()
    }
}
