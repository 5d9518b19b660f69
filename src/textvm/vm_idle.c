/* SPDX-License-Identifier: Apache-2.0 */
/* Equivalent mutants: does what a mutant changes reach anything?
 *
 *     var_5 = wp::add(var_k, var_1);     k = 0, of an unrolled loop; mutant: var_1 is 2, not 1
 *     var_6 = wp::mod(var_5, var_3);     1 % 3 is not 2 % 3: it goes on to what reads var_6
 *
 *     var_5 = wp::mod(var_1, var_3);     mutant: var_3 is 4, not 3; 1 % 4 = 1 % 3: it ends here
 *
 *     var_9 = wp::where(var_4, var_7, var_2);     swapped, and nothing reads var_9: it ends here
 *
 *     var_8 = (var_n & 4) >> 2;                   & 5: the other bit is shifted out
 *     var_8 = int(0); while (next(q, var_8))      int(1): the query sets it before it is read
 *     var_5 = wp::tuple(var_3, var_4);            a tile's shape, which the text has as numbers
 *     return var_0;  ...  if (var_9 >= 0)         a function that returns 1, not 0, in one place
 *
 * A mutant is the same program where all that it changes ends so: results of arithmetic on
 * constants that come out the same, and variables that only instructions without effect read.
 * Everything else (memory, branches, calls, several assignments to one variable) is taken to
 * matter, so no mutant that an input could kill is called idle.
 *
 * Variables are told apart by address. The order of the text plays no part: an instruction that
 * reads a changed variable is looked at wherever it stands. */
#include <stdlib.h>

#include "base/assert.h"
#include "textvm/vm_ops.h"

enum { BYTES = 8, OPERANDS = 16, VISITS_MAX = 4096 };

/* An operand of an instruction. */
typedef struct mention {
    const uint8_t *at;
    uint32_t ins;
} mention;

/* What is known of the address of an operand. */
typedef struct place_fact {
    uint32_t first, n;      /* its mentions */
    uint32_t writers;       /* instructions that write it, or may do so */
    bool known;             /* its bytes are the same in every thread, and now in the program */
    bool pinned;            /* it is read elsewhere: a reference parameter, of a tile operation */
    bool changed, computed; /* by the mutant; and to `bytes` in every thread */
    bool paired;            /* computed: in some threads, or now and then; it was `was` there */
    uint64_t bits;          /* changed, not computed: of an integer only these may be others */
    _Alignas(8) uint8_t bytes[BYTES], was[BYTES];
} place_fact;

typedef struct idle {
    const textvm *vm;
    mention *mentions; /* by address */
    place_fact *facts; /* one for each address, in the same order */
    const uint8_t **ats;
    uint32_t nmentions, nfacts;
    uint32_t *queue; /* facts that have changed, as indices; a fact at most thrice */
    uint32_t queued;
    uint32_t visits;
    bool matters;
    bool *unreached;   /* by instruction: no thread executes it */
    const bool *alike; /* textvm_count_alike: comparisons whose results do not matter; or NULL */
} idle;

/* --- instructions ---------------------------------------------------------------------------- */

uint32_t vm_operands_of(const ins *i)
{
    ins_fn *run = i->run;
    if (!i->v)
        return 0;
    if (run == do_arith)
        return i->op->n + i->op->nresults;
    if (do_is_scalar(run) || do_is_comparison(run))
        return 3;
    if (run == do_address || run == do_address1 || run == do_array_store ||
        run == do_array_store1 || run == do_view || run == do_lower_bound)
        return 2 + i->n;
    if (run == do_adj_address || run == do_adj_array_store)
        return 3 + i->n;
    if (run == do_atomic || run == do_adj_atomic || run == do_gradient)
        return 4 + i->n;
    return run == do_where ? 4 : i->n;
}

const vm_constant *vm_number_at(const textvm *vm, const void *operand)
{
    for (uint32_t k = 0; k < vm->constants.n; k++) {
        const vm_constant *c = &vm->constants.v[k];
        if (c->at == operand && c->size == vm_constant_width(c))
            return c;
    }
    return NULL;
}

