//! The text, the data and the page of a record say the same.
#![forbid(unsafe_code)]

#[path = "../../../analysis/tests/common/mod.rs"]
mod common;
#[path = "../../../runtime/tests/explain_support/mod.rs"]
mod explain_support;
mod graphs;
#[path = "../../../runtime/tests/report_support/mod.rs"]
mod report_support;

use gpu_graph::report::{Because, Happening, Policy, Region};

#[test]
fn a_pair_that_lies_apart_has_one_reason_in_the_text_and_in_the_data() {
    let mut same = 0;
    let of_all = graphs::RECORDS.iter().flat_map(|record| {
        let plans = record.report().plans;
        plans.into_iter().map(|plan| (record.text(), plan))
    });
    for (text, plan) in of_all.filter(|(_, plan)| plan.variant.is_none()) {
        let name = |r: u32| &plan.resources[r as usize].name;
        for pair in &plan.unshared.pairs {
            let begin = format!("  `{}` and `{}`: ", name(pair.a), name(pair.b));
            let mut lines = text.lines();
            if let Some(said) = lines.find_map(|line| line.strip_prefix(&*begin)) {
                assert_eq!(pair.reason, said);
                same += 1;
            }
        }
    }
    assert!(same > 10, "{same}");
}

#[test]
fn a_pair_is_counted_among_those_of_its_reason() {
    let mut planned = 0;
    for (_, plan) in graphs::plans() {
        let unshared = &plan.unshared;
        for pair in &unshared.pairs {
            let begins = |word: &str| pair.reason.starts_with(word);
            match pair.because {
                Because::Unordered => assert!(!begins("refused") && !begins("could"), "{pair:?}"),
                Because::Live => assert!(!begins("conditioned") && !begins("could"), "{pair:?}"),
                Because::Separate | Because::Layout => assert!(!begins("refused"), "{pair:?}"),
                _ => panic!("{pair:?}"),
            }
            planned += usize::from(pair.reason.contains("the plan orders"));
        }
        let listed = |because| {
            let pairs = unshared.pairs.iter();
            pairs.filter(|pair| pair.because == because).count() as u64
        };
        for (because, all) in [
            (Because::Live, unshared.live),
            (Because::Unordered, unshared.unordered),
            (Because::Separate, unshared.separate),
            (Because::Layout, unshared.layout),
        ] {
            assert_eq!(listed(because), all.min(32), "{because:?}");
        }
    }
    assert!(planned > 3, "{planned}");
}

/// The lines below a title of a record's text, up to the next one.
fn section<'a>(text: &'a str, title: &str) -> Vec<&'a str> {
    let below = text.lines().skip_while(|line| *line != title).skip(1);
    let lines = below.take_while(|line| !line.is_empty());
    lines.map(|line| line.trim_start()).collect()
}

