//! What a plan is laid out for.

use super::{Edge, Ground, Metric};
use crate::layout::{Spacing, is_padded};
use crate::model::{ResourceId, TaskId};

/// What a plan is laid out for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Asked {
    /// Edges, of which those stay that storage needs, and streams at most, the order of which counts as
    /// a condition of aliases. Without, nothing is added to the graph as it stands.
    pub under: Option<(Vec<Edge>, u32)>,
    /// Tasks that could update an operand into their result, and have the two apart, but for those of
    /// which that is demanded.
    pub left: Vec<TaskId>,
    /// What lies between slots.
    pub spacing: Spacing,
}

impl Asked {
    /// The graph of `ground` under `edges` on at most `limit` streams, in what space it is planned for.
    pub fn under(ground: &Ground, edges: Vec<Edge>, limit: u32) -> Self {
        Self {
            under: Some((edges, limit)),
            left: Vec::new(),
            spacing: ground.spacing(),
        }
    }
}

impl Ground {
    /// Whether bytes of the arena are weighed.
    pub(super) fn weighs_bytes(&self) -> bool {
        let minimize = self.model.declared.minimize.as_ref();
        let mut named = minimize.map_or(Vec::new(), |m| m.metrics()).into_iter();
        named.any(|(metric, _)| metric == Metric::Peak)
    }

    /// What is left between slots: nothing where bytes of the arena are weighed.
    pub(super) fn spacing(&self) -> Spacing {
        let padded = self.sizes.iter().any(|&bytes| is_padded(bytes));
        match padded && self.weighs_bytes() {
            true => Spacing::Tight,
            false => Spacing::Staggered,
        }
    }

    /// Whether it is demanded that `a` and `b` share storage.
    pub(super) fn demanded(&self, a: ResourceId, b: ResourceId) -> bool {
        let mut groups = self.demands.groups.iter();
        groups.any(|group| group.contains(&a) && group.contains(&b))
    }
}
