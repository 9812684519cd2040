//! A file of little-endian numbers, and what can be wrong with it.

use std::io;
use std::path::{Path, PathBuf};

/// Why a file is not what the example reads.
#[derive(Debug, thiserror::Error)]
pub enum FileError {
    /// It is not there, or cannot be read.
    #[error("cannot read `{}`: {source}", .file.display())]
    Unreadable {
        /// The file.
        file: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// A field has another value than this example is made for.
    #[error("`{}`: {field} is {found}, expected {expected}", .file.display())]
    Field {
        /// The file.
        file: PathBuf,
        /// What the field is.
        field: String,
        /// Its value.
        found: i32,
        /// What it must be.
        expected: usize,
    },
    /// It ends within a field.
    #[error("`{}` ends after {bytes} bytes, within {field}", .file.display())]
    Ends {
        /// The file.
        file: PathBuf,
        /// All its bytes.
        bytes: usize,
        /// What the field is.
        field: String,
    },
    /// It is longer or shorter than its header says.
    #[error("`{}` has {found} bytes, expected {expected}", .file.display())]
    Length {
        /// The file.
        file: PathBuf,
        /// Its bytes.
        found: usize,
        /// Bytes that it must have.
        expected: usize,
    },
}

/// The bytes of a file, read from the first to the last.
pub struct File {
    path: PathBuf,
    bytes: Vec<u8>,
    at: usize,
}

impl File {
    /// All of a file.
    pub fn read(path: &Path) -> Result<Self, FileError> {
        let path = path.to_owned();
        match std::fs::read(&path) {
            Ok(bytes) => Ok(Self { path, bytes, at: 0 }),
            Err(source) => Err(FileError::Unreadable { file: path, source }),
        }
    }

    /// The next `n` bytes.
    pub fn take(&mut self, n: usize, field: &str) -> Result<&[u8], FileError> {
        match self.bytes.get(self.at..).and_then(|rest| rest.get(..n)) {
            Some(bytes) => {
                self.at += n;
                Ok(bytes)
            }
            None => Err(FileError::Ends {
                file: self.path.clone(),
                bytes: self.bytes.len(),
                field: field.to_owned(),
            }),
        }
    }

    /// The next integer.
    pub fn int(&mut self, field: &str) -> Result<i32, FileError> {
        Ok(i32::from_le_bytes(self.word(field)?))
    }

    /// The next four bytes.
    pub fn word(&mut self, field: &str) -> Result<[u8; 4], FileError> {
        let bytes = self.take(4, field)?;
        Ok([bytes[0], bytes[1], bytes[2], bytes[3]])
    }

    /// The rest, as floats.
    pub fn floats(self) -> Vec<f32> {
        let (words, _) = self.bytes[self.at..].as_chunks();
        words.iter().map(|word| f32::from_le_bytes(*word)).collect()
    }

    /// Refuses a file of another length.
    pub fn must_have(&self, expected: usize) -> Result<(), FileError> {
        match self.bytes.len() {
            found if found == expected => Ok(()),
            found => Err(FileError::Length {
                file: self.path.clone(),
                found,
                expected,
            }),
        }
    }

    /// That a field has a wrong value.
    pub fn field(&self, field: &str, found: i32, expected: usize) -> FileError {
        FileError::Field {
            file: self.path.clone(),
            field: field.to_owned(),
            found,
            expected,
        }
    }
}
