/* SPDX-License-Identifier: Apache-2.0 */
/* Rules for elements of vectors, matrices, quaternions, transformations and tuples: reading,
 * addressing and assigning components and slices; tuples and slices themselves. Examples:
 *
 *     v[1]         extract(v, 1)          wp::extract(var_4, var_5), a scalar
 *     v[0:2]       extract(v, slice)      wp::extract<2>(var_2, var_17): the length is a template
 *                                         argument, so bounds are constants
 *     m[:, 1]      extract(m, slice, 1)   wp::extract<2>(var_21, var_15, var_19), a vector:
 *                                         an integer takes a dimension away */
#include "base/assert.h"
#include "base/format.h"
#include "builtin/rule.h"
#include "builtin/rules.h"

/* The length of a slice of n items (Warp 1.19 slice_t.get_length); -1 after a diagnostic: a bound
 * is no constant, or the step is 0. */
static int slice_length(rule_call *k, const type *slice, int n)
{
    WEFT_ASSERT(slice->kind == TYPE_SLICE && n >= 0);
    int64_t len = slice->known ? type_slice_length(slice, n) : -1;
    if (len < 0)
        REFUSE(k, DIAG_SLICE_CONSTANT);
    return (int)len;
}

/* Warp 1.19 vector_extract_value_func: a component or a part of a vector, quaternion or
 * transformation. */
static bool extract_vector(rule_call *k)
{
    const type *v = rule_type(k, 0), *i = rule_type(k, 1);
    if (i->kind != TYPE_SLICE)
        return rule_gives(k, v->elem);
    int n = slice_length(k, i, v->rows);
    return n >= 0 && rule_gives(k, type_vec(k->c, v->elem, n));
}
const result_rule rule_extract_vector = {extract_vector, 0, true};

/* Appends the sizes of a vector or matrix as template arguments; scalars have none. */
static void template_shape(rule_call *k, const type *t)
{
    if (t->kind == TYPE_VEC || t->kind == TYPE_MAT)
        rule_template_int(k, t->rows);
    if (t->kind == TYPE_MAT)
        rule_template_int(k, t->cols);
}

/* Warp 1.19 vector_extract_dispatch_func. */
bool dispatch_shape_template(rule_call *k)
{
    rule_pass_all(k);
    template_shape(k, k->plan->result_types[0]);
    return true;
}

/* What indices take of a matrix. */
typedef struct extents {
    int shape[2]; /* rows and columns taken; -1: an integer picks one, and the dimension goes */
    int ndim, nindices;
    bool sliced;
} extents;

/* Works out what the indices i and j take of the matrix m. An absent index takes its whole
 * dimension. */
static bool matrix_extents(rule_call *k, const type *m, extents *e)
{
    WEFT_ASSERT(m->kind == TYPE_MAT);
    *e = (extents){{m->rows, m->cols}, 2, 0, false};
    uint32_t first = rule_param(k, "i");
    for (uint32_t d = 0; d < 2; d++) {
        uint32_t p = d ? rule_param(k, "j") : first;
        const type *t = p < k->row->nparams ? rule_type(k, p) : NULL;
        if (!t)
            continue;
        e->nindices++;
        if (t->kind != TYPE_SLICE) {
            e->shape[d] = -1;
            e->ndim--;
            continue;
        }
        e->sliced = true;
        e->shape[d] = slice_length(k, t, e->shape[d]);
        if (e->shape[d] < 0)
            return false;
    }
    return true;
}

/* The type of that part: a scalar, a vector or a matrix. Without rows or columns it is a 0 x 0
 * matrix, as in Warp. */
static const type *part_type(ctx *c, const type *m, const extents *e)
{
    WEFT_ASSERT(e->ndim >= 0 && e->ndim <= 2);
    if (e->ndim == 0)
        return m->elem;
    if (e->ndim == 1)
        return type_vec(c, m->elem, e->shape[0] < 0 ? e->shape[1] : e->shape[0]);
    bool empty = e->shape[0] == 0 || e->shape[1] == 0;
    return type_mat(c, m->elem, empty ? 0 : e->shape[0], empty ? 0 : e->shape[1]);
}

/* Warp 1.19 matrix_extract_value_func, matrix_extract_dispatch_func. */
static bool extract_matrix(rule_call *k)
{
    const type *m = rule_type(k, 0);
    extents e;
    return matrix_extents(k, m, &e) && rule_gives(k, part_type(k->c, m, &e));
}
const result_rule rule_extract_matrix = {extract_matrix, 0, true};

/* The sizes of the part are template arguments where a slice was used: m[:, 1] is
 * wp::extract<2>(...). */
bool dispatch_extract_matrix(rule_call *k)
{
    extents e;
    matrix_extents(k, rule_type(k, 0), &e);
    rule_pass_all(k);
    if (e.sliced)
        template_shape(k, k->plan->result_types[0]);
    return true;
}

/* Warp 1.19 vector_index_value_func, matrix_ij_value_func, matrix_index_value_func. */
static bool scalar_ref(rule_call *k)
{
    return rule_gives(k, type_ref(k->c, rule_type(k, 0)->elem));
}
const result_rule rule_scalar_ref = {scalar_ref, 0, true};

