use super::{kernel, parse, show, statements};

#[test]
fn a_kernel_has_parameters_a_result_and_clauses_in_any_order() {
    let source = r##"
        /// Blurs.
        #[allow(dead_code)]
        pub(crate) kernel blur(src: &[f32; h, w], acc: &mut [u64; 2 * n + 1], sigma: f32,) -> [i8; h] {
            host kernels::blur,
            shared 16 KiB,
            over [h, w / 2,] block [8, 32],
            in place src host crate::kernels::blur_in_place::<f32>,
            cuda r#"extern "C" { }"#,
        }"##;
    let shown = "@doc @allow pub (crate) blur(src: &[f32; h, w], acc: &mut [u64; ((2 * n) + 1)], \
                 sigma: f32) -> [i8; h]
over h, (w / 2) block 8, 32
text extern \"C\" { }
host kernels::blur
in place src crate::kernels::blur_in_place::<f32>
shared 16384";
    assert_eq!(kernel(source), shown);
}

#[test]
fn a_kernel_may_have_next_to_nothing() {
    assert_eq!(kernel("kernel f() {}"), "f()");
    assert_eq!(
        kernel("kernel f(a: u8) { cuda \"k/f.cu\" }"),
        "f(a: u8)\nfile k/f.cu"
    );
    assert_eq!(kernel("pub kernel f() { over [n] }"), "pub f()\nover n");
    assert_eq!(kernel("kernel f() { shared 48 }"), "f()\nshared 48");
}

