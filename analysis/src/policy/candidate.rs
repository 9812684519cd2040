//! One way to run a graph, and what it does.

use std::rc::Rc;

use super::{Ground, Realised, Remade};
use crate::alias::conditions;
use crate::layout::Left;
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
    /// Nothing, and slots of whole pages lie close.
    Packed,
    /// Aliases may rest on the order of its streams.
    StreamOrder,
    /// The same on fewer streams.
    Streams(u8),
    /// One task at a time, in a sequence that was found to have less live at once.
    InTurn,
    /// As on its streams, and edges are added, so that of each pair the first is over before the second
    /// begins.
    After(Vec<(ResourceId, ResourceId)>),
    /// In-place updates of each first into its second are left, and beside that this.
    Leaving(Vec<(ResourceId, ResourceId)>, Box<Kind>),
    /// Values are made again, and beside that this, in the graph that comes of it.
    Again(Box<Kind>),
}

impl Kind {
    /// Whether the order of streams counts in the proofs of aliases.
    pub fn is_conditional(&self) -> bool {
        match self {
            Self::Baseline | Self::Packed => false,
            Self::Leaving(_, with) => with.is_conditional(),
            _ => true,
        }
    }

    /// Whether it is the graph as it stands.
    pub fn stands(&self) -> bool {
        matches!(self, Self::Baseline | Self::Packed)
    }

    fn done(&self, ground: &Ground, realised: &Realised) -> Self {
        if let Self::Leaving(pairs, with) = self {
            let left = &realised.ranges.groups.left;
            let is_left = |pair: &&(ResourceId, ResourceId)| {
                let same = |l: &Left| (l.merge.operand, l.merge.result) == **pair;
                left.iter().any(same)
            };
            let pairs: Vec<_> = pairs.iter().filter(is_left).copied().collect();
            let with = with.done(ground, realised);
            return match pairs.is_empty() {
                true => with,
                false => Self::Leaving(pairs, Box::new(with)),
            };
        }
        let pairs = match self {
            Self::After(pairs) => pairs,
            // What was found is what was written.
            Self::InTurn if realised.order.sequence() == ground.order.sequence() => {
                return Self::Streams(1);
            }
            _ => return self.clone(),
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
