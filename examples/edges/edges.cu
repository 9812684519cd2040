// The kernels of graph.rs for CUDA: the same pixels, bit for bit, as the functions beside them.
//
// Parameters stand in the order of the declaration, the result after them, then the extents in the
// order in which the declaration first names them. One thread makes one pixel; `over` in graph.rs
// gives the grid, and threads beyond the picture return.

typedef unsigned char u8;
typedef short i16;
typedef unsigned short u16;
typedef unsigned int u32;
typedef unsigned long long u64;

#define PIXEL(h, w)                                             \
    u64 x = blockIdx.x * (u64)blockDim.x + threadIdx.x;         \
    u64 y = blockIdx.y * (u64)blockDim.y + threadIdx.y;         \
    if (x >= (w) || y >= (h)) return

// Index `at - reach`, held within 0..len.
__device__ u64 clamped(u64 at, u64 reach, u64 len) {
    u64 i = at < reach ? 0 : at - reach;
    return i < len ? i : len - 1;
}

// Sum of nine neighbours, `step` apart, by binomial weights; what lies past an end is the end.
__device__ u32 weigh(const u16* line, u64 at, u64 len, u64 step) {
    const u32 taps[9] = {1, 8, 28, 56, 70, 56, 28, 8, 1};
    u32 sum = 0;
    for (u32 k = 0; k < 9; ++k) sum += taps[k] * line[clamped(at + k, 4, len) * step];
    return sum;
}

extern "C" __global__ void blur_x(const u16* __restrict__ src, u16* __restrict__ out, u64 h, u64 w) {
    PIXEL(h, w);
    out[y * w + x] = (u16)(weigh(src + y * w, x, w, 1) >> 8);
}

extern "C" __global__ void blur_y(const u16* __restrict__ src, u32 top, i16* __restrict__ out,
                                  u64 r, u64 w, u64 h) {
    PIXEL(h, w);
    out[y * w + x] = (i16)(weigh(src + x, top + y, r, w) >> 11);
}

extern "C" __global__ void sobel_x(const i16* __restrict__ src, u32 top, i16* __restrict__ out,
                                   u64 r, u64 w, u64 h) {
    PIXEL(h, w);
    u64 left = clamped(x, 1, w), right = clamped(x + 2, 1, w);
    int sum = 0;
    for (u32 k = 0; k < 3; ++k) {
        const i16* row = src + clamped(top + y + k, 1, r) * w;
        sum += (k == 1 ? 2 : 1) * (row[right] - row[left]);
    }
    out[y * w + x] = (i16)sum;
}

extern "C" __global__ void sobel_y(const i16* __restrict__ src, u32 top, i16* __restrict__ out,
                                   u64 r, u64 w, u64 h) {
    PIXEL(h, w);
    const i16* above = src + clamped(top + y, 1, r) * w;
    const i16* below = src + clamped(top + y + 2, 1, r) * w;
    int sum = 0;
    for (u32 k = 0; k < 3; ++k) {
        u64 at = clamped(x + k, 1, w);
        sum += (k == 1 ? 2 : 1) * (below[at] - above[at]);
    }
    out[y * w + x] = (i16)sum;
}

extern "C" __global__ void magnitude(const i16* __restrict__ gx, const i16* __restrict__ gy,
                                     u16* __restrict__ out, u64 h, u64 w) {
    PIXEL(h, w);
    u64 at = y * w + x;
    int square = gx[at] * gx[at] + gy[at] * gy[at];
    out[at] = (u16)__fsqrt_rn(__int2float_rn(square));
}

