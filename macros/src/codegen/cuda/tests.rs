//! Every CUDA text of the project is compiled: those of examples, tests and documents for each
//! architecture, with checks and without, and what expression kernels become for one of them each, in turn. With
//! `GPU_GRAPH_ARCHS=all` those are compiled for each, too.

use std::collections::BTreeMap;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use gpu_graph_runtime::driver::cuda::compile::{CompileError, Form, Options, image};
use gpu_graph_runtime::exec::{CudaCode, CudaSource, CudaText};
use proc_macro2::{TokenStream, TokenTree};

use crate::ast::Cuda;
use crate::lower::{self, Cx, KernelDecl};

const ARCHS: [(u32, u32); 3] = [(8, 0), (9, 0), (10, 0)];

/// Where texts are.
const FOLDERS: [&str; 7] = [
    "src",
    "examples",
    "benches",
    "tests",
    "runtime/tests",
    "ui-tests/pass",
    "docs",
];

/// What a text is, and the functions that it has to have.
struct Found {
    text: CudaText,
    functions: Vec<String>,
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// A text of the program's own.
fn kept(text: String) -> &'static str {
    Box::leak(text.into_boxed_str())
}

/// Files of a folder, and of those in it, with one of these endings.
fn files(folder: &Path, ends: &[&str], found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        let end = path.extension().and_then(|end| end.to_str());
        if path.is_dir() && !path.is_symlink() && !path.ends_with("target") {
            files(&path, ends, found);
        } else if end.is_some_and(|end| ends.contains(&end)) {
            found.push(path);
        }
    }
}

/// The pieces of a file that are Rust: all of it, or what its documents fence, but for what a page
/// shows refused.
fn pieces(path: &Path, text: &str) -> Vec<String> {
    let document = path.extension().is_some_and(|e| e == "md");
    let mut found = Vec::new();
    let mut fenced: Option<String> = None;
    let mut refused = false;
    for line in text.lines() {
        let line = match document {
            true => line,
            false => match line.trim_start().strip_prefix("//!") {
                Some(line) => line.strip_prefix(' ').unwrap_or(line),
                None => continue,
            },
        };
        match &mut fenced {
            Some(_) if line.starts_with("```") => {
                found.extend(fenced.take().filter(|_| !refused));
            }
            None if line.starts_with("## ") => refused = line == "## Refused",
            None if line.starts_with("```") => fenced = Some(String::new()),
            Some(piece) => {
                piece.push_str(line.strip_prefix("# ").unwrap_or(line));
                piece.push('\n');
            }
            None => {}
        }
    }
    if !document {
        found.push(text.to_owned());
    }
    found
}

/// What stands between the delimiters of each `gpu_graph!`.
fn calls(stream: TokenStream, found: &mut Vec<TokenStream>) {
    let mut last = [String::new(), String::new()];
    for token in stream {
        if let TokenTree::Group(group) = &token {
            match last == ["gpu_graph", "!"] {
                true => found.push(group.stream()),
                false => calls(group.stream(), found),
            }
        }
        let [_, before] = last;
        let one = matches!(token, TokenTree::Ident(_) | TokenTree::Punct(_));
        last = [
            before,
            if one {
                token.to_string()
            } else {
                String::new()
            },
        ];
    }
}

/// The texts of one macro call's kernels.
fn texts(file: &'static str, call: TokenStream, found: &mut Vec<Found>) {
    let mut cx = Cx::default();
    let mut items = crate::parse::items(call, &mut cx.sites, &mut cx.errors);
    lower::distinct(&mut items, &mut cx);
    lower::consts(&items.consts, &mut cx);
    let kernels = lower::kernels(&items.kernels, &mut cx);
    let all: Vec<_> = kernels.iter().collect();
    for decl in &kernels {
        if let (Some(formula), Some(kernel)) = (&decl.formula, &decl.signature) {
            let text = crate::codegen::formula::text(formula, kernel, &decl.dims, "");
            let function = crate::codegen::formula::function(&kernel.name);
            found.push(Found {
                text: CudaText {
                    file,
                    line: 1,
                    folder: "",
                    kernels: "",
                    text: kept(text),
                    headers: &[],
                },
                functions: vec![function],
            });
        } else if let Some(super::Definitions { own: Some(own), .. }) =
            super::definitions(decl, &all)
        {
            found.push(written(file, decl, &all, own));
        }
    }
}