bool vm_is_pure(const ins *i, uint32_t *first, uint32_t *n)
{
    *first = 0;
    *n = 1;
    if (i->run == do_arith) {
        *first = i->op->n;
        *n = i->op->nresults;
        return !i->op->in_place && !i->op->changes_second && !i->op->nset && !i->op->has_effect;
    }
    return do_is_scalar(i->run) || do_is_comparison(i->run) || i->run == do_where ||
           i->run == do_and || i->run == do_or;
}

bool vm_may_write(const ins *i, uint32_t k)
{
    ins_fn *run = i->run;
    uint32_t first, n;
    const call_info *call = run == do_call ? i->aux : NULL;
    if (vm_is_pure(i, &first, &n))
        return k >= first && k - first < n;
    if (call)
        return k >= call->n || call->args[k].by_reference;
    if (run == do_array_store || run == do_array_store1 || run == do_if || run == do_if_not)
        return false;
    return k == 0 ||
           !(run == do_address || run == do_address1 || run == do_view || run == do_atomic ||
             run == do_lower_bound || run == do_range || do_is_assign(run));
}

size_t vm_operand_size(const ins *i, uint32_t k)
{
    if (i->run == do_arith)
        return layout_size(i->op->types[k]);
    if (do_is_scalar(i->run))
        return layout_size(i->aux);
    const where_info *w = i->aux;
    return i->run == do_where && k != 1 ? w->size : 1;
}

/* Can it be computed here, one result of a few bytes from operands? */
static bool is_computable(const ins *i)
{
    uint32_t first, n;
    if (!vm_is_pure(i, &first, &n) || n != 1 || vm_operands_of(i) > OPERANDS || i->run == do_where)
        return false;
    return vm_operand_size(i, first) <= BYTES && (i->run != do_arith || !i->op->rounds);
}

/* Runs it on other operands. False: it fails, as a division by zero does. */
static bool compute(const ins *i, void **v)
{
    if (i->run == do_arith)
        return i->op->run(i->op, v) == ARITH_OK;
    ins other = *i;
    other.v = v;
    return i->run(&other, NULL) != NULL;
}

/* --- facts ----------------------------------------------------------------------------------- */

static int by_address(const void *a, const void *b)
{
    const mention *x = a, *y = b;
    return x->at != y->at ? (x->at > y->at) - (x->at < y->at)
                          : (x->ins > y->ins) - (x->ins < y->ins);
}

/* The first fact whose address is not below `at`. */
static uint32_t fact_from(const idle *d, const uint8_t *at)
{
    uint32_t from = 0, to = d->nfacts;
    while (from < to) {
        const uint32_t mid = (from + to) / 2;
        if (d->ats[mid] < at)
            from = mid + 1;
        else
            to = mid;
    }
    return from;
}

static place_fact *fact_at(const idle *d, const void *at)
{
    const uint32_t f = fact_from(d, at);
    return f < d->nfacts && d->ats[f] == (const uint8_t *)at ? &d->facts[f] : NULL;
}

/* All operands of the program, by address. */
static void collect_mentions(idle *d, arena *a)
{
    uint32_t n = 0;
    for (uint32_t at = 0; at < d->vm->ncode; at++)
        n += vm_operands_of(vm_inner(d->vm, at));
    d->mentions = ARENA_ARRAY(a, mention, n + 1);
    d->facts = arena_zero(a, (n + 1) * sizeof *d->facts);
    d->ats = ARENA_ARRAY(a, const uint8_t *, n + 1);
    d->queue = ARENA_ARRAY(a, uint32_t, 3 * n + 1);
    for (uint32_t at = 0; at < d->vm->ncode; at++) {
        const ins *i = vm_inner(d->vm, at);
        for (uint32_t k = 0; k < vm_operands_of(i); k++)
            d->mentions[d->nmentions++] = (mention){i->v[k], at};
    }
    qsort(d->mentions, d->nmentions, sizeof *d->mentions, by_address);
    for (uint32_t m = 0; m < d->nmentions; m++) {
        if (!m || d->mentions[m].at != d->mentions[m - 1].at) {
            d->facts[d->nfacts].first = m;
            d->ats[d->nfacts++] = d->mentions[m].at;
        }
        d->facts[d->nfacts - 1].n++;
    }
}

