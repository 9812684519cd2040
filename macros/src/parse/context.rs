//! Where faults go while reading.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

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
    /// Keywords that stand where names are asked for, each with its fault, which is yet to be reported.
    pub keywords: BTreeMap<String, Fail>,
}

impl Context<'_> {
    /// Reports `fail`.
    pub fn report(&mut self, mut fail: Fail) {
        for other in fail.take_beside() {
            self.report(other);
        }
        // What is called like a keyword is so wherever it is used.
        if let Some(keyword) = fail.keyword().map(str::to_owned) {
            match self.keywords.entry(keyword) {
                Entry::Vacant(first) => {
                    first.insert(fail);
                }
                Entry::Occupied(mut first) => first.get_mut().also(&fail),
            }
            return;
        }
        self.errors.push(fail.into_fault(self.sites));
    }

    /// Reports what was kept until all is read.
    pub fn finish(&mut self) {
        for fail in std::mem::take(&mut self.keywords).into_values() {
            self.errors.push(fail.into_fault(self.sites));
        }
    }
}
