//! Profiles that a graph names.

use super::{Edit, FILE, Fault, PROFILE, Part};
use crate::model::Site;

/// The statement goes, until there is a profile to name.
fn without(fault: Fault, site: Site) -> Fault {
    let drop = Edit::remove(site).of(Part::Statement);
    fault.fix(
        "drop the statement until a run has written the file",
        [drop],
    )
}

/// The file at `path` is not there, or cannot be read; `why` is what the system says.
pub fn file(site: Site, path: &str, why: &str) -> Fault {
    let fault = Fault::new(FILE, site, format!("the profile `{path}` cannot be read"))
        .note(why.to_lowercase())
        .note("paths are relative to the folder of the crate's `Cargo.toml`");
    without(fault, site)
}

/// What is wrong with a file, and where in it: line and column from 1.
pub struct Wrong {
    /// Line and column.
    pub at: [usize; 2],
    /// What is there, or is not.
    pub what: String,
}

/// The file at `path` is there, and is no profile.
pub fn wrong(site: Site, path: &str, wrong: &Wrong) -> Fault {
    let [line, column] = wrong.at;
    let message = format!("the profile `{path}` cannot be used");
    let fault = Fault::new(PROFILE, site, message)
        .note(format!("line {line}, column {column}: {}", wrong.what));
    without(fault, site)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fault_of_a_profile_names_file_line_and_column() {
        let at = Wrong {
            at: [3, 7],
            what: "expected a number".to_owned(),
        };
        let fault = wrong(Site(1), "g.profile.json", &at);
        assert_eq!(fault.message, "the profile `g.profile.json` cannot be used");
        assert_eq!(fault.notes, ["line 3, column 7: expected a number"]);
    }
}