/* Temporary variables that a tile operation reads and writes beside its operands. */
static void pin_temps(const idle *d, const ins *i)
{
    uint32_t n;
    uint8_t *const *temps = vm_temps_of(d->vm, i, &n);
    for (uint32_t k = 0; k < n; k++) {
        place_fact *f = fact_at(d, temps[k]);
        if (f)
            f->pinned = true;
    }
}

/* Uses of reference parameters are operands that calls replace. */
static void count_writers(const idle *d)
{
    for (uint32_t at = 0; at < d->vm->ncode; at++) {
        const ins *i = vm_inner(d->vm, at);
        for (uint32_t k = 0; k < vm_operands_of(i); k++)
            fact_at(d, i->v[k])->writers += vm_may_write(i, k);
        const call_info *call = i->run == do_call ? i->aux : NULL;
        pin_temps(d, i);
        for (uint32_t k = 0; call && k < call->n; k++)
            for (uint32_t u = 0; call->args[k].by_reference && u < call->args[k].uses->n; u++) {
                place_fact *f = fact_at(d, *call->args[k].uses->v[u].where);
                if (f)
                    f->pinned = true;
            }
    }
}

/* Variables that are computed from constants alone get their values now, as each thread will
 * compute them. */
static void find_known(const idle *d)
{
    for (uint32_t k = 0; k < d->vm->constants.n; k++) {
        place_fact *f = fact_at(d, d->vm->constants.v[k].at);
        if (f)
            f->known = true;
    }
    for (uint32_t at = 0; at < d->vm->ncode; at++) {
        const ins *i = vm_inner(d->vm, at);
        uint32_t first, n;
        bool known = is_computable(i) && vm_is_pure(i, &first, &n);
        for (uint32_t k = 0; known && k < vm_operands_of(i); k++)
            known = k == first || fact_at(d, i->v[k])->known;
        place_fact *f = known ? fact_at(d, i->v[first]) : NULL;
        if (f && f->writers == 1 && !f->pinned)
            f->known = compute(i, i->v);
    }
}

/* --- what a mutant changes ------------------------------------------------------------------- */

/* `size` bytes have changed: to `bytes`, or NULL: nobody knows to what. In every thread, or (`was`
 * is not NULL) wherever they were `was` on the way here. What has changed twice is not known any
 * more, and then in all its bits. */
static void change_from(idle *d, const void *at, size_t size, const uint8_t *was,
                        const uint8_t *bytes)
{
    const uint8_t *from = at;
    for (uint32_t k = fact_from(d, from); k < d->nfacts && d->ats[k] < from + size; k++) {
        place_fact *f = &d->facts[k];
        const bool again = f->changed;
        if (again && !f->computed && f->bits == UINT64_MAX)
            continue;
        f->changed = true;
        f->computed = !again && bytes && d->ats[k] == from;
        f->bits = UINT64_MAX;
        f->paired = f->computed && was;
        if (f->computed)
            memcpy(f->bytes, bytes, size);
        if (f->paired)
            memcpy(f->was, was, size);
        d->matters |= f->pinned;
        WEFT_ASSERT(d->queued < 3 * d->nmentions + 1);
        d->queue[d->queued++] = k;
    }
}

static void change(idle *d, const void *at, size_t size, const uint8_t *bytes)
{
    change_from(d, at, size, NULL, bytes);
}

/* What the operand was, of which this is known. Needs: it is changed and computed. */
static void *was_of(const idle *d, place_fact *f)
{
    return f->paired ? f->was : (void *)(uintptr_t)d->ats[f - d->facts];
}

/* The results of a pure instruction are changed, nobody knows to what. */
static void change_results(idle *d, const ins *i)
{
    uint32_t first, n;
    if (!vm_is_pure(i, &first, &n)) {
        d->matters = true;
        return;
    }
    for (uint32_t k = first; k < first + n; k++)
        change(d, i->v[k], vm_operand_size(i, k), NULL);
}

