//! What the graph declares, in the record.

use std::fmt::{self, Formatter};

use super::Record;
use super::text::{LONG, SHORT, list, more, one_line, short};
use super::time::time;
use crate::declared::Issue;
use crate::digest::Digest;
use crate::fault::counted;
use crate::measured::Profile;

impl Record {
    pub(super) fn declared(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let declared = &self.declared;
        let not = "not declared";
        writeln!(f, "\ndeclared")?;
        if let Some(minimize) = &declared.minimize {
            writeln!(f, "  minimize       {minimize}")?;
        }
        let scope = declared.scope.as_deref().map(one_line);
        writeln!(f, "  scope          {}", scope.as_deref().unwrap_or(not))?;
        match declared.target {
            Some(target) => writeln!(f, "  target         {target}")?,
            None => writeln!(f, "  target         {not}")?,
        }
        if let Some(issue) = declared.issue {
            let how = match issue {
                Issue::Streams => "each op by itself, to its stream",
                Issue::Graph => {
                    "a run is one launch where the device has graphs, with equal results"
                }
            };
            writeln!(f, "  issue          {issue}: {how}")?;
        }
        if declared.tolerances.is_empty() {
            writeln!(f, "  tolerance      {not}")?;
        }
        for tolerance in &declared.tolerances {
            let (output, text) = (&tolerance.output, &tolerance.text);
            writeln!(f, "  tolerance      `{output}`: {text}")?;
        }
        if !declared.finite.is_empty() {
            let names = declared.finite.iter().map(String::as_str);
            let names = list(names, 3 * SHORT);
            writeln!(f, "  finite         {names}, checked at every run")?;
        }
        if let Some(profile) = &declared.profile {
            self.profile(f, profile)?;
        }
        let measured = declared.measured();
        let replaced = |name: &str| {
            let seen = measured.map(|m| &m.launches);
            seen.is_some_and(|seen| seen.iter().any(|launch| launch.kernel == name))
        };
        let known = declared.costs.iter();
        let known = known.filter_map(|(name, cost)| Some((name, cost.as_ref()?)));
        let known = known.filter(|(name, _)| !replaced(name));
        let count = known.clone().count();
        for (name, cost) in known.take(LONG) {
            writeln!(f, "  cost           `{name}`: {} a launch", cost.text)?;
        }
        more(f, count, LONG, "cost")?;
        if declared.without_cost().next().is_some() {
            let names = list(declared.without_cost(), 3 * SHORT);
            writeln!(f, "  cost unknown   {names}")?;
        }
        Ok(())
    }

    fn profile(&self, f: &mut Formatter<'_>, profile: &Profile) -> fmt::Result {
        let file = one_line(&profile.file);
        let Some(measured) = &profile.measured else {
            let others = profile.sources.iter().map(Digest::to_string);
            let others = match profile.sources.len() {
                0 => "none".to_owned(),
                _ => short(others),
            };
            return writeln!(
                f,
                "  profile        `{file}`: stale, and not used: it is of source {others}"
            );
        };
        let runs = counted(measured.runs as usize, "run");
        write!(
            f,
            "  profile        `{file}`: {runs} on {}",
            one_line(&measured.device)
        )?;
        for (i, (name, value)) in measured.dims.iter().enumerate() {
            write!(f, "{} {name} = {value}", if i == 0 { " at" } else { "," })?;
        }
        writeln!(f, "; a cost is one at these dims")?;
        for launch in measured.launches.iter().take(LONG) {
            let (kernel, dims) = (&launch.kernel, &launch.dims);
            let (low, median, high) = (launch.low, launch.median, launch.high);
            let seen = counted(launch.count as usize, "time");
            write!(
                f,
                "  cost           `{kernel}` at {dims:?}: {}",
                time(median)
            )?;
            writeln!(f, " measured, {} to {}, seen {seen}", time(low), time(high))?;
        }
        more(f, measured.launches.len(), LONG, "cost")
    }
}
