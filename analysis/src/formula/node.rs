//! Types and dims of an expression, from the leaves up.

mod called;
mod unreduced;

use super::types::is_float;
use super::{Axis, Node, NodeKind, Operator, Reduction, Syntax, SyntaxKind, Ty, Unary, literal};
use crate::calls::{Kernel, ParamKind};
use crate::fault::formulas::{self, Typed};
use crate::fault::{Edit, Fault};
use crate::model::{Elem, Site};
use called::Named;

/// What is known while an expression is walked. `None` for a part means that a fault was found in
/// it, so that nothing else is said of what it stands in.
pub(super) struct Walk<'a> {
    kernel: &'a Kernel,
    operands: &'a [Option<Vec<Axis>>],
    /// Dims of the target; `None` where shapes are not known.
    target: Option<Vec<usize>>,
    target_site: Site,
    /// Reductions that the part at hand stands in.
    depth: usize,
    pub(super) used: Vec<bool>,
    pub(super) reductions: Vec<Reduction>,
    pub(super) faults: Vec<Fault>,
}

impl<'a> Walk<'a> {
    pub(super) fn new(
        kernel: &'a Kernel,
        operands: &'a [Option<Vec<Axis>>],
        target: Option<Vec<usize>>,
        target_site: Site,
    ) -> Self {
        Self {
            kernel,
            operands,
            target,
            target_site,
            depth: 0,
            used: vec![false; kernel.params.len()],
            reductions: Vec::new(),
            faults: Vec::new(),
        }
    }

    fn fail(&mut self, fault: Fault) -> Option<Node> {
        self.faults.push(fault);
        None
    }

    /// The meaning of `syntax`, where `hint` is the type that a literal without a suffix seems to
    /// want.
    pub(super) fn node(&mut self, syntax: &Syntax, hint: Option<Elem>) -> Option<Node> {
        match &syntax.kind {
            SyntaxKind::Literal(literal) => match literal::node(literal, syntax.site, hint) {
                Ok(node) => Some(node),
                Err(fault) => self.fail(*fault),
            },
            SyntaxKind::Name(name) => self.name(name, syntax.site, hint),
            SyntaxKind::Unary(unary, site, of) => self.unary(syntax.site, *unary, *site, of, hint),
            SyntaxKind::Binary(left, operator, site, right) => {
                self.binary(left, *operator, *site, right, hint)
            }
            SyntaxKind::If(parts) => self.condition(parts, hint),
            SyntaxKind::Cast(of, elem) => self.cast(syntax.site, of, *elem),
            SyntaxKind::Method(of, name, site, args) => {
                let named = Named {
                    name,
                    site: *site,
                    whole: syntax.site,
                };
                self.method(of, named, args, hint)
            }
            SyntaxKind::Call(name, site, args) => {
                let named = Named {
                    name,
                    site: *site,
                    whole: syntax.site,
                };
                self.call(named, args, hint)
            }
        }
    }

    fn name(&mut self, name: &str, site: Site, hint: Option<Elem>) -> Option<Node> {
        let params = &self.kernel.params;
        let Some(index) = params.iter().position(|p| p.name == name) else {
            let dim = self.kernel.dims.iter().find(|d| d.name == name);
            let names = params.iter().map(|p| p.name.as_str());
            let fault = formulas::not_parameter(site, name, dim.map(|d| d.site), hint, names);
            return self.fail(fault);
        };
        self.used[index] = true;
        let elem = match &params[index].kind {
            ParamKind::Scalar(elem) => *elem,
            ParamKind::Tensor { tensor, .. } => tensor.elem,
        };
        // What it stands in was reported.
        if self.depth == 0 && !self.lacking(index).is_empty() {
            return None;
        }
        Some(Node {
            kind: NodeKind::Param(index),
            ty: Ty::Elem(elem),
        })
    }

    /// Dims of the parameter that the target lacks.
    fn lacking(&self, param: usize) -> Vec<usize> {
        let (Some(target), Some(axes)) = (&self.target, &self.operands[param]) else {
            return Vec::new();
        };
        let dims = axes.iter().filter_map(|axis| axis.dim());
        dims.filter(|dim| !target.contains(dim)).collect()
    }

    fn unary(
        &mut self,
        whole: Site,
        unary: Unary,
        site: Site,
        of: &Syntax,
        hint: Option<Elem>,
    ) -> Option<Node> {
        let node = self.node(of, hint)?;
        let ty = node.ty;
        if !unary.takes(ty) {
            let what = format!("`{}`", unary.sign());
            let note = match unary {
                Unary::Neg => "integers that may be negative and floats have a sign",
                Unary::Not => "integers have bits to turn, and conditions a contrary",
            };
            let mut fault = formulas::operand_type(site, &what, typed(of, ty), note);
            if unary == Unary::Neg && ty != Ty::Bool {
                let mend = format!("(0{ty} - {})", of.as_factor());
                fault = fault.fix("write `{}`, which wraps", [Edit::replace(whole, mend)]);
            }
            return self.fail(fault);
        }
        Some(Node {
            kind: NodeKind::Unary(unary, Box::new(node)),
            ty,
        })
    }

