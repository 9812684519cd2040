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
}

/// The iteration or the call of a stage in which a place was looked at.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Origin {
    /// As in `l=3.layer`; empty for the text itself.
    pub path: String,
    /// The innermost call of a stage.
    pub call: Option<Site>,
}

impl Default for SiteTable {
    fn default() -> Self {
        Self {
            regions: Vec::new(),
            origins: vec![Origin::default()],
            current: 0,
            unrolled: true,
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
            let call = call.or(self.origins[outside as usize].call);
            self.current = self.origins.len() as u32;
            self.origins.push(Origin { path, call });
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

    /// From where the place of `site` was looked at, if not as the text itself.
    pub fn origin(&self, site: Site) -> Option<&Origin> {
        let (_, origin) = self.regions.get(site.0 as usize)?;
        self.origins.get(*origin as usize).filter(|_| *origin > 0)
    }
}
