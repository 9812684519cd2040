//! `SOURCE` as text: what was written, without anything that was planned.

use std::collections::BTreeMap;

use gpu_graph_analysis::calls::ScalarArg;
use gpu_graph_analysis::digest::Digester;
use gpu_graph_analysis::expr::Expr;
use gpu_graph_analysis::model::{Class, Dim, Elem, Mode, Model, Pair, Rows, TaskId, TaskKind};

use super::text::{Text, quoted};
use crate::lower::{KernelInfo, TaskArgs};

/// The expressions of a graph, each once.
#[derive(Default)]
struct Exprs<'a> {
    list: Vec<&'a Expr>,
    index: BTreeMap<&'a Expr, u32>,
}

impl<'a> Exprs<'a> {
    fn of(&mut self, expr: &'a Expr) -> u32 {
        let next = self.list.len() as u32;
        let list = &mut self.list;
        *self.index.entry(expr).or_insert_with(|| {
            list.push(expr);
            next
        })
    }
}

/// Writes `SOURCE` and the tables it is made of.
pub fn write(
    text: &mut Text,
    model: &Model,
    args: &[TaskArgs],
    kernels: &[KernelInfo],
    params: usize,
    again: &[(TaskId, TaskId)],
) {
    tables(text, model, args, kernels);
    let again = again.iter().map(|(task, of)| (task.0, of.0));
    pairs(text, "AGAIN", again.collect());
    let (declared, products) = dims(model);
    text.put(format_args!(
        "pub(super) static SOURCE:t::Source<'static>=t::Source{{"
    ));
    text.put(format_args!("name:{},dims:&[", quoted(&model.name)));
    for d in declared {
        let name = quoted(&d.name);
        text.put(format_args!(
            "t::Dim{{name:{name},min:{},max:{}}},",
            d.min, d.max
        ));
    }
    text.put(format_args!("],products:&["));
    for i in 0..products.len() {
        text.put(format_args!("P{i}_EXPRS,"));
    }
    text.put(format_args!(
        "],exprs:EXPRS,resources:RESOURCES,kernels:KERNELS,tasks:TASKS,accesses:ACCESSES,\
         scalars:SCALARS,bindings:BINDINGS,params:{params},orders:ORDERS,aliases:ALIASES,\
         separate:SEPARATE,again:AGAIN,depth:{},budget:",
        model.depth
    ));
    match &model.budget {
        Some(budget) => text.put(format_args!("o::Some({})}};\n", budget.bytes)),
        None => text.put(format_args!("o::None}};\n")),
    }
}

/// What `SOURCE` is known by, but for its name and its budget.
pub fn digest(model: &Model, args: &[TaskArgs], kernels: &[KernelInfo], params: usize) -> Digester {
    let (mut text, mut digester) = (Text::default(), Digester::default());
    tables(&mut text, model, args, kernels);
    digester.text(&text.into_string());
    for dim in dims(model).0 {
        digester.text(&dim.name);
        digester.number(dim.min);
        digester.number(dim.max);
    }
    digester.number(params as u64);
    digester.number(model.depth.into());
    digester
}

/// Dims as they are declared, and behind them all products.
fn dims(model: &Model) -> (Vec<&Dim>, Vec<&Dim>) {
    model.dims.iter().partition(|dim| dim.is_declared())
}

/// The tables that `SOURCE` is made of.
fn tables(text: &mut Text, model: &Model, args: &[TaskArgs], kernels: &[KernelInfo]) {
    let mut exprs = Exprs::default();
    resources(text, model, &mut exprs);
    tasks(text, model, args, &mut exprs);
    expressions(text, "", &exprs.list);
    for (i, product) in dims(model).1.iter().enumerate() {
        let factors: Vec<&Expr> = product.product.iter().collect();
        expressions(text, &format!("P{i}_"), &factors);
    }
    demands(text, model);
    self::kernels(text, kernels);
}

fn resources<'a>(text: &mut Text, model: &'a Model, exprs: &mut Exprs<'a>) {
    let mut shapes: Vec<u32> = Vec::new();
    let mut starts: BTreeMap<Vec<u32>, usize> = BTreeMap::new();
    let entries = model.resources.iter().map(|r| {
        let shape: Vec<u32> = r.shape.iter().map(|e| exprs.of(e)).collect();
        let rank = shape.len() as u64;
        let start = *starts.entry(shape).or_insert_with_key(|shape| {
            let start = shapes.len();
            shapes.extend(shape);
            start
        });
        let class = match r.class {
            Class::Input => 0u64,
            Class::Transient | Class::Reconstructable => 1,
            // Both are there for others until the instance runs again.
            Class::Output | Class::Escape => 2,
            Class::Resident => 3,
            Class::Inout => 4,
            Class::Workspace => 5,
            Class::Staging => 6,
            Class::InputMut => 7,
        };
        (
            &r.name,
            (start as u64) << 32
                | u64::from(r.domain) << 24
                | rank << 16
                | class << 8
                | elem(r.elem),
        )
    });
    let packed = Some(("resources", ",SHAPES"));
    text.table(
        "RESOURCES",
        "t::Resource<'static>",
        packed,
        entries,
        |t, (name, bits)| {
            t.put(format_args!("({},{bits:#x})", quoted(name)));
        },
    );
    indices(text, "SHAPES", shapes);
}

