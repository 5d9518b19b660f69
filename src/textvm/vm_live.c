/* SPDX-License-Identifier: Apache-2.0 */
/* Variables that are live: does anything read what an instruction leaves in them? A mutant that
 * changes only what is not read again is the same program.
 *
 *     wp::assign(var_a, var_30);      at the end of a loop's body, which sets var_a first: not read
 *     var_7 = wp::vec_t<3,wp::int32>(var_4, var_5, var_6);     of it only lane 0 is read:
 *     var_9 = wp::extract(var_7, 0);                           var_5 and var_6 are not
 *
 *     if (var_4) { var_5 = wp::add(var_1, var_2); printf(var_5); }
 *                                     what is printed is not compared: var_4 is not read
 *
 * The usual backward analysis over instructions, by words of four bytes, so that lanes are apart.
 * Instructions that compute a value and nothing else read their operands only where their result is
 * read. Functions are joined over their calls: what a function returns is read where one of its
 * calls has it read, and so is what it leaves in a reference parameter, which has words of its own:
 *
 *     adj_half_0(var_7, adj_7, adj_6);     nothing reads adj_7 behind it, nor behind other calls:
 *     adj_mul(.., adj_x, ..);              in adj_half_0 the last adj_x is not read
 *
 * Parameters that may be one variable (`f(adj_7, adj_7)`) are always read. Whatever is not known
 * here is read as a whole. */
#include <stdlib.h>

#include "base/assert.h"
#include "textvm/vm_ops.h"

enum {
    WORD = 4,
    BITS = 64,
    RESULT_WORDS = 4,
    MEMORY_MAX = 1 << 25,
    ROUNDS_MAX = 64,
    ADJOINTS_MAX = 31
};

/* What the calls of a function have read of its result; `all`: it is longer than that. */
typedef struct exit_set {
    const ins *code;
    uint64_t words[RESULT_WORDS];
    bool all;
} exit_set;

/* An operand that calls replace, and what the last one put there. */
typedef struct patch {
    void **where, *was;
} patch;

typedef struct live {
    const textvm *vm;
    frame_part *parts; /* variables, by address */
    uint32_t *bases;   /* the bit of each one's first word */
    uint32_t nparts, nwords;
    uint64_t *in; /* for each instruction, before it */
    uint64_t *pinned, *now, *ever;
    uint64_t *left;           /* words of reference parameters that are read behind a call */
    uint64_t *fed;            /* words of adjoints that may be other than zero */
    const vm_choice *choices; /* vm_known.c */
    uint32_t **masks;         /* for each instruction: vm_adjoint_masks; NULL: not asked yet */
    VEC(patch) patched;
    VEC(exit_set) exits;
    bool changed;
} live;

/* --- sets of words --------------------------------------------------------------------------- */

static int by_part(const void *a, const void *b)
{
    const uint8_t *x = ((const frame_part *)a)->at, *y = ((const frame_part *)b)->at;
    return (x > y) - (x < y);
}

/* The bits [*from, *to) of `size` bytes at p; size 0: up to the variable's end. False: it is no
 * variable of the program. */
static bool bits_of(const live *d, const void *p, size_t size, uint32_t *from, uint32_t *to)
{
    const uint8_t *at = p;
    uint32_t low = 0, high = d->nparts;
    while (low < high) {
        const uint32_t mid = (low + high) / 2;
        if (d->parts[mid].at + d->parts[mid].size <= at)
            low = mid + 1;
        else
            high = mid;
    }
    if (low == d->nparts || at < d->parts[low].at)
        return false;
    const size_t offset = (size_t)(at - d->parts[low].at), left = d->parts[low].size - offset;
    size = !size || size > left ? left : size;
    *from = d->bases[low] + (uint32_t)(offset / WORD);
    *to = d->bases[low] + (uint32_t)((offset + size + WORD - 1) / WORD);
    return true;
}

static bool has_bit(const uint64_t *set, size_t k)
{
    return set[k / BITS] >> k % BITS & 1;
}

static void set_bit(uint64_t *set, size_t k)
{
    set[k / BITS] |= UINT64_C(1) << k % BITS;
}

