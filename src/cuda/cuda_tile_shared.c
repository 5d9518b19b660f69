/* SPDX-License-Identifier: Apache-2.0 */
/* Operations on tiles in shared memory, as loops that the threads of a block share:
 *
 *     a = wp.tile_load(x, shape=64, offset=i * 64)
 *     ->
 *     for (int e = threadIdx.x; e < 64; e += blockDim.x)
 *         a[e] = i * 64 + e < x_n ? x[i * 64 + e] : 0.0f;
 *
 *     wp.tile_matmul(a, b, c)
 *     ->
 *     for (int e = threadIdx.x; e < 64; e += blockDim.x) {
 *         const int row = e / 8;
 *         const int col = e % 8;
 *         float sum = 0.0f;
 *         for (int k = 0; k < 8; ++k) {
 *             sum += a[row][k] * b[k][col];
 *         }
 *         c[row][col] += sum;
 *     }
 *
 * A tile of one element is a variable that all threads have alike. Where the arrays stand and where
 * the threads wait for each other is the matter of cuda_tile_place.c. `rows` lists the operations;
 * others have no form. Gradients are in cuda_tile_adjoint.c. */
#include "cuda/cuda_operand.h"
#include "cuda/cuda_tile_linear.h"
#include "cuda/cuda_tile_ops.h"
#include "cuda/cuda_tree.h"

static cx *zero(cuda_fn *f, const type *t)
{
    return cx_new(f, CX_ZERO, t, 0);
}

/* Is the operand the number? */
static bool is_constant(const tile_call *r, uint32_t i, double x)
{
    const ir_arg a = r->args[i];
    const value *k = ir_kind(a) == IR_ARG_VAR ? r->f->u->vars.v[ir_index(a)].constant : NULL;
    return k && value_is_number(k) && (value_has_f(k) ? k->f : (double)k->i) == x;
}

/* Each element of the new tile by its own thread; the caller sets to = ... */
static cuda_tile_loop begin(const tile_call *r, cuda_tile *to)
{
    cuda_tile_meet(r->f, r->out, &(cuda_tile_use){to, true, true}, 1);
    return cuda_tile_each(r->f, r->out, to);
}

/* --- arrays */

/* An offset that Python does not name is the first row, the first column, or what there is below
 * `dims` dimensions. */
static void name_offset(const tile_call *r, uint32_t i, uint32_t dims)
{
    static const char *const hints[] = {"first", "first_row", "first_layer", "first_block"};
    const ir_arg a = r->args[i];
    cv *v = ir_kind(a) == IR_ARG_VAR ? &r->f->vars.v[ir_index(a)] : NULL;
    if (v && !v->python && !v->param && !v->hint.n)
        v->hint = dims == 1 && r->n > 3 ? STR("first_col") : str_c(hints[dims - 1]);
}

/* Does a tile of indices stand behind the array, with the axis that they are for? */
static bool is_indexed(const tile_call *r)
{
    static const char *const names[] = {"tile_load_indexed", "tile_store_indexed",
                                        "tile_atomic_add_indexed"};
    return STR_IS_IN(r->name, names);
}

static uint32_t axis_of(const tile_call *r)
{
    const ir_arg a = r->args[2];
    const value *k = ir_kind(a) == IR_ARG_VAR ? r->f->u->vars.v[ir_index(a)].constant : NULL;
    return k && value_is_number(k) && !value_has_f(k) ? (uint32_t)k->i : UINT32_MAX;
}

cuda_tile *cuda_tile_indices(const tile_call *r)
{
    return is_indexed(r) ? cuda_tile_operand(r, 1) : NULL;
}

static cx *both(cuda_fn *f, cx *a, cx *b)
{
    return a ? cx_binary(f, CX_AND, type_scalar(f->c, TYPE_BOOL), a, b) : b;
}

static cx *compare(cuda_fn *f, cx *a, const char *op, cx *b)
{
    cx *e = cx_binary(f, CX_COMPARE, type_scalar(f->c, TYPE_BOOL), a, b);
    e->name = str_c(op);
    return e;
}

