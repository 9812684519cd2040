//! Loading: from proved programs to instances that can run.

mod assemble;

use std::fmt;
use std::time::Instant;

use super::instance::Instance;
use super::memory::{self, Memory};
use super::store::Store;
use super::variant::Variant;
use super::{Begin, Device, LaneCore, LoadError, RunError};
use crate::exec::{Image, Rank};
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
            unsafe { Self::assemble(device, &[image], dims, placements, memory, Some(rank)) }?;
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
        let loaded = unsafe { Self::assemble(device, images, dims, placements, memory, None) }?;
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
        unsafe { Self::assemble(device, images, dims, placements, memory, None) }
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

impl fmt::Debug for Graph {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Graph")
            .field("name", &self.shared.name())
            .field("device", &self.shared.device)
            .field("lanes", &self.instances.len())
            .finish_non_exhaustive()
    }
}
