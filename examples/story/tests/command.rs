//! The command line.

use crate::{Command, On, command, export};

fn read(args: &[&str]) -> Result<Command, String> {
    command(lexopt::Parser::from_args(args)).map_err(|error| error.to_string())
}

#[test]
fn takes_a_model_steps_and_a_prompt() {
    let told = read(&["--model", "m"]);
    assert!(
        matches!(&told, Ok(Command::Tell { model, steps: 256, prompt, on: On::Host })
            if model.ends_with("m") && prompt.is_empty()),
        "{told:?}"
    );
    let told = read(&["--prompt", "The dragon", "--steps=512", "--model", "m"]);
    assert!(
        matches!(&told, Ok(Command::Tell { steps: 512, prompt, .. }) if prompt == "The dragon"),
        "{told:?}"
    );
    let told = read(&["--model", "m", "--device", "cuda"]);
    assert!(
        matches!(&told, Ok(Command::Tell { on: On::Cuda, .. })),
        "{told:?}"
    );
    let error = read(&["--model", "m", "--device", "tpu"]).unwrap_err();
    assert!(error.ends_with("devices are `host` and `cuda`"), "{error}");
    assert!(matches!(read(&["-h"]), Ok(Command::Help)));
    assert!(matches!(read(&["--record"]), Ok(Command::Record(None))));
    assert!(
        matches!(read(&["--record", "to"]), Ok(Command::Record(Some(to))) if to.ends_with("to"))
    );
}

#[test]
fn says_how_a_model_is_given() {
    assert_eq!(
        read(&[]).unwrap_err(),
        "which model? `--model DIR` names the folder of `stories260K.bin` and `tok512.bin`"
    );
}

#[test]
fn knows_how_long_a_story_can_be() {
    for steps in ["0", "513", "-1", "many"] {
        let error = read(&["--model", "m", "--steps", steps]).unwrap_err();
        let what = "steps are a number from 1 to 512";
        assert!(error.contains(what) && error.contains(steps), "{error}");
    }
}

#[test]
fn refuses_what_it_does_not_know() {
    assert!(read(&["--modle", "m"]).unwrap_err().contains("'--modle'"));
    assert!(read(&["--model", "m", "n"]).unwrap_err().contains("\"n\""));
}

#[test]
fn a_record_that_cannot_be_written_is_said_with_its_place() {
    let name = format!("gpu-graph-story-record-{}", std::process::id());
    let file = std::env::temp_dir().join(name);
    std::fs::write(&file, "no folder").unwrap();
    let error = export(&file, &mut Vec::new()).unwrap_err().to_string();
    assert!(
        error.starts_with(&format!("cannot write {}: ", file.display())),
        "{error}"
    );
    std::fs::remove_file(file).unwrap();
}
