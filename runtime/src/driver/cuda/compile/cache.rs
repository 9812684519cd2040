//! Images on disk, found by what they were made from.
//!
//! An entry is a file of its own, written beside its place and renamed into it, so that processes that
//! meet see all of an entry or none. It holds all that it was made from, its own length and a
//! checksum: what is cut, damaged or of another source is no entry, and is written anew. A folder that
//! cannot be written only costs time.

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

/// What an entry begins with; another form has another number.
const MAGIC: &[u8; 16] = b"gpu-graph image1";
/// Bytes before what an entry was made from: magic, checksum, and two lengths.
const HEAD: usize = 16 + 3 * 8;

/// What an image is made from.
pub struct Key {
    /// Text, headers, options, architecture and form: everything but the compiler's version.
    pub of: Vec<u8>,
    /// The compiler's version; of any where there is no compiler.
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
}

/// The image that `folder` has for `key`.
pub fn find(folder: &Path, key: &Key) -> Option<Vec<u8>> {
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
    let mut all = fs::read(path).ok()?;
    let (head, rest) = all.split_at_checked(HEAD)?;
    let word = |i: usize| {
        let bytes = head.get(16 + 8 * i..24 + 8 * i)?;
        Some(u64::from_le_bytes(bytes.try_into().ok()?))
    };
    let (sum, of, image) = (word(0)?, word(1)?, word(2)?);
    let whole = of.checked_add(image) == Some(rest.len() as u64);
    let same = head.starts_with(MAGIC) && whole && rest.get(..of as usize)? == key.of;
    if !same || hash(&all[24..], 2) != sum {
        return None;
    }
    Some(all.split_off(HEAD + of as usize))
}

/// Keeps `image`, where that can be done.
pub fn keep(folder: &Path, key: &Key, image: &[u8]) {
    let Some(version) = key.version else { return };
    let mut rest = Vec::with_capacity(16 + key.of.len() + image.len());
    for length in [key.of.len(), image.len()] {
        rest.extend((length as u64).to_le_bytes());
    }
    rest.extend(&key.of);
    rest.extend(image);
    let sum = hash(&rest, 2);
    let path = folder.join(key.name(version));
    let beside = beside(&path);
    let written = fs::create_dir_all(folder).and_then(|()| {
        let mut file = fs::File::create_new(&beside)?;
        file.write_all(MAGIC)?;
        file.write_all(&sum.to_le_bytes())?;
        file.write_all(&rest)?;
        drop(file);
        fs::rename(&beside, &path)
    });
    if written.is_err() {
        // Whatever was written is of no use; if it cannot be removed, nothing reads it.
        let _ = fs::remove_file(&beside);
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

/// The folder for images where none is chosen: `GPU_GRAPH_CACHE`, or `gpu-graph` in the user's folder
/// for what can be made again. None where there is no such folder, or `GPU_GRAPH_CACHE` is empty.
pub fn default_folder() -> Option<PathBuf> {
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
mod tests {
    use super::*;

    /// A folder of the test's own.
    fn folder(name: &str) -> PathBuf {
        let folder = std::env::temp_dir().join(format!("gpu-graph-{}-{name}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        folder
    }

    fn key(of: &[u8]) -> Key {
        Key {
            of: of.to_vec(),
            version: Some((13, 5)),
        }
    }

    #[test]
    fn what_is_kept_is_found_again_for_the_same_source_and_version_alone() {
        let folder = folder("kept");
        let own = key(b"text");
        assert_eq!(find(&folder, &own), None);
        keep(&folder, &own, b"image");
        assert_eq!(find(&folder, &own).as_deref(), Some(&b"image"[..]));
        assert_eq!(find(&folder, &key(b"text2")), None);
        let newer = Key {
            version: Some((13, 6)),
            ..key(b"text")
        };
        assert_eq!(find(&folder, &newer), None);
        keep(&folder, &newer, b"newer");
        // Without a compiler the newest one is taken.
        let none = Key {
            version: None,
            ..key(b"text")
        };
        assert_eq!(find(&folder, &none).as_deref(), Some(&b"newer"[..]));
        fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn a_torn_or_damaged_entry_is_none_and_is_written_anew() {
        let folder = folder("torn");
        let own = key(b"some text of kernels");
        keep(&folder, &own, b"the image");
        let path = folder.join(own.name((13, 5)));
        let whole = fs::read(&path).unwrap();
        for cut in 0..whole.len() {
            fs::write(&path, &whole[..cut]).unwrap();
            assert_eq!(find(&folder, &own), None, "cut at {cut}");
        }
        for at in 0..whole.len() {
            let mut damaged = whole.clone();
            damaged[at] ^= 1 << (at % 8);
            fs::write(&path, &damaged).unwrap();
            assert_eq!(find(&folder, &own), None, "damaged at {at}");
        }
        fs::write(&path, [&whole[..], b"more"].concat()).unwrap();
        assert_eq!(find(&folder, &own), None);
        keep(&folder, &own, b"the image");
        assert_eq!(find(&folder, &own).as_deref(), Some(&b"the image"[..]));
        assert_eq!(
            fs::read_dir(&folder).unwrap().count(),
            1,
            "nothing is left beside it"
        );
        fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn entries_of_one_name_are_told_apart_by_what_they_were_made_from() {
        let folder = folder("apart");
        let (own, other) = (key(b"one"), key(b"two"));
        keep(&folder, &own, b"1");
        fs::rename(
            folder.join(own.name((13, 5))),
            folder.join(other.name((13, 5))),
        )
        .unwrap();
        assert_eq!(find(&folder, &other), None);
        fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn a_folder_that_cannot_be_written_is_left_alone() {
        let folder = folder("file");
        fs::write(&folder, b"not a folder").unwrap();
        keep(&folder, &key(b"text"), b"image");
        assert_eq!(find(&folder, &key(b"text")), None);
        fs::remove_file(&folder).unwrap();
    }
}
