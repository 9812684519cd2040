//! What names stand for, block by block.
//!
//! Blocks are on a stack of frames: that of the items, that of the graph, and one for each iteration
//! and each call of a stage that is being unrolled. A name is looked for from the innermost frame
//! outwards. A stage sees its own frames and the constants among items; no name that is visible is
//! declared again.

mod lookup;
mod numbers;

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

use gpu_graph_analysis::calls::ScalarArg;
use gpu_graph_analysis::expr::Expr;
use gpu_graph_analysis::fault::names::Kind;
use gpu_graph_analysis::model::{Dim, Elem, Resource, ResourceId, Site};

use super::Cx;
use super::names::{Named, Names};
use super::places::Local;
use super::reshape::Flat;
use super::workspace::Workspaces;

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
    /// Where their extents are written.
    pub written: BTreeMap<ResourceId, Vec<Site>>,
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
    /// What blocks in it that are over declared, as far as a stage does not hide it.
    gone: BTreeMap<String, Gone>,
    /// How often each stage was called and each variable was looped over.
    instances: BTreeMap<String, u32>,
    /// Lengths of `values`, `scalars` and `views` outside.
    marks: [usize; 3],
    /// What sites came from outside.
    origin: u32,
}

/// A name that a block that is over declared.
struct Gone {
    named: Named,
    /// What the block is.
    inside: &'static str,
}

impl Frame {
    /// What it declared, and blocks in it did, as one sees it from outside; nothing is seen of a stage.
    fn gone(self) -> impl Iterator<Item = (String, Gone)> {
        let inside = match self.settled {
            Some(_) => "an arm",
            None => "a loop",
        };
        let own = self.names.into_iter().chain(self.labels);
        let own = own.map(move |(name, named)| (name, Gone { named, inside }));
        let all = own.chain(self.gone);
        all.filter(move |_| self.stage.is_none())
    }
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
            written: BTreeMap::new(),
            flattened: Vec::new(),
            untyped: BTreeSet::new(),
            workspaces: Workspaces::default(),
            domains: cx.domains.clone(),
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
            for (name, gone) in frame.gone() {
                self.top().gone.entry(name).or_insert(gone);
            }
        }
    }
}
