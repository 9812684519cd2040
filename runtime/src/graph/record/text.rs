//! An explanation as a person reads it.

use std::fmt::{self, Display, Formatter};

use super::orderable::admits;
use super::{Blocker, Explanation, Obstacle, Relation, Storage};

/// Entries of a list that are written out; the others are counted.
const SHOWN: usize = 4;

impl Display for Explanation {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let [a, b] = self.names;
        match &self.storage {
            _ if self.relation == Relation::Same => return write!(f, "`{a}` is one resource"),
            Storage::Shared {
                bytes: (from, to),
                demanded,
            } => {
                let asked = if *demanded { ", as demanded" } else { "" };
                write!(f, "`{a}` and `{b}` share bytes {from}..{to}{asked}")?;
            }
            _ => {
                let [x, y] = self
                    .slots
                    .map(|s| (s.offset, s.offset.saturating_add(s.bytes)));
                write!(f, "`{a}` and `{b}` do not share storage: ")?;
                write!(f, "bytes {}..{} and {}..{}", x.0, x.1, y.0, y.1)?;
            }
        }
        match &self.in_place {
            None => told(f, &self.relation, self.ways(), true)?,
            Some(of) => {
                told(f, &self.relation, [[a, b], [b, a]], false)?;
                for range in of.ranges.iter().filter(|range| range.len() > 1) {
                    let names: Vec<_> = range.iter().map(|name| format!("`{name}`")).collect();
                    let (last, rest) = names.split_last().map_or(("", &[][..]), |(l, r)| (&**l, r));
                    let rest = rest.join(", ");
                    write!(f, "\n  in place, {rest} and {last} are one range")?;
                }
                write!(f, "; of all of it")?;
                told(f, &of.relation, self.ways(), true)?;
            }
        }
        self.storage(f)
    }
}

impl Explanation {
    fn storage(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let [a, b] = self.names;
        match &self.storage {
            Storage::Shared { .. } | Storage::NotEligible => Ok(()),
            Storage::Separate => write!(f, "\n  `separate` keeps the two apart"),
            Storage::Empty => write!(f, "\n  one of them has no bytes"),
            Storage::Left(why) => write!(f, "\n  not taken: {why}"),
            Storage::Apart([x, y]) if x.is_empty() || y.is_empty() => {
                write!(f, "\n  nothing is in the way: the layout does without it")
            }
            Storage::Apart([x, y]) => {
                write!(f, "\n  the layout has them apart")?;
                for (name, other, why) in [(a, b, x), (b, a, y)] {
                    let shown: Vec<_> = why.iter().take(SHOWN).map(obstacle).collect();
                    write!(
                        f,
                        "\n    `{name}` in the place of `{other}`: {}",
                        shown.join(", ")
                    )?;
                    if why.len() > SHOWN {
                        write!(f, " and {} more", why.len() - SHOWN)?;
                    }
                }
                Ok(())
            }
        }
    }
}

/// A relation of two, of which `ways` has the names in both directions; where it `ends` what is said of
/// them, with what would admit it.
fn told(
    f: &mut Formatter<'_>,
    relation: &Relation,
    ways: [[&'static str; 2]; 2],
    ends: bool,
) -> fmt::Result {
    let then = |first: &str| match first == ways[0][0] {
        true => ways[0][1],
        false => ways[1][1],
    };
    match relation {
        Relation::Same => Ok(()),
        Relation::Unconditional {
            first,
            paths,
            demanded,
        } => {
            let then = then(first);
            write!(
                f,
                "\n  unconditional: `{first}` is over before `{then}` begins, "
            )?;
            match demanded {
                true => write!(f, "by dependencies and demanded orders alone")?,
                false => write!(f, "by dependencies alone")?,
            }
            for path in paths {
                write!(f, "\n    {}", chain(path))?;
            }
            Ok(())
        }
        Relation::InPlace { first, task } => {
            let then = then(first);
            write!(
                f,
                "\n  in place: `{task}` ends `{first}` and begins `{then}`"
            )
        }
        Relation::Conditioned {
            first,
            unordered,
            planned,
        } => {
            let then = then(first);
            match *planned {
                true => write!(
                    f,
                    "\n  conditioned: no dependency orders these, the plan does"
                )?,
                false => write!(f, "\n  both may be live at once: no dependency orders")?,
            }
            for [(user, uses), (start, starts)] in unordered.iter().take(SHOWN) {
                write!(f, "\n    `{user}`, which {uses} `{first}`, ")?;
                write!(f, "before `{start}`, which {starts} `{then}`")?;
            }
            if unordered.len() > SHOWN {
                write!(f, "\n    and {} more pairs", unordered.len() - SHOWN)?;
            }
            if *planned || !ends {
                return Ok(());
            }
            let these = match unordered.len() {
                1 => "between the two",
                _ => "of each of these pairs",
            };
            let tasks = unordered.iter().flatten().map(|(task, _)| *task);
            let order = admits(these, tasks);
            write!(f, "\n  {order}, and the plan adds none")
        }
        Relation::Refused { forward, backward } => {
            let why = match forward {
                Blocker::Region => "they never share storage",
                _ => "both are live at once",
            };
            write!(f, "\n  {why}, whatever is ordered")?;
            let forward = blocked(*forward, ways[0][0], ways[0][1]);
            let backward = blocked(*backward, ways[1][0], ways[1][1]);
            write!(f, "\n    {forward}")?;
            if backward != forward {
                write!(f, "\n    {backward}")?;
            }
            Ok(())
        }
    }
}

fn chain(path: &[&str]) -> String {
    let quoted = |t: &&str| format!("`{t}`");
    match path {
        [from, between @ .., to] if between.len() > SHOWN => {
            format!("`{from}`, then {} others, then `{to}`", between.len())
        }
        _ => path.iter().map(quoted).collect::<Vec<_>>().join(", then "),
    }
}

/// Why `earlier` is never over before `later` begins.
fn blocked(blocker: Blocker, earlier: &str, later: &str) -> String {
    match blocker {
        Blocker::Host => format!("the host reads `{earlier}` after the run"),
        Blocker::Region => "they are memory of two kinds, or of two isolation domains".to_owned(),
        Blocker::Kept(name) => format!("`{name}` outlives the run"),
        Blocker::Both(task) => format!("`{task}` needs both"),
        Blocker::Callers(task) => format!(
            "`{earlier}` is the caller's: as an `input mut`, `{task}` could update it into `{later}`"
        ),
        Blocker::Reversed { user, start } => {
            format!("`{user}` needs `{earlier}` after `{start}` begins `{later}`")
        }
    }
}

fn obstacle(obstacle: &Obstacle) -> String {
    match obstacle {
        Obstacle::Occupant(name) => format!("`{name}` lies there and may be live at once"),
        Obstacle::Separate(name) => format!("`{name}` lies there, apart by `separate`"),
        Obstacle::InPlace([member, name]) => {
            format!(
                "`{member}`, one range with it, may be live at once with `{name}`, which lies there"
            )
        }
        Obstacle::Beyond(bytes) => format!("it would end {bytes} bytes beyond the arena"),
    }
}
