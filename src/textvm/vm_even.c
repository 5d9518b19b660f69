/* SPDX-License-Identifier: Apache-2.0 */
/* Equivalent mutants: does the sign of an instruction's result matter?
 *
 *     a = -x; b = cos(a);            no: cos is even
 *     a = -x; b = mul(a, a);         no: the signs cancel
 *     a = -x; b = pow(a, 2.0);       no
 *     a = -x; array_store(y, i, a);  yes
 *
 * A mutant that flips a sign which does not matter is the same program, and no input could kill it.
 * The analysis follows the code forward from the result. Each result of arithmetic keeps its value,
 * or changes its sign with the first one (a flip). If neither is certain, or if another instruction
 * reads or writes a flip, the sign is taken to matter. */
#include "base/assert.h"
#include "textvm/vm_ops.h"

enum { FLIPPED_MAX = 24 };

/* Values whose sign is flipped: their bytes. lost: the sign matters; read: arithmetic has used a
 * flip, without which the analysis says nothing. */
typedef struct flips {
    struct {
        const uint8_t *at;
        size_t n;
    } all[FLIPPED_MAX];
    uint32_t n;
    bool lost, read;
    bool powers; /* pow with a whole exponent is known */
} flips;

/* What f makes of a flipped sign. EVEN: f(-x) = f(x); ODD: f(-x) = -f(x), both of one argument;
 * PRODUCT: odd in each of several; SUM: odd in all together. */
typedef enum rule { RULE_UNKNOWN, RULE_EVEN, RULE_ODD, RULE_PRODUCT, RULE_SUM } rule;

/* The lists are short, so they are searched one by one. */
static bool is_one_of(const char *name, const char *const *list, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (strcmp(name, list[i]) == 0)
            return true;
    return false;
}
#define ONE_OF(name, list) is_one_of(name, list, sizeof(list) / sizeof *(list))

/* By the name after wp::, for scalars and composites alike. */
static rule rule_of(const char *name)
{
    static const char *const even[] = {"abs",   "cos",      "cosh",  "length", "length_sq",
                                       "isnan", "isfinite", "isinf", "nonzero"};
    static const char *const odd[] = {
        "neg",  "sin",  "tan",       "tanh", "sinh",  "asin",    "atan",    "erf",      "cbrt",
        "sign", "copy", "normalize", "skew", "trace", "radians", "degrees", "transpose"};
    static const char *const products[] = {"mul", "cw_mul", "dot",   "ddot",
                                           "div", "cw_div", "cross", "outer"};
    static const char *const sums[] = {"add", "sub"};
    return ONE_OF(name, even)       ? RULE_EVEN
           : ONE_OF(name, odd)      ? RULE_ODD
           : ONE_OF(name, products) ? RULE_PRODUCT
           : ONE_OF(name, sums)     ? RULE_SUM
                                    : RULE_UNKNOWN;
}

/* Is it a constant of the text, and an even number (`odd` false) or an odd one? */
static bool is_whole(const textvm *vm, const void *operand, bool odd)
{
    for (uint32_t k = 0; k < vm->constants.n; k++) {
        const vm_constant *c = &vm->constants.v[k];
        if (c->at != operand)
            continue;
        const num n = num_load(c->kind, c->at);
        const double x = c->kind >= TYPE_FLOAT16 ? n.f : (double)n.i;
        const bool small = x >= -64 && x <= 64;
        return small && (double)(int)x - x == 0 && ((int)x & 1) == (int)odd;
    }
    return false;
}

/* pow(-x, 2.0) = pow(x, 2.0), and pow(-x, 3.0) = -pow(x, 3.0). */
static rule rule_of_pow(const textvm *vm, const ins *i)
{
    return is_whole(vm, i->v[1], false)  ? RULE_EVEN
           : is_whole(vm, i->v[1], true) ? RULE_ODD
                                         : RULE_UNKNOWN;
}

/* Does the operand change its sign? What changes in a part of it is lost. */
static bool flips_with(flips *f, const void *operand)
{
    const uint8_t *p = operand;
    for (uint32_t i = 0; i < f->n; i++)
        if (p >= f->all[i].at && p < f->all[i].at + f->all[i].n) {
            f->lost |= p != f->all[i].at;
            f->read = true;
            return true;
        }
    return false;
}

/* More than FLIPPED_MAX end the analysis. */
static void add_flip(flips *f, const void *at, const type *t)
{
    WEFT_ASSERT(f->n <= FLIPPED_MAX);
    if (f->n == FLIPPED_MAX) {
        f->lost = true;
        return;
    }
    f->all[f->n].at = at;
    f->all[f->n++].n = layout_size(t);
}

/* Arithmetic that reads flips gives a flip, or the same value, or an unknown one.
 *
 *     flipped a:   mul(a, b)   flips      mul(a, a)   does not      add(a, b)   is lost */
static void follow_arithmetic(const textvm *vm, flips *f, const ins *i)
{
    const bool scalar = do_is_scalar(i->run);
    const arith_op *op = scalar ? NULL : i->op;
    WEFT_ASSERT(scalar || op);
    void *const *v = i->v + (scalar ? 1 : 0);
    const uint32_t n = scalar ? 2 : op->n;
    uint32_t flipped = 0;
    for (uint32_t k = 0; k < n; k++)
        flipped += flips_with(f, v[k]);
    if (!flipped)
        return;
    if (!scalar && (!op->name || op->constructs || op->nresults != 1 || op->in_place)) {
        f->lost = true;
        return;
    }
    const bool power =
        f->powers && !scalar && strcmp(op->name, "pow") == 0 && n == 2 && flipped == 1;
    const rule r = power                   ? rule_of_pow(vm, i)
                   : !scalar               ? rule_of(op->name)
                   : do_is_product(i->run) ? RULE_PRODUCT
                                           : RULE_SUM;
    const bool odd =
        r == RULE_ODD || (r == RULE_PRODUCT && (flipped & 1)) || (r == RULE_SUM && flipped == n);
    f->lost |= r == RULE_UNKNOWN || (r == RULE_SUM && flipped != n) ||
               ((r == RULE_EVEN || r == RULE_ODD) && n != 1 && !power);
    if (odd)
        add_flip(f, scalar ? i->v[0] : i->v[op->n], scalar ? i->aux : op->types[op->n]);
}

/* How many operands another instruction reads or writes; of accesses `n` counts the indices only.
 */
static uint32_t operands(const ins *i)
{
    ins_fn *run = i->run;
    if (run == do_address || run == do_address1 || run == do_array_store || run == do_array_store1)
        return 2 + i->n;
    return run == do_atomic ? 4 + i->n : i->v ? i->n : 0;
}

bool vm_sign_is_idle(const textvm *vm, uint32_t at, const void *result, const type *t, bool powers)
{
    WEFT_ASSERT(at < vm->ncode && t);
    flips f = {.n = 0, .powers = powers};
    add_flip(&f, result, t);
    for (uint32_t k = at + 1; k < vm->ncode && !f.lost; k++) {
        const ins *i = vm_inner(vm, k);
        if (do_is_scalar(i->run) || i->run == do_arith) {
            follow_arithmetic(vm, &f, i);
            continue;
        }
        for (uint32_t o = 0; o < operands(i); o++)
            f.lost |= flips_with(&f, i->v[o]);
    }
    return f.read && !f.lost;
}
