//! What was needed, step by step.

use std::fmt;

/// What one resource needed, step by step, and what is known of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Resource {
    /// Bytes that it needs at each step.
    pub sizes: Vec<u64>,
    /// What its capacity is a multiple of; at least 1.
    pub alignment: u64,
    /// More than this is never needed, where that is known; no policy rounds up beyond it.
    pub maximum: Option<u64>,
    /// What a change of it at that step took or would take, in nanoseconds, where that was measured;
    /// a step beyond the end of the list has no measurement.
    pub nanos: Vec<Option<u64>>,
}

impl Default for Resource {
    fn default() -> Self {
        Self {
            sizes: Vec::new(),
            alignment: 1,
            maximum: None,
            nanos: Vec::new(),
        }
    }
}

/// What several resources needed at the same steps.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct History {
    /// Each has a size for every step; one that is not there needs nothing.
    pub resources: Vec<Resource>,
}

/// How sizes went: zero growth, jumps, shrinkage, oscillation, and growth up to the maximum.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Trend {
    /// Steps.
    pub steps: usize,
    /// Steps of a resource, from its second on, at which it needs what it needed before.
    pub same: usize,
    /// Those at which it needs more.
    pub grew: usize,
    /// Those at which it needs less.
    pub shrank: usize,
    /// Times that growth followed shrinkage or the other way round, whatever lay between.
    pub reversals: usize,
    /// The most bytes by which a resource grew in one step.
    pub largest_growth: u64,
    /// The most by which one shrank.
    pub largest_shrinkage: u64,
    /// Steps of a resource at its declared maximum.
    pub at_maximum: usize,
    /// The most that all needed at one step, each aligned.
    pub peak: u128,
}

/// Why a history cannot be replayed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wrong {
    /// There is no step.
    Empty,
    /// The alignment of a resource is 0.
    NoAlignment(usize),
    /// A resource has another number of steps than the first.
    Steps(usize),
    /// At this step a resource needs more than its maximum.
    AboveMaximum(usize, usize),
    /// At this step the capacity of a resource is beyond all numbers.
    TooLarge(usize, usize),
}

impl Wrong {
    /// The resource and the step to point to.
    pub fn at(self) -> (usize, usize) {
        match self {
            Self::Empty => (0, 0),
            Self::NoAlignment(r) | Self::Steps(r) => (r, 0),
            Self::AboveMaximum(r, k) | Self::TooLarge(r, k) => (r, k),
        }
    }
}

impl fmt::Display for Wrong {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Empty => "there is no step",
            Self::NoAlignment(_) => "an alignment is at least 1",
            Self::Steps(_) => "it has another number of steps than the first",
            Self::AboveMaximum(..) => "it needs more than its maximum",
            Self::TooLarge(..) => "its capacity would be beyond all numbers",
        })
    }
}

impl std::error::Error for Wrong {}

impl History {
    /// Steps of every resource.
    pub fn steps(&self) -> usize {
        self.resources.first().map_or(0, |r| r.sizes.len())
    }

    /// Whether it can be replayed.
    ///
    /// # Errors
    /// What is wrong with it, of the first resource that is not right.
    pub fn check(&self) -> Result<(), Wrong> {
        if self.steps() == 0 {
            return Err(Wrong::Empty);
        }
        for (i, r) in self.resources.iter().enumerate() {
            if r.alignment == 0 {
                return Err(Wrong::NoAlignment(i));
            }
            if r.sizes.len() != self.steps() {
                return Err(Wrong::Steps(i));
            }
            for (k, &size) in r.sizes.iter().enumerate() {
                if r.maximum.is_some_and(|most| size > most) {
                    return Err(Wrong::AboveMaximum(i, k));
                }
                if r.aligned(size).is_none() {
                    return Err(Wrong::TooLarge(i, k));
                }
            }
        }
        Ok(())
    }

    /// How sizes went.
    ///
    /// ```
    /// use gpu_graph_analysis::growth::{History, Resource};
    /// let sizes = vec![4, 4, 9, 2, 2, 3];
    /// let resources = vec![Resource { sizes, maximum: Some(9), ..Resource::default() }];
    /// let trend = History { resources }.trend();
    /// assert_eq!((trend.same, trend.grew, trend.shrank, trend.reversals), (2, 2, 1, 2));
    /// assert_eq!((trend.largest_growth, trend.largest_shrinkage, trend.at_maximum), (5, 7, 1));
    /// ```
    pub fn trend(&self) -> Trend {
        let mut trend = Trend {
            steps: self.steps(),
            ..Trend::default()
        };
        for r in &self.resources {
            let mut last = None;
            for pair in r.sizes.windows(2) {
                let (old, new) = (pair[0], pair[1]);
                let grows = new > old;
                if new == old {
                    trend.same += 1;
                    continue;
                }
                let (count, most) = match grows {
                    true => (&mut trend.grew, &mut trend.largest_growth),
                    false => (&mut trend.shrank, &mut trend.largest_shrinkage),
                };
                *count += 1;
                *most = (*most).max(new.abs_diff(old));
                trend.reversals += usize::from(last.is_some_and(|last| last != grows));
                last = Some(grows);
            }
            let at_maximum = r.sizes.iter().filter(|&&s| Some(s) == r.maximum);
            trend.at_maximum += at_maximum.count();
        }
        let at = |k: usize| {
            let each = self.resources.iter();
            let bytes = each.filter_map(|r| r.aligned(*r.sizes.get(k)?));
            bytes.map(u128::from).sum()
        };
        trend.peak = (0..self.steps()).map(at).max().unwrap_or(0);
        trend
    }
}

impl Resource {
    /// `a * ceil(bytes / a)`, where that is a number.
    pub(super) fn aligned(&self, bytes: u64) -> Option<u64> {
        bytes.checked_next_multiple_of(self.alignment)
    }
}
