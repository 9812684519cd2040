//! Resources as calls name them: places, and which rows of the graph's resources those are.

use std::cell::Cell;

use gpu_graph_analysis::calls::Place;
use gpu_graph_analysis::expr::Expr;
use gpu_graph_analysis::fault::names::{self, Kind};
use gpu_graph_analysis::fault::{Edit, Fault, Fix, Part, sizes, stages};
use gpu_graph_analysis::limits;
use gpu_graph_analysis::model::{Class, Elem, Resource, ResourceId, Rows, Site};
use proc_macro2::Ident;

use super::names::Named;
use super::scope::{Ring, Scope};
use super::{Cx, text, workspace};
use crate::ast;

/// First row and the row behind the last, each where it is written, and `None` inside where it was
/// refused.
type Bounds = (Option<Option<Expr>>, Option<Option<Expr>>);

/// What stands behind a view.
pub struct Local {
    /// `None` before its declaration.
    pub(super) target: Option<Target>,
    /// Nothing forbids to write it.
    pub(super) writable: bool,
    /// Something takes it.
    used: Cell<bool>,
}

/// Rows of a resource of the graph.
#[derive(Clone)]
pub struct Target {
    /// The resource.
    pub resource: ResourceId,
    /// Its rows.
    pub rows: Rows,
}

impl Scope {
    /// Declares the name of a resource, whose statement is yet to come.
    pub fn announce(&mut self, declare: &ast::Declare, cx: &mut Cx) {
        let index = self.views.len();
        let site = self.declare(Kind::Resource, index, &declare.name, cx);
        let view = Resource {
            name: text(&declare.name),
            class: workspace::class(declare),
            elem: declare.tensor.elem.elem,
            domain: 0,
            shape: Vec::new(),
            site,
        };
        self.push(view, None, true);
    }

    /// The statement of the resource that was announced as view number `local`.
    pub fn define(&mut self, local: usize, declare: &ast::Declare, cx: &mut Cx) {
        let shape = self.extents(&declare.tensor.extents, cx);
        // Bytes that are not known.
        let shape = shape.filter(|shape| !shape.is_empty());
        self.sound &= shape.is_some();
        let name = format!("{}{}", self.prefix(), self.views[local].name);
        let domain = declare.domain.as_ref();
        let domain = domain.map_or(0, |domain| self.domain(domain, cx));
        let view = &mut self.views[local];
        view.shape = shape.unwrap_or_default();
        view.domain = domain;
        let resource = Resource {
            name,
            ..view.clone()
        };
        if let Some(ring) = declare.ring {
            self.rings.push(Ring {
                name: resource.name.clone(),
                depth: ring.count.value,
                site: cx.sites.push(ring.region),
            });
        }
        let id = ResourceId(self.resources.len() as u32);
        self.locals[local].target = Some(Target {
            resource: id,
            rows: Rows::All,
        });
        if let Some(ast) = &declare.workspace {
            let (name, inside) = (resource.name.clone(), self.inside());
            self.workspaces
                .declare((declare, ast), name, id, inside, cx);
        }
        self.resources.push(resource);
    }

    /// The isolation domain of that name, which its first use declares.
    fn domain(&mut self, name: &Ident, cx: &mut Cx) -> u8 {
        let wanted = text(name);
        if self.domains.is_empty() {
            self.domains.push("none".to_owned());
        }
        let known = self.domains[1..].iter().position(|known| *known == wanted);
        let index = known.map_or(self.domains.len(), |known| known + 1);
        if index >= limits::DOMAINS {
            // The first of them is enough.
            if index == limits::DOMAINS {
                let site = cx.sites.push(name);
                cx.errors.push(sizes::domains(site, &wanted));
                self.domains.push(wanted);
            }
            self.sound = false;
            return 0;
        }
        if known.is_none() {
            self.domains.push(wanted);
        }
        index as u8
    }

    /// Adds `resource` to the graph, and a view of it without a name.
    pub fn own(&mut self, resource: Resource) -> usize {
        let target = Target {
            resource: ResourceId(self.resources.len() as u32),
            rows: Rows::All,
        };
        self.push(resource.clone(), Some(target), true);
        self.resources.push(resource);
        self.views.len() - 1
    }