fn written(
    file: &'static str,
    decl: &KernelDecl<'_>,
    all: &[&KernelDecl<'_>],
    own: String,
) -> Found {
    let read = |file: &str| fs::read_to_string(root().join(file)).unwrap();
    let (file, folder, text) = match decl.ast.cuda.as_ref().unwrap() {
        Cuda::Text(text) => (file, String::new(), text.value()),
        Cuda::File(file) => {
            let file = file.value();
            let folder = file.rfind('/').map_or("", |at| &file[..=at]).to_owned();
            (kept(file.clone()), folder, read(&file))
        }
    };
    let same = all
        .iter()
        .filter(|other| super::text(other) == super::text(decl));
    let functions = same.flat_map(|decl| {
        let name = &decl.signature.as_ref().unwrap().name;
        let suffixes = ["", "_indirect", "_in_place", "_in_place_indirect"];
        let written = suffixes.map(|suffix| format!("{name}{suffix}"));
        // A form that the text leaves out cannot be launched, and the driver says so.
        let wanted = written.into_iter().filter(|function| {
            let form = function.strip_suffix("_indirect").unwrap_or(function);
            let head = format!("void __launch_bounds__({}) {function}(", threads(decl));
            text.contains(&format!("KERNEL({form})")) && own.contains(&head)
        });
        wanted.collect::<Vec<_>>()
    });
    let headers = decl.files.iter().flatten();
    let headers: Vec<_> = headers
        .map(|file| (kept(file.clone()), kept(read(file))))
        .collect();
    Found {
        functions: functions.collect(),
        text: CudaText {
            file,
            line: 1,
            folder: kept(folder),
            kernels: kept(own),
            text: kept(text.clone()),
            headers: Box::leak(headers.into_boxed_slice()),
        },
    }
}

fn threads(decl: &KernelDecl<'_>) -> u64 {
    let over = decl
        .signature
        .as_ref()
        .and_then(|kernel| kernel.over.as_ref());
    over.map_or(1, |over| over.block.iter().map(|&t| u64::from(t)).product())
}

/// All of them.
fn found() -> Vec<Found> {
    let mut paths = vec![
        root().join("README.md"),
        root().join("macros/src/language.md"),
    ];
    for folder in FOLDERS {
        files(&root().join(folder), &["rs", "md"], &mut paths);
    }
    paths.sort();
    let mut found = Vec::new();
    for path in &paths {
        let text = fs::read_to_string(path).unwrap();
        let name = path.strip_prefix(root()).unwrap_or(path);
        let name = kept(name.to_string_lossy().into_owned());
        for piece in pieces(path, &text) {
            let Ok(tokens) = piece.parse::<TokenStream>() else {
                continue;
            };
            let mut bodies = Vec::new();
            calls(tokens.clone(), &mut bodies);
            // A fence of the language's own document shows items alone.
            if bodies.is_empty() && piece.starts_with("kernel ") {
                bodies.push(tokens);
            }
            for body in bodies {
                texts(name, body, &mut found);
            }
        }
    }
    let keyed = found.into_iter().map(|f| {
        // Expression kernels that say the same are the same.
        let place = if f.text.kernels.is_empty() {
            ""
        } else {
            f.text.file
        };
        ((f.text.text, place), f)
    });
    keyed.collect::<BTreeMap<_, _>>().into_values().collect()
}

/// The function is in the image.
fn has(image: &[u8], function: &str) -> bool {
    let name = format!(".text.{function}\0").into_bytes();
    image.windows(name.len()).any(|part| part == name)
}

#[test]
fn every_cuda_text_of_the_project_compiles() {
    let mut found = found();
    // One is there to be refused.
    let all = found.len();
    found.retain(|f| !f.text.text.contains("// does not compile"));
    assert_eq!(found.len() + 1, all);
    let named = |file: &str| found.iter().any(|f| f.text.file == file);
    for file in [
        "examples/edges/edges.cu",
        "examples/story/story.cu",
        "README.md",
        "src/lib.rs",
    ] {
        assert!(named(file), "{file} has a text");
    }
    let mut sources = Vec::new();
    for folder in FOLDERS {
        files(&root().join(folder), &["cu"], &mut sources);
    }
    for path in &sources {
        let file = path.strip_prefix(root()).unwrap().to_str().unwrap();
        // The runtime's own test compiles those for each architecture.
        let elsewhere = file.starts_with("runtime/tests/compile/");
        assert!(elsewhere || named(file), "no `gpu_graph!` names {file}");
    }
    assert!(sources.len() > 2, "{sources:?}");
    assert!(found.len() > 200, "{} texts", found.len());
    let all = std::env::var("GPU_GRAPH_ARCHS").is_ok_and(|archs| archs == "all");
    let work = found.iter().enumerate().flat_map(|(i, f)| {
        let each = all || !f.text.kernels.is_empty();
        let archs = ARCHS.iter().enumerate();
        archs
            .filter(move |(a, _)| each || i % ARCHS.len() == *a)
            .map(move |(_, arch)| (f, *arch, false))
    });
    let written = found.iter().filter(|f| !f.text.kernels.is_empty());
    let checked = written.flat_map(|f| ARCHS.map(|arch| (f, arch, true)));
    let work: Vec<_> = work.chain(checked).collect();
    let images = work.len();
    let (work, refused) = (Mutex::new(work), Mutex::new(Vec::new()));
    let one = || {
        while let Some((found, arch, checked)) = { work.lock().unwrap().pop() } {
            let source = CudaSource {
                function: "",
                scalars: &[],
                code: CudaCode::Text(found.text),
            };
            let options = Options {
                arch,
                checked,
                form: Form::Cubin,
                cache: None,
            };
            match image(&source, &options) {
                Ok(image) => {
                    for function in &found.functions {
                        assert!(has(&image, function), "{function} of {}", found.text.file);
                    }
                }
                Err(error) => refused.lock().unwrap().push(error),
            }
        }
    };
    std::thread::scope(|scope| (0..4).for_each(|_| drop(scope.spawn(one))));
    let refused = refused.into_inner().unwrap();
    let texts = found.len();
    let functions: usize = found.iter().map(|f| f.functions.len()).sum();
    // Past what captures the output of tests, so that it is seen what was left out.
    let mut seen = std::io::stderr();
    if let Some(CompileError::NoCompiler { reason, .. }) = refused.first() {
        let _ = writeln!(
            seen,
            "SKIPPED: {texts} CUDA texts were not compiled: {reason}"
        );
        return;
    }
    let said: Vec<_> = refused.iter().map(ToString::to_string).collect();
    assert!(said.is_empty(), "{}", said.join("\n"));
    let _ = writeln!(
        seen,
        "compiled {texts} CUDA texts with {functions} functions for sm_80, sm_90 and sm_100: {images} images"
    );
}

#[test]
fn a_declaration_becomes_signatures_as_the_tests_of_the_compiler_have_them() {
    let declared = "kernel blur(src: &[f32; h, w], gain: f32) -> [f32; h, w] {
        over [h, w] block [8, 32], cuda r#\"KERNEL(blur) {}\"#, host host::blur
    }";
    let mut found = Vec::new();
    texts("", declared.parse().unwrap(), &mut found);
    let kept = "runtime/tests/compile/blur.h";
    if std::env::var("INSTA_UPDATE").is_ok_and(|update| update == "always") {
        fs::write(root().join(kept), found[0].text.kernels).unwrap();
    }
    assert_eq!(
        found[0].text.kernels,
        fs::read_to_string(root().join(kept)).unwrap()
    );
}