static void add(const live *d, uint64_t *set, const void *p, size_t size)
{
    uint32_t from, to;
    if (bits_of(d, p, size, &from, &to))
        for (uint32_t k = from; k < to; k++)
            set_bit(set, k);
}

/* Parts of words may hold others' bytes, so they stay. */
static void take(const live *d, uint64_t *set, const void *p, size_t size)
{
    uint32_t from, to;
    if (size >= WORD && bits_of(d, p, size, &from, &to))
        for (uint32_t k = from; k < to; k++)
            set[k / BITS] &= ~(UINT64_C(1) << k % BITS);
}

/* Are all words of a variable in the set? Yes, of what is no variable. */
static bool all_in(const live *d, const uint64_t *set, const void *p, size_t size)
{
    uint32_t from, to;
    if (bits_of(d, p, size, &from, &to))
        for (uint32_t k = from; k < to; k++)
            if (!has_bit(set, k))
                return false;
    return true;
}

/* Is one of the words in the set? Yes, of what is no variable. */
static bool any(const live *d, const uint64_t *set, const void *p, size_t size)
{
    uint32_t from, to;
    if (!bits_of(d, p, size, &from, &to))
        return true;
    for (uint32_t k = from; k < to; k++)
        if (has_bit(set, k))
            return true;
    return false;
}

/* --- what there is --------------------------------------------------------------------------- */

static exit_set *exit_of(const live *d, const ins *code)
{
    for (uint32_t k = 0; k < d->exits.n; k++)
        if (d->exits.v[k].code == code)
            return &d->exits.v[k];
    return NULL;
}

/* The function that has the instruction: the last one that begins at it or before. */
static exit_set *exit_at(const live *d, uint32_t at)
{
    exit_set *best = NULL;
    for (uint32_t k = 0; k < d->exits.n; k++) {
        exit_set *e = &d->exits.v[k];
        if (e->code <= d->vm->code + at && (!best || e->code > best->code))
            best = e;
    }
    return best;
}

/* Functions that are called. Operands of theirs that are reference parameters refer to those again,
 * and not to what the last call has put there. */
static void collect_calls(live *d, arena *a)
{
    for (uint32_t at = 0; at < d->vm->ncode; at++) {
        const ins *i = vm_inner(d->vm, at);
        const call_info *k = i->run == do_call ? i->aux : NULL;
        if (!k || exit_of(d, k->f->code))
            continue;
        VEC_PUSH(a, &d->exits, (exit_set){.code = k->f->code});
        for (uint32_t n = 0; n < k->n; n++)
            for (uint32_t u = 0; k->args[n].by_reference && u < k->args[n].uses->n; u++) {
                const ref_use *use = &k->args[n].uses->v[u];
                VEC_PUSH(a, &d->patched, ((patch){use->where, *use->where}));
                *use->where = k->args[n].to + use->offset;
            }
    }
}

static void restore_calls(const live *d)
{
    for (uint32_t k = 0; k < d->patched.n; k++)
        *d->patched.v[k].where = d->patched.v[k].was;
}

/* Temporary variables that a tile operation reads and writes beside its operands. */
static void add_temps(const live *d, uint64_t *set, const ins *i)
{
    uint32_t n;
    uint8_t *const *temps = vm_temps_of(d->vm, i, &n);
    for (uint32_t k = 0; k < n; k++)
        if (temps[k])
            add(d, set, temps[k], 0);
}

/* Variables whose addresses are taken are read all the time, and so are those of add_temps. */
static void collect_pinned(const live *d)
{
    for (uint32_t at = 0; at < d->vm->ncode; at++) {
        const ins *i = vm_inner(d->vm, at);
        if (i->run == do_address_of)
            add(d, d->pinned, i->v[1], 0);
        add_temps(d, d->pinned, i);
    }
}

/* May two arguments by reference of a call be one variable? */
static bool are_alike(const live *d, const ins *i, uint32_t a, uint32_t b)
{
    return i->v[a] == i->v[b] || (any(d, d->pinned, i->v[a], 0) && any(d, d->pinned, i->v[b], 0));
}

/* Reference parameters that may be one variable are read all the time, and so are those that they
 * are passed on to. */
