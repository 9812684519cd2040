use std::collections::BTreeMap;

use gpu_graph_analysis::fault::{Code, Fault};
use gpu_graph_analysis::model::Site;

use super::merge::merged;
use super::render::render;
use super::site::{Combination, Origin};
use super::view::{Place, Point, SourceView};

/// A text in which the places of sites are found by what stands there.
struct Text {
    lines: Vec<&'static str>,
    sites: Vec<Option<Place>>,
    origins: BTreeMap<Site, Origin>,
    combinations: Vec<Combination>,
}

impl Text {
    fn new(text: &'static str) -> Self {
        Self {
            lines: text.lines().collect(),
            sites: Vec::new(),
            origins: BTreeMap::new(),
            combinations: Vec::new(),
        }
    }

    /// The site of `what` on `line`, which counts from 1.
    fn site(&mut self, line: usize, what: &str) -> Site {
        let text = self.lines[line - 1];
        let at = text.find(what).expect("the text stands on that line");
        let column = text[..at].chars().count() + 1;
        let end = column + what.chars().count();
        self.at("src/main.rs", (line, column), (line, end))
    }

    fn at(&mut self, file: &str, start: (usize, usize), end: (usize, usize)) -> Site {
        let point = |(line, column)| Point { line, column };
        self.push(Some(Place {
            file: file.to_owned(),
            start: point(start),
            end: point(end),
        }))
    }

    fn push(&mut self, place: Option<Place>) -> Site {
        self.sites.push(place);
        Site(u32::try_from(self.sites.len() - 1).expect("few sites"))
    }
}

impl SourceView for Text {
    fn place(&self, site: Site) -> Option<Place> {
        self.sites[site.0 as usize].clone()
    }

    fn origin(&self, site: Site) -> Option<&Origin> {
        self.origins.get(&site)
    }

    fn combination(&self, number: usize) -> Option<&Combination> {
        self.combinations.get(number)
    }

    fn line(&self, file: &str, line: usize) -> Option<String> {
        let known = file == "src/main.rs";
        let line = self.lines.get(line - 1).filter(|_| known)?;
        Some((*line).to_owned())
    }
}

const GRAPH: &str = "\
graph G {
    input x: [f32; n];
    let h: [f32; n] = square(&x);
    let i: [f32; n] = square(&h);
    // Nothing to see here.
    budget 2 GiB;
    alias y with h;
    let z: [f32; n] = add(&h, &y);
\toutput größe: [f32; n] = add(&z, &z); // Umlauts and a tab.
}";

fn fault(site: Site, message: &str) -> Fault {
    Fault::new(Code(203), site, message)
}

#[test]
fn a_fault_alone_is_one_line() {
    let mut text = Text::new(GRAPH);
    let fault = fault(text.site(3, "h"), "no");
    assert_eq!(render(&fault, &text), "no [GG0203]");
}

#[test]
fn places_are_drawn_in_the_order_of_the_source() {
    let mut text = Text::new(GRAPH);
    let main = text.site(7, "y");
    let (first, last) = (text.site(3, "h"), text.site(8, "&h"));
    let message = "`h` and `y` share storage but may be live at the same time";
    let fault = fault(main, message)
        .here("`y` would reuse that storage")
        .label(last, "`h` is still read here")
        .label(first, "`h` is written here")
        .note("no dependency orders the reader before the writer")
        .help("order `add` before `square`, or drop the `alias`");
    let expected = "\
`h` and `y` share storage but may be live at the same time [GG0203]
  |
3 |     let h: [f32; n] = square(&x);
  |         - `h` is written here
...
7 |     alias y with h;
  |           ^ `y` would reuse that storage
8 |     let z: [f32; n] = add(&h, &y);
  |                           -- `h` is still read here
  = note: no dependency orders the reader before the writer
  = help: order `add` before `square`, or drop the `alias`";
    assert_eq!(render(&fault, &text), expected);
}

#[test]
fn texts_on_one_line_hang_below_each_other() {
    let mut text = Text::new(GRAPH);
    let fault = fault(text.site(8, "z"), "no")
        .here("written")
        .label(text.site(8, "&h"), "read")
        .label(text.site(8, "&y"), "read too")
        .label(text.site(8, "n]"), "");
    let expected = "\
no [GG0203]
  |
8 |     let z: [f32; n] = add(&h, &y);
  |         ^        --       --  -- read too
  |         |                 |
  |         |                 read
  |         written";
    assert_eq!(render(&fault, &text), expected);
}

#[test]
fn two_texts_at_one_place_stand_below_each_other() {
    let mut text = Text::new(GRAPH);
    let (main, other) = (text.site(8, "&h"), text.site(8, "&h"));
    let fault = fault(main, "no").here("main").label(other, "other");
    let expected = "\
no [GG0203]
  |
8 |     let z: [f32; n] = add(&h, &y);
  |                           ^^ main
  |                           |
  |                           other";
    assert_eq!(render(&fault, &text), expected);
}

