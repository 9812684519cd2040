//! `order`, `alias` and `separate`; reconstructions are in [`recompute`](super::recompute).

use std::ops::Range;

use gpu_graph_analysis::fault::{Part, names, stages};
use gpu_graph_analysis::limits;
use gpu_graph_analysis::model::{Order, Pair, Site, TaskId};

use super::Cx;
use super::recompute::Demand;
use super::scope::Scope;
use crate::ast;

/// Demands under construction: labels may stand for tasks that are yet to come.
#[derive(Default)]
pub struct Demands<'a> {
    /// The tasks of each label, once they are there.
    pub labels: Vec<Option<Range<u32>>>,
    /// Orders of tasks that nobody demands, but that retentions need.
    pub direct: Vec<Order>,
    /// Labels by number.
    orders: Vec<(usize, usize, Site)>,
    /// Demanded aliases.
    pub aliases: Vec<Pair>,
    /// Demanded separations.
    pub separate: Vec<Pair>,
    /// Demanded reconstructions.
    pub(super) again: Vec<Demand<'a>>,
    /// Faults of pairs, without which the rest is whole.
    pub beside: usize,
}

impl<'a> Demands<'a> {
    /// Announces the labels of `body`, and gives the number of the first.
    pub fn announce(&mut self, body: &ast::Body, scope: &mut Scope, cx: &mut Cx) -> usize {
        let first = self.labels.len();
        for label in body.stmts.iter().filter_map(ast::Stmt::label) {
            scope.label(label, self.labels.len(), cx);
            self.labels.push(None);
        }
        first
    }

    /// The demands of `body`, whose names are in scope.
    pub fn take(&mut self, body: &'a ast::Body, scope: &Scope, cx: &mut Cx) {
        for order in &body.orders {
            let labels = order.labels.iter();
            let labels: Vec<_> = labels
                .map(|label| scope.find_label(label, &order.labels, cx))
                .collect();
            let site = cx.sites.push(order.region);
            for pair in labels.windows(2) {
                if let [Some(before), Some(after)] = *pair {
                    self.orders.push((before, after, site));
                }
            }
        }
        self.recomputes(body, scope, cx);
        let since = cx.errors.len();
        self.aliases.extend(pairs(&body.aliases, true, scope, cx));
        self.separate
            .extend(pairs(&body.separate, false, scope, cx));
        self.beside += cx.errors.len() - since;
    }

    /// Each task of a label before each task of the next; the label of a stage stands for all its
    /// tasks.
    pub fn orders(&self, cx: &mut Cx) -> Vec<Order> {
        let mut orders = self.direct.clone();
        for (before, after, site) in &self.orders {
            let (Some(before), Some(after)) = (&self.labels[*before], &self.labels[*after]) else {
                continue;
            };
            let pairs = before.len() * after.len();
            if orders.len() - self.direct.len() + pairs > limits::ORDERS {
                cx.errors.push(stages::ordered(*site));
                break;
            }
            for before in before.clone() {
                orders.extend(after.clone().map(|after| Order {
                    before: TaskId(before),
                    after: TaskId(after),
                    site: *site,
                }));
            }
        }
        orders
    }
}

/// `once` says that no two of them may say the same.
fn pairs(pairs: &[ast::Pair], once: bool, scope: &Scope, cx: &mut Cx) -> Vec<Pair> {
    let mut demands: Vec<Pair> = Vec::new();
    for pair in pairs {
        let (a, b) = (scope.resource(&pair.a, cx), scope.resource(&pair.b, cx));
        if let (Some(a), Some(b)) = (a, b) {
            let site = cx.sites.push(&pair.a);
            let same = |other: &&Pair| [(a, b), (b, a)].contains(&(other.a, other.b));
            if once
                && a != b
                && let Some(first) = demands.iter().find(same)
            {
                let fault = names::repeated(site, "alias", first.site, Part::Statement);
                cx.errors
                    .push(fault.note("either names the same two resources"));
                continue;
            }
            demands.push(Pair { a, b, site });
        }
    }
    demands
}
