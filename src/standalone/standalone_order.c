/* SPDX-License-Identifier: Apache-2.0 */
/* Results that depend on the order in which threads run. A GPU has an order of its own, so that a
 * program cannot compare them as they are. Reversed is what comes out if the last thread runs
 * first; apart, if none sees what another stores, as where all run at once.
 *
 *     k = wp.atomic_add(count, 0, 1)
 *     items[k] = x[i]        in reverse order the same items, elsewhere: sorted, then compared
 *     last[0] = x[i]         another number: not compared
 *     n[0] = n[0] + 1        apart another number: not compared */
#include "standalone/standalone_internal.h"

/* A list of items, each of some numbers. */
typedef struct item_list {
    type_kind scalar;
    size_t n, lanes, width; /* width: of a number, in bytes */
} item_list;

static item_list list_of(const sa_column *col)
{
    const size_t lanes = (size_t)lane_count(col->type);
    return (item_list){col->scalar, col->count / lanes, lanes,
                       layout_size(type_scalar_of(col->type))};
}

/* By the first number that differs. */
static bool is_less(const item_list *l, const uint8_t *a, const uint8_t *b)
{
    for (size_t k = 0; k < l->lanes; k++) {
        const num x = num_load(l->scalar, a + k * l->width),
                  y = num_load(l->scalar, b + k * l->width);
        if (l->scalar >= TYPE_FLOAT16 ? x.f != y.f : x.i != y.i)
            return l->scalar >= TYPE_FLOAT16  ? x.f < y.f
                   : l->scalar == TYPE_UINT64 ? (uint64_t)x.i < (uint64_t)y.i
                                              : x.i < y.i;
    }
    return false;
}

/* Merges two sorted runs, from..middle - 1 and middle..to - 1, of items. */
static void merge(const item_list *l, uint8_t *out, const uint8_t *in, size_t from, size_t middle,
                  size_t to)
{
    const size_t size = l->lanes * l->width;
    size_t left = from, right = middle;
    for (size_t i = from; i < to; i++) {
        const bool takes_right =
            left == middle || (right < to && is_less(l, in + right * size, in + left * size));
        memcpy(out + i * size, in + (takes_right ? right++ : left++) * size, size);
    }
}

const uint8_t *sa_sorted(arena *a, const sa_column *col, const uint8_t *numbers)
{
    const item_list l = list_of(col);
    const size_t bytes = l.n * l.lanes * l.width;
    uint8_t *from = arena_alloc(a, bytes), *to = arena_alloc(a, bytes);
    memcpy(from, numbers, bytes);
    for (size_t run = 1; run < l.n; run *= 2) {
        for (size_t i = 0; i < l.n; i += 2 * run) {
            const size_t middle = i + run < l.n ? i + run : l.n,
                         end = i + 2 * run < l.n ? i + 2 * run : l.n;
            merge(&l, to, from, i, middle, end);
        }
        uint8_t *const other = from;
        from = to;
        to = other;
    }
    return from;
}

/* C++ sorts these as we do. */
static bool can_sort(const sa_column *col)
{
    return !col->odd && col->scalar != TYPE_FLOAT16 && col->scalar != TYPE_BFLOAT16;
}

static bool is_alike(const sa_column *col, const uint8_t *a, const uint8_t *b)
{
    const size_t width = layout_size(type_scalar_of(col->type));
    for (size_t i = 0; i < col->count; i++)
        if (tolerance_error(col->scalar, num_load(col->scalar, a + i * width),
                            num_load(col->scalar, b + i * width),
                            col->limit.floor) > col->limit.tolerance)
            return false;
    return true;
}

/* The same items elsewhere: sorted, unless a rounding can change the order of the sorted ones. */
static void sort_column(sa_run *r, sa_column *col, const uint8_t *sorted, const uint8_t *disturbed)
{
    const size_t width = layout_size(type_scalar_of(col->type));
    col->racing =
        !can_sort(col) || !disturbed || !is_alike(col, sorted, sa_sorted(&r->own, col, disturbed));
    if (col->racing)
        return;
    col->sorted = sorted;
    col->sample = (sa_sample){sa_column_step_of(col->count, width, NULL, sorted), col->count,
                              col->sample.all};
}

void sa_take_order(sa_run *r, sa_column *col, const uint8_t *reversed, const uint8_t *disturbed)
{
    const size_t size = col->count * layout_size(type_scalar_of(col->type));
    col->sorted = NULL;
    col->racing = !reversed && size > 0 && !col->limit.hangs;
    if (!size || !reversed || col->limit.hangs || memcmp(col->after, reversed, size) == 0)
        return;
    const uint8_t *const sorted = sa_sorted(&r->own, col, col->after), *const other = sa_sorted(
                                                                           &r->own, col, reversed);
    if (memcmp(sorted, other, size) == 0) /* else two that change places may be near each other */
        sort_column(r, col, sorted, disturbed);
    else if (is_alike(col, col->after, reversed))
        return;
    else if (is_alike(col, sorted, other))
        sort_column(r, col, sorted, disturbed);
    else
        col->racing = true;
}

void sa_take_apart(sa_run *r, sa_column *col, const uint8_t *apart)
{
    const size_t size = col->count * layout_size(type_scalar_of(col->type));
    if (!size || col->racing || col->limit.hangs || memcmp(col->after, apart, size) == 0)
        return;
    col->racing = col->sorted ? !is_alike(col, col->sorted, sa_sorted(&r->own, col, apart))
                              : !is_alike(col, col->after, apart);
    if (col->racing)
        col->sorted = NULL;
}

bool sa_run_races(const sa_run *r)
{
    for (uint32_t i = 0; i < r->columns.n; i++)
        if (r->columns.v[i].racing)
            return true;
    return false;
}

const char *sa_racing(ctx *c, const sa_run *r)
{
    str all = {0};
    for (uint32_t i = 0; i < r->columns.n; i++) {
        bool any = false;
        for (const sa_run *run = r; run && !any; run = run->next)
            any = run->columns.v[i].racing;
        if (any)
            all = sa_form(c, all.n ? "$, $" : "$$", all, str_c(r->columns.v[i].path));
    }
    return all.n ? all.p : NULL;
}

static bool calls_tid(const ir_unit *u)
{
    for (uint32_t i = 0; i < u->callees.n; i++)
        if (ir_is_tid(&u->callees.v[i]))
            return true;
    return false;
}

bool sa_reads_tid(const ir_module *m)
{
    return sa_any_unit(m, calls_tid);
}

static bool has_floats(const ir_unit *u)
{
    for (uint32_t i = 0; i < u->vars.n; i++) {
        const type *t = type_strip_ref(u->vars.v[i].type), *scalar = t ? type_scalar_of(t) : NULL;
        if (t && t->kind != TYPE_ARRAY &&
            (!scalar ? t->kind == TYPE_STRUCT : type_is_float(scalar)))
            return true;
    }
    return false;
}

bool sa_has_floats(const ir_module *m)
{
    return sa_any_unit(m, has_floats);
}
