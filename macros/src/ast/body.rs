//! Statements whose place among the others has meaning, and what stands between the braces of a
//! graph, a stage, a loop or an arm.

use gpu_graph_analysis::model::Class;
use proc_macro2::Ident;
use syn::Lifetime;

use super::{
    Attr, Call, Const, Count, Extent, Match, Order, Pair, Recompute, Tensor, View, Workspace,
};
use crate::span::Region;

/// What stands between braces: [`stmts`](Body::stmts) in their order, and the statements whose order
/// means nothing.
#[derive(Default)]
pub struct Body {
    /// Constants, each over those before it.
    pub consts: Vec<Const>,
    /// Resources, tasks, loops and matches, in order.
    pub stmts: Vec<Stmt>,
    /// Demanded orders.
    pub orders: Vec<Order>,
    /// Demanded aliases.
    pub aliases: Vec<Pair>,
    /// Demanded separations.
    pub separate: Vec<Pair>,
    /// Demanded reconstructions.
    pub recomputes: Vec<Recompute>,
    /// It ends with a call without a semicolon, or with a `match` whose arms do.
    pub valued: bool,
    /// Part of it could not be read, and that was reported.
    pub broken: bool,
    /// Inputs and scalars of which only the name could be read.
    pub lost: Vec<Ident>,
}

impl Body {
    /// What is declared in it, in order.
    pub fn declares(&self) -> impl Iterator<Item = &Declare> {
        self.stmts.iter().filter_map(|stmt| match stmt {
            Stmt::Declare(declare) => Some(declare),
            _ => None,
        })
    }
}

/// A statement whose place among the others has meaning.
pub enum Stmt {
    /// `input x: …;`, `let x: … = …;`, `output x: … = …;`.
    Declare(Declare),
    /// A call that stands alone or overwrites a place.
    Task(Task),
    /// The last call of a stage, or of an arm that a stage ends with, without a semicolon: it
    /// overwrites the stage's result.
    Tail(Task),
    /// `for l in 0..4 { … }`.
    For(For),
    /// `view v = &x[a..b];`, `view v = &x as [f32; n];`.
    View(NamedView),
    /// `match mode { … }`.
    Match(Match),
}

/// A name for rows of a resource.
pub struct NamedView {
    /// The name.
    pub name: Ident,
    /// What it stands for.
    pub of: View,
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
    /// `ring 2`, of staging.
    pub ring: Option<Count>,
    /// `tenant_a` of `in domain tenant_a`.
    pub domain: Option<Ident>,
    /// What a workspace says beside its type; there for those alone.
    pub workspace: Option<Workspace>,
    /// The call whose result it is; never there for an input.
    pub call: Option<Call>,
    /// The arms of the `match` behind it fill it.
    pub matched: bool,
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

/// Statements once for each value of a variable.
pub struct For {
    /// The variable.
    pub var: Ident,
    /// Its values.
    pub range: Range,
    /// The statements.
    pub body: Body,
}

/// `a..b` or `a..=b`.
pub struct Range {
    /// The first value.
    pub start: Extent,
    /// The last one, or the one behind it.
    pub end: Extent,
    /// `end` is the last value.
    pub inclusive: bool,
    /// All of it.
    pub region: Region,
}

impl Stmt {
    /// The label of its task.
    pub fn label(&self) -> Option<&Lifetime> {
        match self {
            Stmt::Declare(declare) => declare.label.as_ref(),
            Stmt::Task(task) | Stmt::Tail(task) => task.label.as_ref(),
            Stmt::For(_) | Stmt::View(_) | Stmt::Match(_) => None,
        }
    }

    /// The call in it.
    pub fn call(&self) -> Option<&Call> {
        match self {
            Stmt::Declare(declare) => declare.call.as_ref(),
            Stmt::Task(task) | Stmt::Tail(task) => Some(&task.call),
            Stmt::For(_) | Stmt::View(_) | Stmt::Match(_) => None,
        }
    }
}
