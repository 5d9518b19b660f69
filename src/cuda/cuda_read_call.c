/* SPDX-License-Identifier: Apache-2.0 */
/* Calls of the forward lists. Memory, loops, components and thread indexes become statements and
 * places of their own; the others stay calls of builtins (CX_CALL) or functions (CX_USER). For
 * cuda_read.c.
 *
 *     CALL %1, @wp::address, %x, %0              ->   %1 = element(x, i)
 *     CALL %10, @wp::atomic_add, %y, %0, %9      ->   %10 = atomic_add(element(y, i), %9)
 *     CALL %3, @wp::range, %n                    ->   begin = 0; end = n; step = 1
 *     CALL_VOID @wp::add_inplace, %v, 1, %x      ->   component(v, 1) += x
 *     CALL_VOID @minmax_0, %5, %6, %3, %4        ->   minmax(%5, %6, lo, hi) gives lo, hi
 *     CALL %8, @wp::tuple, %3, %4                ->   its items are variables; %8 is their struct
 *     CALL %12, @wp::vec_t<2, ...>, %3, %4       ->   %12 = vec_t(lo, hi)
 *
 * `forms` lists the builtins that are read in a way of their own, by name and number of operands.
 * An atomic operation is a CX_ATOMIC at its element's place from here on; cuda_print_expr.c has its
 * text made by cudarule_atomic.c. */
#include "cuda/cuda_adjoint.h"
#include "cuda/cuda_effect.h"
#include "cuda/cuda_form.h"
#include "cuda/cuda_operand.h"
#include "cuda/cuda_read.h"
#include "cuda/cuda_tile.h"
#include "cuda/cuda_tree.h"
#include "cuda/cuda_unsupported.h"
#include "cudarule/cudarule_object.h"

/* One call: the statement's operands behind the callee. */
typedef struct call_reader {
    cuda_fn *f;
    cs_list *out;
    cx *result; /* place of the one result, or NULL */
    const type *type;
    str name; /* "add" */
    cuda_op op;
    const ir_callee *callee;
    const ir_arg *args;
    uint32_t n;
} call_reader;

/* The call's name and builtin. */
static void name_callee(cx *e, const call_reader *r)
{
    e->name = r->name;
    e->op = (uint8_t)r->op;
}

/* Operand i as a value. */
static cx *value_at(const call_reader *r, uint32_t i)
{
    return cuda_operand_value(r->f, r->args[i]);
}

/* Operand i as a place: an array, or what is written to. */
static cx *place_at(const call_reader *r, uint32_t i)
{
    return cuda_operand_place(r->f, r->args[i]);
}

/* Sets the result to e; a call without one stays for its effects. */
static void give(const call_reader *r, cx *e)
{
    if (r->result)
        cs_set(r->f, r->out, r->result, e);
    else
        cs_put(r->f, r->out, CS_CALL)->e = e;
}

/* Is one of the operands from `from` on a slice? */
static bool has_slice(const call_reader *r, uint32_t from)
{
    for (uint32_t i = from; i < r->n; i++)
        if (place_at(r, i)->type->kind == TYPE_SLICE)
            return true;
    return false;
}

/* The place args[0] at the indices up to args[to - 1]. */
static cx *access_of(const call_reader *r, cx_kind kind, const type *t, uint32_t to)
{
    WEFT_ASSERT(to >= 1 && to <= r->n);
    cx *e = cx_new(r->f, kind, t, to);
    e->args[0] = place_at(r, 0);
    for (uint32_t i = 1; i < to; i++)
        e->args[i] = value_at(r, i);
    const type *base = e->args[0]->type;
    if ((kind == CX_ELEMENT || kind == CX_VIEW) && !cuda_has_elements(base))
        cuda_unsupported(r->f, "an array of another kind than wp.array");
    else if (kind == CX_VIEW && base->array_class == ARRAY_INDEXED)
        cuda_unsupported(r->f, "a view of a wp.indexedarray");
    return e;
}

/* Slices and rows are set by a device function, which takes the variable by reference. */
static void change_part(const call_reader *r)
{
    cx *e = access_of(r, CX_CALL, r->type, r->n);
    name_callee(e, r);
    cs *s = cs_put(r->f, r->out, CS_CALL);
    s->e = e;
    s->outputs = ARENA_NEW(&r->f->c->module, uint32_t);
    s->outputs[0] = cv_root(r->f, ir_index(r->args[0]));
    s->noutputs = 1;
    s->updates = true;
}

