//! Why a kernel has no image.

use std::fmt;

/// Why a kernel could not be compiled.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum CompileError {
    /// There is no NVRTC to compile with, and no folder has the image.
    #[error("`{file}` cannot be compiled for sm_{}{}: {reason}", .arch.0, .arch.1)]
    NoCompiler {
        /// The file of the text.
        file: &'static str,
        /// The device's architecture.
        arch: (u32, u32),
        /// What is missing.
        reason: String,
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
    #[error("`{file}` does not compile{}", Listed(.messages))]
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

/// The errors among messages, each on a line of its own.
struct Listed<'a>(&'a [Message]);

impl fmt::Display for Listed<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for message in self.0.iter().filter(|message| message.error) {
            write!(f, "\n  {message}")?;
        }
        Ok(())
    }
}

/// Reads what the compiler says: `file(12): error: text`, and lines about it behind that. Of a fault
/// inside of the prelude the line is the user's that led there.
pub fn messages(log: &str, prelude: &str) -> Vec<Message> {
    let mut found: Vec<Message> = Vec::new();
    for line in log.lines() {
        if let Some(message) = head(line) {
            found.push(message);
        } else if let Some((_, place)) = line.rsplit_once("\" at line ")
            && let Some((number, file)) = place.split_once(" of ")
            && let (Some(last), Ok(number)) = (found.last_mut(), number.parse())
            && last.file == prelude
            && file.trim_matches('"') != prelude
        {
            last.line = number;
            last.file = file.trim_matches('"').to_owned();
        }
    }
    found
}

fn head(line: &str) -> Option<Message> {
    let (place, rest) = line.split_once("): ")?;
    let (file, number) = place.rsplit_once('(')?;
    let (kind, text) = rest.split_once(": ")?;
    // A warning has its number behind the word.
    let error = match kind.split(' ').next()? {
        "error" => true,
        "catastrophic" | "fatal" => true,
        "warning" => false,
        _ => return None,
    };
    Some(Message {
        file: file.trim_matches('"').to_owned(),
        line: number.parse().ok()?,
        error,
        text: text.to_owned(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const LOG: &str = "a/b.cu(4): error: identifier \"foo\" is undefined
   foo(3);
   ^

p(62): error: static assertion failed with \"one index for each extent of the tensor\"
          static_assert(sizeof...(Index) == N);
          ^
p(62): note #3453-D: the final comparison was 1 == 2
          detected during instantiation of \"T &gpu_graph::Tensor<T, N>::operator()(Index...) const [with T=f32]\" at line 3 of a/b.cu

a/b.cu(2): warning #177-D: function \"g\" was declared but never referenced
\"a/b.cu\"(1): catastrophic error: cannot open source file \"x.cuh\"

4 errors detected in the compilation of \"a/b.cu\".
";

    #[test]
    fn messages_stand_at_the_users_lines() {
        let found = messages(LOG, "p");
        let said: Vec<_> = found.iter().map(ToString::to_string).collect();
        assert_eq!(
            said,
            [
                "a/b.cu:4: identifier \"foo\" is undefined",
                "a/b.cu:3: static assertion failed with \"one index for each extent of the tensor\"",
                "a/b.cu:2: warning: function \"g\" was declared but never referenced",
                "a/b.cu:1: cannot open source file \"x.cuh\"",
            ]
        );
        let refused = CompileError::Refused {
            file: "a/b.cu",
            messages: found,
            log: LOG.to_owned(),
        };
        let said = refused.to_string();
        assert!(
            said.starts_with("`a/b.cu` does not compile\n  a/b.cu:4: identifier"),
            "{said}"
        );
        assert_eq!(said.lines().count(), 4, "warnings are left out: {said}");
    }
}