/* Masks and shifts: which bits of the result may be others. All of them, of other operations. */
static uint64_t bits_of(const idle *d, const ins *i)
{
    if (i->run != do_arith || !i->op->name || i->op->n != 2 ||
        i->op->types[0]->kind != TYPE_INT32 || i->op->types[1]->kind != TYPE_INT32)
        return UINT64_MAX;
    const place_fact *a = fact_at(d, i->v[0]), *b = fact_at(d, i->v[1]);
    uint32_t x, y;
    if (a->paired || b->paired)
        return UINT64_MAX;
    memcpy(&y, b->changed ? b->bytes : i->v[1], sizeof y);
    if (strcmp(i->op->name, "rshift") == 0 && a->changed && !a->computed && b->known &&
        !b->changed && a->bits <= INT32_MAX && y < 32)
        return a->bits >> y;
    if (strcmp(i->op->name, "bit_and") != 0 || a->changed || !b->changed || !b->computed)
        return UINT64_MAX;
    memcpy(&x, i->v[1], sizeof x);
    return x ^ y;
}

/* One operand is another number in some threads: the result is computed from what it was and from
 * what it is. False: that cannot be done. */
static bool compute_pair(idle *d, const ins *i)
{
    uint32_t first, n;
    void *old[OPERANDS], *new[OPERANDS];
    _Alignas(8) uint8_t results[2][BYTES] = {{0}};
    bool known = is_computable(i) && vm_is_pure(i, &first, &n);
    place_fact *one = NULL; /* of two that change, one alone may do so in a thread */
    for (uint32_t k = 0; known && k < vm_operands_of(i); k++) {
        place_fact *f = fact_at(d, i->v[k]);
        old[k] = new[k] = i->v[k];
        if (k == first || !f->changed) {
            known = k == first || f->known;
            continue;
        }
        known = f->computed && f->paired && (!one || one == f);
        one = f;
        old[k] = f->was;
        new[k] = f->bytes;
    }
    if (!known || !one)
        return false;
    old[first] = results[0];
    new[first] = results[1];
    const size_t size = vm_operand_size(i, first);
    if (!compute(i, old) || !compute(i, new))
        return false;
    if (memcmp(results[0], results[1], size) != 0)
        change_from(d, i->v[first], size, results[0], results[1]);
    return true;
}

/* The result is computed again from what has changed, with operands a and b exchanged (both 0:
 * none), and negated; it is changed if it comes out different. */
static void compute_again(idle *d, const ins *i, uint32_t a, uint32_t b, bool negated)
{
    uint32_t first, n;
    void *v[OPERANDS];
    _Alignas(8) uint8_t result[BYTES] = {0};
    bool known = is_computable(i) && vm_is_pure(i, &first, &n);
    for (uint32_t k = 0; known && k < vm_operands_of(i); k++) {
        place_fact *f = fact_at(d, i->v[k]);
        v[k] = f->changed ? f->bytes : i->v[k];
        known = k == first || (f->changed ? f->computed && !f->paired : f->known);
    }
    if (!known || fact_at(d, i->v[first])->writers != 1) {
        const uint64_t bits = a == b && !negated ? bits_of(d, i) : UINT64_MAX;
        if (!bits || (a == b && !negated && compute_pair(d, i)))
            return;
        const bool before = fact_at(d, i->v[i->run == do_arith ? i->op->n : 0])->changed;
        change_results(d, i);
        if (bits != UINT64_MAX && !before)
            fact_at(d, i->v[i->op->n])->bits = bits;
        return;
    }
    void *const kept = v[a];
    v[a] = v[b];
    v[b] = kept;
    v[first] = result;
    const size_t size = vm_operand_size(i, first);
    if (!compute(i, v)) {
        d->matters = true;
        return;
    }
    if (negated)
        vm_negate(i, result);
    if (memcmp(result, i->v[first], size) != 0)
        change(d, i->v[first], size, result);
}

/* A choice reads the one value that a known condition chooses. */
static void choose_again(idle *d, const ins *i)
{
    const place_fact *c = fact_at(d, i->v[1]);
    const where_info *w = i->aux;
    const bool fixed = c->known && !c->changed;
    if (!fixed) {
        change_results(d, i);
        return;
    }
    const bool first = num_truth(w->cond->kind, num_load(w->cond->kind, i->v[1]));
    if (fact_at(d, i->v[first ? 2 : 3])->changed)
        change_results(d, i);
}

