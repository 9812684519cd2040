//! Values that are made again: every term of what that takes, and what it saves.

use std::fmt::{self, Formatter, Write};

use super::Record;
use super::policy::Rival;
use super::text::{SHORT, list};
use super::time::time;
use crate::fault::counted;
use crate::layout::sizes::rounded;
use crate::policy::Figures;
use crate::recompute::{Input, Remake};

/// A value that is made again by demand.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DemandRecord {
    /// What it takes.
    pub remake: Remake,
    /// The least arena that was found with it.
    pub with: u64,
    /// The least that was found without it.
    pub without: u64,
    /// Waits and events more than without it, as the two stand.
    pub sync: Sync,
}

/// Waits and events that a plan has more than another one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sync {
    /// Waits between streams.
    pub waits: u64,
    /// Events that are recorded.
    pub events: u64,
}

impl Sync {
    /// What `with` has more than `without`.
    pub fn more(with: &Figures, without: &Figures) -> Self {
        Self {
            waits: with.waits.saturating_sub(without.waits) as u64,
            events: with.events.saturating_sub(without.events).into(),
        }
    }

    /// What `rival` has more than `base` for the `nth` value that is made again in it. Waits are of
    /// the plan as a whole, and count with the first.
    fn of(rival: &Rival, base: &Figures, nth: usize) -> Self {
        match nth {
            0 => Self::more(&rival.figures, base),
            _ => Self::default(),
        }
    }

    /// Nanoseconds, where there are no more: the time of a wait is not known.
    pub fn nanos(self) -> Option<u64> {
        (self == Self::default()).then_some(0)
    }
}

/// What is not known of the time that `remake` takes with `sync`, to follow "blocked on".
fn unknown(remake: &Remake, sync: Sync) -> Vec<String> {
    let mut unknown = Vec::new();
    if remake.construct.is_none() {
        unknown.push(format!("the cost of `{}`", remake.kernel));
    }
    if sync.nanos().is_none() {
        let (waits, events) = (sync.waits as usize, sync.events as usize);
        let (waits, events) = (counted(waits, "wait"), counted(events, "event"));
        unknown.push(format!("the time of {waits} and {events} more"));
    }
    if remake.workspace().is_none() {
        unknown.push("the time of a fill".to_owned());
    }
    unknown
}

/// `T_construct + T_inputs + T_sync + T_workspace_effect`: what is known of it, and whether that is
/// all.
pub fn total(remake: &Remake, sync: Sync) -> (u64, bool) {
    let terms = [
        remake.construct,
        Some(Remake::INPUTS),
        sync.nanos(),
        remake.workspace(),
    ];
    let known = terms
        .iter()
        .flatten()
        .fold(0, |sum: u64, t| sum.saturating_add(*t));
    (known, terms.iter().all(Option::is_some))
}

impl Record {
    pub(super) fn again_facts(&self, out: &mut String) -> fmt::Result {
        let base = &self.policy.stands().figures;
        for (at, rival) in self.policy.rivals.iter().enumerate() {
            for (nth, remake) in rival.remade.iter().enumerate() {
                let sync = Sync::of(rival, base, nth);
                let arenas = [base.arena, rival.figures.arena];
                facts(out, &at.to_string(), remake, sync, arenas)?;
            }
        }
        for demand in &self.policy.demanded {
            facts(
                out,
                "",
                &demand.remake,
                demand.sync,
                [demand.without, demand.with],
            )?;
        }
        for refused in &self.policy.refused {
            let (value, before) = (&refused.value, &refused.before);
            writeln!(out, "refused\t{value}\t{before}\t{}", refused.why)?;
        }
        Ok(())
    }

    /// What is made again in `rival`, and what that saves.
    pub(super) fn remade(&self, f: &mut Formatter<'_>, rival: &Rival) -> fmt::Result {
        if rival.remade.is_empty() {
            return Ok(());
        }
        let Rival {
            name,
            figures: base,
            ..
        } = self.policy.stands();
        let (without, with) = (base.arena, rival.figures.arena);
        saves(f, without, with, name)?;
        for (nth, remake) in rival.remade.iter().enumerate() {
            terms(f, remake, Sync::of(rival, base, nth))?;
        }
        let times = counted(rival.remade.len(), "value");
        writeln!(f, "    times     {times} made again in each run")
    }