static void pin_aliases(const live *d)
{
    for (bool more = true; more;) {
        more = false;
        for (uint32_t at = 0; at < d->vm->ncode; at++) {
            const ins *i = vm_inner(d->vm, at);
            const call_info *k = i->run == do_call ? i->aux : NULL;
            for (uint32_t m = 0; k && m < k->n; m++)
                for (uint32_t n = 0; k->args[m].by_reference && n < m; n++) {
                    const call_arg *x = &k->args[m], *y = &k->args[n];
                    if (!y->by_reference || !are_alike(d, i, m, n) ||
                        (all_in(d, d->pinned, x->to, 0) && all_in(d, d->pinned, y->to, 0)))
                        continue;
                    add(d, d->pinned, x->to, 0);
                    add(d, d->pinned, y->to, 0);
                    more = true;
                }
        }
    }
}

/* --- one instruction ------------------------------------------------------------------------- */

/* Operands of arithmetic whose result is read; `before` is what was live behind it. */
static void read_arith(live *d, const ins *i, const uint64_t *before)
{
    const arith_op *op = i->op;
    const type *t = op->nresults == 1 ? op->types[op->n] : NULL;
    const int lane = op->in_place ? -1 : vm_chosen_lane(d->vm, op, i->v);
    if (lane >= 0) {
        const size_t width = layout_size(type_scalar_of(op->types[0]));
        add(d, d->now, (uint8_t *)i->v[0] + (size_t)lane * width, width);
        add(d, d->now, i->v[1], sizeof(int32_t));
        return;
    }
    const bool lanes = vm_is_lane_by_lane(op);
    for (uint32_t k = 0; k < op->n; k++) {
        const size_t width = lanes ? layout_size(type_scalar_of(t)) : 0;
        if (!lanes || any(d, before, (uint8_t *)i->v[op->n] + k * width, width))
            add(d, d->now, i->v[k], layout_size(op->types[k]));
    }
}

/* `a[1] = x` of a vector: what was in the lane is lost. False: it is none. */
static bool step_assign(const live *d, const ins *i)
{
    const bool assigns =
        i->run == do_arith && vm_sets_element(i->op) && strcmp(i->op->name, "assign_inplace") == 0;
    const int lane = assigns ? vm_chosen_lane(d->vm, i->op, i->v) : -1;
    const size_t width = assigns ? layout_size(type_scalar_of(i->op->types[0])) : 0;
    uint8_t *at = lane < 0 ? NULL : (uint8_t *)i->v[0] + (size_t)lane * width;
    if (lane >= 0 && any(d, d->now, at, width)) {
        take(d, d->now, at, width);
        add(d, d->now, i->v[1], 0);
        add(d, d->now, i->v[2], 0);
    }
    return lane >= 0;
}

/* An instruction that computes values and nothing else. `before` is scratch. */
static void step_pure(live *d, uint32_t at, ins *i, uint32_t first, uint32_t n, uint64_t *before)
{
    bool read = false;
    for (uint32_t k = first; k < first + n; k++)
        read |= any(d, d->now, i->v[k], vm_operand_size(i, k));
    if (!read)
        return;
    memcpy(before, d->now, d->nwords * sizeof *before);
    for (uint32_t k = first; k < first + n; k++)
        take(d, d->now, i->v[k], vm_operand_size(i, k));
    if (i->run == do_arith) {
        read_arith(d, i, before);
        return;
    }
    /* The value that a where does not take is not read. */
    const vm_choice choice = d->choices[at];
    for (uint32_t k = 0; k < vm_operands_of(i); k++)
        if ((k < first || k >= first + n) && (choice != VM_CHOICE_FIRST || k != 3) &&
            (choice != VM_CHOICE_SECOND || k != 2))
            add(d, d->now, i->v[k], 0);
}

/* v[0] = v[1], word by word. */
static void step_move(const live *d, ins *i, size_t size)
{
    uint64_t read[RESULT_WORDS * 8] = {0};
    if (!any(d, d->now, i->v[0], size))
        return;
    if (size % WORD || size > sizeof read / sizeof *read * WORD) {
        add(d, d->now, i->v[1], size);
        return;
    }
    for (size_t k = 0; k < size; k += WORD)
        read[k / WORD] = any(d, d->now, (uint8_t *)i->v[0] + k, WORD);
    take(d, d->now, i->v[0], size);
    for (size_t k = 0; k < size; k += WORD)
        if (read[k / WORD])
            add(d, d->now, (uint8_t *)i->v[1] + k, WORD);
}

