//! Names and labels: declared once, and looked for from the inside out.

use gpu_graph_analysis::fault::Fault;
use gpu_graph_analysis::fault::names::{self, Kind};
use gpu_graph_analysis::model::Site;
use proc_macro2::Ident;

use super::super::names::Named;
use super::super::{Cx, text};
use super::{Gone, Scope};

impl Scope {
    /// What `name` stands for here.
    pub fn get(&self, name: &str) -> Option<Named> {
        self.visible().find_map(|frame| frame.names.get(name))
    }

    /// The names of that kind that are visible.
    pub fn of(&self, kind: Kind) -> impl Iterator<Item = &str> {
        let frames: Vec<_> = self.visible().collect();
        frames
            .into_iter()
            .rev()
            .flat_map(move |frame| frame.names.of(kind))
    }

    /// Those of them whose statement is not yet to come.
    pub fn before(&self, kind: Kind) -> impl Iterator<Item = &str> {
        let later = |named: Named| {
            let local = self.locals.get(named.index as usize);
            matches!(named.kind, Kind::Resource | Kind::View)
                && local.is_none_or(|local| local.target.is_none())
        };
        let all = self.of(kind);
        all.filter(move |name| self.get(name).is_none_or(|named| !later(named)))
    }

    /// The first view that is visible: those before it are outside of the stage that is unrolled.
    pub(in super::super) fn in_sight(&self) -> usize {
        let closed = self.frames.iter().rfind(|frame| frame.stage.is_some());
        closed.map_or(0, |frame| frame.marks[2])
    }

    /// Declares the `index`th of a kind in the innermost frame, unless such a name is visible.
    pub fn declare(&mut self, kind: Kind, index: usize, name: &Ident, cx: &mut Cx) -> Site {
        let text = text(name);
        let site = cx.sites.push(name);
        match self.get(&text) {
            Some(first) => cx
                .errors
                .push(names::duplicate(site, kind, &text, first.site)),
            None => self.top().names.insert(kind, index, text, site),
        }
        site
    }

    /// What `name` stands for, which has to be one of `wanted`; reported at `at` where it is none.
    pub(in super::super) fn find(
        &self,
        name: &Ident,
        wanted: &[Kind],
        cx: &mut Cx,
    ) -> Option<Named> {
        let text = text(name);
        let found = self.get(&text);
        if let Some(named) = found
            && wanted.contains(&named.kind)
        {
            return found;
        }
        let (site, first) = (cx.sites.push(name), wanted[0]);
        if let Some(named) = found {
            self.names(named);
        }
        let fault = match found {
            Some(named) => names::wrong_kind(site, &text, named.kind, first, named.site),
            None if let Some(fault) = self.local(site, &text, wanted) => fault,
            None => {
                let again = !self.missed.borrow_mut().insert(text.clone());
                let of_graph = self.frames.iter().all(|frame| frame.stage.is_none());
                let known = wanted.iter().flat_map(|kind| self.before(*kind));
                let known: Vec<&str> = known.collect();
                let fault = names::unknown(site, first, &text, known.iter().copied());
                // One mend is of all places.
                if first == Kind::Dim && of_graph && again && cx.errors.again(&fault, &cx.sites) {
                    return None;
                }
                match first == Kind::Dim && of_graph && fault.help.is_none() {
                    true => names::declare_dim(fault, &text, known),
                    false => fault,
                }
            }
        };
        cx.errors.push(fault);
        None
    }

    /// Declares a label for task range number `index`.
    pub fn label(&mut self, label: &syn::Lifetime, index: usize, cx: &mut Cx) {
        let name = label.to_string();
        let first = self.visible().find_map(|frame| frame.labels.get(&name));
        let site = cx.sites.push(label);
        match first {
            Some(first) => cx
                .errors
                .push(names::duplicate(site, Kind::Label, &name, first.site)),
            None => self.top().labels.insert(Kind::Label, index, name, site),
        }
    }

    /// The task range that `label` stands for, in an order of all of `beside`, none of which it can
    /// be a slip of.
    pub fn find_label(
        &self,
        label: &syn::Lifetime,
        beside: &[syn::Lifetime],
        cx: &mut Cx,
    ) -> Option<usize> {
        let name = label.to_string();
        let found = self.visible().find_map(|frame| frame.labels.get(&name));
        if let Some(found) = found {
            return Some(found.index as usize);
        }
        let site = cx.sites.push(label);
        let frames: Vec<_> = self.visible().collect();
        let known = frames
            .into_iter()
            .rev()
            .flat_map(|frame| frame.labels.of(Kind::Label));
        let beside = |known: &str| beside.iter().any(|other| other.to_string() == known);
        let local = self.local(site, &name, &[Kind::Label]);
        let fault = local.unwrap_or_else(|| names::unknown_label(site, &name, known, beside));
        cx.errors.push(fault);
        None
    }

    /// The fault of `name`, which nothing has here, where a block that is over declared one of `wanted`
    /// under it.
    pub(in super::super) fn local(&self, site: Site, name: &str, wanted: &[Kind]) -> Option<Fault> {
        let Gone { named, inside } = self.visible().find_map(|frame| frame.gone.get(name))?;
        let fault = names::local(site, named.kind, name, named.site, inside);
        wanted.contains(&named.kind).then_some(fault)
    }
}
