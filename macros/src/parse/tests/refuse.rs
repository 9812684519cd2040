use gpu_graph_analysis::fault::{GRAPH_ONLY, NOT_YET, REPEATED, SYNTAX};

use super::{only, parse};

/// Each statement, alone in a graph, has one fault: at that text, with that message.
#[track_caller]
fn statement(source: &str, at: &str, message: &str) {
    let (text, said, fault) = only(&format!("graph G {{ {source} }}"));
    assert_eq!((&*text, &*said), (at, message), "{source}");
    assert_eq!(fault.code, SYNTAX);
}

/// The same for the clauses of a kernel.
#[track_caller]
fn clause(source: &str, at: &str, message: &str) {
    let (text, said, _) = only(&format!("kernel f(x: &[f32; n]) {{ {source} }}"));
    assert_eq!((&*text, &*said), (at, message), "{source}");
}

#[track_caller]
fn item(source: &str, at: &str, message: &str) {
    let (text, said, _) = only(source);
    assert_eq!((&*text, &*said), (at, message), "{source}");
}

#[test]
fn items() {
    item("fn f() {}", "fn", "unknown item `fn`");
    item("kernal f() {}", "kernal", "unknown item `kernal`");
    // Without a compiler, the end of the text is the last character of its last token.
    item(
        "kernel",
        "l",
        "expected the name of a kernel, found the end",
    );
    item("kernel f", "f", "expected `(`, found the end");
    item(
        "kernel f() -> f32 {}",
        "f32",
        "expected a tensor type, as in `[f32; h, w]`, found `f32`",
    );
    item("kernel f();", ";", "expected `{`, found `;`");
    item("kernel f<T>() {}", "<", "expected `(`, found `<`");
    item(
        "kernel fn() {}",
        "fn",
        "expected the name of a kernel, found `fn`",
    );
    item("graph { }", "{", "expected the name of a graph, found `{`");
    item("graph G ;", ";", "expected `{`, found `;`");
    item(
        "5 graph G {}",
        "5",
        "expected `const`, `kernel`, `callback`, `collective`, `opaque`, `stage` or `graph`, found `5`",
    );
    item(
        "#![a] graph G {}",
        "#!",
        "an inner attribute has nothing to stand in",
    );
    item("#[] graph G {}", "#[]", "expected the name of an attribute");
    item(
        "# graph G {}",
        "graph",
        "expected `[` of an attribute, found `graph`",
    );
}

#[test]
fn a_misspelt_word_is_corrected() {
    let (.., fault) = only("kernal f() {}");
    assert_eq!(fault.help.as_deref(), Some("did you mean `kernel`?"));
    let (.., fault) = only("graph G { bugdet 2 GiB; }");
    assert_eq!(fault.help.as_deref(), Some("did you mean `budget`?"));
    let (.., fault) = only("kernel f() { hots k::f }");
    assert_eq!(fault.help.as_deref(), Some("did you mean `host`?"));
    let (.., fault) = only("fn f() {}");
    assert_eq!(fault.help.as_deref(), Some("did you mean `kernel`?"));
    let (.., fault) = only("graph G { in x: [f32; 4]; }");
    assert_eq!(fault.help.as_deref(), Some("did you mean `input`?"));
    let (.., fault) = only("graph G { out x: [f32; 4]; }");
    assert_eq!(fault.help.as_deref(), Some("did you mean `output`?"));
    let (.., fault) = only("graph G { budget 2 GB; }");
    assert_eq!(fault.help.as_deref(), Some("did you mean `GiB`?"));
    let (.., fault) = only("graph G { scalar x: f23; }");
    assert_eq!(fault.help.as_deref(), Some("did you mean `f32`?"));
}

#[test]
fn a_unit_stands_behind_a_space() {
    for (source, help) in [
        ("graph G { budget 8MiB; }", "write `8 MiB`"),
        ("kernel f() { host k::f, cost 10us }", "write `10 us`"),
        ("kernel f() { host k::f, shared 16kib }", "write `16 KiB`"),
    ] {
        let (.., fault) = only(source);
        assert_eq!(fault.message, "a unit stands behind a space");
        assert_eq!(fault.help.as_deref(), Some(help));
    }
    let (text, message, fault) = only("kernel f() { host k::f, cost 10h }");
    assert_eq!((&*text, &*message), ("10h", "`h` is no unit here"));
    assert_eq!(fault.help, None);
}