cx *cuda_tile_array_element(const tile_call *r, const cuda_tile *t, const cuda_tile_loop *l,
                            cx **inside)
{
    cuda_fn *f = r->f;
    cx *array = cuda_operand_place(f, r->args[0]);
    cx *e = cx_new(f, CX_ELEMENT, array->type->elem, t->ndim + 1);
    cuda_tile *indices = cuda_tile_indices(r);
    const uint32_t first = indices ? 3 : 1, axis = indices ? axis_of(r) : UINT32_MAX;
    e->args[0] = array;
    *inside = NULL;
    for (uint32_t d = 0; d < t->ndim; d++) {
        name_offset(r, first + d, t->ndim - d);
        cx *offset = cuda_operand_value(f, r->args[first + d]), *at = l->at[d];
        if (d == axis)
            at = cuda_tile_new_var(
                f, l->body, cuda_int(f), "index",
                cuda_int_sum(f, offset, cuda_tile_value(f, indices, (cx *[]){l->at[d]})));
        else
            at = cuda_int_sum(f, offset, at);
        cx *shape = cx_unary(f, CX_SHAPE, type_native(f->c, "shape_t"), array);
        cx *size = cx_binary(f, CX_SIZE, cuda_int(f), shape, cx_number(f, d));
        if (d == axis)
            *inside = both(f, *inside, compare(f, at, ">=", cx_number(f, 0)));
        *inside = both(f, *inside, compare(f, at, "<", size));
        e->args[d + 1] = at;
    }
    return e;
}

/* Beyond the array's end: does the operation look? */
static bool is_guarded(const tile_call *r)
{
    return is_indexed(r) || cuda_tile_template(r, 1);
}

bool cuda_tile_fits(const tile_call *r, const cuda_tile *t, uint32_t operands)
{
    const uint32_t ahead = is_indexed(r) ? 3 : 1;
    if (!t || r->n < 1 || operands != ahead + t->ndim)
        return false;
    const cuda_tile *indices = cuda_tile_indices(r);
    if (is_indexed(r) && (!indices || indices->ndim != 1 || indices->elem != cuda_int(r->f) ||
                          axis_of(r) >= t->ndim || indices->dims[0] < t->dims[axis_of(r)]))
        return false;
    const cx *array = cuda_operand_place(r->f, r->args[0]);
    return array->type->kind == TYPE_ARRAY && array->type->array_class == ARRAY_PLAIN &&
           (uint32_t)array->type->ndim == t->ndim && array->type->elem == t->elem;
}

void cuda_tile_meet_array(const tile_call *r, cuda_tile *t, bool writes)
{
    cuda_tile *indices = cuda_tile_indices(r);
    const cuda_tile_use uses[] = {{t, writes, true}, {indices, false, t->ndim == 1}};
    cuda_tile_meet(r->f, r->out, uses, indices ? 2 : 1);
}

/* Beyond the array's end elements are zero. */
static bool read_load(const tile_call *r)
{
    cuda_fn *f = r->f;
    cuda_tile *t = cuda_tile_made(r);
    if (!cuda_tile_fits(r, t, r->n))
        return cuda_tile_refuse(r);
    cuda_tile_meet_array(r, t, true);
    const cuda_tile_loop l = cuda_tile_each(f, r->out, t);
    cx *inside, *e = cuda_tile_array_element(r, t, &l, &inside);
    cx *x = cx_unary(f, CX_LOAD, t->elem, e);
    if (is_guarded(r)) {
        cx *choice = cx_new(f, CX_COND, t->elem, 3);
        choice->args[0] = inside;
        choice->args[1] = x;
        choice->args[2] = zero(f, t->elem);
        x = choice;
    }
    cuda_tile_put(r, &l, t, x);
    return true;
}

