//! `minimize peak, then critical_path`: what a graph is planned for.

use std::fmt;

use crate::model::Site;

/// A figure of a plan that can be minimised.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Metric {
    /// Bytes of one instance's arena at the largest sizes.
    Peak,
    /// Nanoseconds of the longest chain of launches, by the kernels' costs.
    CriticalPath,
    /// Launches of one run.
    Launches,
    /// Edges that the policy adds, beside the order of streams.
    AddedEdges,
}

impl Metric {
    /// All of them, in the order in which a record lists them.
    pub const ALL: [Self; 4] = [
        Self::Peak,
        Self::CriticalPath,
        Self::Launches,
        Self::AddedEdges,
    ];

    /// The word of the language.
    pub fn name(self) -> &'static str {
        match self {
            Self::Peak => "peak",
            Self::CriticalPath => "critical_path",
            Self::Launches => "launches",
            Self::AddedEdges => "added_edges",
        }
    }

    /// The units that a weight for it is written per, each with what it is of the figure's own.
    pub fn units(self) -> &'static [(&'static str, u64)] {
        match self {
            Self::Peak => &[
                ("B", 1),
                ("KiB", 1 << 10),
                ("MiB", 1 << 20),
                ("GiB", 1 << 30),
            ],
            Self::CriticalPath => &[("ns", 1), ("us", 1_000), ("ms", 1_000_000)],
            Self::Launches | Self::AddedEdges => &[],
        }
    }
}

impl fmt::Display for Metric {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// `2 / GiB * peak`.
#[derive(Clone, Debug, PartialEq)]
pub struct Weight {
    /// What is weighed.
    pub metric: Metric,
    /// Cost of as much as `per` says: finite, and above zero.
    pub each: f64,
    /// Of the figure's own units, which are bytes, nanoseconds, launches or edges: one of [`Metric::units`],
    /// or 1.
    pub per: u64,
    /// As it was written.
    pub text: String,
    /// The metric's word.
    pub site: Site,
}

/// What `minimize` declares.
#[derive(Clone, Debug, PartialEq)]
pub enum Minimize {
    /// The first counts; the next decides between those that are equal in it. No two are the same.
    Order(Vec<(Metric, Site)>),
    /// The sum counts. No two are of the same metric.
    Weights(Vec<Weight>),
}

impl Minimize {
    /// What it names, with the places of the words.
    pub fn metrics(&self) -> Vec<(Metric, Site)> {
        match self {
            Self::Order(list) => list.clone(),
            Self::Weights(list) => list.iter().map(|w| (w.metric, w.site)).collect(),
        }
    }
}

impl fmt::Display for Minimize {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let parts: Vec<String> = match self {
            Self::Order(list) => list.iter().map(|(metric, _)| metric.to_string()).collect(),
            Self::Weights(list) => list.iter().map(|weight| weight.text.clone()).collect(),
        };
        let between = match self {
            Self::Order(_) => ", then ",
            Self::Weights(_) => " + ",
        };
        f.write_str(&parts.join(between))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_objective_reads_as_it_was_written() {
        let order = Minimize::Order(vec![
            (Metric::Peak, Site(0)),
            (Metric::CriticalPath, Site(1)),
        ]);
        assert_eq!(order.to_string(), "peak, then critical_path");
        let weight = |metric, text: &str| Weight {
            metric,
            each: 1.0,
            per: 1,
            text: text.to_owned(),
            site: Site(0),
        };
        let weights = Minimize::Weights(vec![
            weight(Metric::Peak, "2 / GiB * peak"),
            weight(Metric::Launches, "0.5 * launches"),
        ]);
        assert_eq!(weights.to_string(), "2 / GiB * peak + 0.5 * launches");
    }
}
