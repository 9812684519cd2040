//! A record as data: read from the tables, and from what the analysis left beside them.

mod allocator;
mod apart;
mod candidates;
mod claims;
mod identity;
mod noted;
mod storage;
mod tasks;

use super::facts::{Facts, Update};
use super::placed::{ends, updates};
use super::{Op, Record};
use crate::report::{Dim, Issue, Plan, Region, Report, VERSION};
use crate::table::{self, Program, Source};
use noted::Noted;

impl Record {
    /// The record as data, to be exported as JSON or as a page of HTML.
    ///
    /// ```
    /// # use gpu_graph_runtime::graph::Record;
    /// fn write(record: &Record) -> std::io::Result<()> {
    ///     std::fs::write("record.json", record.report().to_json())?;
    ///     std::fs::write("record.html", record.report().to_html())
    /// }
    /// ```
    pub fn report(&self) -> Report {
        let plans = match self.variants {
            [] => vec![plan(self, None)],
            variants => {
                let each = variants.iter();
                each.map(|(name, own)| plan(own, Some(name))).collect()
            }
        };
        Report {
            version: VERSION,
            graph: self.source.name.to_owned(),
            arena_bytes: self.arena_bytes(),
            store_bytes: self.store_bytes(),
            plans,
        }
    }
}

/// A record, and all that is known beside its tables.
struct Known<'a> {
    record: &'a Record,
    source: &'static Source<'static>,
    program: &'static Program<'static>,
    facts: Facts,
    noted: Noted,
    /// In-place updates that are made.
    taken: Vec<Update>,
    /// Of each resource the first and the last of what is one range with it by these.
    ends: Vec<[usize; 2]>,
    /// Step of each task in the issue order.
    steps: Vec<u32>,
    /// Stream of each task.
    streams: Vec<u8>,
}

fn plan(record: &Record, variant: Option<&str>) -> Plan {
    let (source, program) = (record.source, record.program);
    let taken = updates(source, program);
    let mut known = Known {
        ends: ends(&taken, source.resources.len()),
        taken,
        record,
        source,
        program,
        facts: Facts::read(record.facts, source, program),
        noted: Noted::read(record.facts, source),
        steps: vec![0; source.tasks.len()],
        streams: vec![0; source.tasks.len()],
    };
    let mut step = 0;
    for op in program.issue {
        if let Op::Launch { task, stream, .. } = *op {
            known.steps[task as usize] = step;
            known.streams[task as usize] = stream;
            step += 1;
        }
    }
    let dims = source.dims.iter().map(|dim| Dim {
        name: dim.name.to_owned(),
        min: dim.min,
        max: dim.max,
    });
    let resources = known.resources();
    let storage = known.storage(&resources);
    let allocator = known.allocator(&resources);
    let unshared = known.unshared(&resources);
    let mut purpose = known.noted.purpose.clone();
    purpose.issue = match known.program.issue_as {
        table::Issue::Streams => Issue::Streams,
        table::Issue::Graph => Issue::Graph,
    };
    Plan {
        variant: variant.map(str::to_owned),
        dims: dims.collect(),
        excluded: known.excluded(),
        workspaces: known.workspaces(&resources),
        tasks: known.tasks(),
        order: known.order(),
        aliases: known.aliases(),
        left: known.left(),
        claims: known.claims(),
        purpose,
        resources,
        peaks: known.peaks(),
        candidates: known.candidates(),
        search: known.search(),
        demanded: known.again(None),
        not_again: known.not_again(),
        storage,
        unshared,
        kinds: known.kinds(),
        allocator,
        identity: known.identity(),
        costs: known.costs(),
        finding: None,
    }
}

impl Known<'_> {
    fn region(&self, resource: usize) -> Region {
        match self.source.resources[resource].class {
            class if class.persists() => Region::Store,
            crate::table::Class::Staging => Region::Staging,
            _ => Region::Arena,
        }
    }
}
