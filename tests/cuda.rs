//! CUDA sources are kept with their kernels, and the build knows of every file they are made of.
#![forbid(unsafe_code)]

use gpu_graph::__private::{Code, DeclaredKernel};

gpu_graph::gpu_graph! {
    kernel scale(x: &[f32; n], by: f32) -> [f32; n] {
        over [n] block [128],
        cuda "tests/cuda/scale.cu",
        host host::scale,
    }
    kernel shift(x: &[f32; n]) -> [f32; n] {
        cuda r#"extern "C" __global__ void shift(const float* x, float* out, size_t n);"#,
        host host::shift,
    }
    kernel host_only(x: &[f32; n]) -> [f32; n] { host host::host_only }
}

mod host {
    pub fn scale(x: &[f32], by: f32, out: &mut [f32], _: super::scale::Dims) {
        out.iter_mut().zip(x).for_each(|(o, x)| *o = x * by);
    }
    pub fn shift(x: &[f32], out: &mut [f32], _: super::shift::Dims) {
        out.iter_mut().zip(x).for_each(|(o, x)| *o = x + 1.0);
    }
    pub fn host_only(x: &[f32], out: &mut [f32], _: super::host_only::Dims) {
        out.copy_from_slice(x);
    }
}

const FILE: Code = scale::Dims::CODE;
const TEXT: Code = shift::Dims::CODE;

#[test]
fn sources_are_kept() {
    let file = FILE.cuda.expect("the kernel has a source");
    assert_eq!(file.path, Some("tests/cuda/scale.cu"));
    assert_eq!(file.text, include_str!("cuda/scale.cu"));
    let text = TEXT.cuda.expect("the kernel has a source");
    assert_eq!(text.path, None);
    assert!(text.text.contains("void shift"));
    assert!(host_only::Dims::CODE.cuda.is_none());
}

#[test]
fn a_change_of_an_included_file_builds_anew() {
    // What cargo compares: the files that rustc says this test was made of.
    let test = std::env::current_exe().expect("a test has a path");
    let made_of = std::fs::read_to_string(test.with_extension("d")).expect("rustc wrote it");
    for file in ["tests/cuda/scale.cu", "tests/cuda/scale.cuh"] {
        assert!(made_of.contains(file), "{file} is not in {made_of}");
    }
}
