//! A small graph as the macro generates it, written by hand: the contract between generated code
//! and the runtime. Nothing in it is unsafe.
#![forbid(unsafe_code)]

use std::sync::Arc;

use gpu_graph_runtime::graph::{self as rt, host};

/// What generated code needs beside the facade.
mod tables {
    pub use gpu_graph_runtime::exec::{Args, Code, Image};
    pub use gpu_graph_runtime::table::*;
}

// kernel scale(src: &[f32; n], by: f32) -> [f32; n] { host kernels::scale }
/// Kernel `scale`.
pub mod scale {
    /// Actual dims of one launch.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct Dims {
        /// `n`.
        pub n: usize,
    }
}

// kernel round(src: &[f32; n]) -> [i32; n] { host kernels::round }
/// Kernel `round`.
pub mod round {
    /// Actual dims of one launch.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct Dims {
        /// `n`.
        pub n: usize,
    }
}

mod kernels {
    pub fn scale(src: &[f32], by: f32, out: &mut [f32], dims: super::scale::Dims) {
        assert_eq!(src.len(), dims.n);
        for (o, s) in out.iter_mut().zip(src) {
            *o = s * by;
        }
    }

    pub fn round(src: &[f32], out: &mut [i32], _: super::round::Dims) {
        for (o, s) in out.iter_mut().zip(src) {
            assert!(!s.is_nan(), "not a number");
            *o = s.round() as i32;
        }
    }
}

