//! What goes wrong at run time is a typed error, and the graph goes on.
#![forbid(unsafe_code)]

mod common;

use std::sync::Arc;
use std::sync::Mutex;

use common::on_each_device;
use gpu_graph::driver::sim::SimDriver;
use gpu_graph::{Device, LoadError, RunError};

gpu_graph::gpu_graph! {
    kernel root(x: &[f32; n]) -> [f32; n] { host host::root }
    kernel nest(x: &[f32; n]) -> [f32; n] { host host::nest }

    graph Roots {
        dim n in 2..=8;
        dim m in 1..=3;
        input x: [f32; n, m];
        input y: [f32; m];
        let a: [f32; m] = root(&y);
        output b: [f32; m] = root(&a);
        output c: [f32; n, m] = pass(&x);
    }
    kernel pass(x: &[f32; n, m]) -> [f32; n, m] { host host::pass }

    graph Outer {
        input x: [f32; 2];
        output y: [f32; 2] = nest(&x);
    }
    graph Inner {
        input x: [f32; 2];
        output y: [f32; 2] = root(&x);
    }
}

mod host {
    use super::{INNER, INSIDE, Inner, LoadError, inner};

    pub fn root(x: &[f32], out: &mut [f32], _: super::root::Dims) {
        for (o, x) in out.iter_mut().zip(x) {
            assert!(*x >= 0.0, "{x} has no root");
            *o = x.sqrt();
        }
    }

    pub fn pass(x: &[f32], out: &mut [f32], _: super::pass::Dims) {
        out.copy_from_slice(x);
    }

    pub fn nest(x: &[f32], out: &mut [f32], _: super::nest::Dims) {
        out.copy_from_slice(x);
        let load = Inner::load(&gpu_graph::host(), inner::Dims {});
        assert!(
            matches!(load, Err(LoadError::InsideKernel { .. })),
            "{load:?}"
        );
        let mut graph = INNER.lock().unwrap().take().unwrap();
        let error = graph
            .run(inner::Inputs { x })
            .and_then(|run| run.wait())
            .unwrap_err();
        *INSIDE.lock().unwrap() = Some(error);
    }
}

/// A graph that a kernel runs.
static INNER: Mutex<Option<Inner>> = Mutex::new(None);

/// What a kernel got for waiting.
static INSIDE: Mutex<Option<RunError>> = Mutex::new(None);

fn load(device: &Device) -> Roots {
    Roots::load(device, roots::Dims { n: 2, m: 2 }).unwrap()
}

fn is_usable(graph: &mut Roots) {
    let run = graph
        .run(roots::Inputs {
            x: &[1.0; 4],
            y: &[16.0, 81.0],
        })
        .unwrap();
    assert_eq!(run.b().unwrap().to_vec().unwrap(), [2.0, 3.0]);
    assert_eq!(run.c().unwrap().to_vec().unwrap(), [1.0; 4]);
    assert_eq!(run.wait(), Ok(()));
}

#[test]
fn dims_outside_their_bounds_are_named() {
    let device = gpu_graph::host();
    let error = Roots::load(&device, roots::Dims { n: 9, m: 1 }).unwrap_err();
    assert!(
        matches!(
            error,
            LoadError::Dim {
                dim: "n",
                value: 9,
                min: 2,
                max: 8,
                ..
            }
        ),
        "{error}"
    );
    let error = Roots::load(&device, roots::Dims { n: 2, m: 0 }).unwrap_err();
    assert!(
        matches!(
            error,
            LoadError::Dim {
                dim: "m",
                value: 0,
                ..
            }
        ),
        "{error}"
    );
    let error = Roots::load(
        &device,
        roots::Dims {
            n: usize::MAX,
            m: 1,
        },
    )
    .unwrap_err();
    assert!(matches!(error, LoadError::Dim { dim: "n", .. }), "{error}");
}

#[test]
fn an_input_of_another_length_is_named() {
    on_each_device(|device| {
        let mut graph = load(device);
        let error = graph
            .run(roots::Inputs {
                x: &[1.0; 5],
                y: &[1.0; 2],
            })
            .unwrap_err();
        let wanted = RunError::InputLength {
            graph: "Roots",
            input: "x",
            given: 5,
            expected: 4,
            shape: "[f32; 2, 2]".into(),
        };
        assert_eq!(error, wanted);
        let error = graph
            .run(roots::Inputs {
                x: &[1.0; 4],
                y: vec![1.0],
            })
            .unwrap_err();
        assert!(
            matches!(
                error,
                RunError::InputLength {
                    input: "y",
                    given: 1,
                    ..
                }
            ),
            "{error}"
        );
        is_usable(&mut graph);
    });
}

#[test]
fn an_output_takes_a_destination_of_its_length() {
    let mut graph = load(&gpu_graph::host());
    let run = graph
        .run(roots::Inputs {
            x: &[1.0; 4],
            y: &[1.0; 2],
        })
        .unwrap();
    let error = run.b().unwrap().copy_to(&mut [0.0; 3]).unwrap_err();
    assert!(
        matches!(
            error,
            RunError::OutputLength {
                output: "b",
                given: 3,
                ..
            }
        ),
        "{error}"
    );
}

#[test]
fn a_kernel_that_panics_is_named_and_the_next_run_is_right() {
    on_each_device(|device| {
        let mut graph = load(device);
        let run = graph
            .run(roots::Inputs {
                x: &[1.0; 4],
                y: &[1.0, -1.0],
            })
            .unwrap();
        let error = run.b().unwrap_err();
        let RunError::Panicked {
            graph: name,
            kernel,
            message,
            ..
        } = &error
        else {
            panic!("{error}");
        };
        assert_eq!(
            (*name, *kernel, message.as_str()),
            ("Roots", "root", "-1 has no root")
        );
        assert_eq!(run.wait(), Err(error));
        assert!(run.is_finished());
        is_usable(&mut graph);
    });
}

#[test]
fn a_second_run_is_refused_while_the_first_is_in_flight() {
    // Nothing runs on the simulated device before somebody waits.
    let device = Device::with(Arc::new(SimDriver::new(7)));
    let mut graph = load(&device);
    let inputs = || roots::Inputs {
        x: &[0.0; 4],
        y: &[1.0; 2],
    };
    let run = graph.try_run(inputs()).unwrap();
    assert!(!run.is_finished());
    let error = graph.try_run(inputs()).unwrap_err();
    assert!(
        matches!(
            error,
            RunError::InFlight {
                graph: "Roots",
                lane: 0,
                depth: 1
            }
        ),
        "{error}"
    );
    graph.run(inputs()).unwrap().wait().unwrap();
    assert!(graph.try_run(inputs()).is_ok());
}

#[test]
fn a_kernel_that_waits_is_told_so_and_goes_on() {
    let device = gpu_graph::host();
    *INNER.lock().unwrap() = Some(Inner::load(&device, inner::Dims {}).unwrap());
    let mut graph = Outer::load(&device, outer::Dims {}).unwrap();
    let run = graph.run(outer::Inputs { x: &[1.0, 2.0] }).unwrap();
    assert_eq!(run.y().unwrap().to_vec().unwrap(), [1.0, 2.0]);
    let error = INSIDE.lock().unwrap().take();
    assert!(
        matches!(error, Some(RunError::InsideKernel { .. })),
        "{error:?}"
    );
}
