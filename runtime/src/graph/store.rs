//! What outlives the runs of a graph: resident inputs and inouts, one copy for all instances.

use std::sync::Arc;

use super::device::CopyError;
use super::instance::Instance;
use super::load::Graph;
use super::{IntoInput, RunError};
use crate::driver::{Address, DriverError};
use crate::exec::{Element, Held, Tables};
use crate::table::{Class, Elem};

/// A resource that outlives runs, at actual dims.
struct Kept {
    /// Which it is in each variant.
    resources: Box<[u32]>,
    name: &'static str,
    elem: Elem,
    len: usize,
    /// Its type at these dims.
    shape: Arc<str>,
    /// A resident input that waits for its content.
    unset: bool,
}

/// The resources of a graph that outlive its runs.
pub(super) struct Store {
    /// Resident inputs in order of declaration.
    resident: Box<[Kept]>,
    /// Inouts in order of declaration.
    inouts: Box<[Kept]>,
    /// Resident inputs that wait for their content.
    unset: usize,
    /// A reset was refused when some inouts were zero and others were not.
    torn: bool,
}

impl Store {
    /// All variants have the same ones, in one order, at one place.
    pub(super) fn new(variants: &[Arc<Tables>]) -> Self {
        let of = |class: Class| {
            let first = &variants[0];
            let all = numbers(first, class).enumerate();
            let kept = all.map(|(nth, resource)| {
                let r = &first.image().source.resources[resource as usize];
                let numbers = variants.iter().filter_map(|t| numbers(t, class).nth(nth));
                Kept {
                    resources: numbers.collect(),
                    name: r.name,
                    elem: r.elem,
                    len: first.bytes(resource) / r.elem.size() as usize,
                    shape: first.shape(resource).into(),
                    unset: class == Class::Resident,
                }
            });
            kept.collect::<Box<[_]>>()
        };
        let resident = of(Class::Resident);
        Self {
            unset: resident.len(),
            resident,
            inouts: of(Class::Inout),
            torn: false,
        }
    }

    /// Whether every resident input has its content.
    pub(super) fn ready(&self, graph: &'static str) -> Result<(), RunError> {
        if self.unset == 0 {
            return Ok(());
        }
        match self.resident.iter().find(|kept| kept.unset) {
            Some(Kept { name: input, .. }) => Err(RunError::NotSet { graph, input }),
            None => Ok(()),
        }
    }

    /// The resource and the length of the inout of that position, whose elements are `elem`.
    pub(super) fn inout(&self, index: usize, elem: Elem) -> (u32, usize) {
        let kept = &self.inouts[index];
        assert!(kept.elem == elem, "the inout has another element type");
        (kept.resources[0], kept.len)
    }

    /// Whether runs go on from what the run before left.
    pub(super) fn updated(&self) -> bool {
        !self.inouts.is_empty()
    }

    /// Whether a reset has left it half-updated.
    pub(super) fn torn(&self) -> bool {
        self.torn
    }
}

/// The resources of that class, in order of declaration.
fn numbers(tables: &Tables, class: Class) -> impl Iterator<Item = u32> {
    let all = (0..).zip(tables.image().source.resources);
    all.filter(move |(_, r)| r.class == class).map(|(i, _)| i)
}

