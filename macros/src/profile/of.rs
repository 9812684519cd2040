//! What a file says of one graph, held against it.

use gpu_graph_analysis::digest::Digest;
use gpu_graph_analysis::fault::profiles::Wrong;
use gpu_graph_analysis::measured::Profile;
use gpu_graph_analysis::model::{Model, TaskKind};

use super::{File, Program};

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
    /// Name and dims of each kernel that it launches, where they are seen here.
    pub kernels: Vec<Option<(String, usize)>>,
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
        let declared = graph.model.dims.iter().filter(|dim| dim.product.is_empty());
        let declared: Vec<_> = declared.collect();
        let measured = &program.measured.dims;
        for (i, (name, value)) in measured.iter().enumerate() {
            let Some(dim) = declared.iter().find(|dim| dim.name == *name) else {
                return wrong(format!("the graph has no dim `{name}`"));
            };
            if measured[..i].iter().any(|(before, _)| before == name) {
                return wrong(format!("the dim `{name}` is there twice"));
            }
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
        for (launch, at) in launches.iter().zip(&self.at.each) {
            let name = &launch.kernel;
            let mut seen = graph.kernels.iter().flatten();
            match seen.find(|(known, _)| known == name) {
                Some((_, dims)) if *dims != launch.dims.len() => {
                    let found = launch.dims.len();
                    return wrong(*at, format!("`{name}` has {dims} dims, and not {found}"));
                }
                // A kernel from elsewhere may be called so.
                None if graph.kernels.iter().all(Option::is_some) => {
                    return wrong(*at, format!("the graph launches no kernel `{name}`"));
                }
                _ => {}
            }
        }
        // A program that makes values again has more tasks than its source.
        let of_task = &self.measured.of_task;
        if of_task.len() != graph.model.tasks.len() {
            return Ok(());
        }
        let tasks = graph.model.tasks.iter().zip(of_task).zip(&self.at.tasks);
        for ((task, launch), at) in tasks {
            let name = &task.name;
            let kernel = match &task.kind {
                TaskKind::Kernel(launch) => Some(launch.kernel as usize),
                _ => None,
            };
            match (kernel, launch) {
                (None, None) => {}
                (Some(kernel), Some(launch)) => {
                    let known = graph.kernels.get(kernel).and_then(Option::as_ref);
                    let found = &launches[*launch as usize].kernel;
                    if let Some((known, _)) = known
                        && known != found
                    {
                        let what = format!("`{name}` launches `{known}`, and not `{found}`");
                        return wrong(*at, what);
                    }
                }
                (None, Some(_)) => return wrong(*at, format!("`{name}` launches nothing")),
                (Some(_), None) => return wrong(*at, format!("`{name}` launches a kernel")),
            }
        }
        Ok(())
    }
}
