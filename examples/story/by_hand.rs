//! The same functions called one after another: what the graph is held against.

use super::graph::*;
use super::model::Model;
use super::{attention, kernels, matrix};

/// A model with the buffers of its own that the graph has in its arena.
pub struct ByHand<'a> {
    model: &'a Model,
    keys: Vec<f32>,
    values: Vec<f32>,
    angles: [f32; HEAD],
    x: [f32; DIM],
    normed: [f32; DIM],
    qkv: [f32; QKV],
    seen: [f32; DIM],
    both: [f32; 2 * HIDDEN],
    hidden: [f32; HIDDEN],
    logits: [f32; VOCAB],
}

impl<'a> ByHand<'a> {
    /// With an empty memory.
    pub fn new(model: &'a Model) -> Self {
        Self {
            model,
            keys: vec![0.0; LAYERS * KV * SEQ],
            values: vec![0.0; LAYERS * KV * SEQ],
            angles: [0.0; HEAD],
            x: [0.0; DIM],
            normed: [0.0; DIM],
            qkv: [0.0; QKV],
            seen: [0.0; DIM],
            both: [0.0; 2 * HIDDEN],
            hidden: [0.0; HIDDEN],
            logits: [0.0; VOCAB],
        }
    }

    /// The likeliest token after `token`, which stands at `pos`.
    pub fn next(&mut self, token: u32, pos: u32) -> u32 {
        let model = self.model;
        let (n, head) = (DIM, HEAD);
        kernels::rotation(pos, &mut self.angles, rotation::Dims { head });
        let vocab = VOCAB;
        kernels::embed(
            &model.embedding,
            token,
            &mut self.x,
            embed::Dims { vocab, n },
        );
        for l in 0..LAYERS {
            self.layer(l, pos);
        }
        kernels::rms_norm(
            &self.x,
            &model.last_norm,
            &mut self.normed,
            rms_norm::Dims { n },
        );
        let d = product::Dims { m: VOCAB, n };
        matrix::product(&model.classifier, &self.normed, &mut self.logits, d);
        let mut chosen = [0];
        kernels::largest(&self.logits, &mut chosen, largest::Dims { n: VOCAB });
        chosen[0]
    }

    fn layer(&mut self, l: usize, pos: u32) {
        let model = self.model;
        let n = DIM;
        let keys = &mut self.keys[l * KV * SEQ..][..KV * SEQ];
        let values = &mut self.values[l * KV * SEQ..][..KV * SEQ];

        let weight = &model.att_norm[l * DIM..][..DIM];
        kernels::rms_norm(&self.x, weight, &mut self.normed, rms_norm::Dims { n });
        let w = &model.wqkv[l * QKV * DIM..][..QKV * DIM];
        matrix::product(w, &self.normed, &mut self.qkv, product::Dims { m: QKV, n });
        let d = rotate::Dims {
            n: DIM + KV,
            head: HEAD,
        };
        kernels::rotate(&mut self.qkv[..DIM + KV], &self.angles, d);
        let (q, kv) = self.qkv.split_at(DIM);
        let (k, v) = kv.split_at(KV);
        attention::remember(k, v, keys, values, pos, remember::Dims { n: KV, seq: SEQ });
        let d = attend::Dims {
            m: DIM,
            n: KV,
            seq: SEQ,
        };
        attention::attend(q, keys, values, HEAD as u32, pos, &mut self.seen, d);
        let w = &model.wo[l * DIM * DIM..][..DIM * DIM];
        matrix::add_product(&mut self.x, w, &self.seen, add_product::Dims { m: DIM, n });

        let weight = &model.ffn_norm[l * DIM..][..DIM];
        kernels::rms_norm(&self.x, weight, &mut self.normed, rms_norm::Dims { n });
        let w = &model.w13[l * 2 * HIDDEN * DIM..][..2 * HIDDEN * DIM];
        let d = product::Dims { m: 2 * HIDDEN, n };
        matrix::product(w, &self.normed, &mut self.both, d);
        let (x, by) = self.both.split_at(HIDDEN);
        kernels::gate(x, by, &mut self.hidden, gate::Dims { n: HIDDEN });
        let w = &model.w2[l * DIM * HIDDEN..][..DIM * HIDDEN];
        let d = add_product::Dims { m: DIM, n: HIDDEN };
        matrix::add_product(&mut self.x, w, &self.hidden, d);
    }
}
