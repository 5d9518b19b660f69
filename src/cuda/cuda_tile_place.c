/* SPDX-License-Identifier: Apache-2.0 */
/* Tiles in shared memory: arrays that the threads of a block share, and views of them.
 *
 *     a = wp.tile_load(x, shape=(8, 8))       __shared__ float a[8][8];
 *     b = wp.tile_transpose(a)                b[i, j] is a[j][i]
 *     c = wp.tile_view(a, (2, 0), (4, 8))     c[i, j] is a[i + 2][j]
 *
 * Barriers. Element e of an array is the work of thread e % blockDim.x, unless an operation looks
 * elsewhere (a view, a product, a subscript). Between two operations that touch an element from
 * different threads, one of them writing, there has to be a __syncthreads():
 *
 *     for (int e = threadIdx.x; e < 64; e += blockDim.x)
 *         a[e] = x[e];
 *     for (int e = threadIdx.x; e < 64; e += blockDim.x)
 *         b[e] = a[e] * 2;                    none: a[e] is this thread's own
 *     __syncthreads();
 *     s = b[5];                               b[5] may be another's
 *
 * At both ends of a branch or loop that sets tiles all is settled, so that what comes before,
 * within and behind it need not be known together. */
#include "cuda/cuda_tile_place.h"

#include "arith/arith.h"
#include "cuda/cuda_form.h"
#include "cuda/cuda_layout.h"
#include "cuda/cuda_print.h"
#include "cuda/cuda_string.h"
#include "cuda/cuda_tile.h"
#include "cuda/cuda_tree.h"
#include "cuda/cuda_unsupported.h"
#include "cuda/cuda_varname.h"

/* Bytes of shared memory that a block may declare on every GPU. */
enum { SHARED_MOST = 48 << 10 };

int64_t cuda_tile_size(const cuda_tile *t)
{
    int64_t n = 1;
    for (uint32_t d = 0; d < t->ndim; d++)
        n *= t->dims[d];
    return n;
}

static bool is_number(const cx *e, int64_t *n)
{
    if (e->kind == CX_NUMBER)
        *n = e->number;
    else if (e->kind == CX_CONST && value_is_number(e->k) && !value_has_f(e->k))
        *n = (int64_t)e->k->i;
    else
        return false;
    return true;
}

cx *cuda_int_sum(cuda_fn *f, cx *a, cx *b)
{
    int64_t x, y;
    const bool first = is_number(a, &x), second = is_number(b, &y);
    if (first && second)
        return cx_number(f, x + y);
    if (first)
        return cuda_int_sum(f, b, a);
    return second && y == 0 ? a : cx_call2(f, CUDA_OP_ADD, cuda_int(f), a, b);
}

static cx *quotient(cuda_fn *f, cx *a, int64_t by)
{
    return by == 1 ? a : cx_call2(f, CUDA_OP_DIV, cuda_int(f), a, cx_number(f, by));
}

static cx *remainder_of(cuda_fn *f, cx *a, int64_t by)
{
    return by == 1 ? cx_number(f, 0) : cx_call2(f, CUDA_OP_MOD, cuda_int(f), a, cx_number(f, by));
}

cx *cuda_tile_index_of(cuda_fn *f, const cuda_tile *t, uint32_t d, cx *e)
{
    WEFT_ASSERT(d < t->ndim);
    int64_t stride = 1;
    for (uint32_t k = d + 1; k < t->ndim; k++)
        stride *= t->dims[k];
    cx *q = quotient(f, e, stride);
    return d ? remainder_of(f, q, t->dims[d]) : q;
}

/* --- tiles */

static int64_t bytes_of(const cuda_tile *t)
{
    return t && t->kind == CUDA_TILE_OWN ? cuda_tile_size(t) * (int64_t)layout_size(t->elem) : 0;
}

/* Bytes of all arrays so far; they are never freed. */
static void check_room(cuda_fn *f)
{
    int64_t n = 0;
    for (uint32_t i = 0; i < f->u->vars.n; i++) {
        const cuda_tile *t = f->tiles[i];
        n += t && (!f->reverse || f->needed_tiles[i]) ? bytes_of(t) : 0;
        n += t ? bytes_of(t->gradient) : 0;
    }
    if (n > SHARED_MOST)
        cuda_unsupported(f, "a kernel whose tiles need more than 48 KiB of shared memory");
}

