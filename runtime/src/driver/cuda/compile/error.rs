//! Why a kernel has no image.

use std::fmt;
use std::path::PathBuf;

use super::Embedded;

/// Why a kernel could not be compiled.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum CompileError {
    /// There is no NVRTC to compile with, and no folder has the image.
    #[error("`{file}` cannot be compiled for sm_{}{}: {reason}{embedded}", .arch.0, .arch.1)]
    NoCompiler {
        /// The file of the text.
        file: &'static str,
        /// The device's architecture.
        arch: (u32, u32),
        /// What is missing.
        reason: String,
        /// What is embedded instead.
        embedded: Embedded,
    },
    /// The compiler knows no such architecture, nor an older one that the device could run.
    #[error("`{file}` cannot be compiled for sm_{}{}: this NVRTC begins with sm_{least}", .arch.0, .arch.1)]
    Architecture {
        /// The file of the text.
        file: &'static str,
        /// The device's architecture.
        arch: (u32, u32),
        /// The oldest one that the compiler knows.
        least: i32,
    },
    /// The text is not CUDA C++.
    #[error("`{file}` does not compile{}", Said { messages, log })]
    Refused {
        /// The file of the text.
        file: &'static str,
        /// What the compiler says of it, in order; its errors are among it.
        messages: Vec<Message>,
        /// All that it says, as it stands.
        log: String,
    },
    /// A call of the compiler failed that says nothing of the text.
    #[error("`{file}` could not be compiled: {call} failed with {status}")]
    Failed {
        /// The file of the text.
        file: &'static str,
        /// The call.
        call: &'static str,
        /// What it answered.
        status: String,
    },
    /// The image has no such function, which a load looks for.
    #[error("kernel `{kernel}` cannot be launched: {why}; {}", Entries(.has))]
    NoFunction {
        /// The first kernel that it is of.
        kernel: &'static str,
        /// The function.
        function: String,
        /// What is missing, as a load says it.
        why: String,
        /// Functions that the image has, by their names there.
        has: Vec<String>,
    },
    /// The folder that is to be filled takes no image.
    #[error("the folder `{}` keeps no images: {why}", .path.display())]
    Folder {
        /// Where it is.
        path: PathBuf,
        /// Why it does not.
        why: String,
    },
    /// What is to be embedded is not what [`bundle`](super::bundle) gave.
    #[error("from byte {at} on this is no bundle of images, or one of another version")]
    Bundle {
        /// Where it ceases to be one.
        at: usize,
    },
}

/// One thing that the compiler says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message {
    /// The user's file, relative to the crate; that of the prelude where no line of the user's is to
    /// blame.
    pub file: String,
    /// Its line.
    pub line: u32,
    /// It is an error, not a warning.
    pub error: bool,
    /// The text.
    pub text: String,
}

impl fmt::Display for Message {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kind = if self.error { "" } else { "warning: " };
        write!(f, "{}:{}: {kind}{}", self.file, self.line, self.text)
    }
}

/// What can be launched.
struct Entries<'a>(&'a [String]);

impl fmt::Display for Entries<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<_> = self.0.iter().map(|name| format!("`{name}`")).collect();
        match &names[..] {
            [] => f.write_str("there is nothing in its text that can be launched"),
            names => write!(
                f,
                "what can be launched of its text is {}",
                names.join(", ")
            ),
        }
    }
}

/// The errors among messages, each on a line of its own; where none was found among what the compiler
/// says, all that it says, so that the reason is there in any case.
struct Said<'a> {
    messages: &'a [Message],
    log: &'a str,
}

impl fmt::Display for Said<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut errors = self.messages.iter().filter(|m| m.error).peekable();
        if errors.peek().is_none() {
            let lines = self.log.lines().map(str::trim_end);
            for line in lines.filter(|line| !line.is_empty()) {
                write!(f, "\n  {line}")?;
            }
        }
        for message in errors {
            write!(f, "\n  {message}")?;
        }
        Ok(())
    }
}
