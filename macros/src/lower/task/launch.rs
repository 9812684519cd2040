//! Launches and copies, appended where nothing is wrong with them.

use gpu_graph_analysis::calls::{self, Transfer};
use gpu_graph_analysis::expr::Expr;
use gpu_graph_analysis::model::{Access, Task, TaskKind};
use quote::ToTokens;

use super::super::decls::shown;
use super::super::foreign::{self, Foreign};
use super::super::{Cx, Launched, TaskArgs};
use super::Tasks;
use crate::ast;

impl<'a> Tasks<'a> {
    /// Appends the launch of a kernel of another macro call, and notes what it takes for granted.
    pub(super) fn elsewhere(
        &mut self,
        ast: &'a ast::Call,
        call: calls::Call,
        cx: &mut Cx,
    ) -> Option<()> {
        let name = shown(&ast.path);
        let signature = foreign::signature(&name, &call, &self.scope.views, cx)?;
        let extents = ast.dims.iter().flatten();
        let dims: Vec<_> = extents.map(|e| self.scope.extent(e, cx)).collect();
        let dims = dims.into_iter().collect::<Option<Vec<_>>>()?;
        let kernel = Launched::Elsewhere(Foreign {
            path: ast.path.to_token_stream(),
            claims: Vec::new(),
        });
        let zeros: Vec<_> = call.args.iter().map(|arg| self.is_zeroed(arg)).collect();
        let place = call.place.as_ref().map(|place| place.site);
        let place = place.map(|site| cx.sites.region(site));
        let extents = self.launch(&signature, kernel, Some(dims.clone()), call, cx)?;
        let claims = foreign::claims(ast, &signature, dims, (extents, zeros), place);
        let index = self.launched.get(&name).copied();
        if let Some(Launched::Elsewhere(foreign)) =
            index.map(|i| &mut self.done.kernels[i as usize])
        {
            foreign.add(claims);
        }
        Some(())
    }

    pub(super) fn copy(&mut self, to: Transfer, call: calls::Call, cx: &mut Cx) -> Option<()> {
        let accesses = match to.bind(&call, &self.scope.views, &self.scope.dims) {
            Ok(accesses) => accesses,
            Err(faults) => {
                cx.errors.extend(self.scope.of_call(faults));
                return None;
            }
        };
        let targets = self.targets(&accesses, cx)?;
        let mut accesses = Vec::from(accesses);
        for (access, target) in accesses.iter_mut().zip(targets) {
            access.resource = target.resource;
            access.rows = target.rows;
        }
        self.no_content(&accesses, cx)?;
        self.done.tasks.push(Task {
            name: call.name,
            kind: TaskKind::Copy,
            accesses,
            site: call.site,
        });
        self.done.args.push(TaskArgs::default());
        Some(())
    }

    /// Appends a launch. `given` is what the task hands over in place of its kernel's dims, which
    /// are answered then.
    pub(super) fn launch(
        &mut self,
        signature: &calls::Kernel,
        kernel: Launched,
        given: Option<Vec<Expr>>,
        call: calls::Call,
        cx: &mut Cx,
    ) -> Option<Vec<Expr>> {
        let next = self.done.kernels.len();
        let index = self.launched.get(&signature.name).copied();
        let index = index.unwrap_or(next as u32);
        let (views, dims) = (&self.scope.views, &self.scope.dims);
        let bound = match calls::bind(signature, index, &call, views, dims) {
            Ok(bound) => bound,
            Err(faults) => {
                if let Some(place) = &call.place
                    && let Some(view) = views.get(place.resource.0 as usize)
                    && view.site == place.site
                    && faults.iter().any(|f| f.is_of_type(place.site))
                {
                    self.scope.distrust(place.resource);
                }
                cx.errors.extend(self.scope.of_call(faults));
                return None;
            }
        };
        let targets = self.targets(&bound.accesses, cx)?;
        if index as usize == next {
            self.launched.insert(signature.name.clone(), index);
            self.done.kernels.push(kernel);
        }
        let scalars = bound.scalars.iter().map(|s| self.scalar(s)).collect();
        let mut accesses = bound.accesses;
        for (access, target) in accesses.iter_mut().zip(targets) {
            access.resource = target.resource;
            access.rows = target.rows;
        }
        self.work(signature, &mut accesses, cx)?;
        let (dims, mut launch) = (&self.scope.dims, bound.launch);
        // All of what a stage was passed may be some rows of a resource.
        let whole = |access: Option<&Access>| {
            access.is_some_and(|access| {
                let of = &self.scope.resources[access.resource.0 as usize];
                of.shape
                    .first()
                    .is_some_and(|rows| access.rows.is_all(rows, dims))
            })
        };
        launch.in_place = launch
            .in_place
            .filter(|operand| whole(accesses.get(*operand)) && whole(accesses.last()));
        self.done.tasks.push(Task {
            name: call.name,
            kind: TaskKind::Kernel(launch),
            accesses,
            site: call.site,
        });
        let (dims, of_kernel) = match given {
            Some(given) => (given, bound.dims),
            None => (bound.dims, Vec::new()),
        };
        self.done.args.push(TaskArgs { scalars, dims });
        Some(of_kernel)
    }
}
