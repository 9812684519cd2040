//! One line on standard error that says how far the story is.

use std::io::{self, IsTerminal, Write};
use std::time::{Duration, Instant};

/// How many tokens there are, and since when.
pub struct Progress {
    steps: u32,
    start: Instant,
    shown: Instant,
    /// Whether the line is written again and again: where somebody sees it, and it does not stand in the
    /// middle of the story.
    live: bool,
}

impl Progress {
    /// Begins now, with none of `steps` tokens.
    pub fn start(steps: u32) -> Self {
        let now = Instant::now();
        let live = io::stderr().is_terminal() && !io::stdout().is_terminal();
        Self {
            steps,
            start: now,
            shown: now,
            live,
        }
    }

    /// `done` tokens are there.
    pub fn tokens(&mut self, done: u32) {
        if self.live && self.shown.elapsed() > Duration::from_millis(100) {
            self.shown = Instant::now();
            self.line("\r", done, "");
        }
    }

    /// The story has ended.
    pub fn end(self, done: u32) {
        self.line(if self.live { "\r" } else { "" }, done, "\n");
    }

    fn line(&self, before: &str, done: u32, behind: &str) {
        let rate = f64::from(done) / self.start.elapsed().as_secs_f64();
        let steps = self.steps;
        let line = format!(
            "{before}{done} of at most {steps} tokens, {rate:.0} tokens per second{behind}"
        );
        // Nobody needs to read it.
        let _ = io::stderr().write_all(line.as_bytes());
    }
}