fn tasks<'a>(text: &mut Text, model: &'a Model, args: &'a [TaskArgs], exprs: &mut Exprs<'a>) {
    let (mut accesses, mut bounds) = (Vec::new(), Vec::new());
    let (mut scalars, mut bindings) = (Vec::new(), Vec::new());
    let mut since = Vec::new();
    let tasks = model.tasks.iter().zip(args).map(|(task, args)| {
        for a in &task.accesses {
            let mode = match a.mode {
                Mode::Read => 0,
                Mode::ReadWrite => 1,
                Mode::Overwrite => 2,
            };
            let mut bits = u64::from(a.resource.0) << 3 | mode;
            if let Rows::Span(lo, hi) = &a.rows {
                bits |= 4;
                bounds.extend([exprs.of(lo), exprs.of(hi)]);
            }
            accesses.push(bits);
        }
        scalars.extend(args.scalars.iter().map(|s| match s {
            ScalarArg::Const(bits) => (0, *bits),
            ScalarArg::Param(index) => (1, u64::from(*index)),
            ScalarArg::Extent(e) => (2, u64::from(exprs.of(e))),
        }));
        bindings.extend(args.dims.iter().map(|e| exprs.of(e)));
        let kernel = match &task.kind {
            TaskKind::Upload => 0,
            TaskKind::Kernel(launch) => u64::from(launch.kernel) + 1,
            TaskKind::Fill => 0x1ff_ffff,
            TaskKind::Copy => 0x1ff_fffe,
            TaskKind::Hold { since: task } => {
                since.push(task.0);
                0x1ff_fffd
            }
        };
        let count = |n: usize| n as u64;
        kernel << 39
            | count(args.dims.len()) << 26
            | count(args.scalars.len()) << 13
            | count(task.accesses.len())
    });
    let tasks: Vec<u64> = tasks.collect();
    text.numbers("TASKS", "t::Task", "tasks", ",SINCE", tasks);
    indices(text, "SINCE", since);
    text.numbers("ACCESSES", "t::Access", "accesses", ",BOUNDS", accesses);
    indices(text, "BOUNDS", bounds);
    text.table(
        "SCALARS",
        "t::Scalar",
        Some(("scalars", "")),
        scalars,
        |t, (what, value)| {
            t.put(format_args!("({what},{value:#x})"));
        },
    );
    indices(text, "BINDINGS", bindings);
}

/// `{prefix}TERMS` and `{prefix}EXPRS`.
fn expressions(text: &mut Text, prefix: &str, exprs: &[&Expr]) {
    let terms = exprs.iter().flat_map(|e| e.terms());
    text.table(
        &format!("{prefix}TERMS"),
        "t::Term",
        Some(("terms", "")),
        terms,
        |text, t| {
            text.put(format_args!(
                "({},{},{},{},{})",
                t.scale, t.dim, t.mul, t.add, t.div
            ));
        },
    );
    let (name, more) = (format!("{prefix}EXPRS"), format!(",{prefix}TERMS"));
    text.table(
        &name,
        "t::Expr<'static>",
        Some(("exprs", &more)),
        exprs,
        |text, e| {
            text.put(format_args!("({},{})", e.constant_part(), e.terms().len()));
        },
    );
}

fn demands(text: &mut Text, model: &Model) {
    let both = |list: &[Pair]| list.iter().map(|p| (p.a.0, p.b.0)).collect::<Vec<_>>();
    let orders = model
        .orders
        .iter()
        .map(|o| (o.before.0, o.after.0))
        .collect();
    pairs(text, "ORDERS", orders);
    pairs(text, "ALIASES", both(&model.aliases));
    pairs(text, "SEPARATE", both(&model.separate));
}

fn pairs(text: &mut Text, name: &str, list: Vec<(u32, u32)>) {
    text.table(name, "(u32,u32)", None, list, |t, (a, b)| {
        t.put(format_args!("({a},{b})"))
    });
}

fn kernels(text: &mut Text, kernels: &[KernelInfo]) {
    for (i, kernel) in kernels.iter().enumerate() {
        let over: Vec<&Expr> = kernel.over.iter().collect();
        expressions(text, &format!("K{i}_"), &over);
    }
    let kernels = kernels.iter().enumerate();
    text.table(
        "KERNELS",
        "t::Kernel<'static>",
        None,
        kernels,
        |t, (i, kernel)| {
            let KernelInfo {
                name,
                block,
                shared,
                params,
                callback,
                in_place,
                ..
            } = kernel;
            let in_place = match in_place {
                Some(position) => format!("o::Some({position})"),
                None => "o::None".to_owned(),
            };
            t.put(format_args!(
            "t::Kernel{{name:{},over:K{i}_EXPRS,block:&{block:?},shared:{shared},params:{params},\
             callback:{callback},in_place:{in_place}}}",
            quoted(name)
        ));
        },
    );
}

fn indices(text: &mut Text, name: &str, list: Vec<u32>) {
    text.table(name, "u32", None, list, |t, i| t.put(format_args!("{i}")));
}

fn elem(elem: Elem) -> u64 {
    match elem {
        Elem::F32 => 0,
        Elem::F64 => 1,
        Elem::I8 => 2,
        Elem::I16 => 3,
        Elem::I32 => 4,
        Elem::I64 => 5,
        Elem::U8 => 6,
        Elem::U16 => 7,
        Elem::U32 => 8,
        Elem::U64 => 9,
        Elem::F16 => 10,
        Elem::BF16 => 11,
    }
}
