//! Calls, as they are written.

use std::fmt;

use crate::expr::Expr;
use crate::fault::raw;
use crate::model::{Elem, Resource, ResourceId, Rows, Site};

/// A call of a kernel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Call {
    /// Label of the task, or a name made from what it does.
    pub name: String,
    /// Arguments, in order.
    pub args: Vec<Arg>,
    /// What the result overwrites.
    pub place: Option<Place>,
    /// Resources before it that nothing takes yet, the nearest first, where an argument is missing
    /// that one of them may be.
    pub idle: Vec<ResourceId>,
    /// The end of the argument list, where an argument may be missing.
    pub end: Site,
    /// The call.
    pub site: Site,
}

/// An argument.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Arg {
    /// What it is.
    pub kind: ArgKind,
    /// The whole of it.
    pub site: Site,
}

/// What an argument is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ArgKind {
    /// `&x`, `&mut x`, `&x[a..b]`.
    Ref {
        /// It is `&mut`.
        mutable: bool,
        /// What it refers to.
        place: Place,
    },
    /// The name of a resource without `&`, which no kernel takes.
    Bare(ResourceId),
    /// A literal.
    Literal(Literal),
    /// A scalar of the graph.
    Scalar {
        /// Its name.
        name: String,
        /// Its index.
        index: u32,
        /// Its type.
        elem: Elem,
        /// Its name in its declaration.
        declared: Site,
    },
    /// An expression over dims.
    Extent {
        /// Its value, in which constants and loop variables are numbers.
        value: Expr,
        /// As it is written.
        text: String,
    },
}

impl ArgKind {
    /// What a call that wants something else is told that it passes.
    pub(super) fn described(&self, resources: &[Resource]) -> String {
        let name = |id: &ResourceId| resources.get(id.0 as usize).map_or("", |r| r.name.as_str());
        match self {
            ArgKind::Ref { place, .. } => format!("the resource `{}`", name(&place.resource)),
            ArgKind::Bare(id) => format!("`{}` by value", name(id)),
            ArgKind::Literal(literal) => format!("the literal `{literal}`"),
            ArgKind::Scalar { name, .. } => format!("the scalar `{name}`"),
            ArgKind::Extent { text, .. } => format!("the number `{text}`"),
        }
    }

    /// The name of the resource that is passed without a `&`, as it is written.
    pub(super) fn bare(&self, resources: &[Resource]) -> Option<String> {
        match self {
            ArgKind::Bare(id) => {
                let resource = resources.get(id.0 as usize)?;
                Some(raw(&resource.name).into_owned())
            }
            _ => None,
        }
    }
}

/// A resource, or some of its rows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// Which resource.
    pub resource: ResourceId,
    /// Which rows.
    pub rows: Rows,
    /// Name and brackets.
    pub site: Site,
    /// The brackets; the same as `site` where there are none.
    pub rows_site: Site,
}

/// A literal argument.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Literal {
    /// Its value.
    pub value: Value,
    /// `i32` of `-2i32`.
    pub suffix: Option<Elem>,
}

/// The value of a literal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    /// No point, no exponent.
    Int(i128),
    /// Decimal text, as `f64::from_str` reads it; rounded once, to the type it is used at.
    Float(String),
}

impl fmt::Display for Literal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.value {
            Value::Int(value) => write!(f, "{value}")?,
            Value::Float(text) => f.write_str(text)?,
        }
        self.suffix.map_or(Ok(()), |elem| write!(f, "{elem}"))
    }
}
