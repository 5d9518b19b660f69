/* SPDX-License-Identifier: Apache-2.0 */
/* Result rules that look at types alone: arguments of one type, scalars times composites, choice,
 * and what names its type by dtype (casts, volumes, textures). Examples:
 *
 *     rule_same      min(a, b)          the common type; two types are an error
 *     rule_scaled    2.0 * v            the composite
 *     rule_dtype     wp.cast(s, T)      T: wp::cast<wp::float32>(var_s)
 */
#include "builtin/rule.h"
#include "builtin/rules.h"

/* The result is the type t as Warp's overload declares it. Of quaternions and transformations Warp
 * declares an overload for each scalar type, and that overload's own type is the result:
 * "wp::quat_t<float>" of dtype=float becomes "wp::quat_t<wp::float32>" here. */
static bool gives_declared(rule_call *k, const type *t)
{
    const bool listed = t->kind == TYPE_QUAT || t->kind == TYPE_TRANSFORM;
    return rule_gives(k, !listed                ? t
                         : t->kind == TYPE_QUAT ? type_quat(k->c, t->elem)
                                                : type_transform(k->c, t->elem));
}

/* Warp 1.19 sametypes_create_value_func: all arguments have the type of the first. Parameters
 * without an argument do not count. */
static bool same(rule_call *k)
{
    const type *first = rule_type(k, 0);
    for (uint32_t i = 1; i < k->row->nparams; i++) {
        const type *t = rule_type(k, i);
        if (t && !type_equal(first, t))
            return rule_mixed(k, first, t);
    }
    return gives_declared(k, first);
}
const result_rule rule_same = {same, 0, true};

/* The type of the first argument: Warp's copy_value_func without tiles, load,
 * vector_assign_copy_value_func. */
static bool first(rule_call *k)
{
    return rule_gives(k, rule_type(k, 0));
}
const result_rule rule_first = {first, 0, true};

/* Warp 1.19 determinant_value_func: the scalar of a composite. */
static bool scalar(rule_call *k)
{
    return rule_gives(k, type_scalar_of(rule_type(k, 0)));
}
const result_rule rule_scalar = {scalar, 0, true};

/* Warp 1.19 scalar_sametypes_value_func, float_sametypes_value_func: dot(a, b) of two vectors. */
static bool scalar_of_same(rule_call *k)
{
    return same(k) && rule_gives(k, type_scalar_of(rule_type(k, 0)));
}
const result_rule rule_scalar_of_same = {scalar_of_same, 0, true};

/* The one scalar type in all arguments, composite or not (Warp 1.19 scalar_infer_type). NULL after
 * a diagnostic. */
static const type *rule_common_scalar(rule_call *k)
{
    const type *common = NULL;
    for (uint32_t i = 0; i < k->row->nparams; i++) {
        const type *t = rule_type(k, i), *s = t ? type_scalar_of(t) : NULL;
        if (s && common && s != common) {
            rule_mixed(k, common, s);
            return NULL;
        }
        common = s ? s : common;
    }
    return common;
}

/* Composites of the arguments' common scalar: Warp's lambdas around float_infer_type. */
static bool vec3(rule_call *k)
{
    const type *s = rule_common_scalar(k);
    return s && rule_gives(k, type_vec(k->c, s, 3));
}
const result_rule rule_vec3 = {vec3, 0, true};

static bool quat(rule_call *k)
{
    const type *s = rule_common_scalar(k);
    return s && rule_gives(k, type_quat(k->c, s));
}
const result_rule rule_quat = {quat, 0, true};

static bool mat33(rule_call *k)
{
    const type *s = rule_common_scalar(k);
    return s && rule_gives(k, type_mat(k->c, s, 3, 3));
}
const result_rule rule_mat33 = {mat33, 0, true};

static bool mat66(rule_call *k)
{
    const type *s = rule_common_scalar(k);
    return s && rule_gives(k, type_mat(k->c, s, 6, 6));
}
const result_rule rule_mat66 = {mat66, 0, true};

static bool transform_of(rule_call *k)
{
    const type *s = rule_common_scalar(k);
    return s && rule_gives(k, type_transform(k->c, s));
}
const result_rule rule_transform_of = {transform_of, 0, true};

/* Warp 1.19 scalar_mul_create_value_func: one scalar and one composite of it. */
static bool scaled(rule_call *k)
{
    const type *a = rule_type(k, 0), *b = rule_type(k, 1);
    const type *s = type_is_scalar(a) ? a : b, *whole = type_is_scalar(a) ? b : a;
    return whole->elem == s ? gives_declared(k, whole) : rule_mixed(k, a, b);
}
const result_rule rule_scaled = {scaled, 0, true};

