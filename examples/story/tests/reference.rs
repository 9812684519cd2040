//! The real model tells the stories that llama2.c tells. It is no part of the project: the test needs the
//! folder that `STORY_MODEL` names.

use crate::{On, tell};
use std::io::Write;
use std::path::PathBuf;

#[test]
fn the_real_model_tells_the_reference_stories() {
    let Some(folder) = std::env::var_os("STORY_MODEL").map(PathBuf::from) else {
        // Not `eprintln!`, which is kept from those who run a test that passes.
        let what =
            "story: the reference stories are skipped; STORY_MODEL names no folder with a model";
        writeln!(std::io::stderr(), "{what}").unwrap();
        return;
    };
    for (file, steps, prompt) in [
        ("greedy_default.txt", 256, ""),
        ("greedy_the_dragon.txt", 128, "The dragon"),
    ] {
        let expected = std::fs::read(folder.join(file)).unwrap();
        let mut told = Vec::new();
        tell((&folder, On::Host), steps, prompt, &mut told).unwrap();
        assert!(
            told == expected,
            "{file} has another story:\n{}",
            String::from_utf8_lossy(&told)
        );
    }
}
