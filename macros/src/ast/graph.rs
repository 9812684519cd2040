//! `graph Edges { … }`.

use proc_macro2::Ident;
use syn::Visibility;

use super::{Attr, Body, Bytes, Count, Declared, Dim, ElemType, Variant};

/// A graph.
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
    /// Variants, in order.
    pub variants: Vec<Variant>,
    /// Its statements.
    pub body: Body,
    /// What is kept in its record alone.
    pub declared: Declared,
    /// Most bytes.
    pub budget: Option<Bytes>,
    /// Addresses that are handed out.
    pub escapes: Vec<Escape>,
    /// Resources with one address in every run.
    pub stable: Vec<Ident>,
    /// Runs in flight.
    pub pipelined: Option<Count>,
    /// Streams of one instance at most.
    pub streams: Option<Count>,
    /// Part of it could not be read, and that was reported.
    pub broken: bool,
}

/// `escape x as p owned by run`.
pub struct Escape {
    /// `doc` and others.
    pub attrs: Vec<Attr>,
    /// The resource.
    pub name: Ident,
    /// What the address is called.
    pub pointer: Ident,
    /// Who keeps what it points to, if it is said.
    pub owner: Option<(Owner, Ident)>,
}

/// Who keeps what an address points to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Owner {
    /// `run`.
    Run,
    /// `graph`.
    Graph,
    /// `unknown`.
    Unknown,
}

/// `scalar low: f32`.
pub struct ScalarDecl {
    /// `doc` and others.
    pub attrs: Vec<Attr>,
    /// Its name.
    pub name: Ident,
    /// Its type.
    pub ty: ElemType,
    /// A run is refused where it is not a finite number.
    pub finite: bool,
}
