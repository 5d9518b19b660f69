/* SPDX-License-Identifier: Apache-2.0 */
/* Plans by the roles of parameters, or guessed. A launch has several blocks of 256 threads and no
 * multiple of one, if it can; dimensions differ, so that an index on the wrong axis shows:
 *
 *     wp.tid() of two                  19 x 15, arrays of the same shape
 *     tri indexes x, which has 277     tri: drawn from 0 .. 276
 *     rows bound a loop                rows: rising in steps of 2
 *     if i >= n                        n: 274, so that three threads leave */
#include "inputs/inputs_plan.h"

enum { USER_MAG = 1, MOST_GUESSED = 1 << 18, THREADS_MAX = 1 << 14 };

/* Sizes by trial and number of dimensions. */
static const uint16_t launches[3][LAUNCH_DIMS][LAUNCH_DIMS] = {
    {{277}, {19, 15}, {8, 7, 5}, {4, 7, 5, 2}},
    {{61}, {9, 7}, {3, 5, 4}, {3, 5, 2, 2}},
    {{9}, {3, 4}, {2, 3, 4}, {2, 3, 2, 2}},
};

/* The largest whole x with x^n <= total, and 1 at least; for n > 1 at most 256. */
static int64_t root(int64_t total, int n)
{
    WEFT_ASSERT(n >= 1);
    for (int64_t x = total < 1 ? 1 : n == 1 ? total : 256; x > 1; x--) {
        int64_t power = 1;
        for (int i = 0; i < n; i++)
            power *= x;
        if (power <= total)
            return x;
    }
    return 1;
}

/* Sizes of letters that are no dimension of the launch. */
const uint8_t inputs_other_sizes[INPUTS_OTHERS] = {5, 3, 4, 6, 2, 7};

/* Sizes of a launch in ndim dimensions, which differ if they can; with `elements` about that many
 * threads in all, a quarter for each smaller trial. */
void inputs_launch_sizes(uint32_t elements, uint32_t size, int ndim, int64_t *sizes)
{
    WEFT_ASSERT(ndim >= 1 && ndim <= LAUNCH_DIMS && size < 3);
    int64_t left = (int64_t)elements >> 2 * size;
    for (int d = 0; d < ndim; d++) {
        sizes[d] = launches[size][ndim - 1][d];
        if (!elements)
            continue;
        sizes[d] = root(left, ndim - d);
        left = left / sizes[d] < 1 ? 1 : left / sizes[d];
    }
}

/* The longest dimension of the launch. */
static int64_t longest(const inputs_plan *p)
{
    int64_t most = 1;
    for (int i = 0; i < p->ndim; i++)
        most = p->dim[i] > most ? p->dim[i] : most;
    return most;
}

/* The most dimensions that an array has, in a struct of this type or itself. */
static int most_dims(const type *t)
{
    int most = t->kind == TYPE_ARRAY ? t->ndim : 0;
    for (uint32_t i = 0; t->kind == TYPE_STRUCT && i < t->st->nfields; i++) {
        const int n = most_dims(t->st->fields[i].type);
        most = n > most ? n : most;
    }
    return most;
}

/* At most MOST_GUESSED items? */
static bool is_small(int64_t side, int ndim)
{
    WEFT_ASSERT(side > 0);
    int64_t items = MOST_GUESSED;
    for (int d = 0; d < ndim; d++)
        items /= side;
    return items > 0;
}

/* Arrays are as long in each dimension as the launch in its longest: whatever index a kernel makes
 * of its threads', it is within. With several dimensions they are shorter where that is much
 * memory. */
void inputs_shape_alike(const inputs_plan *p, const type *t, inputs_arg *a)
{
    const int ndim = most_dims(t);
    int64_t side = longest(p);
    if (ndim > 1 && side > MOST_GUESSED)
        side = MOST_GUESSED;
    while (ndim > 1 && !is_small(side, ndim))
        side--;
    a->rank = LAUNCH_DIMS;
    for (int d = 0; d < LAUNCH_DIMS; d++)
        a->shape[d] = side;
}

