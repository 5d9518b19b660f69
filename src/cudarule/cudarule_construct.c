/* SPDX-License-Identifier: Apache-2.0 */
/* Constructors and casts: T{...} where all lanes are given, else a device function that is made for
 * the case; scalars by cuda_cast. Adjoints go back lane by lane; those of casts by the other cast,
 * as in Warp (native/vec.h, adj_vec_t).
 *
 *     vec_t(x, y, z) of floats       ->   vec3{x, y, z}
 *     vec_t() as vec3                ->   vec3{}
 *     vec_t(x) as vec3               ->   make_vec3(x)
 *     float32(h) of a __half         ->   (float)h
 *     adjoint of vec_t(x, y, z)      ->   adj_x += adj_r.x; adj_y += adj_r.y; adj_z += adj_r.z;
 *
 * Constructors that are made get a rule's text for the number of lanes (cudarule_apply.c), such as
 * "return R(a[0], a[1], b[0], b[1]);". */
#include "base/assert.h"
#include "cudarule/cudarule_def.h"
#include "cudarule/cudarule_family.h"
#include "cudarule/cudarule_number.h"
#include "cudarule/cudarule_type.h"

/* Is it the name of a type's constructor, and a value its result? "float" with a result that is no
 * value is none: such a call has no form. */
bool cuda_constructs(str name, const type *result)
{
    static const char *const names[] = {"vec_t",    "mat_t",  "quat_t",  "transform_t", "bool",
                                        "int8",     "uint8",  "int16",   "uint16",      "int",
                                        "int32",    "uint32", "int64",   "uint64",      "float16",
                                        "bfloat16", "float",  "float32", "float64"};
    return result && type_is_value(result) && STR_IS_IN(name, names);
}

static bool all_scalars(const cuda_expr *args, uint32_t nargs)
{
    for (uint32_t i = 0; i < nargs; i++)
        if (!args[i].type || !type_is_scalar(args[i].type))
            return false;
    return true;
}

/* What the arguments are to the result. */
typedef enum construct_form {
    OF_NOTHING,
    OF_LANES,     /* a scalar for each */
    OF_SCALAR,    /* one for all */
    OF_PARTS,     /* a transformation of position and rotation */
    OF_IMAGINARY, /* a quaternion of a vector and its real part */
    OF_SAME,      /* the value itself */
    OF_CAST,      /* the same shape of other scalars */
    OF_JOINED,    /* vectors, one after the other */
    OF_COLUMNS,
    OF_OTHER
} construct_form;

/* The same lanes, perhaps of another scalar. */
static bool same_shape(const type *a, const type *b)
{
    return a->kind == b->kind && a->rows == b->rows && a->cols == b->cols;
}

/* The form by number and types of the arguments. One scalar for a type of one lane is OF_LANES. */
static construct_form form_of(const type *t, const cuda_expr *args, uint32_t nargs)
{
    if (nargs == 0)
        return OF_NOTHING;
    if (all_scalars(args, nargs))
        return nargs == (uint32_t)cuda_lanes(t) ? OF_LANES : nargs == 1 ? OF_SCALAR : OF_OTHER;
    if (!args[0].type || !type_is_composite(args[0].type))
        return OF_OTHER;
    if (nargs == 1 && same_shape(args[0].type, t))
        return args[0].type->elem == t->elem ? OF_SAME : OF_CAST;
    if (t->kind == TYPE_TRANSFORM && nargs == 2)
        return OF_PARTS;
    if (t->kind == TYPE_QUAT && nargs == 2)
        return OF_IMAGINARY;
    if (t->kind == TYPE_VEC && nargs == 2 && t->rows == 6)
        return OF_JOINED;
    return t->kind == TYPE_MAT && nargs == (uint32_t)t->cols ? OF_COLUMNS : OF_OTHER;
}

/* Lane k of the result as an argument's lane: "b[2]". Columns interleave, joined vectors follow
 * each other. */
static str source_lane(cuda_defs *n, construct_form form, const type *t, int k, uint32_t nargs)
{
    WEFT_ASSERT(nargs > 0 && k < cuda_lanes(t));
    const int each = cuda_lanes(t) / (int)nargs;
    const int arg = form == OF_COLUMNS ? k % (int)nargs : k / each;
    const int lane = form == OF_COLUMNS ? k / (int)nargs : k % each;
    return cuda_text(n, "@[@]", cuda_arg_name((uint32_t)arg), cuda_decimal(n, lane));
}

