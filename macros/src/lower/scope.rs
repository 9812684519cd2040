//! What names stand for, block by block.
//!
//! Blocks are on a stack of frames: that of the items, that of the graph, and one for each iteration
//! and each call of a stage that is being unrolled. A name is looked for from the innermost frame
//! outwards. A stage sees its own frames and the constants among items; no name that is visible is
//! declared again.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

use gpu_graph_analysis::calls::ScalarArg;
use gpu_graph_analysis::expr::{Expr, NoProduct};
use gpu_graph_analysis::fault::names::{self, Kind};
use gpu_graph_analysis::fault::sizes;
use gpu_graph_analysis::model::{Dim, Elem, Resource, Site};
use proc_macro2::Ident;

use super::constant::{self, Numbers};
use super::names::{Named, Names};
use super::places::Local;
use super::reshape::Flat;
use super::workspace::Workspaces;
use super::{Cx, extent, text};
use crate::ast;

/// What can stand in an extent.
const NUMBERS: &[Kind] = &[Kind::Dim, Kind::Const, Kind::Variable];
/// What can stand in a constant.
const CONSTANTS: &[Kind] = &[Kind::Const, Kind::Variable];

/// The stack of frames, and what their names index.
pub struct Scope {
    pub(super) frames: Vec<Frame>,
    /// Numbers: dims, constants and variables; `None` where one was refused.
    values: Vec<Option<Expr>>,
    /// Scalars, those of the graph first.
    pub scalars: Vec<Scalar>,
    /// Resources as calls name them: places are checked against these.
    pub views: Vec<Resource>,
    /// What stands behind each of them.
    pub(super) locals: Vec<Local>,
    /// The dims of the graph.
    pub dims: Vec<Dim>,
    /// The resources of the graph, in the order of their statements.
    pub resources: Vec<Resource>,
    /// Those of them that became flat, of which accesses are still to be said in elements.
    pub flattened: Vec<Flat>,
    /// Declarations of views that say no type.
    pub untyped: BTreeSet<Site>,
    /// Those of them that are workspaces.
    pub workspaces: Workspaces,
    /// Isolation domains, the one of all that is declared in none first; empty without others.
    pub domains: Vec<String>,
    /// Nothing that was declared so far was refused.
    pub sound: bool,
    /// Rings that are declared.
    pub rings: Vec<Ring>,
    /// Scalars that something names, also where none can stand: they are no unused ones.
    pub named: RefCell<BTreeSet<u32>>,
    /// Numbers that something was said with.
    pub said: RefCell<BTreeSet<u32>>,
    /// Names that were looked for where nothing had them yet.
    pub missed: RefCell<BTreeSet<String>>,
}

/// A scalar and what it hands to a kernel.
pub struct Scalar {
    /// Its type.
    pub elem: Elem,
    /// Its value.
    pub value: ScalarArg,
}

/// `ring 2` of staging.
pub struct Ring {
    /// The staging.
    pub name: String,
    /// Its depth.
    pub depth: u64,
    /// The clause.
    pub site: Site,
}

#[derive(Default)]
pub(super) struct Frame {
    names: Names,
    labels: Names,
    /// Before the name of each resource that is declared in it.
    prefix: String,
    /// The stage that it is a call of; frames below it are not visible.
    pub(super) stage: Option<String>,
    /// The view that the result of that stage overwrites.
    pub(super) result: Option<usize>,
    /// The variant that is settled in it, for what value, and by which `match`.
    pub(super) settled: Option<(String, String, Site)>,
    /// How often each stage was called and each variable was looped over.
    instances: BTreeMap<String, u32>,
    /// Lengths of `values`, `scalars` and `views` outside.
    marks: [usize; 3],
    /// What sites came from outside.
    origin: u32,
}

