//! Loading: from a proved program to instances that can run.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use super::arena::Arena;
use super::ports::{Inlet, Outlet, gates, inlets, outlets};
use super::staging::Staging;
use super::{Begin, Device, LaneCore, LoadError};
use crate::driver::{DriverError, Exec};
use crate::exec::{Executable, Image, Tables};
use crate::table::{Op, SLOT_ALIGN};
use crate::verify::verify;

/// A graph at actual dims, on a device. Generated types wrap one.
///
/// Dropping it never waits: runs in flight end by themselves, and what they use goes with the last
/// of them.
pub struct Graph {
    // Instances and `shared` may go in any order; the driver keeps what runs use.
    instances: Box<[Instance]>,
    shared: Shared,
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
}

/// One copy of the ring.
pub(super) struct Instance {
    pub(super) index: u32,
    pub(super) executable: Arc<Executable>,
    pub(super) staging: Arc<Staging>,
    /// Runs started so far.
    pub(super) generation: u64,
    /// A copy out of it never ended.
    pub(super) lost: AtomicBool,
}

/// What a run in flight needs besides its inputs: dropped with the last thread that may use it.
struct Keep {
    _arena: Option<Arc<Arena>>,
    _staging: Arc<Staging>,
}

impl Graph {
    /// Loads `image` on `device` with `dims`, in the order of their declaration.
    ///
    /// # Errors
    /// Where a dim is out of its bounds, where the program is not proved for these dims, and where
    /// the device or the host has no room. Nothing is left behind then.
    pub fn load(device: &Device, image: Image, dims: &[u64]) -> Result<Self, LoadError> {
        let source = image.source;
        let graph = source.name;
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
        if chained && image.program.ring > 1 {
            let what = "a run waits for the previous one on another lane";
            return Err(LoadError::Unsupported { graph, what });
        }
        // SAFETY: the program has just been proved for these dims.
        unsafe { Self::load_unproved(device, image, dims) }
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
        let graph = image.source.name;
        let failed = |source| LoadError::Driver { graph, source };
        let program = image.program;
        let tables = Tables::resolve(image, dims);
        let tables = Arc::new(tables.map_err(|source| LoadError::Tables { graph, source })?);
        let (inputs, staged) = inlets(&tables);
        let (arena, start, stride) = arena(device, &image)?;

        let mut instances = Vec::with_capacity(program.ring as usize);
        for index in 0..program.ring {
            let staging = Staging::new(staged).ok_or(LoadError::OutOfMemory {
                graph,
                what: "staging",
                requested: staged as u64,
                instances: 1,
                each: staged as u64,
            })?;
            let staging = Arc::new(staging);
            let keep = Arc::new(Keep {
                _arena: arena.clone(),
                _staging: Arc::clone(&staging),
            });
            let start = start.wrapping_add(stride * index as usize);
            let tables = Arc::clone(&tables);
            // SAFETY: each instance has `stride` bytes of the arena for itself, mapped, aligned to
            // a slot and initialised by the word of the driver, and `keep` owns them. That the
            // program is proved is the caller's word.
            let executable =
                unsafe { Executable::new(tables, index, start, device.info().unified, keep) };
            instances.push(Instance {
                index,
                executable: Arc::new(executable),
                staging,
                generation: 0,
                lost: AtomicBool::new(false),
            });
        }
        let ring = instances
            .iter()
            .map(|i| Arc::clone(&i.executable))
            .collect();
        // SAFETY: the caller has the program proved, and these are all instances in order.
        let exec = unsafe { device.driver().instantiate(ring) }.map_err(failed)?;
        Ok(Self {
            instances: instances.into(),
            shared: Shared {
                image,
                device: device.clone(),
                exec,
                gates: gates(&image),
                inputs,
                outputs: outlets(&tables),
            },
        })
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

impl fmt::Debug for Graph {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Graph")
            .field("name", &self.shared.image.source.name)
            .field("device", &self.shared.device)
            .field("lanes", &self.instances.len())
            .finish_non_exhaustive()
    }
}

/// The arena of all instances, its start, and the bytes from one instance to the next.
type Storage = (Option<Arc<Arena>>, *mut u8, usize);

fn arena(device: &Device, image: &Image) -> Result<Storage, LoadError> {
    let graph = image.source.name;
    let (each, instances) = (image.program.arena, image.program.ring);
    let no_room = |requested| LoadError::OutOfMemory {
        graph,
        what: "arena",
        requested,
        instances,
        each,
    };
    let stride = each.checked_next_multiple_of(SLOT_ALIGN);
    let total = stride.and_then(|s| s.checked_mul(u64::from(instances)));
    let (Some(stride), Some(total)) = (stride, total.filter(|&t| t <= isize::MAX as u64)) else {
        return Err(no_room(total.unwrap_or(u64::MAX)));
    };
    if total == 0 {
        return Ok((
            None,
            std::ptr::without_provenance_mut(SLOT_ALIGN as usize),
            0,
        ));
    }
    let failed = |e| match e {
        DriverError::OutOfMemory { .. } => no_room(total),
        source => LoadError::Driver { graph, source },
    };
    let arena = Arena::new(device.driver(), total).map_err(failed)?;
    let start = arena.address().map_err(failed)?.0;
    Ok((Some(Arc::new(arena)), start, stride as usize))
}
