//! The faults found so far.

use gpu_graph_analysis::fault::Fault;

use super::SiteTable;

/// Faults, in the order they were found. A phase reports all it finds and goes on; the next one
/// starts where what it needs was left whole.
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

    /// Whether a fault that says the same was reported; its mends are then of this place, too.
    pub fn again(&mut self, fault: &Fault, sites: &SiteTable) -> bool {
        let same = |f: &&mut Fault| (f.code, &f.message) == (fault.code, &fault.message);
        let Some(first) = self.faults.iter_mut().find(same) else {
            return false;
        };
        let place = |site| sites.region(site).key();
        let mut edits = first.fixes.iter().flat_map(|fix| &fix.edits);
        // What is unrolled is met again at the same place.
        if !edits.any(|edit| place(edit.at) == place(fault.site)) {
            first.everywhere(fault.site);
        }
        true
    }

    /// Reports all of `faults`.
    pub fn extend(&mut self, faults: impl IntoIterator<Item = Fault>) {
        self.faults.extend(faults);
    }

    /// How many were reported.
    pub fn len(&self) -> usize {
        self.faults.len()
    }

    /// What was reported behind the first `count`.
    pub fn since(&self, count: usize) -> &[Fault] {
        self.faults.get(count..).unwrap_or_default()
    }

    /// What was reported, of which nothing is left then.
    pub fn take(&mut self) -> Vec<Fault> {
        std::mem::take(&mut self.faults)
    }
}
