//! Every help that the macro gives is applied to the program it was given for, and what comes out
//! is expanded again.

mod advice;
mod apply;
mod said;
mod snippets;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use gpu_graph_analysis::fault::Fault;
use gpu_graph_analysis::model::Site;
use proc_macro2::{TokenStream, TokenTree};

use super::SiteTable;
use super::merge::merged;
use super::site::{Combination, Origin};
use super::view::{Place, Point, SourceView};
use crate::lower::Cx;
use advice::{ADVICE, RUSTC};

/// Mends that are applied, at least: those of the programs when this was written.
const APPLIED: usize = 75;

/// Programs that are mended whole, at least.
const WHOLE: usize = 57;

/// What the text of one macro call is refused for.
struct Expanded {
    sites: SiteTable,
    faults: Vec<Fault>,
}

impl Expanded {
    fn new(text: &str) -> Self {
        let tokens: TokenStream = text.parse().unwrap_or_else(|e| panic!("{e}:\n{text}"));
        let mut cx = Cx::default();
        let (_, faults) = crate::expansion(&tokens, &mut cx);
        let sites = cx.sites;
        let faults = merged(&faults, &Located(&sites));
        Self { sites, faults }
    }

    /// How often each fault is there.
    fn counts(&self) -> BTreeMap<String, usize> {
        let mut counts = BTreeMap::new();
        for fault in &self.faults {
            *counts.entry(key(fault)).or_default() += 1;
        }
        counts
    }
}

fn key(fault: &Fault) -> String {
    format!("{} [{}]", fault.message, fault.code)
}

/// Places outside of a compiler.
pub struct Located<'a>(pub &'a SiteTable);

impl SourceView for Located<'_> {
    fn place(&self, site: Site) -> Option<Place> {
        let region = self.0.region(site);
        let point = |at: proc_macro2::LineColumn| Point {
            line: at.line,
            column: at.column + 1,
        };
        Some(Place {
            file: String::new(),
            start: point(region.first.start()),
            end: point(region.last.end()),
        })
    }

    fn origin(&self, site: Site) -> Option<&Origin> {
        self.0.origin(site)
    }

    fn combination(&self, number: usize) -> Option<&Combination> {
        self.0.combination(number)
    }

    fn line(&self, _: &str, _: usize) -> Option<String> {
        None
    }
}

/// The programs that are refused, by family and name.
fn programs() -> BTreeMap<String, PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../ui-tests/fail");
    let list = |folder: &Path| {
        let entries = std::fs::read_dir(folder).unwrap_or_else(|e| panic!("{folder:?}: {e}"));
        entries.map(|entry| entry.expect("a folder can be read").path())
    };
    let mut found = BTreeMap::new();
    for family in list(&root).filter(|path| path.is_dir()) {
        for file in list(&family).filter(|path| path.extension().is_some_and(|e| e == "rs")) {
            let name = file.with_extension("");
            let name = name.strip_prefix(&root).expect("it lies in there");
            found.insert(name.display().to_string(), file);
        }
    }
    found
}

/// What stands between the delimiters of each `gpu_graph!`.
fn bodies(text: &str) -> Vec<&str> {
    let tokens: TokenStream = text.parse().expect("a program is made of tokens");
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let calls = tokens.windows(3).filter_map(|three| match three {
        [
            TokenTree::Ident(name),
            TokenTree::Punct(mark),
            TokenTree::Group(group),
        ] if name == "gpu_graph" && mark.as_char() == '!' => {
            let inside = group.span_open().byte_range().end..group.span_close().byte_range().start;
            Some(&text[inside])
        }
        _ => None,
    });
    calls.collect()
}

#[test]
fn no_place_of_a_fault_has_two_texts() {
    let mut places = 0;
    for (name, path) in programs() {
        let text = std::fs::read_to_string(&path).expect("a program can be read");
        for refused in bodies(&text).into_iter().map(Expanded::new) {
            for fault in &refused.faults {
                let here = (!fault.here.is_empty()).then_some(fault.site);
                let said = fault.labels.iter().map(|label| label.site).chain(here);
                let view = Located(&refused.sites);
                let mut said: Vec<_> = said.map(|site| view.place(site)).collect();
                places += said.len();
                said.sort();
                let twice = said.windows(2).any(|two| two[0] == two[1]);
                assert!(!twice, "{name}: {fault:?}");
            }
        }
    }
    assert!(places >= 40, "{places} places are left");
}

#[test]
fn what_a_help_says_mends_its_fault_and_breaks_nothing() {
    let (mut applied, mut failed) = (0, Vec::new());
    let (mut silent, mut advice) = (Vec::new(), Vec::new());
    for (name, path) in programs() {
        let text = std::fs::read_to_string(&path).expect("a program can be read");
        let mut quiet = true;
        for body in bodies(&text) {
            let refused = Expanded::new(body);
            quiet &= refused.faults.is_empty();
            for fault in &refused.faults {
                if fault.help.is_some() && fault.fixes.is_empty() {
                    advice.push(name.clone());
                }
                for fix in &fault.fixes {
                    applied += 1;
                    let mended = apply::apply(body, fix, &refused.sites);
                    let mut allowed = refused.counts();
                    *allowed.entry(key(fault)).or_default() -= 1;
                    let left = Expanded::new(&mended).counts();
                    let new = left
                        .iter()
                        .filter(|(key, count)| allowed.get(*key).unwrap_or(&0) < *count);
                    let new: Vec<_> = new.map(|(key, _)| key.as_str()).collect();
                    if !new.is_empty() {
                        let (key, fix) = (key(fault), &fix.text);
                        failed.push(format!("{name}: {key}\n  {fix}\n  {new:?}\n{mended}"));
                    }
                }
            }
        }
        if quiet {
            silent.push(name);
        }
    }
    assert!(failed.is_empty(), "{}", failed.join("\n"));
    advice.dedup();
    let listed: Vec<_> = ADVICE.iter().map(|(name, _)| *name).collect();
    assert_eq!(
        advice, listed,
        "give these an edit, or a reason in `ADVICE`"
    );
    assert_eq!(silent, RUSTC, "these are refused by the macro, or by rustc");
    assert!(applied >= APPLIED, "{applied} mends are left of {APPLIED}");
}

#[test]
fn mends_one_after_another_leave_an_accepted_program() {
    let mut whole = 0;
    for (name, path) in programs() {
        let text = std::fs::read_to_string(&path).expect("a program can be read");
        for body in bodies(&text) {
            let mut body = body.to_owned();
            let mut mended = false;
            for step in 0.. {
                let refused = Expanded::new(&body);
                let Some(fault) = refused.faults.first() else {
                    whole += usize::from(mended);
                    break;
                };
                let Some(fix) = fault.fixes.first() else {
                    break;
                };
                assert!(step < 20, "{name}: {}\n{body}", key(fault));
                body = apply::apply(&body, fix, &refused.sites);
                mended = true;
            }
        }
    }
    assert!(whole >= WHOLE, "{whole} programs are left of {WHOLE}");
}
