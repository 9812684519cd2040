//! What indices name, in words.

use super::Named;
use crate::table::TaskKind;
use crate::verify::Table;

/// Something that an index names.
pub(super) enum What {
    Task(u32),
    Resource(u32),
    Kernel(u32),
    Dim(u32),
    Access(u32),
}

impl Named<'_> {
    pub(super) fn say(&self, what: What) -> String {
        let Some(s) = self.source else {
            return match what {
                What::Task(i) => format!("task {i}"),
                What::Resource(i) => format!("resource {i}"),
                What::Kernel(i) => format!("kernel {i}"),
                What::Dim(i) => format!("dim {i}"),
                What::Access(i) => format!("access {i}"),
            };
        };
        let resource = |i: u32| match s.resources.get(i as usize) {
            Some(r) => format!("`{}`", r.name),
            None => format!("resource {i}"),
        };
        match what {
            What::Resource(i) => resource(i),
            What::Kernel(i) => match s.kernels.get(i as usize) {
                Some(k) => format!("kernel `{}`", k.name),
                None => format!("kernel {i}"),
            },
            What::Dim(i) => match s.dims.get(i as usize) {
                Some(d) => format!("dim `{}`", d.name),
                None => format!("dim {i}"),
            },
            What::Access(i) => match s.accesses.get(i as usize) {
                Some(a) => format!("access {i}, of {}", resource(a.resource)),
                None => format!("access {i}"),
            },
            // The writer of what a run acquires is no task.
            What::Task(i) if i as usize == s.tasks.len() => "what was before the run".to_owned(),
            What::Task(i) => match s.tasks.get(i as usize).map(|t| (t.kind, t.accesses.start)) {
                Some((TaskKind::Kernel(k), _)) if (k as usize) < s.kernels.len() => {
                    format!("`{}` (task {i})", s.kernels[k as usize].name)
                }
                Some((TaskKind::Upload, a)) if (a as usize) < s.accesses.len() => {
                    format!(
                        "the upload of {}",
                        resource(s.accesses[a as usize].resource)
                    )
                }
                _ => format!("task {i}"),
            },
        }
    }
}

/// The table, as the source and the program call it.
pub(super) fn name(table: Table) -> &'static str {
    match table {
        Table::Dims => "dims",
        Table::Products => "products",
        Table::Exprs => "exprs",
        Table::Resources => "resources",
        Table::Kernels => "kernels",
        Table::Tasks => "tasks",
        Table::Accesses => "accesses",
        Table::Scalars => "scalars",
        Table::Bindings => "bindings",
        Table::Orders => "orders",
        Table::Aliases => "aliases",
        Table::Separate => "separate",
        Table::Again => "again",
        Table::Slots => "slots",
        Table::Issue => "issue",
        Table::Collect => "collect",
        Table::Events => "events",
    }
}
