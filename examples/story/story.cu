// The kernels of graph.rs for CUDA: what the functions beside them compute, up to the order of sums.
//
// Parameters stand in the order of the declaration, the result after them, then the extents in the
// order in which the declaration first names them; `over` in graph.rs gives the grid. Kernels over
// `[32]` run on one warp.

typedef unsigned int u32;
typedef unsigned long long u64;

#define WARP 0xffffffffu

__device__ u64 thread() { return blockIdx.x * (u64)blockDim.x + threadIdx.x; }

__device__ float warp_sum(float x) {
    for (int step = 16; step > 0; step /= 2) x += __shfl_xor_sync(WARP, x, step);
    return x;
}

extern "C" __global__ void embed(const float* __restrict__ table, u32 token, float* __restrict__ out,
                                 u64 vocab, u64 n) {
    u64 i = thread();
    if (i < n) out[i] = token < vocab ? table[token * n + i] : 0.0f;
}

extern "C" __global__ void rotation(u32 pos, float* __restrict__ out, u64 head) {
    u64 i = thread();
    if (i >= head) return;
    float angle = pos / powf(10000.0f, (i / 2 * 2) / (float)head);
    out[i] = i % 2 ? sinf(angle) : cosf(angle);
}

extern "C" __global__ void rms_norm(const float* __restrict__ x, const float* __restrict__ weight,
                                    float* __restrict__ out, u64 n) {
    float squares = 0.0f;
    for (u64 i = threadIdx.x; i < n; i += 32) squares += x[i] * x[i];
    float scale = 1.0f / sqrtf(warp_sum(squares) / n + 1e-5f);
    for (u64 i = threadIdx.x; i < n; i += 32) out[i] = weight[i] * (scale * x[i]);
}

// Row `row` of w x. Rows come in bands of 32, then of 8, then of 1, interleaved; see matrix.rs.
__device__ float row_product(const float* __restrict__ w, const float* __restrict__ x, u64 row,
                             u64 m, u64 n) {
    u64 width = row < m / 32 * 32 ? 32 : row < m / 8 * 8 ? 8 : 1;
    const float* column = w + row / width * width * n + row % width;
    float sum = 0.0f;
    for (u64 j = 0; j < n; ++j) sum += column[j * width] * x[j];
    return sum;
}

extern "C" __global__ void product(const float* __restrict__ w, const float* __restrict__ x,
                                   float* __restrict__ out, u64 m, u64 n) {
    u64 row = thread();
    if (row < m) out[row] = row_product(w, x, row, m, n);
}

extern "C" __global__ void add_product(float* __restrict__ y, const float* __restrict__ w,
                                       const float* __restrict__ x, u64 m, u64 n) {
    u64 row = thread();
    if (row < m) y[row] += row_product(w, x, row, m, n);
}

extern "C" __global__ void rotate(float* __restrict__ x, const float* __restrict__ angles, u64 n,
                                  u64 head) {
    u64 i = thread();
    // The even thread of a pair turns both.
    if (i + 1 >= n || i % head % 2) return;
    float a = x[i], b = x[i + 1], cosine = angles[i % head], sine = angles[i % head + 1];
    x[i] = a * cosine - b * sine;
    x[i + 1] = a * sine + b * cosine;
}

extern "C" __global__ void remember(const float* __restrict__ k, const float* __restrict__ v,
                                    float* __restrict__ keys, float* __restrict__ values, u32 pos,
                                    u64 n, u64 seq) {
    u64 i = thread();
    if (i >= n || pos >= seq) return;
    keys[i * seq + pos] = k[i];
    values[pos * n + i] = v[i];
}

// A warp makes one element. Each lane has the tokens that are 32 apart, with the largest score so far
// and sums relative to it; then lanes become one.
extern "C" __global__ void attend(const float* __restrict__ q, const float* __restrict__ keys,
                                  const float* __restrict__ values, u32 head, u32 pos,
                                  float* __restrict__ out, u64 m, u64 n, u64 seq) {
    u64 i = blockIdx.y * (u64)blockDim.y + threadIdx.y;
    if (i >= m || pos >= seq) return;
    u64 first = i / head / (m / n) * head;  // of the elements that this head of queries looks at
    q += i / head * head;
    float largest = -1e30f, sum = 0.0f, mean = 0.0f;
    for (u64 t = threadIdx.x; t <= pos; t += 32) {
        float score = 0.0f;
        for (u64 e = 0; e < head; ++e) score += q[e] * keys[(first + e) * seq + t];
        score /= sqrtf((float)head);
        float most = fmaxf(largest, score);
        float old = expf(largest - most), weight = expf(score - most);
        sum = sum * old + weight;
        mean = mean * old + weight * values[t * n + first + i % head];
        largest = most;
    }
    float most = largest;
    for (int step = 16; step > 0; step /= 2) most = fmaxf(most, __shfl_xor_sync(WARP, most, step));
    float own = expf(largest - most);
    sum = warp_sum(sum * own);
    mean = warp_sum(mean * own);
    if (threadIdx.x == 0) out[i] = mean / sum;
}

extern "C" __global__ void gate(const float* __restrict__ x, const float* __restrict__ by,
                                float* __restrict__ out, u64 n) {
    u64 i = thread();
    if (i < n) out[i] = x[i] / (1.0f + expf(-x[i])) * by[i];
}

extern "C" __global__ void largest(const float* __restrict__ x, u32* __restrict__ out, u64 n) {
    u32 at = 0;
    float most = __uint_as_float(0xff800000u);
    for (u64 i = threadIdx.x; i < n; i += 32) {
        if (x[i] > most) most = x[i], at = (u32)i;
    }
    for (int step = 16; step > 0; step /= 2) {
        float other = __shfl_xor_sync(WARP, most, step);
        u32 where = __shfl_xor_sync(WARP, at, step);
        if (other > most || (other == most && where < at)) most = other, at = where;
    }
    if (threadIdx.x == 0) out[0] = at;
}
