//! All forms of a record as files.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::{JudgeError, Measured, Report};
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

/// An export of a judged record that failed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ExportJudgedError {
    /// The profiles say nothing of the record.
    #[error(transparent)]
    Judge(#[from] JudgeError),
    /// A file could not be written.
    #[error(transparent)]
    Export(#[from] ExportError),
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
        self.export_as(folder.as_ref(), &self.report(), String::new())
    }

    /// Writes the same with what profiles of the baseline and of the plan say.
    ///
    /// # Errors
    /// Where the profiles say nothing of this record, or as [`export`](Self::export).
    pub fn export_judged(
        &self,
        folder: impl AsRef<Path>,
        baseline: &Measured,
        plan: &Measured,
    ) -> Result<[PathBuf; 4], ExportJudgedError> {
        let report = self.judge(baseline, plan)?;
        let mut text = String::new();
        for plan in &report.plans {
            if let Some(finding) = &plan.finding {
                let of = plan.variant.as_deref().map(|name| format!(" where {name}"));
                text += &format!("\nmeasured{}\n{finding}", of.unwrap_or_default());
                let verdict = &plan.claims.verdict;
                let (name, because) = (verdict.disposition.name(), &verdict.because);
                text += &format!("  {name}: {because}\n");
            }
        }
        Ok(self.export_as(folder.as_ref(), &report, text)?)
    }

    /// Writes `report`, and `more` behind the text.
    fn export_as(
        &self,
        folder: &Path,
        report: &Report,
        more: String,
    ) -> Result<[PathBuf; 4], ExportError> {
        fs::create_dir_all(folder).map_err(|source| ExportError {
            path: folder.to_owned(),
            source,
        })?;
        let names = ["txt", "json", "dot", "html"].map(|end| format!("record.{end}"));
        let paths = names.map(|name| folder.join(name));
        let forms = [
            self.text().to_owned() + &more,
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
