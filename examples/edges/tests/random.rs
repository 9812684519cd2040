//! Pictures with edges of every strength, length and direction.

/// Numbers that look random, the same in each run.
pub struct Random(pub u64);

impl Random {
    /// The next number, less than `n`.
    pub fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005);
        self.0 = self.0.wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % n
    }

    /// Leaning patches of one shade each, with noise on them.
    pub fn picture(&mut self, h: usize, w: usize) -> Vec<u16> {
        let mut picture = vec![self.below(65_536) as u16; h * w];
        for _ in 0..1 + h * w / 60 {
            let (cy, cx) = (self.below(h) as i64, self.below(w) as i64);
            let (shade, radius) = (self.below(65_536) as u16, self.below(9) as i64 + 1);
            let lean = self.below(5) as i64 - 2;
            for (at, pixel) in picture.iter_mut().enumerate() {
                let (y, x) = ((at / w) as i64 - cy, (at % w) as i64 - cx);
                if y.abs().max((x + lean * y / 2).abs()) < radius {
                    *pixel = shade;
                }
            }
        }
        let noise = self.below(3_000) + 1;
        picture
            .iter()
            .map(|pixel| pixel.saturating_add(self.below(noise) as u16))
            .collect()
    }
}

/// Pairs of thresholds: usual ones, none, and ones that leave much to hysteresis.
pub const THRESHOLDS: [(u16, u16); 4] = [(1000, 2500), (0, 0), (3000, 9000), (300, 9000)];