/* Python's name, or "tile", with a number where it is taken. */
static str array_name(cuda_fn *f, uint32_t var)
{
    const cv *v = &f->vars.v[var];
    const str hint = v->python ? cuda_cpp_name(f, v->hint) : STR("tile");
    str name = hint;
    for (uint32_t i = 2; cuda_is_taken(f, name) || (!v->python && cuda_is_source_name(f->u, name));
         i++)
        name = cuda_cpp_name(f, cuda_sprintf(f, "%.*s%u", (int)hint.n, hint.p, i));
    str_map_set(&f->c->module, &f->taken, name, 1);
    return name;
}

cuda_tile *cuda_tile_new(cuda_fn *f, uint32_t var, cuda_tile_kind kind)
{
    const type *t = type_strip_ref(f->u->vars.v[var].type);
    WEFT_ASSERT(t->kind == TYPE_TILE && t->ndim <= CUDA_TILE_DIMS && !f->tiles[var]);
    cuda_tile *x = ARENA_NEW(&f->c->module, cuda_tile);
    *x = (cuda_tile){.kind = kind, .elem = t->elem, .ndim = (uint32_t)t->ndim, .var = var};
    for (uint32_t d = 0; d < x->ndim; d++)
        x->dims[d] = t->dims[d];
    f->tiles[var] = x;
    return x;
}

cuda_tile *cuda_tile_of(cuda_fn *f, uint32_t var)
{
    WEFT_ASSERT(f->tiles && var < f->u->vars.n);
    const type *t = type_strip_ref(f->u->vars.v[var].type);
    if (f->tiles[var] || t->kind != TYPE_TILE)
        return f->tiles[var];
    if (t->ndim < 1 || t->ndim > CUDA_TILE_DIMS || !type_is_value(t->elem)) {
        cuda_unsupported_type(f, t);
        return NULL;
    }
    cuda_tile *x = cuda_tile_new(f, var, cuda_is_single_tile(t) ? CUDA_TILE_SINGLE : CUDA_TILE_OWN);
    if (x->kind == CUDA_TILE_OWN) {
        f->vars.v[var].param = true;
        f->vars.v[var].name = array_name(f, var);
        check_room(f);
    }
    return x;
}

cuda_tile *cuda_tile_at(cuda_fn *f, ir_arg a)
{
    return ir_kind(a) == IR_ARG_VAR ? cuda_tile_of(f, ir_index(a)) : NULL;
}

cuda_tile *cuda_tile_gradient(cuda_fn *f, cuda_tile *t)
{
    if (t->gradient)
        return t->gradient;
    cuda_tile *g = t->gradient = ARENA_NEW(&f->c->module, cuda_tile);
    *g = *t;
    g->gradient = NULL;
    if (t->of) {
        g->of = cuda_tile_gradient(f, t->of);
        return g;
    }
    g->var = f->u->vars.n + t->var;
    if (g->kind != CUDA_TILE_OWN)
        return g;
    cv *v = &f->vars.v[g->var];
    const str name = f->vars.v[t->var].name;
    v->param = true;
    v->name = cuda_free_var(f, cuda_sprintf(f, "adj_%.*s", (int)name.n, name.p));
    g->written = CUDA_TILE_BY_OWNERS;
    g->read = CUDA_TILE_IDLE;
    check_room(f);
    return g;
}

static cx *mapped_element(cuda_fn *f, const cuda_tile *t, cx *const *at)
{
    cx *below[CUDA_TILE_DIMS];
    for (uint32_t d = 0; d < t->of->ndim; d++)
        below[d] = t->from[d] < 0 ? t->offset[d] : cuda_int_sum(f, at[t->from[d]], t->offset[d]);
    return cuda_tile_element(f, t->of, below);
}

static cx *reshaped_element(cuda_fn *f, const cuda_tile *t, cx *const *at)
{
    cx *below[CUDA_TILE_DIMS], *e = cx_number(f, 0);
    for (uint32_t d = 0; d < t->ndim; d++) {
        int64_t n;
        cx *scaled = is_number(e, &n)
                         ? cx_number(f, n * t->dims[d])
                         : cx_call2(f, CUDA_OP_MUL, cuda_int(f), e, cx_number(f, t->dims[d]));
        e = cuda_int_sum(f, scaled, at[d]);
    }
    for (uint32_t d = 0; d < t->of->ndim; d++)
        below[d] = cuda_tile_index_of(f, t->of, d, e);
    return cuda_tile_element(f, t->of, below);
}

