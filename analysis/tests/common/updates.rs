//! Graphs that need less where in-place updates are left, and what they need at least, by brute force.

use gpu_graph_analysis::alias::{Demands, merges};
use gpu_graph_analysis::frontier::Frontiers;
use gpu_graph_analysis::layout::{Effort, PAIRWISE, Ranges, Spacing, layout, sizes};
use gpu_graph_analysis::model::{Model, ResourceId};
use gpu_graph_analysis::order::Precedence;

use super::rng::Rng;
use super::{Graph, read, write};

/// The smallest arena by the dependencies alone, whichever of the in-place updates are left, and that
/// where none is.
pub fn left(model: &Model) -> [u64; 2] {
    let order = Precedence::new(model).expect("no cycle");
    let live = Frontiers::new(model, &order);
    let (sizes, all) = (sizes::all(model), merges(model, &live));
    let arena = |set: u32| {
        let kept = all.iter().enumerate().filter(|(at, _)| set >> at & 1 == 0);
        let kept: Vec<_> = kept.map(|(_, merge)| *merge).collect();
        let none = Demands::default();
        let ranges = Ranges::new(model, &sizes, &order, &live, &none, &kept, PAIRWISE);
        let (effort, spacing) = (Effort::TAKEN, Spacing::Tight);
        layout(model, &sizes, &order, &live, &ranges, effort, spacing).arena
    };
    let least = (0..1 << all.len()).map(arena).min();
    [least.unwrap_or(0), arena(0)]
}

const UNIT: i64 = 2048;

/// Values by the stage that they begin with, the stages that they last for, and their units. With what
/// else is live in a stage each fills five units; so some have to lie at an edge, and one that goes on
/// as another would have to lie in the middle and at an edge, if the two were one.
const STAGES: [[usize; 3]; 8] = [
    [0, 3, 1],
    [0, 1, 4],
    [1, 3, 1],
    [1, 1, 3],
    [2, 3, 1],
    [2, 1, 2],
    [3, 1, 3],
    [4, 1, 4],
];

/// Those stages one behind the other; what goes on to the next one may be updated in between. Now and
/// then something has another size or lasts longer.
pub fn stages(rng: &mut Rng) -> Model {
    let mut g = Graph::new("Stages");
    let mut values = STAGES;
    for _ in 0..rng.below(3) {
        let at = rng.below(values.len());
        values[at][1 + rng.below(2)] = 1 + rng.below(4);
    }
    let mut token = g.input("x", 256);
    let mut live: Vec<(usize, ResourceId)> = Vec::new();
    for stage in 0..5 {
        let ends = |v: &(usize, ResourceId)| values[v.0][0] + values[v.0][1] <= stage;
        let (over, stay): (Vec<_>, Vec<_>) = live.into_iter().partition(ends);
        let next = g.transient(&format!("over{stage}"), 256);
        let mut accesses = vec![read(token)];
        accesses.extend(over.iter().map(|(_, r)| read(*r)));
        accesses.push(write(next));
        g.task(&format!("end{stage}"), &accesses);
        token = next;
        live = Vec::new();
        for (v, r) in stay {
            if !rng.one_in(2) {
                live.push((v, r));
                continue;
            }
            let next = g.transient(&format!("v{v}_{stage}"), UNIT * values[v][2] as i64);
            let more = g.transient(&format!("after{v}_{stage}"), 256);
            let accesses = [read(r), read(token), write(more), write(next)];
            let update = g.task(&format!("update{v}_{stage}"), &accesses);
            g.in_place(update, 0);
            token = more;
            live.push((v, next));
        }
        let mut accesses = vec![read(token)];
        for (v, [_, _, units]) in values.iter().enumerate().filter(|(_, v)| v[0] == stage) {
            let r = g.transient(&format!("v{v}"), UNIT * *units as i64);
            accesses.push(write(r));
            live.push((v, r));
        }
        token = g.transient(&format!("begun{stage}"), 256);
        accesses.push(write(token));
        g.task(&format!("begin{stage}"), &accesses);
    }
    let y = g.output("y", 256);
    let mut accesses = vec![read(token)];
    accesses.extend(live.iter().map(|(_, r)| read(*r)));
    accesses.push(write(y));
    g.task("last", &accesses);
    g.model
}
