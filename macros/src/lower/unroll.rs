//! Bodies, statement by statement: loops and calls of stages are unrolled as they are met.

use gpu_graph_analysis::calls::{self, ParamKind, Place, ScalarArg};
use gpu_graph_analysis::expr::Expr;
use gpu_graph_analysis::fault::names::Kind;
use gpu_graph_analysis::fault::storage;
use gpu_graph_analysis::model::{Access, Resource, ResourceId, Rows, Site};

use super::places::Target;
use super::stage::StageDecl;
use super::task::Tasks;
use super::{Cx, text};
use crate::ast::{self, Body, For, Stmt};

/// Iterations of one loop in which something is wrong, before the rest of it is left.
const FAULTY: usize = 16;

impl<'a> Tasks<'a> {
    /// Appends what the statements of `body` do. Its constants are in scope.
    pub fn statements(&mut self, body: &'a Body, cx: &mut Cx) {
        let mut local = self.scope.views.len();
        for stmt in &body.stmts {
            if let Stmt::Declare(declare) = stmt {
                self.scope.announce(declare, cx);
            }
        }
        let mut label = self.demands.announce(body, &mut self.scope, cx);
        for stmt in &body.stmts {
            let place = match stmt {
                Stmt::Declare(declare) => {
                    self.scope.define(local, declare, cx);
                    local += 1;
                    let whole = self
                        .scope
                        .whole(local - 1, self.scope.views[local - 1].site);
                    declare.call.is_some().then_some(whole)
                }
                Stmt::Task(task) => {
                    let view = task.place.as_ref();
                    view.map(|view| self.scope.place(view, Some(true), cx))
                }
                Stmt::Tail(task) => {
                    let result = self.scope.result();
                    result.map(|local| self.scope.whole(local, cx.sites.push(&task.call.path)))
                }
                Stmt::For(inner) => {
                    self.repeat(inner, cx);
                    continue;
                }
                Stmt::View(view) => {
                    self.named_view(view, cx);
                    continue;
                }
                Stmt::Match(inner) => {
                    self.choose(inner, cx);
                    continue;
                }
            };
            if let Some(call) = stmt.call() {
                let tasks = self.call(call, stmt.label(), place, cx);
                if stmt.label().is_some() {
                    self.demands.labels[label] = tasks;
                    self.release(label);
                }
            }
            label += usize::from(stmt.label().is_some());
        }
        self.demands.take(body, &self.scope, cx);
        for unused in self.scope.unused_views(body) {
            let site = cx.sites.push(unused);
            cx.errors.push(storage::unused(site, "view", &text(unused)));
            self.demands.beside += 1;
        }
    }

    /// Names rows of a resource.
    fn named_view(&mut self, view: &ast::NamedView, cx: &mut Cx) {
        let place = self.scope.place(&view.of, None, cx);
        let target = place.and_then(|place| {
            let of = &self.scope.views[place.resource.0 as usize];
            if let Some(fault) = calls::out_of_bounds(&place, of, &self.scope.dims) {
                cx.errors.push(fault);
                return None;
            }
            let target = self.target(&place, cx)?;
            Some((place, target))
        });
        let Some((place, target)) = target else {
            self.done.complete = false;
            // Calls of it are not reported as well.
            self.scope.no_view(&view.name, cx);
            return;
        };
        let site = cx.sites.push(&view.name);
        let own = self.view(&text(&view.name), (place.resource, &place.rows), site);
        let writable = self.scope.is_writable(place.resource);
        self.scope.name_view(&view.name, own, target, writable, cx);
    }

    pub(super) fn body(&mut self, body: &'a Body, cx: &mut Cx) {
        for constant in &body.consts {
            self.scope.constant_of(constant, cx);
        }
        self.statements(body, cx);
    }

    fn repeat(&mut self, repeat: &'a For, cx: &mut Cx) {
        let range = &repeat.range;
        let bounds = (
            self.scope.constant(&range.start, cx),
            self.scope.constant(&range.end, cx),
        );
        let (Some(start), Some(end)) = bounds else {
            // What stands inside may use any scalar.
            self.done.complete = false;
            self.done.unseen = true;
            return;
        };
        let var = text(&repeat.var);
        // A stage may be called like the variable.
        let instance = self.scope.instance(&format!("{var}="));
        let instance = instance.replace('=', "");
        let mut faulty = 0;
        let last = if range.inclusive {
            end
        } else {
            end.saturating_sub(1)
        };
        let mut values = start..=last;
        while let Some(value) = values.next() {
            let before = cx.errors.len();
            self.scope.enter(&format!("{instance}={value}"), None, cx);
            let number = Some(Expr::constant(value));
            self.scope.number(Kind::Variable, &repeat.var, number, cx);
            self.body(&repeat.body, cx);
            self.scope.leave(cx);
            faulty += usize::from(cx.errors.len() > before);
            if faulty == FAULTY || self.shallow {
                self.done.complete = false;
                break;
            }
            // What bounds of dims have to be is most often said by the last one.
            if faulty + 1 == FAULTY && value < last {
                self.done.complete = false;
                values = last..=last;
            }
        }
    }