    /// Binds a name, or the result of the stage where there is none, to rows of the graph's resources.
    pub fn bind(
        &mut self,
        name: Option<&Ident>,
        view: Resource,
        target: Target,
        writable: bool,
        cx: &mut Cx,
    ) {
        match name {
            Some(name) => {
                self.declare(Kind::Resource, self.views.len(), name, cx);
            }
            None => self.top().result = Some(self.views.len()),
        }
        self.push(view, Some(target), writable);
    }

    pub(super) fn push(&mut self, view: Resource, target: Option<Target>, writable: bool) {
        self.views.push(view);
        self.locals.push(Local {
            target,
            writable,
            used: Cell::new(false),
        });
    }

    /// Names rows of the graph's resources.
    pub fn name_view(
        &mut self,
        name: &Ident,
        view: Resource,
        target: Target,
        writable: bool,
        cx: &mut Cx,
    ) {
        self.declare(Kind::View, self.views.len(), name, cx);
        self.untyped.insert(view.site);
        self.push(view, Some(target), writable);
    }

    /// `faults` of a call, without mends that declare a view with another type: it has none.
    pub fn of_call(&self, faults: Vec<Fault>) -> Vec<Fault> {
        let declares =
            |edit: &Edit| edit.part == Part::TypeBehind && self.untyped.contains(&edit.at);
        let wrong = |fix: &Fix| fix.edits.iter().any(declares);
        let rest = |fault: Fault| match fault.fixes.iter().any(wrong) {
            false => fault,
            true => match fault.without(wrong) {
                fault if fault.help.is_none() => fault.help("name a view of that type"),
                fault => fault,
            },
        };
        faults.into_iter().map(rest).collect()
    }

    /// Declares the name of a view that was refused.
    pub fn no_view(&mut self, name: &Ident, cx: &mut Cx) {
        let site = self.declare(Kind::View, self.views.len(), name, cx);
        let view = Resource {
            name: text(name),
            class: Class::Transient,
            elem: Elem::F32,
            domain: 0,
            shape: Vec::new(),
            site,
        };
        let target = Target {
            resource: ResourceId(0),
            rows: Rows::All,
        };
        self.push(view, Some(target), true);
    }