#[test]
fn a_comma_too_many_or_too_few_is_what_is_said() {
    let (text, message, fault) = only("kernel f(x: &[f32; n]) -> [f32; n] = x * x cost 10 us;");
    let expected = "expected `,` or `;`, found `cost`";
    assert_eq!((&*text, &*message), ("cost", expected));
    assert_eq!(fault.help.as_deref(), Some("write `,` before it"));
    let (text, message, fault) = only("kernel f() { over [n], block [8], host k::f }");
    assert_eq!((&*text, &*message), (",", "no comma stands before `block`"));
    assert_eq!(fault.help.as_deref(), Some("drop the comma"));
}

#[test]
fn an_input_has_no_reference_and_a_resource_without_a_type_no_dim() {
    let (text, _, fault) = only("graph G { input x: &mut [f32; 4]; }");
    assert_eq!(text, "&");
    assert_eq!(fault.help.as_deref(), Some("drop the `&mut`"));
    let (.., fault) = only("graph G { let y = f(&x); }");
    let help = "write its type behind `y`, as in `y: [f32; 64]`";
    assert_eq!(fault.help.as_deref(), Some(help));
}

#[test]
fn parameters() {
    let parameter = |source: &str, at: &str, message: &str| {
        item(&format!("kernel f({source}) {{}}"), at, message);
    };
    parameter("x", ")", "expected `:`, found `)`");
    parameter("x: ", ")", "expected an element type, found `)`");
    parameter(
        "x: [f32; n]",
        "[",
        "expected `&`, `&mut` or a scalar type, found `[`",
    );
    parameter(
        "x: &f32",
        "f32",
        "expected a tensor type, as in `&[f32; h, w]`, found `f32`",
    );
    parameter("x: &[f32]", "]", "expected `;`, found `]`");
    parameter("x: &[f32;]", "]", "expected an extent, found `]`");
    parameter("x: &[f32; n m]", "m", "expected `,` or `]`, found `m`");
    parameter("x: &[f32; n, ,]", ",", "expected an extent, found `,`");
    parameter("x: &[usize; n]", "usize", "`usize` is not an element type");
    parameter("x: String", "String", "`String` is not an element type");
    parameter("x: f32 y: f32", "y", "expected `,` or `)`, found `y`");
    parameter("5: f32", "5", "expected the name of a parameter, found `5`");
    parameter(
        "match: f32",
        "match",
        "expected the name of a parameter, found `match`",
    );
}

#[test]
fn clauses() {
    clause(
        "over",
        "}",
        "expected an index space, as in `[h, w]`, found `}`",
    );
    clause("over []", "]", "expected an extent, found `]`");
    clause(
        "over [n] block 256",
        "256",
        "expected threads per axis, as in `[8, 32]`, found `256`",
    );
    clause(
        "over [n] block []",
        "]",
        "expected a number of threads, found `]`",
    );
    clause(
        "over [n] block [n]",
        "n",
        "expected a number of threads, found `n`",
    );
    clause(
        "over [n] block [-1]",
        "-",
        "expected a number of threads, found `-`",
    );
    clause(
        "over [n] blok [1]",
        "blok",
        "expected `,` or `}`, found `blok`",
    );
    clause("host", "}", "expected the path of a function, found `}`");
    clause("host f(x)", "f", "a function is named here, not called");
    clause(
        "host \"f\"",
        "\"f\"",
        "expected the path of a function, found `\"f\"`",
    );
    clause("in place host f", "f", "expected `host`, found `f`");
    clause("in place x f", "f", "expected `host`, found `f`");
    clause(
        "shared",
        "}",
        "expected a number of bytes, as in `16 KiB`, found `}`",
    );
    clause("shared 1 KB", "KB", "unknown unit `KB`");
    clause("host f; over [n]", ";", "expected `,` or `}`, found `;`");
    clause("5", "5", "expected a clause, found `5`");
    clause("block [3]", "block", "unknown clause `block`");
    clause(
        "cuda",
        "}",
        "expected a path in quotes, or text as in `r#\"…\"#`, found `}`",
    );
}