/* All dimensions as long as comparisons with their index want, if they can be: while there are too
 * many threads, the longest dimension falls back to a shorter length that it wants, or to its usual
 * one.
 *
 *     58 or 130, 58 or 130, 21 or 130     130 x 130 x 130, ...; 58 x 58 x 21 is few enough */
static void reach_all(const inputs_kernel *k, const inputs_trial *trial, inputs_plan *p)
{
    const inputs_reach *reach = &k->reach;
    int64_t usual[LAUNCH_DIMS];
    uint32_t next[LAUNCH_DIMS];
    for (int d = 0; d < p->ndim; d++) {
        next[d] = reach->dim[d].n;
        usual[d] = p->dim[d];
        if (next[d] && reach->dim[d].lengths[--next[d]] > usual[d])
            p->dim[d] = reach->dim[d].lengths[next[d]];
    }
    for (;;) {
        int64_t total = 1;
        int longest = 0;
        for (int d = 0; d < p->ndim; d++) {
            total *= p->dim[d];
            longest = p->dim[d] - usual[d] > p->dim[longest] - usual[longest] ? d : longest;
        }
        if (total <= trial->threads || p->dim[longest] == usual[longest])
            return;
        const int64_t shorter =
            next[longest] ? reach->dim[longest].lengths[--next[longest]] : usual[longest];
        p->dim[longest] = shorter > usual[longest] ? shorter : usual[longest];
    }
}

/* Dimensions as long as comparisons with their index want, the others shorter where all together
 * would be too many threads. */
static void reach_far(const inputs_kernel *k, const inputs_trial *trial, inputs_plan *p)
{
    int64_t total = 1;
    for (int d = 0; d < p->ndim; d++) {
        const uint32_t n = k->reach.dim[d].n;
        const int64_t length = n ? k->reach.dim[d].lengths[n - 1] : 0;
        p->dim[d] = length > p->dim[d] ? length : p->dim[d];
        total *= p->dim[d];
    }
    for (int i = 0; i < p->ndim && total > THREADS_MAX; i++) {
        const int d = trial->seed & 1 ? i : p->ndim - 1 - i; /* another one is far by odd seeds */
        total /= p->dim[d];
        p->dim[d] = total < THREADS_MAX / 3 ? THREADS_MAX / total : 3;
        total *= p->dim[d];
    }
}

/* Blocks of a launch with tiles, by trial and number of dimensions. */
static const uint8_t tiled[3][3][3] = {
    {{5}, {3, 2}, {2, 3, 2}}, {{3}, {2, 3}, {2, 1, 2}}, {{2}, {1, 2}, {1, 2, 1}}};

enum { BLOCK = 256 }; /* threads */

/* A launch of tiles in shared memory: a few blocks of 256 threads, or one if all would do the same
 * to the same arrays. Full ones, where threads have
 * indexes of their own: the rounds of a loop that the block shares belong to all of them. */
static void tile_sizes(const inputs_kernel *k, const inputs_trial *trial, inputs_plan *p)
{
    const bool lanes = k->blocks == CUDA_BLOCKS_LANES;
    const int blocks = p->ndim - lanes;
    if (k->blocks == CUDA_BLOCKS_COVER) {
        p->dim[0] = trial->size ? BLOCK : 2 * BLOCK;
        return;
    }
    WEFT_ASSERT(blocks >= 1 && blocks <= 3);
    for (int d = 0; d < blocks; d++)
        p->dim[d] = k->alike ? 1 : tiled[trial->size][blocks - 1][d];
    if (lanes)
        p->dim[p->ndim - 1] = BLOCK;
}

/* The array, of ndim dimensions, has all tiles of the launch but for a few elements, if that is not
 * too much memory; no two dimensions are alike. Room is left for a few items of those behind. */
