//! What goes into a run and comes out of it, at actual dims.

use std::sync::Arc;

use super::staging::STAGING_ALIGN;
use crate::exec::{Image, Tables};
use crate::table::{Class, Elem, HostOp, Op};

/// An input at actual dims.
pub(super) struct Inlet {
    pub(super) resource: u32,
    pub(super) name: &'static str,
    pub(super) elem: Elem,
    pub(super) len: usize,
    /// Its type at these dims.
    pub(super) shape: Arc<str>,
    /// Where it starts in the staging.
    pub(super) staged: usize,
}

/// An output at actual dims.
pub(super) struct Outlet {
    pub(super) resource: u32,
    pub(super) name: &'static str,
    pub(super) elem: Elem,
    pub(super) len: usize,
    /// Events that are complete once it may be read.
    pub(super) events: Box<[u32]>,
}

/// Inputs, and the bytes of staging for all of them.
pub(super) fn inlets(tables: &Tables) -> (Box<[Inlet]>, usize) {
    let mut inlets = Vec::new();
    let mut staged = 0usize;
    for (resource, r) in (0..).zip(tables.image().source.resources) {
        if r.class.is_input() {
            let bytes = tables.bytes(resource);
            inlets.push(Inlet {
                resource,
                name: r.name,
                elem: r.elem,
                len: bytes / r.elem.size() as usize,
                shape: tables.shape(resource).into(),
                staged,
            });
            // What does not fit the address space has no allocation either.
            staged = staged
                .saturating_add(bytes)
                .checked_next_multiple_of(STAGING_ALIGN)
                .unwrap_or(usize::MAX);
        }
    }
    (inlets.into(), staged)
}

/// Outputs.
pub(super) fn outlets(tables: &Tables) -> Box<[Outlet]> {
    let image = tables.image();
    let mut outlets = Vec::new();
    for (resource, r) in (0..).zip(image.source.resources) {
        if r.class == Class::Output {
            let len = tables.bytes(resource) / r.elem.size() as usize;
            let events = events(image, resource);
            outlets.push(Outlet {
                resource,
                name: r.name,
                elem: r.elem,
                len,
                events,
            });
        }
    }
    outlets.into()
}

/// The events that the host waits for before it reads `resource`: those since the read before.
fn events(image: &Image, resource: u32) -> Box<[u32]> {
    let mut events = Vec::new();
    for op in image.program.collect {
        match *op {
            HostOp::Wait { event } => events.push(event),
            HostOp::Read { resource: r } if r == resource => return events.into(),
            HostOp::Read { .. } => events.clear(),
        }
    }
    // Never read by the program: then only a whole run makes it readable.
    gates(image)
}

/// The events that are complete once a run has ended.
pub(super) fn gates(image: &Image) -> Box<[u32]> {
    let gate = |op: &Op| match *op {
        Op::Gate { event } => Some(event),
        _ => None,
    };
    image.program.issue.iter().filter_map(gate).collect()
}
