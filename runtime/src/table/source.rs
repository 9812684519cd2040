//! `SOURCE`: what the user wrote, in statement order, from the syntax tree alone.

use super::Expr;

/// Type of one element. Every bit pattern of each is a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "each variant is the Rust type of that name")]
pub enum Elem {
    F32,
    F64,
    I8,
    I16,
    I32,
    I64,
    U8,
    U16,
    U32,
    U64,
    F16,
    BF16,
}

impl Elem {
    /// Size in bytes, which is also the alignment.
    pub const fn size(self) -> u64 {
        match self {
            Elem::I8 | Elem::U8 => 1,
            Elem::I16 | Elem::U16 | Elem::F16 | Elem::BF16 => 2,
            Elem::F32 | Elem::I32 | Elem::U32 => 4,
            Elem::F64 | Elem::I64 | Elem::U64 => 8,
        }
    }

    /// Name of the type in Rust.
    pub const fn name(self) -> &'static str {
        match self {
            Elem::F32 => "f32",
            Elem::F64 => "f64",
            Elem::I8 => "i8",
            Elem::I16 => "i16",
            Elem::I32 => "i32",
            Elem::I64 => "i64",
            Elem::U8 => "u8",
            Elem::U16 => "u16",
            Elem::U32 => "u32",
            Elem::U64 => "u64",
            Elem::F16 => "f16",
            Elem::BF16 => "bf16",
        }
    }
}

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

/// Logical class of a resource: who may observe its content, and until when.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Class {
    /// Set by the caller at every run, written by exactly one [`TaskKind::Upload`].
    Input,
    /// Exists only between tasks of one run.
    Transient,
    /// Read by the host after the run, until the same instance runs again.
    Output,
    /// Set by the caller between runs, read by tasks alone. All instances share one copy.
    Resident,
    /// What a run left is what the next one finds.
    Inout,
    /// Room for a task to work in; its content is nobody's business before and after.
    Workspace,
    /// As a transient, in memory of the host that the device can copy from and to.
    Staging,
}

impl Class {
    /// The content outlives a run: it lies in the store, and runs acquire and release it.
    pub const fn persists(self) -> bool {
        matches!(self, Class::Resident | Class::Inout)
    }
}

/// Isolation domains of one graph, at most.
pub const MAX_DOMAINS: usize = 16;

/// A logical resource: a dense row-major tensor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Resource<'a> {
    /// Name, as declared.
    pub name: &'a str,
    /// Logical class.
    pub class: Class,
    /// Element type.
    pub elem: Elem,
    /// Isolation domain, below [`MAX_DOMAINS`]. No byte of an arena is used in two of them.
    pub domain: u8,
    /// Extents, slowest first, as indices into [`Source::exprs`]. A row is all but the first.
    pub shape: &'a [u32],
}

/// How a task touches a range.
///
/// A write that may leave part of its range as it was is a [`Mode::ReadWrite`]: what it leaves is
/// still observed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Mode {
    /// Reads; `&x`.
    Read,
    /// Reads and writes; `&mut x`.
    ReadWrite,
    /// Writes every element and reads none; a result.
    Overwrite,
}

/// The rows of a resource that an access touches.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Rows {
    /// All of them.
    All,
    /// From the first expression to the second, half-open; indices into [`Source::exprs`].
    Span(u32, u32),
}

/// One access of one task.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Access {
    /// Index into [`Source::resources`].
    pub resource: u32,
    /// How.
    pub mode: Mode,
    /// Where.
    pub rows: Rows,
}

/// A scalar argument of a kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Scalar {
    /// The bits of a constant, zero-extended to 64.
    Const(u64),
    /// The scalar of that index, set at every run.
    Param(u32),
    /// The value of an expression over the graph's dims; an index into [`Source::exprs`].
    Extent(u32),
}

/// What a task does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TaskKind {
    /// The caller's input becomes the content of the one resource that the task overwrites.
    Upload,
    /// A launch of the kernel of that index.
    Kernel(u32),
    /// The one range that the task overwrites becomes zero.
    Fill,
    /// The first range is copied to the second, which has as many bytes.
    Copy,
    /// Nothing is done: something that no task shows still uses what the task names until here.
    /// What it reads stays as task `since` found it, and what it updates, which `since` has written,
    /// is neither read nor written by any other.
    Hold {
        /// Index of a task before this one.
        since: u32,
    },
}

/// A half-open range of indices into one of the tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Span {
    /// First index.
    pub start: u32,
    /// Number of entries.
    pub len: u32,
}

impl Span {
    /// `start..start + len`.
    pub const fn new(start: u32, len: u32) -> Self {
        Self { start, len }
    }
}

/// One task, in statement order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Task {
    /// What it does.
    pub kind: TaskKind,
    /// Its accesses, in the order of the kernel's parameters, the result last.
    pub accesses: Span,
    /// Its scalar arguments, in the order of the kernel's parameters.
    pub scalars: Span,
    /// The kernel's dims at this call, as indices into [`Source::exprs`], from [`Source::bindings`].
    pub dims: Span,
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
