//! Small graphs over `u32`, made at run time: every resource has `n` elements and a slot of its own.
#![allow(dead_code, reason = "each test uses its part")]

use std::sync::{Condvar, Mutex};

use gpu_graph_runtime::exec::{Args, Code, HostFn, Image};
use gpu_graph_runtime::table::*;

/// Largest `n`.
pub const MAX: u64 = 1 << 16;

/// A graph in the making.
#[derive(Default)]
pub struct Build {
    resources: Vec<Resource<'static>>,
    kernels: Vec<Kernel<'static>>,
    code: Vec<Code>,
    tasks: Vec<Task>,
    accesses: Vec<Access>,
    scalars: Vec<Scalar>,
    params: u32,
    merged: Vec<(u32, u32)>,
}

impl Build {
    fn resource(&mut self, name: &'static str, class: Class) -> u32 {
        self.resources.push(Resource {
            name,
            class,
            elem: Elem::U32,
            domain: 0,
            shape: &[0],
        });
        self.resources.len() as u32 - 1
    }

    fn task(&mut self, kind: TaskKind, accesses: &[(u32, Mode)], scalars: &[Scalar]) -> u32 {
        let start = self.accesses.len() as u32;
        for &(resource, mode) in accesses {
            self.accesses.push(Access {
                resource,
                mode,
                rows: Rows::All,
            });
        }
        self.tasks.push(Task {
            kind,
            accesses: Span::new(start, accesses.len() as u32),
            scalars: Span::new(self.scalars.len() as u32, scalars.len() as u32),
            dims: Span::new(0, 0),
        });
        self.scalars.extend(scalars);
        self.tasks.len() as u32 - 1
    }

    /// An input and its upload, which is the task of the same index.
    pub fn input(&mut self, name: &'static str) -> u32 {
        let resource = self.resource(name, Class::Input);
        self.task(TaskKind::Upload, &[(resource, Mode::Overwrite)], &[]);
        resource
    }

    /// A transient.
    pub fn transient(&mut self, name: &'static str) -> u32 {
        self.resource(name, Class::Transient)
    }

    /// An output.
    pub fn output(&mut self, name: &'static str) -> u32 {
        self.resource(name, Class::Output)
    }

    /// A scalar set at every run.
    pub fn scalar(&mut self) -> Scalar {
        self.params += 1;
        Scalar::Param(self.params - 1)
    }

    /// A launch of a kernel of its own.
    pub fn call(&mut self, host: HostFn, accesses: &[(u32, Mode)], scalars: &[Scalar]) -> u32 {
        self.kernel(
            Code {
                host,
                in_place: None,
                cuda: None,
            },
            None,
            accesses,
            scalars,
        )
    }

    /// As `call`, of a kernel with an in-place form on its first argument.
    pub fn kernel(
        &mut self,
        code: Code,
        in_place: Option<u8>,
        accesses: &[(u32, Mode)],
        scalars: &[Scalar],
    ) -> u32 {
        self.code.push(code);
        let params = 8 * (accesses.len() + scalars.len()) as u32;
        let name = "kernel";
        self.kernels.push(Kernel {
            name,
            over: &[],
            block: &[],
            shared: 0,
            params,
            callback: false,
            in_place,
        });
        self.task(
            TaskKind::Kernel(self.kernels.len() as u32 - 1),
            accesses,
            scalars,
        )
    }

    /// Lets `result` take the storage of `operand`.
    pub fn merge(&mut self, result: u32, operand: u32) {
        self.merged.push((result, operand));
    }

    /// The graph with these ops, for good.
    pub fn finish(self, ring: u32, streams: u8, issue: &[Op], collect: &[HostOp]) -> Image {
        let size = MAX * 4;
        let mut slots: Vec<Slot> = (0..self.resources.len() as u64)
            .map(|i| Slot {
                offset: i * size,
                bytes: size,
            })
            .collect();
        for &(result, operand) in &self.merged {
            slots[result as usize] = slots[operand as usize];
        }
        let events = issue
            .iter()
            .filter(|op| matches!(op, Op::Record { .. }))
            .count() as u32;
        let program = Program {
            ring,
            streams,
            events,
            arena: size * slots.len() as u64,
            store: 0,
            pinned: 0,
            issue_as: Issue::Streams,
            slots: slots.leak(),
            issue: issue.to_vec().leak(),
            collect: collect.to_vec().leak(),
        };
        let source = Source {
            name: "Small",
            dims: &[Dim {
                name: "n",
                min: 0,
                max: MAX,
            }],
            products: &[],
            exprs: &[Expr {
                constant: 0,
                terms: &[Term {
                    scale: 1,
                    dim: 0,
                    mul: 1,
                    add: 0,
                    div: 1,
                }],
            }],
            resources: self.resources.leak(),
            kernels: self.kernels.leak(),
            tasks: self.tasks.leak(),
            accesses: self.accesses.leak(),
            scalars: self.scalars.leak(),
            bindings: &[],
            params: self.params,
            orders: &[],
            aliases: self.merged.leak(),
            separate: &[],
            again: &[],
            depth: ring,
            budget: None,
        };
        Image {
            source: Box::leak(Box::new(source)),
            program: Box::leak(Box::new(program)),
            code: self.code.leak(),
        }
    }
}

/// A launch with separate operands.
pub const fn launch(task: u32, stream: u8) -> Op {
    Op::Launch {
        task,
        stream,
        form: Form::Apart,
    }
}

