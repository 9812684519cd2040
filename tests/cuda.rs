//! CUDA sources are kept with their kernels, and the build knows of every file they are made of.
#![forbid(unsafe_code)]

use std::io::Write as _;

use gpu_graph::__private::{CudaCode, CudaText, DeclaredGraph, DeclaredKernel};
use gpu_graph::compile::{CompileError, Form, Options, bundle, kernels};

gpu_graph::gpu_graph! {
    kernel scale(x: &[f32; n], by: f32) -> [f32; n] {
        over [n] block [128],
        cuda "tests/cuda/scale.cu",
        host host::scale,
        in place x host host::scale_in_place,
    }
    kernel shift(x: &[f32; n, 2 * m]) -> [f32; n, m] {
        over [n],
        cuda r#"
            KERNEL(shift) {
                INDEX(i);
                out(i, 0) = x(i, 0);
            }
        "#,
        host host::shift,
    }
    kernel compiled(x: &[f32; n]) -> [f32; n] {
        over [n],
        cuda "tests/cuda/compiled.ptx",
        host host::compiled,
    }
    kernel twice(x: &mut [f32; n], float: i8) { over [n], cuda "tests/cuda/scale.cu", host host::twice }
    kernel host_only(x: &[f32; n]) -> [f32; n] { host host::host_only }
    kernel halves(x: &mut [f16; n], y: &[bf16; n], by: bf16) -> [bf16; n] {
        over [n],
        cuda r#"
            KERNEL(halves) {
                INDEX(i);
                __shared__ bf16 kept[256];
                kept[threadIdx.x] = y(i) * 2;
                x(i) += by * kept[threadIdx.x];
                out(i) = x(i) < y(i) ? f32(x(i)) : -y(i) / 2.0;
            }
        "#,
        host host::halves,
    }
    kernel sum(x: &[f32; n], y: &[f32; n]) -> [f32; n] = x + y;

    graph Several {
        dim n in 1..=64;
        input x: [f32; n];
        let a: [f32; n] = scale(&x, 2.0);
        twice(&mut a, 1);
        let b: [f32; n] = compiled(&a);
        output y: [f32; n] = sum(&a, &b);
    }
}

mod host {
    use gpu_graph::{bf16, f16};

    pub fn wrong(x: &[f32], out: &mut [f32], _: super::wrong::Dims) {
        out.copy_from_slice(x);
    }
    pub fn shown<D>(x: &[f32], out: &mut [f32], _: D) {
        out.copy_from_slice(x);
    }
    pub fn scaled<D>(x: &[f32], by: f32, out: &mut [f32], _: D) {
        out.iter_mut().zip(x).for_each(|(o, x)| *o = x * by);
    }
    pub fn scale(x: &[f32], by: f32, out: &mut [f32], _: super::scale::Dims) {
        out.iter_mut().zip(x).for_each(|(o, x)| *o = x * by);
    }
    pub fn scale_in_place(x: &mut [f32], by: f32, _: super::scale::Dims) {
        x.iter_mut().for_each(|x| *x *= by);
    }
    pub fn shift(x: &[f32], out: &mut [f32], _: super::shift::Dims) {
        out.iter_mut().zip(x).for_each(|(o, x)| *o = x + 1.0);
    }
    pub fn twice(x: &mut [f32], _: i8, _: super::twice::Dims) {
        x.iter_mut().for_each(|x| *x *= 2.0);
    }
    pub fn compiled(x: &[f32], out: &mut [f32], _: super::compiled::Dims) {
        out.copy_from_slice(x);
    }
    pub fn halves(x: &mut [f16], y: &[bf16], by: bf16, out: &mut [bf16], _: super::halves::Dims) {
        for (i, x) in x.iter_mut().enumerate() {
            let two = y[i].to_f32() * 2.0;
            *x = f16::from_f32(x.to_f32() + by.to_f32() * two);
            let less = x.to_f32() < y[i].to_f32();
            out[i] = bf16::from_f32(if less {
                x.to_f32()
            } else {
                -y[i].to_f32() / 2.0
            });
        }
    }
    pub fn host_only(x: &[f32], out: &mut [f32], _: super::host_only::Dims) {
        out.copy_from_slice(x);
    }
}