#[test]
fn a_place_inside_another_keeps_both_marks() {
    let mut text = Text::new(GRAPH);
    let fault = fault(text.site(8, "&h"), "no")
        .here("inner")
        .label(text.site(8, "add(&h, &y)"), "outer");
    let expected = "\
no [GG0203]
  |
8 |     let z: [f32; n] = add(&h, &y);
  |                       ----^^-----
  |                       |   |
  |                       |   inner
  |                       outer";
    assert_eq!(render(&fault, &text), expected);
}

#[test]
fn a_single_line_between_is_drawn() {
    let mut text = Text::new(GRAPH);
    let fault = fault(text.site(6, "2 GiB"), "no").label(text.site(4, "i"), "here");
    let expected = "\
no [GG0203]
  |
4 |     let i: [f32; n] = square(&h);
  |         - here
5 |     // Nothing to see here.
6 |     budget 2 GiB;
  |            ^^^^^";
    assert_eq!(render(&fault, &text), expected);
}

#[test]
fn tabs_and_characters_beyond_ascii_stay_above_their_marks() {
    let mut text = Text::new(GRAPH);
    let fault = fault(text.site(9, "&z)"), "no").label(text.site(9, "größe"), "this");
    let expected = "\
no [GG0203]
  |
9 |     output größe: [f32; n] = add(&z, &z); // Umlauts and a tab.
  |            -----                     ^^^
  |            |
  |            this";
    assert_eq!(render(&fault, &text), expected);
}

#[test]
fn the_gutter_fits_the_last_line_that_is_drawn() {
    let mut text = Text::new(GRAPH);
    text.lines = std::iter::repeat_n("", 95).chain(GRAPH.lines()).collect();
    let (main, label) = (text.site(103, "z"), text.site(98, "h"));
    let fault = fault(main, "no")
        .label(label, "written")
        .note("a\nb")
        .help("c");
    let expected = "\
no [GG0203]
    |
 98 |     let h: [f32; n] = square(&x);
    |         - written
...
103 |     let z: [f32; n] = add(&h, &y);
    |         ^
    = note: a
            b
    = help: c";
    assert_eq!(render(&fault, &text), expected);
}

#[test]
fn a_place_over_several_lines_is_marked_on_its_first() {
    let mut text = Text::new(GRAPH);
    let call = text.at("src/main.rs", (3, 23), (4, 12));
    let fault = fault(text.site(2, "x"), "no").label(call, "called");
    let expected = "\
no [GG0203]
  |
2 |     input x: [f32; n];
  |           ^
3 |     let h: [f32; n] = square(&x);
  |                       ----------- called";
    assert_eq!(render(&fault, &text), expected);
}

#[test]
fn what_cannot_be_drawn_is_told() {
    let mut text = Text::new(GRAPH);
    let main = text.site(7, "y");
    let elsewhere = text.at("src/other.rs", (12, 5), (12, 6));
    let beyond = text.at("src/main.rs", (400, 5), (400, 6));
    let nowhere = text.push(None);
    let labels = |main: Site| {
        fault(main, "no")
            .here("main")
            .label(elsewhere, "written")
            .label(beyond, "read")
            .label(nowhere, "copied")
    };
    let expected = "\
no [GG0203]
  = note: main
  = note: written (src/other.rs:12:5)
  = note: read (line 400)
  = note: copied";
    assert_eq!(render(&labels(main), &text), expected);
    let expected = "\
no [GG0203]
  = note: main
  = note: written (line 12)
  = note: read (line 400)
  = note: copied";
    assert_eq!(render(&labels(nowhere), &text), expected);
}

#[test]
fn faults_of_one_place_and_code_are_one_and_all_are_in_order() {
    let mut text = Text::new(GRAPH);
    let (a, same, other) = (text.site(3, "h"), text.site(3, "h"), text.site(8, "&h"));
    let nowhere = text.push(None);
    let faults = [
        fault(nowhere, "no place"),
        fault(a, "first").note("n"),
        fault(same, "second")
            .note("n")
            .label(other, "there")
            .help("h"),
        fault(same, "first"),
        fault(other, "elsewhere"),
        Fault::new(Code(1), a, "another code"),
        fault(nowhere, "no place"),
    ];
    let merged = merged(&faults, &text);
    let messages: Vec<_> = merged.iter().map(|fault| &*fault.message).collect();
    assert_eq!(messages, ["first", "another code", "elsewhere", "no place"]);
    assert_eq!(merged[0].notes, ["n", "second"]);
    assert_eq!(
        (merged[0].labels.len(), merged[0].help.as_deref()),
        (1, Some("h"))
    );
}
