//! What must be reduced, and is not: each product that has a dim too many, and what reduces it.
//!
//! A product of two parts with such a dim is reduced as one, since the sums of two factors are not
//! the sum of their product; terms of a sum are reduced each. Where a part goes into something that
//! is not linear, two formulas may be meant, and both are offered.

use super::Walk;
use super::called::reduces;
use crate::fault::formulas::{self, Mend};
use crate::formula::{Operator, Reduce, Syntax, SyntaxKind, Unary};

/// A part with dims that the target lacks.
struct Part<'s> {
    of: &'s Syntax,
    dims: Vec<usize>,
    /// What is made of it that is not linear in it.
    outer: Option<&'s Syntax>,
    /// Dividend and divisor, where the sum of each may be meant.
    split: Option<[&'s Syntax; 2]>,
    /// What to write instead, where that is not its sum.
    instead: Option<String>,
    /// It stands beside a reduction of what it is made of, so that its sum is hardly meant.
    beside: bool,
}

impl<'s> Part<'s> {
    fn new(of: &'s Syntax, dims: Vec<usize>) -> Self {
        Part {
            of,
            dims,
            outer: None,
            split: None,
            instead: None,
            beside: false,
        }
    }

    /// All of `whole`, which has `parts`.
    fn all(whole: &'s Syntax, parts: &[Part<'s>]) -> Self {
        let mut dims: Vec<_> = parts.iter().flat_map(|part| &part.dims).copied().collect();
        dims.sort_unstable();
        dims.dedup();
        Part {
            beside: parts.iter().any(|part| part.beside),
            ..Part::new(whole, dims)
        }
    }

    fn is_all_of(&self, of: &Syntax) -> bool {
        std::ptr::eq(self.of, of) && self.split.is_none() && self.instead.is_none() && !self.beside
    }

    fn mend(&self) -> Mend {
        let sum = |of: &Syntax| (of.site, format!("sum({of})"));
        if self.beside {
            return Mend::Advice;
        }
        if let Some(text) = &self.instead {
            return Mend::Instead(text.clone());
        }
        Mend::Sum {
            part: sum(self.of).1,
            outer: self.outer.map(sum),
            split: self.split.map(|two| two.map(sum)),
        }
    }
}

impl Walk<'_> {
    /// Reports what has dims that the target lacks and stands in no reduction.
    pub(in crate::formula) fn unreduced(&mut self, expression: &Syntax) {
        for part in self.parts(expression) {
            let dims: Vec<_> = part.dims.iter().map(|&d| self.dim(d)).collect();
            let (site, text) = (part.of.site, part.of.to_string());
            let fault = formulas::dim_outside(site, &text, &dims, self.target_site, part.mend());
            self.faults.push(fault);
        }
    }

    fn dim(&self, dim: usize) -> &str {
        &self.kernel.dims[dim].name
    }

    fn parts<'s>(&self, whole: &'s Syntax) -> Vec<Part<'s>> {
        match &whole.kind {
            SyntaxKind::Literal(_) => Vec::new(),
            SyntaxKind::Name(name) => {
                let index = self.kernel.params.iter().position(|p| p.name == *name);
                let dims = index.map_or(Vec::new(), |index| self.lacking(index));
                let lacks = !dims.is_empty();
                lacks.then(|| Part::new(whole, dims)).into_iter().collect()
            }
            SyntaxKind::Unary(Unary::Neg, _, of) => self.parts(of),
            SyntaxKind::Binary(left, operator, _, right) => {
                self.operands(whole, [left, right], *operator)
            }
            SyntaxKind::Method(_, name, _, args)
                if args.is_empty() && Reduce::of(name).is_some() =>
            {
                Vec::new()
            }
            SyntaxKind::Method(of, name, _, args) if name == "mul_add" && args.len() == 2 => {
                self.mul_add(whole, [of, &args[0], &args[1]])
            }
            SyntaxKind::Call(name, _, args) if reduces(name, args) => Vec::new(),
            _ => self.curved(whole),
        }
    }

    /// Of something that is not linear in what it is made of.
    fn curved<'s>(&self, whole: &'s Syntax) -> Vec<Part<'s>> {
        let below = whole.inside();
        let mut parts: Vec<_> = below.into_iter().flat_map(|of| self.parts(of)).collect();
        match &mut parts[..] {
            [] => {}
            [part] => part.outer = Some(whole),
            _ => return vec![Part::all(whole, &parts)],
        }
        parts
    }

    fn operands<'s>(
        &self,
        whole: &'s Syntax,
        sides: [&'s Syntax; 2],
        operator: Operator,
    ) -> Vec<Part<'s>> {
        let curved = !matches!(
            operator,
            Operator::Add | Operator::Sub | Operator::Mul | Operator::Div
        );
        if curved && !operator.compares() && !matches!(operator, Operator::And | Operator::Or) {
            return self.curved(whole);
        }
        let [mut left, mut right] = sides.map(|side| self.parts(side));
        if left.is_empty() != right.is_empty() {
            let other = if left.is_empty() { sides[0] } else { sides[1] };
            // A term that only has a reduction somewhere inside is a term of its own.
            let term = matches!(operator, Operator::Add | Operator::Sub)
                && !matches!(other.kind, SyntaxKind::Call(..));
            let beside = !term && self.reduces_unreduced(other);
            let parts = left.iter_mut().chain(&mut right);
            parts.for_each(|part| part.beside |= beside);
            if operator == Operator::Div && left.is_empty() {
                return self.curved(whole);
            }
        }
        let alone = |parts: &[Part<'_>], side: &Syntax| match parts {
            [part] => part.is_all_of(side),
            _ => false,
        };
        let both = alone(&left, sides[0]) && alone(&right, sides[1]);
        let joined = match operator {
            Operator::Mul | Operator::Div => !left.is_empty() && !right.is_empty(),
            Operator::Add | Operator::Sub => both && left[0].dims == right[0].dims,
            // Conditions have no sum; the `if` around them has.
            _ => false,
        };
        left.append(&mut right);
        if !joined {
            return left;
        }
        let mut part = Part::all(whole, &left);
        part.split = (both && operator == Operator::Div).then_some(sides);
        vec![part]
    }

    /// `a.mul_add(b, c)`: a product, and what is added to it once.
    fn mul_add<'s>(&self, whole: &'s Syntax, [a, b, c]: [&'s Syntax; 3]) -> Vec<Part<'s>> {
        let (mut product, mut added) = (self.parts(a), self.parts(c));
        product.append(&mut self.parts(b));
        if product.is_empty() {
            return added;
        }
        let alone = added.is_empty();
        product.append(&mut added);
        let mut part = Part::all(whole, &product);
        if alone {
            let (a, b, c) = (a.as_factor(), b.as_factor(), c.as_factor());
            part.instead = Some(format!("(sum({a} * {b}) + {c})"));
        }
        vec![part]
    }

    /// Somewhere in `syntax` a reduction runs over a dim that the target lacks.
    fn reduces_unreduced(&self, syntax: &Syntax) -> bool {
        let runs = match &syntax.kind {
            SyntaxKind::Call(name, _, args) if reduces(name, args) => {
                args.iter().any(|arg| !self.parts(arg).is_empty())
            }
            _ => false,
        };
        runs || syntax
            .inside()
            .into_iter()
            .any(|of| self.reduces_unreduced(of))
    }
}
