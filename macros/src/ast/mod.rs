//! The syntax tree of `gpu_graph!`: what was written and where, before any meaning.
//!
//! Whatever a fault may point to has a [`Region`](crate::span::Region) or is a token that has one.
//! Names are not resolved and counts are not checked here; the numbers fit their types.

mod attr;
mod call;
mod demand;
mod extent;
mod graph;
mod kernel;
mod literal;
mod setting;
mod tensor;

pub use attr::Attr;
pub use call::{Arg, ArgKind, Call, Effect, RowRange, View};
pub use demand::{Order, Pair};
pub use extent::{Binary, Extent, ExtentKind};
pub use graph::{Declare, Graph, ScalarDecl, Stmt, Task};
pub use kernel::{Block, Cuda, Host, InPlace, Kernel, Over, Param, ParamType};
pub use literal::{Int, Literal, Value};
pub use setting::{Bytes, Count, Dim};
pub use tensor::{ElemType, Tensor};

/// All that one `gpu_graph!` declares.
#[derive(Default)]
pub struct Items {
    /// Kernels, in order.
    pub kernels: Vec<Kernel>,
    /// Graphs, in order.
    pub graphs: Vec<Graph>,
}
