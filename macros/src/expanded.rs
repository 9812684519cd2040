//! What small graphs expand to, kept so that a change of generated code is seen. A test that fails
//! writes what it found beside the snapshot; `INSTA_UPDATE=always cargo test -p gpu-graph-macros`
//! takes it over.

use gpu_graph_analysis::Analysis;

use crate::dump::Dump;
use crate::lower::{Cx, Decls, KernelDecl, Lowered};

const SCALE: &str = r#"
    /// A multiple.
    pub kernel scale(x: &[f32; n], by: f32) -> [f32; n] {
        over [n] block [256],
        cuda r"extern void scale(const float*, float, float*, unsigned long long), scale_in_place(float*, float, unsigned long long);",
        host host::scale,
        in place x host host::scale_in_place,
    }
"#;

/// A scalar, a constant and an extent as arguments; a result in the place of an operand.
const CHAIN: &str = "
    kernel shift(x: &[f32; n], from: u64) -> [f32; n] { host host::shift }

    /// Scales and shifts.
    #[allow(dead_code)]
    pub(crate) graph Chain {
        dim n in 1..=1000;
        scalar by: f32;
        input x: [f32; n];
        let a: [f32; n] = scale(&x, by);
        let b: [f32; n] = scale(&a, 0.5);
        output y: [f32; n] = shift(&b, 2 * n + 1);
    }
";

/// Views, labels, every demand, several streams and instances, and content that outlives runs.
const BANDS: &str = "
    kernel add_to(x: &mut [f32; n], by: f32) { host host::add_to }

    graph Bands {
        dim h in 2..=64;
        pipelined 2;
        resident input bias: [f32; h];
        streams 2;
        budget 1 MiB;
        input x: [f32; h];
        let a: [f32; h];
        a[..h / 2] = scale(&x[..h / 2], 2.0);
        a[h / 2..] = scale(&x[h / 2..], 3.0);
        'up: add_to(&mut a[..h / 2], -1.0);
        add_to(&mut a[h / 2..], 1.0);
        let b: [f32; h] = scale(&bias, 4.0);
        'last: add_to(&mut b, 1.0);
        order 'up -> 'last;
        separate a, b;
        output y: [f32; h] = scale(&a, 5.0);
        output z: [f32; h] = scale(&b, 6.0);
    }
";

/// One of two, in one place.
const EITHER: &str = "
    graph Either {
        dim n in 1..=1000;
        /// How much.
        variant amount { once, twice }
        input x: [f32; n];
        output y: [f32; n];
        match amount {
            once => { y = scale(&x, 1.0); }
            twice => { let t: [f32; n] = scale(&x, 2.0); y = scale(&t, 1.0); }
        }
    }
";

/// An argument that is nowhere declared.
const REFUSED: &str = "
    pub graph Refused {
        dim n in 1..=8;
        scalar by: f32;
        input x: [f32; n];
        output y: [f32; n] = scale(&z, by);
    }
";

/// What the macro makes of the text, laid out; long literals, which hold the record, are cut.
fn expanded(text: &str) -> String {
    let tokens = text.parse().expect("the test's text is made of tokens");
    let tokens = crate::expand(tokens);
    let file = syn::parse2(tokens).expect("what is generated is Rust");
    let cut = |line: &str| match line.char_indices().nth(160) {
        Some((at, _)) => format!("{}…\n", &line[..at]),
        None => format!("{line}\n"),
    };
    prettyplease::unparse(&file).lines().map(cut).collect()
}

#[test]
fn a_kernel_expands_to_its_shims_and_dims() {
    insta::assert_snapshot!(expanded(SCALE));
}

#[test]
fn a_kernel_of_halves_computes_between_conversions() {
    let text = "kernel soften(x: &[f16; n], by: bf16) -> [f16; n] = x * 0.1f16 + (x as f64 / by as f64) as f16;";
    insta::assert_snapshot!(expanded(text));
}

#[test]
fn a_graph_expands_to_tables_a_proof_and_a_facade() {
    insta::assert_snapshot!(expanded(&format!("{SCALE}{CHAIN}")));
}

#[test]
fn a_pipelined_graph_has_lanes_and_its_demands_in_the_tables() {
    insta::assert_snapshot!(expanded(&format!("{SCALE}{BANDS}")));
}

