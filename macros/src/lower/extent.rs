//! Extents to expressions.

use gpu_graph_analysis::expr::Expr;
use gpu_graph_analysis::fault::{calls, raw, sizes};
use proc_macro2::Ident;

use super::{Cx, text};
use crate::ast::{Binary, Extent, ExtentKind};

/// What extents are made of. Where there is `None`, something was reported.
pub trait Numbers {
    /// What a name stands for.
    fn name(&mut self, name: &Ident, cx: &mut Cx) -> Option<Expr>;
    /// The product of two that both depend on dims, which is written as `of`.
    fn product(&mut self, factors: [&Expr; 2], of: &Extent, cx: &mut Cx) -> Option<Expr>;
}

/// The expression that `extent` is; `None` where something was reported.
pub fn lower(extent: &Extent, cx: &mut Cx, numbers: &mut dyn Numbers) -> Option<Expr> {
    match &extent.kind {
        ExtentKind::Int(int) => {
            let value = i64::try_from(int.value).ok().map(Expr::constant);
            value.or_else(|| overflow(extent, cx))
        }
        ExtentKind::Name(name) => numbers.name(name, cx),
        ExtentKind::Neg(of) => {
            let of = lower(of, cx, numbers)?;
            Expr::constant(0).sub(&of).or_else(|| overflow(extent, cx))
        }
        ExtentKind::Binary(left, op, right) => {
            // Both sides are looked at, so that each name is reported.
            let (a, b) = (lower(left, cx, numbers), lower(right, cx, numbers));
            let (a, b) = (a?, b?);
            match op {
                Binary::Add => a.add(&b).or_else(|| overflow(extent, cx)),
                Binary::Sub => a.sub(&b).or_else(|| overflow(extent, cx)),
                Binary::Mul if a.as_constant().is_none() && b.as_constant().is_none() => {
                    numbers.product([&a, &b], extent, cx)
                }
                Binary::Mul => a.mul(&b).or_else(|| overflow(extent, cx)),
                Binary::Div => {
                    let quotient = b.as_constant().and_then(|divisor| a.floor_div(divisor));
                    quotient.or_else(|| not_affine(extent, false, cx))
                }
            }
        }
    }
}

/// Reports an extent that cannot be said, perhaps in the signature of a kernel or a stage.
pub fn not_affine(extent: &Extent, signature: bool, cx: &mut Cx) -> Option<Expr> {
    let site = cx.sites.push(extent.region);
    cx.errors
        .push(calls::not_affine(site, &show(extent), signature));
    None
}

fn overflow(extent: &Extent, cx: &mut Cx) -> Option<Expr> {
    let site = cx.sites.push(extent.region);
    cx.errors.push(sizes::extent_overflow(site, &show(extent)));
    None
}

/// The extent as one would write it.
pub fn show(extent: &Extent) -> String {
    match &extent.kind {
        ExtentKind::Int(int) => int.value.to_string(),
        ExtentKind::Name(name) => raw(&text(name)).into_owned(),
        ExtentKind::Neg(of) => format!("-{}", show_at(of, 3)),
        ExtentKind::Binary(left, op, right) => {
            let (sign, level) = match op {
                Binary::Add => ("+", 1),
                Binary::Sub => ("-", 1),
                Binary::Mul => ("*", 2),
                Binary::Div => ("/", 2),
            };
            // All four associate to the left.
            format!(
                "{} {sign} {}",
                show_at(left, level),
                show_at(right, level + 1)
            )
        }
    }
}

/// In parentheses where it binds less tightly than `level`.
fn show_at(extent: &Extent, level: u8) -> String {
    let own = match &extent.kind {
        ExtentKind::Int(_) | ExtentKind::Name(_) => 4,
        ExtentKind::Neg(_) => 3,
        ExtentKind::Binary(_, Binary::Mul | Binary::Div, _) => 2,
        ExtentKind::Binary(_, Binary::Add | Binary::Sub, _) => 1,
    };
    if own < level {
        format!("({})", show(extent))
    } else {
        show(extent)
    }
}
