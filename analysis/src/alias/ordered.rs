//! Mends that order what nothing orders.

use std::collections::{BTreeMap, BTreeSet};

use super::refusal::EDGES;
use crate::fault::{Edit, Fix, Part};
use crate::model::{Model, Site, TaskId, TaskKind};
use crate::order::hold_of;

/// An `order` for each edge behind the statement of `behind`, with labels for the tasks that have
/// none. `None` for many edges, and where one of them is the host's.
pub(crate) fn order_fix(model: &Model, edges: &[(TaskId, TaskId)], behind: Site) -> Option<Fix> {
    // What is retained is so until a task that has a label, which stands for the hold, too.
    let called = |&(a, b): &(TaskId, TaskId)| (hold_of(model, a).unwrap_or(a), b);
    let edges: BTreeSet<_> = edges.iter().map(called).collect();
    let tasks: BTreeSet<TaskId> = edges.iter().flat_map(|&(a, b)| [a, b]).collect();
    let of = |t: TaskId| &model.tasks[t.0 as usize];
    // The host's part of a run has no label.
    let call = |t: &TaskId| !matches!(of(*t).kind, TaskKind::Upload | TaskKind::Hold { .. });
    if edges.len() > EDGES || !tasks.iter().all(call) {
        return None;
    }
    let mut labels: BTreeMap<TaskId, String> = BTreeMap::new();
    let (mut edits, mut invented) = (Vec::new(), Vec::new());
    for task in tasks {
        let name = &of(task).name;
        if name.starts_with('\'') {
            labels.insert(task, name.clone());
            continue;
        }
        let name = match &of(task).kind {
            TaskKind::Kernel(launch) => launch.name.rsplit(':').next().unwrap_or("task"),
            _ => "task",
        };
        let mut label = format!("'{name}");
        // Whether other labels have that name is seen where all of the text is.
        for number in 2.. {
            if !invented.contains(&label) {
                break;
            }
            label = format!("'{name}_{number}");
        }
        invented.push(label.clone());
        edits.push(Edit::before(of(task).site, format!("{label}: ")).of(Part::Statement));
        labels.insert(task, label);
    }
    let words = match edits.len() {
        0 => "declare ".to_owned(),
        1 => "label the call with `{}`, and declare ".to_owned(),
        n => format!(
            "label the calls with {} and `{{}}`, and declare ",
            vec!["`{}`"; n - 1].join(", ")
        ),
    };
    let orders = edges.iter().map(|(a, b)| {
        let text = format!(" order {} -> {};", labels[a], labels[b]);
        Edit::behind(behind, text).of(Part::Statement)
    });
    edits.extend(orders);
    let words = words + &vec!["`{}`"; edges.len()].join(" and ");
    Some(Fix::new(&words, edits).inventing(invented))
}