/* Warp 1.19 lerp_create_value_func: two values of one type and a weight of its scalar. */
static bool lerp(rule_call *k)
{
    const type *a = rule_type(k, 0), *b = rule_type(k, 1), *t = rule_type(k, 2);
    if (!type_equal(a, b))
        return rule_mixed(k, a, b);
    return a->elem == t ? gives_declared(k, a) : rule_mixed(k, a, t);
}
const result_rule rule_lerp = {lerp, 0, true};

/* Warp 1.19 expect_eq_value_func: no result, two arguments of one type. */
static bool equal_types(rule_call *k)
{
    const type *a = rule_type(k, 0), *b = rule_type(k, 1);
    return type_equal(a, b) ? rule_gives(k, NULL) : rule_mixed(k, a, b);
}
const result_rule rule_equal_types = {equal_types, 0, true};

/* The type of a copy of a tile: a shared tile is copied into memory of its own, in its strides.
 * Other types are their own copies. */
static const type *as_owner(ctx *c, const type *t)
{
    if (t->kind != TYPE_TILE || !t->shared)
        return t;
    return type_tile(c, t->elem,
                     &(tile_layout){t->dims, t->dims + t->ndim, t->ndim, true, t->colmajor, false});
}

/* Warp 1.19 copy_value_func: what `y = x` gives. */
static bool copy(rule_call *k)
{
    return rule_gives(k, as_owner(k->c, rule_type(k, 0)));
}
const result_rule rule_copy = {copy, 0, true};

/* Warp 1.19 where_value_func: both values have one type, or query types with a common parent. Of
 * two tiles, a register tile wins over a shared one. */
static bool where(rule_call *k)
{
    const type *t = rule_type(k, 1), *f = rule_type(k, 2);
    if (!type_equal(t, f)) {
        /* Two kinds of queries become their common parent. */
        const type *joined = type_erasure_join(t, f);
        return joined ? rule_gives(k, joined) : rule_mixed(k, t, f);
    }
    if (t->kind == TYPE_TILE)
        return rule_gives(k, t->shared && !f->shared ? f : as_owner(k->c, t));
    return rule_gives(k, t);
}
const result_rule rule_where = {where, 0, true};

/* Warp 1.19 select_value_func, matrix_transform_value_func: builtins that Warp keeps
 * only to report that they are gone. */
static bool removed(rule_call *k)
{
    return REFUSE(k, DIAG_REMOVED_BUILTIN, rule_display(k));
}
const result_rule rule_removed = {removed, 0, false};

/* dtype may be a type of Warp or Python's int, float or bool. */
const type *rule_dtype_arg(rule_call *k)
{
    const type *t = rule_value_type(k, rule_value(k, k->row->dtype_at));
    if (!t)
        REFUSE(k, DIAG_NEEDS_DTYPE, rule_display(k), "dtype");
    return t;
}

/* Warp 1.19 cast_value_func: the type given as dtype. A variable given as dtype is itself what the
 * call gives. */
static bool dtype(rule_call *k)
{
    const call_arg *a = k->arg[k->row->dtype_at];
    if (a && a->kind == ARG_VAR && !a->constant)
        return rule_gives_arg(k, a);
    const type *t = rule_dtype_arg(k);
    return t && rule_gives(k, t);
}
const result_rule rule_dtype = {dtype, 0, false};

/* Everything but dtype is an argument, dtype a template argument: Warp's cast_dispatch_func,
 * volume_dispatch_func and others. */
bool dispatch_dtype_template(rule_call *k)
{
    uint32_t d = k->row->dtype_at;
    for (uint32_t i = 0; i < k->row->nparams; i++)
        if (i != d)
            rule_pass(k, i);
    rule_template_value(k, rule_value(k, d));
    return true;
}

/* Warp 1.19 printf_value_func, printf_dispatch_func: CUDA's printf takes at most 32 arguments. Warp
 * writes a call without a format, which no compiler takes. */
static bool printf_(rule_call *k)
{
    uint32_t n;
    const type *format = rule_type(k, 0);
    if (format->kind != TYPE_STR)
        return REFUSE(k, DIAG_PRINTF_FORMAT, format->pyname.p,
                      type_is_float(format) ? "write wp.printf(\"%f\\n\", x), or print(x)"
                                            : "write wp.printf(\"%d\\n\", x), or print(x)");
    rule_varargs(k, &n);
    return n > 32 ? REFUSE(k, DIAG_PRINTF_ARGS, n) : rule_gives(k, NULL);
}
const result_rule rule_printf = {printf_, 0, false};