/* v[i] = x, v[i] += x, ... of a scalar component: an assignment to the component's place. `how`:
 * the operator that combines it with the old value; OTHER: none. */
static void read_component(const call_reader *r, cuda_op how)
{
    cuda_fn *f = r->f;
    const cx *v = place_at(r, 0);
    if (has_slice(r, 1) || (v->type->kind == TYPE_MAT && r->n == 3)) {
        change_part(r);
        return;
    }
    const type *t = v->type->elem ? v->type->elem : v->type;
    cx *place = access_of(r, CX_COMPONENT, t, r->n - 1);
    cx *x = value_at(r, r->n - 1);
    if (how == CUDA_OP_BIT_AND || how == CUDA_OP_BIT_OR || how == CUDA_OP_BIT_XOR)
        x = cx_call2(f, how, t, cx_unary(f, CX_LOAD, t, place), x);
    cs *s = cs_set(f, r->out, place, x);
    s->add = how == CUDA_OP_ADD;
    s->sub = how == CUDA_OP_SUB;
}

/* The value behind a reference. A load of a tuple is the tuple: its items are variables. */
static void read_load(const call_reader *r)
{
    if (r->type && r->type->kind == TYPE_TUPLE) {
        r->f->named[ir_index(r->args[-2])] = place_at(r, 0);
        return;
    }
    give(r, value_at(r, 0));
}

/* A reference to an element. */
static void read_address(const call_reader *r)
{
    give(r, access_of(r, CX_ELEMENT, r->type, r->n));
}

/* The indices of a view are those of the moment: they get variables that nothing changes. Of `row =
 * a[i]; i = 3; row[0]` the last must read the old i. */
static void read_view(const call_reader *r)
{
    cuda_fn *f = r->f;
    cx *e = access_of(r, CX_VIEW, r->type, r->n);
    for (uint32_t i = 1; i < e->nargs; i++) {
        uint32_t var;
        if (!cx_is_var(e->args[i], &var) || !type_is_scalar(e->args[i]->type))
            continue;
        cx *kept = cx_var(f, cv_new(f, e->args[i]->type, (str){NULL, 0}));
        cs_set(f, r->out, kept, e->args[i]);
        e->args[i] = kept;
    }
    give(r, e);
}

/* Part of a variable: no reference, which would hide what is written to the variable. Part of an
 * element stays one:
 *
 *     v[i] of a variable v       ->   the label stands for component(v, i)
 *     a[j][i] of an array a      ->   %9 = component(element(a, j), i) */
static void read_index(const call_reader *r)
{
    cx *e = access_of(r, CX_COMPONENT, r->type, r->n);
    if (cx_place_root(r->f, e) == CUDA_NO_VAR) {
        give(r, e);
        return;
    }
    e->type = type_strip_ref(e->type);
    r->f->named[ir_index(r->args[-2])] = e;
}

static void read_store(const call_reader *r)
{
    cs_set(r->f, r->out, place_at(r, 0), value_at(r, 1));
}

/* array[i, j] = x; the value is the last operand. */
static void read_array_store(const call_reader *r)
{
    const type *elem = place_at(r, 0)->type->elem;
    cx *place = access_of(r, CX_ELEMENT, elem, r->n - 1);
    cs_set(r->f, r->out, place, value_at(r, r->n - 1));
}

/* b = a with one part changed: a copy, and an assignment to part of it. */
static void read_assign_copy(const call_reader *r)
{
    WEFT_ASSERT(r->result && r->n >= 3);
    call_reader part = *r;
    cs_set(r->f, r->out, r->result, value_at(r, 0));
    ir_arg *args = ARENA_ARRAY(&r->f->c->module, ir_arg, r->n);
    memcpy(args, r->args, r->n * sizeof *args);
    args[0] = r->args[-2]; /* the result, instead of the first operand */
    part.args = args;
    read_component(&part, CUDA_OP_OTHER);
}

