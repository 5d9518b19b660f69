/* SPDX-License-Identifier: Apache-2.0 */
/* For bodies that are written once and compiled for every scalar kind and for its tangents.
 *
 * A body is a header without guard that defines functions with the macros below, and which a .c
 * file has included for each kind:
 *
 *     #define ARITH_BODY "arith/body_quat.h"
 *     #include "arith/arith_each_float.h"    (float16, bfloat16, float32, float64; their tangents)
 *     #undef ARITH_BODY
 *
 *     // body_quat.h
 *     static inline NUM FN(dot4)(const NUM *a, const NUM *b)
 *     {
 *         return ADD(ADD(MUL(a[0], b[0]), MUL(a[1], b[1])), ...);
 *     }
 *     static arith_status FN(quat_inverse)(const arith_op *op, void *const *operands)
 *     {
 *         NUM q[4];
 *         ARGS(0, q, 4);             // argument 0
 *         ...
 *         GIVES(0, r, 4);            // result 0
 *         return ARITH_OK;
 *     }
 *     #if !TANGENT
 *     static arith_status FN(adj_quat_inverse)(const arith_op *op, void *const *operands)
 *     {
 *         NUM d[4];
 *         ADJ_RESULTS(0, d, 4);      // adjoint of result 0
 *         ...
 *         ADJ_ADDS(0, dq, 4);        // added to the adjoint of argument 0
 *     }
 *     #endif
 *
 * and a table of the functions is FLOAT_FNS(quat_inverse): arith_fns[4] of { run, tangent, adjoint
 * }, indexed by kind - TYPE_FLOAT16 (FLOAT_FNS_FLAT: without tangent and adjoint). The same body
 * makes quat_inverse_f32 and, with dual numbers, its tangent quat_inverse_f32_d.
 * arith_each_integer.h does values of the eight integer kinds: INTEGER_FNS(name), indexed by kind -
 * TYPE_INT8.
 *
 * Numbers are only combined by the macros (ADD, MUL, SQRT, LESS, ...): for 16-bit floats each of
 * them rounds, as Warp does. Constants are NUMBER(0.5). */
#ifndef WEFT_ARITH_TEMPLATE_H
#define WEFT_ARITH_TEMPLATE_H

#include "arith/arith_dual.h"
#include "arith/arith_number.h"

/* In two steps, so that ARITH_KIND is replaced by its value before it is pasted. */
#define ARITH_PASTE2(a, b) a##_##b
#define ARITH_PASTE(a, b)  ARITH_PASTE2(a, b)

/* ARITH_KIND (f32, f32_d, i8, ...) and ARITH_OPS (f32, dual, i8, ...) are set by
 * arith_each_*.h. */
/* FN(name) is the body's own function, by kind: FN(dot4) is dot4_f32 or dot4_f32_d. ARITH_DO(name)
 * is an operation on numbers: ARITH_DO(add) is add_f32, or add_dual for every tangent. */
#define FN(name)       ARITH_PASTE(name, ARITH_KIND)
#define ARITH_DO(name) ARITH_PASTE(name, ARITH_OPS)
#define NUM            ARITH_DO(num)
#define NUMBER(x)      ARITH_DO(from)(x)
#define ADD(a, b)      ARITH_DO(add)(a, b)
#define SUB(a, b)      ARITH_DO(sub)(a, b)
#define MUL(a, b)      ARITH_DO(mul)(a, b)
#define DIV(a, b)      ARITH_DO(div)(a, b)
#define NEG(a)         ARITH_DO(neg)(a)
#define MIN2(a, b)     ARITH_DO(min)(a, b)
#define MAX2(a, b)     ARITH_DO(max)(a, b)
#define ABS(a)         ARITH_DO(abs)(a)
#define LESS(a, b)     ARITH_DO(less)(a, b)
#define EQUAL(a, b)    ARITH_DO(equal)(a, b)
#define SQRT(a)        ARITH_DO(sqrt)(a)
#define SIN(a)         ARITH_DO(sin)(a)
#define COS(a)         ARITH_DO(cos)(a)
#define TAN(a)         ARITH_DO(tan)(a)
#define ASIN(a)        ARITH_DO(asin)(a)
#define ACOS(a)        ARITH_DO(acos)(a)
#define ATAN(a)        ARITH_DO(atan)(a)
#define ATAN2(a, b)    ARITH_DO(atan2)(a, b)
#define EXP(a)         ARITH_DO(exp)(a)
#define LOG(a)         ARITH_DO(log)(a)
#define POW(a, b)      ARITH_DO(pow)(a, b)
#define MOD(a, b)      ARITH_DO(mod)(a, b)
#define CBRT(a)        ARITH_DO(cbrt)(a)
#define SINH(a)        ARITH_DO(sinh)(a)
#define COSH(a)        ARITH_DO(cosh)(a)
#define TANH(a)        ARITH_DO(tanh)(a)
#define LOG2(a)        ARITH_DO(log2)(a)
#define LOG10(a)       ARITH_DO(log10)(a)
#define ERF(a)         ARITH_DO(erf)(a)
#define ERFC(a)        ARITH_DO(erfc)(a)
#define CEIL(a)        ARITH_DO(ceil)(a)
#define TRUNC(a)       ARITH_DO(trunc)(a)
#define ROUND(a)       ARITH_DO(round)(a)
#define RINT(a)        ARITH_DO(rint)(a)
#define FLOOR(a)       ARITH_DO(floor)(a)
#define COPYSIGN(a, b) ARITH_DO(copysign)(a, b)
/* Before DIV of integers: not ARITH_OK where it would trap; floats are always ARITH_OK. */
#define DIV_STATUS(a, b) ARITH_DO(div_status)(a, b)

