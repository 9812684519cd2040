//! The binary `plan`, and files for it.

use std::path::PathBuf;
use std::process::Command;

/// A folder of its own for each test.
pub struct Folder(pub PathBuf);

impl Folder {
    pub fn new(test: &str) -> Self {
        let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("plan-{test}"));
        std::fs::create_dir_all(&folder).expect("a folder for the test");
        Self(folder)
    }

    pub fn file(&self, name: &str, text: impl AsRef<[u8]>) -> String {
        let path = self.0.join(name);
        std::fs::write(&path, text).expect("a file for the test");
        path.display().to_string()
    }

    pub fn path(&self, name: &str) -> String {
        self.0.join(name).display().to_string()
    }
}

/// Status, standard output and standard error.
pub fn plan(args: &[&str]) -> (i32, String, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_plan")).args(args).output();
    let output = output.expect("plan starts");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("UTF-8");
    let status = output.status.code().expect("plan ends by itself");
    (status, text(output.stdout), text(output.stderr))
}