impl Scope {
    /// The frame of the items and, in it, an empty one.
    pub fn new(cx: &mut Cx) -> Self {
        let mut scope = Self {
            frames: vec![Frame::default(), Frame::default()],
            values: Vec::new(),
            scalars: Vec::new(),
            views: Vec::new(),
            locals: Vec::new(),
            dims: Vec::new(),
            resources: Vec::new(),
            flattened: Vec::new(),
            untyped: BTreeSet::new(),
            workspaces: Workspaces::default(),
            domains: Vec::new(),
            sound: true,
            rings: Vec::new(),
            named: RefCell::default(),
            said: RefCell::default(),
            missed: RefCell::default(),
        };
        for (i, known) in cx.consts.iter().enumerate() {
            scope.values.push(known.value.map(Expr::constant));
            let names = &mut scope.frames[0].names;
            names.insert(Kind::Const, i, known.name.clone(), known.site);
        }
        scope
    }

    pub(super) fn top(&mut self) -> &mut Frame {
        let last = self.frames.len() - 1;
        &mut self.frames[last]
    }

    /// The frames that names are looked for in, innermost first.
    pub(super) fn visible(&self) -> impl Iterator<Item = &Frame> {
        let closed = self.frames.iter().rposition(|f| f.stage.is_some());
        let inner = &self.frames[closed.unwrap_or(1)..];
        inner.iter().rev().chain(self.frames.first())
    }

    /// What stands before names that are declared here, as in `l=3.layer.`.
    pub fn prefix(&self) -> &str {
        self.frames.last().map_or("", |frame| &frame.prefix)
    }

    /// The name of the next call of the stage `name`, or of the next loop over a variable `name`,
    /// in this frame: `layer`, `layer#2`, …
    pub fn instance(&mut self, name: &str) -> String {
        let count = self.top().instances.entry(name.to_owned()).or_insert(0);
        *count += 1;
        match count {
            1 => name.to_owned(),
            n => format!("{name}#{n}"),
        }
    }

    /// Enters an iteration, or where `stage` is given a call of it at `call`, under the name
    /// `instance`.
    pub fn enter(&mut self, instance: &str, stage: Option<(&str, Site)>, cx: &mut Cx) {
        let path = format!("{}{instance}", self.prefix());
        let frame = Frame {
            prefix: format!("{path}."),
            stage: stage.map(|(name, _)| name.to_owned()),
            marks: [self.values.len(), self.scalars.len(), self.views.len()],
            origin: cx.sites.enter(path, stage.map(|(_, call)| call)),
            ..Frame::default()
        };
        self.frames.push(frame);
    }

    /// Enters the arm of a `match` over `variant` at `site` for `value`, under the name `instance`.
    /// What is found in it is found in the text: which run that is of is known apart.
    pub fn enter_arm(
        &mut self,
        instance: &str,
        variant: &str,
        value: &str,
        site: Site,
        cx: &mut Cx,
    ) {
        let frame = Frame {
            prefix: format!("{}{instance}.", self.prefix()),
            settled: Some((variant.to_owned(), value.to_owned(), site)),
            marks: [self.values.len(), self.scalars.len(), self.views.len()],
            origin: cx.sites.enter_arm(),
            ..Frame::default()
        };
        self.frames.push(frame);
    }

    /// The value for which `variant` is settled here, and by which `match`, unless a stage stands
    /// in between.
    pub fn settled(&self, variant: &str) -> Option<(&str, Site)> {
        let inner = self.frames.iter().rev().take_while(|f| f.stage.is_none());
        let mut all = inner.filter_map(|frame| frame.settled.as_ref());
        let (_, value, site) = all.find(|(name, ..)| name == variant)?;
        Some((value, *site))
    }

    /// Leaves the innermost frame.
    pub fn leave(&mut self, cx: &mut Cx) {
        if let Some(frame) = self.frames.pop() {
            let [values, scalars, views] = frame.marks;
            self.values.truncate(values);
            self.scalars.truncate(scalars);
            self.views.truncate(views);
            self.locals.truncate(views);
            cx.sites.leave(frame.origin);
        }
    }

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
    pub(super) fn find(&self, name: &Ident, wanted: &[Kind], cx: &mut Cx) -> Option<Named> {
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
        cx.errors.push(match found {
            Some(named) => names::wrong_kind(site, &text, named.kind, first, named.site),
            None => {
                let again = !self.missed.borrow_mut().insert(text.clone());
                let of_graph = self.frames.iter().all(|frame| frame.stage.is_none());
                // One declaration mends all places.
                if first == Kind::Dim && of_graph && again {
                    return None;
                }
                let known = wanted.iter().flat_map(|kind| self.of(*kind));
                let fault = names::unknown(site, first, &text, known);
                match first == Kind::Dim && of_graph && fault.help.is_none() {
                    true => names::declare_dim(fault, &text),
                    false => fault,
                }
            }
        });
        None
    }

