/* SPDX-License-Identifier: Apache-2.0 */
/* Mutants: one instruction of a program changed in memory, and back. check_mutant.c lists
 * them, draws some and runs these.
 *
 *     var_4 = wp::sub(var_1, var_2);       sign: var_4 = -(var_1 - var_2)
 *                                          swap: var_4 = var_2 - var_1
 *     wp::array_store(var_y, var_0, v);    index: to var_0 + 1      drop: no store
 *
 *     sign     the result of arithmetic is negated
 *     index    the last index of an access is one larger
 *     swap     operands of one type are exchanged, where the operation is not commutative
 *     drop     a store, or the adjoint of an operation, is left out; that of a store still clears
 *              the gradient, for that of `a[i] = a[i] + 1` may as well be left as it is
 *     keep     the adjoint of a store does not clear the gradient
 *     not      a comparison has the opposite result
 *     constant a number of the source is another one
 *
 * The instruction's function is replaced by one that runs the saved original and then changes its
 * result, so no other instruction is touched. A mutant is one run of the same program: nothing is
 * copied. Mutants that cannot change a result are not listed (vm_even.c). */
#include "base/assert.h"
#include "textvm/vm_ops.h"

enum { OPERANDS_MAX = 12 }; /* the length of textvm.mutant_v */

/* The instruction at `at`; the one inside where it is wrapped by do_define, which sets flags. */
ins *vm_inner(const textvm *vm, uint32_t at)
{
    WEFT_ASSERT(at < vm->ncode);
    ins *i = &vm->code[at];
    define *d;
    if (i->run != do_define)
        return i;
    memcpy(&d, &i->aux, sizeof d);
    return &d->inner;
}

const ins *vm_own(const textvm *vm, uint32_t at)
{
    const bool changed = vm->mutated && vm->mutant.kind != MUTANT_CONSTANT && vm->mutant.at == at;
    return changed ? &vm->saved : vm_inner(vm, at);
}

/* The type of the result of arithmetic; NULL: it is another instruction, or has several results.
 * *op: the operation, NULL for fast paths (vm_scalar_ops.c), whose aux is the type. */
static const type *arithmetic(const ins *i, const arith_op **op)
{
    *op = NULL;
    if (i->run == do_arith) {
        *op = i->op;
        return i->op->nresults == 1 && i->op->n ? i->op->types[i->op->n] : NULL;
    }
    return do_is_scalar(i->run) ? i->aux : NULL;
}

/* Where the result goes: operand 0 of fast paths, behind the arguments of others. */
static void *result_of(const ins *i, const arith_op *op)
{
    return i->v[op ? op->n : 0];
}

/* Negates each lane of a result of the arithmetic. */
void vm_negate(const ins *i, uint8_t *at)
{
    const arith_op *op;
    const type *t = arithmetic(i, &op);
    WEFT_ASSERT(t);
    const type_kind k = type_scalar_of(t)->kind;
    const size_t size = layout_size(type_scalar_of(t));
    for (int lane = 0; lane < lane_count(t); lane++, at += size) {
        num x = num_load(k, at);
        if (type_is_float(type_scalar_of(t)))
            x.f = -x.f;
        else
            x = num_binary(k, SCALAR_SUB, (num){.i = 0}, x);
        num_store(k, at, x);
    }
}

/* Runs the saved instruction and negates its result. */
static const ins *do_negated(const ins *i, machine *m)
{
    const arith_op *op;
    const ins *saved = &m->vm->saved;
    WEFT_ASSERT(m->vm->mutated);
    if (!saved->run(saved, m))
        return NULL;
    (void)arithmetic(saved, &op);
    vm_negate(saved, result_of(saved, op));
    return i + 1;
}

