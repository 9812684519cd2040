//! How many statements a graph has once its loops and stages are unrolled, before any is.

use std::collections::BTreeMap;

use gpu_graph_analysis::fault::stages;
use gpu_graph_analysis::limits;
use proc_macro2::Ident;

use super::constant::{self, Numbers};
use super::{Callee, Cx, Decls, text};
use crate::ast::{Body, Extent, For, Stmt};
use crate::span::Region;

/// Whether `body` unrolls to as many statements as a graph may have; reported where it does not.
pub fn check(body: &Body, decls: &Decls<'_>, cx: &mut Cx) -> bool {
    let consts = cx.consts.iter();
    let mut count = Count {
        decls,
        names: consts.map(|c| (c.name.clone(), c.value)).collect(),
        items: cx.consts.len(),
        stages: BTreeMap::new(),
    };
    match count.body(body) {
        Ok(_) => true,
        Err((region, what)) => {
            let site = cx.sites.push(region);
            cx.errors.push(stages::unrolled(site, what));
            false
        }
    }
}

/// The statement with which there are too many, and what it is.
type Over = (Region, &'static str);

struct Count<'a> {
    decls: &'a Decls<'a>,
    /// Constants and variables; those of items first.
    names: Vec<(String, Option<i64>)>,
    items: usize,
    /// Statements of each stage.
    stages: BTreeMap<usize, u64>,
}

impl Count<'_> {
    fn body(&mut self, body: &Body) -> Result<u64, Over> {
        let outside = self.names.len();
        for constant in &body.consts {
            let written = constant.is.as_ref();
            let value = written.and_then(|(_, written)| self.value(written));
            self.names.push((text(&constant.name), value));
        }
        let mut total =
            (body.orders.len() + body.aliases.len() + body.separate.len() + body.recomputes.len())
                as u64;
        for stmt in &body.stmts {
            let (count, over) = match stmt {
                Stmt::For(inner) => (self.repeat(inner)?, (inner.range.region, "this loop")),
                Stmt::Match(inner) => {
                    // One of them is there; of a stage by itself each is looked at.
                    let mut most = 0;
                    for arm in &inner.arms {
                        most = self.body(&arm.body)?.max(most);
                    }
                    (most, ((&inner.variant).into(), "this `match`"))
                }
                _ => match stmt.call() {
                    Some(call) => {
                        let over = ((&call.path).into(), "this call");
                        (self.call(&call.path)?, over)
                    }
                    None => (1, (Region::from(proc_macro2::Span::call_site()), "this")),
                },
            };
            total += count;
            if total > limits::STATEMENTS {
                return Err(over);
            }
        }
        self.names.truncate(outside);
        Ok(total)
    }

    fn call(&mut self, path: &syn::Path) -> Result<u64, Over> {
        let Some(Callee::Stage(index)) = self.decls.find(path) else {
            return Ok(1);
        };
        if let Some(known) = self.stages.get(&index) {
            return Ok(*known);
        }
        let stage = &self.decls.stages[index];
        if stage.signature.is_none() {
            return Ok(1);
        }
        // A stage sees the constants among items, and no others.
        let hidden = self.names.split_off(self.items);
        let count = self.body(&stage.ast.body)?.max(1);
        self.names.truncate(self.items);
        self.names.extend(hidden);
        self.stages.insert(index, count);
        Ok(count)
    }

    fn repeat(&mut self, inner: &For) -> Result<u64, Over> {
        let over = (inner.range.region, "this loop");
        let (start, end) = (self.value(&inner.range.start), self.value(&inner.range.end));
        let (Some(start), Some(end)) = (start, end) else {
            return Ok(0);
        };
        let last = i128::from(end) - i128::from(!inner.range.inclusive);
        let times = (last - i128::from(start) + 1).max(0);
        if times > limits::STATEMENTS.into() {
            return Err(over);
        }
        let name = text(&inner.var);
        // Only inner loops can make one iteration longer than another.
        let nested = |s: &Stmt| matches!(s, Stmt::For(_) | Stmt::Match(_));
        let even = !inner.body.stmts.iter().any(nested);
        let mut total = 0;
        for i in 0..times as u64 {
            let value = i64::try_from(i128::from(start) + i128::from(i)).ok();
            self.names.push((name.clone(), value));
            let one = self.body(&inner.body)?.max(1);
            self.names.pop();
            total += if even { one * times as u64 } else { one };
            if total > limits::STATEMENTS {
                return Err(over);
            }
            if even {
                break;
            }
        }
        Ok(total)
    }

    fn value(&mut self, extent: &Extent) -> Option<i64> {
        constant::value(extent, self)
    }
}

/// What is wrong is reported when the loop is unrolled.
impl Numbers for Count<'_> {
    fn name(&mut self, name: &Ident) -> Option<i64> {
        let wanted = text(name);
        let known = self.names.iter().rev().find(|(name, _)| *name == wanted);
        known?.1
    }

    fn wrong(&mut self, _: &Extent, _: &str) {}
}
