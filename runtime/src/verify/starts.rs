//! A set of small integers that finds the largest member up to a bound, 64 ways per level.

/// Levels at most: 64 to the sixth is beyond any index.
const LEVELS: usize = 6;

/// The set. Level 0 has a bit for each integer, each level above a bit for each word below.
pub(super) struct Starts<'w> {
    words: &'w mut [u64],
    base: [usize; LEVELS],
    levels: usize,
}

impl<'w> Starts<'w> {
    /// Words for the integers below `n`.
    pub(super) const fn words(n: usize) -> usize {
        let mut total = 0;
        let mut len = n;
        loop {
            len = len.div_ceil(64);
            total += len;
            if len <= 1 {
                return total;
            }
        }
    }

    /// The empty set of integers below `n`, in as many zero words as [`Self::words`] says.
    pub(super) const fn new(words: &'w mut [u64], n: usize) -> Self {
        let mut base = [0; LEVELS];
        let mut levels = 0;
        let mut next = 0;
        let mut len = n;
        loop {
            len = len.div_ceil(64);
            base[levels] = next;
            next += len;
            levels += 1;
            if len <= 1 {
                return Self {
                    words,
                    base,
                    levels,
                };
            }
        }
    }

    pub(super) const fn insert(&mut self, i: usize) {
        let mut i = i;
        let mut level = 0;
        while level < self.levels {
            let word = &mut self.words[self.base[level] + (i >> 6)];
            let was_empty = *word == 0;
            *word |= 1 << (i & 63);
            if !was_empty {
                return;
            }
            i >>= 6;
            level += 1;
        }
    }

    pub(super) const fn remove(&mut self, i: usize) {
        let mut i = i;
        let mut level = 0;
        while level < self.levels {
            let word = &mut self.words[self.base[level] + (i >> 6)];
            *word &= !(1 << (i & 63));
            if *word != 0 {
                return;
            }
            i >>= 6;
            level += 1;
        }
    }

    /// The largest member that is at most `i`; 0 if there is none.
    pub(super) const fn floor(&self, i: usize) -> usize {
        let here = self.words[i >> 6] & (u64::MAX >> (63 - (i & 63)));
        if here != 0 {
            return (i & !63) + top(here);
        }
        let mut at = i >> 6;
        let mut level = 1;
        while level < self.levels {
            let word = self.words[self.base[level] + (at >> 6)] & ((1 << (at & 63)) - 1);
            if word != 0 {
                let mut found = (at & !63) + top(word);
                while level > 0 {
                    level -= 1;
                    found = (found << 6) + top(self.words[self.base[level] + found]);
                }
                return found;
            }
            at >>= 6;
            level += 1;
        }
        0
    }
}

/// Index of the highest bit of a word that is not 0.
const fn top(word: u64) -> usize {
    63 - word.leading_zeros() as usize
}

#[cfg(test)]
mod tests {
    use super::Starts;
    use std::collections::BTreeSet;

    #[test]
    fn agrees_with_an_ordered_set() {
        for n in [1usize, 63, 64, 65, 4096, 4097, 300_000] {
            let mut words = vec![0; Starts::words(n)];
            let mut set = Starts::new(&mut words, n);
            let mut model = BTreeSet::from([0]);
            set.insert(0);
            let mut seed = n as u64;
            for _ in 0..2_000 {
                seed = seed
                    .wrapping_mul(6364136223846793005)
                    .wrapping_add(1442695040888963407);
                let i = (seed >> 20) as usize % n;
                match seed >> 62 {
                    0 | 1 => {
                        set.insert(i);
                        model.insert(i);
                    }
                    2 if i != 0 => {
                        set.remove(i);
                        model.remove(&i);
                    }
                    _ => {}
                }
                assert_eq!(set.floor(i), *model.range(..=i).next_back().unwrap_or(&0));
            }
        }
    }
}
