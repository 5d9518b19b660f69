/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers as literals, and conversions between scalars.
 *
 *     0.5 as float        ->   0.5f               0.1 (the nearest float)   ->   0.1f
 *     3 as unsigned       ->   3u                 1e300 * 1e300 as double   ->   HUGE_VAL
 *     1 as __half         ->   __half(1.0f)       -2 as long long           ->   -2LL
 *     cast to double      ->   (double)x          cast float to __half      ->   __half(x)
 *     bits as int         ->   __float_as_int(x)
 *
 * A float has as few digits as tell it from its neighbours, at least what it needs to be read back
 * as the same float. Decimal digits are made by weft's own code (base/decimal.h), in every locale
 * alike. */
#include "cudarule/cudarule_number.h"

#include <math.h>

#include "base/assert.h"
#include "base/decimal.h"
#include "cudarule/cudarule_def.h"
#include "cudarule/cudarule_type.h"

/* The number of the fewest digits, at least 6, that rounds to the same float as x. Both ways of
 * reading it must give the float: directly, and as a double that is then rounded. */
static double shortest(double x)
{
    const float wanted = (float)fabs(x);
    decimal all, d;
    decimal_of(x, 9, &all);
    for (int n = 6; n < 9; n++) {
        decimal_round(&all, n, &d);
        const double y = decimal_to_double(&d);
        if ((float)y == wanted && decimal_to_float(&d) == wanted)
            return copysign(y, x);
    }
    return x;
}

/* The literal. Infinities and NaN have no digits; their macros come with math.h. */
static str float_literal(cuda_defs *n, double x, bool is_float)
{
    strbuf b;
    sb_init(&b, n->a->m);
    if (is_float && (isinf((float)x) || (float)x == 0)) /* too large or too small for a literal */
        x = (float)x;
    if (isnan(x)) {
        sb_c(&b, is_float ? "nanf(\"\")" : "nan(\"\")");
    } else if (isinf(x)) {
        sb_c(&b, x < 0 ? "-" : "");
        sb_c(&b, is_float ? "HUGE_VALF" : "HUGE_VAL");
        cuda_use_extern(n, is_float ? CUDA_EXTERN_HUGE_VALF : CUDA_EXTERN_HUGE_VAL);
    } else {
        sb_float(&b, is_float ? shortest(x) : x);
        sb_c(&b, is_float ? "f" : "");
    }
    return cuda_take(n, &b);
}

/* With C's suffix for the type; narrow integers are written as int. */
static str integer_literal(cuda_defs *n, type_kind k, double x)
{
    static const char *const suffixes[TYPE_FLOAT16] = {
        [TYPE_UINT32] = "u", [TYPE_INT64] = "LL", [TYPE_UINT64] = "ULL"};
    WEFT_ASSERT(k < TYPE_FLOAT16);
    const str digits = cuda_decimal(n, (int64_t)x);
    return suffixes[k] ? cuda_text(n, "@@", digits, str_c(suffixes[k])) : digits;
}

/* A 16-bit float, which CUDA has as a class with conversions from and to float. */
static bool is_half(const type *t)
{
    return t->kind == TYPE_FLOAT16 || t->kind == TYPE_BFLOAT16;
}

/* Does the 16-bit type have the number, so that it is not rounded? 11 and 8 are the bits of the two
 * mantissas, -13 and -120 are above the smallest normal exponents. */
static bool is_exact(const type *t, double x)
{
    const bool wide = t->kind == TYPE_BFLOAT16;
    int exponent;
    const double m = ldexp(frexp(x, &exponent), wide ? 8 : 11);
    return x == 0 || (m == floor(m) && exponent > (wide ? -120 : -13) && exponent <= 16);
}

/* A literal; that of a negative number is a minus sign and the number. */
static cuda_expr literal(cuda_defs *n, str text, const type *t, double x)
{
    cuda_expr e = cuda_expr_of(text, t, signbit(x) ? CUDA_UNARY : CUDA_PRIMARY);
    if (signbit(x) && !isnan(x)) {
        const cuda_expr positive = cuda_expr_of((str){text.p + 1, text.n - 1}, t, CUDA_PRIMARY);
        e.negates = cuda_kept(n, &positive);
    }
    return e;
}

/* A literal of a 16-bit type is a conversion of a float's. `wide` keeps the float's for sums in
 * float. */
