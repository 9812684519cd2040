//! Numbers and scalars: what extents, constants and arguments are said with.

use gpu_graph_analysis::calls::ScalarArg;
use gpu_graph_analysis::expr::{Expr, NoProduct};
use gpu_graph_analysis::fault::names::Kind;
use gpu_graph_analysis::fault::sizes;
use gpu_graph_analysis::model::{Elem, Site};
use proc_macro2::Ident;

use super::super::constant::{self, Numbers};
use super::super::names::Named;
use super::super::{Cx, extent, text};
use super::{Scalar, Scope};
use crate::ast;

/// What can stand in an extent.
const NUMBERS: &[Kind] = &[Kind::Dim, Kind::Const, Kind::Variable];
/// What can stand in a constant.
const CONSTANTS: &[Kind] = &[Kind::Const, Kind::Variable];

impl Scope {
    /// `name` is that of a scalar.
    pub fn is_scalar(&self, name: &Ident) -> bool {
        let named = self.get(&text(name));
        named.is_some_and(|named| named.kind == Kind::Scalar)
    }

    /// Something names a scalar, if that is what it names.
    pub fn names(&self, named: Named) {
        if named.kind == Kind::Scalar {
            self.named.borrow_mut().insert(named.index);
        }
    }

    /// Declares a number.
    pub fn number(&mut self, kind: Kind, name: &Ident, value: Option<Expr>, cx: &mut Cx) -> Site {
        self.values.push(value);
        self.declare(kind, self.values.len() - 1, name, cx)
    }

    /// Declares a constant of this block.
    pub fn constant_of(&mut self, constant: &ast::Const, cx: &mut Cx) {
        let written = constant.is.as_ref();
        let value = written.and_then(|(_, written)| self.constant(written, cx));
        let value = value.and_then(|value| constant::fits(constant, value, cx));
        self.sound &= value.is_some();
        self.number(Kind::Const, &constant.name, value.map(Expr::constant), cx);
    }

    /// Declares a scalar.
    pub fn scalar(&mut self, name: &Ident, elem: Elem, value: ScalarArg, cx: &mut Cx) {
        self.scalars.push(Scalar { elem, value });
        self.declare(Kind::Scalar, self.scalars.len() - 1, name, cx);
    }

    /// The value that the number of that index has.
    pub fn value(&self, named: Named) -> Option<Expr> {
        self.said.borrow_mut().insert(named.index);
        self.values.get(named.index as usize)?.clone()
    }

    /// An extent, in which products are dims of their own.
    pub fn extent(&mut self, extent: &ast::Extent, cx: &mut Cx) -> Option<Expr> {
        extent::lower(extent, cx, self)
    }

    /// The value of what is over constants and variables alone.
    pub fn constant(&self, extent: &ast::Extent, cx: &mut Cx) -> Option<i64> {
        struct Loud<'a>(&'a Scope, &'a mut Cx);
        impl Numbers for Loud<'_> {
            fn name(&mut self, name: &Ident) -> Option<i64> {
                let named = self.0.find(name, CONSTANTS, self.1)?;
                self.0.value(named)?.as_constant()
            }
            fn wrong(&mut self, of: &ast::Extent, why: &str) {
                constant::report(of, why, self.1);
            }
        }
        constant::value(extent, &mut Loud(self, cx))
    }
}

impl extent::Numbers for Scope {
    fn name(&mut self, name: &Ident, cx: &mut Cx) -> Option<Expr> {
        self.value(self.find(name, NUMBERS, cx)?)
    }

    fn product(&mut self, [a, b]: [&Expr; 2], of: &ast::Extent, cx: &mut Cx) -> Option<Expr> {
        let site = cx.sites.push(of.region);
        let why = match a.times(b, &mut self.dims, site) {
            Ok(product) => return Some(product),
            Err(why) => why,
        };
        cx.errors.push(match why {
            NoProduct::Overflow => sizes::extent_overflow(site, &extent::show(of)),
            NoProduct::Dims => sizes::too_many_dims(site, 1 << 16),
            NoProduct::Negative(factor) => sizes::negative_factor(site, &factor, &self.dims),
        });
        None
    }
}
