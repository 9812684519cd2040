//! The tables of a model and its plan, as the macro writes them.

#![allow(dead_code, reason = "each test binary uses a part")]

use gpu_graph_analysis::expr::Expr;
use gpu_graph_analysis::model::{self, Model, Pair, ResourceId, Rows, Site};
use gpu_graph_analysis::plan::{self, Plan};
use gpu_graph_runtime::exec::Image;
use gpu_graph_runtime::table as t;

/// A demand.
pub fn pair(a: usize, b: usize) -> Pair {
    Pair {
        a: ResourceId(a as u32),
        b: ResourceId(b as u32),
        site: Site(0),
    }
}

fn keep<T>(list: Vec<T>) -> &'static [T] {
    list.leak()
}

fn stated(e: &Expr) -> t::Expr<'static> {
    let terms = e.terms().iter().map(|t| t::Term {
        scale: t.scale,
        dim: t.dim,
        mul: t.mul,
        add: t.add,
        div: t.div,
    });
    t::Expr {
        constant: e.constant_part(),
        terms: keep(terms.collect()),
    }
}

/// The tables; every task has a kernel of its own, and there is no code.
pub fn image(model: &Model, plan: &Plan) -> Image {
    let mut exprs = Vec::new();
    let mut expr = |e: &Expr| {
        exprs.push(stated(e));
        exprs.len() as u32 - 1
    };
    let resources = model.resources.iter().map(|r| t::Resource {
        name: r.name.clone().leak(),
        class: match r.class {
            model::Class::Input => t::Class::Input,
            model::Class::InputMut => t::Class::InputMut,
            model::Class::Transient | model::Class::Reconstructable => t::Class::Transient,
            model::Class::Output | model::Class::Escape => t::Class::Output,
            model::Class::Resident => t::Class::Resident,
            model::Class::Inout => t::Class::Inout,
            model::Class::Workspace => t::Class::Workspace,
            model::Class::Staging => t::Class::Staging,
        },
        elem: match r.elem {
            model::Elem::U8 => t::Elem::U8,
            _ => t::Elem::F32,
        },
        domain: r.domain,
        shape: keep(r.shape.iter().map(&mut expr).collect()),
    });
    let resources = keep(resources.collect());
    let (mut tasks, mut kernels, mut accesses) = (Vec::new(), Vec::new(), Vec::new());
    let again = plan.graph.as_ref().map_or(Vec::new(), |of| of.again());
    let again: Vec<(u32, u32)> = again.iter().map(|(task, of)| (task.0, of.0)).collect();
    for (t, task) in model.tasks.iter().enumerate() {
        let repeats = again.iter().find(|(task, _)| *task as usize == t);
        let original = repeats.map(|(_, of)| tasks[*of as usize]);
        let kind = match &task.kind {
            model::TaskKind::Upload => t::TaskKind::Upload,
            model::TaskKind::Fill => t::TaskKind::Fill,
            model::TaskKind::Copy => t::TaskKind::Copy,
            model::TaskKind::Hold { since } => t::TaskKind::Hold { since: since.0 },
            // What makes a value again launches what made it.
            model::TaskKind::Kernel(_) if original.is_some() => {
                original.map_or(t::TaskKind::Fill, |of: t::Task| of.kind)
            }
            model::TaskKind::Kernel(launch) => {
                kernels.push(t::Kernel {
                    name: launch.name.clone().leak(),
                    over: &[],
                    block: &[],
                    shared: 0,
                    params: 8 * task.accesses.len() as u32,
                    callback: false,
                    in_place: launch.in_place.map(|at| at as u8),
                });
                t::TaskKind::Kernel(kernels.len() as u32 - 1)
            }
        };
        let from = accesses.len() as u32;
        for a in &task.accesses {
            accesses.push(t::Access {
                resource: a.resource.0,
                mode: match a.mode {
                    model::Mode::Read => t::Mode::Read,
                    model::Mode::ReadWrite => t::Mode::ReadWrite,
                    model::Mode::Overwrite => t::Mode::Overwrite,
                },
                rows: match &a.rows {
                    Rows::All => t::Rows::All,
                    Rows::Span(lo, hi) => t::Rows::Span(expr(lo), expr(hi)),
                },
            });
        }
        tasks.push(t::Task {
            kind,
            accesses: t::Span::new(from, task.accesses.len() as u32),
            scalars: t::Span::new(0, 0),
            dims: t::Span::new(0, 0),
        });
    }
    let pairs = |list: &[Pair]| keep(list.iter().map(|p| (p.a.0, p.b.0)).collect());
    // Graphs here declare their dims before any product of them.
    let dims = model.declared_dims().map(|dim| t::Dim {
        name: dim.name.clone().leak(),
        min: dim.min,
        max: dim.max,
    });
    let products = model.dims.iter().filter(|dim| !dim.is_declared());
    let products = products.map(|dim| keep(dim.product.iter().map(stated).collect()));
    let source = t::Source {
        products: keep(products.collect()),
        name: model.name.clone().leak(),
        dims: keep(dims.collect()),
        exprs: keep(exprs),
        resources,
        kernels: keep(kernels),
        tasks: keep(tasks),
        accesses: keep(accesses),
        scalars: &[],
        bindings: &[],
        params: 0,
        orders: &[],
        aliases: pairs(&model.aliases),
        separate: pairs(&model.separate),
        again: keep(again),
        depth: 1,
        budget: None,
    };
    let program = t::Program {
        ring: plan.ring,
        streams: plan.streams,
        events: plan.events,
        arena: plan.arena,
        store: plan.store,
        pinned: plan.pinned,
        issue_as: t::Issue::Streams,
        slots: keep(plan.slots.iter().map(slot).collect()),
        issue: keep(plan.issue.iter().map(op).collect()),
        collect: keep(plan.collect.iter().map(host_op).collect()),
    };
    Image {
        source: Box::leak(Box::new(source)),
        program: Box::leak(Box::new(program)),
        code: &[],
    }
}

fn slot(slot: &gpu_graph_analysis::layout::Slot) -> t::Slot {
    t::Slot {
        offset: slot.offset,
        bytes: slot.bytes,
    }
}

fn op(op: &plan::Op) -> t::Op {
    match *op {
        plan::Op::Gate { event } => t::Op::Gate { event },
        plan::Op::Acquire { resource } => t::Op::Acquire { resource },
        plan::Op::Release { resource } => t::Op::Release { resource },
        plan::Op::Launch {
            task,
            stream,
            in_place,
        } => t::Op::Launch {
            task,
            stream,
            form: match in_place {
                true => t::Form::InPlace,
                false => t::Form::Apart,
            },
        },
        plan::Op::Record { event, stream } => t::Op::Record { event, stream },
        plan::Op::Wait { stream, event } => t::Op::Wait { stream, event },
    }
}

fn host_op(op: &plan::HostOp) -> t::HostOp {
    match *op {
        plan::HostOp::Wait { event } => t::HostOp::Wait { event },
        plan::HostOp::Read { resource } => t::HostOp::Read { resource },
    }
}
