//! What words of a record mean to somebody who reads one for the first time.

use std::fmt::{self, Formatter};

/// Words of a record, each with what it means. `docs/record.md` and the page have the same.
pub const WORDS: [(&str, &str); 13] = [
    (
        "arena",
        "the memory that the resources of one run share; it is allocated once, at the load",
    ),
    (
        "as it stands",
        "the graph as it is written, with nothing added: the baseline of all differences",
    ),
    (
        "live",
        "from the first task that uses a resource to the last; one range with what it becomes in place",
    ),
    (
        "peak cut",
        "a moment in some order of execution at which the most is live",
    ),
    (
        "slack",
        "the arena less the most that is live at once where tasks run one at a time, as they are issued",
    ),
    (
        "conditioned",
        "it rests on an order of tasks that no dependency has, and that the plan adds",
    ),
    ("guard", "a check that has to hold for the plan to be used"),
    (
        "fallback",
        "the program, proved as well, that runs where a guard does not hold",
    ),
    (
        "hold",
        "a task that does nothing: up to it, code that no task shows may still use what it names",
    ),
    (
        "guarded policy",
        "proved under guards; no gain is claimed that would have to be measured",
    ),
    (
        "measured finding",
        "profiles of the baseline and of the plan show the predicted gain beyond their uncertainty",
    ),
    (
        "need more evidence",
        "it is for a target of which no measurement, or too few, says anything",
    ),
    (
        "rejected",
        "as a verdict, measurements show the plan worse than its baseline; of a plan that was weighed, it is not taken",
    ),
];

pub(super) fn words(f: &mut Formatter<'_>) -> fmt::Result {
    writeln!(f, "\nwords")?;
    let mut words = WORDS.iter();
    words.try_for_each(|(word, means)| writeln!(f, "  {word:<18} {means}"))
}
