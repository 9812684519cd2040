//! Images on disk, found by what they were made from.
//!
//! An entry is a file of its own, written beside its place and renamed into it, so that processes that
//! meet see all of an entry or none. It holds all that it was made from, its own lengths and a
//! checksum: what is cut, damaged or of another source is no entry, and is written anew. A folder that
//! cannot be written only costs time.

mod entry;
mod evict;

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

pub use entry::Entry;

/// A folder that keeps images.
///
/// ```
/// use gpu_graph_runtime::driver::cuda::compile::Folder;
/// // All that is kept there stays.
/// assert_eq!(Folder::from("images").most, None);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Folder {
    /// Where it is.
    pub path: PathBuf,
    /// Bytes that its images may have together: where they have more, those go first that were used
    /// least recently. `None` keeps all of them.
    pub most: Option<u64>,
}

impl<T: Into<PathBuf>> From<T> for Folder {
    /// One that keeps all of them.
    fn from(path: T) -> Self {
        Self {
            path: path.into(),
            most: None,
        }
    }
}

/// What an image is made from.
pub struct Key {
    /// Text, headers, options, architecture and form: everything but the compiler.
    pub of: Vec<u8>,
    /// Where headers of the toolkit are found.
    pub toolkit: Vec<u8>,
    /// The compiler's version; of any, with the headers that it found, where there is no compiler.
    pub version: Option<(i32, i32)>,
}

impl Key {
    fn stem(&self) -> String {
        let (a, b) = (hash(&self.of, 0), hash(&self.of, 1));
        format!("{a:016x}{b:016x}-")
    }

    fn name(&self, (major, minor): (i32, i32)) -> String {
        format!("{}{major}.{minor}.image", self.stem())
    }

    fn is_of(&self, entry: &Entry<'_>) -> bool {
        entry.of == self.of && (self.version.is_none() || entry.toolkit == self.toolkit)
    }
}

/// The image that `folder` has for `key`, which is used now.
pub fn find(folder: &Folder, key: &Key) -> Option<Vec<u8>> {
    let folder = &folder.path;
    match key.version {
        Some(version) => read(&folder.join(key.name(version)), key),
        None => any(folder, key),
    }
}

/// That of the newest compiler among those that left one.
fn any(folder: &Path, key: &Key) -> Option<Vec<u8>> {
    let stem = key.stem();
    let mut found: Vec<((i32, i32), PathBuf)> = Vec::new();
    for entry in fs::read_dir(folder).ok()?.flatten() {
        let name = entry.file_name();
        let version = name.to_str().and_then(|name| {
            let rest = name.strip_prefix(&stem)?.strip_suffix(".image")?;
            let (major, minor) = rest.split_once('.')?;
            Some((major.parse().ok()?, minor.parse().ok()?))
        });
        found.extend(version.map(|version| (version, entry.path())));
    }
    found.sort();
    found.iter().rev().find_map(|(_, path)| read(path, key))
}

fn read(path: &Path, key: &Key) -> Option<Vec<u8>> {
    let all = fs::read(path).ok()?;
    let entry = Entry::read(&all).filter(|entry| key.is_of(entry))?;
    evict::used(path);
    Some(entry.image.to_vec())
}

/// Keeps `image`, or says why it is not kept. It may be more than the folder is to have then.
pub fn keep(folder: &Folder, key: &Key, image: &[u8]) -> Result<(), String> {
    let Some(version) = key.version else {
        return Err("the compiler's version is not known".to_owned());
    };
    let (of, toolkit) = (&key.of, &key.toolkit);
    let all = Entry { of, toolkit, image }.bytes();
    if let Some(most) = folder.most.filter(|most| all.len() as u64 > *most) {
        let bytes = all.len();
        return Err(format!("it may have {most} bytes, and one has {bytes}"));
    }
    let path = folder.path.join(key.name(version));
    let beside = beside(&path);
    let written = fs::create_dir_all(&folder.path).and_then(|()| {
        let mut file = fs::File::create_new(&beside)?;
        file.write_all(&all)?;
        drop(file);
        fs::rename(&beside, &path)
    });
    if written.is_err() {
        // Whatever was written is of no use; if it cannot be removed, nothing reads it.
        let _ = fs::remove_file(&beside);
    }
    written.map_err(|error| match folder.path.metadata() {
        Ok(there) if !there.is_dir() => "it is a file".to_owned(),
        _ => error.to_string(),
    })
}

/// Lets go of what is more than the folder is to have.
pub fn evict(folder: &Folder) {
    if let Some(most) = folder.most {
        evict::evict(&folder.path, most);
    }
}

/// A name that no other thread and no other process writes.
fn beside(path: &Path) -> PathBuf {
    static COUNT: AtomicU32 = AtomicU32::new(0);
    let count = COUNT.fetch_add(1, Ordering::Relaxed);
    let since = std::time::UNIX_EPOCH.elapsed();
    let nanos = since.map_or(0, |since| since.as_nanos());
    path.with_extension(format!("{}-{count}-{nanos}.part", std::process::id()))
}

/// FNV-1a, begun with `seed`. Entries hold what they were made from, so that two of one name are told
/// apart, and a checksum has only to see what a disk does.
fn hash(bytes: &[u8], seed: u64) -> u64 {
    let begin = 0xcbf2_9ce4_8422_2325 ^ seed.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    bytes.iter().fold(begin, |hash, &byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}

/// Bytes that the [default folder](default_folder) may have where `GPU_GRAPH_CACHE_BYTES` says nothing.
pub const DEFAULT_BYTES: u64 = 256 << 20;

/// The folder for images where none is chosen: `GPU_GRAPH_CACHE`, or `gpu-graph` in the user's folder
/// for what can be made again. None where there is no such folder, or `GPU_GRAPH_CACHE` is empty. Its
/// images have as many bytes together as `GPU_GRAPH_CACHE_BYTES` says, a number, or else
/// [`DEFAULT_BYTES`].
pub fn default_folder() -> Option<Folder> {
    let said = std::env::var("GPU_GRAPH_CACHE_BYTES").ok();
    Some(Folder {
        path: default_path()?,
        most: Some(most(said.as_deref())),
    })
}

/// The bound that is said, if it is one.
fn most(said: Option<&str>) -> u64 {
    let said = said.and_then(|said| said.trim().parse().ok());
    said.unwrap_or(DEFAULT_BYTES)
}

fn default_path() -> Option<PathBuf> {
    let named = |name| std::env::var_os(name).filter(|value| !value.is_empty());
    if let Some(own) = std::env::var_os("GPU_GRAPH_CACHE") {
        return Some(PathBuf::from(own)).filter(|own| !own.as_os_str().is_empty());
    }
    let caches = named("XDG_CACHE_HOME")
        .map(PathBuf::from)
        .filter(|path| path.is_absolute());
    let caches = caches
        .or_else(|| Some(PathBuf::from(named("HOME")?).join(".cache")))
        .or_else(|| named("LOCALAPPDATA").map(PathBuf::from));
    caches.map(|caches| caches.join("gpu-graph"))
}

#[cfg(test)]
mod tests;
