//! The binary `plan`: what it prints, writes and refuses.

mod plan_support;

use plan_support::{Folder, plan};

const EXAMPLE: &str = "id,lower,upper,size\nb1,0,3,4\nb2,3,9,4\nb3,0,9,4\nb4,9,21,4\nb5,0,21,4\n";

#[test]
fn one_line_says_what_was_found() {
    let folder = Folder::new("line");
    let (status, out, err) = plan(&[&folder.file("in.csv", EXAMPLE)]);
    assert_eq!((status, &*err), (0, ""));
    let (line, seconds) = out.split_once(" seconds=").expect("seconds");
    assert_eq!(line, "n=5 peak=12 lower_bound=12 optimal=yes");
    assert!(seconds.trim_end().parse::<f64>().is_ok() && out.matches('\n').count() == 1);
}

#[test]
fn what_it_writes_passes_its_check() {
    let folder = Folder::new("output");
    let input = "size,id,lower,upper,alignment,fixed,same_as,apart_from,gaps\n\
                 4,a,0,9,4,,,,2-3; 5-7\n4,\"b,1\",2,3,,8,,,\n3,c,3,5,,,a,,\n2,d,9,12,2,,,c;a,\n0,e,1,1,,,,,\n";
    // A blank in a list of gaps is none of its characters.
    let input = input.replace("; ", ";");
    let file = folder.file("in.csv", &input);
    let output = folder.path("out.csv");
    let (status, _, err) = plan(&[&file, "--output", &output]);
    assert_eq!((status, &*err), (0, ""));
    let written = std::fs::read_to_string(&output).expect("the output");
    let mut lines = written.lines().zip(input.lines());
    assert_eq!(
        lines.next().map(|l| l.0),
        Some("size,id,lower,upper,alignment,fixed,same_as,apart_from,gaps,offset")
    );
    assert!(lines.all(|(new, old)| new.starts_with(old) && new.len() > old.len()));
    let (status, out, err) = plan(&["check", &file, &output]);
    assert_eq!((status, &*err), (0, ""));
    assert!(
        out.starts_with("n=5 peak=") && out.ends_with(" ok\n"),
        "{out}"
    );
}

#[test]
fn what_it_writes_is_placed_again() {
    let folder = Folder::new("again");
    let file = folder.file("in.csv", EXAMPLE);
    let [first, second] = ["first.csv", "second.csv"].map(|name| folder.path(name));
    assert_eq!(plan(&[&file, "--output", &first]).0, 0);
    let written = |path: &str| std::fs::read_to_string(path).expect("the output");
    // What it says of offsets is not read: a column of them may stand anywhere, and be wrong.
    let odd = "offset,id,lower,upper,size\n?,b1,0,3,4\n,b2,3,9,4\n-1,b3,0,9,4\n0,b4,9,21,4\n0,b5,0,21,4\n";
    for again in [&first, &folder.file("odd.csv", odd)] {
        let (status, _, err) = plan(&[again, "--output", &second]);
        assert_eq!((status, &*err), (0, ""));
        assert_eq!(written(&second), written(&first));
        assert_eq!(plan(&["check", again, &second]).0, 0);
    }
}

#[test]
fn the_file_that_is_read_is_not_written() {
    let folder = Folder::new("same");
    let file = folder.file("in.csv", EXAMPLE);
    let other = folder.0.join("../plan-same/./in.csv").display().to_string();
    for output in [&file, &other] {
        let (status, out, err) = plan(&[&file, "--output", output]);
        assert_eq!((status, &*out), (2, ""));
        let message = "`--output` is the file that is read, which would be lost";
        assert_eq!(err, format!("{output}: {message}\n"));
        let kept = std::fs::read_to_string(&file).expect("the input");
        assert_eq!(kept, EXAMPLE);
    }
}

