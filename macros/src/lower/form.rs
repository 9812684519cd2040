//! Forms of kernels that plans take and CUDA texts do not have.

use std::collections::{BTreeMap, BTreeSet};

use gpu_graph_analysis::Analysis;
use gpu_graph_analysis::model::{Model, Site, Task, TaskKind};
use gpu_graph_analysis::plan::Op;

use super::{Cx, KernelDecl, Launched, Lowered};

/// Reports each kernel of which one of the plans takes the in-place form, where its text has none: once,
/// at the first call that does.
pub fn planned(plans: &[(Lowered<'_>, Analysis)], kernels: &[KernelDecl<'_>], cx: &mut Cx) {
    // The first call, and each `alias` that demands the form, by its place.
    let mut taken: BTreeMap<usize, (Site, BTreeMap<_, Site>)> = BTreeMap::new();
    for (graph, found) in plans {
        for op in &found.plan.issue {
            let Op::Launch {
                task,
                in_place: true,
                ..
            } = *op
            else {
                continue;
            };
            let task = &graph.model.tasks[task as usize];
            let TaskKind::Kernel(launch) = &task.kind else {
                continue;
            };
            let Launched::Here(kernel) = graph.kernels[launch.kernel as usize] else {
                continue;
            };
            if kernels[kernel].no_form.is_some() && !cx.formless.contains(&kernel) {
                let first = || (task.site, BTreeMap::new());
                let (_, aliases) = taken.entry(kernel).or_insert_with(first);
                let demanded = demanded(&graph.model, task).into_iter();
                aliases.extend(demanded.map(|site| (cx.sites.region(site).key(), site)));
            }
        }
    }
    for (kernel, (task, aliases)) in taken {
        cx.formless.insert(kernel);
        let aliases: Vec<Site> = aliases.into_values().collect();
        let fault = kernels[kernel].no_form.as_ref();
        let fault = fault.map(|form| form.taken(task, &aliases));
        cx.errors.extend(fault);
    }
}

/// Each `alias` that gives what `task` writes the storage of something else that it touches, perhaps
/// through others.
fn demanded(model: &Model, task: &Task) -> Vec<Site> {
    let Some(result) = task.accesses.last() else {
        return Vec::new();
    };
    let mut shared = BTreeSet::from([result.resource]);
    let mut found = BTreeSet::new();
    while let Some((at, pair)) = model.aliases.iter().enumerate().find(|(at, pair)| {
        !found.contains(at) && (shared.contains(&pair.a) || shared.contains(&pair.b))
    }) {
        found.insert(at);
        shared.extend([pair.a, pair.b]);
    }
    let mut others = task
        .accesses
        .iter()
        .filter(|a| a.resource != result.resource);
    match others.any(|access| shared.contains(&access.resource)) {
        true => found.into_iter().map(|at| model.aliases[at].site).collect(),
        false => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use gpu_graph_analysis::fault::{CUDA_TEXT, Fault};

    use super::*;

    /// The faults of a kernel with `text` whose result may or may not be in the place of `a`.
    fn faults(text: &str, in_place: bool) -> Vec<Fault> {
        let last = if in_place {
            ""
        } else {
            "output z: [f32; n] = f(&a);"
        };
        let program = format!(
            "kernel f(x: &[f32; n]) -> [f32; n] {{
                over [n], cuda r#\"{text}\"#, host host::f, in place x host host::f_in_place
            }}
            graph G {{
                dim n in 1..=8;
                input x: [f32; n];
                let a: [f32; n] = f(&x);
                output y: [f32; n] = f(&a);
                {last}
            }}
            graph H {{
                dim n in 1..=8;
                input x: [f32; n];
                let a: [f32; n] = f(&x);
                output y: [f32; n] = f(&a);
                {last}
            }}"
        );
        let tokens = program.parse().expect("the test's text is made of tokens");
        crate::expansion(&tokens, &mut Cx::default()).1
    }

    #[test]
    fn a_form_that_plans_take_is_reported_missing_once() {
        let alone = "KERNEL(f) { INDEX(i); out(i) = x(i); }";
        let found = faults(alone, true);
        assert_eq!(found.len(), 1, "{found:?}");
        assert_eq!(found[0].code, CUDA_TEXT);
        assert_eq!(
            found[0].message,
            "the CUDA text has no `KERNEL(f_in_place)`"
        );
        // A name that is pasted together may be this one.
        let pasted = format!("{alone} KERNEL(f##_in_place) {{ }}");
        let both = format!("{alone} KERNEL(f_in_place) {{ INDEX(i); x(i) = 1; }}");
        for text in [&*pasted, &*both] {
            assert_eq!(faults(text, true), []);
        }
    }

    #[test]
    fn a_form_that_no_plan_takes_may_be_missing() {
        assert_eq!(faults("KERNEL(f) { INDEX(i); out(i) = x(i); }", false), []);
    }
}
