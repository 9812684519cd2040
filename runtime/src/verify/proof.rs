//! The steps of the proof, and the constants that carry it through rustc.

use super::clocks::Clocks;
use super::cut::{self, Counts, Cuts};
use super::run::Run;
use super::shadow::Shadow;
use super::{Table, Violation, again, limits, storage, versions};
use crate::table::{MAX_STREAMS, Program, Source};

/// Events and ops of a program at most: far beyond any graph, and small enough to make room for.
const MAX_OPS: usize = 1 << 24;

/// Lengths of the parts of the scratch memory.
#[derive(Clone, Copy)]
struct Parts {
    expect: usize,
    version: usize,
    tasks: usize,
    orders: usize,
    resources: usize,
    again: usize,
    clocks: usize,
    shadow: usize,
}

impl Parts {
    const fn of(source: &Source<'_>, program: &Program<'_>, counts: Counts) -> Self {
        let streams = program.streams as usize;
        // Each event is recorded once at most, and each record is an op.
        let (events, ops) = (program.events as usize, program.issue.len());
        let records = if events < ops { events } else { ops };
        let (tasks, resources) = (source.tasks.len(), source.resources.len());
        Self {
            expect: counts.reads,
            version: counts.pieces,
            tasks,
            orders: source.orders.len(),
            resources,
            again: again::words(source, counts.pieces),
            clocks: Clocks::words(streams, program.events as usize, records),
            shadow: Shadow::words(counts.pieces, resources, tasks, streams),
        }
    }

    const fn total(&self) -> usize {
        self.expect
            + self.version
            + self.tasks
            + self.orders
            + 2 * self.resources
            + self.again
            + self.clocks
            + self.shadow
    }
}

/// Words that [`check`] needs, for a program whose tables are small enough to make room for.
pub(super) const fn words(
    source: &Source<'_>,
    program: &Program<'_>,
    counts: Counts,
) -> Result<usize, Violation> {
    if program.streams as usize > MAX_STREAMS {
        let (depth, ring, streams) = (source.depth, program.ring, program.streams);
        return Err(Violation::Streams {
            depth,
            ring,
            streams,
        });
    }
    if program.events as usize > MAX_OPS {
        return Err(Violation::TooMany {
            table: Table::Events,
        });
    }
    if program.issue.len() > MAX_OPS {
        return Err(Violation::TooMany {
            table: Table::Issue,
        });
    }
    if program.collect.len() > MAX_OPS {
        return Err(Violation::TooMany {
            table: Table::Collect,
        });
    }
    Ok(Parts::of(source, program, counts).total())
}

/// Checks everything. `words` are zero and as many as [`words`] says.
pub(super) const fn check<'w>(
    source: &Source<'_>,
    program: &Program<'_>,
    cuts: &Cuts<'w>,
    counts: Counts,
    words: &'w mut [u64],
) -> Result<(), Violation> {
    let parts = Parts::of(source, program, counts);
    let (expect, rest) = words.split_at_mut(parts.expect);
    let (version, rest) = rest.split_at_mut(parts.version);
    let (last_order, rest) = rest.split_at_mut(parts.tasks);
    let (more_orders, rest) = rest.split_at_mut(parts.orders);
    let (uploads, rest) = rest.split_at_mut(parts.resources);
    let (held, rest) = rest.split_at_mut(parts.resources);
    let (again, rest) = rest.split_at_mut(parts.again);
    let (clocks, rest) = rest.split_at_mut(parts.clocks);
    let (shadow, _) = rest.split_at_mut(parts.shadow);

    tri!(limits::check(source, cuts, uploads));
    tri!(storage::check(source, program, cuts));
    tri!(versions::walk(source, cuts, expect, version));
    tri!(again::check(source, cuts, expect, again));
    let streams = program.streams as usize;
    Run {
        source,
        program,
        cuts,
        shadow: Shadow::new(cuts, program.slots, source.tasks.len(), streams, shadow),
        clocks: Clocks::new(streams, program.events as usize, clocks),
        expect,
        version,
        last_order,
        more_orders,
        held,
        waits_prev: false,
    }
    .check()
}

/// A corner of the box that the dims' bounds span.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Corner {
    /// Every dim at its largest.
    Max,
    /// Every dim at its smallest. Nothing is left to prove there if that is the other corner, and
    /// only that extents have values if every access is of a whole resource: ranges of the arena
    /// that grow with their dims conflict at the largest ones if anywhere.
    Min,
}

impl Corner {
    const fn is_needed(self, source: &Source<'_>) -> bool {
        let mut needed = matches!(self, Self::Max);
        let mut d = 0;
        while d < source.dims.len() {
            needed |= source.dims[d].min != source.dims[d].max;
            d += 1;
        }
        needed
    }
}

