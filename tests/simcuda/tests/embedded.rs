//! A program that has its images in itself loads and runs where there is no compiler and no folder.
#![cfg(target_os = "linux")]

#[path = "../../gpu/tests/suite/graphs.rs"]
#[allow(dead_code, reason = "two of the graphs are enough")]
mod graphs;

use std::path::PathBuf;
use std::process::Command;

use gpu_graph::__private::DeclaredGraph;
use gpu_graph::compile::{CompileError, Form, Options, bundle, embed};
use gpu_graph::{cuda, host};
use graphs::*;
use simcuda::client::{Shim, open};

/// Names the file that another process writes.
const FILE: &str = "GPU_GRAPH_TEST_BUNDLE";

/// Is set where the file is to be of no use to the device.
const OTHER: &str = "GPU_GRAPH_TEST_OTHER";

/// What a process does that has a compiler; the test below starts it.
#[test]
#[ignore = "another test starts it"]
fn build() {
    open("libsimnvrtc.so");
    let file = PathBuf::from(std::env::var_os(FILE).expect("it is told a file"));
    let archs = [(8, 0), (9, 0)].map(Options::new);
    let archs = match std::env::var(OTHER) {
        // None that a load asks for.
        Ok(_) => vec![
            Options::new((8, 0)),
            Options {
                form: Form::Ptx,
                checked: true,
                ..Options::new((9, 0))
            },
        ],
        Err(_) => archs.to_vec(),
    };
    let images = bundle::<OnStreams>(&archs).expect("it compiles");
    assert_eq!(images, bundle::<OnStreams>(&archs).expect("it compiles"));
    std::fs::write(file, images).expect("it can be written");
}

/// The file that a process with a compiler writes.
fn built(other: bool) -> Vec<u8> {
    let file = std::env::temp_dir().join(format!("gpu-graph-bundle-{}", std::process::id()));
    let mut command = Command::new(std::env::current_exe().expect("where it is"));
    command
        .args(["build", "--exact", "--ignored"])
        .env(FILE, &file)
        .env_remove("GPU_GRAPH_NVRTC");
    if other {
        command.env(OTHER, "1");
    }
    let output = command.output().expect("it starts");
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{said}");
    let images = std::fs::read(&file).expect("it was written");
    std::fs::remove_file(file).expect("it is this test's");
    images
}

macro_rules! run {
    ($graph:ident, $module:ident, $device:expr) => {
        $graph::load($device, $module::Dims { n: 64 }).map(|mut graph| {
            let run = graph.run($module::Inputs {
                x: numbers(64, 1),
                by: 7,
            });
            run.unwrap().y().unwrap().to_vec().unwrap()
        })
    };
}

#[test]
fn embedded_images_are_loaded_without_a_compiler_and_a_damaged_bundle_is_refused() {
    // SAFETY: it is the only test of this process that runs, and no other thread reads it yet.
    unsafe {
        std::env::set_var("GPU_GRAPH_CACHE", "");
        std::env::set_var("GPU_GRAPH_NVRTC", "there/is/no/library.so");
    }
    let shim = Shim::start(0);
    let dims = &[64][..];
    shim.register_graphs(&[(&OnStreams::IMAGE, dims), (&AsGraph::IMAGE, dims)]);
    let device = cuda(0).expect("the shim is a device");
    let refused = |what: &str| {
        let said = run!(OnStreams, on_streams, &device)
            .expect_err(what)
            .to_string();
        assert!(said.contains("there/is/no/library.so"), "{what}: {said}");
    };
    refused("nothing is embedded");

    let images = built(false);
    for cut in [1, images.len() / 3, images.len() - 1] {
        let cut = embed(images[..cut].to_vec().leak());
        assert!(matches!(cut, Err(CompileError::Bundle { .. })), "{cut:?}");
    }
    refused("what is damaged is not embedded");

    assert_eq!(embed(built(true).leak()), Ok(4));
    let said = run!(OnStreams, on_streams, &device).expect_err("it is for others");
    let said = said.to_string();
    let instead = "; embedded of this text is binary for sm_80, checked PTX for sm_90, and what is asked \
                   for is binary for sm_90";
    assert!(said.ends_with(instead), "{said}");

    // Two texts, that of `scale` and that of the expression `add`, for two architectures.
    assert_eq!(embed(images.leak()), Ok(4));
    let expected = run!(OnStreams, on_streams, &host()).expect("the host has no images");
    assert_eq!(
        run!(OnStreams, on_streams, &device).expect("embedded"),
        expected
    );
    // Another graph has the same kernels.
    assert_eq!(
        run!(AsGraph, as_graph, &device).expect("embedded"),
        expected
    );
    assert_eq!(shim.reports(), [""; 0]);
}
