//! What a graph is to the analysis: resources, tasks with their accesses, and demands.
//!
//! Tasks stand in statement order, and statements have sequential meaning. A [`Site`] says where
//! something was written; the analysis only hands it back in faults.

mod demand;
mod elem;
mod regions;
mod resource;
mod task;

use std::collections::BTreeMap;

pub use demand::{Again, Budget, Order, Pair};
pub use elem::Elem;
pub use regions::RegionBytes;
pub use resource::{Class, Region, Resource, ResourceId};
pub use task::{Access, KernelKind, Launch, Mode, Rows, Task, TaskId, TaskKind};

use crate::declared::Declared;
use crate::expr::Expr;
use crate::workspace::Workspace;

/// Where something was written. The caller gives sites meaning.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Site(pub u32);

/// A dynamic extent and its declared bounds, both included; or a product of others, see
/// [`Expr::times`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dim {
    /// Name, as declared; a product as it is written.
    pub name: String,
    /// Smallest admitted value.
    pub min: u64,
    /// Largest admitted value.
    pub max: u64,
    /// Of a product its factors, over dims before this one; empty where it is declared.
    pub product: Vec<Expr>,
    /// Its declaration; of a product, where it is first written.
    pub site: Site,
}

impl Dim {
    /// It is declared, and no product of others.
    pub fn is_declared(&self) -> bool {
        self.product.is_empty()
    }
}

/// A graph.
#[derive(Clone, Debug, PartialEq)]
pub struct Model {
    /// Name of the graph.
    pub name: String,
    /// Its name, where the graph is declared.
    pub site: Site,
    /// Dynamic extents.
    pub dims: Vec<Dim>,
    /// Names of the isolation domains, the one of all that is declared in none first; empty where
    /// none is declared. Of all combinations of variants those that one has are the first of those that
    /// the next one has, so that a number is the same domain in each.
    pub domains: Vec<String>,
    /// Resources in order of declaration.
    pub resources: Vec<Resource>,
    /// Where the extents of resources are written, slowest first; of one that has none here they are
    /// shown at its name.
    pub extents: BTreeMap<ResourceId, Vec<Site>>,
    /// Tasks in statement order, uploads first.
    pub tasks: Vec<Task>,
    /// Demanded orders.
    pub orders: Vec<Order>,
    /// Demanded reconstructions.
    pub again: Vec<Again>,
    /// Demanded aliases.
    pub aliases: Vec<Pair>,
    /// Demanded separations.
    pub separate: Vec<Pair>,
    /// Resources of which the address is asked to be the same in every run, as that of all is whose
    /// storage is not the caller's.
    pub stable: Vec<ResourceId>,
    /// Largest total of arenas, if one was declared.
    pub budget: Option<Budget>,
    /// Runs in flight at once, at least 1.
    pub depth: u32,
    /// Streams of one instance at most, at least 1; `depth * streams` is at most 16.
    pub streams: u32,
    /// Declared workspaces; their resources are among `resources`.
    pub workspaces: Vec<Workspace>,
    /// What it is planned for, and what its record keeps.
    pub declared: Declared,
}

impl Model {
    /// Where extent number `axis` of `resource` is written.
    pub fn extent_site(&self, resource: ResourceId, axis: usize) -> Site {
        let written = self.extents.get(&resource);
        let written = written.and_then(|sites| sites.get(axis));
        written.map_or(self.resources[resource.0 as usize].site, |site| *site)
    }

    /// The dims that are declared, in order.
    pub fn declared_dims(&self) -> impl Iterator<Item = &Dim> {
        self.dims.iter().filter(|dim| dim.is_declared())
    }
}
