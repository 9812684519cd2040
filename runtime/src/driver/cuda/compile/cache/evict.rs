//! A bound for a folder of images: those go first that were used least recently.
//!
//! Each process looks for itself and removes what is too much: what another one reads at that time it
//! has whole, or not at all and then compiles it again.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

/// Behind that time nobody writes what was begun and not finished.
const ABANDONED: Duration = Duration::from_secs(60 * 60);

/// Marks a file as used now, where that can be done.
pub fn used(path: &Path) {
    let file = File::options().write(true).open(path);
    let _ = file.and_then(|file| file.set_modified(SystemTime::now()));
}

/// What a file of the folder is.
enum What {
    Image,
    Part,
}

/// What a file is called by this module; of others nothing is touched.
fn what(name: &str) -> Option<What> {
    let (stem, rest) = name.split_at_checked(32)?;
    let own = stem.bytes().all(|b| b.is_ascii_hexdigit()) && rest.starts_with('-');
    match rest.rsplit_once('.')?.1 {
        "image" if own => Some(What::Image),
        "part" if own => Some(What::Part),
        _ => None,
    }
}

/// Removes images of the folder until those that are left have no more than `most` bytes, and what was
/// begun long ago and never finished.
pub fn evict(folder: &Path, most: u64) {
    let Ok(entries) = fs::read_dir(folder) else {
        return;
    };
    let now = SystemTime::now();
    let mut images: Vec<(SystemTime, PathBuf, u64)> = Vec::new();
    for entry in entries.flatten() {
        let Some(what) = entry.file_name().to_str().and_then(what) else {
            continue;
        };
        let Ok(about) = entry.metadata() else {
            continue;
        };
        let used = about.modified().unwrap_or(SystemTime::UNIX_EPOCH);
        match what {
            What::Image => images.push((used, entry.path(), about.len())),
            What::Part => {
                if now.duration_since(used).is_ok_and(|age| age > ABANDONED) {
                    let _ = fs::remove_file(entry.path());
                }
            }
        }
    }
    images.sort();
    let mut bytes: u64 = images.iter().map(|(_, _, bytes)| bytes).sum();
    for (_, path, own) in images {
        if bytes <= most {
            break;
        }
        // What cannot be removed stays; what another process has removed is gone.
        if fs::remove_file(&path).is_ok() || !path.exists() {
            bytes -= own;
        }
    }
}