/* All lanes of the result, as lanes of the arguments: "a[0], b[0], a[1], b[1]". */
static str lane_list(cuda_defs *n, construct_form form, const type *t, uint32_t nargs)
{
    str items = STR("");
    for (int k = 0; k < cuda_lanes(t); k++)
        items = cuda_text(n, k ? "@, @" : "@@", items, source_lane(n, form, t, k, nargs));
    return items;
}

/* What the codes of a rule that is made here stand for; R is the result. */
static cuda_binding binding_of(const type *t, const cuda_expr *args, uint32_t nargs)
{
    cuda_binding b = {.nargs = nargs, .result = t, .scalar = t->elem};
    b.of['R'] = t;
    for (uint32_t i = 0; i < nargs; i++)
        b.args[i] = args[i].type;
    return b;
}

/* The call of a device function with this text, which is defined on the way. */
static cuda_expr made(cuda_defs *n, str name, str text, const type *t, const cuda_expr *args,
                      uint32_t nargs)
{
    const cuda_binding b = binding_of(t, args, nargs);
    const cuda_rule rule = {.name = arena_dup(n->a, name.p, name.n), .text = text.p};
    return cuda_apply(n, &rule, &b, args);
}

/* No argument: zero; one: a cast. */
static cuda_expr construct_scalar(cuda_defs *n, const type *t, const cuda_expr *args,
                                  uint32_t nargs)
{
    if (nargs == 0)
        return cuda_number(n, t, 0);
    if (nargs > 1 || !args[0].type || !type_is_scalar(args[0].type))
        return CUDA_NONE;
    return cuda_cast(n, t, &args[0]);
}

/* CUDA_NONE: no constructor of the type takes such arguments. */
cuda_expr cuda_construct(cuda_defs *n, const type *t, const cuda_expr *args, uint32_t nargs)
{
    WEFT_ASSERT(t && type_is_value(t));
    if (type_is_scalar(t))
        return construct_scalar(n, t, args, nargs);
    const construct_form form = form_of(t, args, nargs);
    const str name = cuda_text(n, "make_@", cuda_type_name(n, t));
    switch (form) {
    case OF_NOTHING:
    case OF_LANES:
    case OF_PARTS: return cuda_braces(n, t, cuda_type_name(n, t), STR(""), args, nargs);
    case OF_SAME: return args[0];
    case OF_SCALAR: return made(n, name, STR("return lanes:R(elem(a));"), t, args, nargs);
    case OF_CAST: return made(n, name, STR("return lanes:R(elem(a#));"), t, args, nargs);
    case OF_IMAGINARY: return made(n, name, STR("return R(a[0], a[1], a[2], b);"), t, args, nargs);
    case OF_JOINED:
    case OF_COLUMNS:
        return made(n, form == OF_COLUMNS ? STR("matrix_from_cols") : name,
                    cuda_text(n, "return R(@);", lane_list(n, form, t, nargs)), t, args, nargs);
    default: return CUDA_NONE;
    }
}

/* wp.matrix_from_rows and wp.matrix_from_cols: the result's type follows from number and type of
 * the vectors. */
cuda_expr cuda_from_vectors(cuda_defs *n, str name, const cuda_expr *args, uint32_t nargs)
{
    const type *v = nargs ? args[0].type : NULL;
    const bool rows = str_eq(name, STR("matrix_from_rows"));
    if (!v || v->kind != TYPE_VEC || nargs > 16)
        return CUDA_NONE;
    const int other = (int)nargs;
    const type *t =
        rows ? type_mat(n->c, v->elem, other, v->rows) : type_mat(n->c, v->elem, v->rows, other);
    const str items = lane_list(n, rows ? OF_JOINED : OF_COLUMNS, t, nargs);
    return made(n, name, cuda_text(n, "return R(@);", items), t, args, nargs);
}