static void shape_tiled(const inputs_kernel *k, const inputs_plan *p, int ndim, inputs_arg *a)
{
    enum { MISSING = 3, LEAST = 8 };
    int64_t blocks = 1, room = MOST_GUESSED;
    for (int d = 1; d < ndim; d++)
        room /= LEAST;
    for (int d = 0; d < p->ndim && k->blocks != CUDA_BLOCKS_COVER; d++)
        if (k->blocks == CUDA_BLOCKS_TILED || d < p->ndim - 1)
            blocks = p->dim[d] > blocks ? p->dim[d] : blocks;
    const int64_t whole = k->tile_extent * (blocks < 2 ? 2 : blocks);
    a->rank = LAUNCH_DIMS;
    for (int n = 0; n < LAUNCH_DIMS;
         n++) { /* from the last one on, along which rows of tiles lie */
        const int d = n < ndim ? ndim - 1 - n : n;
        int64_t side = whole > 2 * MISSING ? whole - MISSING - d : whole + d;
        if (k->blocks != CUDA_BLOCKS_TILED && side < p->dim[p->ndim - 1])
            side = p->dim[p->ndim - 1];
        a->shape[d] = side > room ? room : side;
        room = room / a->shape[d] < 1 ? 1 : room / a->shape[d];
        room *= n + 1 < ndim ? LEAST : 1;
    }
}

/* Without a promise: arrays like the launch, integers small enough to index them. One-dimensional
 * arrays get the launch's first size, further dimensions small sizes of their own. An integer
 * passed by value is taken for a size at first, and for the number 4 in a later trial (small_ints).
 */
static void guess(const inputs_kernel *k, const inputs_trial *trial, inputs_plan *p)
{
    const code *f = &k->kernel->code;
    p->ndim = k->ndim;
    inputs_launch_sizes(k->elements, trial->size, p->ndim, p->dim);
    for (int d = 0; d < p->ndim && trial->apart; d++)
        p->dim[d] = k->unused >> d & 1 ? 1 : p->dim[d]; /* else threads of one index race */
    if (k->tile_extent)
        tile_sizes(k, trial, p);
    else if (trial->reach && trial->threads)
        reach_all(k, trial, p);
    else if (trial->reach)
        reach_far(k, trial, p);
    for (uint32_t i = 0; i < f->nparams; i++) {
        const type *t = f->params[i].type;
        inputs_arg *a = &p->args[i];
        const type *scalar = type_scalar_of(t->kind == TYPE_ARRAY ? t->elem : t);
        a->mag = USER_MAG;
        /* Integers of any type may index an array. */
        a->is_index = !scalar || type_is_integer(scalar);
        if (k->tile_extent) {
            shape_tiled(k, p, most_dims(t), a);
        } else if (trial->square || t->kind == TYPE_STRUCT) {
            inputs_shape_alike(p, t, a);
        } else {
            a->rank = LAUNCH_DIMS;
            for (int d = 0; d < LAUNCH_DIMS; d++)
                a->shape[d] = d < p->ndim ? p->dim[d] : inputs_other_sizes[d ? d - 1 : 0];
        }
        if (type_is_integer(t)) {
            a->is_size = !trial->small_ints;
            a->shape[0] = k->tile_extent ? a->shape[0] : p->dim[0];
        }
    }
}

/* Are bits that the code tests set? By odd seeds too, where that makes no index too large. */
static bool sets_bits(const inputs_trial *trial, const inputs_role *r)
{
    return r->uses & INPUTS_BITS && (trial->bits || (trial->seed & 1 && !(r->uses & INPUTS_INDEX)));
}

/* An integer passed by value, by its role; `drawn` counts them, so that no two are equal. Bounds of
 * the launch are a little below it: the threads beyond have to leave. What is added to a thread's
 * index brings the sum to what it is compared with, or by other seeds a good way before that: what
 * is even in the distance shows there. */