fn text<K: DeclaredKernel>() -> CudaText {
    match K::CODE.cuda.expect("the kernel has a source").code {
        CudaCode::Text(text) => text,
        CudaCode::Image { file, .. } => panic!("{file} is no text"),
    }
}

#[test]
fn sources_are_kept_with_their_places() {
    let file = text::<scale::Dims>();
    assert_eq!((file.file, file.line), ("tests/cuda/scale.cu", 1));
    assert_eq!(file.text, include_str!("cuda/scale.cu"));
    assert_eq!(file.folder, "tests/cuda/");
    let header = ("tests/cuda/scale.cuh", include_str!("cuda/scale.cuh"));
    assert_eq!(file.headers, [header]);
    let inline = text::<shift::Dims>();
    let above = include_str!("cuda.rs").split("cuda r#").next().unwrap();
    assert_eq!(
        (inline.file, inline.line as usize),
        (file!(), above.lines().count())
    );
    assert!(inline.text.contains("KERNEL(shift)"));
    assert!(host_only::Dims::CODE.cuda.is_none());
}

#[test]
fn kernels_of_one_text_are_one_source_with_the_signatures_of_all() {
    let [one, two] = [scale::Dims::CODE, twice::Dims::CODE].map(|code| code.cuda.unwrap());
    assert_eq!((one.function, two.function), ("scale", "twice"));
    assert_eq!(one.code, two.code);
    let kernels = text::<scale::Dims>().kernels;
    for signature in [
        "__launch_bounds__(128) scale(const f32* __restrict__ x, f32 by, f32* __restrict__ out, u64 n)",
        // What may change from run to run is read where a pointer leads.
        "scale_indirect(const f32* __restrict__ x, const f32* __restrict__ by, f32* __restrict__ out, u64 n)",
        // Operand and result are one range.
        "scale_in_place(f32* x, f32 by, u64 n)",
        "scale_in_place_indirect(f32* x, const f32* __restrict__ by, u64 n)",
        // A name that C++ keeps for itself.
        "twice(f32* __restrict__ x, i8 float_, u64 n)",
    ] {
        assert!(
            kernels.contains(signature),
            "{signature} is not in\n{kernels}"
        );
    }
    let kernels = text::<shift::Dims>().kernels;
    assert!(
        kernels.contains("{x, {n, (u64)(0ll + 2ll * ((i64)m))}"),
        "{kernels}"
    );
    assert!(!kernels.contains("_indirect"), "no scalars: {kernels}");
    let halves = text::<halves::Dims>().kernels;
    let signature = "halves(f16* __restrict__ x, const bf16* __restrict__ y, bf16 by, \
                     bf16* __restrict__ out, u64 n)";
    assert!(halves.contains(signature), "{halves}");
}

#[test]
fn an_image_is_kept_as_it_stands() {
    let CudaCode::Image { file, bytes } = compiled::Dims::CODE.cuda.unwrap().code else {
        panic!("a file that ends with .ptx is compiled already");
    };
    assert_eq!(file, "tests/cuda/compiled.ptx");
    assert_eq!(bytes, include_bytes!("cuda/compiled.ptx"));
}

#[test]
fn a_change_of_an_included_file_builds_anew() {
    // What cargo compares: the files that rustc says this test was made of.
    let test = std::env::current_exe().expect("a test has a path");
    let made_of = std::fs::read_to_string(test.with_extension("d")).expect("rustc wrote it");
    for file in ["scale.cu", "scale.cuh", "compiled.ptx"] {
        let file = format!("tests/cuda/{file}");
        assert!(made_of.contains(&file), "{file} is not in {made_of}");
    }
}

gpu_graph::gpu_graph! {
    kernel wrong(x: &[f32; n]) -> [f32; n] {
        over [n],
        cuda r#"
            KERNEL(wrong) {
                INDEX(i);
                out(i) = x(i) + bias; // does not compile
            }
        "#,
        host host::wrong,
    }
    graph Broken {
        dim n in 1..=64;
        input x: [f32; n];
        output y: [f32; n] = wrong(&x);
    }
}

#[test]
fn what_is_wrong_with_a_kernel_stands_at_its_line_in_this_file() {
    let said = compiled::<Broken>();
    let line = include_str!("cuda.rs")
        .lines()
        .position(|line| line.contains("+ bias;"))
        .unwrap()
        + 1;
    let Some(Err(CompileError::Refused { messages, .. })) = said else {
        assert!(said.is_none(), "{said:?}");
        return;
    };
    let [message] = &messages[..] else {
        panic!("{messages:?}");
    };
    assert_eq!((&*message.file, message.line as usize), (file!(), line));
    assert_eq!(message.text, "identifier \"bias\" is undefined");
}

