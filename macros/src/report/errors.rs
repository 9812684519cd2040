//! The faults found so far.

use gpu_graph_analysis::fault::Fault;
use proc_macro2::TokenStream;

use super::SiteTable;

/// Faults, in the order they were found. A phase reports all it finds and goes on; at its border
/// [`propagate`](Errors::propagate) stops the road.
#[derive(Default)]
#[must_use = "faults that nobody renders are lost"]
pub struct Errors {
    faults: Vec<Fault>,
}

impl Errors {
    /// Reports `fault`.
    pub fn push(&mut self, fault: Fault) {
        self.faults.push(fault);
    }

    /// Reports all of `faults`.
    pub fn extend(&mut self, faults: impl IntoIterator<Item = Fault>) {
        self.faults.extend(faults);
    }

    /// Nothing was reported.
    pub fn is_empty(&self) -> bool {
        self.faults.is_empty()
    }

    /// The errors to put into the expansion, if anything was reported, and none are left then.
    /// `input` is the macro's, from which lines are drawn.
    pub fn propagate(&mut self, sites: &SiteTable, input: &TokenStream) -> Result<(), TokenStream> {
        if self.faults.is_empty() {
            return Ok(());
        }
        let faults = std::mem::take(&mut self.faults);
        Err(super::compile_errors(&faults, sites, input))
    }
}

#[cfg(test)]
impl Errors {
    /// The faults themselves.
    pub fn into_faults(self) -> Vec<Fault> {
        self.faults
    }
}