static int64_t planned_value(const inputs_plan *p, const inputs_trial *trial, const inputs_role *r,
                             uint32_t *drawn, inputs_arg *a)
{
    enum { SHIFTS = 4, SMALL = 8, LITERALS = 1 << 20 };
    static const uint8_t factors[] = {7, 5, 11, 3, 13, 4, 9, 6},
                         counts[] = {5, 3, 6, 4, 7, 2, 9, 8};
    const uint32_t i = (*drawn)++ % sizeof factors;
    if (r->uses & INPUTS_BOUND && (int)r->dim < p->ndim) {
        a->sized = INPUTS_SIZED_BOUND;
        a->of = r->dim;
        return p->dim[r->dim] > 6 ? p->dim[r->dim] - 3 : p->dim[r->dim] - (p->dim[r->dim] > 2);
    }
    if (r->uses & INPUTS_ADDED && (int)r->dim < p->ndim && trial->seed % 3 != 2) {
        const int64_t at = r->meets[(trial->seed + trial->mix) % r->nmeets],
                      half = p->dim[r->dim] / 2, aside = trial->seed % 3 ? at / 4 : 0;
        return at > half + aside ? at - half - aside : 0;
    }
    if (r->uses & INPUTS_SHIFT) {
        a->low = 1;
        a->width = SHIFTS;
        return 1 + i % SHIFTS;
    }
    if (r->uses & INPUTS_DIVISOR && trial->reach && trial->seed & 1)
        return 1;
    if (r->uses & (INPUTS_DIVISOR | INPUTS_STRIDE))
        return r->uses & INPUTS_DIVISOR && trial->below_zero ? -(int64_t)factors[i] : factors[i];
    if (sets_bits(trial, r))
        return (int64_t)(inputs_hash(trial->seed, i) & r->mask);
    if (r->uses & INPUTS_LITERAL && !(r->uses & (INPUTS_COUNT | INPUTS_INDEX))) {
        a->low = r->least;
        a->width = r->most - r->least < LITERALS ? (uint32_t)(r->most - r->least) + 2 : 0;
        return r->least + trial->seed % (uint32_t)(r->most - r->least + 2);
    }
    a->width = r->uses & (INPUTS_COUNT | INPUTS_INDEX) ? 0 : SMALL;
    return r->per && r->uses & INPUTS_COUNT ? r->per * (2 + i % 2) + trial->seed % 2 : counts[i];
}

/* The shortest of the dimensions that the numbers index; those that are part of a sum get a quarter
 * of it. */
static uint32_t index_range(const inputs_plan *p, const inputs_role *r)
{
    int64_t least = 0;
    for (uint32_t i = 0; i < r->ntargets; i++) {
        const int64_t side = p->args[r->targets[i].param].shape[r->targets[i].dim];
        const int64_t range = r->targets[i].exact ? side : side / 4 + 1;
        if (!side) /* it is absent */
            continue;
        least = !least || range < least ? range : least;
    }
    return least < 2 ? 2 : (uint32_t)least;
}

/* The integers of an array. Needs: the shapes of all parameters. */
static void plan_items(const inputs_plan *p, const inputs_trial *trial, const inputs_role *r,
                       inputs_arg *a)
{
    enum {
        ANY = 61,
        DIVISORS = 7,
        SHIFTS = 6,
        COUNTS = 5,
        LITERALS = 1 << 12,
        ALIKE = 4,
        SENTINEL = 1 << 20,
        VOXELS = 24,
        OUTSIDE = -4,
        LARGE = 1 << 24
    };
    a->kind = r->uses & INPUTS_OFFSETS ? INPUTS_FILL_OFFSETS : INPUTS_FILL_DRAWN;
    a->least = r->uses & INPUTS_DIVISOR ? 1 : 0;
    a->steps = r->uses & INPUTS_OFFSETS   ? 2 * (r->per ? r->per : 1)
               : r->uses & INPUTS_INDEX   ? index_range(p, r)
               : r->uses & INPUTS_DIVISOR ? DIVISORS
               : r->uses & INPUTS_SHIFT   ? SHIFTS
               : r->uses & INPUTS_COUNT   ? COUNTS
                                          : ANY;
    if (trial->scaled && a->steps == ANY && r->scale >= ANY && r->scale < LARGE)
        a->steps = 4 * (uint32_t)r->scale;
    a->mask = sets_bits(trial, r) ? r->mask : 0;
    if (r->uses & INPUTS_VOXEL && a->steps == ANY) { /* most of them are inside */
        a->steps = VOXELS;
        a->least = OUTSIDE;
    }
    if (trial->alike && a->steps > ALIKE)
        a->steps = ALIKE;
    if (trial->below_zero &&
        !(r->uses & (INPUTS_OFFSETS | INPUTS_INDEX | INPUTS_DIVISOR | INPUTS_SHIFT | INPUTS_COUNT)))
        a->least = -(int64_t)(a->steps / 2);
    if (!(r->uses & INPUTS_LITERAL) || r->uses & (INPUTS_OFFSETS | INPUTS_VOXEL))
        return;
    if (r->uses & INPUTS_INDEX && (r->least <= 0 || r->most > SENTINEL)) {
        a->kind = INPUTS_FILL_SENTINEL;
        a->least = r->most > SENTINEL ? r->most : r->least < 0 ? r->least : -1;
    } else if (r->uses & INPUTS_SHIFT) { /* none is below zero, or far above */
        a->steps = r->most > SHIFTS - 3 && r->most < 29 ? (uint32_t)r->most + 3 : SHIFTS;
    } else if (!(r->uses & INPUTS_INDEX) && r->most - r->least < LITERALS) {
        a->least = r->least - 1;
        a->steps = (uint32_t)(r->most - r->least) + 3;
    }
}

