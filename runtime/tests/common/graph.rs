//! A graph under construction: tasks over `u64` tensors, and what they compute.

use gpu_graph_runtime::exec::Image;
use gpu_graph_runtime::table::{
    Access, Class, Elem, Expr, HostOp, Issue, Mode, Op, Program, Resource, Rows, Scalar, Slot,
    Source, Span, Task, TaskKind,
};

use super::kernels::{self, CODE, KERNELS};

#[derive(Clone, Debug)]
pub struct Res {
    pub class: Class,
    pub len: usize,
}

#[derive(Clone, Debug)]
pub struct Touch {
    pub resource: usize,
    pub mode: Mode,
    pub from: usize,
    pub to: usize,
}

impl Touch {
    pub fn conflicts(&self, other: &Touch) -> bool {
        self.resource == other.resource
            && self.from < other.to
            && other.from < self.to
            && (self.mode != Mode::Read || other.mode != Mode::Read)
    }
}

#[derive(Clone, Debug)]
pub struct Node {
    pub kind: TaskKind,
    pub salt: u64,
    pub touches: Vec<Touch>,
}

/// A graph, and how it is issued.
#[derive(Clone, Debug, Default)]
pub struct Graph {
    pub resources: Vec<Res>,
    pub tasks: Vec<Node>,
    pub slots: Vec<Slot>,
    pub arena: u64,
    pub ring: u32,
    pub streams: u8,
    pub events: u32,
    pub issue: Vec<Op>,
    /// Events that together say that a run is over.
    pub last: Vec<u32>,
}

fn leak<T>(items: Vec<T>) -> &'static [T] {
    Box::leak(items.into_boxed_slice())
}

impl Graph {
    pub fn resource(&mut self, class: Class, len: usize) -> usize {
        self.resources.push(Res { class, len });
        self.resources.len() - 1
    }

    /// All of a resource.
    pub fn all(&self, resource: usize, mode: Mode) -> Touch {
        Touch {
            resource,
            mode,
            from: 0,
            to: self.resources[resource].len,
        }
    }

    pub fn task(&mut self, kernel: u32, salt: u64, touches: Vec<Touch>) -> usize {
        let kind = TaskKind::Kernel(kernel);
        self.tasks.push(Node {
            kind,
            salt,
            touches,
        });
        self.tasks.len() - 1
    }

    pub fn upload(&mut self, input: usize) -> usize {
        let touches = vec![self.all(input, Mode::Overwrite)];
        let kind = TaskKind::Upload;
        self.tasks.push(Node {
            kind,
            salt: 0,
            touches,
        });
        self.tasks.len() - 1
    }

    pub fn of(&self, class: Class) -> Vec<u32> {
        let all = self.resources.iter().enumerate();
        all.filter(|(_, r)| r.class == class)
            .map(|(i, _)| i as u32)
            .collect()
    }

    /// What the caller sets at each run.
    pub fn inputs(&self) -> Vec<u32> {
        let all = self.resources.iter().enumerate();
        all.filter(|(_, r)| r.class.is_input())
            .map(|(i, _)| i as u32)
            .collect()
    }

    /// The tables, leaked.
    pub fn image(&self) -> Image {
        let mut exprs: Vec<Expr<'static>> = Vec::new();
        let mut expr = |value: usize| {
            exprs.push(Expr {
                constant: value as i64,
                terms: &[],
            });
            exprs.len() as u32 - 1
        };
        let mut resources = Vec::new();
        for (i, r) in self.resources.iter().enumerate() {
            resources.push(Resource {
                name: Box::leak(format!("r{i}").into_boxed_str()),
                class: r.class,
                elem: Elem::U64,
                domain: 0,
                shape: leak(vec![expr(r.len)]),
            });
        }
        let (mut tasks, mut accesses, mut scalars) = (Vec::new(), Vec::new(), Vec::new());
        for t in &self.tasks {
            let start = accesses.len() as u32;
            for a in &t.touches {
                let whole = a.from == 0 && a.to == self.resources[a.resource].len;
                accesses.push(Access {
                    resource: a.resource as u32,
                    mode: a.mode,
                    rows: if whole {
                        Rows::All
                    } else {
                        Rows::Span(expr(a.from), expr(a.to))
                    },
                });
            }
            let scalars_start = scalars.len() as u32;
            if t.kind != TaskKind::Upload {
                scalars.extend([Scalar::Const(t.salt), Scalar::Param(0)]);
            }
            tasks.push(Task {
                kind: t.kind,
                accesses: Span::new(start, t.touches.len() as u32),
                scalars: Span::new(scalars_start, scalars.len() as u32 - scalars_start),
                dims: Span::new(0, 0),
            });
        }
        let source = Source {
            name: "random",
            dims: &[],
            products: &[],
            exprs: leak(exprs),
            resources: leak(resources),
            kernels: &KERNELS,
            tasks: leak(tasks),
            accesses: leak(accesses),
            scalars: leak(scalars),
            bindings: &[],
            params: 1,
            orders: &[],
            aliases: &[],
            separate: &[],
            again: &[],
            depth: self.ring,
            budget: None,
        };
        let gates = self.last.iter().map(|&event| Op::Gate { event });
        let waits = self.last.iter().map(|&event| HostOp::Wait { event });
        let reads = self.of(Class::Output).into_iter();
        let program = Program {
            ring: self.ring,
            streams: self.streams,
            events: self.events,
            arena: self.arena,
            store: 0,
            pinned: 0,
            issue_as: Issue::Streams,
            slots: leak(self.slots.clone()),
            issue: leak(gates.chain(self.issue.iter().copied()).collect()),
            collect: leak(
                waits
                    .chain(reads.map(|resource| HostOp::Read { resource }))
                    .collect(),
            ),
        };
        Image {
            source: Box::leak(Box::new(source)),
            program: Box::leak(Box::new(program)),
            code: &CODE,
        }
    }

    /// What each resource holds after the tasks ran in statement order.
    pub fn sequential(&self, inputs: &[Vec<u64>], run: u64) -> Vec<Vec<u64>> {
        let mut values: Vec<Vec<u64>> = self.resources.iter().map(|r| vec![0; r.len]).collect();
        let mut inputs = inputs.iter();
        for t in &self.tasks {
            let Some((result, operands)) = t.touches.split_last() else {
                continue;
            };
            if t.kind == TaskKind::Upload {
                values[result.resource].clone_from(inputs.next().expect("an input each"));
                continue;
            }
            let mut read: Vec<Vec<u64>> = Vec::new();
            for o in operands {
                read.push(values[o.resource][o.from..o.to].to_vec());
            }
            let out = &mut values[result.resource][result.from..result.to];
            for (i, out) in out.iter_mut().enumerate() {
                let old = [*out];
                let mut operands: Vec<&[u64]> = read.iter().map(Vec::as_slice).collect();
                if result.mode == Mode::ReadWrite {
                    operands.push(&old);
                }
                *out = kernels::element(t.salt, run, i, &operands);
            }
        }
        values
    }
}