cs_list *cuda_tile_guarded(const tile_call *r, const cuda_tile *t, cs_list *out, cx *inside)
{
    cuda_fn *f = r->f;
    const type *boolean = type_scalar(f->c, TYPE_BOOL);
    cx *e = is_guarded(r) ? inside : NULL;
    if (t->kind == CUDA_TILE_SINGLE) {
        cx *first = cuda_tile_builtin(f, STR("block_first"), boolean, 0);
        e = e ? cx_binary(f, CX_AND, boolean, first, e) : first;
    }
    if (!e)
        return out;
    cs *s = cs_put(f, out, CS_IF);
    s->e = e;
    return &s->body;
}

/* Stores, or with `adds` atomically adds, the elements that the array has. */
static bool write_array(const tile_call *r, bool adds)
{
    cuda_fn *f = r->f;
    cuda_tile *t = cuda_tile_operand(r, r->n - 1);
    if (!cuda_tile_fits(r, t, r->n - 1))
        return cuda_tile_refuse(r);
    cuda_tile_meet_array(r, t, false);
    const cuda_tile_loop l = cuda_tile_each(f, r->out, t);
    cx *inside, *e = cuda_tile_array_element(r, t, &l, &inside), *x = cuda_tile_value(f, t, l.at);
    cs_list *body = cuda_tile_guarded(r, t, l.body, inside);
    if (adds)
        cs_put(f, body, CS_CALL)->e = cx_atomic(f, CUDA_OP_ATOMIC_ADD, e, x);
    else
        cs_set(f, body, e, x);
    return true;
}

static bool read_store(const tile_call *r)
{
    return write_array(r, false);
}

static bool read_atomic(const tile_call *r)
{
    return cuda_is_unused_tile(r->f->u, r->var) ? write_array(r, true) : cuda_tile_refuse(r);
}

/* --- new tiles */

static bool fill(const tile_call *r, cx *e)
{
    return cuda_tile_give(r, (cuda_tile_map){.e = e});
}

static bool read_zeros(const tile_call *r)
{
    const type *t = cuda_tile_made_of(r);
    return t ? fill(r, zero(r->f, t)) : cuda_tile_refuse(r);
}

static bool read_ones(const tile_call *r)
{
    const type *t = cuda_tile_made_of(r);
    if (!t || !type_is_scalar(t))
        return cuda_tile_refuse(r);
    value *k = ARENA_NEW(&r->f->c->module, value);
    *k = type_is_float(t) ? value_float(1) : value_int(1);
    cx *e = cx_new(r->f, CX_CONST, t, 0);
    e->k = k;
    return fill(r, e);
}

static bool read_full(const tile_call *r)
{
    const type *t = cuda_tile_made_of(r);
    cx *x = r->n == 1 ? cuda_operand_value(r->f, r->args[0]) : NULL;
    return t && x && x->type == t ? fill(r, x) : cuda_tile_refuse(r);
}

cx *cuda_tile_cast(cuda_fn *f, const type *t, cx *e)
{
    if (e->type == t)
        return e;
    cx *c = cuda_tile_builtin(f, t->pyname, t, 1);
    c->args[0] = e;
    return c;
}

/* start + e * step */
static bool read_arange(const tile_call *r)
{
    cuda_fn *f = r->f;
    cuda_tile *t = cuda_tile_made(r);
    if (!t || r->n != 3 || !type_is_scalar(t->elem))
        return cuda_tile_refuse(r);
    const cuda_tile_loop l = begin(r, t);
    cx *x = cuda_tile_cast(f, t->elem, l.at[0]);
    if (!is_constant(r, 2, 1))
        x = cx_call2(f, CUDA_OP_MUL, t->elem, x, cuda_operand_value(f, r->args[2]));
    if (!is_constant(r, 0, 0))
        x = cx_call2(f, CUDA_OP_ADD, t->elem, cuda_operand_value(f, r->args[0]), x);
    cuda_tile_put(r, &l, t, x);
    return true;
}

/* --- reductions */

