//! Workspaces in the record: law of size, mode, sharing, and what they take.

use std::fmt::{self, Formatter};

use super::text::{LONG, SHORT, list, more};
use super::{Record, ResourceRecord};
use crate::layout::sizes::rounded;
use crate::workspace::{Content, Sharing, Workspace};

impl Record {
    /// The resource is a workspace, whatever its class.
    pub(super) fn is_workspace(&self, r: &ResourceRecord) -> bool {
        let of = |w: &Workspace| self.resources.get(w.resource.0 as usize);
        self.workspaces
            .iter()
            .any(|w| of(w).is_some_and(|of| of.name == r.name))
    }

    /// Bytes that the uses of `workspace` take together: what two of them share counts once.
    pub fn workspace_bytes(&self, workspace: &Workspace) -> u64 {
        let slots = workspace.uses.iter().map(|u| {
            let slot = self.resources[u.resource.0 as usize].slot;
            (slot.offset, slot.offset.saturating_add(slot.bytes))
        });
        let mut slots: Vec<_> = slots.collect();
        slots.sort_unstable();
        let (mut bytes, mut end) = (0, 0);
        for (from, to) in slots {
            bytes += to.saturating_sub(from.max(end));
            end = end.max(to);
        }
        bytes
    }

    pub(super) fn workspaces(&self, f: &mut Formatter<'_>) -> fmt::Result {
        if self.workspaces.is_empty() {
            return Ok(());
        }
        writeln!(f, "\nworkspaces: {}", self.workspaces.len())?;
        for w in self.workspaces.iter().take(LONG) {
            let Some(r) = self.resources.get(w.resource.0 as usize) else {
                continue;
            };
            let content = match w.content {
                Content::Dead => "content dead between uses",
                Content::Zeroed => "zeroed before each use",
                Content::Preserved => "preserved from use to use and from run to run",
            };
            writeln!(f, "  {}: {content}", w.name)?;
            let (law, most) = (r.law(), rounded(r.payload));
            writeln!(f, "    size      {law} bytes for each use, at most {most}")?;
            let users = w.uses.iter().map(|u| self.task(u.task));
            writeln!(f, "    uses      {}: {}", w.uses.len(), list(users, SHORT))?;
            let taken = rounded(self.workspace_bytes(w));
            match w.sharing {
                Sharing::Exclusive => {
                    writeln!(f, "    exclusive one storage of {taken}, its users ordered")?;
                }
                Sharing::PerTask => writeln!(
                    f,
                    "    per task  {taken} for all uses; those never live together may share"
                )?,
            }
        }
        more(f, self.workspaces.len(), LONG, "workspace")
    }
}