/* Is the operand's old value lost in the condition of a loop over a query, before it is read?
 *
 *     more = next(query, found)     the instruction, whose operand 1 is `found`
 *     if (!more) goto end           all that reads `found` stands between here
 *     ...
 *     end:                          and here */
static bool is_overwritten(const idle *d, const place_fact *f, const ins *i)
{
    const ins *const code = d->vm->code;
    const arith_op *op = i->run == do_arith ? i->op : NULL;
    if (!op || !op->changes_second || d->ats[f - d->facts] != (const uint8_t *)i->v[1])
        return false;
    uint32_t at = 0;
    while (at < d->vm->ncode && vm_inner(d->vm, at) != i)
        at++;
    if (at + 2 >= d->vm->ncode || code[at + 1].run != do_if_not || code[at + 2].run != do_jump ||
        code[at + 1].v[0] != i->v[op->n] || code[at + 2].to < code + at)
        return false;
    const uint32_t end = (uint32_t)(code[at + 2].to - code);
    uint32_t outside = 0;
    for (uint32_t m = f->first; m < f->first + f->n; m++)
        outside += d->mentions[m].ins < at || d->mentions[m].ins >= end;
    return outside == 1; /* what set it at first */
}

/* The variable that an operand is, or is a part of; NULL: none. */
static const frame_part *variable_of(const idle *d, const void *operand)
{
    for (uint32_t k = 0; k < d->vm->variables.n; k++) {
        const frame_part *p = &d->vm->variables.v[k];
        if ((const uint8_t *)operand >= p->at && (const uint8_t *)operand < p->at + p->size)
            return p;
    }
    return NULL;
}

/* Does the instruction only put a value into a variable that no other instruction reads, as that of
 * a tuple which is a shape? */
static bool fills_unread(const idle *d, const ins *i)
{
    const frame_part *part = i->run == do_move ? variable_of(d, i->v[0]) : NULL;
    if (!part)
        return false;
    for (uint32_t k = fact_from(d, part->at); k < d->nfacts && d->ats[k] < part->at + part->size;
         k++) {
        const place_fact *f = &d->facts[k];
        for (uint32_t m = f->first; m < f->first + f->n; m++) {
            const ins *other = vm_inner(d->vm, d->mentions[m].ins);
            const bool sets = other->run == do_zero || other->run == do_move;
            if (f->pinned || !sets || other->v[0] != (const void *)d->ats[k] ||
                (other->run == do_move && other->v[1] == (const void *)d->ats[k]))
                return false;
        }
    }
    return true;
}

/* Does the change of operand k matter to the instruction? */
static bool reads_change(const idle *d, const ins *i, uint32_t k)
{
    place_fact *f = fact_at(d, i->v[k]);
    if (!f->changed)
        return false;
    return !(f->computed && i->run == do_arith && arith_is_alike(i->op, k, was_of(d, f), f->bytes));
}

/* Does an adjoint add the same, since the change is to arguments that are alike to the builtin? */
static bool adds_the_same(const idle *d, const place_fact *changed, const ins *i)
{
    const uint8_t *at = d->ats[changed - d->facts];
    bool same = i->run == do_adjoint && changed->computed && !changed->paired;
    for (uint32_t k = 0; same && k < vm_operands_of(i); k++)
        same = i->v[k] != at || (k < i->op->n && arith_is_alike(i->op, k, i->v[k], changed->bytes));
    return same;
}

/* The code of the function that has the instruction: the last one that is called and begins before
 * it. */
static const ins *function_of(const textvm *vm, const ins *i)
{
    const ins *best = NULL;
    for (uint32_t at = 0; at < vm->ncode; at++) {
        const ins *other = vm_inner(vm, at);
        const call_info *call = other->run == do_call ? other->aux : NULL;
        if (call && call->f->code <= i && (!best || call->f->code > best))
            best = call->f->code;
    }
    return best;
}

