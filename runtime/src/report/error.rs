//! What is no report.

use serde::Deserialize;

/// Why a text is not read as a [`Report`](super::Report), or as what was [`Measured`](super::Measured).
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ReportError {
    /// It is not JSON.
    #[error("no JSON at line {line}, column {column}: {what}")]
    Syntax {
        /// Line, from 1.
        line: usize,
        /// Column, from 1; 0 before the first.
        column: usize,
        /// What is wrong there.
        what: String,
    },
    /// It is of another version.
    #[error("it is of version {found}, where {known} is known")]
    Version {
        /// Its version.
        found: u64,
        /// The one that this crate reads.
        known: u32,
    },
    /// A field is missing or unknown, has a value of another kind, or one that contradicts others.
    #[error("`{place}`: {what}")]
    Form {
        /// Where, like `plans[0].tasks[3].stream`; `.` is the whole.
        place: String,
        /// What is wrong there.
        what: String,
    },
}

/// The version alone, whatever else there is.
#[derive(Deserialize)]
struct Versioned {
    version: u64,
}

/// Reads what is of version `known`.
pub(super) fn read<'a, T: Deserialize<'a>>(json: &'a str, known: u32) -> Result<T, ReportError> {
    let versioned: Versioned = form(json)?;
    if versioned.version != u64::from(known) {
        let found = versioned.version;
        return Err(ReportError::Version { found, known });
    }
    form(json)
}

fn form<'a, T: Deserialize<'a>>(json: &'a str) -> Result<T, ReportError> {
    let mut reader = serde_json::Deserializer::from_str(json);
    let read = serde_path_to_error::deserialize(&mut reader).map_err(|error| {
        let place = error.path().to_string();
        let error = error.into_inner();
        match error.classify() {
            serde_json::error::Category::Data => ReportError::Form {
                place,
                what: error.to_string(),
            },
            _ => syntax(&error),
        }
    })?;
    reader.end().map_err(|error| syntax(&error))?;
    Ok(read)
}

fn syntax(error: &serde_json::Error) -> ReportError {
    ReportError::Syntax {
        line: error.line(),
        column: error.column(),
        what: error.to_string(),
    }
}