// graph Rounded { dim n in 0..=1000; input x: [f32; n]; scalar by: f32;
//                 let scaled: [f32; n] = scale(&x, by); output y: [i32; n] = round(&scaled); }
const _: () = {
    use tables::*;

    static SOURCE: Source<'static> = Source {
        name: "Rounded",
        dims: &[Dim {
            name: "n",
            min: 0,
            max: 1000,
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
        resources: &[
            Resource {
                name: "x",
                class: Class::Input,
                elem: Elem::F32,
                domain: 0,
                shape: &[0],
            },
            Resource {
                name: "scaled",
                class: Class::Transient,
                elem: Elem::F32,
                domain: 0,
                shape: &[0],
            },
            Resource {
                name: "y",
                class: Class::Output,
                elem: Elem::I32,
                domain: 0,
                shape: &[0],
            },
        ],
        kernels: &[
            Kernel {
                name: "scale",
                over: &[],
                block: &[],
                shared: 0,
                params: 28,
                callback: false,
                in_place: None,
            },
            Kernel {
                name: "round",
                over: &[],
                block: &[],
                shared: 0,
                params: 24,
                callback: false,
                in_place: None,
            },
        ],
        tasks: &[
            Task {
                kind: TaskKind::Upload,
                accesses: Span::new(0, 1),
                scalars: Span::new(0, 0),
                dims: Span::new(0, 0),
            },
            Task {
                kind: TaskKind::Kernel(0),
                accesses: Span::new(1, 2),
                scalars: Span::new(0, 1),
                dims: Span::new(0, 1),
            },
            Task {
                kind: TaskKind::Kernel(1),
                accesses: Span::new(3, 2),
                scalars: Span::new(1, 0),
                dims: Span::new(1, 1),
            },
        ],
        accesses: &[
            Access {
                resource: 0,
                mode: Mode::Overwrite,
                rows: Rows::All,
            },
            Access {
                resource: 0,
                mode: Mode::Read,
                rows: Rows::All,
            },
            Access {
                resource: 1,
                mode: Mode::Overwrite,
                rows: Rows::All,
            },
            Access {
                resource: 1,
                mode: Mode::Read,
                rows: Rows::All,
            },
            Access {
                resource: 2,
                mode: Mode::Overwrite,
                rows: Rows::All,
            },
        ],
        scalars: &[Scalar::Param(0)],
        bindings: &[0, 0],
        params: 1,
        orders: &[],
        aliases: &[],
        separate: &[],
        again: &[],
        depth: 1,
        budget: None,
    };

    static PROGRAM: Program<'static> = Program {
        ring: 1,
        streams: 1,
        events: 1,
        arena: 3 * 4096,
        store: 0,
        pinned: 0,
        issue_as: Issue::Streams,
        slots: &[
            Slot {
                offset: 0,
                bytes: 4096,
            },
            Slot {
                offset: 4096,
                bytes: 4096,
            },
            Slot {
                offset: 8192,
                bytes: 4096,
            },
        ],
        issue: &[
            Op::Gate { event: 0 },
            Op::Launch {
                task: 0,
                stream: 0,
                form: Form::Apart,
            },
            Op::Launch {
                task: 1,
                stream: 0,
                form: Form::Apart,
            },
            Op::Launch {
                task: 2,
                stream: 0,
                form: Form::Apart,
            },
            Op::Record {
                event: 0,
                stream: 0,
            },
        ],
        collect: &[HostOp::Wait { event: 0 }, HostOp::Read { resource: 2 }],
    };

    fn scale_shim(args: &mut Args<'_>) {
        const HOST: fn(&[f32], f32, &mut [f32], scale::Dims) = kernels::scale;
        let src = args.read::<f32>();
        let by = args.scalar::<f32>();
        let out = args.write::<f32>();
        HOST(src, by, out, scale::Dims { n: args.dim(0) });
    }

    fn round_shim(args: &mut Args<'_>) {
        const HOST: fn(&[f32], &mut [i32], round::Dims) = kernels::round;
        let src = args.read::<f32>();
        let out = args.write::<i32>();
        HOST(src, out, round::Dims { n: args.dim(0) });
    }

    static CODE: [Code; 2] = [
        Code {
            host: scale_shim,
            in_place: None,
            cuda: None,
        },
        Code {
            host: round_shim,
            in_place: None,
            cuda: None,
        },
    ];

    const IMAGE: Image = Image {
        source: &SOURCE,
        program: &PROGRAM,
        code: &CODE,
    };

    impl Rounded {
        /// What was decided, and why.
        pub const RECORD: rt::Record = rt::Record::new(
            "graph Rounded\n",
            "digraph Rounded {}\n",
            "upload x\t\nscaled = scale\t0\ny = round\t1\n0\t1\n1\t2\n2\t2\thost\n",
            8192,
            IMAGE,
        );

        /// Loads it.
        pub fn load(device: &rt::Device, dims: rounded::Dims) -> Result<Self, rt::LoadError> {
            Ok(Self {
                graph: rt::Graph::load(device, IMAGE, &[dims.n as u64])?,
            })
        }

        /// Runs it.
        pub fn run<I0: rt::IntoInput<f32>>(
            &mut self,
            inputs: rounded::Inputs<I0>,
        ) -> Result<rounded::Run<'_>, rt::RunError> {
            let begin = self.graph.begin().check::<f32, _>(&inputs.x)?;
            rounded::start(begin.gate()?, inputs)
        }

        /// Runs it, unless a run is in flight.
        pub fn try_run<I0: rt::IntoInput<f32>>(
            &mut self,
            inputs: rounded::Inputs<I0>,
        ) -> Result<rounded::Run<'_>, rt::RunError> {
            let begin = self.graph.begin().check::<f32, _>(&inputs.x)?;
            rounded::start(begin.try_gate()?, inputs)
        }
    }
};

/// Graph `Rounded`.
#[derive(Debug)]
pub struct Rounded {
    graph: rt::Graph,
}

/// What belongs to `Rounded`.
pub mod rounded {
    use gpu_graph_runtime::graph as rt;

    /// Dims.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct Dims {
        /// `n`.
        pub n: usize,
    }

    /// Inputs and scalars of one run.
    #[derive(Clone, Copy, Debug)]
    pub struct Inputs<I0> {
        /// `x`.
        pub x: I0,
        /// `by`.
        pub by: f32,
    }

    /// A run.
    #[derive(Debug)]
    pub struct Run<'g> {
        core: rt::RunCore<'g>,
    }

    pub(super) fn start<'g, I0: rt::IntoInput<f32>>(
        setup: rt::Setup<'g>,
        inputs: Inputs<I0>,
    ) -> Result<Run<'g>, rt::RunError> {
        let core = setup
            .input::<f32, _>(inputs.x)?
            .scalar::<f32>(inputs.by)
            .start()?;
        Ok(Run { core })
    }

    impl Run<'_> {
        /// Output `y`.
        pub fn y(&self) -> Result<rt::Output<'_, i32>, rt::RunError> {
            self.core.output::<i32>(0)
        }

        /// Waits.
        pub fn wait(&self) -> Result<(), rt::RunError> {
            self.core.wait()
        }

        /// Whether it has ended.
        pub fn is_finished(&self) -> bool {
            self.core.is_finished()
        }
    }
}