/* Does the instruction only write the operand, as the result of a move or a call? */
static bool only_sets(const ins *i, const uint8_t *at)
{
    size_t size;
    const call_info *call = i->run == do_call ? i->aux : NULL;
    if (!call)
        return vm_moved(i, &size) == (const void *)at && i->v[1] != (const void *)at;
    for (uint32_t k = 0; k < call->n; k++)
        if (i->v[k] == (const void *)at)
            return false;
    return call->n < i->n && i->v[call->n] == (const void *)at;
}

/* A number goes to another variable, which has a different one now and then. What goes to a part of
 * a struct, say, is taken to matter: the whole is read elsewhere. */
static void move_change(idle *d, const void *to, size_t size, const uint8_t *was,
                        const uint8_t *bytes)
{
    const frame_part *whole = variable_of(d, to);
    if (whole && whole->at == to && whole->size == size)
        change_from(d, to, size, was, bytes);
    else
        d->matters = true;
}

/* A number is moved or returned. False: the instruction does neither, or nobody knows what the
 * number is. */
static bool follow_move(idle *d, place_fact *changed, const ins *i)
{
    size_t size;
    void *to = vm_moved(i, &size);
    const bool returns = i->run == do_return_value;
    size = returns ? i->size : size;
    if ((!to && !returns) || !changed->computed || size > BYTES ||
        i->v[!returns] != (const void *)d->ats[changed - d->facts])
        return false;
    uint8_t was[BYTES], bytes[BYTES];
    memcpy(was, was_of(d, changed), size);
    memcpy(bytes, changed->bytes, size);
    if (to)
        move_change(d, to, size, was, bytes);
    const ins *code = returns ? function_of(d->vm, i) : NULL;
    for (uint32_t at = 0; code && at < d->vm->ncode; at++) {
        const ins *other = vm_inner(d->vm, at);
        const call_info *call = other->run == do_call ? other->aux : NULL;
        if (call && call->f->code == code && call->n < other->n)
            move_change(d, other->v[call->n], size, was, bytes);
    }
    return to || code;
}

static bool is_load(const ins *i)
{
    return i->run == do_load || i->run == do_load4 || i->run == do_load8;
}

/* What is loaded by the pointer that an instruction makes is changed; where anything else reads the
 * pointer, it matters. */
static void change_loaded(idle *d, const ins *i)
{
    const place_fact *f = fact_at(d, i->v[0]);
    d->matters |= i->run != do_address && i->run != do_address1;
    for (uint32_t k = f->first; !d->matters && k < f->first + f->n; k++) {
        const ins *by = vm_inner(d->vm, d->mentions[k].ins);
        if (by == i)
            continue;
        if (is_load(by))
            change(d, by->v[0], by->size, NULL);
        else
            d->matters = true;
    }
}

/* An instruction one of whose operands has changed. */
static void follow(idle *d, place_fact *changed, const ins *i)
{
    uint32_t first, n;
    if (d->alike && (i->run == do_address || i->run == do_address1)) {
        change_loaded(d, i);
        return;
    }
    if (d->alike && is_load(i) && i->v[0] == d->ats[changed - d->facts])
        return;
    const uint8_t *at = d->ats[changed - d->facts];
    bool reads = false;
    if (adds_the_same(d, changed, i) || fills_unread(d, i) || only_sets(i, at) ||
        follow_move(d, changed, i))
        return;
    d->matters |= ++d->visits > VISITS_MAX || !vm_is_pure(i, &first, &n);
    for (uint32_t k = 0; !d->matters && k < vm_operands_of(i); k++)
        reads |= (k < first || k >= first + n) && i->v[k] == at && reads_change(d, i, k);
    if (!reads)
        return;
    if (i->run == do_where)
        choose_again(d, i);
    else
        compute_again(d, i, 0, 0, false);
}

