//! The names of one scope and what they stand for.

use std::collections::BTreeMap;

use gpu_graph_analysis::fault::names::{self, Kind};
use gpu_graph_analysis::model::Site;
use proc_macro2::Ident;

use super::Cx;
use crate::span::Region;

/// What a name stands for.
#[derive(Clone, Copy, Debug)]
pub struct Named {
    /// The kind.
    pub kind: Kind,
    /// Which of that kind.
    pub index: u32,
    /// Its declaration.
    pub site: Site,
}

/// Names of one scope, whatever their kind: no two are equal.
#[derive(Default)]
pub struct Names {
    map: BTreeMap<String, Named>,
    /// In order of declaration, for suggestions.
    order: Vec<(Kind, String)>,
}

impl Names {
    /// Declares the `index`th of a kind. Where the name is declared already, that is reported and
    /// the first one stays.
    pub fn declare(
        &mut self,
        kind: Kind,
        index: usize,
        name: String,
        at: impl Into<Region>,
        cx: &mut Cx,
    ) -> Site {
        let site = cx.sites.push(at);
        if let Some(first) = self.map.get(&name) {
            cx.errors
                .push(names::duplicate(site, kind, &name, first.site));
        } else {
            self.insert(kind, index, name, site);
        }
        site
    }

    /// Declares the `index`th of a kind, whose name is not there yet.
    pub fn insert(&mut self, kind: Kind, index: usize, name: String, site: Site) {
        self.order.push((kind, name.clone()));
        let index = u32::try_from(index).unwrap_or(u32::MAX);
        self.map.insert(name, Named { kind, index, site });
    }

    /// What `name` is, if it is there.
    pub fn get(&self, name: &str) -> Option<Named> {
        self.map.get(name).copied()
    }

    /// What `name` stands for, which has to be a `wanted`; reported at `at` where it is none.
    pub fn find(
        &self,
        name: &str,
        wanted: Kind,
        at: impl Into<Region>,
        cx: &mut Cx,
    ) -> Option<Named> {
        let found = self.get(name);
        if let Some(named) = found
            && named.kind == wanted
        {
            return found;
        }
        let site = cx.sites.push(at);
        cx.errors.push(match found {
            Some(named) => names::wrong_kind(site, name, named.kind, wanted, named.site),
            None => names::unknown(site, wanted, name, self.of(wanted)),
        });
        None
    }

    /// The names of that kind, in order.
    pub fn of(&self, kind: Kind) -> impl Iterator<Item = &str> {
        let of_kind = self.order.iter().filter(move |(k, _)| *k == kind);
        of_kind.map(|(_, name)| name.as_str())
    }
}

impl IntoIterator for Names {
    type Item = (String, Named);
    type IntoIter = std::collections::btree_map::IntoIter<String, Named>;

    fn into_iter(self) -> Self::IntoIter {
        self.map.into_iter()
    }
}

/// The name without `r#`, as it is compared and shown.
pub fn text(name: &Ident) -> String {
    let text = name.to_string();
    match text.strip_prefix("r#") {
        Some(plain) => plain.to_owned(),
        None => text,
    }
}
