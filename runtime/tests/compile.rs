//! Kernels are compiled with NVRTC where there is one; where there is none, the tests of it say so.
#![cfg(feature = "cuda")]
#![forbid(unsafe_code)]

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use gpu_graph_runtime::driver::cuda::compile::{
    CompileError, Folder, Form, Options, image, images,
};
use gpu_graph_runtime::exec::{CudaCode, CudaSource, CudaText};

/// What the macro writes of `kernel blur(src: &[f32; h, w], gain: f32) -> [f32; h, w]`.
const KERNELS: &str = include_str!("compile/blur.h");

const TEXT: CudaText = CudaText {
    file: "kernels/blur.cu",
    line: 1,
    folder: "kernels/",
    kernels: KERNELS,
    text: include_str!("compile/blur.cu"),
    headers: &[],
};

/// The same without what is generated.
const BY_HAND: CudaText = CudaText {
    text: include_str!("compile/by_hand.cu"),
    ..TEXT
};

fn source(text: CudaText) -> CudaSource {
    CudaSource {
        function: "blur",
        scalars: &[1],
        code: CudaCode::Text(text),
    }
}

fn options() -> Options {
    Options {
        arch: (9, 0),
        checked: false,
        form: Form::Cubin,
        cache: None,
    }
}

/// What a text becomes; `None`, said past what captures the output of tests, without a compiler.
fn compiled(text: CudaText, options: &Options) -> Option<Result<Vec<u8>, CompileError>> {
    match image(&source(text), options) {
        Ok(image) => Some(Ok(image.to_vec())),
        Err(CompileError::NoCompiler { reason, .. }) => {
            let test = std::thread::current();
            let test = test.name().unwrap_or("a test");
            let said = format!("SKIPPED: {test}: {reason}\n");
            let _ = std::io::stderr().write_all(said.as_bytes());
            None
        }
        Err(error) => Some(Err(error)),
    }
}

/// A folder of the test's own.
fn folder(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("gpu-graph-{}-{name}", std::process::id()));
    let _ = fs::remove_dir_all(&folder);
    folder
}

/// The functions of a text of PTX, each from its name on.
fn entries(image: Vec<u8>) -> Vec<String> {
    let text = String::from_utf8(image).unwrap();
    text.split(".visible .entry ")
        .skip(1)
        .map(str::to_owned)
        .collect()
}

#[test]
fn accessors_and_guards_are_the_code_that_is_written_by_hand() {
    let form = Form::Ptx;
    for arch in [(8, 0), (9, 0), (10, 0)] {
        let options = Options {
            arch,
            form,
            ..options()
        };
        let Some(own) = compiled(TEXT, &options) else {
            return;
        };
        let own = entries(own.unwrap());
        let by_hand = entries(compiled(BY_HAND, &options).unwrap().unwrap());
        assert_eq!(own[0], by_hand[0]);
        // A pointer to a scalar is converted at another place; the instructions are the same.
        let instructions = |text: &str| {
            let lines = text.lines().map(str::trim_start);
            let mut found: Vec<_> = lines
                .filter_map(|l| l.split_once('\t'))
                .map(|l| l.0.to_owned())
                .collect();
            found.sort();
            found
        };
        assert!(own[1].starts_with("blur_indirect("));
        assert_eq!(instructions(&own[1]), instructions(&by_hand[1]));
    }
}

#[test]
fn what_is_only_read_is_read_past_the_caches_that_writes_need() {
    let ptx = Options {
        form: Form::Ptx,
        ..options()
    };
    let Some(image) = compiled(TEXT, &ptx) else {
        return;
    };
    let image = image.unwrap();
    assert_eq!(
        image.last(),
        Some(&0),
        "a text for the driver ends with a zero"
    );
    let entries = entries(image);
    let loads: Vec<_> = entries
        .iter()
        .map(|function| function.matches("ld.global.nc.f32").count())
        .collect();
    // Two loads; where the scalar is behind a pointer, that one too.
    assert_eq!(loads, [2, 3], "{entries:?}");
}

#[test]
fn checks_are_there_when_they_are_asked_for() {
    let checked = Options {
        checked: true,
        form: Form::Ptx,
        ..options()
    };
    let Some(image) = compiled(TEXT, &checked) else {
        return;
    };
    let text = String::from_utf8(image.unwrap()).unwrap();
    assert!(text.contains("trap;"), "{text}");
    let plain = Options {
        form: Form::Ptx,
        ..options()
    };
    let text = String::from_utf8(compiled(TEXT, &plain).unwrap().unwrap()).unwrap();
    assert!(!text.contains("trap;"), "{text}");
}