/* What the mutant itself changes. */
static void begin(idle *d, const textvm_mutant *m)
{
    uint32_t a = 0, b = 0;
    size_t size;
    if (m->kind == MUTANT_CONSTANT) {
        const vm_constant *k = &d->vm->constants.v[m->at];
        _Alignas(8) uint8_t bytes[BYTES] = {0};
        size = vm_constant_width(k);
        vm_other_number(k, bytes);
        if (memcmp(bytes, k->at, size) == 0) /* 1.5 times infinity is infinity */
            return;
        if (size == k->size)
            change(d, k->at, size, bytes);
        else /* a lane of a table */
            change(d, k->whole, k->size, NULL);
        return;
    }
    const ins *i = vm_inner(d->vm, m->at);
    if (m->kind == MUTANT_SIGN)
        compute_again(d, i, 0, 0, true);
    else if (m->kind == MUTANT_SWAP && vm_swappable(i, &a, &b) && i->run != do_where)
        compute_again(d, i, a, b, false);
    else if (m->kind == MUTANT_SWAP || m->kind == MUTANT_NOT)
        change_results(d, i);
    else if (m->kind == MUTANT_DROP && do_is_assign(i->run) && vm_moved(i, &size))
        change(d, i->v[0], size, NULL);
    else if (m->kind == MUTANT_INDEX && d->alike)
        change_loaded(d, i);
    else
        d->matters = true;
}

/* For textvm_count_alike: does what is at `at` not matter to the instruction? Not if it has been
 * marked, nor to an adjoint that hangs on other operands: adj_add(a, b, adj_a, adj_b, adj_r). */
static bool is_alike(const idle *d, const uint8_t *at, uint32_t where)
{
    enum { MOST = 32 };
    const ins *i = vm_inner(d->vm, where);
    vm_adjoint adjoint;
    uint32_t masks[MOST], any = 0;
    if (!d->alike || d->alike[where])
        return d->alike != NULL;
    if (!vm_is_adjoint(i, &adjoint) || vm_operands_of(i) > MOST)
        return false;
    vm_adjoint_masks(i, masks);
    for (uint32_t k = 0; k < vm_operands_of(i); k++)
        any |= i->v[k] == (const void *)at ? masks[k] : 0;
    return !any;
}

/* Is the mutant the same program? */
static bool is_idle(idle *d, const textvm_mutant *m)
{
    d->queued = d->visits = 0;
    d->matters = false;
    if (m->kind != MUTANT_CONSTANT && d->unreached[m->at])
        return true;
    begin(d, m);
    for (uint32_t q = 0; q < d->queued && !d->matters; q++) {
        place_fact *f = &d->facts[d->queue[q]];
        bool ends = false;
        for (uint32_t k = 0; k < f->n && !ends; k++)
            ends = is_overwritten(d, f, vm_inner(d->vm, d->mentions[f->first + k].ins));
        for (uint32_t k = 0; k < f->n && !ends && !d->matters; k++) {
            const uint32_t at = d->mentions[f->first + k].ins;
            if (!d->unreached[at] && !is_alike(d, d->ats[f - d->facts], at))
                follow(d, f, vm_inner(d->vm, at));
        }
    }
    for (uint32_t q = 0; q < d->queued; q++)
        d->facts[d->queue[q]].changed = d->facts[d->queue[q]].paired = false;
    return !d->matters;
}

/* The body of a loop over a known range that is empty: `for k in range(6, 6)`. */
static void mark_empty(const idle *d, const ins *range)
{
    const ins *const code = d->vm->code;
    const uint32_t n = range->n - 1;
    int32_t number[3] = {0, 0, 1};
    for (uint32_t k = 1; k <= n; k++) {
        if (!fact_at(d, range->v[k])->known)
            return;
        memcpy(&number[n == 1 ? 1 : k - 1], range->v[k], sizeof *number);
    }
    if (number[2] > 0 ? number[0] < number[1] : number[0] > number[1])
        return;
    for (uint32_t at = 0; at + 1 < d->vm->ncode; at++) {
        const ins *i = vm_inner(d->vm, at);
        if (i->run == do_range && i != range && i->v[0] == range->v[0])
            return;
        if (i->run == do_if_done && i->v[0] == range->v[0] && code[at + 1].run == do_jump)
            for (const ins *k = i->to; k < code[at + 1].to; k++)
                d->unreached[k - code] = true;
    }
}

