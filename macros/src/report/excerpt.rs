//! Lines of source with marks under them, as rustc draws them.

use std::collections::BTreeMap;
use std::fmt::Write;

use super::view::{Place, SourceView};

/// Something said at a place.
pub struct Note<'a> {
    /// Where.
    pub place: Place,
    /// What; may be empty.
    pub text: &'a str,
    /// It is the place of the fault itself.
    pub main: bool,
}

/// A note on one line, in columns from 0 of the line as it is drawn.
struct Mark<'a> {
    start: usize,
    end: usize,
    text: &'a str,
    main: bool,
}

/// The lines of `notes`, all of one file, in order, with a gutter of `width` digits.
///
/// Every line that is named must be known to `view`.
pub fn draw(notes: &[Note], view: &dyn SourceView, width: usize) -> String {
    let mut lines: BTreeMap<usize, Vec<&Note>> = BTreeMap::new();
    for note in notes {
        lines.entry(note.place.start.line).or_default().push(note);
    }
    let mut out = String::new();
    let mut last: Option<(usize, &str)> = None;
    row(&mut out, width, "");
    for (line, notes) in &lines {
        let file = notes[0].place.file.as_str();
        if let Some((last, _)) = last {
            gap(&mut out, width, view, file, last, *line);
        }
        last = Some((*line, file));
        let text = view.line(file, *line).unwrap_or_default();
        numbered(&mut out, width, *line, &text);
        for under in marks(notes, &text) {
            row(&mut out, width, &under);
        }
    }
    out
}

/// Between two lines that are drawn: the one between them, or dots.
fn gap(out: &mut String, width: usize, view: &dyn SourceView, file: &str, from: usize, to: usize) {
    match to - from {
        0 | 1 => {}
        2 if let Some(text) = view.line(file, from + 1) => numbered(out, width, from + 1, &text),
        _ => out.push_str("...\n"),
    }
}

fn numbered(out: &mut String, width: usize, line: usize, text: &str) {
    let text = expanded(text);
    let written = writeln!(out, "{}", format!("{line:>width$} | {text}").trim_end());
    debug_assert!(written.is_ok(), "a string takes all that is written to it");
}

fn row(out: &mut String, width: usize, text: &str) {
    let written = writeln!(out, "{}", format!("{:width$} | {text}", "").trim_end());
    debug_assert!(written.is_ok(), "a string takes all that is written to it");
}

const TAB: &str = "    ";

fn expanded(text: &str) -> String {
    text.trim_end().replace('\t', TAB)
}

/// The column, from 0, where the character of `column`, from 1, is drawn.
fn drawn(text: &str, column: usize) -> usize {
    let before = column.saturating_sub(1);
    let tabs = text.chars().take(before).filter(|c| *c == '\t').count();
    before + tabs * (TAB.len() - 1)
}

/// The rows under a line.
fn marks(notes: &[&Note], text: &str) -> Vec<String> {
    let mut marks: Vec<Mark> = notes.iter().map(|note| mark(note, text)).collect();
    // The one that ends last can say its text beside its underline.
    marks.sort_by_key(|mark| (mark.start, mark.end, mark.main));
    let mut under = String::new();
    for mark in marks.iter().filter(|mark| !mark.main) {
        fill(&mut under, mark.start, mark.end, '-');
    }
    for mark in marks.iter().filter(|mark| mark.main) {
        fill(&mut under, mark.start, mark.end, '^');
    }
    let end = under.chars().count();
    let mut hanging: Vec<&Mark> = marks.iter().filter(|mark| !mark.text.is_empty()).collect();
    if let Some(beside) = hanging.pop_if(|mark| mark.end == end) {
        under.push(' ');
        under.push_str(beside.text);
    }
    let mut rows = vec![under];
    if !hanging.is_empty() {
        rows.push(bars(&hanging, usize::MAX));
    }
    while let Some(mark) = hanging.pop() {
        let mut row = bars(&hanging, mark.start);
        pad(&mut row, mark.start);
        row.push_str(mark.text);
        rows.push(row);
    }
    rows
}

fn mark<'a>(note: &Note<'a>, text: &str) -> Mark<'a> {
    let Place { start, end, .. } = &note.place;
    let first = drawn(text, start.column);
    let last = if start.line == end.line {
        drawn(text, end.column)
    } else {
        expanded(text).chars().count()
    };
    Mark {
        start: first,
        end: last.max(first + 1),
        text: note.text,
        main: note.main,
    }
}

fn bars(hanging: &[&Mark], before: usize) -> String {
    let mut row = String::new();
    for mark in hanging.iter().filter(|mark| mark.start < before) {
        fill(&mut row, mark.start, mark.start + 1, '|');
    }
    row
}

fn pad(row: &mut String, to: usize) {
    let missing = to.saturating_sub(row.chars().count());
    row.extend(std::iter::repeat_n(' ', missing));
}

/// Draws `with` from column `start` up to `end`, over what is there.
fn fill(row: &mut String, start: usize, end: usize, with: char) {
    pad(row, end);
    *row = row
        .chars()
        .enumerate()
        .map(|(i, c)| if (start..end).contains(&i) { with } else { c })
        .collect();
}
