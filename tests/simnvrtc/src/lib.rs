//! NVRTC's functions without a compiler: a text compiles to itself, with a zero behind it, which the
//! driver of `simcuda` takes for an image. The first line with `#error` in it is an error.
//!
//! Its version is one that NVIDIA has not: what a cache keeps of it is of no use to anybody else.

#![cfg(unix)]
#![allow(non_snake_case, reason = "functions are called as NVRTC calls them")]

use std::collections::BTreeMap;
use std::ffi::{CStr, CString, c_char, c_int};
use std::sync::{Mutex, PoisonError};

use cudarc::nvrtc::sys::{nvrtcProgram, nvrtcResult};

const INVALID_INPUT: u32 = nvrtcResult::NVRTC_ERROR_INVALID_INPUT as u32;
const INVALID_PROGRAM: u32 = nvrtcResult::NVRTC_ERROR_INVALID_PROGRAM as u32;
const COMPILATION: u32 = nvrtcResult::NVRTC_ERROR_COMPILATION as u32;

/// Version that is answered.
const VERSION: (c_int, c_int) = (13, 999);

#[derive(Debug, Default)]
struct Program {
    name: String,
    text: Vec<u8>,
    compiled: bool,
    log: CString,
}

static PROGRAMS: Mutex<BTreeMap<usize, Program>> = Mutex::new(BTreeMap::new());

fn with(program: nvrtcProgram, f: impl FnOnce(&mut Program) -> u32) -> u32 {
    let mut all = PROGRAMS.lock().unwrap_or_else(PoisonError::into_inner);
    all.get_mut(&program.addr()).map_or(INVALID_PROGRAM, f)
}

/// # Safety
/// `to` is null or can be written.
unsafe fn put<T>(to: *mut T, value: T) -> u32 {
    if to.is_null() {
        return INVALID_INPUT;
    }
    // SAFETY: the caller's, and it is not null.
    unsafe { to.write(value) };
    0
}

/// # Safety
/// `to` is null or has room for `bytes`.
unsafe fn fill(to: *mut c_char, bytes: &[u8]) -> u32 {
    if to.is_null() {
        return INVALID_INPUT;
    }
    // SAFETY: the caller's, and it is not null.
    unsafe {
        to.cast::<u8>()
            .copy_from_nonoverlapping(bytes.as_ptr(), bytes.len())
    };
    0
}

macro_rules! calls {
    ($($(#[$doc:meta])* fn $name:ident($($arg:ident: $type:ty),* $(,)?) $body:block)*) => {$(
        $(#[$doc])*
        ///
        /// # Safety
        /// As NVRTC's documentation says of the function of this name.
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $name($($arg: $type),*) -> u32 {
            #[allow(unused_unsafe)]
            // SAFETY: the caller keeps what the documentation asks of it.
            unsafe { $body }
        }

        const _: unsafe fn($($type),*) -> nvrtcResult = cudarc::nvrtc::sys::$name;
    )*};
}

calls! {
    /// A version that NVIDIA has not.
    fn nvrtcVersion(major: *mut c_int, minor: *mut c_int) {
        put(major, VERSION.0).max(put(minor, VERSION.1))
    }

    /// Three.
    fn nvrtcGetNumSupportedArchs(count: *mut c_int) {
        put(count, 3)
    }

    /// 80, 90 and 100.
    fn nvrtcGetSupportedArchs(archs: *mut c_int) {
        if archs.is_null() {
            return INVALID_INPUT;
        }
        for (i, arch) in [80, 90, 100].into_iter().enumerate() {
            archs.add(i).write(arch);
        }
        0
    }

    /// Headers are taken and ignored.
    fn nvrtcCreateProgram(
        program: *mut nvrtcProgram,
        text: *const c_char,
        name: *const c_char,
        _headers: c_int,
        _texts: *const *const c_char,
        _names: *const *const c_char,
    ) {
        if text.is_null() {
            return INVALID_INPUT;
        }
        let name = match name.is_null() {
            true => "default_program".to_owned(),
            false => CStr::from_ptr(name).to_string_lossy().into_owned(),
        };
        let made = Program {
            name,
            text: CStr::from_ptr(text).to_bytes_with_nul().to_vec(),
            ..Program::default()
        };
        let mut all = PROGRAMS.lock().unwrap_or_else(PoisonError::into_inner);
        let id = all.last_key_value().map_or(16, |(last, _)| last + 16);
        all.insert(id, made);
        put(program, std::ptr::without_provenance_mut(id))
    }

    /// Options are taken and ignored.
    fn nvrtcCompileProgram(program: nvrtcProgram, _count: c_int, _options: *const *const c_char) {
        with(program, |p| {
            let text = String::from_utf8_lossy(&p.text);
            let error = text.lines().position(|line| line.contains("#error"));
            let Some(line) = error else {
                p.compiled = true;
                return 0;
            };
            let log = format!("{}({}): error: #error directive\n", p.name, line + 1);
            p.log = CString::new(log).unwrap_or_default();
            COMPILATION
        })
    }

    /// Forgets it.
    fn nvrtcDestroyProgram(program: *mut nvrtcProgram) {
        if program.is_null() {
            return INVALID_INPUT;
        }
        let mut all = PROGRAMS.lock().unwrap_or_else(PoisonError::into_inner);
        match all.remove(&(*program).addr()) {
            Some(_) => put(program, std::ptr::null_mut()),
            None => INVALID_PROGRAM,
        }
    }

    /// Length of the text, with the zero.
    fn nvrtcGetCUBINSize(program: nvrtcProgram, bytes: *mut usize) {
        with(program, |p| if p.compiled { put(bytes, p.text.len()) } else { INVALID_PROGRAM })
    }

    /// The text.
    fn nvrtcGetCUBIN(program: nvrtcProgram, image: *mut c_char) {
        with(program, |p| if p.compiled { fill(image, &p.text) } else { INVALID_PROGRAM })
    }

    /// As [`nvrtcGetCUBINSize`].
    fn nvrtcGetPTXSize(program: nvrtcProgram, bytes: *mut usize) {
        with(program, |p| if p.compiled { put(bytes, p.text.len()) } else { INVALID_PROGRAM })
    }

    /// As [`nvrtcGetCUBIN`].
    fn nvrtcGetPTX(program: nvrtcProgram, text: *mut c_char) {
        with(program, |p| if p.compiled { fill(text, &p.text) } else { INVALID_PROGRAM })
    }

    /// Length of the errors, with the zero.
    fn nvrtcGetProgramLogSize(program: nvrtcProgram, bytes: *mut usize) {
        with(program, |p| put(bytes, p.log.as_bytes_with_nul().len()))
    }

    /// The errors.
    fn nvrtcGetProgramLog(program: nvrtcProgram, log: *mut c_char) {
        with(program, |p| fill(log, p.log.as_bytes_with_nul()))
    }
}

/// The name of a status.
#[unsafe(no_mangle)]
pub extern "C" fn nvrtcGetErrorString(result: nvrtcResult) -> *const c_char {
    let name = match result as u32 {
        0 => c"NVRTC_SUCCESS",
        INVALID_INPUT => c"NVRTC_ERROR_INVALID_INPUT",
        INVALID_PROGRAM => c"NVRTC_ERROR_INVALID_PROGRAM",
        COMPILATION => c"NVRTC_ERROR_COMPILATION",
        _ => c"NVRTC_ERROR_INTERNAL_ERROR",
    };
    name.as_ptr()
}
