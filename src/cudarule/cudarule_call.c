/* SPDX-License-Identifier: Apache-2.0 */
/* A builtin's call as an expression, and its adjoint as statements. For src/cuda, which prints
 * calls that its tree holds, and for its reader of adjoints (cuda_adjoint_call.c).
 *
 *     cuda_call("mul", float a, float b)             ->   a * b
 *     cuda_call("atomic_add", float y[i], float x)   ->   atomicAdd(&y[i], x)
 *     cuda_call("length", vec3 v)                    ->   length(v), and a definition of length
 *     cuda_adj_call("mul", ...)                      ->   adj_a += b * adj_r; adj_b += a * adj_r;
 *
 * The families of builtins (cudarule_family.h) are tried one after the other. Each returns
 * CUDA_NONE for a call that it has no rule for; the first other result counts. Last come the tables
 * of rules (cudarule_table.c). */
#include "cudarule/cudarule_call.h"

#include "arith/arith_op.h"
#include "base/assert.h"
#include "cudarule/cudarule_def.h"
#include "cudarule/cudarule_family.h"
#include "cudarule/cudarule_number.h"
#include "cudarule/cudarule_object.h"
#include "cudarule/cudarule_operator.h"
#include "cudarule/cudarule_type.h"

/* Approximate functions and the exact ones that stand for them: the same on the CPU, and up to the
 * last bits on a GPU. */
static const struct {
    const char *name, *meaning;
} synonyms[] = {{"approx_div", "div"},
                {"div_approx", "div"},
                {"approx_inverse", "inverse"},
                {"inverse_approx", "inverse"}};

/* The name that the families and the tables have for the builtin. */
static str plain_name(str native)
{
    for (size_t i = 0; i < sizeof synonyms / sizeof *synonyms; i++)
        if (str_eq(native, str_c(synonyms[i].name)))
            return str_c(synonyms[i].meaning);
    return native;
}

/* The two builtins whose arguments are vectors and whose result is a matrix. */
static bool is_from_vectors(str name)
{
    return str_eq(name, STR("matrix_from_rows")) || str_eq(name, STR("matrix_from_cols"));
}

/* Values, slices of them, and textures. Arrays and other types belong to statements and have no
 * form here. */
static bool takes(const cuda_expr *args, uint32_t nargs)
{
    for (uint32_t i = 0; i < nargs; i++)
        if (!args[i].type || !(type_is_value(args[i].type) || args[i].type->kind == TYPE_SLICE ||
                               texture_axes(args[i].type)))
            return false;
    return nargs <= CUDA_ARGS_MAX;
}

/* Constructors come first: no family has their names. The order of the families does not
 * matter: where two have a name ("add" of scalars, of vectors), they take different types. */
cuda_expr cuda_call(cuda_defs *n, str native, const type *result, const cuda_expr *args,
                    uint32_t nargs)
{
    WEFT_ASSERT(native.n && (args || !nargs));
    const str name = plain_name(native);
    if (cuda_is_object_call(native))
        return cuda_object_call(n, native, result, args, nargs);
    if (!takes(args, nargs))
        return CUDA_NONE;
    if (str_starts(native, "block_"))
        return cuda_block(n, native, result, args);
    if (cuda_constructs(name, result))
        return cuda_construct(n, result, args, nargs);
    if (is_from_vectors(name))
        return cuda_from_vectors(n, name, args, nargs);
    if (nargs == 1 && result && type_is_value(result) && str_eq(name, STR("cast")))
        return cuda_bits(n, result, &args[0]);
    cuda_expr e = cuda_element(n, name, result, args, nargs);
    if (!e.prec)
        e = cuda_atomic(n, name, args, nargs);
    if (!e.prec && nargs)
        e = cuda_operator(n, name, args, nargs);
    if (!e.prec)
        e = cuda_math(n, name, args, nargs);
    if (!e.prec)
        e = cuda_matrix(n, name, result, args, nargs);
    if (!e.prec)
        e = cuda_print(n, name, args, nargs);
    return e.prec ? e : cuda_rule_call(n, name, result, args, nargs);
}

/* Rules reach the functions of this file through it: they lie below in the layers. */
static const cuda_resolver resolver = {cuda_call, cuda_construct, cuda_object_type};

/* An empty set of definitions. */
cuda_defs *cuda_defs_make(ctx *c, arena *a, cuda_taken *taken, const void *arg)
{
    cuda_defs *n = ARENA_NEW(a, cuda_defs);
    n->c = c;
    n->a = a;
    n->resolver = &resolver;
    n->taken = taken;
    n->taken_arg = arg;
    return n;
}

