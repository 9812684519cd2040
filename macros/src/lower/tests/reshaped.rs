//! What views in another shape are of the resources behind them, and what is refused of them.

use gpu_graph_analysis::calls::show_place;
use gpu_graph_analysis::fault::*;
use gpu_graph_analysis::model::TaskId;
use gpu_graph_analysis::order::Precedence;

use super::faults::{faults, only};
use super::{lower, model};

const ITEMS: &str = "
    kernel flat(x: &[f32; n]) -> [f32; n] { host k::flat }
    kernel rows(x: &[f32; h, w]) -> [f32; h, w] { host k::rows }
    opaque keep(x: &[f32; n]) -> [f32; n] { host k::keep, retains x }
";

fn graph(text: &str) -> String {
    format!(
        "{ITEMS} graph G {{ dim h in 2..=8; dim w in 2..=8; input x: [f32; h, w];
         let y: [f32; h, w] = rows(&x); {text} }}"
    )
}

/// What each task but the first two accesses, as `y[0..h / 2]`.
fn accesses(text: &str) -> Vec<String> {
    let (model, _) = model(&graph(text));
    let accesses = model.tasks[2..].iter().map(|task| {
        let shown = task.accesses.iter().map(|access| {
            let name = &model.resources[access.resource.0 as usize].name;
            show_place(name, &access.rows, &model.dims)
        });
        shown.collect::<Vec<_>>().join(" ")
    });
    accesses.collect()
}

#[test]
fn rows_of_another_shape_are_rows_of_the_resource_where_they_are_whole_ones() {
    let text = "view f = &y as [f32; h * w];
        output a: [f32; h / 2 * w] = flat(&f[..h / 2 * w]);
        view back = &f[w..] as [f32; h - 1, w];
        output b: [f32; 1, w] = rows(&back[h - 2..]);
        output c: [f32; w] = flat(&back[..1] as [f32; w]);";
    assert_eq!(
        accesses(text),
        ["y[0..h / 2] a", "y[h - 1..h] b", "y[1..2] c"]
    );
}

#[test]
fn what_begins_within_a_row_is_said_in_elements_with_all_that_was_said_before() {
    let text = "output a: [f32; 1, w] = rows(&y[1..2]);
        let k: [f32; w] = keep(&y[..1] as [f32; w]) retains y until 'end;
        view f = &y as [f32; h * w];
        view upper = &f[..h / 2 * w];
        output b: [f32; h * w - 1] = flat(&f[1..]);
        output c: [f32; h / 2 * w] = flat(&upper);
        'end: output d: [f32; w] = flat(&k);";
    let wanted = [
        "y[w..2 * w] a",
        "y[0..w] k",
        "y[1..h * w] b",
        "y[0..(h / 2) * w] c",
        "k d",
        "y[0..w]",
    ];
    assert_eq!(accesses(text), wanted);
}

#[test]
fn ranges_that_are_not_shown_to_be_apart_are_ordered() {
    // The first row is `w` elements. For some dims `h` lies within it.
    let ordered = |start: &str| {
        let (model, _) = model(&graph(&format!(
            "let z: [f32; h, w]; view f = &z as [f32; h * w]; view g = &x as [f32; h * w];
             z[..1] = rows(&x[..1]); f[{start}..] = flat(&g[{start}..]);
             output o: [f32; h, w] = rows(&z);"
        )));
        let order = Precedence::new(&model).unwrap();
        order.precedes(TaskId(2), TaskId(3))
    };
    assert!(!ordered("w") && !ordered("2 * w"));
    assert!(ordered("h") && ordered("w - 1"));
}

#[test]
fn what_a_view_shows_is_the_same_elements() {
    let refused = |view: &str, code: Code, at: &str| {
        let text =
            format!("let a: [f32; h * w] = flat(&{view}); output o: [f32; h, w] = rows(&y);");
        only(&graph(&text), code, at);
    };
    refused("x as [f32; h]", RESHAPE, "[f32; h]");
    refused("x as [u8; h * w]", RESHAPE, "u8");
    refused("x[1..] as [f32; h * w]", RESHAPE, "[f32; h * w]");
    refused("x[..9] as [f32; h * w]", VIEW_BOUNDS, "[..9]");
    refused("x as [f32; h - 3, w]", NEGATIVE_EXTENT, "[f32; h - 3, w]");
    refused("x as [f32; (h - 3) * w]", NEGATIVE_EXTENT, "(h - 3) * w");
    refused("x as [f32; h * u]", UNKNOWN_NAME, "u");
    refused("q as [f32; h * w]", UNKNOWN_NAME, "q");
    refused("x as [f32; h, w]", RANK, "&x as [f32; h, w]");
}

#[test]
fn a_view_is_not_declared_with_another_type() {
    let of = |text: &str| lower(&graph(text)).faults[0].0.clone();
    let fault = of("output z: [f32; h, w]; view f = &z as [f32; h * w]; f = rows(&y);");
    assert_eq!((fault.code, fault.fixes.len()), (RANK, 0));
    assert_eq!(fault.help.as_deref(), Some("name a view of that type"));
    let fault = of("output o: [f32; h * w] = flat(&y);");
    assert_eq!(fault.help.as_deref(), Some("write `y as [f32; h * w]`"));
    let fault = of("output o: [f32; h * w] = flat(&y as [f32; w, h]);");
    assert_eq!(fault.help.as_deref(), Some("write `y as [f32; h * w]`"));
    // Of the second of two faults, nothing is made up.
    assert_eq!(
        faults(&graph("view v = &x as [f32; h]; flat(&v);")).len(),
        1
    );
}

#[test]
fn views_in_a_circle_are_one_fault() {
    let text = "view a = &b[..]; view b = &a[..]; output o: [f32; h, w] = rows(&a);";
    let found = faults(&graph(text));
    assert_eq!(found.len(), 1, "{found:?}");
    // One that nothing looked for is still unused.
    let found = faults(&graph("view b = &y[..]; output o: [f32; h, w] = rows(&y);"));
    assert_eq!(found.len(), 1, "{found:?}");
}

#[test]
fn rows_of_another_shape_need_no_name() {
    for (named, unnamed, seen) in [
        ("f[w..]", "y as [f32; h * w][w..]", "y[1..h] o"),
        ("f[1..]", "y as [f32; h * w][1..]", "y[1..h * w] o"),
        ("g[..w]", "y[1..] as [f32; (h - 1) * w][..w]", "y[1..2] o"),
    ] {
        let of = |views: &str, arg: &str| {
            let rows = match arg.contains("..w]") {
                true => "w",
                false if arg.contains("[1..]") => "h * w - 1",
                false => "h * w - w",
            };
            accesses(&format!("{views} output o: [f32; {rows}] = flat(&{arg});"))
        };
        let views = match named.starts_with('f') {
            true => "view f = &y as [f32; h * w];",
            false => "view g = &y[1..] as [f32; (h - 1) * w];",
        };
        assert_eq!(of(views, named), [seen], "{named}");
        assert_eq!(of("", unnamed), [seen], "{unnamed}");
    }
    let text = "output o: [f32; h + 9] = flat(&y as [f32; h * w][..h + 9]);";
    only(&graph(text), VIEW_BOUNDS, "[..h + 9]");
}
