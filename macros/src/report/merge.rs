//! One place, one code, one error.

use std::collections::{BTreeMap, BTreeSet};

use gpu_graph_analysis::fault::{Edit, Fault};

use super::site::Origin;
use super::view::{Place, SourceView};

/// A fault that others may be made into.
struct Kept {
    place: Option<Place>,
    fault: Fault,
    origin: Option<Origin>,
    /// From where else it was found.
    more: BTreeSet<Origin>,
}

/// The faults in the order of the source, those without a place last. Those of one place and one
/// code are made into the first of them, which keeps what the others add. What loops and calls of
/// stages find again is one fault, and said once.
pub fn merged(faults: &[Fault], view: &dyn SourceView) -> Vec<Fault> {
    let mut out: Vec<Kept> = Vec::new();
    let mut first = BTreeMap::new();
    for fault in faults {
        let place = view.place(fault.site);
        let origin = view.origin(fault.site);
        // Without a place, a site is equal to itself only.
        let site = place.is_none().then_some(fault.site);
        let index = *first
            .entry((place.clone(), site, fault.code))
            .or_insert(out.len());
        match out.get_mut(index) {
            Some(kept) => match origin {
                Some(origin) if Some(origin) != kept.origin.as_ref() => {
                    kept.more.insert(origin.clone());
                }
                _ => add(&mut kept.fault, fault),
            },
            None => out.push(Kept {
                place,
                fault: fault.clone(),
                origin: origin.cloned(),
                more: BTreeSet::new(),
            }),
        }
    }
    out.sort_by(|a, b| (a.place.is_none(), &a.place).cmp(&(b.place.is_none(), &b.place)));
    out.into_iter().map(|kept| traced(kept, view)).collect()
}

/// The fault, and in which iteration or call it was found, where that matters.
fn traced(kept: Kept, view: &dyn SourceView) -> Fault {
    let mut fault = kept.fault;
    // What another iteration of a loop does, it does at the same place.
    if !fault.here.is_empty() {
        let at = view.place(fault.site);
        fault
            .labels
            .retain(|label| at.is_none() || view.place(label.site) != at);
    }
    let Some(origin) = kept.origin.filter(|_| !fault.code.is_of_text()) else {
        return fault;
    };
    // What is written in a body would have to be right wherever else it is met.
    let inside = |edit: &Edit| view.origin(edit.at).is_some();
    if fault.fixes.iter().flat_map(|fix| &fix.edits).any(inside) {
        fault.fixes.clear();
        fault.help = None;
    }
    let place = |site| view.place(site);
    if let Some(call) = origin.call
        && !fault.labels.iter().any(|l| place(l.site) == place(call))
    {
        fault = fault.label(call, "in this call");
    }
    let more = match kept.more.len() {
        0 => String::new(),
        more => format!(", and in {more} more"),
    };
    fault.note(format!("this is in `{}`{more}", origin.path))
}

fn add(kept: &mut Fault, other: &Fault) {
    let mut notes = vec![&other.message];
    notes.extend(&other.notes);
    for note in notes {
        if *note != kept.message && !kept.notes.contains(note) {
            kept.notes.push(note.clone());
        }
    }
    for label in &other.labels {
        if !kept.labels.contains(label) {
            kept.labels.push(label.clone());
        }
    }
    if kept.help.is_none() {
        kept.help.clone_from(&other.help);
        kept.fixes.clone_from(&other.fixes);
    }
}
