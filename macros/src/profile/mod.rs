//! A profile that a graph names: what the runtime's `Measured` wrote, read as the graph is built.
//!
//! The form is JSON, of which this keeps what costs are made of, and refuses all that the runtime's reader
//! refuses. The two share no code: that one reads through serde, which the build of a macro goes without,
//! and the runtime goes without this crate. A test holds them against each other. The parser has no dependency of its
//! own, takes about half a second of a cold build, and keeps the place of each value, which faults
//! are told with.

mod of;
#[cfg(test)]
mod tests;

use gpu_graph_analysis::declared::Cost;
use gpu_graph_analysis::digest::Digest;
use gpu_graph_analysis::fault::counted;
use gpu_graph_analysis::fault::profiles::Wrong;
use gpu_graph_analysis::json::{Node, parse};
use gpu_graph_analysis::measured::{LaunchTime, Measured};

pub use of::Of;

/// The version of the form that is read.
pub const VERSION: u64 = 2;

/// A file.
pub struct File {
    /// As the graph names it.
    name: String,
    /// Where its dims stand.
    dims: [usize; 2],
    /// What was measured of each program.
    programs: Vec<Program>,
}

/// What was measured of one program, and where that stands.
struct Program {
    variant: Option<String>,
    source: Digest,
    measured: Measured,
    at: Places,
}

/// Lines and columns.
struct Places {
    variant: [usize; 2],
    kernels: [usize; 2],
    tasks: [usize; 2],
    /// Of each task of the graph as it was written, where it is first.
    written: Vec<[usize; 2]>,
}

impl File {
    /// Reads `text`, of the file `name`.
    pub fn read(name: &str, text: &str) -> Result<Self, Wrong> {
        let root = parse(text)?;
        let root = Node::new(&root, text);
        let version = root.field("version")?;
        match version.number()? {
            VERSION => {}
            other => {
                let what = format!("it is of version {other}, where {VERSION} is known");
                return Err(version.wrong(what));
            }
        }
        let names = ["version", "graph", "device", "dims", "programs"];
        let [_, graph, device, dims, programs] = root.fields(names)?;
        graph.text()?;
        let place = dims.at();
        let mut measured: Vec<(String, u64)> = Vec::new();
        for dim in dims.list()? {
            let [name, value] = dim.fields(["name", "value"])?;
            let (name, value) = (name.text()?, value.number()?);
            if measured.iter().any(|(before, _)| before == name) {
                return Err(dim.wrong(format!("the dim `{name}` is there twice")));
            }
            measured.push((name.to_owned(), value));
        }
        let device = device.text()?;
        let mut found: Vec<Program> = Vec::new();
        for node in programs.list()? {
            let program = self::program(node, device, &measured)?;
            let same = |other: &Program| {
                other.variant == program.variant
                    && other.measured.program == program.measured.program
            };
            if found.iter().any(same) {
                let of = program.measured.program;
                return Err(node.wrong(format!("program {of} is there twice")));
            }
            found.push(program);
        }
        Ok(Self {
            name: name.to_owned(),
            dims: place,
            programs: found,
        })
    }
}

