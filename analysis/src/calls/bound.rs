//! What a call that is in order comes to.

use super::Call;
use crate::expr::Expr;
use crate::model::{Access, Launch, Task, TaskKind};

/// A scalar argument of a task.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ScalarArg {
    /// The bits of a constant, zero-extended to 64.
    Const(u64),
    /// The graph's scalar of that index, set at every run.
    Param(u32),
    /// The value of an expression over the graph's dims, never negative.
    Extent(Expr),
}

/// A call that is in order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bound {
    /// Accesses in the order of the kernel's parameters, the result last.
    pub accesses: Vec<Access>,
    /// Scalar arguments in the order of the kernel's parameters.
    pub scalars: Vec<ScalarArg>,
    /// The kernel's dims over the graph's.
    pub dims: Vec<Expr>,
    /// The launch.
    pub launch: Launch,
}

impl Bound {
    /// The task that `call` becomes.
    pub fn task(&self, call: &Call) -> Task {
        Task {
            name: call.name.clone(),
            kind: TaskKind::Kernel(self.launch.clone()),
            accesses: self.accesses.clone(),
            site: call.site,
        }
    }
}