/* Marks what no thread reaches, since a condition is known: `if not 4:`. */
static void mark_unreached(const idle *d)
{
    for (uint32_t at = 0; at < d->vm->ncode; at++) {
        const ins *i = vm_inner(d->vm, at);
        const bool wanted = i->run == do_if;
        if (i->run == do_range)
            mark_empty(d, i);
        if (!wanted && i->run != do_if_not)
            continue;
        const place_fact *f = fact_at(d, i->v[0]);
        if (f && f->known && *(const bool *)i->v[0] != wanted)
            for (const ins *k = d->vm->code + at + 1; k < i->to; k++)
                d->unreached[k - d->vm->code] = true;
    }
}

/* Needs: scratch memory, which the caller takes back. */
static idle begin_idle(const textvm *vm, arena *a)
{
    idle d = {.vm = vm};
    WEFT_ASSERT(!vm->mutated);
    collect_mentions(&d, a);
    count_writers(&d);
    find_known(&d);
    d.unreached = arena_zero(a, vm->ncode + 1);
    mark_unreached(&d);
    return d;
}

/* Does a swap exchange the operands of a comparison that does not matter, or values that one
 * chooses? */
static bool swaps_alike(const idle *d, const textvm_mutant *m)
{
    const ins *i = m->kind == MUTANT_SWAP ? vm_inner(d->vm, m->at) : NULL;
    if (!i || i->run != do_where)
        return i && d->alike[m->at];
    const place_fact *f = fact_at(d, i->v[1]);
    for (uint32_t k = f->first; f->writers == 1 && k < f->first + f->n; k++) {
        const uint32_t at = d->mentions[k].ins;
        if (d->alike[at] && vm_inner(d->vm, at)->v[0] == i->v[1])
            return true;
    }
    return false;
}

/* Adjoints that may be left out, since they add zeros or nothing reads what they add to, and values
 * that nothing reads: what they are computed from does not matter either. */
static void mark_dead(const textvm *vm, arena *a, bool *alike)
{
    textvm_mutant *drops = ARENA_ARRAY(a, textvm_mutant, vm->ncode + 1);
    uint32_t n = 0;
    for (uint32_t at = 0; vm->backward && at < vm->ncode; at++) {
        uint32_t first, values;
        vm_adjoint unused;
        const ins *i = vm_inner(vm, at);
        const bool adjoint = vm_is_adjoint(i, &unused);
        if (adjoint || vm_is_pure(i, &first, &values)) {
            drops[n++] = (textvm_mutant){adjoint ? MUTANT_DROP : MUTANT_SIGN, at};
            alike[at] = true;
        }
    }
    n = vm_drop_dead(vm, drops, n);
    for (uint32_t k = 0; k < n; k++)
        alike[drops[k].at] = false;
}

uint32_t textvm_count_alike(const textvm *vm, const textvm_mutant *all, uint32_t n)
{
    arena *a = &vm->c->scratch;
    const arena_mark mark = arena_save(a);
    idle d = begin_idle(vm, a);
    bool *alike = arena_zero(a, vm->ncode + 1);
    uint32_t count = 0;
    mark_dead(vm, a, alike);
    for (uint32_t i = 0; i < n; i++)
        if (all[i].kind == MUTANT_NOT)
            alike[all[i].at] = true;
    d.alike = alike;
    for (uint32_t i = 0; i < n; i++)
        count += all[i].kind == MUTANT_NOT || swaps_alike(&d, &all[i]) ||
                 ((all[i].kind == MUTANT_CONSTANT || all[i].kind == MUTANT_SWAP ||
                   all[i].kind == MUTANT_INDEX) &&
                  is_idle(&d, &all[i]));
    arena_rewind(a, mark);
    return count;
}

uint32_t textvm_drop_idle(const textvm *vm, textvm_mutant *all, uint32_t n)
{
    arena *a = &vm->c->scratch;
    const arena_mark mark = arena_save(a);
    idle d = begin_idle(vm, a);
    uint32_t left = 0;
    for (uint32_t i = 0; i < n; i++)
        if (!is_idle(&d, &all[i]) && !vm_is_even(vm, &all[i], EVEN_PARTS))
            all[left++] = all[i];
    left = vm_drop_dead(vm, all, left);
    arena_rewind(a, mark);
    return left;
}
