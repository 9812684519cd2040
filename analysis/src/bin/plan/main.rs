//! `plan`: offsets of buffers in one arena, from a CSV file, and what is beside that.
//!
//! `docs/plan.md` says what it reads and writes.

#![forbid(unsafe_code)]

mod check;
mod csv;
mod growth;
mod numbers;
mod peak;
mod table;

use std::ffi::OsString;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

use csv::Fault;
use gpu_graph_analysis::growth::{Misspelt, Policy};
use gpu_graph_analysis::place::{Limits, place};
use growth::Sizes;
use peak::Peaks;
use table::Table;

const USAGE: &str = "\
usage: plan FILE.csv [--capacity N] [--steps N] [--output OUT.csv]
       plan check FILE.csv OUT.csv
       plan growth HISTORY.csv [--policy POLICY]...
       plan peak RECORD.json [--steps N] [--output OUT.csv]

Places buffers in one arena, as low as it can.

  --capacity N   a peak of at most N is good enough; exits 1 where it is not met
  --steps N      how long to search; a step takes some nanoseconds
  --output FILE  where to write the rows with their offsets, or the executions of the peaks
  check          whether OUT.csv holds a placement of what is in FILE.csv
  peak           the least and the greatest that is live at once, of an exported record
  growth         what policies of growth cost on sizes that were needed one after another
  --policy       exact, bucketed:BYTES, bucketed:powers or geometric:P/Q, then when capacity is
                 given back: ,follow or ,keep or ,below:P/Q; several of each kind if none is named";

const HELP: &str = "`plan --help` says what it takes";

/// What to do.
enum Command {
    Help,
    Plan {
        file: PathBuf,
        limits: Limits,
        output: Option<PathBuf>,
    },
    Check {
        file: PathBuf,
        placement: PathBuf,
    },
    Growth {
        file: PathBuf,
        policies: Vec<Policy>,
    },
    Peak {
        file: PathBuf,
        steps: Option<u64>,
        output: Option<PathBuf>,
    },
}

fn main() -> ExitCode {
    let done = match command() {
        Ok(Command::Help) => say(USAGE),
        Ok(Command::Plan {
            file,
            limits,
            output,
        }) => plan(&file, &limits, output.as_deref()),
        Ok(Command::Check { file, placement }) => check(&file, &placement),
        Ok(Command::Growth { file, policies }) => growth(&file, policies),
        Ok(Command::Peak {
            file,
            steps,
            output,
        }) => peak(&file, steps, output.as_deref()),
        Err(message) => Err(format!("{message}\n{HELP}")),
    };
    match done {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(1),
        Err(message) => {
            // Where nobody listens, the status still says it.
            let _ = writeln!(std::io::stderr(), "{message}");
            ExitCode::from(2)
        }
    }
}

fn command() -> Result<Command, String> {
    use lexopt::prelude::*;
    let mut args = lexopt::Parser::from_env();
    let mut files: Vec<OsString> = Vec::new();
    let mut limits = Limits::default();
    let mut output = None;
    let mut policies = Vec::new();
    let mut options = false;
    while let Some(arg) = args.next().map_err(|e| e.to_string())? {
        match arg {
            Short('h') | Long("help") => return Ok(Command::Help),
            Long("capacity") => limits.capacity = Some(number(&mut args, "--capacity")?),
            Long("steps") => limits.steps = Some(number(&mut args, "--steps")?),
            Long("output") => {
                let value = args.value().map_err(|e| e.to_string())?;
                output = Some(PathBuf::from(value));
            }
            Long("policy") => {
                let value = args.value().map_err(|e| e.to_string())?;
                let policy = value.to_string_lossy().parse();
                policies.push(policy.map_err(|e: Misspelt| format!("--policy: {e}"))?);
                continue;
            }
            Value(file) => {
                files.push(file);
                continue;
            }
            other => return Err(other.unexpected().to_string()),
        }
        options = true;
    }
    match &files[..] {
        [word, file] if word == "growth" && !options => Ok(Command::Growth {
            file: file.into(),
            policies,
        }),
        [word, ..] if word == "growth" => Err("`growth` takes one file and policies".into()),
        _ if !policies.is_empty() => Err("`--policy` goes with `growth`".into()),
        [word, file, placement] if word == "check" && !options => Ok(Command::Check {
            file: file.into(),
            placement: placement.into(),
        }),
        [word, ..] if word == "check" => Err("`check` takes two files and no options".into()),
        [word, file] if word == "peak" && limits.capacity.is_none() => Ok(Command::Peak {
            file: file.into(),
            steps: limits.steps,
            output,
        }),
        [word, ..] if word == "peak" => Err("`peak` takes one file, and no capacity".into()),
        [file] => Ok(Command::Plan {
            file: file.into(),
            limits,
            output,
        }),
        [] => Err("there is no file".into()),
        _ => Err("there is more than one file".into()),
    }
}

