//! Random small graphs: partial accesses, order demands, in-place forms, all classes.

use gpu_graph_analysis::expr::Expr;
use gpu_graph_analysis::model::{Class, Elem, Mode, ResourceId, Rows, Site, TaskId};

use super::Graph;
use super::rng::Rng;

/// A graph of at most `tasks` tasks.
pub fn graph(rng: &mut Rng, tasks: usize) -> Graph {
    let mut g = Graph::new("Random");
    let h = g.dim("h", 4, 9);
    let half = h.floor_div(2).unwrap();
    // Some are flat: what else are rows are `w` elements each.
    let flat = rng.one_in(5).then(|| g.dim("w", 1, 3));
    let mut elements = |rows: &Expr| match &flat {
        Some(w) => rows.times(w, &mut g.model.dims, Site(0)).unwrap(),
        None => rows.clone(),
    };
    let rows: Vec<Expr> = (0..5).map(|k| elements(&Expr::constant(k))).collect();
    let (h, less) = (elements(&h), half.sub(&Expr::constant(1)).unwrap());
    let (half, less) = (elements(&half), elements(&less));
    let shapes = [
        vec![h.clone()],
        vec![h.clone(), Expr::constant(64)],
        vec![h.clone(), Expr::constant(200)],
        vec![h.clone(), Expr::constant(512)],
    ];
    let resources = 2 + rng.below(6);
    // Small kinds of graphs: with few shapes, in-place forms fit; with short lists, chains appear.
    let kinds = 1 + rng.below(shapes.len());
    let most = 2 + rng.below(3);
    for r in 0..resources {
        let class = match rng.below(60) {
            0..=4 => Class::Input,
            5..=9 => Class::InputMut,
            10..=19 => Class::Output,
            20 => Class::Resident,
            21 => Class::Inout,
            22 | 23 => Class::Staging,
            24 => Class::Workspace,
            _ => Class::Transient,
        };
        let elem = if rng.one_in(6) { Elem::U8 } else { Elem::F32 };
        let shape = &shapes[rng.below(kinds)];
        g.resource(&format!("r{r}"), class, elem, shape);
    }
    if rng.one_in(12) {
        for r in 0..resources {
            g.model.resources[r].domain = rng.below(3) as u8;
        }
    }
    for r in 0..resources {
        if g.model.resources[r].class.is_input() {
            g.upload(ResourceId(r as u32));
        }
    }
    let uploads = g.model.tasks.len();
    let total = (uploads + 1)
        .max(2 + rng.below(tasks - 1))
        .min(uploads.max(tasks));
    while g.model.tasks.len() < total {
        let mut some: Vec<usize> = (0..resources).collect();
        rng.shuffle(&mut some);
        some.truncate(1 + rng.below(resources.min(most)));
        let last = some.len() - 1;
        let mut accesses = Vec::new();
        for (i, &r) in some.iter().enumerate() {
            let class = g.model.resources[r].class;
            let input = matches!(class, Class::Input | Class::Resident);
            let mode = match rng.below(6) {
                _ if input => Mode::Read,
                0 => Mode::ReadWrite,
                1..=3 if i < last => Mode::Read,
                1 => Mode::Read,
                _ => Mode::Overwrite,
            };
            let rows = match rng.below(8) {
                0 => Rows::Span(Expr::constant(0), half.clone()),
                1 => Rows::Span(half.clone(), h.clone()),
                2 => Rows::Span(less.clone(), h.clone()),
                3 => {
                    let from = rng.below(4);
                    let to = from + rng.below(5 - from);
                    Rows::Span(rows[from].clone(), rows[to].clone())
                }
                _ => Rows::All,
            };
            accesses.push((ResourceId(r as u32), mode, rows));
        }
        let form = (last > 0 && rng.one_in(2)).then(|| rng.below(last));
        if let Some(operand) = form
            && !rng.one_in(4)
        {
            accesses[operand].2 = Rows::All;
            accesses[last].2 = Rows::All;
            accesses[operand].1 = Mode::Read;
            let class = g.model.resources[some[last]].class;
            if !matches!(class, Class::Input | Class::Resident) {
                accesses[last].1 = Mode::Overwrite;
            }
        }
        let name = format!("t{}", g.model.tasks.len());
        let task = g.task(&name, &accesses);
        if let Some(operand) = form {
            g.in_place(task, operand);
        }
    }
    for _ in 0..rng.below(4) {
        let (a, b) = (rng.below(total), rng.below(total));
        let back = rng.one_in(4);
        if a != b && (a < b) != back {
            g.order(TaskId(a as u32), TaskId(b as u32));
        }
    }
    g.model.streams = 1 + rng.below(8) as u32;
    drop_unused(&mut g);
    g
}

/// Removes resources that nothing accesses, which a graph may not have.
fn drop_unused(g: &mut Graph) {
    let model = &mut g.model;
    let used = |r: usize| {
        let mut accesses = model.tasks.iter().flat_map(|t| &t.accesses);
        accesses.any(|a| a.resource.0 as usize == r)
    };
    let keep: Vec<bool> = (0..model.resources.len()).map(used).collect();
    let number = |r: usize| keep[..r].iter().filter(|k| **k).count() as u32;
    for access in model.tasks.iter_mut().flat_map(|t| &mut t.accesses) {
        access.resource = ResourceId(number(access.resource.0 as usize));
    }
    let mut kept = keep.iter();
    model.resources.retain(|_| *kept.next().unwrap_or(&false));
}