cx *cuda_tile_compute(cuda_fn *f, const cuda_tile_map *m, cx *const *at)
{
    if (!m->n)
        return m->e;
    cx *e = cx_new(f, (cx_kind)m->e->kind, m->e->type, m->n);
    e->name = m->e->name;
    e->op = m->e->op;
    e->callee = m->e->callee;
    for (uint32_t i = 0; i < m->n; i++)
        e->args[i] = m->tiles[i] ? cuda_tile_value(f, m->tiles[i], at) : m->numbers[i];
    if (e->kind == CX_USER)
        cuda_drop_unused(f, e);
    return e;
}

cx *cuda_tile_value(cuda_fn *f, const cuda_tile *t, cx *const *at)
{
    cx *e = cuda_tile_element(f, t, at);
    return e->kind == CX_ELEMENT ? cx_unary(f, CX_LOAD, e->type, e) : e;
}

cx *cuda_tile_element(cuda_fn *f, const cuda_tile *t, cx *const *at)
{
    switch (t->kind) {
    case CUDA_TILE_SINGLE: return cx_var(f, t->var);
    case CUDA_TILE_MAPPED: return mapped_element(f, t, at);
    case CUDA_TILE_RESHAPED: return reshaped_element(f, t, at);
    case CUDA_TILE_COMPUTED: return cuda_tile_compute(f, t->map, at);
    case CUDA_TILE_OWN: break;
    }
    cx *e = cx_new(f, CX_ELEMENT, t->elem, t->ndim + 1);
    e->args[0] = cx_var(f, t->var);
    for (uint32_t d = 0; d < t->ndim; d++)
        e->args[d + 1] = at[d];
    return e;
}

/* --- loops */

cx *cuda_tile_new_var(cuda_fn *f, cs_list *out, const type *t, const char *name, cx *e)
{
    cx *to = cx_var(f, cv_new(f, t, str_c(name)));
    cs_set(f, out, to, e);
    return to;
}

cuda_tile_loop cuda_tile_each(cuda_fn *f, cs_list *out, const cuda_tile *t)
{
    static const char *const names[][CUDA_TILE_DIMS] = {
        {"e"}, {"row", "col"}, {"layer", "row", "col"}, {"block", "layer", "row", "col"}};
    WEFT_ASSERT(t->ndim >= 1 && t->ndim <= CUDA_TILE_DIMS);
    cuda_tile_loop l = {.body = out};
    if (t->kind == CUDA_TILE_SINGLE) {
        l.at[0] = cx_number(f, 0);
        return l;
    }
    cs *s = cs_put(f, out, CS_FOR);
    s->var = cv_new(f, cuda_int(f), STR("e"));
    s->strided = true;
    s->start = cx_number(f, 0);
    s->step = cx_number(f, 1);
    s->stop = cx_number(f, cuda_tile_size(t));
    l.body = &s->body;
    cx *e = cx_var(f, s->var);
    for (uint32_t d = 0; d < t->ndim; d++)
        if (t->dims[d] == cuda_tile_size(t)) /* of a single row the columns are the elements */
            l.at[d] = e;
        else if (t->dims[d] == 1)
            l.at[d] = cx_number(f, 0);
        else
            l.at[d] = cuda_tile_new_var(f, l.body, cuda_int(f), names[t->ndim - 1][d],
                                        cuda_tile_index_of(f, t, d, e));
    return l;
}

/* --- barriers */

/* The array that a tile's elements lie in; NULL: they are no memory. */
static cuda_tile *array_of(cuda_tile *t)
{
    while (t->of)
        t = t->of;
    return t->kind == CUDA_TILE_OWN ? t : NULL;
}

/* Does the use clash with what other threads may not have finished? */
static bool clashes(const cuda_tile_use *use, const cuda_tile *t)
{
    const bool owners = use->owners && use->tile == t;
    const cuda_tile_touch apart = owners ? CUDA_TILE_BY_OWNERS : CUDA_TILE_IDLE;
    const bool sums = use->writes == CUDA_TILE_SUMS && t->sums;
    return (t->written > apart && !sums) || (use->writes && t->read > apart);
}

void cuda_tile_wait(cuda_fn *f, cs_list *out)
{
    cx *e = cx_new(f, CX_CALL, NULL, 0);
    e->name = STR("block_sync");
    e->op = CUDA_OP_BLOCK_SYNC;
    cs_put(f, out, CS_CALL)->e = e;
    f->job->out->meets = true;
}

