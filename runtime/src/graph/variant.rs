//! The variants of a graph: a program for each combination of what is chosen at a run.
//!
//! Each is proved by itself. One instance runs one of them at a time, so that all of them lie in one
//! range: a run of any starts behind the gates of the run before on its instance, which show that
//! all of that is over (that they do is part of each proof). So each run starts alone in an arena
//! whose former accesses are over, which is all that its proof asks for. That no byte is used in two
//! isolation domains holds of all of them together, which is proved beside them. What outlives runs lies
//! at the same place for all, which is checked here.

use std::sync::Arc;

use super::ports::{Inlet, Outlet, gates, inlets, outlets};
use crate::driver::Exec;
use crate::exec::{Image, Tables};
use crate::table::{Class, Elem};

/// What is run where one combination is chosen.
pub(super) struct Variant {
    pub(super) image: Image,
    pub(super) exec: Box<dyn Exec>,
    /// Events that are complete once a run has ended.
    pub(super) gates: Box<[u32]>,
    /// Inputs in order of declaration, the same for all but for their numbers.
    pub(super) inputs: Box<[Inlet]>,
    /// Outputs in order of declaration, likewise.
    pub(super) outputs: Box<[Outlet]>,
}

impl Variant {
    pub(super) fn new(tables: &Tables, exec: Box<dyn Exec>) -> Self {
        let image = *tables.image();
        Self {
            image,
            exec,
            gates: gates(&image),
            inputs: inlets(tables).0,
            outputs: outlets(tables),
        }
    }
}

/// Whether variants of one graph can take turns; what they disagree on where they cannot.
pub(super) fn agree(all: &[Arc<Tables>]) -> Result<(), &'static str> {
    let Some((first, others)) = all.split_first() else {
        return Err("it has no program");
    };
    let (a, kept, seen) = (first.image(), stored(first), ports(first));
    for other in others {
        let b = other.image();
        let same = a.source.dims == b.source.dims
            && a.source.params == b.source.params
            && a.program.ring == b.program.ring
            && seen == ports(other);
        if !same {
            return Err("its variants differ in what a run is given and gives");
        }
        let stores = [first, other].map(|t| t.placement().store);
        if stores[0] != stores[1] || kept != stored(other) {
            return Err("its variants differ in where they keep what outlives runs");
        }
    }
    Ok(())
}

/// Name, class, element and bytes of what the host sets, replaces or reads.
fn ports(tables: &Tables) -> Vec<(&'static str, Class, Elem, usize)> {
    let resources = (0..).zip(tables.image().source.resources);
    let seen = resources.filter(|(_, r)| r.class.persists() || faces_host(r.class));
    seen.map(|(i, r)| (r.name, r.class, r.elem, tables.bytes(i)))
        .collect()
}

fn faces_host(class: Class) -> bool {
    class.is_input() || class == Class::Output
}

/// Where what outlives runs starts in the store.
fn stored(tables: &Tables) -> Vec<u64> {
    let Image {
        source, program, ..
    } = tables.image();
    let placed = tables.placement().of(program);
    let slots = source.resources.iter().zip(placed.slots);
    let kept = slots.filter(|(r, _)| r.class.persists());
    kept.map(|(_, slot)| slot.offset - placed.arena).collect()
}