/* Is a word of the function's result read, as far as is known? */
static bool is_exit_read(const exit_set *e, size_t word)
{
    return e->all || (word < RESULT_WORDS * BITS && has_bit(e->words, word));
}

/* Words of a call's result that are read behind it. */
static void note_result(live *d, exit_set *e, const uint8_t *result)
{
    uint32_t from, to;
    const bool known = bits_of(d, result, 0, &from, &to);
    for (uint32_t word = 0; known && word < to - from; word++) {
        if (!has_bit(d->now, from + word) || is_exit_read(e, word))
            continue;
        if (word < RESULT_WORDS * BITS)
            e->words[word / BITS] |= UINT64_C(1) << word % BITS;
        else
            e->all = true;
        d->changed = true;
    }
    if (!known) {
        d->changed |= !e->all;
        e->all = true;
    }
}

/* An argument by reference is read where the function reads the parameter, and where it is read
 * behind the call, for the function may leave it as it is. */
static void pass_reference(live *d, const call_arg *arg, void *given, const uint64_t *entry)
{
    uint32_t from, to, first, last;
    if (!bits_of(d, arg->to, 0, &first, &last)) {
        add(d, d->now, given, 0);
    } else if (!bits_of(d, given, 0, &from, &to) || to - from != last - first) {
        d->changed |= !all_in(d, d->left, arg->to, 0);
        add(d, d->left, arg->to, 0);
        add(d, d->now, given, 0);
    } else {
        for (uint32_t k = 0; k < to - from; k++) {
            const bool read = has_bit(d->now, from + k);
            d->changed |= read && !has_bit(d->left, first + k);
            if (read)
                set_bit(d->left, first + k);
            else if (has_bit(entry, first + k))
                set_bit(d->now, from + k);
        }
    }
}

/* Arguments are read where the function reads its parameters. */
static void step_call(live *d, const ins *i)
{
    const call_info *k = i->aux;
    exit_set *e = exit_of(d, k->f->code);
    const uint64_t *entry = d->in + (size_t)(k->f->code - d->vm->code) * d->nwords;
    WEFT_ASSERT(e);
    if (k->n < i->n && i->v[k->n])
        note_result(d, e, i->v[k->n]);
    for (uint32_t n = 0; n < k->n; n++) {
        const call_arg *arg = &k->args[n];
        if (arg->by_reference)
            pass_reference(d, arg, i->v[n], entry);
        for (size_t at = 0; !arg->by_reference && at < arg->size; at += WORD) {
            const size_t left = arg->size - at;
            if (any(d, entry, arg->to + at, left < WORD ? left : WORD))
                add(d, d->now, (uint8_t *)i->v[n] + at, left < WORD ? left : WORD);
        }
    }
}

/* The value that a function returns. */
static void step_return(const live *d, uint32_t at, const ins *i)
{
    const exit_set *e = exit_at(d, at);
    for (size_t k = 0; k < i->size; k += WORD) {
        if (!e || is_exit_read(e, k / WORD))
            add(d, d->now, (uint8_t *)i->v[0] + k, WORD);
    }
}

/* The result of an access to memory or of a shape, and the size that is sure to be written; NULL:
 * it is none. */
static void *loaded(ins *i, size_t *size)
{
    ins_fn *run = i->run;
    *size = run == do_load ? i->size : run == do_load4 || run == do_shape_item ? 4 : 8;
    return run == do_address || run == do_address1 || run == do_load || run == do_load4 ||
                   run == do_load8 || run == do_address_of || run == do_shape ||
                   run == do_shape_item
               ? i->v[0]
               : NULL;
}

