/* SPDX-License-Identifier: Apache-2.0 */
/* Functions of scalars that C or CUDA has under a name of its own: a table of names
 * (cudarule_math.def), and the few whose name depends on the type.
 *
 *     sin(x) of a float        ->   sinf(x)
 *     sin(x) of a double       ->   sin(x)
 *     abs(h) of a __half       ->   __half(fabsf((float)h))
 *     abs(i) of an int         ->   abs(i)
 *     max(a, b) of floats      ->   fmaxf(a, b)
 *     bit_count(i) of an int   ->   __popc(i)
 *     muladd(a, b, c) of a rule ->  fmaf(a, b, c)
 *
 * 16-bit floats are computed in float and rounded once, as in Warp (native/builtin.h). */
#include "base/assert.h"
#include "cudarule/cudarule_def.h"
#include "cudarule/cudarule_family.h"
#include "cudarule/cudarule_number.h"
#include "cudarule/cudarule_operator.h"

/* A row of cudarule_math.def: Warp's name, C's name of the function of doubles, number of
 * arguments. */
typedef struct math_form {
    const char *name, *cname;
    uint32_t nargs;
} math_form;

static const math_form forms[] = {
#define MATH(name, cname, nargs)                    {name, cname, nargs},
#define ADJOINT(name, kinds, pattern, wanted, text) /* cudarule_table.c */
#include "cudarule/cudarule_math.def"
#undef MATH
#undef ADJOINT
};

/* A 16-bit float. */
static bool is_half(const type *t)
{
    return t->kind == TYPE_FLOAT16 || t->kind == TYPE_BFLOAT16;
}

/* The argument as C's function takes it. A 16-bit float is passed as a float. */
static str argument(cuda_defs *n, const cuda_expr *e)
{
    return is_half(e->type) ? cuda_cast(n, type_scalar(n->c, TYPE_FLOAT32), e).text : e->text;
}

/* "name(a, b)". */
static str call_text(cuda_defs *n, str name, const cuda_expr *args, uint32_t nargs)
{
    WEFT_ASSERT(nargs > 0);
    str text = cuda_text(n, "@(@", name, argument(n, &args[0]));
    for (uint32_t i = 1; i < nargs; i++)
        text = cuda_text(n, "@, @", text, argument(n, &args[i]));
    return cuda_text(n, "@)", text);
}

/* Is the result exact in a 16-bit type if the arguments are? Then a conversion to float need not go
 * through the 16-bit type: (float)__half(fabsf(x)) is fabsf(x). */
static bool stays_exact(str name)
{
    static const char *const names[] = {"abs", "ceil", "copysign", "floor", "max",
                                        "min", "rint", "round",    "trunc"};
    return STR_IS_IN(name, names);
}

/* A function of floats by the table. That of float has the suffix f. */
static cuda_expr float_function(cuda_defs *n, str name, const cuda_expr *args, uint32_t nargs)
{
    const type *t = args[0].type;
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        if (forms[i].nargs != nargs || !str_eq(name, str_c(forms[i].name)))
            continue;
        const char *suffix = t->kind == TYPE_FLOAT64 ? "" : "f";
        const str cname = cuda_text(n, "@@", str_c(forms[i].cname), str_c(suffix));
        const str text = call_text(n, cname, args, nargs);
        if (!is_half(t))
            return cuda_expr_of(text, t, CUDA_POSTFIX);
        const cuda_expr wide = cuda_expr_of(text, type_scalar(n->c, TYPE_FLOAT32), CUDA_POSTFIX);
        cuda_expr e = cuda_narrowed(n, t, &wide);
        e.wide = stays_exact(name) ? cuda_kept(n, &wide) : NULL;
        return e;
    }
    return CUDA_NONE;
}

/* a * b + c, rounded once where Warp does so: for 16-bit floats and integers it computes the
 * product first. */
