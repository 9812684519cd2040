//! Which place in the input a [`Site`] is.

use gpu_graph_analysis::model::Site;

use crate::span::Region;

/// The places that faults may point to, in the order they were pushed.
pub struct SiteTable {
    /// Each with the number of its origin.
    regions: Vec<(Region, u32)>,
    /// The first of them is the text itself.
    origins: Vec<Origin>,
    current: u32,
    unrolled: bool,
    combinations: Vec<Combination>,
}

/// The iteration or the call of a stage in which a place was looked at.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Origin {
    /// As in `l=3.layer`; empty for the text itself.
    pub path: String,
    /// The innermost call of a stage.
    pub call: Option<Site>,
    /// The combination of variants, by its number.
    pub combination: Option<usize>,
    /// The innermost arm, each visit to one by a number of its own; 0 outside of any.
    pub arm: u32,
}

/// What is chosen of a graph's variants where a place was looked at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Combination {
    /// Names of each variant and of its value.
    pub choice: Vec<(String, String)>,
    /// All combinations of that graph, this one among them, by their numbers.
    pub all: std::ops::Range<usize>,
}

impl Default for SiteTable {
    fn default() -> Self {
        Self {
            regions: Vec::new(),
            origins: vec![Origin::default()],
            current: 0,
            unrolled: true,
            combinations: Vec::new(),
        }
    }
}

impl SiteTable {
    /// A site for `region`. Two calls give two sites, also for one region.
    pub fn push(&mut self, region: impl Into<Region>) -> Site {
        let site = Site(u32::try_from(self.regions.len()).unwrap_or(u32::MAX));
        self.regions.push((region.into(), self.current));
        site
    }

    /// The region of `site`; the whole macro call for a site that was never pushed.
    pub fn region(&self, site: Site) -> Region {
        match self.regions.get(site.0 as usize) {
            Some((region, _)) => *region,
            None => proc_macro2::Span::call_site().into(),
        }
    }

    /// What is pushed from now on is seen from `path`, inside `call` or else where the calls so far
    /// are. Gives what [`leave`](Self::leave) takes.
    pub fn enter(&mut self, path: String, call: Option<Site>) -> u32 {
        let outside = self.current;
        if self.unrolled {
            let outer = &self.origins[outside as usize];
            let origin = Origin {
                path,
                call: call.or(outer.call),
                ..*outer
            };
            self.current = self.origins.len() as u32;
            self.origins.push(origin);
        }
        outside
    }

    /// What is pushed from now on is seen from an arm, in the iteration and the call that that is in.
    pub fn enter_arm(&mut self) -> u32 {
        let outside = self.current;
        if self.unrolled {
            let arm = self.origins.len() as u32;
            let outer = self.origins[outside as usize].clone();
            self.current = arm;
            self.origins.push(Origin { arm, ..outer });
        }
        outside
    }

    /// What is pushed from now on is seen from where it was before an [`enter`](Self::enter).
    pub fn leave(&mut self, outside: u32) {
        self.current = outside;
    }

    /// Whether it matters from where things are seen.
    pub fn unrolled(&mut self, matters: bool) {
        self.unrolled = matters;
    }

    /// What [`leave`](Self::leave) takes, to come back here.
    pub fn current(&self) -> u32 {
        self.current
    }

    /// The combinations of one graph, each with the names of what is chosen. Gives the number of the
    /// first.
    pub fn combinations(&mut self, choices: Vec<Vec<(String, String)>>) -> usize {
        let first = self.combinations.len();
        let all = first..first + choices.len();
        let combinations = choices.into_iter().map(|choice| Combination {
            choice,
            all: all.clone(),
        });
        self.combinations.extend(combinations);
        first
    }

    /// What is pushed from now on is seen in the combination of that number; gives what
    /// [`leave`](Self::leave) takes.
    pub fn choose(&mut self, number: usize) -> u32 {
        let outside = self.current;
        self.current = self.origins.len() as u32;
        self.origins.push(Origin {
            combination: Some(number),
            ..Origin::default()
        });
        outside
    }

    /// From where the place of `site` was looked at.
    pub fn origin(&self, site: Site) -> Option<&Origin> {
        let (_, origin) = self.regions.get(site.0 as usize)?;
        self.origins.get(*origin as usize)
    }

    /// The combination of that number.
    pub fn combination(&self, number: usize) -> Option<&Combination> {
        self.combinations.get(number)
    }
}
