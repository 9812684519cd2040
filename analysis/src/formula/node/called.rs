//! Methods and reductions: what has a name and arguments.

use super::{Walk, mismatch, typed};
use crate::calls::Value;
use crate::fault::formulas;
use crate::formula::{
    Function, Node, NodeKind, Reduce, Reduction, Syntax, SyntaxKind, Ty, literal,
};
use crate::model::{Elem, Site};

/// What is called, by its name.
#[derive(Clone, Copy)]
pub(super) struct Named<'a> {
    pub(super) name: &'a str,
    pub(super) site: Site,
    /// The whole call.
    pub(super) whole: Site,
}

impl Walk<'_> {
    /// A method and what it is called on.
    pub(super) fn method(
        &mut self,
        of: &Syntax,
        called: Named<'_>,
        args: &[Syntax],
        hint: Option<Elem>,
    ) -> Option<Node> {
        let Named { name, site, whole } = called;
        // `x.sum()` may be meant as `sum(x)`, and then nothing is wrong with the dims of `x`.
        let reduces = Reduce::of(name).is_some() && args.is_empty();
        self.depth += usize::from(reduces);
        let receiver = self.node(of, hint);
        self.depth -= usize::from(reduces);
        let Some(function) = Function::of(name) else {
            let mend = power(name, of, receiver.map(|node| node.ty), args);
            let of = of.to_string();
            return self.fail(formulas::unknown_method(site, name, whole, &of, mend));
        };
        if args.len() != function.arguments() {
            let mend = reduces.then(|| format!("{name}({of})"));
            let counts = [function.arguments(), args.len()];
            return self.fail(formulas::arguments(site, name, counts, whole, mend));
        }
        let hint = receiver.as_ref().map_or(hint, |node| Some(node.elem()));
        let args_typed: Vec<_> = args.iter().map(|arg| self.node(arg, hint)).collect();
        let receiver = receiver?;
        let ty = receiver.ty;
        let what = format!("`{name}`");
        if !matches!(ty, Ty::Elem(elem) if function.takes(elem)) {
            let note = match function {
                Function::Abs => "it takes floats, and integers that may be negative",
                Function::Min | Function::Max => "it takes numbers",
                _ => "it takes floats",
            };
            let fault = formulas::operand_type(site, &what, typed(of, ty), note);
            return self.fail(fault);
        }
        let mut parts = vec![receiver];
        let mut wrong = false;
        for (arg, node) in args.iter().zip(args_typed) {
            match node {
                Some(node) if node.ty == ty => parts.push(node),
                Some(node) => {
                    let fault = mismatch(arg.site, &what, (of, ty), (arg, node.ty), hint);
                    self.faults.push(fault);
                    wrong = true;
                }
                None => wrong = true,
            }
        }
        (!wrong).then_some(Node {
            kind: NodeKind::Method(function, parts),
            ty,
        })
    }

    /// A reduction.
    pub(super) fn call(
        &mut self,
        called: Named<'_>,
        args: &[Syntax],
        hint: Option<Elem>,
    ) -> Option<Node> {
        let Named { name, site, whole } = called;
        let mend = as_method(name, args);
        let reduces = reduces(name, args);
        self.depth += usize::from(reduces);
        let typed_args: Vec<_> = args.iter().map(|arg| self.node(arg, hint)).collect();
        self.depth -= usize::from(reduces);
        let Some(reduce) = Reduce::of(name) else {
            return self.fail(formulas::unknown_function(site, name, whole, mend));
        };
        let [arg] = args else {
            let fault = formulas::arguments(site, name, [1, args.len()], whole, mend);
            return self.fail(fault);
        };
        let node = typed_args.into_iter().next()??;
        let ty = node.ty;
        if ty == Ty::Bool {
            let what = format!("`{name}`");
            let fault = formulas::operand_type(site, &what, typed(arg, ty), "it takes numbers");
            return self.fail(fault);
        }
        let mut dims = self.dims(&node);
        dims.sort_unstable();
        dims.dedup();
        let target = self.target.as_deref().unwrap_or_default();
        let (given, over): (Vec<_>, Vec<_>) = dims.iter().partition(|dim| target.contains(dim));
        if over.is_empty() && self.target.is_some() {
            let argument = arg.before_method();
            let target = self.target_site;
            let fault = if given.is_empty() {
                formulas::no_dim(site, name, whole, &argument)
            } else {
                formulas::nothing_reduced(site, name, &argument, ty, target)
            };
            return self.fail(fault);
        }
        let reduction = Reduction {
            reduce,
            of: node,
            over,
            given,
        };
        let known = self.reductions.iter().position(|r| *r == reduction);
        let index = known.unwrap_or_else(|| {
            self.reductions.push(reduction);
            self.reductions.len() - 1
        });
        Some(Node {
            kind: NodeKind::Reduced(index),
            ty,
        })
    }

    /// The dims that a part depends on.
    fn dims(&self, node: &Node) -> Vec<usize> {
        let mut dims = Vec::new();
        node.walk(&mut |part| match part.kind {
            NodeKind::Param(index) => {
                let axes = self.operands[index].iter().flatten();
                dims.extend(axes.filter_map(|axis| axis.dim()));
            }
            NodeKind::Reduced(index) => dims.extend(&self.reductions[index].given),
            _ => {}
        });
        dims
    }
}

/// What calls a method by the name and with the arguments of a reduction.
fn as_method(name: &str, args: &[Syntax]) -> Option<String> {
    let (first, rest) = args.split_first()?;
    let rest: Vec<_> = rest.iter().map(Syntax::to_string).collect();
    let fits = Function::of(name).is_some_and(|f| f.arguments() == rest.len());
    let receiver = first.before_method();
    fits.then(|| format!("{receiver}.{name}({})", rest.join(", ")))
}

/// A call that reduces; `exp(x)` may be meant as `x.exp()`, which reduces nothing.
pub(super) fn reduces(name: &str, args: &[Syntax]) -> bool {
    as_method(name, args).is_none() || args.len() == 1 && Reduce::of(name).is_some()
}

/// What is written for Rust's `powi`: a product, or a power of floats.
fn power(name: &str, of: &Syntax, ty: Option<Ty>, args: &[Syntax]) -> Option<String> {
    let (Some(Ty::Elem(elem)), "powi", [arg]) = (ty, name, args) else {
        return None;
    };
    if let (SyntaxKind::Name(_), SyntaxKind::Literal(literal)) = (&of.kind, &arg.kind)
        && literal.value == Value::Int(2)
    {
        return Some(format!("({of} * {of})"));
    }
    let arg = match &arg.kind {
        SyntaxKind::Literal(literal) => literal::suffixed(literal, Some(elem)),
        _ => format!("{} as {elem}", arg.before_cast()),
    };
    let receiver = of.before_method();
    let there = Function::of("powf").is_some_and(|f| f.takes(elem));
    there.then(|| format!("{receiver}.powf({arg})"))
}