cs *cuda_tile_count(cuda_fn *f, cs_list *out, int64_t from, int64_t to, cx **counter)
{
    cs *s = cs_put(f, out, CS_FOR);
    s->var = cv_new(f, cuda_int(f), STR("k"));
    s->start = cx_number(f, from);
    s->stop = cx_number(f, to);
    s->step = cx_number(f, 1);
    *counter = cx_var(f, s->var);
    return s;
}

/* Has block_sum values of the type? There are atomics for its scalars. */
bool cuda_tile_has_sum(const type *t)
{
    const type_kind k = type_is_value(t) ? (type_kind)type_scalar_of(t)->kind : TYPE_VOID;
    return k == TYPE_FLOAT32 || k == TYPE_FLOAT64 || k == TYPE_INT32 || k == TYPE_UINT32 ||
           k == TYPE_INT64 || k == TYPE_UINT64;
}

/* Each thread adds up its own elements, and block_sum those sums. */
static bool read_sum(const tile_call *r)
{
    cuda_fn *f = r->f;
    const cuda_tile *to = cuda_tile_made(r);
    cuda_tile *t = cuda_tile_operand(r, 0);
    if (!t || !to || to->kind != CUDA_TILE_SINGLE || !cuda_tile_has_sum(to->elem))
        return cuda_tile_refuse(r);
    if (t->kind == CUDA_TILE_SINGLE) {
        cs_set(f, r->out, r->result, cx_var(f, t->var));
        return true;
    }
    cuda_tile_meet(f, r->out, &(cuda_tile_use){t, false, true}, 1);
    const bool lane = t->kind == CUDA_TILE_COMPUTED && t->map->lane;
    cx *own = lane ? t->map->e : cuda_tile_new_var(f, r->out, to->elem, "own", zero(f, to->elem));
    if (!lane) {
        const cuda_tile_loop l = cuda_tile_each(f, r->out, t);
        cs_set(f, l.body, own, cuda_tile_value(f, t, l.at))->add = true;
    }
    cx *sum = cuda_tile_builtin(f, STR("block_sum"), to->elem, 1);
    sum->args[0] = own;
    cs_set(f, r->out, r->result, sum);
    f->job->out->meets = true;
    return true;
}

/* result = op(op(t[0], t[1]), ...), by each thread for itself. */
static bool fold_all(const tile_call *r, cuda_tile *t, cx *(*combine)(const tile_call *))
{
    cuda_fn *f = r->f;
    const cuda_tile *to = cuda_tile_made(r);
    cx *e = combine(r), *at[CUDA_TILE_DIMS], *k;
    if (!to || !t || !e || to->kind != CUDA_TILE_SINGLE || t->elem != to->elem)
        return cuda_tile_refuse(r);
    cuda_tile_meet(f, r->out, &(cuda_tile_use){t, false, false}, 1);
    for (uint32_t d = 0; d < t->ndim; d++)
        at[d] = cx_number(f, 0);
    cs_set(f, r->out, r->result, cuda_tile_value(f, t, at));
    if (cuda_tile_size(t) == 1)
        return true;
    cs *loop = cuda_tile_count(f, r->out, 1, cuda_tile_size(t), &k);
    for (uint32_t d = 0; d < t->ndim; d++)
        at[d] = cuda_tile_index_of(f, t, d, k);
    e->args[0] = r->result;
    e->args[1] = cuda_tile_value(f, t, at);
    cs_set(f, &loop->body, r->result, e);
    return true;
}

static cx *min_or_max(const tile_call *r)
{
    return cuda_tile_builtin(r->f, str_eq(r->name, STR("tile_min")) ? STR("min") : STR("max"),
                             r->type, 2);
}

static cx *named_function(const tile_call *r)
{
    return r->n == 2 ? cuda_tile_pair(r, 1, r->type) : NULL;
}

static bool read_extremum(const tile_call *r)
{
    return r->n == 1 ? fold_all(r, cuda_tile_operand(r, 0), min_or_max) : cuda_tile_refuse(r);
}

