/* SPDX-License-Identifier: Apache-2.0 */
/* Operators and other functions of one to three scalars: the family of formula_scalar.h (Warp 1.19
 * native/builtin.h). An example: "add" of (int8, int8) is op_add_i8, where 100 + 100 gives -56;
 * "add" of (float32, float32) is op_add_f32 with the tangent op_add_f32_d and the adjoint
 * adj_op_add_f32. Arguments of different types match no row, as in Warp.
 *
 * Also the two functions by which other families fill an arith_op: arith_set_types and
 * arith_find_formula. */
#include "arith/arith_family.h"
#include "arith/arith_formula.h"

#define ARITH_BODY     "arith/formula_scalar.h"
#define ARITH_INTEGERS 0
#include "arith/arith_each_float.h"
#undef ARITH_INTEGERS
#define ARITH_INTEGERS 1
#include "arith/arith_each_integer.h"
#undef ARITH_INTEGERS
#undef ARITH_BODY

/* The types are copied, since the caller's request may not last. */
bool arith_set_types(const arith_request *q, arith_op *op, const type *result)
{
    WEFT_ASSERT(op->run && result);
    if (q->nresults > 1 || (q->nresults == 1 && !type_equal(q->results[0], result)))
        return false;
    const type **types = ARENA_ARRAY(q->a, const type *, q->n + 1);
    for (uint32_t i = 0; i < q->n; i++)
        types[i] = q->args[i];
    types[q->n] = result;
    op->name = q->name;
    op->types = types;
    op->n = q->n;
    op->nresults = 1;
    return true;
}

/* bool takes the function of uint8, which has its size, where the formula is LOGICAL. */
bool arith_find_formula(const arith_request *q, arith_op *op, const arith_formula *f)
{
    WEFT_ASSERT(f->n > 0 && f->n <= 3);
    const type *t = q->n ? q->args[0] : NULL;
    if (q->n != f->n || !t)
        return false;
    for (uint32_t i = 1; i < q->n; i++)
        if (!type_equal(q->args[i], t))
            return false;
    const arith_fns none = {0}, *fns = &none;
    if (type_is_float(t))
        fns = &f->floats[t->kind - TYPE_FLOAT16];
    else if (type_is_integer(t))
        fns = &f->integers[t->kind - TYPE_INT8];
    else if (f->logical)
        fns = &f->integers[TYPE_UINT8 - TYPE_INT8];
    if (!fns->run)
        return false;
    *op = (arith_op){.run = fns->run, .tangent = fns->tangent, .adjoint = fns->adjoint};
    op->differs = f->differs && type_is_float(t);
    return arith_set_types(q, op, f->result == TYPE_VOID ? t : type_scalar(q->c, f->result));
}

/* The kinds of formula_scalar.h as initializers of an arith_formula. Kinds that a row does not name
 * stay without functions, and arith_find_formula refuses them. */
#define INTEGERS(body)      .integers = INTEGER_FNS(op_##body)
#define FLOATS(body)        .floats = FLOAT_FNS(op_##body)
#define FLATS(body)         .floats = FLOAT_FNS_JUMP(op_##body)
#define LOGICAL(body)       .logical = true, INTEGERS(body)
#define TESTS(body)         .floats = FLOAT_FNS_FLAT(op_##body)
#define NUMBERS(body)       INTEGERS(body), FLOATS(body)
#define FLAT_NUMBERS(body)  INTEGERS(body), FLATS(body)
#define ADDED_NUMBERS(body) .integers = INTEGER_FNS_ADJ(op_##body), FLOATS(body)
#define FORMULA(fn, body, count, kinds, given, wrong)                                              \
    DEFINE_FORMULA(find_##fn, count, kinds(body), given, wrong)
#include "arith/formula_scalar.h"
#undef FORMULA

static const arith_row rows[] = {
#define FORMULA(fn, body, count, kinds, given, wrong) {#fn, find_##fn},
#include "arith/formula_scalar.h"
#undef FORMULA
};

const arith_family arith_scalars = {rows, sizeof rows / sizeof *rows};