void inputs_make_distinct(const type *t, inputs_arg *a)
{
    enum { MOST = 1 << 20, DOWN = 1 << 15, FAR = 7 }; /* products are below 2^31 */
    WEFT_ASSERT(a->distinct && t->kind == TYPE_ARRAY);
    int64_t n = type_is_value(t->elem) ? lane_count(t->elem) : 1;
    for (int d = 0; d < t->ndim && d < LAUNCH_DIMS && n < MOST; d++)
        n *= a->shape[d];
    a->steps = n > MOST ? MOST : n < 2 ? 2 : (uint32_t)n;
    a->distinct = a->steps > DOWN ? FAR : a->distinct;
    a->steps += a->distinct > 1 && a->steps % a->distinct == 0;
    a->lattice.of_group = a->distinct > 1 ? a->distinct : a->steps - 1; /* 0, n - 1, n - 2, ... */
}

/* Are they the beginnings of rows: offsets, or part of a sum that is an index? */
static bool begins_rows(const inputs_role *r)
{
    for (uint32_t i = 0; i < r->ntargets; i++)
        if (!r->targets[i].exact)
            return true;
    return r->uses & (INPUTS_OFFSETS | INPUTS_ROWS);
}

/* All different: by even seeds from the last one down, by odd ones far from each other, so that the
 * index of an index is another one. Beginnings of rows leave room for a row each:
 *
 *     for e in range(counts[v])               counts: 0 .. 4
 *         out[start[v] + e] = ...             start: 7, 14, 21, ... */
static void plan_apart(const inputs_trial *trial, const type *t, const inputs_role *r,
                       inputs_arg *a)
{
    enum { FAR = 7, FARTHER = 9, COUNTS = 5, MOST = 1 << 20 };
    const bool rows = begins_rows(r), far = trial->seed % 2;
    if (r->uses & INPUTS_OFFSETS && !far)
        return;
    if (r->uses & INPUTS_COUNT && !(r->uses & INPUTS_OFFSETS)) {
        a->kind = INPUTS_FILL_DRAWN;
        a->least = 0;
        a->steps = COUNTS;
        return;
    }
    a->kind = INPUTS_FILL_LATTICE;
    /* Of inclusive sums no element says where the first row begins: at 0. */
    a->least = rows ? FAR : 0;
    a->lattice = (inputs_lattice){1, far ? FAR : rows ? FARTHER : 0, 0};
    a->steps = MOST;
    a->distinct = rows ? 0 : far ? FAR : 1;
    if (a->distinct)
        inputs_make_distinct(t, a);
}

/* Arrays that the code tests for are missing: by seed 0 all of them, by another one every second.
 */
static void plan_absent(const inputs_kernel *k, const inputs_trial *trial, inputs_plan *p)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < k->kernel->code.nparams; i++) {
        inputs_arg *a = &p->args[i];
        if (!(k->roles[i].uses & INPUTS_OPTIONAL) ||
            k->kernel->code.params[i].type->kind != TYPE_ARRAY)
            continue;
        a->absent = !trial->seed || (n + trial->seed) % 2;
        n++;
        if (a->absent)
            memset(a->shape, 0, sizeof a->shape);
    }
}

int inputs_magnitude(const inputs_role *r, bool little)
{
    enum { MOST = 100, LEAST = -40 };
    int exponent = 0; /* of infinity nobody sets it */
    (void)__builtin_frexp(little ? r->little : r->scale, &exponent);
    return exponent > MOST ? MOST : exponent < LEAST ? LEAST : exponent;
}