/// A copy on the evaluator's stack: what is read through a static is slow to read in rustc.
const fn local<'a>(source: &Source<'a>) -> Source<'a> {
    *source
}

/// Length of [`Cut`] at a corner.
pub const fn cut_words(source: &Source<'_>, corner: Corner) -> usize {
    let source = &local(source);
    if corner.is_needed(source) {
        source.dims.len() + cut::words(source, cut::spans(source))
    } else {
        0
    }
}

/// A source evaluated at a corner of its dims: the first constant of a proof.
#[derive(Clone, Copy, Debug)]
pub struct Cut<const N: usize> {
    words: [u64; N],
    counts: Counts,
    walk: bool,
}

impl<const N: usize> Cut<N> {
    /// Evaluates `source` at `corner`; `N` is [`cut_words`] of both.
    ///
    /// # Panics
    /// With the [summary](Violation::summary) of what is wrong with the source.
    #[track_caller]
    pub const fn at(source: &Source<'_>, corner: Corner) -> Self {
        let source = &local(source);
        let mut words = [0; N];
        let counts = Counts {
            spans: 0,
            pieces: 0,
            reads: 0,
        };
        if !corner.is_needed(source) {
            return Self {
                words,
                counts,
                walk: false,
            };
        }
        let (dims, rest) = words.split_at_mut(source.dims.len());
        let mut d = 0;
        while d < dims.len() {
            dims[d] = match corner {
                Corner::Max => source.dims[d].max,
                Corner::Min => source.dims[d].min,
            };
            d += 1;
        }
        let spans = cut::spans_of(source, rest.len());
        let walk = matches!(corner, Corner::Max) || spans > 0;
        let result = if walk {
            cut::cut(source, dims, spans, rest)
        } else {
            let (values, rest) = rest.split_at_mut(source.exprs.len());
            let numbers = rest.split_at_mut(cut::numbers(source)).0;
            match cut::evaluate(source, dims, numbers, values) {
                Ok(()) => Ok(counts),
                Err(violation) => Err(violation),
            }
        };
        match result {
            Ok(counts) => Self {
                words,
                counts,
                walk,
            },
            Err(violation) => panic!("{}", violation.summary()),
        }
    }
}

/// Scratch words that [`prove`] needs.
///
/// # Panics
/// With the [summary](Violation::summary) of what makes the program too large to check.
#[track_caller]
pub const fn walk_words<const N: usize>(
    source: &Source<'_>,
    program: &Program<'_>,
    cut: &Cut<N>,
) -> usize {
    if !cut.walk {
        return 0;
    }
    match words(source, program, cut.counts) {
        Ok(words) => words,
        Err(violation) => panic!("{}", violation.summary()),
    }
}

/// Proves `program` at the corner of `cut`; `M` is [`walk_words`] of the same.
///
/// # Panics
/// With the [summary](Violation::summary) of what is wrong: at build time, an error.
#[track_caller]
pub const fn prove<const M: usize, const N: usize>(
    source: &Source<'_>,
    program: &Program<'_>,
    cut: &Cut<N>,
) {
    if !cut.walk {
        return;
    }
    let source = &local(source);
    let mut scratch = [0; M];
    let cuts = cut::view(source, cut.counts, cut.words.split_at(source.dims.len()).1);
    match check(source, program, &cuts, cut.counts, &mut scratch) {
        Ok(()) => {}
        Err(violation) => panic!("{}", violation.summary()),
    }
}

/// Proves at build time that a program is one of its source, at the largest and the smallest dims.
///
/// Takes the names of two statics or constants. An error has the span of the call.
#[macro_export]
#[doc(hidden)]
macro_rules! prove {
    ($source:path, $program:path) => {
        #[allow(long_running_const_eval)]
        const _: () = {
            const __MAX: $crate::verify::Cut<
                { $crate::verify::cut_words(&$source, $crate::verify::Corner::Max) },
            > = $crate::verify::Cut::at(&$source, $crate::verify::Corner::Max);
            const __MIN: $crate::verify::Cut<
                { $crate::verify::cut_words(&$source, $crate::verify::Corner::Min) },
            > = $crate::verify::Cut::at(&$source, $crate::verify::Corner::Min);
            const _: () = $crate::verify::prove::<
                { $crate::verify::walk_words(&$source, &$program, &__MAX) },
                _,
            >(&$source, &$program, &__MAX);
            const _: () = $crate::verify::prove::<
                { $crate::verify::walk_words(&$source, &$program, &__MIN) },
                _,
            >(&$source, &$program, &__MIN);
        };
    };
}