static bool read_reduce(const tile_call *r)
{
    return r->n == 2 ? fold_all(r, cuda_tile_operand(r, 1), named_function) : cuda_tile_refuse(r);
}

/* Sums along one axis, each by one thread. */
static bool read_sum_axis(const tile_call *r)
{
    cuda_fn *f = r->f;
    cuda_tile *to = cuda_tile_made(r), *t = cuda_tile_operand(r, 0);
    const uint32_t axis = (uint32_t)cuda_tile_template(r, 0);
    if (!to || !t || t->ndim < 2 || to->ndim + 1 != t->ndim || axis >= t->ndim)
        return cuda_tile_refuse(r);
    const cuda_tile_use uses[] = {{to, true, true}, {t, false, false}};
    cuda_tile_meet(f, r->out, uses, 2);
    const cuda_tile_loop l = cuda_tile_each(f, r->out, to);
    cx *sum = cuda_tile_new_var(f, l.body, to->elem, "sum", zero(f, to->elem)), *at[CUDA_TILE_DIMS],
       *k;
    cs *loop = cuda_tile_count(f, l.body, 0, t->dims[axis], &k);
    for (uint32_t d = 0, from = 0; d < t->ndim; d++)
        at[d] = d == axis ? k : l.at[from++];
    cs_set(f, &loop->body, sum, cuda_tile_value(f, t, at))->add = true;
    cuda_tile_put(r, &l, to, sum);
    return true;
}

/* --- products */

cx *cuda_tile_scaled(const tile_call *r, uint32_t i, cx *e)
{
    if (is_constant(r, i, 1))
        return e;
    cx *by = cuda_tile_cast(r->f, e->type, cuda_operand_value(r->f, r->args[i]));
    return cx_call2(r->f, CUDA_OP_MUL, e->type, by, e);
}

/* out = alpha * a @ b + beta * out; the first three operands are functions of a library that the
 * text does without. */
static bool read_product(const tile_call *r)
{
    cuda_fn *f = r->f;
    cuda_tile *a = cuda_tile_operand(r, 3), *b = cuda_tile_operand(r, 4),
              *to = cuda_tile_operand(r, 5);
    const bool adds = str_eq(r->name, STR("tile_matmul_acc"));
    if (r->n != 8 || !a || !b || !to || a->ndim != 2 || b->ndim != 2 || to->ndim != 2 ||
        !type_is_scalar(to->elem))
        return cuda_tile_refuse(r);
    const cuda_tile_use uses[] = {{to, true, true}, {a, false, false}, {b, false, false}};
    cuda_tile_meet(f, r->out, uses, 3);
    const cuda_tile_loop l = cuda_tile_each(f, r->out, to);
    cx *sum = cuda_tile_new_var(f, l.body, to->elem, "sum", zero(f, to->elem)), *k;
    cs *loop = cuda_tile_count(f, l.body, 0, a->dims[1], &k);
    cx *left = cuda_tile_cast(f, to->elem, cuda_tile_value(f, a, (cx *[]){l.at[0], k}));
    cx *right = cuda_tile_cast(f, to->elem, cuda_tile_value(f, b, (cx *[]){k, l.at[1]}));
    cs_set(f, &loop->body, sum, cx_call2(f, CUDA_OP_MUL, to->elem, left, right))->add = true;
    cx *e = cuda_tile_scaled(r, 6, sum);
    if (adds && !is_constant(r, 7, 1) && !is_constant(r, 7, 0))
        e = cx_call2(f, CUDA_OP_ADD, to->elem, e,
                     cuda_tile_scaled(r, 7, cuda_tile_value(f, to, l.at)));
    cs_set(f, l.body, cuda_tile_element(f, to, l.at), e)->add = adds && is_constant(r, 7, 1);
    return true;
}

/* --- one element */