/* One of how many floats of an array is NaN or infinite, where the code tests for such. By odd
 * seeds fewer are, of every second array: sums of several still have finite results. */
static uint32_t odd_share(const inputs_trial *trial, const inputs_role *r, const type *t,
                          uint32_t i)
{
    enum { MANY = 16, FEW = 64 };
    if (!(r->uses & INPUTS_FINITE) || t->kind != TYPE_ARRAY)
        return 0;
    return trial->seed % 2 == 0 ? MANY : (i + trial->seed / 2) % 2 ? FEW : 0;
}

/* How many of eight floats are 0: few at first, later most of them, so that several arrays have
 * them in one place. */
static uint8_t zeros_share(const inputs_trial *trial, const inputs_role *r, const type *t)
{
    if (!(trial->zeros || trial->same) || !(r->uses & INPUTS_ZERO) ||
        (t->kind != TYPE_ARRAY && trial->seed % 2))
        return 0;
    return trial->same || trial->seed >= 2 ? INPUTS_ZEROS_MOST : INPUTS_ZEROS_FEW;
}

/* Arrays are the same as earlier ones, or almost, by odd seeds every second one: `now` and
 * `before`. */
static void plan_same(const inputs_kernel *k, const inputs_trial *trial, inputs_plan *p)
{
    for (uint32_t i = 0; i < k->kernel->code.nparams; i++)
        if (k->kernel->code.params[i].type->kind == TYPE_ARRAY && !p->args[i].absent &&
            (trial->seed % 2 == 0 || (i + trial->seed / 2) % 2)) {
            p->args[i].twin = inputs_twin_of(k, p, i);
            p->args[i].turned = trial->seed >= 2;
        }
}

/* A few offsets alone, so that threads come to the last one. Where each has its own they grow. */
static void plan_few(const inputs_trial *trial, const type *t, const inputs_role *r, inputs_arg *a)
{
    enum { FEW = 4 };
    if (trial->size == 2 && t->kind == TYPE_ARRAY && t->ndim == 1 && r->uses & INPUTS_OFFSETS &&
        a->shape[0] > FEW)
        a->shape[0] = FEW;
}

/* Integers by the roles of their parameters. Needs: guess. */
static void plan_roles(const inputs_kernel *k, const inputs_trial *trial, inputs_plan *p)
{
    const code *f = &k->kernel->code;
    static const int8_t mags[] = {1, 9, 3, 20, 0, 14, -3, 6};
    uint32_t drawn = trial->seed;
    if (trial->absent)
        plan_absent(k, trial, p);
    for (uint32_t i = 0; i < f->nparams; i++)
        plan_few(trial, f->params[i].type, &k->roles[i], &p->args[i]);
    for (uint32_t i = 0; i < f->nparams; i++) {
        const type *t = f->params[i].type;
        inputs_arg *a = &p->args[i];
        a->zeros = zeros_share(trial, &k->roles[i], t);
        a->pivots = k->roles[i].uses & INPUTS_PIVOTS && t->kind == TYPE_ARRAY && t->ndim >= 2 &&
                    type_is_scalar(t->elem);
        if (trial->odd)
            a->odd = odd_share(trial, &k->roles[i], t, i);
        if (trial->scaled && k->roles[i].scale > 0)
            a->mag = inputs_magnitude(&k->roles[i], trial->seed & 1);
        if (trial->wide)
            a->mag = mags[(i + trial->seed) % sizeof mags];
        if (!a->is_index && !type_is_integer(t))
            continue;
        a->planned = true;
        a->is_size = false;
        a->steps = 1;
        if (type_is_integer(t))
            a->least = planned_value(p, trial, &k->roles[i], &drawn, a);
        else
            plan_items(p, trial, &k->roles[i], a);
        a->planned = type_is_integer(t) || t->kind == TYPE_ARRAY; /* of others it is a hint */
    }
    if (trial->same)
        plan_same(k, trial, p);
}

