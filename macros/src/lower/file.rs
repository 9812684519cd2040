//! Files that a program names: plain ones alone, as the end of a pipe or a device may never come.

use std::io::{Error, Result};
use std::path::{Path, PathBuf};

/// The folder of the user's crate. Without cargo, rustc says itself which variable the path of a
/// file needs.
pub fn root() -> Option<PathBuf> {
    let root = std::env::var_os("CARGO_MANIFEST_DIR").map(PathBuf::from)?;
    // Tests read the programs of the project, whose crate is one folder further out.
    Some(if cfg!(test) { root.join("..") } else { root })
}

/// It is there, and it is no folder, pipe or device.
pub fn plain(path: &Path) -> Result<()> {
    let about = std::fs::metadata(path)?;
    match () {
        () if about.is_file() => Ok(()),
        () if about.is_dir() => Err(Error::other("it is a folder")),
        () => Err(Error::other("it is no plain file")),
    }
}

/// The text of a plain file.
pub fn text(path: &Path) -> Result<String> {
    plain(path)?;
    std::fs::read_to_string(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_files_alone_are_read() {
        let root = root().unwrap();
        assert!(
            text(&root.join("Cargo.toml"))
                .unwrap()
                .contains("[workspace")
        );
        let why = |path: &Path| text(path).unwrap_err().to_string();
        assert_eq!(why(&root), "it is a folder");
        if cfg!(unix) {
            // It has no end.
            assert_eq!(why(Path::new("/dev/zero")), "it is no plain file");
        }
    }
}
