//! What a policy costs on a history, and how policies compare.

use super::{History, Policy, Resource, Wrong};

/// What a policy costs on a history, over all resources.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Figures {
    /// Changes to a larger capacity. The first step is none: something has to be there.
    pub grown: usize,
    /// Changes to a smaller one.
    pub released: usize,
    /// Bytes that changes take, each its new capacity.
    pub allocated: u128,
    /// Bytes that changes copy if the content is to survive them: of each the smaller of what was
    /// needed before and what is needed after.
    pub copied: u128,
    /// What the changes took, in nanoseconds, as far as that was measured at their steps.
    pub nanos: u128,
    /// Changes at steps without a measurement, which `nanos` does not count.
    pub unmeasured: usize,
    /// What is held beyond the aligned need, in bytes times steps.
    pub slack: u128,
    /// The most of that at one step.
    pub peak_slack: u128,
    /// The most that is held at one step.
    pub peak: u128,
    /// The same where the old capacity is there until a change is over, and all changes of a step are
    /// under way at once.
    pub peak_changing: u128,
}

impl Figures {
    /// Changes of either kind.
    pub fn changes(&self) -> usize {
        self.grown + self.released
    }

    /// What the changes took, where every one was measured.
    pub fn time(&self) -> Option<u128> {
        (self.unmeasured == 0).then_some(self.nanos)
    }

    /// As good as `other` in all figures that are costs, and better in one. Where times were
    /// `measured`, they are one of these, and what is not known of them may be anything.
    fn beats(&self, other: &Self, measured: bool) -> bool {
        let costs = |f: &Self| {
            let changes = f.changes() as u128;
            [
                changes,
                f.allocated,
                f.copied,
                f.slack,
                f.peak_slack,
                f.peak,
                f.peak_changing,
            ]
        };
        let mut pairs: Vec<(u128, u128)> = costs(self).into_iter().zip(costs(other)).collect();
        if measured {
            let Some(time) = self.time() else {
                return false;
            };
            // What is known of the other one is no more than it takes.
            pairs.push((time, other.nanos));
        }
        pairs.iter().all(|(own, other)| own <= other)
            && pairs.iter().any(|(own, other)| own < other)
    }
}

/// A policy, what it costs, and another one that is as good in all figures and better in one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Compared {
    /// The policy.
    pub policy: Policy,
    /// Its costs.
    pub figures: Figures,
    /// The first of those that beat it, as an index into what was compared.
    pub beaten_by: Option<usize>,
}

/// The bytes that are held of `resource` at each step.
///
/// # Errors
/// The first step at which there is no such number.
pub fn capacities(resource: &Resource, policy: &Policy) -> Result<Vec<u64>, usize> {
    let mut held = 0;
    let each = resource.sizes.iter().enumerate().map(|(k, &needed)| {
        held = policy.next(resource, needed, held).ok_or(k)?;
        Ok(held)
    });
    each.collect()
}

/// What `policy` costs on `history`.
///
/// # Errors
/// Where the history is none, or a capacity is no number.
pub fn replay(history: &History, policy: &Policy) -> Result<Figures, Wrong> {
    history.check()?;
    let mut figures = Figures::default();
    // Of all resources at each step: held, with what is there while changes go on, and idle.
    let mut sums = vec![[0u128; 3]; history.steps()];
    for (i, resource) in history.resources.iter().enumerate() {
        let held = capacities(resource, policy).map_err(|k| Wrong::TooLarge(i, k))?;
        for (k, (&new, &needed)) in held.iter().zip(&resource.sizes).enumerate() {
            let aligned = resource.aligned(needed).ok_or(Wrong::TooLarge(i, k))?;
            let slack = u128::from(new - aligned.min(new));
            let before = k.checked_sub(1).map(|k| (held[k], resource.sizes[k]));
            let mut both = u128::from(new);
            if let Some((old, had)) = before.filter(|&(old, _)| old != new) {
                match new > old {
                    true => figures.grown += 1,
                    false => figures.released += 1,
                }
                figures.allocated += u128::from(new);
                figures.copied += u128::from(had.min(needed));
                match resource.nanos.get(k).copied().flatten() {
                    Some(nanos) => figures.nanos += u128::from(nanos),
                    None => figures.unmeasured += 1,
                }
                both += u128::from(old);
            }
            figures.slack += slack;
            for (sum, own) in sums[k].iter_mut().zip([new.into(), both, slack]) {
                *sum += own;
            }
        }
    }
    let most = |figure: usize| sums.iter().map(|sum| sum[figure]).max().unwrap_or(0);
    figures.peak = most(0);
    figures.peak_changing = most(1);
    figures.peak_slack = most(2);
    Ok(figures)
}

/// What each of `policies` costs on `history`, in their order. None is chosen.
///
/// # Errors
/// As [`replay`].
pub fn compare(history: &History, policies: &[Policy]) -> Result<Vec<Compared>, Wrong> {
    let each = policies.iter().map(|policy| replay(history, policy));
    let figures = each.collect::<Result<Vec<_>, _>>()?;
    let mut nanos = history.resources.iter().flat_map(|r| &r.nanos);
    let measured = nanos.any(Option::is_some);
    let compared = policies
        .iter()
        .zip(&figures)
        .map(|(&policy, own)| Compared {
            policy,
            figures: own.clone(),
            beaten_by: figures.iter().position(|other| other.beats(own, measured)),
        });
    Ok(compared.collect())
}