#[test]
fn a_user_runs_it() -> Result<(), Box<dyn std::error::Error>> {
    let device = host();
    let mut graph = Rounded::load(&device, rounded::Dims { n: 3 })?;
    let x = vec![0.4f32, 1.0, -2.6];
    let run = graph.run(rounded::Inputs { x: &x, by: 2.0 })?;
    assert_eq!(run.y()?.to_vec()?, [1, 2, -5]);
    run.wait()?;
    assert!(run.is_finished());

    // Every kind of input, and outputs in every form.
    assert_eq!(
        graph
            .run(rounded::Inputs { x: &x[..], by: 1.0 })?
            .y()?
            .as_slice(),
        Some(&[0, 1, -3][..])
    );
    let mut out = [0; 3];
    graph
        .run(rounded::Inputs {
            x: &[1.0f32; 3],
            by: 1.5,
        })?
        .y()?
        .copy_to(&mut out)?;
    assert_eq!(out, [2; 3]);
    let shared: Arc<[f32]> = Arc::from(&x[..]);
    graph
        .run(rounded::Inputs {
            x: &shared,
            by: 1.0,
        })?
        .wait()?;
    graph.run(rounded::Inputs { x: shared, by: 1.0 })?.wait()?;
    let detached = graph
        .try_run(rounded::Inputs { x, by: 10.0 })?
        .y()?
        .detach()?;
    drop(graph);
    assert_eq!(detached.to_vec()?, [4, 10, -26]);
    assert_eq!(Rounded::RECORD.to_string(), "graph Rounded\n");
    let record = Rounded::RECORD;
    assert_eq!(
        (record.tasks(), record.streams(), record.waits()),
        (3, 1, 0)
    );
    assert_eq!(
        (record.arena_bytes(), record.lower_bound()),
        (12_288, 8_192)
    );
    assert_eq!(record.store_bytes(), 0);
    let why = record.explain("x", "y")?;
    assert!(matches!(
        why.relation,
        rt::Relation::Unconditional { first: "x", .. }
    ));
    let unknown = record.explain("scale", "y").unwrap_err();
    assert_eq!(
        unknown.to_string(),
        "`Rounded` has no resource `scale`; there is `scaled`"
    );
    Ok(())
}

#[test]
fn refusals_are_typed_and_leave_the_graph_usable() -> Result<(), Box<dyn std::error::Error>> {
    let device = host();
    let error = Rounded::load(&device, rounded::Dims { n: 1001 }).unwrap_err();
    assert_eq!(
        error.to_string(),
        "dim `n` of `Rounded` is 1001, outside its declared bounds 0..=1000"
    );

    let mut graph = Rounded::load(&device, rounded::Dims { n: 2 })?;
    let error = graph
        .run(rounded::Inputs {
            x: vec![1.0f32; 3],
            by: 1.0,
        })
        .unwrap_err();
    assert_eq!(
        error.to_string(),
        "input `x` of `Rounded` has 3 elements, expected 2: it is `[f32; 2]` at these dims"
    );

    let run = graph.run(rounded::Inputs {
        x: &[1.0f32, f32::NAN],
        by: 1.0,
    })?;
    let error = run.y().unwrap_err();
    assert_eq!(
        error.to_string(),
        "kernel `round` panicked in task 2 of `Rounded`, which writes `y`: not a number"
    );
    assert_eq!(run.wait(), Err(error));

    let run = graph.run(rounded::Inputs {
        x: &[1.0, 2.0],
        by: 1.0,
    })?;
    let error = run.y()?.copy_to(&mut [0; 3]).unwrap_err();
    assert_eq!(
        error.to_string(),
        "output `y` of `Rounded` has 2 elements, the destination 3"
    );
    assert_eq!(run.y()?.to_vec()?, [1, 2]);
    Ok(())
}

#[test]
fn no_elements_are_fine() -> Result<(), Box<dyn std::error::Error>> {
    let mut graph = Rounded::load(&host(), rounded::Dims { n: 0 })?;
    let run = graph.run(rounded::Inputs {
        x: Vec::<f32>::new(),
        by: 1.0,
    })?;
    assert!(run.y()?.is_empty());
    assert_eq!(run.y()?.detach()?.to_vec()?, [0i32; 0]);
    Ok(())
}