/* Runs the saved access with operands of its own: the last index is a local that is one larger. */
static const ins *do_index_off(const ins *i, machine *m)
{
    textvm *vm = m->vm;
    const ins *saved = &vm->saved;
    ins changed = *saved;
    const uint32_t k = vm->mutant_operand;
    WEFT_ASSERT(vm->mutated && k < vm->mutant_count && vm->mutant_count <= OPERANDS_MAX);
    int32_t index;
    memcpy(vm->mutant_v, saved->v, vm->mutant_count * sizeof *saved->v);
    memcpy(&index, saved->v[k], sizeof index);
    index = (int32_t)((uint32_t)index + 1);
    vm->mutant_v[k] = &index;
    changed.v = vm->mutant_v;
    return changed.run(&changed, m) ? i + 1 : NULL;
}

/* Runs the saved comparison and turns its result. */
static const ins *do_turned(const ins *i, machine *m)
{
    const ins *saved = &m->vm->saved;
    WEFT_ASSERT(m->vm->mutated);
    if (!saved->run(saved, m))
        return NULL;
    uint8_t *to = saved->v[0];
    *to = !*to;
    return i + 1;
}

/* In place of a store or an assignment. */
static const ins *do_nothing(const ins *i, machine *m)
{
    (void)m;
    return i + 1;
}

/* Has a value of this type lanes that can be negative? */
static bool negatable(const type *t)
{
    if (!t || !type_is_value(t))
        return false;
    const type_kind k = type_scalar_of(t)->kind;
    return type_is_float(type_scalar_of(t)) || k == TYPE_INT8 || k == TYPE_INT16 ||
           k == TYPE_INT32 || k == TYPE_INT64;
}

/* Where the indices of an access stand; 0: it is none. */
static uint32_t first_index(const ins *i)
{
    ins_fn *run = i->run;
    if (run == do_address || run == do_address1 || run == do_array_store || run == do_array_store1)
        return 2;
    return run == do_atomic ? 4 : 0;
}

/* Only int32 indices, which do_index_off can change. */
static bool has_index(const ins *i)
{
    const array_info *info = i->aux;
    return first_index(i) && !info->indices;
}

/* Does it write to memory, or assign to a variable of the source (wp::assign)? Other moves are
 * the text's own. */
static bool stores(const ins *i)
{
    return i->run == do_array_store || i->run == do_array_store1 || i->run == do_atomic ||
           i->run == do_atomic_at || i->run == do_store || do_is_assign(i->run);
}

/* May operands be exchanged? Then sets *a and *b to their numbers: those of one type in an
 * operation that is not commutative; the two values of a where.
 *
 *     var_3 = wp::sub(var_1, var_2);          1, 2 for the fast path; 0, 1 for arith_op
 *     var_4 = wp::where(var_0, var_1, var_2); 2, 3
 *     var_5 = wp::add(var_1, var_2);          false */
bool vm_swappable(const ins *i, uint32_t *a, uint32_t *b)
{
    static const char *const names[] = {"sub",   "div",   "mod",    "floordiv", "pow",
                                        "atan2", "cross", "lshift", "rshift",   "copysign"};
    const arith_op *op;
    *a = do_is_ordering(i->run) || do_is_scalar(i->run) ? 1 : i->run == do_where ? 2 : 0;
    *b = *a + 1;
    if (do_is_ordering(i->run) || do_is_subtraction(i->run) || i->run == do_where)
        return i->v[*a] != i->v[*b];
    if (!arithmetic(i, &op) || !op || op->n != 2 || op->types[0] != op->types[1] || !op->name ||
        i->v[0] == i->v[1])
        return false;
    return STR_IS_IN(str_c(op->name), names);
}

/* Is it arithmetic whose sign is worth a mutant? Conversions and constructors are not, and the rest
 * of an integer division mostly meets a comparison with 0, which holds for both signs. */
static bool has_sign(const ins *i)
{
    const arith_op *op;
    const type *t = arithmetic(i, &op);
    if (!negatable(t))
        return false;
    if (!op || !op->name)
        return !op;
    static const char *const unsigned_ones[] = {"int", "float", "bool", "copy"};
    if (op->constructs)
        return false;
    if (STR_IS_IN(str_c(op->name), unsigned_ones))
        return false;
    return strcmp(op->name, "mod") != 0 || type_is_float(type_scalar_of(t));
}

