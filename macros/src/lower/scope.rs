//! The names of a graph: dims, scalars and resources.

use gpu_graph_analysis::calls::Place;
use gpu_graph_analysis::expr::Expr;
use gpu_graph_analysis::fault::names::{self, Kind};
use gpu_graph_analysis::fault::{facade, sizes};
use gpu_graph_analysis::model::{Class, Dim, Resource, ResourceId, Rows};
use proc_macro2::Ident;

use super::names::Names;
use super::{Cx, extent, text};
use crate::ast::{self, Stmt};

/// What the names of a graph stand for.
pub struct Scope<'a> {
    /// All of them.
    pub names: Names,
    /// The dims.
    pub dims: Vec<Dim>,
    /// The scalars.
    pub scalars: &'a [ast::ScalarDecl],
    /// The resources; one whose extents were refused has none.
    pub resources: Vec<Resource>,
}

impl<'a> Scope<'a> {
    /// All that `graph` declares, wherever in it.
    pub fn new(graph: &'a ast::Graph, cx: &mut Cx) -> Self {
        let mut scope = Self {
            names: Names::default(),
            dims: Vec::new(),
            scalars: &graph.scalars,
            resources: Vec::new(),
        };
        for dim in &graph.dims {
            scope.declare_dim(dim, cx);
        }
        for (i, scalar) in graph.scalars.iter().enumerate() {
            scope
                .names
                .declare(Kind::Scalar, i, text(&scalar.name), &scalar.name, cx);
        }
        for stmt in &graph.stmts {
            if let Stmt::Declare(declare) = stmt {
                scope.declare_resource(declare, cx);
            }
        }
        scope
    }

    fn declare_dim(&mut self, dim: &ast::Dim, cx: &mut Cx) {
        let name = text(&dim.name);
        let site = self
            .names
            .declare(Kind::Dim, self.dims.len(), name.clone(), &dim.name, cx);
        let min = dim.min.map_or(0, |int| int.value);
        // A dim that was refused stays with some bounds, so that its uses are not reported too.
        let max = match (dim.end, dim.max()) {
            (Some(_), Some(max)) if min <= max => max,
            (Some(end), max) => {
                let sign = if dim.inclusive { "..=" } else { ".." };
                let range = format!("{min}{sign}{}", end.value);
                let at = cx.sites.push(dim.range);
                let fault = sizes::empty_dim(at, &name, &range, min, max.unwrap_or(0));
                cx.errors.push(fault);
                min
            }
            (None, _) => {
                let at = cx.sites.push(dim.range);
                let from = dim.min.map(|int| int.value);
                cx.errors.push(sizes::unbounded_dim(at, &name, from));
                min
            }
        };
        self.dims.push(Dim {
            name,
            min,
            max,
            site,
        });
    }

    fn declare_resource(&mut self, declare: &ast::Declare, cx: &mut Cx) {
        let name = text(&declare.name);
        let index = self.resources.len();
        let site = self
            .names
            .declare(Kind::Resource, index, name.clone(), &declare.name, cx);
        if declare.class == Class::Output && facade::RUN_METHODS.contains(&name.as_str()) {
            cx.errors.push(facade::method_clash(site, &name));
        }
        let extents = declare.tensor.extents.iter();
        let shape: Vec<_> = extents.map(|extent| self.extent(extent, cx)).collect();
        self.resources.push(Resource {
            name,
            class: declare.class,
            elem: declare.tensor.elem.elem,
            shape: shape.into_iter().collect::<Option<_>>().unwrap_or_default(),
            site,
        });
    }

    /// An extent over the graph's dims.
    pub fn extent(&self, extent: &ast::Extent, cx: &mut Cx) -> Option<Expr> {
        extent::lower(extent, cx, &mut |name: &Ident, cx: &mut Cx| {
            let dim = self.names.find(&text(name), Kind::Dim, name, cx)?;
            Some(dim.index as usize)
        })
    }

    /// What `view` refers to, in a statement before which `declared` resources are declared.
    pub fn place(&self, view: &ast::View, declared: usize, cx: &mut Cx) -> Option<Place> {
        let name = text(&view.name);
        let resource = self.names.find(&name, Kind::Resource, &view.name, cx);
        let resource = resource.filter(|resource| {
            let known = (resource.index as usize) < declared;
            if !known {
                let site = cx.sites.push(&view.name);
                cx.errors
                    .push(names::declared_later(site, &name, resource.site));
            }
            known
        });
        let bound = |extent: &Option<ast::Extent>, cx: &mut Cx| {
            extent.as_ref().map(|extent| self.extent(extent, cx))
        };
        let site = cx.sites.push(view.region);
        let mut rows_site = site;
        let mut bounds = (None, None);
        if let Some(rows) = &view.rows {
            rows_site = cx.sites.push(rows.region);
            bounds = (bound(&rows.start, cx), bound(&rows.end, cx));
        }
        let resource = resource?.index;
        let rows = match bounds {
            (None, None) => Rows::All,
            (start, end) => {
                let extent = self.resources[resource as usize].shape.first();
                let start = start.unwrap_or_else(|| Some(Expr::constant(0)));
                let end = end.unwrap_or_else(|| extent.cloned());
                Rows::Span(start?, end?)
            }
        };
        let place = Place {
            resource: ResourceId(resource),
            rows,
            site,
            rows_site,
        };
        self.is_sound(&place).then_some(place)
    }

    /// The extents of the resource were not refused.
    pub fn is_sound(&self, place: &Place) -> bool {
        let resource = self.resources.get(place.resource.0 as usize);
        resource.is_some_and(|r| !r.shape.is_empty())
    }
}