/* t[i, j]: the element, in each thread. */
static bool read_extract(const tile_call *r)
{
    cuda_fn *f = r->f;
    cuda_tile *t = cuda_tile_operand(r, 0);
    cx *at[CUDA_TILE_DIMS];
    if (!t || !r->result || r->n != t->ndim + 1)
        return cuda_tile_refuse(r);
    cuda_tile_meet(f, r->out, &(cuda_tile_use){t, false, false}, 1);
    for (uint32_t d = 0; d < t->ndim; d++)
        at[d] = cuda_operand_value(f, r->args[d + 1]);
    cs_set(f, r->out, r->result, cuda_tile_value(f, t, at));
    return true;
}

cx *cuda_tile_thread(cuda_fn *f)
{
    return cuda_tile_builtin(f, STR("block_thread"), type_scalar(f->c, TYPE_UINT32), 0);
}

/* Only the sum is wanted of the threads' numbers. */
static bool fill_lanes(const tile_call *r, cx *x)
{
    return cuda_tile_give(r, (cuda_tile_map){.e = x, .lane = true});
}

/* What one thread of the block has, in all elements. */
static bool read_from_thread(const tile_call *r)
{
    cuda_fn *f = r->f;
    const type *t = cuda_tile_made_of(r);
    cx *x = r->n == 2 ? cuda_operand_value(f, r->args[0]) : NULL;
    if (!t || !x || x->type != t)
        return cuda_tile_refuse(r);
    cx *shared = cuda_tile_builtin(f, STR("block_value"), t, 2);
    shared->args[0] = x;
    shared->args[1] = cuda_operand_value(f, r->args[1]);
    f->job->out->meets = true;
    return fill(r, cuda_tile_new_var(f, r->out, t, "value", shared));
}

/* Whoever reads an element first has to set it. */
static bool read_empty(const tile_call *r)
{
    const cuda_tile *t = cuda_tile_made(r);
    if (t && t->kind == CUDA_TILE_SINGLE)
        return read_zeros(r);
    return t ? true : cuda_tile_refuse(r);
}

/* tile(x): the element of each thread is its own number; untile takes it out again. */
static bool read_tile(const tile_call *r)
{
    cuda_fn *f = r->f;
    cx *x = r->n == 1 ? cuda_operand_value(f, r->args[0]) : NULL;
    if (x && x->type == cuda_tile_made_of(r) && str_eq(cuda_tile_only_user(r), STR("tile_sum")))
        return fill_lanes(r, x);
    cuda_tile *t = cuda_tile_made(r);
    if (!t || !x || t->ndim != 1 || t->kind != CUDA_TILE_OWN || x->type != t->elem)
        return cuda_tile_refuse(r);
    cuda_tile_meet(f, r->out, &(cuda_tile_use){t, true, true}, 1);
    cs_set(f, r->out, cuda_tile_element(f, t, (cx *[]){cuda_tile_thread(f)}), x);
    return true;
}

static bool read_untile(const tile_call *r)
{
    cuda_fn *f = r->f;
    cuda_tile *t = cuda_tile_operand(r, 0);
    if (!t || !r->result || r->n != 1 || t->ndim != 1)
        return cuda_tile_refuse(r);
    cuda_tile_meet(f, r->out, &(cuda_tile_use){t, false, true}, 1);
    cs_set(f, r->out, r->result, cuda_tile_value(f, t, (cx *[]){cuda_tile_thread(f)}));
    return true;
}

bool cuda_sets_tile(str name)
{
    static const char *const reading[] = {"untile",
                                          "tile_store",
                                          "tile_atomic_add",
                                          "tile_store_indexed",
                                          "tile_atomic_add_indexed",
                                          "tile_sum",
                                          "tile_min",
                                          "tile_max",
                                          "tile_reduce",
                                          "tile_dot",
                                          "tile_argmin",
                                          "tile_argmax",
                                          "tile_extract"};
    return !STR_IS_IN(name, reading);
}