/* Builtins without a result of their own. Their adjoint takes no result and no adjoint of one. */
bool cuda_writes_arguments(str native)
{
    static const char *const names[] = {"add_inplace",
                                        "assign_inplace",
                                        "eig3",
                                        "qr3",
                                        "quat_to_axis_angle",
                                        "sub_inplace",
                                        "svd2",
                                        "svd3",
                                        "transform_add_inplace",
                                        "transform_set_rotation",
                                        "transform_set_translation",
                                        "transform_sub_inplace"};
    return STR_IS_IN(plain_name(native), names);
}

bool cuda_writes_last(str native)
{
    return str_starts(native, "volume_sample_grad");
}

bool cuda_sets_variables(str native, uint32_t nargs)
{
    const bool point =
        str_starts(native, "mesh_query_point") || str_starts(native, "mesh_query_furthest_point");
    return (point && nargs >= 6) || (str_eq(native, STR("mesh_query_ray")) && nargs > 5);
}

/* Does Warp's adjoint of the builtin add nothing? The rows of src/arith say so. */
static bool adds_nothing(const cuda_adjoint *q)
{
    const type *types[CUDA_ARGS_MAX];
    arith_op op;
    for (uint32_t i = 0; i < q->nargs; i++)
        types[i] = q->args[i].type;
    const bool constructs = cuda_constructs(q->name, q->result);
    const arith_request request = {
        .c = q->n->c,
        .a = q->n->a,
        .name = arena_dup(q->n->a, q->name.p, q->name.n),
        .constructs = constructs && !str_eq(q->name, STR("float")) ? q->result : NULL,
        .args = types,
        .n = q->nargs,
        .results = &q->result,
        .nresults = q->result ? 1 : 0};
    return arith_find(&request, &op) && !op.adjoint;
}

/* Has any argument an adjoint that somebody needs? */
static bool any_wanted(const cuda_adjoint *q)
{
    bool any = false;
    for (uint32_t i = 0; i < q->nargs; i++)
        any = any || q->adj_args[i].text.n;
    return any;
}

/* True without a statement where nothing is wanted or Warp's adjoint does nothing. False: no
 * form. */
bool cuda_adj_call(cuda_defs *n, cuda_codes *out, str native, const type *result,
                   const cuda_expr *args, uint32_t nargs, const cuda_expr *adj_args,
                   const cuda_expr *made, const cuda_expr *adj_result)
{
    WEFT_ASSERT(native.n && (adj_args || !nargs));
    const cuda_adjoint q = {.n = n,
                            .out = out,
                            .name = plain_name(native),
                            .result = result,
                            .args = args,
                            .adj_args = adj_args,
                            .nargs = nargs,
                            .value = made,
                            .adj_result = adj_result};
    if (!takes(args, nargs))
        return false;
    if (!any_wanted(&q) || adds_nothing(&q))
        return true;
    if (cuda_constructs(q.name, result))
        return cuda_construct_adjoint(&q, result);
    if (is_from_vectors(q.name))
        return cuda_from_vectors_adjoint(&q);
    return cuda_element_adjoint(&q) || cuda_atomic_adjoint(&q) || cuda_rule_adjoint(&q) ||
           cuda_object_adjoint(&q, cuda_sets_variables(native, nargs));
}

/* Warp's search (native/array.h lower_bound) of a sorted range. It gives the last index, not the
 * end, if all items are less: that is Warp's behaviour and kept. */
cuda_expr cuda_lower_bound(cuda_defs *n, const cuda_expr args[4])
{
    const str t = cuda_type_name(n, args[3].type), key = cuda_text(n, "lower_bound(@)", t),
              name = cuda_free_name(n, STR("lower_bound"));
    const char *body = "    int lower = begin, upper = end - 1;\n"
                       "    while (lower < upper) {\n"
                       "        int mid = lower + (upper - lower) / 2;\n"
                       "        if (items[mid] < value)\n"
                       "            lower = mid + 1;\n"
                       "        else\n"
                       "            upper = mid;\n"
                       "    }\n"
                       "    return lower;\n";
    if (!cuda_def_find(n, key))
        cuda_def_add(
            n, key, name,
            cuda_text(n,
                      "__device__ inline int @(const @ *items, int begin, int end, @ value)\n"
                      "{\n@}\n",
                      name, t, t, str_c(body)),
            false);
    const str text =
        cuda_text(n, "@(@, @, @, @)", name, args[0].text, args[1].text, args[2].text, args[3].text);
    return cuda_expr_of(text, type_scalar(n->c, TYPE_INT32), CUDA_POSTFIX);
}

str cuda_listed(cuda_defs *n, str list, str index)
{
    const str key = STR("listed"), name = cuda_free_name(n, key);
    if (!cuda_def_find(n, key))
        cuda_def_add(n, key, name,
                     cuda_text(n,
                               "// What an index of an indexed array stands for; without a list "
                               "itself.\n"
                               "__device__ inline int @(const int *list, int i)\n"
                               "{\n    return list ? list[i] : i;\n}\n",
                               name),
                     false);
    return cuda_text(n, "@(@, @)", name, list, index);
}
