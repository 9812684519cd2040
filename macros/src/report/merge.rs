//! One place, one code, one error.

use std::collections::BTreeMap;

use gpu_graph_analysis::fault::Fault;

use super::view::SourceView;

/// The faults in the order of the source, those without a place last. Those of one place and one
/// code are made into the first of them, which keeps what the others add.
pub fn merged(faults: &[Fault], view: &dyn SourceView) -> Vec<Fault> {
    let mut out = Vec::new();
    let mut first = BTreeMap::new();
    for fault in faults {
        let place = view.place(fault.site);
        // Without a place, a site is equal to itself only.
        let site = place.is_none().then_some(fault.site);
        let index = *first
            .entry((place.clone(), site, fault.code))
            .or_insert(out.len());
        match out.get_mut(index) {
            Some((_, kept)) => add(kept, fault),
            None => out.push((place, fault.clone())),
        }
    }
    out.sort_by(|(a, _), (b, _)| (a.is_none(), a).cmp(&(b.is_none(), b)));
    out.into_iter().map(|(_, fault)| fault).collect()
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
