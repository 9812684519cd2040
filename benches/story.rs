//! Tokens per second of `story` beside the same functions called by hand, and beside llama2.c.
//!
//! `STORY_MODEL` names the folder of the model, and `STORY_RUN_C`, if given, a `run` of llama2.c. Each
//! round has the same greedy story told by all of them, in turns; ratios are medians over rounds.

#[path = "../examples/story/attention.rs"]
mod attention;
#[path = "../examples/story/by_hand.rs"]
mod by_hand;
#[path = "../examples/story/exp.rs"]
mod exp;
#[path = "../examples/story/file.rs"]
mod file;
#[path = "../examples/story/graph.rs"]
mod graph;
#[path = "../examples/story/kernels.rs"]
mod kernels;
#[path = "../examples/story/matrix.rs"]
mod matrix;
#[path = "../examples/story/model.rs"]
mod model;
#[path = "../examples/story/teller.rs"]
mod teller;

use std::error::Error;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

const STEPS: u32 = 256;
const ROUNDS: usize = 41;
/// The token that begins a story, and ends it.
const BOS: u32 = 1;

fn main() -> Result<(), Box<dyn Error>> {
    let Some(folder) = std::env::var_os("STORY_MODEL").map(PathBuf::from) else {
        eprintln!("story: skipped; STORY_MODEL names no folder with a model");
        return Ok(());
    };
    let run_c = std::env::var_os("STORY_RUN_C");
    let model = model::read(&folder.join("stories260K.bin"))?;
    let mut teller = teller::Teller::load(&gpu_graph::host(), &model)?;
    let mut by_hand = by_hand::ByHand::new(&model);

    let (mut graph, mut hand, mut c) = (Vec::new(), Vec::new(), Vec::new());
    for round in 0..=ROUNDS {
        let mut by_graph = || rate(|token, pos| Ok(teller.next(token, pos)?));
        let mut by_hand = || rate(|token, pos| Ok(by_hand.next(token, pos)));
        // Which goes first changes from round to round.
        let (g, h) = if round % 2 == 0 {
            let g = by_graph()?;
            (g, by_hand()?)
        } else {
            let h = by_hand()?;
            (by_graph()?, h)
        };
        let by_c = run_c
            .as_deref()
            .map(|run| rate_of(run, &folder))
            .transpose()?;
        // The first round only warms up.
        if round > 0 {
            graph.push(g);
            hand.push(h);
            c.extend(by_c);
        }
    }
    println!("story, tokens per second, medians of {ROUNDS} rounds");
    println!("by hand   {:8.0}", median(&hand));
    let ratio = median(&ratios(&graph, &hand));
    println!("graph     {:8.0}  {ratio:.3} of by hand", median(&graph));
    if !c.is_empty() {
        let ratio = median(&ratios(&graph, &c));
        println!(
            "llama2.c  {:8.0}  the graph has {ratio:.1} times that",
            median(&c)
        );
    }
    Ok(())
}

/// Tokens per second of a story.
fn rate(
    mut next: impl FnMut(u32, u32) -> Result<u32, Box<dyn Error>>,
) -> Result<f64, Box<dyn Error>> {
    let start = Instant::now();
    let (mut token, mut pos) = (BOS, 0);
    while pos < STEPS {
        token = next(token, pos)?;
        pos += 1;
        if token == BOS {
            break;
        }
    }
    Ok(f64::from(pos) / start.elapsed().as_secs_f64())
}

/// What llama2.c says of the same story. It leaves the first token out.
fn rate_of(run: &OsStr, folder: &Path) -> Result<f64, Box<dyn Error>> {
    let output = Command::new(run)
        .arg(folder.join("stories260K.bin"))
        .arg("-z")
        .arg(folder.join("tok512.bin"))
        .args(["-t", "0", "-n", &STEPS.to_string()])
        .output()?;
    let said = String::from_utf8(output.stderr)?;
    let rate = said.trim().strip_prefix("achieved tok/s: ");
    Ok(rate
        .ok_or_else(|| format!("llama2.c said {said:?}"))?
        .parse()?)
}

fn ratios(a: &[f64], b: &[f64]) -> Vec<f64> {
    a.iter().zip(b).map(|(a, b)| a / b).collect()
}

fn median(values: &[f64]) -> f64 {
    let mut values = values.to_vec();
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}
