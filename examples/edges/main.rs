//! Finds the edges of a picture: Canny's method as a graph that runs in bands, side by side.

#[cfg(test)]
mod by_hand;
mod drawing;
mod filters;
mod graph;
mod labels;
mod picture;
mod profile;
#[cfg(test)]
mod reference;
#[cfg(test)]
mod tests;

use gpu_graph::{CudaError, Device, Record};
use graph::{Edges, Whole, edges, whole};
use picture::Picture;
use std::error::Error;
use std::ffi::OsStr;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

const HELP: &str = "\
Finds the edges of a picture.

Usage: edges [IN.png OUT.png] [--device host | cuda] [--record DIR] [--profile FILE]

  IN.png          grey, colour or palette, 8 or 16 bits
  OUT.png         gets white edges on black; without files, edges draws a picture of its own
  --device        where it runs: on this machine, if not given, or on its first NVIDIA GPU
  --record [DIR]  print how the graph was planned, or write it into DIR as text, JSON, DOT and a
                  page of HTML, and stop
  --profile FILE  find the edges of the drawn picture again and again, write what that took into
                  FILE, for `profile \"FILE\";` in a graph, and stop
  -h, --help      print this
";

/// Gradients below it are no edges; black beside white, blurred, has about 18,000.
const LOW: u16 = 1000;
/// Gradients above it are edges, and so is what is connected to them.
const HIGH: u16 = 2500;
/// Fewest rows that are cut into bands.
const BANDED: usize = 32;

/// Runs of a profile: enough to say what is uncertain of their median.
const RUNS: usize = 30;

/// What the command line asks for.
enum Command {
    Help,
    Record(Option<PathBuf>),
    Profile(On, PathBuf),
    Own(On),
    Files(On, PathBuf, PathBuf),
}

/// Where it runs.
#[derive(Clone, Copy)]
enum On {
    Host,
    Cuda,
}

impl On {
    fn device(self) -> Result<Device, CudaError> {
        match self {
            On::Host => Ok(gpu_graph::host()),
            On::Cuda => gpu_graph::cuda(0),
        }
    }
}

fn main() -> ExitCode {
    let command = match command(lexopt::Parser::from_env()) {
        Ok(command) => command,
        Err(error) => {
            eprintln!("edges: {error}\n\n{HELP}");
            return ExitCode::from(2);
        }
    };
    let text = match command {
        Command::Help => Ok(HELP.to_owned()),
        Command::Record(None) => Ok(Edges::RECORD.to_string()),
        Command::Record(Some(folder)) => export(&folder),
        Command::Profile(on, file) => on_own_picture_often(on, &file),
        Command::Own(on) => on_own_picture(on),
        Command::Files(on, input, output) => on_files(on, &input, &output),
    };
    match text {
        Ok(text) => {
            // A reader that has gone away is no failure.
            let _ = writeln!(std::io::stdout(), "{}", text.trim_end());
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("edges: {error}");
            ExitCode::FAILURE
        }
    }
}

fn command(mut args: lexopt::Parser) -> Result<Command, lexopt::Error> {
    use lexopt::ValueExt;
    let (mut files, mut on, mut alone) = (Vec::new(), None, None);
    while let Some(arg) = args.next()? {
        match arg {
            lexopt::Arg::Short('h') | lexopt::Arg::Long("help") => return Ok(Command::Help),
            lexopt::Arg::Long("record") => {
                let option = |next: &OsStr| next.as_encoded_bytes().starts_with(b"-");
                let given = args
                    .try_raw_args()
                    .is_some_and(|rest| rest.peek().is_some_and(|next| !option(next)));
                let folder = given.then(|| args.value()).transpose()?;
                let record = Command::Record(folder.map(PathBuf::from));
                by_itself(alone.replace(record).is_none())?;
            }
            lexopt::Arg::Long("profile") => {
                let profile = Command::Profile(On::Host, PathBuf::from(args.value()?));
                by_itself(alone.replace(profile).is_none())?;
            }
            lexopt::Arg::Long("device") => {
                on = Some(args.value()?.parse_with(|name| match name {
                    "host" => Ok(On::Host),
                    "cuda" => Ok(On::Cuda),
                    _ => Err("devices are `host` and `cuda`"),
                })?);
            }
            lexopt::Arg::Value(file) => files.push(PathBuf::from(file)),
            _ => return Err(arg.unexpected()),
        }
    }
    if let Some(alone) = alone {
        if let (Command::Profile(_, file), Some(on)) = (&alone, on) {
            by_itself(files.is_empty())?;
            return Ok(Command::Profile(on, file.clone()));
        }
        by_itself(files.is_empty() && on.is_none())?;
        return Ok(alone);
    }
    let on = on.unwrap_or(On::Host);
    match <[PathBuf; 2]>::try_from(files) {
        Ok([input, output]) => Ok(Command::Files(on, input, output)),
        Err(none) if none.is_empty() => Ok(Command::Own(on)),
        Err(_) => Err("it takes two files, or none".into()),
    }
}

