//! What a plan rests on while it is used: each check by the name under which it fires, what a refusal
//! is, and which proved program runs then; what makes the record void, and what would falsify it.

use std::fmt::{self, Formatter};

use super::Record;
use super::text::{SHORT, list};
use crate::fault::counted;
use crate::layout::sizes::{amount, rounded};
use crate::layout::summands;
use crate::model::Class;

/// A check, and what comes of a refusal.
struct Guard {
    stage: &'static str,
    check: String,
    refusal: &'static str,
    /// The program that runs instead; none where nothing does.
    fallback: Option<String>,
}

impl Guard {
    fn new(stage: &'static str, check: impl Into<String>, refusal: &'static str) -> Self {
        Self {
            stage,
            check: check.into(),
            refusal,
            fallback: None,
        }
    }
}

const BUILD: &str = "build";
const LOAD: &str = "load";
const RUN: &str = "run";

/// Of a graph that has dims.
const OUTSIDE: &str = "dims outside their bounds";

const VOID: [&str; 3] = [
    "another source of the graph, or of a kernel that it launches",
    OUTSIDE,
    "another version of this crate",
];

const FALSIFIED: [&str; 4] = [
    "a kernel that touches other rows than it declares, or keeps an address",
    "two resources of one slot that are live at once in a trace of completions",
    "a request for the arena of other bytes than are given here, at the largest sizes",
    "profiles of the plan and of its baseline in which what is predicted to be less is more",
];

impl Record {
    pub(super) fn guards(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let guards = self.checks();
        writeln!(f, "\nguards: {}", counted(guards.len(), "check"))?;
        for guard in guards {
            writeln!(f, "  at {:<12}{}", guard.stage, guard.check)?;
            writeln!(f, "    refusal   {}", guard.refusal)?;
            let none = "none, nothing runs";
            let fallback = guard.fallback.as_deref().unwrap_or(none);
            writeln!(f, "    fallback  {fallback}")?;
        }
        let void = VOID.into_iter();
        for what in void.filter(|what| *what != OUTSIDE || !self.dims.is_empty()) {
            writeln!(f, "  void with      {what}")?;
        }
        for what in FALSIFIED {
            writeln!(f, "  falsified by   {what}")?;
        }
        Ok(())
    }

    /// The policy of growth, where a size can be another at another load.
    pub(super) fn growth(&self, f: &mut Formatter<'_>) -> fmt::Result {
        if self.dims.is_empty() {
            return Ok(());
        }
        writeln!(f, "  sizes          {}", self.sizes())?;
        writeln!(
            f,
            "  growth         exact: each load takes what its own dims need, and other dims are another load; \
             no other policy is applied"
        )
    }

    fn checks(&self) -> Vec<Guard> {
        let dynamic = !self.dims.is_empty();
        let sizes = match dynamic {
            true => " at the largest and the smallest dims",
            false => "",
        };
        let fails = "the build fails, with the violation";
        let mut all = vec![Guard::new(
            BUILD,
            format!(
                "`verify`, which knows nothing of the planner, holds this program against the source{sizes}"
            ),
            fails,
        )];
        if let Some(budget) = self.budget {
            let counts = summands(self.ring.into(), [self.arena, self.pinned, self.store]);
            let budget = amount(budget);
            let check = format!("the budget of {budget} has room for {counts}");
            all.push(Guard::new(BUILD, check, "the build fails with `GG0408`"));
        }
        if dynamic {
            self.load_checks(&mut all);
        }
        let memory = "the memory that is asked for is there";
        all.push(Guard::new(LOAD, memory, "`LoadError::OutOfMemory`"));
        let named = |of: &dyn Fn(Class) -> bool| {
            let of_class = self.resources.iter().filter(|r| of(r.class));
            let names: Vec<&str> = of_class.map(|r| r.name.as_str()).collect();
            (!names.is_empty()).then(|| list(names.into_iter(), SHORT))
        };
        if let Some(names) = named(&Class::is_input) {
            let check = format!("the length of {names} is that of the declaration");
            all.push(Guard::new(RUN, check, "`RunError::InputLength`"));
        }
        if let Some(names) = named(&|class| class == Class::Resident) {
            let check = format!("{names} has been set");
            all.push(Guard::new(RUN, check, "`RunError::NotSet`"));
        }
        if named(&|class| class == Class::Inout).is_some() {
            let check = "no run has failed that may have left what outlives runs half-updated";
            all.push(Guard::new(
                RUN,
                check,
                "`RunError::Poisoned`, until a reset",
            ));
        }
        if !self.declared.finite.is_empty() {
            let names = self.declared.finite.iter().map(String::as_str);
            let check = format!("the value of {} is finite", list(names, SHORT));
            all.push(Guard::new(RUN, check, "`RunError::NotFinite`"));
        }
        let mut before = Guard::new(
            RUN,
            "all of the run before on the same instance is complete, of whatever variant it was",
            "`RunError::InFlight` from a `try_` call",
        );
        before.fallback = Some("this program, once it is: other calls wait for it".to_owned());
        all.push(before);
        all
    }

    /// Those of a load at dims of its own.
    fn load_checks(&self, all: &mut Vec<Guard>) {
        let dims = self.dims.iter();
        let dims = dims.map(|d| format!("`{}` in {}..={}", d.name, d.min, d.max));
        let dims = dims.collect::<Vec<_>>().join(", ");
        all.push(Guard::new(
            LOAD,
            format!("each dim is within its bounds: {dims}"),
            "`LoadError::Dim`",
        ));
        let mut moved = Guard::new(
            LOAD,
            "where slots that are placed anew for the actual dims make it smaller, `verify` holds the program \
             with them against the source at these dims",
            "`Kept::Refused` in `memory().kept()`, with the violation",
        );
        moved.fallback = Some(format!(
            "this program with the slots of this record, its arena of {}, under the check that follows",
            rounded(self.arena)
        ));
        all.push(moved);
        all.push(Guard::new(
            LOAD,
            "`verify` holds this program against the source at the actual dims, where no slot is placed anew",
            "`LoadError::Unproved`, with the violation",
        ));
    }
}
