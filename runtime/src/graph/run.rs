//! A run in flight, or ended.

use std::fmt;

use super::instance::Instance;
use super::load::Shared;
use super::ports::Outlet;
use super::variant::Variant;
use super::{Escaped, Output, Profile, Record, RunError};
use crate::driver::DriverError;
use crate::exec::Element;
use crate::table::{Mode, Source, TaskKind};

/// A run. It borrows its lane, so that outputs stay as they are until all borrows end.
///
/// Dropping it, or leaking it, neither waits for the run nor stops it.
///
/// While an output is borrowed the same lane does not run again:
///
/// ```compile_fail,E0499
/// # use gpu_graph_runtime::graph::{Graph, RunError};
/// fn replay(graph: &mut Graph) -> Result<Vec<f32>, RunError> {
///     let y = graph.begin().gate()?.start()?.output::<f32>(0)?;
///     graph.begin().gate()?.start()?; // would overwrite what `y` shows
///     y.to_vec()
/// }
/// ```
///
/// A copy made before, a detached output and another lane are fine:
///
/// ```
/// # use gpu_graph_runtime::graph::{Graph, RunError};
/// fn copy(graph: &mut Graph) -> Result<Vec<f32>, RunError> {
///     let y = graph.begin().gate()?.start()?.output::<f32>(0)?.to_vec()?;
///     graph.begin().gate()?.start()?;
///     Ok(y)
/// }
///
/// fn detach(graph: &mut Graph) -> Result<Vec<f32>, RunError> {
///     let y = graph.begin().gate()?.start()?.output::<f32>(0)?.detach()?;
///     graph.begin().gate()?.start()?;
///     y.to_vec()
/// }
///
/// fn alternate(graph: &mut Graph) -> Result<Vec<f32>, RunError> {
///     let [mut a, mut b] = graph.lanes::<2>();
///     let y = a.begin().gate()?.start()?.output::<f32>(0)?;
///     b.begin().gate()?.start()?;
///     y.to_vec()
/// }
/// ```
///
/// And no output outlives its graph:
///
/// ```compile_fail,E0505
/// # use gpu_graph_runtime::graph::{Graph, RunError};
/// fn outlive(mut graph: Graph) -> Result<Vec<f32>, RunError> {
///     let y = graph.begin().gate()?.start()?.output::<f32>(0)?;
///     drop(graph);
///     y.to_vec()
/// }
/// ```
pub struct RunCore<'r> {
    shared: &'r Shared,
    variant: &'r Variant,
    instance: &'r Instance,
}

impl<'r> RunCore<'r> {
    /// The last run of `instance`, which was of `variant`.
    pub(super) fn new(shared: &'r Shared, variant: &'r Variant, instance: &'r Instance) -> Self {
        Self {
            shared,
            variant,
            instance,
        }
    }

    /// Waits until the whole run has ended.
    ///
    /// # Errors
    /// [`RunError::Panicked`] where a kernel did, [`RunError::InsideKernel`] where a kernel asks,
    /// and what the driver says.
    pub fn wait(&self) -> Result<(), RunError> {
        self.reach(&self.variant.gates)
    }

    /// What was seen of the run, once it has ended, if the graph is [`profiled`](super::Graph::profile).
    /// `record` is that of the graph.
    ///
    /// # Errors
    /// As [`wait`](Self::wait), and where the device cannot tell its times.
    pub fn profile(&self, record: &Record) -> Result<Option<Profile>, RunError> {
        self.wait()?;
        let part = self.instance.part();
        let (index, run) = (self.instance.index, part.generation);
        let Some(seen) = self.variant.exec.times(index, run)? else {
            return Ok(None);
        };
        let of_variant = record.variants().get(self.instance.last);
        let record = of_variant.map_or(record, |(_, record)| record);
        let profile = Profile::new(
            part.executable.tables(),
            record,
            self.shared.memory().of().clone(),
            &seen,
        );
        #[cfg(feature = "report")]
        let profile = profile.seen_on(
            self.shared.device.info(),
            self.shared.memory(),
            of_variant.map(|(name, _)| *name),
        );
        Ok(Some(profile))
    }

    /// Whether the whole run has ended, in whatever way.
    pub fn is_finished(&self) -> bool {
        let Variant { exec, gates, .. } = self.variant;
        let (index, run) = (self.instance.index, self.instance.part().generation);
        gates.iter().all(|&event| exec.query(index, run, event))
    }

    /// The output of that position in order of declaration, once it is ready. Waits for that output
    /// only.
    ///
    /// # Errors
    /// As [`wait`](Self::wait).
    ///
    /// # Panics
    /// Where the graph has fewer outputs, or this one another element type.
    pub fn output<T: Element>(&self, index: usize) -> Result<Output<'r, T>, RunError> {
        let outlet = self.outlet::<T>(index)?;
        Ok(Output::new(self.shared, self.instance, outlet))
    }

    /// Where the output of that position lies, once it is ready.
    ///
    /// # Errors
    /// As [`wait`](Self::wait).
    ///
    /// # Panics
    /// As [`output`](Self::output).
    pub fn escape<T: Element>(&self, index: usize) -> Result<Escaped<'r, T>, RunError> {
        let outlet = self.outlet::<T>(index)?;
        let address = self.instance.part().executable.base(outlet.resource);
        Ok(Escaped::new(address, outlet.len))
    }

    fn outlet<T: Element>(&self, index: usize) -> Result<&'r Outlet, RunError> {
        assert!(
            index < self.variant.outputs.len(),
            "the graph has fewer outputs"
        );
        let outlet = &self.variant.outputs[index];
        assert!(
            outlet.elem == T::ELEM,
            "the output has another element type"
        );
        self.reach(&outlet.events)?;
        Ok(outlet)
    }

    fn reach(&self, events: &[u32]) -> Result<(), RunError> {
        let exec = &self.variant.exec;
        let (index, run) = (self.instance.index, self.instance.part().generation);
        for &event in events {
            exec.wait(index, run, event)?;
        }
        match exec.failure(index) {
            None => Ok(()),
            Some(DriverError::Panicked { task, message }) => {
                let source = self.variant.image.source;
                let kernel = match source.tasks.get(task as usize).map(|t| t.kind) {
                    Some(TaskKind::Kernel(k)) => source.kernels[k as usize].name,
                    _ => "upload",
                };
                Err(RunError::Panicked {
                    graph: source.name,
                    kernel,
                    task,
                    writes: written(source, task),
                    message,
                })
            }
            Some(DriverError::Group { source, .. }) => Err(RunError::Group {
                graph: self.shared.name(),
                source,
            }),
            Some(other) => Err(other.into()),
        }
    }
}

/// The resource that a task writes, the first of several.
fn written(source: &Source<'static>, task: u32) -> &'static str {
    let task = source.tasks.get(task as usize);
    let mut accesses = task.map_or(&[][..], |t| source.accesses_of(t)).iter();
    let writes = accesses.find(|access| access.mode != Mode::Read);
    writes.map_or("", |access| source.resources[access.resource as usize].name)
}

impl fmt::Debug for RunCore<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Run")
            .field("graph", &self.shared.name())
            .field("lane", &self.instance.index)
            .field("run", &self.instance.runs)
            .field("finished", &self.is_finished())
            .finish()
    }
}
