//! What the plan is, at the head of the record; and what it does not claim, does not count and leaves
//! to others, at its end. The runtime reads both back, so that all forms of a record say the same.

use std::fmt::{self, Formatter};

use super::Record;
use crate::fault::counted;

/// What no claim is made of.
const NOT_CLAIMED: [&str; 4] = [
    "completion is that of the launch: a kernel starts no work that outlives it",
    "sizes are logical, each resource at its largest; what a device reserves or commits is another matter",
    "the lower bound is that of this order and these in-place updates; others may do with less",
    "not considered: moving to other memory, the timing of actions",
];

/// What is assumed, and who is to keep it is another.
const LEFT_TO_OTHERS: [&str; 5] = [
    "the driver backs each range with one piece of memory, of the asked alignment",
    "where that memory resides, and what it takes physically, is the driver's",
    "an event is complete when all that was issued before it on its stream is",
    "a stream executes in the order of issue; when memory actions take place is the device's",
    "rustc evaluates the verifier as it is written",
];

impl Record {
    /// The disposition, in the words of the specification. One that rests on measurements takes its
    /// place once those are held against the record.
    pub(super) fn verdict(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let (name, rest) = match self.declared.target {
            Some(_) => (
                "need more evidence",
                "for the declared target no profile of the plan and of a baseline is given",
            ),
            None if self.declared.measured().is_some() => (
                "guarded policy",
                "nothing is claimed of time: costs of kernels were measured, what the plan gains was not",
            ),
            None => (
                "guarded policy",
                "nothing is claimed of time, and nothing was measured",
            ),
        };
        let proved = match self.dims.is_empty() {
            true => "for sizes that are the same at every load",
            false => "for every admitted dim and checked at load",
        };
        writeln!(f, "\nverdict: {name}")?;
        writeln!(f, "  because        storage is proved {proved}; {rest}")
    }

    pub(super) fn limits(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let section = |f: &mut Formatter<'_>, title: &str, lines: &[&str]| {
            writeln!(f, "\n{title}")?;
            lines.iter().try_for_each(|line| writeln!(f, "  {line}"))
        };
        section(f, "not claimed", &NOT_CLAIMED)?;
        let ring = self.ring;
        let streams = counted(
            u32::from(self.streams).saturating_mul(ring) as usize,
            "stream",
        );
        let events = counted(self.events.saturating_mul(ring) as usize, "event");
        let driver = format!(
            "memory of the driver and of its context: among it what {streams} and {events} take"
        );
        let mut not_counted = vec![
            "code and constants of kernels: the driver loads them with the module",
            "local memory, stacks and shared memory of kernels: they belong to a launch, and the \
             device sets them up",
            &driver,
            "what the driver reserves beyond the bytes that are asked for: reserve, commitment, \
             residency and fragmentation are physical",
            "memory of the caller, inputs as they are handed in and outputs once copied out: the \
             caller owns it",
        ];
        if self.store > 0 {
            not_counted.push(
                "a second copy of what outlives runs, while it is replaced: the host decides when \
                 it sets or resets it",
            );
        }
        section(f, "not counted", &not_counted)?;
        section(f, "left to others", &LEFT_TO_OTHERS)
    }
}