/* Warp 1.19 matrix_index_row_value_func. */
static bool row_ref(rule_call *k)
{
    const type *m = rule_type(k, 0);
    return rule_gives(k, type_ref(k->c, type_vec(k->c, m->elem, m->cols)));
}
const result_rule rule_row_ref = {row_ref, 0, true};

/* The composite goes in as a pointer, the indices as values: Warp's vector_index_dispatch_func and
 * its like. */
bool dispatch_ref_first(rule_call *k)
{
    rule_pass_ref(k, 0);
    for (uint32_t i = 1; i < k->row->nparams; i++)
        rule_pass(k, i);
    return true;
}

/* The assigned value must have exactly the type of the part. */
static bool check_value(rule_call *k, const type *want)
{
    const type *t = rule_type(k, rule_param(k, "value"));
    return type_equal(t, want) || rule_refuse_store(k, t, want);
}

/* Warp 1.19 vector_assign_dispatch_func: v[i] = x, v[a:b] = w. The check of types is here and not
 * in a result rule, as in Warp, since the row's result does not depend on them. */
bool dispatch_assign_vector(rule_call *k)
{
    const type *v = rule_type(k, 0), *i = rule_type(k, 1), *want = v->elem;
    if (i->kind == TYPE_SLICE) {
        int n = slice_length(k, i, v->rows);
        if (n < 0)
            return false;
        want = type_vec(k->c, v->elem, n);
        rule_template_int(k, n);
    }
    if (!check_value(k, want))
        return false;
    rule_pass_all(k);
    return true;
}

/* Warp 1.19 matrix_assign_dispatch_func. */
bool dispatch_assign_matrix(rule_call *k)
{
    const type *m = rule_type(k, 0);
    extents e;
    if (!matrix_extents(k, m, &e))
        return false;
    const type *part = part_type(k->c, m, &e);
    if (!check_value(k, part))
        return false;
    if (e.sliced)
        template_shape(k, part);
    rule_pass_all(k);
    return true;
}

/* Warp 1.19 Var.dtype_to_ctype fails on types that are no Python class: it writes no variable of a
 * tuple with such an item. */
static bool has_class(const type *t)
{
    return t->kind != TYPE_ARRAY && t->kind != TYPE_TUPLE && t->kind != TYPE_TILE;
}

/* Warp 1.19 tuple_value_func: wp.tuple(a, b) of the types of its items. */
static bool tuple(rule_call *k)
{
    uint32_t n;
    const call_arg *items = rule_varargs(k, &n);
    if (!n)
        return REFUSE(k, DIAG_CONSTRUCT_COUNT, "a tuple", n, plural_s(n),
                      "it takes one value or more");
    const type **types = ARENA_ARRAY(&k->c->scratch, const type *, n);
    for (uint32_t i = 0; i < n; i++) {
        types[i] = rule_arg_type(k->c, &items[i]);
        if (!has_class(types[i]))
            return REFUSE(k, DIAG_TUPLE_ITEM, types[i]->pyname.p);
    }
    return rule_gives(k, type_tuple(k->c, types, n));
}
const result_rule rule_tuple = {tuple, 0, false};

/* Warp 1.19 tuple_extract_value_func: the index is constant and counts from the end if it is
 * negative, as in Python. */
static bool extract_tuple(rule_call *k)
{
    const type *t = rule_type(k, 0);
    const value *v = rule_value(k, 1);
    __int128 n = t->nitems, i = v && value_is_number(v) && !value_has_f(v) ? v->i : n;
    if (i >= n || i < -n)
        return REFUSE(k, DIAG_TUPLE_INDEX, t->nitems);
    return rule_gives(k, t->items[i < 0 ? i + n : i]);
}
const result_rule rule_extract_tuple = {extract_tuple, 0, false};

/* The index is checked by the result rule, so it is a constant here. */
bool dispatch_extract_tuple(rule_call *k)
{
    WEFT_ASSERT(rule_value(k, 1));
    rule_pass(k, 0);
    rule_template_int(k, (int64_t)rule_value(k, 1)->i);
    return true;
}

/* Warp 1.19 slice_value_func: constant bounds are part of the type. */
static bool slice(rule_call *k)
{
    const int64_t LIMIT = (int64_t)1 << 40; /* beyond any vector's length, far from overflow */
    int64_t bounds[3];
    bool known = true;
    for (uint32_t i = 0; i < 3; i++) {
        const value *v = rule_value(k, i);
        known = known && v && value_is_number(v) && !value_has_f(v);
        bounds[i] = !known ? 0 : v->i > LIMIT ? LIMIT : v->i < -LIMIT ? -LIMIT : (int64_t)v->i;
    }
    return rule_gives(k, type_slice(k->c, known ? bounds : NULL));
}
const result_rule rule_slice = {slice, 0, false};

/* Warp 1.19 static_len_value_func: len() of a vector, matrix, tuple or tile is a constant and no
 * call. */
static bool static_len(rule_call *k)
{
    const type *t = rule_type(k, 0);
    int64_t n = t->kind == TYPE_TUPLE ? t->nitems : t->kind == TYPE_TILE ? t->dims[0] : t->rows;
    return rule_gives_value(k, value_int(n));
}
const result_rule rule_static_len = {static_len, 0, false};
