// The kernels of graph.rs for CUDA: what the functions beside them compute, up to the order of sums.
//
// `KERNEL(embed)` stands for the signature that graph.rs declares. Kernels over `[32]` run on one warp.

#define WARP 0xffffffffu

__device__ f32 warp_sum(f32 x) {
    for (int step = 16; step > 0; step /= 2) x += __shfl_xor_sync(WARP, x, step);
    return x;
}

KERNEL(embed) {
    INDEX(i);
    out(i) = token < vocab ? table(token, i) : 0.0f;
}

KERNEL(rotation) {
    INDEX(i);
    f32 angle = pos / powf(10000.0f, (i / 2 * 2) / (f32)head);
    out(i) = i % 2 ? sinf(angle) : cosf(angle);
}

KERNEL(rms_norm) {
    INDEX(lane);
    f32 squares = 0.0f;
    for (u64 i = lane; i < n; i += 32) squares += x(i) * x(i);
    f32 scale = 1.0f / sqrtf(warp_sum(squares) / n + 1e-5f);
    for (u64 i = lane; i < n; i += 32) out(i) = weight(i) * (scale * x(i));
}

// Row `row` of w x. Rows come in bands of 32, then of 8, then of 1, interleaved; see matrix.rs.
template <class Matrix, class Vector>
__device__ f32 row_product(Matrix w, Vector x, u64 row, u64 m, u64 n) {
    u64 width = row < m / 32 * 32 ? 32 : row < m / 8 * 8 ? 8 : 1;
    u64 column = row / width * width * n + row % width;
    f32 sum = 0.0f;
    for (u64 j = 0; j < n; ++j) sum += w[column + j * width] * x(j);
    return sum;
}

KERNEL(product) {
    INDEX(row);
    out(row) = row_product(w, x, row, m, n);
}

KERNEL(add_product) {
    INDEX(row);
    y(row) += row_product(w, x, row, m, n);
}

KERNEL(rotate) {
    INDEX(i);
    // The even thread of a pair turns both.
    if (i + 1 >= n || i % head % 2) return;
    f32 a = x(i), b = x(i + 1), cosine = angles(i % head), sine = angles(i % head + 1);
    x(i) = a * cosine - b * sine;
    x(i + 1) = a * sine + b * cosine;
}

KERNEL(remember) {
    INDEX(i);
    if (pos >= seq) return;
    keys(i, pos) = k(i);
    values(pos, i) = v(i);
}

// A warp makes one element. Each lane has the tokens that are 32 apart, with the largest score so far
// and sums relative to it; then lanes become one.
KERNEL(attend) {
    INDEX(i, lane);
    if (pos >= seq) return;
    u64 first = i / head / (m / n) * head;  // of the elements that this head of queries looks at
    u64 query = i / head * head;
    f32 largest = -1e30f, sum = 0.0f, mean = 0.0f;
    for (u64 t = lane; t <= pos; t += 32) {
        f32 score = 0.0f;
        for (u64 e = 0; e < head; ++e) score += q(query + e) * keys(first + e, t);
        score /= sqrtf((f32)head);
        f32 most = fmaxf(largest, score);
        f32 old = expf(largest - most), weight = expf(score - most);
        sum = sum * old + weight;
        mean = mean * old + weight * values(t, first + i % head);
        largest = most;
    }
    f32 most = largest;
    for (int step = 16; step > 0; step /= 2) most = fmaxf(most, __shfl_xor_sync(WARP, most, step));
    f32 own = expf(largest - most);
    sum = warp_sum(sum * own);
    mean = warp_sum(mean * own);
    if (lane == 0) out(i) = mean / sum;
}

KERNEL(gate) {
    INDEX(i);
    out(i) = x(i) / (1.0f + expf(-x(i))) * by(i);
}

KERNEL(largest) {
    INDEX(lane);
    u32 at = 0;
    f32 most = __uint_as_float(0xff800000u);
    for (u64 i = lane; i < n; i += 32) {
        if (x(i) > most) most = x(i), at = (u32)i;
    }
    for (int step = 16; step > 0; step /= 2) {
        f32 other = __shfl_xor_sync(WARP, most, step);
        u32 where = __shfl_xor_sync(WARP, at, step);
        if (other > most || (other == most && where < at)) most = other, at = where;
    }
    if (lane == 0) out(0) = at;
}