/* Indexes of what is stored, apart. Needs: the plan by roles, varied or not. */
static void plan_all_apart(const inputs_kernel *k, const inputs_trial *trial, inputs_plan *p)
{
    for (uint32_t i = 0; i < k->kernel->code.nparams; i++) {
        const type *t = k->kernel->code.params[i].type;
        if (t->kind == TYPE_ARRAY && p->args[i].planned && !p->args[i].absent &&
            k->roles[i].uses & (INPUTS_PLACES | INPUTS_OFFSETS))
            plan_apart(trial, t, &k->roles[i], &p->args[i]);
    }
}

/* One thread, or one block with tiles. Arrays are as they were. */
static void launch_alone(const inputs_kernel *k, inputs_plan *p)
{
    const bool tiles = k->tile_extent > 0;
    if (tiles && k->blocks == CUDA_BLOCKS_COVER)
        p->dim[0] = BLOCK;
    for (int d = tiles && k->blocks == CUDA_BLOCKS_COVER; d < p->ndim; d++)
        if (!tiles || k->blocks != CUDA_BLOCKS_LANES || d < p->ndim - 1)
            p->dim[d] = 1;
}

void inputs_plan_make(arena *a, const inputs_kernel *k, const inputs_trial *trial, inputs_plan *out)
{
    WEFT_ASSERT(trial->size < 3);
    *out = (inputs_plan){.positive = trial->positive, .alone = k->alone};
    out->args = arena_zero(a, (k->kernel->code.nparams + 1) * sizeof *out->args);
    guess(k, trial, out);
    if (k->alone)
        launch_alone(k, out);
    if (trial->roles)
        plan_roles(k, trial, out);
    if (trial->roles && trial->mix)
        inputs_plan_mix(k, trial, out);
    if (trial->roles && trial->apart)
        plan_all_apart(k, trial, out);
}

static bool is_tid(const ir_unit *u, const ir_stmt *s)
{
    for (uint32_t i = 0; i < s->nargs && i < 2; i++) {
        const ir_arg a = u->args.v[s->args + i];
        if (ir_kind(a) == IR_ARG_CALLEE)
            return ir_is_tid(&u->callees.v[ir_index(a)]);
    }
    return false;
}

/* Does a statement have the variable, or a part of it, but for wp.tid() itself? */
static bool is_used(const ir_unit *u, uint32_t var)
{
    for (uint32_t i = 0; i < u->stmts.n; i++) {
        const ir_stmt *s = &u->stmts.v[i];
        for (uint32_t k = 0; k < s->nargs && !is_tid(u, s); k++) {
            const ir_arg a = u->args.v[s->args + k];
            const uint32_t root = ir_kind(a) == IR_ARG_VAR     ? ir_index(a)
                                  : ir_kind(a) == IR_ARG_PLACE ? ir_place_root(u, ir_index(a))
                                                               : UINT32_MAX;
            if (root == var || (root != UINT32_MAX && ir_whole_var(u, root) == var))
                return true;
        }
    }
    return false;
}

/* Dimensions of the launch whose index nothing uses, as bits: the second of `i, _ = wp.tid()`. A
 * function may call wp.tid(), too. */
static unsigned unused_dims(const ir_module *m)
{
    const ir_unit *u = m->kernel;
    unsigned used = 0;
    for (uint32_t i = 0; i < m->funcs.n; i++)
        for (uint32_t k = 0; k < m->funcs.v[i]->stmts.n; k++)
            if (is_tid(m->funcs.v[i], &m->funcs.v[i]->stmts.v[k]))
                return 0;
    for (uint32_t i = 0; i < u->stmts.n; i++) {
        const ir_stmt *s = &u->stmts.v[i];
        for (uint32_t k = 1; k < s->nargs && is_tid(u, s); k++) {
            const ir_arg a = u->args.v[s->args + k];
            if (ir_kind(a) == IR_ARG_VAR && is_used(u, ir_whole_var(u, ir_index(a))))
                used |= 1u << (k - 1);
        }
    }
    return ~used;
}

void inputs_kernel_init(inputs_kernel *k, arena *a, const ir_module *ir, const kernel *of)
{
    const int ndim = ir->kernel->launch_dim;
    *k = (inputs_kernel){.kernel = of, .ndim = ndim < 1 ? 1 : ndim, .alike = ndim < 1};
    k->unused = k->ndim > 1 ? unused_dims(ir) : 0;
    k->roles = inputs_roles(a, ir, &k->reach);
}
