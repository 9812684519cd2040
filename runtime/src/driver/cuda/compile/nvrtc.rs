//! The compiler: NVRTC, which is looked for when something is to be compiled.

use std::ffi::{CStr, CString, c_char};
use std::path::Path;
use std::sync::OnceLock;

use cudarc::nvrtc::sys;

use super::text::Input;

/// Names the library's file, where the loader does not find it by itself.
const PLACE: &str = "GPU_GRAPH_NVRTC";

/// What is called; a library without one of these is too old.
const SYMBOLS: &[&CStr] = &[
    c"nvrtcVersion",
    c"nvrtcGetNumSupportedArchs",
    c"nvrtcGetSupportedArchs",
    c"nvrtcCreateProgram",
    c"nvrtcDestroyProgram",
    c"nvrtcCompileProgram",
    c"nvrtcGetProgramLogSize",
    c"nvrtcGetProgramLog",
    c"nvrtcGetPTXSize",
    c"nvrtcGetPTX",
    c"nvrtcGetCUBINSize",
    c"nvrtcGetCUBIN",
];

/// A compiler that is there.
#[derive(Debug)]
pub struct Nvrtc {
    /// Its version.
    pub version: (i32, i32),
    /// Architectures that it compiles for, ascending: 90 is sm_90.
    pub archs: Vec<i32>,
}

/// What a call answered that went wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fault {
    /// The text was refused, with what was said of it.
    Refused(String),
    /// A call failed.
    Call(&'static str, String),
}

/// The compiler, or what is missing. It is looked for once.
pub fn nvrtc() -> Result<&'static Nvrtc, String> {
    static FOUND: OnceLock<Result<Nvrtc, String>> = OnceLock::new();
    let found = FOUND.get_or_init(|| {
        let place = std::env::var_os(PLACE).filter(|place| !place.is_empty());
        look(place.as_deref().map(Path::new))
    });
    found.as_ref().map_err(Clone::clone)
}

fn look(place: Option<&Path>) -> Result<Nvrtc, String> {
    if let Some(place) = place {
        // SAFETY: loading runs the library's own initialisers, and the user names a NVRTC.
        let library = unsafe { libloading::Library::new(place) };
        let library = library.map_err(|error| {
            format!(
                "{PLACE} names `{}`, which is no library: {error}",
                place.display()
            )
        })?;
        // It stays, so that it is the one that is found by its name.
        std::mem::forget(library);
    }
    // SAFETY: as above, of what is called NVRTC where the loader looks.
    if !unsafe { sys::is_culib_present() } {
        return Err(format!(
            "the library NVRTC is not there; it comes with the CUDA toolkit and as the Python package \
             `nvidia-cuda-nvrtc`, and {PLACE} may name its file"
        ));
    }
    for symbol in SYMBOLS {
        // SAFETY: the symbol is looked up and not used.
        let known = unsafe { sys::culib().get::<*const ()>(symbol.to_bytes_with_nul()) };
        if known.is_err() {
            let name = symbol.to_string_lossy();
            return Err(format!("the library NVRTC is too old: it has no `{name}`"));
        }
    }
    let (mut major, mut minor, mut count) = (0, 0, 0);
    // SAFETY: each pointer is to one number.
    let status = unsafe { sys::nvrtcVersion(&mut major, &mut minor) };
    check("nvrtcVersion", status).map_err(|fault| fault.to_string())?;
    // SAFETY: as above.
    let status = unsafe { sys::nvrtcGetNumSupportedArchs(&mut count) };
    check("nvrtcGetNumSupportedArchs", status).map_err(|fault| fault.to_string())?;
    let mut archs = vec![0; usize::try_from(count).unwrap_or(0)];
    // SAFETY: there is room for as many numbers as the library has.
    let status = unsafe { sys::nvrtcGetSupportedArchs(archs.as_mut_ptr()) };
    check("nvrtcGetSupportedArchs", status).map_err(|fault| fault.to_string())?;
    archs.sort_unstable();
    Ok(Nvrtc {
        version: (major, minor),
        archs,
    })
}