#[test]
fn what_is_wrong_stands_at_the_users_line() {
    let wrong = |text, line| compiled(CudaText { text, line, ..TEXT }, &options());
    let said = |text, line| {
        let error = wrong(text, line)?.expect_err("it is wrong");
        let CompileError::Refused { messages, .. } = &error else {
            panic!("{error}");
        };
        let errors = messages.iter().filter(|message| message.error);
        let places: Vec<_> = errors
            .map(|message| (message.file.clone(), message.line))
            .collect();
        Some((places, error.to_string()))
    };
    let at = |line| ("kernels/blur.cu".to_owned(), line);
    let Some((places, text)) = said("KERNEL(blur) {\n    INDEX(y, x);\n    foo(3);\n}\n", 1) else {
        return;
    };
    assert_eq!(places, [at(3)], "{text}");
    assert_eq!(
        text,
        "`kernels/blur.cu` does not compile\n  kernels/blur.cu:3: identifier \"foo\" is undefined"
    );
    // A text inside of a file of Rust; and an element that is only read is not written.
    let (places, text) = said("KERNEL(blur) {\n src(0, 0) = 1.0f; }", 40).unwrap();
    assert_eq!(places, [at(41)], "{text}");
    assert!(text.contains("modifiable lvalue"), "{text}");
    // The prelude is what finds it, and the user's line is to blame.
    let (places, text) = said("KERNEL(blur) {\n out(0) = 1.0f; }", 1).unwrap();
    assert_eq!(places, [at(2)], "{text}");
    assert!(
        text.contains("one index for each extent of the tensor"),
        "{text}"
    );
    let (places, text) = said("KERNEL(blur) {\n INDEX(y); }", 1).unwrap();
    assert_eq!(places, [at(2)], "{text}");
    assert!(
        text.contains("one index for each extent of 'over'"),
        "{text}"
    );
    let (places, text) = said("\nKERNEL(blurr) {}", 1).unwrap();
    assert_eq!(places, [at(2)], "{text}");
    assert!(
        text.contains("no kernel 'blurr' of the gpu_graph! has this text"),
        "{text}"
    );
    // What has no end is an error of the compiler's at the end of the text: it stands where it began.
    let (places, text) = said("\nKERNEL(blur) {\n INDEX(y, x);\n", 40).unwrap();
    assert_eq!(places, [at(41)], "{text}");
    assert!(
        text.contains("expected a \"}\" to match this \"{\""),
        "{text}"
    );
}

#[test]
fn what_the_assembler_refuses_is_said_as_it_says_it() {
    let text = "KERNEL(blur) { asm volatile(\"foo;\"); }\n";
    let Some(refused) = compiled(CudaText { text, ..TEXT }, &options()) else {
        return;
    };
    let said = refused
        .expect_err("there is no such instruction")
        .to_string();
    assert!(said.contains("instruction: 'foo'"), "{said}");
}

#[test]
fn several_texts_are_compiled_at_once_and_each_has_its_own_image_or_error() {
    let Some(alone) = compiled(TEXT, &options()) else {
        return;
    };
    let alone = alone.unwrap();
    let wrong = |text| source(CudaText { text, ..TEXT });
    let sources = [
        source(TEXT),
        wrong("KERNEL(blur) { first(); }"),
        source(TEXT),
        wrong("KERNEL(blur) { second(); }"),
        source(TEXT),
    ];
    let all: Vec<_> = sources.iter().collect();
    for _ in 0..3 {
        let made = images(&all, &options());
        let said: Vec<_> = made
            .iter()
            .map(|made| match made {
                Ok(image) if **image == *alone => "the image",
                Ok(_) => "another image",
                Err(error) if error.to_string().contains("\"first\"") => "first",
                Err(error) if error.to_string().contains("\"second\"") => "second",
                Err(_) => "another error",
            })
            .collect();
        let image = "the image";
        assert_eq!(said, [image, "first", image, "second", image]);
    }
}

#[test]
fn headers_are_found_from_the_file_that_includes_them() {
    let text = CudaText {
        text: "#include \"deep/a.cuh\"\nKERNEL(blur) { INDEX(y, x); out(y, x) = A * B; }\n",
        headers: &[
            (
                "kernels/deep/a.cuh",
                "#pragma once\n#include \"b.cuh\"\n#define A 2.0f\n",
            ),
            ("kernels/deep/b.cuh", "#define B 3.0f\n"),
        ],
        ..TEXT
    };
    let Some(image) = compiled(text, &options()) else {
        return;
    };
    image.unwrap();
    let broken = CudaText {
        headers: &[
            ("kernels/deep/a.cuh", "#include \"b.cuh\"\n#define A 2.0f\n"),
            (
                "kernels/deep/b.cuh",
                "#define B 3.0f\nint f() { return x; }\n",
            ),
        ],
        ..text
    };
    let error = compiled(broken, &options())
        .unwrap()
        .unwrap_err()
        .to_string();
    assert!(
        error.contains("kernels/deep/b.cuh:2: identifier \"x\" is undefined"),
        "{error}"
    );
}

