//! Loading: from proved programs to instances that can run.

use std::fmt;
use std::sync::Arc;
use std::time::Instant;

use super::arena::{self, Arena};
use super::instance::{Instance, Part};
use super::memory::{self, Memory};
use super::ports::inlets;
use super::staging::Staging;
use super::store::Store;
use super::variant::{Variant, agree};
use super::{Begin, Device, LaneCore, LoadError, RunError};
use crate::driver::{Address, DriverError};
use crate::exec::{Executable, Image, Placement, Rank, Storage, Tables};
use crate::sync::Inside;
use crate::table::Op;

/// A graph at actual dims, on a device. Generated types wrap one.
///
/// Dropping it never waits: runs in flight end by themselves, and what they use goes with the last
/// of them.
pub struct Graph {
    // Instances and `shared` may go in any order; the driver keeps what runs use.
    pub(super) instances: Box<[Instance]>,
    pub(super) shared: Shared,
}

/// What all lanes of a graph read.
pub(super) struct Shared {
    /// One for each combination of variants; one where none is declared. They go before the device,
    /// whose last handle sees to what they leave.
    pub(super) variants: Box<[Variant]>,
    pub(super) device: Device,
    /// What outlives runs.
    pub(super) store: Store,
    memory: Memory,
}

impl Shared {
    pub(super) fn memory(&self) -> &Memory {
        &self.memory
    }

    /// The name of the graph.
    pub(super) fn name(&self) -> &'static str {
        self.variants[0].image.source.name
    }
}

/// What a run in flight needs besides its inputs: dropped with the last thread that may use it.
struct Keep {
    _arena: Option<Arc<Arena>>,
    _store: Option<Arc<Arena>>,
    _staging: Arc<Staging>,
    _pinned: Staging,
}

impl Graph {
    /// Loads `image` on `device` with `dims`, in the order of their declaration.
    ///
    /// # Errors
    /// Where a dim is out of its bounds, where the program is not proved for these dims, and where
    /// the device or the host has no room; inside a kernel. Nothing is left behind then.
    pub fn load(device: &Device, image: Image, dims: &[u64]) -> Result<Self, LoadError> {
        Self::load_variants(device, &[image], dims)
    }

    /// As [`load`](Self::load), with a rank of the group in which its collectives meet others.
    ///
    /// # Errors
    /// As [`load`](Self::load), and [`LoadError::Group`] where another rank loaded another graph,
    /// or this one at other dims. The group ends then, since the rank is gone.
    pub fn load_in(
        device: &Device,
        image: Image,
        dims: &[u64],
        rank: Rank,
    ) -> Result<Self, LoadError> {
        let began = Instant::now();
        let graph = image.source.name;
        let failed = |source| LoadError::Group { graph, source };
        rank.runs(&image, dims).map_err(failed)?;
        admit(&image, dims)?;
        if image.program.ring > 1 {
            let what = "collectives of lanes would meet in any order";
            return Err(LoadError::Unsupported { graph, what });
        }
        let (placements, memory) = memory::place(&[image], dims)?;
        // SAFETY: the program has just been proved for these dims with these slots.
        let loaded =
            unsafe { Self::place(device, &[image], dims, placements, memory, Some(rank)) }?;
        Ok(loaded.logged(began))
    }

    /// Loads a graph with variants, an image for each combination of them: one arena for all, as
    /// large as the largest needs, and one store. Each is made ready now, which on the host takes a
    /// thread that sleeps for each combination, instance and stream but the first.
    ///
    /// # Errors
    /// As [`load`](Self::load), and where the images are not of one graph.
    pub fn load_variants(
        device: &Device,
        images: &[Image],
        dims: &[u64],
    ) -> Result<Self, LoadError> {
        let began = Instant::now();
        for image in images {
            admit(image, dims)?;
        }
        let (placements, memory) = memory::place(images, dims)?;
        // SAFETY: the programs have just been proved for these dims with these slots.
        let loaded = unsafe { Self::place(device, images, dims, placements, memory, None) }?;
        Ok(loaded.logged(began))
    }

