//! Operands: the edges of each type among numbers that look random.

use super::cuda::Ty;

/// Numbers that look random and are the same in every run.
pub struct Numbers(u64);

impl Numbers {
    pub fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    pub fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0.wrapping_mul(0x2545_F491_4F6C_DD1D)
    }

    pub fn below(&mut self, end: usize) -> usize {
        (self.next() >> 33) as usize % end
    }

    /// The bits of a number.
    pub fn operand(&mut self, ty: Ty) -> u64 {
        let mask = u64::MAX >> (64 - ty.bits());
        match ty {
            Ty::F32 => u64::from(self.float() as u32),
            Ty::F64 => self.double(),
            Ty::F16 => self.half(10, 15),
            Ty::BF16 => self.half(7, 127),
            _ => match self.below(4) {
                0 => self.edge(ty) & mask,
                // Few bits, so that divisions and shifts have something to do.
                1 => (self.below(20) as u64).wrapping_sub(6) & mask,
                _ => self.next() & mask,
            },
        }
    }

    fn edge(&mut self, ty: Ty) -> u64 {
        let half = 1u64 << (ty.bits() - 1);
        let edges = [0, 1, u64::MAX, half, half - 1, half + 1, 2, u64::MAX - 1];
        edges[self.below(edges.len())]
    }

    /// A half of so many stored digits, whose exponent is counted from `bias`.
    fn half(&mut self, digits: u32, bias: u64) -> u64 {
        let next = self.next() >> 20;
        let (sign, fraction) = (next >> 40 << 15 & 0x8000, next & ((1 << digits) - 1));
        let infinity = 0x7FFF >> digits << digits;
        match self.below(4) {
            0 => {
                let one = bias << digits;
                let edges = [
                    0,
                    1,
                    (1 << digits) - 1,
                    1 << digits,
                    one - 1,
                    one,
                    one + 1,
                    one + (1 << digits),
                    infinity - 1,
                    infinity,
                    infinity + 1,
                ];
                sign | edges[self.below(edges.len())]
            }
            // Between 1/16 and 256.
            1 | 2 => sign | (bias - 4 + self.below(12) as u64) << digits | fraction,
            _ => next & 0xFFFF,
        }
    }

    fn float(&mut self) -> u64 {
        let value = match self.below(6) {
            0 => {
                let edges = [
                    0.0,
                    -0.0,
                    1.0,
                    -1.0,
                    0.5,
                    -0.5,
                    1.5,
                    2.5,
                    f32::INFINITY,
                    f32::NEG_INFINITY,
                    f32::NAN,
                    f32::MAX,
                    f32::MIN,
                    f32::MIN_POSITIVE,
                    -f32::MIN_POSITIVE / 3.0,
                    f32::from_bits(1),
                    127.5,
                    -128.5,
                    255.5,
                    -0.99,
                    32_767.5,
                    65_535.9,
                    2_147_483_648.0,
                    2_147_483_520.0,
                    -2_147_483_648.0,
                    4_294_967_296.0,
                    9_223_372_036_854_775_808.0,
                    18_446_744_073_709_551_616.0,
                    8_388_608.5,
                ];
                edges[self.below(edges.len())]
            }
            1 => self.below(2000) as f32 / 8.0 - 100.0,
            2 => (self.next() as i64 >> 20) as f32,
            3 => ((self.next() >> 11) as f32 / (1u64 << 53) as f32) * 4.0 - 2.0,
            _ => f32::from_bits(self.next() as u32),
        };
        value.to_bits().into()
    }

    fn double(&mut self) -> u64 {
        let value = match self.below(6) {
            0 => {
                let edges = [
                    0.0,
                    -0.0,
                    1.0,
                    -1.0,
                    0.5,
                    2.5,
                    f64::INFINITY,
                    f64::NEG_INFINITY,
                    f64::NAN,
                    f64::MAX,
                    f64::MIN,
                    f64::MIN_POSITIVE,
                    f64::from_bits(1),
                    -128.9,
                    127.9,
                    255.9,
                    2_147_483_647.5,
                    -2_147_483_648.5,
                    4_294_967_295.5,
                    9_223_372_036_854_775_808.0,
                    -9_223_372_036_854_775_808.0,
                    18_446_744_073_709_549_568.0,
                    1e39,
                    1e-46,
                    16_777_217.0,
                ];
                edges[self.below(edges.len())]
            }
            1 => self.below(2000) as f64 / 8.0 - 100.0,
            2 => (self.next() as i64 >> 8) as f64,
            3 => ((self.next() >> 11) as f64 / (1u64 << 53) as f64) * 4.0 - 2.0,
            4 => f64::from(f32::from_bits(self.next() as u32)),
            _ => f64::from_bits(self.next()),
        };
        value.to_bits()
    }
}