#[test]
fn cuda_text_and_path_are_not_mixed_up() {
    let text = "\"void f() { }\"";
    clause(
        &format!("cuda {text}"),
        text,
        "a plain string is a path, and this is CUDA text",
    );
    let path = "r\"kernels/f.cu\"";
    clause(
        &format!("cuda {path}"),
        path,
        "a raw string is CUDA text, and this is a path",
    );
    clause("cuda \"\"", "\"\"", "the path is empty");
}

#[test]
fn statements() {
    statement("5;", "5", "expected a statement, found `5`");
    statement("foo;", "foo", "unknown statement `foo`");
    statement("pub output x: [f32; n];", "pub", "unknown statement `pub`");
    statement("'a;", ";", "expected `:`, found `;`");
    statement("'a: ;", ";", "expected a statement, found `;`");
    statement(
        "'a: dim h in 1..=2;",
        "'a",
        "`dim` takes no label: it is no task",
    );
    statement("'a: let x: [f32; n];", "'a", "a label needs a task");
    statement(
        "/// x\norder 'a -> 'b;",
        "/// x",
        "`order` takes no attributes",
    );
}

#[test]
fn dims_and_settings() {
    statement("dim;", ";", "expected the name of a dim, found `;`");
    statement("dim h = 4;", "=", "expected `in`, found `=`");
    statement("dim h 1..=4;", "1", "expected `in`, found `1`");
    statement("dim h in 4;", ";", "expected `..=` or `..`, found `;`");
    statement(
        "dim h in 1...4;",
        "...",
        "expected `..=` or `..`, found `...`",
    );
    statement(
        "dim h in 1..='a;",
        "'a",
        "expected the largest value, found `'a`",
    );
    statement(
        "dim h in 'a..=4;",
        "'a",
        "expected a range, as in `16..=8192`, found `'a`",
    );
    statement(
        "dim h in 1u32..=4;",
        "1u32",
        "`u32` cannot stand behind a number here",
    );
    statement(
        "dim h in 1..=99999999999999999999;",
        "99999999999999999999",
        "this number is too large",
    );
    statement("budget 2;", "2", "`2` has no unit");
    statement(
        "budget 2 * 3;",
        "*",
        "expected `B`, `KiB`, `MiB` or `GiB`, found `*`",
    );
    statement("budget 2GiB;", "2GiB", "a unit stands behind a space");
    statement(
        "budget 1.5 GiB;",
        "1.5",
        "expected a number of bytes, as in `16 KiB`, found `1.5`",
    );
    statement(
        "budget 99999999999 GiB;",
        "99999999999 GiB",
        "this number of bytes is too large",
    );
    statement(
        "pipelined n;",
        "n",
        "expected a number of runs in flight, found `n`",
    );
    statement("streams;", ";", "expected a number of streams, found `;`");
}

#[test]
fn declarations() {
    statement("let x: [f32; n] == f();", "==", "expected `=`, found `==`");
    statement("x == f();", "==", "expected `=`, found `==`");
    statement("let x = f();", "=", "expected `:` and a type, found `=`");
    statement(
        "let mut x: [f32; n];",
        "mut",
        "expected the name of a resource, found `mut`",
    );
    statement(
        "let x: f32;",
        "f32",
        "expected a tensor type, as in `[f32; h, w]`, found `f32`",
    );
    statement(
        "output mut x: [f32; n];",
        "mut",
        "expected the name of a resource, found `mut`",
    );
    statement(
        "input mut mut x: [f32; n];",
        "mut",
        "expected the name of a resource, found `mut`",
    );
    statement(
        "input mut x: [f32; n] = f();",
        "=",
        "an input is filled by the caller",
    );
    statement(
        "input x: [f32; n] = f();",
        "=",
        "an input is filled by the caller",
    );
    statement(
        "scalar x: [f32; n];",
        "[",
        "expected a scalar type, as in `f32`, found `[`",
    );
    statement(
        "let x: [f32; n] = y;",
        ";",
        "expected `(` of a call, found `;`",
    );
    statement(
        "let x: [f32; n] = y + f();",
        "+",
        "expected `(` of a call, found `+`",
    );
    statement(
        "let x: [f32; n] = 5;",
        "5",
        "expected a call of a kernel, as in `blur(&x)`, found `5`",
    );
    statement(
        r#"let x: [f32; n] = f::<"u8">();"#,
        "\"u8\"",
        "expected a dim of the kernel, found `\"u8\"`",
    );
    statement("let x: [f32; n] f();", "f", "expected `;`, found `f`");
}

