//! What is embedded where the image that is asked for is not.

use std::fmt;

use super::Form;

/// Images that are embedded where the one that is asked for is not.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Embedded {
    /// How many are embedded, of any text.
    pub images: usize,
    /// What is asked for.
    pub wanted: Made,
    /// What those of the same text are made for.
    pub found: Vec<Made>,
}

/// What an image is made for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Made {
    /// Architecture.
    pub arch: (u32, u32),
    /// What it is.
    pub form: Form,
    /// Accesses are checked.
    pub checked: bool,
}

impl fmt::Display for Made {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let checked = if self.checked { "checked " } else { "" };
        let form = match self.form {
            Form::Cubin => "binary",
            Form::Ptx => "PTX",
        };
        write!(f, "{checked}{form} for sm_{}{}", self.arch.0, self.arch.1)
    }
}

impl fmt::Display for Embedded {
    /// Nothing where nothing is embedded.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let found: Vec<_> = self.found.iter().map(Made::to_string).collect();
        match (&found[..], self.images) {
            ([], 0) => Ok(()),
            ([], images) => write!(f, "; none of the {images} embedded images is of this text"),
            (found, _) => write!(
                f,
                "; embedded of this text is {}, and what is asked for is {}",
                found.join(", "),
                self.wanted
            ),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_embedded_is_told_from_what_is_asked_for() {
        let wanted = Made {
            arch: (9, 0),
            ..Made::default()
        };
        let (form, checked) = (Form::Ptx, true);
        let embedded = |images, found| Embedded {
            images,
            wanted,
            found,
        };
        assert_eq!(embedded(0, Vec::new()).to_string(), "");
        assert_eq!(
            embedded(4, Vec::new()).to_string(),
            "; none of the 4 embedded images is of this text"
        );
        let found = vec![Made { checked, ..wanted }, Made { form, ..wanted }];
        assert_eq!(
            embedded(4, found).to_string(),
            "; embedded of this text is checked binary for sm_90, PTX for sm_90, and what is asked for is \
             binary for sm_90"
        );
    }
}
