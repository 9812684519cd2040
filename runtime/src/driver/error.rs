//! What a device refuses, and what went wrong on it.

use std::fmt;

use crate::exec::GroupError;

/// What a driver call can answer besides success.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum DriverError {
    /// The device has no room for a request.
    #[error("{call}: out of memory, {requested} bytes were requested")]
    OutOfMemory {
        /// Which call.
        call: &'static str,
        /// Bytes asked for.
        requested: u64,
    },
    /// An id, size or offset that the call does not take.
    #[error("{call}: {what} is invalid")]
    Invalid {
        /// Which call.
        call: &'static str,
        /// What is wrong.
        what: &'static str,
    },
    /// The device cannot do this at all.
    #[error("{call}: unsupported on this device")]
    Unsupported {
        /// Which call.
        call: &'static str,
    },
    /// A kernel panicked; the rest of its run was skipped.
    #[error("task {task} panicked: {message}")]
    Panicked {
        /// Index of the task in its source.
        task: u32,
        /// What the panic said, where it was text.
        message: String,
    },
    /// A collective did not take place; the rest of its run was skipped.
    #[error("task {task}: {source}")]
    Group {
        /// Index of the task in its source.
        task: u32,
        /// Who did not come.
        source: GroupError,
    },
    /// The host tried to wait from inside a kernel.
    #[error("{call}: a kernel cannot wait for its own device")]
    InsideKernel {
        /// Which call.
        call: &'static str,
    },
    /// The device's own driver refused a call.
    #[error("{call}: {status}{}", In(of))]
    Refused {
        /// Which call.
        call: &'static str,
        /// What it answered.
        status: Status,
        /// The task that the call was for, if it was for one.
        of: Option<Culprit>,
    },
    /// A kernel has no code that the device can run.
    #[error("kernel `{kernel}` cannot run on this device: {why}")]
    NoCode {
        /// Name of the kernel.
        kernel: &'static str,
        /// What is missing.
        why: String,
    },
    /// A graph of the device's own would start a task too early. Nothing was built.
    #[error("instantiate: the edges of the graph do not order what the program orders: {what}")]
    Unordered {
        /// Which tasks, by index.
        what: String,
    },
    /// The device executed something that it cannot recover from. All that its context holds is
    /// lost, and no graph on it runs again.
    #[error("{call}: the device is lost, since its driver answered {status}")]
    Lost {
        /// The call that noticed.
        call: &'static str,
        /// What it answered.
        status: Status,
    },
    /// The operating system refused.
    #[error("{call}: the system answered {code}")]
    System {
        /// Which call.
        call: &'static str,
        /// Its error number.
        code: i32,
    },
}

/// An answer of a device's own driver, as it numbers and names them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Status {
    /// Its number.
    pub code: u32,
    /// Its name; empty where it is not known here.
    pub name: &'static str,
}

impl fmt::Display for Status {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.name {
            "" => write!(f, "status {}", self.code),
            name => write!(f, "{name} ({})", self.code),
        }
    }
}

/// A task that a call was for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Culprit {
    /// Name of the graph.
    pub graph: &'static str,
    /// Index of the task in its source.
    pub task: u32,
    /// Name of the kernel, or what else the task does.
    pub what: &'static str,
}

/// The task, if there is one, behind what happened.
struct In<'a>(&'a Option<Culprit>);

impl fmt::Display for In<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            None => Ok(()),
            Some(Culprit { graph, task, what }) => {
                write!(f, ", for task {task} of `{graph}` (`{what}`)")
            }
        }
    }
}

/// [`DriverError::Invalid`].
pub(crate) fn invalid(call: &'static str, what: &'static str) -> DriverError {
    DriverError::Invalid { call, what }
}