/* Does a mutant of this kind fit the instruction? */
static bool applies(const textvm *vm, const ins *i, mutant_kind kind)
{
    uint32_t a, b;
    vm_adjoint unused;
    switch (kind) {
    case MUTANT_SIGN: return has_sign(i);
    case MUTANT_INDEX: return has_index(i);
    case MUTANT_SWAP: return vm_swappable(i, &a, &b);
    case MUTANT_DROP: return stores(i) || (vm->backward && vm_is_adjoint(i, &unused));
    case MUTANT_KEEP: return i->run == do_adj_array_store;
    case MUTANT_NOT: return do_is_comparison(i->run);
    default: return false;
    }
}

/* Is the sign of its result of no effect? Needs: has_sign. */
static bool is_idle(const textvm *vm, uint32_t at, even_reach reach)
{
    const ins *i = vm_inner(vm, at);
    const arith_op *op;
    const type *t = arithmetic(i, &op);
    WEFT_ASSERT(t);
    return vm_sign_is_idle(vm, at, result_of(i, op), t, reach);
}

bool vm_is_even(const textvm *vm, const textvm_mutant *m, even_reach reach)
{
    const arith_op *op;
    if (m->kind == MUTANT_SIGN)
        return is_idle(vm, m->at, reach);
    if (m->kind != MUTANT_SWAP)
        return false;
    const ins *i = vm_inner(vm, m->at);
    if (!has_sign(i))
        return false;
    const type *t = arithmetic(i, &op);
    WEFT_ASSERT(t);
    const bool turns = op && op->name
                           ? strcmp(op->name, "sub") == 0 || strcmp(op->name, "cross") == 0
                           : do_is_subtraction(i->run);
    return t && turns && is_idle(vm, m->at, reach);
}

bool textvm_drops_gradient(const textvm *vm, const textvm_mutant *m)
{
    vm_adjoint a;
    return m->kind == MUTANT_DROP && vm_is_adjoint(vm_inner(vm, m->at), &a) && a.memory;
}

uint32_t textvm_drop_even(const textvm *vm, textvm_mutant *all, uint32_t n)
{
    uint32_t left = 0;
    for (uint32_t i = 0; i < n; i++)
        if (!vm_is_even(vm, &all[i], EVEN_POWERS))
            all[left++] = all[i];
    return left;
}

uint32_t textvm_drop_signs(const textvm *vm, textvm_mutant *all, uint32_t n)
{
    uint32_t left = 0;
    for (uint32_t i = 0; i < n; i++)
        if (!(vm->backward && all[i].kind == MUTANT_SIGN) && !vm_is_even(vm, &all[i], EVEN_TESTS))
            all[left++] = all[i];
    return left;
}

/* Instruction by instruction, and for each in the order of mutant_kind. */
uint32_t textvm_mutants(const textvm *vm, textvm_mutant *out, uint32_t max)
{
    uint32_t n = 0;
    for (uint32_t at = 0; at < vm->ncode; at++) {
        const ins *i = vm_inner(vm, at);
        for (mutant_kind kind = 0; kind < MUTANT_KINDS; kind++) {
            if (!applies(vm, i, kind) || (kind == MUTANT_SIGN && is_idle(vm, at, EVEN_PLAIN)))
                continue;
            if (n < max)
                out[n] = (textvm_mutant){kind, at};
            n++;
        }
    }
    return n;
}

/* Only numbers have mutants, and those that stay numbers of their type. */
static bool is_number(const vm_constant *k)
{
    return k->kind != TYPE_BOOL && k->kind <= TYPE_FLOAT64;
}

