//! `order`, `alias` and `separate`.

use gpu_graph_analysis::fault::names::Kind;
use gpu_graph_analysis::model::{Order, Pair, ResourceId, TaskId};

use super::names::Names;
use super::{Cx, text};
use crate::ast;

/// Each label before the next one.
pub fn orders(orders: &[ast::Order], labels: &Names, cx: &mut Cx) -> Vec<Order> {
    let mut demands = Vec::new();
    for order in orders {
        let tasks = order.labels.iter().map(|label| {
            let task = labels.find(&label.to_string(), Kind::Label, label, cx)?;
            Some(TaskId(task.index))
        });
        let tasks: Vec<_> = tasks.collect();
        let site = cx.sites.push(order.region);
        for pair in tasks.windows(2) {
            if let [Some(before), Some(after)] = *pair {
                demands.push(Order {
                    before,
                    after,
                    site,
                });
            }
        }
    }
    demands
}

/// Two resources each.
pub fn pairs(pairs: &[ast::Pair], names: &Names, cx: &mut Cx) -> Vec<Pair> {
    let mut demands = Vec::new();
    for pair in pairs {
        let mut find = |name| {
            let resource = names.find(&text(name), Kind::Resource, name, cx)?;
            Some(ResourceId(resource.index))
        };
        let (a, b) = (find(&pair.a), find(&pair.b));
        if let (Some(a), Some(b)) = (a, b) {
            demands.push(Pair {
                a,
                b,
                site: cx.sites.push(&pair.a),
            });
        }
    }
    demands
}
