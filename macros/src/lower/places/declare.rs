//! Resources and views as statements declare them, and as calls bind them.

use std::cell::Cell;

use gpu_graph_analysis::fault::names::Kind;
use gpu_graph_analysis::fault::sizes;
use gpu_graph_analysis::limits;
use gpu_graph_analysis::model::{Class, Elem, Resource, ResourceId, Rows};
use proc_macro2::Ident;

use super::super::scope::{Ring, Scope};
use super::super::{Cx, text, workspace};
use super::{Local, Target};
use crate::ast;

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
        let extents = declare.tensor.extents.iter();
        let extents = extents.map(|extent| cx.sites.push(extent.region));
        self.written.insert(id, extents.collect());
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

    pub(in super::super) fn push(
        &mut self,
        view: Resource,
        target: Option<Target>,
        writable: bool,
    ) {
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
}