uint32_t textvm_more_mutants(const textvm *vm, textvm_mutant *out, uint32_t max)
{
    uint32_t n = 0;
    for (uint32_t at = 0; at < vm->ncode; at++)
        if (applies(vm, vm_inner(vm, at), MUTANT_NOT)) {
            if (n < max)
                out[n] = (textvm_mutant){MUTANT_NOT, at};
            n++;
        }
    for (uint32_t at = 0; at < vm->constants.n; at++)
        if (is_number(&vm->constants.v[at])) {
            if (n < max)
                out[n] = (textvm_mutant){MUTANT_CONSTANT, at};
            n++;
        }
    return n;
}

/* Exchanges two operands; of a where also the variables whose flags it tests. Its own inverse. */
static void exchange(const ins *i, uint32_t a, uint32_t b)
{
    WEFT_ASSERT(a != b);
    void *x = i->v[a];
    i->v[a] = i->v[b];
    i->v[b] = x;
    if (i->run == do_where) {
        where_info *info;
        memcpy(&info, &i->aux, sizeof info);
        const var *v = info->a;
        info->a = info->b;
        info->b = v;
    }
}

/* Restores the program. The saved instruction shares v with the changed one, so operands that were
 * exchanged in place are exchanged again. */
static void undo(textvm *vm)
{
    if (!vm->mutated)
        return;
    vm->mutated = false;
    if (vm->mutant.kind == MUTANT_CONSTANT) {
        const vm_constant *k = &vm->constants.v[vm->mutant.at];
        memcpy(k->at, vm->saved_number, vm_constant_width(k));
        return;
    }
    WEFT_ASSERT(vm->mutant.at < vm->ncode);
    ins *i = vm_inner(vm, vm->mutant.at);
    *i = vm->saved;
    uint32_t a, b;
    if (vm->mutant.kind == MUTANT_SWAP && vm_swappable(i, &a, &b))
        exchange(i, a, b);
}

/* The number of a mutant in the constant's place. */
void vm_other_number(const vm_constant *k, uint8_t *to)
{
    num x = num_load(k->kind, k->at);
    if (k->kind >= TYPE_FLOAT16)
        x.f = 1.5 * x.f + 1;
    else
        x = num_binary(k->kind, SCALAR_ADD, x, (num){.i = 1});
    num_store(k->kind, to, num_wrap(k->kind, x));
}

static void change_constant(textvm *vm, const textvm_mutant *m)
{
    WEFT_ASSERT(m->at < vm->constants.n);
    const vm_constant *k = &vm->constants.v[m->at];
    memcpy(vm->saved_number, k->at, vm_constant_width(k));
    vm->mutant = *m;
    vm->mutated = true;
    vm_other_number(k, k->at);
}

/* Applies the mutant to the instruction inside of do_define where it is wrapped: the flags are
 * set all the same. */
void textvm_mutate(textvm *vm, const textvm_mutant *m)
{
    undo(vm);
    if (m && m->kind == MUTANT_CONSTANT) {
        change_constant(vm, m);
        return;
    }
    if (!m || m->at >= vm->ncode || !applies(vm, vm_inner(vm, m->at), m->kind))
        return;
    ins *i = vm_inner(vm, m->at);
    uint32_t a, b;
    vm->saved = *i;
    vm->mutant = *m;
    vm->mutated = true;
    switch (m->kind) {
    case MUTANT_SIGN: i->run = do_negated; break;
    case MUTANT_DROP:
        i->run = i->run == do_adj_array_store ? do_adj_store_cleared : do_nothing;
        break;
    case MUTANT_KEEP: i->run = do_adj_store_kept; break;
    case MUTANT_NOT: i->run = do_turned; break;
    case MUTANT_INDEX:
        vm->mutant_operand = first_index(i) + i->n - 1;
        vm->mutant_count = first_index(i) + i->n;
        WEFT_ASSERT(vm->mutant_count <= OPERANDS_MAX && i->n > 0);
        i->run = do_index_off;
        break;
    case MUTANT_SWAP:
        if (vm_swappable(i, &a, &b))
            exchange(i, a, b);
        break;
    default: break;
    }
}
