//! One lane of a graph: the way from inputs to a run.

use std::fmt;
use std::sync::Arc;

use super::instance::Instance;
use super::load::Shared;
use super::ports::Inlet;
use super::variant::Variant;
use super::{IntoInput, NonFinite, RunCore, RunError};
use crate::exec::{Element, ScalarValue};

/// One of the runs that a pipelined graph can have in flight. Lanes run in any order, each from any
/// thread.
pub struct LaneCore<'g> {
    shared: &'g Shared,
    instance: &'g mut Instance,
}

impl<'g> LaneCore<'g> {
    pub(super) fn new(shared: &'g Shared, instance: &'g mut Instance) -> Self {
        Self { shared, instance }
    }

    /// The first step of a run.
    pub fn begin(&mut self) -> Begin<'_> {
        Begin::new(self.shared, self.instance)
    }
}

/// Where `run` of a pipelined graph leads: nothing is of this kind, so each call of it is refused, and told
/// of lanes.
#[diagnostic::on_unimplemented(
    message = "a pipelined graph has no `run`, and its lanes have",
    label = "run one of `let [mut a, mut b] = graph.lanes();`",
    note = "there are as many lanes as `pipelined` says, each for one run in flight"
)]
pub trait InNoLane {
    /// There is none.
    fn never(self) -> std::convert::Infallible;
}

/// First step of a run: inputs are looked at and nothing is taken.
pub struct Begin<'r> {
    shared: &'r Shared,
    instance: &'r mut Instance,
    chosen: usize,
    next: usize,
}

impl<'r> Begin<'r> {
    pub(super) fn new(shared: &'r Shared, instance: &'r mut Instance) -> Self {
        Self {
            shared,
            instance,
            chosen: 0,
            next: 0,
        }
    }

    /// Chooses what runs, by its position among the combinations of variants: the first declared
    /// variant changes slowest. Without it, and where none is declared, it is the first.
    ///
    /// # Panics
    /// Where the graph has fewer.
    pub fn variant(mut self, index: usize) -> Self {
        assert!(
            index < self.shared.variants.len(),
            "the graph has fewer variants"
        );
        self.chosen = index;
        self
    }

    /// Checks the length of the next input, in order of declaration.
    ///
    /// # Errors
    /// [`RunError::InputLength`].
    pub fn check<T: Element, I: IntoInput<T>>(mut self, input: &I) -> Result<Self, RunError> {
        fits::<T>(
            &self.shared.variants[self.chosen],
            self.next,
            input.view().len(),
        )?;
        self.next += 1;
        Ok(self)
    }

    /// Checks a scalar that is declared finite.
    ///
    /// # Errors
    /// [`RunError::NotFinite`].
    pub fn finite(self, scalar: &'static str, value: f64) -> Result<Self, RunError> {
        let graph = self.shared.name();
        match NonFinite::of(value) {
            Some(value) => Err(RunError::NotFinite {
                graph,
                scalar,
                value,
            }),
            None => Ok(self),
        }
    }

    /// Waits until the last run on this lane has ended, whatever it was.
    ///
    /// # Errors
    /// [`RunError::NotSet`], [`RunError::Poisoned`], [`RunError::InsideKernel`] where a kernel asks,
    /// [`RunError::Lost`], and what the driver says.
    pub fn gate(self) -> Result<Setup<'r>, RunError> {
        self.pass(true)
    }

    /// As [`gate`](Self::gate), but does not wait.
    ///
    /// # Errors
    /// [`RunError::InFlight`] where the last run has not ended.
    pub fn try_gate(self) -> Result<Setup<'r>, RunError> {
        self.pass(false)
    }

    fn pass(self, wait: bool) -> Result<Setup<'r>, RunError> {
        let Self {
            shared,
            instance,
            chosen,
            ..
        } = self;
        let graph = shared.name();
        instance.usable(graph)?;
        shared.store.ready(graph)?;
        if instance.runs > 0 {
            let Variant { exec, gates, .. } = &shared.variants[instance.last];
            let (index, run) = (instance.index, instance.part().generation);
            for &event in gates {
                if exec.query(index, run, event) {
                    continue;
                }
                if !wait {
                    return Err(RunError::InFlight {
                        graph,
                        lane: index,
                        depth: shared.variants[0].image.program.ring,
                    });
                }
                exec.wait(index, run, event)?;
            }
            // What a failed run left half-updated is nothing to go on from.
            if shared.store.updated()
                && instance.runs > instance.reset
                && exec.failure(index).is_some()
            {
                return Err(RunError::Poisoned { graph });
            }
            instance.switch(&shared.variants, chosen);
        }
        // Nor is what a reset left that was refused halfway.
        if shared.store.torn() {
            return Err(RunError::Poisoned { graph });
        }
        Ok(Setup {
            shared,
            variant: &shared.variants[chosen],
            instance,
            chosen,
            next_input: 0,
            next_param: 0,
        })
    }
}

