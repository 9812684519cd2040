//! Files as the example reads them, made up.

use crate::graph::*;
use crate::model::BYTES;
use std::path::PathBuf;

/// A file of this name in a folder of its own.
pub fn file(name: &str, bytes: &[u8]) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("gpu-graph-story-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let path = folder.join(name);
    std::fs::write(&path, bytes).unwrap();
    path
}

/// The header that the example is made for.
pub const HEADER: [usize; 7] = [DIM, HIDDEN, LAYERS, HEADS, KV_HEADS, VOCAB, SEQ];

/// Numbers within -0.5 and 0.5 that look random.
pub fn noise(seed: u32) -> impl Iterator<Item = f32> {
    std::iter::successors(Some(seed), |x| {
        Some(x.wrapping_mul(1_664_525).wrapping_add(1_013_904_223))
    })
    .map(|x| (x >> 8) as f32 / (1 << 24) as f32 - 0.5)
    .skip(1)
}

/// A model that has learned nothing.
pub fn model() -> Vec<u8> {
    let header = HEADER
        .iter()
        .flat_map(|field| (*field as i32).to_le_bytes());
    let weights = noise(7).flat_map(f32::to_le_bytes);
    header.chain(weights).take(BYTES).collect()
}

/// A vocabulary of three tokens without a text, all bytes, and what is given with its scores; the rest is
/// filled up with texts that do not occur.
pub fn vocabulary(texts: &[(&str, f32)]) -> Vec<u8> {
    let mut bytes = 99_i32.to_le_bytes().to_vec();
    let mut push = |text: &str, score: f32| {
        bytes.extend(score.to_le_bytes());
        bytes.extend((text.len() as i32).to_le_bytes());
        bytes.extend(text.as_bytes());
    };
    for text in ["<unk>", "\n<s>\n", "\n</s>\n"] {
        push(text, 0.0);
    }
    for byte in 0..=255 {
        push(&format!("<0x{byte:02X}>"), 0.0);
    }
    for (text, score) in texts {
        push(text, *score);
    }
    for i in 259 + texts.len()..VOCAB {
        push(&format!("#{i}"), 0.0);
    }
    bytes
}
