//! `plan growth`: a history of sizes from a file, and what policies cost on it.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use gpu_graph_analysis::growth::{
    Buckets, Compared, History, Policy, Ratio, Release, Resource, Rule, compare,
};

use crate::csv::{Fault, Field, fault, records};
use crate::numbers;

/// The columns that are read, the first of them always.
const COLUMNS: [&str; 5] = ["size", "id", "alignment", "maximum", "nanos"];
/// What begins the name of a column that is for the reader.
const DIM: &str = "dim ";

/// A history, and where it was written.
pub struct Sizes {
    history: History,
    /// Of each resource, where the size of each step stands.
    places: Vec<Vec<(usize, usize)>>,
}

/// Columns by name.
struct Header<'a>(&'a [Field]);

impl Header<'_> {
    /// The field of that column that is not empty.
    fn field<'r>(&self, row: &'r [Field], name: &str) -> Option<&'r Field> {
        let at = self.0.iter().position(|f| f.text == name)?;
        row.get(at).filter(|f| !f.text.is_empty())
    }

    fn number(&self, row: &[Field], name: &str) -> Result<Option<u64>, Fault> {
        let read = |f: &Field| numbers::natural(&f.text).map_err(|e| fault(f.at, e));
        self.field(row, name).map(read).transpose()
    }

    /// # Errors
    /// A column that is not known, is there twice, or is missing.
    fn holds(&self) -> Result<(), Fault> {
        for (k, field) in self.0.iter().enumerate() {
            let name = &field.text;
            if !COLUMNS.contains(&&name[..]) && !name.starts_with(DIM) {
                let known: Vec<String> = COLUMNS.iter().map(|c| format!("`{c}`")).collect();
                let known = known.join(", ");
                let message = format!(
                    "unknown column `{name}`: columns are {known}, and any that begin with `{DIM}`"
                );
                return Err(fault(field.at, message));
            }
            if self.0[..k].iter().any(|f| f.text == *name) {
                let message = format!("the column `{name}` is there twice");
                return Err(fault(field.at, message));
            }
        }
        match self.0.iter().any(|f| f.text == COLUMNS[0]) {
            true => Ok(()),
            false => Err(fault(self.0[0].at, "the column `size` is missing")),
        }
    }
}

impl Sizes {
    /// Reads a file: the rows of one id are its steps.
    ///
    /// # Errors
    /// The first thing that is wrong.
    pub fn parse(text: &str) -> Result<Self, Fault> {
        let records = records(text)?;
        let Some((header, rows)) = records.split_first() else {
            return Err(fault((1, 1), "the file is empty"));
        };
        let header = Header(header);
        header.holds()?;
        let mut sizes = Self {
            history: History::default(),
            places: Vec::new(),
        };
        let mut ids: BTreeMap<String, usize> = BTreeMap::new();
        for row in rows {
            let (has, wants) = (row.len(), header.0.len());
            if has != wants {
                let at = row.get(wants).unwrap_or(&row[has - 1]).at;
                let message = format!("the row has {has} fields, the header {wants}");
                return Err(fault(at, message));
            }
            let id = header.field(row, "id").map_or("", |f| &f.text);
            let new = sizes.places.len();
            let r = *ids.entry(id.to_owned()).or_insert(new);
            if r == new {
                sizes.history.resources.push(Resource {
                    alignment: header.number(row, "alignment")?.unwrap_or(1),
                    maximum: header.number(row, "maximum")?,
                    ..Resource::default()
                });
                sizes.places.push(Vec::new());
            }
            sizes.step(&header, row, r)?;
        }
        let wrong = sizes.history.check();
        wrong.map_err(|wrong| sizes.fault(wrong))?;
        Ok(sizes)
    }

    /// One row of resource `r`.
    fn step(&mut self, header: &Header<'_>, row: &[Field], r: usize) -> Result<(), Fault> {
        let resource = &mut self.history.resources[r];
        let same = [
            ("alignment", Some(resource.alignment)),
            ("maximum", resource.maximum),
        ];
        for (name, first) in same {
            let Some(field) = header.field(row, name) else {
                continue;
            };
            if header.number(row, name)? != first {
                let message = format!("the {name} is not that of the id's first row");
                return Err(fault(field.at, message));
            }
        }
        let column = header.0.iter().position(|f| f.text == COLUMNS[0]);
        let at = row[column.unwrap_or(0)].at;
        let missing = || fault(at, "a number is missing");
        let size = header.number(row, "size")?.ok_or_else(missing)?;
        resource.sizes.push(size);
        resource.nanos.push(header.number(row, "nanos")?);
        self.places[r].push(at);
        Ok(())
    }

