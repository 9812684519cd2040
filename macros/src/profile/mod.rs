//! A profile that a graph names: what the runtime's `Measured` wrote, read as the graph is built.
//!
//! The form is JSON, of which this reads what costs are made of. The parser has no dependency of its
//! own, takes about half a second of a cold build, and keeps the place of each value, which faults
//! are told with.

mod json;
#[cfg(test)]
mod tests;

use gpu_graph_analysis::digest::Digest;
use gpu_graph_analysis::fault::profiles::Wrong;
use gpu_graph_analysis::measured::{LaunchTime, Measured, Profile};

use json::{Node, parse};

/// The version of the form that is read.
pub const VERSION: u64 = 1;

/// A file.
pub struct File {
    /// As the graph names it.
    name: String,
    /// What was measured of each source.
    programs: Vec<(Digest, Measured)>,
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
        let [_, _, device, dims, programs] = root.fields(names)?;
        let dims = dims.list()?.map(|dim| {
            let [name, value] = dim.fields(["name", "value"])?;
            Ok((name.text()?.to_owned(), value.number()?))
        });
        let dims: Vec<_> = dims.collect::<Result<_, _>>()?;
        let device = device.text()?;
        let programs = programs
            .list()?
            .map(|program| self::program(program, device, &dims));
        Ok(Self {
            name: name.to_owned(),
            programs: programs.collect::<Result<_, _>>()?,
        })
    }

    /// What it says of `source`.
    pub fn of(&self, source: Digest) -> Profile {
        let mut sources: Vec<Digest> = self.programs.iter().map(|(source, _)| *source).collect();
        sources.sort_unstable();
        sources.dedup();
        let mut programs = self.programs.iter();
        let found = programs.find(|(of, _)| *of == source);
        Profile {
            file: self.name.clone(),
            measured: found.map(|(_, measured)| measured.clone()),
            sources,
        }
    }
}

fn program(
    node: Node<'_>,
    device: &str,
    dims: &[(String, u64)],
) -> Result<(Digest, Measured), Wrong> {
    let [_, source, program, runs, _, _, _, _, kernels, tasks] = node.fields([
        "variant",
        "source",
        "program",
        "runs",
        "arena_bytes",
        "live_bytes",
        "run_nanoseconds",
        "period_nanoseconds",
        "kernels",
        "tasks",
    ])?;
    let launches: Vec<LaunchTime> = kernels.list()?.map(launch).collect::<Result<_, _>>()?;
    let of_task = tasks.list()?.map(|task| {
        let [_, launch, _] = task.fields(["task", "launch", "nanoseconds"])?;
        if launch.is_null() {
            return Ok(None);
        }
        match launch.number()? {
            number if number < launches.len() as u64 => Ok(Some(number as u32)),
            number => Err(launch.wrong(format!("there is no kernel {number}"))),
        }
    });
    let of_task = of_task.collect::<Result<_, _>>()?;
    let measured = Measured {
        device: device.to_owned(),
        dims: dims.to_vec(),
        runs: runs.number()?,
        program: digest(program)?,
        launches,
        of_task,
    };
    Ok((digest(source)?, measured))
}

fn launch(node: Node<'_>) -> Result<LaunchTime, Wrong> {
    let [kernel, dims, launches, times] =
        node.fields(["kernel", "dims", "launches", "nanoseconds"])?;
    let dims = dims.list()?.map(|dim| dim.number());
    let [least, low, median, high, most] =
        times.fields(["least", "low", "median", "high", "most"])?;
    // With few runs no range of the median is known, and it is somewhere between all that was seen.
    let end = |range: Node<'_>, seen: Node<'_>| match range.is_null() {
        true => seen.number(),
        false => range.number(),
    };
    let (below, above) = (end(low, least)?, end(high, most)?);
    let middle = median.number()?;
    if middle < below || middle > above {
        return Err(median.wrong("the median is not in its range"));
    }
    Ok(LaunchTime {
        kernel: kernel.text()?.to_owned(),
        dims: dims.collect::<Result<_, _>>()?,
        count: launches.number()?,
        low: below,
        median: middle,
        high: above,
    })
}

fn digest(node: Node<'_>) -> Result<Digest, Wrong> {
    let found = Digest::parse(node.text()?);
    found.ok_or_else(|| node.wrong("expected 16 hexadecimal digits"))
}
