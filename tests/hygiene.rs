//! Generated code resolves whatever names stand around it.
#![forbid(unsafe_code)]

/// No prelude, and the names of the standard library and of generated code taken by the user.
#[no_implicit_prelude]
mod bare {
    ::gpu_graph::gpu_graph! {
        kernel blur(x: &[f32; h, w], by: f32) -> [f32; h, w] {
            over [h, w] block [8, 32],
            cuda r#"KERNEL(blur) { INDEX(i, j); out(i, j) = x(i, j) * by; } KERNEL(blur_in_place) { x(0, 0) *= by; }"#,
            host host::blur,
            in place x host host::in_place,
        }
        kernel relu(x: &[f32; h, w]) -> [f32; h, w] = if x > 0f32 { x.mul_add(1f32, 0f32) } else { -x % 7f32 };
        kernel faded(x: &[f16; n], by: bf16) -> [bf16; n] = x as bf16 * by.powf(2bf16);
        kernel rows(x: &[f32; h, w], by: i8) -> [f32; h] = sum(x) / ((by | 1i8 << by) as f32);
        pub graph Graph {
            pipelined 2;
            budget 1 MiB;
            dim h in 1..=4;
            dim w in 1..=4;
            scalar by: f32;
            input image: [f32; h, w];
            let smooth: [f32; h, w] = blur(&image, by);
            output sharp: [f32; h, w] = blur(&smooth, 2.0);
            let above: [f32; h, w] = relu(&sharp);
            output sums: [f32; h] = rows(&above, 1);
        }
    }

    mod host {
        use ::std::iter::Iterator as _;

        pub fn blur(x: &[f32], by: f32, out: &mut [f32], _: super::blur::Dims) {
            out.iter_mut().zip(x).for_each(|(o, x)| *o = x * by);
        }
        pub fn in_place(x: &mut [f32], by: f32, _: super::blur::Dims) {
            x.iter_mut().for_each(|x| *x *= by);
        }
    }

    #[test]
    fn it_runs() {
        let device = ::gpu_graph::host();
        let ::std::result::Result::Ok(mut graph) = Graph::load(&device, graph::Dims { h: 1, w: 2 })
        else {
            ::std::panic!("it loads")
        };
        let [mut lane, _] = graph.lanes();
        let run = lane
            .run(graph::Inputs {
                image: &[1.0, 2.0],
                by: 3.0,
            })
            .unwrap();
        ::std::assert_eq!(run.sharp().unwrap().to_vec().unwrap(), [6.0, 12.0]);
        ::std::assert_eq!(run.sums().unwrap().to_vec().unwrap(), [6.0]);
    }
}

/// Every name that generated code could stumble over, as the user's own.
#[allow(non_camel_case_types, dead_code, non_upper_case_globals)]
mod clashing {
    struct Option;
    struct Result;
    struct Some;
    struct None;
    struct Ok;
    struct Err;
    struct Self_;
    struct usize;
    struct u32;
    struct u64;
    struct f16;
    struct bf16;
    struct f32;
    struct str;
    struct Args;
    struct Code;
    struct Image;
    struct Device;
    struct Record;
    struct Dims;
    struct Inputs;
    struct Run;
    struct Lane;
    struct Clone;
    struct Debug;
    struct DeclaredKernel;
    struct DeclaredGraph;
    mod std {}
    mod gpu_graph {}
    mod table {}
    mod packed {}
    mod verify {}
    mod t {}
    mod p {}
    mod o {}
    const SOURCE: () = ();
    const PROGRAM: () = ();
    const CODE: () = ();
    const IMAGE: () = ();
    const HOST: () = ();
    const args: () = ();
    const setup: () = ();
    const begin: () = ();
    const core_: () = ();
    const dim0: () = ();
    const graph: () = ();
    #[allow(unused_macros)]
    macro_rules! prove {
        () => {};
    }
    #[allow(unused_macros)]
    macro_rules! concat {
        () => {};
    }

