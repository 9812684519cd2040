//! The rows of a file, as a problem and back.

use std::collections::BTreeMap;

use gpu_graph_analysis::fault::counted;
use gpu_graph_analysis::place::{Buffer, Live, Problem, Wrong};

use crate::csv::{self, Fault, Field, fault};
use crate::numbers;

/// The columns that are read, the first four of them always.
const COLUMNS: [&str; 9] = [
    "id",
    "lower",
    "upper",
    "size",
    "alignment",
    "fixed",
    "same_as",
    "apart_from",
    "gaps",
];
const NEEDED: usize = 4;
/// What is added, and where it is there already takes the place of what is there.
const OFFSET: &str = "offset";

type At = (usize, usize);

/// The rows of a file.
pub struct Table {
    pub problem: Problem,
    /// The offsets, where they were asked for.
    pub offsets: Vec<u64>,
    /// Fields by name, in the order of the columns.
    names: Vec<String>,
    pub rows: Vec<Vec<Field>>,
    /// Row by id.
    pub ids: BTreeMap<String, usize>,
    /// Pairs as they were written, with the place of the second id.
    named: BTreeMap<(usize, usize), At>,
}

impl Table {
    /// Reads a file, with offsets or without.
    ///
    /// # Errors
    /// The first thing that is wrong.
    pub fn parse(text: &str, offsets: bool) -> Result<Self, Fault> {
        let mut records = csv::records(text)?.into_iter();
        let Some(header) = records.next() else {
            return Err(fault((1, 1), "the file is empty"));
        };
        header_holds(&header, offsets)?;
        let names: Vec<String> = header.iter().map(|f| f.text.clone()).collect();
        let rows: Vec<Vec<Field>> = records.collect();
        let mut ids = BTreeMap::new();
        for (r, row) in rows.iter().enumerate() {
            if row.len() != names.len() {
                let at = row.get(names.len()).unwrap_or(&row[row.len() - 1]).at;
                let (has, wants) = (row.len(), names.len());
                return Err(fault(
                    at,
                    format!("the row has {has} fields, the header {wants}"),
                ));
            }
            let id = &row[position(&names, "id").unwrap_or(0)];
            if id.text.is_empty() {
                return Err(fault(id.at, "the id is empty"));
            }
            if ids.insert(id.text.clone(), r).is_some() {
                return Err(fault(id.at, format!("the id `{}` is taken", id.text)));
            }
        }
        let mut table = Self {
            problem: Problem {
                buffers: Vec::new(),
                live: Live::Times(Vec::new()),
                same: Vec::new(),
                apart: Vec::new(),
            },
            offsets: Vec::new(),
            names,
            rows,
            ids,
            named: BTreeMap::new(),
        };
        table.read_buffers()?;
        table.problem.live = table.read_lifetimes()?;
        table.problem.same = table.read_pairs("same_as")?;
        table.problem.apart = table.read_pairs("apart_from")?;
        if offsets {
            for r in 0..table.rows.len() {
                let offset = table.needed(r, OFFSET)?;
                table.offsets.push(offset);
            }
        }
        Ok(table)
    }

    /// Whether there is such a column.
    pub fn has(&self, name: &str) -> bool {
        position(&self.names, name).is_some()
    }

    /// A field of a row that is not empty.
    pub fn field(&self, row: usize, name: &str) -> Option<&Field> {
        let field = &self.rows[row][position(&self.names, name)?];
        (!field.text.is_empty()).then_some(field)
    }

    /// The place of a field, or of the row's id.
    pub fn place(&self, row: usize, name: &str) -> At {
        let field = self.field(row, name).or_else(|| self.field(row, "id"));
        field.map_or((1, 1), |f| f.at)
    }

    fn number(&self, row: usize, name: &str) -> Result<Option<u64>, Fault> {
        let read = |f: &Field| numbers::natural(&f.text).map_err(|e| fault(f.at, e));
        self.field(row, name).map(read).transpose()
    }