#[test]
fn calls_and_views() {
    statement("f(&);", ")", "expected the name of a resource, found `)`");
    statement("f(x y);", "y", "expected `,` or `)`, found `y`");
    statement("f(mut x);", "mut", "expected an argument, found `mut`");
    statement("f(*x);", "*", "expected an argument, found `*`");
    statement("f(&x.y);", ".", "expected `,` or `)`, found `.`");
    statement("f(&&x);", "&", "expected the name of a resource, found `&`");
    statement("f(g(x));", "g(x)", "a call cannot be an argument");
    statement("f(&a::g(x));", "a::g(x)", "a call cannot be an argument");
    statement("f(\"s\");", "\"s\"", "expected an argument, found `\"s\"`");
    statement("f('c');", "'c'", "expected an argument, found `'c'`");
    statement("f(1 + );", "+", "expected an extent behind this");
    statement("let y: [f32; n *];", "*", "expected an extent behind this");
    statement(
        "f(1u32 + h);",
        "1u32",
        "`u32` cannot stand behind a number here",
    );
    statement("f(1usize);", "1usize", "`usize` is not an element type");
    statement(
        "f(99999999999999999999);",
        "99999999999999999999",
        "this number is too large",
    );
    statement("f((h + 1 2));", "2", "unexpected `2`");
    statement(
        "f(&x[]);",
        "]",
        "expected a range of rows `a..b`, found `]`",
    );
    statement("f(&x[3]);", "3", "a view is a range of rows `a..b`");
    statement("f(&x[a..=b]);", "..=", "a range of rows is half-open");
    statement("f(&x[a..b..c]);", "..", "unexpected `..`");
    statement("f(&x[a b]);", "b", "expected `..`, found `b`");
    statement("x += f();", "+=", "expected `(` or `=`, found `+=`");
    statement("x.y = f();", ".", "expected `(` or `=`, found `.`");
    statement(
        "budget -1 GiB;",
        "-",
        "expected a number of bytes, as in `16 KiB`, found `-`",
    );
    statement("x[1..2] + f();", "+", "expected `=`, found `+`");
    statement("x[1..2];", ";", "expected `=`, found `;`");
    let shape = "expected a tensor type, as in `[f32; h, w]`, found";
    statement("f(&x as f32);", "f32", &format!("{shape} `f32`"));
    statement("f(&x as);", ")", &format!("{shape} `)`"));
    statement(
        "f(&x as [f32; n][1..][1..]);",
        "[",
        "expected `,` or `)`, found `[`",
    );
    statement(
        "f(&x as [f32; n][1]);",
        "1",
        "a view is a range of rows `a..b`",
    );
    statement(
        "f(&x as [f32; n] as [f32; n]);",
        "as",
        "expected `,` or `)`, found `as`",
    );
    statement("f(&x as [f32]);", "]", "expected `;`, found `]`");
    statement("x as [f32; n] = f();", "as", "a place keeps its own shape");
    statement(
        "x[1..] as [f32; n] = f();",
        "as",
        "a place keeps its own shape",
    );
    statement("f()", ")", "expected `;` behind this");
    statement("f::();", "(", "expected a segment of a path, found `(`");
}

#[test]
fn demands() {
    statement("order 'a;", ";", "expected `->`, found `;`");
    statement(
        "order a -> b;",
        "a",
        "expected the label of a task, found `a`",
    );
    statement(
        "order 'a -> ;",
        ";",
        "expected the label of a task, found `;`",
    );
    statement(
        "recompute output y: [f32; n] = f();",
        "output",
        "expected `let`, or the name of a `recompute let`, found `output`",
    );
    statement(
        "recompute t;",
        ";",
        "expected `before`, as in `recompute t before 'task`, found `;`",
    );
    statement("alias x y;", "y", "expected `with`, found `y`");
    statement(
        "alias x with;",
        ";",
        "expected the name of a resource, found `;`",
    );
    statement("separate x y;", "y", "expected `,`, found `y`");
    statement("separate x, y, z;", ",", "expected `;`, found `,`");
}

