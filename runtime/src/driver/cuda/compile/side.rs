//! Independent work, done side by side.

use std::num::NonZero;
use std::panic::resume_unwind;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread::{Builder, available_parallelism, scope};

/// Bytes of a thread's stack: as many as a program's first thread has, since a compiler recurses.
const STACK: usize = 8 << 20;

/// What `one` gives for each number below `count`, in their order. As many threads as can run at once
/// take the next number each; the caller's is one of them, and does all of it where there is no other.
pub fn by_side<T: Send>(count: usize, one: impl Fn(usize) -> T + Sync) -> Vec<T> {
    let next = AtomicUsize::new(0);
    let work = || {
        let mut done = Vec::new();
        loop {
            let i = next.fetch_add(1, Ordering::Relaxed);
            if i >= count {
                return done;
            }
            done.push((i, one(i)));
        }
    };
    let threads = available_parallelism().map_or(1, NonZero::get).min(count);
    let mut all = scope(|scope| {
        let spawn = |_| Builder::new().stack_size(STACK).spawn_scoped(scope, work);
        let spawned: Vec<_> = (1..threads).map_while(|i| spawn(i).ok()).collect();
        let mut all = work();
        for thread in spawned {
            all.extend(thread.join().unwrap_or_else(|panic| resume_unwind(panic)));
        }
        all
    });
    all.sort_by_key(|(i, _)| *i);
    all.into_iter().map(|(_, done)| done).collect()
}

#[cfg(test)]
mod tests {
    use std::sync::Barrier;

    use super::*;

    #[test]
    fn each_is_done_once_and_stands_in_its_place() {
        let counts: Vec<_> = (0..100).map(|_| AtomicUsize::new(0)).collect();
        let squares = by_side(100, |i| {
            counts[i].fetch_add(1, Ordering::Relaxed);
            i * i
        });
        assert_eq!(squares, (0..100).map(|i| i * i).collect::<Vec<_>>());
        assert!(counts.iter().all(|n| n.load(Ordering::Relaxed) == 1));
        assert_eq!(by_side(0, |i| i), [0; 0]);
    }

    #[test]
    fn two_are_under_way_at_once_where_the_machine_has_two_processors() {
        if available_parallelism().map_or(1, NonZero::get) < 2 {
            return;
        }
        let both = Barrier::new(2);
        // Neither would come to its end alone.
        assert_eq!(
            by_side(2, |_| both.wait().is_leader() as u8)
                .iter()
                .sum::<u8>(),
            1
        );
    }

    #[test]
    fn a_panic_of_one_is_that_of_all() {
        let caught = std::panic::catch_unwind(|| by_side(4, |i| assert!(i != 2, "the third")));
        assert!(caught.is_err());
    }
}
