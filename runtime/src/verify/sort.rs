//! A merge sort that can run at build time.

/// Sorts `ids` by the key that each names. Takes runs that are in order already as they stand, so
/// the cost is the length times the logarithm of the number of runs. `tmp` is as long as `ids`.
pub(super) const fn sort(keys: &[u64], ids: &mut [u64], tmp: &mut [u64]) {
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
    if i >= ids.len() {
        return i;
    }
    let mut end = i + 1;
    while end < ids.len() && keys[ids[end - 1] as usize] <= keys[ids[end] as usize] {
        end += 1;
    }
    end
}

#[cfg(test)]
mod tests {
    use super::sort;

    #[test]
    fn sorts_as_the_standard_library_does() {
        let mut seed = 1u64;
        for n in 0..200usize {
            let mut keys = Vec::new();
            for _ in 0..n {
                seed = seed
                    .wrapping_mul(6364136223846793005)
                    .wrapping_add(1442695040888963407);
                keys.push(seed >> 58);
            }
            let mut ids: Vec<u64> = (0..n as u64).collect();
            let mut expected = ids.clone();
            expected.sort_by_key(|&i| keys[i as usize]);
            let mut tmp = vec![0; n];
            sort(&keys, &mut ids, &mut tmp);
            assert_eq!(ids, expected);
        }
    }
}
