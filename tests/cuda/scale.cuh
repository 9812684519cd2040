__device__ inline f32 scaled(f32 x, f32 by) { return x * by; }