    /// Loads without the verifier, for tests that plant faults in a program.
    ///
    /// # Errors
    /// As [`load_variants`](Self::load_variants), but for what only the verifier finds.
    ///
    /// # Safety
    /// The programs have passed the verifier for `dims`; or the driver runs one task at a time, all
    /// of them lie in the arena, and nobody trusts the results.
    #[doc(hidden)]
    pub unsafe fn load_unproved(
        device: &Device,
        images: &[Image],
        dims: &[u64],
    ) -> Result<Self, LoadError> {
        let (placements, memory) = memory::planned(images, dims);
        // SAFETY: the caller's.
        unsafe { Self::place(device, images, dims, placements, memory, None) }
    }

    /// The same, once the device was told that it is loaded.
    fn logged(self, began: Instant) -> Self {
        let Shared { device, memory, .. } = &self.shared;
        device.loaded(memory, began.elapsed());
        self
    }

    /// How much memory it takes, and why.
    pub fn memory(&self) -> &Memory {
        &self.shared.memory
    }

    /// # Safety
    /// As [`load_unproved`](Self::load_unproved), with the slots of `placements`.
    unsafe fn place(
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

    /// Says whether runs from the next one on are timed, task by task. The first time takes memory, and
    /// on a GPU events; a run takes two readings of a clock for each task more.
    ///
    /// # Errors
    /// What the device refuses. No run is timed then.
    pub fn profile(&mut self, on: bool) -> Result<(), RunError> {
        let variants = &mut self.shared.variants;
        let timed = variants.iter_mut().try_for_each(|v| v.exec.time(on));
        if timed.is_err() {
            // To stop takes nothing that could be refused.
            let all = variants.iter_mut();
            all.for_each(|v| drop(v.exec.time(false)));
        }
        Ok(timed?)
    }

    /// The first step of a run on the only lane, or the first.
    pub fn begin(&mut self) -> Begin<'_> {
        Begin::new(&self.shared, &mut self.instances[0])
    }

    /// The lanes of a pipelined graph, each for itself and for any thread.
    ///
    /// # Panics
    /// Where `N` is not the depth that the graph declares.
    pub fn lanes<const N: usize>(&mut self) -> [LaneCore<'_>; N] {
        assert!(
            N == self.instances.len(),
            "the graph has another number of lanes"
        );
        let shared = &self.shared;
        let mut instances = self.instances.iter_mut();
        std::array::from_fn(|_| match instances.next() {
            Some(instance) => LaneCore::new(shared, instance),
            None => unreachable!("as many instances as lanes"),
        })
    }
}

/// Whether one program can be loaded at these dims, but for its proof.
fn admit(image: &Image, dims: &[u64]) -> Result<(), LoadError> {
    let source = image.source;
    let graph = source.name;
    if Inside::is() {
        return Err(LoadError::InsideKernel { graph });
    }
    if dims.len() != source.dims.len() {
        return Err(LoadError::DimCount {
            graph,
            given: dims.len(),
            expected: source.dims.len(),
        });
    }
    for (d, &value) in source.dims.iter().zip(dims) {
        if value < d.min || value > d.max {
            return Err(LoadError::Dim {
                graph,
                dim: d.name,
                value,
                min: d.min,
                max: d.max,
            });
        }
    }
    // Lanes run in any order, so "the previous run" has no meaning between them.
    let mut ops = image.program.issue.iter();
    if image.program.ring > 1 && ops.any(|op| matches!(op, Op::WaitPrev { .. })) {
        let what = "a run waits for the previous one on another lane";
        return Err(LoadError::Unsupported { graph, what });
    }
    Ok(())
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

impl fmt::Debug for Graph {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Graph")
            .field("name", &self.shared.name())
            .field("device", &self.shared.device)
            .field("lanes", &self.instances.len())
            .finish_non_exhaustive()
    }
}