#[test]
fn cuda_text_is_raw_and_a_path_is_plain() {
    assert_eq!(kernel(r##"kernel f() { cuda r"a;" }"##), "f()\ntext a;");
    assert_eq!(kernel(r#"kernel f() { cuda "a.cu" }"#), "f()\nfile a.cu");
    let include = r###"kernel f() { cuda r##"#include "a.cuh""## }"###;
    assert_eq!(kernel(include), "f()\ntext #include \"a.cuh\"");
}

#[test]
fn dims_are_bounded_in_both_notations() {
    assert_eq!(statements("dim h in 16..=8192;"), "dim h 16..=8192");
    assert_eq!(statements("/// Rows.\n dim h in 1..9;"), "@doc dim h 1..9");
    assert_eq!(statements("dim h in 0..0;"), "dim h 0..0");
}

#[test]
fn a_missing_bound_is_left_to_the_analysis() {
    assert_eq!(statements("dim h;"), "dim h ..");
    assert_eq!(statements("dim h in 1..;"), "dim h 1..");
    assert_eq!(statements("dim h in ..=1_000;"), "dim h ..=1000");
}

#[test]
fn settings_hold_amounts() {
    assert_eq!(statements("budget 2 GiB;"), "budget 2147483648");
    assert_eq!(statements("budget 1_000 B;"), "budget 1000");
    assert_eq!(
        statements("pipelined 2; streams 4;"),
        "pipelined 2\nstreams 4"
    );
}

#[test]
fn resources_are_filled_at_once_or_later() {
    let source = "
        input x: [f32; h, w]; scalar s: f32;
        let a: [f32; h, w];
        'blur: let b: [f32; h] = k::blur(&x, s);
        #[doc = \"last\"] output y: [u8; 4] = ::outer::f();
        a[..h / 2] = f(&x);
        'lower: a[h / 2..] = f(&mut x);
        a = f();
        'all: f(&a[1..h - 1], &mut b[..]);
        self::f();";
    let shown = "scalar s f32
input x: [f32; h, w]
let a: [f32; h, w]
'blur: let b: [f32; h] = k::blur(&x, s)
@doc output y: [u8; 4] = ::outer::f()
a[..(h / 2)] = f(&x)
'lower: a[(h / 2)..] = f(&mut x)
a = f()
'all: f(&a[1..(h - 1)], &mut b[..])
self::f()";
    assert_eq!(statements(source), shown);
}

#[test]
fn demands_name_tasks_and_resources() {
    let source = "order 'a -> 'b; order 'a -> 'b -> 'c; alias y with x; separate x, y;";
    assert_eq!(
        statements(source),
        "order 'a, 'b\norder 'a, 'b, 'c\nalias y x\nseparate x y"
    );
}

#[test]
fn a_lone_number_is_a_literal_and_more_is_an_extent() {
    let args = |source: &str| statements(&format!("f({source});"));
    assert_eq!(
        args("1, 1.5, -2i32, 1f32, 3_u8, 1f16, -2.5bf16,"),
        "f(#1, #1.5f, #-2i32, #1f32f, #3u8, #1f16f, #-2.5bf16f)"
    );
    assert_eq!(args("-1.5e-3f64, 0x1F, 1."), "f(#-1.5e-3f64f, #31, #1.f)");
    assert_eq!(
        args("h, h + 1, 2 * h, -h, (1)"),
        "f(h, (h + 1), (2 * h), (-h), 1)"
    );
    assert_eq!(args("18446744073709551615"), "f(#18446744073709551615)");
}

#[test]
fn extents_follow_the_precedence_of_rust() {
    let extent = |source: &str| statements(&format!("input x: [f32; {source}];"));
    let shown = |text: &str| format!("input x: [f32; {text}]");
    assert_eq!(
        extent("a + b * c - d / 2"),
        shown("((a + (b * c)) - (d / 2))")
    );
    assert_eq!(
        extent("a - b - c, (a - (b - c))"),
        shown("((a - b) - c), (a - (b - c))")
    );
    assert_eq!(extent("a / 2 * 3"), shown("((a / 2) * 3)"));
    assert_eq!(extent("-a * -2 - -b"), shown("(((-a) * (-2)) - (-b))"));
}

#[test]
fn words_of_the_language_are_names_where_no_word_can_stand() {
    let source = "
        input input: [f32; dim]; let alias: [f32; dim] = order(&input);
        alias = scope(&input); budget(&alias); state::f(&mut input); output[..1] = let_(&input);";
    let shown = "input input: [f32; dim]
let alias: [f32; dim] = order(&input)
alias = scope(&input)
budget(&alias)
state::f(&mut input)
output[..1] = let_(&input)";
    assert_eq!(statements(source), shown);
}

#[test]
fn items_come_in_any_number_and_order() {
    let parsed = parse("graph A {} kernel f() {} /// B.\n pub graph B {} kernel g() {}");
    assert!(parsed.faults.is_empty());
    assert_eq!(parsed.items.graphs.len(), 2);
    assert_eq!(parsed.items.kernels.len(), 2);
    assert!(parsed.items.graphs[1].attrs[0].is_doc());
    assert!(parse("").faults.is_empty());
}

#[test]
fn attributes_are_kept_as_written() {
    let parsed = parse("#[doc = include_str!(\"a.md\")] graph A {}");
    let attr = &parsed.items.graphs[0].attrs[0];
    let text = quote::ToTokens::to_token_stream(attr).to_string();
    assert_eq!(text.replace(' ', ""), "#[doc=include_str!(\"a.md\")]");
}

#[test]
fn constants_stand_among_items_and_among_statements() {
    let parsed = parse("/// N.\n pub const N: usize = 2 * (M + 1); const M: i8 = -3; graph G {}");
    assert!(parsed.faults.is_empty());
    let shown: Vec<_> = parsed.items.consts.iter().map(show::item_const).collect();
    let expected = [
        "pub @doc const N: usize = (2 * (M + 1))",
        "const M: i8 = (-3)",
    ];
    assert_eq!(shown, expected);
    assert_eq!(
        statements("const HALF: u64 = N / 2; dim h in HALF..=4 * HALF;"),
        "dim h HALF..=(4 * HALF)\nconst HALF: u64 = (N / 2)"
    );
}

#[test]
fn loops_hold_statements_and_loops() {
    let source = "
        for l in 0..LAYERS {
            const M: usize = l + 1;
            for m in M..=2 * M { 'a: let t: [f32; n] = f(&x[l..m]); order 'a -> 'b; }
            alias x with t; separate x, y;
            x = f(&t, l);
        }
        g(&x);";
    let shown = "for l in 0..LAYERS { const M: usize = (l + 1); for m in M..=(2 * M) { 'a: let t: [f32; n] = f(&x[l..m]); order 'a, 'b }; x = f(&t, l); alias x t; separate x y }
g(&x)";
    assert_eq!(statements(source), shown);
    assert_eq!(statements("for l in 0..0 {}"), "for l in 0..0 {  }");
}

#[test]
fn a_match_gives_the_value_that_each_arm_ends_with() {
    let text = "
        output y: [f32; n] = match mode {
            prefill => f(&x),
            decode => {
                let t: [f32; n] = g(&x);
                match other { a => { 'a: f(&t) } _ => g(&t) }
            }
        };
        y[..h] = match mode { prefill => f(&x) };
        match mode { prefill => f(&mut x), decode => y = f(&x), }
    ";
    let meant = "\
output y: [f32; n]
match mode { prefill => { y = f(&x) } decode => { let t: [f32; n] = g(&x); match other { a => { 'a: y = f(&t) } _ => { y = g(&t) } } } }
match mode { prefill => { y[..h] = f(&x) } }
match mode { prefill => { f(&mut x) } decode => { y = f(&x) } }";
    assert_eq!(statements(text), meant);
}

#[test]
fn a_match_has_arms_with_commas_or_without() {
    let source = "
        /// Which.
        variant mode { prefill, /** Next. */ decode, }
        match mode {
            prefill => { const M: usize = 1; x = f(&t, M); }
            decode => { match other { _ => { for l in 0..2 { f(&x); } } } },
            _ => {}
        }
        g(&x);";
    let shown = "@doc variant mode { prefill, @doc decode }
match mode { prefill => { const M: usize = 1; x = f(&t, M) } decode => { match other { _ => { for l in 0..2 { f(&x) } } } } _ => {  } }
g(&x)";
    assert_eq!(statements(source), shown);
    assert_eq!(statements("match m {}"), "match m {  }");
}

#[test]
fn a_stage_may_end_with_a_call_that_makes_its_result() {
    let stage = |source: &str| {
        let parsed = parse(source);
        assert!(parsed.faults.is_empty(), "{source}: {:?}", parsed.faults);
        show::stage(&parsed.items.stages[0])
    };
    let source = "
        /// A layer.
        stage layer(x: &mut [f32; n], w: &[f32; m, n], eps: f32,) -> [f32; n] {
            let t: [f32; m] = a(&w, &x);
            'last: b(&t, eps)
        }";
    let shown = "stage layer(x: &mut [f32; n], w: &[f32; m, n], eps: f32) -> [f32; n]
let t: [f32; m] = a(&w, &x)
'last: b(&t, eps) !";
    assert_eq!(stage(source), shown);
    assert_eq!(stage("stage f() {}"), "stage f()\n");
    assert_eq!(stage("stage f() { g(); }"), "stage f()\ng()");
    assert_eq!(stage("stage f() { g() }"), "stage f()\ng() !");
}

#[test]
fn a_workspace_has_a_size_and_words_in_any_order() {
    for (text, shown) in [
        ("w: bytes(4 * n);", "w: [u8; (4 * n)] Dead Exclusive"),
        ("w: [f32; n] per_task;", "w: [f32; n] Dead PerTask"),
        (
            "w: [f32; n] exclusive zeroed;",
            "w: [f32; n] Zeroed Exclusive",
        ),
        ("w: bytes(n) preserved;", "w: [u8; n] Preserved Exclusive"),
        (
            "w: bytes(unknown + n);",
            "w: [u8; (unknown + n)] Dead Exclusive",
        ),
        ("w: bytes(unknown) zeroed;", "w: [u8; ] Zeroed Exclusive"),
        (
            "w: bytes(n) in domain a zeroed;",
            "w: [u8; n] Zeroed Exclusive in a",
        ),
    ] {
        let text = format!("workspace {text}");
        assert_eq!(statements(&text), format!("workspace {shown}"));
    }
    assert_eq!(
        kernel("kernel f(x: &mut [u8; n]) { zeroed x, host f }"),
        "f(x: &mut [u8; n])\nhost f\nzeroed x"
    );
}

#[test]
fn callbacks_and_opaque_kernels_have_clauses_of_their_own() {
    assert_eq!(
        kernel("pub callback c(x: &[u8; n]) -> [u8; n] { host k::c }"),
        "pub callback c(x: &[u8; n]) -> [u8; n]\nhost k::c"
    );
    assert_eq!(
        kernel(
            "opaque o(x: &[u8; n], y: &[u8; n]) { retains y, host k::o, completion unknown, retains x }"
        ),
        "opaque o(x: &[u8; n], y: &[u8; n])\nhost k::o\nretains y\nretains x\ncompletion unknown"
    );
}

#[test]
fn any_resource_may_be_in_a_domain() {
    assert_eq!(
        statements("input x: [u8; n] in domain a; let y: [u8; n] in domain b = f(&x);"),
        "input x: [u8; n] in a\nlet y: [u8; n] in b = f(&x)"
    );
}

#[test]
fn an_input_may_be_the_own_copy_of_a_graph() {
    let text = "input mut x: [u8; n] in domain a";
    let shown = "input mut x: [u8; n] in a";
    assert_eq!(statements(&format!("{text};")), shown);
    // As everywhere, what is called like a word is a name.
    assert_eq!(statements("input input: [u8; n];"), "input input: [u8; n]");
}

#[test]
fn a_graph_declares_what_it_is_for() {
    let text = "profile \"a.json\"; scope \"one frame\"; target throughput; issue graph; tolerance y: 1e-5; \
                tolerance z: 0; scalar by: f32 finite;";
    let shown = "scalar by f32 finite\nprofile a.json\nscope one frame\ntarget throughput\nissue graph\ntolerance y 1e-5\n\
                 tolerance z 0";
    assert_eq!(statements(text), shown);
    assert_eq!(kernel("kernel f() { cost 12 us }"), "f()\ncost 12000");
    let most = kernel("kernel f() { cost 100000000 ms }");
    assert_eq!(most, "f()\ncost 100000000000000");
    let formula = kernel("kernel f(x: &[f32; n]) -> [f32; n] = x + 1f32, cost 3 ms;");
    assert!(formula.ends_with("cost 3000000"), "{formula}");
}

#[test]
fn a_graph_says_what_counts() {
    let text = "minimize peak, then critical_path, then launches, then added_edges;";
    assert_eq!(statements(text), &text[..text.len() - 1]);
    assert_eq!(
        statements("minimize 0.5 / KiB*peak + 2/us * critical_path + 3 * launches;"),
        "minimize 0.5 / KiB * peak (0.5 per 1024) + 2 / us * critical_path (2 per 1000) + \
         3 * launches (3 per 1)"
    );
}

#[test]
fn what_moves_and_what_stays_is_said_in_statements() {
    let source = "
        staging s: [u8; n] ring 2 = download(&x);
        staging t: [u8; n];
        view v = &x[1..];
        view w = &x[..h / 2] as [u8; h / 2 * n];
        f(&mut v as [u8; 1, n - 1], &w as [u8; n]);
        f(&mut v[1..] as [u8; n, 2][n / 2..], &w as [u8; n][..1]);
        'o: o(&v, &s) retains v until 'p, s until 'q;
        escape x as p owned by run;
        escape y as q;
        stable address x;";
    let shown = "staging s: [u8; n] ring 2 = download(&x)
staging t: [u8; n]
view v = x[1..]
view w = x[..(h / 2)] as [u8; ((h / 2) * n)]
f(&mut v as [u8; 1, (n - 1)], &w as [u8; n])
f(&mut v[1..] as [u8; n, 2][(n / 2)..], &w as [u8; n][..1])
'o: o(&v, &s) retains v until 'p, s until 'q
escape x as p owned by run
escape y as q
stable address x";
    assert_eq!(statements(source), shown);
}

#[test]
fn words_of_statements_are_names_where_a_call_or_a_place_stands() {
    let source = "view = f(&x); escape(&x); stable[..2] = upload(&staging); opaque = callback(&x);";
    let shown = "view = f(&x)
escape(&x)
stable[..2] = upload(&staging)
opaque = callback(&x)";
    assert_eq!(statements(source), shown);
}
