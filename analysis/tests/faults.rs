//! Texts and places of the faults that planning finds.

mod common;

use common::{Graph, read, write};
use gpu_graph_analysis::fault::{ALIAS_HOST, ALIAS_LIVE, BUDGET, Fault, ORDER_CYCLE};
use gpu_graph_analysis::model::Model;
use gpu_graph_analysis::plan::plan;

fn refused(model: &Model) -> Fault {
    match plan(model) {
        Ok(_) => panic!("accepted"),
        Err(mut faults) => {
            assert_eq!(faults.len(), 1, "{faults:?}");
            faults.remove(0)
        }
    }
}

#[test]
fn an_alias_of_what_one_task_needs_together_names_that_task() {
    let mut g = Graph::new("G");
    let x = g.input("x", 64);
    let [h, y] = ["h", "y"].map(|name| g.transient(name, 64));
    let z = g.output("z", 64);
    let square = g.task("square", &[read(x), write(h)]);
    g.task("halve", &[read(x), write(y)]);
    let site = g.alias(y, h);
    let add = g.task("add", &[read(h), read(y), write(z)]);
    let fault = refused(&g.model);
    assert_eq!((fault.code, fault.site), (ALIAS_LIVE, site));
    let message = "`h` and `y` share storage but may be live at the same time";
    assert_eq!(fault.message, message);
    assert_eq!(fault.here, "`y` would reuse that storage");
    let label = |i: usize| (fault.labels[i].site, fault.labels[i].text.as_str());
    let access = |t: gpu_graph_analysis::model::TaskId, i: usize| {
        g.model.tasks[t.0 as usize].accesses[i].site
    };
    assert_eq!(label(0), (access(square, 1), "`h` is written here"));
    assert_eq!(label(1), (access(add, 0), "`h` is still read here"));
    assert_eq!(
        fault.notes,
        ["`halve`, which needs `y`, completes before `add` starts"]
    );
    assert_eq!(fault.help.as_deref(), Some("drop the `alias`"));
}

#[test]
fn both_spellings_of_an_alias_say_which_task_still_reads_the_earlier_one() {
    // `m` is made from `g`, or by itself; `blend` reads both.
    for apart in [false, true] {
        for swapped in [false, true] {
            let mut g = Graph::new("G");
            let x = g.input("x", 64);
            let [a, b] = ["g", "m"].map(|name| g.transient(name, 64));
            let out = g.output("out", 64);
            g.task("grad", &[read(x), write(a)]);
            let from = if apart { x } else { a };
            let momentum = g.task("momentum", &[read(from), write(b)]);
            let blend = g.task("blend", &[read(a), read(b), write(out)]);
            let site = match swapped {
                true => g.alias(a, b),
                false => g.alias(b, a),
            };
            let fault = refused(&g.model);
            assert_eq!((fault.code, fault.site), (ALIAS_LIVE, site));
            assert_eq!(fault.here, "`m` would reuse that storage");
            let read_at = g.model.tasks[blend.0 as usize].accesses[0].site;
            let label = (fault.labels[1].site, &*fault.labels[1].text);
            assert_eq!(label, (read_at, "`g` is still read here"));
            let note = "`momentum`, which needs `m`, completes before `blend` starts";
            assert_eq!(fault.notes, [note], "{momentum:?}");
        }
    }
}

#[test]
fn an_alias_that_an_order_would_mend_shows_it() {
    let mut g = Graph::new("G");
    let x = g.input("x", 64);
    let [h, y] = ["h", "y"].map(|name| g.transient(name, 64));
    let [p, q] = ["p", "q"].map(|name| g.output(name, 64));
    g.task("square", &[read(x), write(h)]);
    let add = g.task("add", &[read(h), write(p)]);
    let halve = g.task("halve", &[read(x), write(y)]);
    g.alias(y, h);
    g.task("scale", &[read(y), write(q)]);
    let fault = refused(&g.model);
    assert_eq!(
        fault.notes,
        ["no dependency orders the reader before the writer"]
    );
    let help = "label the calls with `'add:` and `'halve:`, and declare `order 'add -> 'halve;`, \
                or drop the `alias`";
    assert_eq!(fault.help.as_deref(), Some(help));
    g.order(add, halve);
    assert!(plan(&g.model).is_ok());
}