impl Graph {
    /// Sets the resident input of that position in order of declaration, for all runs from the next
    /// one on. Waits until no run is in flight. Data that is owned, or shared, is not copied where
    /// kernels can read host memory.
    ///
    /// # Errors
    /// [`RunError::InputLength`], and then nothing has changed; [`RunError::InsideKernel`] where a
    /// kernel asks, and what the driver says.
    ///
    /// # Panics
    /// Where the graph has fewer resident inputs, or this one another element type.
    pub fn set<T: Element, I: IntoInput<T>>(
        &mut self,
        index: usize,
        input: I,
    ) -> Result<(), RunError> {
        let kept = &self.shared.store.resident[index];
        assert!(kept.elem == T::ELEM, "the input has another element type");
        let given = input.view().len();
        if given != kept.len {
            return Err(RunError::InputLength {
                graph: self.shared.name(),
                input: kept.name,
                given,
                expected: kept.len,
                shape: Arc::clone(&kept.shape),
            });
        }
        self.idle()?;
        let mut copied = None;
        let copy = |data: &[T]| copied.insert(Held::vec(data.to_vec())).data();
        let (_, owned) = input.deliver(copy);
        let Some(held) = owned.or(copied) else {
            unreachable!("data is owned or copied");
        };
        let held = Arc::new(held);
        if self.shared.device.info().unified {
            let resources = &self.shared.store.resident[index].resources;
            for instance in &self.instances {
                for (part, &resource) in instance.parts.iter().zip(resources) {
                    // SAFETY: no run is in flight, and none starts while the graph is borrowed
                    // mutably. The length was checked, the element type as well, and `held` owns
                    // the data, which nobody writes: a vector is ours, and a shared slice is not
                    // written while it is counted.
                    unsafe { part.executable.set_resident(resource, &held) };
                }
            }
        } else {
            self.upload(self.shared.store.resident[index].resources[0], &held)?;
        }
        let store = &mut self.shared.store;
        let fresh = std::mem::replace(&mut store.resident[index].unset, false);
        store.unset -= usize::from(fresh);
        Ok(())
    }

    /// Copies to the store, which no run reads now. `resource` is of the first variant.
    fn upload(&mut self, resource: u32, held: &Arc<Held>) -> Result<(), RunError> {
        let executable = &self.instances[0].parts[0].executable;
        let to = Address(executable.base(resource));
        let from = Address(held.data().cast_mut());
        let bytes = executable.bytes(resource) as u64;
        // SAFETY: both are that long, and apart: one is the host's, the other the device's. No run
        // is in flight. For a copy that does not end, see below.
        match unsafe { self.shared.device.copy(to, from, bytes) } {
            Ok(()) => Ok(()),
            Err(CopyError::Refused(e)) => Err(e.into()),
            Err(CopyError::Unfinished(e)) => {
                // It may read the data and write the store for good, so both stay and no run starts.
                std::mem::forget(Arc::clone(held));
                self.instances.iter().for_each(Instance::abandon);
                Err(e.into())
            }
        }
    }

    /// Sets all inouts to zero, as they were when the graph was loaded. Waits until no run is in
    /// flight. A graph that a failed run left poisoned runs again.
    ///
    /// # Errors
    /// [`RunError::InsideKernel`] where a kernel asks, and what the driver says. Where not all inouts
    /// are as they were then, runs are [refused](RunError::Poisoned) until a reset is made.
    pub fn reset(&mut self) -> Result<(), RunError> {
        self.idle()?;
        self.clear()?;
        for instance in &mut self.instances {
            instance.reset = instance.runs;
        }
        Ok(())
    }

    /// Sets all inouts to zero. No run is in flight.
    pub(super) fn clear(&mut self) -> Result<(), DriverError> {
        let executable = &self.instances[0].parts[0].executable;
        let inouts = self.shared.store.inouts.iter();
        let mut slots = inouts
            .filter(|kept| kept.len > 0)
            .map(|kept| {
                let resource = kept.resources[0];
                let to = Address(executable.base(resource));
                (to, executable.bytes(resource) as u64)
            })
            .peekable();
        if slots.peek().is_none() {
            return Ok(());
        }
        let mut asked = 0usize;
        let slots = slots.inspect(|_| asked += 1);
        // SAFETY: each slot is that long, its executable keeps it, and no run is in flight. For fills
        // that do not end, see below.
        match unsafe { self.shared.device.zero(slots) } {
            Ok(()) => {
                self.shared.store.torn = false;
                Ok(())
            }
            Err(CopyError::Refused(e)) => {
                self.shared.store.torn |= asked > 1;
                Err(e)
            }
            Err(CopyError::Unfinished(e)) => {
                // They may write the store for good, so that stays and no run starts.
                self.instances.iter().for_each(Instance::abandon);
                Err(e)
            }
        }
    }

    /// Waits until no run is in flight.
    pub(super) fn idle(&mut self) -> Result<(), RunError> {
        for instance in &self.instances {
            instance.usable(self.shared.name())?;
            if instance.runs == 0 {
                continue;
            }
            let last = &self.shared.variants[instance.last];
            for &event in &last.gates {
                let (index, run) = (instance.index, instance.part().generation);
                last.exec.wait(index, run, event)?;
            }
        }
        Ok(())
    }
}
