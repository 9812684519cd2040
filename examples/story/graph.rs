//! The model as a graph: one run reads one token and says which comes next.
//!
//! Weights are resident inputs, set once after load; keys and values of the tokens so far are inouts,
//! which the loaded graph owns. The matrices of one layer that read the same vector are one matrix, in
//! the order of rows that [`matrix`](super::matrix) wants. A row of keys is one element of all tokens,
//! but a row of values is one token, as attention sums over elements there and over tokens here.

use super::{attention, kernels, matrix};
use gpu_graph::gpu_graph;

gpu_graph! {
    /// Elements of the vector that goes through the layers.
    pub const DIM: usize = 64;
    /// Elements inside the feed-forward part of a layer.
    pub const HIDDEN: usize = 172;
    /// Layers of the model.
    pub const LAYERS: usize = 5;
    /// Heads of queries.
    pub const HEADS: usize = 8;
    /// Heads of keys and values, each shared by `HEADS / KV_HEADS` heads of queries.
    pub const KV_HEADS: usize = 4;
    /// Tokens that the model knows.
    pub const VOCAB: usize = 512;
    /// Tokens of the longest story.
    pub const SEQ: usize = 512;
    /// Elements of one head.
    pub const HEAD: usize = DIM / HEADS;
    /// Elements of the keys, or values, of one token.
    pub const KV: usize = KV_HEADS * HEAD;
    /// Rows of the matrices for queries, keys and values, one below the other.
    pub const QKV: usize = DIM + 2 * KV;

    /// Row `token` of a table.
    pub kernel embed(table: &[f32; vocab, n], token: u32) -> [f32; n] {
        over [n] block [64],
        cuda "examples/story/story.cu",
        host kernels::embed,
    }
    /// Cosine and sine, for each pair of elements of a head, of the angle by which position `pos` turns it.
    pub kernel rotation(pos: u32) -> [f32; head] {
        over [head] block [32],
        cuda "examples/story/story.cu",
        host kernels::rotation,
    }
    /// `x` scaled to a mean square of one, and weighted.
    pub kernel rms_norm(x: &[f32; n], weight: &[f32; n]) -> [f32; n] {
        over [32] block [32],
        cuda "examples/story/story.cu",
        host kernels::rms_norm,
    }
    /// `w x`.
    pub kernel product(w: &[f32; m, n], x: &[f32; n]) -> [f32; m] {
        over [m] block [32],
        cuda "examples/story/story.cu",
        host matrix::product,
    }
    /// Adds `w x` to `y`.
    pub kernel add_product(y: &mut [f32; m], w: &[f32; m, n], x: &[f32; n]) {
        over [m] block [32],
        cuda "examples/story/story.cu",
        host matrix::add_product,
    }
    /// Turns the pairs of all heads in `x`.
    pub kernel rotate(x: &mut [f32; n], angles: &[f32; head]) {
        over [n] block [32],
        cuda "examples/story/story.cu",
        host kernels::rotate,
    }
    /// Puts the keys of the token at `pos` in their column, and the values in their row.
    pub kernel remember(
        k: &[f32; n], v: &[f32; n], keys: &mut [f32; n, seq], values: &mut [f32; seq, n], pos: u32,
    ) {
        over [n] block [32],
        cuda "examples/story/story.cu",
        host attention::remember,
    }
    /// For each head of queries: the mean of the values up to `pos`, weighted by how well their keys match.
    pub kernel attend(
        q: &[f32; m], keys: &[f32; n, seq], values: &[f32; seq, n], head: u32, pos: u32,
    ) -> [f32; m] {
        over [m, 32] block [1, 32],
        cuda "examples/story/story.cu",
        host attention::attend,
    }
    /// `x` through SiLU, times `by`.
    pub kernel gate(x: &[f32; n], by: &[f32; n]) -> [f32; n] {
        over [n] block [64],
        cuda "examples/story/story.cu",
        host kernels::gate,
    }
    /// Index of the first of the largest elements.
    pub kernel largest(x: &[f32; n]) -> [u32; 1] {
        over [32] block [32],
        cuda "examples/story/story.cu",
        host kernels::largest,
    }

    /// Attention over the tokens so far, then the feed-forward part; both add to `x`.
    stage layer(
        x: &mut [f32; DIM], keys: &mut [f32; KV, SEQ], values: &mut [f32; SEQ, KV],
        att_norm: &[f32; DIM], wqkv: &[f32; QKV, DIM], wo: &[f32; DIM, DIM],
        ffn_norm: &[f32; DIM], w13: &[f32; 2 * HIDDEN, DIM], w2: &[f32; DIM, HIDDEN],
        angles: &[f32; HEAD], pos: u32,
    ) {
        let before: [f32; DIM] = rms_norm(&x, &att_norm);
        let qkv: [f32; QKV] = product(&wqkv, &before);
        rotate(&mut qkv[..DIM + KV], &angles);
        remember(&qkv[DIM..DIM + KV], &qkv[DIM + KV..], &mut keys, &mut values, pos);
        let seen: [f32; DIM] = attend(&qkv[..DIM], &keys, &values, HEAD, pos);
        add_product(&mut x, &wo, &seen);

        let between: [f32; DIM] = rms_norm(&x, &ffn_norm);
        let both: [f32; 2 * HIDDEN] = product(&w13, &between);
        let hidden: [f32; HIDDEN] = gate(&both[..HIDDEN], &both[HIDDEN..]);
        add_product(&mut x, &w2, &hidden);
    }

    /// The token after `token`, which stands at `pos`.
    pub graph Story {
        streams 1;                                  // each task needs the one before it

        resident input embedding: [f32; VOCAB, DIM];
        resident input att_norm: [f32; LAYERS * DIM];
        resident input wqkv: [f32; LAYERS * QKV, DIM];
        resident input wo: [f32; LAYERS * DIM, DIM];
        resident input ffn_norm: [f32; LAYERS * DIM];
        resident input w13: [f32; LAYERS * 2 * HIDDEN, DIM];
        resident input w2: [f32; LAYERS * DIM, HIDDEN];
        resident input last_norm: [f32; DIM];
        resident input classifier: [f32; VOCAB, DIM];
        inout keys: [f32; LAYERS * KV, SEQ];
        inout values: [f32; LAYERS * SEQ, KV];
        scalar token: u32;
        scalar pos: u32;

        let angles: [f32; HEAD] = rotation(pos);
        let x: [f32; DIM] = embed(&embedding, token);
        for l in 0..LAYERS {
            layer(
                &mut x,
                &mut keys[l * KV..(l + 1) * KV],
                &mut values[l * SEQ..(l + 1) * SEQ],
                &att_norm[l * DIM..(l + 1) * DIM],
                &wqkv[l * QKV..(l + 1) * QKV],
                &wo[l * DIM..(l + 1) * DIM],
                &ffn_norm[l * DIM..(l + 1) * DIM],
                &w13[l * 2 * HIDDEN..(l + 1) * 2 * HIDDEN],
                &w2[l * DIM..(l + 1) * DIM],
                &angles,
                pos,
            );
        }
        let last: [f32; DIM] = rms_norm(&x, &last_norm);
        let logits: [f32; VOCAB] = product(&classifier, &last);
        output chosen: [u32; 1] = largest(&logits);
    }
}