#[test]
fn an_alias_with_an_output_as_the_earlier_one_says_who_reads_it() {
    let mut g = Graph::new("G");
    let x = g.input("x", 64);
    let [p, q] = ["p", "q"].map(|name| g.output(name, 64));
    g.task("a", &[read(x), write(p)]);
    g.task("b", &[read(p), write(q)]);
    g.alias(q, p);
    let fault = refused(&g.model);
    assert_eq!(fault.code, ALIAS_HOST);
    assert_eq!(
        fault.notes,
        ["`p` is an output: the host reads it after the run"]
    );
}

#[test]
fn an_alias_that_another_brings_about_says_so() {
    let mut g = Graph::new("G");
    let x = g.input("x", 64);
    let [a, b, c] = ["a", "b", "c"].map(|name| g.transient(name, 64));
    let out = g.output("out", 64);
    g.task("ka", &[read(x), write(a)]);
    g.task("kc", &[read(x), read(a), write(c)]);
    g.task("kb", &[read(c), write(b)]);
    g.task("kd", &[read(b), read(c), write(out)]);
    g.alias(b, a);
    assert!(plan(&g.model).is_ok());
    let site = g.alias(out, b);
    let fault = refused(&g.model);
    assert_eq!(fault.site, site);
    g.model.aliases.pop();
    // c and b are live at once, and a demand for c with a brings them together.
    let site = g.alias(a, c);
    let fault = refused(&g.model);
    assert_eq!(fault.site, site);
}

#[test]
fn a_cycle_is_listed_in_order() {
    let mut g = Graph::new("G");
    let x = g.input("x", 64);
    let h = g.transient("h", 64);
    let y = g.output("y", 64);
    let a = g.task("'a", &[read(x), write(h)]);
    let b = g.task("'b", &[read(h), write(y)]);
    g.order(b, a);
    let fault = refused(&g.model);
    assert_eq!(
        (fault.code, fault.site),
        (ORDER_CYCLE, g.model.orders[0].site)
    );
    assert_eq!(fault.message, "`'a` and `'b` are ordered before each other");
    assert_eq!(fault.notes[0], "the cycle: `'a`, then `'b`, then `'a`");
    assert_eq!(fault.notes[1], "`'b` depends on `'a` through `h`");
    let site = |t: gpu_graph_analysis::model::TaskId| g.model.tasks[t.0 as usize].site;
    let sites: Vec<_> = fault.labels.iter().map(|l| l.site).collect();
    assert_eq!(sites, [site(a), site(b)]);
}

#[test]
fn demands_alone_can_be_cyclic_and_each_knot_is_one_fault() {
    let mut g = Graph::new("G");
    let mut tasks = Vec::new();
    for i in 0..5 {
        let y = g.output(&format!("y{i}"), 64);
        tasks.push(g.task(&format!("'t{i}"), &[write(y)]));
    }
    g.order(tasks[0], tasks[1]);
    g.order(tasks[1], tasks[2]);
    g.order(tasks[2], tasks[0]);
    g.order(tasks[2], tasks[1]);
    g.order(tasks[4], tasks[3]);
    assert_eq!(
        refused(&g.model).labels.len(),
        3,
        "two calls and the other demand"
    );
    g.order(tasks[3], tasks[4]);
    let faults = plan(&g.model).map(|_| ()).unwrap_err();
    assert_eq!(faults.len(), 2);
    g.model.orders.clear();
    g.order(tasks[0], tasks[0]);
    assert_eq!(refused(&g.model).message, "`'t0` is ordered before itself");
}

