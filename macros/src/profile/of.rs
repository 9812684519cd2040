//! What a file says of one graph, held against it.

use gpu_graph_analysis::digest::Digest;
use gpu_graph_analysis::expr::values;
use gpu_graph_analysis::fault::counted;
use gpu_graph_analysis::fault::profiles::Wrong;
use gpu_graph_analysis::measured::Profile;
use gpu_graph_analysis::model::{Model, TaskKind};

use super::{File, Program};
use crate::lower::TaskArgs;

/// A graph in one combination of its variants.
pub struct Of<'a> {
    /// What its source is known by.
    pub source: Digest,
    /// The combination; empty where there are no variants.
    pub combination: &'a str,
    /// All combinations that there are.
    pub combinations: &'a [String],
    /// The graph.
    pub model: &'a Model,
    /// What each of its tasks hands over.
    pub args: &'a [TaskArgs],
    /// Name of each kernel that it launches, where it is seen here.
    pub kernels: Vec<Option<String>>,
}

impl File {
    /// What it says of a graph.
    pub fn of(&self, graph: &Of<'_>) -> Result<Profile, Wrong> {
        let mut sources: Vec<Digest> = self.programs.iter().map(|p| p.source).collect();
        sources.sort_unstable();
        sources.dedup();
        let own = self.programs.iter().filter(|p| p.source == graph.source);
        for program in own.clone() {
            self.dims(program, graph)?;
            program.check(graph)?;
        }
        // What has the same source in another combination takes as long.
        let variant = |p: &&Program| p.variant.as_deref().unwrap_or("") == graph.combination;
        let found = own.clone().find(variant).or_else(|| own.clone().next());
        Ok(Profile {
            file: self.name.clone(),
            measured: found.map(|program| program.measured.clone()),
            sources,
        })
    }

    /// They are those of the graph, in their ranges.
    fn dims(&self, program: &Program, graph: &Of<'_>) -> Result<(), Wrong> {
        let wrong = |what| {
            Err(Wrong {
                at: self.dims,
                what,
            })
        };
        let declared: Vec<_> = graph.model.declared_dims().collect();
        let measured = &program.measured.dims;
        for (name, value) in measured {
            let Some(dim) = declared.iter().find(|dim| dim.name == *name) else {
                return wrong(format!("the graph has no dim `{name}`"));
            };
            if *value < dim.min || *value > dim.max {
                let (min, max) = (dim.min, dim.max);
                return wrong(format!("`{name}` is {value}, and not in {min}..={max}"));
            }
        }
        let missing = |name: &str| measured.iter().all(|(measured, _)| measured != name);
        match declared.iter().find(|dim| missing(&dim.name)) {
            Some(dim) => wrong(format!("the dim `{}` is missing", dim.name)),
            None => Ok(()),
        }
    }
}

impl Program {
    fn check(&self, graph: &Of<'_>) -> Result<(), Wrong> {
        let wrong = |at, what| Err(Wrong { at, what });
        let variant = self.variant.as_deref().unwrap_or("");
        if !graph.combinations.iter().any(|known| known == variant) {
            return wrong(
                self.at.variant,
                match &self.variant {
                    None => "the graph has variants, and none is named".to_owned(),
                    Some(name) => format!("the graph has no variant `{name}`"),
                },
            );
        }
        let launches = &self.measured.launches;
        if launches.is_empty() {
            return wrong(self.at.kernels, "no launch was measured".to_owned());
        }
        let (of_task, tasks) = (&self.measured.of_task, &graph.model.tasks);
        if of_task.len() != tasks.len() {
            let (found, known) = (counted(of_task.len(), "task"), tasks.len());
            let what = format!("they come from {found} of a graph, and this one has {known}");
            return wrong(self.at.tasks, what);
        }
        let numbers = self.numbers(graph);
        // Names of kernels from elsewhere are those that rustc finds there; here only that there is one.
        let mut names: Vec<Option<&str>> = graph.kernels.iter().map(Option::as_deref).collect();
        for (t, (task, launch)) in tasks.iter().zip(of_task).enumerate() {
            let (name, at) = (&task.name, self.at.written[t]);
            let kernel = match &task.kind {
                TaskKind::Kernel(launch) => Some(launch.kernel as usize),
                _ => None,
            };
            let (kernel, launch) = match (kernel, launch) {
                (None, None) => continue,
                (Some(kernel), Some(launch)) => (kernel, *launch as usize),
                (None, Some(_)) => return wrong(at, format!("`{name}` launches nothing")),
                (Some(_), None) => return wrong(at, format!("`{name}` launches a kernel")),
            };
            let found = &launches[launch];
            let known = names
                .get_mut(kernel)
                .map(|name| *name.get_or_insert(&found.kernel));
            if let Some(known) = known.filter(|known| *known != found.kernel) {
                let found = &found.kernel;
                let what = format!("`{name}` launches `{known}`, and not `{found}`");
                return wrong(at, what);
            }
            let dims = graph.args[t].dims.iter().map(|dim| dim.eval(&numbers));
            let dims: Vec<_> = dims
                .map(|dim| dim.and_then(|d| d.try_into().ok()))
                .collect();
            let measured = found.dims.iter().copied().map(Some);
            if !dims.iter().copied().eq(measured) {
                let own: Vec<u64> = dims.into_iter().map(Option::unwrap_or_default).collect();
                let (kernel, found) = (&found.kernel, &found.dims);
                let what = format!("`{name}` launches `{kernel}` at {own:?}, and not at {found:?}");
                return wrong(at, what);
            }
        }
        Ok(())
    }

    /// Values of all dims of the graph, as it was measured at.
    fn numbers(&self, graph: &Of<'_>) -> Vec<u64> {
        let given = graph.model.declared_dims().map(|dim| {
            let mut measured = self.measured.dims.iter();
            let found = measured.find(|(name, _)| *name == dim.name);
            found.map_or(0, |(_, value)| *value)
        });
        let given: Vec<u64> = given.collect();
        // Within their ranges, at which every product has a value.
        values(&graph.model.dims, &given).unwrap_or_default()
    }
}