static void barrier(cuda_fn *f, cs_list *out)
{
    cuda_tile_wait(f, out);
    for (uint32_t i = 0; i < f->u->vars.n; i++)
        for (cuda_tile *t = f->tiles[i]; t; t = t->gradient)
            t->written = t->read = CUDA_TILE_IDLE;
}

/* Calls fn for the use, or for those of what its tile is computed of. */
static void each_use(const cuda_tile_use *use,
                     void (*fn)(const cuda_tile_use *, cuda_tile *, bool *), bool *arg)
{
    if (use->tile->kind == CUDA_TILE_COMPUTED) {
        const cuda_tile_map *m = use->tile->map;
        for (uint32_t i = 0; i < m->n; i++)
            if (m->tiles[i])
                each_use(&(cuda_tile_use){m->tiles[i], false, use->owners}, fn, arg);
    } else if (array_of(use->tile)) {
        fn(use, array_of(use->tile), arg);
    }
}

static void note_clash(const cuda_tile_use *use, cuda_tile *t, bool *any)
{
    *any |= clashes(use, t);
}

static void note_touch(const cuda_tile_use *use, cuda_tile *t, bool *any)
{
    const bool owners = use->owners && use->tile == t;
    const cuda_tile_touch by = owners ? CUDA_TILE_BY_OWNERS : CUDA_TILE_BY_ANY;
    cuda_tile_touch *touch = use->writes ? &t->written : &t->read;
    (void)any;
    if (use->writes)
        t->sums = use->writes == CUDA_TILE_SUMS && (t->sums || !t->written);
    *touch = by > *touch ? by : *touch;
}

void cuda_tile_meet(cuda_fn *f, cs_list *out, const cuda_tile_use *uses, uint32_t n)
{
    bool needed = false;
    for (uint32_t i = 0; i < n; i++)
        each_use(&uses[i], note_clash, &needed);
    if (needed)
        barrier(f, out);
    for (uint32_t i = 0; i < n; i++)
        each_use(&uses[i], note_touch, NULL);
}

static bool is_unsettled(const cuda_fn *f, bool reads)
{
    for (uint32_t i = 0; f->tiles && i < f->u->vars.n; i++)
        for (const cuda_tile *t = f->tiles[i]; t; t = t->gradient)
            if (t->written || (reads && t->read))
                return true;
    return false;
}

void cuda_tile_settle(cuda_fn *f, cs_list *out, bool reads)
{
    if (is_unsettled(f, reads))
        barrier(f, out);
}

void cuda_tile_leave(cuda_fn *f, cs_list *out)
{
    if (is_unsettled(f, true))
        cuda_tile_wait(f, out);
}

/* --- declarations */

void cuda_tile_zero_gradients(cuda_fn *f, cs_list *list)
{
    cs_list all = {0};
    for (uint32_t i = 0; f->tiles && i < f->u->vars.n; i++) {
        const cuda_tile *t = f->tiles[i] ? f->tiles[i]->gradient : NULL;
        if (!t || t->kind != CUDA_TILE_OWN)
            continue;
        const cuda_tile_loop l = cuda_tile_each(f, &all, t);
        cs_set(f, l.body, cuda_tile_element(f, t, l.at), cx_new(f, CX_ZERO, t->elem, 0));
    }
    for (uint32_t i = 0; all.n && i < list->n; i++)
        cs_push(f, &all, list->v[i]);
    if (all.n)
        *list = all;
}

/* "    __shared__ float t[16][16];" if the text names the array. */
static void declare(cuda_fn *f, strbuf *b, const cuda_tile *t)
{
    if (t->kind != CUDA_TILE_OWN || !f->vars.v[t->var].mentioned)
        return;
    const str item = cuda_type_text(f, t->elem), name = f->vars.v[t->var].name;
    sb_printf(b, "    __shared__ %.*s %.*s", (int)item.n, item.p, (int)name.n, name.p);
    for (uint32_t d = 0; d < t->ndim; d++)
        sb_printf(b, "[%lld]", (long long)t->dims[d]);
    SB_LIT(b, ";\n");
}

void cuda_tile_declare(cuda_fn *f, strbuf *b)
{
    for (uint32_t i = 0; f->tiles && i < f->u->vars.n; i++)
        for (const cuda_tile *t = f->tiles[i]; t; t = t->gradient)
            declare(f, b, t);
}
