//! The loaded graph with its weights.

use super::graph::{Story, story};
use super::model::Model;
use gpu_graph::{Device, LoadError, RunError};

/// Why there is no next token.
#[derive(Debug, thiserror::Error)]
pub enum TellError {
    /// The graph cannot be loaded.
    #[error(transparent)]
    Load(#[from] LoadError),
    /// It cannot be run.
    #[error(transparent)]
    Run(#[from] RunError),
}

/// Says which token comes next.
pub struct Teller {
    graph: Story,
}

impl Teller {
    /// Loads the graph and sets its weights.
    pub fn load(device: &Device, model: &Model) -> Result<Self, TellError> {
        let mut graph = Story::load(device, story::Dims {})?;
        graph.set_embedding(&model.embedding)?;
        graph.set_att_norm(&model.att_norm)?;
        graph.set_wqkv(&model.wqkv)?;
        graph.set_wo(&model.wo)?;
        graph.set_ffn_norm(&model.ffn_norm)?;
        graph.set_w13(&model.w13)?;
        graph.set_w2(&model.w2)?;
        graph.set_last_norm(&model.last_norm)?;
        graph.set_classifier(&model.classifier)?;
        Ok(Self { graph })
    }

    /// The likeliest token after `token`, which stands at `pos` behind those of the calls before.
    pub fn next(&mut self, token: u32, pos: u32) -> Result<u32, TellError> {
        let run = self.graph.run(story::Inputs { token, pos })?;
        let mut chosen = [0];
        run.chosen()?.copy_to(&mut chosen)?;
        Ok(chosen[0])
    }
}
