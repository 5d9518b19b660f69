/* SPDX-License-Identifier: Apache-2.0 */
/* Rules of constructors: vectors, matrices, quaternions, transformations, spatial vectors.
 * Examples:
 *
 *     wp.vec3(x, 0.0, 1)                   wp::vec_t<3, wp::float32>(var_x, 0.0, 1.0)
 *     wp.vector(dtype=float, length=5)     wp::vec_t<5, wp::float32>()
 *     wp.vec2d(v)                          a copy of another vector, converted
 *     wp.matrix_from_cols(v, u)            wp::matrix_from_cols<3, 2, wp::float32>({var_2, var_6})
 *
 * What is constructed is the C++ class itself, so its spelling is the name that is called. Values
 * are passed in { } where the class has no constructor of that many (initializer_list). Constants
 * are converted to the element type; variables must have it. */
#include "base/assert.h"
#include "base/format.h"
#include "builtin/rule.h"
#include "builtin/rules.h"

/* The quaternion or transformation type t as the call spells it: with Python's float as dtype,
 * Warp's text says "float" instead of "wp::float32". */
static const type *named(const rule_call *k, const type *t)
{
    WEFT_ASSERT(t->kind == TYPE_QUAT || t->kind == TYPE_TRANSFORM);
    const value *v = rule_value(k, k->row->dtype_at);
    return v && v->kind == VALUE_PYTYPE ? type_named_float(k->c, t) : t;
}

/* What the parameters dtype, length and shape request; NULL or -1: nothing. */
typedef struct wanted {
    const type *dtype;
    int rows, cols;
} wanted;

/* Reads them. False, after a diagnostic: they are no constants, or out of range. */
static bool read_wanted(rule_call *k, wanted *w)
{
    *w = (wanted){rule_value_type(k, rule_value(k, k->row->dtype_at)), -1, -1};
    uint32_t n, p = k->row->size_at, d = k->row->dtype_at;
    /* dtype was given, but is no type. */
    if (d < k->row->nparams && k->arg[d] && !w->dtype)
        return REFUSE(k, DIAG_NEEDS_DTYPE, rule_display(k), "dtype");
    if (p >= k->row->nparams || !k->arg[p])
        return true;
    int64_t dims[2] = {0, 0};
    if (!rule_ints(k->arg[p], dims, 2, &n) || dims[0] < 0 || dims[0] > INT32_MAX || dims[1] < 0 ||
        dims[1] > INT32_MAX)
        return REFUSE(k, DIAG_NEEDS_CONSTANT, rule_display(k), k->row->params[p].name->s);
    w->rows = (int)dims[0];
    w->cols = (int)dims[1];
    return true;
}

/* The scalar in a value type; other types stand for themselves, so that messages can name them. */
static const type *scalar_of(const type *t)
{
    const type *s = type_scalar_of(t);
    return s ? s : t;
}

/* A value of type t where dtype is requested. */
static bool refuse_type(rule_call *k, const type *dtype, const type *t)
{
    strbuf b;
    if (k->quiet)
        return false;
    sb_init(&b, &k->c->mem);
    if (t->kind == TYPE_ARRAY)
        SB_LIT(&b, "index the array, as in x[i]");
    else if (type_is_scalar(dtype) && type_is_scalar(t))
        sb_printf(&b, "convert each value: %s(...)", builtin_cast_name(k->c, dtype));
    diag_error(k->c, k->r->at, DIAG_CONSTRUCT_TYPE, rule_display(k), dtype->pyname.p, t->pyname.p,
               sb_cstr(&b));
    sb_clear(&b);
    return false;
}

/* Warp 1.19 _check_vars_match_dtype: variables must have the requested type. Constants may differ,
 * for they are converted. */
static bool check_values(rule_call *k, const call_arg *items, uint32_t n, const type *dtype)
{
    for (uint32_t i = 0; i < n; i++) {
        const type *t = rule_arg_type(k->c, &items[i]);
        bool constant = items[i].kind != ARG_VAR || items[i].constant;
        if (!constant && scalar_of(t) != dtype)
            return refuse_type(k, dtype, t);
    }
    return true;
}

/* The one scalar type of all values (Warp 1.19 scalar_infer_type). NULL after a diagnostic: they
 * differ, or there is none. */
