//! What a loaded graph takes, in words.

use std::fmt;

use super::{Kept, Loaded, Memory};

impl fmt::Display for Loaded {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "graph {}", self.graph)?;
        for (i, (name, value)) in self.dims.iter().enumerate() {
            write!(f, "{} {name} = {value}", if i == 0 { ":" } else { "," })?;
        }
        Ok(())
    }
}

impl fmt::Display for Memory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}", self.of)?;
        let rows = [
            ("arena", self.actual.arena, self.planned.arena, true),
            ("store", self.actual.store, self.planned.store, false),
            ("staging", self.actual.staging, self.planned.staging, true),
        ];
        for (what, actual, planned, each) in rows {
            if planned == 0 {
                continue;
            }
            write!(f, "  {what:<10}{actual} bytes")?;
            if each && self.instances > 1 {
                write!(f, " for each of {} lanes", self.instances)?;
            }
            match actual == planned {
                true => writeln!(f, ", as planned for the largest sizes")?,
                false => writeln!(f, ", {planned} at the largest sizes")?,
            }
        }
        match self.kept {
            None => writeln!(
                f,
                "  placed    anew at load: tightly for these dims, over the order of streams and events"
            )?,
            Some(Kept::NothingGained) => writeln!(
                f,
                "  placed    as planned: nothing would be smaller at these dims"
            )?,
            Some(Kept::Refused(_)) => writeln!(
                f,
                "  placed    as planned: the verifier refused smaller slots"
            )?,
        }
        for (number, one) in (1..).zip(&self.variants) {
            let Some(guard) = one.guard else {
                continue;
            };
            write!(f, "  guard     `verify` at these dims")?;
            if self.variants.len() > 1 {
                write!(f, ", of combination {number}")?;
            }
            write!(f, ", with an arena of {} bytes: ", one.fitted)?;
            match guard {
                Ok(()) => writeln!(f, "it holds")?,
                Err(violation) => writeln!(f, "{violation}")?,
            }
            let planned = one.planned;
            let used = match self.kept {
                None => "not needed",
                Some(_) => "used, and verified at these dims",
            };
            writeln!(
                f,
                "  fallback  the same program with the slots of its plan, {planned} bytes: {used}"
            )?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Bytes, Guarded, Kept, Loaded, Memory};
    use crate::verify::Violation;

    #[test]
    fn a_guard_that_fires_is_told_with_its_variant_and_the_plan_that_is_used() {
        let violation = Violation::SlotSize { resource: 3 };
        let guarded = |guard| Guarded {
            planned: 4096,
            fitted: 512,
            guard: Some(guard),
        };
        let bytes = Bytes {
            arena: 4096,
            ..Bytes::default()
        };
        let memory = Memory {
            of: Loaded {
                graph: "Either",
                dims: Box::new([("n", 7)]),
            },
            instances: 1,
            planned: bytes,
            needed: Bytes {
                arena: 512,
                ..bytes
            },
            actual: bytes,
            kept: Some(Kept::Refused(violation)),
            variants: Box::new([guarded(Ok(())), guarded(Err(violation))]),
        };
        let text = memory.to_string();
        let fired = format!("of combination 2, with an arena of 512 bytes: {violation}\n");
        assert!(text.contains(&fired), "{text}");
        let used = "the slots of its plan, 4096 bytes: used, and verified at these dims";
        assert_eq!(text.matches(used).count(), 2, "{text}");
        assert!(text.contains("of combination 1, with an arena of 512 bytes: it holds"));
        assert_eq!(memory.total(), 4096);
    }
}