#[test]
fn text_data_and_page_have_the_same_sections_and_the_same_numbers() {
    for (record, plan) in graphs::plans() {
        let text = record.text();
        let has = |line: String| assert!(text.lines().any(|l| l == line), "{line} in {text}");
        let claims = &plan.claims;
        let verdict = &claims.verdict;
        has(format!("verdict: {}", verdict.disposition.name()));
        has(format!("  because        {}", verdict.because));
        assert_eq!(section(text, "not claimed"), claims.limits);
        assert_eq!(section(text, "left to others"), claims.delegated);
        let excluded = plan.excluded.iter();
        let excluded = excluded.map(|not| format!("{}: {}", not.what, not.why));
        assert_eq!(section(text, "not counted"), excluded.collect::<Vec<_>>());
        assert!(claims.limits.len() > 2 && claims.delegated.len() > 2 && plan.excluded.len() > 2);
        let counted = |count: usize, what: &str| match count {
            1 => format!("1 {what}"),
            _ => format!("{count} {what}s"),
        };
        let (weighed, guards) = (plan.candidates.len(), claims.guards.len());
        has(format!("policy: {} weighed", counted(weighed, "plan")));
        has(format!("guards: {}", counted(guards, "check")));
        let apart = plan.unshared.total as usize;
        has(format!(
            "not shared: {} of one size",
            counted(apart, "pair")
        ));
        let shared = counted(plan.aliases.len(), "pair");
        has(format!(
            "shared storage: {shared} of one occupant and the next"
        ));
        let events = |what| {
            let trace = plan.allocator.trace.iter();
            trace.filter(|event| event.event == what).count()
        };
        has(format!(
            "  trace          {} begin where nothing was and {} where others were; the JSON has each event",
            events(Happening::Allocate),
            events(Happening::Reuse)
        ));
        let classes = format!("  size classes   {}, ", plan.allocator.size_classes.len());
        assert!(text.contains(&classes), "{classes} in {text}");
        let staged = plan.resources.iter();
        let staged = staged.filter(|r| r.region == Region::Staging && r.bytes > 0);
        let mut own = record.report();
        own.plans = vec![plan.clone()];
        let page = own.to_html();
        let both = |words: &str| assert!(text.contains(words) && page.contains(words), "{words}");
        if let n @ 1.. = staged.count() {
            both(&format!("{n} of these in staging, which is host memory"));
        }
        let admit = text
            .lines()
            .find_map(|l| l.strip_prefix("  executions     all that "));
        both(admit.unwrap());
        for kind in plan.kinds.iter().filter(|kind| kind.gives_bytes.is_some()) {
            let of = match kind.policy {
                Policy::Delay | Policy::ReleaseEarlier => "what is live at once",
                Policy::ShareWorkspace => "workspaces",
                _ => "the arena",
            };
            let said = format!(" of {of}: {}", kind.reason);
            assert!(text.contains(&said), "{said} in {text}");
            assert!(page.contains(&format!("<td>{of}</td>")), "{of}");
        }
        let ended = text.contains("  search         ended by its limit");
        assert_eq!(ended, !plan.search.complete);
        for why in &plan.search.blocked {
            has(format!("  blocked        {why}"));
        }
        let mut alone = record.report();
        alone.plans = vec![plan.clone()];
        let page = alone.to_html();
        for title in [
            "Not claimed",
            "Not counted",
            "Left to others",
            "Void with",
            "Falsified by",
            "Guards",
            "Candidates",
            "Why not",
            "Shared storage",
            "Resources",
            "Tasks",
            "For an allocator",
            "Arena map",
            "Order",
            "Words",
        ] {
            let heads = [2, 3].map(|n| format!("<h{n}>{title}</h{n}>"));
            assert!(heads.iter().any(|head| page.contains(head)), "{title}");
        }
        assert!(page.contains(&format!(">{} weighed", counted(weighed, "plan"))));
    }
}

#[test]
fn the_figures_of_a_plan_are_the_same_in_the_text_and_in_the_data() {
    let mut seen = 0;
    for (record, plan) in graphs::plans() {
        for one in &plan.candidates {
            // What another plan beats is counted in the text, and not written out.
            let own = format!("  {}", one.name);
            let lines = record.text().lines();
            let mut rest = lines.skip_while(|line| *line != own).skip(1);
            let (Some(costs), Some(takes)) = (rest.next(), rest.next()) else {
                continue;
            };
            let totals = &one.totals;
            let (launches, events) = (totals.launches, totals.events);
            assert!(
                costs.contains(&format!(", {launches} launches, ")),
                "{costs}"
            );
            assert!(takes.contains(&format!(", {events} event")), "{takes}");
            let ranges = format!(
                "{} live ranges begin and {} end",
                totals.begins, totals.ends
            );
            assert!(takes.contains(&ranges), "{takes}: {ranges}");
            let peak = rest.next().unwrap();
            for (name, range) in [
                ("least", totals.least_peak_bytes),
                ("greatest", totals.greatest_peak_bytes),
            ] {
                let (_, own) = peak.split_once(name).unwrap();
                let (from, to) = (range.low, range.high.unwrap());
                let said = match from == to {
                    true => told(to),
                    false if from == 0 => format!("at most {}", told(to)),
                    false => format!("between {} and {}", told(from), told(to)),
                };
                assert!(own.starts_with(&format!(" {said}")), "{own}: {said}");
            }
            let adds = rest.find_map(|line| match line.strip_prefix("    adds      ") {
                None if line.starts_with("    ") => None,
                adds => Some(adds),
            });
            let adds = adds.flatten();
            assert_eq!(adds.is_some(), !one.added.is_empty() && !one.accepted);
            for of in one.added.iter().take(adds.map_or(0, |_| 4)) {
                let said = format!("`{}` before `{}`", of.before, of.after);
                assert!(adds.unwrap().contains(&said), "{said}");
            }
            seen += 1;
        }
    }
    assert!(seen > 10, "{seen}");
}