void *vm_moved(const ins *i, size_t *size)
{
    static const size_t sizes[] = {1, 4, 8};
    const where_info *lazy = i->aux;
    *size = i->run == do_assign_lazy ? lazy->size : i->size;
    if (do_is_assign(i->run) || i->run == do_move)
        return i->v[0];
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++)
        if (i->run == do_move_of(sizes[k])) {
            *size = sizes[k];
            return i->v[0];
        }
    return NULL;
}

/* Bytes of an adjoint that it adds to; 0: all of the variable. */
static size_t adjoint_size(const ins *i, const vm_adjoint *a, uint32_t k)
{
    return i->run == do_adjoint && a->n == i->op->n ? layout_size(i->op->types[k]) : 0;
}

/* Is it the adjoint of `a[i] = x` or the like? It adds adj_a[i] to adj_x, and may clear it. */
static bool sets_element(const ins *i)
{
    return i->run == do_adjoint && vm_sets_element(i->op);
}

/* The lane of its adjoint k that it adds to or takes from, and the lane's size; all of the adjoint
 * where that is not known. */
static size_t adjoint_part(const live *d, const ins *i, const vm_adjoint *a, uint32_t k,
                           uint8_t **at)
{
    const int lane = i->run == do_adjoint && !k ? vm_chosen_lane(d->vm, i->op, i->v) : -1;
    *at = i->v[a->first + k];
    if (lane < 0)
        return adjoint_size(i, a, k);
    const size_t width = layout_size(type_scalar_of(i->op->types[0]));
    *at += (size_t)lane * width;
    return width;
}

/* --- adjoints -------------------------------------------------------------------------------- */

/* Is an adjoint that it passes on ever other than zero? That of a comparison's operand is not:
 *
 *     var_5 = wp::extract(var_3, 1);  if (var_5 < 0)     adj_extract(var_3, 1, adj_3, .., adj_5) */
static bool is_fed(const live *d, ins *i, const vm_adjoint *a)
{
    if (i->run == do_adj_address)
        return any(d, d->fed, i->v[0], 0);
    if (a->memory || i->run == do_adj_array_store || i->run == do_adj_atomic ||
        i->run == do_adj_slot)
        return true;
    if (sets_element(i))
        return any(d, d->fed, i->v[a->first], 0);
    for (uint32_t k = 0; k < vm_operands_of(i); k++)
        if ((k < a->first || k >= a->first + a->n) && k >= a->from && any(d, d->fed, i->v[k], 0))
            return true;
    return false;
}

/* What instructions that are no adjoints write: all that they name, for they name few adjoints. */
static void feed_others(const live *d)
{
    for (uint32_t at = 0; at < d->vm->ncode; at++) {
        const ins *i = vm_inner(d->vm, at);
        const call_info *call = i->run == do_call ? i->aux : NULL;
        vm_adjoint a;
        for (uint32_t k = 0; i->run != do_zero && !vm_is_adjoint(i, &a) && k < vm_operands_of(i);
             k++)
            add(d, d->fed, i->v[k], 0);
        for (uint32_t k = 0; call && k < call->n; k++)
            add(d, d->fed, call->args[k].to, call->args[k].by_reference ? 0 : call->args[k].size);
        add_temps(d, d->fed, i);
    }
}

/* Adjoints that get something, from memory and from those that have got something. */
static void find_fed(const live *d)
{
    bool more = true;
    feed_others(d);
    while (more) {
        more = false;
        for (uint32_t at = 0; at < d->vm->ncode; at++) {
            ins *i = vm_inner(d->vm, at);
            vm_adjoint a;
            if (!vm_is_adjoint(i, &a) || !is_fed(d, i, &a))
                continue;
            for (uint32_t k = a.first; k < a.first + a.n; k++) {
                const size_t size = a.n > ADJOINTS_MAX ? 0 : adjoint_size(i, &a, k - a.first);
                more |= !all_in(d, d->fed, i->v[k], size);
                add(d, d->fed, i->v[k], size);
            }
        }
    }
}

/* Which of the adjoints that the instruction adds to are read behind it, as bits; all bits where it
 * changes memory. */
