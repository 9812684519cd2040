//! Profiles that a graph names.

use super::{Edit, FILE, Fault, PROFILE, Part};
use crate::model::Site;

/// Where a graph names a profile.
#[derive(Clone, Copy, Debug)]
pub struct Named {
    /// The path, in its statement.
    pub site: Site,
    /// The `minimize` that weighs what only costs say, if one does: without the profile it may have none.
    pub weighs: Option<Site>,
}

/// The statement goes, until there is a profile to name.
fn without(fault: Fault, named: Named) -> Fault {
    let drop = |site| Edit::remove(site).of(Part::Statement);
    let until = "until a run has written the file";
    match named.weighs {
        None => fault.fix(&format!("drop the statement {until}"), [drop(named.site)]),
        Some(minimize) => fault.fix(
            &format!("drop the statement and the `minimize` {until}"),
            [drop(named.site), drop(minimize)],
        ),
    }
}

/// The file at `path` is not there, or cannot be read; `why` is what the system says.
pub fn file(named: Named, path: &str, why: &str) -> Fault {
    let message = format!("the profile `{path}` cannot be read");
    let fault = Fault::new(FILE, named.site, message)
        .note(why.to_lowercase())
        .note("paths are relative to the folder of the crate's `Cargo.toml`");
    without(fault, named)
}

/// What is wrong with a file, and where in it: line and column from 1.
pub struct Wrong {
    /// Line and column.
    pub at: [usize; 2],
    /// What is there, or is not.
    pub what: String,
}

/// The file at `path` is there, and is no profile.
pub fn wrong(named: Named, path: &str, wrong: &Wrong) -> Fault {
    let [line, column] = wrong.at;
    let message = format!("the profile `{path}` cannot be used");
    let fault = Fault::new(PROFILE, named.site, message)
        .note(format!("line {line}, column {column}: {}", wrong.what));
    without(fault, named)
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
        let named = |weighs| Named {
            site: Site(1),
            weighs,
        };
        let fault = wrong(named(None), "g.profile.json", &at);
        assert_eq!(fault.message, "the profile `g.profile.json` cannot be used");
        assert_eq!(fault.notes, ["line 3, column 7: expected a number"]);
        assert_eq!(fault.fixes[0].edits.len(), 1);
        // What is weighed may be known of nothing else.
        let fault = file(named(Some(Site(2))), "g.profile.json", "gone");
        let drop = |site| Edit::remove(Site(site)).of(Part::Statement);
        assert_eq!(fault.fixes[0].edits, [drop(1), drop(2)]);
    }
}