/* Operations by their native names; those of `operators` are read by read_operator. */
static const struct {
    const char *name;
    bool (*read)(const tile_call *r);
} rows[] = {
    {"tile", read_tile},
    {"untile", read_untile},
    {"tile_load", read_load},
    {"tile_store", read_store},
    {"tile_atomic_add", read_atomic},
    {"tile_load_indexed", read_load},
    {"tile_store_indexed", read_store},
    {"tile_atomic_add_indexed", read_atomic},
    {"tile_from_thread", read_from_thread},
    {"tile_empty", read_empty},
    {"tile_zeros", read_zeros},
    {"tile_ones", read_ones},
    {"tile_full", read_full},
    {"tile_arange", read_arange},
    {"tile_unary_map", cuda_tile_read_map},
    {"tile_binary_map", cuda_tile_read_map},
    {"tile_map", cuda_tile_read_map},
    {"tile_astype", cuda_tile_read_astype},
    {"tile_add_inplace", cuda_tile_read_inplace},
    {"tile_sub_inplace", cuda_tile_read_inplace},
    {"tile_sum", read_sum},
    {"tile_min", read_extremum},
    {"tile_max", read_extremum},
    {"tile_reduce", read_reduce},
    {"tile_sum_axis", read_sum_axis},
    {"tile_scan_inclusive", cuda_tile_read_scan},
    {"tile_scan_exclusive", cuda_tile_read_scan},
    {"tile_scan_max_inclusive", cuda_tile_read_scan},
    {"tile_scan_min_inclusive", cuda_tile_read_scan},
    {"tile_matmul", read_product},
    {"tile_matmul_acc", read_product},
    {"tile_fft", cuda_tile_read_fourier},
    {"tile_ifft", cuda_tile_read_fourier},
    {"tile_cholesky", cuda_tile_read_factor},
    {"tile_cholesky_inplace", cuda_tile_read_factor},
    {"tile_cholesky_solve", cuda_tile_read_solve},
    {"tile_cholesky_solve_inplace", cuda_tile_read_solve},
    {"tile_lower_solve", cuda_tile_read_solve},
    {"tile_lower_solve_inplace", cuda_tile_read_solve},
    {"tile_upper_solve", cuda_tile_read_solve},
    {"tile_upper_solve_inplace", cuda_tile_read_solve},
    {"tile_transpose", cuda_tile_read_transpose},
    {"tile_reshape", cuda_tile_read_reshape},
    {"tile_squeeze", cuda_tile_read_squeeze},
    {"tile_broadcast", cuda_tile_read_broadcast},
    {"tile_view", cuda_tile_read_view},
    {"tile_assign", cuda_tile_read_assign},
    {"tile_extract", read_extract},
    {"tile_dot", cuda_tile_read_dot},
    {"tile_argmin", cuda_tile_read_position},
    {"tile_argmax", cuda_tile_read_position},
    {"tile_reduce_axis", cuda_tile_read_reduce_axis},
    {"tile_scatter_add", cuda_tile_read_scatter},
    {"tile_scatter_masked", cuda_tile_read_scatter},
    {"tile_diag_add", cuda_tile_read_diagonal},
    {"tile_axpy", cuda_tile_read_axpy},
    {"tile_set", cuda_tile_read_set},
    {"tile_sort", cuda_tile_read_sort},
    {"tile_bvh_query_aabb", cuda_tile_read_query},
    {"tile_bvh_query_ray", cuda_tile_read_query},
    {"tile_bvh_query_next", cuda_tile_read_query_next},
    {"tile_mesh_query_aabb", cuda_tile_read_query},
    {"tile_mesh_query_aabb_next", cuda_tile_read_query_next},
    {"tile_query_valid", cuda_tile_read_query},
};

bool cuda_read_shared_tile(const tile_call *r)
{
    WEFT_ASSERT(r->f->tiles);
    if (!cuda_tile_is_replayed(r))
        return true;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (str_eq(r->name, str_c(rows[i].name)))
            return rows[i].read(r);
    return cuda_tile_read_operator(r);
}
