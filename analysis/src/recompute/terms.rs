//! What it costs to make a value again.

use super::Made;
use crate::frontier::Frontiers;
use crate::layout::sizes::{self, Largest};
use crate::model::{Class, Mode, Model, ResourceId, TaskId, TaskKind};
use crate::order::Precedence;
use crate::policy::touched;

/// A value that is made again, and all that this takes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Remake {
    /// The value.
    pub value: String,
    /// What is made.
    pub instance: String,
    /// The launch.
    pub task: String,
    /// The first reader of it.
    pub before: String,
    /// The kernel that is launched.
    pub kernel: String,
    /// Nanoseconds of the launch; `None` where its kernel has no cost.
    pub construct: Option<u64>,
    /// What it is made of.
    pub inputs: Vec<Input>,
    /// What the launch works in.
    pub rooms: Vec<Room>,
    /// Tasks that may run at the same time.
    pub beside: usize,
}

/// Something that a value is made of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Input {
    /// Its name.
    pub name: String,
    /// Bytes that are read again.
    pub bytes: u64,
    /// The last tasks that use it otherwise, where it must live longer for this.
    pub longer: Option<Vec<String>>,
}

/// A workspace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Room {
    /// Its name.
    pub name: String,
    /// Its bytes, aligned.
    pub bytes: u64,
    /// A fill makes it zero before.
    pub zeroed: bool,
}

impl Remake {
    /// Nanoseconds of bringing back what it is made of: nothing, as that is kept.
    pub const INPUTS: u64 = 0;

    /// Nanoseconds that workspaces add: nothing, but where one is made zero, which has no cost.
    pub fn workspace(&self) -> Option<u64> {
        let zeroed = self.rooms.iter().any(|room| room.zeroed);
        (!zeroed).then_some(0)
    }

    /// What `made` takes in `model`, of which the tasks have these costs. `base` has the live ranges
    /// without it, `order` and `live` those with it.
    pub(crate) fn new(
        made: &Made,
        model: &Model,
        costs: &[Option<u64>],
        base: (&Model, &Frontiers),
        order: &Precedence,
        live: &Frontiers,
    ) -> Self {
        let name = |r: ResourceId| model.resources[r.0 as usize].name.clone();
        let task = &model.tasks[made.task.0 as usize];
        let kernel = match &task.kind {
            TaskKind::Kernel(launch) => launch.name.clone(),
            _ => String::new(),
        };
        let reads = task.accesses.iter().filter(|a| a.mode == Mode::Read);
        let (mut inputs, mut largest): (Vec<Input>, _) = (Vec::new(), Largest::new(&model.dims));
        for read in reads {
            let (name, bytes) = (name(read.resource), touched(model, read, &mut largest));
            match inputs.iter_mut().find(|input| input.name == name) {
                Some(known) => known.bytes = known.bytes.saturating_add(bytes),
                None => inputs.push(Input {
                    name,
                    bytes,
                    longer: longer(made, base, live, read.resource),
                }),
            }
        }
        let zeroed = |r: ResourceId| {
            let fills = made.fills.iter();
            let mut written = fills.flat_map(|t| &model.tasks[t.0 as usize].accesses);
            written.any(|a| a.resource == r)
        };
        let rooms = made.rooms.iter().map(|&r| Room {
            name: name(r),
            bytes: sizes::aligned(sizes::payload(model, &model.resources[r.0 as usize])),
            zeroed: zeroed(r),
        });
        let works = |t: &TaskId| {
            let idle = |kind: &TaskKind| matches!(kind, TaskKind::Upload | TaskKind::Hold { .. });
            !idle(&model.tasks[t.0 as usize].kind)
        };
        let all = (0..model.tasks.len() as u32).map(TaskId).filter(works);
        Self {
            value: name(made.value),
            instance: name(made.instance),
            task: task.name.clone(),
            before: model.tasks[made.before.0 as usize].name.clone(),
            kernel,
            construct: costs[made.task.0 as usize],
            inputs,
            rooms: rooms.collect(),
            beside: all.filter(|&t| order.concurrent(t, made.task)).count(),
        }
    }
}

/// The last users of `input` otherwise, where `made` is one that comes after some of them.
fn longer(
    made: &Made,
    (base, before): (&Model, &Frontiers),
    live: &Frontiers,
    input: ResourceId,
) -> Option<Vec<String>> {
    // What is made again itself did not live before.
    let of = base.resources.get(input.0 as usize)?;
    let ends = of.class.persists() || of.class.is_handed_out() || of.class == Class::Staging;
    if ends || !live.of(input).last.contains(&made.task) {
        return None;
    }
    let last = before.of(input).last.iter();
    Some(
        last.map(|t| base.tasks[t.0 as usize].name.clone())
            .collect(),
    )
}
