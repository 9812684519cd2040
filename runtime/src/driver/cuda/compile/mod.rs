//! From the text of a kernel to what a device loads.
//!
//! NVRTC compiles the text for the architecture of a device. What it makes is kept in a folder, and
//! found there by all that it was made from: the text, what it includes, options, architecture and the
//! version of the compiler. Where there is no NVRTC, the image of any version is taken, so a folder
//! that was filled elsewhere is enough to load a graph. The default folder has a bound: what was used
//! least recently goes first.
//!
//! A program may also have its images in itself: see [`embed()`].
//!
//! Several texts are compiled side by side: calls of NVRTC may be made from several threads as long as
//! no two of them are about one program.
//!
//! The library is looked for where the loader looks; `GPU_GRAPH_NVRTC` may name its file. Headers of
//! the toolkit are found in `include` of the folder that `CUDA_PATH` or `CUDA_HOME` names.

mod cache;
mod embed;
mod entries;
mod error;
mod instead;
mod launched;
mod log;
mod nvrtc;
mod side;
mod text;

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

pub use cache::{DEFAULT_BYTES, Folder, default_folder};
pub use embed::{bundle, embed};
pub use error::{CompileError, Message};
pub use instead::{Embedded, Made};
pub use launched::kernels;

use crate::exec::{CudaCode, CudaSource, CudaText};
use cache::Key;
pub(super) use launched::Wanted;
use nvrtc::{Fault, Nvrtc, nvrtc};
use text::Input;

/// What a text is compiled to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Form {
    /// A binary for one architecture, which no driver has to translate.
    #[default]
    Cubin,
    /// PTX, which a driver translates for its device.
    Ptx,
}

/// How kernels are compiled.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    /// Architecture of the device: (9, 0) is sm_90.
    pub arch: (u32, u32),
    /// Each access of an element is held against the tensor's extents, and a kernel that is beyond
    /// them says so and stops. Otherwise accessors cost nothing.
    pub checked: bool,
    /// What it is compiled to.
    pub form: Form,
    /// The folder that keeps images; without it everything is compiled each time.
    pub cache: Option<Folder>,
}

impl Options {
    /// What a device of `arch` is loaded with: binaries, kept in the [default folder](default_folder),
    /// and checked where `GPU_GRAPH_CHECKED` is 1 in the environment.
    pub fn new(arch: (u32, u32)) -> Self {
        Self {
            arch,
            checked: std::env::var_os("GPU_GRAPH_CHECKED").is_some_and(|checked| checked == "1"),
            form: Form::Cubin,
            cache: default_folder(),
        }
    }
}

/// What a device loads for `source`: kernels whose `code` is the same have the same image.
///
/// # Errors
/// The text is refused, or it is in no folder and there is no compiler for that architecture.
pub fn image(source: &CudaSource, options: &Options) -> Result<Arc<[u8]>, CompileError> {
    one(source, options, &Kept::new(options))
}

/// As [`image`], of several sources, which are compiled side by side: what comes of each, in their
/// order.
pub fn images(sources: &[&CudaSource], options: &Options) -> Vec<Result<Arc<[u8]>, CompileError>> {
    let kept = Kept::new(options);
    side::by_side(sources.len(), |i| one(sources[i], options, &kept))
}

/// Whether something new is kept in the folder of options; where there is, the folder is looked through
/// at the end, once.
struct Kept<'a> {
    folder: Option<&'a Folder>,
    /// That something cannot be kept is an error: the folder is what is asked for.
    must: bool,
    new: AtomicBool,
}

impl<'a> Kept<'a> {
    fn new(options: &'a Options) -> Self {
        Self {
            folder: options.cache.as_ref(),
            must: false,
            new: AtomicBool::new(false),
        }
    }

    fn find(&self, key: &Key) -> Option<Vec<u8>> {
        cache::find(self.folder?, key)
    }

    fn keep(&self, key: &Key, image: &[u8]) -> Result<(), CompileError> {
        let Some(folder) = self.folder else {
            return Ok(());
        };
        match cache::keep(folder, key, image) {
            Ok(()) => self.new.store(true, Ordering::Relaxed),
            Err(why) if self.must => {
                let path = folder.path.clone();
                return Err(CompileError::Folder { path, why });
            }
            Err(_) => {}
        }
        Ok(())
    }
}

impl Drop for Kept<'_> {
    fn drop(&mut self) {
        if let (Some(folder), true) = (self.folder, *self.new.get_mut()) {
            cache::evict(folder);
        }
    }
}

fn one(source: &CudaSource, options: &Options, kept: &Kept<'_>) -> Result<Arc<[u8]>, CompileError> {
    match source.code {
        CudaCode::Image { bytes, .. } => Ok(whole(bytes)),
        CudaCode::Text(text) => compiled(&text, options, kept),
    }
}

