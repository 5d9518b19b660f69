/* SPDX-License-Identifier: Apache-2.0 */
/* Builtins as functions, for texts that call them by name and are not read (cuda_snippet_words.c).
 * What a call would be in a text of weft becomes the body:
 *
 *     length_sq(v) of a vec3     ->   __device__ inline float length_sq(vec3 a)
 *                                     {
 *                                         return dot(a, a);
 *                                     }
 *
 * A builtin whose rule is a function of that name needs no other. */
#include "cudarule/cudarule_function.h"

#include "base/assert.h"
#include "cudarule/cudarule_apply.h"
#include "cudarule/cudarule_call.h"
#include "cudarule/cudarule_def.h"
#include "cudarule/cudarule_type.h"

str cuda_helper_name(cuda_defs *n, str name)
{
    return cuda_free_name(n, name);
}

/* The name of the builtin that makes a value of the type. */
static str constructor_of(const type *t)
{
    switch (t->kind) {
    case TYPE_VEC: return STR("vec_t");
    case TYPE_MAT: return STR("mat_t");
    case TYPE_QUAT: return STR("quat_t");
    case TYPE_TRANSFORM: return STR("transform_t");
    default: return t->pyname;
    }
}

/* Those that read or write more than their arguments. */
static bool has_effects(str native)
{
    return str_starts(native, "atomic_") || str_starts(native, "print") ||
           str_starts(native, "rand") || cuda_writes_arguments(native) || cuda_writes_last(native);
}

/* "vec3 a, const mat33 &b". */
static str parameters(cuda_defs *n, const type *const *types, uint32_t nargs)
{
    str list = STR("");
    for (uint32_t i = 0; i < nargs; i++)
        list = cuda_text(n, cuda_lanes(types[i]) > 4 ? "@@const @ &@" : "@@@ @", list,
                         str_c(i ? ", " : ""), cuda_type_name(n, types[i]), cuda_arg_name(i));
    return list;
}

/* "length(a, b)". */
static str call_text(cuda_defs *n, str name, uint32_t nargs)
{
    str list = STR("");
    for (uint32_t i = 0; i < nargs; i++)
        list = cuda_text(n, "@@@", list, str_c(i ? ", " : ""), cuda_arg_name(i));
    return cuda_text(n, "@(@)", name, list);
}

const type *cuda_define_helper(cuda_defs *n, str native, str name, const type *result,
                               const type *const *types, uint32_t nargs)
{
    WEFT_ASSERT(name.n);
    cuda_expr args[CUDA_ARGS_MAX];
    const str list = nargs <= CUDA_ARGS_MAX ? parameters(n, types, nargs) : STR("");
    const str key = cuda_text(n, "helper @(@)", name, list);
    if (nargs > CUDA_ARGS_MAX || (!result && has_effects(native)))
        return NULL;
    for (uint32_t i = 0; i < nargs; i++)
        args[i] = cuda_expr_of(cuda_arg_name(i), types[i], CUDA_PRIMARY);
    const cuda_def *known = cuda_def_find(n, key);
    const cuda_expr e =
        n->resolver->call(n, result ? constructor_of(result) : native, result, args, nargs);
    if (!e.prec || e.prec == CUDA_ASSIGN || !e.type || !type_is_value(e.type))
        return NULL;
    if (!known && !str_eq(e.text, call_text(n, name, nargs)))
        cuda_def_add(n, key, name,
                     cuda_text(n, "__device__ inline @ @(@)\n{\n    return @;\n}\n",
                               cuda_type_name(n, e.type), name, list, e.text),
                     false);
    return e.type;
}

void cuda_define_operator(cuda_defs *n, str native, const type *a, const type *b)
{
    const cuda_expr args[2] = {cuda_expr_of(STR("a"), a, CUDA_PRIMARY),
                               cuda_expr_of(STR("b"), b, CUDA_PRIMARY)};
    if (str_eq(native, STR("+=")) || str_eq(native, STR("-=")))
        (void)cuda_rule_call(n, native, NULL, args, 2);
    else if (str_eq(native, STR("==")))
        (void)cuda_rule_call(n, native, type_scalar(n->c, TYPE_BOOL), args, 2);
    else
        (void)n->resolver->call(n, native, NULL, args, b ? 2 : 1);
}

void cuda_define_lanes(cuda_defs *n, const type *t)
{
    const str name = cuda_type_name(n, t), item = cuda_type_name(n, t->elem);
    if (t->kind != TYPE_VEC && t->kind != TYPE_QUAT)
        return;
    const str lane = cuda_has_letters(t) ? STR("(&x)[i]") : STR("c[i]");
    for (uint32_t i = 0; i < n->defs.n; i++) {
        cuda_def *def = &n->defs.v[i];
        if (!def->is_type || !str_eq(def->name, name) || strstr(def->text.p, "operator[]"))
            continue;
        WEFT_ASSERT(def->text.n > 3);
        const str fields = {def->text.p, def->text.n - 3}; /* without "};" and the newline */
        def->text = cuda_text(n,
                              "@    __device__ @ &operator[](int i) { return @; }\n"
                              "    __device__ const @ &operator[](int i) const { return @; }\n};\n",
                              fields, item, lane, item, lane);
    }
}