    /// A number that every row has.
    fn needed(&self, row: usize, name: &str) -> Result<u64, Fault> {
        let at = position(&self.names, name).map_or((1, 1), |k| self.rows[row][k].at);
        self.number(row, name)?
            .ok_or_else(|| fault(at, "a number is missing"))
    }

    fn read_buffers(&mut self) -> Result<(), Fault> {
        for r in 0..self.rows.len() {
            let alignment = self.number(r, "alignment")?.unwrap_or(1);
            if alignment == 0 {
                return Err(fault(
                    self.place(r, "alignment"),
                    "an alignment is at least 1",
                ));
            }
            let buffer = Buffer {
                size: self.needed(r, "size")?,
                alignment,
                fixed: self.number(r, "fixed")?,
            };
            self.problem.buffers.push(buffer);
        }
        Ok(())
    }

    fn read_lifetimes(&self) -> Result<Live, Fault> {
        let mut clocks: Vec<(Vec<i64>, Vec<i64>)> = Vec::new();
        let mut gaps: Vec<Vec<(i64, i64)>> = Vec::new();
        let mut width = None;
        for r in 0..self.rows.len() {
            let mut both = Vec::new();
            for name in ["lower", "upper"] {
                let field = &self.rows[r][position(&self.names, name).unwrap_or(0)];
                let moved = |by: usize| (field.at.0, field.at.1 + by);
                let clock = numbers::clock(&field.text).map_err(|(by, e)| fault(moved(by), e))?;
                let width = *width.get_or_insert(clock.len());
                if clock.len() != width {
                    let own = counted(clock.len(), "component");
                    let message = format!("the clock has {own}, others have {width}");
                    return Err(fault(field.at, message));
                }
                both.push(clock);
            }
            let (upper, lower) = (
                both.pop().unwrap_or_default(),
                both.pop().unwrap_or_default(),
            );
            if lower.iter().zip(&upper).any(|(l, u)| l > u) {
                let at = self.place(r, "upper");
                return Err(fault(at, "the lifetime ends before it begins"));
            }
            gaps.push(self.read_gaps(r, &lower, &upper)?);
            clocks.push((lower, upper));
        }
        if width.unwrap_or(1) != 1 {
            return Ok(Live::Clocks(clocks));
        }
        let pieces = clocks.iter().zip(gaps).map(|((lower, upper), gaps)| {
            let mut at = lower[0];
            let mut pieces = Vec::new();
            for (from, to) in gaps {
                pieces.push((at, from));
                at = to;
            }
            pieces.push((at, upper[0]));
            pieces.retain(|p| p.0 < p.1);
            pieces
        });
        Ok(Live::Times(pieces.collect()))
    }

    /// The gaps of a row, ascending.
    fn read_gaps(
        &self,
        row: usize,
        lower: &[i64],
        upper: &[i64],
    ) -> Result<Vec<(i64, i64)>, Fault> {
        let Some(field) = self.field(row, "gaps") else {
            return Ok(Vec::new());
        };
        let moved = |by: usize| (field.at.0, field.at.1 + by);
        let mut gaps = numbers::gaps(&field.text).map_err(|(by, e)| fault(moved(by), e))?;
        let ([lower], [upper]) = (lower, upper) else {
            return Err(fault(field.at, "lifetimes that are clocks have no gaps"));
        };
        gaps.sort_unstable();
        if gaps.iter().any(|g| g.0 < *lower || g.1 > *upper) {
            return Err(fault(field.at, "a gap is not within the lifetime"));
        }
        if gaps.windows(2).any(|g| g[0].1 > g[1].0) {
            return Err(fault(field.at, "two gaps overlap"));
        }
        Ok(gaps)
    }