/// What stops behind its own work goes with no files.
fn by_itself(is: bool) -> Result<(), lexopt::Error> {
    match is {
        true => Ok(()),
        false => {
            Err("`--record` goes without anything else, `--profile` with `--device` alone".into())
        }
    }
}

/// Measures runs on the drawn picture.
fn on_own_picture_often(on: On, file: &Path) -> Result<String, Box<dyn Error>> {
    profile::measure(&on.device()?, &own_picture(), RUNS, file)
}

/// Writes the record in all its forms.
fn export(folder: &Path) -> Result<String, Box<dyn Error>> {
    let paths = Edges::RECORD.export(folder)?;
    let wrote = paths.map(|path| format!("wrote {}", path.display()));
    Ok(wrote.join("\n"))
}

/// The picture that is drawn where none is given.
fn own_picture() -> Picture {
    let bright = drawing::draw().into_iter();
    Picture {
        h: drawing::HEIGHT,
        w: drawing::WIDTH,
        luminance: bright.map(|value| u16::from(value) * 257).collect(),
    }
}

/// Draws a picture beside the executable and finds its edges.
fn on_own_picture(on: On) -> Result<String, Box<dyn Error>> {
    let executable = std::env::current_exe()?;
    let input = executable.with_file_name("edges-in.png");
    picture::write(&input, drawing::HEIGHT, drawing::WIDTH, &drawing::draw())
        .map_err(|error| format!("cannot write {}: {error}", input.display()))?;
    let found = on_files(on, &input, &executable.with_file_name("edges-out.png"))?;
    Ok(format!("drew {}\n{found}", input.display()))
}

fn on_files(on: On, input: &Path, output: &Path) -> Result<String, Box<dyn Error>> {
    let picture = picture::read(input)
        .map_err(|error| format!("cannot read {}: {error}", input.display()))?;
    let (h, w) = (picture.h, picture.w);
    let Found {
        edges,
        time,
        memory,
        record,
    } = find(on, picture)?;
    picture::write(output, h, w, &edges)
        .map_err(|error| format!("cannot write {}: {error}", output.display()))?;

    let marked = edges.iter().filter(|edge| **edge > 0).count();
    let tasks = record.tasks();
    let used = memory as f64 / f64::from(1 << 20);
    let output = output.display();
    Ok(format!(
        "{w} x {h} pixels, {marked} on edges: {tasks} tasks in {used:.1} MiB, {time:.1?}\n\
         an edge begins at a gradient of {HIGH} and goes on down to {LOW}; the steepest have about 18000\n\
         wrote {output}"
    ))
}

/// The edges of a picture, and what they took.
struct Found {
    edges: Vec<u8>,
    time: Duration,
    /// Bytes that the loaded graph takes.
    memory: u64,
    record: Record,
}

/// Runs a graph on a picture.
fn find(on: On, Picture { h, w, luminance }: Picture) -> Result<Found, Box<dyn Error>> {
    let (image, low, high) = (luminance, LOW, HIGH);
    let device = on.device()?;
    if h < BANDED {
        let mut graph = Whole::load(&device, whole::Dims { h, w })?;
        let start = Instant::now();
        let run = graph.run(whole::Inputs { image, low, high })?;
        Ok(Found {
            edges: run.edges()?.to_vec()?,
            time: start.elapsed(),
            memory: graph.memory().total(),
            record: Whole::RECORD,
        })
    } else {
        let mut graph = Edges::load(&device, edges::Dims { h, w })?;
        let start = Instant::now();
        let run = graph.run(edges::Inputs { image, low, high })?;
        Ok(Found {
            edges: run.edges()?.to_vec()?,
            time: start.elapsed(),
            memory: graph.memory().total(),
            record: Edges::RECORD,
        })
    }
}
