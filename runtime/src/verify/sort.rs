//! Sorting at build time: where a call costs as much as ten steps, and a step as much as a thousand
//! instructions.

/// Sorts `ids` by the key that each names. Takes runs that are in order already as they stand, so
/// the cost is the length times the logarithm of the number of runs. `tmp` is as long as `ids`.
///
/// For the borders of one resource, which mostly are one or two runs.
pub(super) const fn merge(keys: &[u64], ids: &mut [u64], tmp: &mut [u64]) {
    let n = ids.len();
    loop {
        let mut merges = 0;
        let mut i = 0;
        while i < n {
            let middle = run(keys, ids, i);
            if i == 0 && middle == n {
                return;
            }
            let end = run(keys, ids, middle);
            let (mut a, mut b, mut out) = (i, middle, i);
            while out < end {
                let left =
                    b == end || (a < middle && keys[ids[a] as usize] <= keys[ids[b] as usize]);
                if left {
                    tmp[out] = ids[a];
                    a += 1;
                } else {
                    tmp[out] = ids[b];
                    b += 1;
                }
                out += 1;
            }
            merges += 1;
            i = end;
        }
        ids.copy_from_slice(tmp);
        if merges <= 1 {
            return;
        }
    }
}

/// End of the run that is in order and starts at `i`.
const fn run(keys: &[u64], ids: &[u64], i: usize) -> usize {
    let n = ids.len();
    if i >= n {
        return i;
    }
    let mut end = i + 1;
    while end < n && keys[ids[end - 1] as usize] <= keys[ids[end] as usize] {
        end += 1;
    }
    end
}

/// Words that [`rank`] needs for so many keys.
pub(super) const fn rank_words(keys: usize) -> usize {
    2 * keys + (1 << digit(keys))
}

/// Bits of a digit: about as many values as there are keys.
const fn digit(keys: usize) -> u32 {
    let mut bits = 4;
    while bits < 16 && keys >> bits > 1 {
        bits += 1;
    }
    bits
}

/// Sets `ranks` to the rank of each key among the distinct keys. `words` are zero and as many as
/// [`rank_words`] says.
///
/// A radix sort over the bits in which keys differ at all: linear, unlike a merge sort, in what is
/// the longest loop of the whole proof.
pub(super) const fn rank(keys: &[u64], ranks: &mut [u64], words: &mut [u64]) {
    let n = keys.len();
    let (ids, rest) = words.split_at_mut(n);
    let (to, heads) = rest.split_at_mut(n);
    let (mut any, mut all, mut last, mut sorted) = (0, u64::MAX, 0, true);
    let mut i = 0;
    while i < n {
        let key = keys[i];
        any |= key;
        all &= key;
        sorted &= last <= key;
        last = key;
        ids[i] = i as u64;
        i += 1;
    }
    let digits = heads.len();
    let mask = digits as u64 - 1;
    let mut differing = if sorted { 0 } else { any & !all };
    while differing != 0 {
        let shift = differing.trailing_zeros();
        differing &= !(mask << shift);
        let mut i = 0;
        while i < n {
            heads[(keys[i] >> shift & mask) as usize] += 1;
            i += 1;
        }
        let mut sum = 0;
        let mut d = 0;
        while d < digits {
            let count = heads[d];
            heads[d] = sum;
            sum += count;
            d += 1;
        }
        let mut i = 0;
        while i < n {
            let id = ids[i];
            let head = (keys[id as usize] >> shift & mask) as usize;
            to[heads[head] as usize] = id;
            heads[head] += 1;
            i += 1;
        }
        ids.copy_from_slice(to);
        let mut d = 0;
        while differing != 0 && d < digits {
            heads[d] = 0;
            d += 1;
        }
    }
    let mut rank = 0;
    let mut i = 0;
    while i < n {
        let id = ids[i] as usize;
        if i > 0 && keys[id] != last {
            rank += 1;
        }
        last = keys[id];
        ranks[id] = rank;
        i += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::{merge, rank, rank_words};

    fn random(n: usize, shift: u32, low: u32) -> Vec<u64> {
        let mut seed = n as u64;
        let mut next = || {
            seed = seed
                .wrapping_mul(6364136223846793005)
                .wrapping_add(1442695040888963407);
            seed >> shift << low
        };
        (0..n).map(|_| next()).collect()
    }

    #[test]
    fn sorts_as_the_standard_library_does() {
        for n in 0..200 {
            let keys = random(n, 58, 0);
            let mut ids: Vec<u64> = (0..n as u64).collect();
            let mut expected = ids.clone();
            expected.sort_by_key(|&i| keys[i as usize]);
            let mut tmp = vec![0; n];
            merge(&keys, &mut ids, &mut tmp);
            assert_eq!(ids, expected);
        }
    }

    #[test]
    fn ranks_distinct_keys() {
        for n in (0..200).chain([5000]) {
            for (shift, low) in [(58, 0), (50, 8), (20, 0), (1, 1), (0, 0), (63, 63)] {
                let mut keys = random(n, shift, low);
                for sorted in [false, true] {
                    if sorted {
                        keys.sort();
                    }
                    let mut distinct = keys.clone();
                    distinct.sort();
                    distinct.dedup();
                    let expected: Vec<u64> = keys
                        .iter()
                        .map(|k| distinct.binary_search(k).unwrap() as u64)
                        .collect();
                    let mut ranks = vec![0; n];
                    rank(&keys, &mut ranks, &mut vec![0; rank_words(n)]);
                    assert_eq!(ranks, expected);
                }
            }
        }
    }
}
