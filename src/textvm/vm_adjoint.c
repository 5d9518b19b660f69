/* SPDX-License-Identifier: Apache-2.0 */
/* Instructions of a backward pass: which operands they add to, and which values that hangs on; and
 * which lanes of vectors an operation takes apart. For the analyses that tell mutants that are the
 * same program (vm_live.c).
 *
 *     adj_mul(a, b, adj_a, adj_b, adj_r)      adds to adj_a what hangs on b, to adj_b what on a
 *     adj_add(a, b, adj_a, adj_b, adj_r)      on neither
 *     adj_address(x, i, adj_x, adj_i, adj_r)  adds to the gradient of array x: memory
 *     adj_assign_inplace(a, i, x, adj_a, ..)  adds adj_a[i] to adj_x, and clears it
 *
 * What the adjoint of an operation hangs on is found out by trying: it is run on drawn numbers, and
 * again with one operand drawn anew. */
#include "base/assert.h"
#include "base/rng.h"
#include "textvm/vm_ops.h"

/* Has the slot of an access floats? Integers have no gradient. */
static bool has_floats(const ins *i)
{
    const array_info *info = i->aux;
    const type *scalar = info->slot ? type_scalar_of(info->slot) : NULL;
    return !scalar || type_is_float(scalar);
}

bool vm_sets_element(const arith_op *op)
{
    static const char *const names[] = {"add_inplace", "assign_inplace", "sub_inplace"};
    return op->in_place && op->name && op->n > 2 && STR_IS_IN(str_c(op->name), names);
}

int vm_chosen_lane(const textvm *vm, const arith_op *op, void *const *v)
{
    const bool reads = op->name && op->n == 2 && strcmp(op->name, "extract") == 0;
    if ((!reads && !(op->n == 3 && vm_sets_element(op))) || op->types[0]->kind != TYPE_VEC)
        return -1;
    const vm_constant *k = vm_number_at(vm, v[1]);
    const int lane = k && k->kind == TYPE_INT32 ? (int)num_load(TYPE_INT32, k->at).i : -1;
    return lane < lane_count(op->types[0]) ? lane : -1;
}

bool vm_is_lane_by_lane(const arith_op *op)
{
    const type *t = op->nresults == 1 ? op->types[op->n] : NULL;
    return op->constructs && t && t->kind == TYPE_VEC && op->n > 1 && (int)op->n == lane_count(t) &&
           layout_size(type_scalar_of(t)) >= 4;
}

bool vm_is_adjoint(const ins *i, vm_adjoint *out)
{
    ins_fn *run = i->run;
    *out = (vm_adjoint){.n = 1};
    if (do_is_adj_scalar(run)) {
        *out = (vm_adjoint){.first = 3, .n = 2, .from = 5};
    } else if (run == do_adjoint) {
        const arith_op *op = i->op;
        const uint32_t primals = op->n + op->nresults;
        *out = (vm_adjoint){.first = primals,
                            .n = op->n,
                            .from = primals + op->n,
                            .memory = op->in_place && !vm_sets_element(op)};
    } else if (run == do_adj_where) {
        *out = (vm_adjoint){.first = 1, .n = 2, .from = 3};
    } else if (run == do_adj_address || run == do_adj_array_store) {
        *out = (vm_adjoint){.n = run == do_adj_array_store, .memory = has_floats(i)};
    } else if (run == do_adj_slot) {
        out->memory = ((const array_info *)i->aux)->op == 0;
    } else if (run != do_accum && run != do_adj_copy && run != do_adj_assign &&
               run != do_adj_atomic) {
        return false;
    }
    return true;
}

/* --- what an adjoint hangs on ---------------------------------------------------------------- */

enum { TRIES = 6, SIZE_MAX_TRIED = 128, OPERANDS_TRIED = 32 };

/* Numbers that an adjoint is tried on: arguments, results, adjoints of both. */
typedef struct numbers {
    _Alignas(16) uint8_t bytes[OPERANDS_TRIED][SIZE_MAX_TRIED];
    void *v[OPERANDS_TRIED];
} numbers;

