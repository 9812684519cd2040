//! Which place in the input a [`Site`] is.

use gpu_graph_analysis::model::Site;

use crate::span::Region;

/// The places that faults may point to, in the order they were pushed.
#[derive(Default)]
pub struct SiteTable {
    regions: Vec<Region>,
}

impl SiteTable {
    /// A site for `region`. Two calls give two sites, also for one region.
    pub fn push(&mut self, region: impl Into<Region>) -> Site {
        let site = Site(u32::try_from(self.regions.len()).unwrap_or(u32::MAX));
        self.regions.push(region.into());
        site
    }

    /// The region of `site`; the whole macro call for a site that was never pushed.
    pub fn region(&self, site: Site) -> Region {
        let call = || proc_macro2::Span::call_site().into();
        self.regions
            .get(site.0 as usize)
            .copied()
            .unwrap_or_else(call)
    }
}
