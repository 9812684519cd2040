//! Host code that asks for other arguments than its task has: a typed error, never a bad slice.
#![forbid(unsafe_code)]

mod facade_support;

use std::sync::{Mutex, OnceLock};

use facade_support::*;
use gpu_graph_runtime::exec::{Args, Code, HostFn};
use gpu_graph_runtime::graph::{Graph, Output, RunCore, RunError, host};

/// What the run says when the second kernel of [`in_place`] is `code`.
fn refusal(code: HostFn) -> String {
    let image = in_place(Code {
        host: increment,
        in_place: Some(code),
        cuda: None,
    });
    let mut graph = Graph::load(&host(), image, &[5]).unwrap();
    let run = graph
        .begin()
        .gate()
        .unwrap()
        .input::<u32, _>(&[1u32; 5])
        .unwrap()
        .start()
        .unwrap();
    match run.output::<u32>(0).unwrap_err() {
        RunError::Panicked {
            task: 2, message, ..
        } => message,
        other => panic!("{other}"),
    }
}

#[test]
fn operand_and_result_of_an_in_place_launch_are_one_slice_or_none() {
    let mut graph = {
        let code = Code {
            host: increment,
            in_place: Some(increment_in_place),
            cuda: None,
        };
        Graph::load(&host(), in_place(code), &[2]).unwrap()
    };
    let run = graph
        .begin()
        .gate()
        .unwrap()
        .input::<u32, _>(&[1u32, 2])
        .unwrap()
        .start()
        .unwrap();
    assert_eq!(run.output::<u32>(0).unwrap().to_vec().unwrap(), [3, 4]);

    let beside = refusal(|args| {
        args.read::<u32>();
    });
    assert_eq!(
        beside,
        "an in-place kernel reads the operand that it updates"
    );
    let twice = refusal(|args| {
        args.update::<u32>();
        args.write::<u32>();
    });
    assert_eq!(
        twice,
        "an in-place kernel writes the result beside its operand"
    );
    let again = refusal(|args| {
        args.update::<u32>();
        args.update::<u32>();
    });
    assert_eq!(again, "the kernel updates another operand than it declares");
}

#[test]
fn kinds_types_and_counts_are_checked() {
    fn says(code: HostFn) -> String {
        let mut graph = Graph::load(&host(), fork(1, code), &[5]).unwrap();
        let run = graph
            .begin()
            .gate()
            .unwrap()
            .input::<u32, _>(&[1u32; 5])
            .unwrap()
            .start()
            .unwrap();
        match run.output::<u32>(1).unwrap_err() {
            RunError::Panicked {
                task: 2, message, ..
            } => message,
            other => panic!("{other}"),
        }
    }
    let message = says(|args| {
        args.write::<u32>();
    });
    assert_eq!(message, "the kernel writes what its task reads");
    let message = says(|args| {
        args.read::<u32>();
        args.read::<u32>();
    });
    assert_eq!(message, "the kernel reads what its task writes");
    let message = says(|args| {
        args.read::<f32>();
    });
    assert_eq!(
        message,
        "the kernel's element type differs from the resource's"
    );
    let message = says(|args| {
        args.read::<u32>();
        args.write::<u32>();
        args.write::<u32>();
    });
    assert_eq!(message, "the kernel takes more tensors than its task has");
    let message = says(|args| {
        args.scalar::<u32>();
    });
    assert_eq!(message, "the kernel takes more scalars than its task has");
    let message = says(|args| {
        args.dim(0);
    });
    assert_eq!(message, "the kernel has fewer dims");
    let message = says(|args| {
        args.update::<u32>();
    });
    assert_eq!(
        message,
        "the kernel updates another operand than it declares"
    );
}

