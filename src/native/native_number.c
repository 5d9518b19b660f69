/* SPDX-License-Identifier: Apache-2.0 */
/* C's and CUDA's functions of numbers: the rows of native_call.def.
 *
 *     sqrtf(x)   __popc(x)   __float_as_int(x)   min(a, b) */
#include <math.h>

#include "native/native_internal.h"

typedef num bits_fn(const num *x);

/* C's fmax and fmin leave NaN out. */
static num larger(const num *x)
{
    return isnan(x[0].f) || x[1].f > x[0].f ? x[1] : x[0];
}

static num smaller(const num *x)
{
    return isnan(x[0].f) || x[1].f < x[0].f ? x[1] : x[0];
}

static num fused_f32(const num *x)
{
    return (num){.f = (double)fmaf((float)x[0].f, (float)x[1].f, (float)x[2].f)};
}

static num fused_f64(const num *x)
{
    return (num){.f = fma(x[0].f, x[1].f, x[2].f)};
}

/* Rounded once: a double has more than twice the digits, and none of these is a tie. */
static num rsqrt_f32(const num *x)
{
    return (num){.f = (double)(float)(1.0 / sqrt(x[0].f))};
}

static num reciprocal_f32(const num *x)
{
    return (num){.f = (double)(1.0f / (float)x[0].f)};
}

static num ones(const num *x)
{
    return (num){.i = __builtin_popcountll((uint64_t)x[0].i)};
}

/* Of other numbers than 0: see NONZERO in native_call.def. */
static num trailing(const num *x)
{
    return (num){.i = __builtin_ctzll((uint64_t)x[0].i)};
}

static num first_one(const num *x)
{
    return (num){.i = x[0].i ? __builtin_ctzll((uint64_t)x[0].i) + 1 : 0};
}

static num leading_64(const num *x)
{
    return (num){.i = x[0].i ? __builtin_clzll((uint64_t)x[0].i) : 64};
}

static num leading_32(const num *x)
{
    return (num){.i = leading_64(x).i - 32};
}

static num reversed_64(const num *x)
{
    uint64_t y = 0;
    for (int i = 0; i < 64; i++)
        y |= ((uint64_t)x[0].i >> i & 1) << (63 - i);
    return (num){.i = (int64_t)y};
}

static num reversed_32(const num *x)
{
    return (num){.i = (int64_t)((uint64_t)reversed_64(x).i >> 32)};
}

static num high_u32(const num *x)
{
    return (num){.i = (int64_t)((uint64_t)x[0].i * (uint64_t)x[1].i >> 32)};
}

static num high_i32(const num *x)
{
    return (num){.i = (x[0].i * x[1].i) >> 32};
}

/* CUDA's conversions saturate, and NaN becomes 0. */
static num saturated_i32(double x)
{
    return (num){.i = isnan(x)        ? 0
                      : x < INT32_MIN ? INT32_MIN
                      : x > INT32_MAX ? INT32_MAX
                                      : (int64_t)x};
}

static num nearest_i32(const num *x)
{
    return saturated_i32(rint(x[0].f));
}

static num floor_i32(const num *x)
{
    return saturated_i32(floor(x[0].f));
}

static num next_f32(const num *x)
{
    return (num){.f = (double)nextafterf((float)x[0].f, (float)x[1].f)};
}

/* Columns: see native_call.def. */
typedef struct math_row {
    const char *name, *op;
    type_kind kind;
    uint32_t n;
} math_row;

typedef struct bits_row {
    const char *name;
    bits_fn *run;
    type_kind result, kind;
    uint32_t n;
    bool nonzero;
} bits_row;

typedef struct same_row {
    const char *name;
    type_kind result, kind;
} same_row;

static const math_row math[] = {
#define MATH(name, op, kind, n) {name, op, TYPE_##kind, n},
#define BITS(name, fn, result, kind, n)
#define NONZERO(name, fn, result, kind)
#define SAME(name, result, kind)
#include "native/native_call.def"
#undef MATH
#undef BITS
#undef NONZERO
#undef SAME
};

static const bits_row bits[] = {
#define MATH(name, op, kind, n)
#define BITS(name, fn, result, kind, n) {name, fn, TYPE_##result, TYPE_##kind, n, false},
#define NONZERO(name, fn, result, kind) {name, fn, TYPE_##result, TYPE_##kind, 1, true},
#define SAME(name, result, kind)
#include "native/native_call.def"
#undef MATH
#undef BITS
#undef NONZERO
#undef SAME
};

