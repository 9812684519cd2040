//! One way to run a graph, and what it does.

use std::rc::Rc;

use super::{Ground, Realised, Remade};
use crate::alias::conditions;
use crate::model::ResourceId;

/// A candidate, and what it does.
pub struct Candidate {
    /// What it was laid out for.
    pub kind: Kind,
    /// How it would run.
    pub realised: Realised,
    /// The graph that it is of, where values are made again in it.
    pub remade: Option<Rc<Remade>>,
}

impl Candidate {
    /// Lays it out as well as it can be; `ground` is of the graph as it was written.
    pub fn settle(&mut self, ground: &Ground) {
        match &self.remade {
            None => ground.settle(&mut self.realised),
            Some(remade) => remade.ground.settle(&mut self.realised),
        }
    }

    /// What it is: what it was laid out for, without the pairs that nothing orders, since no storage
    /// needs it. `ground` is of the graph as it was written.
    pub fn does(&self, ground: &Ground) -> Kind {
        match (&self.kind, &self.remade) {
            (Kind::Again(with), Some(remade)) => {
                Kind::Again(Box::new(with.done(&remade.ground, &self.realised)))
            }
            (kind, _) => kind.done(ground, &self.realised),
        }
    }
}

/// What a candidate does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Nothing: the graph as it stands.
    Baseline,
    /// Aliases may rest on the order of its streams.
    StreamOrder,
    /// The same on fewer streams.
    Streams(u8),
    /// One task at a time, in the sequence in which the least is live.
    InTurn,
    /// As on its streams, and edges are added, so that of each pair the first is over before the second
    /// begins.
    After(Vec<(ResourceId, ResourceId)>),
    /// Values are made again, and beside that this, in the graph that comes of it.
    Again(Box<Kind>),
}

impl Kind {
    fn done(&self, ground: &Ground, realised: &Realised) -> Self {
        let Self::After(pairs) = self else {
            return self.clone();
        };
        let (order, live) = (&realised.order, &realised.live);
        let ordered = |&(a, b): &(ResourceId, ResourceId)| {
            let update = conditions(&ground.model, order, live, a, b);
            live.wholly_before(a, b) || update.is_some_and(|(_, lacking)| lacking.is_empty())
        };
        let pairs: Vec<_> = pairs.iter().copied().filter(ordered).collect();
        match pairs.is_empty() {
            true => Self::StreamOrder,
            false => Self::After(pairs),
        }
    }
}