#[test]
fn a_run_after_a_panic_starts_afresh() {
    fn picky(args: &mut Args<'_>) {
        let x = args.read::<u32>();
        let out = args.write::<u32>();
        assert!(x[0] != 13, "unlucky {}", x[0]);
        out.copy_from_slice(x);
    }
    let mut graph = Graph::load(&host(), fork(1, picky), &[1]).unwrap();
    let mut neighbour = Graph::load(&host(), chain(1), &[1]).unwrap();
    for x in [1u32, 13, 2, 13, 13, 3] {
        let run = graph
            .begin()
            .gate()
            .unwrap()
            .input::<u32, _>(&[x])
            .unwrap()
            .start()
            .unwrap();
        let z = run.output::<u32>(1).and_then(|z| z.to_vec());
        if x == 13 {
            let error = z.unwrap_err();
            assert_eq!(
                error.to_string(),
                "kernel `kernel` panicked in task 2 of `Small`, which writes `z`: unlucky 13"
            );
            assert_eq!(run.wait().unwrap_err(), error);
            assert!(run.is_finished());
        } else {
            assert_eq!(z, Ok(vec![x]));
            assert_eq!(run.wait(), Ok(()));
        }
        let setup = neighbour
            .begin()
            .gate()
            .unwrap()
            .input::<u32, _>(&[x])
            .unwrap()
            .scalar(2u32);
        let y = setup.start().unwrap().output::<u32>(0).unwrap().to_vec();
        assert_eq!(y, Ok(vec![2 * (x + 1)]));
    }
}

#[test]
fn a_kernel_can_neither_run_nor_wait() {
    static INNER: Mutex<Option<Graph>> = Mutex::new(None);
    static RUN: OnceLock<RunCore<'static>> = OnceLock::new();
    static OUTPUT: OnceLock<Output<'static, u32>> = OnceLock::new();
    static SAID: Mutex<Vec<RunError>> = Mutex::new(Vec::new());

    fn ask() {
        let mut inner = INNER.lock().unwrap();
        let setup = inner.as_mut().unwrap().begin().gate().unwrap();
        let setup = setup.input::<u32, _>(&[1u32]).unwrap().scalar(1u32);
        let run = RUN.get().unwrap();
        SAID.lock().unwrap().extend([
            setup.start().unwrap_err(),
            run.wait().unwrap_err(),
            run.output::<u32>(0).unwrap_err(),
            OUTPUT.get().unwrap().detach().unwrap_err(),
        ]);
    }
    fn nosy(args: &mut Args<'_>) {
        ask();
        increment(args);
    }
    fn nosy_in_place(args: &mut Args<'_>) {
        ask();
        increment_in_place(args);
    }

    let leaked: &'static mut Graph =
        Box::leak(Box::new(Graph::load(&host(), chain(1), &[1]).unwrap()));
    let setup = leaked
        .begin()
        .gate()
        .unwrap()
        .input::<u32, _>(&[1u32])
        .unwrap()
        .scalar(1u32);
    let run = RUN.get_or_init(|| setup.start().unwrap());
    OUTPUT.get_or_init(|| run.output::<u32>(0).unwrap());
    *INNER.lock().unwrap() = Some(Graph::load(&host(), chain(1), &[1]).unwrap());

    // On the thread that calls, and on one of the driver's.
    let code = Code {
        host: nosy,
        in_place: Some(nosy_in_place),
        cuda: None,
    };
    for (image, output) in [(in_place(code), 0), (fork(1, nosy), 1)] {
        let mut graph = Graph::load(&host(), image, &[1]).unwrap();
        let run = graph
            .begin()
            .gate()
            .unwrap()
            .input::<u32, _>(&[1u32])
            .unwrap()
            .start()
            .unwrap();
        assert!(run.output::<u32>(output).is_ok());
        let said = std::mem::take(&mut *SAID.lock().unwrap());
        assert_eq!(said.len(), 4);
        assert!(
            said.iter()
                .all(|e| matches!(e, RunError::InsideKernel { .. })),
            "{said:?}"
        );
    }
    // And the inner graph runs as before.
    let mut inner = INNER.lock().unwrap();
    let setup = inner.as_mut().unwrap().begin().gate().unwrap();
    let run = setup
        .input::<u32, _>(&[1u32])
        .unwrap()
        .scalar(4u32)
        .start()
        .unwrap();
    assert_eq!(run.output::<u32>(0).unwrap().to_vec(), Ok(vec![8]));
}
