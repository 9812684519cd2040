//! Intervals as runs of sections: the maximal sets of blocks that are live at one time.
//!
//! A time at which no more is live than at another says nothing new, so only maximal sets are kept.
//! Each block is live in a contiguous run of them, and two blocks clash exactly if they share one.

/// Blocks over sections.
#[derive(Clone, Debug, Default)]
pub(crate) struct Sections {
    /// How many there are.
    pub(crate) count: usize,
    /// First section of each block, and one past the last.
    pub(crate) span: Vec<(u32, u32)>,
}

impl Sections {
    /// The sections of half-open intervals, none of which is empty.
    pub(crate) fn new(intervals: &[(i64, i64)]) -> Self {
        let mut starts: Vec<i64> = intervals.iter().map(|i| i.0).collect();
        let mut ends: Vec<i64> = intervals.iter().map(|i| i.1).collect();
        starts.sort_unstable();
        ends.sort_unstable();
        // A maximal set is live right before the first end that follows a start.
        let mut cuts: Vec<i64> = Vec::new();
        let mut next = 0;
        for &end in &ends {
            let begun = next;
            while next < starts.len() && starts[next] < end {
                next += 1;
            }
            if next > begun {
                cuts.push(end);
            }
        }
        // Section k holds what starts before cut k and ends at it or later.
        let span = |&(lower, upper): &(i64, i64)| {
            let from = cuts.partition_point(|&c| c <= lower);
            let to = cuts.partition_point(|&c| c <= upper);
            (from as u32, to as u32)
        };
        Self {
            span: intervals.iter().map(span).collect(),
            count: cuts.len(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Sections;

    #[test]
    fn only_the_fullest_moments_are_kept() {
        // Live together: {0, 1} before 2, {1, 2} before 4, and {3} alone.
        let found = Sections::new(&[(0, 2), (1, 4), (2, 5), (7, 9)]);
        assert_eq!(
            (found.count, found.span),
            (3, vec![(0, 1), (0, 2), (1, 2), (2, 3)])
        );
    }

    #[test]
    fn two_share_a_section_exactly_if_they_share_a_time() {
        let all: Vec<(i64, i64)> = (0..6)
            .flat_map(|a| (a + 1..7).map(move |b| (a, b)))
            .collect();
        let found = Sections::new(&all);
        for (i, a) in all.iter().enumerate() {
            for (j, b) in all.iter().enumerate() {
                let (s, t) = (found.span[i], found.span[j]);
                assert_eq!(s.0 < t.1 && t.0 < s.1, a.0 < b.1 && b.0 < a.1);
            }
        }
    }
}
