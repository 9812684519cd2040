// Stands before the text of kernels; macros/src/codegen/cuda/entry.rs writes what uses it.

typedef signed char i8;
typedef short i16;
typedef int i32;
typedef long long i64;
typedef unsigned char u8;
typedef unsigned short u16;
typedef unsigned int u32;
typedef unsigned long long u64;
typedef float f32;
typedef double f64;

// Halves are kept in 16 bits and computed as f32, as in expression kernels.
#define GPU_GRAPH_HALF(half)                                                                      \
    u16 bits;                                                                                     \
    half() = default;                                                                             \
    __device__ __forceinline__ half& operator+=(f32 x) { return *this = (f32)*this + x; }         \
    __device__ __forceinline__ half& operator-=(f32 x) { return *this = (f32)*this - x; }         \
    __device__ __forceinline__ half& operator*=(f32 x) { return *this = (f32)*this * x; }         \
    __device__ __forceinline__ half& operator/=(f32 x) { return *this = (f32)*this / x; }
struct f16 {
    GPU_GRAPH_HALF(f16)
    __device__ __forceinline__ f16(f32 x) { asm("cvt.rn.f16.f32 %0, %1;" : "=h"(bits) : "f"(x)); }
    __device__ __forceinline__ operator f32() const {
        f32 x;
        asm("cvt.f32.f16 %0, %1;" : "=f"(x) : "h"(bits));
        return x;
    }
};
struct bf16 {
    GPU_GRAPH_HALF(bf16)
    __device__ __forceinline__ bf16(f32 x) {
        const u32 b = __float_as_uint(x);
        bits = x != x ? (u16)32704u : (u16)((b + 32767u + (b >> 16 & 1u)) >> 16);
    }
    __device__ __forceinline__ operator f32() const { return __uint_as_float((u32)bits << 16); }
};
#undef GPU_GRAPH_HALF

#ifdef GPU_GRAPH_CHECKED
#define GPU_GRAPH_NAMED(name) , name
#else
#define GPU_GRAPH_NAMED(name)
#endif

namespace gpu_graph {

// Rounded down, for a positive b.
__device__ __forceinline__ i64 floor_of(i64 a, i64 b) { return a >= 0 ? a / b : -((b - 1 - a) / b); }

#ifdef GPU_GRAPH_CHECKED
static __device__ __noinline__ void beyond(const char* name, u64 at, u64 extent) {
    printf("gpu_graph: %s: index %llu of %llu\n", name, at, extent);
    __trap();
}
#endif

// A tensor of a kernel: x(i, j) is its element, x[i] the same counted flat, x.data the pointer.
template <class T, int N> struct Tensor {
    T* data;
    u64 extent[N];
#ifdef GPU_GRAPH_CHECKED
    const char* name;
#endif

    template <class... Index> __device__ __forceinline__ T& operator()(Index... index) const {
        static_assert(sizeof...(Index) == N, "one index for each extent of the tensor");
        const u64 at[N] = {(u64)index...};
        u64 flat = 0;
#pragma unroll
        for (int axis = 0; axis < N; ++axis) {
#ifdef GPU_GRAPH_CHECKED
            if (at[axis] >= extent[axis]) beyond(name, at[axis], extent[axis]);
#endif
            flat = flat * extent[axis] + at[axis];
        }
        return data[flat];
    }
    __device__ __forceinline__ T& operator[](u64 flat) const {
#ifdef GPU_GRAPH_CHECKED
        u64 count = 1;
#pragma unroll
        for (int axis = 0; axis < N; ++axis) count *= extent[axis];
        if (flat >= count) beyond(name, flat, count);
#endif
        return data[flat];
    }
};

// The index space of a kernel.
template <int N> struct Space {
    enum { axes = N };
    u64 extent[N];
};
template <> struct Space<0> {
    enum { axes = 0 };
};

} // namespace gpu_graph

// The function that a driver launches, around the braces behind it.
#define KERNEL(name) \
    GPU_GRAPH_SECOND(GPU_GRAPH_KERNEL_##name, GPU_GRAPH_UNKNOWN, ~)(name)
#define GPU_GRAPH_SECOND(...) GPU_GRAPH_SECOND_(__VA_ARGS__)
#define GPU_GRAPH_SECOND_(first, second, ...) second
#define GPU_GRAPH_UNKNOWN(name)                                                                   \
    static_assert(false, "no kernel '" #name "' of the gpu_graph! has this text");                \
    static __device__ void gpu_graph_##name()

// Declares the indices of this thread in the kernel's index space, and ends it beyond that.
#define INDEX(...) GPU_GRAPH_FOURTH(__VA_ARGS__, GPU_GRAPH_3, GPU_GRAPH_2, GPU_GRAPH_1, ~)(__VA_ARGS__)
#define GPU_GRAPH_FOURTH(a, b, c, d, ...) d
#define GPU_GRAPH_AXES(n)                                                                         \
    static_assert(decltype(gpu_graph_over)::axes == n, "one index for each extent of 'over'")
#define GPU_GRAPH_AT(axis) blockIdx.axis*(u64)blockDim.axis + threadIdx.axis
#define GPU_GRAPH_1(i)                                                                            \
    GPU_GRAPH_AXES(1);                                                                            \
    const u64 i = GPU_GRAPH_AT(x);                                                                \
    if (i >= gpu_graph_over.extent[0]) return
#define GPU_GRAPH_2(i, j)                                                                         \
    GPU_GRAPH_AXES(2);                                                                            \
    const u64 i = GPU_GRAPH_AT(y), j = GPU_GRAPH_AT(x);                                           \
    if (i >= gpu_graph_over.extent[0] || j >= gpu_graph_over.extent[1]) return
#define GPU_GRAPH_3(i, j, k)                                                                      \
    GPU_GRAPH_AXES(3);                                                                            \
    const u64 i = GPU_GRAPH_AT(z), j = GPU_GRAPH_AT(y), k = GPU_GRAPH_AT(x);                      \
    if (i >= gpu_graph_over.extent[0] || j >= gpu_graph_over.extent[1] ||                         \
        k >= gpu_graph_over.extent[2])                                                            \
        return
