//! What a graph adds to `cargo check`, against an empty macro call in the same crate.
//!
//! `cargo bench --bench build` writes a crate below the target folder and checks it anew for each
//! size, with the macro built at the default level and at `build-override.opt-level = 3`.

use std::error::Error;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};
use std::{env, fs};

const SIZES: [usize; 3] = [100, 1_000, 10_000];
const ROUNDS: usize = 3;

fn main() -> Result<(), Box<dyn Error>> {
    for level in [None, Some("3")] {
        let bench = Bench::new(level)?;
        let name = level.map_or("default profile", |_| "build-override.opt-level = 3");
        let empty = bench.check("gpu_graph::gpu_graph! {}\n")?;
        println!(
            "{name}: an empty call checks in {:.2} s",
            empty.as_secs_f64()
        );
        println!(
            "  tasks   chain adds   under one wide buffer adds   layers flat / as a stage in a loop"
        );
        for tasks in SIZES {
            let added = |text: &str| -> Result<f64, Box<dyn Error>> {
                Ok(bench.check(text)?.as_secs_f64() - empty.as_secs_f64())
            };
            let (chain, wide) = (added(&chain(tasks))?, added(&wide(tasks))?);
            let (flat, nested) = (added(&flat(tasks))?, added(&nested(tasks))?);
            println!(
                "  {tasks:>5}   {chain:>8.2} s   {wide:>8.2} s   {flat:>8.2} s / {nested:.2} s, {:.2}",
                nested / flat
            );
        }
    }
    Ok(())
}

/// A crate that depends on this one.
struct Bench {
    folder: PathBuf,
    level: Option<&'static str>,
}

impl Bench {
    fn new(level: Option<&'static str>) -> Result<Self, Box<dyn Error>> {
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("build-bench");
        fs::create_dir_all(folder.join("src"))?;
        let manifest = format!(
            "[package]\nname = \"build-bench\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n\
             [dependencies]\ngpu-graph = {{ path = {:?} }}\n\n[workspace]\n",
            root
        );
        fs::write(folder.join("Cargo.toml"), manifest)?;
        fs::copy(root.join("Cargo.lock"), folder.join("Cargo.lock"))?;
        fs::copy(
            root.join("rust-toolchain.toml"),
            folder.join("rust-toolchain.toml"),
        )?;
        let bench = Self { folder, level };
        // Builds the dependencies, which are not what is measured.
        bench.once("gpu_graph::gpu_graph! {}\n")?;
        Ok(bench)
    }

    /// The shortest of some rounds: what else runs on the machine only adds.
    fn check(&self, text: &str) -> Result<Duration, Box<dyn Error>> {
        let mut best = Duration::MAX;
        for _ in 0..ROUNDS {
            best = best.min(self.once(text)?);
        }
        Ok(best)
    }

    fn once(&self, text: &str) -> Result<Duration, Box<dyn Error>> {
        let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH)?;
        // A new comment, so that nothing of the last round holds.
        let text = format!("// {}\n{text}", now.as_nanos());
        fs::write(self.folder.join("src/lib.rs"), text)?;
        let mut cargo = Command::new(env::var_os("CARGO").unwrap_or("cargo".into()));
        cargo
            .current_dir(&self.folder)
            .args(["check", "--quiet", "--offline"]);
        cargo.env("CARGO_TARGET_DIR", self.folder.join("target"));
        cargo.env("CARGO_INCREMENTAL", "0");
        if let Some(level) = self.level {
            cargo.env("CARGO_PROFILE_DEV_BUILD_OVERRIDE_OPT_LEVEL", level);
        }
        let start = Instant::now();
        let output = cargo.output()?;
        let took = start.elapsed();
        let said = String::from_utf8_lossy(&output.stderr);
        if !output.status.success() || !said.trim().is_empty() {
            return Err(format!("cargo check said:\n{said}").into());
        }
        Ok(took)
    }
}

const KERNELS: &str = "
    kernel step(x: &[f32; n]) -> [f32; n] { host host::step }
    kernel add(x: &[f32; n], y: &[f32; n]) -> [f32; n] { host host::add }
    kernel spread(x: &[f32; n], times: u32) -> [f32; m] { host host::spread }
";

const HOST: &str = "
#[allow(dead_code)]
mod host {
    pub fn step(_: &[f32], _: &mut [f32], _: super::step::Dims) {}
    pub fn add(_: &[f32], _: &[f32], _: &mut [f32], _: super::add::Dims) {}
    pub fn spread(_: &[f32], _: u32, _: &mut [f32], _: super::spread::Dims) {}
}
";

fn graph(body: &str) -> String {
    format!(
        "gpu_graph::gpu_graph! {{{KERNELS}
    pub graph Large {{
        dim n in 1..=256;
        input x0: [f32; n];
{body}    }}
}}
{HOST}"
    )
}

/// Each task reads the result of the one before.
fn chain(tasks: usize) -> String {
    let mut body = String::new();
    for i in 1..tasks {
        let _ = writeln!(body, "        let x{i}: [f32; n] = step(&x{});", i - 1);
    }
    let _ = writeln!(body, "        output y: [f32; n] = step(&x{});", tasks - 1);
    graph(&body)
}

/// Half of the tasks fill small buffers, the other half sums them up, and the last one writes a
/// buffer as large as all of them, over them.
fn wide(tasks: usize) -> String {
    let half = tasks / 2;
    let mut body = String::new();
    for i in 1..=half {
        let _ = writeln!(body, "        let x{i}: [f32; n] = step(&x0);");
    }
    let _ = writeln!(body, "        let s1: [f32; n] = step(&x1);");
    for i in 2..half {
        let _ = writeln!(
            body,
            "        let s{i}: [f32; n] = add(&s{}, &x{i});",
            i - 1
        );
    }
    let _ = writeln!(
        body,
        "        let sum: [f32; n] = add(&s{}, &x{half});",
        half - 1
    );
    let _ = writeln!(
        body,
        "        let wide: [f32; {half} * n] = spread(&sum, {half});"
    );
    let _ = writeln!(body, "        output y: [f32; {half} * n] = step(&wide);");
    graph(&body)
}

/// Tasks of one layer.
const LAYER: usize = 10;

/// Layers of a chain of tasks each, written task by task.
fn flat(tasks: usize) -> String {
    let mut body = "        let y: [f32; n] = step(&x0);\n".to_owned();
    for l in 0..tasks / LAYER {
        let _ = writeln!(body, "        let t{l}_1: [f32; n] = step(&y);");
        for i in 2..LAYER {
            let _ = writeln!(
                body,
                "        let t{l}_{i}: [f32; n] = step(&t{l}_{});",
                i - 1
            );
        }
        let _ = writeln!(body, "        y = step(&t{l}_{});", LAYER - 1);
    }
    graph(&(body + "        output z: [f32; n] = step(&y);\n"))
}

/// The same, written as a loop over a stage.
fn nested(tasks: usize) -> String {
    let mut stage = "
    stage layer(x: &[f32; n]) -> [f32; n] {
        let t1: [f32; n] = step(&x);
"
    .to_owned();
    for i in 2..LAYER {
        let _ = writeln!(stage, "        let t{i}: [f32; n] = step(&t{});", i - 1);
    }
    let _ = writeln!(stage, "        step(&t{})\n    }}", LAYER - 1);
    let body = format!(
        "        let y: [f32; n] = step(&x0);
        for l in 0..{} {{ y = layer(&y); }}
        output z: [f32; n] = step(&y);
",
        tasks / LAYER
    );
    graph(&body).replacen("    pub graph", &format!("{stage}    pub graph"), 1)
}