/* "da += B(d[0], d[1]);" for argument i of some vectors. */
static str vector_adjoint(cuda_defs *n, construct_form form, const type *t, uint32_t i,
                          uint32_t nargs)
{
    const int each = cuda_lanes(t) / (int)nargs;
    str items = STR("");
    for (int lane = 0; lane < each; lane++) {
        const int k = form == OF_COLUMNS ? lane * (int)nargs + (int)i : (int)i * each + lane;
        const str at = t->kind == TYPE_MAT ? cuda_text(n, "d[@][@]", cuda_decimal(n, k / t->cols),
                                                       cuda_decimal(n, k % t->cols))
                                           : cuda_text(n, "d[@]", cuda_decimal(n, k));
        items = cuda_text(n, lane ? "@, @" : "@@", items, at);
    }
    return cuda_text(n, "d@ += A(@);", cuda_arg_name(i), items);
}

/* The adjoint in the language of rules, for constructors of composites; lanes_adjoint does
 * OF_LANES. */
static str adjoint_text(cuda_defs *n, construct_form form, const type *t, const cuda_expr *args,
                        uint32_t nargs)
{
    str text = STR("");
    switch (form) {
    case OF_SAME: return STR("da += d;");
    case OF_PARTS: return STR("da += d.p; db += d.q;");
    case OF_IMAGINARY: return STR("da += A(d[0], d[1], d[2]); db += d[3];");
    case OF_CAST: return STR("each:R da# += inner(d#);");
    case OF_SCALAR: return STR("each:R da += A(d#);");
    case OF_JOINED:
    case OF_COLUMNS:
        for (uint32_t i = 0; i < nargs; i++)
            text = cuda_text(n, "@@", text, vector_adjoint(n, form, t, i, nargs));
        return text;
    default: (void)args; return text;
    }
}

/* Adjoint i grows by e, converted to its type. */
static void add_to(const cuda_adjoint *q, uint32_t i, const cuda_expr *e)
{
    const cuda_expr cast = cuda_cast(q->n, q->args[i].type, e);
    cuda_add_sum(q->n, q->out, &q->adj_args[i], &cast, false);
}

/* Each argument's adjoint grows by its lane of d. No function is needed: lanes are short. */
static void lanes_adjoint(const cuda_adjoint *q)
{
    for (uint32_t i = 0; i < q->nargs; i++) {
        if (!q->adj_args[i].text.n)
            continue;
        const cuda_expr d = cuda_lane_of(q->n, q->adj_result, (int)i);
        add_to(q, i, &d);
    }
}

/* The adjoint of a constructor from composites, by a rule that is made for it. */
static bool vectors_adjoint(const cuda_adjoint *q, construct_form form, const type *t)
{
    const cuda_binding b = binding_of(t, q->args, q->nargs);
    const str text = adjoint_text(q->n, form, t, q->args, q->nargs);
    const cuda_rule rule = {.name = "make", .text = text.p};
    cuda_adjoint_apply(q, &rule, &b);
    return true;
}

/* False: no form. True without a statement where Warp's adjoint adds nothing. */
bool cuda_construct_adjoint(const cuda_adjoint *q, const type *t)
{
    if (type_is_scalar(t)) {
        if (q->nargs && q->adj_args[0].text.n)
            add_to(q, 0, q->adj_result);
        return true;
    }
    const construct_form form = form_of(t, q->args, q->nargs);
    if (form == OF_OTHER)
        return false;
    /* scalars that make a quaternion or transformation have adjoints only if they are floats */
    if (t->kind >= TYPE_QUAT && q->nargs && type_is_scalar(q->args[0].type) &&
        !type_is_float(q->args[0].type))
        return true;
    if (form == OF_LANES)
        lanes_adjoint(q);
    else if (form != OF_NOTHING)
        vectors_adjoint(q, form, t);
    return true;
}

/* Rows are joined vectors, and columns are columns: the adjoints are those of the constructors. */
bool cuda_from_vectors_adjoint(const cuda_adjoint *q)
{
    const type *v = q->nargs ? q->args[0].type : NULL;
    const bool rows = str_eq(q->name, STR("matrix_from_rows"));
    if (!v || v->kind != TYPE_VEC || q->nargs > 16)
        return false;
    const int other = (int)q->nargs;
    const type *t = rows ? type_mat(q->n->c, v->elem, other, v->rows)
                         : type_mat(q->n->c, v->elem, v->rows, other);
    return vectors_adjoint(q, rows ? OF_JOINED : OF_COLUMNS, t);
}
