//! Collectives through the language: one group, one rank for each thread.
#![forbid(unsafe_code)]

use std::thread;

use gpu_graph::{Device, Group, GroupError, RunError};

gpu_graph::gpu_graph! {
    kernel scale(x: &[f32; n], by: f32) -> [f32; n] { host host::scale }
    /// The sum of `x` of all ranks.
    collective all_reduce(x: &[f32; n]) -> [f32; n] { host host::all_reduce }
    /// What all ranks have, one behind the other.
    collective all_gather(x: &[u32; n], ranks: u32) -> [u32; 4] { host host::all_gather }

    /// A gradient that is averaged over all ranks, step by step.
    graph Step {
        dim n in 1..=256;
        streams 2;
        scalar by: f32;
        inout mean: [f32; n];
        input gradient: [f32; n];
        input names: [u32; 1];
        let own: [f32; n] = scale(&gradient, by);
        let sum: [f32; n] = all_reduce(&own);
        add(&sum, &mut mean);
        output all: [u32; 4] = all_gather(&names, 4);
        output now: [f32; n] = scale(&mean, 1.0);
    }

    kernel add(x: &[f32; n], sum: &mut [f32; n]) { host host::add }
}

mod host {
    pub fn scale(x: &[f32], by: f32, out: &mut [f32], _: super::scale::Dims) {
        assert!(by != 13.0, "thirteen");
        for (o, x) in out.iter_mut().zip(x) {
            *o = x * by;
        }
    }

    pub fn add(x: &[f32], sum: &mut [f32], _: super::add::Dims) {
        for (s, x) in sum.iter_mut().zip(x) {
            *s += x;
        }
    }

    pub fn all_reduce(x: &[&[f32]], out: &mut [f32], dims: super::all_reduce::Dims) {
        assert_eq!(out.len(), dims.n);
        for (i, o) in out.iter_mut().enumerate() {
            *o = x.iter().map(|x| x[i]).sum();
        }
    }

    pub fn all_gather(x: &[&[u32]], ranks: u32, out: &mut [u32], _: super::all_gather::Dims) {
        assert_eq!(x.len(), ranks as usize);
        for (o, x) in out.iter_mut().zip(x) {
            *o = x[0];
        }
    }
}

fn rank(device: &Device, group: &Group, index: usize) -> Step {
    let rank = group.rank(index).unwrap();
    Step::load_in(device, step::Dims { n: 3 }, rank).unwrap()
}

fn run(graph: &mut Step, rank: u32, by: f32) -> Result<(Vec<f32>, Vec<u32>), RunError> {
    let gradient = [rank as f32; 3];
    let run = graph.run(step::Inputs {
        gradient: &gradient,
        names: &[10 + rank],
        by,
    })?;
    Ok((run.now()?.to_vec()?, run.all()?.to_vec()?))
}

#[test]
fn ranks_see_what_all_of_them_pass_in_every_run() {
    let (device, group) = (gpu_graph::host(), Group::new(4));
    thread::scope(|s| {
        for r in 0..4 {
            let mut graph = rank(&device, &group, r);
            s.spawn(move || {
                for round in 1..50 {
                    let (now, all) = run(&mut graph, r as u32, 2.0).unwrap();
                    assert_eq!(now, [12.0 * round as f32; 3]);
                    assert_eq!(all, [10, 11, 12, 13]);
                }
                // Nobody may go before all are done.
                graph
            });
        }
    });
}

#[test]
fn a_rank_that_fails_ends_the_run_of_the_others_with_its_name() {
    let (device, group) = (gpu_graph::host(), Group::new(4));
    thread::scope(|s| {
        let ranks = (0..4u32).map(|r| {
            let mut graph = rank(&device, &group, r as usize);
            s.spawn(move || {
                let by = if r == 2 { 13.0 } else { 1.0 };
                (run(&mut graph, r, by), graph)
            })
        });
        let found: Vec<_> = ranks
            .collect::<Vec<_>>()
            .into_iter()
            .map(|t| t.join().unwrap())
            .collect();
        for (r, (found, _)) in found.iter().enumerate() {
            match r {
                2 => assert!(matches!(found, Err(RunError::Panicked { .. })), "{found:?}"),
                _ => {
                    let source = GroupError::Failed { rank: 2 };
                    let graph = "Step";
                    assert_eq!(*found, Err(RunError::Group { graph, source }));
                }
            }
        }
    });
}