fn number(args: &mut lexopt::Parser, option: &str) -> Result<u64, String> {
    let value = args.value().map_err(|e| e.to_string())?;
    let text = value.to_string_lossy();
    numbers::natural(&text).map_err(|e| format!("{option} `{text}`: {e}"))
}

/// Writes a line to the standard output.
fn say(text: &str) -> Result<bool, String> {
    writeln!(std::io::stdout(), "{text}").map_err(|e| format!("cannot write: {e}"))?;
    Ok(true)
}

fn read(file: &Path) -> Result<String, String> {
    let bytes = std::fs::read(file).map_err(|e| format!("{}: {e}", file.display()))?;
    csv::text(bytes).map_err(|fault| located(file, &fault))
}

fn located(file: &Path, fault: &Fault) -> String {
    let (line, column) = fault.at;
    format!("{}:{line}:{column}: {}", file.display(), fault.message)
}

/// Places what is in `file`; false where the capacity is not met.
fn plan(file: &Path, limits: &Limits, output: Option<&Path>) -> Result<bool, String> {
    not_read(file, output)?;
    let text = read(file)?;
    let table = Table::parse(&text, false).map_err(|fault| located(file, &fault))?;
    let clock = Instant::now();
    let found = place(&table.problem, limits);
    let found = found.map_err(|wrong| located(file, &table.fault(&wrong)))?;
    say(&format!(
        "n={} peak={} lower_bound={} optimal={} seconds={:.3}",
        table.problem.buffers.len(),
        found.peak,
        found.lower_bound,
        if found.optimal() { "yes" } else { "no" },
        clock.elapsed().as_secs_f64(),
    ))?;
    if let Some(capacity) = limits.capacity.filter(|&c| c < found.peak) {
        let why = match found.lower_bound > capacity {
            true => format!("impossible: no peak is below {}", found.lower_bound),
            false => format!(
                "not found: no peak of at most {capacity} in {} steps",
                found.steps
            ),
        };
        let _ = writeln!(std::io::stderr(), "{why}");
        return Ok(false);
    }
    if let Some(output) = output {
        write(output, &table.with_offsets(&found.offsets))?;
    }
    Ok(true)
}

/// # Errors
/// Where `output` is `file`.
fn not_read(file: &Path, output: Option<&Path>) -> Result<(), String> {
    let Some(output) = output.filter(|output| same(file, output)) else {
        return Ok(());
    };
    let message = "`--output` is the file that is read, which would be lost";
    Err(format!("{}: {message}", output.display()))
}

fn write(output: &Path, rows: &str) -> Result<(), String> {
    std::fs::write(output, rows).map_err(|e| format!("{}: {e}", output.display()))
}

/// Whether both are one file, by whatever paths.
fn same(a: &Path, b: &Path) -> bool {
    let [a, b] = [a, b].map(|path| path.canonicalize().ok());
    a.is_some() && a == b
}

/// Whether `placement` is one of what is in `file`.
fn check(file: &Path, placement: &Path) -> Result<bool, String> {
    let (given, placed) = (read(file)?, read(placement)?);
    let given = Table::parse(&given, false).map_err(|fault| located(file, &fault))?;
    let placed = Table::parse(&placed, true).map_err(|fault| located(placement, &fault))?;
    match check::check(&given, &placed) {
        Ok(peak) => say(&format!("n={} peak={peak} ok", given.problem.buffers.len())),
        Err(faults) => {
            for fault in &faults {
                let _ = writeln!(std::io::stderr(), "{}", located(placement, fault));
            }
            Ok(false)
        }
    }
}

/// What policies cost on the history in `file`.
fn growth(file: &Path, policies: Vec<Policy>) -> Result<bool, String> {
    let sizes = Sizes::parse(&read(file)?).map_err(|fault| located(file, &fault))?;
    let policies = match policies.is_empty() {
        true => sizes.usual(),
        false => policies,
    };
    let said = sizes.compared(&policies);
    say(&said.map_err(|fault| located(file, &fault))?)
}

/// Bounds of the peaks of the record in `file`.
fn peak(file: &Path, steps: Option<u64>, output: Option<&Path>) -> Result<bool, String> {
    not_read(file, output)?;
    let found = Peaks::find(&read(file)?, steps).map_err(|fault| located(file, &fault))?;
    say(&found.lines())?;
    if let Some(output) = output {
        write(output, &peak::table(&found))?;
    }
    Ok(true)
}