#[test]
fn a_capacity_is_met_or_impossible_or_not_found() {
    let folder = Folder::new("capacity");
    let file = folder.file("in.csv", EXAMPLE);
    assert_eq!(plan(&[&file, "--capacity", "12"]).0, 0);
    assert_eq!(plan(&["--capacity=20", &file]).0, 0);
    let output = folder.path("none.csv");
    let (status, out, err) = plan(&[&file, "--capacity", "11", "--output", &output]);
    assert_eq!(status, 1);
    assert!(out.starts_with("n=5 peak=12 lower_bound=12 "), "{out}");
    assert_eq!(err, "impossible: no peak is below 12\n");
    assert!(!std::path::Path::new(&output).exists());
    // Without a step nothing is searched; greedy placement does not reach the load here.
    let hard = "id,lower,upper,size\n0,3,5,7\n1,2,4,4\n2,0,3,4\n3,4,6,5\n4,0,2,7\n5,1,6,2\n";
    let file = folder.file("hard.csv", hard);
    let greedy = plan(&[&file, "--steps", "0"]).1;
    let best = plan(&[&file]).1;
    let figure = |line: &str, name: &str| -> u64 {
        let mut parts = line.split_whitespace();
        let part = parts.find_map(|p| p.strip_prefix(name)?.strip_prefix('='));
        part.and_then(|p| p.parse().ok()).expect("a figure")
    };
    let peak = figure(&best, "peak");
    assert!(
        best.contains("optimal=yes") && figure(&greedy, "peak") > peak,
        "{greedy}{best}"
    );
    let (status, _, err) = plan(&[&file, "--steps", "0", "--capacity", &peak.to_string()]);
    let text = format!("not found: no peak of at most {peak} in ");
    assert!(status == 1 && err.starts_with(&text), "{err}");
}

