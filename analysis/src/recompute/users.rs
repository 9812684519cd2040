//! Who makes each resource, and who reads and writes it.

use super::Cut;
use crate::model::{Class, Mode, Model, ResourceId, TaskId, TaskKind};

/// The tasks that use each resource of a graph, looked up once for all its cuts.
pub struct Users {
    maker: Vec<Option<TaskId>>,
    readers: Vec<Vec<TaskId>>,
    writes: Vec<Vec<(TaskId, usize)>>,
}

impl Users {
    /// Those of `model`.
    pub fn new(model: &Model) -> Self {
        let resources = model.resources.len();
        let mut users = Self {
            maker: vec![None; resources],
            readers: vec![Vec::new(); resources],
            writes: vec![Vec::new(); resources],
        };
        for (task, t) in (0..).map(TaskId).zip(&model.tasks) {
            let held = matches!(t.kind, TaskKind::Hold { .. });
            // What is read was made before.
            for access in t.accesses.iter().filter(|a| a.mode == Mode::Read && !held) {
                let r = access.resource.0 as usize;
                let readers = &mut users.readers[r];
                if users.maker[r].is_some() && readers.last() != Some(&task) {
                    readers.push(task);
                }
            }
            for (at, access) in t.accesses.iter().enumerate() {
                let r = access.resource.0 as usize;
                if access.mode != Mode::Read {
                    users.writes[r].push((task, at));
                }
                if access.mode == Mode::Overwrite && users.maker[r].is_none() {
                    users.maker[r] = Some(task);
                }
            }
        }
        users
    }

    /// The task that makes `value`, the one that writes it.
    pub fn maker(&self, value: ResourceId) -> Option<TaskId> {
        self.maker[value.0 as usize]
    }

    /// The tasks that read `value` once it is made, in statement order, without those that only hold it.
    pub fn readers(&self, value: ResourceId) -> &[TaskId] {
        &self.readers[value.0 as usize]
    }

    /// What writes `resource` behind `from` and before `to`, in statement order, each with the number of
    /// its access.
    pub(super) fn writes(
        &self,
        resource: ResourceId,
        from: TaskId,
        to: TaskId,
    ) -> &[(TaskId, usize)] {
        let all = &self.writes[resource.0 as usize];
        let first = all.partition_point(|(t, _)| *t <= from);
        let end = all.partition_point(|(t, _)| *t < to);
        &all[first.min(end)..end]
    }

    /// Every cut of `model`, by value and reader, whatever stands against it.
    pub fn cuts(&self, model: &Model) -> Vec<Cut> {
        let mut cuts = Vec::new();
        for (value, of) in (0..).map(ResourceId).zip(&model.resources) {
            if of.class == Class::Reconstructable {
                let readers = self.readers(value).iter().skip(1);
                cuts.extend(readers.map(|&before| Cut { value, before }));
            }
        }
        cuts
    }
}