/* v[i] += x and the like: which operator it is follows from the builtin. */
static void read_inplace(const call_reader *r)
{
    static const uint8_t how[CUDA_OPS] = {[CUDA_OP_ADD_INPLACE] = CUDA_OP_ADD,
                                          [CUDA_OP_SUB_INPLACE] = CUDA_OP_SUB,
                                          [CUDA_OP_BIT_AND_INPLACE] = CUDA_OP_BIT_AND,
                                          [CUDA_OP_BIT_OR_INPLACE] = CUDA_OP_BIT_OR,
                                          [CUDA_OP_BIT_XOR_INPLACE] = CUDA_OP_BIT_XOR};
    read_component(r, (cuda_op)how[r->op]);
}

/* An item of a shape, or a component, row or slice as a value. */
static void read_extract(const call_reader *r)
{
    cuda_fn *f = r->f;
    cx *base = value_at(r, 0), *e;
    if (type_is_shape(base->type)) {
        e = cx_binary(f, CX_SIZE, cuda_int(f), base, value_at(r, 1));
    } else {
        e = cx_new(f, CX_CALL, r->type, r->n);
        name_callee(e, r);
        for (uint32_t i = 0; i < r->n; i++)
            e->args[i] = value_at(r, i);
    }
    give(r, e);
}

/* Items of a tuple are variables of their own, which keep the values of the moment. Constants and
 * arrays need none: nothing changes them. */
static void read_tuple(const call_reader *r)
{
    WEFT_ASSERT(r->type->kind == TYPE_TUPLE);
    cuda_fn *f = r->f;
    cx *all = cx_new(f, CX_STRUCT, cuda_tuple_struct(f->job, r->type), r->n);
    for (uint32_t i = 0; i < r->n; i++) {
        cx *item = value_at(r, i);
        all->args[i] = item;
        if (item->kind == CX_CONST || item->type->kind == TYPE_ARRAY)
            continue;
        all->args[i] = cx_var(f, cv_new(f, item->type, (str){NULL, 0}));
        cs_set(f, r->out, all->args[i], item);
    }
    f->named[ir_index(r->args[-2])] = all;
}

/* The item's number is the template argument: extract<0>(t). */
static void read_tuple_item(const call_reader *r)
{
    WEFT_ASSERT(r->callee->native.ntemplates == 1);
    const uint32_t n = (uint32_t)r->callee->native.templates[0].i;
    cx *item = cuda_tuple_item(r->f, place_at(r, 0), n);
    if (item)
        give(r, item);
    else
        cuda_unsupported(r->f, "a tuple that is chosen while the kernel runs");
}

/* A range is three variables: where it begins, where it ends, and its step. The loop over it finds
 * them by cuda_fn.range.
 *
 *     range(n)        begin = 0; end = n; step = 1
 *     range(2, n, 3)  begin = 2; end = n; step = 3 */
static void read_range(const call_reader *r)
{
    cuda_fn *f = r->f;
    const uint32_t first = f->vars.n;
    cx *part[3] = {cx_number(f, 0), NULL, cx_number(f, 1)};
    if (r->n == 1)
        part[1] = value_at(r, 0);
    for (uint32_t i = 0; r->n > 1 && i < r->n && i < 3; i++)
        part[i] = value_at(r, i);
    for (uint32_t i = 0; i < 3; i++) {
        const uint32_t v = cv_new(f, cuda_int(f),
                                  i == 1 ? STR("end")
                                  : i    ? STR("step")
                                         : STR("begin"));
        cs_set(f, r->out, cx_var(f, v), part[i]);
    }
    f->range[ir_index(r->args[-2])] = first;
}

/* The same range, run backward. */
static void read_reversed(const call_reader *r)
{
    const uint32_t to = ir_index(r->args[-2]), from = ir_index(r->args[0]);
    if (r->type->kind != TYPE_RANGE || r->f->range[from] == CUDA_NO_VAR)
        cuda_unsupported_call(r->f, r->name, false);
    r->f->range[to] = r->f->range[from];
    r->f->reversed[to] = !r->f->reversed[from];
}

/* The first of the items from `begin` on, or of all, that is not less than a value. Always with
 * four operands from here on: array, begin, end, value. */
