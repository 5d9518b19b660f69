/* SPDX-License-Identifier: Apache-2.0 */
/* Equivalent mutants: does the sign of an instruction's result matter?
 *
 *     a = -x; b = cos(a);            no: cos is even
 *     a = -x; b = mul(a, a);         no: the signs cancel
 *     a = -x; b = pow(a, 2.0);       no
 *     a = -x; b = length(vec2(a, y)) no, nor in a function that takes a
 *     a = -q; b = quat_rotate(a, v)  no, and no more of n in `i % n`
 *     a = -v; b = abs(a[k])          no, whichever components are flipped
 *     a = -i; b = a & 1              no: the last bit of i and -i is the same
 *     a = -x; array_store(y, i, a);  yes
 *
 * In a forward text a mutant that flips a sign which does not matter is the same program, but for
 * the sign of a zero, which results do not show. Of a backward text this is no proof: adjoints are
 * passed over, though that of cos(a) has the sign of a. There inputs might kill some of the mutants
 * that are left out, so their number says a little less.
 *
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
        bool part; /* a vector: some of its components */
    } all[FLIPPED_MAX];
    uint32_t n;
    bool lost, read;
    even_reach reach;
} flips;

/* What f makes of a flipped sign. EVEN: f(-x) = f(x); ODD: f(-x) = -f(x), both of one argument;
 * PRODUCT: odd in each of several; SUM: odd in all together. */
typedef enum rule { RULE_UNKNOWN, RULE_EVEN, RULE_ODD, RULE_PRODUCT, RULE_SUM } rule;

/* By the name after wp::, for scalars and composites alike. */
static rule rule_of(const char *name)
{
    static const char *const even[] = {"abs",   "cos",      "cosh",  "length", "length_sq",
                                       "isnan", "isfinite", "isinf", "nonzero"};
    static const char *const odd[] = {"neg",
                                      "sin",
                                      "tan",
                                      "tanh",
                                      "sinh",
                                      "asin",
                                      "atan",
                                      "erf",
                                      "cbrt",
                                      "copy",
                                      "normalize",
                                      "skew",
                                      "trace",
                                      "radians",
                                      "degrees",
                                      "transpose",
                                      "quat_inverse",
                                      "transform_get_rotation",
                                      "transform_get_translation",
                                      "spatial_top",
                                      "spatial_bottom"};
    static const char *const products[] = {"mul", "cw_mul", "dot",   "ddot",
                                           "div", "cw_div", "cross", "outer"};
    static const char *const sums[] = {"add", "sub"};
    return STR_IS_IN(str_c(name), even)       ? RULE_EVEN
           : STR_IS_IN(str_c(name), odd)      ? RULE_ODD
           : STR_IS_IN(str_c(name), products) ? RULE_PRODUCT
           : STR_IS_IN(str_c(name), sums)     ? RULE_SUM
                                              : RULE_UNKNOWN;
}

/* Is it a constant of the text, and an even number (`odd` false) or an odd one? */
static bool is_whole(const textvm *vm, const void *operand, bool odd)
{
    const vm_constant *c = vm_number_at(vm, operand);
    if (!c)
        return false;
    const num n = num_load(c->kind, c->at);
    const double x = c->kind >= TYPE_FLOAT16 ? n.f : (double)n.i;
    const bool small = x >= -64 && x <= 64;
    return small && (double)(int)x - x == 0 && ((int)x & 1) == (int)odd;
}

/* pow(-x, 2.0) = pow(x, 2.0), and pow(-x, 3.0) = -pow(x, 3.0). */
static rule rule_of_pow(const textvm *vm, const ins *i)
{
    return is_whole(vm, i->v[1], false)  ? RULE_EVEN
           : is_whole(vm, i->v[1], true) ? RULE_ODD
                                         : RULE_UNKNOWN;
}

/* Does the operand change its sign, or that of some components? What changes in a part of it
 * otherwise is lost. */
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

/* Is the operand a flip, all of it? */
static bool is_flip(const flips *f, const void *operand)
{
    for (uint32_t i = 0; i < f->n; i++)
        if (operand == (const void *)f->all[i].at)
            return !f->all[i].part;
    return false;
}

/* Is the operand a vector some of whose components change their signs? */
static bool is_part(const flips *f, const void *operand)
{
    for (uint32_t i = 0; i < f->n; i++)
        if (operand == (const void *)f->all[i].at)
            return f->all[i].part;
    return false;
}

/* More than FLIPPED_MAX end the analysis. False: it has been there already. */
static bool add_flip(flips *f, const void *at, size_t size, bool part)
{
    WEFT_ASSERT(f->n <= FLIPPED_MAX);
    for (uint32_t i = 0; i < f->n; i++)
        if (f->all[i].at == (const uint8_t *)at) {
            f->lost |= f->all[i].part != part;
            return false;
        }
    if (f->n == FLIPPED_MAX) {
        f->lost = true;
        return false;
    }
    f->all[f->n].at = at;
    f->all[f->n].part = part;
    f->all[f->n++].n = size;
    return true;
}

