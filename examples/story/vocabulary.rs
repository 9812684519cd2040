//! Tokens from text and text from tokens: byte-pair encoding, as llama2.c does it.

use super::file::{File, FileError};
use super::graph::VOCAB;
use std::collections::BTreeMap;
use std::path::Path;

/// The token between stories. A story begins with it, and ends before it.
pub const BOS: u32 = 1;
/// The first of 256 tokens that stand for single bytes.
const BYTES: u32 = 3;

/// What each token means.
pub struct Vocabulary {
    tokens: Vec<Token>,
    /// The token of a text; the first one, where there are several.
    by_text: BTreeMap<Vec<u8>, u32>,
}

struct Token {
    text: Vec<u8>,
    /// The larger, the sooner two tokens are merged into this one.
    score: f32,
}

impl Vocabulary {
    /// That of a file.
    pub fn read(path: &Path) -> Result<Self, FileError> {
        let mut file = File::read(path)?;
        file.int("the length of the longest token")?;
        let mut tokens = Vec::new();
        let mut bytes = 4;
        for id in 0..VOCAB {
            let score = f32::from_le_bytes(file.word(&format!("the score of token {id}"))?);
            let len = file.int(&format!("the length of token {id}"))?;
            // A length below zero is one that no file has.
            let len = usize::try_from(len).unwrap_or(usize::MAX);
            let text = file.take(len, &format!("the text of token {id}"))?.to_vec();
            bytes += 8 + len;
            tokens.push(Token { text, score });
        }
        file.must_have(bytes)?;
        let mut by_text = BTreeMap::new();
        for (id, token) in (0..).zip(&tokens) {
            by_text.entry(token.text.clone()).or_insert(id);
        }
        Ok(Self { tokens, by_text })
    }

    /// The tokens of a text, behind the one that begins a story.
    pub fn encode(&self, text: &str) -> Vec<u32> {
        let mut tokens = vec![BOS];
        if !text.is_empty() {
            tokens.extend(self.find(b" "));
        }
        for c in text.chars() {
            let text = &mut [0; 4];
            let text = c.encode_utf8(text).as_bytes();
            match self.find(text) {
                Some(token) => tokens.push(token),
                None => tokens.extend(text.iter().map(|byte| BYTES + u32::from(*byte))),
            }
        }
        while let Some((at, merged)) = self.best_merge(&tokens) {
            tokens.splice(at..at + 2, [merged]);
        }
        tokens
    }

    /// The pair of neighbours that is merged first, and what it becomes.
    fn best_merge(&self, tokens: &[u32]) -> Option<(usize, u32)> {
        let mut best = None;
        let mut best_score = -1e10;
        for (at, pair) in tokens.windows(2).enumerate() {
            let [a, b] = [pair[0], pair[1]].map(|token| &self.tokens[token as usize].text[..]);
            if let Some(merged) = self.find(&[a, b].concat()) {
                let score = self.tokens[merged as usize].score;
                if score > best_score {
                    (best, best_score) = (Some((at, merged)), score);
                }
            }
        }
        best
    }

    fn find(&self, text: &[u8]) -> Option<u32> {
        self.by_text.get(text).copied()
    }

    /// What is printed for a token behind another. A single byte is printed if it is visible, or white.
    pub fn decode(&self, before: u32, token: u32) -> &[u8] {
        static ALL: [u8; 256] = {
            let mut all = [0; 256];
            let mut byte = 0;
            while byte < all.len() {
                all[byte] = byte as u8;
                byte += 1;
            }
            all
        };
        let mut text = &self.tokens[token as usize].text[..];
        if before == BOS {
            text = text.strip_prefix(b" ").unwrap_or(text);
        }
        if let Some(byte) = byte_of(text) {
            text = &ALL[usize::from(byte)..][..1];
        }
        match text {
            [byte] if !matches!(byte, b' '..=b'~' | b'\t'..=b'\r') => &[],
            text => text,
        }
    }
}

/// The byte that `<0x0A>` stands for.
fn byte_of(text: &[u8]) -> Option<u8> {
    let digits = text.strip_prefix(b"<0x")?.strip_suffix(b">")?;
    let digits = std::str::from_utf8(digits).ok()?;
    u8::from_str_radix(digits, 16).ok()
}
