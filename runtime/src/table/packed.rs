//! Tables as the macro writes them: a number or two per entry, read back in constant evaluation.
//!
//! rustc takes several times longer to check a table of nested literals than to check and read back
//! a table of numbers; with ten thousand tasks that is the difference between nine seconds and two.
//! What reads them back writes field by field, because each move of a whole entry costs rustc's
//! evaluator as much as a literal. Entries that own a range of another table take the next ones of
//! it, so starts are not written.
//!
//! | entry | number, lowest bits first |
//! |---|---|
//! | expression | its constant; number of terms |
//! | resource | its name; 8 bits element, 8 bits class, 8 bits rank, 8 bits domain, 32 bits start of its shape |
//! | access | 2 bits mode, 1 bit "has bounds", resource |
//! | scalar | what it is; the constant or the index |
//! | task | 13 bits accesses, 13 bits scalars, 13 bits dims, kernel + 1 (0 is an upload, the last three are a fill, a copy, a hold) |
//! | slot | offset; bytes |
//! | op | 3 bits kind, 4 bits stream, 1 bit "in place", event, task or resource |
//! | host op | 1 bit "reads", event or resource |
//!
//! Kinds are numbered in the order in which the enums declare them, but for those of ops: gate,
//! launch, record, wait, wait for the previous run, acquire, release.

mod program;

pub use program::{host_ops, ops, slots};

use super::{Access, Class, Elem, Expr, Mode, Resource, Rows, Scalar, Span, Task, TaskKind, Term};

/// Terms: scale, dim, mul, add, div.
pub const fn terms<const N: usize>(packed: &[(i64, u16, i64, i64, i64); N]) -> [Term; N] {
    let mut out = [Term {
        scale: 0,
        dim: 0,
        mul: 0,
        add: 0,
        div: 1,
    }; N];
    let mut i = 0;
    while i < N {
        let (term, from) = (&mut out[i], &packed[i]);
        term.scale = from.0;
        term.dim = from.1;
        term.mul = from.2;
        term.add = from.3;
        term.div = from.4;
        i += 1;
    }
    out
}

/// Expressions: constant, number of terms.
pub const fn exprs<const N: usize>(
    packed: &[(i64, usize); N],
    mut terms: &'static [Term],
) -> [Expr<'static>; N] {
    let mut out = [Expr {
        constant: 0,
        terms: &[],
    }; N];
    let mut i = 0;
    while i < N {
        let (expr, from) = (&mut out[i], &packed[i]);
        expr.constant = from.0;
        if from.1 > 0 {
            let (own, rest) = terms.split_at(from.1);
            expr.terms = own;
            terms = rest;
        }
        i += 1;
    }
    out
}

