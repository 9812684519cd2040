//! From placed programs to instances: storage is taken, and each program is made ready on the device.

use std::sync::Arc;

use super::super::arena::{self, Arena};
use super::super::instance::{Instance, Part};
use super::super::memory::Memory;
use super::super::ports::inlets;
use super::super::staging::Staging;
use super::super::store::Store;
use super::super::variant::{Variant, agree};
use super::super::{Device, LoadError};
use super::{Graph, Shared};
use crate::driver::{Address, DriverError};
use crate::exec::{Executable, Image, Placement, Rank, Storage, Tables};

/// What a run in flight needs besides its inputs: dropped with the last thread that may use it.
struct Keep {
    _arena: Option<Arc<Arena>>,
    _store: Option<Arc<Arena>>,
    _staging: Arc<Staging>,
    _pinned: Staging,
}

impl Graph {
    /// # Safety
    /// As [`load_unproved`](Self::load_unproved), with the slots of `placements`.
    pub(super) unsafe fn assemble(
        device: &Device,
        images: &[Image],
        dims: &[u64],
        placements: Vec<Placement>,
        memory: Memory,
        mut rank: Option<Rank>,
    ) -> Result<Self, LoadError> {
        let graph = images.first().map_or("", |image| image.source.name);
        let failed = |source| LoadError::Driver { graph, source };
        let placed = images.iter().zip(placements);
        let resolved = placed.map(|(image, placement)| Tables::placed(*image, dims, placement));
        let tables = resolved
            .map(|t| t.map(Arc::new))
            .collect::<Result<Vec<_>, _>>();
        let tables = tables.map_err(|source| LoadError::Tables { graph, source })?;
        agree(&tables).map_err(|what| LoadError::Unsupported { graph, what })?;
        // All have as many instances, as large a store, and the same inputs.
        let (ring, bytes) = (images[0].program.ring, memory.actual());
        let (_, staged) = inlets(&tables[0]);
        let arena = arena::Piece::new(device, graph, "arena", ring, bytes.arena)?;
        let kept = arena::Piece::new(device, graph, "store", 1, bytes.store)?;

        let mut instances = Vec::with_capacity(ring as usize);
        for index in 0..ring {
            let staging = Arc::new(staging(device, graph, staged as u64)?);
            let block = self::staging(device, graph, bytes.staging)?;
            let pinned = block.start();
            let keep = Arc::new(Keep {
                _pinned: block,
                _arena: arena.owner.clone(),
                _store: kept.owner.clone(),
                _staging: Arc::clone(&staging),
            });
            let storage = Storage {
                arena: Address(arena.start.wrapping_add(arena.stride * index as usize)),
                store: Address(kept.start),
                pinned: Address(pinned),
            };
            let part = |tables: &Arc<Tables>| {
                let (tables, keep) = (Arc::clone(tables), Arc::clone(&keep));
                let unified = device.info().unified;
                // SAFETY: each instance has `stride` bytes of the arena and a pinned block for
                // itself, and all share the store; each is as large as the largest program asks,
                // mapped, aligned to a slot and initialised by the word of the driver, and `keep`
                // owns them. The executables of one instance take turns: one is started only
                // behind the gates of the one before, which its proof shows to end all of it. That
                // the programs are proved is the caller's word.
                let mut executable =
                    unsafe { Executable::new(tables, index, storage, unified, keep) };
                if device.info().stages {
                    for inlet in &inlets(executable.tables()).0 {
                        let place = staging.start().wrapping_add(inlet.staged);
                        // SAFETY: no run is in flight and none but this thread has the executable.
                        // `keep` owns the staging, which has room for the input there, aligned, and
                        // is written behind gates alone.
                        unsafe { executable.set_input(inlet.resource, place, None) };
                    }
                }
                // There is one: collectives in lanes are refused, and so are those in variants.
                if let Some(rank) = rank.take() {
                    executable.join(rank);
                }
                Part {
                    executable: Arc::new(executable),
                    generation: 0,
                }
            };
            let parts = tables.iter().map(part).collect();
            instances.push(Instance::new(index, parts, staging));
        }
        let mut variants = Vec::with_capacity(images.len());
        for (number, tables) in tables.iter().enumerate() {
            let executable = |i: &Instance| Arc::clone(&i.parts[number].executable);
            let ring = instances.iter().map(executable).collect();
            // SAFETY: the caller has the program proved, and these are all instances in order.
            let exec = unsafe { device.driver().instantiate(ring) }.map_err(failed)?;
            variants.push(Variant::new(tables, exec));
        }
        let mut graph = Self {
            instances: instances.into(),
            shared: Shared {
                device: device.clone(),
                variants: variants.into(),
                store: Store::new(&tables),
                memory,
            },
        };
        graph.clear().map_err(failed)?;
        Ok(graph)
    }
}

/// Host memory for inputs, or for what kernels stage.
fn staging(device: &Device, graph: &'static str, bytes: u64) -> Result<Staging, LoadError> {
    Staging::new(device.driver(), bytes).map_err(|source| match source {
        DriverError::OutOfMemory { .. } => LoadError::OutOfMemory {
            graph,
            what: "staging",
            requested: bytes,
            instances: 1,
            each: bytes,
        },
        source => LoadError::Driver { graph, source },
    })
}
