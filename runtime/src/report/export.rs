//! All forms of a record as files.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::graph::Record;

/// A file of an export that could not be written.
#[derive(Debug, thiserror::Error)]
#[error("cannot write {}: {source}", path.display())]
#[non_exhaustive]
pub struct ExportError {
    /// The file, or the folder.
    pub path: PathBuf,
    /// Why.
    pub source: io::Error,
}

impl Record {
    /// Writes `record.txt`, `record.json`, `record.dot` and `record.html` into `folder`, which is
    /// made if it is not there, and returns their paths.
    ///
    /// ```
    /// # use gpu_graph_runtime::graph::Record;
    /// # use gpu_graph_runtime::report::ExportError;
    /// fn keep(record: &Record) -> Result<(), ExportError> {
    ///     for path in record.export("target/record")? {
    ///         println!("wrote {}", path.display());
    ///     }
    ///     Ok(())
    /// }
    /// ```
    ///
    /// # Errors
    /// Where the folder or one of the files cannot be written. Those before it are there.
    pub fn export(&self, folder: impl AsRef<Path>) -> Result<[PathBuf; 4], ExportError> {
        let folder = folder.as_ref();
        fs::create_dir_all(folder).map_err(|source| ExportError {
            path: folder.to_owned(),
            source,
        })?;
        let report = self.report();
        let names = ["txt", "json", "dot", "html"].map(|end| format!("record.{end}"));
        let paths = names.map(|name| folder.join(name));
        let forms = [
            self.text().to_owned(),
            report.to_json(),
            self.dot().to_owned(),
            report.to_html(),
        ];
        for (path, form) in paths.iter().zip(forms) {
            fs::write(path, form).map_err(|source| ExportError {
                path: path.clone(),
                source,
            })?;
        }
        Ok(paths)
    }
}