    // Kernels, dims, inputs and outputs are called like them, too.
    ::gpu_graph::gpu_graph! {
        kernel args(args: &[f32; dim0], host: f32) -> [f32; dim0] { host host }
        kernel core(core: &[f32; r#type]) -> [f32; r#type] { host HOST2 }
        kernel sum(n: &[f32; r#in, len], N: f32, lanes: u8, out: &[i32; out]) -> [f32; r#in] =
            min(n * N) + sum(n) / (lanes as f32) + (max(out) / 2i32) as f32;
        kernel number(out: &mut [f32; r#type], i0: &[f32; r#type]) = out.max(i0);
        kernel half(W: &[f16; n], H: bf16) -> [bf16; n] = (W * 0.5f16) as bf16 * H.powf(2bf16);

        graph Type {
            dim device in 1..=3;
            dim dims in 1..=3;
            scalar begin: f32;
            scalar setup: f32;
            input graph: [f32; device];
            input inputs: [f32; dims];
            let table: [f32; device] = args(&graph, begin);
            output core: [f32; device] = core(&table);
            output load: [f32; dims] = args(&inputs, setup);
            output run: [f32; dims] = core(&load);
            output clone: [f32; dims] = core(&run);
            input numbers: [i32; 3];
            input matrix: [f32; device, 40];
            output s: [f32; device] = sum(&matrix, setup, 2, &numbers);
            number(&mut s, &core);
        }
    }

    use ::core::primitive;
    fn host(
        x: &[primitive::f32],
        by: primitive::f32,
        out: &mut [primitive::f32],
        dims: self::args::Dims,
    ) {
        ::std::assert_eq!(dims.dim0, x.len());
        out.iter_mut().zip(x).for_each(|(o, x)| *o = x * by);
    }
    use HOST2_ as HOST2;
    #[allow(non_snake_case)]
    fn HOST2_(x: &[primitive::f32], out: &mut [primitive::f32], dims: self::core::Dims) {
        ::std::assert_eq!(dims.r#type, x.len());
        out.copy_from_slice(x);
    }

    #[test]
    fn it_runs() {
        let mut it = Type::load(&::gpu_graph::host(), r#type::Dims { device: 1, dims: 2 }).unwrap();
        let inputs = r#type::Inputs {
            graph: &[1.0],
            inputs: &[2.0, 3.0],
            begin: 2.0,
            setup: 0.5,
            numbers: &[1, 5, 3],
            matrix: &[2.0; 40],
        };
        let run = it.run(inputs).unwrap();
        ::std::assert_eq!(run.core().unwrap().to_vec().unwrap(), [2.0]);
        ::std::assert_eq!(run.clone().unwrap().to_vec().unwrap(), [1.0, 1.5]);
        ::std::assert_eq!(run.s().unwrap().to_vec().unwrap(), [43.0]);
    }
}

/// Constants that are called like parameters of generated functions, which patterns would mean.
#[allow(non_upper_case_globals, dead_code)]
mod lower_case {
    const device: () = ();
    const dims: () = ();
    const inputs: () = ();
    const data: () = ();
    const run: () = ();
    const setup: () = ();

    gpu_graph::gpu_graph! {
        const n: usize = 2;
        kernel double(x: &[f32; n]) -> [f32; n] { host twice }
        graph Doubled {
            pipelined 2;
            dim m in n..=n;
            resident input w: [f32; n];
            input x: [f32; m];
            output y: [f32; n] = double(&x);
            output z: [f32; m] = double(&w);
        }
    }
    fn twice(x: &[f32], out: &mut [f32], _: double::Dims) {
        out.iter_mut().zip(x).for_each(|(o, x)| *o = 2.0 * x);
    }

    #[test]
    fn it_runs() {
        let mut graph = Doubled::load(&gpu_graph::host(), doubled::Dims { m: n }).unwrap();
        graph.set_w(&[3.0, 4.0]).unwrap();
        let [mut lane, _] = graph.lanes();
        let ended = lane.run(doubled::Inputs { x: &[1.0, 2.0] }).unwrap();
        assert_eq!(ended.y().unwrap().to_vec().unwrap(), [2.0, 4.0]);
        assert_eq!(ended.z().unwrap().to_vec().unwrap(), [6.0, 8.0]);
    }
}

/// Items that are not there take all that is generated of them along.
mod configured {
    gpu_graph::gpu_graph! {
        #[cfg(any())]
        kernel missing(x: &[f32; n]) -> [f32; n] { host nobody::has_this }
        #[cfg(any())]
        graph Absent {
            pipelined 2;
            input x: [f32; 3];
            output y: [f32; 3] = missing(&x);
        }
        #[cfg(all())]
        kernel one() -> [u8; 1] { host one_host }
        #[cfg(all())]
        #[must_use]
        graph Present { output y: [u8; 1] = one(); }
    }
    fn one_host(out: &mut [u8], _: one::Dims) {
        out.fill(1);
    }
    struct Absent;
    mod absent {}
    mod missing {}

    #[test]
    fn what_is_there_runs() {
        let Absent = Absent;
        let mut graph = Present::load(&gpu_graph::host(), present::Dims {}).unwrap();
        let run = graph.run(present::Inputs {}).unwrap();
        assert_eq!(run.y().unwrap().to_vec().unwrap(), [1]);
    }
}

/// Graphs made by a macro of the user's, inside functions, several in one scope.
mod nested {
    macro_rules! scaled {
        ($name:ident, $module:ident, $kernel:ident, $host:path, $input:ident, $most:literal, $more:ident, $by:expr) => {
            gpu_graph::gpu_graph! {
                kernel $kernel(x: &[f32; n], by: f32) -> [f32; n] { host $host }
                kernel $more(x: &[f32; n]) -> [f32; n] = x - $by;
                graph $name {
                    dim n in 1..=$most;
                    input $input: [f32; n];
                    let a: [f32; n] = $kernel(&$input, 2.0);
                    let b: [f32; n] = $kernel(&a, 3.0);
                    output y: [f32; n] = $more(&b);
                }
            }
        };
    }

    #[test]
    fn graphs_stand_in_functions() {
        scaled!(First, first, one, one_host, x, 4, one_more, 2f32 - 2f32);
        scaled!(Second, second, two, two_host, z, 8, two_more, 1f32);
        fn one_host(x: &[f32], by: f32, out: &mut [f32], _: one::Dims) {
            out.iter_mut().zip(x).for_each(|(o, x)| *o = x * by);
        }
        fn two_host(x: &[f32], by: f32, out: &mut [f32], _: two::Dims) {
            out.iter_mut().zip(x).for_each(|(o, x)| *o = x + by);
        }
        let device = gpu_graph::host();
        let mut graph = First::load(&device, first::Dims { n: 2 }).unwrap();
        let run = graph.run(first::Inputs { x: &[1.0, 2.0] }).unwrap();
        assert_eq!(run.y().unwrap().to_vec().unwrap(), [6.0, 12.0]);
        let mut graph = Second::load(&device, second::Dims { n: 1 }).unwrap();
        let run = graph.run(second::Inputs { z: &[1.0] }).unwrap();
        assert_eq!(run.y().unwrap().to_vec().unwrap(), [5.0]);
    }

    #[test]
    fn host_functions_may_be_generic_or_closed_over_nothing() {
        gpu_graph::gpu_graph! {
            kernel copy(x: &[u16; n]) -> [u16; n] { host super::nested::copy_of::<u16, _> }
            graph Copied {
                input x: [u16; 3];
                output y: [u16; 3] = copy(&x);
            }
        }
        let mut graph = Copied::load(&gpu_graph::host(), copied::Dims {}).unwrap();
        let run = graph.run(copied::Inputs { x: &[1, 2, 3] }).unwrap();
        assert_eq!(run.y().unwrap().to_vec().unwrap(), [1, 2, 3]);
    }

    fn copy_of<T: Copy, D>(x: &[T], out: &mut [T], _: D) {
        out.copy_from_slice(x);
    }
}
