//! The command line.

use crate::{Command, command};

fn read(args: &[&str]) -> Result<Command, String> {
    command(lexopt::Parser::from_args(args)).map_err(|error| error.to_string())
}

#[test]
fn takes_two_files_or_none() {
    assert!(matches!(read(&[]), Ok(Command::Own)));
    assert!(matches!(read(&["a.png", "b.png"]), Ok(Command::Files(a, b))
        if a.ends_with("a.png") && b.ends_with("b.png")));
    for args in [&["a.png"][..], &["a.png", "b.png", "c.png"]] {
        assert_eq!(
            read(args).err().as_deref(),
            Some("it takes two files, or none")
        );
    }
}

#[test]
fn knows_its_options() {
    assert!(matches!(read(&["-h"]), Ok(Command::Help)));
    assert!(matches!(read(&["a.png", "--help"]), Ok(Command::Help)));
    assert!(matches!(read(&["--record"]), Ok(Command::Record)));
    assert_eq!(
        read(&["--low"]).err().as_deref(),
        Some("invalid option '--low'")
    );
    assert_eq!(
        read(&["-x", "a.png"]).err().as_deref(),
        Some("invalid option '-x'")
    );
}