#[test]
fn a_second_clause_or_setting_points_to_the_first() {
    for source in [
        "kernel f() { host a, host b }",
        "kernel f() { over [n], over [n] }",
        "kernel f() { shared 1, shared 2 }",
        "kernel f() { cuda \"a\", cuda \"a\" }",
        "kernel f() { in place x host a, in place x host b }",
        "graph G { budget 1 GiB; budget 2 GiB; }",
        "graph G { minimize peak; minimize launches; }",
        "graph G { minimize peak, then launches, then peak; }",
        "graph G { minimize 2 / GiB * peak + 1 / B * peak; }",
        "graph G { pipelined 1; pipelined 2; }",
        "graph G { streams 1; streams 2; }",
    ] {
        let (.., fault) = only(source);
        assert_eq!((fault.code, fault.labels.len()), (REPEATED, 1), "{source}");
    }
}

#[test]
fn what_is_not_built_is_refused_by_name() {
    let named = |source: &str, at: &str| {
        let (text, said, fault) = only(source);
        assert_eq!(text, at, "{source}");
        assert_eq!(said, format!("`{at}` is not part of the language yet"));
        assert_eq!(fault.code, NOT_YET);
    };
    for (statement, word) in [
        ("state KvCache;", "state"),
        ("let x: [bool; n];", "bool"),
        ("scalar x: bool;", "bool"),
        ("f(true);", "true"),
    ] {
        let source = format!("graph G {{ {statement} }}");
        named(&source, word);
    }
    named(
        "state KvCache { entry k: [f16; layers, kv_dim]; } graph G {}",
        "state",
    );
    let (text, _, fault) = only("graph G { f(&x[a..b, c..d]); }");
    assert_eq!((&*text, fault.code), (",", NOT_YET));
}

#[test]
fn an_extent_that_is_too_deep_is_refused() {
    let deep = format!(
        "graph G {{ input x: [f32; {}1{}]; }}",
        "(".repeat(300),
        ")".repeat(300)
    );
    assert_eq!(parse(&deep).faults[0].0.message, "this extent is too long");
    let long = format!("graph G {{ input x: [f32; n{}]; }}", " + n".repeat(100_000));
    assert_eq!(parse(&long).faults[0].0.message, "this extent is too long");
    let signs = format!("graph G {{ input x: [f32; {}n]; }}", "- ".repeat(100_000));
    assert_eq!(parse(&signs).faults[0].0.message, "this extent is too long");
    let fits = format!("graph G {{ input x: [f32; n{}]; }}", " + n".repeat(90));
    assert!(parse(&fits).faults.is_empty());
}

#[test]
fn constants() {
    item("const N = 4;", "=", "expected `:`, found `=`");
    item(
        "const N: f32 = 4;",
        "f32",
        "expected an integer type, as in `usize`, found `f32`",
    );
    item("const N: usize;", ";", "expected `=`, found `;`");
    item(
        "const N: usize = 4 graph G {}",
        "4",
        "expected `;` behind this",
    );
    item(
        "const N: usize = \"a\";",
        "\"a\"",
        "expected an integer, found `\"a\"`",
    );
    statement("const N: usize = ;", ";", "expected an integer, found `;`");
    statement(
        "'a: const N: usize = 1;",
        "'a",
        "`const` takes no label: it is no task",
    );
}

#[test]
fn loops() {
    statement(
        "for in 0..4 {}",
        "in",
        "expected a loop variable, found `in`",
    );
    statement(
        "for _ in 0..4 {}",
        "_",
        "expected a loop variable, found `_`",
    );
    statement("for l of 0..4 {}", "of", "expected `in`, found `of`");
    statement(
        "for l in {}",
        "{",
        "expected a range, as in `0..4`, found `{`",
    );
    statement("for l in 4 {}", "{", "expected `..` or `..=`, found `{`");
    statement(
        "for l in 0.. {}",
        "{",
        "expected the end of the range, found `{`",
    );
    statement(
        "for l in 0...4 {}",
        ".",
        "expected the end of the range, found `.`",
    );
    statement("for l in 0..4;", ";", "expected `{` of a loop, found `;`");
    statement(
        "'a: for l in 0..4 {}",
        "'a",
        "`for` takes no label: it is no task",
    );
    statement("for l in 0..4 { f() }", ")", "expected `;` behind this");
    let deep = format!(
        "graph G {{ {}{} }}",
        "for l in 0..1 {".repeat(40),
        "}".repeat(40)
    );
    assert_eq!(parse(&deep).faults[0].0.message, "these loops are too deep");
}