/* Of integers: the bits to shift by, and whether C++ says what that gives. Narrow integers are
 * shifted in 32 bits. */
#define SHIFT_WIDTH      (sizeof(NUM) == 8 ? 64 : 32)
#define SHIFT_COUNT(by)  ((int)((uint64_t)(by) & (SHIFT_WIDTH - 1)))
#define SHIFT_STATUS(by) ((uint64_t)(by) < SHIFT_WIDTH ? ARITH_OK : ARITH_SHIFT)

/* Element j of argument i, and of result k; many at once into or from an array. */
#define ARG(i, j)           FN(arg)(op, operands, i, j)
#define GIVE(k, j, x)       FN(give)(op, operands, k, j, x)
#define ARGS(i, out, count) ARITH_EACH(count, (out)[each_] = ARG(i, each_))
#define GIVES(k, in, count) ARITH_EACH(count, GIVE(k, each_, (in)[each_]))
#define ARITH_EACH(count, action)                                                                  \
    for (int each_ = 0; each_ < (count); each_++)                                                  \
    action

/* For adjoints (not in tangents). RESULT is the primal; needs HAS_RESULT. */
#define HAS_RESULT(k)              (operands[op->n + (k)] != NULL)
#define RESULT(k, j)               FN(load)(operands[op->n + (k)], j)
#define ADJ_RESULT(k, j)           FN(load)(operands[2 * op->n + op->nresults + (k)], j)
#define ADJ_ADD(i, j, x)           FN(adj_add)(op, operands, i, j, x)
#define ADJ_RESULTS(k, out, count) ARITH_EACH(count, (out)[each_] = ADJ_RESULT(k, each_))
#define ADJ_ADDS(i, in, count)     ARITH_EACH(count, ADJ_ADD(i, each_, (in)[each_]))

/* In a function with `arith_status status`: there is no derivative where `condition` holds. A
 * number that does not move (tangent zero) has no kink, and neither have two equal ones that move
 * alike: a tie of a and b is EQUAL(a, b) && MOVES(SUB(a, b)). */
#define KINK_IF(condition)                                                                         \
    do {                                                                                           \
        if (TANGENT && (condition))                                                                \
            status = ARITH_KINK;                                                                   \
    } while (0)
/* Is the tangent not zero? False for values. */
#define MOVES(x) ARITH_DO(moves)(x)

/* The functions of an operation for one kind, as in struct arith_op. run NULL: there is no such
 * operation for the kind. */
typedef struct arith_fns {
    arith_fn *run, *tangent, *adjoint;
} arith_fns;