impl std::fmt::Display for Fault {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Fault::Refused(log) => f.write_str(log),
            Fault::Call(call, status) => write!(f, "{call} failed with {status}"),
        }
    }
}

fn check(call: &'static str, status: sys::nvrtcResult) -> Result<(), Fault> {
    match status {
        sys::nvrtcResult::NVRTC_SUCCESS => Ok(()),
        status => Err(Fault::Call(call, format!("{status:?}"))),
    }
}

/// A program of the library's, which ends with it.
struct Program(sys::nvrtcProgram);

impl Drop for Program {
    fn drop(&mut self) {
        // SAFETY: the program was made by the library and is given back once.
        let _ = unsafe { sys::nvrtcDestroyProgram(&mut self.0) };
    }
}

impl Nvrtc {
    /// Compiles `input` to a binary, or to PTX.
    pub fn compile(&self, input: &Input, options: &[String], ptx: bool) -> Result<Vec<u8>, Fault> {
        let text = |text: &str| {
            let nul = || Fault::Call("nvrtcCreateProgram", "a text with a zero byte".to_owned());
            CString::new(text).map_err(|_| nul())
        };
        let (source, name) = (text(&input.source)?, text(input.name)?);
        let (mut names, mut headers) = (Vec::new(), Vec::new());
        for (name, own) in &input.headers {
            names.push(text(name)?);
            headers.push(text(own)?);
        }
        let (names, headers) = (pointers(&names), pointers(&headers));
        let options: Vec<_> = options.iter().map(|o| text(o)).collect::<Result<_, _>>()?;
        let options = pointers(&options);
        let mut program = std::ptr::null_mut();
        // SAFETY: all texts end with a zero and outlive the program, which is dropped before them.
        let status = unsafe {
            sys::nvrtcCreateProgram(
                &mut program,
                source.as_ptr(),
                name.as_ptr(),
                headers.len() as i32,
                headers.as_ptr(),
                names.as_ptr(),
            )
        };
        check("nvrtcCreateProgram", status)?;
        let program = Program(program);
        // SAFETY: the program is there, and there are as many options as is said.
        let status =
            unsafe { sys::nvrtcCompileProgram(program.0, options.len() as i32, options.as_ptr()) };
        if status == sys::nvrtcResult::NVRTC_ERROR_COMPILATION {
            let log = program.take("nvrtcGetProgramLog", LOG)?;
            let log = log.strip_suffix(&[0]).unwrap_or(&log);
            return Err(Fault::Refused(String::from_utf8_lossy(log).into_owned()));
        }
        check("nvrtcCompileProgram", status)?;
        match ptx {
            // With a zero behind it, as drivers want it.
            true => program.take("nvrtcGetPTX", PTX),
            false => program.take("nvrtcGetCUBIN", CUBIN),
        }
    }
}

/// What says how long something of a program is, and what copies it.
type Part = (
    unsafe fn(sys::nvrtcProgram, *mut usize) -> sys::nvrtcResult,
    unsafe fn(sys::nvrtcProgram, *mut c_char) -> sys::nvrtcResult,
);

const LOG: Part = (sys::nvrtcGetProgramLogSize, sys::nvrtcGetProgramLog);
const PTX: Part = (sys::nvrtcGetPTXSize, sys::nvrtcGetPTX);
const CUBIN: Part = (sys::nvrtcGetCUBINSize, sys::nvrtcGetCUBIN);

impl Program {
    fn take(&self, call: &'static str, (size, copy): Part) -> Result<Vec<u8>, Fault> {
        let mut bytes = 0;
        // SAFETY: the program was made by the library, and the pointer is to one number.
        check(call, unsafe { size(self.0, &mut bytes) })?;
        let mut taken = vec![0; bytes];
        // SAFETY: there is room for as much as the library says that it copies.
        check(call, unsafe { copy(self.0, taken.as_mut_ptr().cast()) })?;
        Ok(taken)
    }
}

fn pointers(texts: &[CString]) -> Vec<*const c_char> {
    texts.iter().map(|text| text.as_ptr()).collect()
}