static void read_lower_bound(const call_reader *r)
{
    cuda_fn *f = r->f;
    cx *array = place_at(r, 0), *e = cx_new(f, CX_CALL, r->type, 4);
    if (array->type->kind != TYPE_ARRAY || array->type->array_class != ARRAY_PLAIN) {
        cuda_unsupported_call(f, r->name, false);
        return;
    }
    name_callee(e, r);
    e->args[0] = array;
    e->args[1] = r->n == 4 ? value_at(r, 1) : cx_number(f, 0);
    e->args[2] = r->n == 4 ? value_at(r, 2)
                           : cx_binary(f, CX_SIZE, cuda_int(f),
                                       cx_unary(f, CX_SHAPE, type_native(f->c, "shape_t"), array),
                                       cx_number(f, 0));
    e->args[3] = value_at(r, r->n - 1);
    give(r, e);
}

/* Of an array: whether it is there. Of a value: the builtin. */
static void read_not(const call_reader *r)
{
    cx *e = place_at(r, 0);
    if (e->type->kind != TYPE_ARRAY) {
        cx *call = cx_unary(r->f, CX_CALL, r->type, value_at(r, 0));
        name_callee(call, r);
        give(r, call);
        return;
    }
    give(r, cx_unary(r->f, CX_NOT, r->type, e));
}

/* Start, stop, step; an open bound is NULL. */
static void read_slice(const call_reader *r)
{
    cx *e = cx_new(r->f, CX_SLICE, r->type, 3);
    for (uint32_t i = 0; i < 3 && i < r->n; i++) {
        e->args[i] = value_at(r, i);
        const value *k = e->args[i]->k;
        if (e->args[i]->kind == CX_CONST && (k->i == SLICE_BEGIN || k->i == SLICE_END))
            e->args[i] = NULL;
    }
    give(r, e);
}

/* Warp's `where` is a function: its operands are computed before it, and effects are not lost. */
static void read_where(const call_reader *r)
{
    cx *e = cx_new(r->f, CX_COND, r->type, 3);
    for (uint32_t i = 0; i < 3; i++)
        e->args[i] = value_at(r, i);
    give(r, e);
}

/* len(array) is its first size. */
static void read_len(const call_reader *r)
{
    cx *shape = cx_unary(r->f, CX_SHAPE, type_native(r->f->c, "shape_t"), place_at(r, 0));
    if (shape->args[0]->type->kind != TYPE_ARRAY)
        cuda_unsupported(r->f, "this length");
    give(r, cx_binary(r->f, CX_SIZE, cuda_int(r->f), shape, cx_number(r->f, 0)));
}

/* atomic_add(array, i, j, x) as an operation on the place array[i, j], by as many indices as the
 * array has dimensions. Fewer have no form. */
static void read_atomic(const call_reader *r)
{
    cuda_fn *f = r->f;
    cx *array = place_at(r, 0);
    const uint32_t n = array->type->kind == TYPE_ARRAY ? (uint32_t)array->type->ndim + 1 : r->n;
    if (n >= r->n) {
        cuda_unsupported(f, "this atomic operation");
        return;
    }
    cx *place = access_of(r, CX_ELEMENT, array->type->elem, n);
    cx *e = cx_new(f, CX_ATOMIC, array->type->elem, 1 + r->n - n);
    name_callee(e, r);
    e->args[0] = place;
    for (uint32_t i = n; i < r->n; i++)
        e->args[1 + i - n] = value_at(r, i);
    give(r, e);
}

/* The element that a query found last. */
static cx *found_element(cuda_fn *f, cx *query)
{
    cx *e = cx_unary(f, CX_FIELD, cuda_int(f), query);
    e->name = STR("index");
    return cx_unary(f, CX_LOAD, e->type, e);
}

/* more = query_step(q, most), where most is an operand of BVHs' queries alone. */
static cx *query_step(cuda_fn *f, cx *query, cx *most)
{
    uint32_t var;
    cx *e = cx_new(f, CX_CALL, type_scalar(f->c, TYPE_BOOL), most ? 2 : 1);
    if (!cx_is_var(query, &var))
        cuda_unsupported(f, "a query that is no variable");
    cx_set_op(e, CUDA_OP_QUERY_STEP);
    e->args[0] = query;
    if (most)
        e->args[1] = most;
    return e;
}

/* hash_grid_query_next(q, i) sets i where there is a next element:
 *
 *     %8 = query_step(q)
 *     if %8 { i = load(field(q, index)) } */