#[test]
fn a_graph_with_variants_expands_to_tables_and_a_proof_for_each() {
    insta::assert_snapshot!(expanded(&format!("{SCALE}{EITHER}")));
}

#[test]
fn a_refused_graph_expands_to_its_error_and_stubs() {
    insta::assert_snapshot!(expanded(&format!("{SCALE}{REFUSED}")));
}

/// What `GPU_GRAPH_EXPAND` prints of the only graph of the text, and its record.
fn dumped(text: &str) -> (String, Analysis) {
    let tokens: proc_macro2::TokenStream = text.parse().expect("the test's text is made of tokens");
    let mut cx = Cx::default();
    let items = crate::parse::items(tokens, &mut cx.sites, &mut cx.errors);
    let kernels: Vec<KernelDecl<'_>> = crate::lower::kernels(&items.kernels, &mut cx);
    let proved: Option<Vec<(Lowered<'_>, Analysis)>> =
        crate::proved(&items.graphs[0], &Decls::new(&kernels, &[]), &mut cx);
    let proved = proved.expect("the test's graph is right");
    let (graph, found) = proved.into_iter().next().expect("it has one combination");
    let dump = Dump {
        graph: &graph,
        kernels: &kernels,
        found: &found,
    };
    (dump.to_string(), found)
}

#[test]
fn the_tables_of_a_graph_can_be_read() {
    insta::assert_snapshot!(dumped(&format!("{SCALE}{BANDS}")).0);
}

#[test]
fn the_tables_of_what_is_made_again_say_of_what() {
    let again = "
        kernel spread(x: &[f32; n]) -> [f32; 16 * n] { host host::spread }
        kernel last(x: &[f32; n], y: &[f32; n]) -> [f32; n] { host host::last }

        graph Again {
            dim n in 64..=256;
            minimize peak;
            input x: [f32; n];
            recompute let t: [f32; 16 * n] = spread(&x);
            let a: [f32; n] = scale(&t[..n], 1.0);
            let b: [f32; 16 * n] = spread(&a);
            let c: [f32; 16 * n] = scale(&b, 1.0);
            let d: [f32; n] = scale(&c[..n], 1.0);
            output y: [f32; n] = last(&t[..n], &d);
        }
    ";
    let (text, _) = dumped(&format!("{SCALE}{again}"));
    let made =
        "`t = spread again`, after 0\n      does again what task 1 does\n      kernel spread";
    assert!(text.contains(made), "{text}");
}

#[test]
fn the_tables_of_what_moves_and_is_kept_can_be_read() {
    let kept = "
        callback fill(with: f32) -> [f32; n] { host host::fill }
        opaque reduce(x: &[f32; n]) -> [f32; n] { host lib::reduce, retains x }

        graph Kept {
            dim n in 2..=64;
            staging s: [f32; n] = fill(2.0);
            let x: [f32; n] = upload(&s);
            view head = &x[..n / 2];
            'reduce: let y: [f32; n / 2] = reduce(&head) retains head until 'wait;
            'wait: let z: [f32; n / 2] = scale(&y, 1.0);
            escape y as p owned by run;
            stable address z;
            output o: [f32; n / 2] = scale(&z, 3.0);
        }";
    insta::assert_snapshot!(dumped(&format!("{SCALE}{kept}")).0);
}

#[test]
fn a_record_names_every_task_once() {
    let (_, found) = dumped(&format!(
        "{SCALE} graph Same {{
            dim n in 2..=8;
            input x: [f32; n];
            output y: [f32; n];
            y[..n / 2] = scale(&x[..n / 2], 1.0);
            y[n / 2..] = scale(&x[n / 2..], 1.0);
            output z: [f32; n];
            z[..1] = scale(&x[..1], 1.0);
            z[1..] = scale(&x[1..], 1.0);
            z[..1] = scale(&y[..1], 1.0);
        }}"
    ));
    let names = [
        "upload x",
        "y[0..n / 2] = scale",
        "y[n / 2..n] = scale",
        "z[0..1] = scale",
        "z[1..n] = scale",
        "z[0..1] = scale #2",
    ];
    assert_eq!(found.record.tasks, names);
}
