//! The history of what was loaded, kept where somebody asks for it: what growth policies are compared
//! on.

use std::fmt::Write as _;
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::Duration;

use super::Memory;
use crate::table::SLOT_ALIGN;

/// One load of a graph.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Load {
    memory: Memory,
    took: Duration,
}

impl Load {
    pub(super) fn new(memory: Memory, took: Duration) -> Self {
        Self { memory, took }
    }

    /// What it took in bytes, and at which dims.
    pub fn memory(&self) -> &Memory {
        &self.memory
    }

    /// How long it took: the proof for the actual dims, and all memory.
    pub fn took(&self) -> Duration {
        self.took
    }
}

type Log = Mutex<Vec<Load>>;

/// The loads of a device, in order, from [`Device::log_loads`](super::Device::log_loads) on for as
/// long as this is there. A load that fails is none.
///
/// A loaded graph has the memory of its actual dims: the policy `exact`, and the only one that the
/// runtime applies. What another one would cost at the same dims, `plan growth` says of
/// [`csv`](Self::csv).
///
/// ```
/// use gpu_graph_runtime::graph::{Device, LoadError, Loads};
/// fn serve(device: &Device, load: impl Fn(u64) -> Result<(), LoadError>) -> Result<String, LoadError> {
///     let loads = device.log_loads();
///     for n in [100, 300, 100] {
///         load(n)?;
///     }
///     Ok(loads.csv("Blur"))
/// }
/// ```
///
/// Where nobody keeps it nothing is logged, so the compiler warns of that:
///
/// ```compile_fail
/// # use gpu_graph_runtime::graph::Device;
/// #![deny(unused_must_use)]
/// fn serve(device: &Device) {
///     device.log_loads();
/// }
/// ```
#[derive(Clone, Debug)]
pub struct Loads {
    log: Arc<Log>,
}

impl Loads {
    /// Every load so far.
    pub fn all(&self) -> Vec<Load> {
        let log = self.log.lock().unwrap_or_else(PoisonError::into_inner);
        log.clone()
    }

    /// The sizes of that graph as a history: comma-separated values, a line for each load, with what
    /// it took of all memory, the most that its dims' maxima would, its time and its dims.
    pub fn csv(&self, graph: &str) -> String {
        let all = self.all();
        let loads = all.iter().filter(|load| load.memory.of().graph == graph);
        let mut text = String::from("id,size,alignment,maximum,nanos");
        for (k, Load { memory, took }) in loads.enumerate() {
            let dims = &memory.of().dims;
            for (name, _) in dims.iter().filter(|_| k == 0) {
                let _ = write!(text, ",dim {name}");
            }
            let (size, most) = (memory.total(), memory.planned_total());
            let _ = write!(
                text,
                "\n{graph},{size},{SLOT_ALIGN},{most},{}",
                took.as_nanos()
            );
            for (_, value) in dims {
                let _ = write!(text, ",{value}");
            }
        }
        text.push('\n');
        text
    }
}

/// Where a device leaves its loads, if anybody asked.
#[derive(Debug, Default)]
pub(super) struct Asked(Mutex<Weak<Log>>);

impl Asked {
    /// The log that there is, or a new one.
    pub(super) fn log(&self) -> Loads {
        let mut asked = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let log = asked.upgrade().unwrap_or_default();
        *asked = Arc::downgrade(&log);
        Loads { log }
    }

    pub(super) fn add(&self, memory: &Memory, took: Duration) {
        let asked = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(log) = asked.upgrade() {
            let mut log = log.lock().unwrap_or_else(PoisonError::into_inner);
            log.push(Load::new(memory.clone(), took));
        }
    }
}