static const type *infer(rule_call *k, const call_arg *items, uint32_t n)
{
    const type *common = NULL;
    for (uint32_t i = 0; i < n; i++) {
        const type *t = rule_arg_type(k->c, &items[i]), *s = t ? type_scalar_of(t) : NULL;
        if (s && common && s != common) {
            rule_mixed(k, common, s);
            return NULL;
        }
        common = s ? s : common;
    }
    if (!common)
        REFUSE(k, DIAG_CONSTRUCT_UNSIZED, rule_display(k), "dtype");
    return common;
}

/* Determines w->dtype from the values: of n > 1 elements their common type, of one value that
 * fills all elements its own. A requested one is checked instead. */
static bool settle_dtype(rule_call *k, const call_arg *items, uint32_t n, wanted *w)
{
    WEFT_ASSERT(n > 0);
    if (w->dtype)
        return check_values(k, items, n, w->dtype);
    w->dtype = n == 1 ? rule_arg_type(k->c, items) : infer(k, items, n);
    return w->dtype != NULL;
}

/* The number of values does not fit the `size` values of the type. */
static bool refuse_count(rule_call *k, const call_arg *items, uint32_t n, int64_t size)
{
    if (k->quiet)
        return false;
    strbuf b;
    sb_init(&b, &k->c->mem);
    bool parts = false;
    for (uint32_t i = 0; i < n; i++) {
        const type *t = rule_arg_type(k->c, &items[i]);
        parts |= t && type_is_composite(t);
    }
    if (parts)
        sb_printf(&b, "it takes %lld single values: those of a vector are v[0], v[1]",
                  (long long)size);
    else
        sb_printf(&b, "it takes %lld values, or one for all of them", (long long)size);
    diag_error(k->c, k->r->at, DIAG_CONSTRUCT_COUNT, rule_display(k), n, plural_s(n), sb_cstr(&b));
    sb_clear(&b);
    return false;
}

/* length, shape or dtype is missing and does not follow from the values. */
static bool refuse_unsized(rule_call *k, const char *param)
{
    return REFUSE(k, DIAG_CONSTRUCT_UNSIZED, rule_display(k), param);
}

/* Is there one value, a composite of the kind that is made? Then it is copied, perhaps to another
 * dtype. */
static bool is_copy(rule_call *k, const call_arg *items, uint32_t n, type_kind kind)
{
    return n == 1 && rule_arg_type(k->c, items)->kind == kind;
}

/* Warp 1.19 vector_value_func: a copy, n elements, one value for all, or zeros. */
static bool vector(rule_call *k)
{
    uint32_t n;
    const call_arg *items = rule_varargs(k, &n);
    wanted w;
    if (!read_wanted(k, &w))
        return false;
    if (is_copy(k, items, n, TYPE_VEC)) {
        const type *t = rule_arg_type(k->c, items);
        if (w.rows >= 0 && w.rows != t->rows)
            return REFUSE(k, DIAG_CONSTRUCT_COPY, rule_display(k), t->pyname.p,
                          "take a part of it, as v[0:2], or write the components one by one");
        return rule_gives(k, type_vec(k->c, w.dtype ? w.dtype : t->elem, t->rows));
    }
    /* One value says nothing about the length. */
    if (n < 2 && w.rows < 0)
        return refuse_unsized(k, "length");
    if (n > 1 && w.rows >= 0 && w.rows != (int)n)
        return refuse_count(k, items, n, w.rows);
    /* Without values dtype is float32. */
    if (n ? !settle_dtype(k, items, n, &w) : false)
        return false;
    const type *elem = w.dtype ? w.dtype : type_scalar(k->c, TYPE_FLOAT32);
    return rule_gives(k, type_vec(k->c, elem, w.rows >= 0 ? w.rows : (int)n));
}
const result_rule rule_vector = {vector, 0, false};

/* The type whose class is called: the one that C++ spells out, wp::quat_t<wp::float32> and not
 * wp::quat_t<float>, which `named` may have given. */
static const type *class_of(const rule_call *k, const type *t)
{
    WEFT_ASSERT(type_is_composite(t));
    if (t->kind == TYPE_QUAT)
        return type_quat(k->c, t->elem);
    return t->kind == TYPE_TRANSFORM ? type_transform(k->c, t->elem) : t;
}

