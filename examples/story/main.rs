//! Tells a story, token by token: a small Llama as a graph that is loaded once and run once per token.

mod attention;
#[cfg(test)]
mod by_hand;
mod exp;
mod file;
mod graph;
mod kernels;
mod matrix;
mod model;
mod progress;
mod teller;
#[cfg(test)]
mod tests;
mod vocabulary;

use gpu_graph::{CudaError, Device};
use graph::{SEQ, Story};
use progress::Progress;
use std::error::Error;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use teller::{TellError, Teller};
use vocabulary::{BOS, Vocabulary};

const HELP: &str = "\
Tells a story.

Usage: story --model DIR [--steps N] [--prompt TEXT] [--device host | cuda] [--record DIR]

  --model DIR    folder with `stories260K.bin` and `tok512.bin`, which can be had from
                 https://huggingface.co/karpathy/tinyllamas, in `stories260K`
  --steps N      tokens at most, prompt included: 1 to 512; 256 if not given
  --prompt TEXT  how the story begins
  --device       where it runs: on this machine, if not given, or on its first NVIDIA GPU
  --record [DIR] print how the graph was planned, or write it into DIR as text, JSON, DOT and a
                 page of HTML, and stop
  -h, --help     print this
";

/// What the command line asks for.
#[derive(Debug)]
enum Command {
    Help,
    Record(Option<PathBuf>),
    Tell {
        model: PathBuf,
        steps: u32,
        prompt: String,
        on: On,
    },
}

/// Where it runs.
#[derive(Clone, Copy, Debug)]
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
            eprintln!("story: {error}\n\n{HELP}");
            return ExitCode::from(2);
        }
    };
    let mut out = io::stdout().lock();
    let result = match command {
        Command::Help => write!(out, "{HELP}").map_err(Into::into),
        Command::Record(None) => writeln!(out, "{}", Story::RECORD).map_err(Into::into),
        Command::Record(Some(folder)) => export(&folder, &mut out),
        Command::Tell {
            model,
            steps,
            prompt,
            on,
        } => tell((&model, on), steps, &prompt, &mut out),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        // A reader that has gone away is no failure.
        Err(error) if gone(&*error) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("story: {error}");
            ExitCode::FAILURE
        }
    }
}

fn gone(error: &(dyn Error + 'static)) -> bool {
    let error = error.downcast_ref::<io::Error>();
    error.is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
}

fn command(mut args: lexopt::Parser) -> Result<Command, lexopt::Error> {
    use lexopt::ValueExt;
    let (mut model, mut steps, mut prompt) = (None, 256, String::new());
    let mut on = On::Host;
    while let Some(arg) = args.next()? {
        match arg {
            lexopt::Arg::Short('h') | lexopt::Arg::Long("help") => return Ok(Command::Help),
            lexopt::Arg::Long("record") => {
                let given = args
                    .try_raw_args()
                    .is_some_and(|rest| rest.peek().is_some());
                let folder = given.then(|| args.value()).transpose()?;
                return Ok(Command::Record(folder.map(PathBuf::from)));
            }
            lexopt::Arg::Long("model") => model = Some(args.value()?.into()),
            lexopt::Arg::Long("steps") => {
                steps = args.value()?.parse_with(|text| match text.parse() {
                    Ok(steps) if (1..=SEQ as u32).contains(&steps) => Ok(steps),
                    _ => Err(format!("steps are a number from 1 to {SEQ}")),
                })?;
            }
            lexopt::Arg::Long("device") => {
                on = args.value()?.parse_with(|name| match name {
                    "host" => Ok(On::Host),
                    "cuda" => Ok(On::Cuda),
                    _ => Err("devices are `host` and `cuda`"),
                })?;
            }
            lexopt::Arg::Long("prompt") => prompt = args.value()?.string()?,
            arg => return Err(arg.unexpected()),
        }
    }
    let model = model.ok_or(
        "which model? `--model DIR` names the folder of `stories260K.bin` and `tok512.bin`",
    )?;
    Ok(Command::Tell {
        model,
        steps,
        prompt,
        on,
    })
}

/// Writes the record in all its forms.
fn export(folder: &Path, out: &mut impl Write) -> Result<(), Box<dyn Error>> {
    for path in Story::RECORD.export(folder)? {
        writeln!(out, "wrote {}", path.display())?;
    }
    Ok(())
}

/// Writes a story that begins with the prompt, and a line's end.
fn tell(
    (folder, on): (&Path, On),
    steps: u32,
    prompt: &str,
    out: &mut impl Write,
) -> Result<(), Box<dyn Error>> {
    let model = model::read(&folder.join("stories260K.bin"))?;
    let vocabulary = Vocabulary::read(&folder.join("tok512.bin"))?;
    let mut teller = Teller::load(&on.device()?, &model)?;

    let prompt = vocabulary.encode(prompt);
    let mut progress = Progress::start(steps);
    let mut told = 0;
    for step in tokens(&prompt, steps, |token, pos| teller.next(token, pos)) {
        let (before, token) = step?;
        out.write_all(vocabulary.decode(before, token))?;
        out.flush()?;
        told += 1;
        progress.tokens(told);
    }
    writeln!(out)?;
    progress.end(told);
    Ok(())
}

/// The tokens of a story behind the first one of the prompt, each with the one before it.
fn tokens(
    prompt: &[u32],
    steps: u32,
    mut next: impl FnMut(u32, u32) -> Result<u32, TellError>,
) -> impl Iterator<Item = Result<(u32, u32), TellError>> {
    let mut token = prompt[0];
    (0..steps).map_while(move |pos| {
        let before = token;
        let likeliest = match next(before, pos) {
            Ok(likeliest) => likeliest,
            Err(error) => return Some(Err(error)),
        };
        token = prompt.get(pos as usize + 1).copied().unwrap_or(likeliest);
        (token != BOS).then_some(Ok((before, token)))
    })
}
