//! Loading: from a proved program to instances that can run.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use super::arena::{self, Arena};
use super::ports::{Inlet, Outlet, gates, inlets, outlets};
use super::staging::Staging;
use super::store::Store;
use super::{Begin, Device, LaneCore, LoadError, RunError};
use crate::driver::{Address, Exec};
use crate::exec::{Executable, Image, Rank, Storage, Tables};
use crate::sync::Inside;
use crate::table::{Op, SLOT_ALIGN};
use crate::verify::verify;

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
    pub(super) image: Image,
    pub(super) device: Device,
    pub(super) exec: Box<dyn Exec>,
    /// Events that are complete once a run has ended.
    pub(super) gates: Box<[u32]>,
    /// Inputs in order of declaration.
    pub(super) inputs: Box<[Inlet]>,
    /// Outputs in order of declaration.
    pub(super) outputs: Box<[Outlet]>,
    /// What outlives runs.
    pub(super) store: Store,
}

/// One copy of the ring.
pub(super) struct Instance {
    pub(super) index: u32,
    pub(super) executable: Arc<Executable>,
    pub(super) staging: Arc<Staging>,
    /// Runs started so far.
    pub(super) generation: u64,
    /// The run up to which what runs leave has been reset.
    pub(super) reset: u64,
    /// A copy or fill never ended.
    pub(super) lost: AtomicBool,
}

impl Instance {
    /// # Errors
    /// [`RunError::Lost`] where a copy never ended.
    pub(super) fn usable(&self, graph: &'static str) -> Result<(), RunError> {
        match self.lost.load(Ordering::Relaxed) {
            true => Err(RunError::Lost { graph }),
            false => Ok(()),
        }
    }

    /// Something that never ends may touch its storage for good: that stays, and no run writes it.
    pub(super) fn abandon(&self) {
        self.lost.store(true, Ordering::Relaxed);
        std::mem::forget(Arc::clone(&self.executable));
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
        Self::proved(device, image, dims, None)
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
        let graph = image.source.name;
        let failed = |source| LoadError::Group { graph, source };
        rank.runs(&image, dims).map_err(failed)?;
        Self::proved(device, image, dims, Some(rank))
    }

    fn proved(
        device: &Device,
        image: Image,
        dims: &[u64],
        rank: Option<Rank>,
    ) -> Result<Self, LoadError> {
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
        verify(source, image.program, dims).map_err(|violation| LoadError::Unproved {
            graph,
            violation,
            what: violation.named(source).to_string(),
        })?;
        // Lanes run in any order, so "the previous run" has no meaning between them.
        let chained = image
            .program
            .issue
            .iter()
            .any(|op| matches!(op, Op::WaitPrev { .. }));
        if rank.is_some() && image.program.ring > 1 {
            let what = "collectives of lanes would meet in any order";
            return Err(LoadError::Unsupported { graph, what });
        }
        if chained && image.program.ring > 1 {
            let what = "a run waits for the previous one on another lane";
            return Err(LoadError::Unsupported { graph, what });
        }
        // SAFETY: the program has just been proved for these dims.
        unsafe { Self::place(device, image, dims, rank) }
    }

    /// Loads without the verifier, for tests that plant faults in a program.
    ///
    /// # Errors
    /// As [`load`](Self::load), but for what only the verifier finds.
    ///
    /// # Safety
    /// The program has passed the verifier for `dims`; or the driver runs one task at a time, all
    /// of them lie in the arena, and nobody trusts the results.
    #[doc(hidden)]
    pub unsafe fn load_unproved(
        device: &Device,
        image: Image,
        dims: &[u64],
    ) -> Result<Self, LoadError> {
        // SAFETY: the caller's.
        unsafe { Self::place(device, image, dims, None) }
    }

    /// # Safety
    /// As [`load_unproved`](Self::load_unproved).
    unsafe fn place(
        device: &Device,
        image: Image,
        dims: &[u64],
        mut rank: Option<Rank>,
    ) -> Result<Self, LoadError> {
        let graph = image.source.name;
        let failed = |source| LoadError::Driver { graph, source };
        let program = image.program;
        let tables = Tables::resolve(image, dims);
        let tables = Arc::new(tables.map_err(|source| LoadError::Tables { graph, source })?);
        let (inputs, staged) = inlets(&tables);
        let arena = arena::Piece::new(device, graph, "arena", program.ring, program.arena)?;
        let kept = arena::Piece::new(device, graph, "store", 1, program.store)?;

        let mut instances = Vec::with_capacity(program.ring as usize);
        for index in 0..program.ring {
            let staging = Arc::new(staging(graph, staged as u64)?);
            let (block, pinned) = pinned(graph, program.pinned)?;
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
            let tables = Arc::clone(&tables);
            // SAFETY: each instance has `stride` bytes of the arena for itself and all share the
            // store; both are mapped, aligned to a slot and initialised by the word of the driver,
            // and `keep` owns them. That the program is proved is the caller's word.
            let mut executable =
                unsafe { Executable::new(tables, index, storage, device.info().unified, keep) };
            // There is one instance: collectives in lanes are refused.
            if let Some(rank) = rank.take() {
                executable.join(rank);
            }
            instances.push(Instance {
                index,
                executable: Arc::new(executable),
                staging,
                generation: 0,
                reset: 0,
                lost: AtomicBool::new(false),
            });
        }
        let ring = instances
            .iter()
            .map(|i| Arc::clone(&i.executable))
            .collect();
        // SAFETY: the caller has the program proved, and these are all instances in order.
        let exec = unsafe { device.driver().instantiate(ring) }.map_err(failed)?;
        let mut graph = Self {
            instances: instances.into(),
            shared: Shared {
                image,
                device: device.clone(),
                exec,
                gates: gates(&image),
                inputs,
                outputs: outlets(&tables),
                store: Store::new(&tables),
            },
        };
        graph.clear().map_err(failed)?;
        Ok(graph)
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

/// Host memory for inputs, or for what kernels stage.
fn staging(graph: &'static str, bytes: u64) -> Result<Staging, LoadError> {
    let made = usize::try_from(bytes).ok().and_then(Staging::new);
    made.ok_or(LoadError::OutOfMemory {
        graph,
        what: "staging",
        requested: bytes,
        instances: 1,
        each: bytes,
    })
}

/// Host memory of which the first slot starts at the address.
fn pinned(graph: &'static str, bytes: u64) -> Result<(Staging, *mut u8), LoadError> {
    let room = match bytes {
        0 => 0,
        some => some.saturating_add(SLOT_ALIGN),
    };
    let block = staging(graph, room)?;
    let start = block.start();
    Ok((
        block,
        start.wrapping_add(start.align_offset(SLOT_ALIGN as usize)),
    ))
}

impl fmt::Debug for Graph {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Graph")
            .field("name", &self.shared.image.source.name)
            .field("device", &self.shared.device)
            .field("lanes", &self.instances.len())
            .finish_non_exhaustive()
    }
}
