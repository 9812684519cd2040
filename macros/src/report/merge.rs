//! One place, one code, one error.

use gpu_graph_analysis::fault::Fault;

use super::view::SourceView;

/// The faults with those of one place and one code made into the first of them, which keeps what
/// the others add.
pub fn merged(faults: &[Fault], view: &dyn SourceView) -> Vec<Fault> {
    let mut out: Vec<Fault> = Vec::new();
    let mut first = std::collections::BTreeMap::new();
    for fault in faults {
        let place = view.place(fault.site);
        // Without a place, a site is equal to itself only.
        let site = place.is_none().then_some(fault.site);
        let index = *first.entry((place, site, fault.code)).or_insert(out.len());
        match out.get_mut(index) {
            Some(kept) => add(kept, fault),
            None => out.push(fault.clone()),
        }
    }
    out
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
    }
}
