//! The command line.

use gpu_graph::report::Measured;

use crate::graph::Edges;
use crate::picture::Picture;
use crate::{Command, On, command, export, profile};

fn read(args: &[&str]) -> Result<Command, String> {
    command(lexopt::Parser::from_args(args)).map_err(|error| error.to_string())
}

#[test]
fn takes_two_files_or_none() {
    assert!(matches!(read(&[]), Ok(Command::Own(On::Host))));
    assert!(
        matches!(read(&["a.png", "b.png"]), Ok(Command::Files(On::Host, a, b))
        if a.ends_with("a.png") && b.ends_with("b.png"))
    );
    for args in [&["a.png"][..], &["a.png", "b.png", "c.png"]] {
        assert_eq!(
            read(args).err().as_deref(),
            Some("it takes two files, or none")
        );
    }
}

#[test]
fn runs_where_it_is_told_to() {
    let on_a_gpu = read(&["--device", "cuda"]);
    assert!(matches!(on_a_gpu, Ok(Command::Own(On::Cuda))));
    let on_a_gpu = read(&["a.png", "b.png", "--device=cuda"]);
    assert!(matches!(on_a_gpu, Ok(Command::Files(On::Cuda, ..))));
    let here = read(&["--device", "host"]);
    assert!(matches!(here, Ok(Command::Own(On::Host))));
    let error = read(&["--device", "tpu"]).err().unwrap();
    assert!(error.ends_with("devices are `host` and `cuda`"), "{error}");
}

#[test]
fn knows_its_options() {
    assert!(matches!(read(&["-h"]), Ok(Command::Help)));
    assert!(matches!(read(&["a.png", "--help"]), Ok(Command::Help)));
    assert!(matches!(read(&["--record"]), Ok(Command::Record(None))));
    assert!(
        matches!(read(&["--record", "to"]), Ok(Command::Record(Some(to))) if to.ends_with("to"))
    );
    assert!(
        matches!(read(&["--profile", "to.json"]), Ok(Command::Profile(On::Host, to)) if to.ends_with("to.json"))
    );
    for args in [
        ["--device", "cuda", "--profile", "to.json"],
        ["--profile", "to.json", "--device", "cuda"],
    ] {
        let read = read(&args);
        assert!(matches!(read, Ok(Command::Profile(On::Cuda, to)) if to.ends_with("to.json")));
    }
    assert!(read(&["--profile"]).is_err());
    for args in [
        &["--record", "to", "--profile", "to.json"][..],
        &["--record", "--profile", "to.json"],
        &["--profile", "to.json", "--record"],
        &["--record", "to", "--record"],
        &["--profile", "to.json", "a.png", "b.png"],
        &["--device", "cuda", "--record"],
        &["--device", "cuda", "--profile", "to.json", "a.png", "b.png"],
        &["a.png", "--record"],
    ] {
        let error = read(args).err();
        let wanted = "`--record` goes without anything else, `--profile` with `--device` alone";
        assert_eq!(error.as_deref(), Some(wanted), "{args:?}");
    }
    assert_eq!(
        read(&["--low"]).err().as_deref(),
        Some("invalid option '--low'")
    );
    assert_eq!(
        read(&["-x", "a.png"]).err().as_deref(),
        Some("invalid option '-x'")
    );
}

#[test]
fn writes_the_record_in_all_forms() {
    let name = format!("gpu-graph-edges-record-{}", std::process::id());
    let folder = std::env::temp_dir().join(name).join("below");
    let said = export(&folder).unwrap();
    for end in ["txt", "json", "dot", "html"] {
        let file = folder.join(format!("record.{end}"));
        assert!(said.contains(&format!("wrote {}", file.display())));
        assert!(std::fs::metadata(file).unwrap().len() > 0);
    }
    std::fs::remove_dir_all(folder.parent().unwrap()).unwrap();
}

#[test]
fn writes_what_runs_took() {
    let name = format!("gpu-graph-edges-profile-{}.json", std::process::id());
    let file = std::env::temp_dir().join(name);
    let (h, w) = (32, 8);
    let luminance = (0..h * w).map(|i| i as u16).collect();
    let said =
        profile::measure(&gpu_graph::host(), &Picture { h, w, luminance }, 2, &file).unwrap();
    assert!(
        said.contains(&format!("wrote {}", file.display())),
        "{said}"
    );
    let measured = Measured::read(&file).unwrap();
    let [program] = &measured.programs[..] else {
        panic!("{measured:?}")
    };
    assert_eq!(
        (program.runs, program.tasks.len()),
        (2, Edges::RECORD.tasks())
    );
    std::fs::remove_file(file).unwrap();
}
