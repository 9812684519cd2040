// The kernels of graph.rs for CUDA: the same pixels, bit for bit, as the functions beside them.
//
// `KERNEL(blur_x)` stands for the signature that graph.rs declares. One thread makes one pixel.

// Index `at - reach`, held within 0..len.
__device__ u64 clamped(u64 at, u64 reach, u64 len) {
    u64 i = at < reach ? 0 : at - reach;
    return i < len ? i : len - 1;
}

// Sum of nine neighbours in a line by binomial weights; what lies past an end is the end.
template <class Line> __device__ u32 weigh(u64 at, u64 len, Line line) {
    const u32 taps[9] = {1, 8, 28, 56, 70, 56, 28, 8, 1};
    u32 sum = 0;
    for (u32 k = 0; k < 9; ++k) sum += taps[k] * line(clamped(at + k, 4, len));
    return sum;
}

KERNEL(blur_x) {
    INDEX(y, x);
    out(y, x) = (u16)(weigh(x, w, [&](u64 i) { return src(y, i); }) >> 8);
}

KERNEL(blur_y) {
    INDEX(y, x);
    out(y, x) = (i16)(weigh(top + y, r, [&](u64 i) { return src(i, x); }) >> 11);
}

KERNEL(sobel_x) {
    INDEX(y, x);
    u64 left = clamped(x, 1, w), right = clamped(x + 2, 1, w);
    int sum = 0;
    for (u32 k = 0; k < 3; ++k) {
        u64 row = clamped(top + y + k, 1, r);
        sum += (k == 1 ? 2 : 1) * (src(row, right) - src(row, left));
    }
    out(y, x) = (i16)sum;
}

KERNEL(sobel_y) {
    INDEX(y, x);
    u64 above = clamped(top + y, 1, r), below = clamped(top + y + 2, 1, r);
    int sum = 0;
    for (u32 k = 0; k < 3; ++k) {
        u64 at = clamped(x + k, 1, w);
        sum += (k == 1 ? 2 : 1) * (src(below, at) - src(above, at));
    }
    out(y, x) = (i16)sum;
}

KERNEL(magnitude) {
    INDEX(y, x);
    int square = gx(y, x) * gx(y, x) + gy(y, x) * gy(y, x);
    out(y, x) = (u16)__fsqrt_rn(__int2float_rn(square));
}

KERNEL(suppress) {
    INDEX(y, x);
    int across = gx(y, x), down = gy(y, x);
    int ax = across < 0 ? -across : across, ay = down < 0 ? -down : down;
    // One step along the gradient, in a quarter of the circle around each of four directions; the
    // border between two of them is the tangent of 22.5 degrees.
    int dx, dy;
    if (ay <= (int)((u32)ax * 27146u >> 16)) {
        dx = 1, dy = 0;
    } else if (ax <= (int)((u32)ay * 27146u >> 16)) {
        dx = 0, dy = 1;
    } else if ((across < 0) == (down < 0)) {
        dx = 1, dy = 1;
    } else {
        dx = -1, dy = 1;
    }
    // The neighbours before and after in reading order; there is no gradient outside the picture.
    u64 row = top + y;
    bool in_left = dx == 0 || x > 0, in_right = dx == 0 || x + 1 < w;
    bool has_before = dx < 0 ? in_right : in_left, has_after = dx < 0 ? in_left : in_right;
    if (dy) has_before = has_before && row > 0, has_after = has_after && row + 1 < r;
    u16 m = mag(row, x);
    u16 before = has_before ? mag(row - dy, x - dx) : 0, after = has_after ? mag(row + dy, x + dx) : 0;
    bool peak = m > before && m >= after;
    out(y, x) = (u8)((peak && m > low) + (peak && m > high));
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

KERNEL(label) {
    INDEX(y, x);
    u32 own = (u32)((first + y) * w + x);
    out(y, x) = thin(y, x) == 0 ? NONE : thin(y, x) == 2 ? own : WEAK | own;
}

KERNEL(merge) {
    INDEX(y, x);
    if (x > 0) join(labels.data, first * w, y * w + x - 1, y * w + x);
    if (y > 0) join_above(labels.data, first * w, y, x, w);
}

KERNEL(flatten) {
    INDEX(y, x);
    volatile u32* own = &labels(y, x);
    u32 now = *own;
    if (now != NONE) *own = root(labels.data, first * w, now);
}

KERNEL(stitch) {
    INDEX(x);
    if (row < h) join_above(labels.data, 0, row, x, w);
}

KERNEL(mark) {
    INDEX(y, x);
    u32 own = labels(first + y, x);
    out(y, x) = own != NONE && root(labels.data, 0, own) < WEAK ? 255 : 0;
}