static uint32_t read_adjoints(const live *d, ins *i, const vm_adjoint *a, const uint64_t *after)
{
    uint32_t read = a->memory || a->n > ADJOINTS_MAX ? UINT32_MAX : 0;
    if (!is_fed(d, i, a))
        return 0;
    for (uint32_t k = 0; k < a->n && k < ADJOINTS_MAX; k++) {
        uint8_t *at;
        const size_t size = adjoint_part(d, i, a, k, &at);
        if (any(d, after, at, size))
            read |= UINT32_C(1) << k;
    }
    return read;
}

/* The adjoint of an operation reads what it needs for those that are read behind it:
 *
 *     adj_mul(a, b, adj_a, adj_b, adj_r);     adj_a is read, adj_b is not: b and adj_r */
static void step_adjoint(live *d, uint32_t at, ins *i, const vm_adjoint *a)
{
    const uint32_t read = read_adjoints(d, i, a, d->now), n = vm_operands_of(i);
    const bool in_place = i->run == do_adjoint && i->op->in_place;
    const bool lanes = i->run == do_adjoint && vm_is_lane_by_lane(i->op) && a->from + 1 == n;
    if (!read)
        return;
    if (!d->masks[at]) {
        d->masks[at] = ARENA_ARRAY(&d->vm->c->scratch, uint32_t, n + 1);
        vm_adjoint_masks(i, d->masks[at]);
    }
    for (uint32_t k = 0; k < n; k++) {
        const bool adds = k >= a->first && k < a->first + a->n && !in_place;
        uint8_t *part = i->v[k];
        const size_t size = in_place && k == a->first ? adjoint_part(d, i, a, 0, &part) : 0;
        if (!adds && i->v[k] && d->masks[at][k] & read && !(lanes && k == a->from))
            add(d, d->now, part, size);
    }
    for (uint32_t k = 0; lanes && k < a->n; k++) {
        const size_t width = layout_size(i->op->types[k]);
        if (read >> k & 1)
            add(d, d->now, (uint8_t *)i->v[a->from] + k * width, width);
    }
}

/* A builtin that changes its first argument, a random state: what it leaves there, and its results.
 */
static bool is_in_place(const ins *i)
{
    return i->run == do_arith && i->op->in_place && !i->op->nset && !i->op->has_effect;
}

/* Is something that it leaves read behind it? */
static bool reads_in_place(const live *d, ins *i, const uint64_t *after)
{
    const arith_op *op = i->op;
    for (uint32_t k = 0; k < op->n + op->nresults; k++) {
        const bool left = k >= op->n || k == 0 || (k == 1 && op->changes_second);
        if (left && any(d, after, i->v[k], 0))
            return true;
    }
    return false;
}

/* Does it matter if the instruction runs, before the place where `after` is live? */
static bool acts(const live *d, ins *i, const uint64_t *after)
{
    uint32_t first, n;
    size_t size;
    vm_adjoint a;
    if (d->vm->backward && vm_is_adjoint(i, &a))
        return read_adjoints(d, i, &a, after) != 0;
    if (d->vm->backward && is_in_place(i))
        return reads_in_place(d, i, after);
    if (vm_is_pure(i, &first, &n)) {
        for (uint32_t k = first; k < first + n; k++)
            if (any(d, after, i->v[k], vm_operand_size(i, k)))
                return true;
        return false;
    }
    const void *to = loaded(i, &size);
    to = to ? to : vm_moved(i, &size);
    return !to || any(d, after, to, size);
}

/* Is it the same whether the branch is taken or not? Then nothing in it stores, calls, or leaves
 * it, and nothing that it sets is read behind it.
 *
 *     if (var_4) { var_5 = ...; printf("%d", var_5); }     what is printed is not compared */
static bool is_idle_branch(const live *d, uint32_t at)
{
    const ins *const code = d->vm->code, *i = &code[at];
    const uint32_t end = (uint32_t)(i->to - code);
    const uint64_t *after = d->in + (size_t)end * d->nwords;
    if ((i->run != do_if && i->run != do_if_not) || end <= at)
        return false;
    for (uint32_t k = at + 1; k < end; k++) {
        ins *inner = vm_inner(d->vm, k);
        const bool forward =
                       inner->run == do_jump || inner->run == do_if || inner->run == do_if_not,
                   idle = inner->run == do_zero || inner->run == do_check || inner->run == do_shape;
        if (forward ? inner->to <= inner || inner->to > code + end : !idle && acts(d, inner, after))
            return false;
    }
    return true;
}

