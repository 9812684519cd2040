//! What generated CUDA text means, by the rules of C++ for the part of it that is emitted.
//!
//! A warp of 32 threads runs in step, with a mask for those that take part. Whatever C++ leaves
//! undefined ends the test: signed overflow, shifts beyond the width, division by zero, floats cut to
//! integers that do not hold them, reads beyond a tensor, shuffles without all lanes, and infix
//! arithmetic of floats, which a compiler might fuse.

mod half;
mod intrinsic;
mod lex;
mod parse;
mod run;
mod value;

pub use value::Ty;

use parse::{Function, functions};
use run::Warp;

/// Threads of a warp.
pub const WARP: usize = 32;

/// Elements of one tensor, as bits.
#[derive(Clone, Debug)]
pub struct Buffer {
    pub ty: Ty,
    pub bits: Vec<u64>,
}

/// An argument of a kernel.
#[derive(Clone, Debug)]
pub enum Arg {
    /// A pointer to the buffer of that index.
    Pointer(usize),
    /// A number.
    Number(Ty, u64),
}

/// A text, read once.
pub struct Program {
    functions: Vec<Function>,
}

impl Program {
    pub fn new(text: &str) -> Self {
        Self {
            functions: functions(text),
        }
    }

    /// Runs the kernel `name` for at least `threads` threads in x, y and z, in blocks of two warps.
    pub fn launch(&self, name: &str, args: &[Arg], threads: [usize; 3], buffers: &mut [Buffer]) {
        let kernel = self.functions.iter().find(|f| f.name == name);
        let kernel = kernel.unwrap_or_else(|| panic!("the text has no `{name}`"));
        let [x, y, z] = threads;
        let block = 2 * WARP;
        for z in 0..z {
            for y in 0..y {
                for first in (0..x.next_multiple_of(block)).step_by(WARP) {
                    let place = [first / block, y, z];
                    let mut warp = Warp::new(&self.functions, buffers, place, first % block, block);
                    warp.kernel(kernel, args);
                }
            }
        }
    }
}
