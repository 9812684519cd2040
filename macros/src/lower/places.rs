//! Resources as calls name them: places, and which rows of the graph's resources those are.

mod declare;

use std::cell::Cell;

use gpu_graph_analysis::calls::Place;
use gpu_graph_analysis::expr::Expr;
use gpu_graph_analysis::fault::names::{self, Kind};
use gpu_graph_analysis::fault::{Edit, Fault, Fix, Part, stages};
use gpu_graph_analysis::model::{Class, ResourceId, Rows, Site};
use proc_macro2::Ident;

use super::names::Named;
use super::scope::Scope;
use super::{Cx, text};
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

    /// The views in sight of all of a resource that is an input, or `made`, that nothing takes yet,
    /// the last first.
    pub fn idle(&self, made: impl Fn(ResourceId) -> bool) -> Vec<ResourceId> {
        let given = |class: Class| class.is_input() || class == Class::Resident;
        let free = |local: &usize| {
            let (view, local) = (&self.views[*local], &self.locals[*local]);
            let Some(target) = &local.target else {
                return false;
            };
            let valued = given(view.class)
                || matches!(view.class, Class::Transient | Class::Reconstructable)
                    && made(target.resource);
            valued && target.rows == Rows::All && !local.used.get()
        };
        let all = (self.in_sight()..self.locals.len()).rev();
        all.filter(free).map(|i| ResourceId(i as u32)).collect()
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
