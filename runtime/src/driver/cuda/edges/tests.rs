use super::*;
use crate::rng::Rng;
use crate::table::Form;

/// A program, and what of it has a node.
struct Case {
    streams: u8,
    events: u32,
    issue: Vec<Op>,
    collect: Vec<HostOp>,
    present: Vec<bool>,
    scalars: Vec<bool>,
}

impl Case {
    fn random(rng: &mut Rng) -> Self {
        let streams = 1 + rng.below(4) as u8;
        let (mut issue, mut collect) = (Vec::new(), Vec::new());
        let (mut present, mut scalars) = (Vec::new(), Vec::new());
        let mut events = 0;
        for _ in 0..4 + rng.below(28) {
            let stream = rng.below(usize::from(streams)) as u8;
            match rng.below(5) {
                0 | 1 => {
                    issue.push(Op::Launch {
                        task: present.len() as u32,
                        stream,
                        form: Form::Apart,
                    });
                    present.push(rng.below(6) > 0);
                    scalars.push(rng.below(4) == 0);
                }
                2 => {
                    issue.push(Op::Record {
                        event: events,
                        stream,
                    });
                    match rng.below(4) {
                        0 => issue.insert(0, Op::Gate { event: events }),
                        1 => collect.push(HostOp::Wait { event: events }),
                        _ => {}
                    }
                    events += 1;
                }
                _ if events > 0 => issue.push(Op::Wait {
                    stream,
                    event: rng.below(events as usize) as u32,
                }),
                _ => {}
            }
        }
        for (reads, present) in scalars.iter_mut().zip(&present) {
            *reads &= *present;
        }
        Self {
            streams,
            events,
            issue,
            collect,
            present,
            scalars,
        }
    }

