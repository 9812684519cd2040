//! Hysteresis: connected components by union-find, in a fixed number of passes.
//!
//! A label is the index of a pixel in the whole picture, with one bit more for a weak pixel. The
//! smallest label of a component is its root, and every strong label is smaller than every weak
//! one: a component contains a strong pixel if its root is strong. Labels of `h` rows that begin
//! with row `first` point to each other only, until `stitch` joins them to the rows above.

use super::filters::{NOTHING, STRONG};
use super::graph::{flatten, label, mark, merge, stitch};

/// Label of a pixel that is no edge.
const NONE: u32 = u32::MAX;
/// Set in the label of a weak pixel.
const WEAK: u32 = 1 << 31;

/// A component for each pixel.
pub fn label(class: &[u8], first: u32, labels: &mut [u32], d: label::Dims) {
    let base = first * d.w as u32;
    for ((label, &class), at) in labels.iter_mut().zip(class).zip(base..) {
        *label = match class {
            NOTHING => NONE,
            STRONG => at,
            _ => WEAK | at,
        };
    }
}

/// Joins neighbours within the rows.
pub fn merge(labels: &mut [u32], first: u32, d: merge::Dims) {
    let mut forest = Forest::new(labels, first, d.w);
    for at in 0..forest.labels.len() {
        if forest.labels[at] != NONE {
            let (y, x) = (at / d.w, at % d.w);
            if x > 0 {
                forest.join(at - 1, at);
            }
            if y > 0 {
                forest.join_above(y, x, d.w);
            }
        }
    }
}

/// Lets each pixel point to its root.
pub fn flatten(labels: &mut [u32], first: u32, d: flatten::Dims) {
    let mut forest = Forest::new(labels, first, d.w);
    for at in 0..forest.labels.len() {
        if forest.labels[at] != NONE {
            forest.labels[at] = forest.root(at);
        }
    }
}

/// Joins neighbours across the seam above `row`.
pub fn stitch(labels: &mut [u32], row: u32, d: stitch::Dims) {
    let mut forest = Forest::new(labels, 0, d.w);
    for x in 0..d.w {
        forest.join_above(row as usize, x, d.w);
    }
}

/// Marks the pixels whose root is strong.
pub fn mark(labels: &[u32], first: u32, edges: &mut [u8], d: mark::Dims) {
    let own = &labels[first as usize * d.w..];
    for (edge, &label) in edges.iter_mut().zip(own) {
        *edge = if label != NONE && root(labels, label) < WEAK {
            255
        } else {
            0
        };
    }
}

/// The root that `label` leads to, or a strong label on the way: from there on all are strong.
fn root(labels: &[u32], mut label: u32) -> u32 {
    while label >= WEAK {
        let up = labels[(label & !WEAK) as usize];
        if up == label {
            break;
        }
        label = up;
    }
    label
}

/// Labels of some rows. Each is at most its pixel's own, and pixels that share a root are connected.
struct Forest<'l> {
    labels: &'l mut [u32],
    /// Index of the first pixel.
    base: usize,
}

impl<'l> Forest<'l> {
    fn new(labels: &'l mut [u32], first: u32, w: usize) -> Self {
        Self {
            labels,
            base: first as usize * w,
        }
    }

    /// Joins a pixel with the three above it.
    fn join_above(&mut self, y: usize, x: usize, w: usize) {
        for near in x.saturating_sub(1)..w.min(x + 2) {
            self.join((y - 1) * w + near, y * w + x);
        }
    }

    /// Gives the components of two pixels one root, where both are edges.
    fn join(&mut self, a: usize, b: usize) {
        if self.labels[a] != NONE && self.labels[b] != NONE {
            let (a, b) = (self.root(a), self.root(b));
            let below = self.index(a.max(b));
            self.labels[below] = a.min(b);
        }
    }

    /// The root of a pixel; halves the way there.
    fn root(&mut self, mut at: usize) -> u32 {
        loop {
            let up = self.labels[at];
            let next = self.labels[self.index(up)];
            if next == up {
                return up;
            }
            self.labels[at] = next;
            at = self.index(next);
        }
    }

    /// Where the pixel of a label stands in these rows.
    fn index(&self, label: u32) -> usize {
        (label & !WEAK) as usize - self.base
    }
}
