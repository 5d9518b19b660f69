/* SPDX-License-Identifier: Apache-2.0 */
/* The functions by which the threads of a block work together, which the tiles of src/cuda call.
 *
 *     block_sum(float x)   ->   block_sum(x), and definitions of it for float and of block_first */
#include "base/assert.h"
#include "cudarule/cudarule_def.h"
#include "cudarule/cudarule_family.h"
#include "cudarule/cudarule_type.h"

/* In the texts $N is the function's name, $T the type that it works on, $S the type of that type's
 * elements, $F the name of block_first. */
typedef struct block_function {
    const char *name, *text;
} block_function;

static const block_function first_function = {
    "block_first", "// Is this the first thread of its block?\n"
                   "__device__ inline bool $N()\n{\n"
                   "    return threadIdx.x + threadIdx.y + threadIdx.z == 0;\n}\n"};

static const block_function sum_function = {
    "block_sum", "// The sum of x over the threads of the block, which all have to call it.\n"
                 "__device__ inline $T $N($T x)\n{\n"
                 "    __shared__ $T sum;\n"
                 "    if ($F())\n"
                 "        sum = 0;\n"
                 "    __syncthreads();\n"
                 "    atomicAdd(&sum, x);\n"
                 "    __syncthreads();\n"
                 "    const $T all = sum;\n"
                 "    __syncthreads();\n"
                 "    return all;\n}\n"};

/* The same of 64-bit integers, for which atomicAdd takes them without a sign. */
static const block_function long_sum_function = {
    "block_sum", "// The sum of x over the threads of the block, which all have to call it.\n"
                 "__device__ inline $T $N($T x)\n{\n"
                 "    __shared__ unsigned long long sum;\n"
                 "    if ($F())\n"
                 "        sum = 0;\n"
                 "    __syncthreads();\n"
                 "    atomicAdd(&sum, (unsigned long long)x);\n"
                 "    __syncthreads();\n"
                 "    const $T all = ($T)sum;\n"
                 "    __syncthreads();\n"
                 "    return all;\n}\n"};

/* What thread `from` has: block_value(x, 255). */
static const block_function value_function = {
    "block_value",
    "// The x of thread `from`, for all threads of the block, which have to call it.\n"
    "__device__ inline $T $N($T x, int from)\n{\n"
    "    __shared__ $T value;\n"
    "    if (threadIdx.x == (unsigned)from)\n"
    "        value = x;\n"
    "    __syncthreads();\n"
    "    const $T all = value;\n"
    "    __syncthreads();\n"
    "    return all;\n}\n"};

/* The Fourier transform of n complex numbers from *x on: block_fft(&a[k][0], 512, -1). */
static const block_function fft_function = {
    "block_fft",
    "// Replaces the n complex numbers of x, n a power of two, by their Fourier transform, not\n"
    "// divided by n; sign: that of the exponent. All threads of the block have to call it.\n"
    "__device__ inline void $N($T *x, int n, int sign)\n{\n"
    "    __syncthreads();\n"
    "    for (int i = threadIdx.x; i < n; i += blockDim.x) {\n"
    "        const int j = (int)(__brev((unsigned)i) >> (__clz(n) + 1)); // i's bits, reversed\n"
    "        if (i < j) {\n"
    "            const $T t = x[i];\n"
    "            x[i] = x[j];\n"
    "            x[j] = t;\n"
    "        }\n"
    "    }\n"
    "    __syncthreads();\n"
    "    for (int half = 1; half < n; half *= 2) {\n"
    "        const $S step = ($S)(sign * 3.141592653589793 / half);\n"
    "        for (int e = threadIdx.x; e < n / 2; e += blockDim.x) {\n"
    "            const int low = e / half * (2 * half) + e % half, high = low + half;\n"
    "            const $S c = cos(step * ($S)(e % half)), s = sin(step * ($S)(e % half));\n"
    "            const $T a = x[low], b = x[high];\n"
    "            const $T t = {c * b.x - s * b.y, c * b.y + s * b.x};\n"
    "            x[low] = $T{a.x + t.x, a.y + t.y};\n"
    "            x[high] = $T{a.x - t.x, a.y - t.y};\n"
    "        }\n"
    "        __syncthreads();\n"
    "    }\n}\n"};