static void read_query_next(const call_reader *r)
{
    cuda_fn *f = r->f;
    cx *query = place_at(r, 0);
    give(r, query_step(f, query, r->n > 2 ? value_at(r, 2) : NULL));
    cs *s = cs_put(f, r->out, CS_IF);
    s->e = r->result;
    cs_set(f, &s->body, place_at(r, 1), found_element(f, query));
}

/* hit = mesh_query_point(id, p, most, sign, face, u, v) sets variables where it finds a point:
 *
 *     %9 = mesh_query_point(id, p, most)
 *     hit = field(%9, result)
 *     if hit { sign = field(%9, sign); face = ...; u = ...; v = ... } */
static void read_found_variables(const call_reader *r)
{
    static const char *const of_point[] = {"sign", "face", "u", "v"};
    static const char *const of_ray[] = {"t", "u", "v", "sign", "normal", "face"};
    cuda_fn *f = r->f;
    const bool ray = str_eq(r->name, STR("mesh_query_ray"));
    const uint32_t first = ray ? 4 : 3;
    const bool no_sign = r->n == 6; /* of a point: one argument less */
    const char *const *names = ray ? of_ray : of_point + no_sign;
    const uint32_t n = ray ? 6 : 4 - no_sign;
    const type *t = type_native(f->c, ray ? "MeshQueryRay" : "MeshQueryPoint");
    cx *found = cx_var(f, cv_new(f, t, ray ? STR("ray") : STR("at")));
    cx *e = cx_new(f, CX_CALL, t, r->n - n);
    e->name = r->name;
    for (uint32_t i = 0; i < r->n - n; i++)
        e->args[i] = value_at(r, i < first ? i : i + n);
    cs_set(f, r->out, found, e);
    cx *is_found = cuda_member(f, found, STR("result"));
    cs *s;
    if (r->result)
        give(r, cx_unary(f, CX_LOAD, is_found->type, is_found));
    s = cs_put(f, r->out, CS_IF);
    s->e = r->result ? r->result : cx_unary(f, CX_LOAD, is_found->type, is_found);
    for (uint32_t i = 0; i < n; i++) {
        cx *part = cuda_member(f, found, str_c(names[i]));
        cs_set(f, &s->body, place_at(r, first + i), cx_unary(f, CX_LOAD, part->type, part));
    }
}

/* volume_sample_grad_f(id, p, mode, g) sets g, besides its value:
 *
 *     %8 = volume_sample_f(id, p, mode)
 *     g = volume_slope_f(id, p, mode) */
static void read_sample_grad(const call_reader *r)
{
    cuda_fn *f = r->f;
    const bool scalar = r->type && r->type->kind == TYPE_FLOAT32;
    if (!scalar || !r->result) {
        cuda_unsupported_call(f, r->name, false);
        return;
    }
    cx *place = place_at(r, 3), *e[2];
    for (int i = 0; i < 2; i++) {
        e[i] = cx_new(f, CX_CALL, i ? place->type : r->type, 3);
        e[i]->name = i ? STR("volume_slope_f") : STR("volume_sample_f");
        for (uint32_t k = 0; k < 3; k++)
            e[i]->args[k] = value_at(r, k);
    }
    give(r, e[0]);
    cs_set(f, r->out, place, e[1]);
}

/* iter_next(q) in a loop over a query. */
static void read_found(const call_reader *r)
{
    give(r, found_element(r->f, place_at(r, 0)));
}

void cuda_query_loop(cuda_fn *f, cx *query, cs_list *body)
{
    cx *more = cx_var(f, cv_new(f, type_scalar(f->c, TYPE_BOOL), STR("more")));
    cs_set(f, body, more, query_step(f, query, NULL));
    cs *s = cs_put(f, body, CS_IF);
    s->e = cx_unary(f, CX_NOT, more->type, more);
    cs_put(f, &s->body, CS_BREAK);
}

/* Thread indexes are variables that the kernel's head sets (cuda_kernel.c); later calls of wp.tid()
 * copy them. One of fewer dimensions has the first indexes. */
static void read_tid(const call_reader *r)
{
    cuda_fn *f = r->f;
    const uint32_t dims = r->result ? 1 : r->n;
    if ((int)dims > f->u->launch_dim) {
        cuda_unsupported(f, "wp.tid() of different dimensions");
        return;
    }
    for (uint32_t d = 0; d < dims; d++) {
        const uint32_t v = r->result ? ir_index(r->args[-2]) : ir_index(r->args[d]);
        if (f->tid[d] == CUDA_NO_VAR) {
            f->tid[d] = v;
            f->vars.v[v].param = true;
        } else {
            cs_set(f, r->out, cx_var(f, v), cx_var(f, f->tid[d]));
        }
        f->defined[v] = 1;
    }
}

