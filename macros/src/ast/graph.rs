//! `graph Edges { … }`.

use gpu_graph_analysis::model::Class;
use proc_macro2::Ident;
use syn::{Lifetime, Visibility};

use super::{Attr, Bytes, Call, Count, Dim, ElemType, Order, Pair, Tensor, View};

/// A graph: [`stmts`](Graph::stmts) in their order, and the statements whose order means nothing.
pub struct Graph {
    /// `doc` and others.
    pub attrs: Vec<Attr>,
    /// Its visibility, if one is written.
    pub vis: Visibility,
    /// Its name.
    pub name: Ident,
    /// Dims, in order.
    pub dims: Vec<Dim>,
    /// Scalars, in order.
    pub scalars: Vec<ScalarDecl>,
    /// Resources and tasks, in order.
    pub stmts: Vec<Stmt>,
    /// Demanded orders.
    pub orders: Vec<Order>,
    /// Demanded aliases.
    pub aliases: Vec<Pair>,
    /// Demanded separations.
    pub separate: Vec<Pair>,
    /// Most bytes.
    pub budget: Option<Bytes>,
    /// Runs in flight.
    pub pipelined: Option<Count>,
    /// Streams of one instance at most.
    pub streams: Option<Count>,
    /// Part of it could not be read, and that was reported.
    pub broken: bool,
}

/// A statement whose place among the others has meaning.
pub enum Stmt {
    /// `input x: …;`, `let x: … = …;`, `output x: … = …;`.
    Declare(Declare),
    /// A call that stands alone or overwrites a place.
    Task(Task),
}

/// The declaration of a resource, with the call that fills it where one does.
pub struct Declare {
    /// `doc` and others.
    pub attrs: Vec<Attr>,
    /// `'blur` of `'blur: let …`.
    pub label: Option<Lifetime>,
    /// From its word.
    pub class: Class,
    /// Its name.
    pub name: Ident,
    /// Its type.
    pub tensor: Tensor,
    /// The call whose result it is; never there for an input.
    pub call: Option<Call>,
}

/// `place = call;` or `call;`.
pub struct Task {
    /// `'blur` of `'blur: x = …`.
    pub label: Option<Lifetime>,
    /// What the result overwrites.
    pub place: Option<View>,
    /// The call.
    pub call: Call,
}

/// `scalar low: f32`.
pub struct ScalarDecl {
    /// `doc` and others.
    pub attrs: Vec<Attr>,
    /// Its name.
    pub name: Ident,
    /// Its type.
    pub ty: ElemType,
}