#[test]
fn a_budget_below_what_must_be_live_lists_it() {
    let mut g = Graph::new("G");
    let x = g.input("x", 1 << 20);
    let h = g.transient("h", 3 << 20);
    let y = g.output("y", 1 << 20);
    g.task("a", &[read(x), write(h)]);
    g.task("b", &[read(h), write(y)]);
    let site = g.budget((4 << 20) - 1);
    let fault = refused(&g.model);
    assert_eq!((fault.code, fault.site), (BUDGET, site));
    assert_eq!(
        fault.message,
        "`G` must hold 4 MiB at once, more than its budget of 3.9 MiB (4194303 bytes)"
    );
    let note = "while `a` runs these must exist together: `h` 3 MiB, `x` 1 MiB";
    assert_eq!(fault.notes, [note]);
    assert_eq!(fault.labels[0].site, g.model.resources[h.0 as usize].site);
    let help = "write `budget 4 MiB;` or more, or lower the maximum of a dim";
    assert_eq!(fault.help.as_deref(), Some(help));
    g.budget(4 << 20);
    assert!(plan(&g.model).is_ok());
    // Two instances need twice as much.
    g.model.depth = 2;
    let fault = refused(&g.model);
    assert!(
        fault
            .notes
            .iter()
            .any(|n| n == "the budget counts 2 times an arena of 4 MiB, as it is `pipelined 2`")
    );
}

#[test]
fn a_budget_below_what_cannot_share_lists_it() {
    // Two branches: nothing orders one before the other, so nothing is shared, yet no task needs all.
    let mut g = Graph::new("G");
    let x = g.input("x", 256);
    let [a, b] = ["a", "b"].map(|name| g.transient(name, 4096));
    let [p, q] = ["p", "q"].map(|name| g.output(name, 256));
    g.task("ka", &[read(x), write(a)]);
    g.task("kp", &[read(a), write(p)]);
    g.task("kb", &[read(x), write(b)]);
    g.task("kq", &[read(b), write(q)]);
    g.budget(8192);
    let fault = refused(&g.model);
    assert_eq!(
        fault.message,
        "`G` needs at least 8.7 KiB (8960 bytes) in this order, more than its budget of 8 KiB"
    );
    let note = "no two of these can share storage without more order: `a` 4 KiB, ";
    assert!(fault.notes[0].starts_with(note), "{fault:?}");
    g.budget(1 << 20);
    assert!(plan(&g.model).is_ok());
}

#[test]
fn a_budget_that_placement_exceeds_lists_the_arena() {
    // One after the other, each kept apart from the next and the last from the first: of five, two can
    // share at most, though no more than one is live at once.
    let mut g = Graph::new("G");
    let (mut rooms, mut last) = (Vec::new(), None);
    for i in 0..5 {
        let room = g.transient(&format!("r{i}"), 4096);
        let y = g.output(&format!("y{i}"), 256);
        let fill = g.task(&format!("'fill{i}"), &[write(room)]);
        if let Some(last) = last {
            g.order(last, fill);
        }
        last = Some(g.task(&format!("'use{i}"), &[read(room), write(y)]));
        rooms.push(room);
    }
    for i in 0..5 {
        g.separate(rooms[i], rooms[(i + 1) % 5]);
    }
    g.budget(8192);
    let fault = refused(&g.model);
    assert_eq!(
        fault.message,
        "`G` needs 12.2 KiB (12544 bytes) of storage, more than its budget of 8 KiB"
    );
    assert!(fault.notes[0].starts_with("the arena holds `r0` 4 KiB, `r1` 4 KiB, "));
    let least = "no layout is below 12.2 KiB (12544 bytes) without more order";
    assert_eq!(fault.notes[1], least);
    g.model.budget = None;
    let (plan, record) = plan(&g.model).unwrap();
    assert_eq!((plan.arena, plan.lower_bound), (12_544, 12_544));
    let shown = "which a search has shown beyond 5.2 KiB (5376 bytes), live while `'use4` runs: ";
    assert!(record.to_string().contains(shown), "{record}");
}