/* A vector made of scalars, or a conversion between signed numbers, of flipped operands; part: they
 * are, or some of them are not, and nobody knows which.
 *
 *     flipped a:   vec2(a, b)   flips a component      float(a)   flips */
static void follow_constructor(flips *f, const arith_op *op, void *const *v, bool part)
{
    const type *to = op->types[op->n], *from = op->types[0], *scalar = type_scalar_of(to);
    if (f->reach < EVEN_PARTS || !scalar || op->nresults != 1) { /* a slice is no number */
        f->lost = true;
        return;
    }
    const type_kind k = scalar->kind;
    bool scalars = k != TYPE_BOOL;
    for (uint32_t i = 0; i < op->n; i++)
        scalars &= type_is_scalar(op->types[i]);
    const bool is_signed = type_is_float(scalar) || k == TYPE_INT32 || k == TYPE_INT64;
    if (!scalars || !is_signed)
        f->lost = true;
    else if (to->kind == TYPE_VEC && op->n > 1 && from == scalar)
        add_flip(f, v[op->n], layout_size(to), true);
    else if (type_is_scalar(to) && op->n == 1)
        add_flip(f, v[op->n], layout_size(to), part);
    else
        f->lost = true;
}

/* Is it a component of a vector that is flipped, or some of whose components are? */
static bool is_element(flips *f, const char *name, void *const *v, uint32_t n)
{
    return f->reach >= EVEN_PARTS && n == 2 && strcmp(name, "extract") == 0 &&
           (is_flip(f, v[0]) || is_part(f, v[0])) && !flips_with(f, v[1]);
}

/* The fast paths of a scalar that may be flipped or not: a square is the same, a product with
 * another number may be flipped or not. */
static void follow_scalar_part(flips *f, const ins *i)
{
    if (!do_is_product(i->run))
        f->lost = true;
    else if (i->v[1] != i->v[2] && flips_with(f, i->v[1]) != flips_with(f, i->v[2]))
        add_flip(f, i->v[0], layout_size(i->aux), true);
    else
        f->lost |= i->v[1] != i->v[2];
}

/* Arithmetic on a vector some of whose components are flipped, or a scalar that was one of these.
 * Its length stays, and a factor does not change which they are. */
static void follow_part(flips *f, const char *name, const type *const *types, void *const *v,
                        uint32_t n, const void *result)
{
    static const char *const same[] = {"neg", "copy", "normalize"};
    static const char *const scaled[] = {"mul", "div"};
    static const char *const squares[] = {"dot", "mul"};
    if (n == 1 && rule_of(name) == RULE_EVEN)
        return;
    if (n == 2 && STR_IS_IN(str_c(name), squares) && v[0] == v[1] &&
        (name[0] == 'd' || type_is_scalar(types[0])))
        return;
    if (is_element(f, name, v, n)) {
        add_flip(f, result, layout_size(types[n]), true);
        return;
    }
    const bool by_scalar = n == 2 && STR_IS_IN(str_c(name), scaled) && is_part(f, v[0]) &&
                           type_is_scalar(types[1]) && !flips_with(f, v[1]);
    if ((n == 1 && STR_IS_IN(str_c(name), same)) || by_scalar)
        add_flip(f, result, layout_size(types[n]), true);
    else
        f->lost = true;
}

/* Is it the last bit of an integer that is a flip: `i & 1`? */
static bool is_last_bit(const textvm *vm, const flips *f, const arith_op *op, void *const *v)
{
    if (strcmp(op->name, "bit_and") != 0 || op->n != 2)
        return false;
    const vm_constant *c = vm_number_at(vm, v[is_flip(f, v[0])]);
    return c && is_flip(f, v[0]) != is_flip(f, v[1]) && num_load(c->kind, c->at).i == 1;
}

/* Two operands of which the sign of one does not matter: q and -q are one rotation, and the rest of
 * an integer division has the sign of the number that is divided. */
