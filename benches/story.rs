//! Tokens per second of `story` beside the same functions called by hand, and beside llama2.c.
//!
//! `STORY_MODEL` names the folder of the model, and `STORY_RUN_C`, if given, a `run` of llama2.c. Each
//! round has the same greedy story told by the graph and by hand, one after the other, and llama2.c tells
//! it in every tenth; ratios are medians over rounds of what a round measured.

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
const ROUNDS: usize = 401;
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

    let (mut hands, mut graphs, mut cs) = (Vec::new(), Vec::new(), Vec::new());
    let (mut to_hand, mut to_c) = (Vec::new(), Vec::new());
    for round in 0..=ROUNDS {
        let mut by_graph = || rate(|token, pos| Ok(teller.next(token, pos)?));
        let mut by_hand = || rate(|token, pos| Ok(by_hand.next(token, pos)));
        // Which goes first changes from round to round.
        let (graph, hand) = if round % 2 == 0 {
            let graph = by_graph()?;
            (graph, by_hand()?)
        } else {
            let hand = by_hand()?;
            (by_graph()?, hand)
        };
        // The first round only warms up.
        if round == 0 {
            continue;
        }
        graphs.push(graph);
        hands.push(hand);
        to_hand.push(graph / hand);
        if let Some(run) = run_c.as_deref().filter(|_| round % 10 == 0) {
            let c = rate_of(run, &folder)?;
            cs.push(c);
            to_c.push(graph / c);
        }
    }
    println!("story, tokens per second, {ROUNDS} rounds: median and fastest");
    println!("by hand   {}", both(&hands));
    let ratio = median(&to_hand);
    println!("graph     {}  {ratio:.3} of by hand", both(&graphs));
    if run_c.is_some() {
        let ratio = median(&to_c);
        println!(
            "llama2.c  {}  the graph has {ratio:.1} times that",
            both(&cs)
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

fn both(rates: &[f64]) -> String {
    let fastest = rates.iter().copied().fold(0.0, f64::max);
    format!("{:8.0} {fastest:8.0}", median(rates))
}

fn median(values: &[f64]) -> f64 {
    let mut values = values.to_vec();
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}