fn program(node: Node<'_>, device: &str, dims: &[(String, u64)]) -> Result<Program, Wrong> {
    let [
        variant,
        source,
        program,
        runs,
        off,
        arena,
        live,
        run,
        period,
        kernels,
        tasks,
    ] = node.fields([
        "variant",
        "source",
        "program",
        "runs",
        "resolution_nanoseconds",
        "arena_bytes",
        "live_bytes",
        "run_nanoseconds",
        "period_nanoseconds",
        "kernels",
        "tasks",
    ])?;
    arena.number()?;
    let seen = runs.count()?;
    for of in [live, run] {
        spread(of, seen)?;
    }
    if !period.is_null() {
        if seen == 1 {
            return Err(period.wrong("there is none of one run"));
        }
        spread(period, seen - 1)?;
    } else if seen > 1 {
        let what = format!("it is none of {seen} runs, where there is one of 2 or more");
        return Err(period.wrong(what));
    }
    let off = off.number()?;
    let mut launches: Vec<LaunchTime> = Vec::new();
    for node in kernels.list()? {
        let found = launch(node, off)?;
        let same = |other: &LaunchTime| other.kernel == found.kernel && other.dims == found.dims;
        if launches.iter().any(same) {
            let (kernel, dims) = (found.kernel, found.dims);
            return Err(node.wrong(format!("`{kernel}` at {dims:?} is there twice")));
        }
        launches.push(found);
    }
    let (mut of_task, mut written) = (Vec::new(), Vec::new());
    let mut launched = vec![0u64; launches.len()];
    for task in tasks.list()? {
        let [name, origin, launch, times] =
            task.fields(["task", "origin", "launch", "nanoseconds"])?;
        name.text()?;
        spread(times, seen)?;
        let does = match launch.is_null() {
            true => None,
            false => match launch.number()? {
                number if number < launches.len() as u64 => {
                    launched[number as usize] += 1;
                    Some(number as u32)
                }
                number => return Err(launch.wrong(format!("there is no kernel {number}"))),
            },
        };
        // A program that makes values again has more tasks than its source.
        let (number, next) = (origin.number()?, of_task.len());
        match usize::try_from(number).ok().and_then(|n| of_task.get(n)) {
            Some(first) if *first != does => {
                return Err(launch.wrong("it does again what launches something else"));
            }
            Some(_) => {}
            None if number == next as u64 => {
                of_task.push(does);
                written.push(task.at());
            }
            None => return Err(origin.wrong(format!("no task before it has the origin {next}"))),
        }
    }
    for ((node, found), tasks) in kernels.list()?.zip(&launches).zip(launched) {
        let (kernel, dims) = (&found.kernel, &found.dims);
        if tasks == 0 {
            return Err(node.wrong(format!("no task launches `{kernel}` at {dims:?}")));
        }
        let (found, all) = (found.count, tasks.saturating_mul(seen));
        if found != all {
            let (runs, launch) = (
                counted(seen as usize, "run"),
                if tasks == 1 { "launches" } else { "launch" },
            );
            let tasks = counted(tasks as usize, "task");
            let what = format!("it is {found}, and not {all}, as {tasks} {launch} it in {runs}");
            return Err(node.field("launches")?.wrong(what));
        }
    }
    let at = Places {
        variant: variant.at(),
        kernels: kernels.at(),
        tasks: tasks.at(),
        written,
    };
    let measured = Measured {
        device: device.to_owned(),
        dims: dims.to_vec(),
        runs: seen,
        program: digest(program)?,
        launches,
        of_task,
    };
    let variant = match variant.is_null() {
        true => None,
        false => Some(variant.text()?.to_owned()),
    };
    Ok(Program {
        variant,
        source: digest(source)?,
        measured,
        at,
    })
}

/// What was seen of one thing, in nanoseconds or bytes: the least, the ends of what the median lies
/// between, the median, and the most.
struct Spread {
    least: u64,
    low: u64,
    median: u64,
    high: u64,
    most: u64,
}

/// Observations of which a range of the median is known: so many at least.
const FEWEST: u64 = 6;

/// What `count` observations say.
fn spread(node: Node<'_>, count: u64) -> Result<Spread, Wrong> {
    let [least, low, median, high, most] =
        node.fields(["least", "low", "median", "high", "most"])?;
    for end in [low, high] {
        if !end.is_null() && count < FEWEST {
            let (found, s) = (end.number()?, if count == 1 { "" } else { "s" });
            let what = format!(
                "it is {found} of {count} observation{s}, where there is none of fewer than {FEWEST}"
            );
            return Err(end.wrong(what));
        }
        if end.is_null() && count >= FEWEST {
            let what = format!(
                "it is none of {count} observations, where there is one of {FEWEST} or more"
            );
            return Err(end.wrong(what));
        }
    }
    // With few runs no range of the median is known, and it is somewhere between all that was seen.
    let end = |range: Node<'_>, seen: Node<'_>| match range.is_null() {
        true => seen.number(),
        false => range.number(),
    };
    let found = Spread {
        least: least.number()?,
        low: end(low, least)?,
        median: median.number()?,
        high: end(high, most)?,
        most: most.number()?,
    };
    if found.median < found.low || found.median > found.high {
        return Err(median.wrong("the median is not in its range"));
    }
    if found.low < found.least || found.high > found.most {
        return Err(node.wrong("the range of the median is not in what was seen"));
    }
    Ok(found)
}

/// Launches of one kernel, whose times may be `off` by so much.
fn launch(node: Node<'_>, off: u64) -> Result<LaunchTime, Wrong> {
    let [kernel, dims, launches, times] =
        node.fields(["kernel", "dims", "launches", "nanoseconds"])?;
    let dims = dims.list()?.map(|dim| dim.number());
    let count = launches.count()?;
    let seen = spread(times, count)?;
    if seen.most > Cost::MOST {
        let what = format!("a launch takes {} ns at most", Cost::MOST);
        return Err(times.field("most")?.wrong(what));
    }
    Ok(LaunchTime {
        kernel: kernel.text()?.to_owned(),
        dims: dims.collect::<Result<_, _>>()?,
        count,
        low: seen.low.saturating_sub(off),
        median: seen.median,
        high: seen.high.saturating_add(off).min(Cost::MOST),
    })
}

fn digest(node: Node<'_>) -> Result<Digest, Wrong> {
    let found = Digest::parse(node.text()?);
    found.ok_or_else(|| node.wrong("expected 16 hexadecimal digits"))
}