static bool ignores_sign(const textvm *vm, const flips *f, const arith_op *op, void *const *v)
{
    static const char *const rotations[] = {"quat_rotate", "quat_rotate_inv", "quat_to_matrix"};
    if (f->reach < EVEN_PARTS || !op->name || op->nresults != 1)
        return false;
    if (is_last_bit(vm, f, op, v))
        return true;
    if (STR_IS_IN(str_c(op->name), rotations))
        return is_flip(f, v[0]) && (op->n == 1 || !is_flip(f, v[1]));
    return strcmp(op->name, "mod") == 0 && op->n == 2 && !type_is_float(op->types[0]) &&
           is_flip(f, v[1]) && !is_flip(f, v[0]);
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
    if (!flipped || (!scalar && !f->lost && ignores_sign(vm, f, op, v)))
        return;
    bool part = false;
    for (uint32_t k = 0; k < n; k++)
        part |= is_part(f, v[k]);
    if (part && scalar) {
        follow_scalar_part(f, i);
        return;
    }
    if (!scalar && op->constructs) {
        follow_constructor(f, op, v, part);
        return;
    }
    if (!scalar && (!op->name || op->constructs || op->nresults != 1 || op->in_place || op->nset)) {
        f->lost = true;
        return;
    }
    if (part) {
        follow_part(f, op->name, op->types, v, n, v[n]);
        return;
    }
    if (!scalar && is_element(f, op->name, v, n)) {
        add_flip(f, v[n], layout_size(op->types[n]), false);
        return;
    }
    if (!scalar && op->types[0]->kind == TYPE_TRANSFORM && n > 1) {
        f->lost = true; /* a product of transforms is none of its numbers */
        return;
    }
    const bool power =
        f->reach != EVEN_PLAIN && !scalar && strcmp(op->name, "pow") == 0 && n == 2 && flipped == 1;
    const rule r = power                   ? rule_of_pow(vm, i)
                   : !scalar               ? rule_of(op->name)
                   : do_is_product(i->run) ? RULE_PRODUCT
                                           : RULE_SUM;
    const bool odd =
        r == RULE_ODD || (r == RULE_PRODUCT && (flipped & 1)) || (r == RULE_SUM && flipped == n);
    f->lost |= r == RULE_UNKNOWN || (r == RULE_SUM && flipped != n) ||
               ((r == RULE_EVEN || r == RULE_ODD) && n != 1 && !power);
    if (odd)
        add_flip(f, scalar ? i->v[0] : i->v[op->n], layout_size(scalar ? i->aux : op->types[op->n]),
                 false);
}

/* A call copies arguments to parameters. True: a parameter is flipped that was not before. */
static bool follow_call(flips *f, const ins *i)
{
    const call_info *call = i->aux;
    bool more = false;
    for (uint32_t k = 0; k < call->n; k++) {
        if (!flips_with(f, i->v[k]))
            continue;
        f->lost |= call->args[k].by_reference;
        more |= add_flip(f, call->args[k].to, call->args[k].size, is_part(f, i->v[k]));
    }
    return more;
}

/* Is the operand 0: a constant of the text, or one that is converted, `wp::int32(var_0)`? */
static bool is_zero(const textvm *vm, const void *operand)
{
    const vm_constant *c = vm_number_at(vm, operand);
    for (uint32_t at = 0; !c && at < vm->ncode; at++) {
        const ins *i = vm_inner(vm, at);
        if (i->run == do_arith && i->op->constructs && i->op->n == 1 && i->v[1] == operand)
            c = vm_number_at(vm, i->v[0]);
    }
    const num n = c ? num_load(c->kind, c->at) : (num){0};
    return c && (c->kind >= TYPE_FLOAT16 ? !(n.f != 0) : n.i == 0);
}

/* A test whether a number is 0, which its sign does not change: `if (x)`, `x == 0`. */
static bool tests_zero(const textvm *vm, const flips *f, const ins *i)
{
    if (f->reach != EVEN_TESTS)
        return false;
    if (i->run == do_truth)
        return is_flip(f, i->v[1]);
    if (!do_is_comparison(i->run) || do_is_ordering(i->run) || i->run == do_compare)
        return false;
    const bool left = is_flip(f, i->v[1]);
    return is_flip(f, i->v[left ? 1 : 2]) && is_zero(vm, i->v[left ? 2 : 1]);
}

/* One instruction. True: an earlier one has to be looked at again. */
static bool follow(const textvm *vm, flips *f, const ins *i)
{
    if (do_is_scalar(i->run) || i->run == do_arith) {
        follow_arithmetic(vm, f, i);
        return false;
    }
    /* Adjoints are passed over: of a backward text some mutants are left out that could be told. */
    vm_adjoint unused;
    if (vm_is_adjoint(i, &unused))
        return false;
    if (i->run == do_call && f->reach >= EVEN_PARTS)
        return follow_call(f, i);
    if (tests_zero(vm, f, i)) {
        f->read = true;
        return false;
    }
    for (uint32_t o = 0; o < vm_operands_of(i); o++)
        f->lost |= flips_with(f, i->v[o]);
    return false;
}

bool vm_sign_is_idle(const textvm *vm, uint32_t at, const void *result, const type *t,
                     even_reach reach)
{
    WEFT_ASSERT(at < vm->ncode && t);
    flips f = {.n = 0, .reach = reach};
    add_flip(&f, result, layout_size(t), false);
    for (uint32_t k = at + 1; k < vm->ncode && !f.lost; k++)
        if (follow(vm, &f, vm_inner(vm, k)))
            k = 0; /* functions stand before their callers */
    return f.read && !f.lost;
}