/// The kernels of a graph, compiled; `None`, said past what captures the output of tests, without a
/// compiler.
fn compiled<G: DeclaredGraph>() -> Option<Result<usize, CompileError>> {
    let mut options = Options::new((9, 0));
    options.cache = None;
    match kernels::<G>(&options) {
        Err(CompileError::NoCompiler { reason, .. }) => {
            let said = format!("SKIPPED: a graph's kernels were not compiled: {reason}\n");
            let _ = std::io::stderr().write_all(said.as_bytes());
            None
        }
        compiled => Some(compiled),
    }
}

#[test]
fn the_kernels_of_a_graph_are_compiled_once_for_each_text() {
    // That of `scale` and `twice`, that of `sum`, and what is compiled already.
    if let Some(images) = compiled::<Several>() {
        assert_eq!(images, Ok(3));
    }
}

mod unlaunched {
    use super::host;

    gpu_graph::gpu_graph! {
        kernel plain(x: &[f32; n]) -> [f32; n] {
            over [n],
            cuda r#"
                __global__ void plain(const float* x, float* out, unsigned long long n) { }
            "#,
            host host::shown,
        }
        kernel helped(x: &[f32; n]) -> [f32; n] {
            over [n],
            cuda r#"
                __device__ float helper(float helped) { return helped; }
            "#,
            host host::shown,
        }
        kernel once(x: &[f32; n], by: f32) -> [f32; n] {
            over [n],
            cuda r#"
                extern "C" __global__ void once(const float* x, float by, float* out, unsigned long long n) { }
            "#,
            host host::scaled,
        }
        pub graph OfPlain { dim n in 1..=64; input x: [f32; n]; output y: [f32; n] = plain(&x); }
        pub graph OfHelped { dim n in 1..=64; input x: [f32; n]; output y: [f32; n] = helped(&x); }
        pub graph OnStreams {
            dim n in 1..=64;
            input x: [f32; n];
            scalar by: f32;
            output y: [f32; n] = once(&x, by);
        }
        pub graph AsGraph {
            dim n in 1..=64;
            issue graph;
            input x: [f32; n];
            scalar by: f32;
            output y: [f32; n] = once(&x, by);
        }
    }
}

#[test]
fn what_a_load_would_not_find_is_said_when_it_is_compiled() {
    use unlaunched::{AsGraph, OfHelped, OfPlain, OnStreams};
    let mangled = "_Z5plainPKfPfy";
    let said = [
        compiled::<OfPlain>(),
        compiled::<OfHelped>(),
        compiled::<OnStreams>(),
        compiled::<AsGraph>(),
    ];
    let [Some(plain), Some(helped), Some(once), Some(issued)] = said else {
        return;
    };
    assert_eq!(
        plain.unwrap_err().to_string(),
        format!(
            "kernel `plain` cannot be launched: it has no `extern \"C\"` function `plain`; what can be \
             launched of its text is `{mangled}`"
        )
    );
    assert_eq!(
        helped.unwrap_err().to_string(),
        "kernel `helped` cannot be launched: it has no `extern \"C\"` function `helped`; there is \
         nothing in its text that can be launched"
    );
    assert_eq!(once, Ok(1));
    let Err(CompileError::NoFunction {
        function, why, has, ..
    }) = issued
    else {
        panic!("{issued:?}");
    };
    assert_eq!(
        (&*function, &has[..]),
        ("once_indirect", &["once".to_owned()][..])
    );
    assert!(why.contains("under `issue graph`"), "{why}");
    // PTX has names of its own, and a bundle is not made of what cannot be launched either.
    let ptx = Options {
        form: Form::Ptx,
        cache: None,
        ..Options::new((9, 0))
    };
    let refused = bundle::<OfPlain>(std::slice::from_ref(&ptx)).unwrap_err();
    assert!(
        matches!(&refused, CompileError::NoFunction { has, .. } if has == &[mangled.to_owned()]),
        "{refused}"
    );
    assert_eq!(kernels::<Several>(&ptx), Ok(3));
}