    /// Checks `call` of `stage`.
    pub fn bind_stage(
        &self,
        stage: &StageDecl<'a>,
        call: &calls::Call,
        cx: &mut Cx,
    ) -> Option<calls::Bound> {
        let (views, dims) = (&self.scope.views, &self.scope.dims);
        match calls::bind(stage.signature.as_ref()?, 0, call, views, dims) {
            Ok(bound) => Some(bound),
            Err(faults) => {
                cx.errors.extend(self.scope.of_call(faults));
                None
            }
        }
    }

    /// Appends what the body of `stage` does, called by `call`, which is in order.
    pub fn stage(
        &mut self,
        stage: &StageDecl<'a>,
        call: &calls::Call,
        bound: calls::Bound,
        cx: &mut Cx,
    ) -> Option<()> {
        let signature = stage.signature.as_ref()?;
        // Views in the order of the tensors, that of the result last.
        let targets = self.targets(&bound.accesses, cx)?;
        let scalars: Vec<_> = bound.scalars.iter().map(|s| self.scalar(s)).collect();
        let name = self.scope.instance(&signature.name);
        self.scope
            .enter(&name, Some((&signature.name, call.site)), cx);
        for (dim, value) in stage.dims.iter().zip(bound.dims) {
            self.scope.number(Kind::Dim, dim, Some(value), cx);
        }
        let accesses = bound.accesses.iter().map(|a| (a.resource, &a.rows));
        let mut targets = accesses.zip(targets);
        let mut scalars = scalars.into_iter();
        for (ast, param) in stage.ast.params.iter().zip(&signature.params) {
            match &param.kind {
                ParamKind::Tensor { mutable, .. } => {
                    let (passed, target) = targets.next()?;
                    let view = self.view(&param.name, passed, cx.sites.push(&ast.name));
                    self.scope.bind(Some(&ast.name), view, target, *mutable, cx);
                }
                ParamKind::Scalar(elem) => {
                    self.scope.scalar(&ast.name, *elem, scalars.next()?, cx);
                }
            }
        }
        if let (Some(result), Some((passed, target))) = (&stage.ast.result, targets.next()) {
            let site = cx.sites.push(result.region);
            let view = self.view(&signature.name, passed, site);
            self.scope.bind(None, view, target, true, cx);
        }
        self.body(&stage.ast.body, cx);
        self.scope.leave(cx);
        Some(())
    }

    /// Rows of a view under a name of their own.
    fn view(&self, name: &str, (view, rows): (ResourceId, &Rows), site: Site) -> Resource {
        let of = &self.scope.views[view.0 as usize];
        let mut shape = of.shape.clone();
        if let Some(first) = shape.first_mut() {
            let (lo, hi) = rows.bounds(first);
            // A view within its resource has as many rows as can be said.
            if let Some(rows) = hi.sub(&lo) {
                *first = rows;
            }
        }
        Resource {
            name: name.to_owned(),
            class: of.class,
            elem: of.elem,
            domain: of.domain,
            shape,
            site,
        }
    }

    /// What rows of the graph's resources accesses of views are.
    pub fn targets(&mut self, accesses: &[Access], cx: &mut Cx) -> Option<Vec<Target>> {
        let place = |access: &Access| Place {
            resource: access.resource,
            rows: access.rows.clone(),
            site: access.site,
            rows_site: access.site,
        };
        loop {
            self.flatten(cx)?;
            let places = accesses.iter().map(place);
            let targets = places.map(|place| self.target(&place, cx));
            let targets: Vec<_> = targets.collect::<Option<_>>()?;
            // What became flat for one of them may stand behind another.
            if self.scope.flattened.is_empty() {
                return Some(targets);
            }
        }
    }

    /// Says in elements what is accessed of resources that became flat.
    pub fn flatten(&mut self, cx: &mut Cx) -> Option<()> {
        for flat in std::mem::take(&mut self.scope.flattened) {
            let made = self.done.tasks.iter_mut();
            let made = made.flat_map(|task| &mut task.accesses);
            let kept = self.pending.iter_mut().flat_map(|held| &mut held.accesses);
            for access in made.chain(kept).filter(|a| a.resource == flat.resource) {
                let said = flat.rows(&mut access.rows, &mut self.scope.dims);
                said.map_err(|fault| cx.errors.push(*fault)).ok()?;
            }
        }
        Some(())
    }

    /// What `place` is; reported where that cannot be said.
    fn target(&mut self, place: &Place, cx: &mut Cx) -> Option<Target> {
        let target = self.scope.target(place);
        target.map_err(|fault| cx.errors.push(*fault)).ok()
    }

    /// A scalar argument over the graph's own scalars.
    pub fn scalar(&self, arg: &ScalarArg) -> ScalarArg {
        match arg {
            ScalarArg::Param(index) => self.scope.scalars[*index as usize].value.clone(),
            other => other.clone(),
        }
    }
}
