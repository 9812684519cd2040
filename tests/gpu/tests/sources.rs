//! The kernels of the suite, compiled: what a machine without a GPU can say of them.

use gpu_graph::compile::{CompileError, Form, Options, kernels};

use super::alone::Beyond;
use super::suite::graphs::{Floats, KeptAsGraph, OnStreams};
use super::suite::programs::{edges, story};
use super::suite::wide::plain::Twice;

/// How many images the kernels of all graphs are, for three architectures; `None` without a compiler.
///
/// # Panics
/// Where one does not compile.
pub fn compiled() -> Option<usize> {
    let mut images = 0;
    for arch in [(8, 0), (9, 0), (10, 0)] {
        for checked in [false, true] {
            let options = Options {
                arch,
                checked,
                form: Form::Cubin,
                cache: None,
            };
            // Those that are issued as graphs have the same kernels.
            for made in [
                kernels::<Beyond>(&options),
                kernels::<OnStreams>(&options),
                kernels::<KeptAsGraph>(&options),
                kernels::<Floats>(&options),
                kernels::<Twice>(&options),
                kernels::<edges::graph::Edges>(&options),
                kernels::<story::graph::Story>(&options),
            ] {
                match made {
                    Ok(count) => images += count,
                    Err(CompileError::NoCompiler { .. }) => return None,
                    Err(error) => panic!("sm_{}{}: {error}", arch.0, arch.1),
                }
            }
        }
    }
    Some(images)
}