/* Tables of functions. */
#define FLOAT_FNS(name)                                                                            \
    {                                                                                              \
        {name##_f16, name##_f16_d, adj_##name##_f16},                                              \
            {name##_bf16, name##_bf16_d, adj_##name##_bf16},                                       \
            {name##_f32, name##_f32_d, adj_##name##_f32},                                          \
            {name##_f64, name##_f64_d, adj_##name##_f64},                                          \
    }
#define FLOAT_FNS_FLAT(name)                                                                       \
    {                                                                                              \
        {name##_f16, NULL, NULL}, {name##_bf16, NULL, NULL}, {name##_f32, NULL, NULL},             \
            {name##_f64, NULL, NULL},                                                              \
    }
/* What jumps: without adjoint, and with a tangent that is zero or a kink. */
#define FLOAT_FNS_JUMP(name)                                                                       \
    {                                                                                              \
        {name##_f16, name##_f16_d, NULL}, {name##_bf16, name##_bf16_d, NULL},                      \
            {name##_f32, name##_f32_d, NULL}, {name##_f64, name##_f64_d, NULL},                    \
    }
#define INTEGER_FNS(name)                                                                          \
    {                                                                                              \
        {name##_i8, NULL, NULL}, {name##_u8, NULL, NULL}, {name##_i16, NULL, NULL},                \
            {name##_u16, NULL, NULL}, {name##_i32, NULL, NULL}, {name##_u32, NULL, NULL},          \
            {name##_i64, NULL, NULL}, {name##_u64, NULL, NULL},                                    \
    }
/* For the few whose adjoint adds even to integers: Warp's templates pos, neg, where, copy. */
#define INTEGER_FNS_ADJ(name)                                                                      \
    {                                                                                              \
        {name##_i8, NULL, adj_##name##_i8}, {name##_u8, NULL, adj_##name##_u8},                    \
            {name##_i16, NULL, adj_##name##_i16}, {name##_u16, NULL, adj_##name##_u16},            \
            {name##_i32, NULL, adj_##name##_i32}, {name##_u32, NULL, adj_##name##_u32},            \
            {name##_i64, NULL, adj_##name##_i64}, {name##_u64, NULL, adj_##name##_u64},            \
    }

/* Elements of arguments and results, from the counts in op, or from a constant count of arguments
 * where there is one result and speed matters (in, out; element 0). */
#define ARITH_VALUE_ACCESS(KIND)                                                                   \
    static inline num_##KIND arg_##KIND(const arith_op *op, void *const *operands, uint32_t i,     \
                                        int j)                                                     \
    {                                                                                              \
        (void)op;                                                                                  \
        WEFT_ASSERT(i < op->n && j >= 0);                                                          \
        return load_##KIND(operands[i], j);                                                        \
    }                                                                                              \
    static inline void give_##KIND(const arith_op *op, void *const *operands, uint32_t k, int j,   \
                                   num_##KIND x)                                                   \
    {                                                                                              \
        store_##KIND(operands[op->n + k], j, x);                                                   \
    }                                                                                              \
    static inline num_##KIND in_##KIND(void *const *operands, int n, int i)                        \
    {                                                                                              \
        (void)n;                                                                                   \
        WEFT_ASSERT(i < n);                                                                        \
        return load_##KIND(operands[i], 0);                                                        \
    }                                                                                              \
    static inline void out_##KIND(void *const *operands, int n, num_##KIND x)                      \
    {                                                                                              \
        store_##KIND(operands[n], 0, x);                                                           \
    }                                                                                              \
    static inline void adj_in_##KIND(void *const *operands, int n, int i, num_##KIND x)            \
    {                                                                                              \
        WEFT_ASSERT(i < n);                                                                        \
        void *p = operands[n + 1 + i];                                                             \
        store_##KIND(p, 0, add_##KIND(load_##KIND(p, 0), x));                                      \
    }                                                                                              \
    static inline num_##KIND adj_out_##KIND(void *const *operands, int n)                          \
    {                                                                                              \
        return load_##KIND(operands[2 * n + 1], 0);                                                \
    }                                                                                              \
    static inline void adj_add_##KIND(const arith_op *op, void *const *operands, uint32_t i,       \
                                      int j, num_##KIND x)                                         \
    {                                                                                              \
        WEFT_ASSERT(i < op->n && j >= 0);                                                          \
        void *p = operands[op->n + op->nresults + i];                                              \
        store_##KIND(p, j, add_##KIND(load_##KIND(p, j), x));                                      \
    }

/* The same for tangents. The operands are arguments, results, tangents of the arguments,
 * tangents of the results: a number is read as a pair from the first and third group, and give
 * stores to the last. The values of the results are there already: run has computed them. */
#define ARITH_DUAL_ACCESS(KIND)                                                                    \
    static inline num_dual arg_##KIND##_d(const arith_op *op, void *const *operands, uint32_t i,   \
                                          int j)                                                   \
    {                                                                                              \
        WEFT_ASSERT(i < op->n + op->nresults && j >= 0);                                           \
        const void *tangent = operands[op->n + op->nresults + i];                                  \
        return (num_dual){(double)load_##KIND(operands[i], j), (double)load_##KIND(tangent, j)};   \
    }                                                                                              \
    static inline void give_##KIND##_d(const arith_op *op, void *const *operands, uint32_t k,      \
                                       int j, num_dual x)                                          \
    {                                                                                              \
        store_##KIND(operands[2 * op->n + op->nresults + k], j, (num_##KIND)x.d);                  \
    }                                                                                              \
    static inline num_dual in_##KIND##_d(void *const *operands, int n, int i)                      \
    {                                                                                              \
        return (num_dual){(double)load_##KIND(operands[i], 0),                                     \
                          (double)load_##KIND(operands[n + 1 + i], 0)};                            \
    }                                                                                              \
    static inline void out_##KIND##_d(void *const *operands, int n, num_dual x)                    \
    {                                                                                              \
        store_##KIND(operands[2 * n + 1], 0, (num_##KIND)x.d);                                     \
    }

ARITH_VALUE_ACCESS(i8)
ARITH_VALUE_ACCESS(u8)
ARITH_VALUE_ACCESS(i16)
ARITH_VALUE_ACCESS(u16)
ARITH_VALUE_ACCESS(i32)
ARITH_VALUE_ACCESS(u32)
ARITH_VALUE_ACCESS(i64)
ARITH_VALUE_ACCESS(u64)
ARITH_VALUE_ACCESS(f16)
ARITH_VALUE_ACCESS(bf16)
ARITH_VALUE_ACCESS(f32)
ARITH_VALUE_ACCESS(f64)
ARITH_DUAL_ACCESS(f16)
ARITH_DUAL_ACCESS(bf16)
ARITH_DUAL_ACCESS(f32)
ARITH_DUAL_ACCESS(f64)

#endif
