//! Where faults go while reading.

use super::fail::Fail;
use crate::report::{Errors, SiteTable};

/// Takes the faults of constructs that have members, which are read on after one has failed.
pub struct Context<'a> {
    /// Places of the faults.
    pub sites: &'a mut SiteTable,
    /// The faults.
    pub errors: &'a mut Errors,
    /// Loops and matches around what is read.
    pub loops: usize,
}

impl Context<'_> {
    /// Reports `fail`.
    pub fn report(&mut self, fail: Fail) {
        self.errors.push(fail.into_fault(self.sites));
    }
}
