//! The same functions called one after another on the whole picture: what the graph is held against.

use super::graph::*;
use super::{filters, labels};

/// The buffers of one size.
pub struct ByHand {
    h: usize,
    w: usize,
    across: Vec<u16>,
    smooth: Vec<i16>,
    gx: Vec<i16>,
    gy: Vec<i16>,
    mag: Vec<u16>,
    class: Vec<u8>,
    labels: Vec<u32>,
    edges: Vec<u8>,
}

impl ByHand {
    /// Buffers for pictures of `h` rows of `w` pixels, neither of them zero.
    pub fn new(h: usize, w: usize) -> Self {
        let n = h * w;
        Self {
            h,
            w,
            across: vec![0; n],
            smooth: vec![0; n],
            gx: vec![0; n],
            gy: vec![0; n],
            mag: vec![0; n],
            class: vec![0; n],
            labels: vec![0; n],
            edges: vec![0; n],
        }
    }

    /// The edges of a picture.
    pub fn run(&mut self, image: &[u16], low: u16, high: u16) -> &[u8] {
        let (h, w, r, n) = (self.h, self.w, self.h, self.h);
        filters::blur_x(image, &mut self.across, blur_x::Dims { h, w });
        filters::blur_y(&self.across, 0, &mut self.smooth, blur_y::Dims { r, w, h });
        filters::sobel_x(&self.smooth, 0, &mut self.gx, sobel_x::Dims { r, w, h });
        filters::sobel_y(&self.smooth, 0, &mut self.gy, sobel_y::Dims { r, w, h });
        filters::magnitude(&self.gx, &self.gy, &mut self.mag, magnitude::Dims { h, w });
        let d = suppress::Dims { r, w, h };
        filters::suppress(
            &self.mag,
            &self.gx,
            &self.gy,
            0,
            low,
            high,
            &mut self.class,
            d,
        );
        labels::label(&self.class, 0, &mut self.labels, label::Dims { h, w });
        labels::merge(&mut self.labels, 0, merge::Dims { h, w });
        labels::flatten(&mut self.labels, 0, flatten::Dims { h, w });
        labels::mark(&self.labels, 0, &mut self.edges, mark::Dims { h, w, n });
        &self.edges
    }
}