/// `out = x + 1`.
pub fn increment(args: &mut Args<'_>) {
    let x = args.read::<u32>();
    let out = args.write::<u32>();
    for (o, x) in out.iter_mut().zip(x) {
        *o = x.wrapping_add(1);
    }
}

/// `out = x * by`.
pub fn multiply(args: &mut Args<'_>) {
    let x = args.read::<u32>();
    let by = args.scalar::<u32>();
    let out = args.write::<u32>();
    for (o, x) in out.iter_mut().zip(x) {
        *o = x.wrapping_mul(by);
    }
}

/// `out = x + y`.
pub fn add(args: &mut Args<'_>) {
    let x = args.read::<u32>();
    let y = args.read::<u32>();
    let out = args.write::<u32>();
    for ((o, x), y) in out.iter_mut().zip(x).zip(y) {
        *o = x.wrapping_add(*y);
    }
}

/// `x += 1`.
pub fn increment_in_place(args: &mut Args<'_>) {
    for x in args.update::<u32>() {
        *x = x.wrapping_add(1);
    }
}

/// `y = x + 2`, the second step in place, whose forms are `code`.
pub fn in_place(code: Code) -> Image {
    let mut b = Build::default();
    let x = b.input("x");
    let t = b.transient("t");
    let y = b.output("y");
    b.merge(y, t);
    b.call(increment, &[(x, Mode::Read), (t, Mode::Overwrite)], &[]);
    b.kernel(code, Some(0), &[(t, Mode::Read), (y, Mode::Overwrite)], &[]);
    let issue = [
        Op::Gate { event: 0 },
        launch(0, 0),
        launch(1, 0),
        Op::Launch {
            task: 2,
            stream: 0,
            form: Form::InPlace,
        },
        Op::Record {
            event: 0,
            stream: 0,
        },
    ];
    b.finish(
        1,
        1,
        &issue,
        &[HostOp::Wait { event: 0 }, HostOp::Read { resource: y }],
    )
}

/// `y = (x + 1) * by`, everything on the calling thread.
pub fn chain(ring: u32) -> Image {
    let mut b = Build::default();
    let x = b.input("x");
    let t = b.transient("t");
    let y = b.output("y");
    let by = b.scalar();
    b.call(increment, &[(x, Mode::Read), (t, Mode::Overwrite)], &[]);
    b.call(multiply, &[(t, Mode::Read), (y, Mode::Overwrite)], &[by]);
    let issue = [
        Op::Gate { event: 0 },
        launch(0, 0),
        launch(1, 0),
        launch(2, 0),
        Op::Record {
            event: 0,
            stream: 0,
        },
    ];
    b.finish(
        ring,
        1,
        &issue,
        &[HostOp::Wait { event: 0 }, HostOp::Read { resource: y }],
    )
}

/// `y = x + 1` on stream 0 and `z = f(x)` on stream 1, each with its own event; a run returns while
/// `f` is still at work.
pub fn fork(ring: u32, f: HostFn) -> Image {
    let mut b = Build::default();
    let x = b.input("x");
    let y = b.output("y");
    let z = b.output("z");
    b.call(increment, &[(x, Mode::Read), (y, Mode::Overwrite)], &[]);
    b.call(f, &[(x, Mode::Read), (z, Mode::Overwrite)], &[]);
    let issue = [
        Op::Gate { event: 1 },
        Op::Gate { event: 2 },
        launch(0, 0),
        Op::Record {
            event: 0,
            stream: 0,
        },
        launch(1, 0),
        Op::Record {
            event: 1,
            stream: 0,
        },
        Op::Wait {
            stream: 1,
            event: 0,
        },
        launch(2, 1),
        Op::Record {
            event: 2,
            stream: 1,
        },
    ];
    let collect = [
        HostOp::Wait { event: 1 },
        HostOp::Read { resource: y },
        HostOp::Wait { event: 2 },
        HostOp::Read { resource: z },
    ];
    b.finish(ring, 2, &issue, &collect)
}

/// A door that kernels wait at.
pub struct Latch {
    open: Mutex<bool>,
    moved: Condvar,
}

impl Latch {
    /// Shut.
    pub const fn new() -> Self {
        Self {
            open: Mutex::new(false),
            moved: Condvar::new(),
        }
    }

    /// Lets everybody through until it is shut.
    pub fn set(&self, open: bool) {
        *self.open.lock().unwrap() = open;
        self.moved.notify_all();
    }

    /// Waits until it is open.
    pub fn pass(&self) {
        let open = self.open.lock().unwrap();
        drop(self.moved.wait_while(open, |open| !*open).unwrap());
    }
}

/// Defines `fn $kernel`, `out = x`, which first waits at `static $latch` and then adds what it saw
/// of `x` to `static $seen`.
#[macro_export]
macro_rules! held_kernel {
    ($kernel:ident, $latch:ident, $seen:ident) => {
        static $latch: facade_support::Latch = facade_support::Latch::new();
        static $seen: std::sync::atomic::AtomicU64 = std::sync::atomic::AtomicU64::new(0);
        fn $kernel(args: &mut gpu_graph_runtime::exec::Args<'_>) {
            let x = args.read::<u32>();
            let out = args.write::<u32>();
            $latch.pass();
            out.copy_from_slice(x);
            let sum: u64 = x.iter().map(|&x| u64::from(x)).sum();
            $seen.fetch_add(sum, std::sync::atomic::Ordering::SeqCst);
        }
    };
}

/// Waits, however long it takes, until `done`.
pub fn eventually(done: impl Fn() -> bool) {
    while !done() {
        std::thread::yield_now();
    }
}
