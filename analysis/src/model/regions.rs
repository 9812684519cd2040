//! How many bytes regions of memory take.

use std::collections::BTreeMap;

use super::Region;

/// Bytes of regions, which lie one behind the other by their domains: those of the arena, and by
/// themselves those of staging.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RegionBytes(BTreeMap<Region, u64>);

impl RegionBytes {
    /// `region` takes so many bytes, or more where that was said before.
    pub fn take(&mut self, region: Region, bytes: u64) {
        let most = self.0.entry(region).or_default();
        *most = bytes.max(*most);
    }

    /// Room for either of the two, which take turns in it.
    pub fn join(&mut self, other: &Self) {
        other.0.iter().for_each(|(&r, &bytes)| self.take(r, bytes));
    }

    /// Each region with its bytes, those of the arena first.
    pub fn iter(&self) -> impl Iterator<Item = (Region, u64)> {
        self.0.iter().map(|(&region, &bytes)| (region, bytes))
    }

    /// Bytes of one region.
    pub fn of(&self, region: Region) -> u64 {
        self.0.get(&region).copied().unwrap_or(0)
    }

    /// Bytes of all of staging, or else of the arena.
    pub fn all(&self, staging: bool) -> u64 {
        let those = self.iter().filter(|(region, _)| region.staging == staging);
        those.fold(0, |sum, (_, bytes)| sum.saturating_add(bytes))
    }

    /// Where `region` begins.
    pub fn start(&self, region: Region) -> u64 {
        let before = self
            .iter()
            .filter(|(other, _)| other.staging == region.staging && other.domain < region.domain);
        before.fold(0, |sum, (_, bytes)| sum.saturating_add(bytes))
    }
}