/// PTX is a text for the driver, which ends with a zero.
fn whole(bytes: &[u8]) -> Arc<[u8]> {
    let binary = bytes.starts_with(b"\x7fELF") || bytes.starts_with(&0xba55_ed50_u32.to_le_bytes());
    match binary || bytes.ends_with(&[0]) {
        true => bytes.into(),
        false => [bytes, &[0]].concat().into(),
    }
}

fn compiled(
    text: &CudaText,
    options: &Options,
    kept: &Kept<'_>,
) -> Result<Arc<[u8]>, CompileError> {
    let mut key = key(text, options);
    if let Some(image) = embed::find(&key.of) {
        return Ok(image.into());
    }
    let compiler = nvrtc();
    key.version = compiler.as_ref().ok().map(|nvrtc| nvrtc.version);
    if let Some(image) = kept.find(&key) {
        return Ok(image.into());
    }
    let (file, arch) = (text.file, options.arch);
    let compiler = compiler.map_err(|reason| CompileError::NoCompiler {
        file,
        arch,
        reason,
        embedded: embed::instead(text, options),
    })?;
    let flags = flags(options).into_iter().chain(toolkit()).collect();
    let image = compile(compiler, &Input::new(text), options, flags)?;
    kept.keep(&key, &image)?;
    Ok(image.into())
}

/// What an image of a text is known by, but for the compiler's version.
fn key(text: &CudaText, options: &Options) -> Key {
    Key {
        of: made_from(&Input::new(text), options, &flags(options)),
        toolkit: toolkit().unwrap_or_default().into_bytes(),
        version: None,
    }
}

fn compile(
    compiler: &Nvrtc,
    input: &Input,
    options: &Options,
    mut flags: Vec<String>,
) -> Result<Vec<u8>, CompileError> {
    let (file, arch) = (input.name, options.arch);
    let wanted = i32::try_from(10 * arch.0 + arch.1).unwrap_or(i32::MAX);
    let known = compiler.archs.iter().rev().find(|known| **known <= wanted);
    let Some(&known) = known else {
        let least = compiler.archs.first().copied().unwrap_or(0);
        return Err(CompileError::Architecture { file, arch, least });
    };
    // A device that is newer than the compiler runs PTX for an older one.
    let ptx = options.form == Form::Ptx || known != wanted;
    let kind = if ptx { "compute" } else { "sm" };
    flags.push(format!("--gpu-architecture={kind}_{known}"));
    compiler
        .compile(input, &flags, ptx)
        .map_err(|fault| match fault {
            Fault::Refused(log) => CompileError::Refused {
                file,
                messages: log::messages(&log, text::PRELUDE_NAME, input.end()),
                log,
            },
            Fault::Call(call, status) => CompileError::Failed { file, call, status },
        })
}

/// Options of the compiler but the architecture, and where the toolkit is.
fn flags(options: &Options) -> Vec<String> {
    let mut flags = vec!["--std=c++17".to_owned()];
    if options.checked {
        flags.push("--define-macro=GPU_GRAPH_CHECKED".to_owned());
    }
    flags
}

/// The option that says where headers of the toolkit are.
fn toolkit() -> Option<String> {
    let toolkit = ["CUDA_PATH", "CUDA_HOME"]
        .into_iter()
        .filter_map(std::env::var_os);
    let mut folders = toolkit.map(|folder| PathBuf::from(folder).join("include"));
    let folder = folders.find(|folder| folder.is_dir())?;
    Some(format!("--include-path={}", folder.display()))
}

/// The architecture that something was [made from](made_from).
fn arch(of: &[u8]) -> Option<(u32, u32)> {
    let first = of.split(|byte| *byte == 0).next()?;
    let (_, arch) = std::str::from_utf8(first).ok()?.split_once(" sm_")?;
    // The minor version has one digit.
    let (major, minor) = arch.split_at_checked(arch.len().checked_sub(1)?)?;
    Some((major.parse().ok()?, minor.parse().ok()?))
}

/// All that an image depends on beside the compiler.
fn made_from(input: &Input, options: &Options, flags: &[String]) -> Vec<u8> {
    let (major, minor) = options.arch;
    let mut of = format!("{:?} sm_{major}{minor}\0{}\0", options.form, input.name).into_bytes();
    let headers = input.headers.iter();
    let headers = headers.flat_map(|(name, text)| [*name, text.as_str()]);
    for part in flags
        .iter()
        .map(String::as_str)
        .chain([&*input.source])
        .chain(headers)
    {
        of.extend(part.as_bytes());
        of.push(0);
    }
    of
}
