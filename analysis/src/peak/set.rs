//! Sets of tasks as words of bits.

/// A set of tasks below `64 * N`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Set<const N: usize>([u64; N]);

impl<const N: usize> Set<N> {
    pub const EMPTY: Self = Self([0; N]);

    /// All below `n`.
    pub fn below(n: usize) -> Self {
        let mut set = Self::EMPTY;
        for t in 0..n {
            set.insert(t as u32);
        }
        set
    }

    pub fn of(tasks: &[u32]) -> Self {
        tasks.iter().fold(Self::EMPTY, |set, &t| set.with(t))
    }

    pub fn has(&self, t: u32) -> bool {
        self.0[t as usize / 64] >> (t % 64) & 1 != 0
    }

    pub fn insert(&mut self, t: u32) {
        self.0[t as usize / 64] |= 1 << (t % 64);
    }

    pub fn with(mut self, t: u32) -> Self {
        self.insert(t);
        self
    }

    pub fn minus(mut self, other: &Self) -> Self {
        for k in 0..N {
            self.0[k] &= !other.0[k];
        }
        self
    }

    pub fn and(mut self, other: &Self) -> Self {
        for k in 0..N {
            self.0[k] &= other.0[k];
        }
        self
    }

    pub fn or(mut self, other: &Self) -> Self {
        for k in 0..N {
            self.0[k] |= other.0[k];
        }
        self
    }

    pub fn meets(&self, other: &Self) -> bool {
        (0..N).any(|k| self.0[k] & other.0[k] != 0)
    }

    pub fn within(&self, other: &Self) -> bool {
        (0..N).all(|k| self.0[k] & !other.0[k] == 0)
    }

    pub fn is_empty(&self) -> bool {
        self.0.iter().all(|&w| w == 0)
    }

    pub fn count(&self) -> usize {
        self.0.iter().map(|w| w.count_ones() as usize).sum()
    }

    /// Ascending.
    pub fn iter(&self) -> impl Iterator<Item = u32> + use<N> {
        let words = self.0;
        (0..N).flat_map(move |k| {
            let mut rest = words[k];
            std::iter::from_fn(move || {
                let bit = (rest != 0).then(|| rest.trailing_zeros())?;
                rest &= rest - 1;
                Some(k as u32 * 64 + bit)
            })
        })
    }
}
