//! The suite on the first GPU of this machine. Without one it says so, compiles the kernels where it
//! finds NVRTC, and passes if they do.

mod alone;
mod sources;
mod suite;

use std::panic::catch_unwind;
use std::process::ExitCode;

use gpu_graph::__private::Image;
use gpu_graph::{Device, cuda};
use suite::Gpu;

/// The machine's first.
struct Real;

impl Gpu for Real {
    fn device(&self, _: &[(&Image, &[u64])]) -> Device {
        cuda(0).expect("it was there before")
    }
}

fn main() -> ExitCode {
    if let Some(part) = alone::part() {
        return part;
    }
    let tests: Vec<_> = suite::TESTS.iter().chain(alone::TESTS).collect();
    let count = tests.len();
    // Held to the end: what opens a device opens this one.
    let device = match cuda(0) {
        Ok(device) => device,
        Err(missing) => {
            println!("SKIPPED: no GPU: {missing}: {count} tests did not run");
            match sources::compiled() {
                Some(images) => println!("{images} images of their kernels are compiled"),
                None => println!("SKIPPED: no NVRTC: their kernels are not compiled"),
            }
            return ExitCode::SUCCESS;
        }
    };
    println!("{count} tests on {}", device.info().name);
    let filter = std::env::args().skip(1).find(|arg| !arg.starts_with('-'));
    let (mut passed, mut failed) = (0, 0);
    for (name, test) in tests {
        if filter.as_ref().is_some_and(|part| !name.contains(&**part)) {
            continue;
        }
        let said = match catch_unwind(|| test(&Real)) {
            Ok(()) => {
                passed += 1;
                "ok"
            }
            Err(_) => {
                failed += 1;
                "FAILED"
            }
        };
        println!("test {name} ... {said}");
    }
    println!(
        "{passed} passed, {failed} failed, {} filtered out",
        count - passed - failed
    );
    match failed {
        0 => ExitCode::SUCCESS,
        _ => ExitCode::FAILURE,
    }
}
