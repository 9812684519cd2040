//! What comes before the driver is initialised; alone in its process.

#![cfg(target_os = "linux")]

use std::ffi::c_int;

use cudarc::driver::sys::{CUresult, cuDeviceGetCount, cuDriverGetVersion, cuInit};
use simcuda::client::{Shim, open};

#[test]
fn calls_before_cu_init_are_refused() {
    let _shim = Shim::start(0);
    let (mut version, mut count): (c_int, c_int) = (0, 0);
    // SAFETY: all write to locals.
    unsafe {
        assert_eq!(cuDriverGetVersion(&mut version), CUresult::CUDA_SUCCESS);
        assert_eq!(
            cuDeviceGetCount(&mut count),
            CUresult::CUDA_ERROR_NOT_INITIALIZED
        );
        assert_eq!(cuInit(1), CUresult::CUDA_ERROR_INVALID_VALUE);
        assert_eq!(cuInit(0), CUresult::CUDA_SUCCESS);
        assert_eq!(cuDeviceGetCount(&mut count), CUresult::CUDA_SUCCESS);
    }
    assert_eq!((version, count), (13000, 2));
}

#[test]
fn a_text_compiles_to_itself() {
    use cudarc::nvrtc::result::{compile_program, create_program, get_program_log, get_ptx};
    let _nvrtc = open("libsimnvrtc.so");
    // SAFETY: the library that cudarc finds is the one opened above.
    assert!(unsafe { cudarc::nvrtc::sys::is_culib_present() });
    let text = c"extern \"C\" __global__ void f();";
    let program = create_program(text, None).expect("a program");
    // SAFETY: the program is one.
    unsafe {
        compile_program::<&str>(program, &[]).expect("an image");
        let image = get_ptx(program).expect("an image");
        let image: Vec<u8> = image.into_iter().map(|c| c as u8).collect();
        assert_eq!(image, text.to_bytes_with_nul());
    }
    let program = create_program(c"int f();\n#error no", None).expect("a program");
    // SAFETY: as above.
    unsafe {
        assert!(compile_program::<&str>(program, &[]).is_err());
        let log = get_program_log(program).expect("a log");
        let log: Vec<u8> = log.into_iter().map(|c| c as u8).collect();
        assert!(log.starts_with(b"default_program(2): error: "));
    }
}