#[test]
fn a_device_that_is_newer_than_the_compiler_gets_ptx_and_an_older_one_an_error() {
    let newer = Options {
        arch: (99, 9),
        ..options()
    };
    let Some(image) = compiled(TEXT, &newer) else {
        return;
    };
    let text = String::from_utf8(image.unwrap()).unwrap();
    assert!(text.contains(".visible .entry blur("), "{text}");
    let older = Options {
        arch: (1, 0),
        ..options()
    };
    let error = compiled(TEXT, &older).unwrap().unwrap_err();
    assert!(
        matches!(error, CompileError::Architecture { arch: (1, 0), .. }),
        "{error}"
    );
}

#[test]
fn what_is_compiled_already_is_taken_as_it_stands() {
    let of = |bytes: &'static [u8]| {
        let source = CudaSource {
            function: "f",
            scalars: &[],
            code: CudaCode::Image { file: "f", bytes },
        };
        image(&source, &options()).unwrap()
    };
    assert_eq!(*of(b"\x7fELF and more"), *b"\x7fELF and more");
    assert_eq!(*of(b".version 8.0"), *b".version 8.0\0");
    assert_eq!(*of(b".version 8.0\0"), *b".version 8.0\0");
}

/// What a process does that another test starts.
#[test]
#[ignore = "another test starts it"]
fn child() {
    let folder = std::env::var_os("GPU_GRAPH_TEST_FOLDER").map(Folder::from);
    let cached = Options {
        cache: folder,
        ..options()
    };
    match image(&source(TEXT), &cached) {
        Ok(image) => println!("image of {} bytes, {:?}", image.len(), &image[..4]),
        Err(error) => println!("error: {error}"),
    }
}

/// Processes that do what `child` does, at once, and what each of them says.
fn children(count: usize, folder: &Path, nvrtc: Option<&str>) -> Vec<String> {
    let spawned = (0..count).map(|_| {
        let mut command = Command::new(std::env::current_exe().unwrap());
        command
            .args(["child", "--exact", "--ignored", "--nocapture"])
            .env("GPU_GRAPH_TEST_FOLDER", folder);
        if let Some(nvrtc) = nvrtc {
            command.env("GPU_GRAPH_NVRTC", nvrtc);
        }
        command
            .stdout(std::process::Stdio::piped())
            .spawn()
            .unwrap()
    });
    let spawned: Vec<_> = spawned.collect();
    let said = spawned.into_iter().map(|child| {
        let output = child.wait_with_output().unwrap();
        let text = String::from_utf8(output.stdout).unwrap();
        let line = text
            .lines()
            .find(|line| line.contains("image of") || line.contains("error: "));
        line.unwrap_or_else(|| panic!("{text}")).to_owned()
    });
    said.collect()
}

#[test]
fn processes_that_compile_at_once_find_the_same_image_which_then_needs_no_compiler() {
    let Some(image) = compiled(TEXT, &options()) else {
        return;
    };
    let folder = folder("at-once");
    let bytes = image.unwrap().len();
    let said = children(6, &folder, None);
    for said in &said {
        assert!(
            said.contains(&format!("image of {bytes} bytes, [127, 69, 76, 70]")),
            "{said}"
        );
    }
    let names = || {
        fs::read_dir(&folder)
            .unwrap()
            .map(|e| e.unwrap().path())
            .collect::<Vec<_>>()
    };
    assert_eq!(
        names().len(),
        1,
        "one entry, and nothing beside it: {:?}",
        names()
    );
    // Without a compiler the entry serves; a damaged one does not.
    let none = Some("there/is/no/library.so");
    assert_eq!(children(1, &folder, none), said[..1]);
    let entry = names().remove(0);
    let whole = fs::read(&entry).unwrap();
    fs::write(&entry, &whole[..whole.len() / 2]).unwrap();
    let refused = children(1, &folder, none).remove(0);
    assert!(refused.contains("no library"), "{refused}");
    // With one it is made anew.
    assert_eq!(children(1, &folder, None), said[..1]);
    assert_eq!(fs::read(&entry).unwrap().len(), whole.len());
    fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn without_a_compiler_the_error_says_what_is_missing() {
    let folder = folder("none");
    let said = children(1, &folder, Some("there/is/no/library.so")).remove(0);
    let wanted = "error: `kernels/blur.cu` cannot be compiled for sm_90: GPU_GRAPH_NVRTC names \
                  `there/is/no/library.so`, which is no library";
    assert!(said.contains(wanted), "{said}");
}
