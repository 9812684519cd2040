//! What tasks and resources are called.

use std::collections::BTreeSet;

use super::generate::{Numbers, random};
use super::model;

const KERNELS: &str = "
    const LAYERS: usize = 2;
    kernel step(x: &[f32; n]) -> [f32; n] { host k::step }
    kernel shift(x: &mut [f32; n]) { host k::shift }
";

fn names(text: &str) -> (Vec<String>, Vec<String>) {
    let (model, _) = model(&format!("{KERNELS}{text}"));
    let resources = model.resources.into_iter().map(|r| r.name);
    let tasks = model.tasks.into_iter().map(|t| t.name);
    (resources.collect(), tasks.collect())
}

#[test]
fn names_say_the_iteration_and_the_call() {
    let (resources, tasks) = names(
        "
        stage layer(x: &mut [f32; n]) -> [f32; n] {
            let t: [f32; n] = step(&x);
            shift(&mut x);
            'last: step(&t)
        }
        graph G {
            dim n in 4..=8;
            input x: [f32; n];
            let y: [f32; n] = step(&x);
            for l in 0..LAYERS {
                let t: [f32; n] = layer(&mut y);
                let u: [f32; n] = layer(&mut t);
                y = step(&u);
            }
            for l in 3..=3 { y[1..] = step(&x[1..]); }
            output z: [f32; n] = layer(&mut y);
        }",
    );
    let expected = [
        "x",
        "y",
        "l=0.t",
        "l=0.layer.t",
        "l=0.u",
        "l=0.layer#2.t",
        "l=1.t",
        "l=1.layer.t",
        "l=1.u",
        "l=1.layer#2.t",
        "z",
        "layer.t",
    ];
    assert_eq!(resources, expected);
    let expected = [
        "upload x",
        "y = step",
        "l=0.layer.t = step",
        "l=0.layer.shift(&mut y)",
        "l=0.layer.'last",
        "l=0.layer#2.t = step",
        "l=0.layer#2.shift(&mut l=0.t)",
        "l=0.layer#2.'last",
        "y = l=0.step",
        "l=1.layer.t = step",
        "l=1.layer.shift(&mut y)",
        "l=1.layer.'last",
        "l=1.layer#2.t = step",
        "l=1.layer#2.shift(&mut l=1.t)",
        "l=1.layer#2.'last",
        "y = l=1.step",
        "y[1..n] = l#2=3.step",
        "layer.t = step",
        "layer.shift(&mut y)",
        "layer.'last",
    ];
    assert_eq!(tasks, expected);
}

#[test]
fn no_two_resources_and_no_two_tasks_have_one_name() {
    let mut numbers = Numbers(0x9E37_79B9_7F4A_7C15);
    let mut seen = 0;
    for _ in 0..200 {
        let (model, _) = model(&random(&mut numbers).text());
        let resources: Vec<_> = model.resources.iter().map(|r| &r.name).collect();
        let tasks: Vec<_> = model.tasks.iter().map(|t| &t.name).collect();
        for list in [resources, tasks] {
            seen += list.len();
            let unique: BTreeSet<_> = list.iter().collect();
            assert_eq!(unique.len(), list.len(), "{list:?}");
        }
    }
    assert!(seen > 4_000, "{seen}");
}