    fn binary(
        &mut self,
        left: &Syntax,
        operator: Operator,
        site: Site,
        right: &Syntax,
        hint: Option<Elem>,
    ) -> Option<Node> {
        let hint = hint.filter(|_| !operator.compares());
        let (a, b) = self.both(left, right, hint);
        let (a, b) = (a?, b?);
        let what = format!("`{}`", operator.sign());
        if a.ty != b.ty {
            let fault = mismatch(site, &what, (left, a.ty), (right, b.ty), hint);
            return self.fail(fault);
        }
        let Some(ty) = operator.gives(a.ty) else {
            let note = match (operator, a.ty) {
                (Operator::And | Operator::Or, _) => "it joins conditions",
                (_, Ty::Bool) => "it takes numbers; `&&`, `||` and `!` take conditions",
                _ => "it takes the bits of integers",
            };
            let fault = formulas::operand_type(site, &what, typed(left, a.ty), note);
            let joined = match (operator, a.ty) {
                (Operator::BitAnd, Ty::Bool) => Some("&&"),
                (Operator::BitOr, Ty::Bool) => Some("||"),
                _ => None,
            };
            return self.fail(match joined {
                Some(joined) => fault.fix("write `{}`", [Edit::replace(site, joined)]),
                None => fault,
            });
        };
        Some(Node {
            kind: NodeKind::Binary(Box::new(a), operator, Box::new(b)),
            ty,
        })
    }

    /// Two parts of one type; the one whose type is known first is a hint to the other.
    fn both(
        &mut self,
        first: &Syntax,
        second: &Syntax,
        hint: Option<Elem>,
    ) -> (Option<Node>, Option<Node>) {
        let elem = |node: &Option<Node>| match node.as_ref()?.ty {
            Ty::Elem(elem) => Some(elem),
            Ty::Bool => None,
        };
        if unsuffixed(first) {
            let b = self.node(second, hint);
            let a = self.node(first, elem(&b).or(hint));
            return (a, b);
        }
        let a = self.node(first, hint);
        let b = self.node(second, elem(&a).or(hint));
        (a, b)
    }

    fn condition(&mut self, parts: &[Syntax; 3], hint: Option<Elem>) -> Option<Node> {
        let [condition, yes, no] = parts;
        let holds = self.node(condition, None);
        let (a, b) = self.both(yes, no, hint);
        if let Some(Node {
            ty: Ty::Elem(elem), ..
        }) = holds
        {
            let mend = format!("{} != 0{elem}", condition.as_factor());
            let value = typed(condition, Ty::Elem(elem));
            return self.fail(formulas::condition(value, mend));
        }
        let (holds, a, b) = (holds?, a?, b?);
        if a.ty != b.ty {
            let fault = mismatch(no.site, "`if`", (yes, a.ty), (no, b.ty), hint);
            return self.fail(fault);
        }
        let ty = a.ty;
        Some(Node {
            kind: NodeKind::If(Box::new([holds, a, b])),
            ty,
        })
    }

    fn cast(&mut self, whole: Site, of: &Syntax, elem: Elem) -> Option<Node> {
        let node = self.node(of, Some(elem))?;
        if node.ty == Ty::Bool {
            let note = "a condition has no number";
            let fault = formulas::operand_type(of.site, "`as`", typed(of, node.ty), note);
            let mend = format!("if {of} {{ 1{elem} }} else {{ 0{elem} }}");
            return self.fail(fault.fix("write `{}`", [Edit::replace(whole, mend)]));
        }
        Some(Node {
            kind: NodeKind::Cast(Box::new(node)),
            ty: Ty::Elem(elem),
        })
    }
}

fn unsuffixed(syntax: &Syntax) -> bool {
    matches!(&syntax.kind, SyntaxKind::Literal(literal) if literal.suffix.is_none())
}

fn typed(syntax: &Syntax, ty: Ty) -> Typed {
    Typed {
        ty,
        site: syntax.site,
    }
}

/// Two parts of different types where one is needed; one can be cast, to what the place wants, which
/// is `hint`. Where that is neither, no float loses digits, and else the second one is cast.
fn mismatch(
    site: Site,
    what: &str,
    first: (&Syntax, Ty),
    second: (&Syntax, Ty),
    hint: Option<Elem>,
) -> Fault {
    let mend = match (first.1, second.1) {
        (Ty::Elem(a), Ty::Elem(b)) => {
            let widens = is_float(a) && is_float(b) && a.size() < b.size();
            let takes_first = hint == Some(b) || hint != Some(a) && widens;
            let (part, wanted) = if takes_first {
                (first.0, b)
            } else {
                (second.0, a)
            };
            let text = match &part.kind {
                SyntaxKind::Literal(literal) => literal::suffixed(literal, Some(wanted)),
                _ => format!("{} as {wanted}", part.before_cast()),
            };
            Some((part.site, text))
        }
        _ => None,
    };
    let (a, b) = (typed(first.0, first.1), typed(second.0, second.1));
    formulas::operand_types(site, what, a, b, mend)
}