/* Passes the values, converted where they are constants; the name called is the result's class. */
static void pass_converted(rule_call *k, const call_arg *items, uint32_t n)
{
    WEFT_ASSERT(k->plan->nresults == 1);
    const type *t = k->plan->result_types[0];
    for (uint32_t i = 0; i < n; i++)
        rule_pass_cast(k, &items[i], t->elem);
    k->plan->callee.constructs = class_of(k, t);
}

/* Warp 1.19 vector_dispatch_func and the row's initializer_list_func. */
bool dispatch_vector(rule_call *k)
{
    uint32_t n;
    const call_arg *items = rule_varargs(k, &n);
    pass_converted(k, items, n);
    /* vec_t has constructors of up to four values. */
    k->plan->initializer_list = n > 4;
    return true;
}

static bool all_vectors(rule_call *k, const call_arg *items, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        if (rule_arg_type(k->c, &items[i])->kind != TYPE_VEC)
            return false;
    return true;
}

/* Warp 1.19 matrix_value_func: a copy, rows * cols elements, one value for all, or zeros. Vectors
 * are refused: wp.matrix_from_rows and wp.matrix_from_cols take them. */
static bool matrix(rule_call *k)
{
    uint32_t n;
    const call_arg *items = rule_varargs(k, &n);
    wanted w;
    if (!read_wanted(k, &w))
        return false;
    if (is_copy(k, items, n, TYPE_MAT)) {
        const type *t = rule_arg_type(k->c, items);
        if (w.rows >= 0 && (w.rows != t->rows || w.cols != t->cols))
            return REFUSE(k, DIAG_CONSTRUCT_COPY, rule_display(k), t->pyname.p,
                          "take a part of it, as m[0:2, 0:2]");
        return rule_gives(k, type_mat(k->c, w.dtype ? w.dtype : t->elem, t->rows, t->cols));
    }
    /* The shape never follows from the number of elements: 6 may be 2 x 3 or 3 x 2. */
    if (w.rows < 0)
        return refuse_unsized(k, "shape");
    if (n > 1 && all_vectors(k, items, n))
        return REFUSE(k, DIAG_CONSTRUCT_VECTORS);
    if (n > 1 && (int64_t)w.rows * w.cols != n)
        return refuse_count(k, items, n, (int64_t)w.rows * w.cols);
    if (n ? !settle_dtype(k, items, n, &w) : false)
        return false;
    const type *elem = w.dtype ? w.dtype : type_scalar(k->c, TYPE_FLOAT32);
    return rule_gives(k, type_mat(k->c, elem, w.rows, w.cols));
}
const result_rule rule_matrix = {matrix, 0, false};

/* Warp 1.19 matrix_dispatch_func, matrix_initializer_list_func: square matrices up to 4x4 have a
 * constructor of all elements, others take a list. */
bool dispatch_matrix(rule_call *k)
{
    uint32_t n;
    const call_arg *items = rule_varargs(k, &n);
    const type *t = k->plan->result_types[0];
    pass_converted(k, items, n);
    k->plan->initializer_list = n > 1 && (t->rows != t->cols || t->cols >= 5);
    return true;
}

/* Warp 1.19 matrix_from_vecs_create_value_func: n vectors of one type as columns or rows. */
static bool from_vectors(rule_call *k, bool cols)
{
    uint32_t n;
    const call_arg *items = rule_varargs(k, &n);
    if (!n || !all_vectors(k, items, n))
        return REFUSE(k, DIAG_CONSTRUCT_COUNT, rule_display(k), n, plural_s(n),
                      "it takes vectors of one type");
    const type *t = rule_arg_type(k->c, items);
    for (uint32_t i = 1; i < n; i++) {
        const type *u = rule_arg_type(k->c, &items[i]);
        if (u != t)
            return rule_mixed(k, t, u);
    }
    int count = (int)n;
    return rule_gives(k, cols ? type_mat(k->c, t->elem, t->rows, count)
                              : type_mat(k->c, t->elem, count, t->rows));
}

/* n vectors of length m as columns: an m x n matrix. */
static bool from_cols(rule_call *k)
{
    return from_vectors(k, true);
}
const result_rule rule_from_cols = {from_cols, 0, false};

/* n vectors of length m as rows: an n x m matrix. */
static bool from_rows(rule_call *k)
{
    return from_vectors(k, false);
}
const result_rule rule_from_rows = {from_rows, 0, false};