    /// Values that are made again in all plans, or in none.
    pub(super) fn reconstructions(&self, f: &mut Formatter<'_>) -> fmt::Result {
        for demand in &self.policy.demanded {
            let remake = &demand.remake;
            writeln!(
                f,
                "  demanded       recompute `{}` before `{}`",
                remake.value, remake.before
            )?;
            saves(f, demand.without, demand.with, "at least without it")?;
            terms(f, remake, demand.sync)?;
        }
        for refused in &self.policy.refused {
            let (value, before) = (&refused.value, &refused.before);
            writeln!(
                f,
                "  refused        recompute `{value}` before `{before}`: {}",
                refused.why
            )?;
        }
        Ok(())
    }
}

fn saves(f: &mut Formatter<'_>, without: u64, with: u64, base: &str) -> fmt::Result {
    let [a, b] = [without, with].map(rounded);
    match without.saturating_sub(with) {
        0 => writeln!(f, "    saves     nothing: {a} {base}, {b} with it"),
        saved => writeln!(
            f,
            "    saves     {}: {a} {base}, {b} with it",
            rounded(saved)
        ),
    }
}

fn terms(f: &mut Formatter<'_>, remake: &Remake, sync: Sync) -> fmt::Result {
    let (instance, task, kernel) = (&remake.instance, &remake.task, &remake.kernel);
    writeln!(
        f,
        "    again     `{instance}` by `{task}`, before `{}`",
        remake.before
    )?;
    match remake.construct {
        Some(nanos) => writeln!(f, "      construct  {} of `{kernel}`", time(nanos))?,
        None => writeln!(f, "      construct  blocked on the cost of `{kernel}`")?,
    }
    let read = remake
        .inputs
        .iter()
        .fold(0u64, |sum, i| sum.saturating_add(i.bytes));
    write!(
        f,
        "      inputs     {}: what it is made of is kept",
        time(Remake::INPUTS)
    )?;
    writeln!(f, "; {} read again", rounded(read))?;
    for Input { name, longer, .. } in &remake.inputs {
        if let Some(last) = longer {
            let last = list(last.iter().map(String::as_str), SHORT);
            writeln!(
                f,
                "                 `{name}` lives longer: until then, and else until {last}"
            )?;
        }
    }
    match (sync.nanos(), sync) {
        (Some(nanos), _) => writeln!(
            f,
            "      sync       {}: no wait and no event more",
            time(nanos)
        )?,
        (None, Sync { waits, events }) => {
            let (waits, events) = (
                counted(waits as usize, "wait"),
                counted(events as usize, "event"),
            );
            writeln!(
                f,
                "      sync       blocked on the time of {waits} and {events} more"
            )?;
        }
    }
    match &remake.rooms[..] {
        [] => writeln!(f, "      workspace  {}: none", time(0))?,
        rooms => {
            for room in rooms {
                let bytes = rounded(room.bytes);
                let how = match room.zeroed {
                    true => "blocked on the time of a fill of",
                    false => "0 ns:",
                };
                writeln!(
                    f,
                    "      workspace  {how} `{}`, {bytes}, in the arena above",
                    room.name
                )?;
            }
        }
    }
    let (known, whole) = total(remake, sync);
    match whole {
        true => writeln!(f, "      in all     {}", time(known))?,
        false => {
            let unknown = unknown(remake, sync).join(" and ");
            writeln!(
                f,
                "      in all     at least {}, blocked on {unknown}",
                time(known)
            )?;
        }
    }
    let beside = counted(remake.beside, "task");
    writeln!(f, "      beside     {beside} may run at the same time")?;
    writeln!(
        f,
        "      the same   by `recompute let`: one kernel, passed what it was passed before"
    )
}

fn facts(
    out: &mut String,
    rival: &str,
    remake: &Remake,
    sync: Sync,
    [without, with]: [u64; 2],
) -> fmt::Result {
    let Remake {
        value,
        before,
        instance,
        task,
        kernel,
        ..
    } = remake;
    write!(
        out,
        "again\t{rival}\t{value}\t{before}\t{instance}\t{task}\t{kernel}\t"
    )?;
    let (known, construct) = (remake.construct.is_some(), remake.construct.unwrap_or(0));
    let zeroed = remake.workspace().is_none();
    let sum = |bytes: &mut dyn Iterator<Item = u64>| bytes.fold(0, u64::saturating_add);
    let read = sum(&mut remake.inputs.iter().map(|i| i.bytes));
    let rooms = sum(&mut remake.rooms.iter().map(|r| r.bytes));
    let (waits, events, beside) = (sync.waits, sync.events, remake.beside);
    write!(
        out,
        "{} {construct} {waits} {events} {} ",
        u8::from(known),
        u8::from(zeroed)
    )?;
    write!(out, "{read} {rooms} {beside} {without} {with}")?;
    for input in remake.inputs.iter().filter(|i| i.longer.is_some()) {
        write!(out, "\t{}", input.name)?;
    }
    out.push('\n');
    Ok(())
}
