//! What was audited: dims, resources, workspaces; and what was not.

use serde::{Deserialize, Serialize};

/// A dynamic extent and its declared bounds, both included.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct Dim {
    /// Name, as declared.
    pub name: String,
    /// Smallest admitted value.
    pub min: u64,
    /// Largest admitted value.
    pub max: u64,
}

/// Logical class: who may observe the content, and until when.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Class {
    /// Set by the caller at every run, and read by tasks alone.
    Input,
    /// Set by the caller at every run, and copied into the arena, where tasks may write it.
    InputMut,
    /// Exists only between tasks of one run.
    Transient,
    /// Required output: read by the host after the run.
    Output,
    /// Set by the caller between runs, and read by tasks alone.
    Resident,
    /// What a run left is what the next one finds.
    Inout,
    /// Room for one task; its content means nothing before and after.
    Workspace,
    /// As a transient, in memory of the host that the device copies from and to.
    Staging,
    /// Its address is handed out.
    Escape,
    /// As a transient; it may be dropped and made again.
    Reconstructable,
}

/// Type of one element.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
#[allow(missing_docs, reason = "each variant is the Rust type of that name")]
pub enum Element {
    F32,
    F64,
    I8,
    I16,
    I32,
    I64,
    U8,
    U16,
    U32,
    U64,
    F16,
    Bf16,
}

/// A range that resources lie in. The three are laid end to end, and offsets go through all.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Region {
    /// Memory of one run, one copy for each that may be in flight.
    Arena,
    /// What outlives runs, one copy.
    Store,
    /// Pinned memory of the host, one copy for each run that may be in flight.
    Staging,
}

/// A resource.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct Resource {
    /// Name, as declared.
    pub name: String,
    /// Logical class.
    pub class: Class,
    /// Type of one element.
    pub element: Element,
    /// Extents as they are written, slowest first.
    pub shape: Vec<String>,
    /// Bytes as a product over the dims, like `4 * n`.
    pub law: String,
    /// Bytes at the largest sizes, before alignment.
    pub payload: u64,
    /// Bytes of its slot: the payload, rounded up to the alignment.
    pub bytes: u64,
    /// What its offset is a multiple of, in bytes.
    pub alignment: u64,
    /// The range it lies in.
    pub region: Region,
    /// Where its slot begins, from the start of the arena.
    pub offset: u64,
    /// Isolation domain, where it is declared in one. No byte is used in two.
    pub domain: Option<String>,
    /// First frontier: the tasks at which its storage must exist.
    pub first: Vec<u32>,
    /// Last frontier: its storage may be released when all of these have completed.
    pub last: Vec<u32>,
    /// The host reads it after the run, or may use its address: it is live to the run's end.
    pub host: bool,
    /// Its address is demanded to be the same in every run.
    pub stable: bool,
}

impl Resource {
    /// Where its slot ends, from the start of the arena.
    pub fn end(&self) -> u64 {
        self.offset.saturating_add(self.bytes)
    }
}

/// Something that is in memory and in no figure of the report.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct Excluded {
    /// What.
    pub what: String,
    /// Why it is not counted.
    pub why: String,
}

/// What a user of a workspace finds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Content {
    /// Anything.
    Dead,
    /// Zeros.
    Zeroed,
    /// What the last user left, in this run or the one before.
    Preserved,
}

/// How the users of a workspace go together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Sharing {
    /// All have one storage, and are ordered.
    Exclusive,
    /// Each has storage of its own, as far as any two may be live at once.
    PerTask,
}

/// A workspace as it was declared.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct Workspace {
    /// Name, as declared.
    pub name: String,
    /// What a user finds.
    pub content: Content,
    /// How users go together.
    pub sharing: Sharing,
    /// Bytes of one use as a product over the dims.
    pub law: String,
    /// Bytes of one use at the largest sizes.
    pub payload: u64,
    /// Bytes that all uses take together: what two of them share counts once.
    pub bytes: u64,
    /// Its uses, in statement order.
    pub uses: Vec<Use>,
}

/// One use of a workspace.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct Use {
    /// The task.
    pub task: u32,
    /// The resource that is its room.
    pub resource: u32,
}