    fn fault(&self, wrong: gpu_graph_analysis::growth::Wrong) -> Fault {
        use gpu_graph_analysis::growth::Wrong;
        let (r, k) = wrong.at();
        let places = self.places.get(r).map_or(&[][..], |p| p);
        let at = match wrong {
            Wrong::Steps(_) => places.last(),
            _ => places.get(k),
        };
        let at = at.copied().unwrap_or((1, 1));
        match wrong {
            Wrong::Steps(_) => {
                let (has, first) = (places.len(), self.places[0].len());
                fault(at, format!("the id has {has} sizes, the first one {first}"))
            }
            wrong => fault(at, wrong.to_string()),
        }
    }

    /// Policies of each kind, with buckets of a sixteenth and a quarter of the largest size.
    pub fn usual(&self) -> Vec<Policy> {
        let sizes = self.history.resources.iter().flat_map(|r| &r.sizes);
        let largest = sizes.copied().max().unwrap_or(0).max(16);
        let bucket = |part: u64| {
            let bytes = (largest / part).checked_next_power_of_two();
            Rule::Bucketed(Buckets::Multiples(bytes.unwrap_or(1 << 63)))
        };
        let mut rules = vec![
            Rule::Exact,
            bucket(16),
            bucket(4),
            Rule::Bucketed(Buckets::Powers),
        ];
        let factors = [(5, 4), (3, 2), (2, 1)];
        let factors = factors.iter().filter_map(|&(p, q)| Ratio::new(p, q));
        rules.extend(factors.map(Rule::Geometric));
        let mut policies = Vec::new();
        for rule in rules {
            let releases = match rule {
                Rule::Geometric(_) => [Ratio::new(1, 4).map(Release::Below), Some(Release::Keep)],
                _ => [Some(Release::Follow), Some(Release::Keep)],
            };
            let releases = releases.into_iter().flatten();
            policies.extend(releases.map(|release| Policy { rule, release }));
        }
        policies
    }

    /// A line for the history, one for each policy, and what that comes to.
    ///
    /// # Errors
    /// A size of which a policy makes more than a number holds.
    pub fn compared(&self, policies: &[Policy]) -> Result<String, Fault> {
        let compared = compare(&self.history, policies).map_err(|wrong| self.fault(wrong))?;
        let trend = self.history.trend();
        let mut text = format!(
            "n={} steps={} same={} grew={} shrank={} reversals={} largest_growth={} \
             largest_shrinkage={} at_maximum={} peak={}",
            self.places.len(),
            trend.steps,
            trend.same,
            trend.grew,
            trend.shrank,
            trend.reversals,
            trend.largest_growth,
            trend.largest_shrinkage,
            trend.at_maximum,
            trend.peak,
        );
        let names: Vec<String> = policies.iter().map(Policy::to_string).collect();
        for (
            name,
            Compared {
                figures: f,
                beaten_by,
                ..
            },
        ) in names.iter().zip(&compared)
        {
            let _ = write!(
                text,
                "\npolicy={name} changes={} grown={} released={} allocated={} copied={}",
                f.changes(),
                f.grown,
                f.released,
                f.allocated,
                f.copied,
            );
            let _ = match f.time() {
                Some(nanos) => write!(text, " nanos={nanos}"),
                None if f.unmeasured == f.changes() => write!(text, " nanos=unknown"),
                None => write!(text, " nanos>={} unmeasured={}", f.nanos, f.unmeasured),
            };
            let beaten = beaten_by.and_then(|by| names.get(by));
            let _ = write!(
                text,
                " slack={} peak_slack={} peak={} peak_changing={} beaten_by={}",
                f.slack,
                f.peak_slack,
                f.peak,
                f.peak_changing,
                beaten.map_or("none", |name| name),
            );
        }
        let open = compared.iter().filter(|c| c.beaten_by.is_none()).count();
        let _ = write!(
            text,
            "\npolicies={} unbeaten={open} chosen=none",
            compared.len()
        );
        Ok(text)
    }
}
