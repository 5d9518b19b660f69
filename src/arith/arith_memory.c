/* SPDX-License-Identifier: Apache-2.0 */
/* Values as bytes: the layout of Warp's C++ types, loading and storing, lanes of composites.
 *
 *     bool, int8   1 byte         vec3f        12 bytes, aligned to 4
 *     float16      2 bytes        mat33d       72 bytes, aligned to 8, by rows
 *     slice_t      3 int32        transformf   28 bytes: translation, then rotation
 *
 * A struct has the offsets and padding that a C++ compiler gives it. An array is a pointer to an
 * array_view. */
#include "arith/arith.h"

static const uint8_t scalar_sizes[] = {1, 1, 1, 2, 2, 4, 4, 8, 8, 2, 2, 4, 8};
_Static_assert(sizeof scalar_sizes == TYPE_FLOAT64 + 1, "one size for each scalar type");

/* A quaternion has 4 rows and a transformation 7, so `rows` counts their scalars, too. */
int lane_count(const type *t)
{
    WEFT_ASSERT(!type_is_composite(t) || t->rows >= 0);
    if (t->kind == TYPE_MAT)
        return t->rows * t->cols;
    return type_is_composite(t) ? t->rows : 1;
}

size_t layout_align(const type *t)
{
    if (type_is_value(t))
        return scalar_sizes[type_scalar_of(t)->kind];
    if (t->kind == TYPE_SLICE)
        return sizeof(int32_t);
    WEFT_ASSERT(t->kind != TYPE_STRUCT || t->st->align);
    return t->kind == TYPE_STRUCT ? t->st->align : sizeof(void *);
}

/* The next multiple of a power of two. */
static size_t round_up(size_t n, size_t align)
{
    WEFT_ASSERT(align > 0 && (align & (align - 1)) == 0);
    return (n + align - 1) / align * align;
}

/* A field starts at the next multiple of its alignment, as in C++:
 *
 *     class S:  n: wp.int8   x: float   d: wp.float64   ->   offsets 0, 4, 8; size 16, align 8 */
void layout_struct(struct_def *st)
{
    struct_field *fields = (struct_field *)(uintptr_t)st->fields;
    size_t at = 0;
    st->align = 1;
    for (uint32_t i = 0; i < st->nfields; i++) {
        if (fields[i].type->generic) /* no value has this type */
            continue;
        const size_t align = layout_align(fields[i].type);
        fields[i].offset = round_up(at, align);
        at = fields[i].offset + layout_size(fields[i].type);
        st->align = align > st->align ? align : st->align;
    }
    st->size = st->nfields ? round_up(at, st->align) : 1;
    WEFT_ASSERT(st->size >= at);
}

size_t layout_field(const struct_def *st, uint32_t field)
{
    WEFT_ASSERT(field < st->nfields && st->align);
    return st->fields[field].offset;
}

size_t layout_size(const type *t)
{
    if (type_is_value(t))
        return scalar_sizes[type_scalar_of(t)->kind] * (size_t)lane_count(t);
    if (t->kind == TYPE_SLICE)
        return 3 * sizeof(int32_t); /* start, stop and step, as slice_adjust_indices gives them */
    if (t->kind == TYPE_NATIVE)
        return t->native->size;
    WEFT_ASSERT(t->kind != TYPE_STRUCT || t->st->align);
    return t->kind == TYPE_STRUCT ? t->st->size
                                  : sizeof(void *); /* an array is a pointer to its view */
}

/* Exact: every float16 is a double. */
static double half_to_double(uint16_t h)
{
    const int e = h >> 10 & 31, m = h & 1023;
    double x = e == 0    ? m * 0x1p-24
               : e == 31 ? (m ? (double)__builtin_nanf("") : (double)__builtin_inff())
                         : 0;
    if (e > 0 && e < 31) {
        x = 1 + m * 0x1p-10;
        for (int i = e; i < 15; i++)
            x *= 0.5;
        for (int i = 15; i < e; i++)
            x *= 2;
    }
    return h & 0x8000 ? -x : x;
}

/* The bits of x as a float32; exact for what float32, float16 and bfloat16 can hold. */
static uint32_t float_bits(double x)
{
    const float f = (float)x;
    uint32_t u;
    memcpy(&u, &f, sizeof u);
    return u;
}

/* x is a value of float16 already, so that cutting the float32's bits loses nothing: exponents
 * differ by 112, mantissas by 13 bits; the third case is a subnormal float16.
 *
 *     1.0   0x3c00      -2.0   0xc000      2^-24   0x0001 */
static uint16_t double_to_half(double x)
{
    const uint32_t u = float_bits(x);
    const uint32_t sign = u >> 16 & 0x8000, e = u >> 23 & 255, m = u & 0x7fffff;
    uint32_t h = 0;
    if (e == 255)
        h = m ? 0x7e00 : 0x7c00;
    else if (e >= 113)
        h = ((e - 112) << 10) | m >> 13;
    else if (e >= 103)
        h = (m | 0x800000) >> (126 - e);
    WEFT_ASSERT(x != x || half_to_double((uint16_t)(sign | h)) == x);
    return (uint16_t)(sign | h);
}

/* Declares v with the bytes at p as a T, whatever their alignment. */
#define LOAD(T)                                                                                    \
    T v;                                                                                           \
    memcpy(&v, p, sizeof v)

