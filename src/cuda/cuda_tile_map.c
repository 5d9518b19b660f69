/* SPDX-License-Identifier: Apache-2.0 */
/* Operations on tiles element by element. One whose result has no name, and that one more such
 * operation uses, has no memory of its own: its elements are computed there.
 *
 *     c = wp.tile_map(f, a, b) * 2.0 - b
 *     ->
 *     for (int e = threadIdx.x; e < 64; e += blockDim.x) {
 *         c[e] = f(a[e], b[e]) * 2.0f - b[e];
 *     }
 */
#include "cuda/cuda_operand.h"
#include "cuda/cuda_tile_linear.h"
#include "cuda/cuda_tree.h"
#include "cuda/cuda_unsupported.h"

bool cuda_tile_refuse(const tile_call *r)
{
    cuda_unsupported_call(r->f, r->name, false);
    return false;
}

cuda_tile *cuda_tile_made(const tile_call *r)
{
    return r->result ? cuda_tile_of(r->f, r->var) : NULL;
}

cuda_tile *cuda_tile_operand(const tile_call *r, uint32_t i)
{
    return i < r->n ? cuda_tile_at(r->f, r->args[i]) : NULL;
}

const type *cuda_tile_made_of(const tile_call *r)
{
    const type *t = r->result ? type_strip_ref(r->f->u->vars.v[r->var].type) : NULL;
    return t && t->kind == TYPE_TILE ? t->elem : NULL;
}

int64_t cuda_tile_template(const tile_call *r, uint32_t i)
{
    return i < r->callee->native.ntemplates ? (int64_t)r->callee->native.templates[i].i : 0;
}

void cuda_tile_put(const tile_call *r, const cuda_tile_loop *l, const cuda_tile *to, cx *e)
{
    cs_set(r->f, l->body, cuda_tile_element(r->f, to, l->at), e);
}

/* --- what is computed where it is used */

/* Operations that look at element e of their operands for element e of the result alone. */
static bool is_elementwise(str name)
{
    static const char *const names[] = {"tile_unary_map", "tile_binary_map",  "tile_map",
                                        "tile_astype",    "tile_store",       "tile_atomic_add",
                                        "tile_sum",       "tile_add_inplace", "tile_sub_inplace"};
    return STR_IS_IN(name, names) || cuda_tile_item_name(name);
}

/* Is the variable an operand of the statement? */
static bool names_var(const ir_unit *u, const ir_stmt *s, uint32_t var)
{
    for (uint32_t i = 0; i < s->nargs; i++) {
        const ir_arg a = u->args.v[s->args + i];
        if (ir_kind(a) == IR_ARG_VAR && ir_index(a) == var)
            return true;
    }
    return false;
}

/* Where the list first names the variable, from `from` on; its length: nowhere. */
static uint32_t find_use(const ir_unit *u, uint32_t from, uint32_t var)
{
    uint32_t i = from;
    while (i < u->forward.n && !names_var(u, &u->stmts.v[u->forward.v[i].stmt], var))
        i++;
    return i;
}

/* Nothing but values is computed from `from` to `to`. */
static bool is_quiet(const ir_unit *u, uint32_t from, uint32_t to)
{
    for (uint32_t i = from; i < to; i++) {
        const ir_op op = (ir_op)u->stmts.v[u->forward.v[i].stmt].op;
        if (op != IR_LINE && op != IR_CALL && op != IR_COMPARE && op != IR_FIELD_PTR)
            return false;
    }
    return true;
}

/* The user comes soon: what the elements are computed of has not changed by then. */
str cuda_tile_only_user(const tile_call *r)
{
    const ir_unit *u = r->f->u;
    const str none = {NULL, 0};
    if (r->f->reverse || u->vars.v[r->var].name)
        return none;
    const uint32_t made_at = find_use(u, 0, r->var), at = find_use(u, made_at + 1, r->var);
    if (at >= u->forward.n || find_use(u, at + 1, r->var) < u->forward.n ||
        !is_quiet(u, made_at + 1, at))
        return none;
    return cuda_called_name(u, &u->stmts.v[u->forward.v[at].stmt]);
}

bool cuda_tile_give(const tile_call *r, cuda_tile_map m)
{
    cuda_fn *f = r->f;
    const type *t = type_strip_ref(f->u->vars.v[r->var].type);
    if (!cuda_is_single_tile(t) && !f->tiles[r->var] && t->ndim <= CUDA_TILE_DIMS &&
        is_elementwise(cuda_tile_only_user(r))) {
        cuda_tile *x = cuda_tile_new(f, r->var, CUDA_TILE_COMPUTED);
        x->map = ARENA_NEW(&f->c->module, cuda_tile_map);
        *x->map = m;
        return true;
    }
    cuda_tile *to = cuda_tile_made(r);
    if (!to)
        return cuda_tile_refuse(r);
    const cuda_tile from = {.kind = CUDA_TILE_COMPUTED, .elem = to->elem, .map = &m};
    const cuda_tile_use uses[] = {{to, true, true}, {(cuda_tile *)(uintptr_t)&from, false, true}};
    cuda_tile_meet(f, r->out, uses, 2);
    const cuda_tile_loop l = cuda_tile_each(f, r->out, to);
    cuda_tile_put(r, &l, to, cuda_tile_compute(f, &m, l.at));
    return true;
}

