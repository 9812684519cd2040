//! What stands behind the type of a workspace.

use gpu_graph_analysis::workspace::{Content, Sharing};
use proc_macro2::Span;

use crate::span::Region;

/// `bytes(4 * n) zeroed per_task`, as far as it is no type.
#[derive(Clone)]
pub struct Workspace {
    /// The word `unknown` of `bytes(unknown)`; there are no extents then.
    pub unknown: Option<Span>,
    /// What a user finds, and the word that says so.
    pub content: (Content, Option<Span>),
    /// How users go together, and the word that says so.
    pub sharing: (Sharing, Option<Span>),
    /// Type and words: further words go behind.
    pub region: Region,
}