/// Second step of a run: the lane is free, and its inputs and scalars are set.
pub struct Setup<'r> {
    shared: &'r Shared,
    variant: &'r Variant,
    instance: &'r mut Instance,
    chosen: usize,
    next_input: usize,
    next_param: u32,
}

impl<'r> Setup<'r> {
    /// Sets the next input, in order of declaration: copies what is borrowed, keeps what is owned.
    ///
    /// # Errors
    /// [`RunError::InputLength`].
    pub fn input<T: Element, I: IntoInput<T>>(mut self, input: I) -> Result<Self, RunError> {
        let inlet = fits::<T>(self.variant, self.next_input, input.view().len())?;
        let staging = &self.instance.staging;
        let executable = &self.instance.parts[self.chosen].executable;
        // SAFETY: `inlet` has room for `inlet.len` elements at its place, aligned. The gate has
        // shown that no run of this instance is in flight, and none starts while the lane is
        // borrowed mutably.
        let stage = |data: &[T]| unsafe { staging.put(inlet.staged, data) };
        let (data, held) = match self.shared.device.info().stages {
            true => (stage(input.view()), None),
            false => input.deliver(stage),
        };
        // SAFETY: as above, nothing is in flight and nobody else sets inputs. `data` has the right
        // length, is aligned for `T`, which is the element of the resource, and lives in the
        // staging, which the executable keeps, or in `held`, which it is given now. Nobody writes
        // there: staging is written behind a gate only, a vector is ours, and a shared slice is not
        // written while it is counted.
        unsafe { executable.set_input(inlet.resource, data, held) };
        self.next_input += 1;
        Ok(self)
    }

    /// Sets the next scalar, in order of declaration.
    ///
    /// # Panics
    /// Where the graph has no more scalars.
    pub fn scalar<T: ScalarValue>(mut self, value: T) -> Self {
        assert!(
            self.next_param < self.variant.image.source.params,
            "the graph has fewer scalars"
        );
        self.instance.parts[self.chosen]
            .executable
            .set_param(self.next_param, value.to_bits());
        self.next_param += 1;
        self
    }

    /// Starts the run.
    ///
    /// # Errors
    /// [`RunError::InsideKernel`] where a kernel asks, and what the driver says.
    ///
    /// # Panics
    /// Where an input or a scalar has not been set.
    pub fn start(self) -> Result<RunCore<'r>, RunError> {
        let Self {
            shared,
            variant,
            instance,
            chosen,
            next_input,
            next_param,
        } = self;
        assert!(next_input == variant.inputs.len(), "an input is not set");
        assert!(
            next_param == variant.image.source.params,
            "a scalar is not set"
        );
        let generation = instance.parts[chosen].generation + 1;
        // SAFETY: the gates of the instance's last run, whichever variant it was of, were passed to
        // come here, so nothing of it is under way; and every input is set.
        let started = unsafe { variant.exec.start(instance.index, generation) };
        // A run of which a part was issued is in flight all the same, and has failed.
        if started.is_ok() || variant.exec.started(instance.index) == generation {
            instance.parts[chosen].generation = generation;
            instance.last = chosen;
            instance.runs += 1;
        }
        started?;
        Ok(RunCore::new(shared, variant, instance))
    }
}

/// Whether the `index`th input has elements of `T` and `given` of them.
fn fits<T: Element>(variant: &Variant, index: usize, given: usize) -> Result<&Inlet, RunError> {
    assert!(index < variant.inputs.len(), "the graph has fewer inputs");
    let inlet = &variant.inputs[index];
    assert!(inlet.elem == T::ELEM, "the input has another element type");
    if given == inlet.len {
        return Ok(inlet);
    }
    let graph = variant.image.source.name;
    Err(RunError::InputLength {
        graph,
        input: inlet.name,
        given,
        expected: inlet.len,
        shape: Arc::clone(&inlet.shape),
    })
}

macro_rules! debug {
    ($($name:ident),*) => {$(
        impl fmt::Debug for $name<'_> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.debug_struct(stringify!($name))
                    .field("graph", &self.shared.name())
                    .field("lane", &self.instance.index)
                    .field("runs", &self.instance.runs)
                    .finish_non_exhaustive()
            }
        }
    )*};
}

debug!(LaneCore, Begin, Setup);