cuda_expr cuda_number(cuda_defs *n, const type *t, double x)
{
    if (t->kind == TYPE_BOOL)
        return cuda_expr_of(x != 0 ? STR("true") : STR("false"), t, CUDA_PRIMARY);
    if (type_is_integer(t)) {
        cuda_expr e = literal(n, integer_literal(n, t->kind, x), t, x);
        e.is_integer = true;
        e.integer = (int64_t)x;
        return e;
    }
    const str text = float_literal(n, x, t->kind != TYPE_FLOAT64);
    if (!is_half(t))
        return literal(n, text, t, x);
    cuda_expr e = cuda_expr_of(cuda_text(n, "@(@)", cuda_type_name(n, t), text), t, CUDA_POSTFIX);
    if (isfinite(x) && is_exact(t, x)) {
        const cuda_expr wide = literal(n, text, type_scalar(n->c, TYPE_FLOAT32), x);
        e.wide = cuda_kept(n, &wide);
    }
    return e;
}

/* C computes narrow integers in int and 16-bit floats in float; the result is converted back. */
cuda_expr cuda_narrowed(cuda_defs *n, const type *t, const cuda_expr *e)
{
    const str name = cuda_type_name(n, t);
    if (is_half(t))
        return cuda_expr_of(cuda_text(n, "@(@)", name, e->text), t, CUDA_POSTFIX);
    const str x = cuda_operand(n, e, e->operand ? CUDA_POSTFIX : CUDA_UNARY);
    return cuda_expr_of(cuda_text(n, "(@)@", name, x), t, CUDA_UNARY);
}

/* 16-bit floats are converted by way of float, as in Warp. Where the float that a 16-bit value was
 * made of is known to be exact, it is taken instead. */
cuda_expr cuda_cast(cuda_defs *n, const type *to, const cuda_expr *e)
{
    if (to->kind == e->type->kind)
        return *e;
    cuda_expr from = *e;
    const bool by_float = (is_half(e->type) && to->kind != TYPE_FLOAT32) ||
                          (is_half(to) && e->type->kind != TYPE_FLOAT32);
    if (is_half(e->type) && e->wide) {
        from = *e->wide;
        if (to->kind == TYPE_FLOAT32)
            return from;
    } else if (by_float) {
        from = cuda_narrowed(n, type_scalar(n->c, TYPE_FLOAT32), e);
    }
    return cuda_narrowed(n, to, &from);
}

/* CUDA's own functions for the same bits; NULL: there is none. */
static const char *bits_function(type_kind from, type_kind to)
{
    static const struct {
        type_kind from, to;
        const char *name;
    } functions[] = {{TYPE_FLOAT32, TYPE_INT32, "__float_as_int"},
                     {TYPE_FLOAT32, TYPE_UINT32, "__float_as_uint"},
                     {TYPE_INT32, TYPE_FLOAT32, "__int_as_float"},
                     {TYPE_UINT32, TYPE_FLOAT32, "__uint_as_float"},
                     {TYPE_FLOAT64, TYPE_INT64, "__double_as_longlong"},
                     {TYPE_INT64, TYPE_FLOAT64, "__longlong_as_double"}};
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
        if (functions[i].from == from && functions[i].to == to)
            return functions[i].name;
    return NULL;
}

/* A device function that copies the bytes. Blanks of the type's name become underscores:
 * "bits_as_unsigned_long_long". */
static str define_bits(cuda_defs *n, const type *to, const type *from)
{
    const str tname = cuda_type_name(n, to), fname = cuda_type_name(n, from);
    const str key = cuda_text(n, "bits(@)@", fname, tname);
    const cuda_def *def = cuda_def_find(n, key);
    if (def)
        return def->name;
    strbuf b;
    sb_init(&b, n->a->m);
    for (size_t i = 0; i < tname.n; i++)
        sb_char(&b, tname.p[i] == ' ' ? '_' : tname.p[i]);
    const str name = cuda_free_name(n, cuda_text(n, "bits_as_@", cuda_take(n, &b)));
    cuda_def_add(n, key, name,
                 cuda_text(n,
                           "__device__ inline @ @(@ a)\n{\n"
                           "    @ r;\n"
                           "    memcpy(&r, &a, sizeof(r));\n"
                           "    return r;\n}\n",
                           tname, name, fname, tname),
                 false);
    return name;
}

/* The same bits as a value of type `to`, which has the same size: wp.cast. */
cuda_expr cuda_bits(cuda_defs *n, const type *to, const cuda_expr *e)
{
    if (type_equal(to, e->type))
        return *e;
    const char *known = bits_function(e->type->kind, to->kind);
    const str name = known ? str_c(known) : define_bits(n, to, e->type);
    return cuda_expr_of(cuda_text(n, "@(@)", name, e->text), to, CUDA_POSTFIX);
}