#[test]
fn bad_input_is_refused_where_it_stands() {
    let folder = Folder::new("bad");
    let head = "id,lower,upper,size\n";
    let all = "id,lower,upper,size,alignment,fixed,same_as,apart_from,gaps\n";
    let cases: &[(&str, &str, &str)] = &[
        ("", "", "1:1: the file is empty"),
        ("\n\n", "", "1:1: the file is empty"),
        ("id,lower,size\n", "", "1:1: the column `upper` is missing"),
        (
            "id,lower,upper,size,sise\n",
            "",
            "1:21: unknown column `sise`: columns are `id`, `lower`, `upper`, `size`, `alignment`, \
             `fixed`, `same_as`, `apart_from`, `gaps`",
        ),
        (
            "id,lower,upper,size,id\n",
            "",
            "1:21: the column `id` is there twice",
        ),
        (head, "a,0,1,NaN", "2:7: `NaN` is no integer"),
        (head, "a,0,1,1.5", "2:7: `1.5` is no integer"),
        (head, "a,0,1,", "2:7: a number is missing"),
        (head, "a,0,1,-4", "2:7: `-4` is negative"),
        (
            head,
            "a,0,1,18446744073709551616",
            "2:7: `18446744073709551616` is too large",
        ),
        (
            head,
            "a,0,1,18446744073709551615",
            "2:7: `a`: sizes, alignments and offsets together reach 2^62",
        ),
        (
            head,
            "a,0,9223372036854775808,1",
            "2:5: `9223372036854775808` is too large",
        ),
        (head, "a,inf,1,1", "2:3: `inf` is no integer"),
        (head, "a,0,,1", "2:5: a number is missing"),
        (head, "a,5,4,1", "2:5: the lifetime ends before it begins"),
        (
            head,
            "a,0:5,1:4,1",
            "2:7: the lifetime ends before it begins",
        ),
        (
            head,
            "a,0:0,1:1,1\nb,0:0,1,1",
            "3:7: the clock has 1 component, others have 2",
        ),
        (
            head,
            "a,0,1,1\nb,0:1,1:2,1",
            "3:3: the clock has 2 components, others have 1",
        ),
        (head, "a,0:x,1:2,1", "2:5: `x` is no integer"),
        (head, "a,0,1,1\na,0,1,1", "3:1: the id `a` is taken"),
        (head, ",0,1,1", "2:1: the id is empty"),
        (head, "a,0,1", "2:5: the row has 3 fields, the header 4"),
        (head, "a,0,1,1,1", "2:9: the row has 5 fields, the header 4"),
        (head, "\"a,0,1,1", "2:1: the quote is not closed"),
        (all, "a,0,1,1,0,,,,", "2:9: an alignment is at least 1"),
        (
            all,
            "a,0,1,1,4,2,,,",
            "2:11: `a`: the fixed offset is no multiple of the alignment",
        ),
        (all, "a,0,1,1,,,b,,", "2:11: there is no id `b`"),
        (
            all,
            "a,0,1,1,,,,b;,\nb,0,1,1,,,,,",
            "2:14: there is no id ``",
        ),
        (
            all,
            "a,0,1,1,,,,a,",
            "2:12: `a` cannot be apart from itself",
        ),
        (
            all,
            "a,0,1,1,,,b,b,\nb,0,1,1,,,,,",
            "2:11: `a` and `b`: the two must have one offset and be apart",
        ),
        (
            all,
            "a,0,1,1,,0,b,,\nb,0,1,1,,4,,,",
            "3:10: `a` and `b`: buffers of one offset have different fixed ones",
        ),
        (
            all,
            "a,0,2,4,,0,,,\nb,1,3,4,,2,,,",
            "3:10: `a` and `b`: the two clash, and their fixed offsets make them overlap",
        ),
        (
            all,
            "a,0,9,1,,,,,1-2;4",
            "2:17: `4` is no gap: write `lo-hi`",
        ),
        (
            all,
            "a,0,9,1,,,,,2-1",
            "2:13: the gap `2-1` ends before it begins",
        ),
        (
            all,
            "a,0,9,1,,,,,8-10",
            "2:13: a gap is not within the lifetime",
        ),
        (all, "a,0,9,1,,,,,1-3;2-4", "2:13: two gaps overlap"),
        (
            all,
            "a,0:0,9:9,1,,,,,1-3",
            "2:17: lifetimes that are clocks have no gaps",
        ),
    ];
    let mut wrong = Vec::new();
    for (head, rows, message) in cases {
        let file = folder.file("bad.csv", format!("{head}{rows}"));
        let (status, out, err) = plan(&[&file]);
        if (status, out.as_str(), &err) != (2, "", &format!("{file}:{message}\n")) {
            wrong.push(format!("{rows}\n  {message}\n  {err}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    let file = folder.file(
        "bad.csv",
        [b"id,lower,upper,size\na,\xff".as_slice(), b",1,1\n"].concat(),
    );
    assert_eq!(plan(&[&file]).2, format!("{file}:2:3: this is no UTF-8\n"));
}

#[test]
fn wrong_arguments_are_refused_in_one_line_with_one_that_names_help() {
    let folder = Folder::new("arguments");
    let file = folder.file("in.csv", EXAMPLE);
    let cases: &[&[&str]] = &[
        &[],
        &["a.csv", "b.csv"],
        &["check", "a.csv"],
        &["check", "a.csv", "b.csv", "--steps", "1"],
        &[&file, "--capacity"],
        &[&file, "--capacity", "-1"],
        &[&file, "--steps", "many"],
        &[&file, "--unknown"],
    ];
    for args in cases {
        let (status, out, err) = plan(args);
        let help = err.lines().collect::<Vec<_>>();
        let help = matches!(help[..], [_, "`plan --help` says what it takes"]);
        let files = err.starts_with("a.csv: ");
        assert!(
            status == 2 && out.is_empty() && (help || files),
            "{args:?}: {err}"
        );
    }
    let (status, _, err) = plan(&[&folder.path("missing.csv")]);
    assert!(
        status == 2 && err.starts_with(&folder.path("missing.csv")),
        "{err}"
    );
    let (status, out, _) = plan(&["--help"]);
    assert!(status == 0 && out.starts_with("usage: plan FILE.csv"));
}

#[test]
fn a_placement_is_refused_where_it_is_wrong() {
    let folder = Folder::new("check");
    let file = folder.file(
        "in.csv",
        "id,lower,upper,size,alignment,fixed,same_as,apart_from,gaps\n\
         a,0,4,4,2,,,,\nb,2,6,4,,,,,\nc,4,8,4,,8,,,\nd,8,9,4,,,b,,\ne,9,10,4,,,,d,\nf,0,9,2,,,,,1-9\n",
    );
    let cases: &[(&str, &[u64; 6], &str)] = &[
        ("right", &[0, 4, 8, 4, 0, 4], ""),
        ("right, and lower", &[4, 0, 8, 0, 4, 0], ""),
        ("overlap", &[0, 2, 8, 2, 8, 4], "3:7: `b` overlaps `a`"),
        (
            "alignment",
            &[5, 0, 8, 0, 4, 0],
            "2:7: the offset is no multiple of 2",
        ),
        (
            "fixed",
            &[4, 0, 9, 0, 4, 0],
            "4:7: the offset is fixed at 8",
        ),
        (
            "same",
            &[0, 4, 8, 0, 4, 4],
            "3:7: the offset is not that of `d`",
        ),
        ("apart", &[0, 4, 8, 4, 6, 4], "6:8: `e` overlaps `d`"),
        ("gap", &[0, 4, 8, 4, 0, 2], "7:7: `f` overlaps `a`"),
    ];
    let rows = [
        ("a", "0,4,4"),
        ("b", "2,6,4"),
        ("c", "4,8,4"),
        ("d", "8,9,4"),
        ("e", "9,10,4"),
        ("f", "0,9,2"),
    ];
    for (name, offsets, message) in cases {
        let mut text = "id,lower,upper,size,offset\n".to_owned();
        for ((id, row), offset) in rows.iter().zip(*offsets) {
            text += &format!("{id},{row},{offset}\n");
        }
        let out = folder.file("out.csv", text);
        let (status, _, err) = plan(&["check", &file, &out]);
        let first = err.lines().next().unwrap_or("");
        let place = first.split_once("out.csv:").map_or("", |l| l.1);
        let place = place.split(": ").collect::<Vec<_>>();
        let wants: Vec<&str> = message.split(": ").collect();
        assert_eq!(status, i32::from(!message.is_empty()), "{name}: {err}");
        assert_eq!(
            place.last().copied().unwrap_or(""),
            wants.last().copied().unwrap_or(""),
            "{name}"
        );
    }
    for (rows, message) in [
        ("a,0,4,4,0\n", "1:1: the buffer `b` is missing"),
        ("a,0,5,4,0\n", "2:5: `upper` is not what was given"),
        ("z,0,5,4,0\n", "2:1: there is no buffer `z`"),
    ] {
        let out = folder.file("out.csv", format!("id,lower,upper,size,offset\n{rows}"));
        let (status, _, err) = plan(&["check", &file, &out]);
        assert!(
            status == 1 && err.contains(&format!("{out}:{message}\n")),
            "{err}"
        );
    }
    // Two that have one offset and must be apart have no placement.
    let torn = "id,lower,upper,size,same_as,apart_from\na,0,4,4,,\nb,0,4,4,a,a\n".to_owned();
    let (torn, out) = (
        folder.file("torn.csv", torn),
        folder.file(
            "out.csv",
            "id,lower,upper,size,offset\na,0,4,4,0\nb,0,4,4,0\n",
        ),
    );
    let (status, _, err) = plan(&["check", &torn, &out]);
    assert!(status == 1 && err.contains("`b` overlaps `a`"), "{err}");
    let without = "id,lower,upper,size,offset\na,0,4,4,\n".to_owned();
    for (rows, message) in [
        (EXAMPLE.to_owned(), "1:1: the column `offset` is missing"),
        (without, "2:9: a number is missing"),
    ] {
        let out = folder.file("out.csv", rows);
        let (status, _, err) = plan(&["check", &file, &out]);
        assert!(status == 2 && err.contains(message), "{err}");
    }
}

/// What the runtime's log of loads looks like, with the sizes of a graph that was loaded five times.
const LOADS: &str = "id,size,alignment,maximum,nanos,dim h,dim w\n\
                     Blur,4096,256,1048576,900,8,8\nBlur,65536,256,1048576,1500,32,32\n\
                     Blur,4096,256,1048576,800,8,8\nBlur,1048576,256,1048576,9000,512,128\n\
                     Blur,1048576,256,1048576,,512,128\n";

#[test]
fn growth_says_what_each_policy_costs_and_chooses_none() {
    let folder = Folder::new("growth");
    let file = folder.file("loads.csv", LOADS);
    let policies = ["exact", "exact,keep", "geometric:2/1,keep"];
    let mut args = vec!["growth", &file];
    policies.iter().for_each(|p| args.extend(["--policy", p]));
    let (status, out, err) = plan(&args);
    assert_eq!((status, &*err), (0, ""));
    let lines: Vec<&str> = out.lines().collect();
    let expected = [
        "n=1 steps=5 same=1 grew=2 shrank=1 reversals=2 largest_growth=1044480 \
         largest_shrinkage=61440 at_maximum=2 peak=1048576",
        "policy=exact changes=3 grown=2 released=1 allocated=1118208 copied=12288 nanos=11300 \
         slack=0 peak_slack=0 peak=1048576 peak_changing=1052672 beaten_by=none",
        "policy=exact,keep changes=2 grown=2 released=0 allocated=1114112 copied=8192 nanos=10500 \
         slack=61440 peak_slack=61440 peak=1048576 peak_changing=1114112 beaten_by=none",
        "policy=geometric:2/1,keep changes=2 grown=2 released=0 allocated=1114112 copied=8192 \
         nanos=10500 slack=61440 peak_slack=61440 peak=1048576 peak_changing=1114112 beaten_by=none",
        "policies=3 unbeaten=3 chosen=none",
    ];
    assert_eq!(lines, expected);
    // Several of each kind where none is named; what was not measured is not made up.
    let file = folder.file("sizes.csv", "size\n10\n20\n10\n");
    let (status, out, _) = plan(&["growth", &file]);
    assert_eq!(status, 0);
    for kind in [
        "policy=exact ",
        "policy=bucketed:powers,keep ",
        "policy=geometric:5/4,below:1/4 ",
    ] {
        assert!(out.contains(kind), "{out}");
    }
    assert!(
        out.contains("nanos=unknown") && out.ends_with("chosen=none\n"),
        "{out}"
    );
}

#[test]
fn a_history_is_refused_where_it_is_wrong() {
    let folder = Folder::new("growth-bad");
    let cases = [
        ("", "1:1: the file is empty"),
        ("size\n", "1:1: there is no step"),
        ("id\na\n", "1:1: the column `size` is missing"),
        ("size,size\n1,2\n", "1:6: the column `size` is there twice"),
        (
            "size,w\n1,2\n",
            "1:6: unknown column `w`: columns are `size`, `id`, `alignment`, `maximum`, `nanos`, and any \
             that begin with `dim `",
        ),
        ("size\n1\n-2\n", "3:1: `-2` is negative"),
        ("size\n1.5\n", "2:1: `1.5` is no integer"),
        ("size,id\n,a\n", "2:1: a number is missing"),
        ("size\n1,2\n", "2:3: the row has 2 fields, the header 1"),
        (
            "size,maximum\n4,9\n10,9\n",
            "3:1: it needs more than its maximum",
        ),
        (
            "size,maximum\n4,9\n4,8\n",
            "3:3: the maximum is not that of the id's first row",
        ),
        ("size,alignment\n4,0\n", "2:1: an alignment is at least 1"),
        (
            "size,id\n4,a\n4,b\n4,b\n",
            "4:1: the id has 2 sizes, the first one 1",
        ),
        (
            "size\n18446744073709551615\n",
            "2:1: its capacity would be beyond all numbers",
        ),
    ];
    for (text, message) in cases {
        let file = folder.file("bad.csv", text);
        let args = ["growth", &file, "--policy", "bucketed:4096"];
        let (status, out, err) = plan(&args);
        assert_eq!((status, &*out), (2, ""), "{text}");
        assert_eq!(err, format!("{file}:{message}\n"), "{text}");
    }
    let file = folder.file("good.csv", "size\n1\n");
    for (args, message) in [
        (
            &["growth", &file, "--policy", "geometric:2/1"][..],
            "--policy: `geometric:2/1` does not say when",
        ),
        (
            &["growth", &file, "--policy", "double"],
            "--policy: `double` is no policy",
        ),
        (
            &["growth", &file, "--policy", "bucketed:4096,below:2/1"],
            "--policy: `2/1` is no share: one is at most 1",
        ),
        (
            &["growth"],
            "`growth` takes one file and policies\n`plan --help` ",
        ),
        (
            &["check"],
            "`check` takes two files and no options\n`plan --help` ",
        ),
        (
            &["growth", &file, &file],
            "`growth` takes one file and policies",
        ),
        (
            &["growth", &file, "--steps", "1"],
            "`growth` takes one file and policies",
        ),
        (
            &[&file, "--policy", "exact"],
            "`--policy` goes with `growth`",
        ),
    ] {
        let (status, _, err) = plan(args);
        assert!(status == 2 && err.starts_with(message), "{args:?}: {err}");
    }
}