/* Warp 1.19 matrix_from_vecs_dispatch_func, matrix_from_vecs_initializer_list_func. Small square
 * matrices have overloads for their number of vectors, so their sizes are no template arguments. */
bool dispatch_from_vectors(rule_call *k)
{
    const type *t = k->plan->result_types[0];
    rule_pass_all(k);
    bool small = t->rows == t->cols && t->rows >= 2 && t->rows <= 4;
    if (!small) {
        rule_template_int(k, t->rows);
        rule_template_int(k, t->cols);
    }
    rule_template_type(k, t->elem);
    k->plan->initializer_list = t->rows != t->cols || t->rows > 4;
    return true;
}

/* Warp 1.19 identity_value_func, identity_dispatch_func: an n x n matrix; n is a template
 * argument. */
static bool identity(rule_call *k)
{
    int64_t n[1];
    uint32_t count;
    const type *t = rule_value_type(k, rule_value(k, 1));
    if (!t)
        return REFUSE(k, DIAG_NEEDS_DTYPE, rule_display(k), "dtype");
    if (!rule_ints(k->arg[0], n, 1, &count) || n[0] < 1 || n[0] > INT16_MAX)
        return REFUSE(k, DIAG_NEEDS_CONSTANT, rule_display(k), "n");
    return rule_gives(k, type_mat(k->c, t, (int)n[0], (int)n[0]));
}
const result_rule rule_identity = {identity, 0, false};

/* wp::identity<3, wp::float32>(): no arguments. */
bool dispatch_identity(rule_call *k)
{
    rule_template_int(k, k->plan->result_types[0]->rows);
    rule_template_type(k, k->plan->result_types[0]->elem);
    return true;
}

/* The arguments that were given, without dtype, as one list in scratch memory. */
static const call_arg *given(rule_call *k, uint32_t *n)
{
    call_arg *v = ARENA_ARRAY(&k->c->scratch, call_arg, k->row->nparams);
    uint32_t dtype = k->row->dtype_at;
    *n = 0;
    for (uint32_t i = 0; i < k->row->nparams; i++)
        if (i != dtype && k->arg[i])
            v[(*n)++] = *k->arg[i];
    return v;
}

/* Warp 1.19 quaternion_value_func. Without values dtype must be a float type of Warp; Python's
 * float, by_name, is refused. */
static bool quaternion(rule_call *k)
{
    uint32_t n;
    const call_arg *items = given(k, &n);
    wanted w;
    if (!read_wanted(k, &w))
        return false;
    /* w.dtype is that of Python's float then. */
    bool by_name = w.dtype && rule_value(k, k->row->dtype_at)->kind == VALUE_PYTYPE;
    if (n == 0 && w.dtype && (by_name || !type_is_float(w.dtype)))
        return refuse_type(k, type_scalar(k->c, TYPE_FLOAT), w.dtype);
    if (is_copy(k, items, n, TYPE_QUAT))
        w.dtype = w.dtype ? w.dtype : rule_arg_type(k->c, items)->elem;
    else if (n && !settle_dtype(k, items, n, &w))
        return false;
    return rule_gives(
        k, named(k, type_quat(k->c, w.dtype ? w.dtype : type_scalar(k->c, TYPE_FLOAT32))));
}
const result_rule rule_quaternion = {quaternion, 0, false};

/* Warp 1.19 quaternion_dispatch_func. */
bool dispatch_quaternion(rule_call *k)
{
    uint32_t n;
    const call_arg *items = given(k, &n);
    pass_converted(k, items, n);
    return true;
}

/* The scalar type given as dtype, float32 if none is: Warp 1.19 quat_identity_value_func. */
static const type *dtype_or_float(rule_call *k)
{
    const type *t = rule_value_type(k, rule_value(k, 0));
    return t ? t : type_scalar(k->c, TYPE_FLOAT32);
}

/* wp.quat_identity(dtype=wp.float64) */
static bool quat_identity(rule_call *k)
{
    return rule_gives(k, named(k, type_quat(k->c, dtype_or_float(k))));
}
const result_rule rule_quat_identity = {quat_identity, 0, false};

/* Warp 1.19 transform_identity_value_func, likewise. */
static bool transform_identity(rule_call *k)
{
    return rule_gives(k, named(k, type_transform(k->c, dtype_or_float(k))));
}
const result_rule rule_transform_identity = {transform_identity, 0, false};