    fn read_pairs(&mut self, name: &str) -> Result<Vec<(usize, usize)>, Fault> {
        let mut pairs = Vec::new();
        for r in 0..self.rows.len() {
            let Some(field) = self.field(r, name).cloned() else {
                continue;
            };
            let mut at = field.at;
            for part in field.text.split(';') {
                let blank = part.chars().take_while(|c| c.is_whitespace()).count();
                let place = (at.0, at.1 + blank);
                let id = part.trim();
                let Some(&other) = self.ids.get(id) else {
                    return Err(fault(place, format!("there is no id `{id}`")));
                };
                if other == r && name == "apart_from" {
                    return Err(fault(place, format!("`{id}` cannot be apart from itself")));
                }
                self.named
                    .entry((r.min(other), r.max(other)))
                    .or_insert(place);
                pairs.push((r, other));
                at.1 += part.chars().count() + 1;
            }
        }
        Ok(pairs)
    }

    /// What the solver refused, as a fault of the file.
    pub fn fault(&self, wrong: &Wrong) -> Fault {
        let (row, other) = wrong.at();
        let name = match wrong {
            Wrong::NoAlignment(_) | Wrong::Alignments(..) => "alignment",
            Wrong::Lifetime(_) | Wrong::Width(_) => "upper",
            Wrong::Unaligned(..) | Wrong::TwoOffsets(..) | Wrong::FixedOverlap(..) => "fixed",
            Wrong::SameApart(..) => "apart_from",
            Wrong::Missing(_) => "id",
            Wrong::TooLarge(_) => "size",
        };
        let mut at = self.place(row, name);
        if let (Wrong::SameApart(a, b), _) = (wrong, other)
            && let Some(&place) = self.named.get(&(*a.min(b), *a.max(b)))
        {
            at = place;
        }
        let id = |r: usize| self.field(r, "id").map_or("", |f| &f.text);
        let names = match other.filter(|&o| o != row) {
            Some(other) => format!("`{}` and `{}`", id(other), id(row)),
            None => format!("`{}`", id(row)),
        };
        fault(at, format!("{names}: {wrong}"))
    }

    /// The file with its offsets.
    pub fn with_offsets(&self, offsets: &[u64]) -> String {
        let line = |fields: &mut dyn Iterator<Item = &str>, last: &str| {
            let mut line = String::new();
            for field in fields {
                line += &csv::quoted(field);
                line.push(',');
            }
            line + last + "\n"
        };
        let kept = |(k, text)| (self.names[k] != OFFSET).then_some(text);
        let names = self.names.iter().map(String::as_str);
        let mut text = line(&mut names.enumerate().filter_map(kept), OFFSET);
        for (row, offset) in self.rows.iter().zip(offsets) {
            let fields = row.iter().map(|f| f.text.as_str()).enumerate();
            text += &line(&mut fields.filter_map(kept), &offset.to_string());
        }
        text
    }
}

fn position(names: &[String], name: &str) -> Option<usize> {
    names.iter().position(|n| n == name)
}

fn header_holds(header: &[Field], offsets: bool) -> Result<(), Fault> {
    for (k, field) in header.iter().enumerate() {
        let known = COLUMNS.contains(&&field.text[..]) || field.text == OFFSET;
        if !known {
            let known: Vec<String> = COLUMNS.iter().map(|c| format!("`{c}`")).collect();
            let known = known.join(", ");
            let message = format!("unknown column `{}`: columns are {known}", field.text);
            return Err(fault(field.at, message));
        }
        if header[..k].iter().any(|f| f.text == field.text) {
            return Err(fault(
                field.at,
                format!("the column `{}` is there twice", field.text),
            ));
        }
    }
    let wanted = COLUMNS[..NEEDED]
        .iter()
        .copied()
        .chain(offsets.then_some(OFFSET));
    for name in wanted {
        if !header.iter().any(|f| f.text == name) {
            return Err(fault(
                header[0].at,
                format!("the column `{name}` is missing"),
            ));
        }
    }
    Ok(())
}
