//! Pairs that do not share storage, and why.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use super::Known;
use crate::graph::record::explain::{Blocker, Explanation, Relation, Storage, does, explain};
use crate::report::{Apart, Because, Dependency, Region, Resource, Unshared};

/// Pairs that are listed of each kind, and that are looked at.
const LISTED: usize = 32;
const EXAMINED: u64 = 1 << 18;
/// Pairs of tasks that are listed of one of them.
const MISSING: usize = 4;

impl Known<'_> {
    /// Pairs of one size and range that lie apart. What outlives runs shares with nothing and is in
    /// no pair.
    pub(super) fn unshared(&self, resources: &[Resource]) -> Unshared {
        let mut alike: BTreeMap<(Reverse<u64>, Region), Vec<usize>> = BTreeMap::new();
        for (r, of) in resources.iter().enumerate() {
            if of.bytes > 0 && of.region != Region::Store {
                let key = (Reverse(of.bytes), of.region);
                alike.entry(key).or_default().push(r);
            }
        }
        let reach = [false, true].map(|planned| Reach::new(self, planned));
        let mut found: BTreeMap<Because, (u64, Vec<[usize; 2]>)> = BTreeMap::new();
        let (mut total, mut examined) = (0, 0);
        for ((Reverse(bytes), _), members) in &alike {
            total += apart(resources, members, *bytes);
            let pairs = members.iter().enumerate();
            let mut pairs = pairs.flat_map(|(i, &a)| members[i + 1..].iter().map(move |&b| [a, b]));
            while examined < EXAMINED
                && let Some([a, b]) = pairs.next()
            {
                if resources[a].offset.abs_diff(resources[b].offset) >= *bytes {
                    examined += 1;
                    let because = self.because(&reach, resources, a, b);
                    let (count, listed) = found.entry(because).or_default();
                    *count += 1;
                    if listed.len() < LISTED {
                        listed.push([a, b]);
                    }
                }
            }
        }
        let mut count = |because| found.get(&because).map_or(0, |kind| kind.0);
        let [live, unordered] = [Because::Live, Because::Unordered].map(&mut count);
        let [separate, layout] = [Because::Separate, Because::Layout].map(&mut count);
        let kinds = [
            Because::Unordered,
            Because::Live,
            Because::Separate,
            Because::Layout,
        ];
        let listed = kinds.iter().filter_map(|kind| found.get(kind));
        let pairs = listed.flat_map(|kind| &kind.1);
        let pairs = pairs.filter_map(|&[a, b]| self.apart(resources, a, b));
        Unshared {
            pairs: pairs.collect(),
            total,
            live,
            unordered,
            separate,
            layout,
        }
    }

    /// What keeps two of one size and range apart, as [`explain`] has it.
    fn because(&self, reach: &[Reach; 2], resources: &[Resource], a: usize, b: usize) -> Because {
        let demanded = |&(x, y): &(u32, u32)| {
            let pair = (x as usize, y as usize);
            pair == (a, b) || pair == (b, a)
        };
        if self.source.separate.iter().any(demanded) {
            return Because::Separate;
        }
        if self.source.resources[a].domain != self.source.resources[b].domain {
            return Because::Live;
        }
        let updates = self.taken.iter();
        let updates = updates.chain(self.facts.left.iter().map(|(update, _)| update));
        let mut updates = updates.map(|update| [update.operand, update.result]);
        if updates.any(|pair| pair == [a, b] || pair == [b, a]) {
            return Because::Layout;
        }
        let [bare, plan] = reach;
        let [[a, over], [b, end]] = [a, b].map(|r| self.ends[r]);
        let ways = |reach: &Reach| {
            [(over, b), (end, a)].map(|(x, y)| reach.way(&resources[x], &resources[y]))
        };
        match (ways(bare), ways(plan)) {
            (_, [Way::Holds, _] | [_, Way::Holds]) => Because::Layout,
            ([Way::Never, Way::Never], _) => Because::Live,
            _ => Because::Unordered,
        }
    }

    fn apart(&self, resources: &[Resource], a: usize, b: usize) -> Option<Apart> {
        // The one that begins first is asked to be over before the other.
        let begin = |r: usize| {
            let first = resources[r].first.iter();
            first.map(|&t| self.steps[t as usize]).min()
        };
        let (x, y) = if begin(b) < begin(a) { (b, a) } else { (a, b) };
        let names = [x, y].map(|r| self.source.resources[r].name);
        let found = explain(self.record, names[0], names[1]).ok()?;
        let (because, reason) = self.why(&found, [x, y]);
        // One reason for both: where the text lists the pair, it is that of the text.
        let [first, second] = [a.min(b), a.max(b)].map(|r| self.source.resources[r].name);
        let listed = self.said(&format!("  `{first}` and `{second}`: "));
        let reason = listed.map_or(reason, str::to_owned);
        let mut missing = Vec::new();
        let mut missing_total = 0;
        if let Relation::Conditioned {
            unordered,
            planned: false,
            ..
        } = found.whole()
        {
            missing_total = unordered.len() as u64;
            let task = |name: &str| self.facts.names.iter().position(|n| *n == name);
            for [(before, _), (after, _)] in unordered.iter().take(MISSING) {
                missing.push(Dependency {
                    before: task(before)? as u32,
                    after: task(after)? as u32,
                });
            }
        }
        Some(Apart {
            a: a as u32,
            b: b as u32,
            bytes: resources[a].bytes,
            because,
            reason,
            missing,
            missing_total,
        })
    }

    /// Why the first of the pair is not over before the other begins.
    fn why(&self, found: &Explanation, pair: [usize; 2]) -> (Because, String) {
        match (&found.storage, found.whole()) {
            (Storage::Separate, _) => (Because::Separate, "`separate` keeps them apart".into()),
            (_, Relation::Refused { forward, .. }) => (Because::Live, self.blocked(*forward, pair)),
            (_, Relation::Conditioned { planned: true, .. }) => (
                Because::Layout,
                "the plan orders them, so they could share; the layout does without".into(),
            ),
            (
                _,
                Relation::Conditioned {
                    first, unordered, ..
                },
            ) => {
                let [[over, begins], [_, other]] = found.ways();
                let then = if *first == over { begins } else { other };
                let mut why = String::new();
                if let Some([(user, does), (start, begins)]) = unordered.first() {
                    why = format!(
                        "nothing orders `{user}`, which {does} `{first}`, before `{start}`, which \
                         {begins} `{then}`"
                    );
                }
                if unordered.len() > 1 {
                    let more = unordered.len() - 1;
                    let pairs = if more == 1 { "pair" } else { "pairs" };
                    why += &format!(", and so of {more} more {pairs}");
                }
                (Because::Unordered, why)
            }
            (Storage::Left(why), Relation::InPlace { task, .. }) => (
                Because::Layout,
                format!("`{task}` could update the one into the other, which was left: {why}"),
            ),
            _ => (
                Because::Layout,
                "they could share, and the layout does without".into(),
            ),
        }
    }

    fn blocked(&self, blocker: Blocker, [x, y]: [usize; 2]) -> String {
        let ([_, x], [y, _]) = (self.ends[x], self.ends[y]);
        let [a, b] = [x, y].map(|r| self.source.resources[r].name);
        match blocker {
            Blocker::Host => format!("the host reads `{a}` after the run"),
            Blocker::Region => "they belong to different isolation domains".to_owned(),
            Blocker::Kept(name) => format!("`{name}` outlives the run"),
            Blocker::Both(task) => format!("`{task}` needs both"),
            Blocker::Callers(task) => format!(
                "`{a}` is the caller's: as an `input mut`, `{task}` could update it into `{b}`"
            ),
            Blocker::Reversed { user, start } => {
                let (uses, begins) = (self.does(user, x), self.does(start, y));
                format!("`{user}` still {uses} `{a}` when `{start}` {begins} `{b}`")
            }
        }
    }

    /// What a task does to a resource.
    fn does(&self, task: &str, resource: usize) -> &'static str {
        let at = self.facts.names.iter().position(|name| *name == task);
        let of = at.and_then(|t| self.source.tasks.get(t));
        of.map_or("reads", |task| does(self.source, task, resource))
    }
}