    /// The names of views in `body`, which is over, that nothing took.
    pub fn unused_views<'b>(&self, body: &'b ast::Body) -> Vec<&'b Ident> {
        let views = body.stmts.iter().filter_map(|stmt| match stmt {
            ast::Stmt::View(view) => Some(&view.name),
            _ => None,
        });
        let unused = views.filter(|name| {
            let text = text(name);
            // Something before its statement was to take it.
            if self.missed.borrow().contains(&text) {
                return false;
            }
            let named = self.get(&text);
            let named = named.filter(|named| named.kind == Kind::View);
            let local = named.and_then(|named| self.locals.get(named.index as usize));
            local.is_some_and(|local| !local.used.get())
        });
        unused.collect()
    }

    /// Nothing forbids to write what that view shows.
    pub fn is_writable(&self, view: ResourceId) -> bool {
        let local = self.locals.get(view.0 as usize);
        local.is_some_and(|local| local.writable)
    }

    /// All of view number `local`, as it is written at `site`; `None` where its extents were refused.
    pub fn whole(&self, local: usize, site: Site) -> Option<Place> {
        let place = Place {
            resource: ResourceId(local as u32),
            rows: Rows::All,
            site,
            rows_site: site,
        };
        self.is_sound(&place).then_some(place)
    }

    /// The view that the result of the stage overwrites that is unrolled here.
    pub fn result(&self) -> Option<usize> {
        // An arm that the stage ends with has a frame of its own.
        self.visible().find_map(|frame| frame.result)
    }

    /// All of `extents`, each of which is looked at.
    pub(super) fn extents(&mut self, extents: &[ast::Extent], cx: &mut Cx) -> Option<Vec<Expr>> {
        let lowered: Vec<_> = extents.iter().map(|e| self.extent(e, cx)).collect();
        lowered.into_iter().collect()
    }

    /// What `view` refers to. `writes` says that it is written, and whether as the place of a
    /// result.
    pub fn place(&mut self, view: &ast::View, writes: Option<bool>, cx: &mut Cx) -> Option<Place> {
        let named = self.known(&view.name, &[Kind::Resource, Kind::View], cx);
        let named = named.map(|(named, _)| named);
        if let Some(named) = named {
            self.locals[named.index as usize].used.set(true);
        }
        let site = cx.sites.push(view.region);
        let (bounds, rows_site) = self.bounds(view.rows.as_ref(), site, cx);
        let seen = view.seen.as_ref().map(|seen| {
            let shape = self.shape(&seen.shape, cx);
            (shape, self.bounds(seen.rows.as_ref(), site, cx))
        });
        let named = named?;
        let rows = self.rows(bounds, named.index as usize)?;
        if let Some(overwritten) = writes
            && !self.locals[named.index as usize].writable
        {
            let stage = self.visible().find_map(|frame| frame.stage.as_deref());
            let (stage, name) = (stage.unwrap_or_default(), text(&view.name));
            let fault = stages::stage_effect(site, stage, &name, overwritten, named.site);
            cx.errors.push(fault);
            return None;
        }
        let place = Place {
            resource: ResourceId(named.index),
            rows,
            site,
            rows_site,
        };
        if !self.is_sound(&place) {
            return None;
        }
        let Some((shape, (bounds, rows_site))) = seen else {
            return Some(place);
        };
        let place = self.reshape(place, &shape?, cx)?;
        let rows = self.rows(bounds, place.resource.0 as usize)?;
        Some(Place {
            rows,
            rows_site,
            ..place
        })
    }

    /// The bounds of `rows`, each of which is looked at, and where they stand.
    fn bounds(&mut self, rows: Option<&ast::RowRange>, site: Site, cx: &mut Cx) -> (Bounds, Site) {
        let Some(rows) = rows else {
            return ((None, None), site);
        };
        let site = cx.sites.push(rows.region);
        let mut bound =
            |extent: &Option<ast::Extent>| extent.as_ref().map(|extent| self.extent(extent, cx));
        ((bound(&rows.start), bound(&rows.end)), site)
    }

    /// The rows of view number `local` that `bounds` are; `None` where one of these was refused.
    fn rows(&self, bounds: Bounds, local: usize) -> Option<Rows> {
        if let (None, None) = bounds {
            return Some(Rows::All);
        }
        let extent = self.views[local].shape.first();
        let start = bounds.0.unwrap_or_else(|| Some(Expr::constant(0)));
        let end = bounds.1.unwrap_or_else(|| extent.cloned());
        Some(Rows::Span(start?, end?))
    }

    /// The type of view number `local` is in doubt, so that what reads it is not reported, too.
    pub fn distrust(&mut self, local: ResourceId) {
        if let Some(view) = self.views.get_mut(local.0 as usize) {
            view.shape.clear();
        }
    }

    /// The extents of what it names were not refused.
    fn is_sound(&self, place: &Place) -> bool {
        let view = self.views.get(place.resource.0 as usize);
        view.is_some_and(|r| !r.shape.is_empty())
    }

    /// The resource of the graph of which view number `local` shows some rows.
    pub fn behind(&self, local: ResourceId) -> Option<ResourceId> {
        let target = self.locals.get(local.0 as usize)?.target.as_ref()?;
        Some(target.resource)
    }

    /// The resource of which `name`, perhaps a view, names all or some rows.
    pub fn kept(&self, name: &Ident, cx: &mut Cx) -> Option<ResourceId> {
        let (_, target) = self.known(name, &[Kind::Resource, Kind::View], cx)?;
        Some(target.resource)
    }

    /// The resource behind `name`, if there is one; nothing is reported.
    pub fn target_of(&self, name: &Ident) -> Option<ResourceId> {
        let named = self.get(&text(name))?;
        if !matches!(named.kind, Kind::Resource | Kind::View) {
            return None;
        }
        let target = self.locals.get(named.index as usize)?.target.as_ref();
        target.map(|target| target.resource)
    }

    /// The resource that `name` refers to.
    pub fn resource(&self, name: &Ident, cx: &mut Cx) -> Option<ResourceId> {
        let (_, target) = self.known(name, &[Kind::Resource], cx)?;
        Some(target.resource)
    }

    /// What `name` refers to, and what stands behind it; reported where its statement is yet to
    /// come.
    fn known(&self, name: &Ident, wanted: &[Kind], cx: &mut Cx) -> Option<(Named, &Target)> {
        let named = self.find(name, wanted, cx)?;
        let target = self.locals.get(named.index as usize)?.target.as_ref();
        if target.is_none() {
            let site = cx.sites.push(name);
            cx.errors
                .push(names::declared_later(site, &text(name), named.site));
        }
        target.map(|target| (named, target))
    }
}