/* Warp launches blocks of one dimension; the standalone text has as many as the kernel, so all
 * their sizes are multiplied. Four dimensions are counted along x. */
static void read_block_dim(const call_reader *r)
{
    static const char *const texts[] = {"int(blockDim.x)", "int(blockDim.x * blockDim.y)",
                                        "int(blockDim.x * blockDim.y * blockDim.z)"};
    /* Four are counted along x, and so are threads that share tiles. */
    const int dims = r->f->tiles ? 1 : r->f->job->m->kernel->launch_dim;
    cx *e = cx_new(r->f, CX_TEXT, cuda_int(r->f), 0);
    const str text = str_c(texts[dims == 2 || dims == 3 ? dims - 1 : 0]);
    e->text = cuda_template_of_text(r->f->job->defs, text, CUDA_POSTFIX);
    e->block_size = true;
    give(r, e);
}

static void read_assign(const call_reader *r)
{
    cs_set(r->f, r->out, place_at(r, 0), value_at(r, 1));
}

/* A row: the builtin's name, how it is read, and between how many operands it has then. */
typedef struct call_form {
    const char *name;
    void (*read)(const call_reader *r);
    uint32_t least, most; /* number of operands */
} call_form;

/* Among rows of one name the first whose numbers of operands fit counts. */
static const call_form forms[] = {
    {"load", read_load, 1, 1},
    {"copy", read_load, 1, 1},
    {"address", read_address, 2, 5},
    {"view", read_view, 2, 5},
    {"index", read_index, 2, 3},
    {"indexref", read_index, 2, 3},
    {"store", read_store, 2, 2},
    {"assign", read_assign, 2, 2},
    {"array_store", read_array_store, 3, 6},
    {"assign_copy", read_assign_copy, 3, 4},
    {"assign_inplace", read_inplace, 3, 4},
    {"add_inplace", read_inplace, 3, 4},
    {"sub_inplace", read_inplace, 3, 4},
    {"bit_and_inplace", read_inplace, 3, 4},
    {"bit_or_inplace", read_inplace, 3, 4},
    {"bit_xor_inplace", read_inplace, 3, 4},
    {"extract", read_extract, 2, 3},
    {"extract", read_tuple_item, 1, 1},
    {"range", read_range, 1, 3},
    {"slice_t", read_slice, 3, 3},
    {"iter_reverse", read_reversed, 1, 1},
    {"bvh_query_capsule_next", read_query_next, 3, 3},
    {"bvh_query_next", read_query_next, 3, 3},
    {"bvh_query_ray_next", read_query_next, 3, 3},
    {"bvh_query_sphere_next", read_query_next, 3, 3},
    {"hash_grid_query_next", read_query_next, 2, 2},
    {"iter_next", read_found, 1, 1},
    {"mesh_query_aabb_next", read_query_next, 2, 2},
    {"mesh_query_furthest_point_no_sign", read_found_variables, 6, 6},
    {"mesh_query_point", read_found_variables, 7, 7},
    {"mesh_query_point_no_sign", read_found_variables, 6, 6},
    {"mesh_query_point_sign_normal", read_found_variables, 8, 8},
    {"mesh_query_point_sign_parity", read_found_variables, 9, 9},
    {"mesh_query_point_sign_winding_number", read_found_variables, 9, 9},
    {"mesh_query_ray", read_found_variables, 11, 11},
    {"mesh_query_sphere_next", read_query_next, 2, 2},
    {"volume_sample_grad", read_sample_grad, 4, 4},
    {"volume_sample_grad_f", read_sample_grad, 4, 4},
    {"lower_bound", read_lower_bound, 2, 2},
    {"lower_bound", read_lower_bound, 4, 4},
    {"unot", read_not, 1, 1},
    {"where", read_where, 3, 3},
    {"len", read_len, 1, 1},
    {"builtin_block_dim", read_block_dim, 0, 0},
    {"builtin_tid1d", read_tid, 0, 4},
    {"builtin_tid2d", read_tid, 0, 4},
    {"builtin_tid3d", read_tid, 0, 4},
    {"builtin_tid4d", read_tid, 0, 4},
};