/* Integers are extended by their sign or by zeros; bytes need no alignment. */
num num_load(type_kind k, const uint8_t *p)
{
    WEFT_ASSERT(k <= TYPE_FLOAT64 && p);
    switch (k) {
    case TYPE_BOOL: return (num){.i = *p != 0};
    case TYPE_INT8: return (num){.i = (int8_t)*p};
    case TYPE_UINT8: return (num){.i = *p};
    case TYPE_INT16: {
        LOAD(int16_t);
        return (num){.i = v};
    }
    case TYPE_UINT16: {
        LOAD(uint16_t);
        return (num){.i = v};
    }
    case TYPE_INT32: {
        LOAD(int32_t);
        return (num){.i = v};
    }
    case TYPE_UINT32: {
        LOAD(uint32_t);
        return (num){.i = v};
    }
    case TYPE_FLOAT16: {
        LOAD(uint16_t);
        return (num){.f = half_to_double(v)};
    }
    case TYPE_FLOAT32: {
        LOAD(float);
        return (num){.f = (double)v};
    }
    case TYPE_FLOAT64: {
        LOAD(double);
        return (num){.f = v};
    }
    case TYPE_BFLOAT16: {
        LOAD(uint16_t);
        const uint32_t u = (uint32_t)v << 16;
        float f;
        memcpy(&f, &u, sizeof f);
        return (num){.f = (double)f};
    }
    default: {
        LOAD(int64_t);
        return (num){.i = v};
    }
    }
}

/* Integers are cut to the width of the kind. A float must be a value of its kind already; a 16-bit
 * one is not rounded here. */
void num_store(type_kind k, uint8_t *p, num x)
{
    WEFT_ASSERT(k <= TYPE_FLOAT64 && p);
    const float f = type_is_float(&(type){.kind = (uint8_t)k}) ? (float)x.f : 0;
    uint64_t bits = (uint64_t)x.i;
    uint16_t half;
    switch (k) {
    case TYPE_FLOAT32: memcpy(p, &f, sizeof f); return;
    case TYPE_FLOAT64: memcpy(p, &x.f, sizeof x.f); return;
    case TYPE_FLOAT16:
        half = double_to_half(x.f);
        memcpy(p, &half, sizeof half);
        return;
    case TYPE_BFLOAT16:
        half = (uint16_t)(float_bits(x.f) >> 16);
        memcpy(p, &half, sizeof half);
        return;
    default: break;
    }
    for (int i = 0; i < scalar_sizes[k]; i++, bits >>= 8)
        p[i] = (uint8_t)bits;
}

/* An array is stored as the address of its view; nothing is copied then. */
rvalue rvalue_load(arena *a, const type *t, const uint8_t *p)
{
    rvalue v = {.type = t};
    if (type_is_scalar(t)) {
        v.n = num_load(t->kind, p);
    } else if (t->kind == TYPE_ARRAY) {
        memcpy(&v.array, p, sizeof v.array);
    } else {
        const size_t size = layout_size(t);
        uint8_t *bytes = arena_alloc(a, size);
        memcpy(bytes, p, size);
        v.bytes = bytes;
    }
    return v;
}

bool rvalue_store(const type *t, uint8_t *p, const rvalue *v)
{
    if (!v->type)
        return false;
    if (type_is_scalar(t) && type_is_scalar(v->type)) {
        num_store(t->kind, p, num_cast(t->kind, v->type->kind, v->n));
        return true;
    }
    if (!type_equal(t, v->type))
        return false;
    if (t->kind == TYPE_ARRAY)
        memcpy(p, &v->array, sizeof v->array);
    else
        memcpy(p, v->bytes, layout_size(t));
    return true;
}

/* The elements of a compile-time vector, matrix or quaternion, each as its scalar type holds it.
 *
 *     vec3h(0.1, 1, 2)   three float16, the first rounded to 0.09997559 */
static void store_composite(const value *v, uint8_t *bytes)
{
    WEFT_ASSERT(v->kind == VALUE_COMPOSITE && type_is_composite(v->type));
    const type_kind k = v->type->elem->kind;
    const bool is_float = type_is_float(v->type->elem);
    for (int i = 0; i < lane_count(v->type); i++) {
        num x = {0};
        if (is_float)
            x.f = v->elems[i];
        else
            x.i = v->ielems[i];
        num_store(k, bytes + i * scalar_sizes[k], num_wrap(k, x));
    }
}

/* The fields of a compile-time struct at their offsets; padding stays zero. */
static bool constant_struct(ctx *c, arena *a, const value *v, uint8_t *bytes)
{
    WEFT_ASSERT(v->type->kind == TYPE_STRUCT && v->items);
    for (uint32_t i = 0; i < v->type->st->nfields; i++) {
        rvalue field;
        if (!rvalue_constant(c, a, &v->items[i], &field) ||
            !rvalue_store(v->type->st->fields[i].type, bytes + layout_field(v->type->st, i),
                          &field))
            return false;
    }
    return true;
}

bool rvalue_constant(ctx *c, arena *a, const value *v, rvalue *out)
{
    /* Python's int and float become int32 and float32, as a variable that is bound to them */
    const type *t = value_var_type(c, v);
    if (!t || t->kind == TYPE_STR)
        return false;
    *out = (rvalue){.type = t};
    if (type_is_scalar(t)) {
        const bool has_f = value_has_f(v);
        const num x = has_f ? (num){.f = v->f} : (num){.i = (int64_t)v->i};
        out->n = num_cast(t->kind, has_f ? TYPE_FLOAT64 : TYPE_INT64, x);
        return true;
    }
    uint8_t *bytes = arena_zero(a, layout_size(t));
    out->bytes = bytes;
    if (v->kind == VALUE_COMPOSITE)
        store_composite(v, bytes);
    return v->kind == VALUE_COMPOSITE || constant_struct(c, a, v, bytes);
}
