//! The text of one fault.

use gpu_graph_analysis::fault::Fault;

use super::excerpt::{Note, draw};
use super::view::{Place, SourceView};

/// The message that the compiler shows at the place of `fault`: the fact and the code, then the
/// places with what is said there, then notes and help.
///
/// The compiler draws the main place itself, so that place is drawn here only among others.
pub fn render(fault: &Fault, view: &dyn SourceView) -> String {
    let main = view.place(fault.site).filter(|place| known(place, view));
    let mut drawn: Vec<Note> = Vec::new();
    let mut told: Vec<String> = Vec::new();
    for label in &fault.labels {
        let place = view.place(label.site);
        match (&main, place) {
            (Some(main), Some(place)) if place.file == main.file && known(&place, view) => {
                drawn.push(Note {
                    place,
                    text: &label.text,
                    main: false,
                });
            }
            (main, place) => told.push(plain(&label.text, main.as_ref(), place.as_ref())),
        }
    }
    match main {
        Some(place) if !drawn.is_empty() => drawn.push(Note {
            place,
            text: &fault.here,
            main: true,
        }),
        _ if !fault.here.is_empty() => told.insert(0, fault.here.clone()),
        _ => {}
    }
    let mut text = format!("{} [{}]\n", fault.message, fault.code);
    let last = drawn.iter().map(|note| note.place.start.line + 1).max();
    let width = last.map_or(1, |line| (line - 1).to_string().len());
    if !drawn.is_empty() {
        text.push_str(&draw(&drawn, view, width));
    }
    for note in told.iter().chain(&fault.notes) {
        below(&mut text, width, "note", note);
    }
    if let Some(help) = &fault.help {
        below(&mut text, width, "help", help);
    }
    text.truncate(text.trim_end().len());
    text
}

fn known(place: &Place, view: &dyn SourceView) -> bool {
    view.line(&place.file, place.start.line).is_some()
}

/// What is said at a place that cannot be drawn.
fn plain(text: &str, main: Option<&Place>, place: Option<&Place>) -> String {
    match (main, place) {
        (_, None) => text.to_owned(),
        (Some(main), Some(place)) if main.file != place.file => {
            let Place { file, start, .. } = place;
            format!("{text} ({file}:{}:{})", start.line, start.column)
        }
        (_, Some(place)) => format!("{text} (line {})", place.start.line),
    }
}

fn below(out: &mut String, width: usize, kind: &str, text: &str) {
    let lead = format!("{:width$} = {kind}: ", "");
    let rest = " ".repeat(lead.len());
    for (i, line) in text.lines().enumerate() {
        let before = if i == 0 { &lead } else { &rest };
        out.push_str(&format!("{before}{line}\n"));
    }
}