/* Defines the function for type t, NULL if it has none, unless it is defined; gives its name. */
static str define(cuda_defs *n, const block_function *f, const type *t, str first)
{
    const str on = t ? cuda_type_name(n, t) : STR(""),
              elem = t && t->kind == TYPE_VEC ? cuda_type_name(n, t->elem) : STR(""),
              key = cuda_text(n, "@(@)", str_c(f->name), on),
              name = cuda_free_name(n, str_c(f->name));
    if (cuda_def_find(n, key))
        return name;
    strbuf text;
    sb_init(&text, n->a->m);
    for (const char *p = f->text, *hole; *p; p = hole + 2) {
        hole = p + strcspn(p, "$");
        sb_put(&text, p, (size_t)(hole - p));
        if (!*hole)
            break;
        const char what = hole[1];
        WEFT_ASSERT(strchr("NTSF", what));
        sb_str(&text, what == 'N' ? name : what == 'T' ? on : what == 'S' ? elem : first);
    }
    cuda_def_add(n, key, name, cuda_take(n, &text), false);
    return name;
}

/* The function for sums of type t; those of vectors and matrices are of their scalars. */
static str sum_name(cuda_defs *n, const type *t, str first)
{
    const type *scalar = type_scalar_of(t);
    const bool wide = scalar->kind == TYPE_INT64 || scalar->kind == TYPE_UINT64;
    const str name = define(n, wide ? &long_sum_function : &sum_function, scalar, first);
    const str on = cuda_type_name(n, t), key = cuda_text(n, "block_sum(@)", on);
    if (t == scalar || cuda_def_find(n, key))
        return name;
    str body = STR("");
    for (int k = 0; k < cuda_lanes(t); k++) {
        const str lane = cuda_lane(n, t, k);
        body = cuda_text(n, "@    x@ = @(x@);\n", body, lane, name, lane);
    }
    cuda_def_add(
        n, key, name,
        cuda_text(n, "__device__ inline @ @(@ x)\n{\n@    return x;\n}\n", on, name, on, body),
        false);
    return name;
}

/* Its name begins with "block_". */
cuda_expr cuda_block(cuda_defs *n, str native, const type *result, const cuda_expr *args)
{
    if (str_eq(native, STR("block_sync")))
        return cuda_expr_of(STR("__syncthreads()"), NULL, CUDA_POSTFIX);
    if (str_eq(native, STR("block_thread")))
        return cuda_expr_of(STR("threadIdx.x"), type_scalar(n->c, TYPE_UINT32), CUDA_POSTFIX);
    if (str_eq(native, STR("block_width")))
        return cuda_expr_of(STR("blockDim.x"), type_scalar(n->c, TYPE_UINT32), CUDA_POSTFIX);
    const str none = STR("");
    if (str_eq(native, STR("block_fft"))) {
        const type *complex = args[0].type;
        if (complex->kind != TYPE_VEC || complex->rows != 2 || !type_is_float(complex->elem))
            return CUDA_NONE;
        return cuda_expr_of(cuda_text(n, "@(&@, @, @)", define(n, &fft_function, complex, none),
                                      args[0].text, args[1].text, args[2].text),
                            NULL, CUDA_POSTFIX);
    }
    if (str_eq(native, STR("block_value")))
        return cuda_expr_of(cuda_text(n, "@(@, @)", define(n, &value_function, result, none),
                                      args[0].text, args[1].text),
                            result, CUDA_POSTFIX);
    const str first = define(n, &first_function, NULL, none);
    if (str_eq(native, STR("block_first")))
        return cuda_expr_of(cuda_text(n, "@()", first), type_scalar(n->c, TYPE_BOOL), CUDA_POSTFIX);
    WEFT_ASSERT(str_eq(native, STR("block_sum")));
    return cuda_expr_of(cuda_text(n, "@(@)", sum_name(n, result, first), args[0].text), result,
                        CUDA_POSTFIX);
}