/* Builtins whose results a kernel may have variables for. */
static const struct {
    const char *name;
    uint32_t results;
} with_results[] = {{"svd2", 3}, {"svd3", 3}, {"qr3", 2}, {"eig3", 2}, {"quat_to_axis_angle", 2}};

/* The first byte tells most names apart. */
static bool is_named(const call_reader *r, const char *name)
{
    return r->name.n && r->name.p[0] == name[0] && str_eq(r->name, str_c(name));
}

/* Trailing operands that nothing has set yet are results: a call that fills several variables has
 * them last. Builtins whose results a kernel may have set before, in a loop, are listed in
 * with_results. */
static uint32_t count_outputs(const call_reader *r)
{
    cuda_fn *f = r->f;
    uint32_t n = 0;
    for (size_t i = 0; i < sizeof with_results / sizeof *with_results; i++)
        if (is_named(r, with_results[i].name) && r->n > with_results[i].results)
            return with_results[i].results;
    while (n < r->n) {
        const ir_arg a = r->args[r->n - 1 - n];
        if (ir_kind(a) != IR_ARG_VAR)
            break;
        const ir_var *v = &f->u->vars.v[ir_index(a)];
        if (v->constant || ir_is_bare(f->u, ir_index(a)) || f->defined[ir_index(a)])
            break;
        n++;
    }
    return n;
}

/* The last n operands are variables that the call sets. */
static void note_outputs(const call_reader *r, cs *s, uint32_t n)
{
    WEFT_ASSERT(n <= r->n);
    cuda_fn *f = r->f;
    s->outputs = ARENA_ARRAY(&f->c->module, uint32_t, n + 1);
    s->noutputs = n;
    for (uint32_t i = 0; i < n; i++)
        s->outputs[i] = cv_root(f, ir_index(r->args[r->n - n + i]));
}

/* What a function changes through references. Such a call reads what it changes (cs.updates), so
 * that no pass takes it for the variable's first definition. */
static void note_references(const call_reader *r, cs *s, const ir_unit *callee)
{
    uint32_t *all = ARENA_ARRAY(&r->f->c->module, uint32_t, s->noutputs + callee->nparams + 1);
    memcpy(all, s->outputs, s->noutputs * sizeof *all);
    for (uint32_t i = 0; i < callee->nparams && i < r->n; i++) {
        if (callee->vars.v[callee->params[i]].type->kind != TYPE_REF)
            continue;
        const uint32_t v = cx_place_root(r->f, s->e->args[i]);
        s->updates = true;
        if (v != CUDA_NO_VAR)
            all[s->noutputs++] = v;
    }
    s->outputs = all;
}

/* The call with its operands as values. Reports operands that are no values. */
static cx *call_of(const call_reader *r, cx_kind kind)
{
    cx *e = cx_new(r->f, kind, r->type, r->n);
    name_callee(e, r);
    for (uint32_t i = 0; i < r->n; i++) {
        e->args[i] = value_at(r, i);
        const type *t = e->args[i]->type;
        if (kind == CX_CALL && t->kind >= TYPE_STRUCT && t->kind != TYPE_STR &&
            !(t->kind == TYPE_SLICE && t->known) && !cuda_is_object_call(r->name))
            cuda_unsupported_call(r->f, r->name, false);
    }
    return e;
}

/* A call of a function of the program. References are passed as places. Operands that the
 * function's text drops are dropped here already, so that nothing computes them. */
static void read_user(const call_reader *r, const ir_unit *callee)
{
    cuda_fn *f = r->f;
    if (f->reverse && callee->func->replay_snippet) {
        cuda_unsupported(f, "a native snippet with another text for the backward pass");
        return;
    }
    cx *e = call_of(r, CX_USER);
    e->callee = callee;
    for (uint32_t i = 0; i < callee->nparams && i < r->n; i++)
        if (callee->vars.v[callee->params[i]].type->kind == TYPE_REF)
            e->args[i] = place_at(r, i);
    cuda_drop_unused(f, e);
    if (r->result) {
        give(r, e);
        return;
    }
    cs *s = cs_put(f, r->out, CS_CALL);
    s->e = e;
    note_outputs(r, s, callee->has_return ? callee->nreturns : 0);
    note_references(r, s, callee);
}

