//! What the user demands of the plan.

use proc_macro2::Ident;
use syn::Lifetime;

use crate::span::Region;

/// `order 'a -> 'b -> 'c`: each completes before the next starts.
pub struct Order {
    /// Labels of tasks, at least two.
    pub labels: Vec<Lifetime>,
    /// Without the semicolon.
    pub region: Region,
}

/// `recompute t before 'z`.
pub struct Recompute {
    /// What is made again.
    pub name: Ident,
    /// The label of the reader before which it is.
    pub before: Lifetime,
}

/// `alias a with b`, or `separate a, b`.
pub struct Pair {
    /// The first resource.
    pub a: Ident,
    /// The second.
    pub b: Ident,
}