/* Only pure functions of floats and small integers: objects would have to exist. */
static bool is_triable(const arith_op *op)
{
    if (op->in_place || op->nset || op->has_effect || 2 * (op->n + op->nresults) > OPERANDS_TRIED)
        return false;
    for (uint32_t k = 0; k < op->n + op->nresults; k++) {
        const type *t = op->types[k];
        if (!type_is_value(t) || layout_size(t) > SIZE_MAX_TRIED)
            return false;
        const type *scalar = type_scalar_of(t);
        if (!type_is_float(scalar) && scalar->kind != TYPE_INT32 && scalar->kind != TYPE_BOOL)
            return false;
    }
    return true;
}

/* From 0 to 1, or in every second try from -2 to 2, in steps that the type has exactly; integers
 * are 0 or 1. */
static void draw(rng *r, const type *t, uint32_t attempt, uint8_t *to)
{
    const type_kind k = type_scalar_of(t)->kind;
    const size_t width = layout_size(type_scalar_of(t));
    const uint32_t steps = k == TYPE_BFLOAT16 ? 1 << 7 : k == TYPE_FLOAT16 ? 1 << 10 : 1 << 20;
    for (int lane = 0; lane < lane_count(t); lane++) {
        const double x = (double)(rng_below(r, steps) + 1) / steps;
        const num drawn = k >= TYPE_FLOAT16 ? (num){.f = attempt % 2 ? 4 * x - 2 : x}
                                            : (num){.i = rng_below(r, 2)};
        num_store(k, to + (size_t)lane * width, drawn);
    }
}

/* Runs the adjoint on the numbers, from adjoints of its arguments that are zero. */
static bool run_adjoint(const arith_op *op, numbers *x)
{
    for (uint32_t j = 0; j < op->n; j++)
        memset(x->bytes[op->n + op->nresults + j], 0, SIZE_MAX_TRIED);
    return op->adjoint(op, x->v) == ARITH_OK;
}

/* Sets the bits of masks[k] for one set of numbers. False: the operation fails on them. */
static bool try_once(const ins *i, rng *r, uint32_t attempt, uint32_t *masks)
{
    const arith_op *op = i->op;
    const uint32_t n = op->n, m = op->nresults, primals = n + m;
    numbers first = {0}, other;
    for (uint32_t k = 0; k < 2 * primals; k++) {
        first.v[k] = first.bytes[k];
        draw(r, op->types[k % primals], attempt, first.bytes[k]);
    }
    if (op->run(op, first.v) != ARITH_OK)
        return false;
    for (uint32_t k = n; k < primals; k++)
        first.v[k] = i->v[k] ? first.v[k] : NULL;
    other = first;
    for (uint32_t k = 0; k < 2 * primals; k++)
        other.v[k] = first.v[k] ? other.bytes[k] : NULL;
    if (!run_adjoint(op, &first))
        return false;
    for (uint32_t k = 0; k < primals; k++) {
        uint8_t kept[SIZE_MAX_TRIED];
        memcpy(kept, other.bytes[k], sizeof kept);
        draw(r, op->types[k], attempt, other.bytes[k]);
        const bool good = run_adjoint(op, &other);
        for (uint32_t j = 0; j < n; j++)
            if (!good || memcmp(first.bytes[primals + j], other.bytes[primals + j],
                                layout_size(op->types[j])) != 0)
                masks[k] |= UINT32_C(1) << j;
        memcpy(other.bytes[k], kept, sizeof kept);
    }
    return true;
}

void vm_adjoint_masks(const ins *i, uint32_t *masks)
{
    const uint32_t n = vm_operands_of(i);
    rng r = rng_stream(0, n);
    for (uint32_t k = 0; k < n; k++)
        masks[k] = UINT32_MAX;
    if (do_is_adj_scalar(i->run)) {
        const bool product = do_is_adj_product(i->run);
        masks[0] = product ? 2 : 0;
        masks[1] = product;
        masks[2] = 0;
    } else if (i->run == do_adjoint && is_triable(i->op)) {
        uint32_t found[OPERANDS_TRIED] = {0}, tried = 0;
        for (uint32_t attempt = 0; attempt < TRIES; attempt++)
            tried += try_once(i, &r, attempt, found);
        for (uint32_t k = 0; tried >= TRIES / 2 && k < i->op->n + i->op->nresults; k++)
            masks[k] = found[k];
    } else if (i->run == do_adjoint && vm_sets_element(i->op)) {
        masks[0] = masks[i->op->n - 1] = 0;
    } else if (i->run == do_adj_atomic) {
        const array_info *info = i->aux;
        if (info->op != ATOMIC_MIN && info->op != ATOMIC_MAX)
            masks[n - 1] = 0;
    }
}
