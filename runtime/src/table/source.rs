//! `SOURCE`: what the user wrote, in statement order, from the syntax tree alone.

mod elem;
mod resource;
mod task;

pub use elem::Elem;
pub use resource::{Class, MAX_DOMAINS, Resource};
pub use task::{Access, Mode, Rows, Scalar, Span, Task, TaskKind};

use super::Expr;

/// A dynamic extent of a graph and the bounds it was declared with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Dim<'a> {
    /// Name, as declared.
    pub name: &'a str,
    /// Smallest admitted value.
    pub min: u64,
    /// Largest admitted value.
    pub max: u64,
}

/// What the source says of a kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Kernel<'a> {
    /// Name, as declared.
    pub name: &'a str,
    /// Index space over the kernel's own dims, slowest first; one to three extents.
    pub over: &'a [Expr<'a>],
    /// Threads per block, slowest first, as many as `over`.
    pub block: &'a [u32],
    /// Statically declared shared memory, in bytes.
    pub shared: u32,
    /// Size of the parameter block, in bytes: pointers, scalars and dims.
    pub params: u32,
    /// It is a callback on the host and touches staging alone, as no other kernel does.
    pub callback: bool,
    /// Access (by position) that the in-place form updates into the result, if it has one.
    pub in_place: Option<u8>,
}

/// A graph as it was written, and in it what makes values again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Source<'a> {
    /// Name, as declared.
    pub name: &'a str,
    /// Dynamic extents.
    pub dims: &'a [Dim<'a>],
    /// Dims that are computed, numbered behind those of `dims`: each the product of expressions over
    /// what is before it.
    pub products: &'a [&'a [Expr<'a>]],
    /// Every extent and bound the other tables name.
    pub exprs: &'a [Expr<'a>],
    /// Resources in order of declaration.
    pub resources: &'a [Resource<'a>],
    /// Kernels that tasks launch.
    pub kernels: &'a [Kernel<'a>],
    /// Tasks in statement order; uploads come first.
    pub tasks: &'a [Task],
    /// Accesses of all tasks.
    pub accesses: &'a [Access],
    /// Scalar arguments of all tasks.
    pub scalars: &'a [Scalar],
    /// Kernel dims of all tasks.
    pub bindings: &'a [u32],
    /// Number of scalars set at every run.
    pub params: u32,
    /// `order a -> b`: b starts after a completes. Indices into `tasks`.
    pub orders: &'a [(u32, u32)],
    /// `alias a with b`: both start at one offset. Indices into `resources`.
    pub aliases: &'a [(u32, u32)],
    /// `separate a, b`: no byte is shared, whatever the order. Indices into `resources`.
    pub separate: &'a [(u32, u32)],
    /// Tasks that make a value again, each with the one that makes it first. Without these, and with
    /// what they write called what the others write, this is the graph as it was written. Indices
    /// into `tasks`.
    pub again: &'a [(u32, u32)],
    /// Runs that may be in flight at once.
    pub depth: u32,
    /// Largest total of arenas, in bytes, if one was declared.
    pub budget: Option<u64>,
}

impl<'a> Source<'a> {
    /// The accesses of `task`; none where it names what is not there.
    pub fn accesses_of(&self, task: &Task) -> &'a [Access] {
        let (from, len) = (task.accesses.start as usize, task.accesses.len as usize);
        let after = self.accesses.get(from..).unwrap_or_default();
        after.get(..len).unwrap_or_default()
    }

    /// Of each task the one of the graph as it was written that it is, or does again, by its position
    /// there. Where a pair of [`again`](Self::again) names no task before it, that is its own.
    pub fn origins(&self) -> Vec<u32> {
        let (mut origins, mut written) = (Vec::with_capacity(self.tasks.len()), 0);
        for task in 0..self.tasks.len() as u32 {
            let mut pairs = self.again.iter();
            let of = pairs.find(|pair| pair.0 == task).map(|pair| pair.1);
            let again = of.and_then(|of| origins.get(of as usize).copied());
            origins.push(again.unwrap_or(written));
            written += u32::from(again.is_none());
        }
        origins
    }

    /// A graph in which nothing happens.
    pub const EMPTY: Self = Self {
        name: "",
        dims: &[],
        products: &[],
        exprs: &[],
        resources: &[],
        kernels: &[],
        tasks: &[],
        accesses: &[],
        scalars: &[],
        bindings: &[],
        params: 0,
        orders: &[],
        aliases: &[],
        separate: &[],
        again: &[],
        depth: 1,
        budget: None,
    };

    /// Sets `numbers`, as many as there are dims and products, to `dims` and what the products are
    /// at these.
    ///
    /// # Errors
    /// With the first product that overflows, has a negative factor, or names what is not before it.
    pub const fn numbers(&self, dims: &[u64], numbers: &mut [u64]) -> Result<(), u32> {
        let count = dims.len();
        numbers.split_at_mut(count).0.copy_from_slice(dims);
        let mut p = 0;
        while p < self.products.len() {
            let factors = self.products[p];
            let before = numbers.split_at(count + p).0;
            let mut product = Some(1u64);
            let mut i = 0;
            while i < factors.len() {
                product = match (product, factors[i].eval(before)) {
                    (Some(product), Some(factor)) => product.checked_mul(factor),
                    _ => None,
                };
                i += 1;
            }
            match product {
                Some(product) => numbers[count + p] = product,
                None => return Err(p as u32),
            }
            p += 1;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_done_again_has_the_place_of_what_is_done_first() {
        let task = Task {
            kind: TaskKind::Fill,
            accesses: Span::new(0, 0),
            scalars: Span::new(0, 0),
            dims: Span::new(0, 0),
        };
        let source = Source {
            tasks: &[task; 7],
            again: &[(3, 1), (4, 2), (6, 1)],
            ..Source::EMPTY
        };
        assert_eq!(source.origins(), [0, 1, 2, 1, 2, 3, 1]);
        let plain = Source {
            again: &[],
            ..source
        };
        assert_eq!(plain.origins(), [0, 1, 2, 3, 4, 5, 6]);
    }
}