static cuda_expr muladd(cuda_defs *n, const cuda_expr *args)
{
    const type *t = args[0].type;
    if (t->kind == TYPE_FLOAT32 || t->kind == TYPE_FLOAT64) {
        const str name = t->kind == TYPE_FLOAT32 ? STR("fmaf") : STR("fma");
        return cuda_expr_of(call_text(n, name, args, 3), t, CUDA_POSTFIX);
    }
    const cuda_expr product = cuda_operator(n, STR("mul"), args, 2);
    return cuda_operator(n, STR("add"), (cuda_expr[]){product, args[2]}, 2);
}

/* isnan, isinf, isfinite: macros of math.h for all floats, so there is no suffix. */
static cuda_expr test(cuda_defs *n, str name, const cuda_expr *a)
{
    return cuda_expr_of(call_text(n, name, a, 1), type_scalar(n->c, TYPE_BOOL), CUDA_POSTFIX);
}

/* Has the integer type a sign? abs of the others is the number itself. */
static bool is_signed(const type *t)
{
    return t->kind == TYPE_INT8 || t->kind == TYPE_INT16 || t->kind == TYPE_INT32 ||
           t->kind == TYPE_INT64;
}

/* abs, min and max of integers. Narrow ones are computed in int and converted back. */
static cuda_expr integer_function(cuda_defs *n, str name, const cuda_expr *args, uint32_t nargs)
{
    const type *t = args[0].type;
    const bool narrow = t->kind < TYPE_INT32, is_abs = str_eq(name, STR("abs")) && nargs == 1;
    if (is_abs && !is_signed(t))
        return args[0];
    if (!is_abs && (nargs != 2 || !(str_eq(name, STR("min")) || str_eq(name, STR("max")))))
        return CUDA_NONE;
    if (is_abs && t->kind == TYPE_INT64)
        name = STR("llabs");
    const str text = call_text(n, name, args, nargs);
    const cuda_expr e = cuda_expr_of(text, t, CUDA_POSTFIX);
    return narrow ? cuda_narrowed(n, t, &e) : e;
}

/* Narrow signed integers are made unsigned of the same size first: their sign would be extended. */
static cuda_expr count_bits(cuda_defs *n, const cuda_expr *a)
{
    static const type_kind same_size[] = {[TYPE_INT8] = TYPE_UINT8, [TYPE_INT16] = TYPE_UINT16};
    const type_kind k = a->type->kind;
    cuda_expr x = *a;
    if (k == TYPE_INT8 || k == TYPE_INT16)
        x = cuda_cast(n, type_scalar(n->c, same_size[k]), a);
    const str name = k >= TYPE_INT64 ? STR("__popcll") : STR("__popc");
    return cuda_expr_of(call_text(n, name, &x, 1), type_scalar(n->c, TYPE_INT32), CUDA_POSTFIX);
}

/* CUDA_NONE: no such function, or arguments of different types, which the tables of rules may
 * take. */
cuda_expr cuda_math(cuda_defs *n, str name, const cuda_expr *args, uint32_t nargs)
{
    const type *t = nargs ? args[0].type : NULL;
    if (!t || !type_is_scalar(t))
        return CUDA_NONE;
    for (uint32_t i = 1; i < nargs; i++)
        if (!type_equal(args[i].type, t))
            return CUDA_NONE;
    if (str_eq(name, STR("muladd")) && nargs == 3)
        return muladd(n, args);
    if (type_is_float(t)) {
        if (nargs == 1 && (str_eq(name, STR("isnan")) || str_eq(name, STR("isinf")) ||
                           str_eq(name, STR("isfinite"))))
            return test(n, name, &args[0]);
        return float_function(n, name, args, nargs);
    }
    if (!type_is_integer(t))
        return CUDA_NONE;
    if (nargs == 1 && str_eq(name, STR("bit_count")))
        return count_bits(n, &args[0]);
    return integer_function(n, name, args, nargs);
}