/* Turns what is live behind the instruction into what is live before it. */
static void step(live *d, uint32_t at, uint64_t *scratch)
{
    ins *i = vm_inner(d->vm, at);
    uint32_t first, n;
    size_t size;
    vm_adjoint a;
    if (d->vm->backward && vm_is_adjoint(i, &a)) {
        step_adjoint(d, at, i, &a);
    } else if (step_assign(d, i)) {
        return;
    } else if (d->vm->backward && is_in_place(i) && !reads_in_place(d, i, d->now)) {
        return;
    } else if (vm_is_pure(i, &first, &n)) {
        step_pure(d, at, i, first, n, scratch);
    } else if (i->run == do_call) {
        step_call(d, i);
    } else if (i->run == do_return_value) {
        step_return(d, at, i);
    } else if (vm_moved(i, &size)) {
        step_move(d, i, size);
    } else if (loaded(i, &size)) {
        if (!acts(d, i, d->now))
            return;
        take(d, d->now, i->v[0], size);
        for (uint32_t k = 1; k < (i->n && i->run != do_load ? vm_operands_of(i) : 2); k++)
            add(d, d->now, i->v[k], 8);
    } else if (i->run != do_zero && !is_idle_branch(d, at)) {
        for (uint32_t k = 0; k < vm_operands_of(i); k++)
            add(d, d->now, i->v[k], 0);
    }
}

/* What is live behind an instruction, in `now`. */
static void join(const live *d, uint32_t at)
{
    const ins *i = vm_inner(d->vm, at), *code = d->vm->code;
    const bool jumps = vm_is_jump(i) && !vm_is_branch(i);
    const call_info *k = i->run == do_call ? i->aux : NULL;
    const uint32_t next = k ? (uint32_t)(k->back - code) : at + 1;
    for (uint32_t w = 0; w < d->nwords; w++)
        d->now[w] = d->pinned[w] | (vm_ends(i) ? d->left[w] : 0);
    for (uint32_t w = 0; !jumps && !vm_ends(i) && next < d->vm->ncode && w < d->nwords; w++)
        d->now[w] |= d->in[(size_t)next * d->nwords + w];
    for (uint32_t w = 0; vm_is_jump(i) && w < d->nwords; w++)
        d->now[w] |= d->in[(size_t)(i->to - code) * d->nwords + w];
}

/* Rounds until nothing changes. False: they do not end soon. */
static bool solve(live *d, uint64_t *scratch)
{
    for (uint32_t round = 0; round < ROUNDS_MAX; round++) {
        d->changed = false;
        for (uint32_t at = d->vm->ncode; at-- > 0;) {
            uint64_t *in = d->in + (size_t)at * d->nwords;
            join(d, at);
            step(d, at, scratch);
            for (uint32_t w = 0; w < d->nwords; w++) {
                d->changed |= (d->now[w] & ~in[w]) != 0;
                in[w] |= d->now[w];
            }
        }
        if (!d->changed)
            return true;
    }
    return false;
}

/* --- mutants --------------------------------------------------------------------------------- */

static bool is_dead(const live *d, const textvm_mutant *m)
{
    if (m->kind == MUTANT_CONSTANT) {
        const vm_constant *k = &d->vm->constants.v[m->at];
        return !any(d, d->ever, k->at, vm_constant_width(k));
    }
    ins *i = vm_inner(d->vm, m->at);
    uint32_t first, n;
    size_t size;
    join(d, m->at);
    vm_adjoint a;
    if (m->kind == MUTANT_KEEP)
        return vm_is_adjoint(i, &a) && !a.memory;
    if (m->kind == MUTANT_DROP && i->run == do_adj_array_store)
        return !any(d, d->now, i->v[0], 0);
    if (m->kind == MUTANT_DROP && vm_is_adjoint(i, &a))
        return !acts(d, i, d->now);
    if (m->kind == MUTANT_DROP)
        return do_is_assign(i->run) && vm_moved(i, &size) && !any(d, d->now, i->v[0], size);
    if (d->vm->backward && is_in_place(i) && (m->kind == MUTANT_SIGN || m->kind == MUTANT_SWAP))
        return !any(d, d->now, i->v[i->op->n], 0);
    return (vm_is_pure(i, &first, &n) || loaded(i, &size)) && !acts(d, i, d->now);
}

