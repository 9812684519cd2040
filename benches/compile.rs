//! What a load of `edges` spends on its kernels: compiled, and found in the folder that keeps them.

#[path = "../examples/edges/filters.rs"]
mod filters;
#[path = "../examples/edges/graph.rs"]
mod graph;
#[path = "../examples/edges/labels.rs"]
mod labels;

use std::process::Command;
use std::time::Instant;

use gpu_graph::compile::{Options, kernels};
use graph::Edges;

const ROUNDS: usize = 7;

/// Each measurement is a process of its own, which has to find the compiler, too.
fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = std::env::temp_dir().join(format!("gpu-graph-bench-{}", std::process::id()));
    if let Some(folder) = std::env::var_os("GPU_GRAPH_BENCH_FOLDER") {
        let mut options = Options::new((9, 0));
        options.cache = Some(folder.into());
        let start = Instant::now();
        kernels::<Edges>(&options)?;
        println!("{}", start.elapsed().as_secs_f64() * 1e3);
        return Ok(());
    }
    let measured = || -> Result<f64, Box<dyn std::error::Error>> {
        let mut command = Command::new(std::env::current_exe()?);
        let output = command.env("GPU_GRAPH_BENCH_FOLDER", &folder).output()?;
        if !output.status.success() {
            return Err(String::from_utf8_lossy(&output.stderr).into_owned().into());
        }
        Ok(String::from_utf8(output.stdout)?.trim().parse()?)
    };
    let (mut cold, mut kept) = (Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        let _ = std::fs::remove_dir_all(&folder);
        cold.push(measured()?);
        kept.push(measured()?);
    }
    std::fs::remove_dir_all(&folder)?;
    println!("kernels of edges for sm_90, medians of {ROUNDS} processes");
    println!("compiled  {:7.1} ms", median(cold));
    println!("kept      {:7.1} ms", median(kept));
    Ok(())
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}