/* Particle(a, b): a struct of all its fields, or of none. */
static void read_struct(const call_reader *r, const type *t)
{
    cx *e = call_of(r, CX_STRUCT);
    e->type = t;
    give(r, e);
}

/* By a row of `forms`; else an atomic operation, or a call. A call without result, outputs and
 * effects is reported: passes would drop it silently. Builtins of meshes, tiles and the like have
 * no form at all. */
static void read_builtin(const call_reader *r)
{
    if (cuda_is_tile_call(r->name)) {
        (void)cuda_read_tile(&(tile_call){.f = r->f,
                                          .out = r->out,
                                          .result = r->result,
                                          .var = r->result ? ir_index(r->args[-2]) : 0,
                                          .type = r->type,
                                          .name = r->name,
                                          .callee = r->callee,
                                          .args = r->args,
                                          .n = r->n});
        return;
    }
    if (r->type && r->type->kind == TYPE_TUPLE && r->op != CUDA_OP_COPY) {
        read_tuple(r);
        return;
    }
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++)
        if (is_named(r, forms[i].name) && r->n >= forms[i].least && r->n <= forms[i].most) {
            forms[i].read(r);
            return;
        }
    if (cuda_op_properties(r->op) & CUDA_OP_ATOMIC) {
        read_atomic(r);
        return;
    }
    if (!cuda_is_object_call(r->name) &&
        (cuda_is_unsupported(r->name) ||
         (r->type && r->type->kind >= TYPE_NATIVE && r->type->kind <= TYPE_STACK)))
        cuda_unsupported_call(r->f, r->name, false);
    cx *e = call_of(r, CX_CALL);
    if (r->result) {
        give(r, e);
        return;
    }
    cs *s = cs_put(r->f, r->out, CS_CALL);
    s->e = e;
    note_outputs(r, s, count_outputs(r));
    if (!s->noutputs && !cx_effects(r->f, e)) /* it would be left out, as nothing needs it */
        cuda_unsupported_call(r->f, r->name, false);
}

/* Has the statement a tile in shared memory as an operand or result? */
static bool has_array_of_block(const cuda_fn *f, const ir_stmt *s)
{
    for (uint32_t i = 0; f->tiles && i < s->nargs; i++) {
        const ir_arg a = f->u->args.v[s->args + i];
        const type *t =
            ir_kind(a) == IR_ARG_VAR ? type_strip_ref(f->u->vars.v[ir_index(a)].type) : NULL;
        if (t && t->kind == TYPE_TILE && !cuda_is_single_tile(t))
            return true;
    }
    return false;
}

/* Appends what the call statement means. Operations on tiles aside, builtins that take tiles copy
 * them: "t = t * 2.0" in a loop or branch. C++ has no such assignment of arrays. */
void cuda_read_call(cuda_fn *f, const ir_stmt *s, cs_list *out)
{
    const ir_arg *a = f->u->args.v + s->args;
    const bool result = s->op == IR_CALL || s->op == IR_CALL_LIST;
    const ir_callee *callee = cuda_callee(f, a[result]);
    call_reader r = {.f = f,
                     .out = out,
                     .args = a + 1 + result,
                     .n = s->nargs - 1u - result,
                     .name = cuda_sets_element(f->u, s) ? STR("tile_set") : callee->native.name,
                     .op = cuda_op_called(callee),
                     .callee = callee};
    if (r.n && cuda_is_default_level(f, r.name, r.args[r.n - 1]))
        r.n--;
    if (result) {
        r.result = cuda_operand_place(f, a[0]);
        r.type = cuda_tile_item(f->job, type_strip_ref(f->u->vars.v[ir_index(a[0])].type));
    }
    if (ir_kind(a[result]) == IR_ARG_CALLEE_ADJ)
        cuda_read_grad(f, s, out);
    else if (callee->unit)
        read_user(&r, cuda_called(f, a[result]));
    else if (callee->native.constructs && callee->native.constructs->kind == TYPE_STRUCT)
        read_struct(&r, callee->native.constructs);
    else if (!cuda_is_tile_call(r.name) && has_array_of_block(f, s))
        cuda_unsupported(f, "a tile in shared memory that is assigned to a variable");
    else
        read_builtin(&r);
}