    /// `name` is that of a scalar.
    pub fn is_scalar(&self, name: &Ident) -> bool {
        let named = self.get(&text(name));
        named.is_some_and(|named| named.kind == Kind::Scalar)
    }

    /// Something names a scalar, if that is what it names.
    pub fn names(&self, named: Named) {
        if named.kind == Kind::Scalar {
            self.named.borrow_mut().insert(named.index);
        }
    }

    /// Declares a number.
    pub fn number(&mut self, kind: Kind, name: &Ident, value: Option<Expr>, cx: &mut Cx) -> Site {
        self.values.push(value);
        self.declare(kind, self.values.len() - 1, name, cx)
    }

    /// Declares a constant of this block.
    pub fn constant_of(&mut self, constant: &ast::Const, cx: &mut Cx) {
        let value = self.constant(&constant.value, cx);
        let value = value.and_then(|value| constant::fits(constant, value, cx));
        self.sound &= value.is_some();
        self.number(Kind::Const, &constant.name, value.map(Expr::constant), cx);
    }

    /// Declares a scalar.
    pub fn scalar(&mut self, name: &Ident, elem: Elem, value: ScalarArg, cx: &mut Cx) {
        self.scalars.push(Scalar { elem, value });
        self.declare(Kind::Scalar, self.scalars.len() - 1, name, cx);
    }

    /// The value that the number of that index has.
    pub fn value(&self, named: Named) -> Option<Expr> {
        self.said.borrow_mut().insert(named.index);
        self.values.get(named.index as usize)?.clone()
    }

    /// An extent, in which products are dims of their own.
    pub fn extent(&mut self, extent: &ast::Extent, cx: &mut Cx) -> Option<Expr> {
        extent::lower(extent, cx, self)
    }

    /// The value of what is over constants and variables alone.
    pub fn constant(&self, extent: &ast::Extent, cx: &mut Cx) -> Option<i64> {
        struct Loud<'a>(&'a Scope, &'a mut Cx);
        impl Numbers for Loud<'_> {
            fn name(&mut self, name: &Ident) -> Option<i64> {
                let named = self.0.find(name, CONSTANTS, self.1)?;
                self.0.value(named)?.as_constant()
            }
            fn wrong(&mut self, of: &ast::Extent, why: &str) {
                constant::report(of, why, self.1);
            }
        }
        constant::value(extent, &mut Loud(self, cx))
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
            .flat_map(|frame| frame.labels.of(Kind::Label))
            .filter(|known| beside.iter().all(|other| other.to_string() != *known));
        cx.errors
            .push(names::unknown(site, Kind::Label, &name, known));
        None
    }
}

impl extent::Numbers for Scope {
    fn name(&mut self, name: &Ident, cx: &mut Cx) -> Option<Expr> {
        self.value(self.find(name, NUMBERS, cx)?)
    }

    fn product(&mut self, [a, b]: [&Expr; 2], of: &ast::Extent, cx: &mut Cx) -> Option<Expr> {
        let site = cx.sites.push(of.region);
        let why = match a.times(b, &mut self.dims, site) {
            Ok(product) => return Some(product),
            Err(why) => why,
        };
        cx.errors.push(match why {
            NoProduct::Overflow => sizes::extent_overflow(site, &extent::show(of)),
            NoProduct::Dims => sizes::too_many_dims(site, 1 << 16),
            NoProduct::Negative(factor) => sizes::negative_factor(site, &factor, &self.dims),
        });
        None
    }
}
