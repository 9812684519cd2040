//! A folder that is to be filled and cannot be is an error; a load does without it.
#![cfg(target_os = "linux")]

#[path = "../../gpu/tests/suite/graphs.rs"]
#[allow(dead_code, reason = "one of the graphs is enough")]
mod graphs;

use std::fs;

use gpu_graph::__private::DeclaredGraph;
use gpu_graph::compile::{CompileError, Folder, Options, bundle, kernels};
use gpu_graph::cuda;
use graphs::*;
use simcuda::client::{Shim, open};

#[test]
fn a_folder_that_cannot_be_filled_is_said_with_the_reason_and_a_load_does_without_it() {
    let own = std::env::temp_dir().join(format!("gpu-graph-filled-{}", std::process::id()));
    let _ = fs::remove_dir_all(&own);
    fs::create_dir_all(&own).expect("a folder of the test's own");
    let file = own.join("file");
    fs::write(&file, b"no folder").expect("it can be written");
    // SAFETY: it is the only test of this process, and no other thread reads it yet.
    unsafe { std::env::set_var("GPU_GRAPH_CACHE", &file) };
    open("libsimnvrtc.so");
    let shim = Shim::start(0);
    shim.register_graphs(&[(&OnStreams::IMAGE, &[64])]);

    let mut options = Options::new((9, 0));
    let refused = kernels::<OnStreams>(&options).expect_err("there is no folder");
    let said = format!(
        "the folder `{}` keeps no images: it is a file",
        file.display()
    );
    assert_eq!(refused.to_string(), said);
    // What is asked for is no folder.
    bundle::<OnStreams>(std::slice::from_ref(&options)).expect("it compiles");
    let device = cuda(0).expect("the shim is a device");
    OnStreams::load(&device, on_streams::Dims { n: 64 }).expect("it is compiled each time");

    let images = Folder::from(own.join("images"));
    options.cache = Some(Folder {
        most: Some(1),
        ..images.clone()
    });
    let refused = kernels::<OnStreams>(&options).expect_err("there is no room");
    assert!(
        matches!(&refused, CompileError::Folder { path, .. } if *path == images.path),
        "{refused}"
    );
    assert!(
        refused
            .to_string()
            .contains("it may have 1 bytes, and one has "),
        "{refused}"
    );
    options.cache = Some(images.clone());
    assert_eq!(kernels::<OnStreams>(&options), Ok(2));
    assert_eq!(fs::read_dir(&images.path).expect("it is there").count(), 2);
    fs::remove_dir_all(&own).expect("it is this test's");
    assert_eq!(shim.reports(), [""; 0]);
}