#[test]
fn variants() {
    statement(
        "let x: [f32; n] = match m { a => {} };",
        "}",
        "the arm ends without its value",
    );
    statement(
        "x = match m { a => y = f() };",
        ")",
        "the arm ends without its value",
    );
    statement(
        "'a: x = match m { a => f() };",
        "'a",
        "`match` takes no label: it is no task",
    );
    statement(
        "match m { a => x = match m { a => f() } }",
        "x",
        "the arm needs braces",
    );
    statement(
        "match m { a => f() b => g() }",
        ")",
        "expected `,` behind this",
    );
    statement(
        "variant { a, b }",
        "{",
        "expected the name of a variant, found `{`",
    );
    statement("variant m;", ";", "expected `{` of a variant, found `;`");
    statement("variant m {}", "m", "the variant `m` has no values");
    statement("variant m { a b }", "b", "expected `,` or `}`, found `b`");
    statement(
        "variant m { 1 }",
        "1",
        "expected the name of a value, found `1`",
    );
    statement(
        "'a: variant m { a }",
        "'a",
        "`variant` takes no label: it is no task",
    );
    statement("match { a => {} }", "{", "expected a variant, found `{`");
    statement(
        "match m a => {}",
        "a",
        "expected `{` of a `match`, found `a`",
    );
    statement("match m { a {} }", "{", "expected `=>`, found `{`");
    statement("match m { a => ; }", ";", "expected a statement, found `;`");
    statement(
        "match m { 1 => {} }",
        "1",
        "expected a value of the variant, or `_`, found `1`",
    );
    statement("match m { a => { f() } }", ")", "expected `;` behind this");
    statement(
        "'a: match m { a => {} }",
        "'a",
        "`match` takes no label: it is no task",
    );
    let deep = format!(
        "graph G {{ {}{} }}",
        "match m { a => {".repeat(40),
        "} }".repeat(40)
    );
    assert_eq!(parse(&deep).faults[0].0.message, "this `match` is too deep");
}

#[test]
fn stages() {
    item(
        "stage () {}",
        "(",
        "expected the name of a stage, found `(`",
    );
    item("stage f {}", "{", "expected `(`, found `{`");
    item("stage f();", ";", "expected `{` of a stage, found `;`");
    item("pub stage f() {}", "pub", "a stage takes no visibility");
    item(
        "#[inline] stage f() {}",
        "#[inline]",
        "a statement takes no attributes but documentation",
    );
    item(
        "stage f() { g() let x: [f32; n]; }",
        "let",
        "expected `;`, found `let`",
    );
    item("stage f() { x = g() }", ")", "expected `;` behind this");
}

#[test]
fn what_is_said_of_a_graph_stands_in_no_other_block() {
    for word in [
        "dim h in 1..=2",
        "input x: [f32; n]",
        "scalar s: f32",
        "output y: [f32; n]",
    ]
    .into_iter()
    .chain(["budget 1 GiB", "pipelined 2", "streams 2"])
    {
        let first = word.split(' ').next().expect("it begins with a word");
        for (source, inside) in [
            (format!("stage f() {{ {word}; }}"), "a stage"),
            (
                format!("graph G {{ for l in 0..2 {{ {word}; }} }}"),
                "a loop",
            ),
            (
                format!("stage f() {{ for l in 0..2 {{ {word}; }} }}"),
                "a loop",
            ),
            (
                format!("graph G {{ match m {{ a => {{ {word}; }} }} }}"),
                "an arm",
            ),
        ] {
            let (text, said, fault) = only(&source);
            assert_eq!(text, first, "{source}");
            assert_eq!(said, format!("`{first}` stands inside {inside}"));
            assert_eq!(fault.code, GRAPH_ONLY);
        }
    }
}

