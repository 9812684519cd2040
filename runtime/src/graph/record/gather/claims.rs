//! What is claimed, and on which conditions: what the record's text says of it, read back.

use super::Known;
use crate::report::{Claims, Disposition, Excluded, Guard, Stage, Verdict};

impl Known<'_> {
    pub(super) fn excluded(&self) -> Vec<Excluded> {
        let each = self.section("not counted").map(|line| {
            let (what, why) = line.split_once(": ").unwrap_or((line, ""));
            Excluded {
                what: what.to_owned(),
                why: why.to_owned(),
            }
        });
        each.collect()
    }

    pub(super) fn claims(&self) -> Claims {
        let section = |title| self.section(title).map(str::to_owned).collect();
        Claims {
            verdict: self.verdict(),
            limits: section("not claimed"),
            delegated: section("left to others"),
            guards: self.guards(),
            invalidation: self.lines("  void with      "),
            falsified_by: self.lines("  falsified by   "),
        }
    }

    fn verdict(&self) -> Verdict {
        let said = self.said("verdict: ").unwrap_or("");
        let found = Disposition::ALL.into_iter().find(|d| d.name() == said);
        let because = self.said("  because        ").unwrap_or("");
        Verdict {
            disposition: found.unwrap_or(Disposition::NeedMoreEvidence),
            because: because.to_owned(),
        }
    }

    /// The lines below a title of the record's text.
    fn section(&self, title: &str) -> impl Iterator<Item = &'static str> {
        let lines = self.record.text.lines();
        let below = lines.skip_while(move |line| *line != title).skip(1);
        below.map_while(|line| line.strip_prefix("  "))
    }

    /// The rest of each line of the record's text that begins so.
    fn lines(&self, begin: &str) -> Vec<String> {
        let lines = self.record.text.lines();
        let rest = lines.filter_map(|line| line.strip_prefix(begin));
        rest.map(str::to_owned).collect()
    }

    /// The checks that the record's text lists.
    fn guards(&self) -> Vec<Guard> {
        let mut lines = self.record.text.lines();
        let mut all = Vec::new();
        while let Some(line) = lines.next() {
            let stages = [
                ("  at build       ", Stage::Build),
                ("  at load        ", Stage::Load),
                ("  at run         ", Stage::Run),
            ];
            let mut begun = stages.iter();
            let begun = begun.find_map(|&(begin, stage)| Some((stage, line.strip_prefix(begin)?)));
            let Some((stage, check)) = begun else {
                continue;
            };
            let mut after = |begin| lines.next().and_then(|line| line.strip_prefix(begin));
            let refusal = after("    refusal   ").unwrap_or("");
            let fallback = after("    fallback  ");
            all.push(Guard {
                stage,
                check: check.to_owned(),
                refusal: refusal.to_owned(),
                fallback: fallback
                    .filter(|f| !f.starts_with("none,"))
                    .map(str::to_owned),
            });
        }
        all
    }
}
