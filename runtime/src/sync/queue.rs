//! A bounded queue with one consumer that sleeps while it is empty.

use super::Signal;
use super::atomic::{AtomicBool, Ordering};

#[cfg(not(loom))]
type Slots<T> = crossbeam_queue::ArrayQueue<T>;

/// A queue with the interface of [`crossbeam_queue::ArrayQueue`], for loom: what is explored is
/// the sleeping and waking around it.
#[cfg(loom)]
#[derive(Debug)]
struct Slots<T>(loom::sync::Mutex<std::collections::VecDeque<T>>, usize);

#[cfg(loom)]
impl<T> Slots<T> {
    fn new(capacity: usize) -> Self {
        Self(
            loom::sync::Mutex::new(std::collections::VecDeque::new()),
            capacity,
        )
    }

    fn push(&self, item: T) -> Result<(), T> {
        let mut items = self.0.lock().unwrap();
        if items.len() == self.1 {
            return Err(item);
        }
        items.push_back(item);
        Ok(())
    }

    fn pop(&self) -> Option<T> {
        self.0.lock().unwrap().pop_front()
    }
}

/// A bounded first-in first-out queue: any number of producers, one consumer.
#[derive(Debug)]
pub struct Queue<T> {
    slots: Slots<T>,
    pushed: Signal,
    popped: Signal,
    closed: AtomicBool,
}

impl<T> Queue<T> {
    /// Room for `capacity` items, at least 1.
    pub fn new(capacity: usize) -> Self {
        Self {
            slots: Slots::new(capacity.max(1)),
            pushed: Signal::new(0),
            popped: Signal::new(0),
            closed: AtomicBool::new(false),
        }
    }

    /// Appends `item`, or hands it back where the queue is full.
    pub fn try_push(&self, item: T) -> Result<(), T> {
        self.slots.push(item)?;
        self.pushed.advance();
        Ok(())
    }

    /// Appends `item`; waits for room where the queue is full.
    pub fn push(&self, mut item: T) {
        loop {
            // Taken before the attempt: room that appears after it has moved the count.
            let popped = self.popped.get();
            match self.try_push(item) {
                Ok(()) => return,
                Err(back) => item = back,
            }
            self.popped.wait(popped + 1);
        }
    }

    /// No more items come. Every `push` has returned before.
    pub fn close(&self) {
        self.closed.store(true, Ordering::Release);
        self.pushed.advance();
    }

    /// The next item; waits for it. `None` once the queue is closed and empty. `taken` counts the
    /// items that the consumer took so far and starts at 0.
    pub fn pop(&self, taken: &mut u64) -> Option<T> {
        loop {
            // Read before the attempt: what was pushed before the close is then seen by it.
            let closed = self.closed.load(Ordering::Acquire);
            if let Some(item) = self.slots.pop() {
                *taken += 1;
                self.popped.advance();
                return Some(item);
            }
            if closed {
                return None;
            }
            self.pushed.wait(*taken + 1);
        }
    }
}