/* The format, then the values, each as it is. */
bool dispatch_printf(rule_call *k)
{
    rule_pass_all(k);
    return true;
}

/* Warp 1.19 tuple_dispatch_func. */
bool dispatch_varargs(rule_call *k)
{
    rule_pass_all(k);
    return true;
}

/* Types of voxels: Warp 1.19 _volume_supported_value_types. */
static bool is_volume_type(const type *t)
{
    if (t->kind == TYPE_VEC)
        return (t->rows == 3 || t->rows == 4) &&
               (t->elem->kind == TYPE_FLOAT32 || t->elem->kind == TYPE_FLOAT64);
    return t->kind == TYPE_INT32 || t->kind == TYPE_INT64 || t->kind == TYPE_UINT32 ||
           t->kind == TYPE_FLOAT32 || t->kind == TYPE_FLOAT64;
}

/* Refuses types that voxels cannot have. */
static bool check_volume_type(rule_call *k, const type *t)
{
    return is_volume_type(t) || REFUSE(k, DIAG_VOLUME_TYPE, t->pyname.p);
}

/* The gradient of a scalar volume is a vec3, that of a vector volume a matrix of three columns
 * (Warp 1.19 check_volume_value_grad_compatibility). */
static bool check_gradient(rule_call *k, const type *t)
{
    const type *grad = rule_type(k, rule_param(k, "grad"));
    const type *want =
        t->kind == TYPE_VEC ? type_mat(k->c, t->elem, t->rows, 3) : type_vec(k->c, t, 3);
    return type_equal(grad, want) ||
           REFUSE(k, DIAG_GRADIENT_TYPE, t->pyname.p, want->pyname.p, grad->pyname.p);
}

/* Warp 1.19 volume_value_func, volume_lookup_value_func. */
static bool volume(rule_call *k)
{
    const type *t = rule_dtype_arg(k);
    return t && check_volume_type(k, t) && rule_gives(k, t);
}
const result_rule rule_volume = {volume, 0, false};

/* Sampling with a gradient: an output argument of the matching type. */
static bool volume_grad(rule_call *k)
{
    const type *t = rule_dtype_arg(k);
    return t && check_volume_type(k, t) && check_gradient(k, t) && rule_gives(k, t);
}
const result_rule rule_volume_grad = {volume_grad, 0, false};

/* The value decides the type of the voxel; there is no dtype. */
static bool volume_store(rule_call *k)
{
    return check_volume_type(k, rule_type(k, rule_param(k, "value"))) && rule_gives(k, NULL);
}
const result_rule rule_volume_store = {volume_store, 0, true};

/* Warp 1.19 volume_sample_index_value_func: voxels are in an array, whose element type the
 * background has too. */
static bool volume_index(rule_call *k)
{
    const type *t = rule_type(k, rule_param(k, "voxel_data"))->elem;
    const type *background = rule_type(k, rule_param(k, "background"));
    if (!check_volume_type(k, t))
        return false;
    return type_equal(t, background) ? rule_gives(k, t) : rule_mixed(k, t, background);
}
const result_rule rule_volume_index = {volume_index, 0, true};

/* Both checks of volume_index and of the gradient. */
static bool volume_index_grad(rule_call *k)
{
    return volume_index(k) && check_gradient(k, k->plan->result_types[0]);
}
const result_rule rule_volume_index_grad = {volume_index_grad, 0, true};

/* Warp 1.19 _check_texture_type_is_supported: vec2f, vec4f or Python's float, but not wp.float32.
 */
static bool texture(rule_call *k)
{
    const value *v = rule_value(k, k->row->dtype_at);
    const type *t = rule_dtype_arg(k);
    if (!t)
        return false;
    /* Two or four channels. */
    bool is_vec =
        t->kind == TYPE_VEC && t->elem->kind == TYPE_FLOAT32 && (t->rows & 1) == 0 && t->rows <= 4;
    if (!is_vec && !(v->kind == VALUE_PYTYPE && t->kind == TYPE_FLOAT32))
        return REFUSE(k, DIAG_TEXTURE_TYPE, t->pyname.p);
    return rule_gives(k, t);
}
const result_rule rule_texture = {texture, 0, false};
