//! All forms of a record as files.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::{JudgeError, Measured, Plan, Report};
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
        self.export_as(folder.as_ref(), &self.report(), self.text().to_owned())
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
        let text = judged(self.text(), &report);
        Ok(self.export_as(folder.as_ref(), &report, text)?)
    }

    /// Writes `report`, with its text.
    fn export_as(
        &self,
        folder: &Path,
        report: &Report,
        text: String,
    ) -> Result<[PathBuf; 4], ExportError> {
        fs::create_dir_all(folder).map_err(|source| ExportError {
            path: folder.to_owned(),
            source,
        })?;
        let names = ["txt", "json", "dot", "html"].map(|end| format!("record.{end}"));
        let paths = names.map(|name| folder.join(name));
        let forms = [
            text,
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

/// The text of a record in which what was measured stands in the place of what was not: the verdict of
/// each plan, and the finding.
fn judged(text: &str, report: &Report) -> String {
    let mut plans = report.plans.iter();
    let (mut plan, mut told) = (None, String::new());
    for line in text.lines() {
        if line.starts_with("verdict: ") {
            plan = plans.next();
        }
        let found =
            plan.and_then(|plan: &Plan| Some((&plan.claims.verdict, plan.finding.as_ref()?)));
        let label = line.get(..17).unwrap_or(line);
        told += &match (found, label) {
            (Some((verdict, _)), _) if line.starts_with("verdict: ") => {
                format!("verdict: {}\n", verdict.disposition.name())
            }
            (Some((verdict, _)), "  because        ") => format!("{label}{}\n", verdict.because),
            (Some((_, finding)), "  measured       ") => {
                format!("{label}as follows; below 0 the plan is better\n{finding}")
            }
            _ => format!("{line}\n"),
        };
    }
    told
}