/* Instructions that a thread of the kernel may come to: not those of a function of which only the
 * adjoint is called. */
static void mark_reached(const textvm *vm, bool *reached, uint32_t *queue)
{
    const ins *const code = vm->code;
    uint32_t n = 0;
    queue[n++] = (uint32_t)(vm->kernel.code - code);
    while (n) {
        const uint32_t at = queue[--n];
        if (at >= vm->ncode || reached[at])
            continue;
        const ins *i = vm_inner(vm, at);
        const call_info *k = i->run == do_call ? i->aux : NULL;
        const ins *snippet = vm_snippet_of(i);
        reached[at] = true;
        if (snippet)
            queue[n++] = (uint32_t)(snippet - code);
        if (vm_is_jump(i))
            queue[n++] = (uint32_t)(i->to - code);
        if (k)
            queue[n++] = (uint32_t)(k->f->code - code);
        if (!vm_ends(i) && !(vm_is_jump(i) && !vm_is_branch(i)))
            queue[n++] = k ? (uint32_t)(k->back - code) : at + 1;
    }
}

/* Drops the dead ones. Needs: solve. */
static uint32_t drop_dead(live *d, textvm_mutant *all, uint32_t n)
{
    const textvm *vm = d->vm;
    arena *a = &vm->c->scratch;
    uint32_t left = 0;
    bool *const reached = arena_zero(a, vm->ncode + 1);
    mark_reached(vm, reached, ARENA_ARRAY(a, uint32_t, 2 * (size_t)vm->ncode + 2));
    for (size_t k = 0; k < (size_t)vm->ncode * d->nwords; k++)
        d->ever[k % d->nwords] |= reached[k / d->nwords] ? d->in[k] : 0;
    for (uint32_t k = 0; k < n; k++)
        if ((all[k].kind == MUTANT_CONSTANT || reached[all[k].at]) && !is_dead(d, &all[k]))
            all[left++] = all[k];
    return left;
}

uint32_t vm_drop_dead(const textvm *vm, textvm_mutant *all, uint32_t n)
{
    arena *a = &vm->c->scratch;
    live d = {.vm = vm, .nparts = vm->variables.n};
    uint32_t bits = 0, left = 0;
    d.parts = ARENA_ARRAY(a, frame_part, d.nparts + 1);
    d.bases = ARENA_ARRAY(a, uint32_t, d.nparts + 1);
    for (uint32_t k = 0; k < d.nparts; k++)
        d.parts[k] = vm->variables.v[k];
    qsort(d.parts, d.nparts, sizeof *d.parts, by_part);
    for (uint32_t k = 0; k < d.nparts; k++) {
        d.bases[k] = bits;
        bits += (uint32_t)((d.parts[k].size + WORD - 1) / WORD);
    }
    d.nwords = bits / BITS + 1;
    if ((uint64_t)d.nwords * vm->ncode * sizeof *d.in > MEMORY_MAX)
        return n;
    d.choices = vm_known_choices(vm, a);
    d.masks = arena_zero(a, (vm->ncode + 1) * sizeof *d.masks);
    d.in = arena_zero(a, (size_t)d.nwords * (vm->ncode + 1) * sizeof *d.in);
    d.pinned = arena_zero(a, d.nwords * sizeof *d.pinned);
    d.now = arena_zero(a, d.nwords * sizeof *d.now);
    d.left = arena_zero(a, d.nwords * sizeof *d.now);
    d.fed = arena_zero(a, d.nwords * sizeof *d.fed);
    d.ever = arena_zero(a, d.nwords * sizeof *d.ever);
    collect_calls(&d, a);
    collect_pinned(&d);
    pin_aliases(&d);
    if (vm->backward)
        find_fed(&d);
    left = solve(&d, arena_zero(a, d.nwords * sizeof *d.now)) ? drop_dead(&d, all, n) : n;
    restore_calls(&d);
    return left;
}