#[test]
fn workspaces() {
    let size = "expected a size, as in `bytes(4 * n)`, or a tensor type, found `4`";
    statement("workspace w: 4;", "4", size);
    statement(
        "workspace w: bytes 4;",
        "4",
        "expected a number of bytes, as in `(4 * n)`, found `4`",
    );
    statement(
        "workspace w: bytes();",
        ")",
        "expected a number of bytes, found `)`",
    );
    statement(
        "workspace w: [u8; n] zeroed preserved;",
        "preserved",
        "`preserved` says a second time what its users find",
    );
    statement(
        "workspace w: [u8; n] per_task per_task;",
        "per_task",
        "`per_task` says a second time how its users go together",
    );
    statement(
        "workspace w: [u8; n] per_task preserved;",
        "per_task",
        "what is preserved is one storage for all its users",
    );
    statement(
        "workspace w: [u8; n] = f();",
        "=",
        "a workspace is room for tasks, and holds nothing between them",
    );
    statement("'a: workspace w: [u8; n];", "'a", "a label needs a task");
    statement(
        "let x: [u8; n] in a = f();",
        "a",
        "expected `domain`, found `a`",
    );
    clause(
        "zeroed 5",
        "5",
        "expected the parameter that has to be zero, found `5`",
    );
    let (text, _, fault) = only("kernel f(x: &mut [u8; n]) { zeroed x, zeroed x }");
    assert_eq!((&*text, fault.code), ("x", REPEATED));
}

#[test]
fn declarations_for_the_record() {
    statement(
        "scope batch;",
        "batch",
        "expected the workload in quotes, as in `\"one token\"`, found `batch`",
    );
    statement("scope \" \";", "\" \"", "the workload is one line of text");
    statement(
        "profile g.json;",
        "g",
        "expected the file of a profile in quotes, as in `\"g.profile.json\"`, found `g`",
    );
    statement("target letancy;", "letancy", "unknown target `letancy`");
    statement(
        "target 5;",
        "5",
        "expected `latency` or `throughput`, found `5`",
    );
    statement("issue grapf;", "grapf", "unknown issue `grapf`");
    statement("issue;", ";", "expected `streams` or `graph`, found `;`");
    statement(
        "tolerance 1e-3;",
        "1e-3",
        "expected the name of an output, found `1e-3`",
    );
    statement(
        "tolerance y: -1;",
        "-",
        "expected a tolerance, as in `1e-5`, found `-`",
    );
    statement("tolerance y: 1f32;", "1f32", "a tolerance has no suffix");
    statement(
        "scalar s: i32 finite;",
        "finite",
        "a value of `i32` is always finite",
    );
    clause("cost 12", "12", "`12` has no unit");
    clause("cost 12 s", "s", "unknown unit `s`");
    // The sum over all launches is exact.
    for cost in [
        "100000000000001 ns",
        "18446744073709551615 ns",
        "100000001 ms",
    ] {
        clause(&format!("cost {cost}"), cost, "this time is too long");
    }
    statement("profile \"\";", "\"\"", "the path is empty");
    statement(
        "issue graph streams;",
        "streams",
        "expected `;`, found `streams`",
    );
    clause(
        "cost us",
        "us",
        "expected a time, as in `12 us`, found `us`",
    );
    item(
        "kernel f(by: f32 finite) { host f }",
        "finite",
        "a parameter is not `finite`",
    );
    for source in [
        "graph G { scope \"a\"; scope \"a\"; }",
        "graph G { profile \"a\"; profile \"b\"; }",
        "graph G { target latency; target throughput; }",
        "graph G { issue graph; issue streams; }",
        "graph G { tolerance y: 1; tolerance y: 2; }",
        "kernel f() { cost 1 us, cost 2 us }",
    ] {
        let (.., fault) = only(source);
        assert_eq!((fault.code, fault.labels.len()), (REPEATED, 1), "{source}");
    }
}

