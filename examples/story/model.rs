//! Reads a model in the format of llama2.c.

use super::file::{File, FileError};
use super::graph::*;
use super::matrix::interleaved;
use std::path::Path;

/// What the header says, in its order, and what this example is made for.
const HEADER: [(&str, usize); 7] = [
    ("dim", DIM),
    ("hidden dim", HIDDEN),
    ("layers", LAYERS),
    ("heads", HEADS),
    ("kv heads", KV_HEADS),
    ("vocabulary size", VOCAB),
    ("sequence length", SEQ),
];

/// Bytes of a file with that header. Cosines and sines of all positions end it; nobody reads them.
pub const BYTES: usize = {
    let layer = 2 * DIM + QKV * DIM + DIM * DIM + 3 * HIDDEN * DIM;
    4 * (HEADER.len() + VOCAB * DIM + LAYERS * layer + DIM + SEQ * HEAD)
};

/// The weights as the graph takes them.
pub struct Model {
    pub embedding: Vec<f32>,
    pub att_norm: Vec<f32>,
    pub wqkv: Vec<f32>,
    pub wo: Vec<f32>,
    pub ffn_norm: Vec<f32>,
    pub w13: Vec<f32>,
    pub w2: Vec<f32>,
    pub last_norm: Vec<f32>,
    pub classifier: Vec<f32>,
}

/// The model of a file.
pub fn read(path: &Path) -> Result<Model, FileError> {
    let mut file = File::read(path)?;
    for (field, expected) in HEADER {
        let found = file.int(field)?;
        // A vocabulary below zero means a classifier that is not the embedding.
        if i64::from(found) != expected as i64 {
            return Err(file.field(field, found, expected));
        }
    }
    file.must_have(BYTES)?;
    let floats = file.floats();
    let mut rest = &floats[..];
    let mut next = |n| {
        let (part, others) = rest.split_at(n);
        rest = others;
        part
    };
    let embedding = next(VOCAB * DIM);
    let att_norm = next(LAYERS * DIM);
    let [wq, wk, wv, wo] = [DIM, KV, KV, DIM].map(|rows| next(LAYERS * rows * DIM));
    let ffn_norm = next(LAYERS * DIM);
    let [w1, w2, w3] = [(); 3].map(|()| next(LAYERS * HIDDEN * DIM));
    let last_norm = next(DIM);
    Ok(Model {
        embedding: embedding.to_vec(),
        att_norm: att_norm.to_vec(),
        wqkv: layers([wq, wk, wv], DIM),
        wo: layers([wo], DIM),
        ffn_norm: ffn_norm.to_vec(),
        w13: layers([w1, w3], DIM),
        w2: layers([w2], HIDDEN),
        last_norm: last_norm.to_vec(),
        classifier: interleaved(embedding, DIM),
    })
}

/// For each layer the rows of that layer in all parts, below one another, in the kernels' order.
fn layers<const N: usize>(parts: [&[f32]; N], columns: usize) -> Vec<f32> {
    let layer = |l| {
        let rows = parts.map(|part| {
            let len = part.len() / LAYERS;
            &part[l * len..][..len]
        });
        interleaved(&rows.concat(), columns)
    };
    (0..LAYERS).flat_map(layer).collect()
}