mod staged {
    gpu_graph::gpu_graph! {
        kernel square(x: &[f32; n]) -> [f32; n] = x * x;

        pub graph Staged {
            dim n in 1..=1024;
            pipelined 2;
            budget 24 KiB;
            input x: [f32; n];
            staging s: [f32; n] = download(&x);
            let b: [f32; n] = upload(&s);
            output y: [f32; n] = square(&b);
        }
    }
}

#[test]
fn what_lies_in_staging_is_told_in_the_text_and_on_the_page() {
    let record = staged::Staged::RECORD;
    let (text, page) = (record.text(), record.report().to_html());
    let words = "1 of these in staging, which is host memory";
    assert!(text.contains(words) && page.contains(words), "{text}");
    let guard =
        "the budget of 24 KiB has room for 2 times an arena of 4 KiB and 2 times staging of 4 KiB";
    assert!(text.contains(guard) && page.contains(guard), "{text}");
}

/// An amount of bytes as the text has it.
fn told(bytes: u64) -> String {
    gpu_graph_analysis::layout::sizes::rounded(bytes)
}

/// What a page shows, without its marks.
fn plain(html: &str) -> String {
    let parts = html
        .split('<')
        .map(|part| part.split_once('>').map_or(part, |(_, text)| text));
    let text: String = parts.collect();
    let text = text.replace("&lt;", "<").replace("&gt;", ">");
    text.replace("&quot;", "\"")
        .replace("&amp;", "&")
        .replace('\u{202f}', "")
}

/// H37: the same pairs, for the same reasons, and as many.
#[test]
fn what_a_plan_serialises_is_said_alike_in_all_forms() {
    let (mut said, mut edges) = (0, 0);
    for (record, plan) in graphs::plans() {
        let of = &plan.order.serialised;
        let below = record.text().lines();
        let mut below = below.skip_while(|line| !line.starts_with("  serialised     "));
        let head = below.next().expect("a line in each record");
        let lines: Vec<&str> = below.map_while(|line| line.strip_prefix("    `")).collect();
        assert_eq!(lines.len(), of.pairs.len(), "{head}");
        let name = |t: u32| &plan.tasks[t as usize].name;
        for (line, pair) in lines.iter().zip(&of.pairs) {
            let begin = format!("{}` before `{}` by ", name(pair.before), name(pair.after));
            assert!(line.starts_with(&begin), "{begin} {line}");
        }
        let mut alone = record.report();
        alone.plans = vec![plan.clone()];
        let page = alone.to_html();
        let (_, page) = page.split_once("id=\"serialised0\"").expect("a section");
        let (page, _) = page.split_once("</section>").expect("its end");
        let shown: Vec<String> = page
            .split("<li>")
            .skip(1)
            .map(|item| {
                let (item, _) = item.split_once("</li>").expect("its end");
                plain(&item.replace("<code>", "`").replace("</code>", "`"))
            })
            .collect();
        let lines: Vec<String> = lines.iter().map(|line| format!("`{line}")).collect();
        assert_eq!(shown, lines);
        if of.total > 0 {
            let (_, counts) = head.split_once("serialised     ").unwrap();
            assert!(plain(page).contains(counts), "{counts}");
        }
        said += of.pairs.len();
        edges += usize::from(of.by_policy > 0);
    }
    assert!(said > 50 && edges > 0, "{said} {edges}");
}

#[test]
fn the_page_of_plan_shows_the_peaks_of_edges() {
    let plan = graphs::edges::Edges::RECORD.report().plans.remove(0);
    let peaks = plan.peaks.expect("it has peaks");
    let [least, greatest] = [&peaks.least, &peaks.greatest].map(|peak| {
        let live = peak.live.iter().flatten();
        let live = live.map(|&r| format!("`{}`", plan.resources[r as usize].name));
        let running = peak.running.iter();
        let running = running.map(|&t| format!("`{}`", plan.tasks[t as usize].name));
        let [live, running] = [live.collect::<Vec<_>>(), running.collect()];
        let (live, running) = (live.join(", "), running.join(", "));
        (peak.bytes.low, format!("{live}, while {running}\n"))
    });
    let docs = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/plan.md");
    let page = std::fs::read_to_string(docs).expect("the page is there");
    let figures = format!(
        "\nn={} least={} greatest={} exact=yes seconds=",
        plan.tasks.len(),
        least.0,
        greatest.0
    );
    assert!(page.contains(&figures), "{figures}");
    let lines = format!("\nleast: {}greatest: {}", least.1, greatest.1);
    assert!(page.contains(&lines), "{lines}");
}
