//! What needs a GPU and a compiler, each part in a process of its own: a device that is lost is lost
//! to its process, and the environment is read once.

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use gpu_graph::driver::DriverError;
use gpu_graph::{RunError, cuda, gpu_graph};

use super::suite::{Gpu, Test};

/// Says which part a process is.
const PART: &str = "GPU_GRAPH_SUITE_PART";

/// What only a real GPU shows.
pub const TESTS: &[Test] = &[
    (
        "an_access_beyond_an_extent_stops_a_checked_kernel_and_poisons_the_device",
        |gpu| checked(gpu),
    ),
    (
        "kernels_are_compiled_once_and_found_again_without_a_compiler",
        |gpu| cache(gpu),
    ),
];

gpu_graph! {
    kernel shifted(x: &[u32; n], by: u32) -> [u32; n] {
        over [n],
        cuda r#"KERNEL(shifted) { INDEX(i); out(i) = x(i + by); }"#,
        host host_shifted,
    }
    /// A kernel that is told how far beyond its place it reads.
    pub graph Beyond {
        dim n in 1..=4096;
        input x: [u32; n];
        scalar by: u32;
        output y: [u32; n] = shifted(&x, by);
    }
}

fn host_shifted(x: &[u32], by: u32, out: &mut [u32], _: shifted::Dims) {
    out.iter_mut()
        .zip(&x[by as usize..])
        .for_each(|(o, x)| *o = *x);
}

/// The part that this process is, done.
pub fn part() -> Option<ExitCode> {
    match &*std::env::var(PART).ok()? {
        "beyond" => run_beyond(),
        "within" => run_within(),
        other => panic!("no part `{other}`"),
    }
    Some(ExitCode::SUCCESS)
}

/// This executable once more, as that part.
fn this(part: &str) -> Command {
    let exe = std::env::current_exe().expect("an executable knows where it is");
    let mut command = Command::new(exe);
    command.env(PART, part);
    command
}

/// # Panics
/// Where it fails, with what it said.
fn succeed(mut command: Command) {
    let output = command.output().expect("it starts");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}");
}

fn run_within() {
    let device = cuda(0).expect("a device");
    let mut graph = Beyond::load(&device, DIMS).expect("it loads");
    let run = graph.run(inputs(0)).expect("it runs");
    assert_eq!(run.y().unwrap().to_vec().unwrap(), [7; 64]);
}

const DIMS: beyond::Dims = beyond::Dims { n: 64 };

fn inputs(by: u32) -> beyond::Inputs<&'static [u32; 64]> {
    beyond::Inputs { x: &[7; 64], by }
}

fn run_beyond() {
    let device = cuda(0).expect("a device");
    let mut graph = Beyond::load(&device, DIMS).expect("it loads");
    let mut other = Beyond::load(&device, DIMS).expect("it loads");
    let lost = |error: &RunError| matches!(error, RunError::Driver(DriverError::Lost { .. }));
    let run = graph.run(inputs(1)).expect("it starts");
    let error = run.y().and_then(|y| y.to_vec()).expect_err("it stops");
    assert!(lost(&error), "{error}");
    for graph in [&mut graph, &mut other] {
        let error = graph.run(inputs(0)).expect_err("it is lost");
        assert!(lost(&error), "{error}");
    }
    assert!(Beyond::load(&device, DIMS).is_err());
    let again = cuda(0).expect_err("it is lost").to_string();
    assert!(again.contains("is lost to this process"), "{again}");
}

fn checked(_: &dyn Gpu) {
    let mut command = this("beyond");
    command.env("GPU_GRAPH_CHECKED", "1");
    succeed(command);
    // Another process is not concerned, nor is one whose accesses are within.
    let mut command = this("within");
    command.env("GPU_GRAPH_CHECKED", "1");
    succeed(command);
}

/// The files of a folder, and when each was created, where the system knows.
fn files(folder: &Path) -> Vec<(PathBuf, Option<std::time::SystemTime>)> {
    let Ok(entries) = std::fs::read_dir(folder) else {
        return Vec::new();
    };
    let mut files: Vec<_> = entries
        .map(|entry| {
            let entry = entry.expect("an entry");
            let created = entry.metadata().and_then(|about| about.created());
            (entry.path(), created.ok())
        })
        .collect();
    files.sort();
    files
}

fn cache(_: &dyn Gpu) {
    let name = format!("gpu-graph-suite-{}", std::process::id());
    let folder = std::env::temp_dir().join(name);
    let _ = std::fs::remove_dir_all(&folder);
    let load = |compiler: bool| {
        let mut command = this("within");
        command.env("GPU_GRAPH_CACHE", &folder);
        if !compiler {
            command.env("GPU_GRAPH_NVRTC", folder.join("nothing"));
        }
        succeed(command);
    };
    assert_eq!(files(&folder), []);
    load(true);
    let cold = files(&folder);
    assert!(!cold.is_empty(), "something is kept");
    load(true);
    load(false);
    assert_eq!(files(&folder), cold);
    std::fs::remove_dir_all(&folder).expect("a folder of this test");
}