/// Resources. Shapes may be shared.
pub const fn resources<const N: usize>(
    packed: &[(&'static str, u64); N],
    shapes: &'static [u32],
) -> [Resource<'static>; N] {
    let mut out = [Resource {
        name: "",
        class: Class::Input,
        elem: Elem::F32,
        domain: 0,
        shape: &[],
    }; N];
    let mut bits = 0;
    let mut shape: &'static [u32] = &[];
    let (mut class, mut elem) = (Class::Input, Elem::F32);
    let mut i = 0;
    while i < N {
        let (resource, from) = (&mut out[i], &packed[i]);
        resource.name = from.0;
        // Few differ in anything but their name.
        if from.1 != bits {
            bits = from.1;
            let (rank, start) = ((bits >> 16 & 0xff) as usize, (bits >> 32) as usize);
            shape = shapes.split_at(start).1.split_at(rank).0;
            class = self::class(bits >> 8 & 0xff);
            elem = self::elem(bits & 0xff);
        }
        resource.class = class;
        resource.elem = elem;
        resource.domain = (bits >> 24) as u8;
        resource.shape = shape;
        i += 1;
    }
    out
}

/// Accesses. Each that has bounds takes the next two of `bounds`.
pub const fn accesses<const N: usize>(packed: &[u64; N], bounds: &[u32]) -> [Access; N] {
    let mut out = [Access {
        resource: 0,
        mode: Mode::Read,
        rows: Rows::All,
    }; N];
    let mut next = 0;
    let mut i = 0;
    while i < N {
        let (access, bits) = (&mut out[i], packed[i]);
        access.resource = (bits >> 3) as u32;
        match bits & 3 {
            0 => {}
            1 => access.mode = Mode::ReadWrite,
            _ => access.mode = Mode::Overwrite,
        }
        if bits & 4 != 0 {
            access.rows = Rows::Span(bounds[next], bounds[next + 1]);
            next += 2;
        }
        i += 1;
    }
    out
}

/// Scalar arguments: what, value.
pub const fn scalars<const N: usize>(packed: &[(u8, u64); N]) -> [Scalar; N] {
    let mut out = [Scalar::Const(0); N];
    let mut i = 0;
    while i < N {
        let (what, value) = packed[i];
        out[i] = match what {
            0 => Scalar::Const(value),
            1 => Scalar::Param(value as u32),
            _ => Scalar::Extent(value as u32),
        };
        i += 1;
    }
    out
}

/// What a task's highest 25 bits say, beyond kernels.
const FILL: u64 = (1 << 25) - 1;
const COPY: u64 = FILL - 1;
const HOLD: u64 = FILL - 2;

/// Tasks. Each takes the next entries of the tables of accesses, scalars and bindings; each hold
/// the next of `since`.
pub const fn tasks<const N: usize>(packed: &[u64; N], since: &[u32]) -> [Task; N] {
    let mut out = [Task {
        kind: TaskKind::Upload,
        accesses: Span::new(0, 0),
        scalars: Span::new(0, 0),
        dims: Span::new(0, 0),
    }; N];
    let (mut accesses, mut scalars, mut dims) = (0, 0, 0);
    let mut holds = 0;
    let mut i = 0;
    while i < N {
        let (task, bits) = (&mut out[i], packed[i]);
        match bits >> 39 {
            0 => {}
            FILL => task.kind = TaskKind::Fill,
            COPY => task.kind = TaskKind::Copy,
            HOLD => {
                task.kind = TaskKind::Hold {
                    since: since[holds],
                };
                holds += 1;
            }
            kernel => task.kind = TaskKind::Kernel(kernel as u32 - 1),
        }
        task.accesses.start = accesses;
        task.accesses.len = (bits & 0x1fff) as u32;
        accesses += task.accesses.len;
        task.scalars.start = scalars;
        task.scalars.len = (bits >> 13 & 0x1fff) as u32;
        scalars += task.scalars.len;
        task.dims.start = dims;
        task.dims.len = (bits >> 26 & 0x1fff) as u32;
        dims += task.dims.len;
        i += 1;
    }
    out
}

const fn class(code: u64) -> Class {
    match code {
        0 => Class::Input,
        1 => Class::Transient,
        2 => Class::Output,
        3 => Class::Resident,
        4 => Class::Inout,
        5 => Class::Workspace,
        6 => Class::Staging,
        _ => Class::InputMut,
    }
}

const fn elem(code: u64) -> Elem {
    match code {
        0 => Elem::F32,
        1 => Elem::F64,
        2 => Elem::I8,
        3 => Elem::I16,
        4 => Elem::I32,
        5 => Elem::I64,
        6 => Elem::U8,
        7 => Elem::U16,
        8 => Elem::U32,
        9 => Elem::U64,
        10 => Elem::F16,
        _ => Elem::BF16,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    static TERMS: &[Term] = &terms(&[(1, 0, 1, 0, 1), (2, 1, 1, 3, 4)]);

    #[test]
    fn expressions_take_their_terms_in_order() {
        let [a, b, c] = exprs(&[(7, 0), (-1, 2), (0, 0)], TERMS);
        assert_eq!(a.eval(&[]), Some(7));
        assert_eq!(b.terms, TERMS);
        assert_eq!(b.eval(&[5, 9]), Some(10)); // -1 + 5 + 2 * floor(12 / 4)
        assert_eq!(c.eval(&[]), Some(0));
    }

    #[test]
    fn resources_may_share_a_shape() {
        let bits = |start: u64, rank: u64| start << 32 | 3 << 24 | rank << 16 | 2 << 8 | 6;
        let [x, y] = resources(&[("x", bits(1, 2)), ("y", bits(1, 2))], &[9, 4, 5]);
        assert_eq!((x.name, x.class, x.elem), ("x", Class::Output, Elem::U8));
        assert_eq!((x.shape, x.domain), (&[4, 5][..], 3));
        assert_eq!((y.name, y.shape), ("y", x.shape));
    }

    #[test]
    fn accesses_with_bounds_take_two_each() {
        let [a, b, c] = accesses(&[5 << 3, 6 << 3 | 5, 7 << 3 | 6], &[1, 2, 3, 4]);
        assert_eq!((a.resource, a.mode, a.rows), (5, Mode::Read, Rows::All));
        assert_eq!((b.mode, b.rows), (Mode::ReadWrite, Rows::Span(1, 2)));
        assert_eq!((c.mode, c.rows), (Mode::Overwrite, Rows::Span(3, 4)));
    }

    #[test]
    fn tasks_own_consecutive_ranges() {
        let packed = [
            1,
            8 << 39 | 1 << 26 | 2 << 13 | 3,
            1 << 39 | 1,
            FILL << 39 | 1,
            COPY << 39 | 2,
            HOLD << 39 | 1,
        ];
        let [a, b, c, d, e, f] = tasks(&packed, &[1]);
        assert_eq!((d.kind, e.kind), (TaskKind::Fill, TaskKind::Copy));
        assert_eq!(
            (f.kind, f.accesses),
            (TaskKind::Hold { since: 1 }, Span::new(8, 1))
        );
        assert_eq!((a.kind, a.accesses), (TaskKind::Upload, Span::new(0, 1)));
        assert_eq!((b.kind, b.accesses), (TaskKind::Kernel(7), Span::new(1, 3)));
        assert_eq!((b.scalars, b.dims), (Span::new(0, 2), Span::new(0, 1)));
        assert_eq!((c.accesses, c.dims), (Span::new(4, 1), Span::new(1, 0)));
    }

    #[test]
    fn scalars_are_constants_parameters_or_extents() {
        let [a, b, c] = scalars(&[(0, 5), (1, 6), (2, 7)]);
        assert_eq!(
            (a, b, c),
            (Scalar::Const(5), Scalar::Param(6), Scalar::Extent(7))
        );
    }
}
