//! Rows of bits.

/// A matrix of bits, each row in `u64` words.
///
/// The loops are plain indexing on purpose: inside a procedural macro this code runs unoptimised,
/// where iterator adapters cost several times as much, and an index into a `Vec` is three calls.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BitRows {
    rows: usize,
    bits: usize,
    words: usize,
    data: Box<[u64]>,
}

impl BitRows {
    /// `rows` rows of `bits` zeros.
    pub fn new(rows: usize, bits: usize) -> Self {
        let words = bits.div_ceil(64);
        Self {
            rows,
            bits,
            words,
            data: vec![0; rows * words].into_boxed_slice(),
        }
    }

    /// The number of rows.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// The number of bits of a row.
    pub fn bits(&self) -> usize {
        self.bits
    }

    /// One bit.
    pub fn get(&self, row: usize, bit: usize) -> bool {
        self.data[row * self.words + bit / 64] >> (bit % 64) & 1 != 0
    }

    /// Sets one bit.
    pub fn set(&mut self, row: usize, bit: usize) {
        self.data[row * self.words + bit / 64] |= 1 << (bit % 64);
    }

    /// The words of a row, lowest bits first.
    pub fn row(&self, row: usize) -> &[u64] {
        &self.data[row * self.words..(row + 1) * self.words]
    }

    /// How many bits are set.
    pub fn ones(&self) -> usize {
        self.data.iter().map(|w| w.count_ones() as usize).sum()
    }

    /// Whether every bit is one of `other`, which is as large.
    pub fn within(&self, other: &Self) -> bool {
        let words = self.data.iter().zip(&other.data);
        words.into_iter().all(|(a, b)| a & !b == 0)
    }

    /// `to |= from`, both rows of this matrix.
    pub fn join(&mut self, to: usize, from: usize) {
        let (to, from, end) = (to * self.words, from * self.words, self.words);
        let data = &mut self.data;
        let mut k = 0;
        while k < end {
            data[to + k] |= data[from + k];
            k += 1;
        }
    }

    /// `row |= words`.
    pub fn join_words(&mut self, row: usize, words: &[u64]) {
        let own = self.row_mut(row);
        let mut k = 0;
        while k < own.len() {
            own[k] |= words[k];
            k += 1;
        }
    }

    /// `row &= words`.
    pub fn meet_words(&mut self, row: usize, words: &[u64]) {
        let own = self.row_mut(row);
        let mut k = 0;
        while k < own.len() {
            own[k] &= words[k];
            k += 1;
        }
    }

    /// `row = words`.
    pub fn copy_words(&mut self, row: usize, words: &[u64]) {
        self.row_mut(row).copy_from_slice(words);
    }

    fn row_mut(&mut self, row: usize) -> &mut [u64] {
        &mut self.data[row * self.words..(row + 1) * self.words]
    }
}

/// Calls `visit` with each set bit of `words`, lowest first.
pub fn each_bit(words: &[u64], mut visit: impl FnMut(usize)) {
    let mut k = 0;
    while k < words.len() {
        let mut rest = words[k];
        while rest != 0 {
            visit(k * 64 + rest.trailing_zeros() as usize);
            rest &= rest - 1;
        }
        k += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_apart_and_bits_come_in_order() {
        let mut m = BitRows::new(3, 70);
        m.set(0, 1);
        m.set(1, 69);
        assert!(m.get(1, 69) && !m.get(0, 69) && !m.get(2, 1));
        m.join(2, 0);
        m.join(2, 1);
        let mut seen = vec![];
        each_bit(m.row(2), |b| seen.push(b));
        assert_eq!(seen, [1, 69]);
        let first = m.row(0).to_vec();
        m.meet_words(2, &first);
        assert_eq!(m.row(2), first);
    }

    #[test]
    fn a_matrix_without_bits_has_empty_rows() {
        let mut m = BitRows::new(2, 0);
        m.join(0, 1);
        assert!(m.row(1).is_empty());
    }
}