/// Whether one resource is over before another begins.
#[derive(Clone, Copy)]
enum Way {
    Holds,
    Unordered,
    Never,
}

/// For each task, the tasks that dependencies lead to from it, and what the plan orders beside them
/// where that is asked for.
struct Reach(Vec<Vec<u64>>);

impl Reach {
    fn new(known: &Known<'_>, planned: bool) -> Self {
        let count = known.steps.len();
        let mut rows = vec![vec![0u64; count.div_ceil(64)]; count];
        // From the last to the first: what a task leads to is complete when it is come to.
        for &task in known.issued().iter().rev() {
            let task = task as usize;
            let row = std::mem::take(&mut rows[task]);
            let ordered = known.facts.ordered(task).filter(|_| planned);
            for before in known.facts.before(task).chain(ordered) {
                let of = &mut rows[before];
                of.iter_mut().zip(&row).for_each(|(to, from)| *to |= from);
                of[task / 64] |= 1 << (task % 64);
            }
            rows[task] = row;
        }
        Self(rows)
    }

    /// Whether `x` is over before `y` begins.
    fn way(&self, x: &Resource, y: &Resource) -> Way {
        if x.host {
            return Way::Never;
        }
        let mut way = Way::Holds;
        for &user in &x.last {
            for &start in &y.first {
                if user == start || self.leads(start, user) {
                    return Way::Never;
                }
                if !self.leads(user, start) {
                    way = Way::Unordered;
                }
            }
        }
        way
    }

    fn leads(&self, a: u32, b: u32) -> bool {
        self.0[a as usize][b as usize / 64] >> (b % 64) & 1 == 1
    }
}

/// How many pairs of `members`, each of so many bytes, have no byte in common.
fn apart(resources: &[Resource], members: &[usize], bytes: u64) -> u64 {
    let mut offsets: Vec<u64> = members.iter().map(|&r| resources[r].offset).collect();
    offsets.sort_unstable();
    let mut apart = 0;
    let mut end = 0;
    for (i, offset) in offsets.iter().enumerate() {
        end = end.max(i);
        while end < offsets.len() && offsets[end] - offset < bytes {
            end += 1;
        }
        apart += (offsets.len() - end) as u64;
    }
    apart
}
