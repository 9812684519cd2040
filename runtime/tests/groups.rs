//! Collectives: ranks that meet, fail, go, and are refused.

mod facade_support;

use std::sync::Barrier;
use std::thread;

use facade_support::*;
use gpu_graph_runtime::exec::{Args, Code, Group, GroupError, HostFn, Image};
use gpu_graph_runtime::graph::{Graph, LoadError, RunError, host};
use gpu_graph_runtime::table::{HostOp, Mode, Op};

const N: usize = 64;

/// `out` = the sum of `x` of all ranks.
fn sum(args: &mut Args<'_>) {
    let all = args.gather::<u32>();
    let out = args.write::<u32>();
    for (i, o) in out.iter_mut().enumerate() {
        *o = all.iter().map(|x| x[i]).sum();
    }
}

fn increment_unless_seven(args: &mut Args<'_>) {
    let x = args.read::<u32>();
    assert!(x[0] != 7, "seven");
    let out = args.write::<u32>();
    for (o, x) in out.iter_mut().zip(x) {
        *o = x + 1;
    }
}

/// `y = sum(x + 1)`, and then `z = sum(y)`, so that each rank reads what others made.
fn sums(first: HostFn) -> Image {
    let mut b = Build::default();
    let x = b.input("x");
    let t = b.transient("t");
    let y = b.transient("y");
    let z = b.output("z");
    let code = |host| Code {
        host,
        in_place: None,
        cuda: None,
    };
    for (host, from, to) in [(first, x, t), (sum, t, y), (sum, y, z)] {
        let accesses = [(from, Mode::Read), (to, Mode::Overwrite)];
        b.kernel(code(host), None, &accesses, &[]);
    }
    let issue = [
        Op::Gate { event: 0 },
        launch(0, 0),
        launch(1, 0),
        launch(2, 0),
        launch(3, 0),
        Op::Record {
            event: 0,
            stream: 0,
        },
    ];
    let collect = [HostOp::Wait { event: 0 }, HostOp::Read { resource: z }];
    b.finish(1, 1, &issue, &collect)
}

fn run(graph: &mut Graph, x: u32) -> Result<u32, RunError> {
    let setup = graph.begin().gate()?.input::<u32, _>(&[x; N])?;
    let all = setup.start()?.output::<u32>(0)?.to_vec()?;
    assert!(all.iter().all(|y| *y == all[0]));
    Ok(all[0])
}

#[test]
fn every_rank_gets_what_all_ranks_have() {
    for size in [1, 2, 5] {
        let (group, image) = (Group::new(size), sums(increment));
        thread::scope(|s| {
            for r in 0..size {
                let rank = group.rank(r).unwrap();
                s.spawn(move || {
                    let dims = [N as u64];
                    let mut graph = Graph::load_in(&host(), image, &dims, rank).unwrap();
                    for round in 0..100 {
                        let once: u32 = (0..size as u32).map(|r| r + round + 1).sum();
                        let all = once * size as u32;
                        assert_eq!(run(&mut graph, r as u32 + round), Ok(all));
                    }
                    graph
                });
            }
        });
    }
}

#[test]
fn a_rank_that_panics_ends_the_collective_on_the_others() {
    let (group, image) = (Group::new(3), sums(increment_unless_seven));
    let start = Barrier::new(3);
    thread::scope(|s| {
        for r in 0..3 {
            let (rank, start) = (group.rank(r).unwrap(), &start);
            s.spawn(move || {
                let dims = [N as u64];
                let mut graph = Graph::load_in(&host(), image, &dims, rank).unwrap();
                assert_eq!(run(&mut graph, 1), Ok(18));
                start.wait();
                let found = run(&mut graph, if r == 1 { 7 } else { 1 });
                let ended = RunError::Group {
                    graph: "Small",
                    source: GroupError::Failed { rank: 1 },
                };
                if r == 1 {
                    assert!(matches!(found, Err(RunError::Panicked { .. })), "{found:?}");
                } else {
                    assert_eq!(found, Err(ended.clone()));
                }
                // Nobody waits for ever later, either.
                assert_eq!(run(&mut graph, 1), Err(ended));
                start.wait();
            });
        }
    });
    assert_eq!(group.ended(), Some(GroupError::Failed { rank: 1 }));
}

#[test]
fn a_rank_that_is_dropped_ends_the_collective_on_those_that_wait() {
    let (group, image) = (Group::new(2), sums(increment));
    let (first, second) = (group.rank(0).unwrap(), group.rank(1).unwrap());
    thread::scope(|s| {
        let waits = s.spawn(move || {
            let mut graph = Graph::load_in(&host(), image, &[N as u64], first).unwrap();
            run(&mut graph, 1)
        });
        drop(Graph::load_in(&host(), image, &[N as u64], second).unwrap());
        let source = GroupError::Gone { rank: 1 };
        let graph = "Small";
        assert_eq!(
            waits.join().unwrap(),
            Err(RunError::Group { graph, source })
        );
    });
}

#[test]
fn ranks_run_one_graph_at_one_size() {
    let image = sums(increment);
    for (other, n) in [(sums(increment), N as u64), (image, 3)] {
        let group = Group::new(2);
        let [a, b] = [0, 1].map(|r| group.rank(r).unwrap());
        let _first = Graph::load_in(&host(), image, &[N as u64], a).unwrap();
        let refused = Graph::load_in(&host(), other, &[n], b).unwrap_err();
        let source = GroupError::OtherGraph { rank: 0 };
        let graph = "Small";
        assert_eq!(refused, LoadError::Group { graph, source });
    }
}