#[test]
fn what_is_kept_says_by_whom_and_until_when() {
    for (source, at, message) in [
        (
            "graph G { f(&x) retains x until sync; }",
            "sync",
            "expected the label of a later task, found `sync`",
        ),
        (
            "graph G { f(&x) retains x; }",
            ";",
            "expected `until`, found `;`",
        ),
        (
            "graph G { escape x as p owned by me; }",
            "me",
            "expected `run`, `graph` or `unknown`, found `me`",
        ),
        (
            "graph G { view v = x[1..]; }",
            "x",
            "expected `&` of a view, as in `&x[a..b]`, found `x`",
        ),
        (
            "graph G { stable x; }",
            "x",
            "expected `address`, found `x`",
        ),
        (
            "callback f(x: &[u8; n]) { host k::f, cuda \"a.cu\" }",
            "cuda",
            "a callback has no `cuda` clause",
        ),
        (
            "kernel f(x: &[u8; n]) { host k::f, retains x }",
            "retains",
            "a kernel has no `retains` clause",
        ),
        (
            "opaque f(x: &[u8; n]) { host k::f, completion soon }",
            "soon",
            "expected `unknown`, found `soon`",
        ),
    ] {
        item(source, at, message);
    }
}

#[test]
fn what_stands_between_a_word_and_its_value_is_one_slip() {
    let right = |word: &str| format!("the value of `{word}` stands right behind the word");
    statement("streams = 2;", "=", &right("streams"));
    statement("budget = 1 MiB;", "=", &right("budget"));
    statement("profile = \"g.json\";", "=", &right("profile"));
    statement("minimize: peak, then launches;", ":", &right("minimize"));
    statement("minimize = peak, then launches;", "=", &right("minimize"));
    // A resource may be called so.
    assert!(
        parse("graph G { streams = f(&x); target = k::f(&x); }")
            .faults
            .is_empty()
    );
    let behind = "what a clause says stands right behind its word";
    clause("over: [n], cuda: \"f.cu\", host: f", ":", behind);
    clause("over [n], host: ::f", ":", behind);
    let (.., fault) = only("kernel f(x: &[f32; n]) { over [n] cuda \"f.cu\", host f }");
    assert_eq!(fault.help.as_deref(), Some("write `,` before it"));
    let (.., fault) = only("graph G { dim m: usize in 1..=4; }");
    assert_eq!(fault.help.as_deref(), Some("drop `: usize`"));
}

#[test]
fn items_stand_in_no_graph() {
    statement(
        "kernel f(x: &[f32; n]) -> [f32; n] = x;",
        "kernel",
        "`kernel` begins no statement",
    );
    statement("fn f(x: &[f32]) {}", "fn", "`fn` begins no statement");
    statement(
        "stage s() {} budget 1 MiB;",
        "stage",
        "`stage` begins no statement",
    );
    // A kernel may be called so, and a resource.
    assert!(
        parse("graph G { stage(&x); stage = f(&x); }")
            .faults
            .is_empty()
    );
}

#[test]
fn a_keyword_is_no_extent() {
    let (text, said, fault) = only("kernel f(x: &[f32; type]) { host f }");
    assert_eq!(
        (&*text, &*said),
        ("type", "expected an extent, found `type`")
    );
    assert_eq!(fault.notes, ["`type` is a keyword of Rust"]);
    assert_eq!(fault.help.as_deref(), Some("write `r#type`"));
    // Where it is used again, the same is meant.
    let (.., fault) = only(
        "kernel f(x: &[f32; type], y: &[f32; type]) -> [f32; type, 2] { over [type], host f }",
    );
    let all = Some("write `r#type` in each of 4 places");
    assert_eq!(
        (fault.help.as_deref(), fault.fixes[0].edits.len()),
        (all, 4)
    );
}

#[test]
fn a_repeated_setting_is_marked_without_its_semicolon() {
    let (text, _, fault) = only("graph G { streams 2; streams 3; }");
    assert_eq!((&*text, fault.code), ("streams 3", REPEATED));
}

#[test]
fn a_second_is_no_unit_of_a_weight() {
    let (text, _, fault) = only("graph G { minimize 1 / s * critical_path; }");
    assert_eq!(text, "s");
    assert_eq!(fault.notes, ["its units are `ns`, `us` and `ms`"]);
    assert_eq!(fault.help.as_deref(), Some("write `1e-3 / ms`"));
}