    fn with<T>(&self, look: impl FnOnce(&Shape<'_>) -> T) -> T {
        let program = Program {
            streams: self.streams,
            events: self.events,
            issue: &self.issue,
            collect: &self.collect,
            ..Program::EMPTY
        };
        look(&Shape {
            program: &program,
            present: &self.present,
            scalars: &self.scalars,
        })
    }

    /// By brute force: pairs of launches with a node, of which the program orders the first before
    /// the second.
    fn ordered(&self) -> Vec<(usize, usize)> {
        let count = self.issue.len();
        let mut path = vec![vec![false; count]; count];
        let stream = |op: &Op| match *op {
            Op::Launch { stream, .. } | Op::Record { stream, .. } | Op::Wait { stream, .. } => {
                Some(stream)
            }
            _ => None,
        };
        for (b, later) in self.issue.iter().enumerate() {
            for (a, earlier) in self.issue.iter().enumerate().take(b) {
                let fifo = stream(earlier).is_some() && stream(earlier) == stream(later);
                let event = match (earlier, later) {
                    (Op::Record { event: r, .. }, Op::Wait { event: w, .. }) => r == w,
                    _ => false,
                };
                path[a][b] = fifo || event;
            }
        }
        close(&mut path);
        let node = |op: usize| match self.issue[op] {
            Op::Launch { task, .. } => self.present[task as usize],
            _ => false,
        };
        let pairs = (0..count).flat_map(|a| (0..count).map(move |b| (a, b)));
        let ordered = pairs.filter(|&(a, b)| path[a][b] && node(a) && node(b));
        ordered.collect()
    }

    /// By brute force: whether the edges have a path for all of that, and to every launch that
    /// reads scalars.
    fn covered(&self, nodes: &[Node]) -> bool {
        let count = nodes.len();
        let mut path = vec![vec![false; count]; count];
        for (number, node) in nodes.iter().enumerate() {
            for &before in &node.after {
                path[before as usize][number] = true;
            }
        }
        close(&mut path);
        let of = |op: usize| nodes.iter().position(|n| n.what == What::Launch(op));
        let ordered = self
            .ordered()
            .into_iter()
            .all(|(a, b)| match (of(a), of(b)) {
                (Some(a), Some(b)) => path[a][b],
                _ => false,
            });
        let scalars = nodes
            .iter()
            .enumerate()
            .all(|(number, node)| match node.what {
                What::Launch(op) => match self.issue[op] {
                    Op::Launch { task, .. } if self.scalars[task as usize] => path[0][number],
                    _ => true,
                },
                _ => true,
            });
        ordered && scalars
    }
}

fn close(path: &mut [Vec<bool>]) {
    for k in 0..path.len() {
        for i in 0..path.len() {
            if path[i][k] {
                let beyond = path[k].clone();
                path[i]
                    .iter_mut()
                    .zip(beyond)
                    .for_each(|(to, far)| *to |= far);
            }
        }
    }
}

#[test]
fn edges_order_all_that_the_program_orders_and_none_is_spare() {
    let mut rng = Rng(5);
    let mut edges = 0;
    for _ in 0..3_000 {
        let case = Case::random(&mut rng);
        let nodes = case.with(|shape| {
            let nodes = derive(shape);
            assert_eq!(check(shape, &nodes), Ok(()));
            nodes
        });
        assert!(case.covered(&nodes));
        // Every edge that is lost is missed: none is there for nothing.
        for number in 0..nodes.len() {
            for lost in 0..nodes[number].after.len() {
                let mut mutant = nodes.clone();
                mutant[number].after.remove(lost);
                let found = case.with(|shape| check(shape, &mutant));
                assert!(found.is_err(), "{:?} {nodes:?} {number} {lost}", case.issue);
                edges += 1;
            }
        }
    }
    assert!(edges > 10_000, "{edges}");
}

#[test]
fn of_edges_that_are_lost_moved_or_added_at_random_exactly_the_harmful_are_refused() {
    let mut rng = Rng(11);
    let (mut refused, mut kept) = (0, 0);
    for _ in 0..6_000 {
        let case = Case::random(&mut rng);
        let mut nodes = case.with(derive);
        for _ in 0..1 + rng.below(4) {
            if nodes.len() < 2 {
                break;
            }
            let number = 1 + rng.below(nodes.len() - 1);
            let before = rng.below(number) as u32;
            let after = &mut nodes[number].after;
            match rng.below(3) {
                0 => after.push(before),
                1 if !after.is_empty() => {
                    let at = rng.below(after.len());
                    after.remove(at);
                }
                _ if !after.is_empty() => {
                    let at = rng.below(after.len());
                    after[at] = before;
                }
                _ => {}
            }
        }
        let found = case.with(|shape| check(shape, &nodes));
        assert_eq!(
            found.is_ok(),
            case.covered(&nodes),
            "{:?} {nodes:?}",
            case.issue
        );
        match found {
            Ok(()) => kept += 1,
            Err(_) => refused += 1,
        }
    }
    assert!(refused > 1_000 && kept > 1_000, "{refused} {kept}");
}

#[test]
fn a_node_that_is_gone_doubled_or_out_of_place_is_refused() {
    let mut rng = Rng(3);
    let mut mutants = 0;
    for _ in 0..500 {
        let case = Case::random(&mut rng);
        let nodes = case.with(derive);
        for number in 0..nodes.len() {
            let mut gone = nodes.clone();
            gone.remove(number);
            for node in &mut gone {
                node.after.retain(|&n| n != number as u32);
                node.after
                    .iter_mut()
                    .for_each(|n| *n -= u32::from(*n > number as u32));
            }
            let mut doubled = nodes.clone();
            doubled.push(nodes[number].clone());
            let mut ahead = nodes.clone();
            ahead[number].after.push(number as u32);
            let mut mutated = vec![doubled, ahead];
            if nodes[number].what != What::Scalars {
                mutated.push(gone);
            }
            for mutant in mutated {
                assert!(
                    case.with(|shape| check(shape, &mutant)).is_err(),
                    "{mutant:?}"
                );
                mutants += 1;
            }
        }
    }
    assert!(mutants > 5_000, "{mutants}");
}

#[test]
fn a_diamond_on_two_streams_has_four_edges_and_one_event_that_knows_of_all() {
    let launch = |task, stream| Op::Launch {
        task,
        stream,
        form: Form::Apart,
    };
    let case = Case {
        streams: 2,
        events: 3,
        issue: vec![
            Op::Gate { event: 2 },
            launch(0, 0),
            Op::Record {
                event: 0,
                stream: 0,
            },
            Op::Wait {
                stream: 1,
                event: 0,
            },
            launch(1, 1),
            Op::Record {
                event: 1,
                stream: 1,
            },
            launch(2, 0),
            Op::Wait {
                stream: 0,
                event: 1,
            },
            launch(3, 0),
            Op::Record {
                event: 2,
                stream: 0,
            },
        ],
        collect: vec![HostOp::Wait { event: 2 }],
        present: vec![true; 4],
        scalars: vec![false; 4],
    };
    let nodes = case.with(derive);
    assert_eq!(case.with(|shape| last(shape.program)), Some(2));
    let after: Vec<_> = nodes.iter().map(|node| &node.after[..]).collect();
    assert_eq!(after, [&[][..], &[0], &[0], &[1, 2]]);
}