/* --- element by element */

/* The operators on elements. Columns: of tiles, of elements. */
static const struct {
    const char *name, *item;
} operators[] = {
    {"tile_add", "add"},       {"tile_sub", "sub"},
    {"tile_mul", "mul"},       {"tile_mul_elementwise", "mul"},
    {"tile_div", "div"},       {"tile_div_elementwise", "div"},
    {"tile_neg", "neg"},       {"tile_bit_and", "bit_and"},
    {"tile_bit_or", "bit_or"}, {"tile_bit_xor", "bit_xor"},
};

cx *cuda_tile_builtin(cuda_fn *f, str name, const type *t, uint32_t n)
{
    cx *e = cx_new(f, CX_CALL, t, n);
    e->name = name;
    e->op = (uint8_t)cuda_op_of(name);
    return e;
}

const ir_unit *cuda_tile_instance(const tile_call *r, const func *function, uint32_t n)
{
    if (n > r->n)
        return NULL;
    return ir_mapped_unit(r->f->job->m, function, r->f->u, r->args + (r->n - n), n);
}

cx *cuda_tile_function(const tile_call *r, ir_arg function, const type *t, uint32_t n)
{
    cuda_fn *f = r->f;
    if (!ir_is_callee(function))
        return NULL;
    const ir_callee *callee = cuda_callee(f, function);
    if (!callee->func)
        return cuda_tile_builtin(f, callee->native.name, t, n);
    const ir_unit *unit = cuda_tile_instance(r, callee->func, n);
    if (!unit || (f->reverse && callee->func->replay_snippet))
        return NULL;
    cx *e = cx_new(f, CX_USER, t, n);
    e->callee = unit;
    e->name = callee->native.name;
    return e;
}

/* The result's elements are e of the elements and numbers that are operands from `first` on. */
static bool map_items(const tile_call *r, cx *e, uint32_t first)
{
    cuda_fn *f = r->f;
    arena *a = &f->c->module;
    const type *to = r->result ? type_strip_ref(f->u->vars.v[r->var].type) : NULL;
    if (!to || !e || to->kind != TYPE_TILE)
        return cuda_tile_refuse(r);
    cuda_tile_map m = {.e = e, .n = r->n - first};
    m.tiles = ARENA_ARRAY(a, cuda_tile *, m.n + 1);
    m.numbers = ARENA_ARRAY(a, cx *, m.n + 1);
    for (uint32_t i = 0; i < m.n; i++) {
        m.tiles[i] = cuda_tile_operand(r, first + i);
        if (m.tiles[i] && cuda_tile_size(m.tiles[i]) != type_tile_size(to))
            return cuda_tile_refuse(r);
        m.numbers[i] = m.tiles[i] ? NULL : cuda_operand_value(f, r->args[first + i]);
    }
    return cuda_tile_give(r, m);
}

const char *cuda_tile_item_name(str name)
{
    for (size_t i = 0; i < sizeof operators / sizeof *operators; i++)
        if (str_eq(name, str_c(operators[i].name)))
            return operators[i].item;
    return NULL;
}

bool cuda_tile_read_operator(const tile_call *r)
{
    const type *t = cuda_tile_made_of(r);
    const char *item = cuda_tile_item_name(r->name);
    return t && item ? map_items(r, cuda_tile_builtin(r->f, str_c(item), t, r->n), 0)
                     : cuda_tile_refuse(r);
}

bool cuda_tile_read_map(const tile_call *r)
{
    const type *t = cuda_tile_made_of(r);
    return t && r->n > 1 ? map_items(r, cuda_tile_function(r, r->args[0], t, r->n - 1), 1)
                         : cuda_tile_refuse(r);
}

bool cuda_tile_read_astype(const tile_call *r)
{
    const type *t = cuda_tile_made_of(r);
    return t && type_is_scalar(t) ? map_items(r, cuda_tile_builtin(r->f, t->pyname, t, 1), 0)
                                  : cuda_tile_refuse(r);
}

/* a += b, a -= b of tiles. */
bool cuda_tile_read_inplace(const tile_call *r)
{
    cuda_fn *f = r->f;
    if (r->n > 2)
        return cuda_tile_read_update(r);
    cuda_tile *to = cuda_tile_operand(r, 0), *from = cuda_tile_operand(r, 1);
    if (!to || r->n != 2 || !from || to->kind == CUDA_TILE_COMPUTED ||
        cuda_tile_size(from) != cuda_tile_size(to))
        return cuda_tile_refuse(r);
    const cuda_tile_use uses[] = {{to, true, true}, {from, false, true}};
    cuda_tile_meet(f, r->out, uses, 2);
    const cuda_tile_loop l = cuda_tile_each(f, r->out, to);
    cs *s = cs_set(f, l.body, cuda_tile_element(f, to, l.at), cuda_tile_value(f, from, l.at));
    s->add = str_eq(r->name, STR("tile_add_inplace"));
    s->sub = !s->add;
    return true;
}