/* No arguments, the result's scalar as template argument. */
bool dispatch_scalar_template(rule_call *k)
{
    rule_template_type(k, k->plan->result_types[0]->elem);
    return true;
}

/* All values must have one scalar type, constants too, and dtype must not contradict it. */
static bool settle_strictly(rule_call *k, const call_arg *items, uint32_t n, wanted *w)
{
    const type *t = infer(k, items, n);
    /* False with or without a diagnostic of this function: infer has reported a missing type. */
    if (!t || (w->dtype && w->dtype != t))
        return t && refuse_type(k, w->dtype, t);
    w->dtype = t;
    return true;
}

/* Warp 1.19 transformation_pq_value_func: a position and a rotation. */
static bool transform_pq(rule_call *k)
{
    uint32_t n;
    const call_arg *items = given(k, &n);
    wanted w;
    return read_wanted(k, &w) && settle_strictly(k, items, n, &w) &&
           rule_gives(k, named(k, type_transform(k->c, w.dtype)));
}
const result_rule rule_transform_pq = {transform_pq, 0, false};

/* wp.transform(q, v): a position comes before a rotation. */
static bool refuse_transform(rule_call *k, const call_arg *items, uint32_t n)
{
    if (n == 2 && rule_arg_type(k->c, items)->kind == TYPE_QUAT)
        return REFUSE(k, DIAG_CONSTRUCT_COUNT, rule_display(k), n, plural_s(n),
                      "the position comes first, then the rotation: wp.transform(p, q)");
    return refuse_count(k, items, n, 7);
}

/* Warp 1.19 transformation_value_func: seven values, one for all, a copy, or none. */
static bool transform(rule_call *k)
{
    uint32_t n;
    const call_arg *items = rule_varargs(k, &n);
    wanted w;
    if (!read_wanted(k, &w))
        return false;
    /* Three of the position, four of the rotation. */
    if (n > 1 && n != 7)
        return refuse_transform(k, items, n);
    if (is_copy(k, items, n, TYPE_TRANSFORM)) {
        if (!settle_strictly(k, items, n, &w))
            return false;
    } else if (n && !settle_dtype(k, items, n, &w)) {
        return false;
    }
    return rule_gives(
        k, named(k, type_transform(k->c, w.dtype ? w.dtype : type_scalar(k->c, TYPE_FLOAT32))));
}
const result_rule rule_transform = {transform, 0, false};

/* Warp 1.19 transformation_dispatch_func: a missing rotation is a new constant. */
bool dispatch_transform(rule_call *k)
{
    static const double no_rotation[] = {0, 0, 0, 1};
    const type *t = k->plan->result_types[0];
    uint32_t n;
    const call_arg *items = rule_varargs(k, &n);
    k->plan->callee.constructs = class_of(k, t);
    /* The row of single values; the other has p and q. */
    if (k->row->variadic) {
        pass_converted(k, items, n);
        k->plan->initializer_list = n > 1;
        return true;
    }
    rule_pass(k, 0);
    rule_pass(k, 1);
    if (!k->arg[1])
        rule_pass_const(k, (value){.kind = VALUE_COMPOSITE,
                                   .type = type_quat(k->c, t->elem),
                                   .elems = no_rotation});
    return true;
}

/* Warp 1.19 spatial_vector_value_func: six scalars, two vec3, or nothing; a vector of length 6. */
static bool spatial_vector(rule_call *k)
{
    uint32_t n;
    const call_arg *items = given(k, &n);
    wanted w;
    if (!read_wanted(k, &w) || (n && !settle_strictly(k, items, n, &w)))
        return false;
    return rule_gives(k, type_vec(k->c, w.dtype ? w.dtype : type_scalar(k->c, TYPE_FLOAT32), 6));
}
const result_rule rule_spatial_vector = {spatial_vector, 0, false};

/* Warp 1.19 spatial_vector_dispatch_func: constants keep their type. The row of six scalars (seven
 * parameters with dtype) takes them as a list. */
bool dispatch_spatial_vector(rule_call *k)
{
    uint32_t n;
    const call_arg *items = given(k, &n);
    for (uint32_t i = 0; i < n; i++)
        rule_pass_arg(k, &items[i]);
    k->plan->callee.constructs = k->plan->result_types[0];
    k->plan->initializer_list = k->row->nparams == 7;
    return true;
}