extern "C" __global__ void suppress(const u16* __restrict__ mag, const i16* __restrict__ gx,
                                    const i16* __restrict__ gy, u32 top, u16 low, u16 high,
                                    u8* __restrict__ out, u64 r, u64 w, u64 h) {
    PIXEL(h, w);
    u64 at = y * w + x;
    int ax = gx[at] < 0 ? -gx[at] : gx[at], ay = gy[at] < 0 ? -gy[at] : gy[at];
    // One step along the gradient, in a quarter of the circle around each of four directions; the
    // border between two of them is the tangent of 22.5 degrees.
    int dx, dy;
    if (ay <= (int)((u32)ax * 27146u >> 16)) {
        dx = 1, dy = 0;
    } else if (ax <= (int)((u32)ay * 27146u >> 16)) {
        dx = 0, dy = 1;
    } else if ((gx[at] < 0) == (gy[at] < 0)) {
        dx = 1, dy = 1;
    } else {
        dx = -1, dy = 1;
    }
    // The neighbours before and after in reading order; there is no gradient outside the picture.
    u64 row = top + y;
    bool in_left = dx == 0 || x > 0, in_right = dx == 0 || x + 1 < w;
    bool has_before = dx < 0 ? in_right : in_left, has_after = dx < 0 ? in_left : in_right;
    if (dy) has_before = has_before && row > 0, has_after = has_after && row + 1 < r;
    long long here = (long long)(row * w + x), step = (long long)dy * (long long)w + dx;
    u16 m = mag[here];
    u16 before = has_before ? mag[here - step] : 0, after = has_after ? mag[here + step] : 0;
    bool peak = m > before && m >= after;
    out[at] = (u8)((peak && m > low) + (peak && m > high));
}

// Labels: see labels.rs. A root is a label that its own pixel holds; every union lowers a label, so
// an old value that a thread may see still leads to the root.

#define NONE 0xffffffffu
#define WEAK 0x80000000u

// Where the pixel of a label stands in rows that begin with pixel `base`.
__device__ u64 place(u32 label, u64 base) { return (label & ~WEAK) - base; }

__device__ u32 root(const volatile u32* labels, u64 base, u32 label) {
    for (;;) {
        u32 up = labels[place(label, base)];
        if (up == label) return label;
        label = up;
    }
}

// Gives the components of two pixels one root, where both are edges.
__device__ void join(u32* labels, u64 base, u64 i, u64 j) {
    const volatile u32* now = labels;
    u32 a = now[i], b = now[j];
    if (a == NONE || b == NONE) return;
    for (;;) {
        a = root(labels, base, a);
        b = root(labels, base, b);
        if (a == b) return;
        u32 low = a < b ? a : b, high = a < b ? b : a;
        u32 old = atomicMin(&labels[place(high, base)], low);
        if (old == high) return;
        // Another thread was first: `high` is a root no more, and `old` has to be joined too.
        a = low, b = old;
    }
}

// Joins a pixel with the three above it.
__device__ void join_above(u32* labels, u64 base, u64 y, u64 x, u64 w) {
    for (u64 k = x > 0 ? x - 1 : 0; k < w && k <= x + 1; ++k)
        join(labels, base, (y - 1) * w + k, y * w + x);
}

extern "C" __global__ void label(const u8* __restrict__ thin, u32 first, u32* __restrict__ labels,
                                 u64 h, u64 w) {
    PIXEL(h, w);
    u64 at = y * w + x;
    u32 own = (u32)(first * w + at);
    labels[at] = thin[at] == 0 ? NONE : thin[at] == 2 ? own : WEAK | own;
}

extern "C" __global__ void merge(u32* labels, u32 first, u64 h, u64 w) {
    PIXEL(h, w);
    if (x > 0) join(labels, first * w, y * w + x - 1, y * w + x);
    if (y > 0) join_above(labels, first * w, y, x, w);
}

extern "C" __global__ void flatten(u32* labels, u32 first, u64 h, u64 w) {
    PIXEL(h, w);
    volatile u32* own = labels + y * w + x;
    u32 now = *own;
    if (now != NONE) *own = root(labels, first * w, now);
}

extern "C" __global__ void stitch(u32* labels, u32 row, u64 h, u64 w) {
    u64 x = blockIdx.x * (u64)blockDim.x + threadIdx.x;
    if (x < w && row < h) join_above(labels, 0, row, x, w);
}

extern "C" __global__ void mark(const u32* __restrict__ labels, u32 first, u8* __restrict__ edges,
                                u64 h, u64 w, u64 n) {
    PIXEL(n, w);
    u64 at = y * w + x;
    u32 own = labels[first * w + at];
    edges[at] = own != NONE && root(labels, 0, own) < WEAK ? 255 : 0;
}
