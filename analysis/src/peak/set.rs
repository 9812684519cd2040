//! Sets of tasks as words of bits. The loops are plain indexing on purpose, as in
//! [`bits`](crate::order::bits).

/// A set of tasks below `64 * N`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Set<const N: usize>([u64; N]);

impl<const N: usize> Set<N> {
    pub const EMPTY: Self = Self([0; N]);

    /// All below `n`.
    pub fn below(n: usize) -> Self {
        let mut set = Self::EMPTY;
        let mut t = 0;
        while t < n {
            set.0[t / 64] |= 1 << (t % 64);
            t += 1;
        }
        set
    }

    pub fn of(tasks: &[u32]) -> Self {
        let (mut set, mut at) = (Self::EMPTY, 0);
        while at < tasks.len() {
            let t = tasks[at] as usize;
            set.0[t / 64] |= 1 << (t % 64);
            at += 1;
        }
        set
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
        let mut k = 0;
        while k < N {
            self.0[k] &= !other.0[k];
            k += 1;
        }
        self
    }

    pub fn and(mut self, other: &Self) -> Self {
        let mut k = 0;
        while k < N {
            self.0[k] &= other.0[k];
            k += 1;
        }
        self
    }

    pub fn or(mut self, other: &Self) -> Self {
        let mut k = 0;
        while k < N {
            self.0[k] |= other.0[k];
            k += 1;
        }
        self
    }

    /// Adds what is in `other`.
    pub fn join(&mut self, other: &Self) {
        let mut k = 0;
        while k < N {
            self.0[k] |= other.0[k];
            k += 1;
        }
    }

    pub fn meets(&self, other: &Self) -> bool {
        let mut k = 0;
        while k < N && self.0[k] & other.0[k] == 0 {
            k += 1;
        }
        k < N
    }

    pub fn within(&self, other: &Self) -> bool {
        let mut k = 0;
        while k < N && self.0[k] & !other.0[k] == 0 {
            k += 1;
        }
        k == N
    }

    pub fn is_empty(&self) -> bool {
        self.within(&Self::EMPTY)
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
