/* SPDX-License-Identifier: Apache-2.0 */
/* Fast paths: instructions of their own for what texts do most: comparisons, and +, -, * of common
 * types, with the adjoints of these. They give the bits that src/arith gives.
 *
 *     var_3 = wp::mul(var_1, var_2);  of float32   ->   one instruction of two loads, a product and
 *                                                       a store, without a call through arith */
#include "textvm/vm_ops.h"
#include "textvm/vm_read.h"

/* v[0] = v[1] op v[2], a bool. C compares as Warp's C++ does, NaN included. */
#define COMPARE(name, T, op)                                                                       \
    static const ins *name(const ins *i, machine *m)                                               \
    {                                                                                              \
        (void)m;                                                                                   \
        *(uint8_t *)i->v[0] = *(const T *)i->v[1] op * (const T *)i->v[2];                         \
        return i + 1;                                                                              \
    }
#define COMPARES(T, suffix)                                                                        \
    COMPARE(lt_##suffix, T, <)                                                                     \
    COMPARE(gt_##suffix, T, >)                                                                     \
    COMPARE(le_##suffix, T, <=)                                                                    \
    COMPARE(ge_##suffix, T, >=)                                                                    \
    COMPARE(eq_##suffix, T, ==)                                                                    \
    COMPARE(ne_##suffix, T, !=)
COMPARES(int32_t, i32)
COMPARES(uint32_t, u32)
COMPARES(int64_t, i64)
COMPARES(float, f32)
COMPARES(double, f64)

/* The six comparisons of one type, by the token. */
#define CHOOSE(suffix)                                                                             \
    token == '<'    ? lt_##suffix                                                                  \
    : token == '>'  ? gt_##suffix                                                                  \
    : token == T_LE ? le_##suffix                                                                  \
    : token == T_GE ? ge_##suffix                                                                  \
    : token == T_EQ ? eq_##suffix                                                                  \
                    : ne_##suffix

/* Equal types only; the caller has checked that. */
ins_fn *do_compare_of(int token, const type *t)
{
    switch (t->kind) {
    case TYPE_INT32: return CHOOSE(i32);
    case TYPE_UINT32: return CHOOSE(u32);
    case TYPE_INT64: return CHOOSE(i64);
    case TYPE_FLOAT32: return CHOOSE(f32);
    case TYPE_FLOAT64: return CHOOSE(f64);
    default: return NULL;
    }
}

/* Comparisons of any other types; composites are equal when all lanes are. */
const ins *do_compare(const ins *i, machine *m)
{
    (void)m;
    const compare_info *k = i->aux;
    const size_t left = layout_size(&(type){.kind = (uint8_t)k->left});
    const size_t right = layout_size(&(type){.kind = (uint8_t)k->right});
    bool all = true;
    for (int lane = 0; lane < k->lanes; lane++)
        all =
            all &&
            num_compare(k->op, k->left, num_load(k->left, (uint8_t *)i->v[1] + (size_t)lane * left),
                        k->right, num_load(k->right, (uint8_t *)i->v[2] + (size_t)lane * right));
    *(uint8_t *)i->v[0] = all != k->negate;
    return i + 1;
}

/* v[0] = v[1] op v[2]. Integers are computed as unsigned U, in which overflow wraps around. */
#define BINARY(name, T, U, op)                                                                     \
    static const ins *name(const ins *i, machine *m)                                               \
    {                                                                                              \
        (void)m;                                                                                   \
        *(T *)i->v[0] = (T)((U) * (const T *)i->v[1] op(U) * (const T *)i->v[2]);                  \
        return i + 1;                                                                              \
    }
BINARY(add_i32, int32_t, uint32_t, +)
BINARY(sub_i32, int32_t, uint32_t, -)
BINARY(mul_i32, int32_t, uint32_t, *)
BINARY(add_f32, float, float, +)
BINARY(sub_f32, float, float, -)
BINARY(mul_f32, float, float, *)
BINARY(add_f64, double, double, +)
BINARY(sub_f64, double, double, -)
BINARY(mul_f64, double, double, *)

/* For the mutants, which have to know what an instruction computes. */
bool do_is_scalar(ins_fn *run)
{
    return run == add_i32 || run == sub_i32 || run == mul_i32 || run == add_f32 || run == sub_f32 ||
           run == mul_f32 || run == add_f64 || run == sub_f64 || run == mul_f64;
}

bool do_is_subtraction(ins_fn *run)
{
    return run == sub_i32 || run == sub_f32 || run == sub_f64;
}

bool do_is_product(ins_fn *run)
{
    return run == mul_i32 || run == mul_f32 || run == mul_f64;
}

#define ORDERS(suffix)                                                                             \
    (run == lt_##suffix || run == gt_##suffix || run == le_##suffix || run == ge_##suffix)

bool do_is_ordering(ins_fn *run)
{
    return ORDERS(i32) || ORDERS(u32) || ORDERS(i64) || ORDERS(f32) || ORDERS(f64);
}

#define EQUALS(suffix) (run == eq_##suffix || run == ne_##suffix)

bool do_is_comparison(ins_fn *run)
{
    return run == do_compare || do_is_ordering(run) || EQUALS(i32) || EQUALS(u32) || EQUALS(i64) ||
           EQUALS(f32) || EQUALS(f64);
}

/* Integers of other widths and 16-bit floats go through arith: they are rare in texts. */
ins_fn *do_scalar_of(str name, const type *t)
{
    if (name.n != 3 ||
        (t->kind != TYPE_INT32 && t->kind != TYPE_FLOAT32 && t->kind != TYPE_FLOAT64))
        return NULL;
    const int k = t->kind == TYPE_INT32 ? 0 : t->kind == TYPE_FLOAT32 ? 1 : 2;
    static ins_fn *const adds[] = {add_i32, add_f32, add_f64};
    static ins_fn *const subs[] = {sub_i32, sub_f32, sub_f64};
    static ins_fn *const muls[] = {mul_i32, mul_f32, mul_f64};
    return memcmp(name.p, "add", 3) == 0   ? adds[k]
           : memcmp(name.p, "sub", 3) == 0 ? subs[k]
           : memcmp(name.p, "mul", 3) == 0 ? muls[k]
                                           : NULL;
}

/* Adjoints. Operands: a, b, result, adj_a, adj_b, adj_result, as for arith_op's. */
#define ADJOINTS(T, suffix)                                                                        \
    static const ins *adj_add_##suffix(const ins *i, machine *m)                                   \
    {                                                                                              \
        (void)m;                                                                                   \
        const T r = *(const T *)i->v[5];                                                           \
        *(T *)i->v[3] += r;                                                                        \
        *(T *)i->v[4] += r;                                                                        \
        return i + 1;                                                                              \
    }                                                                                              \
    static const ins *adj_sub_##suffix(const ins *i, machine *m)                                   \
    {                                                                                              \
        (void)m;                                                                                   \
        const T r = *(const T *)i->v[5];                                                           \
        *(T *)i->v[3] += r;                                                                        \
        *(T *)i->v[4] -= r;                                                                        \
        return i + 1;                                                                              \
    }                                                                                              \
    static const ins *adj_mul_##suffix(const ins *i, machine *m)                                   \
    {                                                                                              \
        (void)m;                                                                                   \
        const T a = *(const T *)i->v[0], b = *(const T *)i->v[1], r = *(const T *)i->v[5];         \
        *(T *)i->v[3] += b * r;                                                                    \
        *(T *)i->v[4] += a * r;                                                                    \
        return i + 1;                                                                              \
    }
ADJOINTS(float, f32)
ADJOINTS(double, f64)

bool do_is_adj_product(ins_fn *run)
{
    return run == adj_mul_f32 || run == adj_mul_f64;
}

bool do_is_adj_scalar(ins_fn *run)
{
    return do_is_adj_product(run) || run == adj_add_f32 || run == adj_add_f64 ||
           run == adj_sub_f32 || run == adj_sub_f64;
}

/* Adjoints of integers add nothing, so there is no fast path for them. */
ins_fn *do_adj_scalar_of(str name, const type *t)
{
    if (name.n != 3 || (t->kind != TYPE_FLOAT32 && t->kind != TYPE_FLOAT64))
        return NULL;
    const bool f32 = t->kind == TYPE_FLOAT32;
    return memcmp(name.p, "add", 3) == 0   ? (f32 ? adj_add_f32 : adj_add_f64)
           : memcmp(name.p, "sub", 3) == 0 ? (f32 ? adj_sub_f32 : adj_sub_f64)
           : memcmp(name.p, "mul", 3) == 0 ? (f32 ? adj_mul_f32 : adj_mul_f64)
                                           : NULL;
}