static const same_row same[] = {
#define MATH(name, op, kind, n)
#define BITS(name, fn, result, kind, n)
#define NONZERO(name, fn, result, kind)
#define SAME(name, result, kind) {name, TYPE_##result, TYPE_##kind},
#include "native/native_call.def"
#undef MATH
#undef BITS
#undef NONZERO
#undef SAME
};

static ntype scalar_type(const nreader *r, type_kind k)
{
    return (ntype){.t = type_scalar(r->c, k)};
}

static void *eval_bits(native_fn *f, nnode *n)
{
    const bits_row *row = n->native;
    num x[3];
    WEFT_ASSERT(row->n <= 3 && row->n == n->nargs);
    for (uint32_t i = 0; i < row->n; i++)
        x[i] = native_number(f, n->args[i]);
    if (row->nonzero && !x[0].i)
        native_fail(f, n, NATIVE_UNSPECIFIED, "%s of 0", row->name);
    num_store(row->result, n->room, num_wrap(row->result, row->run(x)));
    return n->room;
}

/* The same bits as another type. */
static void *eval_same_bits(native_fn *f, nnode *n)
{
    memcpy(n->room, native_eval(f, n->args[0]), native_size(n->type));
    return n->room;
}

/* The arguments as `kind`; false: they are no numbers, or others. */
static bool numbers(nreader *r, nnode **args, uint32_t n, uint32_t wanted, type_kind kind)
{
    bool all = n == wanted;
    for (uint32_t i = 0; i < n && all; i++)
        all = native_is_scalar(args[i]->type);
    for (uint32_t i = 0; i < n && all; i++)
        args[i] = native_convert(r, args[i], scalar_type(r, kind));
    return all;
}

/* On CUDA, C++ has the overload for float under the name of C's function of double. On the CPU,
 * Warp's headers declare C's functions alone. */
static bool has_overload(const nreader *r, const math_row *row, nnode *const *args, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        if (!native_is_scalar(args[i]->type) || args[i]->type.t->kind != TYPE_FLOAT32)
            return false;
    return r->f->cuda && row->kind == TYPE_FLOAT64;
}

static nnode *from_rows(nreader *r, str name, nnode **args, uint32_t n)
{
    for (size_t i = 0; i < sizeof math / sizeof *math; i++) {
        if (!str_eq(name, str_c(math[i].name)))
            continue;
        const type_kind k = has_overload(r, &math[i], args, n) ? TYPE_FLOAT32 : math[i].kind;
        return numbers(r, args, n, math[i].n, k) ? native_arith(r, math[i].op, NULL, args, n)
                                                 : NULL;
    }
    nnode *to = NULL;
    for (size_t i = 0; i < sizeof bits / sizeof *bits && !to; i++) {
        if (!str_eq(name, str_c(bits[i].name)) || !numbers(r, args, n, bits[i].n, bits[i].kind))
            continue;
        to = native_node(r, eval_bits, scalar_type(r, bits[i].result));
        to->native = &bits[i];
    }
    for (size_t i = 0; i < sizeof same / sizeof *same && !to; i++)
        if (str_eq(name, str_c(same[i].name)) && numbers(r, args, n, 1, same[i].kind))
            to = native_node(r, eval_same_bits, scalar_type(r, same[i].result));
    if (to)
        native_args(r, to, args, n);
    return to;
}

/* min, max and abs without a scope: CUDA's, of the arguments' common type. On the CPU, abs is C's
 * function of int. */
static nnode *extremum(nreader *r, str name, nnode **args, uint32_t n)
{
    const bool is_abs = str_eq(name, STR("abs"));
    const bool two = str_eq(name, STR("min")) || str_eq(name, STR("max"));
    if (!(two && n == 2) && !(is_abs && n == 1))
        return NULL;
    type_kind k = TYPE_INT32;
    for (uint32_t i = 0; i < n; i++) {
        if (!native_is_scalar(args[i]->type))
            return NULL;
        const type_kind own = (type_kind)args[i]->type.t->kind;
        if (own == TYPE_FLOAT16 || own == TYPE_BFLOAT16 || (is_abs && own == TYPE_UINT32) ||
            (is_abs && own == TYPE_UINT64))
            return NULL;
        k = own > k ? own : k;
    }
    if (!r->f->cuda && is_abs && k != TYPE_INT32)
        native_refuse(r, "'%.*s' of these on the CPU", (int)name.n, name.p);
    if (!numbers(r, args, n, n, k))
        return NULL;
    return native_arith(r, is_abs ? "abs" : name.p[1] == 'i' ? "min" : "max", NULL, args, n);
}

nnode *native_number_call(nreader *r, str name, nnode **args, uint32_t n)
{
    if (!n)
        return NULL;
    nnode *to = from_rows(r, name, args, n);
    return to ? to : extremum(r, name, args, n);
}
