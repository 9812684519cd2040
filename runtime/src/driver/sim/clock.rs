//! Vector clocks over streams and the host.

/// For each lane, how many of its steps are known to have happened.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Clock(Vec<u64>);

impl Clock {
    pub(super) fn get(&self, lane: usize) -> u64 {
        self.0.get(lane).copied().unwrap_or(0)
    }

    /// One more step of `lane`; says which.
    pub(super) fn tick(&mut self, lane: usize) -> u64 {
        if self.0.len() <= lane {
            self.0.resize(lane + 1, 0);
        }
        self.0[lane] += 1;
        self.0[lane]
    }

    /// Whether `other` knows all that this knows.
    pub(super) fn is_within(&self, other: &Clock) -> bool {
        (0..self.0.len()).all(|lane| self.0[lane] <= other.get(lane))
    }

    /// Knows afterwards what either knew.
    pub(super) fn join(&mut self, other: &Clock) {
        if self.0.len() < other.0.len() {
            self.0.resize(other.0.len(), 0);
        }
        for (mine, theirs) in self.0.iter_mut().zip(&other.0) {
            *mine = (*mine).max(*theirs);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_join_knows_what_either_knew() {
        let (mut a, mut b) = (Clock::default(), Clock::default());
        assert_eq!(a.tick(0), 1);
        assert_eq!((b.tick(3), b.tick(3)), (1, 2));
        a.join(&b);
        assert_eq!((a.get(0), a.get(3), a.get(9)), (1, 2, 0));
    }
}
